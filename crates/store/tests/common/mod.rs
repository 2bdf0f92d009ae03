//! Databases and games for the tests of the store.

#![allow(dead_code)] // each test program uses a part

use std::path::PathBuf;

use meeple_core::erased::{AnyGame, erase, only_random};
use meeple_core::record::{Run, Versions};
use meeple_core::{FromRules, Game, Record, Rng, RuleReader, Rules, Turn};
use meeple_games::{Hearts, KuhnPoker, TicTacToe};
use meeple_store::{Place, Verified};
use serde_json::{Value, json};

/// The address of a PostgreSQL server for tests, which `scripts/test` starts.
const SERVER: &str = "MEEPLE_TEST_POSTGRES";

/// An empty database of its own for a test: a file, and a schema on the server if there is one.
pub(crate) fn places(test: &str) -> Vec<Place> {
    let mut places = vec![Place::File(file(test))];
    places.extend(server(test));
    places
}

/// A file that is not there.
pub(crate) fn file(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{test}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("games.db")
}

fn server(test: &str) -> Option<Place> {
    let Ok(address) = std::env::var(SERVER) else {
        eprintln!("skipped on PostgreSQL: {SERVER} is not set (scripts/test sets it)");
        return None;
    };
    let schema = format!("{test}_{}", std::process::id());
    run_on_server(&address, &format!("CREATE SCHEMA {schema}"));
    let mark = if address.contains('?') { '&' } else { '?' };
    Some(Place::new(&format!("{address}{mark}options=-csearch_path%3D{schema}")))
}

fn run_on_server(address: &str, sql: &str) {
    let mut client = postgres::Client::connect(address, postgres::NoTls)
        .unwrap_or_else(|error| panic!("the server in {SERVER} must answer: {error}"));
    client.batch_execute(sql).unwrap();
}

/// Changes a database behind the back of the store.
pub(crate) fn tamper(place: &Place, sql: &str) {
    match place {
        Place::File(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
        Place::Server(address) => run_on_server(address, sql),
    }
}

fn game<G: Game + FromRules>(rules: &Rules) -> Box<dyn AnyGame> {
    let mut reader = RuleReader::new(rules);
    let game = G::from_rules(&mut reader).unwrap();
    erase(game, reader.finish().unwrap(), only_random)
}

/// A game of two without chance, one with hidden cards, and one of four with rules of its own.
pub(crate) fn games() -> Vec<Box<dyn AnyGame>> {
    let rules = Rules::default();
    vec![game::<TicTacToe>(&rules), game::<KuhnPoker>(&rules), game::<Hearts>(&rules.with("to", 10))]
}

pub(crate) fn tic_tac_toe() -> Box<dyn AnyGame> {
    game::<TicTacToe>(&Rules::default())
}

pub(crate) fn hearts() -> Box<dyn AnyGame> {
    game::<Hearts>(&Rules::default())
}

/// A random game as a match records it, without searches.
pub(crate) fn played(game: &dyn AnyGame, run: &Run) -> Record {
    let mut rng = Rng::stream(run.seed, run.number);
    let mut position = game.start();
    let mut actions = Vec::new();
    while position.turn() != Turn::Over {
        match position.turn() {
            Turn::Chance => actions.push(position.apply_chance(&mut rng)),
            _ => {
                let action = rng.choose(&position.actions()).clone();
                position.apply(&action).unwrap();
                actions.push(action);
            }
        }
    }
    let (players, outcome) = (game.info().players, position.outcome());
    Record {
        game: game.info().name.to_string(),
        rules: game.rules(),
        seats: (0..players).map(|seat| run.agents[seat % run.agents.len()].clone()).collect(),
        clocks: Some(actions.iter().map(|_| f64::from(rng.below(100_000)) / 1000.0).collect()),
        iterations: Some(actions.iter().map(|_| rng.next_u64() >> 1).collect()),
        random: Some(format!("{:016x}", rng.next_u64())),
        payoffs: Some(outcome.payoffs[..players].to_vec()),
        scores: Some(outcome.scores[..players].to_vec()),
        reason: Some(outcome.reason.to_string()),
        versions: Some(Versions::of(&game.info())),
        run: Some(run.clone()),
        actions,
        ..Record::default()
    }
}

/// The same with some of its fields left out, cut short or filled with odd values.
pub(crate) fn varied(game: &dyn AnyGame, run: &Run, rng: &mut Rng) -> Record {
    let mut record = played(game, run);
    let mut coin = || rng.below(3) == 0;
    if coin() {
        record.actions.truncate(run.number as usize % (record.actions.len() + 1));
        (record.payoffs, record.scores, record.reason) = (None, None, None);
        record.clocks.as_mut().unwrap().truncate(record.actions.len());
        record.iterations.as_mut().unwrap().truncate(record.actions.len());
    }
    let mut leave_out = |field: &mut dyn FnMut()| coin().then(field);
    leave_out(&mut || record.clocks.iter_mut().flatten().for_each(|clock| *clock = -0.0));
    leave_out(&mut || record.seats.clear());
    leave_out(&mut || record.clocks = None);
    leave_out(&mut || record.iterations = None);
    leave_out(&mut || record.random = None);
    leave_out(&mut || record.payoffs = None);
    leave_out(&mut || record.scores = None);
    leave_out(&mut || record.reason = None);
    leave_out(&mut || record.versions = None);
    leave_out(&mut || record.run = None);
    leave_out(&mut || record.searches = Some(vec![Value::Null; record.actions.len()]));
    if coin() {
        record.searches = Some(record.actions.iter().map(|_| search(rng)).collect());
    }
    record
}

fn search(rng: &mut Rng) -> Value {
    match rng.below(3) {
        0 => Value::Null,
        1 => json!({"visits": rng.next_u64(), "text": "quote ' \" \u{0} ü", "below": -1}),
        _ => json!({"actions": [{"value": rng.unit() - 0.5, "prior": f64::from_bits(rng.next_u64() >> 2)}]}),
    }
}

/// Game `number` of a match that a test calls by its seed.
pub(crate) fn run(seed: u64, number: u64) -> Run {
    let agents = vec!["mcts:iterations=100,c=0.7".to_string(), "random".to_string()];
    Run { experiment: String::new(), agents, seed, number }
}

/// A game of tic-tac-toe that a store takes.
pub(crate) fn verified(seed: u64, number: u64) -> Verified {
    let game = tic_tac_toe();
    let record = played(&*game, &run(seed, number));
    Verified::new(&*game, record).unwrap()
}
