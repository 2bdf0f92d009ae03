//! Best-first minimax.

use meeple_core::agent::Seated;
use meeple_core::{Game, PayoffSum, RuleError, RuleReader};
use meeple_search::descent::{BestFirst, DescentSettings, FinalChoice, Method, Select, Terminal};

use super::require_perfect_information;
use super::settings::{budget, heuristic, memory, number};
use super::text::call;

pub(super) fn best_first<G: Game>(game: &G, method: Method, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    require_two_sides(game)?;
    let heuristic = heuristic(game, reader, "heuristic")?;
    let default = DescentSettings::new(method);
    let settings = DescentSettings {
        method,
        budget: budget(reader, default.budget)?,
        select: select(reader)?,
        choice: choice(reader)?,
        terminal: terminal(game, reader)?,
        completed: reader.flag("completed", "prove results and leave alone what is proven", default.completed)?,
        reuse: reader.flag("reuse", "keep the tree for the next decisions of a game", default.reuse)?,
        memory: memory(reader, default.memory)?,
    };
    Ok(Seated::fair(BestFirst::new(game, heuristic, settings)))
}

fn require_two_sides<G: Game>(game: &G) -> Result<(), RuleError> {
    let info = game.info();
    if info.teams == 2 && info.payoff_sum == PayoffSum::Constant(0.0) {
        return Ok(());
    }
    Err(RuleError(format!("this agent needs two sides with opposite payoffs, which {} has not: use mcts", info.name)))
}

/// `best`, `greedy(ε)`, `softmax(τ)` or `ordinal(ε)`.
fn select(reader: &mut RuleReader) -> Result<Select, RuleError> {
    const VALUES: &str = "best | greedy(0.05) | softmax(1) | ordinal(0.05)";
    let text = reader.text("select", "which action an iteration follows", VALUES, "greedy(0.05)");
    parse_select(&text).ok_or_else(|| RuleError(format!("setting select={text}: must be {VALUES}")))
}

fn parse_select(text: &str) -> Option<Select> {
    let (name, inner) = call(text)?;
    match (name, inner) {
        ("best", "") => Some(Select::Best),
        ("greedy", "") => Some(Select::Greedy(0.05)),
        ("greedy", epsilon) => number(epsilon, 1.0).map(Select::Greedy),
        ("softmax", "") => Some(Select::Softmax(1.0)),
        ("softmax", temperature) => number(temperature, 1000.0).filter(|&number| number > 0.0).map(Select::Softmax),
        ("ordinal", "") => Some(Select::Ordinal(0.05)),
        ("ordinal", epsilon) => number(epsilon, 1.0).map(Select::Ordinal),
        _ => None,
    }
}

fn choice(reader: &mut RuleReader) -> Result<FinalChoice, RuleError> {
    let choices = [("best", FinalChoice::Best), ("safest", FinalChoice::Safest)];
    reader.choice("final", "the highest value or the most visits decides", &choices, "safest")
}

fn terminal<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Terminal, RuleError> {
    let terminals = [("classic", Terminal::Classic), ("depth", Terminal::Depth), ("score", Terminal::Score)];
    let terminal = reader.choice("terminal", "what the end of a game is worth", &terminals, "classic")?;
    if terminal == Terminal::Score && game.margins().is_none() {
        let name = game.info().name;
        return Err(RuleError(format!("terminal=score needs scores, which {name} has not: use classic or depth")));
    }
    Ok(terminal)
}
