//! `meeple analyze`: what an agent thinks of a position.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::{AnyGame, AnyPosition, AnyView};
use meeple_core::{Player, Rng, Turn};

use super::{BadUsage, GameArguments};
use crate::decision::{TreeArguments, show, to_json};

/// Show what an agent thinks of a position
#[derive(Args)]
#[command(after_help = "Example: meeple analyze tic-tac-toe --position \"x.o/.x./..o\" --agent mcts:iterations=5000\n\
    With hidden cards, --view takes what one seat knows, such as one transcribed from a table elsewhere;\n\
    `meeple games NAME` tells how both are written.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The whole position as text
    #[arg(long, value_name = "TEXT", required_unless_present = "view")]
    position: Option<String>,
    /// What the seat to move knows, as text
    #[arg(long, value_name = "TEXT", conflicts_with = "position")]
    view: Option<String>,
    #[arg(long)]
    agent: String,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tree: TreeArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was asked about, and the answer.
struct Analysis {
    player: Player,
    picture: String,
    decision: Decision<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let Analysis { player, picture, decision } = match (&arguments.position, &arguments.view) {
        (Some(position), _) => arguments.of_position(&*game, &*game.parse_position(position)?)?,
        (None, view) => {
            let view = view.as_deref().expect("clap requires one of both");
            arguments.of_view(&*game, &*game.parse_view(view)?)?
        }
    };
    let players = game.info().players;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", to_json(&decision, player, players))?;
    } else {
        writeln!(out, "{picture}\n")?;
        show(&mut out, &decision, player, players)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn of_position(&self, game: &dyn AnyGame, position: &dyn AnyPosition) -> anyhow::Result<Analysis> {
        let Turn::Player(player) = position.turn() else {
            return Err(BadUsage("nobody is to move in this position".to_string()).into());
        };
        let mut agent = game.agent(&self.agent)?;
        let decision = position.decide(&mut agent, &Budget::NONE, &mut Rng::from_seed(self.seed));
        self.tree.write(&self.agent, |limits| position.search_tree(&agent, limits))?;
        Ok(Analysis { player, picture: position.render(Some(player)), decision })
    }

    fn of_view(&self, game: &dyn AnyGame, view: &dyn AnyView) -> anyhow::Result<Analysis> {
        let Some(player) = view.player() else {
            return Err(BadUsage("the seat that sees this is not to move".to_string()).into());
        };
        let mut agent = game.agent(&self.agent)?;
        let decision = view.decide(&mut agent, &Budget::NONE, &mut Rng::from_seed(self.seed))?;
        self.tree.write(&self.agent, |limits| view.search_tree(&agent, limits))?;
        Ok(Analysis { player, picture: view.render(), decision })
    }
}
