//! What the store needs of a database; SQLite and PostgreSQL give it each in its way.

use std::time::Duration;

use crate::{StoreError, Table, Value};

/// Tables and views with words in braces for what differs.
const SCHEMA: &str = include_str!("schema.sql");

/// How long one step waits for other writers. A transaction is not tried again after this time, so that all
/// its attempts together take at most about twice as long.
pub(crate) const LOCK_PATIENCE: Duration = Duration::from_secs(30);

/// How the schema is written in one database.
pub(crate) struct Dialect {
    /// The type of a key that the database numbers itself.
    pub(crate) id: &'static str,
    /// The type of numbers with a fraction.
    pub(crate) real: &'static str,
    /// The time in UTC as text.
    pub(crate) now: &'static str,
    /// For tables that are kept in the order of their key.
    pub(crate) clustered: &'static str,
}

impl Dialect {
    pub(crate) fn schema(&self) -> String {
        SCHEMA
            .replace("{id}", self.id)
            .replace("{real}", self.real)
            .replace("{now}", self.now)
            .replace("{clustered}", self.clustered)
    }
}

/// Several rows of one table, column by column, all of the same length.
pub(crate) struct Rows<'a> {
    pub(crate) table: &'static str,
    pub(crate) columns: Vec<(&'static str, Column<'a>)>,
}

pub(crate) enum Column<'a> {
    Integers(Vec<Option<i64>>),
    Reals(Vec<Option<f64>>),
    Texts(Vec<Option<&'a str>>),
}

impl Column<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Column::Integers(numbers) => numbers.len(),
            Column::Reals(numbers) => numbers.len(),
            Column::Texts(texts) => texts.len(),
        }
    }
}

impl Rows<'_> {
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|&(name, _)| name).collect();
        names.join(", ")
    }

    pub(crate) fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// All reads see the same state, and nothing can be written.
    Read,
    /// One game is written.
    Write,
    /// Several games are written, by one writer at a time: two that cross would each wait for the other.
    WriteMany,
    /// Only one writer at a time looks for the schema and makes it.
    Create,
}

/// A connection. Parameters are written `$1`, `$2`, .. and first appear in this order.
pub(crate) trait Database: Send {
    fn begin(&mut self, purpose: Purpose) -> Result<(), StoreError>;

    fn commit(&mut self) -> Result<(), StoreError>;

    /// Undoes the transaction as far as the connection allows.
    fn roll_back(&mut self);

    /// Whether a table is there.
    fn has_table(&mut self, name: &str) -> Result<bool, StoreError>;

    /// Settings for writing, which may change a file that holds games already.
    fn prepare_writing(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn create_schema(&mut self) -> Result<(), StoreError>;

    /// Runs a statement of the store's own and returns its rows.
    fn rows(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, StoreError>;

    fn insert(&mut self, rows: &Rows<'_>) -> Result<(), StoreError>;

    /// Answers one query of a user, which cannot write and returns a table.
    fn answer(&mut self, sql: &str) -> Result<Table, StoreError>;

    /// Whether the connection has ended, so that nothing more can be done with it.
    fn is_lost(&self) -> bool {
        false
    }

    /// Connects again after the connection was lost.
    fn reconnect(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The answer to statements that do something instead.
pub(crate) fn no_table() -> StoreError {
    StoreError::Query("only queries that return a table are allowed".to_string())
}
