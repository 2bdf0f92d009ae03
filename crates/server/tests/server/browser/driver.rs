//! A browser window: Chromium, driven over the WebDriver protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The name of an element in WebDriver's JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser window, closed with the test.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// The folder of this window alone.
    profile: PathBuf,
}

impl Browser {
    pub(super) fn open() -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (scripts/test does it)");
        let port = port_of(driver.stdout.take().unwrap());
        let profile = std::env::temp_dir().join(format!("meeple-browser-{}-{port}", std::process::id()));
        let at_profile = format!("--user-data-dir={}", profile.display());
        let mut browser = Browser { driver, port, session: String::new(), profile };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1200,900",
            &at_profile,
        ];
        let wishes = json!({"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}});
        let answer = browser.call("POST", "session", &json!({"capabilities": {"alwaysMatch": wishes}}));
        browser.session = answer["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_string();
        browser
    }

    /// One command of the protocol.
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let length = body.len();
        write!(
            stream,
            "{method} /{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}",
            self.port
        )
        .unwrap();
        // The driver keeps connections open: the length says when the answer has ended.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let line = line.trim().to_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        serde_json::from_slice::<Value>(&body).unwrap()["value"].take()
    }

    pub(super) fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("session/{}/{path}", self.session), body)
    }

    pub(super) fn go(&self, address: &str) {
        self.command("POST", "url", &json!({"url": address}));
    }

    pub(super) fn address(&self) -> String {
        self.command("GET", "url", &Value::Null).as_str().unwrap_or_default().to_string()
    }

    /// What a script returns.
    pub(super) fn run(&self, script: &str) -> Value {
        self.command("POST", "execute/sync", &json!({"script": script, "args": []}))
    }

    /// The elements that a selector finds now.
    pub(super) fn all(&self, selector: &str) -> Vec<String> {
        let found = self.command("POST", "elements", &json!({"using": "css selector", "value": selector}));
        found.as_array().into_iter().flatten().filter_map(|one| Some(one[ELEMENT].as_str()?.to_string())).collect()
    }

    /// The first element that a selector finds, as soon as there is one.
    pub(super) fn find(&self, selector: &str) -> String {
        self.wait(&format!("there is no {selector}"), || self.all(selector).into_iter().next())
    }

    pub(super) fn wait<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            if begun.elapsed() > Duration::from_secs(30) {
                self.screenshot("failure");
                panic!("{what}: {} {}", self.address(), self.run("return document.body.innerText"));
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn click(&self, selector: &str) {
        let mut why = Value::Null;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            if let Some(element) = self.all(selector).into_iter().next() {
                why = self.command("POST", &format!("element/{element}/click"), &json!({}));
                if why.is_null() {
                    return;
                }
            }
            thread::sleep(Duration::from_millis(50));
        }
        self.screenshot("failure");
        panic!("{selector} cannot be clicked at {}: {why}", self.address());
    }

    /// Keeps what is seen as a picture.
    pub(super) fn screenshot(&self, name: &str) {
        let taken = self.command("GET", "screenshot", &Value::Null);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), from_base64(taken.as_str().unwrap_or_default())).unwrap();
    }

    /// A window of this size; a real one cannot be as narrow as a phone.
    pub(super) fn size(&self, width: u32, height: u32) {
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.develop("Emulation.setDeviceMetricsOverride", &screen);
    }

    /// What the system says that its user prefers, such as a dark colour scheme.
    pub(super) fn prefer(&self, preferences: &[(&str, &str)]) {
        let features: Vec<Value> =
            preferences.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        self.develop("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// A command of the developer tools.
    fn develop(&self, command: &str, parameters: &Value) {
        let answer = self.command("POST", "goog/cdp/execute", &json!({"cmd": command, "params": parameters}));
        assert!(answer.get("error").is_none(), "{command}: {answer}");
    }

    /// Presses and releases a key.
    pub(super) fn press(&self, key: char) {
        let key = key.to_string();
        let strokes = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.command("POST", "actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]}));
    }

    /// Writes into a field instead of what is there.
    pub(super) fn write(&self, selector: &str, text: &str) {
        let field = self.find(selector);
        self.command("POST", &format!("element/{field}/clear"), &json!({}));
        self.command("POST", &format!("element/{field}/value"), &json!({"text": text}));
    }

    /// The errors that the console holds since this was asked last.
    pub(super) fn errors(&self) -> Vec<String> {
        let log = self.command("POST", "se/log", &json!({"type": "browser"}));
        let entries = log.as_array().unwrap_or_else(|| panic!("{log}")).iter();
        entries.filter(|entry| entry["level"] == "SEVERE").map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.call("DELETE", &format!("session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        // Chromium may outlive its driver.
        let _ = Command::new("pkill").args(["-9", "-f", &*self.profile.to_string_lossy()]).status();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// The port that the driver has chosen, as soon as it listens there.
fn port_of(output: ChildStdout) -> u16 {
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("successfully on port")).expect("chromedriver starts");
    // Whatever else it says has to go somewhere.
    thread::spawn(move || lines.for_each(drop));
    let port = line.rsplit(' ').next().unwrap_or_default().trim_end_matches('.');
    port.parse().unwrap_or_else(|_| panic!("{line}"))
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(value).collect();
    let bytes = |four: &[u8]| {
        let bits = four.iter().fold(0u32, |bits, &digit| bits << 6 | u32::from(digit)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    digits.chunks(4).flat_map(bytes).collect()
}
