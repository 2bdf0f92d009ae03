//! `meeple agents`: who can play, and what can be set.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_catalog::{AGENTS, GAMES};
use meeple_core::Rules;
use meeple_core::rules::Parameter;
use serde_json::{Value, json};

/// List the agents, or the settings of one
#[derive(Args)]
#[command(after_help = "Example: meeple agents mcts\n\
    Example: meeple agents mcts:select=puct --game breakthrough\n\
    What can be set may depend on other settings, and on the game.")]
pub(crate) struct Arguments {
    /// Show the settings of this agent
    agent: Option<String>,
    /// For this game [default: the first one that it can play]
    #[arg(long, requires = "agent")]
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let Some(agent) = &arguments.agent else {
        for &(name, summary) in AGENTS {
            if !arguments.json {
                writeln!(out, "{name:<17} {summary}")?;
            }
        }
        if arguments.json {
            let agents: Vec<Value> =
                AGENTS.iter().map(|(name, summary)| json!({"name": name, "summary": summary})).collect();
            writeln!(out, "{}", json!(agents))?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let (game, settings) = settings(agent, arguments.game.as_deref())?;
    if arguments.json {
        writeln!(out, "{}", json!({"agent": agent, "game": game, "settings": settings}))?;
    } else {
        describe(&mut out, agent, &game, &settings)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The game that was asked for, or one that the agent can play, and what can be set.
fn settings(agent: &str, game: Option<&str>) -> anyhow::Result<(String, Vec<Parameter>)> {
    if let Some(name) = game {
        return Ok((name.to_string(), meeple_catalog::game(name, &Rules::default())?.agent_settings(agent)?));
    }
    let mut refused = None;
    for entry in GAMES {
        match entry.build(&Rules::default())?.agent_settings(agent) {
            Ok(settings) => return Ok((entry.name.to_string(), settings)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.expect("there are games").into())
}

fn describe(out: &mut dyn Write, agent: &str, game: &str, settings: &[Parameter]) -> std::io::Result<()> {
    writeln!(out, "{agent} for {game}")?;
    if settings.is_empty() {
        writeln!(out, "  nothing to set")?;
    }
    for Parameter { name, values, default, value, meaning } in settings {
        let given = if value == default { String::new() } else { format!(", here {value}") };
        writeln!(out, "\n  {name:<20} {meaning}\n  {:<20} {values} (default {default}{given})", "")?;
    }
    Ok(())
}
