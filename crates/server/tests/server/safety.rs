//! What is wrong is refused, says so, and changes nothing.

use meeple_core::Rng;
use meeple_server::{Server, Settings};
use serde_json::{Value, json};

use crate::common::{Running, Stream, settings, start};

fn two_people() -> Value {
    json!([{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}])
}

#[test]
fn messages_that_make_no_sense_change_nothing() {
    let server = start();
    let (table, tokens) = server.table("connect-four", two_people());
    let mut stream = server.stream(&table, tokens[0].as_deref());
    let before = stream.hear();
    for (message, code) in [
        ("", "bad_message"),
        ("{", "bad_message"),
        ("[]", "bad_message"),
        ("{\"type\":\"act\"}", "bad_message"),
        ("{\"type\":\"act\",\"number\":-1,\"action\":\"d\"}", "bad_message"),
        ("{\"type\":\"act\",\"number\":0,\"action\":\"d\",\"more\":1}", "bad_message"),
        ("{\"type\":\"pause\",\"junk\":1}", "bad_message"),
        ("{\"type\":\"resume\",\"junk\":1}", "bad_message"),
        ("{\"type\":\"fly\"}", "bad_message"),
        ("{\"type\":\"hello\"}", "bad_message"),
        ("{\"type\":\"act\",\"number\":1,\"action\":\"d\"}", "wrong_number"),
        ("{\"type\":\"act\",\"number\":0,\"action\":\"z\"}", "illegal_action"),
        ("{\"type\":\"resume\"}", "not_paused"),
    ] {
        stream.say_text(message);
        assert_eq!(stream.hear()["code"], code, "{message}");
    }
    let act = json!({"type": "act", "number": 0, "action": before["choices"][0]["action"]});
    stream.say(&act);
    assert_eq!(stream.hear()["number"], 1);
    stream.say(&act);
    assert_eq!(stream.hear()["code"], "wrong_number", "the same again");
    let mut stranger = server.stream(&table, Some("wrong"));
    assert_eq!(stranger.hear()["code"], "no_seat");
    assert_eq!(stranger.hear(), Value::Null, "the stream is closed");
    let mut watcher = server.stream(&table, None);
    assert_eq!(watcher.hear()["number"], 1);
    watcher.say(&json!({"type": "resign"}));
    assert_eq!(watcher.hear()["code"], "no_seat");
}

#[test]
fn a_message_that_is_too_large_ends_the_stream() {
    let server = start();
    let (table, tokens) = server.table("connect-four", two_people());
    let mut stream = server.stream(&table, tokens[0].as_deref());
    stream.hear();
    stream.say_text(&format!("{{\"type\":\"act\",\"number\":0,\"action\":\"{}\"}}", "d".repeat(20_000)));
    assert_eq!(stream.hear(), Value::Null);
    assert_eq!(server.get(&format!("tables/{table}")).1["number"], 0);
    let (status, _) = server.post("tables", &json!({"game": "x".repeat(2 << 20)}));
    assert_eq!(status, 413);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let server = start();
    for (body, code) in [
        (json!({}), "bad_request"),
        (json!({"game": "connect-four"}), "bad_request"),
        (json!({"game": "no-such", "seats": two_people()}), "bad_game"),
        (json!({"game": "connect-four", "rules": {"rows": "99"}, "seats": two_people()}), "bad_game"),
        (json!({"game": "connect-four", "seats": [{"kind": "open"}]}), "bad_seats"),
        (json!({"game": "connect-four", "seats": [{"kind": "open", "x": 1}, {"kind": "open"}]}), "bad_request"),
        (json!({"game": "connect-four", "seats": two_people(), "clock": {"kind": "none", "y": 2}}), "bad_request"),
        (json!({"game": "connect-four", "seats": [{"kind": "open"}, {"kind": "person", "name": " "}]}), "bad_name"),
        (
            json!({"game": "connect-four", "seats": [{"kind": "open"}, {"kind": "bot", "name": "nobody"}]}),
            "no_such_bot",
        ),
        (json!({"game": "connect-four", "seats": two_people(), "clock": {"kind": "move", "seconds": -1}}), "bad_clock"),
        (
            json!({"game": "connect-four", "seats": [{"kind": "open"}, {"kind": "agent", "agent": "exec:./x"}]}),
            "bad_agent",
        ),
        (
            json!({"game": "just4fun", "seats": [{"kind": "open"}, {"kind": "agent", "agent": "cheating-mcts:iterations=9"}]}),
            "bad_agent",
        ),
    ] {
        let (status, answer) = server.post("tables", &body);
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{body}");
        assert!(!answer["message"].as_str().unwrap().is_empty());
    }
    let (status, answer) = server.get("no/such/address");
    assert_eq!((status, &answer["code"]), (404, &json!("not_found")));
    assert_eq!(server.request("DELETE", "tables", &[], None).1["code"], "bad_method");
    assert_eq!(server.get("tables/none").0, 404);
    assert_eq!(server.get("results/..%2F..%2Fetc/passwd").0, 404);
    assert_eq!(server.get("/web/..%2FCargo.toml").0, 404);
    assert_eq!(server.get("records?game=x'%20OR%201=1").0, 404);
}

#[test]
fn random_bytes_never_break_a_server() {
    let server = start();
    let (table, tokens) = server.table("just4fun", two_people());
    let mut stream = server.stream(&table, tokens[0].as_deref());
    let state = stream.hear();
    let sound = json!({"type": "act", "number": state["number"], "action": state["choices"][0]["action"]}).to_string();
    let mut rng = Rng::from_seed(5);
    for _ in 0..500 {
        let mut bytes = sound.clone().into_bytes();
        for _ in 0..=rng.below(4) {
            let place = rng.below(bytes.len() as u32) as usize;
            bytes[place] = rng.below(128) as u8;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if serde_json::from_str::<Value>(&text).is_ok_and(|value| value["action"] == state["choices"][0]["action"]) {
            continue;
        }
        stream.say_text(&text);
        let answer = stream.hear();
        assert_eq!(answer["type"], "error", "{text}: {answer}");
        let (status, _) = server.request("POST", "tables", &[], Some(&text));
        assert_eq!(status, 400, "{text}");
    }
    stream.say_text(&sound);
    assert_ne!(stream.hear()["number"], state["number"], "the game goes on");
}

/// A message with some bytes changed, left out or added, perhaps cut off.
fn broken(sound: &Value, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = sound.to_string().into_bytes();
    for _ in 0..=rng.below(3) {
        let place = rng.below(bytes.len() as u32) as usize;
        // Half of them mean something.
        let any = match rng.below(2) {
            0 => *rng.choose(b"0123456789-.eE\"{}[]:, \\u"),
            _ => rng.below(256) as u8,
        };
        match rng.below(16) {
            0 => bytes.truncate(place + 1),
            1..=3 => bytes.insert(place, any),
            4..=6 if bytes.len() > 1 => drop(bytes.remove(place)),
            _ => bytes[place] = any,
        }
    }
    bytes
}

/// Broken messages at each address.
const BROKEN: usize = 800;

#[test]
fn broken_requests_never_break_a_server() {
    let server = start();
    let bot = server.ok("bots", &json!({"name": "b"}))["token"].as_str().unwrap().to_string();
    let bot_and_agent = json!([{"kind": "bot", "name": "b"}, {"kind": "agent", "agent": "random"}]);
    let (table, _) = server.table("tic-tac-toe", bot_and_agent.clone());
    let (open, tokens) = server.table(
        "hearts",
        json!([{"kind": "person", "name": "Ann"}, {"kind": "open"},
        {"kind": "open"}, {"kind": "open"}]),
    );
    let players = json!([{"agent": "random"}, {"bot": "b"}]);
    let clock = json!({"kind": "fischer", "seconds": 60, "increment": 1});
    let mut rng = Rng::from_seed(5);
    for (address, token, sound) in [
        ("tables", &bot, json!({"game": "tic-tac-toe", "seats": bot_and_agent, "clock": clock, "timeout": "loss"})),
        (&format!("tables/{table}/act"), &bot, json!({"bot": "b", "number": 0, "action": "b2"})),
        (&format!("tables/{open}/seats/1"), tokens[0].as_ref().unwrap(), json!({"agent": "random", "name": "Rob"})),
        ("positions", &bot, json!({"game": "just4fun", "rules": {"players": "3"}, "actions": [], "viewer": "all"})),
        ("positions", &bot, json!({"game": "tic-tac-toe", "position": "x.o/.../...", "viewer": 0})),
        (
            "analysis",
            &bot,
            json!({"game": "tic-tac-toe", "actions": ["a1"], "agent": "mcts:iterations=20",
            "tree": {"depth": 2, "visits": 1}, "beliefs": 3}),
        ),
        ("bots", &bot, json!({"name": "another", "open": false})),
        ("competitions", &bot, json!({"game": "tic-tac-toe", "players": players, "games": 2, "seed": 7})),
    ] {
        for _ in 0..BROKEN {
            let bytes = broken(&sound, &mut rng);
            let (status, _, answer) = server.raw("POST", address, &[("X-Seat-Token", token)], Some(&bytes));
            let text = String::from_utf8_lossy(&bytes);
            assert!((200..500).contains(&status), "{address} {text}: {status} {answer}");
        }
        assert_eq!(server.get("games").0, 200, "{address}");
    }
}

#[test]
fn broken_messages_never_break_a_stream() {
    let server = start();
    let bot = server.ok("bots", &json!({"name": "b"}))["token"].as_str().unwrap().to_string();
    server.table("tic-tac-toe", json!([{"kind": "bot", "name": "b"}, {"kind": "agent", "agent": "random"}]));
    let (table, tokens) = server.table("just4fun", two_people());
    let at_table = format!("tables/{table}/stream");
    let hello = json!({"type": "hello", "token": tokens[0]});
    let hello_of_bot = json!({"type": "hello", "bot": "b", "token": bot});
    let mut rng = Rng::from_seed(5);
    let mut say = |stream: &mut Stream, sound: &Value| {
        let bytes = broken(sound, &mut rng);
        match rng.below(4) {
            0 => stream.say_bytes(&bytes),
            _ => stream.say_text(&String::from_utf8_lossy(&bytes)),
        }
    };
    for (address, sound) in [(&*at_table, &hello), ("bots/stream", &hello_of_bot)] {
        for _ in 0..BROKEN {
            let mut stream = server.open(address);
            say(&mut stream, sound);
            assert!(stream.hear_text().is_some(), "{address} says nothing");
        }
        assert_eq!(server.get("games").0, 200, "{address}");
    }
    let number = server.get(&format!("tables/{table}")).1["number"].clone();
    let act = json!({"type": "act", "table": table, "number": number, "action": "3"});
    for (address, hello) in [(&*at_table, &hello), ("bots/stream", &hello_of_bot)] {
        let mut stream = server.open(address);
        stream.say(hello);
        for _ in 0..BROKEN {
            say(&mut stream, &act);
        }
        // All of them were heard, and this one too.
        stream.say(&json!({"type": "act", "table": "the last one", "number": number, "action": ""}));
        stream.wait_for(|answer| answer["table"] == "the last one");
    }
}

#[test]
fn other_hosts_and_other_pages_are_refused() {
    let server = start();
    for (headers, status) in [
        (&[("Host", "evil.example")][..], 421),
        (&[("Host", "localhost")], 200),
        (&[("Host", "localhost:7777")], 200),
        (&[("Host", "localhost"), ("Origin", "http://localhost")], 200),
        (&[("Host", "localhost"), ("Origin", "http://evil.example")], 403),
        (&[("Host", "localhost"), ("Origin", "null")], 403),
    ] {
        assert_eq!(server.request("GET", "games", headers, None).0, status, "{headers:?}");
    }
    let (_, head, _) = server.raw("GET", "/", &[], None);
    let head = head.to_lowercase();
    assert!(head.contains("content-security-policy: default-src 'self'") && !head.contains("unsafe"), "{head}");
    assert!(!head.contains("access-control-allow-origin"));
    assert!(head.contains("connect-src 'self';"), "{head}");
}

#[test]
fn a_server_with_a_token_wants_it_everywhere() {
    let server = Running::start(Settings { token: Some("open sesame".into()), ..settings() });
    assert_eq!(server.get("tables").1["code"], "token_required");
    assert_eq!(server.request("GET", "tables", &[("Authorization", "Bearer wrong")], None).0, 401);
    let right = [("Authorization", "Bearer open sesame")];
    assert_eq!(server.request("GET", "tables", &right, None).0, 200);
    let body = json!({"game": "connect-four", "seats": two_people()}).to_string();
    let (_, created) = server.request("POST", "tables", &right, Some(&body));
    let path = format!("tables/{}/stream", created["table"]["id"].as_str().unwrap());
    let mut stream = server.open(&path);
    stream.say(&json!({"type": "hello"}));
    assert_eq!(stream.hear()["code"], "token_required");
    let mut stream = server.open(&path);
    stream.say(&json!({"type": "hello", "server_token": "open sesame"}));
    assert_eq!(stream.hear()["type"], "state");
    assert_eq!(server.raw("GET", "/", &[], None).0, 200, "the page asks for the token");
}

#[test]
fn others_can_connect_only_with_a_token() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let open = Settings { host: [0, 0, 0, 0].into(), ..settings() };
    let refused = runtime.block_on(Server::start(open)).unwrap_err();
    assert!(refused.to_string().contains("token"), "{refused}");
    for (host, token) in [([0, 0, 0, 0], ""), ([127, 0, 0, 1], " ")] {
        let empty = Settings { host: host.into(), token: Some(token.into()), ..settings() };
        let refused = runtime.block_on(Server::start(empty)).unwrap_err();
        assert!(refused.to_string().contains("empty"), "{refused}");
    }
}

#[test]
fn who_asks_too_often_waits() {
    let server = Running::start(Settings { requests: 2.0, messages: 2.0, ..settings() });
    let answers: Vec<(u16, String, String)> = (0..15).map(|_| server.raw("GET", "games", &[], None)).collect();
    assert!(answers[..5].iter().all(|(status, ..)| *status == 200));
    let (_, head, body) = answers.iter().find(|(status, ..)| *status == 429).expect("some are refused");
    assert!(head.to_lowercase().contains("retry-after: 1"), "{head}");
    assert_eq!(serde_json::from_str::<Value>(body).unwrap()["wait"], 1);

    let server = Running::start(Settings { messages: 2.0, ..settings() });
    let (table, tokens) = server.table("connect-four", two_people());
    let mut stream = server.stream(&table, tokens[0].as_deref());
    stream.hear();
    (0..10).for_each(|_| stream.say_text("{}"));
    let codes: Vec<Value> = (0..6).map(|_| stream.hear()["code"].clone()).collect();
    assert_eq!(codes[0], "bad_message");
    assert!(codes.contains(&json!("too_many_requests")), "{codes:?}");
}

/// An answer that says how long to wait.
fn assert_too_many((status, answer): (u16, Value), what: &str) {
    assert_eq!((status, &answer["code"]), (429, &json!("too_many_requests")), "{what}: {answer}");
    assert!(answer["message"].as_str().unwrap().contains(what) && answer["wait"].as_u64() > Some(0), "{answer}");
}

#[test]
fn an_address_has_so_many_tables_and_agents() {
    let server = Running::start(Settings { tables: 2, agents: 2, ..settings() });
    let agent = json!({"kind": "agent", "agent": "random"});
    let with_agent = json!([{"kind": "person", "name": "Ann"}, agent]);
    let create = |seats: &Value| server.post("tables", &json!({"game": "connect-four", "seats": seats}));
    assert_too_many(server.post("tables", &json!({"game": "sueca", "seats": vec![agent.clone(); 4]})), "agents");
    let (_, created) = create(&with_agent);
    let (table, tokens) = server.table("connect-four", json!([{"kind": "person", "name": "Ann"}, {"kind": "open"}]));
    assert_too_many(create(&two_people()), "tables");
    let join = server.post_as(
        tokens[0].as_deref().unwrap(),
        &format!("tables/{table}/seats/1"),
        &json!({"agent": "mcts:iterations=10"}),
    );
    assert_eq!(join.0, 200, "{join:?}");
    // What is over counts no longer, and who plays again needs room for it.
    let first = created["table"]["id"].as_str().unwrap();
    let token = created["tokens"][0].as_str().unwrap();
    server.post_as(token, &format!("tables/{first}/resign"), &json!({}));
    assert_eq!(create(&two_people()).0, 200);
    assert_too_many(server.post_as(token, &format!("tables/{first}/rematch"), &json!({})), "tables");
}

#[test]
fn questions_and_positions_have_limits_of_their_own() {
    let server = Running::start(Settings { questions: 1, ..settings() });
    let long = json!({"game": "connect-four", "actions": [], "agent": "mcts:iterations=10000000"}).to_string();
    std::thread::scope(|scope| {
        let ask = || server.request("POST", "analysis", &[], Some(&long));
        let answers = [scope.spawn(ask), scope.spawn(ask)].map(|asked| asked.join().unwrap());
        assert!(answers.iter().any(|(status, _)| *status == 200));
        let refused = answers.into_iter().find(|(status, _)| *status != 200).expect("one is too many");
        assert_too_many(refused, "questions");
    });
    let server = Running::start(Settings { requests: 4.0, ..settings() });
    let position = || server.post("positions", &json!({"game": "tic-tac-toe", "actions": []}));
    let refused = (0..12).map(|_| position()).find(|(status, _)| *status != 200).expect("some are too many");
    assert_too_many(refused, "positions");
    assert_eq!(server.get("games").0, 200, "other requests go on");
}

#[test]
fn who_does_not_answer_is_let_go() {
    let server = Running::start(Settings { ping: std::time::Duration::from_millis(100), ..settings() });
    let (table, tokens) = server.table("connect-four", two_people());
    let mut silent = server.stream(&table, None);
    let mut present = server.stream(&table, tokens[0].as_deref());
    let state = present.hear();
    let act = std::thread::spawn(move || {
        // Reading answers pings.
        assert_eq!(present.hear()["number"], 1);
        present
    });
    std::thread::sleep(std::time::Duration::from_millis(1000));
    let body = json!({"number": 0, "action": state["choices"][0]["action"]});
    assert_eq!(server.post_as(tokens[0].as_deref().unwrap(), &format!("tables/{table}/act"), &body).0, 200);
    drop(act.join().unwrap());
    assert_eq!(silent.hear()["number"], 0);
    assert_eq!(silent.hear(), Value::Null, "its stream has ended before anything happened");
}

#[test]
fn names_are_data() {
    let server = start();
    let name = "<script>alert(1)</script>";
    let (table, _) = server.table("connect-four", json!([{"kind": "person", "name": name}, {"kind": "open"}]));
    let (_, head, body) = server.raw("GET", &format!("tables/{table}"), &[], None);
    assert!(head.to_lowercase().contains("content-type: application/json"));
    assert!(head.to_lowercase().contains("x-content-type-options: nosniff"));
    assert!(body.contains(name), "{body}");
}

#[test]
fn secrets_are_neither_kept_nor_told() {
    let server = start();
    let (_, tokens) = server.table("connect-four", two_people());
    let bot = server.ok("bots", &json!({"name": "b"}))["token"].as_str().unwrap().to_string();
    let journal = std::fs::read_to_string(server.data.join("tables.journal")).unwrap();
    for secret in tokens.into_iter().flatten().chain([bot]) {
        assert!(!journal.contains(&secret));
        assert!(!server.get("tables").1.to_string().contains(&secret));
        assert!(!server.get("bots").1.to_string().contains(&secret));
    }
}
