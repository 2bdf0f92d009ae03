//! A run on disk. What belongs to an iteration is written first, and last the small file that says
//! that the iteration is complete; every file is written beside its place and moved there. So a run
//! that is killed at any moment goes on from its last complete iteration.
//!
//! | file | what |
//! |---|---|
//! | `config.toml` | what the run does |
//! | `state.json` | the last complete iteration and the sums so far |
//! | `learner-0.safetensors`, `learner-1.safetensors` | the network under training with the state of its optimiser, after the last iteration and the one before |
//! | `models/0012.safetensors` | the network after an iteration |
//! | `samples/0012.bin` | the positions of an iteration, as long as they are learnt from |
//! | `critic-0.safetensors`, `critic-1.safetensors` | the network that sees all cards, if there is one, after the last iteration and the one before |
//! | `samples/0012.txt` | positions of an iteration at which later games may begin, if they may |
//! | `metrics.jsonl` | a line for each iteration |
//! | `report.md`, `*.svg` | whether it has learnt and what to change first, and curves |

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde::{Deserialize, Serialize};

use super::metrics::Metrics;

/// What makes a folder a run.
const CONFIG: &str = "config.toml";

/// Where a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// The last complete one; 0 before the first.
    pub(super) iteration: u32,
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) updates: u64,
    pub(super) seconds: f64,
    pub(super) cpu_hours: f64,
    /// The iteration whose network plays.
    pub(super) playing: u32,
    /// The iteration whose network was evaluated last.
    pub(super) evaluated: Option<u32>,
}

#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Why a run cannot begin or go on, as one sentence.
#[derive(Debug)]
pub enum FolderError {
    Io(PathBuf, io::Error),
    /// A file of the run says something that it cannot.
    Damaged(PathBuf, String),
    /// There is a run already.
    Taken(PathBuf),
    /// There is no run.
    Missing(PathBuf),
    /// The path cannot be part of an agent's text.
    Unnamable(PathBuf),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            FolderError::Damaged(path, why) => write!(f, "{}: {why}", path.display()),
            FolderError::Taken(path) => {
                write!(f, "{} holds a run already: go on with --resume, or choose another --out", path.display())
            }
            FolderError::Missing(path) => write!(f, "{} holds no run: there is no config.toml in it", path.display()),
            FolderError::Unnamable(path) => write!(
                f,
                "{} has a comma or a parenthesis, which mean something else in the names of agents: choose another path",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FolderError {}

impl Folder {
    /// For a new run; nothing is written yet.
    pub fn new(path: &Path) -> Result<Folder, FolderError> {
        let folder = Folder::at(path)?;
        match folder.file(CONFIG).exists() {
            true => Err(FolderError::Taken(path.to_path_buf())),
            false => Ok(folder),
        }
    }

    /// Agents that play by a network of the run have its path among their settings.
    fn at(path: &Path) -> Result<Folder, FolderError> {
        let path = path.to_path_buf();
        match path.to_string_lossy().contains([',', '(', ')']) {
            true => Err(FolderError::Unnamable(path)),
            false => Ok(Folder { path }),
        }
    }

    pub(super) fn create(&self) -> Result<(), FolderError> {
        for part in ["models", "samples"] {
            let part = self.file(part);
            fs::create_dir_all(&part).map_err(|error| FolderError::Io(part, error))?;
        }
        Ok(())
    }

    /// The folder now holds a run.
    pub(super) fn begin(&self, config: &str) -> Result<(), FolderError> {
        self.complete(&State::default())?;
        self.write(CONFIG, config.as_bytes())
    }

    pub(super) fn replace_config(&self, config: &str) -> Result<(), FolderError> {
        self.write(CONFIG, config.as_bytes())
    }

    /// A run that was begun, and its configuration.
    pub fn open(path: &Path) -> Result<(Folder, String), FolderError> {
        let folder = Folder::at(path)?;
        let config = folder.file(CONFIG);
        if !config.is_file() {
            return Err(FolderError::Missing(path.to_path_buf()));
        }
        let text = fs::read_to_string(&config).map_err(|error| FolderError::Io(config, error))?;
        Ok((folder, text))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The network after an iteration; 0 is the one that the run begins with.
    pub fn model(&self, iteration: u32) -> PathBuf {
        self.path.join("models").join(format!("{iteration:04}.safetensors"))
    }

    pub(super) fn samples(&self, iteration: u32) -> PathBuf {
        self.path.join("samples").join(format!("{iteration:04}.bin"))
    }

    /// The iterations from `first` to `last` whose samples are kept: the last ones, without a gap.
    pub(super) fn kept_samples(&self, first: u32, last: u32) -> Vec<u32> {
        let from_last = (first..=last).rev().take_while(|&iteration| self.samples(iteration).is_file());
        let mut kept: Vec<u32> = from_last.collect();
        kept.reverse();
        kept
    }

    /// Positions of an iteration, a line each, at which later games may begin.
    pub(super) fn write_archive(&self, iteration: u32, positions: &[String]) -> Result<(), FolderError> {
        let text: String = positions.iter().flat_map(|position| [position.as_str(), "\n"]).collect();
        write_whole(&self.archive_file(iteration), text.as_bytes())
    }

    /// Those of the last sessions up to an iteration; older ones are deleted.
    pub(super) fn archive(&self, last: u32, sessions: usize) -> Result<Vec<String>, FolderError> {
        let first = last.saturating_add(1).saturating_sub(sessions as u32);
        let old = self.archive_file(first.saturating_sub(1));
        if old.is_file() {
            fs::remove_file(&old).map_err(|error| FolderError::Io(old, error))?;
        }
        let mut positions = Vec::new();
        for iteration in first.max(1)..=last {
            let file = self.archive_file(iteration);
            match fs::read_to_string(&file) {
                Ok(text) => positions.extend(text.lines().map(str::to_string)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(FolderError::Io(file, error)),
            }
        }
        Ok(positions)
    }

    fn archive_file(&self, iteration: u32) -> PathBuf {
        self.path.join("samples").join(format!("{iteration:04}.txt"))
    }

    /// Two of them take turns, so that the one of the last complete iteration is always there.
    pub(super) fn learner(&self, iteration: u32) -> PathBuf {
        self.path.join(format!("learner-{}.safetensors", iteration % 2))
    }

    /// As [`Folder::learner`], of the network that sees all cards.
    pub(super) fn critic(&self, iteration: u32) -> PathBuf {
        self.path.join(format!("critic-{}.safetensors", iteration % 2))
    }

    /// Deletes the files of sessions that are not among the last so many.
    pub(super) fn remove_old_samples(&self, iteration: u32, sessions: usize) -> Result<(), FolderError> {
        let first_kept = iteration.saturating_add(1).saturating_sub(sessions as u32);
        for old in (1..first_kept).rev() {
            let file = self.samples(old);
            match fs::remove_file(&file) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => break, // nor are those before
                Err(error) => return Err(FolderError::Io(file, error)),
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        write_whole(&self.file(name), bytes)
    }

    pub(super) fn state(&self) -> Result<State, FolderError> {
        let file = self.file("state.json");
        let text = fs::read_to_string(&file).map_err(|error| FolderError::Io(file.clone(), error))?;
        serde_json::from_str(&text).map_err(|error| FolderError::Damaged(file, error.to_string()))
    }

    /// Says that an iteration is complete.
    pub(super) fn complete(&self, state: &State) -> Result<(), FolderError> {
        self.write("state.json", &json(state))
    }

    /// The lines of all complete iterations; what was written after them is dropped. If lines are missing
    /// before that, the file is kept as it was beside the new one.
    pub(super) fn metrics(&self, last: u32) -> Result<Vec<Metrics>, FolderError> {
        let file = self.file("metrics.jsonl");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(FolderError::Io(file, error)),
        };
        let lines = text.lines().map_while(|line| serde_json::from_str::<Metrics>(line).ok());
        let metrics: Vec<Metrics> = lines.take_while(|metrics| metrics.iteration <= last).collect();
        let kept: String = metrics.iter().map(line).collect();
        if metrics.last().map_or(0, |metrics| metrics.iteration) < last {
            write_whole(&file.with_added_extension("damaged"), text.as_bytes())?;
        }
        if kept != text {
            write_whole(&file, kept.as_bytes())?;
        }
        Ok(metrics)
    }

    pub(super) fn add_metrics(&self, metrics: &Metrics) -> Result<(), FolderError> {
        let path = self.file("metrics.jsonl");
        let file = fs::OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(line(metrics).as_bytes())).map_err(|error| FolderError::Io(path, error))
    }
}

fn line(metrics: &Metrics) -> String {
    serde_json::to_string(metrics).expect("metrics are plain data") + "\n"
}

fn json(state: &State) -> Vec<u8> {
    serde_json::to_vec_pretty(state).expect("a state is plain data")
}

/// Writes beside the place, and moves there what has reached the disk.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let part = path.with_added_extension("part");
    let written = fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&part, path)
    });
    written.map_err(|error| FolderError::Io(path.to_path_buf(), error))
}
