//! What happens at the tables, line by line in a file, so that games survive the end of the program.
//!
//! A line is handed to the operating system before anybody is told what it says: no move is lost when
//! the program is killed. Twice a second the file is brought to the disk. When the server starts, lines of
//! tables that are not needed any more are dropped.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bots::BotRecord;
use crate::competition::Plan;
use crate::table::Event;

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Table {
        table: String,
        #[serde(flatten)]
        event: Box<Event>,
    },
    Bot {
        bot: BotRecord,
    },
    Competition {
        competition: Plan,
    },
}

#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    buffer: Vec<u8>,
}

/// What a journal holds.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// The events of each table that is not closed, in order.
    pub(crate) tables: BTreeMap<String, Vec<Event>>,
    pub(crate) bots: Vec<BotRecord>,
    pub(crate) competitions: Vec<Plan>,
}

impl Journal {
    /// Reads what is there and goes on behind it. A last line that was cut off is dropped.
    pub(crate) fn open(path: &Path) -> io::Result<(Journal, Written)> {
        let written = match fs::read(path) {
            Ok(bytes) => read(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Written::default(),
            Err(error) => return Err(error),
        };
        let fresh = with_ending(path, "new");
        let mut journal = Journal { file: File::create(&fresh)?, buffer: Vec::new() };
        for bot in &written.bots {
            journal.line(&Line::Bot { bot: bot.clone() })?;
        }
        for plan in &written.competitions {
            journal.note_competition(plan)?;
        }
        for (table, events) in &written.tables {
            journal.note(table, events)?;
        }
        journal.file.sync_all()?;
        fs::rename(&fresh, path)?;
        journal.file = OpenOptions::new().append(true).open(path)?;
        Ok((journal, written))
    }

    /// Writes down what happens at a table.
    pub(crate) fn note(&mut self, table: &str, events: &[Event]) -> io::Result<()> {
        self.buffer.clear();
        for event in events {
            let line = Line::Table { table: table.to_string(), event: Box::new(event.clone()) };
            serde_json::to_writer(&mut self.buffer, &line)?;
            self.buffer.push(b'\n');
        }
        self.file.write_all(&self.buffer)
    }

    pub(crate) fn note_bot(&mut self, bot: &BotRecord) -> io::Result<()> {
        self.line(&Line::Bot { bot: bot.clone() })
    }

    pub(crate) fn note_competition(&mut self, plan: &Plan) -> io::Result<()> {
        self.line(&Line::Competition { competition: plan.clone() })
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, line)?;
        self.buffer.push(b'\n');
        self.file.write_all(&self.buffer)
    }

    /// A second handle, to bring the file to the disk without holding up who writes.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

fn read(bytes: &[u8]) -> io::Result<Written> {
    let mut written = Written::default();
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    // What follows the last newline is cut off, or nothing.
    for (number, line) in lines[..lines.len() - 1].iter().enumerate() {
        let line = serde_json::from_slice(line).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("line {} is damaged: {error}", number + 1))
        })?;
        match line {
            Line::Bot { bot } => written.bots.push(bot),
            Line::Competition { competition } => written.competitions.push(competition),
            Line::Table { table, event } if matches!(*event, Event::Closed) => drop(written.tables.remove(&table)),
            Line::Table { table, event } => written.tables.entry(table).or_default().push(*event),
        }
    }
    Ok(written)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    path.with_added_extension(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acted(action: &str) -> Event {
        Event::Acted { action: action.to_string(), public: true, seat: Some(0), milliseconds: 1.0, iterations: 0 }
    }

    #[test]
    fn what_was_noted_comes_back_without_what_was_cut_off() {
        let folder = std::env::temp_dir().join(format!("meeple-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("journal");
        let (mut journal, written) = Journal::open(&path).unwrap();
        assert!(written.tables.is_empty());
        journal.note("a", &[acted("x"), acted("y")]).unwrap();
        journal.note("b", &[acted("z")]).unwrap();
        journal.note("b", &[Event::Closed]).unwrap();
        journal.file.write_all(b"{\"table\":\"a\",\"eve").unwrap();
        for _ in 0..2 {
            let (_, written) = Journal::open(&path).unwrap();
            assert_eq!(written.tables.keys().collect::<Vec<_>>(), ["a"]);
            assert_eq!(written.tables["a"].len(), 2);
        }
        fs::write(&path, "{}\n{\"table\":\n").unwrap();
        assert!(Journal::open(&path).is_err(), "a damaged line in the middle is not passed over");
        fs::remove_dir_all(folder).unwrap();
    }
}
