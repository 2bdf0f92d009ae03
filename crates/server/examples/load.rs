//! How much a server bears: `load MEEPLE [TABLES [SECONDS]]` starts the program MEEPLE as a server and plays
//! at it over loopback.
//!
//! Each table is one game of connect-four between two bots that move at random, a new one as soon as it is
//! over. A move's round trip goes from the moment that it is sent to the moment that the other bot is asked.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Moves a second at each table.
const PACE: f64 = 10.0;

/// Messages a second that make no sense.
const NONSENSE: u32 = 10_000;

#[tokio::main]
async fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let program = arguments.first().ok_or("load MEEPLE [TABLES [SECONDS]]")?.clone();
    let number = |place: usize, default: u64| arguments.get(place).map_or(Ok(default), |text| text.parse());
    let (tables, seconds) = (number(1, 500)? as usize, Duration::from_secs(number(2, 20)?));
    let data = std::env::temp_dir().join(format!("meeple-load-{}", std::process::id()));

    let server = Process::start(&program, &data)?;
    let address = server.address;
    let load = Arc::new(Load::new(address));
    load.memory_of_idle_tables(server.child.id()).await?;
    let players = load.register(2 * tables).await?;
    for player in &players {
        tokio::spawn(play(load.clone(), player.clone()));
    }
    for pair in players.chunks(2) {
        load.begin(&pair[0].0, &pair[1].0).await?;
    }
    let say = |what: &str, moves: u64, seconds: f64, mut trips: Vec<f64>| {
        trips.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| trips.get((trips.len() as f64 * share) as usize).copied().unwrap_or(0.0);
        let (median, late, latest) = (at(0.5), at(0.99), trips.last().copied().unwrap_or(0.0));
        println!(
            "{what}: {:.0} moves/s, round trip {median:.1} ms, 99 % below {late:.1} ms, longest {latest:.1} ms",
            moves as f64 / seconds
        );
    };
    tokio::time::sleep(Duration::from_secs(3)).await;
    let paced = load.measure(seconds).await;
    say(&format!("{tables} tables at {PACE} moves/s each"), paced.0, paced.1, paced.2);

    let flood = tokio::spawn(flood(load.clone()));
    tokio::time::sleep(Duration::from_secs(2)).await;
    let disturbed = load.measure(seconds).await;
    let sent = load.nonsense.swap(0, Ordering::Relaxed) as f64 / (disturbed.1 + 2.0);
    say(&format!("the same with {sent:.0} senseless messages/s"), disturbed.0, disturbed.1, disturbed.2);
    flood.abort();

    load.paced.store(false, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let free = load.measure(seconds).await;
    say("as fast as they can", free.0, free.1, free.2);

    load.ended.store(true, Ordering::Relaxed);
    drop(server); // killed, not asked
    let begun = Instant::now();
    let server = Process::start(&program, &data)?;
    let found = Load::new(server.address).tables().await?;
    println!("killed and started again: {found} games in {:.2} s", begun.elapsed().as_secs_f64());
    drop(server);
    std::fs::remove_dir_all(&data)?;
    Ok(())
}

/// The server as a program of its own.
struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    fn start(program: &str, data: &Path) -> Done<Process> {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--no-browser", "--requests", "1000000", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next()).ok_or(line.clone())?;
        Ok(Process { child, address: address.parse()? })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A name and its secret.
type Player = (String, String);

struct Load {
    address: SocketAddr,
    paced: AtomicBool,
    ended: AtomicBool,
    moves: AtomicU64,
    nonsense: AtomicU64,
    /// When the last move at each table was sent.
    sent: Mutex<HashMap<String, Instant>>,
    /// Milliseconds.
    trips: Mutex<Vec<f64>>,
}

impl Load {
    fn new(address: SocketAddr) -> Load {
        Load {
            address,
            paced: AtomicBool::new(true),
            ended: AtomicBool::new(false),
            moves: AtomicU64::new(0),
            nonsense: AtomicU64::new(0),
            sent: Mutex::default(),
            trips: Mutex::default(),
        }
    }

    async fn request(&self, method: &str, path: &str, body: &str) -> Done<Value> {
        let mut stream = TcpStream::connect(self.address).await?;
        let text = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(text.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        let answer = String::from_utf8(answer)?;
        let body = answer.split_once("\r\n\r\n").ok_or("no answer")?.1;
        Ok(serde_json::from_str(body)?)
    }

    async fn register(&self, count: usize) -> Done<Vec<Player>> {
        let mut players = Vec::with_capacity(count);
        for number in 0..count {
            let name = format!("bot {number}");
            let answer = self.request("POST", "bots", &json!({"name": name}).to_string()).await?;
            players.push((name, answer["token"].as_str().ok_or("no token")?.to_string()));
        }
        Ok(players)
    }

    /// A game between two bots.
    async fn begin(&self, first: &str, second: &str) -> Done<()> {
        let seats = json!([{"kind": "bot", "name": first}, {"kind": "bot", "name": second}]);
        let answer =
            self.request("POST", "tables", &json!({"game": "connect-four", "seats": seats}).to_string()).await?;
        answer["table"]["id"].as_str().map(drop).ok_or_else(|| answer.to_string().into())
    }

    async fn tables(&self) -> Done<usize> {
        Ok(self.request("GET", "tables", "").await?["tables"].as_array().ok_or("no tables")?.len())
    }

    /// Moves, seconds and round trips from now on.
    async fn measure(&self, time: Duration) -> (u64, f64, Vec<f64>) {
        self.moves.store(0, Ordering::Relaxed);
        self.trips.lock().expect("nobody breaks down").clear();
        let begun = Instant::now();
        tokio::time::sleep(time).await;
        let trips = std::mem::take(&mut *self.trips.lock().expect("nobody breaks down"));
        (self.moves.load(Ordering::Relaxed), begun.elapsed().as_secs_f64(), trips)
    }

    /// What a table takes at which nobody plays.
    async fn memory_of_idle_tables(&self, process: u32) -> Done<()> {
        let resident = || -> Done<f64> {
            let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no memory")?;
            Ok(line.split_whitespace().nth(1).ok_or("no memory")?.parse::<f64>()? * 1024.0)
        };
        let count = 4000;
        let seats = json!([{"kind": "person", "name": "a"}, {"kind": "open"}]);
        let body = json!({"game": "connect-four", "seats": seats}).to_string();
        for _ in 0..100 {
            self.request("POST", "tables", &body).await?;
        }
        let before = resident()?;
        for _ in 0..count {
            self.request("POST", "tables", &body).await?;
        }
        println!("an idle table takes {:.1} kB", (resident()? - before) / f64::from(count) / 1000.0);
        Ok(())
    }
}

/// One bot, as long as the load lasts.
async fn play(load: Arc<Load>, (name, token): Player) -> Done<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/api/v1/bots/stream", load.address)).await?;
    socket.send(Message::Text(json!({"type": "hello", "bot": name, "token": token}).to_string().into())).await?;
    let mut random = u64::from_str_radix(&token[..15], 16)?;
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let now = Instant::now();
        let message: Value = serde_json::from_str(&text)?;
        let table = message["table"].as_str().unwrap_or_default().to_string();
        let before = load.sent.lock().expect("nobody breaks down").remove(&table);
        if let Some(before) = before {
            load.trips.lock().expect("nobody breaks down").push(now.duration_since(before).as_secs_f64() * 1000.0);
            load.moves.fetch_add(1, Ordering::Relaxed);
        }
        match message["type"].as_str() {
            Some("decide") => {}
            // The first of the two asks for the next game.
            Some("over") if name.ends_with(['0', '2', '4', '6', '8']) && !load.ended.load(Ordering::Relaxed) => {
                let number: u32 = name.trim_start_matches("bot ").parse()?;
                load.begin(&name, &format!("bot {}", number + 1)).await?;
                continue;
            }
            _ => continue,
        }
        if load.paced.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_secs_f64(1.0 / PACE)).await;
        }
        let actions = message["actions"].as_array().ok_or("no actions")?;
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let action = &actions[(random >> 33) as usize % actions.len()];
        let answer = json!({"type": "act", "table": table, "number": message["number"], "action": action}).to_string();
        load.sent.lock().expect("nobody breaks down").insert(table, Instant::now());
        socket.send(Message::Text(answer.into())).await?;
    }
    Ok(())
}

/// Senseless messages from a few clients, who come back whenever they are let go.
async fn flood(load: Arc<Load>) {
    let clients = 20;
    let client = |load: Arc<Load>| async move {
        let listed = load.request("GET", "tables", "").await.unwrap_or_default();
        let table = listed["tables"][0]["id"].as_str().unwrap_or_default().to_string();
        loop {
            let address = format!("ws://{}/api/v1/tables/{table}/stream", load.address);
            let Ok((socket, _)) = tokio_tungstenite::connect_async(address).await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (mut sink, mut source) = socket.split();
            tokio::spawn(async move { while let Some(Ok(_)) = source.next().await {} });
            let _ = sink.send(Message::Text("{\"type\":\"hello\"}".into())).await;
            let mut ticks = tokio::time::interval(Duration::from_millis(10));
            'connected: loop {
                ticks.tick().await;
                for _ in 0..NONSENSE / clients / 100 {
                    if sink.send(Message::Text("{\"type\":\"nonsense\"}".into())).await.is_err() {
                        break 'connected;
                    }
                    load.nonsense.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    };
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..clients {
        all.spawn(client(load.clone()));
    }
    while all.join_next().await.is_some() {}
}
