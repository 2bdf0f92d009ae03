//! SQLite: a file beside the run. A write-ahead log lets readers and one writer work at once.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, ToSql, params_from_iter};

use crate::database::{Column, Database, Dialect, Purpose, Rows};
use crate::{StoreError, Table, Value};

const DIALECT: Dialect = Dialect {
    id: "INTEGER PRIMARY KEY",
    // Any type would take the sign of -0.0 away.
    real: "",
    now: "(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
    clustered: " WITHOUT ROWID",
};

/// How long a writer waits for others.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Sqlite {
    connection: Connection,
    name: String,
}

impl Sqlite {
    /// Opens a file that games are written to, which may not be there yet.
    pub(crate) fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut sqlite = Sqlite::connect(path, flags)?;
        if !sqlite.has_table("meeple")? && sqlite.has_any_table()? {
            return Err(StoreError::Foreign(format!("{} holds other tables and no games", path.display())));
        }
        sqlite.prepare_writing()?;
        Ok(sqlite)
    }

    pub(crate) fn open_read_only(path: &Path) -> Result<Sqlite, StoreError> {
        if !path.exists() {
            return Err(StoreError::Open(format!("there is no database {}", path.display())));
        }
        Sqlite::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Sqlite, StoreError> {
        let name = path.display().to_string();
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let refuse = |error: Error| StoreError::Open(format!("cannot open {name}: {}", message(&error)));
        let connection = Connection::open_with_flags(path, flags).map_err(refuse)?;
        connection.busy_timeout(PATIENCE).map_err(refuse)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Sqlite { connection, name })
    }

    /// A finished transaction outlives the program from here on. The first step has no patience of its own.
    fn prepare_writing(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;";
        loop {
            match self.connection.execute_batch(settings) {
                Err(error) if is_busy(&error) && started.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                done => return done.map_err(|error| self.failure(&error)),
            }
        }
    }

    /// Makes the disk seem full at so many pages of 4 KiB.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, pages: u32) {
        self.connection.pragma_update(None, "max_page_count", pages).unwrap();
    }

    fn has_any_table(&mut self) -> Result<bool, StoreError> {
        Ok(!self.rows("SELECT name FROM sqlite_master LIMIT 1", &[])?.is_empty())
    }

    fn failure(&self, error: &Error) -> StoreError {
        let text = format!("{}: {}", self.name, message(error));
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign(text),
            _ => StoreError::Failed(text),
        }
    }

    fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.failure(&error))
    }
}

impl Database for Sqlite {
    fn begin(&mut self, purpose: Purpose) -> Result<(), StoreError> {
        self.run(if purpose == Purpose::Read { "BEGIN" } else { "BEGIN IMMEDIATE" })
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.run("COMMIT")
    }

    fn roll_back(&mut self) {
        // Some failures have ended the transaction already.
        let _ = self.run("ROLLBACK");
    }

    fn has_table(&mut self, name: &str) -> Result<bool, StoreError> {
        let found = self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1", &[name.into()])?;
        Ok(!found.is_empty())
    }

    fn create_schema(&mut self) -> Result<(), StoreError> {
        self.run(&DIALECT.schema())
    }

    fn rows(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Vec<Value>>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let columns = statement.column_count();
            let mut rows = statement.query(params_from_iter(parameters))?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push((0..columns).map(|column| row.get_ref(column).map(value)).collect::<Result<_, _>>()?);
            }
            Ok(found)
        };
        read().map_err(|error| self.failure(&error))
    }

    fn insert(&mut self, rows: &Rows<'_>) -> Result<(), StoreError> {
        let places: Vec<String> = (1..=rows.columns.len()).map(|number| format!("${number}")).collect();
        let sql = format!("INSERT INTO {} ({}) VALUES ({})", rows.table, rows.names(), places.join(", "));
        let write = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            for row in 0..rows.len() {
                statement.execute(params_from_iter(rows.columns.iter().map(|(_, column)| Cell(column, row))))?;
            }
            Ok(())
        };
        write().map_err(|error| self.failure(&error))
    }

    fn answer(&mut self, sql: &str) -> Result<Table, StoreError> {
        let read = || -> rusqlite::Result<Option<Table>> {
            let mut statement = self.connection.prepare(sql)?;
            if !statement.readonly() {
                return Ok(None);
            }
            let columns: Vec<String> = statement.column_names().map(str::to_string).collect();
            let mut found = statement.query([])?;
            let mut rows = Vec::new();
            while let Some(row) = found.next()? {
                rows.push((0..columns.len()).map(|column| row.get_ref(column).map(value)).collect::<Result<_, _>>()?);
            }
            Ok(Some(Table { columns, rows }))
        };
        match read() {
            Ok(Some(table)) => Ok(table),
            Ok(None) => {
                Err(StoreError::Query("the query would write, and the database is open for reading only".into()))
            }
            Err(error) => Err(StoreError::Query(message(&error))),
        }
    }
}

/// One cell of rows that are written.
struct Cell<'a>(&'a Column<'a>, usize);

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let &Cell(column, row) = self;
        Ok(ToSqlOutput::Borrowed(match column {
            Column::Integers(numbers) => numbers[row].map_or(ValueRef::Null, ValueRef::Integer),
            Column::Reals(numbers) => numbers[row].map_or(ValueRef::Null, ValueRef::Real),
            Column::Texts(texts) => texts[row].map_or(ValueRef::Null, |text| ValueRef::Text(text.as_bytes())),
        }))
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// Bytes become hexadecimal digits.
fn value(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Text(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}

fn is_busy(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn message(error: &Error) -> String {
    match (error, error.sqlite_error_code()) {
        (_, Some(ErrorCode::DiskFull)) => "the disk is full".to_string(),
        (_, Some(ErrorCode::NotADatabase)) => "this file is no SQLite database".to_string(),
        (_, Some(ErrorCode::DatabaseCorrupt)) => "the file is damaged".to_string(),
        (Error::MultipleStatement, _) => "one statement at a time".to_string(),
        (Error::SqliteFailure(_, Some(text)), _) => text.clone(),
        (Error::SqlInputError { msg, .. }, _) => msg.clone(),
        _ => error.to_string(),
    }
}
