//! `meeple analyze`: what an agent thinks of a position.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_core::agent::{ActionReport, Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyPosition, AnyView};
use meeple_core::{Payoffs, Player, Rng, Turn};
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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was asked about, and the answer.
struct Analysis {
    player: Player,
    picture: String,
    decision: Decision<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let mut agent = game.agent(&arguments.agent)?;
    let mut rng = Rng::from_seed(arguments.seed);
    let Analysis { player, picture, decision } = match (&arguments.position, &arguments.view) {
        (Some(position), _) => of_position(&*game.parse_position(position)?, &mut agent, &mut rng)?,
        (None, view) => {
            let view = view.as_deref().expect("clap requires one of both");
            of_view(&*game.parse_view(view)?, &mut agent, &mut rng)?
        }
    };
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

fn of_position(position: &dyn AnyPosition, agent: &mut AnyAgent, rng: &mut Rng) -> anyhow::Result<Analysis> {
    let Turn::Player(player) = position.turn() else {
        return Err(BadUsage("nobody is to move in this position".to_string()).into());
    };
    let decision = position.decide(agent, &Budget::NONE, rng);
    Ok(Analysis { player, picture: position.render(Some(player)), decision })
}

fn of_view(view: &dyn AnyView, agent: &mut AnyAgent, rng: &mut Rng) -> anyhow::Result<Analysis> {
    let Some(player) = view.player() else {
        return Err(BadUsage("the seat that sees this is not to move".to_string()).into());
    };
    let decision = view.decide(agent, &Budget::NONE, rng)?;
    Ok(Analysis { player, picture: view.render(), decision })
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
