//! Where the results of an experiment lie: one JSON file for each line, and the records of lines that are not finished.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use meeple_arena::experiment::{Line, Measured};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::measure::game;

/// The folder of one experiment, quick or full.
pub(super) struct Folder {
    path: PathBuf,
    pub(super) quick: bool,
}

/// The file of one line.
#[derive(Serialize, Deserialize)]
struct Finished {
    line: String,
    quick: bool,
    /// What made it; a line whose settings are others is measured anew.
    settings: Value,
    meeple: String,
    measured: Measured,
}

impl Folder {
    pub(super) fn new(results: &Path, experiment: &str, quick: bool) -> Folder {
        let name = if quick { format!("{experiment}-quick") } else { experiment.to_string() };
        Folder { path: results.join(name), quick }
    }

    pub(super) fn create(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.path).with_context(|| format!("cannot create {}", self.path.display()))
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn result_file(&self, line: &Line) -> PathBuf {
        self.file(&format!("{}.json", line.slug()))
    }

    /// Where the games of a part are kept while it is played.
    pub(super) fn records_file(&self, line: &Line, part: usize) -> PathBuf {
        let number = if part == 0 { String::new() } else { format!("-{}", part + 1) };
        self.file(&format!("{}{number}.jsonl", line.slug()))
    }

    /// What was measured for the line, if that is finished and the line has not changed.
    pub(super) fn finished(&self, line: &Line) -> anyhow::Result<Option<Measured>> {
        let file = self.result_file(line);
        let Ok(text) = fs::read(&file) else { return Ok(None) };
        let explain = || format!("{} cannot be read; `experiment run --again` measures it anew", file.display());
        let found: Finished = serde_json::from_slice(&text).with_context(explain)?;
        Ok((found.settings == settings(line, self.quick)?).then_some(found.measured))
    }

    /// Keeps a finished line. It appears whole or not at all.
    pub(super) fn finish(&self, line: &Line, measured: &Measured) -> anyhow::Result<()> {
        let finished = json!({
            "line": line.name(),
            "quick": self.quick,
            "settings": settings(line, self.quick)?,
            "meeple": env!("CARGO_PKG_VERSION"),
            "measured": measured,
        });
        let file = self.result_file(line);
        let beside = file.with_extension("json.part");
        let write =
            || fs::write(&beside, serde_json::to_vec_pretty(&finished)?).and_then(|()| fs::rename(&beside, &file));
        write().with_context(|| format!("cannot write {}", file.display()))
    }

    /// Forgets what was measured and played for the line.
    pub(super) fn forget(&self, line: &Line) -> anyhow::Result<()> {
        let parts = (0..line.parts(self.quick).len()).map(|part| self.records_file(line, part));
        parts.chain([self.result_file(line)]).try_for_each(|file| remove(&file))
    }
}

/// Takes a file away if it is there.
pub(super) fn remove(file: &Path) -> anyhow::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}

/// All that a result depends on: the line and the versions of the rules.
fn settings(line: &Line, quick: bool) -> anyhow::Result<Value> {
    let mut settings = line.settings(quick);
    // One for each match, or for the game of a suite.
    let mut games: Vec<(String, String)> = line.parts(quick).into_iter().map(|part| (part.game, part.rules)).collect();
    if let Line::Suite(planned) = line {
        games.push((planned.game.clone(), planned.rules.to_string()));
    }
    let version = |(name, rules): &(String, String)| Ok(game(name, rules)?.info().version);
    let versions = games.iter().map(version).collect::<anyhow::Result<Vec<u32>>>()?;
    settings["rules_versions"] = json!(versions);
    // As it is read back, so that the same numbers are the same.
    Ok(serde_json::from_str(&settings.to_string())?)
}
