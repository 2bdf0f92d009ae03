//! Where the records of a match go, and where those of an interrupted one come from.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use meeple_core::Record;
use meeple_core::erased::AnyGame;
use meeple_core::record::Run;
use meeple_store::{GameId, Place, Store, Verified};

use crate::commands::BadUsage;

/// Records of a match that was begun before.
pub(crate) struct Begun {
    pub(crate) target: Target,
    pub(crate) done: Vec<Record>,
}

/// A place that takes records, each of them safe once it is written.
pub(crate) enum Target {
    Nowhere,
    Lines { path: PathBuf, file: File },
    Database { store: Store, game: Box<dyn AnyGame> },
}

/// What tells one match from another.
pub(crate) struct Identity {
    pub(crate) game: String,
    pub(crate) rules: meeple_core::Rules,
    pub(crate) run: Run,
}

impl Identity {
    fn has(&self, record: &Record) -> bool {
        let run = record.run.as_ref().map(|run| Run { number: self.run.number, ..run.clone() });
        record.game == self.game && record.rules == self.rules && run.as_ref() == Some(&self.run)
    }
}

impl Target {
    /// Opens a place for the records of a match. Games of the match that are there already are
    /// given back with `resume` and refused without.
    pub(crate) fn open(place: Option<&str>, identity: &Identity, resume: bool) -> anyhow::Result<Begun> {
        let Some(place) = place else { return Ok(Begun { target: Target::Nowhere, done: Vec::new() }) };
        let begun = match Place::names_database(place) {
            true => Target::open_database(&Place::new(place), identity)?,
            false => Target::open_lines(place, identity)?,
        };
        if !begun.done.is_empty() && !resume {
            let (place, games) = (Place::new(place), begun.done.len());
            return Err(BadUsage(format!(
                "{place} holds {games} games of this match: --resume goes on with it; another seed or file begins a new one"
            ))
            .into());
        }
        Ok(begun)
    }

    fn open_lines(place: &str, identity: &Identity) -> anyhow::Result<Begun> {
        let path = PathBuf::from(place);
        let (file, found) = open_lines(&path).with_context(|| format!("cannot open {place}"))?;
        let done = found.into_iter().filter(|record| identity.has(record)).collect();
        Ok(Begun { target: Target::Lines { path, file }, done })
    }

    fn open_database(place: &Place, identity: &Identity) -> anyhow::Result<Begun> {
        let mut store = Store::open(place)?;
        let done = store.records_of(&identity.game, &identity.rules, &identity.run)?;
        let game = meeple_catalog::game(&identity.game, &identity.rules)?;
        Ok(Begun { target: Target::Database { store, game }, done })
    }

    pub(crate) fn write(&mut self, record: &Record) -> Result<(), String> {
        match self {
            Target::Nowhere => Ok(()),
            Target::Lines { path, file } => {
                let mut line = serde_json::to_vec(record).map_err(|error| error.to_string())?;
                line.push(b'\n');
                file.write_all(&line).map_err(|error| format!("{}: {error}", path.display()))
            }
            Target::Database { store, game } => {
                let game = Verified::new(&**game, record.clone());
                game.and_then(|game| store.add(&game)).map(drop).map_err(|error| error.to_string())
            }
        }
    }
}

/// The records of a file, open at its end. A line that is no record is reported and left alone; a last
/// line that was cut short is taken away.
fn open_lines(path: &Path) -> std::io::Result<(File, Vec<Record>)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
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
            Err(_) if !ended => {
                eprintln!("{}:{number}: the last line was cut short; it is taken away", path.display());
                break;
            }
            Err(error) => eprintln!("{}:{number}: no record: {error}", path.display()),
        }
        whole += length;
        if !ended {
            file.write_all(b"\n")?;
            return Ok((file, records));
        }
    }
    file.set_len(whole)?;
    Ok((file, records))
}

/// Record `number` of a file of records, from 1, or the game of a database with this number.
pub(crate) fn find(place: &str, number: u64) -> anyhow::Result<Record> {
    if Place::names_database(place) {
        return Ok(Store::open_read_only(&Place::new(place))?.record(number as GameId)?);
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
            return serde_json::from_str(&line).with_context(|| format!("{place}: record {number}"));
        }
    }
    Err(BadUsage(format!("{place} has {} records, no number {number}", number - left)).into())
}
