//! `meeple solve`: small games exactly, and how far an agent is from that.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use meeple_catalog::cfr::{self, AgentStrategies, Algorithm, Solver, Strategy};
use meeple_core::game_tree::{GameTree, InformationSet};
use serde_json::{Value, json};

use super::{BadUsage, GameArguments};

/// Solve a small game for two, hidden cards included, or measure how exploitable an agent is
#[derive(Args)]
#[command(after_help = "Example: meeple solve kuhn-poker --iterations 1000 --strategy\n\
    Example: meeple solve leduc-poker --agent ismcts:iterations=1000 --samples 20\n\
    Values are those of seat 0. Exploitability is what a best response gains in the mean of both seats\n\
    (half of NashConv). Both are payoffs within -1..1, and the game's own score where that is a multiple.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// How to solve it
    #[arg(long, value_enum, default_value = "cfr+")]
    algorithm: AlgorithmName,
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Measure this agent instead of solving the game
    #[arg(long, conflicts_with_all = ["algorithm", "iterations"])]
    agent: Option<String>,
    /// Decisions of the agent at each information set
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..), requires = "agent")]
    samples: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most histories that the game may have
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Show what is done at every information set
    #[arg(long)]
    strategy: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum AlgorithmName {
    /// CFR+, the whole tree in each iteration
    #[value(name = "cfr+")]
    Plus,
    /// Monte Carlo CFR with external sampling
    #[value(name = "mccfr")]
    Sampling,
}

impl AlgorithmName {
    fn algorithm(self) -> Algorithm {
        match self {
            AlgorithmName::Plus => Algorithm::Plus,
            AlgorithmName::Sampling => Algorithm::ExternalSampling,
        }
    }
}

/// How good a strategy is.
struct Measure {
    label: String,
    value: f64,
    exploitability: f64,
}

impl Measure {
    fn of(label: String, tree: &GameTree, strategy: &Strategy) -> Measure {
        Measure { label, value: cfr::value(tree, strategy), exploitability: cfr::exploitability(tree, strategy) }
    }

    fn show(&self, out: &mut dyn Write, scale: Option<f64>) -> std::io::Result<()> {
        write!(out, "{:>12} {:>+12.6} {:>14.6}", self.label, self.value, self.exploitability)?;
        if let Some(scale) = scale {
            write!(out, " {:>+12.6} {:>14.6}", scale * self.value, scale * self.exploitability)?;
        }
        writeln!(out)
    }

    fn to_json(&self, scale: Option<f64>) -> Value {
        json!({
            "label": self.label, "value": self.value, "exploitability": self.exploitability,
            "score": scale.map(|scale| json!({
                "value": scale * self.value, "exploitability": scale * self.exploitability,
            })),
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let mut agent = arguments.agent.as_ref().map(|text| game.agent(text)).transpose()?;
    if agent.as_ref().is_some_and(|agent| agent.cheats()) {
        return Err(BadUsage("an agent that sees everything has no strategy: measure a fair one".to_string()).into());
    }
    let tree = game.tree(arguments.limit as usize)?;
    let mut out = std::io::stdout().lock();
    if !arguments.json {
        show_heading(&mut out, game.info().name, &tree)?;
    }
    let mut measures = Vec::new();
    let mut report = |measure: Measure| {
        if !arguments.json {
            measure.show(&mut out, tree.scale)?;
        }
        measures.push(measure.to_json(tree.scale));
        Ok::<(), std::io::Error>(())
    };
    let strategy = match &mut agent {
        Some(agent) => {
            let found = cfr::of_agent(&*game, &tree, agent, arguments.samples, arguments.seed);
            measure(&tree, found, &mut report)?
        }
        None => solve(arguments, &tree, &mut report)?,
    };
    if arguments.json {
        let strategy = arguments.strategy.then(|| strategy_json(&tree, &strategy));
        let summary = json!({
            "game": game.info().name, "histories": tree.nodes.len(), "information_sets": tree.sets.len(),
            "scale": tree.scale, "measures": measures, "strategy": strategy,
        });
        writeln!(out, "{summary}")?;
    } else if arguments.strategy {
        show_strategy(&mut out, &tree, &strategy)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports after 1, 2, 4, 8, ... iterations and at the end.
fn solve(
    arguments: &Arguments,
    tree: &GameTree,
    report: &mut dyn FnMut(Measure) -> std::io::Result<()>,
) -> std::io::Result<Strategy> {
    let mut solver = Solver::new(tree, arguments.algorithm.algorithm(), arguments.seed);
    for iteration in 1..=arguments.iterations {
        solver.iterate();
        if iteration.is_power_of_two() || iteration == arguments.iterations {
            report(Measure::of(iteration.to_string(), tree, &solver.average()))?;
        }
    }
    Ok(solver.average())
}

/// What the agent does, and what it would do in proportion to its visits.
fn measure(
    tree: &GameTree,
    found: AgentStrategies,
    report: &mut dyn FnMut(Measure) -> std::io::Result<()>,
) -> std::io::Result<Strategy> {
    if let Some(visited) = &found.visited {
        report(Measure::of("visits".to_string(), tree, visited))?;
    }
    report(Measure::of("moves".to_string(), tree, &found.played))?;
    Ok(found.played)
}

fn show_heading(out: &mut dyn Write, name: &str, tree: &GameTree) -> std::io::Result<()> {
    writeln!(out, "{name}: {} histories, {} information sets", tree.nodes.len(), tree.sets.len())?;
    write!(out, "{:>12} {:>12} {:>14}", "", "value", "exploitability")?;
    if tree.scale.is_some() {
        write!(out, " {:>12} {:>14}", "as score", "exploitability")?;
    }
    writeln!(out)
}

fn show_strategy(out: &mut dyn Write, tree: &GameTree, strategy: &Strategy) -> std::io::Result<()> {
    writeln!(out)?;
    for set in &tree.sets {
        let pieces = set.actions.iter().zip(strategy.at(set));
        let pieces: Vec<String> = pieces.map(|(action, share)| format!("{action} {share:.4}")).collect();
        writeln!(out, "{:<40} {}", set.view, pieces.join("  "))?;
    }
    Ok(())
}

fn strategy_json(tree: &GameTree, strategy: &Strategy) -> Value {
    let set = |set: &InformationSet| {
        let shares: serde_json::Map<String, Value> =
            set.actions.iter().cloned().zip(strategy.at(set).iter().map(|&share| json!(share))).collect();
        json!({"seat": set.player, "view": set.view, "actions": shares})
    };
    tree.sets.iter().map(set).collect()
}
