//! Nothing that a seat is sent tells more than its view.

use std::collections::BTreeSet;

use meeple_core::erased::AnyGame;
use meeple_core::{Rng, Rules};
use serde_json::{Value, json};

use crate::common::{Running, Stream, start};

/// All that a message may have.
const PARTS: [&str; 12] =
    ["type", "table", "seat", "number", "turn", "scene", "render", "text", "choices", "log", "clocks", "result"];
const TABLE_PARTS: [&str; 12] =
    ["id", "game", "rules", "seats", "clock", "timeout", "status", "number", "turn", "rematch", "record", "created"];

/// Plays a random game at a table with a person on every seat, and keeps every message of every viewer.
fn play(
    server: &Running,
    game: &dyn AnyGame,
    name: &str,
    rules: &Value,
    seed: u64,
) -> (String, Vec<(Option<usize>, Value)>) {
    let players = game.info().players;
    let seats: Vec<Value> = (0..players).map(|seat| json!({"kind": "person", "name": format!("P{seat}")})).collect();
    let (table, tokens) = server.table_with(json!({"game": name, "rules": rules, "seats": seats, "seed": seed}));
    let viewers: Vec<Option<usize>> = (0..players).map(Some).chain([None]).collect();
    let open = |viewer: &Option<usize>| server.stream(&table, viewer.and_then(|seat| tokens[seat].as_deref()));
    let mut streams: Vec<Stream> = viewers.iter().map(open).collect();
    let mut messages = Vec::new();
    let mut rng = Rng::from_seed(seed);
    loop {
        let heard: Vec<Value> = streams.iter_mut().map(Stream::hear).collect();
        messages.extend(viewers.iter().copied().zip(heard.iter().cloned()));
        let Some(mover) = heard[0]["turn"].as_u64() else { break };
        let state = &heard[mover as usize];
        let choices = state["choices"].as_array().unwrap();
        // What is refused tells nothing and changes nothing.
        for nonsense in ["", "??", "\u{0}", choices[0]["action"].as_str().unwrap()] {
            let wrong_seat = (mover as usize + 1) % players;
            streams[wrong_seat].say(&json!({"type": "act", "number": state["number"], "action": nonsense}));
            let refused = streams[wrong_seat].hear();
            assert_eq!(refused, json!({"type": "error", "code": "not_your_turn", "message": "it is not your turn"}));
        }
        assert_eq!(server.get(&format!("tables/{table}/record")).0, 409, "a running game has no record to see");
        let action = &choices[rng.below(choices.len() as u32) as usize]["action"];
        streams[mover as usize].say(&json!({"type": "act", "number": state["number"], "action": action}));
    }
    (table, messages)
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_seat_is_sent_its_view_and_nothing_else() {
    let server = start();
    for (name, rules) in [
        ("kuhn-poker", json!({})),
        ("leduc-poker", json!({})),
        ("just4fun", json!({})),
        ("just4fun", json!({"players": "3", "hidden_discards": "true"})),
        ("bisca", json!({})),
        ("sueca", json!({})),
        ("hearts", json!({})),
        ("hearts", json!({"passing": "left"})),
        ("keezen", json!({})),
    ] {
        let as_rules: Rules = serde_json::from_value(rules.clone()).unwrap();
        let Ok(game) = meeple_catalog::game_at_table(name, &as_rules) else { panic!("{name} {rules}") };
        let (table, messages) = play(&server, &*game, name, &rules, 7);
        let (_, record) = server.get(&format!("tables/{table}/record"));
        let actions: Vec<&str> = record["actions"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
        check(&*game, &actions, &messages, name);
    }
}

/// Plays the game again and compares every message with the view at that time.
fn check(game: &dyn AnyGame, actions: &[&str], messages: &[(Option<usize>, Value)], name: &str) {
    let mut position = game.start();
    let mut log: Vec<(usize, Option<usize>, &str, bool)> = Vec::new();
    let mut checked = 0;
    for number in 0..=actions.len() {
        for (viewer, message) in messages.iter().filter(|(_, message)| message["number"] == number) {
            let view = position.view(*viewer);
            assert_eq!(keys(message), PARTS.into(), "{name}");
            assert_eq!(keys(&message["table"]), TABLE_PARTS.into(), "{name}");
            assert_eq!(message["seat"], json!(viewer));
            assert_eq!(message["scene"], serde_json::to_value(view.scene()).unwrap(), "{name} {number}");
            assert_eq!(message["text"], json!(view.text()), "{name} {number}");
            assert_eq!(message["render"], json!(view.render()), "{name} {number}");
            let choices = if view.player().is_some() { view.choices() } else { Vec::new() };
            assert_eq!(message["choices"], serde_json::to_value(choices).unwrap(), "{name} {number}");
            let seen = log.iter().filter(|(_, seat, _, public)| *public || (seat.is_some() && seat == viewer));
            let seen: Vec<Value> = seen
                .map(|(number, seat, action, _)| json!({"number": number, "seat": seat, "action": action}))
                .collect();
            assert_eq!(message["log"], json!(seen), "{name} {number} {viewer:?}");
            checked += 1;
        }
        let Some(action) = actions.get(number) else { break };
        let seat = match position.turn() {
            meeple_core::Turn::Player(player) => Some(player),
            _ => None,
        };
        log.push((number, seat, action, position.is_public(action).unwrap()));
        position.apply(action).unwrap();
    }
    assert_eq!(checked, messages.len(), "{name}: every message was compared");
}

#[test]
fn lists_hold_nothing_of_running_games() {
    let server = start();
    let (table, _) = server.table("hearts", json!(vec![json!({"kind": "person", "name": "P"}); 4]));
    let (_, list) = server.get("tables");
    let found = list["tables"].as_array().unwrap().iter().find(|entry| entry["id"] == json!(table)).unwrap();
    assert_eq!(keys(found), TABLE_PARTS.into());
    for seat in found["seats"].as_array().unwrap() {
        assert_eq!(keys(seat), ["kind", "name"].into());
    }
    let request = json!({"game": "hearts", "players": [{"agent": "random"}], "games": 1});
    let competition = server.ok("competitions", &request)["competition"].clone();
    let parts = ["id", "game", "status", "games", "done", "players", "tables"];
    assert_eq!(keys(&competition), parts.into());
}
