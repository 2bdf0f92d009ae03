//! Measures one line of an experiment, going on where it was interrupted.

use anyhow::Context;
use meeple_arena::experiment::{Line, Measured, Part};
use meeple_arena::{Detail, MatchResult, MatchSettings, Stop, play_match};
use meeple_core::Rules;
use meeple_core::erased::AnyGame;

use super::results::{Folder, remove};
use crate::commands::BadUsage;
use crate::commands::matches::Kept;
use crate::progress::Progress;
use crate::records::{Begun, Identity, Target};

/// How lines are measured.
pub(super) struct Lab<'a> {
    pub(super) experiment: &'a str,
    pub(super) folder: &'a Folder,
    pub(super) threads: usize,
    pub(super) keep_records: bool,
    pub(super) stop: Stop,
}

impl Lab<'_> {
    /// Finds out whether the games and agents of a line exist, before hours are spent on another one.
    pub(super) fn check(&self, line: &Line) -> anyhow::Result<()> {
        for part in line.parts(self.folder.quick) {
            let explain = || format!("`{}`", line.name());
            let game = game(&part).with_context(explain)?;
            for agent in &part.agents {
                game.agent(agent).with_context(explain)?;
            }
        }
        Ok(())
    }

    /// `None` if it was interrupted.
    pub(super) fn measure(&self, line: &Line) -> anyhow::Result<Option<Measured>> {
        let explain = || format!("`{}`", line.name());
        let mut measured = Measured::default();
        if let Line::Uniformity(planned) = line {
            let found = planned.measure(self.folder.quick, &self.stop);
            measured.uniformity = found.map_err(|error| BadUsage(format!("`{}`: {error}", line.name())))?;
            if measured.uniformity.is_none() {
                return Ok(None);
            }
        }
        for (number, part) in line.parts(self.folder.quick).iter().enumerate() {
            match self.play(line, number, part).with_context(explain)? {
                Some(result) => measured.matches.push(result),
                None => return Ok(None),
            }
        }
        self.folder.finish(line, &measured)?;
        if !self.keep_records {
            let parts = 0..measured.matches.len();
            parts.map(|part| self.folder.records_file(line, part)).try_for_each(|file| remove(&file))?;
        }
        Ok(Some(measured))
    }

    fn play(&self, line: &Line, number: usize, part: &Part) -> anyhow::Result<Option<MatchResult>> {
        let game = game(part)?;
        let settings = MatchSettings {
            detail: Detail::Actions,
            stop: self.stop.clone(),
            ..part.settings(self.experiment, self.threads)
        };
        let identity = Identity { game: game.info().name.to_string(), rules: game.rules(), run: settings.run(0) };
        let file = self.folder.records_file(line, number);
        let Begun { target, done } = Target::open(file.to_str(), &identity, true)?;
        let mut watch = Kept { target, progress: Progress::new(settings.games) };
        let result = play_match(&*game, &settings, &done, &mut watch)?;
        watch.progress.clear();
        Ok((result.games == settings.games).then_some(result))
    }
}

fn game(part: &Part) -> anyhow::Result<Box<dyn AnyGame>> {
    Ok(meeple_catalog::game(&part.game, &Rules::parse(&part.rules)?)?)
}
