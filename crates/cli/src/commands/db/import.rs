//! `meeple db import`: records in, games stored.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use meeple_core::erased::AnyGame;
use meeple_store::{Place, Store, StoreError, Verified};
use serde::Serialize;

use crate::commands::BadUsage;
use crate::progress::counter;

/// Actions that are stored in one transaction, at least.
const BATCH: usize = 10_000;

/// Add records to a database, which is made if there is none
#[derive(Args)]
#[command(after_help = "Example: meeple db import games.db games.jsonl more.jsonl\n\
    Every record is played by the rules first. One that breaks them is reported, like a file that cannot be\n\
    read, and the others go on; the exit code is then 1. A game of a match that is there already is not\n\
    added again.")]
pub(crate) struct Arguments {
    /// A file or the address of a server
    #[arg(value_name = "DB")]
    place: String,
    /// Files of records, one JSON object per line, or - for standard input
    #[arg(required = true)]
    files: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(database) = arguments.files.iter().find(|file| Place::names_database(file)) {
        let place = Place::new(database);
        return Err(BadUsage(format!("{place} is a database, no file of records: `meeple db export` makes one")).into());
    }
    let store = Store::open(&Place::new(&arguments.place))?;
    let mut import =
        Import { store, games: HashMap::new(), batch: Vec::new(), size: 0, counts: Counts::default(), bar: counter() };
    let done = arguments.files.iter().try_for_each(|file| import.file(file)).and_then(|()| import.store_batch());
    import.bar.finish_and_clear();
    let counts = import.counts;
    done.with_context(|| format!("the import ended early, {} games were added and are safe", counts.added))?;
    if arguments.json {
        println!("{}", serde_json::to_string(&counts)?);
    } else {
        println!("{} games added, {} were there, {} refused", counts.added, counts.there, counts.refused);
    }
    Ok(ExitCode::from(u8::from(counts.refused > 0)))
}

#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    added: u64,
    /// Games of matches that were in the database already.
    there: u64,
    /// Lines, and files that cannot be read to their end.
    refused: u64,
}

struct Import {
    store: Store,
    /// By name and rules.
    games: HashMap<String, Box<dyn AnyGame>>,
    batch: Vec<Verified>,
    /// Actions in the batch.
    size: usize,
    counts: Counts,
    bar: ProgressBar,
}

fn open(file: &str) -> std::io::Result<Box<dyn BufRead>> {
    Ok(match file {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path)?)),
    })
}

impl Import {
    /// Takes what can be read of a file. Only the store ends the import.
    fn file(&mut self, file: &str) -> Result<(), StoreError> {
        match open(file) {
            Ok(input) => self.lines(file, input),
            Err(error) => {
                self.refuse(file, &format!("cannot be opened: {error}"));
                Ok(())
            }
        }
    }

    fn lines(&mut self, file: &str, mut input: Box<dyn BufRead>) -> Result<(), StoreError> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) if line.trim_ascii().is_empty() => (),
                Ok(_) => match self.verify(&line) {
                    Ok(game) => self.push(game)?,
                    Err(reason) => self.refuse(&format!("{file}:{number}"), &reason),
                },
                Err(error) => {
                    self.refuse(file, &format!("cannot be read: {error}"));
                    break;
                }
            }
        }
        Ok(())
    }

    fn refuse(&mut self, what: &str, reason: &str) {
        self.counts.refused += 1;
        self.bar.suspend(|| eprintln!("{what}: {reason}"));
    }

    fn verify(&mut self, line: &[u8]) -> Result<Verified, String> {
        let record = meeple_catalog::read_record(line)?;
        let key = format!("{} {}", record.game, record.rules);
        if !self.games.contains_key(&key) {
            let game = meeple_catalog::game(&record.game, &record.rules).map_err(|error| error.to_string())?;
            self.games.insert(key.clone(), game);
        }
        Verified::new(&*self.games[&key], record).map_err(|error| error.to_string())
    }

    fn push(&mut self, game: Verified) -> Result<(), StoreError> {
        self.size += game.record().actions.len();
        self.batch.push(game);
        if self.size < BATCH { Ok(()) } else { self.store_batch() }
    }

    fn store_batch(&mut self) -> Result<(), StoreError> {
        let added = self.store.add_all(&self.batch)?;
        let new = added.iter().filter(|added| added.new).count() as u64;
        self.counts.added += new;
        self.counts.there += added.len() as u64 - new;
        self.bar.inc(added.len() as u64);
        self.batch.clear();
        self.size = 0;
        Ok(())
    }
}
