//! What can go wrong with a database.

use std::fmt;

use crate::GameId;

/// Each is one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// There is no such database, or it cannot be reached or created.
    Open(String),
    /// The place holds something else than games.
    Foreign(String),
    /// The database was made by a later program.
    Newer { place: String, found: u64, known: u64 },
    /// The record cannot be kept; other records can.
    Record(String),
    /// There is no game with this number.
    NoGame(GameId),
    /// The database refused a query, which may be wrong or may want to write.
    Query(String),
    /// Reading or writing failed. What was stored before is safe.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Newer { place, found, known } => write!(
                f,
                "{place} has version {found} of the schema; this program knows version {known}: use a newer meeple"
            ),
            StoreError::NoGame(id) => write!(f, "there is no game {id}"),
            StoreError::Open(text)
            | StoreError::Foreign(text)
            | StoreError::Record(text)
            | StoreError::Query(text)
            | StoreError::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for StoreError {}
