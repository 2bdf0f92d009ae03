//! `meeple perft`: counts action sequences, to compare rules with other programs.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_core::erased::AnyPosition;

use super::GameArguments;

/// Count the action sequences of each length from a position, outcomes of chance included
#[derive(Args)]
#[command(after_help = "Example: meeple perft breakthrough --depth 5")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The longest sequence to count
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Start here instead of the initial position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Split the last count by the first action
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let position = match &arguments.position {
        Some(text) => game.parse_position(text)?,
        None => game.start(),
    };
    let mut out = std::io::stdout().lock();
    let mut nodes = Vec::new();
    for depth in 1..=arguments.depth {
        nodes.push(position.perft(depth));
        if !arguments.json {
            writeln!(out, "{depth:>3} {:>20}", nodes[nodes.len() - 1])?;
        }
        if nodes.ends_with(&[0]) {
            break; // no game is longer
        }
    }
    let divided = if arguments.divide { divide(&*position, nodes.len() as u32) } else { Vec::new() };
    if arguments.json {
        let divided: serde_json::Map<String, serde_json::Value> =
            divided.into_iter().map(|(text, count)| (text, count.into())).collect();
        writeln!(out, "{}", serde_json::json!({"game": game.info().name, "nodes": nodes, "divide": divided}))?;
    } else {
        for (text, count) in divided {
            writeln!(out, "{text:>12} {count:>20}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn divide(position: &dyn AnyPosition, depth: u32) -> Vec<(String, u64)> {
    let after = |text: String| {
        let mut next = position.clone_box();
        next.apply(&text).expect("a listed action is possible");
        let count = next.perft(depth - 1);
        (text, count)
    };
    position.actions().into_iter().map(after).collect()
}
