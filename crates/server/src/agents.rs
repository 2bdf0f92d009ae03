//! Which agents clients may name, and how they decide here.

use std::time::Duration;

use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyGame, AnyView};
use meeple_core::{Rng, Rules};

use crate::error::ApiError;
use crate::workers::unbroken;

/// Players that see no more than their seat and ask for nothing outside this program.
const ALLOWED: [&str; 15] = [
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
    "cfr",
    "network",
    "puct",
    "ispuct",
];

/// Settings that name networks, by which no client gets at files.
const NETWORKS: [&str; 2] = ["model", "others"];

/// The most that numbers in an agent text may be.
const LIMITS: [(&str, f64); 9] = [
    ("iterations", 10_000_000.0),
    ("nodes", 10_000_000.0),
    ("memory", 256.0),
    ("threads", 1.0),
    ("cache", 65_536.0),
    ("depth", 64.0),
    ("batch", 256.0),
    ("endgame", 1000.0),
    ("endgame_nodes", 1_000_000.0),
];

/// The memory of searches that have such a setting, unless the text says something else, in MiB.
const MEMORY: &str = "64";

/// The longest that any decision takes.
const LONGEST: Duration = Duration::from_secs(20);

/// An agent that a client named, or why not. Everything is checked before anything is made.
pub(crate) fn agent(game: &dyn AnyGame, text: &str) -> Result<AnyAgent, ApiError> {
    let bad = |message: String| ApiError::bad("bad_agent", message);
    if text.len() > 500 {
        return Err(bad("the text of an agent has at most 500 characters".to_string()));
    }
    let (name, Rules(settings)) = meeple_catalog::parse_agent(text).map_err(|error| bad(error.to_string()))?;
    if !ALLOWED.contains(&name) {
        return Err(bad(format!("agents that play here are {}", ALLOWED.join(", "))));
    }
    let is_known = |model: &String| meeple_catalog::model_names().any(|known| known == model);
    if !NETWORKS.iter().filter_map(|&key| settings.get(key)).all(is_known) {
        let names = meeple_catalog::model_names().collect::<Vec<_>>().join(", ");
        return Err(bad(format!("networks that play here are {names}")));
    }
    for (key, most) in LIMITS {
        let value = settings.get(key).and_then(|value| value.parse::<f64>().ok());
        if value.is_some_and(|value| value > most) {
            return Err(bad(format!("{key} is at most {most} here")));
        }
    }
    if !settings.contains_key("memory") {
        let limited = format!("{text}{}memory={MEMORY}", if settings.is_empty() { ":" } else { "," });
        if let Ok(agent) = game.agent(limited.trim_start_matches(':')) {
            return Ok(agent);
        }
    }
    game.agent(text).map_err(|error| bad(error.to_string()))
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
    match unbroken(|| view.decide(agent, budget, rng)) {
        Some(Ok(decision)) => Some(decision),
        _ => any(view, rng),
    }
}

/// Makes an agent and lets it decide; if it cannot even be made, any legal action is taken.
pub(crate) fn make_and_decide(
    make: impl FnOnce() -> Result<AnyAgent, ApiError>,
    view: &dyn AnyView,
    budget: &Budget,
    rng: &mut Rng,
) -> Option<Decision<String>> {
    match unbroken(make) {
        Some(Ok(mut agent)) => decide(view, &mut agent, budget, rng),
        _ => any(view, rng),
    }
}

fn any(view: &dyn AnyView, rng: &mut Rng) -> Option<Decision<String>> {
    let choices = view.choices();
    (!choices.is_empty()).then(|| Decision::plain(rng.choose(&choices).action.clone()))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use meeple_core::Turn;

    use super::*;

    #[test]
    fn a_decision_is_made_whatever_happens() {
        let game = meeple_catalog::game("tic-tac-toe", &Rules::default()).unwrap();
        let view = game.start().view(Some(0));
        let decide = |make: fn() -> Result<AnyAgent, ApiError>| {
            make_and_decide(make, &*view, &budget(None), &mut Rng::from_seed(1)).unwrap().action
        };
        let legal = |action: String| view.choices().iter().any(|choice| choice.action == action);
        assert!(legal(decide(|| panic!("on purpose"))));
        assert!(legal(decide(|| Err(ApiError::not_found("agent")))));
    }

    #[test]
    fn a_long_search_is_cut_by_the_time() {
        for (game, text) in [
            ("connect-four", "mcts:iterations=10000000"),
            ("just4fun", "ismcts:iterations=10000000"),
            ("breakthrough", "alphabeta:depth=64"),
            ("connect-four", "puct:model=connect-four/residual,iterations=10000000"),
        ] {
            let game = meeple_catalog::game(game, &Rules::default()).unwrap();
            let mut position = game.start();
            let mut rng = Rng::from_seed(1);
            while position.turn() == Turn::Chance {
                position.apply_chance(&mut rng);
            }
            let mut agent = agent(&*game, text).unwrap();
            let begun = Instant::now();
            let view = position.view(Some(0));
            let decision = decide(&*view, &mut agent, &budget(Some(Duration::from_secs(1))), &mut rng).unwrap();
            assert!(begun.elapsed() < Duration::from_secs(5), "{text} took {:?}", begun.elapsed());
            assert!(view.choices().iter().any(|choice| choice.action == decision.action), "{text}");
        }
        assert_eq!(budget(None).time, Some(LONGEST));
        assert_eq!(budget(Some(LONGEST * 100)).time, Some(LONGEST));
    }

    #[test]
    fn agents_that_cheat_or_reach_outside_are_refused() {
        let game = meeple_catalog::game("just4fun", &Rules::default()).unwrap();
        for text in [
            "cheating-mcts:iterations=10",
            "cheating-ispuct:iterations=10,model=just4fun/fieldnet",
            "cheating-network:model=just4fun/fieldnet",
            "exec:/bin/sh",
            "network:model=/etc/passwd",
            "network:model=../models/x",
            "ispuct:iterations=5,model=runs/x.safetensors",
            "mcts:iterations=1000000000",
            "ismcts:memory=100000",
            "ismcts:iterations=10,no=1",
            "alphabeta:\tmemory=1048576",
            "network:\tmodel=/etc/passwd",
            "network:x=(model=just4fun/fieldnet),model=/etc/passwd",
            "network: model =/etc/passwd",
            "",
        ] {
            let refused = agent(&*game, text).err().unwrap_or_else(|| panic!("{text} was taken"));
            assert_eq!(refused.code, "bad_agent", "{text}");
        }
        // Refused by the name, before a file is looked at.
        for text in [
            "network:model=/etc/passwd",
            "ispuct:model=just4fun/fieldnet,others=/etc/passwd",
            "ispuct:model=just4fun/fieldnet,iterations=5,others = runs/x.safetensors",
        ] {
            let why = agent(&*game, text).err().unwrap_or_else(|| panic!("{text} was taken")).message;
            assert!(why.contains("networks that play here are"), "{text}: {why}");
        }
        for text in [
            "random",
            "ismcts:iterations=10",
            "network:model=just4fun/fieldnet,temperature=0",
            "ispuct:model=just4fun/fieldnet,others=just4fun/cardfieldnet",
        ] {
            assert!(agent(&*game, text).is_ok(), "{text}");
        }
    }
}
