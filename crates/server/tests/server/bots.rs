//! Programs that dial in, and competitions.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Answers every decision with its last action until so many games are over, or the stream is.
fn answer_all(mut stream: Stream, games: usize) {
    let mut over = 0;
    while over < games {
        let message = stream.hear();
        if message.is_null() {
            return;
        }
        match message["type"].as_str().unwrap() {
            "decide" => {
                let action = message["actions"].as_array().unwrap().last().unwrap();
                assert!(message["view"]["scene"].is_object() && message["view"]["text"].is_string());
                let answer =
                    json!({"type": "act", "table": message["table"], "number": message["number"], "action": action});
                stream.say(&answer);
            }
            "over" => over += 1,
            "seated" => assert!(message["seat"].is_u64()),
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
    let records = |query: &str| server.get(&format!("records?{query}")).1["records"].as_array().map(Vec::len);
    let id = competition["id"].as_str().unwrap();
    assert_eq!(records("game=connect-four"), Some(10));
    assert_eq!(records(&format!("run={id}")), Some(10));
    assert_eq!((records(&format!("run={id}&game=hearts")), records("run=abcd")), (Some(0), Some(0)));
    assert_eq!(server.get("records?run=x'%20OR%201=1").0, 404);
}

#[test]
fn three_meet_at_tables_of_two() {
    let server = start();
    let players = json!([{"agent": "random"}, {"agent": "mcts:iterations=300"}, {"agent": "mcts:iterations=2"}]);
    let request = json!({"game": "connect-four", "players": players, "games": 12});
    let competition = server.ok("competitions", &request)["competition"].clone();
    let end = wait_until_over(&server, competition["id"].as_str().unwrap());
    let players = end["players"].as_array().unwrap();
    for player in players {
        let counts = ["wins", "draws", "losses"].map(|what| player[what].as_u64().unwrap());
        assert_eq!(counts.iter().sum::<u64>(), 8, "each sits at two of three tables: {end}");
    }
    assert!(players[1]["wins"].as_u64() >= Some(7), "wins count for the winner: {end}");
    let (status, answer) = server.post("competitions", &json!({"game": "connect-four", "players": [], "games": 1}));
    assert_eq!((status, &answer["code"]), (400, &json!("bad_competition")), "{answer}");
}

#[test]
fn a_bot_that_comes_back_is_asked_again() {
    let server = start();
    let token = register(&server, "slow");
    let seats = json!([{"kind": "bot", "name": "slow"}, {"kind": "agent", "agent": "random"}]);
    let (table, _) = server.table("tic-tac-toe", seats);
    for _ in 0..2 {
        let mut stream = connect(&server, "slow", &token);
        let seated = json!({"type": "seated", "table": table, "seat": 0, "game": "tic-tac-toe", "rules": {},
            "clock": {"kind": "none"}});
        assert_eq!(stream.hear(), seated);
        let message = stream.hear();
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

#[test]
fn bots_are_not_taken_for_agents() {
    let server = start();
    for name in ["random", "MCTS", "mcts:iterations=10", "a:b"] {
        let (status, answer) = server.post("bots", &json!({"name": name}));
        assert_eq!((status, &answer["code"]), (400, &json!("bad_name")), "{name}");
    }
}

/// However hellos and new tables cross, a stream hears of each seat and of each decision once, of the seats first.
#[test]
fn what_a_stream_hears_of_a_table_it_hears_once() {
    let server = start();
    let token = register(&server, "prompt");
    let seats = json!([{"kind": "bot", "name": "prompt"}, {"kind": "bot", "name": "prompt"}]);
    let made = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..60 {
                server.table("tic-tac-toe", seats.clone());
                made.fetch_add(1, Ordering::SeqCst);
            }
        });
        while made.load(Ordering::SeqCst) < 60 {
            let mut stream = connect(&server, "prompt", &token);
            let mut heard = HashMap::new();
            for _ in 0..3 * made.load(Ordering::SeqCst) {
                let message = stream.hear();
                let kinds = heard.entry(message["table"].to_string()).or_insert_with(Vec::new);
                kinds.push(message["type"].clone());
                assert!(kinds.len() <= 3 && *kinds == ["seated", "seated", "decide"][..kinds.len()], "{kinds:?}");
            }
        }
    });
}

#[test]
fn open_seats_are_given_to_agents_and_bots() {
    let server = start();
    let (table, tokens) = server.table(
        "hearts",
        json!([{"kind": "person", "name": "Ann"}, {"kind": "open"}, {"kind": "open"}, {"kind": "open"}]),
    );
    let ann = tokens[0].as_deref().unwrap();
    let join =
        |token: &str, seat: usize, body: Value| server.post_as(token, &format!("tables/{table}/seats/{seat}"), &body);
    let code = |answer: (u16, Value)| answer.1["code"].as_str().unwrap_or_default().to_string();
    register(&server, "willing");
    let own = server.ok("bots", &json!({"name": "choosy", "open": false}))["token"].as_str().unwrap().to_string();
    assert_eq!(code(join("wrong", 1, json!({"agent": "random"}))), "no_seat");
    assert_eq!(code(join("wrong", 1, json!({"bot": "willing"}))), "no_seat");
    assert_eq!(code(join(ann, 1, json!({"agent": "exec:./x"}))), "bad_agent");
    assert_eq!(code(join(ann, 1, json!({"bot": "choosy"}))), "bot_not_open");
    assert_eq!(code(join(ann, 1, json!({"bot": "nobody"}))), "no_such_bot");
    assert_eq!(code(join(ann, 1, json!({"bot": "willing", "agent": "random"}))), "bad_request");
    assert_eq!(join(ann, 1, json!({"agent": "random", "name": "Rob"})), (200, json!({"token": null})));
    assert_eq!(code(join(ann, 1, json!({"agent": "random"}))), "seat_taken");
    assert_eq!(join(ann, 2, json!({"bot": "willing"})).0, 200);
    assert_eq!(join(&own, 3, json!({"bot": "choosy"})).0, 200);
    let (_, info) = server.get(&format!("tables/{table}"));
    assert_eq!((&info["status"], &info["seats"][1]["name"]), (&json!("playing"), &json!("Rob")));

    let seats = json!([{"kind": "bot", "name": "choosy"}, {"kind": "agent", "agent": "random"}]);
    let request = json!({"game": "tic-tac-toe", "seats": seats});
    assert_eq!(code(server.post("tables", &request)), "bot_not_open");
    assert_eq!(server.post_as(&own, "tables", &request).0, 200);
    let request = json!({"game": "tic-tac-toe", "players": [{"bot": "choosy"}, {"agent": "random"}], "games": 1});
    assert_eq!(code(server.post("competitions", &request)), "bot_not_open");
}

#[test]
fn a_bot_that_takes_its_seats_itself_is_not_seated_by_a_rematch() {
    let server = start();
    register(&server, "willing");
    let own = server.ok("bots", &json!({"name": "choosy", "open": false}))["token"].as_str().unwrap().to_string();
    for (bot, kind, status) in [("willing", "bot", "playing"), ("choosy", "open", "waiting")] {
        let seats = json!([{"kind": "person", "name": "Ann"}, {"kind": "bot", "name": bot}]);
        let (_, created) = server.post_as(&own, "tables", &json!({"game": "tic-tac-toe", "seats": seats}));
        let (table, ann) = (created["table"]["id"].as_str().unwrap(), created["tokens"][0].as_str().unwrap());
        server.post_as(ann, &format!("tables/{table}/resign"), &json!({}));
        let next = server.post_as(ann, &format!("tables/{table}/rematch"), &json!({})).1["table"].clone();
        assert_eq!((&next["seats"][0]["kind"], &next["status"]), (&json!(kind), &json!(status)), "{next}");
    }
}

/// A game is followed, and played, at its table as the seat of a bot.
#[test]
fn a_bot_follows_its_game() {
    let server = start();
    let token = register(&server, "keen");
    let mut events = connect(&server, "keen", &token);
    let (table, tokens) = server.table("tic-tac-toe", json!([{"kind": "person", "name": "Ann"}, {"kind": "open"}]));
    let ann = tokens[0].as_deref().unwrap();
    server.post_as(ann, &format!("tables/{table}/seats/1"), &json!({"bot": "keen"}));
    let seated = events.hear();
    assert_eq!((&seated["type"], &seated["table"], &seated["seat"]), (&json!("seated"), &json!(table), &json!(1)));
    let open = |bot: &str, token: Option<&str>| {
        let mut stream = server.open(&format!("tables/{table}/stream"));
        stream.say(&json!({"type": "hello", "bot": bot, "token": token}));
        stream
    };
    for (bot, token) in [("keen", Some("wrong")), ("keen", None), ("nobody", Some(&*token)), ("keen", Some(ann))] {
        assert_eq!(open(bot, token).hear()["code"], "no_seat", "{bot} {token:?}");
    }
    let mut states = open("keen", Some(&token));
    assert_eq!(states.hear()["seat"], 1);
    server.post_as(ann, &format!("tables/{table}/act"), &json!({"number": 0, "action": "a1"}));
    let state = states.hear();
    states.say(&json!({"type": "act", "number": 1, "action": state["choices"][0]["action"]}));
    assert_eq!(states.hear()["turn"], 0);
}

#[test]
fn a_bot_gives_up() {
    let server = start();
    let token = register(&server, "weary");
    let seats = json!([{"kind": "bot", "name": "weary"}, {"kind": "agent", "agent": "random"}]);
    let result = json!({"payoffs": [-1.0, 1.0], "reason": "resignation", "winners": [1]});
    let mut stream = connect(&server, "weary", &token);
    let (table, _) = server.table("tic-tac-toe", seats.clone());
    assert_eq!((&stream.hear()["type"], &stream.hear()["type"]), (&json!("seated"), &json!("decide")));
    stream.say(&json!({"type": "resign"}));
    assert_eq!(stream.hear()["code"], "bad_message");
    stream.say(&json!({"type": "resign", "table": table}));
    assert_eq!(stream.hear(), json!({"type": "over", "table": table, "result": result}));
    let (table, _) = server.table("tic-tac-toe", seats);
    let path = format!("tables/{table}/resign?bot=weary");
    assert_eq!(server.post_as("wrong", &path, &json!({})).1["code"], "no_seat");
    assert_eq!(server.post_as(&token, &path, &json!({})).1["status"], "over");
}

/// The programs in `examples/bots`.
fn example(server: &Running, program: &str, file: &str, name: &str) -> Child {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots").join(file);
    Command::new(program)
        .arg(file)
        .args([&format!("http://{}", server.address), name])
        .current_dir(&server.data)
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

#[test]
fn a_competition_goes_on_after_a_restart() {
    let first = crate::common::settings();
    let data = first.data.clone();
    let server = Running::start(first);
    let token = register(&server, "late");
    let players = json!([{"bot": "late"}, {"agent": "random"}]);
    let request = json!({"game": "tic-tac-toe", "players": players, "games": 12});
    let competition = server.ok("competitions", &request)["competition"].clone();
    let id = competition["id"].as_str().unwrap().to_string();
    // Some games are over, some are under way, some have not begun when the server ends.
    answer_all(connect(&server, "late", &token), 5);
    drop(server.stop());
    let server = Running::start(meeple_server::Settings { data, ..crate::common::settings() });
    let (_, before) = server.get(&format!("competitions/{id}"));
    assert_eq!(before["competition"]["status"], "running");
    // How many were over without the bot being told is not known.
    let stream = connect(&server, "late", &token);
    thread::spawn(move || answer_all(stream, 12));
    let end = wait_until_over(&server, &id);
    assert_eq!(end["done"], 12);
    for player in end["players"].as_array().unwrap() {
        let counts = ["wins", "draws", "losses"].map(|what| player[what].as_u64().unwrap());
        assert_eq!(counts.iter().sum::<u64>(), 12, "{end}");
    }
}
