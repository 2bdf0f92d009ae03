//! Settings that several agents share.

use meeple_core::agent::Budget;
use meeple_core::game::Named;
use meeple_core::{Game, Heuristic, RuleError, RuleReader};
use meeple_search::{Choice, Playout, Policy, Reward, Temperature, TreeSettings};

use super::text::{call, split_outside_parentheses};

pub(super) fn budget(reader: &mut RuleReader, default: Budget) -> Result<Budget, RuleError> {
    let iterations = reader.optional_integer("iterations", "iterations for each decision", 1..=u64::MAX)?;
    let time = reader.duration("time", "time for each decision")?;
    let given = Budget { iterations, nodes: None, time };
    Ok(if given == Budget::NONE { default } else { given })
}

pub(super) fn tree_settings<G: Game>(game: &G, reader: &mut RuleReader) -> Result<TreeSettings, RuleError> {
    let budget = budget(reader, TreeSettings::default().budget)?;
    tree_settings_within(game, reader, budget)
}

/// The settings of a tree whose budget has been read.
pub(super) fn tree_settings_within<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    budget: Budget,
) -> Result<TreeSettings, RuleError> {
    let default = TreeSettings::default();
    Ok(TreeSettings {
        budget,
        exploration: exploration(reader, default.exploration)?,
        playout: playout(reader)?,
        reward: reward(game, reader)?,
        choice: choice(reader)?,
        memory: memory(reader, default.memory)?,
    })
}

pub(super) fn exploration(reader: &mut RuleReader, default: f64) -> Result<f64, RuleError> {
    reader.number("exploration", "C in mean + C sqrt(ln N / n)", 0.0..=1000.0, default)
}

/// `random`, `mast`, `mast(POLICY)`, `nast(N)` or `nast(N,POLICY)`, where a policy is `greedy(ε)`,
/// `gibbs(τ)`, `roulette` or `ucb1(c)`.
fn playout(reader: &mut RuleReader) -> Result<Playout, RuleError> {
    const VALUES: &str =
        "random | mast(POLICY) | nast(N,POLICY), POLICY: greedy(0.2) | gibbs(1) | roulette | ucb1(0.7)";
    let text = reader.text("playout", "how a game is played to its end", VALUES, "random");
    parse_playout(&text).ok_or_else(|| RuleError(format!("setting playout={text}: must be {VALUES}")))
}

fn parse_playout(text: &str) -> Option<Playout> {
    let (name, inner) = call(text)?;
    let parts = split_outside_parentheses(inner);
    let (length, policy) = match (name, parts.as_slice()) {
        ("random", []) => return Some(Playout::Random),
        ("mast", []) => (1, "greedy"),
        ("mast", [policy]) => (1, *policy),
        ("nast", [length]) => (length.parse().ok()?, "greedy"),
        ("nast", [length, policy]) => (length.parse().ok()?, *policy),
        _ => return None,
    };
    ((1..=8).contains(&length)).then_some(Playout::Ngrams { length, policy: parse_policy(policy)? })
}

fn parse_policy(text: &str) -> Option<Policy> {
    let (name, inner) = call(text)?;
    let number = |default: f64, most: f64| match inner {
        "" => Some(default),
        _ => self::number(inner, most),
    };
    match name {
        "greedy" => Some(Policy::EpsilonGreedy(number(0.2, 1.0)?)),
        "gibbs" => number(1.0, 1000.0).filter(|&temperature| temperature > 0.0).map(Policy::Gibbs),
        "roulette" if inner.is_empty() => Some(Policy::Roulette),
        "ucb1" => Some(Policy::Ucb1(number(0.7, 1000.0)?)),
        _ => None,
    }
}

pub(super) fn memory(reader: &mut RuleReader, default: usize) -> Result<usize, RuleError> {
    Ok(reader.integer("memory", "the most that the tree may take, in MiB", 1..=1 << 20, default >> 20)? << 20)
}

fn reward<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Reward, RuleError> {
    let rewards = [
        ("win", Reward::Win),
        ("positive", Reward::Positive),
        ("difference", Reward::Difference),
        ("steps", Reward::Steps),
        ("hybrid", Reward::Hybrid),
    ];
    let reward = reader.choice("reward", "what the end of a game is worth", &rewards, "win")?;
    if reward.needs_margins() && game.margins().is_none() {
        let message = format!("this reward needs scores, which {} has not: use win or positive", game.info().name);
        return Err(RuleError(message));
    }
    Ok(reward)
}

/// `robust`, `max`, `secure(A)`, `sampled(τ)`, `sampled(1:0.9,10:0.8)` or `varied(N)`.
pub(super) fn choice(reader: &mut RuleReader) -> Result<Choice, RuleError> {
    const VALUES: &str = "robust | max | secure(1) | sampled(1) | sampled(1:0.9,10:0.8) | varied(5)";
    let text = reader.text("final", "which action is taken in the end", VALUES, "robust");
    parse_choice(&text).ok_or_else(|| RuleError(format!("setting final={text}: must be {VALUES}")))
}

fn parse_choice(text: &str) -> Option<Choice> {
    let (name, inner) = call(text)?;
    match (name, inner) {
        ("robust", "") => Some(Choice::Robust),
        ("max", "") => Some(Choice::Max),
        ("secure", "") => Some(Choice::Secure(1.0)),
        ("secure", a) => number(a, 1000.0).map(Choice::Secure),
        ("sampled", "") => Some(Choice::Sampled(Temperature::constant(1.0))),
        ("sampled", points) => parse_temperature(points).map(Choice::Sampled),
        ("varied", decisions) => {
            let decisions = decisions.parse().ok().filter(|decisions| (1..=1_000_000).contains(decisions))?;
            Some(Choice::Sampled(Temperature::varied(decisions)))
        }
        _ => None,
    }
}

fn parse_temperature(text: &str) -> Option<Temperature> {
    if !text.contains(':') {
        return number(text, 1000.0).map(Temperature::constant);
    }
    let point = |piece: &str| {
        let (decision, temperature) = piece.split_once(':')?;
        Some((decision.trim().parse().ok()?, number(temperature.trim(), 1000.0)?))
    };
    Temperature::schedule(split_outside_parentheses(text).into_iter().map(point).collect::<Option<Vec<_>>>()?)
}

/// A number from 0 to the highest allowed.
fn number(text: &str, most: f64) -> Option<f64> {
    text.parse().ok().filter(|number| (0.0..=most).contains(number))
}

/// The game's heuristic with the name in the settings, or its best one.
pub(super) fn heuristic<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Box<dyn Heuristic<G>>, RuleError> {
    let heuristics = game.heuristics();
    let names: Vec<&'static str> = heuristics.iter().map(|&(name, _)| name).collect();
    let Some(&best) = names.first() else {
        return Err(RuleError(format!("{} has no heuristic: use mcts or ismcts", game.info().name)));
    };
    let name = reader.text("heuristic", "what a position is worth", &names.join(" | "), best);
    let found = heuristics.into_iter().find(|named: &Named<dyn Heuristic<G>>| named.0 == name);
    found
        .map(|(_, heuristic)| heuristic)
        .ok_or_else(|| RuleError(format!("setting heuristic={name}: {} has {}", game.info().name, names.join(", "))))
}
