//! How a server is run.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use meeple_store::Place;

#[derive(Clone, Debug)]
pub struct Settings {
    pub host: IpAddr,
    /// 0 for any that is free.
    pub port: u16,
    /// The folder of running games and, by default, of the database.
    pub data: PathBuf,
    /// The database of finished games: a file or a `postgres://` address.
    pub database: Option<String>,
    /// Folders of training runs, experiments and tournaments that are shown.
    pub results: Vec<PathBuf>,
    /// What every client must know. Needed on anything but this machine.
    pub token: Option<String>,
    /// Names under which the server may be addressed, besides this machine and its addresses.
    pub names: Vec<String>,
    /// Threads for agents.
    pub thinkers: usize,
    pub most_tables: usize,
    pub most_bots: usize,
    /// Bots of one address; those that stay away are forgotten.
    pub bots: usize,
    /// Games of one address that are not over.
    pub tables: usize,
    /// Seats of agents in them.
    pub agents: usize,
    /// Questions of one address that are thought about, or wait for it.
    pub questions: usize,
    /// Streams of one address.
    pub streams: usize,
    /// Requests a second from one address.
    pub requests: f64,
    /// Messages a second on one stream.
    pub messages: f64,
    /// How often who listens is asked whether it is there; who does not answer twice is let go.
    pub ping: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            host: IpAddr::from([127, 0, 0, 1]),
            port: 0,
            data: PathBuf::from("meeple-data"),
            database: None,
            results: vec![PathBuf::from("runs")],
            token: None,
            names: Vec::new(),
            thinkers: std::thread::available_parallelism().map_or(2, usize::from),
            most_tables: 10_000,
            most_bots: 10_000,
            bots: 2000,
            tables: 500,
            agents: 1000,
            questions: 16,
            streams: 2000,
            requests: 100.0,
            messages: 50.0,
            ping: Duration::from_secs(30),
        }
    }
}

impl Settings {
    pub(crate) fn database(&self) -> Place {
        match &self.database {
            Some(text) => Place::new(text),
            None => Place::File(self.data.join("games.sqlite")),
        }
    }
}
