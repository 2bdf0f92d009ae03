//! Decisions and search trees for people and programs.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use meeple_arena::summary;
use meeple_core::agent::Decision;
use meeple_core::{Payoffs, SearchTree, TreeLimits};
use serde_json::{Value, json};

use crate::commands::BadUsage;

/// Whether and how a search tree is written.
#[derive(Args)]
pub(crate) struct TreeArguments {
    /// Write the search tree to a file: Graphviz if it ends in .dot, else JSON
    #[arg(id = "tree", long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// How many actions deep the tree is written
    #[arg(long = "tree-depth", value_name = "N", default_value_t = 4, requires = "tree")]
    depth: u32,
    /// Leave out what has fewer visits
    #[arg(long = "tree-visits", value_name = "N", default_value_t = 10, requires = "tree")]
    visits: u64,
    /// At most so many nodes, those with the most visits
    #[arg(long = "tree-nodes", value_name = "N", default_value_t = 100_000, requires = "tree")]
    nodes: usize,
}

impl TreeArguments {
    /// Writes the tree that is given within limits, if one was asked for.
    pub(crate) fn write(
        &self,
        agent: &str,
        tree: impl FnOnce(TreeLimits) -> Option<SearchTree<String>>,
    ) -> anyhow::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let tree = tree(TreeLimits { depth: self.depth, visits: self.visits, nodes: self.nodes });
        let tree = tree.ok_or_else(|| BadUsage(format!("agent `{agent}` keeps no tree to show")))?;
        write_tree(file, &tree).with_context(|| format!("{}", file.display()))
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

pub(crate) fn to_json(decision: &Decision<String>, player: usize, players: usize) -> Value {
    let mut value = summary(&decision.report, players);
    value["seat"] = json!(player);
    value["action"] = json!(decision.action);
    value["seconds"] = json!(decision.report.time.as_secs_f64());
    value
}

pub(crate) fn show(
    out: &mut dyn Write,
    decision: &Decision<String>,
    player: usize,
    players: usize,
) -> std::io::Result<()> {
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
