//! One file per command.

pub(crate) mod agents;
pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod check_game;
pub(crate) mod db;
pub(crate) mod eval;
pub(crate) mod experiment;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod train;
pub(crate) mod tune;

use std::fmt;

use clap::Args;
use meeple_core::Rules;
use meeple_core::erased::AnyGame;

/// A game on the command line.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// The name of a game; `meeple games` lists them
    pub(crate) game: String,
    /// Parameters of the rules, for example rows=5,columns=6; `meeple games NAME` lists them
    #[arg(long, value_name = "KEY=VALUE,..", default_value = "")]
    pub(crate) rules: String,
}

impl GameArguments {
    pub(crate) fn build(&self) -> anyhow::Result<Box<dyn AnyGame>> {
        Ok(meeple_catalog::game(&self.game, &Rules::parse(&self.rules)?)?)
    }

    /// As people play it.
    pub(crate) fn build_for_table(&self) -> anyhow::Result<Box<dyn AnyGame>> {
        Ok(meeple_catalog::game_at_table(&self.game, &Rules::parse(&self.rules)?)?)
    }
}

/// How much to do at the same time: as much as is wished, or one thing for each core.
pub(crate) fn threads(wish: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wish.map_or_else(cores, usize::from)
}

/// Arguments that do not fit together.
#[derive(Debug)]
pub(crate) struct BadUsage(pub(crate) String);

impl fmt::Display for BadUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadUsage {}
