//! Which agents clients may name, and how they decide here.

use std::time::Duration;

use meeple_core::Rng;
use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyGame, AnyView};

use crate::error::ApiError;

/// Players that see no more than their seat and ask for nothing outside this program.
const ALLOWED: [&str; 14] = [
    "random",
    "greedy",
    "rules",
    "alphabeta",
    "ubfm",
    "descent",
    "mcts",
    "determinized-uct",
    "ismcts",
    "mo-ismcts",
    "ismcts-rollouts",
    "network",
    "puct",
    "ispuct",
];

/// The most that numbers in an agent text may be.
const LIMITS: [(&str, f64); 6] = [
    ("iterations", 10_000_000.0),
    ("nodes", 10_000_000.0),
    ("memory", 256.0),
    ("threads", 1.0),
    ("cache", 65_536.0),
    ("depth", 64.0),
];

/// The memory of searches that have such a setting, unless the text says less, in MiB.
const MEMORY: &str = "128";

/// The longest that any decision takes.
const LONGEST: Duration = Duration::from_secs(20);

/// An agent that a client named, or why not.
pub(crate) fn agent(game: &dyn AnyGame, text: &str) -> Result<AnyAgent, ApiError> {
    let bad = |message: String| ApiError::bad("bad_agent", message);
    let name = text.split(':').next().unwrap_or_default();
    if !ALLOWED.contains(&name) {
        return Err(bad(format!("agents that play here are {}", ALLOWED.join(", "))));
    }
    if text.len() > 500 {
        return Err(bad("the text of an agent has at most 500 characters".to_string()));
    }
    // A model is loaded when the agent is made: it must be one of ours before that.
    if let Some(model) = value_of(text, "model")
        && !meeple_catalog::model_names().any(|known| known == model)
    {
        let names = meeple_catalog::model_names().collect::<Vec<_>>().join(", ");
        return Err(bad(format!("networks that play here are {names}")));
    }
    for (key, most) in LIMITS {
        let value = value_of(text, key).and_then(|value| value.parse::<f64>().ok());
        if value.is_some_and(|value| value > most) {
            return Err(bad(format!("{key} is at most {most} here")));
        }
    }
    let settings = game.agent_settings(text).map_err(|error| bad(error.to_string()))?;
    let has_memory = settings.iter().any(|setting| setting.name == "memory") && value_of(text, "memory").is_none();
    let text = match has_memory {
        true => format!("{text}{}memory={MEMORY}", if text.contains(':') { "," } else { ":" }),
        false => text.to_string(),
    };
    game.agent(&text).map_err(|error| bad(error.to_string()))
}

/// The value of a key in an agent text, wherever it stands.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let start = |at: &(usize, &str)| {
        let before = text[..at.0].chars().next_back();
        matches!(before, None | Some(':' | ',' | '(' | ' '))
    };
    let found =
        text.match_indices(key).filter(start).find_map(|(at, _)| text[at + key.len()..].trim_start().strip_prefix('='));
    found.map(|rest| rest.split([',', ')']).next().unwrap_or_default().trim())
}

/// How long a decision may take, with so much on the clock.
pub(crate) fn budget(left: Option<Duration>) -> Budget {
    let time = left.map_or(LONGEST, |left| (left / 8).min(LONGEST));
    Budget { time: Some(time), ..Budget::NONE }
}

/// Lets an agent decide from a view; one that breaks down takes any legal action.
pub(crate) fn decide(
    view: &dyn AnyView,
    agent: &mut AnyAgent,
    budget: &Budget,
    rng: &mut Rng,
) -> Option<Decision<String>> {
    let decided = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| view.decide(agent, budget, rng)));
    match decided {
        Ok(Ok(decision)) => Some(decision),
        _ => {
            let choices = view.choices();
            (!choices.is_empty()).then(|| Decision::plain(rng.choose(&choices).action.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::Rules;

    use super::*;

    #[test]
    fn agents_that_cheat_or_reach_outside_are_refused() {
        let game = meeple_catalog::game("just4fun", &Rules::default()).unwrap();
        for text in [
            "cheating-mcts:iterations=10",
            "exec:/bin/sh",
            "network:model=/etc/passwd",
            "network:model=../models/x",
            "ispuct:iterations=5,model=runs/x.safetensors",
            "mcts:iterations=1000000000",
            "ismcts:memory=100000",
            "ismcts:iterations=10,no=1",
            "",
        ] {
            let refused = agent(&*game, text).err().unwrap_or_else(|| panic!("{text} was taken"));
            assert_eq!(refused.code, "bad_agent", "{text}");
        }
        for text in ["random", "ismcts:iterations=10", "network:model=just4fun/fieldnet,temperature=0"] {
            assert!(agent(&*game, text).is_ok(), "{text}");
        }
    }
}
