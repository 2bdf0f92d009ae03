//! A server in this process, and a client for it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use meeple_server::{Server, Settings};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A server that ends with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) data: PathBuf,
    runtime: Option<Runtime>,
    end: Option<oneshot::Sender<()>>,
    keep: bool,
}

/// Settings with a data folder of their own and limits that are not in the way.
pub(crate) fn settings() -> Settings {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let data = std::env::temp_dir().join(format!("meeple-server-{}-{number}", std::process::id()));
    let _ = std::fs::remove_dir_all(&data);
    let (tables, agents, questions) = (10_000, 10_000, 1000);
    let results = Vec::new();
    let requests = 1e6;
    let defaults = Settings::default();
    Settings { data, thinkers: 2, requests, messages: 1e6, tables, agents, questions, results, ..defaults }
}

pub(crate) fn start() -> Running {
    Running::start(settings())
}

impl Running {
    pub(crate) fn start(settings: Settings) -> Running {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let data = settings.data.clone();
        let server = runtime.block_on(Server::start(settings)).unwrap();
        let address = server.address();
        let (end, ended) = oneshot::channel();
        runtime.spawn(server.run(async { drop(ended.await) }));
        Running { address, data, runtime: Some(runtime), end: Some(end), keep: false }
    }

    /// A server of another process.
    pub(crate) fn at(address: SocketAddr) -> Running {
        Running { address, data: PathBuf::new(), runtime: None, end: None, keep: true }
    }

    /// Ends the server and leaves its data.
    pub(crate) fn stop(mut self) -> PathBuf {
        self.keep = true;
        self.data.clone()
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.request("GET", path, &[], None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.request("POST", path, &[], Some(&body.to_string()))
    }

    /// A request that has to succeed.
    pub(crate) fn ok(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    /// Asks until this holds of the answer.
    pub(crate) fn wait_for(&self, path: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let (_, answer) = self.get(path);
            if is_it(&answer) {
                return answer;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{path}: {answer}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// With the secret of a seat.
    pub(crate) fn post_as(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        self.request("POST", path, &[("X-Seat-Token", token)], Some(&body.to_string()))
    }

    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> (u16, Value) {
        let (status, _, text) = self.raw(method, path, headers, body.map(str::as_bytes));
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Status, headers and body.
    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let path = if path.starts_with('/') { path.to_string() } else { format!("/api/v1/{path}") };
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = body {
            text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        text += "\r\n";
        // Who refuses a large body may not read all of it.
        let _ = stream.write_all(&[text.as_bytes(), body.unwrap_or_default()].concat());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = match head.to_lowercase().contains("transfer-encoding: chunked") {
            true => unchunked(body),
            false => body.to_string(),
        };
        (status, head.to_string(), body)
    }

    /// A table with these seats: its id and the secrets.
    pub(crate) fn table(&self, game: &str, seats: Value) -> (String, Vec<Option<String>>) {
        self.table_with(json!({"game": game, "seats": seats}))
    }

    pub(crate) fn table_with(&self, request: Value) -> (String, Vec<Option<String>>) {
        let created = self.ok("tables", &request);
        let tokens = created["tokens"].as_array().unwrap().iter().map(|token| token.as_str().map(str::to_string));
        (created["table"]["id"].as_str().unwrap().to_string(), tokens.collect())
    }

    /// The stream of a table, after hello.
    pub(crate) fn stream(&self, table: &str, token: Option<&str>) -> Stream {
        let mut stream = self.open(&format!("tables/{table}/stream"));
        stream.say(&json!({"type": "hello", "token": token}));
        stream
    }

    /// A stream on which nothing was said.
    pub(crate) fn open(&self, path: &str) -> Stream {
        let (socket, _) = tungstenite::connect(format!("ws://{}/api/v1/{path}", self.address)).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        }
        Stream { socket }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.data);
        }
    }
}

fn unchunked(body: &str) -> String {
    let mut rest = body;
    let mut text = String::new();
    while let Some((length, more)) = rest.split_once("\r\n") {
        let Ok(length) = usize::from_str_radix(length.trim(), 16) else { break };
        if length == 0 || more.len() < length {
            break;
        }
        text += &more[..length];
        rest = more[length..].trim_start_matches("\r\n");
    }
    text
}

pub(crate) struct Stream {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Stream {
    pub(crate) fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string());
    }

    pub(crate) fn say_text(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).unwrap();
    }

    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        self.socket.send(Message::Binary(bytes.to_vec().into())).unwrap();
    }

    /// The next message; null when the stream has ended.
    pub(crate) fn hear(&mut self) -> Value {
        self.hear_text().map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
    }

    pub(crate) fn hear_text(&mut self) -> Option<String> {
        // Pings come for ever.
        let until = Instant::now() + Duration::from_secs(30);
        while Instant::now() < until {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(_) | Err(_) => return None,
            }
        }
        None
    }

    /// The first message for which this holds.
    pub(crate) fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.hear();
            assert_ne!(message, Value::Null, "the stream ended");
            if is_it(&message) {
                return message;
            }
        }
    }
}
