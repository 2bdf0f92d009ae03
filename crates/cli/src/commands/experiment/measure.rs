//! Measures one line of an experiment, going on where it was interrupted.

use anyhow::Context;
use meeple_arena::experiment::{Line, Measured, Part, PlannedSuite, SuiteResult};
use meeple_arena::{Detail, MatchResult, MatchSettings, Stop, play_match, seatings};
use meeple_core::Rules;
use meeple_core::erased::AnyGame;

use super::results::{Folder, remove};
use crate::commands::BadUsage;
use crate::commands::matches::Kept;
use crate::progress::Progress;
use crate::records::{Identity, Target};

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
        for (name, rules, agent) in line.agents() {
            let explain = || format!("`{}`", line.name());
            game(&name, &rules).with_context(explain)?.agent(&agent).with_context(explain)?;
        }
        for part in line.parts(self.folder.quick) {
            let game = game(&part.game, &part.rules)?;
            let seated = seatings(&game.info(), |player| game.team(player), part.agents.len());
            seated.map_err(|error| BadUsage(format!("`{}`: {error}", line.name())))?;
        }
        Ok(())
    }

    /// `None` if it was interrupted.
    pub(super) fn measure(&self, line: &Line) -> anyhow::Result<Option<Measured>> {
        let explain = || format!("`{}`", line.name());
        let mut measured = Measured::default();
        let refuse = |error: String| BadUsage(format!("`{}`: {error}", line.name()));
        if let Line::Uniformity(planned) = line {
            let found = planned.measure(self.folder.quick, &self.stop).map_err(refuse)?;
            let Some(found) = found else { return Ok(None) };
            measured.uniformity = Some(found);
        }
        if let Line::Suite(planned) = line {
            let Some(found) = self.judge(planned)?.map_err(refuse)? else { return Ok(None) };
            measured.suite = Some(found);
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

    /// An agent on a suite.
    fn judge(&self, planned: &PlannedSuite) -> anyhow::Result<Result<Option<SuiteResult>, String>> {
        let game = game(&planned.game, &planned.rules.to_string())?;
        Ok(planned.measure(&*game, self.folder.quick, self.threads, &self.stop, &mut |_, _| ()))
    }

    fn play(&self, line: &Line, number: usize, part: &Part) -> anyhow::Result<Option<MatchResult>> {
        let game = game(&part.game, &part.rules)?;
        let settings = MatchSettings {
            detail: Detail::Actions,
            stop: self.stop.clone(),
            ..part.settings(self.experiment, self.threads)
        };
        let file = self.folder.records_file(line, number);
        let mut target = Target::open(file.to_str())?;
        let done = target.done(&Identity::new(&*game, &settings), true)?;
        let mut watch = Kept { target: &mut target, progress: Progress::new(settings.games) };
        let result = play_match(&*game, &settings, &done, &mut watch)?;
        watch.progress.clear();
        Ok((result.games == settings.games).then_some(result))
    }
}

pub(super) fn game(name: &str, rules: &str) -> anyhow::Result<Box<dyn AnyGame>> {
    Ok(meeple_catalog::game(name, &Rules::parse(rules)?)?)
}
