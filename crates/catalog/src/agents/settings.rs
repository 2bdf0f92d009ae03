//! Settings that several agents share.

use meeple_core::agent::Budget;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::{Choice, Moves, Playout, Policy, Reward, Stop, Temperature, TreeSettings};

pub(super) use super::heuristic::{has_heuristic, heuristic};
use super::text::{call, split_outside_parentheses};

pub(super) fn budget(reader: &mut RuleReader, default: Budget) -> Result<Budget, RuleError> {
    let iterations = reader.optional_integer("iterations", "iterations for each decision", 1..=u64::MAX)?;
    let time = reader.duration("time", "time for each decision")?;
    let nodes = reader.optional_integer("nodes", "positions kept or searched for each decision", 1..=u64::MAX)?;
    let given = Budget { iterations, nodes, time };
    Ok(if given == Budget::NONE { default } else { given })
}

pub(super) fn tree_settings<G: Game>(game: &G, reader: &mut RuleReader) -> Result<TreeSettings<G>, RuleError> {
    tree_settings_from(game, reader, &TreeSettings::default(), "robust")
}

/// With other defaults; that of `final` as a text.
pub(super) fn tree_settings_from<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    default: &TreeSettings<G>,
    default_final: &'static str,
) -> Result<TreeSettings<G>, RuleError> {
    let budget = budget(reader, default.budget)?;
    tree_settings_within(game, reader, budget, default, default_final)
}

/// The settings of a tree whose budget has been read.
pub(super) fn tree_settings_within<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    budget: Budget,
    default: &TreeSettings<G>,
    default_final: &'static str,
) -> Result<TreeSettings<G>, RuleError> {
    Ok(TreeSettings {
        budget,
        exploration: exploration(reader, default.exploration)?,
        playout: playout(game, reader)?,
        reward: reward(game, reader)?,
        choice: choice(reader, default_final)?,
        memory: memory(reader, default.memory)?,
    })
}

pub(super) fn exploration(reader: &mut RuleReader, default: f64) -> Result<f64, RuleError> {
    reader.number("exploration", "C in mean + C sqrt(ln N / n)", 0.0..=1000.0, default)
}

/// How a playout moves, when it stops, and by which heuristic if it needs one.
pub(super) fn playout<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Playout<G>, RuleError> {
    let mut playout = Playout { moves: moves(reader)?, stop: stop(reader)?, heuristic: None };
    if playout.needs_heuristic() {
        playout.heuristic = Some(heuristic(game, reader, "playout_heuristic")?.into());
    }
    Ok(playout)
}

/// `random`, `mast`, `mast(POLICY)`, `nast(N)`, `nast(N,POLICY)`, `replies(N)` or `greedy(ε)`, where
/// a policy is `greedy(ε)`, `gibbs(τ)`, `roulette` or `ucb1(c)`.
fn moves(reader: &mut RuleReader) -> Result<Moves, RuleError> {
    const VALUES: &str = "random | mast(POLICY) | nast(N,POLICY) | replies(2) | greedy(0.1), \
                          POLICY: greedy(0.2) | gibbs(1) | roulette | ucb1(0.7)";
    let text = reader.text("playout", "how a game is played to its end", VALUES, "random");
    parse_moves(&text).ok_or_else(|| RuleError(format!("setting playout={text}: must be {VALUES}")))
}

fn parse_moves(text: &str) -> Option<Moves> {
    let (name, inner) = call(text)?;
    let parts = split_outside_parentheses(inner);
    let (length, policy) = match (name, parts.as_slice()) {
        ("random", []) => return Some(Moves::Random),
        ("greedy", []) => return Some(Moves::Greedy { epsilon: 0.1 }),
        ("greedy", [epsilon]) => return Some(Moves::Greedy { epsilon: number(epsilon, 1.0)? }),
        ("replies", []) => return Some(Moves::Replies { length: 2 }),
        ("replies", [length]) => {
            let length = length.parse().ok().filter(|length| (1..=2).contains(length))?;
            return Some(Moves::Replies { length });
        }
        ("mast", []) => (1, "greedy"),
        ("mast", [policy]) => (1, *policy),
        ("nast", [length]) => (length.parse().ok()?, "greedy"),
        ("nast", [length, policy]) => (length.parse().ok()?, *policy),
        _ => return None,
    };
    ((1..=8).contains(&length)).then_some(Moves::Ngrams { length, policy: parse_policy(policy)? })
}

/// `over`, `depth(N)`, `lead(THRESHOLD)` or `lead(THRESHOLD,EVERY)`.
fn stop(reader: &mut RuleReader) -> Result<Stop, RuleError> {
    const VALUES: &str = "over | depth(10) | lead(0.4,5)";
    let text = reader.text("stop", "when a playout ends", VALUES, "over");
    parse_stop(&text).ok_or_else(|| RuleError(format!("setting stop={text}: must be {VALUES}")))
}

fn parse_stop(text: &str) -> Option<Stop> {
    let (name, inner) = call(text)?;
    let parts = split_outside_parentheses(inner);
    let moves = |text: &str, least: u32| text.parse().ok().filter(|moves| (least..=1_000_000).contains(moves));
    let lead = |threshold: &str, every| Some(Stop::Lead { every, threshold: number(threshold, 1.0)? as f32 });
    match (name, parts.as_slice()) {
        ("over", []) => Some(Stop::Over),
        ("depth", [most]) => moves(most, 0).map(Stop::Depth),
        ("lead", [threshold]) => lead(threshold, 5),
        ("lead", [threshold, every]) => lead(threshold, moves(every, 1)?),
        _ => None,
    }
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

pub(super) fn reward<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Reward, RuleError> {
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
pub(super) fn choice(reader: &mut RuleReader, default: &'static str) -> Result<Choice, RuleError> {
    const VALUES: &str = "robust | max | secure(1) | sampled(1) | sampled(1:0.9,10:0.8) | varied(5)";
    let text = reader.text("final", "which action is taken in the end", VALUES, default);
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
pub(super) fn number(text: &str, most: f64) -> Option<f64> {
    text.parse().ok().filter(|number| (0.0..=most).contains(number))
}
