//! Writers that are killed, and writers that meet. A second process is this test program, asked to run
//! `child` only.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::time::Instant;

use common::{hearts, places, played, run, tamper, tic_tac_toe, verified};
use meeple_core::{Record, Rules};
use meeple_store::{Place, Store, Value, Verified};

/// The database and the seed of the match that a child plays, and how many games.
const ORDERS: &str = "MEEPLE_TEST_CHILD";

/// Not a test of its own: adds games one by one and says which of them are stored.
#[test]
fn child() {
    let Ok(orders) = std::env::var(ORDERS) else { return };
    let [seed, games, place] = orders.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{orders}") };
    let mut store = Store::open(&Place::new(place)).unwrap();
    for number in 0..games.parse().unwrap() {
        let id = store.add(&verified(seed.parse().unwrap(), number)).unwrap().id;
        println!("\nstored {number} {id}");
        std::io::stdout().flush().unwrap();
    }
}

fn start_child(place: &Place, seed: u64, games: u64) -> Child {
    let place = match place {
        Place::File(path) => path.display().to_string(),
        Place::Server(address) => address.clone(),
    };
    Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--nocapture"])
        .env(ORDERS, format!("{seed} {games} {place}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What a child has stored, as it says so.
fn stored(child: &mut Child) -> impl Iterator<Item = (u64, i64)> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| {
        let (number, id) = line.strip_prefix("stored ")?.split_once(' ')?;
        Some((number.parse().ok()?, id.parse().ok()?))
    })
}

fn assert_whole(store: &mut Store, place: &Place) {
    if let Place::File(_) = place {
        assert_eq!(store.query("PRAGMA integrity_check").unwrap().rows, [[Value::from("ok")]]);
    }
    let halves = "SELECT g.id FROM games g WHERE g.length <> (SELECT COUNT(*) FROM decisions d \
        WHERE d.game_id = g.id AND d.seat IS NOT NULL) OR 2 <> (SELECT COUNT(*) FROM seats s WHERE s.game_id = g.id)";
    assert!(store.query(halves).unwrap().rows.is_empty(), "{place}");
}

/// Whatever a writer had finished when it was killed is there, and the next one goes on.
#[test]
fn a_killed_writer_loses_no_finished_game() {
    for place in places("killed") {
        for round in 0..4 {
            let mut child = start_child(&place, round, u64::MAX);
            let mut lines = stored(&mut child);
            let mut seen: Vec<(u64, i64)> = lines.by_ref().take(10 + 37 * round as usize).collect();
            child.kill().unwrap();
            child.wait().unwrap();
            seen.extend(lines);
            let mut store = Store::open(&place).unwrap();
            for &(number, id) in &seen {
                assert_eq!(&store.record(id).unwrap(), verified(round, number).record(), "{place}");
            }
            assert_whole(&mut store, &place);
        }
    }
}

/// Two processes make the database, each plays a match of its own and both play a third one.
#[test]
fn two_writers_share_a_database() {
    for place in places("shared") {
        let games = 150;
        let mut children: Vec<Child> = [1, 2, 3, 3].map(|seed| start_child(&place, seed, games)).into();
        for child in &mut children {
            assert_eq!(stored(child).count() as u64, games, "{place}");
            assert!(child.wait().unwrap().success());
        }
        let mut store = Store::open(&place).unwrap();
        for seed in 1..=3 {
            let mut found = store.records_of("tic-tac-toe", &Rules::default(), &run(seed, 0)).unwrap();
            found.sort_by_key(|record| record.run.as_ref().unwrap().number);
            let expected: Vec<_> = (0..games).map(|number| verified(seed, number).record().clone()).collect();
            assert_eq!(found, expected, "{place}");
        }
        assert_whole(&mut store, &place);
    }
}

/// Batches that hold the same games in opposite orders begin at the same time: none may wait for the other forever.
#[test]
fn batches_that_cross_do_not_block_each_other() {
    for place in places("crossing") {
        Store::open(&place).unwrap();
        let together = Barrier::new(2);
        let write = &|backwards: bool| {
            let mut store = Store::open(&place).unwrap();
            for round in 0..3 {
                let mut batch: Vec<_> = (0..100).map(|number| verified(round, number)).collect();
                if backwards {
                    batch.reverse();
                }
                store.add(&verified(round, 100)).unwrap(); // so that nobody waits for the match
                together.wait();
                store.add_all(&batch).unwrap();
            }
        };
        std::thread::scope(|scope| [false, true].map(|backwards| scope.spawn(move || write(backwards))).map(drop));
        let mut store = Store::open(&place).unwrap();
        assert_eq!(store.query("SELECT COUNT(*) FROM games").unwrap().rows, [[Value::Integer(303)]], "{place}");
        assert_whole(&mut store, &place);
    }
}

/// A server that ends a connection costs no game of a match; whether others were stored is not known.
#[test]
fn a_lost_connection_is_made_again() {
    for place in places("lost").into_iter().filter(|place| matches!(place, Place::Server(_))) {
        let mut store = Store::open(&place).unwrap();
        let cut = |store: &mut Store| {
            let Value::Integer(id) = store.query("SELECT pg_backend_pid()").unwrap().rows[0][0] else { panic!() };
            tamper(&place, &format!("SELECT pg_terminate_backend({id}, 5000)"));
        };
        for number in 0..3 {
            assert!(store.add(&verified(1, number)).unwrap().new);
            cut(&mut store);
        }
        let alone = Record { run: None, ..verified(1, 0).record().clone() };
        assert!(store.add(&Verified::new(&*tic_tac_toe(), alone).unwrap()).is_err());
        assert!(!store.add(&verified(1, 2)).unwrap().new);
        assert_eq!(store.query("SELECT COUNT(*) FROM games").unwrap().rows, [[Value::Integer(3)]]);
    }
}

/// A store keeps up with fast agents, one transaction for each game. The best of a few matches counts: other programs
/// of the machine only ever make it slower.
#[test]
fn writing_is_fast_enough() {
    let game = hearts();
    let match_of = |seed| {
        let games = (0..200).map(|number| Verified::new(&*game, played(&*game, &run(seed, number))).unwrap());
        games.collect::<Vec<_>>()
    };
    for place in places("speed") {
        let mut store = Store::open(&place).unwrap();
        let rate = |games: &[Verified], started: Instant| {
            let decisions: usize = games.iter().map(|game| game.deciders().iter().flatten().count()).sum();
            decisions as f64 / started.elapsed().as_secs_f64()
        };
        let singly = (1..=4).map(|seed| {
            let games = match_of(seed);
            let started = Instant::now();
            games.iter().for_each(|game| assert!(store.add(game).unwrap().new));
            rate(&games, started)
        });
        let single_rate = singly.fold(0.0, f64::max);
        let batched = match_of(5);
        let started = Instant::now();
        store.add_all(&batched).unwrap();
        let batch_rate = rate(&batched, started);
        println!("{place}: {single_rate:.0} decisions/s game by game, about {batch_rate:.0} in one transaction");
        assert!(single_rate > 20_000.0 || matches!(place, Place::Server(_)), "{single_rate}");
    }
}
