//! `meeple analyze`: what an agent thinks of a position.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_core::agent::{ActionReport, Budget, Decision};
use meeple_core::erased::{AnyGame, AnyPosition, AnyView};
use meeple_core::{Payoffs, Player, Rng, SearchTree, Turn};
use serde_json::{Value, json};

use super::{BadUsage, GameArguments};

/// Show what an agent thinks of a position
#[derive(Args)]
#[command(after_help = "Example: meeple analyze tic-tac-toe --position \"x.o/.x./..o\" --agent mcts:iterations=5000\n\
    With hidden cards, --view takes what one seat knows, such as one transcribed from a table elsewhere;\n\
    `meeple games NAME` tells how both are written.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The whole position as text
    #[arg(long, value_name = "TEXT", required_unless_present = "view")]
    position: Option<String>,
    /// What the seat to move knows, as text
    #[arg(long, value_name = "TEXT", conflicts_with = "position")]
    view: Option<String>,
    #[arg(long)]
    agent: String,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the search tree to a file: Graphviz if it ends in .dot, else JSON
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// How many actions deep the tree is written
    #[arg(long, value_name = "N", default_value_t = 4, requires = "tree")]
    tree_depth: u32,
    /// Leave out what has fewer visits
    #[arg(long, value_name = "N", default_value_t = 10, requires = "tree")]
    tree_visits: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was asked about, and the answer.
struct Analysis {
    player: Player,
    picture: String,
    decision: Decision<String>,
    tree: Option<SearchTree<String>>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let Analysis { player, picture, decision, tree } = match (&arguments.position, &arguments.view) {
        (Some(position), _) => arguments.of_position(&*game, &*game.parse_position(position)?)?,
        (None, view) => {
            let view = view.as_deref().expect("clap requires one of both");
            arguments.of_view(&*game, &*game.parse_view(view)?)?
        }
    };
    if let Some(file) = &arguments.tree {
        let tree = tree.ok_or_else(|| BadUsage(format!("agent `{}` keeps no tree to show", arguments.agent)))?;
        write_tree(file, &tree).with_context(|| format!("{}", file.display()))?;
    }
    let players = game.info().players;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", to_json(&decision, player, players))?;
    } else {
        writeln!(out, "{picture}\n")?;
        show(&mut out, &decision, player, players)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn of_position(&self, game: &dyn AnyGame, position: &dyn AnyPosition) -> anyhow::Result<Analysis> {
        let Turn::Player(player) = position.turn() else {
            return Err(BadUsage("nobody is to move in this position".to_string()).into());
        };
        let mut agent = game.agent(&self.agent)?;
        let decision = position.decide(&mut agent, &Budget::NONE, &mut Rng::from_seed(self.seed));
        let tree = self.tree.as_ref().and_then(|_| position.search_tree(&agent, self.tree_depth, self.tree_visits));
        Ok(Analysis { player, picture: position.render(Some(player)), decision, tree })
    }

    fn of_view(&self, game: &dyn AnyGame, view: &dyn AnyView) -> anyhow::Result<Analysis> {
        let Some(player) = view.player() else {
            return Err(BadUsage("the seat that sees this is not to move".to_string()).into());
        };
        let mut agent = game.agent(&self.agent)?;
        let decision = view.decide(&mut agent, &Budget::NONE, &mut Rng::from_seed(self.seed))?;
        let tree = self.tree.as_ref().and_then(|_| view.search_tree(&agent, self.tree_depth, self.tree_visits));
        Ok(Analysis { player, picture: view.render(), decision, tree })
    }
}

fn write_tree(file: &Path, tree: &SearchTree<String>) -> anyhow::Result<()> {
    let text = match file.extension() {
        Some(extension) if extension == "dot" => to_dot(tree),
        _ => serde_json::to_string(tree)? + "\n",
    };
    Ok(std::fs::write(file, text)?)
}

/// For Graphviz: `dot -Tsvg FILE`.
fn to_dot(tree: &SearchTree<String>) -> String {
    let mut text = String::from("digraph search {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (place, node) in tree.nodes.iter().enumerate() {
        let action = node.action.as_deref().unwrap_or("root").replace('\\', "\\\\").replace('"', "\\\"");
        let seat = node.player.map_or(String::new(), |player| format!("seat {player}: "));
        let value = node.value.map_or(String::new(), |value| format!("\\n{value:+.3}"));
        let proven = if node.proven.is_some() { ", style=bold" } else { "" };
        text += &format!("  n{place} [label=\"{seat}{action}\\n{} visits{value}\"{proven}];\n", node.visits);
        if let Some(parent) = node.parent {
            text += &format!("  n{parent} -> n{place};\n");
        }
    }
    text + "}\n"
}

fn to_json(decision: &Decision<String>, player: usize, players: usize) -> Value {
    let report = &decision.report;
    let seats = |payoffs: &Option<Payoffs>| payoffs.map(|payoffs| payoffs[..players].to_vec());
    let action = |action: &ActionReport<String>| {
        json!({
            "action": action.action, "visits": action.visits, "availability": action.availability,
            "value": action.value_for_mover, "payoffs": seats(&action.payoffs), "prior": action.prior,
            "proven": seats(&action.proven),
        })
    };
    json!({
        "seat": player, "action": decision.action,
        "actions": report.actions.iter().map(action).collect::<Vec<_>>(),
        "principal_variation": report.principal_variation,
        "iterations": report.iterations, "nodes": report.nodes, "bytes": report.bytes,
        "seconds": report.time.as_secs_f64(),
    })
}

fn show(out: &mut dyn Write, decision: &Decision<String>, player: usize, players: usize) -> std::io::Result<()> {
    let report = &decision.report;
    writeln!(
        out,
        "seat {player} plays {} after {} iterations, {} nodes, {:.3} s",
        decision.action,
        report.iterations,
        report.nodes,
        report.time.as_secs_f64()
    )?;
    if report.actions.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<16} {:>9} {:>9} {:>8} {:>7} {:<9} payoffs by seat",
        "action", "visits", "available", "value", "prior", "proven"
    )?;
    for action in &report.actions {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
        let seats = |payoffs: Payoffs| {
            payoffs[..players].iter().map(|payoff| format!("{payoff:+.3}")).collect::<Vec<_>>().join(" ")
        };
        writeln!(
            out,
            "{:<16} {:>9} {:>9} {:>+8.4} {:>7} {:<9} {}",
            action.action,
            action.visits,
            or_dash(action.availability.map(|count| count.to_string())),
            action.value_for_mover,
            or_dash(action.prior.map(|prior| format!("{prior:.3}"))),
            or_dash(action.proven.map(seats)),
            or_dash(action.payoffs.map(seats)),
        )?;
    }
    writeln!(out, "\nexpected: {}", report.principal_variation.join(" "))
}
