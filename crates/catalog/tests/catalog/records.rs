//! Records: what random games leave behind replays; what is broken is refused, never with a panic.

use meeple_catalog::{GAMES, replay_line};
use meeple_core::agent::Budget;
use meeple_core::{Record, Rng, Turn};
use proptest::prelude::*;

use crate::the;

/// The record of a random game, at most `most` actions of it.
fn random_record(name: &str, seed: u64, most: usize) -> Record {
    let game = the(name);
    let mut rng = Rng::from_seed(seed);
    let mut agent = game.agent("random").unwrap();
    let mut position = game.start();
    let mut actions = Vec::new();
    while actions.len() < most {
        let text = match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.apply_chance(&mut rng),
            Turn::Player(_) => position.act(&mut agent, &Budget::NONE, &mut rng, false).action,
        };
        actions.push(text);
    }
    Record { game: name.to_string(), actions, ..Record::default() }
}

#[test]
fn random_games_replay() {
    for entry in GAMES {
        let record = random_record(entry.name, 3, usize::MAX);
        let replay = replay_line(&serde_json::to_vec(&record).unwrap(), true).unwrap();
        assert_eq!(replay.steps.len(), record.actions.len(), "{}", entry.name);
        for (step, action) in replay.steps.iter().zip(&record.actions) {
            assert!(step.legal.contains(action));
            assert!(step.legal.is_sorted());
        }
        assert!(replay.payoffs.is_some() && replay.scores.is_some() && replay.reason.is_some());
    }
}

#[test]
fn an_unfinished_record_shows_where_it_stands() {
    for entry in GAMES {
        let record = random_record(entry.name, 4, 3);
        let replay = replay_line(&serde_json::to_vec(&record).unwrap(), true).unwrap();
        assert_eq!(replay.steps.len(), 4, "{}", entry.name);
        assert_eq!(replay.payoffs, None);
    }
}

#[test]
fn a_false_result_is_refused() {
    let mut record = random_record("tic-tac-toe", 5, usize::MAX);
    record.reason = Some("resignation".to_string());
    let error = replay_line(&serde_json::to_vec(&record).unwrap(), false).unwrap_err();
    assert_eq!(error.step, record.actions.len());
    record.reason = None;
    record.payoffs = Some(vec![0.25, 0.75]);
    assert!(replay_line(&serde_json::to_vec(&record).unwrap(), false).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_line_makes_it_panic(line in ".{0,200}") {
        let _ = replay_line(line.as_bytes(), true);
    }

    #[test]
    fn no_bytes_make_it_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(replay_line(&line, true).is_err());
    }

    /// Rules of any kind, actions cut, doubled, swapped or replaced: an error or a replay.
    #[test]
    fn damaged_records_are_refused_or_replayed(
        number in 0..GAMES.len(),
        seed in 0u64..50,
        length in 0usize..90,
        place in 0usize..90,
        damage in 0usize..5,
        text in "[ -~]{0,8}",
        rule in "[a-z_]{1,12}",
    ) {
        let mut record = random_record(GAMES[number].name, seed, length);
        let place = place.min(record.actions.len().saturating_sub(1));
        match damage {
            _ if record.actions.is_empty() => {}
            0 => { record.actions.remove(place); }
            1 => { let action = record.actions[place].clone(); record.actions.insert(place, action); }
            2 => record.actions[place] = text,
            3 => { let last = record.actions.len() - 1; record.actions.swap(place, last); }
            _ => record.rules = record.rules.with(&rule, text),
        }
        let verdict = replay_line(&serde_json::to_vec(&record).unwrap(), true);
        if let Err(error) = verdict {
            prop_assert!(error.step <= record.actions.len());
            prop_assert!(!error.error.is_empty());
        }
    }
}
