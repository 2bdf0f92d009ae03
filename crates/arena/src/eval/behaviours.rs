//! What agents do well or badly in played games.

use std::collections::BTreeSet;

use meeple_core::erased::AnyGame;
use meeple_core::{Record, Turn};
use serde::Serialize;

use crate::game::Detail;
use crate::matches::{MatchError, MatchSettings, Watch, play_match};
use crate::statistics::wilson;

/// With fewer events there is no score (thesis 003, section 7.2.4).
const FEWEST_EVENTS: u64 = 3;

/// The behaviours of one agent in some games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BehaviourResult {
    pub game: String,
    pub rules: String,
    pub agent: String,
    pub games: u64,
    /// Of the agent.
    pub decisions: u64,
    pub behaviours: Vec<BehaviourScore>,
}

/// One behaviour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BehaviourScore {
    pub name: &'static str,
    pub good: u64,
    pub bad: u64,
    /// good / (good + bad); `None` below three events.
    pub score: Option<f64>,
    /// Of the score (Wilson). Events of one game are not independent, so the truth is a little wider.
    pub interval: Option<[f64; 2]>,
}

impl BehaviourScore {
    fn new(name: &'static str, [good, bad]: [u64; 2]) -> BehaviourScore {
        let events = good + bad;
        let score = (events >= FEWEST_EVENTS).then(|| good as f64 / events as f64);
        BehaviourScore { name, good, bad, score, interval: score.map(|score| wilson(score, events)) }
    }
}

/// Plays a match and judges every decision of its first agent. With the same agent twice all seats
/// count. The result depends on the settings alone, threads excepted.
pub fn count_behaviours(game: &dyn AnyGame, settings: &MatchSettings) -> Result<BehaviourResult, MatchError> {
    let settings = MatchSettings { detail: Detail::Actions, ..settings.clone() };
    let mut count = Count::new(game, &settings.agents[0]);
    play_match(game, &settings, &[], &mut count)?;
    Ok(count.result())
}

/// Judges every decision of an agent in recorded games of this game; those where it has no seat are
/// left out. An error says where a record leaves the rules.
pub fn judge_records(game: &dyn AnyGame, agent: &str, records: &[Record]) -> Result<BehaviourResult, String> {
    let mut count = Count::new(game, agent);
    for (number, record) in records.iter().enumerate() {
        count.add(record).map_err(|error| format!("game {number}: {error}"))?;
    }
    Ok(count.result())
}

/// Events so far.
struct Count<'a> {
    game: &'a dyn AnyGame,
    agent: &'a str,
    games: u64,
    decisions: u64,
    /// Good and bad ones of each behaviour.
    events: Vec<[u64; 2]>,
}

impl<'a> Count<'a> {
    fn new(game: &'a dyn AnyGame, agent: &'a str) -> Count<'a> {
        Count { game, agent, games: 0, decisions: 0, events: vec![[0; 2]; game.behaviours().len()] }
    }

    fn add(&mut self, record: &Record) -> Result<(), String> {
        if record.game != self.game.info().name || record.rules != self.game.rules() {
            return Err(format!("it is one of {} {}", record.game, record.rules));
        }
        let seats = record.seats.iter().enumerate().filter(|(_, agent)| *agent == self.agent);
        let seats: BTreeSet<usize> = seats.map(|(seat, _)| seat).collect();
        if seats.is_empty() {
            return Ok(());
        }
        let mut position = self.game.start();
        for (step, action) in record.actions.iter().enumerate() {
            let wrong = |error| format!("step {step}: {error}");
            if matches!(position.turn(), Turn::Player(seat) if seats.contains(&seat)) {
                self.decisions += 1;
                for (behaviour, good) in position.judge(action).map_err(wrong)? {
                    self.events[behaviour][usize::from(!good)] += 1;
                }
            }
            position.apply(action).map_err(wrong)?;
        }
        self.games += 1;
        Ok(())
    }

    fn result(&self) -> BehaviourResult {
        let names = self.game.behaviours().into_iter();
        BehaviourResult {
            game: self.game.info().name.to_string(),
            rules: self.game.rules().to_string(),
            agent: self.agent.to_string(),
            games: self.games,
            decisions: self.decisions,
            behaviours: names.zip(&self.events).map(|(name, &events)| BehaviourScore::new(name, events)).collect(),
        }
    }
}

impl Watch for Count<'_> {
    fn game(&mut self, record: &Record) -> Result<(), String> {
        self.add(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_events_give_no_score() {
        assert_eq!(BehaviourScore::new("", [2, 0]).score, None);
        assert_eq!(BehaviourScore::new("", [2, 0]).interval, None);
        let three = BehaviourScore::new("", [2, 1]);
        assert_eq!(three.score, Some(2.0 / 3.0));
        assert_eq!(three.interval, Some(wilson(2.0 / 3.0, 3)));
    }
}
