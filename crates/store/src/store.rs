//! The store: opening, adding, asking.

use std::fmt;
use std::time::Instant;

use crate::database::{Database, LOCK_PATIENCE, Purpose};
use crate::insert::insert_game;
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;
use crate::{GameId, Place, StoreError, Table, Value, Verified};

/// The version of the schema that this program writes and reads.
pub const SCHEMA_VERSION: u64 = 1;

/// How often a transaction is tried that other writers disturb.
const ATTEMPTS: usize = 10;

/// A game database. Several stores, in one program or many, may use the same one.
pub struct Store {
    pub(crate) database: Box<dyn Database>,
    place: Place,
    read_only: bool,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.place)
    }
}

/// A game that is in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    pub id: GameId,
    /// Whether it was not there before.
    pub new: bool,
}

impl Store {
    /// Opens a database for reading and writing, and makes it if there is none.
    pub fn open(place: &Place) -> Result<Store, StoreError> {
        let database: Box<dyn Database> = match place {
            Place::File(path) => Box::new(Sqlite::open(path)?),
            Place::Server(address) => Box::new(Postgres::open(address)?),
        };
        let mut store = Store { database, place: place.clone(), read_only: false };
        let is_there = store.database.has_table("meeple")?;
        if is_there {
            // Before anything of a later program is changed.
            store.check_version()?;
        }
        store.database.prepare_writing()?;
        if !is_there {
            store.transaction(Purpose::Create, Store::create)?;
            store.check_version()?;
        }
        Ok(store)
    }

    /// Opens a database that is there; nothing can be written through this store.
    pub fn open_read_only(place: &Place) -> Result<Store, StoreError> {
        let database: Box<dyn Database> = match place {
            Place::File(path) => Box::new(Sqlite::open_read_only(path)?),
            Place::Server(address) => Box::new(Postgres::open(address)?),
        };
        let mut store = Store { database, place: place.clone(), read_only: true };
        store.check_version()?;
        Ok(store)
    }

    /// Adds one game. When this returns, the game outlives the program.
    pub fn add(&mut self, game: &Verified) -> Result<Added, StoreError> {
        self.add_all(std::slice::from_ref(game)).map(|added| added[0])
    }

    /// Adds games in one transaction: all of them or, after an error, none. A game whose match has one
    /// of the same number is there already and stays as it is. That is why games of matches can be added
    /// again where it is not known whether they were stored: after the connection to a server was lost.
    pub fn add_all(&mut self, games: &[Verified]) -> Result<Vec<Added>, StoreError> {
        let done = self.insert_all(games);
        let repeatable = games.iter().all(|game| game.record().run.is_some());
        if done.is_ok() || !repeatable || !self.database.is_lost() {
            return done;
        }
        self.database.reconnect()?;
        self.insert_all(games)
    }

    fn insert_all(&mut self, games: &[Verified]) -> Result<Vec<Added>, StoreError> {
        let purpose = if games.len() > 1 { Purpose::WriteMany } else { Purpose::Write };
        self.transaction(purpose, |store| games.iter().map(|game| insert_game(&mut *store.database, game)).collect())
    }

    /// Answers one SQL query, which may not write.
    pub fn query(&mut self, sql: &str) -> Result<Table, StoreError> {
        self.transaction(Purpose::Read, |store| store.database.answer(sql))
    }

    /// Runs a transaction, again if another writer was in the way and did not take long.
    pub(crate) fn transaction<T>(
        &mut self,
        purpose: Purpose,
        work: impl Fn(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        let mut attempt = 1;
        loop {
            match self.attempt(purpose, &work) {
                Err(StoreError::Conflict(_)) if attempt < ATTEMPTS && started.elapsed() < LOCK_PATIENCE => attempt += 1,
                done => return done,
            }
        }
    }

    fn attempt<T>(
        &mut self,
        purpose: Purpose,
        work: impl Fn(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.read_only && purpose != Purpose::Read {
            return Err(StoreError::Failed(format!("{} is open for reading only", self.place)));
        }
        let begun = self.database.begin(purpose);
        let done = begun.and_then(|()| work(self)).and_then(|value| self.database.commit().map(|()| value));
        if done.is_err() {
            self.database.roll_back();
        }
        done
    }

    /// Another writer may have been first.
    fn create(&mut self) -> Result<(), StoreError> {
        match self.database.has_table("meeple")? {
            true => Ok(()),
            false => self.database.create_schema(),
        }
    }

    fn version(&mut self) -> Result<Option<u64>, StoreError> {
        if !self.database.has_table("meeple")? {
            return Ok(None);
        }
        let found = self.database.rows("SELECT value FROM meeple WHERE key = 'schema'", &[])?;
        Ok(match found.first().and_then(|row| row.first()) {
            Some(Value::Text(version)) => version.parse().ok(),
            _ => None,
        })
    }

    fn check_version(&mut self) -> Result<(), StoreError> {
        let place = self.place.to_string();
        match self.version()? {
            Some(SCHEMA_VERSION) => Ok(()),
            Some(found) if found > SCHEMA_VERSION => Err(StoreError::Newer { place, found, known: SCHEMA_VERSION }),
            _ => Err(StoreError::Foreign(format!("{place} is no game database"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::erased::{erase, only_random};
    use meeple_core::record::Run;
    use meeple_core::{Record, Rng};
    use meeple_games::TicTacToe;

    use super::*;

    fn game(number: u64) -> Verified {
        let game = erase(TicTacToe, Vec::new(), only_random);
        let mut squares = ["a1", "b1", "c1", "b2", "a2", "a3"];
        Rng::stream(1, number).shuffle(&mut squares);
        let actions = squares[..4].iter().map(|square| square.to_string()).collect();
        let run = Some(Run { number, ..Run::default() });
        Verified::new(&*game, Record { game: "tic-tac-toe".to_string(), actions, run, ..Record::default() }).unwrap()
    }

    /// A game that finds no room is refused as a whole; those before it stay, and later ones fit again when there is.
    #[test]
    fn a_full_disk_loses_no_game() {
        let path = std::env::temp_dir().join(format!("meeple-full-{}.db", std::process::id()));
        let place = Place::File(path.clone());
        Store::open(&place).unwrap();
        let mut full = Sqlite::open(&path).unwrap();
        full.prepare_writing().unwrap();
        full.limit_pages(60);
        let mut store = Store { database: Box::new(full), place: place.clone(), read_only: false };
        let error = (0..).map(|number| store.add(&game(number))).find_map(Result::err).unwrap();
        assert!(error.to_string().ends_with("the disk is full"), "{error}");
        let stored = store.records(&Default::default()).count() as u64;
        assert!(stored > 10 && store.add(&game(stored)).is_err());
        drop(store);

        let mut store = Store::open(&place).unwrap();
        assert_eq!(store.query("PRAGMA integrity_check").unwrap().rows, [[Value::from("ok")]]);
        let found: Vec<Record> = store.records(&Default::default()).map(|found| found.unwrap().1).collect();
        let expected: Vec<Record> = (0..stored).map(|number| game(number).record().clone()).collect();
        assert_eq!(found, expected);
        assert!(store.add(&game(stored)).unwrap().new);
        drop(store);
        std::fs::remove_file(path).unwrap();
    }
}
