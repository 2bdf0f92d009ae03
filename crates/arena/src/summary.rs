//! What a search found, as JSON.

use meeple_core::Payoffs;
use meeple_core::agent::{ActionReport, Report};
use serde_json::{Value, json};

/// The report of a search in a game of so many players. What the search does not know is null.
pub fn summary(report: &Report<String>, players: usize) -> Value {
    let seats = |payoffs: &Option<Payoffs>| payoffs.map(|payoffs| payoffs[..players].to_vec());
    let action = |action: &ActionReport<String>| {
        json!({
            "action": action.action, "visits": action.visits, "availability": action.availability,
            "value": action.value_for_mover, "payoffs": seats(&action.payoffs), "prior": action.prior,
            "proven": seats(&action.proven),
        })
    };
    json!({
        "actions": report.actions.iter().map(action).collect::<Vec<_>>(),
        "principal_variation": report.principal_variation,
        "iterations": report.iterations, "nodes": report.nodes, "bytes": report.bytes,
    })
}
