//! `meeple db`, and matches whose games go to a database. Everything runs on SQLite and on the server in
//! MEEPLE_TEST_POSTGRES, which `scripts/test` starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{folder, json, output, outputs, refused, result};

/// The address of a PostgreSQL server for tests.
const SERVER: &str = "MEEPLE_TEST_POSTGRES";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// An empty database of each kind.
fn databases(folder: &Path, test: &str) -> Vec<String> {
    let mut databases = vec![text(&folder.join("games.db")).to_string()];
    match std::env::var(SERVER) {
        Ok(address) => {
            let schema = format!("{test}_{}", std::process::id());
            let mut client = postgres::Client::connect(&address, postgres::NoTls)
                .unwrap_or_else(|error| panic!("the server in {SERVER} must answer: {error}"));
            client.batch_execute(&format!("CREATE SCHEMA {schema}")).unwrap();
            databases.push(format!("{address}?options=-csearch_path%3D{schema}"));
        }
        Err(_) => eprintln!("skipped on PostgreSQL: {SERVER} is not set (scripts/test sets it)"),
    }
    databases
}

/// The records of small matches in one file: with searches, with partners and chance, with an unfinished
/// game, and one without a match.
fn records(folder: &Path) -> PathBuf {
    let file = folder.join("games.jsonl");
    let matches: [&[&str]; 3] = [
        &["tic-tac-toe", "--agents", "mcts:iterations=20,random", "--games", "8", "--searches"],
        &["sueca", "--agents", "ismcts:iterations=5,random", "--games", "4"],
        &["kuhn-poker", "--agents", "random,random", "--games", "10", "--seed", "18446744073709551615"],
    ];
    for arguments in matches {
        output(&[&["match"], arguments, &["--records", text(&file)]].concat());
    }
    let mut lines = fs::read_to_string(&file).unwrap();
    lines.push_str(
        "{\"game\":\"kuhn-poker\",\"seats\":[\"Ann\",\"Bob, the \\\"Fox\\\"\"],\"actions\":[\"K\",\"J\",\"bet\"]}\n",
    );
    lines.push_str(
        "{\"game\":\"connect-four\",\"rules\":{\"columns\":\"5\",\"rows\":\"4\"},\"actions\":[\"1\",\"2\"]}\n",
    );
    fs::write(&file, lines).unwrap();
    file
}

#[test]
fn an_export_is_what_was_imported() {
    let folder = folder("db-export");
    let file = records(&folder);
    let lines = fs::read_to_string(&file).unwrap();
    for database in databases(&folder, "export") {
        assert_eq!(json(&["db", "import", &database, text(&file)])["added"], 24);
        assert_eq!(output(&["db", "export", &database]), lines, "{database}");
        let again = json(&["db", "import", &database, text(&file)]);
        assert_eq!((&again["added"], &again["there"]), (&2.into(), &22.into()), "only games without a match");
        let sueca: String =
            lines.lines().filter(|line| line.contains("sueca")).map(|line| format!("{line}\n")).collect();
        assert_eq!(output(&["db", "export", &database, "--game", "sueca"]), sueca);
        let short = output(&["db", "export", &database, "--where", "number = 3 AND game = 'kuhn-poker'"]);
        assert!(short.lines().count() == 1 && short.contains("\"number\":3"), "{short}");
        assert!(outputs(&["db", "export", &database, "--where", "nothing"], "", 1).1.contains("nothing"));
    }
}

#[test]
fn bad_lines_are_reported_and_the_others_go_on() {
    let folder = folder("db-lines");
    let file = folder.join("mixed.jsonl");
    let good = "{\"game\":\"tic-tac-toe\",\"actions\":[\"b2\",\"a1\"]}";
    let bad = [
        ("nonsense", "this line is no record: not a JSON object"),
        ("{\"game\":\"tic-tac-toe\"}", "this line is no record: missing field `actions`"),
        ("{\"game\":\"tic-tac-toe\",\"actions\":[\"b2\",\"b2\"]}", "step 1: "),
        ("{\"game\":\"chess\",\"actions\":[]}", "chess"),
        ("{\"game\":\"tic-tac-toe\",\"actions\":[\"b2\"],\"clocks\":[1.5,2.5]}", "2 clocks"),
        ("{\"game\":\"tic-tac-toe\",\"actions\":[\"b2\"],\"payoffs\":[1.0,-1.0]}", "stops before the end"),
    ];
    let lines: Vec<String> = bad.iter().map(|(line, _)| format!("{good}\n{line}\n")).collect();
    fs::write(&file, lines.concat() + "\n" + good).unwrap();
    for database in databases(&folder, "lines") {
        let (out, errors) = outputs(&["db", "import", &database, text(&file)], "", 1);
        assert_eq!(out, "7 games added, 0 were there, 6 refused\n");
        for (number, ((_, why), error)) in bad.iter().zip(errors.lines()).enumerate() {
            let place = format!("{}:{}: ", text(&file), 2 * number + 2);
            assert!(error.starts_with(&place) && error.contains(why), "{error}");
        }
        assert_eq!(output(&["db", "export", &database]), format!("{good}\n").repeat(7));
    }
}

/// Files that cannot be read take nothing from those before and after them.
#[test]
fn files_that_cannot_be_read_are_reported_and_the_others_go_on() {
    let folder = folder("db-files");
    let [first, last] = ["b2", "a1"].map(|action| {
        let file = folder.join(format!("{action}.jsonl"));
        fs::write(&file, format!("{{\"game\":\"tic-tac-toe\",\"actions\":[\"{action}\"]}}\n")).unwrap();
        file
    });
    let missing = folder.join("missing.jsonl");
    for database in databases(&folder, "files") {
        let files = [&first, &missing, &folder, &last].map(|path| text(path));
        let (out, errors) = outputs(&[&["db", "import", &database], &files[..]].concat(), "", 1);
        assert_eq!(out, "2 games added, 0 were there, 2 refused\n");
        let errors: Vec<&str> = errors.lines().collect();
        assert!(errors.len() == 2, "{errors:?}");
        assert!(errors[0].starts_with(&format!("{}: cannot be opened", text(&missing))), "{errors:?}");
        assert!(errors[1].starts_with(&format!("{}: cannot be read", text(&folder))), "{errors:?}");
        let lines = [&first, &last].map(|file| fs::read_to_string(file).unwrap()).concat();
        assert_eq!(output(&["db", "export", &database]), lines);
    }
}

/// Databases are no files of records, and their addresses are not printed.
#[test]
fn databases_are_not_imported() {
    let database = folder("db-imported").join("games.db");
    for (other, shown) in [("postgres://me:secret@host/games", "postgres://host/games is"), ("other.db", "other.db is")]
    {
        let errors = refused(&["db", "import", text(&database), "games.jsonl", other]);
        assert!(errors.contains(shown) && !errors.contains("secret"), "{errors}");
        assert!(!database.exists() && !errors.contains("games.jsonl"), "{errors}");
    }
}

/// The queries of the documentation.
fn documented_queries() -> Vec<String> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/database.md")).unwrap();
    let blocks = page.split("```sql\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().trim().trim_end_matches(';').to_string()).collect()
}

/// Cells may differ in the last digits of means and in the time when games came in.
fn assert_same_answer(a: &Value, b: &Value) {
    assert_eq!(a["columns"], b["columns"]);
    let [a_rows, b_rows] = [a, b].map(|answer| answer["rows"].as_array().unwrap());
    assert_eq!(a_rows.len(), b_rows.len(), "{a}\n{b}");
    for (a_row, b_row) in a_rows.iter().zip(b_rows) {
        for ((column, a), b) in
            a["columns"].as_array().unwrap().iter().zip(a_row.as_array().unwrap()).zip(b_row.as_array().unwrap())
        {
            match (a.as_f64(), b.as_f64()) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{column}: {a} {b}"),
                _ if column.as_str().unwrap().ends_with("_added") => assert_eq!(a.as_str().unwrap().len(), 20),
                _ => assert_eq!(a, b, "{column}"),
            }
        }
    }
}

#[test]
fn documented_queries_run_everywhere() {
    let folder = folder("db-queries");
    let file = records(&folder);
    let databases = databases(&folder, "queries");
    let queries = documented_queries();
    assert_eq!(queries.len(), 10);
    for database in &databases {
        output(&["db", "import", database, text(&file)]);
    }
    for query in &queries {
        let answers: Vec<Value> = databases.iter().map(|database| json(&["db", "query", database, query])).collect();
        assert!(!answers[0]["rows"].as_array().unwrap().is_empty(), "{query}");
        answers.iter().for_each(|answer| assert_same_answer(&answers[0], answer));
    }
}

#[test]
fn queries_print_tables_and_cannot_write() {
    let folder = folder("db-query");
    let file = records(&folder);
    for database in databases(&folder, "query") {
        output(&["db", "import", &database, text(&file)]);
        let people = "SELECT agent, seat, payoff FROM seats WHERE agent LIKE '%o%' AND agent NOT LIKE '%:%' \
            AND agent <> 'random' ORDER BY agent";
        let query = |more: &[&str]| output(&[&["db", "query", &database, people], more].concat());
        assert_eq!(query(&[]), "agent           seat  payoff\nBob, the \"Fox\"     1       -\n");
        assert_eq!(query(&["--csv"]), "agent,seat,payoff\n\"Bob, the \"\"Fox\"\"\",1,\n");
        assert_eq!(
            query(&["--json"]),
            "{\"columns\":[\"agent\",\"seat\",\"payoff\"],\"rows\":[[\"Bob, the \\\"Fox\\\"\",1,null]]}\n"
        );
        let numbers = "SELECT 'mcts:c=1,\"x\"' AS agent, 12 AS wins, CAST(1 AS DOUBLE PRECISION) / 3 AS rate \
            UNION ALL SELECT 'random', NULL, NULL ORDER BY agent";
        let query = |more: &[&str]| output(&[&["db", "query", &database, numbers], more].concat());
        let aligned = "agent         wins    rate\nmcts:c=1,\"x\"    12  0.3333\nrandom           -       -\n";
        assert_eq!(query(&[]), aligned);
        let exact = "agent,wins,rate\n\"mcts:c=1,\"\"x\"\"\",12,0.3333333333333333\nrandom,,\n";
        assert_eq!(query(&["--csv"]), exact);
        for sql in ["DELETE FROM games", "SELECT nothing", "SELECT 1; DELETE FROM games", "CREATE TABLE x (a TEXT)"] {
            refused(&["db", "query", &database, sql]);
        }
        let errors = refused(&["db", "query", &database, "COMMIT"]);
        assert!(errors.contains("only queries that return a table"), "{errors}");
        assert_eq!(json(&["db", "show", &database])["totals"]["games"], 24);
    }
}

#[test]
fn a_database_is_shown() {
    let folder = folder("db-show");
    let file = records(&folder);
    for database in databases(&folder, "show") {
        output(&["db", "import", &database, text(&file)]);
        let all = json(&["db", "show", &database]);
        assert_eq!((&all["totals"]["games"], &all["totals"]["matches"]), (&24.into(), &3.into()));
        let wins = |agent: &str| {
            let results = all["results"].as_array().unwrap().iter();
            results
                .filter(|row| row["game"] == "tic-tac-toe" && row["agent"] == agent)
                .map(|row| row["wins"].as_i64().unwrap())
                .sum::<i64>()
        };
        assert!(wins("mcts:iterations=20") > wins("random"), "{all}");
        assert!(output(&["db", "show", &database]).contains("games without a match"));
        let game = output(&["db", "show", &database, "23"]);
        assert!(game.starts_with("game 23: kuhn-poker") && game.contains("Ann") && game.contains("bet"), "{game}");
        let line = fs::read_to_string(&file).unwrap().lines().nth(22).unwrap().to_string();
        assert_eq!(output(&["db", "show", &database, "23", "--json"]).trim_end(), line);
        assert!(refused(&["db", "show", &database, "999"]).contains("no game 999"));
    }
}

#[test]
fn only_import_makes_a_database() {
    let folder = folder("db-missing");
    let path = folder.join("none.db");
    for arguments in [&["show", text(&path)][..], &["export", text(&path)], &["query", text(&path), "SELECT 1"]] {
        let errors = outputs(&[&["db"], arguments].concat(), "", 1).1;
        assert!(errors.contains("there is no database"), "{errors}");
    }
    assert!(!path.exists());
}

/// A match that goes on from a database ends like one that was never interrupted.
#[test]
fn matches_go_on_from_a_database() {
    let folder = folder("db-resume");
    let played = ["match", "sueca", "--agents", "ismcts:iterations=10,random", "--seed", "4"];
    let whole = result(&[&played[..], &["--games", "12"]].concat());
    for database in databases(&folder, "resume") {
        let kept = |games, more: &[&'static str]| {
            [&played[..], &["--games", games, "--records", &database], more]
                .concat()
                .iter()
                .map(|text| text.to_string())
                .collect::<Vec<_>>()
        };
        let run = |arguments: Vec<String>| result(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        run(kept("5", &[]));
        let again = kept("12", &[]);
        let errors = refused(&again.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(errors.contains("hold 5 games of this match"), "{errors}");
        assert_eq!(run(kept("12", &["--resume"])), whole, "{database}");
        assert_eq!(output(&["db", "export", &database]).lines().count(), 12);
        assert_eq!(run(kept("12", &["--resume"])), whole, "all games come from the database");
    }
}

/// Encryption needs a certificate that is trusted.
#[test]
fn servers_are_trusted_by_their_certificate() {
    let (Ok(address), Ok(certificate)) = (std::env::var(SERVER), std::env::var("MEEPLE_TEST_CERTIFICATE")) else {
        eprintln!("skipped: {SERVER} or MEEPLE_TEST_CERTIFICATE is not set (scripts/test sets them)");
        return;
    };
    let folder = folder("db-trust");
    let database = format!("{}&sslmode=require", databases(&folder, "trust")[1]);
    let ask = |certificate: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meeple"));
        command.args(["db", "import", &database, "-"]).env("SSL_CERT_FILE", certificate);
        command.stdin(Stdio::null()).output().unwrap()
    };
    let trusted = ask(&certificate);
    assert!(trusted.status.success(), "{address}: {}", String::from_utf8_lossy(&trusted.stderr));
    let other = folder.join("other.pem");
    fs::write(&other, OTHER_CERTIFICATE).unwrap();
    let refused = ask(text(&other));
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && errors.contains("certificate"), "{errors}");
}

/// Of nobody: its key was thrown away.
const OTHER_CERTIFICATE: &str = "\
-----BEGIN CERTIFICATE-----\n\
MIIBdzCCAR2gAwIBAgIUXY2JNyDDG5+QwKsuJ6sate/nj2AwCgYIKoZIzj0EAwIw\n\
EDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTE2MTMxOTEwWhgPMjEyNjEwMjMxMzE5\n\
MTBaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n\
x8lH4RZyRdrhPPJXmtVCaUAbiDg/KRHjXiYgBceo+9Q7jgC7F/x6fWlj6OVLgYVy\n\
xnvzElOtMkK3bBx7rb2jxqNTMFEwHQYDVR0OBBYEFBWVljXeSUKtRB+kSO3ohni2\n\
Gl7RMB8GA1UdIwQYMBaAFBWVljXeSUKtRB+kSO3ohni2Gl7RMA8GA1UdEwEB/wQF\n\
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJUAh2PoGb8b2gMfCS6GI967t5wyvvGQ\n\
P2tiwXw8dTA4AiAz+ZqLxjO+0VPfjr/IVQkWGtnU9v0aIuv2YTovpwo/LQ==\n\
-----END CERTIFICATE-----\n";
