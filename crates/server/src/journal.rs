//! What happens at the tables, line by line in a file, so that games survive the end of the program.
//!
//! A line is handed to the operating system before anybody is told what it says: no move is lost when
//! the program is killed. Twice a second the file is brought to the disk. Lines that are not needed any more
//! are dropped when the server starts, and while it runs whenever most of the file is such lines.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::bots::BotRecord;
use crate::competition::Plan;
use crate::table::Event;

/// A journal is made smaller when it has so many bytes, and several times what was needed last time.
const LARGE: u64 = 32 << 20;
const SEVERAL: u64 = 4;

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Table {
        table: String,
        #[serde(flatten)]
        event: Box<Event>,
    },
    /// A bot, as it is from now on.
    Bot {
        bot: BotRecord,
    },
    Competition {
        competition: Plan,
    },
    /// A game of a competition, with its payoffs.
    Counted {
        counted: String,
        number: u64,
        payoffs: Vec<f32>,
    },
    BotForgotten {
        bot_forgotten: String,
    },
    CompetitionForgotten {
        competition_forgotten: String,
    },
}

impl Line {
    fn of_table(table: &str, event: &Event) -> Line {
        Line::Table { table: table.to_string(), event: Box::new(event.clone()) }
    }
}

#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Arc<File>,
    buffer: Vec<u8>,
    /// Bytes.
    size: u64,
    /// What was left of it when it was made smaller last time, in bytes.
    kept: u64,
}

/// What a journal holds.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// The events of each table that is not closed, in order.
    pub(crate) tables: BTreeMap<String, Vec<Event>>,
    pub(crate) bots: BTreeMap<String, BotRecord>,
    pub(crate) competitions: BTreeMap<String, Plan>,
    /// Games of competitions that were counted: number and payoffs, by competition.
    pub(crate) counted: BTreeMap<String, Vec<(u64, Vec<f32>)>>,
}

/// The first part of a journal without what is not needed, on its way to replace it.
#[derive(Debug)]
pub(crate) struct Compacted {
    file: File,
    size: u64,
    /// How much of the journal it stands for, in bytes.
    of: u64,
}

impl Journal {
    /// Reads what is there and goes on behind it. A last line that was cut off is dropped; lines that cannot
    /// be read are kept in a file beside it.
    pub(crate) fn open(path: &Path) -> io::Result<(Journal, Written)> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let (written, unreadable) = read(&bytes);
        if !unreadable.is_empty() {
            keep_aside(path, &unreadable)?;
        }
        let (file, size) = written.write(&fresh(path))?;
        fs::rename(fresh(path), path)?;
        let journal = Journal { path: path.to_path_buf(), file: Arc::new(file), buffer: Vec::new(), size, kept: size };
        Ok((journal, written))
    }

    /// Writes down what happens at a table.
    pub(crate) fn note(&mut self, table: &str, events: &[Event]) -> io::Result<()> {
        self.buffer.clear();
        for event in events {
            push(&mut self.buffer, &Line::of_table(table, event))?;
        }
        self.flush()
    }

    pub(crate) fn note_bot(&mut self, bot: &BotRecord) -> io::Result<()> {
        self.line(&Line::Bot { bot: bot.clone() })
    }

    pub(crate) fn note_competition(&mut self, plan: &Plan) -> io::Result<()> {
        self.line(&Line::Competition { competition: plan.clone() })
    }

    pub(crate) fn note_counted(&mut self, competition: &str, number: u64, payoffs: &[f32]) -> io::Result<()> {
        let counted = competition.to_string();
        self.line(&Line::Counted { counted, number, payoffs: payoffs.to_vec() })
    }

    pub(crate) fn forget_bot(&mut self, name: &str) -> io::Result<()> {
        self.line(&Line::BotForgotten { bot_forgotten: name.to_string() })
    }

    pub(crate) fn forget_competition(&mut self, id: &str) -> io::Result<()> {
        self.line(&Line::CompetitionForgotten { competition_forgotten: id.to_string() })
    }

    /// Takes a table that cannot be brought back out of the journal, and keeps what was written of it beside.
    pub(crate) fn set_aside(&mut self, table: &str, events: &[Event]) -> io::Result<()> {
        let mut lines = Vec::new();
        for event in events {
            push(&mut lines, &Line::of_table(table, event))?;
        }
        keep_aside(&self.path, &[lines.trim_ascii_end()])?;
        self.note(table, &[Event::Closed])
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        self.buffer.clear();
        push(&mut self.buffer, line)?;
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.size += self.buffer.len() as u64;
        (&*self.file).write_all(&self.buffer)
    }

    /// To bring the file to the disk without holding up who writes.
    pub(crate) fn file(&self) -> Arc<File> {
        self.file.clone()
    }

    /// Where it is and how long, if it should be made smaller.
    pub(crate) fn to_compact(&self) -> Option<(PathBuf, u64)> {
        (self.size > LARGE.max(self.kept * SEVERAL)).then(|| (self.path.clone(), self.size))
    }

    /// Goes on in the smaller file, behind what came in the meantime.
    pub(crate) fn replace(&mut self, compacted: Compacted) -> io::Result<()> {
        let Compacted { mut file, size, of } = compacted;
        let mut old = File::open(&self.path)?;
        old.seek(SeekFrom::Start(of))?;
        let since = io::copy(&mut old, &mut file)?;
        fs::rename(fresh(&self.path), &self.path)?;
        (self.file, self.size, self.kept) = (Arc::new(file), size + since, size);
        Ok(())
    }

    /// It could not be made smaller: that is tried again when it has grown a lot.
    pub(crate) fn leave_large(&mut self) {
        let _ = fs::remove_file(fresh(&self.path));
        self.kept = self.size;
    }
}

/// Writes what is needed of the first bytes of a journal to a new file, while others go on writing behind them.
pub(crate) fn compact(path: &Path, bytes: u64) -> io::Result<Compacted> {
    let mut text = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut text)?;
    let (file, size) = read(&text).0.write(&fresh(path))?;
    Ok(Compacted { file, size, of: bytes })
}

impl Written {
    fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        let bots = self.bots.values().map(|bot| Line::Bot { bot: bot.clone() });
        let competitions = self.competitions.values().map(|plan| Line::Competition { competition: plan.clone() });
        let counted = self.counted.iter().flat_map(|(id, games)| {
            let line = |(number, payoffs): &(u64, Vec<f32>)| Line::Counted {
                counted: id.clone(),
                number: *number,
                payoffs: payoffs.clone(),
            };
            games.iter().map(line)
        });
        let tables =
            self.tables.iter().flat_map(|(table, events)| events.iter().map(|event| Line::of_table(table, event)));
        bots.chain(competitions).chain(counted).chain(tables)
    }

    /// To a new file, which is on the disk when this returns, with its length.
    fn write(&self, path: &Path) -> io::Result<(File, u64)> {
        let _ = fs::remove_file(path);
        let mut file = private(path)?;
        let mut size = 0;
        let mut buffer = Vec::new();
        for line in self.lines() {
            push(&mut buffer, &line)?;
            if buffer.len() > 1 << 16 {
                file.write_all(&buffer)?;
                size += buffer.len() as u64;
                buffer.clear();
            }
        }
        file.write_all(&buffer)?;
        file.sync_all()?;
        Ok((file, size + buffer.len() as u64))
    }

    fn add(&mut self, line: Line) {
        match line {
            Line::Bot { bot } => drop(self.bots.insert(bot.name.clone(), bot)),
            Line::BotForgotten { bot_forgotten } => drop(self.bots.remove(&bot_forgotten)),
            Line::Competition { competition } => drop(self.competitions.insert(competition.id.clone(), competition)),
            Line::CompetitionForgotten { competition_forgotten } => {
                self.competitions.remove(&competition_forgotten);
                self.counted.remove(&competition_forgotten);
            }
            Line::Counted { counted, number, payoffs } => {
                self.counted.entry(counted).or_default().push((number, payoffs));
            }
            Line::Table { table, event } if matches!(*event, Event::Closed) => drop(self.tables.remove(&table)),
            Line::Table { table, event } => self.tables.entry(table).or_default().push(*event),
        }
    }
}

/// What is written, and the lines that say nothing. What follows the last newline is cut off, or nothing.
fn read(bytes: &[u8]) -> (Written, Vec<&[u8]>) {
    let mut written = Written::default();
    let mut unreadable = Vec::new();
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(&[][..], |end| &bytes[..end]);
    for line in whole.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(line) => written.add(line),
            Err(_) => unreadable.push(line),
        }
    }
    (written, unreadable)
}

fn push(buffer: &mut Vec<u8>, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *buffer, line)?;
    buffer.push(b'\n');
    Ok(())
}

/// Adds lines to the file of those that could not be used.
fn keep_aside(path: &Path, lines: &[&[u8]]) -> io::Result<()> {
    let beside = path.with_added_extension("unreadable");
    eprintln!("meeple serve: parts of the journal cannot be read; they are kept in {}", beside.display());
    let mut text = lines.join(&b'\n');
    text.push(b'\n');
    private(&beside)?.write_all(&text)
}

fn fresh(path: &Path) -> PathBuf {
    path.with_added_extension("new")
}

/// A file to write behind what is in it, which nobody else can read: it has what no player may see.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::table::{Occupant, Spec, Timeout};
    use crate::token::TokenHash;

    fn acted(action: &str) -> Event {
        Event::Acted { action: action.to_string(), public: true, seat: Some(0), milliseconds: 1.5, iterations: 7 }
    }

    /// One of each kind; a new kind does not compile until it is here.
    fn every_event() -> Vec<Event> {
        let spec = Spec {
            client: Some([127, 0, 0, 1].into()),
            contestants: vec![0, 1],
            seats: vec![Occupant::Open, Occupant::agent("a".into(), "random".into())],
            ..Spec::of("tic-tac-toe", Clock::Move { seconds: 1.0 }, Timeout::Loss)
        };
        let occupant = Occupant::Person { name: "Ann".into(), token: TokenHash::of("t") };
        let mut events = vec![Event::Created { spec }];
        loop {
            events.push(match events.last().unwrap() {
                Event::Created { .. } => Event::Joined { seat: 1, occupant: occupant.clone() },
                Event::Joined { .. } => acted("a1"),
                Event::Acted { .. } => Event::GaveUp { seat: 1, late: true },
                Event::GaveUp { .. } => Event::Paused { milliseconds: 2.5 },
                Event::Paused { .. } => Event::Resumed,
                Event::Resumed => Event::Rematch { next: "b".into() },
                Event::Rematch { .. } => Event::Archived { record: 9 },
                Event::Archived { .. } => Event::Closed,
                Event::Closed => return events,
            });
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("meeple-journal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn every_kind_of_event_comes_back() {
        for event in every_event() {
            let line = Line::of_table("a", &event);
            let text = serde_json::to_string(&line).unwrap();
            let Ok(Line::Table { table, event: back }) = serde_json::from_str(&text) else { panic!("{text}") };
            assert_eq!((table, format!("{back:?}")), ("a".to_string(), format!("{event:?}")), "{text}");
        }
    }

    #[test]
    fn what_was_noted_comes_back_without_what_was_cut_off() {
        let folder = folder("cut");
        let path = folder.join("journal");
        let (mut journal, written) = Journal::open(&path).unwrap();
        assert!(written.tables.is_empty());
        journal.note("a", &[acted("x"), acted("y")]).unwrap();
        journal.note("b", &[acted("z")]).unwrap();
        journal.note("b", &[Event::Closed]).unwrap();
        (&*journal.file).write_all(b"{\"table\":\"a\",\"eve").unwrap();
        for _ in 0..2 {
            let (_, written) = Journal::open(&path).unwrap();
            assert_eq!(written.tables.keys().collect::<Vec<_>>(), ["a"]);
            assert_eq!(written.tables["a"].len(), 2);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lines_that_cannot_be_read_are_kept_beside() {
        let folder = folder("unreadable");
        let path = folder.join("journal");
        let bad = "{\"table\":\"a\",\"event\":\"rematch\",\"table\":\"b\"}\n{}\n\u{7f}\n";
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.note("a", &[acted("x")]).unwrap();
        (&*journal.file).write_all(bad.as_bytes()).unwrap();
        journal.note("a", &[acted("y")]).unwrap();
        let (_, written) = Journal::open(&path).unwrap();
        assert_eq!(written.tables["a"].len(), 2);
        assert_eq!(fs::read_to_string(folder.join("journal.unreadable")).unwrap(), bad);
        #[cfg(unix)]
        for file in ["journal", "journal.unreadable"] {
            let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(folder.join(file)).unwrap());
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_large_journal_becomes_small_while_it_is_written() {
        let folder = folder("large");
        let path = folder.join("journal");
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.note("open", &[acted("x")]).unwrap();
        for number in 0.. {
            let table = number.to_string();
            journal.note(&table, &[acted(&"y".repeat(1 << 20)), Event::Closed]).unwrap();
            if journal.to_compact().is_some() {
                assert!((30..40).contains(&number), "{number} MiB");
                break;
            }
        }
        let (path, bytes) = journal.to_compact().unwrap();
        let compacted = compact(&path, bytes).unwrap();
        journal.note("open", &[acted("meanwhile")]).unwrap();
        journal.replace(compacted).unwrap();
        journal.note("open", &[acted("after")]).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < 1000 && journal.to_compact().is_none());
        let (_, written) = Journal::open(&path).unwrap();
        let expected = [acted("x"), acted("meanwhile"), acted("after")];
        assert_eq!(format!("{:?}", written.tables["open"]), format!("{expected:?}"));
        assert_eq!(written.tables.len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
