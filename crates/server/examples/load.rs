//! How much a server bears: `load MEEPLE [TABLES [SECONDS]]` starts the program MEEPLE as a server, plays at it
//! over loopback, and prints what it measures beside what is required. It fails if something is missed.
//!
//! Each table is one game of connect-four between two bots that move at random, a new one as soon as it is
//! over. A move's round trip goes from the moment that it is sent to the moment that the other bot is asked.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Moves a second at each table.
const PACE: u32 = 10;

/// Messages a second that make no sense, and the streams on which they come: each of them says less than a server
/// lets it.
const NONSENSE: u32 = 10_000;
const NONSENSE_STREAMS: u32 = 250;

/// Tables at which nobody plays.
const IDLE: u32 = 4000;

#[tokio::main]
async fn main() -> Done<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let program = arguments.first().ok_or("load MEEPLE [TABLES [SECONDS]]")?.clone();
    let number = |place: usize, default: u64| arguments.get(place).map_or(Ok(default), |text| text.parse());
    let (tables, seconds) = (number(1, 500)? as usize, Duration::from_secs(number(2, 20)?));
    let data = std::env::temp_dir().join(format!("meeple-load-{}", std::process::id()));
    let mut figures = Figures::default();

    let server = Process::start(&program, &data.join("idle"))?;
    let load = Load::new(server.address, tables);
    let page = load.page().await? / 1000.0;
    figures.add("first page load", "< 300 kB", format!("{page:.0} kB"), page < 300.0);
    let idle = load.memory_of_idle_tables(server.child.id()).await? / 1000.0;
    figures.add("idle table", "< 20 kB", format!("{idle:.1} kB"), idle < 20.0);
    drop(server);

    let server = Process::start(&program, &data)?;
    let load = Arc::new(Load::new(server.address, tables));
    let players = load.register(2 * tables).await?;
    let mut bots = load.play(&players);
    for pair in players.chunks(2) {
        load.begin(&pair[0].name, &pair[1].name).await?;
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let wanted = (tables as u32 * PACE) as f64;
    let paced = load.measure(seconds).await;
    let name = format!("{tables} tables, {} bots, {PACE} moves/s each", 2 * tables);
    // A move may be on its way when the time is over.
    figures.add(&name, &format!("{wanted:.0} moves/s"), paced.text(), paced.rate > 0.99 * wanted);
    figures.add("99 % of round trips", "< 50 ms", format!("{:.1} ms", paced.late), paced.late < 50.0);

    let flood = tokio::spawn(flood(load.clone()));
    tokio::time::sleep(Duration::from_secs(2)).await;
    load.nonsense.store(0, Ordering::Relaxed);
    let disturbed = load.measure(3 * seconds).await;
    let sent = load.nonsense.load(Ordering::Relaxed) as f64 / (3 * seconds).as_secs_f64();
    let name = format!("senseless messages for {} s", 3 * seconds.as_secs());
    figures.add(&name, &format!("{NONSENSE}/s"), format!("{sent:.0}/s"), sent > 0.99 * f64::from(NONSENSE));
    let required = format!("> {:.0} moves/s", paced.rate / 2.0);
    figures.add("moves meanwhile", &required, disturbed.text(), disturbed.rate > paced.rate / 2.0);
    figures.add(
        "99 % of round trips meanwhile",
        "< 100 ms",
        format!("{:.1} ms", disturbed.late),
        disturbed.late < 100.0,
    );

    // Moves that wait for their time hide how slow a server is: these do not.
    load.paced.store(false, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let disturbed = load.measure(seconds).await;
    flood.abort();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let calm = load.measure(seconds).await;
    figures.add("as fast as they can", "", calm.text(), true);
    let required = format!("> {:.0} moves/s", calm.rate / 2.0);
    figures.add("the same during senseless messages", &required, disturbed.text(), disturbed.rate > calm.rate / 2.0);

    // Nobody moves any more, so that all games are under way when the server is killed.
    load.held.store(true, Ordering::Relaxed);
    load.count_playing(tables, Duration::from_secs(10)).await?;
    let lost = load.lost.load(Ordering::Relaxed);
    figures.add("bots that were let go", "0", lost.to_string(), lost == 0);
    bots.shutdown().await;
    drop(server); // killed, not asked
    let begun = Instant::now();
    let server = Process::start(&program, &data)?;
    let load = Arc::new(Load::new(server.address, tables));
    let found = load.count_playing(tables, Duration::from_secs(10)).await?;
    let time = begun.elapsed().as_secs_f64();
    let measured = format!("{found} in {time:.2} s");
    figures.add("killed and started again", &format!("{tables} in 3 s"), measured, found == tables && time < 3.0);
    bots = load.play(&players);
    load.measure(seconds.min(Duration::from_secs(5))).await;
    let moved = load.pairs.iter().filter(|pair| lock(pair).moved).count();
    figures.add("games that go on", &tables.to_string(), moved.to_string(), moved == tables);
    bots.shutdown().await;
    drop(server);
    std::fs::remove_dir_all(&data)?;
    Ok(figures.verdict())
}

/// What is required and what was measured.
#[derive(Default)]
struct Figures {
    missed: bool,
}

impl Figures {
    fn add(&mut self, name: &str, required: &str, measured: String, reached: bool) {
        self.missed |= !reached;
        println!("{name:<40} {required:<20} {measured}{}", if reached { "" } else { "  MISSED" });
    }

    fn verdict(&self) -> ExitCode {
        if self.missed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// The server as a program of its own.
struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    fn start(program: &str, data: &Path) -> Done<Process> {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--no-browser", "--requests", "1000000", "--tables", "10000", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next()).ok_or(line.clone())?;
        Ok(Process { child, address: address.parse()? })
    }

    /// What it takes of the memory, in bytes.
    fn resident(process: u32) -> Done<f64> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no memory")?;
        Ok(line.split_whitespace().nth(1).ok_or("no memory")?.parse::<f64>()? * 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Clone)]
struct Player {
    number: usize,
    name: String,
    token: String,
}

/// The game of two bots.
struct Pair {
    /// When the last move was sent, until it has arrived.
    sent: Option<Instant>,
    /// When the next one is to be.
    due: Instant,
    moved: bool,
}

struct Load {
    address: SocketAddr,
    paced: AtomicBool,
    held: AtomicBool,
    nonsense: AtomicU64,
    /// Bots whose streams have ended.
    lost: AtomicU64,
    pairs: Vec<Mutex<Pair>>,
    /// Milliseconds.
    trips: Mutex<Vec<f64>>,
}

/// Moves a second and their round trips in milliseconds.
struct Measured {
    rate: f64,
    median: f64,
    late: f64,
    longest: f64,
}

impl Measured {
    fn text(&self) -> String {
        let Measured { rate, median, late, longest } = self;
        format!("{rate:.0} moves/s, round trip {median:.1} ms, 99 % below {late:.1} ms, longest {longest:.1} ms")
    }
}

impl Load {
    fn new(address: SocketAddr, tables: usize) -> Load {
        let due = Instant::now();
        Load {
            address,
            paced: AtomicBool::new(true),
            held: AtomicBool::new(false),
            nonsense: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            pairs: (0..tables).map(|_| Mutex::new(Pair { sent: None, due, moved: false })).collect(),
            trips: Mutex::default(),
        }
    }

    async fn raw(&self, method: &str, path: &str, body: &str) -> Done<String> {
        let mut stream = TcpStream::connect(self.address).await?;
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(text.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(String::from_utf8(answer)?)
    }

    async fn request(&self, method: &str, path: &str, body: &str) -> Done<Value> {
        let answer = self.raw(method, &format!("/api/v1/{path}"), body).await?;
        let body = answer.split_once("\r\n\r\n").ok_or("no answer")?.1;
        Ok(serde_json::from_str(body)?)
    }

    /// Bytes of the page, headers included: its files as far as they ask for each other, and the first lists.
    async fn page(&self) -> Done<f64> {
        let mut to_load: Vec<String> = ["/", "/api/v1/games", "/api/v1/tables"].map(String::from).into();
        let mut loaded: BTreeSet<String> = BTreeSet::new();
        let mut bytes = 0;
        while let Some(path) = to_load.pop() {
            if !loaded.insert(path.clone()) {
                continue;
            }
            let answer = self.raw("GET", &path, "").await?;
            bytes += answer.len();
            let is_file = |piece: &&str| [".js", ".css", ".svg"].iter().any(|ending| piece.ends_with(ending));
            let quoted = answer.split(['"', '\'']).filter(is_file);
            let files = quoted.filter_map(|piece| piece.rsplit('/').next());
            to_load.extend(files.map(|file| format!("/web/{file}")));
        }
        Ok(bytes as f64)
    }

    async fn register(&self, count: usize) -> Done<Vec<Player>> {
        let mut players = Vec::with_capacity(count);
        for number in 0..count {
            let name = format!("bot {number}");
            let answer = self.request("POST", "bots", &json!({"name": name}).to_string()).await?;
            players.push(Player { number, name, token: answer["token"].as_str().ok_or("no token")?.to_string() });
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

    /// All bots, until they are let go.
    fn play(self: &Arc<Load>, players: &[Player]) -> JoinSet<()> {
        let mut bots = JoinSet::new();
        for player in players {
            let (load, player) = (self.clone(), player.clone());
            bots.spawn(async move {
                if let Err(error) = play(&load, player).await {
                    load.lost.fetch_add(1, Ordering::Relaxed);
                    eprintln!("a bot was let go: {error}");
                }
            });
        }
        bots
    }

    /// Waits until so many games are under way, and says how many are.
    async fn count_playing(&self, wanted: usize, patience: Duration) -> Done<usize> {
        let until = Instant::now() + patience;
        loop {
            let listed = self.request("GET", "tables?status=playing", "").await?;
            let found = listed["total"].as_u64().ok_or("no tables")? as usize;
            if found == wanted || Instant::now() > until {
                return Ok(found);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// From now on.
    async fn measure(&self, time: Duration) -> Measured {
        lock(&self.trips).clear();
        let begun = Instant::now();
        tokio::time::sleep(time).await;
        let mut trips = std::mem::take(&mut *lock(&self.trips));
        let rate = trips.len() as f64 / begun.elapsed().as_secs_f64();
        trips.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| trips.get((trips.len() as f64 * share) as usize).copied().unwrap_or(f64::INFINITY);
        Measured { rate, median: at(0.5), late: at(0.99), longest: trips.last().copied().unwrap_or(f64::INFINITY) }
    }

    /// Bytes that a table takes at which a game of keezen was dealt and nobody moves.
    async fn memory_of_idle_tables(&self, process: u32) -> Done<f64> {
        let body = json!({"game": "keezen", "seats": vec![json!({"kind": "person", "name": "a"}); 4]}).to_string();
        for _ in 0..100 {
            self.request("POST", "tables", &body).await?;
        }
        let before = Process::resident(process)?;
        for _ in 0..IDLE {
            self.request("POST", "tables", &body).await?;
        }
        Ok((Process::resident(process)? - before) / f64::from(IDLE))
    }

    /// Notes that the last move of a pair has arrived.
    fn arrived(&self, pair: usize, now: Instant) {
        let mut pair = lock(&self.pairs[pair]);
        if let Some(sent) = pair.sent.take() {
            pair.moved = true;
            lock(&self.trips).push(now.duration_since(sent).as_secs_f64() * 1000.0);
        }
    }

    /// Waits until the next move of a pair is due.
    async fn wait_for_turn(&self, pair: usize) {
        let due = lock(&self.pairs[pair]).due;
        if self.paced.load(Ordering::Relaxed) {
            tokio::time::sleep_until(due.into()).await;
        }
        while self.held.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let mut pair = lock(&self.pairs[pair]);
        let now = Instant::now();
        // Who has fallen far behind does not make up for it.
        pair.due = (due + Duration::from_secs(1) / PACE).max(now - Duration::from_secs(1));
        pair.sent = Some(now);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody breaks down")
}

/// What bots are told, as far as these need it.
#[derive(Deserialize)]
struct Heard {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    table: String,
    #[serde(default)]
    number: usize,
    #[serde(default)]
    actions: Vec<String>,
}

/// One bot, as long as the load lasts.
async fn play(load: &Load, Player { number, name, token }: Player) -> Done<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/api/v1/bots/stream", load.address)).await?;
    socket.send(Message::Text(json!({"type": "hello", "bot": name, "token": token}).to_string().into())).await?;
    let mut random = u64::from_str_radix(&token[..15], 16)?;
    let pair = number / 2;
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        let now = Instant::now();
        let heard: Heard = serde_json::from_str(&text)?;
        if matches!(heard.kind.as_str(), "decide" | "over") {
            load.arrived(pair, now);
        }
        match heard.kind.as_str() {
            "decide" => {}
            // The first of the two asks for the next game.
            "over" if number % 2 == 0 => {
                load.begin(&name, &format!("bot {}", number + 1)).await?;
                continue;
            }
            "over" | "seated" => continue,
            // It is heard all the same, a little later.
            "error" if heard.code == "too_many_requests" => continue,
            _ => return Err(text.to_string().into()),
        }
        load.wait_for_turn(pair).await;
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let action = &heard.actions[(random >> 33) as usize % heard.actions.len()];
        let answer = json!({"type": "act", "table": heard.table, "number": heard.number, "action": action}).to_string();
        socket.send(Message::Text(answer.into())).await?;
    }
    Err("the stream ended".into())
}

/// Senseless messages from many streams at one table, which come back whenever they are let go.
async fn flood(load: Arc<Load>) {
    let waiting = json!({"game": "connect-four", "seats": [{"kind": "open"}, {"kind": "open"}]}).to_string();
    let created = load.request("POST", "tables", &waiting).await.unwrap_or_default();
    let table = created["table"]["id"].as_str().unwrap_or_default();
    let address = format!("ws://{}/api/v1/tables/{table}/stream", load.address);
    let mut all = JoinSet::new();
    for _ in 0..NONSENSE_STREAMS {
        all.spawn(talk_nonsense(load.clone(), address.clone()));
    }
    while all.join_next().await.is_some() {}
}

async fn talk_nonsense(load: Arc<Load>, address: String) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1) * NONSENSE_STREAMS / NONSENSE);
    loop {
        let Ok((socket, _)) = tokio_tungstenite::connect_async(&address).await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (mut sink, mut source) = socket.split();
        let reader = tokio::spawn(async move { while let Some(Ok(_)) = source.next().await {} });
        let _ = sink.send(Message::Text("{\"type\":\"hello\"}".into())).await;
        loop {
            ticks.tick().await;
            if sink.send(Message::Text("{\"type\":\"nonsense\"}".into())).await.is_err() {
                break;
            }
            load.nonsense.fetch_add(1, Ordering::Relaxed);
        }
        reader.abort();
    }
}
