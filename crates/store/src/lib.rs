//! The game database: finished games with their seats and decisions, in SQLite or in PostgreSQL.
//!
//! A [`Store`] is opened by a path or by a `postgres://` address. It takes games that kept the rules
//! ([`Verified`]), each of them whole or not at all, and gives back exactly their records. Schema and
//! queries are the same for both databases; `docs/database.md` describes them for users.

mod database;
mod error;
mod insert;
mod place;
mod postgres;
mod read;
mod sqlite;
mod store;
mod value;
mod verified;

pub use error::StoreError;
pub use place::Place;
pub use read::{Filter, Records};
pub use store::{Added, SCHEMA_VERSION, Store};
pub use value::{Table, Value};
pub use verified::Verified;

/// The number of a game in its database.
pub type GameId = i64;
