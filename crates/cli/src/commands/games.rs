//! `meeple games`: what can be played, and what is known about it.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_catalog::{GAMES, Level};
use meeple_core::analysis::Characteristics;
use meeple_core::erased::AnyGame;
use meeple_core::{Fact, Information, Rng, Rules};
use serde_json::{Value, json};

/// List the games, or describe one
#[derive(Args)]
#[command(after_help = "Example: meeple games just4fun --stats --games 2000")]
pub(crate) struct Arguments {
    /// Describe this game
    name: Option<String>,
    /// Parameters of the rules, for example rows=5,columns=6
    #[arg(long, value_name = "KEY=VALUE,..", default_value = "", requires = "name")]
    rules: String,
    /// Add figures from exact formulas and from random games
    #[arg(long, requires = "name")]
    stats: bool,
    /// Random games to play for --stats
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..), requires = "stats")]
    games: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    match &arguments.name {
        None if arguments.json => {
            let games: Vec<Value> =
                GAMES.iter().map(|entry| json!({"name": entry.name, "summary": entry.summary})).collect();
            writeln!(out, "{}", json!(games))?;
        }
        None => {
            for entry in GAMES {
                writeln!(out, "{:<17} {}", entry.name, entry.summary)?;
            }
        }
        Some(name) => {
            let game = meeple_catalog::game(name, &Rules::parse(&arguments.rules)?)?;
            let facts = if arguments.stats { game.facts() } else { Vec::new() };
            let measured =
                arguments.stats.then(|| game.characteristics(arguments.games, &mut Rng::from_seed(arguments.seed)));
            if arguments.json {
                writeln!(out, "{}", description(&*game, &facts, measured.as_ref()))?;
            } else {
                describe(&mut out, &*game, &facts, measured.as_ref())?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn description(game: &dyn AnyGame, facts: &[Fact], measured: Option<&Characteristics>) -> Value {
    let info = game.info();
    let encoders: Vec<Value> = game
        .encoders()
        .iter()
        .map(|(name, shape, policy)| {
            json!({"name": name, "planes": [shape.channels, shape.rows, shape.columns], "vector": shape.vector, "policy": policy})
        })
        .collect();
    let elsewhere = |level: &Level| -> Vec<Value> {
        level.elsewhere.iter().map(|(rules, agent)| json!({"rules": rules, "agent": agent})).collect()
    };
    let level = |(number, level): (usize, &Level)| {
        json!({
            "name": level.name, "agent": level.agent, "elsewhere": elsewhere(level),
            "agent_for_any_rules": level.agent_for_any_rules(number),
        })
    };
    let levels: Vec<Value> = meeple_catalog::levels(info.name).iter().enumerate().map(level).collect();
    json!({
        "name": info.name, "version": info.version, "players": info.players, "teams": info.teams,
        "hidden_information": info.information == Information::Hidden, "chance": info.chance,
        "longest_game": info.longest_game, "parameters": game.parameters(), "encoders": encoders,
        "levels": levels, "notation": game.notation_help(), "facts": facts, "random_games": measured,
    })
}

fn describe(
    out: &mut dyn Write,
    game: &dyn AnyGame,
    facts: &[Fact],
    measured: Option<&Characteristics>,
) -> std::io::Result<()> {
    let info = game.info();
    let teams = if info.teams < info.players { format!(" in {} teams", info.teams) } else { String::new() };
    let information =
        if info.information == Information::Hidden { "hidden information" } else { "perfect information" };
    let chance = if info.chance { "chance" } else { "no chance" };
    writeln!(out, "{} (rules version {})", info.name, info.version)?;
    writeln!(out, "  {} players{teams}, {information}, {chance}, at most {} actions", info.players, info.longest_game)?;
    if !game.parameters().is_empty() {
        writeln!(out, "\nParameters (--rules key=value,..)")?;
    }
    for parameter in game.parameters() {
        writeln!(
            out,
            "  {:<26} {:<28} {} (default {})",
            parameter.name, parameter.values, parameter.meaning, parameter.default
        )?;
    }
    writeln!(out, "\nOpponents by strength (docs/levels.md)")?;
    for Level { name, agent, elsewhere } in meeple_catalog::levels(info.name) {
        writeln!(out, "  {name:<26} {agent}")?;
        for (rules, agent) in *elsewhere {
            writeln!(out, "    {:<24} {agent}", format!("with {rules}"))?;
        }
    }
    if let Some(help) = game.notation_help() {
        writeln!(out, "\nPosition as text\n  {help}")?;
    }
    let encoders = game.encoders();
    if !encoders.is_empty() {
        writeln!(out, "\nNetwork inputs")?;
    }
    for (name, shape, policy) in encoders {
        let planes = format!("{} x {} x {}", shape.channels, shape.rows, shape.columns);
        writeln!(out, "  {name:<26} planes {planes}, vector {}, {policy} policy outputs", shape.vector)?;
    }
    if !facts.is_empty() {
        writeln!(out, "\nExact figures")?;
    }
    for fact in facts {
        writeln!(out, "  {:<58} {}", fact.name, fact.text)?;
    }
    measured.map_or(Ok(()), |measured| show_measured(out, measured))
}

fn show_measured(out: &mut dyn Write, measured: &Characteristics) -> std::io::Result<()> {
    writeln!(out, "\nIn {} random games", measured.games)?;
    for fact in measured.facts() {
        writeln!(out, "  {:<58} {}", fact.name, fact.text)?;
    }
    Ok(())
}
