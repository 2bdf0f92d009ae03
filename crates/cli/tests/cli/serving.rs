//! The server as a program: it says where it is, and being killed costs no move.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{folder, json as result, outputs, refused};

struct Server {
    child: Child,
    address: String,
}

/// What a server for others wants.
const SERVER_TOKEN: &str = "a server's own secret";

impl Server {
    fn start(data: &Path) -> Server {
        Server::start_with(data, &["--port", "0"])
    }

    fn start_with(data: &Path, arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_meeple"))
            .args(["serve", "--no-browser", "--requests", "1000000", "--data"])
            .arg(data)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next());
        Server { address: address.unwrap_or_else(|| panic!("{line}")).to_string(), child }
    }

    /// `None` if the server is gone.
    fn request(&self, method: &str, path: &str, token: &str, body: &Value) -> Option<Value> {
        request(&self.address, method, path, token, body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(address: &str, method: &str, path: &str, token: &str, body: &Value) -> Option<Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    let body = if method == "GET" { String::new() } else { body.to_string() };
    let length = body.len();
    write!(
        stream,
        "{method} /api/v1/{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         X-Seat-Token: {token}\r\nAuthorization: Bearer {SERVER_TOKEN}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
}

#[test]
fn where_the_usual_port_is_taken_another_one_is_used() {
    // If this fails somebody else has it.
    let _taken = TcpListener::bind(("127.0.0.1", 7777));
    let server = Server::start_with(&folder("serve-port"), &[]);
    assert!(!server.address.ends_with(":7777"), "{}", server.address);
}

/// A bot moves as fast as it can on all seats of some tables until the server is killed in the middle of it; what
/// was confirmed is there when it is started again, time after time.
#[test]
fn a_killed_server_loses_no_move() {
    let data = folder("serve-kill");
    let mut server = Server::start(&data);
    let bot = server.request("POST", "bots", "", &json!({"name": "b"})).unwrap();
    let token = bot["token"].as_str().unwrap();
    let seats = json!([{"kind": "bot", "name": "b"}, {"kind": "bot", "name": "b"}]);
    let mut confirmed = BTreeMap::new();
    for _ in 0..4 {
        let created = server.request("POST", "tables", "", &json!({"game": "just4fun", "seats": seats})).unwrap();
        confirmed.insert(created["table"]["id"].as_str().unwrap().to_string(), [0, 0]);
    }
    for round in 0..3u64 {
        let address = server.address.clone();
        thread::scope(|scope| {
            let confirmed = &mut confirmed;
            scope.spawn(move || while play_on(&address, token, confirmed).is_some() {});
            thread::sleep(Duration::from_millis(100 + 70 * round));
            server.child.kill().unwrap();
        });
        let _ = server.child.wait();
        let begun = Instant::now();
        server = Server::start(&data);
        assert!(begun.elapsed() < Duration::from_secs(10));
        for (table, [sure, _]) in &confirmed {
            let there = server.request("GET", &format!("tables/{table}"), "", &Value::Null).unwrap()["number"].as_u64();
            // One more may have been written down before its confirmation was sent.
            assert!(there >= Some(*sure), "{there:?} actions are there, {sure} were confirmed");
        }
    }
    let moves: u64 = confirmed.values().map(|[_, moves]| moves).sum();
    assert!(moves > 10, "{confirmed:?}");
}

/// One move; `None` if the server is gone.
fn play_on(address: &str, token: &str, confirmed: &mut BTreeMap<String, [u64; 2]>) -> Option<()> {
    let decision = request(address, "GET", "bots/b/next?wait=5", token, &Value::Null)?;
    let table = decision["table"].as_str()?;
    let body = json!({"bot": "b", "number": decision["number"], "action": decision["actions"][0]});
    let answer = request(address, "POST", &format!("tables/{table}/act"), token, &body)?;
    if let (Some(number), Some(entry)) = (answer["number"].as_u64(), confirmed.get_mut(table)) {
        *entry = [number, entry[1] + 1];
    }
    Some(())
}

#[test]
fn without_a_command_the_page_is_served() {
    let folder = folder("serve-default");
    let program = Command::new(env!("CARGO_BIN_EXE_meeple"))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = program.unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let errors = child.wait_with_output().unwrap().stderr;
    // Somebody else may have the port.
    let taken = String::from_utf8_lossy(&errors).contains("in use");
    assert!(line.contains("http://127.0.0.1:7777") || taken, "{line}");
}

#[test]
fn a_server_for_others_needs_a_token() {
    assert!(refused(&["serve", "--host", "0.0.0.0", "--port", "0"]).contains("--token"));
    assert!(refused(&["serve", "--port", "seven"]).contains("--port"));
}

/// One of the programs in `examples/bots`, started in a folder.
fn example_bot(folder: &Path, server: &Server, [program, file, name]: [&str; 3]) -> Command {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots").join(file);
    let mut command = Command::new(program);
    command.current_dir(folder).arg(file).args([&format!("http://{}", server.address), name]).stderr(Stdio::null());
    command
}

/// Two bots play a game to its end.
fn play_out(server: &Server) {
    let seats = json!([{"kind": "bot", "name": "snake"}, {"kind": "bot", "name": "turtle"}]);
    let created = server.request("POST", "tables", "", &json!({"game": "tic-tac-toe", "seats": seats})).unwrap();
    let table = format!("tables/{}", created["table"]["id"].as_str().unwrap_or_else(|| panic!("{created}")));
    wait(|| server.request("GET", &table, "", &Value::Null).is_some_and(|table| table["status"] == "over"));
}

fn wait(mut is_done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it takes too long");
        thread::sleep(Duration::from_millis(50));
    }
}

const EXAMPLES: [[&str; 3]; 2] = [["python3", "bot.py", "snake"], ["sh", "bot.sh", "turtle"]];

/// They give the server its token, outlive its restart, and play under their names when they are started again.
#[test]
fn example_bots_come_back() {
    let data = folder("serve-bots");
    let mut server = Server::start_with(&data, &["--port", "0", "--token", SERVER_TOKEN]);
    let begin = |server: &Server| {
        EXAMPLES.map(|bot| Bot(example_bot(&data, server, bot).env("MEEPLE_TOKEN", SERVER_TOKEN).spawn().unwrap()))
    };
    let bots = begin(&server);
    wait(|| EXAMPLES.iter().all(|[_, _, name]| data.join(format!("{name}.token")).exists()));
    play_out(&server);
    let port = server.address.rsplit(':').next().unwrap().to_string();
    drop(server);
    server = Server::start_with(&data, &["--port", &port, "--token", SERVER_TOKEN]);
    play_out(&server);
    drop(bots);
    let bots = begin(&server);
    play_out(&server);
    drop(bots);
    for bot in EXAMPLES {
        let refused =
            example_bot(&data, &server, bot).env_remove("MEEPLE_TOKEN").stderr(Stdio::piped()).output().unwrap();
        assert!(String::from_utf8_lossy(&refused.stderr).contains("this server needs its token"), "{refused:?}");
    }
}

/// A program that ends with the test.
struct Bot(Child);

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn programs_play_over_standard_input_and_output() {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let agents = format!("exec:python3 {0}/line.py,exec:sh {0}/line.sh", bots.display());
    let played = result(&["match", "tic-tac-toe", "--agents", &agents, "--games", "6", "--seed", "1"]);
    assert_eq!(played["agents"][0]["name"], format!("exec:python3 {}/line.py", bots.display()));
    let played = outputs(&["match", "tic-tac-toe", "--agents", "exec:true,random", "--games", "4"], "", 1);
    assert!(played.1.contains("did not answer but ended; a random action was taken for it"), "{}", played.1);
    assert!(played.1.contains("error: exec:true: it did not answer 3 times in a row"), "{}", played.1);
    let played = outputs(&["match", "tic-tac-toe", "--agents", "exec:yes,random", "--games", "4"], "", 0);
    assert!(played.1.contains("answered `y`, which is not legal"), "{}", played.1);
    assert!(
        refused(&["match", "tic-tac-toe", "--agents", "exec:/no/such/program,random", "--games", "4"])
            .contains("cannot run")
    );
}
