//! The agents by text: `name` or `name:key=value,key=value`.

use meeple_core::agent::{Agent, AgentError, Budget};
use meeple_core::{Game, Information, RandomAgent, RuleError, RuleReader, Rules};
use meeple_search::ismcts::Ismcts;
use meeple_search::mcts::Mcts;
use meeple_search::{Playout, Policy, TreeSettings};

/// Every agent with one line for people who choose.
pub const AGENTS: &[(&str, &str)] = &[
    ("random", "uniform over the legal actions"),
    ("mcts", "Monte Carlo tree search (UCT) for perfect information"),
    ("ismcts", "information-set Monte Carlo tree search, for hidden cards and chance"),
];

/// The agent that a text names, for one game.
pub(crate) fn make_agent<G: Game>(game: &G, text: &str) -> Result<Box<dyn Agent<G>>, AgentError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let explain = |error: RuleError| AgentError(format!("agent `{text}`: {error}"));
    let mut reader = RuleReader::for_settings(&parse_settings(settings).map_err(explain)?);
    let agent: Box<dyn Agent<G>> = match name {
        "random" => Box::new(RandomAgent::default()),
        "mcts" => {
            require_perfect_information(game, name)?;
            Box::new(Mcts::new(game, tree_settings(&mut reader).map_err(explain)?))
        }
        "ismcts" => Box::new(Ismcts::new(game, tree_settings(&mut reader).map_err(explain)?)),
        _ => {
            let names: Vec<&str> = AGENTS.iter().map(|&(name, _)| name).collect();
            return Err(AgentError(format!("there is no agent `{name}`; there are: {}", names.join(", "))));
        }
    };
    reader.finish().map_err(explain)?;
    Ok(agent)
}

fn require_perfect_information<G: Game>(game: &G, name: &str) -> Result<(), AgentError> {
    let info = game.info();
    if info.information == Information::Perfect && !info.chance {
        return Ok(());
    }
    Err(AgentError(format!("{name} needs perfect information and no chance, which {} has not: use ismcts", info.name)))
}

fn budget(reader: &mut RuleReader, default: Budget) -> Result<Budget, RuleError> {
    let iterations = reader.optional_integer("iterations", "iterations for each decision", 1..=u64::MAX)?;
    let time = reader.duration("time", "time for each decision")?;
    let given = Budget { iterations, nodes: None, time };
    Ok(if given == Budget::NONE { default } else { given })
}

fn tree_settings(reader: &mut RuleReader) -> Result<TreeSettings, RuleError> {
    let default = TreeSettings::default();
    Ok(TreeSettings {
        budget: budget(reader, default.budget)?,
        exploration: exploration(reader, default.exploration)?,
        playout: playout(reader)?,
        memory: memory(reader, default.memory)?,
    })
}

fn exploration(reader: &mut RuleReader, default: f64) -> Result<f64, RuleError> {
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
        _ => inner.parse::<f64>().ok().filter(|number| (0.0..=most).contains(number)),
    };
    match name {
        "greedy" => Some(Policy::EpsilonGreedy(number(0.2, 1.0)?)),
        "gibbs" => number(1.0, 1000.0).filter(|&temperature| temperature > 0.0).map(Policy::Gibbs),
        "roulette" if inner.is_empty() => Some(Policy::Roulette),
        "ucb1" => Some(Policy::Ucb1(number(0.7, 1000.0)?)),
        _ => None,
    }
}

/// Splits `name(inner)` or `name`.
fn call(text: &str) -> Option<(&str, &str)> {
    match text.split_once('(') {
        None => Some((text, "")),
        Some((name, rest)) => Some((name, rest.strip_suffix(')')?)),
    }
}

fn memory(reader: &mut RuleReader, default: usize) -> Result<usize, RuleError> {
    Ok(reader.integer("memory", "the most that the tree may take, in MiB", 1..=1 << 20, default >> 20)? << 20)
}

fn parse_settings(text: &str) -> Result<Rules, RuleError> {
    let mut settings = Rules::default();
    for piece in split_outside_parentheses(text) {
        let (key, value) = piece
            .split_once('=')
            .ok_or_else(|| RuleError(format!("`{piece}` has no `=`: write key=value,key=value")))?;
        if settings.0.insert(key.trim().to_string(), value.trim().to_string()).is_some() {
            return Err(RuleError(format!("setting `{}` is given twice", key.trim())));
        }
    }
    Ok(settings)
}

/// Splits a list of agents at commas outside parentheses. A piece with `=` before any `:` belongs
/// to the agent before it, any other piece starts a new agent.
pub fn split_agents(list: &str) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    for piece in split_outside_parentheses(list) {
        let key = piece.find('=').is_some_and(|equals| piece.find(':').is_none_or(|colon| equals < colon));
        match agents.last_mut() {
            Some(agent) if key => {
                agent.push(',');
                agent.push_str(piece);
            }
            _ => agents.push(piece.to_string()),
        }
    }
    agents
}

fn split_outside_parentheses(list: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (position, character) in list.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                pieces.push(list[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
    }
    pieces.push(list[start..].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_between_agents() {
        for (list, agents) in [
            ("random", vec!["random"]),
            ("random, random", vec!["random", "random"]),
            ("mcts:iterations=10,exploration=1,random", vec!["mcts:iterations=10,exploration=1", "random"]),
            (
                "mcts:playout=nast(2,ucb1(0.7)),final=max,random",
                vec!["mcts:playout=nast(2,ucb1(0.7)),final=max", "random"],
            ),
            ("a:x=1,b:y=2", vec!["a:x=1", "b:y=2"]),
            ("", vec![]),
        ] {
            assert_eq!(split_agents(list), agents, "{list}");
        }
    }
}
