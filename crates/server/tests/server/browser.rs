//! The page in a real browser.
//!
//! Screenshots of every game's table are left in the folder of temporary files of the build.

mod driver;

use std::thread;
use std::time::{Duration, Instant};

use meeple_server::Settings;
use serde_json::{Value, json};

use self::driver::Browser;
use crate::common::{Running, settings, start};

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

/// Nothing went wrong in the page, as far as its console knows.
fn is_quiet(browser: &Browser, what: &str) {
    assert_eq!(browser.errors(), Vec::<String>::new(), "{what}");
}

/// No text is smaller than twelve pixels, and nothing sticks out at the side, as soon as everything has its place.
fn is_readable(browser: &Browser, what: &str) {
    let begun = Instant::now();
    while small_texts(browser) != json!([]) && begun.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(small_texts(browser), json!([]), "{what}");
    let wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_f64().unwrap() <= 1.0, "{what} is {wide} pixels too wide");
}

fn small_texts(browser: &Browser) -> Value {
    browser.run(
        "const small = [];
         for (const element of document.querySelectorAll('body *')) {
           const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
           if (!own || !element.getClientRects().length) continue;
           const matrix = element.getScreenCTM?.();
           const scale = matrix && element.namespaceURI.includes('svg') ? Math.hypot(matrix.a, matrix.b) : 1;
           const size = parseFloat(getComputedStyle(element).fontSize) * scale;
           if (size < 11.99) small.push(`${element.tagName} ${element.className?.baseVal ?? element.className} ${size} ${element.textContent}`);
         }
         return small.slice(0, 5);",
    )
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
    browser.wait("the address does not name the record", || browser.address().contains("record=").then_some(()));
    let slider = browser.find("input[type=range]");
    browser.command("POST", &format!("element/{slider}/value"), &json!({"text": "\u{E014}\u{E014}"}));
    browser.wait("the slider does not move", || browser.address().contains("at=2").then_some(()));
    browser.click(".analysis button.primary");
    browser.wait("no statistics", || (browser.all(".analysis table tbody tr").len() > 2).then_some(()));
    browser.click(".why summary");
    browser.click(".tree-toggle[aria-expanded=false]");
    let shows = "return [...document.querySelectorAll('.tree ul ul li')].some((node) => node.getClientRects().length)";
    browser.wait("no branch of the tree opens", || (browser.run(shows) == true).then_some(()));
    browser.click(".panel-head button.primary");
    browser.find(".curve-line");
    browser.screenshot("review");
    is_readable(&browser, "review");
    is_quiet(&browser, "a game and its review");
    let step = || browser.run("return document.querySelector('input[type=range]')?.value ?? null");
    browser.command("POST", "refresh", &json!({}));
    browser.wait("the address does not lead to the step", || (step() == "2").then_some(()));
    assert!(browser.address().contains("at=2"), "{}", browser.address());
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

    let (table, token, start) = keezen_with_a_move(&server);
    sit_down(&browser, &server, &table, &token);
    browser.screenshot("keezen");
    is_readable(&browser, "keezen");
    let target = format!(".site[data-pick=\"{}\"] .piece", start["picks"][2].as_str().unwrap());
    assert!(browser.all(&target).is_empty(), "the marble waits outside: {start}");
    choose(&browser, &server, &table, &token, &start);
    browser.find(&target);

    is_quiet(&browser, "tables with cards");
}

/// A table of keezen at which the first player has a card with which a marble starts: most have none, and only throw
/// in their cards. The choice has the card, where the marble waits and where it goes.
fn keezen_with_a_move(server: &Running) -> (String, String, Value) {
    let found = (0..50).find_map(|seed| {
        let (table, token) = against_random(server, "keezen", &json!({}), seed);
        let state = my_turn(server, &table, &token);
        let is_move = |choice: &&Value| choice["picks"].as_array().unwrap().len() == 3;
        let start = state["choices"].as_array().unwrap().iter().find(is_move)?.clone();
        Some((table, token, start))
    });
    found.expect("some hand has an ace or a king")
}

/// The length of a move on a board, in fields.
fn distance(state: &Value, choice: &Value) -> f64 {
    let place = |pick: &Value| {
        let sites = state["scene"]["board"]["sites"].as_array().unwrap();
        let site = sites.iter().find(|site| site["pick"] == *pick).unwrap();
        (site["x"].as_f64().unwrap(), site["y"].as_f64().unwrap())
    };
    let (from, to) = (place(&choice["picks"][0]), place(&choice["picks"][1]));
    (from.0 - to.0).hypot(from.1 - to.1)
}

#[test]
fn a_chain_of_jumps_is_played_by_clicking() {
    let server = start();
    let browser = Browser::open();
    let seats = json!([{"kind": "person", "name": "Ann"}, {"kind": "open"}]);
    let rules = json!({"board": "37", "players": "2"});
    let (table, tokens) = server.table_with(json!({"game": "chinese-checkers", "rules": rules, "seats": seats}));
    let other = server.ok(&format!("tables/{table}/seats/1"), &json!({"name": "Ben"}));
    let tokens = [tokens[0].clone().unwrap(), other["token"].as_str().unwrap().to_string()];
    // After these moves a piece jumps over one of its own home, turns, and jumps over the one in front.
    for (number, action) in ["g8-f7", "c2-c3", "f7-e6", "c1-e3"].into_iter().enumerate() {
        let act = json!({"number": number, "action": action});
        let (status, answer) = server.post_as(&tokens[number % 2], &format!("tables/{table}/act"), &act);
        assert_eq!(status, 200, "{action}: {answer}");
    }
    sit_down(&browser, &server, &table, &tokens[0]);
    browser.find(".site.next");
    browser.screenshot("chinese-checkers");
    is_readable(&browser, "chinese-checkers");
    let state = my_turn(&server, &table, &tokens[0]);
    let chain = state["choices"].as_array().unwrap().iter().find(|choice| choice["action"] == "g9-e5").unwrap();
    assert!(distance(&state, chain) > 3.0, "one jump is two fields long: {chain}");
    choose(&browser, &server, &table, &tokens[0], chain);
    browser.find(".site[data-pick=e5] .piece");
    is_quiet(&browser, "chinese-checkers");
}

#[test]
fn a_hint_is_given_and_a_move_is_played_by_keyboard() {
    let server = start();
    let browser = Browser::open();
    let (table, token) = against_random(&server, "tic-tac-toe", &json!({}), 3);
    sit_down(&browser, &server, &table, &token);
    browser.find(".site.next");
    browser.click(".analysis button.primary");
    browser.wait("nothing is hinted at", || (!browser.all(".site.hinted").is_empty()).then_some(()));
    assert_eq!(browser.all(".evaluation-row").len(), 2, "a bar for each player");
    browser.screenshot("hint");

    let (tab, right, enter) = ('\u{E004}', '\u{E014}', '\u{E007}');
    let focused = || browser.run("return document.activeElement.dataset?.pick ?? null");
    for _ in 0..40 {
        browser.press(tab);
        if !focused().is_null() {
            break;
        }
    }
    let first = focused();
    browser.press(right);
    let second = focused();
    assert!(!second.is_null() && first != second, "the arrow leads from {first} to another field");
    browser.press(enter);
    let played =
        || Some(my_turn(&server, &table, &token)["log"][0]["action"].clone()).filter(|action| !action.is_null());
    assert_eq!(browser.wait("nothing was played", played), second);
    is_quiet(&browser, "tic-tac-toe");
}

#[test]
fn a_position_is_set_up_and_analysed() {
    let server = start();
    let browser = Browser::open();
    browser.go(&format!("http://{}/#/setup/connect-four", server.address));
    browser.click(".site.next[data-pick=d1]");
    let text = || browser.run("return document.querySelector('textarea')?.value ?? ''").as_str().unwrap().to_string();
    browser.wait("the move is not in the text", || text().contains('x').then_some(()));
    browser.write("textarea", "......./......./......./......./.ooo.../.xxx...");
    browser.wait("the text is not drawn", || (browser.all(".board .piece").len() == 6).then_some(()));
    browser.run("const level = document.querySelector('.analysis select'); level.value = '2'; level.dispatchEvent(new Event('change'))");
    browser.click(".analysis button.primary");
    browser.find(".analysis .best strong");
    let best = browser.run("return document.querySelector('.best strong').textContent");
    assert!(best == "1" || best == "5", "{best} does not win");
    browser.screenshot("set-up");
    is_readable(&browser, "set-up");
    is_quiet(&browser, "set-up");
}

#[test]
fn script_in_a_name_is_only_text() {
    let server = start();
    let browser = Browser::open();
    let name = "<img src=x onerror='window.broken=1'>";
    let seats = json!([{"kind": "person", "name": name}, {"kind": "agent", "agent": "random", "name": name}]);
    let (table, tokens) = server.table("tic-tac-toe", seats);
    let token = tokens[0].clone().unwrap();
    let is_harmless = |what: &str| {
        browser.wait(&format!("{what} does not show the name"), || {
            browser.run("return document.body.innerText").as_str()?.contains(name).then_some(())
        });
        assert_eq!(browser.all("main img").len(), 0, "{what}");
        assert_eq!(browser.run("return window.broken ?? null"), Value::Null, "{what}");
    };
    sit_down(&browser, &server, &table, &token);
    is_harmless("table");
    browser.go(&format!("http://{}/#/", server.address));
    is_harmless("home");
    server.post_as(&token, &format!("tables/{table}/resign"), &json!({}));
    browser.go(&format!("http://{}/#/review/{table}", server.address));
    is_harmless("review");
    browser.go(&format!("http://{}/#/games", server.address));
    is_harmless("games");
    is_quiet(&browser, "a name with script");
}

#[test]
fn every_page_opens_in_the_dark_without_motion_and_without_errors() {
    let server = start();
    let browser = Browser::open();
    browser.prefer(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    let (table, token) = against_random(&server, "connect-four", &json!({}), 3);
    sit_down(&browser, &server, &table, &token);
    browser.click(".site.next");
    browser.wait("nothing was played", || (browser.all(".board .piece").len() == 2).then_some(()));
    assert_eq!(browser.run("return document.getAnimations().length"), 0, "nothing moves");
    browser.screenshot("dark");
    server.post_as(&token, &format!("tables/{table}/resign"), &json!({}));
    let review = format!("review/{table}");
    for page in ["", "games", "setup", "results", "competitions", "review", &review] {
        browser.go(&format!("http://{}/#/{page}", server.address));
        browser.find("main h1");
        thread::sleep(Duration::from_millis(200));
        let colour = browser.run("return getComputedStyle(document.body).backgroundColor");
        assert_eq!(colour, "rgb(22, 24, 27)", "{page}");
        is_readable(&browser, page);
        is_quiet(&browser, page);
    }
}

/// The hands of others are small, and open when the game is over.
#[test]
fn long_names_of_cards_can_be_read() {
    let server = start();
    let browser = Browser::open();
    let rules = json!({"variant": "dog"});
    let has_long_name = |table: &String| {
        let actions = server.get(&format!("tables/{table}/record")).1["actions"].clone();
        let position = json!({"game": "keezen", "rules": rules, "actions": actions, "viewer": "all"});
        let scene = server.ok("positions", &position)["scene"].clone();
        (1..4).any(|seat| scene["areas"][seat].to_string().contains("Joker"))
    };
    let tables = (0..50).map(|seed| {
        let (table, token) = against_random(&server, "keezen", &rules, seed);
        server.post_as(&token, &format!("tables/{table}/resign"), &json!({}));
        table
    });
    let table = tables.into_iter().find(has_long_name).expect("somebody has such a card");
    browser.go(&format!("http://{}/#/review/{table}?at=1000", server.address));
    browser.find(".others .card-rank-long");
    is_readable(&browser, "long names");
    browser.screenshot("long-names");
}

#[test]
fn a_table_for_three_is_opened_from_the_dialog() {
    let server = start();
    let browser = Browser::open();
    browser.go(&format!("http://{}/", server.address));
    browser.find(".game-card");
    let card = browser.run(
        "return [...document.querySelectorAll('.game-card')].findIndex((card) => /just 4 fun/i.test(card.textContent)) + 1",
    );
    browser.click(&format!(".game-cards li:nth-child({card}) .game-card"));
    browser.find("dialog .seat-choice");
    browser.run("const players = document.querySelector('dialog select'); players.value = '3'; players.dispatchEvent(new Event('change'))");
    browser.wait("there are no three seats", || (browser.all("dialog .seat-choice").len() == 3).then_some(()));
    is_readable(&browser, "the dialog");
    browser.click("dialog button.primary");
    browser.wait("nobody sits there", || (browser.all(".scene .seat").len() == 3).then_some(()));
    is_quiet(&browser, "a table for three");
}

#[test]
fn every_table_is_drawn_on_wide_screens_and_phones() {
    let server = start();
    let browser = Browser::open();
    let (_, games) = server.get("games");
    let usual = games["games"].as_array().unwrap().iter().map(|game| (game["name"].as_str().unwrap(), json!({})));
    let crowded = [("just4fun", json!({"players": "4"})), ("chinese-checkers", json!({"players": "6"}))];
    for (name, rules) in usual.chain(crowded) {
        let (table, token) = against_random(&server, name, &rules, 5);
        let name = format!("{name}{}", rules["players"].as_str().unwrap_or_default());
        sit_down(&browser, &server, &table, &token);
        let state = my_turn(&server, &table, &token);
        let offered = state["choices"].as_array().unwrap();
        let agent = browser.run("return document.querySelector('.analysis .agent-text input').value");
        assert!(agent.as_str().unwrap().contains("iterations="), "{name}: {agent} has no tree to show");
        browser.wait(&format!("{name}: nothing can be clicked"), || {
            (!browser.all(".can, .picker .primary").is_empty() || offered.is_empty()).then_some(())
        });
        for (size, width, height) in [("wide", 1400, 900), ("phone", 390, 844)] {
            browser.size(width, height);
            is_readable(&browser, &format!("{name} {size}"));
            browser.screenshot(&format!("{name}-{size}"));
        }
        browser.size(1200, 900);
    }
    is_quiet(&browser, "all tables");
}

#[test]
fn a_run_is_shown_with_its_chart_and_its_report() {
    let settings = settings();
    let run = settings.data.join("runs/learning");
    std::fs::create_dir_all(&run).unwrap();
    let chart = "<svg xmlns='http://www.w3.org/2000/svg' width='780' height='300'><rect width='9' height='9'/></svg>";
    let files = [("metrics.jsonl", "{\"loss\":1}\n"), ("loss.svg", chart), ("report.md", "# Losses\n\nThey fall.")];
    for (file, text) in files {
        std::fs::write(run.join(file), text).unwrap();
    }
    let server = Running::start(Settings { results: vec![settings.data.join("runs")], ..settings });
    let browser = Browser::open();
    browser.go(&format!("http://{}/#/results", server.address));
    browser.click("a[href=\"#/results/learning\"]");
    let width = || browser.run("return document.querySelector('.charts img')?.naturalWidth ?? 0").as_f64();
    browser.wait("the chart is not drawn", || (width() == Some(780.0)).then_some(()));
    browser.find(".report :is(h1, h2, h3)");
    let text = browser.run("return document.querySelector('main').innerText");
    assert!(
        text.as_str().unwrap().contains("They fall.") && text.as_str().unwrap().contains("metrics.jsonl"),
        "{text}"
    );
    browser.screenshot("results");
    is_readable(&browser, "results");
    is_quiet(&browser, "results");
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
