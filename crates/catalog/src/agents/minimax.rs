//! Minimax with perfect information.

use meeple_core::agent::{Budget, Seated};
use meeple_core::{Game, Heuristic, Information, RuleError, RuleReader};
use meeple_search::minimax::{DEEPEST, Minimax, MinimaxSettings, Players, Pruning};

use super::settings::{has_heuristic, heuristic};

/// How far to look ahead.
enum Depth {
    Open,
    Plies(u8),
    /// To the end of the game, without a heuristic.
    All,
}

pub(super) fn alphabeta<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let info = game.info();
    if info.information == Information::Hidden {
        let message = format!("this agent needs perfect information, which {} has not: use ismcts", info.name);
        return Err(RuleError(message));
    }
    let depth = depth(reader)?;
    let default = MinimaxSettings::default();
    let settings = MinimaxSettings {
        depth: if let Depth::Plies(plies) = depth { Some(plies) } else { None },
        budget: budget(reader, &depth, default.budget)?,
        memory: memory(reader, default.memory)?,
        players: players(reader)?,
        pruning: pruning(reader)?,
    };
    Ok(Seated::fair(Minimax::new(settings, guess(game, reader, &depth)?)))
}

fn depth(reader: &mut RuleReader) -> Result<Depth, RuleError> {
    let values = format!("none | 1..{DEEPEST} | all");
    let text = reader.text("depth", "plies to look ahead; all: to the end, without a heuristic", &values, "none");
    match text.as_str() {
        "none" => Ok(Depth::Open),
        "all" => Ok(Depth::All),
        plies => match plies.parse() {
            Ok(plies @ 1..=DEEPEST) => Ok(Depth::Plies(plies)),
            _ => Err(RuleError(format!("setting depth={text}: must be {values}"))),
        },
    }
}

/// A depth is a budget of its own.
fn budget(reader: &mut RuleReader, depth: &Depth, default: Budget) -> Result<Budget, RuleError> {
    let nodes = reader.optional_integer("nodes", "positions to search or evaluate for each decision", 1..=u64::MAX)?;
    let time = reader.duration("time", "time for each decision; 1s if there is no other limit")?;
    let given = Budget { iterations: None, nodes, time };
    Ok(if given == Budget::NONE && matches!(depth, Depth::Open) { default } else { given })
}

fn memory(reader: &mut RuleReader, default: usize) -> Result<usize, RuleError> {
    Ok(reader.integer("memory", "of the transposition table, in MiB", 1..=1 << 20, default >> 20)? << 20)
}

fn players(reader: &mut RuleReader) -> Result<Players, RuleError> {
    let choices = [("maxn", Players::MaxN), ("paranoid", Players::Paranoid)];
    reader.choice("players", "with more than two sides: all for themselves, or all against the mover", &choices, "maxn")
}

fn pruning(reader: &mut RuleReader) -> Result<Pruning, RuleError> {
    let choices = [("none", Pruning::None), ("star1", Pruning::Star1), ("star2", Pruning::Star2)];
    reader.choice("pruning", "how the outcomes of chance are pruned", &choices, "star2")
}

fn guess<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    depth: &Depth,
) -> Result<Option<Box<dyn Heuristic<G>>>, RuleError> {
    if matches!(depth, Depth::All) {
        return Ok(None);
    }
    if !has_heuristic(game) {
        let message = format!("{} has no heuristic: use mcts, or depth=all to search to the end", game.info().name);
        return Err(RuleError(message));
    }
    heuristic(game, reader, "heuristic").map(Some)
}
