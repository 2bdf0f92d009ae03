//! `meeple serve`: play in a browser, against agents, people and programs.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use meeple_server::{Settings, serve};

use super::BadUsage;

const PORT: u16 = 7777;

/// Play in the browser: tables for people, agents and bots
#[derive(Args)]
#[command(after_help = "Examples:
  meeple serve
  meeple serve --port 8080 --data games --no-browser
  MEEPLE_TOKEN=secret meeple serve --host 0.0.0.0 --name games.example.org
  meeple serve --database postgres://meeple@localhost/games
Games in progress are in the data folder: they go on when the server is started again.")]
pub(crate) struct Arguments {
    /// The address to listen on; other machines can connect to 0.0.0.0, and need the token
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port; 0 takes any that is free [default: 7777, or any if that is taken]
    #[arg(long)]
    port: Option<u16>,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
    /// The folder of games in progress and of the database
    #[arg(long, value_name = "DIR", default_value = "meeple-data")]
    data: PathBuf,
    /// The database of finished games: a file or a postgres:// address [default: games.sqlite in the data folder]
    #[arg(long, value_name = "PLACE")]
    database: Option<String>,
    /// Folders of training runs, experiments and tournaments to show; may be given again
    #[arg(long, value_name = "DIR", default_value = "runs")]
    results: Vec<PathBuf>,
    /// What clients must know; needed when others can connect
    #[arg(long, env = "MEEPLE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// A name under which the server is reached; may be given again
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Threads for agents [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    thinkers: Option<u16>,
    /// Requests that one address may make in a second
    #[arg(long, default_value_t = 100.0, value_parser = positive)]
    requests: f64,
    /// Messages that one stream may send in a second
    #[arg(long, default_value_t = 50.0, value_parser = positive)]
    messages: f64,
    /// Games of one address that are not over
    #[arg(long, default_value_t = 500)]
    tables: usize,
    /// Seats of agents in the games of one address that are not over
    #[arg(long, default_value_t = 1000)]
    agents: usize,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.1..=1e9).contains(&number) => Ok(number),
        _ => Err("a number above 0.1 is needed".to_string()),
    }
}

impl Arguments {
    /// What `meeple` does without a command.
    pub(crate) fn defaults() -> Arguments {
        use clap::{Command, FromArgMatches};
        let command = Arguments::augment_args(Command::new("serve"));
        Arguments::from_arg_matches(&command.get_matches_from(["serve"])).expect("all arguments have defaults")
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if !arguments.host.is_loopback() && arguments.token.is_none() {
        return Err(
            BadUsage(format!("{} can be reached by others: set --token or MEEPLE_TOKEN", arguments.host)).into()
        );
    }
    if arguments.token.as_ref().is_some_and(|token| token.trim().is_empty()) {
        return Err(BadUsage("--token or MEEPLE_TOKEN is empty: everybody would know it".to_string()).into());
    }
    let defaults = Settings::default();
    let settings = Settings {
        host: arguments.host,
        port: arguments.port.unwrap_or_else(|| usual_port(arguments.host)),
        data: arguments.data.clone(),
        database: arguments.database.clone(),
        results: arguments.results.clone(),
        token: arguments.token.clone(),
        names: arguments.names.clone(),
        thinkers: arguments.thinkers.map_or(defaults.thinkers, usize::from),
        requests: arguments.requests,
        messages: arguments.messages,
        tables: arguments.tables,
        agents: arguments.agents,
        ..defaults
    };
    let browse = !arguments.no_browser && std::io::stdout().is_terminal();
    serve(settings, |address| started(address, browse))?;
    Ok(ExitCode::SUCCESS)
}

/// Any that is free if somebody listens at the usual one.
fn usual_port(host: IpAddr) -> u16 {
    if TcpListener::bind((host, PORT)).is_ok() { PORT } else { 0 }
}

fn started(address: SocketAddr, browse: bool) {
    let page = format!("http://{address}");
    let mut out = std::io::stdout().lock();
    // Nobody may be reading.
    let _ = writeln!(out, "Meeple is at {page} (Ctrl-C ends it)");
    let _ = out.flush();
    if browse {
        open_browser(&page);
    }
}

/// Opens a browser if the system has a way to.
fn open_browser(page: &str) {
    let has_screen = cfg!(any(target_os = "macos", target_os = "windows"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(target_os = "windows") {
        "explorer"
    } else {
        "xdg-open"
    };
    if has_screen {
        let _ =
            Command::new(program).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}
