//! Finished games in the database.

use std::sync::Mutex;

use meeple_core::Record;
use meeple_core::erased::AnyGame;
use meeple_store::{Place, Store, StoreError, Table, Value, Verified};
use serde::Serialize;
use utoipa::ToSchema;

use crate::competition::experiment;
use crate::hub::lock;

/// The database of finished games.
#[derive(Debug)]
pub(crate) struct Archive {
    store: Mutex<Store>,
}

/// Games in which one is looked for that may have been stored before the server was killed.
const LOOKED_AT: usize = 200;

/// A finished game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RecordInfo {
    pub(crate) id: i64,
    pub(crate) game: String,
    pub(crate) seats: Vec<String>,
    /// How it ended; null if it was cut short.
    pub(crate) result: Option<String>,
    /// Decisions of players.
    pub(crate) length: i64,
    pub(crate) added: String,
}

impl Archive {
    pub(crate) fn open(place: &Place) -> Result<Archive, StoreError> {
        Ok(Archive { store: Mutex::new(Store::open(place)?) })
    }

    /// Returns the number of the game.
    pub(crate) fn add(&self, game: &dyn AnyGame, record: Record) -> Result<i64, StoreError> {
        let verified = Verified::new(game, record)?;
        Ok(lock(&self.store).add(&verified)?.id)
    }

    /// The number of a game that was stored not long ago, if this one was.
    pub(crate) fn find(&self, record: &Record) -> Result<Option<i64>, StoreError> {
        let mut store = lock(&self.store);
        let newest = format!(
            "SELECT id FROM games WHERE game = '{}' AND match_id IS NULL ORDER BY id DESC LIMIT {LOOKED_AT}",
            record.game
        );
        for id in integers(&store.query(&newest)?) {
            if store.record(id)? == *record {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    pub(crate) fn record(&self, id: i64) -> Result<Record, StoreError> {
        lock(&self.store).record(id)
    }

    /// The newest games before one, of one kind or of all, of one competition or of all.
    pub(crate) fn list(
        &self,
        game: Option<&str>,
        competition: Option<&str>,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<RecordInfo>, StoreError> {
        let of_game = game.map_or("1 = 1".to_string(), |name| format!("game = '{name}'"));
        let of_run = competition.map_or("1 = 1".to_string(), |id| {
            format!("match_id IN (SELECT id FROM matches WHERE experiment = '{}')", experiment(id))
        });
        let before = before.map_or("1 = 1".to_string(), |id| format!("id < {id}"));
        let sql = format!(
            "SELECT id, game, reason, length, added FROM games WHERE {of_game} AND {of_run} AND {before} \
             ORDER BY id DESC LIMIT {limit}"
        );
        let mut store = lock(&self.store);
        let games = store.query(&sql)?;
        let ids: Vec<String> = integers(&games).map(|id| id.to_string()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let seats = store.query(&format!(
            "SELECT game_id, agent FROM seats WHERE game_id IN ({}) ORDER BY game_id, seat",
            ids.join(", ")
        ))?;
        let of = |id: i64| {
            let rows = seats.rows.iter().filter(|row| row[0] == Value::Integer(id));
            rows.map(|row| text(&row[1]).unwrap_or_default()).collect()
        };
        let info = |row: &Vec<Value>| {
            let Value::Integer(id) = row[0] else { return None };
            let Value::Integer(length) = row[3] else { return None };
            Some(RecordInfo {
                id,
                game: text(&row[1])?,
                seats: of(id),
                result: text(&row[2]),
                length,
                added: text(&row[4]).unwrap_or_default(),
            })
        };
        Ok(games.rows.iter().filter_map(info).collect())
    }
}

fn integers(table: &Table) -> impl Iterator<Item = i64> + '_ {
    table.rows.iter().filter_map(|row| match row[0] {
        Value::Integer(number) => Some(number),
        _ => None,
    })
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}
