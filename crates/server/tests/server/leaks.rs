//! Nothing that a seat is sent tells more than its view.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use meeple_core::erased::AnyGame;
use meeple_core::{Rng, Rules};
use serde_json::{Value, json};

use crate::common::{Running, Stream, start};

/// All that a message may have.
const PARTS: [&str; 12] =
    ["type", "table", "seat", "number", "turn", "scene", "render", "text", "choices", "log", "clocks", "result"];
const TABLE_PARTS: [&str; 13] = [
    "id", "game", "rules", "seats", "clock", "timeout", "status", "number", "moves", "turn", "rematch", "record",
    "created",
];

/// The most decisions of a game; then somebody gives up. Cards are dealt and shuffled several times in so many.
const MOST: u64 = 150;

/// Games with the rules that are tried: all of them as they are played at tables, and more.
fn games() -> Vec<(&'static str, Value)> {
    let all = meeple_catalog::GAMES.iter().map(|entry| (entry.name, json!({})));
    let more = [
        ("just4fun", json!({"players": "3", "hidden_discards": "true"})),
        ("hearts", json!({"passing": "true"})),
        ("keezen", json!({"variant": "tock"})),
        ("keezen", json!({"variant": "dog"})),
        ("keezen", json!({"variant": "sorry"})),
    ];
    all.chain(more).collect()
}

fn game_of(name: &str, rules: &Value) -> Box<dyn AnyGame> {
    let as_rules: Rules = serde_json::from_value(rules.clone()).unwrap();
    meeple_catalog::game_at_table(name, &as_rules).unwrap_or_else(|error| panic!("{name} {rules}: {error}"))
}

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
        refusals(&mut streams, mover as usize, players, state);
        assert_eq!(server.get(&format!("tables/{table}/record")).0, 409, "a running game has no record to see");
        let action = &choices[rng.below(choices.len() as u32) as usize]["action"];
        let stream = &mut streams[mover as usize];
        match state["table"]["moves"].as_u64() < Some(MOST) {
            true => stream.say(&json!({"type": "act", "number": state["number"], "action": action})),
            false => stream.say(&json!({"type": "resign"})),
        }
    }
    (table, messages)
}

/// What is refused tells nothing and changes nothing, whatever else would be legal for whom.
fn refusals(streams: &mut [Stream], mover: usize, players: usize, state: &Value) {
    let act = |action: &str| json!({"type": "act", "number": state["number"], "action": action});
    let legal = state["choices"][0]["action"].as_str().unwrap();
    for action in ["", "??", "\u{0}", legal] {
        let other = &mut streams[(mover + 1) % players];
        other.say(&act(action));
        let not_now = json!({"type": "error", "code": "not_your_turn", "message": "it is not your turn"});
        assert_eq!(other.hear(), not_now);
    }
    let is_legal = |action: &str| state["choices"].as_array().unwrap().iter().any(|one| one["action"] == action);
    let odd = format!("{legal}{legal}?");
    for action in ["", "??", "Qs", "J", "7", "a1", "ST13P0", &odd].into_iter().filter(|action| !is_legal(action)) {
        streams[mover].say(&act(action));
        let refused = json!({"type": "error", "code": "illegal_action", "message": "this action is not legal here"});
        assert_eq!(streams[mover].hear(), refused, "{action}");
    }
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn record_of(server: &Running, table: &str) -> Vec<String> {
    serde_json::from_value(server.get(&format!("tables/{table}/record")).1["actions"].clone()).unwrap()
}

#[test]
fn a_seat_is_sent_its_view_and_nothing_else() {
    let server = start();
    for (name, rules) in games() {
        let game = game_of(name, &rules);
        let (table, messages) = play(&server, &*game, name, &rules, 7);
        check(&*game, &record_of(&server, &table), &messages, name);
        let last = &messages.last().unwrap().1;
        let is_whole = last["result"]["reason"] != "resignation" || last["table"]["moves"] == MOST;
        assert!(is_whole, "{name} ends after {} decisions", last["table"]["moves"]);
    }
}

/// A bot on all seats is asked over its stream and over plain HTTP; both tell the view of the seat that is to move.
/// Who looks on as this bot sees what its first seat sees.
#[test]
fn a_bot_is_asked_with_its_view_and_nothing_else() {
    let server = start();
    let token = server.ok("bots", &json!({"name": "b"}))["token"].as_str().unwrap().to_string();
    let mut stream = server.open("bots/stream");
    stream.say(&json!({"type": "hello", "bot": "b", "token": token}));
    for (name, rules) in games() {
        let game = game_of(name, &rules);
        let seats = vec![json!({"kind": "bot", "name": "b"}); game.info().players];
        let (table, _) = server.table_with(json!({"game": name, "rules": rules, "seats": seats}));
        for seat in 0..seats.len() {
            let rules = server.get(&format!("tables/{table}")).1["rules"].clone();
            let seated = json!({"type": "seated", "table": table, "seat": seat, "game": name, "rules": rules,
                "clock": {"kind": "none"}});
            assert_eq!(stream.hear(), seated);
        }
        let mut states = server.open(&format!("tables/{table}/stream"));
        states.say(&json!({"type": "hello", "bot": "b", "token": token}));
        let (mut asked, mut seen) = (Vec::new(), Vec::new());
        let mut rng = Rng::from_seed(3);
        loop {
            let message = stream.hear();
            seen.push((Some(0), states.hear()));
            if message["type"] == "over" {
                assert_eq!(keys(&message), ["type", "table", "result"].into());
                assert_eq!(message["table"], table, "a game ends once");
                break;
            }
            let headers = [("X-Seat-Token", token.as_str())];
            assert_eq!(server.request("GET", "bots/b/next", &headers, None), (200, message.clone()), "{name}");
            let act =
                |action: &Value| json!({"type": "act", "table": table, "number": message["number"], "action": action});
            stream.say(&act(&json!("??")));
            let refused = json!({"type": "error", "code": "illegal_action", "message": "this action is not legal here",
                "table": table, "number": message["number"]});
            assert_eq!(stream.hear(), refused);
            let actions = message["actions"].as_array().unwrap();
            match (asked.len() as u64) < MOST {
                true => stream.say(&act(&actions[rng.below(actions.len() as u32) as usize])),
                false => stream.say(&json!({"type": "resign", "table": table})),
            }
            asked.push(message);
        }
        let record = record_of(&server, &table);
        check_questions(&*game, &record, &asked, name);
        check(&*game, &record, &seen, name);
    }
}

/// Plays the game again and compares every question to a bot with the view of the seat at that time.
fn check_questions(game: &dyn AnyGame, actions: &[String], asked: &[Value], name: &str) {
    let parts = ["type", "table", "game", "rules", "seat", "number", "view", "actions", "clock"];
    let mut position = game.start();
    let mut asked = asked.iter().peekable();
    for number in 0..=actions.len() {
        if let Some(message) = asked.next_if(|message| message["number"] == number) {
            let meeple_core::Turn::Player(seat) = position.turn() else { panic!("{name}: nobody is to move") };
            let view = position.view(Some(seat));
            assert_eq!(keys(message), parts.into(), "{name}");
            assert_eq!(keys(&message["clock"]), ["left"].into());
            assert_eq!(message["seat"], seat);
            let scene = serde_json::to_string(&view.scene()).unwrap();
            let scene: Value = serde_json::from_str(&scene).unwrap();
            assert_eq!(message["view"], json!({"text": view.text(), "scene": scene}), "{name} {number}");
            let legal: Vec<String> = view.choices().into_iter().map(|choice| choice.action).collect();
            assert_eq!(message["actions"], json!(legal), "{name} {number}");
        }
        if let Some(action) = actions.get(number) {
            position.apply(action).unwrap();
        }
    }
    assert_eq!(asked.next(), None, "{name}: every question was compared");
}

/// Something that happened: its line in a log, and whether everybody saw it.
struct Past {
    seat: Option<usize>,
    line: Value,
    public: bool,
}

/// Plays the game again and compares every message with the view at that time.
fn check(game: &dyn AnyGame, actions: &[String], messages: &[(Option<usize>, Value)], name: &str) {
    let mut position = game.start();
    let mut log: Vec<Past> = Vec::new();
    let mut checked = 0;
    for number in 0..=actions.len() {
        for (viewer, message) in messages.iter().filter(|(_, message)| message["number"] == number) {
            let view = position.view(*viewer);
            assert_eq!(keys(message), PARTS.into(), "{name}");
            assert_eq!(keys(&message["table"]), TABLE_PARTS.into(), "{name}");
            assert_eq!(message["seat"], json!(viewer));
            let scene = serde_json::to_string(&view.scene()).unwrap();
            let same = message["scene"] == serde_json::from_str::<Value>(&scene).unwrap();
            assert!(same, "{name} {number}: the scene is that of the view");
            assert_eq!(message["text"], json!(view.text()), "{name} {number}");
            assert_eq!(message["render"], json!(view.render()), "{name} {number}");
            let is_asked = message["result"].is_null()
                && viewer.is_some_and(|seat| position.turn() == meeple_core::Turn::Player(seat));
            let choices = if is_asked { view.choices() } else { Vec::new() };
            assert_eq!(message["choices"], serde_json::to_value(choices).unwrap(), "{name} {number}");
            let seen = log.iter().filter(|past| past.public || (past.seat.is_some() && past.seat == *viewer));
            let seen: Vec<Value> = seen.map(|past| past.line.clone()).collect();
            assert_eq!(message["log"], json!(seen), "{name} {number} {viewer:?}");
            let moves = log.iter().filter(|past| past.seat.is_some()).count();
            assert_eq!(message["table"]["moves"], moves, "{name} {number}: chance makes no moves");
            checked += 1;
        }
        let Some(action) = actions.get(number) else { break };
        let seat = match position.turn() {
            meeple_core::Turn::Player(player) => Some(player),
            _ => None,
        };
        let mut line = json!({"number": number, "seat": seat, "action": action});
        if let Some(label) = position.label(action).unwrap() {
            line["label"] = json!(label);
        }
        log.push(Past { seat, line, public: position.is_public(action).unwrap() });
        position.apply(action).unwrap();
    }
    assert_eq!(checked, messages.len(), "{name}: every message was compared");
}

/// Not a test of its own: the server of the next one, as a process that writes to a standard error of its own.
#[test]
fn serves_when_it_is_asked_to() {
    if std::env::var_os(SERVES).is_some() {
        let server = start();
        println!("\nat {}", server.address);
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}

const SERVES: &str = "MEEPLE_TEST_SERVES";

#[test]
fn nothing_of_a_game_is_logged() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "leaks::serves_when_it_is_asked_to", "--nocapture"])
        .env(SERVES, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.find_map(|line| line.strip_prefix("at ").map(|address| address.parse().unwrap()));
    let server = Running::at(address.unwrap());
    for (name, rules) in [("hearts", json!({"passing": "true"})), ("just4fun", json!({})), ("tic-tac-toe", json!({}))] {
        let game = game_of(name, &rules);
        let (table, messages) = play(&server, &*game, name, &rules, 5);
        check(&*game, &record_of(&server, &table), &messages, name);
        assert_eq!(server.stream(&table, Some("secret")).hear()["code"], "no_seat");
    }
    server.post("tables", &json!({"game": "hearts", "seats": []}));
    server.post("bots", &json!({"name": "random"}));
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "nothing went wrong, so nothing is said");
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
    let request =
        json!({"game": "hearts", "players": [{"agent": "random"}, {"agent": "ismcts:iterations=2"}], "games": 12});
    let competition = server.ok("competitions", &request)["competition"].clone();
    let parts = ["id", "game", "status", "games", "done", "players", "tables"];
    assert_eq!(keys(&competition), parts.into());
    // The same deal may still be played elsewhere: no record before the end.
    let id = competition["id"].as_str().unwrap();
    loop {
        let (_, records) = server.get("records?game=hearts");
        let seen = records["records"].as_array().unwrap().first().map(|record| record["id"].clone());
        let status = seen.map(|record| server.get(&format!("records/{record}")).0);
        let (_, answer) = server.get(&format!("competitions/{id}"));
        if answer["competition"]["status"] == "over" {
            break;
        }
        assert!(matches!(status, None | Some(409)), "{status:?} while {answer}");
    }
}
