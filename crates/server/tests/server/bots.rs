//! Programs that dial in, and competitions.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Running, Stream, start};

fn register(server: &Running, name: &str) -> String {
    server.ok("bots", &json!({"name": name}))["token"].as_str().unwrap().to_string()
}

fn connect(server: &Running, name: &str, token: &str) -> Stream {
    let mut stream = server.open("bots/stream");
    stream.say(&json!({"type": "hello", "bot": name, "token": token}));
    stream
}

fn wait_until_over(server: &Running, competition: &str) -> Value {
    let begun = Instant::now();
    loop {
        let (_, answer) = server.get(&format!("competitions/{competition}"));
        if answer["competition"]["status"] == "over" {
            return answer["competition"].clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{answer}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Answers every decision with its last action until all games of a competition are over.
fn answer_all(mut stream: Stream, games: usize) {
    let mut over = 0;
    while over < games {
        let message = stream.hear();
        match message["type"].as_str().unwrap() {
            "decide" => {
                let action = message["actions"].as_array().unwrap().last().unwrap();
                assert!(message["view"]["scene"].is_object() && message["view"]["text"].is_string());
                let answer =
                    json!({"type": "act", "table": message["table"], "number": message["number"], "action": action});
                stream.say(&answer);
            }
            "over" => over += 1,
            other => panic!("{other}: {message}"),
        }
    }
}

#[test]
fn a_bot_plays_a_competition_against_an_agent() {
    let server = start();
    let token = register(&server, "last");
    let stream = connect(&server, "last", &token);
    let request =
        json!({"game": "connect-four", "players": [{"bot": "last"}, {"agent": "mcts:iterations=200"}], "games": 10});
    let competition = server.ok("competitions", &request)["competition"].clone();
    answer_all(stream, 10);
    let end = wait_until_over(&server, competition["id"].as_str().unwrap());
    let players = end["players"].as_array().unwrap();
    let count = |player: &Value, what: &str| player[what].as_u64().unwrap();
    for player in players {
        assert_eq!(count(player, "wins") + count(player, "draws") + count(player, "losses"), 10);
    }
    assert!(count(&players[1], "wins") >= 9, "{end}");
    let (_, records) = server.get("records?game=connect-four");
    assert_eq!(records["records"].as_array().unwrap().len(), 10);
}

#[test]
fn a_bot_that_comes_back_is_asked_again() {
    let server = start();
    let token = register(&server, "slow");
    let seats = json!([{"kind": "bot", "name": "slow"}, {"kind": "agent", "agent": "random"}]);
    let (table, _) = server.table("tic-tac-toe", seats);
    for _ in 0..2 {
        let message = connect(&server, "slow", &token).hear();
        assert_eq!((&message["table"], &message["number"]), (&json!(table), &json!(0)));
    }
    let mut stream = connect(&server, "slow", "wrong");
    assert_eq!(stream.hear()["code"], "no_bot");
    assert_eq!(server.post("bots", &json!({"name": "slow"})).1["code"], "name_taken");
}

#[test]
fn a_simple_bot_needs_no_stream() {
    let server = start();
    let token = register(&server, "plain");
    let seats = json!([{"kind": "agent", "agent": "random"}, {"kind": "bot", "name": "plain"}]);
    let (table, _) = server.table("tic-tac-toe", seats);
    let headers = [("X-Seat-Token", token.as_str())];
    while server.get(&format!("tables/{table}")).1["status"] == "playing" {
        let (status, decision) = server.request("GET", "bots/plain/next?wait=1", &headers, None);
        if status == 204 {
            continue;
        }
        let body = json!({"bot": "plain", "number": decision["number"], "action": decision["actions"][0]}).to_string();
        let (status, answer) = server.request("POST", &format!("tables/{table}/act"), &headers, Some(&body));
        assert_eq!(status, 200, "{answer}");
    }
    assert_eq!(server.request("GET", "bots/plain/next", &headers, None).0, 204);
    assert_eq!(server.get("bots/plain/next").0, 403);
}

/// The programs in `examples/bots`.
fn example(server: &Running, program: &str, file: &str, name: &str) -> Child {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots").join(file);
    Command::new(program)
        .arg(file)
        .args([&format!("http://{}", server.address), name])
        .stdout(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"))
}

#[test]
fn the_example_bots_play() {
    let server = start();
    let mut bots = [example(&server, "python3", "bot.py", "python"), example(&server, "sh", "bot.sh", "shell")];
    let begun = Instant::now();
    while server.get("bots").1["bots"].as_array().unwrap().len() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the bots did not register");
        thread::sleep(Duration::from_millis(50));
    }
    let request = json!({"game": "tic-tac-toe", "players": [{"bot": "python"}, {"bot": "shell"}], "games": 4});
    let competition = server.ok("competitions", &request)["competition"].clone();
    let end = wait_until_over(&server, competition["id"].as_str().unwrap());
    for bot in &mut bots {
        let _ = bot.kill();
        let _ = bot.wait();
    }
    assert_eq!(end["done"], 4);
}
