//! What goes in comes out, on both databases.

mod common;

use common::{games, places, played, run, tamper, tic_tac_toe, varied, verified};
use meeple_core::record::Run;
use meeple_core::{Record, Rng, Rules};
use meeple_store::{Filter, Place, Store, StoreError, Value, Verified};

fn count(store: &mut Store, table: &str) -> i64 {
    match store.query(&format!("SELECT COUNT(*) FROM {table}")).unwrap().rows[0][0] {
        Value::Integer(count) => count,
        ref other => panic!("{other:?}"),
    }
}

fn all(store: &mut Store, filter: &Filter) -> Vec<Record> {
    store.records(filter).map(|found| found.unwrap().1).collect()
}

/// Every record comes back as it was added, alone and among all, to the letter.
#[test]
fn records_come_back_unchanged() {
    for place in places("unchanged") {
        let mut store = Store::open(&place).unwrap();
        let mut rng = Rng::from_seed(7);
        let mut added = Vec::new();
        for number in 0..150 {
            for game in games() {
                let run = Run { experiment: ["", "tuning"][number as usize % 2].to_string(), ..run(u64::MAX, number) };
                let record = varied(&*game, &run, &mut rng);
                let verified = Verified::new(&*game, record.clone()).unwrap();
                added.push((store.add(&verified).unwrap().id, record));
            }
        }
        for (id, record) in &added {
            assert_eq!(&store.record(*id).unwrap(), record, "{place}");
        }
        let text = |record: &Record| serde_json::to_string(record).unwrap();
        let exported: Vec<String> = all(&mut store, &Filter::default()).iter().map(text).collect();
        let imported: Vec<String> = added.iter().map(|(_, record)| text(record)).collect();
        assert_eq!(exported, imported, "{place}");
    }
}

#[test]
fn a_match_is_found_by_what_its_games_share() {
    for place in places("match") {
        let mut store = Store::open(&place).unwrap();
        let game = tic_tac_toe();
        let variants = [
            run(1, 0),
            run(2, 0),
            Run { experiment: "other".to_string(), ..run(1, 0) },
            Run { agents: vec!["random".to_string(); 2], ..run(1, 0) },
        ];
        for number in 0..5 {
            for variant in &variants {
                let record = played(&*game, &Run { number, ..variant.clone() });
                store.add(&Verified::new(&*game, record).unwrap()).unwrap();
            }
        }
        for variant in &variants {
            let found = store.records_of("tic-tac-toe", &Rules::default(), &Run { number: 99, ..variant.clone() });
            let expected: Vec<Record> =
                (0..5).map(|number| played(&*game, &Run { number, ..variant.clone() })).collect();
            assert_eq!(found.unwrap(), expected, "{place}");
        }
        assert!(store.records_of("tic-tac-toe", &Rules::default(), &run(3, 0)).unwrap().is_empty());
        assert!(store.records_of("tic-tac-toe", &Rules::default().with("a", 1), &run(1, 0)).unwrap().is_empty());
    }
}

/// The first game of a number stays; a game without a match is another game each time.
#[test]
fn a_game_of_a_match_is_stored_once() {
    for place in places("once") {
        let mut store = Store::open(&place).unwrap();
        let game = verified(1, 0);
        let first = store.add(&game).unwrap();
        let mut other = game.record().clone();
        other.clocks = None;
        let again = store.add_all(&[Verified::new(&*tic_tac_toe(), other).unwrap(), verified(1, 1)]).unwrap();
        assert!(first.new && !again[0].new && again[1].new, "{place}");
        assert_eq!(first.id, again[0].id);
        assert_eq!(&store.record(first.id).unwrap(), game.record());
        assert_eq!((count(&mut store, "games"), count(&mut store, "matches")), (2, 1), "{place}");
        let alone = Record { run: None, ..game.record().clone() };
        let alone = Verified::new(&*tic_tac_toe(), alone).unwrap();
        assert!(store.add(&alone).unwrap().new && store.add(&alone).unwrap().new);
        assert_eq!(count(&mut store, "games"), 4);
    }
}

/// A game that somebody gave up has the result that was counted, without points.
#[test]
fn a_game_that_was_given_up_comes_back() {
    for place in places("given_up") {
        let mut store = Store::open(&place).unwrap();
        let game = tic_tac_toe();
        let record = Record {
            game: "tic-tac-toe".to_string(),
            actions: vec!["b2".to_string()],
            payoffs: Some(vec![1.0, -1.0]),
            reason: Some("resignation".to_string()),
            ..Record::default()
        };
        let id = store.add(&Verified::new(&*game, record.clone()).unwrap()).unwrap().id;
        assert_eq!(store.record(id).unwrap(), record, "{place}");
        let results = store.query("SELECT result, score FROM seats ORDER BY seat").unwrap().rows;
        assert_eq!(results, [["win".into(), Value::Null], ["loss".into(), Value::Null]], "{place}");
        for payoffs in [None, Some(vec![1.0]), Some(vec![2.0, -2.0])] {
            assert!(Verified::new(&*game, Record { payoffs, ..record.clone() }).is_err());
        }
    }
}

#[test]
fn records_that_would_not_come_back_are_refused() {
    let game = tic_tac_toe();
    let good = played(&*game, &run(1, 5));
    let length = good.actions.len();
    let bad = [
        (Record { actions: vec!["a1".to_string(); 2], ..good.clone() }, "step 1"),
        (Record { clocks: Some(vec![1.0]), ..good.clone() }, "1 clocks"),
        (Record { clocks: Some(vec![f64::NAN; length]), ..good.clone() }, "finite"),
        (Record { iterations: Some(vec![u64::MAX; length]), ..good.clone() }, "too large"),
        (Record { searches: Some(Vec::new()), ..good.clone() }, "0 searches"),
        (Record { seats: vec!["a".to_string(); 3], ..good.clone() }, "3 seats"),
        (Record { seats: vec!["a\0".to_string(); 2], ..good.clone() }, "NUL"),
        (Record { run: Some(run(1, u64::MAX)), ..good.clone() }, "too large"),
        (Record { rules: Rules::default().with("a", "1,b=2"), ..good.clone() }, "key=value"),
    ];
    for (record, why) in bad {
        match Verified::new(&*game, record) {
            Err(StoreError::Record(message)) => assert!(message.contains(why), "{message}"),
            other => panic!("{why}: {other:?}"),
        }
    }
    assert!(Verified::new(&*game, good).is_ok());
}

#[test]
fn filters_choose_games() {
    for place in places("filters") {
        let mut store = Store::open(&place).unwrap();
        for number in 0..450 {
            store.add(&verified(1, number)).unwrap();
        }
        for game in games() {
            store.add(&Verified::new(&*game, played(&*game, &run(2, 0))).unwrap()).unwrap();
        }
        let by_game = Filter { game: Some("hearts".to_string()), ..Filter::default() };
        assert_eq!(all(&mut store, &by_game).len(), 1);
        let condition = |text: &str| Filter { condition: Some(text.to_string()), ..Filter::default() };
        let long = all(&mut store, &condition("game = 'tic-tac-toe' AND length = 9 -- a comment"));
        let longest = (0..450).map(|number| verified(1, number)).filter(|game| game.record().actions.len() == 9);
        assert_eq!(long.len(), longest.count() + usize::from(played(&*tic_tac_toe(), &run(2, 0)).actions.len() == 9));
        assert_eq!(all(&mut store, &Filter::default()).len(), 453);
        assert!(store.records(&condition("nothing = 1")).next().unwrap().is_err());
        assert!(store.records(&condition("1 = 1); DELETE FROM games; --")).next().unwrap().is_err());
        assert_eq!(all(&mut store, &Filter::default()).len(), 453);
    }
}

/// Who decided is in the rows, and where the randomness came from.
#[test]
fn rows_say_who_decided() {
    for place in places("rows") {
        let mut store = Store::open(&place).unwrap();
        for game in games() {
            let record = played(&*game, &run(3, 0));
            let verified = Verified::new(&*game, record.clone()).unwrap();
            let id = store.add(&verified).unwrap().id;
            let sql = format!("SELECT seat, action FROM decisions WHERE game_id = {id} ORDER BY ply");
            let rows = store.query(&sql).unwrap().rows;
            let seats = verified.deciders().iter().map(|seat| seat.map(|seat| seat as i64));
            let expected: Vec<Vec<Value>> =
                seats.zip(&record.actions).map(|(seat, action)| vec![seat.into(), action.as_str().into()]).collect();
            assert_eq!(rows, expected, "{place}");
            let moves = store.query(&format!("SELECT DISTINCT random FROM moves WHERE game_id = {id}")).unwrap();
            assert_eq!(moves.rows, [[Value::from(record.random.as_deref())]]);
        }
    }
}

/// The same query has the same answer on both databases.
#[test]
fn answers_have_types() {
    for place in places("types") {
        let mut store = Store::open(&place).unwrap();
        store.add(&verified(1, 0)).unwrap();
        let table = store.query("SELECT 1 AS one, 2.5 AS half, 'x' AS text, NULL AS missing, SUM(1) AS total").unwrap();
        assert_eq!(table.columns, ["one", "half", "text", "missing", "total"]);
        let expected = [Value::Integer(1), Value::Real(2.5), "x".into(), Value::Null, Value::Integer(1)];
        assert_eq!(table.rows, [expected], "{place}");
        let results = store.query("SELECT games, wins + draws + losses AS n FROM results ORDER BY agent").unwrap();
        assert_eq!(results.rows, [[1.into(), 1.into()], [1.into(), 1.into()] as [Value; 2]], "{place}");
    }
}

#[test]
fn queries_cannot_write() {
    for place in places("writes") {
        Store::open(&place).unwrap().add(&verified(1, 0)).unwrap();
        let mut reader = Store::open_read_only(&place).unwrap();
        for sql in [
            "DELETE FROM decisions",
            "INSERT INTO experiments (name) VALUES ('x')",
            "UPDATE games SET reason = ''",
            "DROP VIEW moves",
            "CREATE TABLE extra (a BIGINT)",
            "SELECT 1; DELETE FROM decisions",
            "COMMIT; DELETE FROM decisions",
            "WITH gone AS (SELECT 1) DELETE FROM decisions",
            "COMMIT",
            "ROLLBACK",
        ] {
            assert!(matches!(reader.query(sql), Err(StoreError::Query(_))), "{place}: {sql}");
        }
        if let Place::Server(_) = place {
            for sql in [
                "DO $$ BEGIN SET TRANSACTION READ WRITE; DELETE FROM decisions; END $$",
                "DO $$ BEGIN COMMIT; DELETE FROM decisions; END $$",
                "DO $$BEGIN END$$",
                "COPY (SELECT 1) TO PROGRAM 'true'",
                "COPY (SELECT 1) TO STDOUT",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
                "WITH gone AS (DELETE FROM decisions RETURNING 1) SELECT * FROM gone",
            ] {
                assert!(matches!(reader.query(sql), Err(StoreError::Query(_))), "{place}: {sql}");
            }
        } else {
            for sql in ["PRAGMA user_version = 5", "VACUUM INTO '/nowhere/copy.db'", "ATTACH ':memory:' AS other"] {
                assert!(matches!(reader.query(sql), Err(StoreError::Query(_))), "{place}: {sql}");
            }
        }
        assert!(reader.add(&verified(1, 1)).is_err(), "{place}");
        assert!(count(&mut reader, "decisions") >= 5, "{place}");
    }
}

#[test]
fn numbers_of_no_game_are_refused() {
    for place in places("numbers") {
        let mut store = Store::open(&place).unwrap();
        for id in [i64::MIN, -1, 0, 1, i64::MAX] {
            assert_eq!(store.record(id), Err(StoreError::NoGame(id)), "{place}");
        }
    }
}

#[test]
fn a_later_version_is_left_alone() {
    for place in places("newer") {
        Store::open(&place).unwrap();
        tamper(&place, "UPDATE meeple SET value = '2' WHERE key = 'schema'");
        let bytes = || match &place {
            Place::File(path) => std::fs::read(path).unwrap(),
            Place::Server(_) => Vec::new(),
        };
        if let Place::File(_) = place {
            tamper(&place, "PRAGMA journal_mode = DELETE");
        }
        let before = bytes();
        for opened in [Store::open(&place), Store::open_read_only(&place)] {
            let error = opened.unwrap_err();
            assert!(matches!(error, StoreError::Newer { found: 2, known: 1, .. }), "{error:?}");
            assert!(error.to_string().contains("use a newer meeple"), "{error}");
        }
        assert!(before == bytes(), "{place} was changed");
    }
}
