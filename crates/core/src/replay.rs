//! Playing a record again, step by step, against the rules.

use serde::Serialize;

use crate::erased::{AnyGame, AnyPosition};
use crate::record::CUT_SHORT;
use crate::{Player, Record, Turn};

/// Where a record stood before an action, or stands at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub turn: StepTurn,
    /// The texts of all that could happen, sorted.
    pub legal: Vec<String>,
}

/// In JSON the text `"chance"` or the number of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTurn {
    Chance,
    Player(Player),
}

impl Serialize for StepTurn {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            StepTurn::Chance => serializer.serialize_str("chance"),
            StepTurn::Player(player) => player.serialize(serializer),
        }
    }
}

/// A record that kept the rules. The last three are `None` if it stops before the end, unless somebody gave up
/// or was late: then they are what the record says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// Who decided each action; `None` for chance.
    #[serde(skip)]
    pub deciders: Vec<Option<Player>>,
    /// One step for each action, and one for the position where an unfinished record stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    pub payoffs: Option<Vec<f32>>,
    pub scores: Option<Vec<f32>>,
    pub reason: Option<&'static str>,
}

/// The step at which a record leaves the rules, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayError {
    pub step: usize,
    pub error: String,
}

/// Plays the actions of a record; `with_steps` keeps what was possible at each of them. A result in
/// the record must be the one that the rules give, and so must the version of the rules. Where somebody gave
/// up or was late the rules give none: the record's stands if it is one.
pub fn replay(game: &dyn AnyGame, record: &Record, with_steps: bool) -> Result<Replay, ReplayError> {
    let version = game.info().version;
    if let Some(versions) = record.versions.as_ref().filter(|versions| versions.rules != version) {
        let error = format!("the record follows version {} of the rules, these are version {version}", versions.rules);
        return Err(ReplayError { step: 0, error });
    }
    let mut position = game.start();
    let mut deciders = Vec::with_capacity(record.actions.len());
    let mut steps = Vec::new();
    for (number, action) in record.actions.iter().enumerate() {
        if with_steps {
            steps.extend(step(&*position));
        }
        deciders.push(decider(position.turn()));
        position.apply(action).map_err(|error| ReplayError { step: number, error: error.to_string() })?;
    }
    if with_steps {
        steps.extend(step(&*position));
    }
    let mut replay = Replay { deciders, steps, payoffs: None, scores: None, reason: None };
    if position.turn() == Turn::Over {
        let players = game.info().players;
        let outcome = position.outcome();
        replay.payoffs = Some(outcome.payoffs[..players].to_vec());
        replay.scores = Some(outcome.scores[..players].to_vec());
        replay.reason = Some(outcome.reason);
    } else if let Some(reason) = cut_short(record, game.info().players) {
        replay.payoffs.clone_from(&record.payoffs);
        replay.scores.clone_from(&record.scores);
        replay.reason = Some(reason);
    }
    match disagreement(record, &replay) {
        None => Ok(replay),
        Some(error) => Err(ReplayError { step: record.actions.len(), error }),
    }
}

fn decider(turn: Turn) -> Option<Player> {
    match turn {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}

fn step(position: &dyn AnyPosition) -> Option<Step> {
    let turn = match position.turn() {
        Turn::Over => return None,
        Turn::Chance => StepTurn::Chance,
        Turn::Player(player) => StepTurn::Player(player),
    };
    let mut legal = position.actions();
    legal.sort();
    Some(Step { turn, legal })
}

/// Why a game ended before its end, if the record says that together with a payoff for every seat.
fn cut_short(record: &Record, players: usize) -> Option<&'static str> {
    let reason = CUT_SHORT.into_iter().find(|&reason| record.reason.as_deref() == Some(reason))?;
    let payoffs = record.payoffs.as_ref()?;
    let scores = record.scores.as_ref().is_none_or(|scores| scores.len() == players);
    let fits = payoffs.len() == players && payoffs.iter().all(|payoff| (-1.0..=1.0).contains(payoff)) && scores;
    fits.then_some(reason)
}

/// A result that the record states and the rules do not give.
fn disagreement(record: &Record, replay: &Replay) -> Option<String> {
    let numbers = |numbers: &Option<Vec<f32>>| numbers.as_ref().map(|numbers| format!("{numbers:?}"));
    let words = |words: Option<&str>| words.map(|words| format!("`{words}`"));
    [
        ("payoffs", numbers(&record.payoffs), numbers(&replay.payoffs)),
        ("scores", numbers(&record.scores), numbers(&replay.scores)),
        ("the reason", words(record.reason.as_deref()), words(replay.reason)),
    ]
    .into_iter()
    .find_map(|(name, stated, given)| match (stated?, given) {
        (stated, None) => Some(format!("the record has {name} {stated}, but it stops before the end of the game")),
        (stated, Some(given)) if stated != given => {
            Some(format!("the record has {name} {stated}, but the rules give {given}"))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_names_chance_or_the_seat() {
        let json = |turn| serde_json::to_string(&Step { turn, legal: vec!["Qs".to_string()] }).unwrap();
        assert_eq!(json(StepTurn::Chance), r#"{"turn":"chance","legal":["Qs"]}"#);
        assert_eq!(json(StepTurn::Player(3)), r#"{"turn":3,"legal":["Qs"]}"#);
    }
}
