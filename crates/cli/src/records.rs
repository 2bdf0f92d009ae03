//! Where the records of a match go, and where those of an interrupted one come from.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use meeple_arena::MatchSettings;
use meeple_core::erased::AnyGame;
use meeple_core::record::Run;
use meeple_core::{Record, Rules};
use meeple_store::{GameId, Place, Store, Verified};

use crate::commands::BadUsage;

/// A place that takes records of matches, each of them safe once it is written.
pub(crate) enum Target {
    Nowhere,
    Lines {
        path: PathBuf,
        file: File,
        /// What was there before.
        found: Vec<Record>,
    },
    Database {
        store: Store,
        /// The game whose records are written.
        game: Option<Box<dyn AnyGame>>,
    },
}

/// What tells one match from another.
pub(crate) struct Identity {
    game: String,
    rules: Rules,
    run: Run,
}

impl Identity {
    pub(crate) fn new(game: &dyn AnyGame, settings: &MatchSettings) -> Identity {
        Identity { game: game.info().name.to_string(), rules: game.rules(), run: settings.run(0) }
    }

    fn has(&self, record: &Record) -> bool {
        let run = record.run.as_ref().map(|run| Run { number: self.run.number, ..run.clone() });
        record.game == self.game && record.rules == self.rules && run.as_ref() == Some(&self.run)
    }
}

impl Target {
    pub(crate) fn open(place: Option<&str>) -> anyhow::Result<Target> {
        let Some(place) = place else { return Ok(Target::Nowhere) };
        if Place::names_database(place) {
            return Ok(Target::Database { store: Store::open(&Place::new(place))?, game: None });
        }
        let path = PathBuf::from(place);
        let (file, found) = open_lines(&path).with_context(|| format!("cannot open {place}"))?;
        Ok(Target::Lines { path, file, found })
    }

    /// The games of a match that are there already: given back with `resume` and refused without.
    pub(crate) fn done(&mut self, identity: &Identity, resume: bool) -> anyhow::Result<Vec<Record>> {
        let done = match self {
            Target::Nowhere => Vec::new(),
            Target::Lines { found, .. } => found.extract_if(.., |record| identity.has(record)).collect(),
            Target::Database { store, game } => {
                *game = Some(meeple_catalog::game(&identity.game, &identity.rules)?);
                store.records_of(&identity.game, &identity.rules, &identity.run)?
            }
        };
        if !done.is_empty() && !resume {
            let games = done.len();
            return Err(BadUsage(format!(
                "the records hold {games} games of this match: --resume goes on with it; another seed or place begins a new one"
            ))
            .into());
        }
        Ok(done)
    }

    pub(crate) fn write(&mut self, record: &Record) -> Result<(), String> {
        match self {
            Target::Nowhere => Ok(()),
            Target::Lines { path, file, .. } => {
                let mut line = serde_json::to_vec(record).map_err(|error| error.to_string())?;
                line.push(b'\n');
                file.write_all(&line).map_err(|error| format!("{}: {error}", path.display()))
            }
            Target::Database { store, game } => {
                let game = game.as_deref().ok_or("no match was begun here")?;
                let game = Verified::new(game, record.clone());
                game.and_then(|game| store.add(&game)).map(drop).map_err(|error| error.to_string())
            }
        }
    }
}

/// The records of a file, open at its end and closed to other writers. A line that is no record is
/// reported and left alone; a last record that was cut short is taken away.
fn open_lines(path: &Path) -> std::io::Result<(File, Vec<Record>)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    file.try_lock().map_err(|_| std::io::Error::other("another program is writing to it"))?;
    let mut records = Vec::new();
    let mut whole = 0;
    let mut reader = BufReader::new(&file);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)? as u64;
        let ended = line.last() == Some(&b'\n');
        match serde_json::from_slice(&line) {
            _ if length == 0 => break,
            Ok(record) => records.push(record),
            Err(_) if line.trim_ascii().is_empty() => (),
            Err(_) if !ended && line.starts_with(BEGINNING) => {
                eprintln!("{}:{number}: the last record was cut short; it is taken away", path.display());
                file.set_len(whole)?;
                break;
            }
            Err(error) if !ended => return Err(std::io::Error::other(format!("this is no file of records: {error}"))),
            Err(error) => eprintln!("{}:{number}: no record: {error}", path.display()),
        }
        whole += length;
        if !ended {
            file.write_all(b"\n")?;
            break;
        }
    }
    Ok((file, records))
}

/// How a record that was written here begins.
const BEGINNING: &[u8] = b"{\"game\"";

/// Record `number` of a file of records, from 1, or the game of a database with this number.
pub(crate) fn find(place: &str, number: u64) -> anyhow::Result<Record> {
    if Place::names_database(place) {
        return Ok(Store::open_read_only(&Place::new(place))?.record(GameId::try_from(number).unwrap_or(GameId::MAX))?);
    }
    let input: Box<dyn BufRead> = match place {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path).with_context(|| format!("cannot open {path}"))?)),
    };
    let mut left = number;
    for line in input.lines() {
        let line = line.with_context(|| format!("cannot read {place}"))?;
        left -= u64::from(!line.trim().is_empty());
        if left == 0 {
            let record = meeple_catalog::read_record(line.as_bytes());
            return record.map_err(|error| anyhow::anyhow!("{place}: record {number}: {error}"));
        }
    }
    Err(BadUsage(format!("{place} has {} records, no number {number}", number - left)).into())
}
