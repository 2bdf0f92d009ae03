//! The page in a real browser: Chromium, driven over the WebDriver protocol.
//!
//! Screenshots of every game's table are left in the folder of temporary files of the build.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Running, start};

/// The name of an element in WebDriver's JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser window, closed with the test.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    fn open() -> Browser {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (scripts/test does it)");
        let mut browser = Browser { driver, port, session: String::new() };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "chromedriver does not answer");
            thread::sleep(Duration::from_millis(50));
        }
        let arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900"];
        let options = json!({"args": arguments, "prefs": {}});
        let answer = browser.call("POST", "session", &json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}));
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
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str::<Value>(body).unwrap_or_else(|error| panic!("{error}: {answer}"))["value"].take()
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("session/{}/{path}", self.session), body)
    }

    fn go(&self, address: &str) {
        self.command("POST", "url", &json!({"url": address}));
    }

    fn address(&self) -> String {
        self.command("GET", "url", &Value::Null).as_str().unwrap_or_default().to_string()
    }

    /// What a script returns.
    fn run(&self, script: &str) -> Value {
        self.command("POST", "execute/sync", &json!({"script": script, "args": []}))
    }

    /// The elements that a selector finds now.
    fn all(&self, selector: &str) -> Vec<String> {
        let found = self.command("POST", "elements", &json!({"using": "css selector", "value": selector}));
        found.as_array().into_iter().flatten().filter_map(|one| Some(one[ELEMENT].as_str()?.to_string())).collect()
    }

    /// The first element that a selector finds, as soon as there is one.
    fn find(&self, selector: &str) -> String {
        self.wait(&format!("there is no {selector}"), || self.all(selector).into_iter().next())
    }

    fn wait<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
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

    fn click(&self, selector: &str) {
        self.wait(&format!("{selector} cannot be clicked"), || {
            let element = self.all(selector).into_iter().next()?;
            self.command("POST", &format!("element/{element}/click"), &json!({})).is_null().then_some(())
        });
    }

    fn text(&self, selector: &str) -> String {
        let element = self.find(selector);
        self.command("GET", &format!("element/{element}/text"), &Value::Null).as_str().unwrap_or_default().to_string()
    }

    /// Keeps what is seen as a picture.
    fn screenshot(&self, name: &str) {
        let taken = self.command("GET", "screenshot", &Value::Null);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), from_base64(taken.as_str().unwrap_or_default())).unwrap();
    }

    fn size(&self, width: u32, height: u32) {
        self.command("POST", "window/rect", &json!({"width": width, "height": height}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.call("DELETE", &format!("session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
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

/// Opens a table in the browser for the person on a seat.
fn sit_down(browser: &Browser, server: &Running, table: &str, token: &str) {
    browser.go(&format!("http://{}/", server.address));
    browser.find(".game-card");
    browser.run(&format!("localStorage.setItem('meeple-seat-{table}', '{token}')"));
    browser.go(&format!("http://{}/#/table/{table}", server.address));
    browser.find(".scene .seat");
}

/// A table of one person on the first seat and random agents; its id and the secret.
fn against_random(server: &Running, game: &str, rules: &Value, seed: u64) -> (String, String) {
    let (_, games) = server.get("games");
    let entry = games["games"].as_array().unwrap().iter().find(|entry| entry["name"] == game).unwrap().clone();
    let players = rules["players"].as_str().map_or(entry["players"].as_u64().unwrap(), |text| text.parse().unwrap());
    let mut seats = vec![json!({"kind": "person", "name": "Ann"})];
    seats.resize(players as usize, json!({"kind": "agent", "agent": "random", "name": "Random"}));
    let (table, tokens) = server.table_with(json!({"game": game, "rules": rules, "seats": seats, "seed": seed}));
    (table, tokens[0].clone().unwrap())
}

/// The state when it is the person's turn.
fn my_turn(server: &Running, table: &str, token: &str) -> Value {
    server.stream(table, Some(token)).wait_for(|state| state["turn"] == 0 || !state["result"].is_null())
}

/// Clicks the things of a choice in the page and waits until it was played.
fn choose(browser: &Browser, server: &Running, table: &str, token: &str, choice: &Value) {
    let number = my_turn(server, table, token)["number"].clone();
    for pick in choice["picks"].as_array().unwrap() {
        let pick = pick.as_str().unwrap();
        browser.click(&format!(".can[data-pick=\"{pick}\"]"));
    }
    let played = || server.get(&format!("tables/{table}")).1["number"] != number;
    browser.wait(&format!("{choice} was not played"), || {
        // Complete, but part of another choice: a button plays it. Equal picks: buttons with the texts.
        if !played()
            && let Some(button) = browser.all(".picker .primary").into_iter().next()
        {
            browser.command("POST", &format!("element/{button}/click"), &json!({}));
        }
        played().then_some(())
    });
}

/// No text is smaller than twelve pixels, and nothing sticks out at the side.
fn is_readable(browser: &Browser, what: &str) {
    let small = browser.run(
        "const small = [];
         for (const element of document.querySelectorAll('main *')) {
           const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
           if (!own || !element.getClientRects().length) continue;
           const matrix = element.getScreenCTM?.();
           const scale = matrix && element.namespaceURI.includes('svg') ? Math.hypot(matrix.a, matrix.b) : 1;
           const size = parseFloat(getComputedStyle(element).fontSize) * scale;
           if (size < 11.5) small.push(`${element.tagName} ${element.className?.baseVal ?? element.className} ${size} ${element.textContent}`);
         }
         return small.slice(0, 5);",
    );
    assert_eq!(small, json!([]), "{what}");
    let wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_f64().unwrap() <= 1.0, "{what} is {wide} pixels too wide");
}

#[test]
fn a_newcomer_plays_connect_four_and_reviews_the_game() {
    let server = start();
    let browser = Browser::open();
    browser.go(&format!("http://{}/", server.address));
    browser.find(".game-card");
    browser.screenshot("home");
    is_readable(&browser, "home");
    // Two clicks: the game, and to begin.
    let card = browser.run(
        "return [...document.querySelectorAll('.game-card')].findIndex((card) => /connect.four/i.test(card.textContent)) + 1",
    );
    browser.click(&format!(".game-cards li:nth-child({card}) .game-card"));
    browser.click("dialog .levels label:first-of-type");
    browser.click("dialog button.primary");
    browser.find(".scene .seat");
    let table = browser.wait("no table", || browser.address().split("#/table/").nth(1).map(str::to_string));
    let mut moves = 0;
    while server.get(&format!("tables/{table}")).1["status"] == "playing" {
        if let Some(site) = browser.all(".site.can").into_iter().next() {
            let clicked = browser.command("POST", &format!("element/{site}/click"), &json!({})).is_null();
            moves += u32::from(clicked);
        }
        if moves == 2 {
            browser.screenshot("connect-four");
        }
        assert!(moves < 60);
        thread::sleep(Duration::from_millis(20));
    }
    browser.wait("the end is not shown", || (!browser.all(".banner:not([hidden])").is_empty()).then_some(()));
    assert_eq!(browser.run("return [...document.scripts].every((script) => script.src)"), true);

    browser.click(".banner a[href^=\"#/review\"]");
    browser.find("input[type=range]");
    let slider = browser.find("input[type=range]");
    browser.command("POST", &format!("element/{slider}/value"), &json!({"text": "\u{E014}\u{E014}"}));
    browser.wait("the slider does not move", || browser.address().contains("at=2").then_some(()));
    browser.click(".analysis button.primary");
    browser.wait("no statistics", || (browser.all(".analysis table tbody tr").len() > 2).then_some(()));
    browser.click(".why summary");
    browser.wait("no tree", || (!browser.all(".analysis .tree").is_empty()).then_some(()));
    browser.screenshot("review");
    is_readable(&browser, "review");
}

#[test]
fn cards_fields_and_marbles_are_played_by_clicking() {
    let server = start();
    let browser = Browser::open();

    let (table, token) = against_random(&server, "sueca", &json!({}), 3);
    sit_down(&browser, &server, &table, &token);
    browser.screenshot("sueca");
    is_readable(&browser, "sueca");
    let state = my_turn(&server, &table, &token);
    choose(&browser, &server, &table, &token, &state["choices"][0]);
    let after = my_turn(&server, &table, &token);
    assert!(after["number"].as_u64() >= state["number"].as_u64().map(|number| number + 4), "a whole trick");

    let (table, token) = against_random(&server, "just4fun", &json!({}), 3);
    sit_down(&browser, &server, &table, &token);
    browser.screenshot("just4fun");
    is_readable(&browser, "just4fun");
    let state = my_turn(&server, &table, &token);
    let is_three = |choice: &&Value| choice["picks"].as_array().unwrap().len() == 4;
    let three = state["choices"].as_array().unwrap().iter().find(is_three).expect("a move with three cards");
    choose(&browser, &server, &table, &token, three);

    let (table, token) = against_random(&server, "keezen", &json!({}), 3);
    sit_down(&browser, &server, &table, &token);
    browser.screenshot("keezen");
    is_readable(&browser, "keezen");
    let state = my_turn(&server, &table, &token);
    let choices = state["choices"].as_array().unwrap();
    let most = choices.iter().max_by_key(|choice| choice["picks"].as_array().unwrap().len()).unwrap();
    choose(&browser, &server, &table, &token, most);

    let (table, token) = against_random(&server, "chinese-checkers", &json!({"board": "37"}), 3);
    sit_down(&browser, &server, &table, &token);
    browser.screenshot("chinese-checkers");
    is_readable(&browser, "chinese-checkers");
    let state = my_turn(&server, &table, &token);
    let place = |pick: &Value| {
        let sites = state["scene"]["board"]["sites"].as_array().unwrap();
        let site = sites.iter().find(|site| site["pick"] == *pick).unwrap();
        (site["x"].as_f64().unwrap(), site["y"].as_f64().unwrap())
    };
    let length = |choice: &Value| {
        let (from, to) = (place(&choice["picks"][0]), place(&choice["picks"][1]));
        ((from.0 - to.0).powi(2) + (from.1 - to.1).powi(2)).sqrt()
    };
    let jumps = state["choices"].as_array().unwrap().iter().filter(|choice| choice["picks"].as_array().unwrap().len() >= 2);
    let longest = jumps.max_by(|a, b| length(a).total_cmp(&length(b))).unwrap();
    assert!(length(longest) > 1.5, "a jump is longer than a step: {longest}");
    choose(&browser, &server, &table, &token, longest);
}

#[test]
fn every_table_is_drawn_on_wide_screens_and_phones() {
    let server = start();
    let browser = Browser::open();
    let (_, games) = server.get("games");
    for game in games["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let (table, token) = against_random(&server, name, &json!({}), 5);
        sit_down(&browser, &server, &table, &token);
        let state = my_turn(&server, &table, &token);
        let offered = state["choices"].as_array().unwrap();
        browser.wait(&format!("{name}: nothing can be clicked"), || {
            (!browser.all(".can, .picker .primary").is_empty() || offered.is_empty()).then_some(())
        });
        for (size, width) in [("wide", 1400), ("phone", 400)] {
            browser.size(width, 900);
            is_readable(&browser, &format!("{name} {size}"));
            browser.screenshot(&format!("{name}-{size}"));
        }
        browser.size(1200, 900);
    }
}

/// All that is loaded for the first page.
#[test]
fn the_first_page_is_small() {
    let server = start();
    let browser = Browser::open();
    browser.go(&format!("http://{}/", server.address));
    browser.find(".game-card");
    let loaded = browser.run(
        "const entries = [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')];
         return [entries.reduce((sum, entry) => sum + entry.transferSize, 0),
                 entries.every((entry) => new URL(entry.name).host === location.host)]",
    );
    assert!(loaded[0].as_f64().unwrap() < 300_000.0, "{loaded}");
    assert!(loaded[0].as_f64().unwrap() > 10_000.0, "{loaded}");
    assert_eq!(loaded[1], true, "nothing comes from elsewhere");
}
