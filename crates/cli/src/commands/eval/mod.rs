//! `meeple eval`: agents on positions with expected actions, and what they do in played games.

mod behaviours;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use meeple_arena::Stop;
use meeple_arena::eval::{
    EvalResult, EvalSettings, Metric, Policy, Positions, RatingShares, SuiteFile, Summary, evaluate,
};
use meeple_core::Rules;
use meeple_core::erased::AnyGame;
use serde_json::json;

use super::{BadUsage, threads};
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};

/// Test agents on positions with expected actions
#[derive(Args)]
#[command(after_help = "Example: meeple eval just4fun/win-pattern --agent ismcts:iterations=900 --repetitions 10\n\
    Example: meeple eval just4fun --agent random --agent cheating-mcts:iterations=900\n\
    Example: meeple eval suites/breakthrough.toml --agent mcts:iterations=1000\n\
    Example: meeple eval keezen/behaviours --agent rules --against random --games 200\n\
    Cross-entropy is -ln of the share of visits of expected actions, 0 at best: mean ± deviation over the\n\
    positions and their median, each averaged over repetitions. Ratings are shares of positions that are\n\
    successful, acceptable and unsuccessful by the share of visits, the values and the upper confidence\n\
    bounds of expected actions. Agents with a network get a second line about what it says before any search:\n\
    its value of the position and its values after expected actions, rated, and its policy before and after\n\
    illegal actions are taken out, rated and as cross-entropy. With iteration budgets the result does not depend on --threads.")]
pub(crate) struct Arguments {
    /// A suite as GAME/NAME, a game for all of its suites, a file of positions, or GAME/behaviours
    #[arg(required_unless_present = "list")]
    suite: Option<String>,
    /// Show which suites there are
    #[arg(long)]
    list: bool,
    /// Parameters of the rules, for example board=ordered
    #[arg(long, value_name = "KEY=VALUE,..", default_value = "")]
    rules: String,
    /// An agent to test; may be given again
    #[arg(long = "agent", value_name = "AGENT", required_unless_present = "list")]
    agents: Vec<String>,
    /// How often; cards and whatever else is left to chance are drawn anew each time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repetitions: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions to judge at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The policy of agents that do not search [default: actions for random, its own for a network, taken for others]
    #[arg(long, value_enum)]
    policy: Option<PolicyName>,
    /// For behaviours: who plays against the agents
    #[arg(long, value_name = "AGENT", default_value = "random")]
    against: String,
    /// For behaviours: games to play
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum PolicyName {
    /// All on the action that was taken
    Taken,
    /// Uniform over legal actions
    Actions,
    /// Uniform over groups of actions, such as those to the same field
    Groups,
    /// Random numbers for groups, divided by their sum
    Drawn,
}

impl PolicyName {
    fn policy(self) -> Policy {
        match self {
            PolicyName::Taken => Policy::Taken,
            PolicyName::Actions => Policy::Actions,
            PolicyName::Groups => Policy::Groups,
            PolicyName::Drawn => Policy::Drawn,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let Some(suite) = arguments.suite.as_ref().filter(|_| !arguments.list) else {
        list(&mut out)?;
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(game) = suite.strip_suffix("/behaviours") {
        return behaviours::run(arguments, game, &mut out);
    }
    let (game, suites) = arguments.suites(suite)?;
    for agent in &arguments.agents {
        game.agent(agent)?;
    }
    let stop = stop_on_interrupt();
    let mut results = Vec::new();
    for suite in &suites {
        let mut of_suite = Vec::new();
        for agent in &arguments.agents {
            of_suite.push(arguments.evaluate(&*game, &mut suite.positions(&*game)?, agent, &stop)?);
        }
        if !arguments.json {
            show(&mut out, &of_suite)?;
        }
        results.extend(of_suite);
        if stop.is_requested() {
            break;
        }
    }
    if arguments.json {
        let summary = json!({"game": game.info().name, "rules": game.rules().to_string(), "seed": arguments.seed,
            "results": results});
        writeln!(out, "{summary}")?;
    }
    if stop.is_requested() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Where positions are.
enum Source {
    /// The suite of the game with this name.
    Game(&'static str),
    File(SuiteFile),
}

impl Source {
    fn positions<'a>(&self, game: &'a dyn AnyGame) -> anyhow::Result<Positions<'a>> {
        match self {
            Source::Game(name) => Ok(Positions::of_suite(game, name).expect("the suite was found before")),
            Source::File(file) => Ok(Positions::fixed(&file.title, file.cases(game).map_err(BadUsage)?, None)),
        }
    }
}

impl Arguments {
    /// The game of a suite, and the suites that are meant.
    fn suites(&self, suite: &str) -> anyhow::Result<(Box<dyn AnyGame>, Vec<Source>)> {
        if suite.ends_with(".toml") {
            return self.file(suite);
        }
        let (game, name) = suite.split_once('/').map_or((suite, None), |(game, name)| (game, Some(name)));
        let game = meeple_catalog::game(game, &Rules::parse(&self.rules)?)?;
        let known: Vec<&'static str> = game.suites().iter().map(|suite| suite.name).collect();
        let chosen: Vec<&'static str> =
            known.iter().copied().filter(|known| name.is_none_or(|name| name == *known)).collect();
        if chosen.is_empty() {
            let there = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            return Err(BadUsage(format!("there is no suite `{suite}` for these rules; there is: {there}")).into());
        }
        Ok((game, chosen.into_iter().map(Source::Game).collect()))
    }

    fn file(&self, name: &str) -> anyhow::Result<(Box<dyn AnyGame>, Vec<Source>)> {
        if !self.rules.is_empty() {
            return Err(BadUsage(format!("{name} has rules of its own: leave --rules out")).into());
        }
        let text = std::fs::read_to_string(name).with_context(|| format!("cannot read {name}"))?;
        let file = SuiteFile::parse(name, &text).map_err(BadUsage)?;
        let game = meeple_catalog::game(&file.game, &file.rules).with_context(|| name.to_string())?;
        Ok((game, vec![Source::File(file)]))
    }

    fn evaluate(
        &self,
        game: &dyn AnyGame,
        positions: &mut Positions<'_>,
        agent: &str,
        stop: &Stop,
    ) -> anyhow::Result<EvalResult> {
        let settings = EvalSettings {
            threads: threads(self.threads),
            unsearched: self.policy.map(PolicyName::policy),
            stop: stop.clone(),
            ..EvalSettings::new(agent, self.repetitions, self.seed)
        };
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} positions, {elapsed} (left {eta}) {msg}");
        let bar = ProgressBar::new(0).with_style(style.expect("the template is well formed"));
        bar.set_message(format!("{} {agent}", positions.name));
        let result = evaluate(game, positions, &settings, &mut |done, total| {
            bar.set_length(total);
            bar.set_position(done);
        });
        bar.finish_and_clear();
        Ok(result?)
    }
}

fn list(out: &mut dyn Write) -> anyhow::Result<()> {
    for entry in meeple_catalog::GAMES {
        let game = entry.build(&Rules::default())?;
        for suite in game.suites() {
            writeln!(out, "{:<36} {}", format!("{}/{}", entry.name, suite.name), suite.about)?;
        }
        if !game.behaviours().is_empty() {
            let name = format!("{}/behaviours", entry.name);
            writeln!(out, "{name:<36} {} habits of good play, found in played games", game.behaviours().len())?;
        }
    }
    Ok(())
}

/// A table of the agents on one suite.
fn show(out: &mut dyn Write, results: &[EvalResult]) -> std::io::Result<()> {
    let Some(first) = results.first() else { return Ok(()) };
    writeln!(
        out,
        "{}: {} positions, turns {:.2} ± {:.2} (median {}), repetitions {}",
        first.suite, first.cases, first.turns.mean, first.turns.deviation, first.turns.median, first.repetitions
    )?;
    writeln!(
        out,
        "{:<44} {:>7} {:>15} {:>14} {:>7} {:>14} {:>14} {:>14}",
        "agent", "right %", "95 % interval", "cross-entropy", "median", "policy s/a/u", "value s/a/u", "bound s/a/u"
    )?;
    for result in results {
        agent_line(out, result)?;
    }
    network_table(out, results)?;
    if results.iter().any(|result| result.cheats) {
        writeln!(out, "* cheats: sees what is hidden from the others")?;
    }
    writeln!(out)
}

fn agent_line(out: &mut dyn Write, result: &EvalResult) -> std::io::Result<()> {
    let mark = if result.cheats { " *" } else { "" };
    let [low, high] = result.interval.map(|end| 100.0 * end);
    let entropy = result.metrics.get(&Metric::CrossEntropy).map(|summary| summary.spread).unwrap_or_default();
    let rating = |metric| ratings(result.metrics.get(&metric));
    writeln!(
        out,
        "{:<44} {:>7.2} {:>15} {:>14} {:>7.2} {:>14} {:>14} {:>14}",
        format!("{}{mark}", result.agent),
        100.0 * result.accuracy,
        format!("[{low:.1}, {high:.1}]"),
        format!("{:.2} ± {:.2}", entropy.mean, entropy.deviation),
        entropy.median,
        rating(Metric::Policy),
        rating(Metric::Value),
        rating(Metric::Bound)
    )
}

/// What the networks of agents say before any search.
fn network_table(out: &mut dyn Write, results: &[EvalResult]) -> std::io::Result<()> {
    let of_network = |result: &&EvalResult| result.metrics.keys().any(|metric| metric.is_of_network());
    let results: Vec<&EvalResult> = results.iter().filter(of_network).collect();
    if results.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{:<44} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}",
        "network alone", "V s/a/u", "Q s/a/u", "unmasked s/a/u", "cross-entropy", "policy s/a/u", "cross-entropy"
    )?;
    for result in results {
        let rating = |metric| ratings(result.metrics.get(&metric));
        let spread = |metric| match result.metrics.get(&metric) {
            Some(summary) => format!("{:.2} ± {:.2}", summary.spread.mean, summary.spread.deviation),
            None => "-".to_string(),
        };
        writeln!(
            out,
            "{:<44} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}",
            result.agent,
            rating(Metric::NetworkValue),
            rating(Metric::NetworkActionValue),
            rating(Metric::NetworkPolicyUnmasked),
            spread(Metric::NetworkCrossEntropyUnmasked),
            rating(Metric::NetworkPolicy),
            spread(Metric::NetworkCrossEntropy)
        )?;
    }
    Ok(())
}

/// Successful, acceptable and unsuccessful in per cent.
fn ratings(summary: Option<&Summary>) -> String {
    match summary.and_then(|summary| summary.ratings) {
        Some(RatingShares { unsuccessful, acceptable, successful }) => {
            format!("{:.0}/{:.0}/{:.0}", 100.0 * successful, 100.0 * acceptable, 100.0 * unsuccessful)
        }
        None => "-".to_string(),
    }
}
