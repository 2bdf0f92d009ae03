//! Places that are no game database, or none that can be reached.

mod common;

use common::{file, verified};
use meeple_store::{Place, Store, StoreError};

#[test]
fn reading_makes_no_database() {
    let path = file("missing");
    let error = Store::open_read_only(&Place::File(path.clone())).unwrap_err();
    assert!(matches!(error, StoreError::Open(_)) && error.to_string().contains("there is no database"), "{error}");
    assert!(!path.exists());
    let nowhere = path.join("no").join("folder.db");
    assert!(matches!(Store::open(&Place::File(nowhere)), Err(StoreError::Open(_))));
}

/// Files of other programs are neither taken for games nor changed.
#[test]
fn other_files_are_left_alone() {
    let text = file("text");
    std::fs::write(&text, "{\"game\": \"tic-tac-toe\", \"actions\": []}\n".repeat(100)).unwrap();
    let tables = file("tables");
    rusqlite::Connection::open(&tables).unwrap().execute_batch("CREATE TABLE games (name TEXT)").unwrap();
    for path in [text, tables] {
        let before = std::fs::read(&path).unwrap();
        let place = Place::File(path.clone());
        for opened in [Store::open(&place), Store::open_read_only(&place)] {
            let error = opened.unwrap_err();
            assert!(matches!(error, StoreError::Foreign(_)), "{error:?}");
        }
        assert!(before == std::fs::read(&path).unwrap(), "{} was changed", path.display());
    }
}

#[test]
fn an_empty_file_becomes_a_database() {
    let path = file("empty");
    std::fs::write(&path, "").unwrap();
    Store::open(&Place::File(path)).unwrap().add(&verified(1, 0)).unwrap();
}

#[test]
fn servers_that_do_not_answer_are_named() {
    // Nobody listens on the port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cases = [
        (format!("postgres://me:secret@127.0.0.1:{port}/games"), "Connection refused"),
        (format!("postgres://me:secret@127.0.0.1:{port}/games?sslmode=require"), "Connection refused"),
        ("postgres://me:secret@host.invalid/games".to_string(), "host.invalid"),
        ("postgres://me:secret@host/games?sslmode=maybe".to_string(), "sslmode"),
        ("postgres://me:a@b?secret=c@host/games".to_string(), "%40"),
    ];
    for (address, why) in cases {
        let error = Store::open(&Place::new(&address)).unwrap_err();
        let text = error.to_string();
        let named = ["cannot open postgres://", "cannot open the PostgreSQL address: "];
        assert!(matches!(error, StoreError::Open(_)) && named.iter().any(|name| text.starts_with(name)), "{text}");
        assert!(text.contains(why) && !text.contains("secret"), "{text}");
    }
}
