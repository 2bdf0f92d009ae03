//! One file per command.

pub(crate) mod bench;
pub(crate) mod check_game;

use clap::Args;
use meeple_core::Rules;
use meeple_core::erased::AnyGame;

/// A game on the command line.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// The name of a game; `meeple games` lists them
    game: String,
    /// Parameters of the rules, for example rows=5,columns=6
    #[arg(long, value_name = "KEY=VALUE,..", default_value = "")]
    rules: String,
}

impl GameArguments {
    pub(crate) fn build(&self) -> anyhow::Result<Box<dyn AnyGame>> {
        Ok(meeple_catalog::game(&self.game, &Rules::parse(&self.rules)?)?)
    }
}
