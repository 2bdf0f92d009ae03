//! One game between agents.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use meeple_core::agent::{AgentError, Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyGame, AnyPosition};
use meeple_core::key::key_of;
use meeple_core::{Outcome, Player, Record, Rng, Turn};
use serde_json::Value;

use crate::summary::summary;

/// How a game went, without its actions.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub outcome: Outcome,
    /// Who decided first.
    pub starter: Player,
    /// By seat.
    pub decisions: Vec<u64>,
    /// Time spent deciding, by seat.
    pub thinking: Vec<Duration>,
    /// Legal actions at all decisions together.
    pub choices: u64,
    /// Equal for games with the same actions.
    pub key: u64,
}

/// A request to end games early. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    own: Arc<AtomicBool>,
    parent: Option<Arc<Stop>>,
}

impl Stop {
    /// A request that is also made by requesting the one it comes from, or any before that.
    pub fn child(&self) -> Stop {
        Stop { own: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    pub fn request(&self) {
        self.own.store(true, Relaxed);
    }

    pub fn is_requested(&self) -> bool {
        self.own.load(Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_requested())
    }
}

/// How much a record of a game holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Nothing,
    /// Actions, clocks and iterations.
    Actions,
    /// And what each search found.
    Searches,
}

/// Plays one game; `agents[seat]` decides for a seat. The decision behind action p draws from stream p
/// of `seed`. Chance has a generator of its own, so that the same deal can be played by others.
/// `None` if a stop was requested before the end; an error if an agent cannot play on.
pub fn play(
    game: &dyn AnyGame,
    agents: &mut [&mut AnyAgent],
    chance: &mut Rng,
    seed: u64,
    detail: Detail,
    stop: &Stop,
) -> Result<Option<(PlayedGame, Record)>, AgentError> {
    let mut position = game.start();
    let players = game.info().players;
    let mut count = Count::new(players);
    let mut notes = Notes::new(players, detail);
    for step in 0.. {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let text = position.apply_chance(chance);
                count.action(&text);
                notes.chance(text);
            }
            Turn::Player(_) if stop.is_requested() => return Ok(None),
            Turn::Player(player) => {
                count.decision(player, position.action_count());
                let mut rng = Rng::stream(seed, step);
                let started = Instant::now();
                let decision = position.act(agents[player], &Budget::NONE, &mut rng, detail == Detail::Searches);
                if let Some(failure) = agents[player].failure() {
                    return Err(failure);
                }
                let time = started.elapsed();
                count.thinking[player] += time;
                count.action(&decision.action);
                notes.decision(decision, time);
            }
        }
    }
    let played = count.finish(&*position);
    let record = notes.finish(game, &played.outcome, seed);
    Ok(Some((played, record)))
}

/// Counts a game that was recorded. An error says where the record leaves the rules.
pub(crate) fn recount(game: &dyn AnyGame, record: &Record) -> Result<PlayedGame, String> {
    let mut position = game.start();
    let mut count = Count::new(game.info().players);
    for (step, action) in record.actions.iter().enumerate() {
        if let Turn::Player(player) = position.turn() {
            count.decision(player, position.action_count());
            let clock = record.clocks.as_ref().and_then(|clocks| clocks.get(step)).copied();
            count.thinking[player] += Duration::try_from_secs_f64(clock.unwrap_or(0.0) / 1000.0).unwrap_or_default();
        }
        position.apply(action).map_err(|error| format!("step {step}: {error}"))?;
        count.action(action);
    }
    match position.turn() {
        Turn::Over => Ok(count.finish(&*position)),
        _ => Err("the record stops before the end of the game".to_string()),
    }
}

struct Count {
    starter: Option<Player>,
    decisions: Vec<u64>,
    thinking: Vec<Duration>,
    choices: u64,
    key: u64,
}

impl Count {
    fn new(players: usize) -> Count {
        Count {
            starter: None,
            decisions: vec![0; players],
            thinking: vec![Duration::ZERO; players],
            choices: 0,
            key: 0,
        }
    }

    fn decision(&mut self, player: Player, choices: usize) {
        self.starter.get_or_insert(player);
        self.decisions[player] += 1;
        self.choices += choices as u64;
    }

    fn action(&mut self, text: &str) {
        self.key = key_of(&(self.key, text));
    }

    fn finish(self, position: &dyn AnyPosition) -> PlayedGame {
        let Count { starter, decisions, thinking, choices, key } = self;
        PlayedGame { outcome: position.outcome(), starter: starter.unwrap_or(0), decisions, thinking, choices, key }
    }
}

/// A record that is being written.
struct Notes {
    players: usize,
    detail: Detail,
    actions: Vec<String>,
    clocks: Vec<f64>,
    iterations: Vec<u64>,
    searches: Vec<Value>,
}

impl Notes {
    fn new(players: usize, detail: Detail) -> Notes {
        Notes { players, detail, actions: Vec::new(), clocks: Vec::new(), iterations: Vec::new(), searches: Vec::new() }
    }

    fn chance(&mut self, text: String) {
        self.add(text, Duration::ZERO, 0, || Value::Null);
    }

    fn decision(&mut self, decision: Decision<String>, time: Duration) {
        let Decision { action, report } = decision;
        let players = self.players;
        self.add(action, time, report.iterations, || summary(&report, players));
    }

    fn add(&mut self, action: String, time: Duration, iterations: u64, search: impl FnOnce() -> Value) {
        if self.detail == Detail::Nothing {
            return;
        }
        self.actions.push(action);
        self.clocks.push((time.as_secs_f64() * 1e6).round() / 1e3);
        self.iterations.push(iterations);
        if self.detail == Detail::Searches {
            self.searches.push(search());
        }
    }

    fn finish(self, game: &dyn AnyGame, outcome: &Outcome, seed: u64) -> Record {
        let info = game.info();
        Record {
            game: info.name.to_string(),
            rules: game.rules(),
            actions: self.actions,
            clocks: Some(self.clocks),
            iterations: Some(self.iterations),
            searches: (self.detail == Detail::Searches).then_some(self.searches),
            random: Some(format!("{seed:016x}")),
            payoffs: Some(outcome.payoffs[..info.players].to_vec()),
            scores: Some(outcome.scores[..info.players].to_vec()),
            reason: Some(outcome.reason.to_string()),
            versions: Some(meeple_core::record::Versions::of(&info)),
            ..Record::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_reach_all_descendants_and_no_ancestor() {
        let oldest = Stop::default();
        let middle = oldest.child();
        let youngest = middle.child();
        middle.request();
        assert!(youngest.is_requested() && !oldest.is_requested());
        let cousin = oldest.child().child();
        assert!(!cousin.is_requested());
        oldest.clone().request();
        assert!(cousin.is_requested() && middle.is_requested());
    }
}
