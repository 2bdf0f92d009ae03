//! Sitting down, playing, clocks, giving up, pausing, playing again.

use std::path::Path;
use std::time::{Duration, Instant};

use meeple_server::Settings;
use serde_json::{Value, json};

use crate::common::{Running, settings, start};

fn two_people() -> Value {
    json!([{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}])
}

#[test]
fn a_game_is_played_to_its_end_and_stored() {
    let server = start();
    let (table, tokens) = server.table("tic-tac-toe", two_people());
    let tokens: Vec<String> = tokens.into_iter().flatten().collect();
    let mut watcher = server.stream(&table, None);
    assert_eq!(watcher.hear()["choices"], json!([]));
    let mut seats: Vec<_> = tokens.iter().map(|token| server.stream(&table, Some(token))).collect();
    for (number, action) in ["a1", "a2", "b1", "b2", "c1"].into_iter().enumerate() {
        let mover = number % 2;
        let state = seats[mover].wait_for(|state| state["number"] == number && state["turn"] == mover);
        assert!(state["choices"].as_array().unwrap().iter().any(|choice| choice["action"] == action));
        seats[mover].say(&json!({"type": "act", "number": number, "action": action}));
    }
    let end = watcher.wait_for(|state| !state["result"].is_null());
    assert_eq!(end["result"]["payoffs"], json!([1.0, -1.0]));
    assert_eq!(end["result"]["winners"], json!([0]));
    assert_eq!(end["log"].as_array().unwrap().len(), 5);
    // The last state may be the one that came first.
    let stored = server.wait_for(&format!("tables/{table}"), |table| !table["record"].is_null());
    let (_, record) = server.get(&format!("records/{}", stored["record"]));
    assert_eq!(record["actions"], json!(["a1", "a2", "b1", "b2", "c1"]));
    assert_eq!(record["seats"], json!(["Ann", "Bob"]));
    assert_eq!(server.get(&format!("tables/{table}/record")).1["actions"], record["actions"]);
    let (_, list) = server.get("records?game=tic-tac-toe");
    assert_eq!(list["records"][0]["seats"], json!(["Ann", "Bob"]));
    assert_eq!(list["records"][0]["result"], "line");
}

#[test]
fn agents_play_until_a_person_has_to_decide() {
    let server = start();
    let seats = json!([{"kind": "agent", "agent": "mcts:iterations=20", "name": "Easy"}, {"kind": "open"}]);
    let (table, tokens) = server.table("connect-four", seats);
    assert_eq!(tokens, [None, None]);
    let mut watcher = server.stream(&table, None);
    assert_eq!(watcher.hear()["table"]["status"], "waiting");
    let joined = server.ok(&format!("tables/{table}/seats/1"), &json!({"name": "Bob"}));
    let state = watcher.wait_for(|state| state["number"] == 1);
    assert_eq!((&state["turn"], &state["table"]["seats"][1]["name"]), (&json!(1), &json!("Bob")));
    let (status, refused) = server.post(&format!("tables/{table}/seats/1"), &json!({"name": "Eve"}));
    assert_eq!((status, &refused["code"]), (409, &json!("seat_taken")));
    let act = |number: u32, action: &str| {
        server.post_as(
            joined["token"].as_str().unwrap(),
            &format!("tables/{table}/act"),
            &json!({"number": number, "action": action}),
        )
    };
    assert_eq!(act(0, "d").1["code"], "wrong_number");
    assert_eq!(act(1, "nowhere").1["code"], "illegal_action");
    let choices = server.stream(&table, joined["token"].as_str()).hear()["choices"].clone();
    assert_eq!(act(1, choices[0]["action"].as_str().unwrap()).0, 200);
    watcher.wait_for(|state| state["number"] == 3);
}

#[test]
fn who_is_late_moves_at_random_or_loses() {
    let server = start();
    for timeout in ["random", "loss"] {
        let request = json!({"game": "tic-tac-toe", "seats": two_people(), "timeout": timeout,
            "clock": {"kind": "move", "seconds": 0.2}});
        let (table, tokens) = server.table_with(request);
        let begun = Instant::now();
        let mut seat = server.stream(&table, tokens[0].as_deref());
        let left = seat.hear()["clocks"][0]["left"].as_f64().unwrap();
        assert!(left <= 0.2, "{left}");
        let state = seat.wait_for(|state| state["number"] == 1 || !state["result"].is_null());
        assert!(begun.elapsed() >= Duration::from_millis(190), "{:?}", begun.elapsed());
        match timeout {
            "random" => assert_eq!(state["turn"], 1),
            _ => assert_eq!((&state["result"]["reason"], &state["result"]["winners"]), (&json!("time"), &json!([1]))),
        }
    }
}

#[test]
fn games_are_given_up_paused_and_played_again() {
    let server = start();
    let (table, tokens) = server.table("connect-four", two_people());
    let tokens: Vec<String> = tokens.into_iter().flatten().collect();
    let wish = |table: &str, seat: usize, what: &str| {
        server.post_as(&tokens[seat], &format!("tables/{table}/{what}"), &json!({}))
    };
    assert_eq!(wish(&table, 0, "pause").1["status"], "paused");
    let (status, refused) =
        server.post_as(&tokens[0], &format!("tables/{table}/act"), &json!({"number": 0, "action": "d"}));
    assert_eq!((status, &refused["code"]), (409, &json!("paused")));
    assert_eq!(wish(&table, 0, "rematch").0, 409);
    assert_eq!(wish(&table, 1, "resume").1["status"], "playing");
    assert_eq!(wish(&table, 1, "resign").1["status"], "over");
    assert_eq!(wish(&table, 0, "resign").0, 409);
    let stored = server.wait_for(&format!("tables/{table}"), |table| !table["record"].is_null());
    let (_, record) = server.get(&format!("records/{}", stored["record"]));
    assert_eq!((&record["reason"], &record["payoffs"]), (&json!("resignation"), &json!([1.0, -1.0])));
    assert!(record["scores"].is_null(), "nobody made any points: {record}");
    assert_eq!(server.get("records?game=connect-four").1["records"][0]["result"], "resignation");
    let next = wish(&table, 0, "rematch").1;
    let again = next["table"]["id"].as_str().unwrap();
    assert_eq!(wish(&table, 1, "rematch").1["table"]["id"], again);
    assert_eq!(next["table"]["seats"][0]["name"], "Bob", "seats are rotated");
    assert_eq!(server.stream(again, Some(&tokens[0])).hear()["seat"], 1, "the secret goes along");
    assert_eq!(server.post_as("wrong", &format!("tables/{again}/resign"), &json!({})).0, 403);
}

#[test]
fn every_game_is_played_by_agents() {
    let server = start();
    let (_, games) = server.get("games");
    for game in games["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let players = game["players"].as_u64().unwrap() as usize;
        let seats: Vec<Value> = (0..players).map(|_| json!({"kind": "agent", "agent": "random"})).collect();
        let (table, _) = server.table(name, json!(seats));
        let mut watcher = server.stream(&table, None);
        let end = watcher.wait_for(|state| !state["result"].is_null());
        assert_eq!(end["result"]["payoffs"].as_array().unwrap().len(), players, "{name}");
        assert_eq!(end["scene"]["seats"].as_array().unwrap().len(), players, "{name}");
    }
}

#[test]
fn games_go_on_after_a_restart() {
    let mut first = settings();
    first.thinkers = 1;
    let data = first.data.clone();
    let server = Running::start(first);
    let request = json!({"game": "just4fun", "seats": two_people(), "clock": {"kind": "fischer", "seconds": 100, "increment": 1}});
    let (table, tokens) = server.table_with(request);
    let mut seat = server.stream(&table, tokens[0].as_deref());
    let state = seat.hear();
    let action = state["choices"][0]["action"].as_str().unwrap();
    seat.say(&json!({"type": "act", "number": state["number"], "action": action}));
    let before = seat.wait_for(|after| after["number"].as_u64() > state["number"].as_u64());
    drop(server.stop());
    let server = Running::start(meeple_server::Settings { data, ..settings() });
    let after = server.stream(&table, tokens[0].as_deref()).hear();
    for part in ["number", "turn", "scene", "text", "log", "seat"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    let left = |state: &Value| state["clocks"][0]["left"].as_f64().unwrap();
    assert!((left(&after) - left(&before)).abs() < 1.0);
}

#[test]
fn positions_are_described_and_thought_about() {
    let server = start();
    let position = |body: Value| server.ok("positions", &body);
    let begun = position(json!({"game": "tic-tac-toe", "actions": ["a1", "a2", "b1", "b2"], "viewer": 0}));
    assert_eq!((&begun["turn"], begun["choices"].as_array().unwrap().len()), (&json!(0), 5));
    let same = position(json!({"game": "tic-tac-toe", "position": begun["text"], "viewer": 0}));
    assert_eq!(same["scene"], begun["scene"]);
    let request = json!({"game": "tic-tac-toe", "view": begun["text"], "agent": "mcts:iterations=500",
        "tree": {"depth": 2, "visits": 1}});
    let analysis = server.ok("analysis", &request);
    assert_eq!((&analysis["action"], &analysis["seat"]), (&json!("c1"), &json!(0)));
    assert_eq!(analysis["actions"][0]["action"], "c1");
    assert!(analysis["tree"]["nodes"].as_array().unwrap().len() > 5);
    for (body, code) in [
        (json!({"game": "tic-tac-toe", "actions": ["z9"]}), "bad_position"),
        (json!({"game": "tic-tac-toe"}), "bad_position"),
        (json!({"game": "tic-tac-toe", "position": "nonsense"}), "bad_position"),
        (json!({"game": "no-such", "actions": []}), "bad_game"),
        (json!({"game": "tic-tac-toe", "actions": [], "viewer": 7}), "bad_viewer"),
        (json!({"game": "tic-tac-toe", "actions": [], "viewer": "some"}), "bad_request"),
    ] {
        let (status, answer) = server.post("positions", &body);
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{body}");
    }
    let over = json!({"game": "tic-tac-toe", "actions": ["a1", "a2", "b1", "b2", "c1"], "agent": "random"});
    assert_eq!(server.post("analysis", &over).1["code"], "nobody_to_move");
    let cheat = json!({"game": "just4fun", "actions": [], "agent": "cheating-mcts:iterations=10"});
    assert_eq!(server.post("analysis", &cheat).0, 400);
}

/// Starts a server again whose journal has lost some lines, as if it had been killed before they were written.
fn restart_without(data: &Path, lost: &[&str]) -> Running {
    let journal = data.join("tables.journal");
    let text = std::fs::read_to_string(&journal).unwrap();
    let is_kept = |line: &&str| !lost.iter().any(|word| line.contains(word));
    let kept: String = text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect();
    assert!(kept.len() < text.len(), "{text}");
    std::fs::write(journal, kept).unwrap();
    Running::start(Settings { data: data.to_path_buf(), ..settings() })
}

#[test]
fn a_rematch_survives_a_restart() {
    let server = start();
    let (table, tokens) = server.table("connect-four", two_people());
    let token = tokens[0].as_deref().unwrap();
    server.post_as(token, &format!("tables/{table}/resign"), &json!({}));
    let next = server.post_as(token, &format!("tables/{table}/rematch"), &json!({})).1["table"]["id"].clone();
    let data = server.stop();
    let server = Running::start(Settings { data: data.clone(), ..settings() });
    assert_eq!(server.get(&format!("tables/{table}")).1["rematch"], next);
    assert_eq!(server.get(&format!("tables/{}", next.as_str().unwrap())).1["status"], "playing");
    assert!(!data.join("tables.journal.unreadable").exists());
}

#[test]
fn a_game_is_stored_once_whenever_the_server_is_killed() {
    let server = start();
    let seats = json!([{"kind": "agent", "agent": "random"}, {"kind": "agent", "agent": "greedy"}]);
    let (table, _) = server.table("tic-tac-toe", seats);
    let table = format!("tables/{table}");
    let stored = server.wait_for(&table, |table| !table["record"].is_null());
    let server = restart_without(&server.stop(), &["archived"]);
    let again = server.wait_for(&table, |table| !table["record"].is_null());
    assert_eq!(again["record"], stored["record"]);
    assert_eq!(server.get("records").1["records"].as_array().unwrap().len(), 1);
}

#[test]
fn a_competition_goes_on_whenever_the_server_is_killed() {
    let server = start();
    let request = json!({"game": "tic-tac-toe", "players": [{"agent": "random"}, {"agent": "random"}], "games": 4});
    let id = server.ok("competitions", &request)["competition"]["id"].as_str().unwrap().to_string();
    let over = |answer: &Value| answer["competition"]["status"] == "over";
    server.wait_for(&format!("competitions/{id}"), over);
    let server = restart_without(&server.stop(), &["counted", "closed"]);
    let end = server.wait_for(&format!("competitions/{id}"), over);
    assert_eq!((&end["competition"]["done"], &end["competition"]["tables"]), (&json!(4), &json!([])));
    assert_eq!(server.get("records").1["records"].as_array().unwrap().len(), 4);
}

#[test]
fn a_competition_begins_when_there_is_room() {
    let server = Running::start(Settings { most_tables: 1, ..settings() });
    let (table, tokens) = server.table("connect-four", two_people());
    let request = json!({"game": "tic-tac-toe", "players": [{"agent": "random"}, {"agent": "random"}], "games": 2});
    let begun = server.ok("competitions", &request)["competition"].clone();
    assert_eq!((&begun["status"], &begun["tables"]), (&json!("running"), &json!([])));
    server.post_as(tokens[0].as_deref().unwrap(), &format!("tables/{table}/resign"), &json!({}));
    let id = begun["id"].as_str().unwrap();
    server.wait_for(&format!("competitions/{id}"), |answer| answer["competition"]["status"] == "over");
}

#[test]
fn tables_are_listed_by_status() {
    let server = start();
    let (_, tokens) = server.table("connect-four", two_people());
    let (over, over_tokens) = server.table("connect-four", two_people());
    let (waiting, _) = server.table("connect-four", json!([{"kind": "open"}, {"kind": "open"}]));
    server.post_as(over_tokens[0].as_deref().unwrap(), &format!("tables/{over}/resign"), &json!({}));
    assert_eq!(tokens.len(), 2);
    for (query, total) in [("", 2), ("?status=playing", 1), ("?status=waiting", 1), ("?status=over", 1)] {
        let (_, list) = server.get(&format!("tables{query}"));
        assert_eq!((&list["total"], list["tables"].as_array().unwrap().len()), (&json!(total), total), "{query}");
    }
    assert_eq!(server.get("tables?status=waiting").1["tables"][0]["id"], waiting);
    assert_eq!(server.get("tables?status=odd").0, 400);
}

/// `scripts/with-postgres` starts a database and says where.
#[test]
fn finished_games_go_to_postgresql() {
    let Ok(address) = std::env::var("MEEPLE_TEST_POSTGRES") else {
        return eprintln!("skipped: MEEPLE_TEST_POSTGRES is not set (scripts/test sets it)");
    };
    let server = Running::start(Settings { database: Some(address), ..settings() });
    let (table, tokens) = server.table("tic-tac-toe", two_people());
    server.post_as(tokens[1].as_deref().unwrap(), &format!("tables/{table}/resign"), &json!({}));
    let stored = server.wait_for(&format!("tables/{table}"), |table| !table["record"].is_null());
    let (_, record) = server.get(&format!("records/{}", stored["record"]));
    assert_eq!((&record["seats"], &record["reason"]), (&json!(["Ann", "Bob"]), &json!("resignation")));
    let (_, list) = server.get("records?game=tic-tac-toe&limit=1");
    assert_eq!(list["records"][0]["id"], stored["record"]);
}
