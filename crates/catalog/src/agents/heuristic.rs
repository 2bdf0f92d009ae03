//! What a position is worth, by text: the name of one of the game's heuristics or of its sets of
//! weights, or terms with weights such as `terms(material=1,centre=0.2,slope=0.1)`.

use meeple_core::{Game, Heuristic, RuleError, RuleReader, Weights};
use meeple_search::heuristic::{Opponents, Term, TermSettings, Terms};

use super::text::{call, parse_settings};

const TERMS: &str = "terms(TERM=WEIGHT,...)";
/// Where the text gives none.
const SLOPE: f32 = 0.1;

/// Weights beyond it are of no use, and might add up to infinity.
const MOST: f32 = 1e6;

/// Whether the game can tell what a position is worth.
pub(super) fn has_heuristic<G: Game>(game: &G) -> bool {
    !game.heuristics().is_empty() || game.board().is_some_and(|board| !board.weights().is_empty())
}

/// The heuristic under a key of the settings; else the game's best one, or its best set of weights.
pub(super) fn heuristic<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    key: &'static str,
) -> Result<Box<dyn Heuristic<G>>, RuleError> {
    let (name, board, heuristics) = (game.info().name, game.board(), game.heuristics());
    let weights = board.map_or(Vec::new(), |board| board.weights());
    let names: Vec<&'static str> =
        heuristics.iter().map(|&(name, _)| name).chain(weights.iter().map(|set| set.name)).collect();
    let Some(&best) = names.first() else {
        return Err(RuleError(format!("{name} has no heuristic: use mcts or ismcts")));
    };
    let possible = names.iter().copied().chain(board.map(|_| TERMS)).collect::<Vec<_>>().join(" | ");
    let text = reader.text(key, "what a position is worth", &possible, best);
    let explain = |RuleError(error)| RuleError(format!("setting {key}={text}: {error}"));
    if let Some(board) = board
        && let Some(settings) = term_settings(&Term::of_board(game, board), &weights, &text).map_err(explain)?
    {
        return Ok(Box::new(Terms::new(game, board, &settings)));
    }
    let found = heuristics.into_iter().find(|&(known, _)| known == text).map(|(_, heuristic)| heuristic);
    found.ok_or_else(|| RuleError(format!("setting {key}={text}: {name} has {possible}")))
}

/// `None` if the text is neither a list of terms nor the name of a set of weights.
fn term_settings(all: &[(String, Term)], weights: &[Weights], text: &str) -> Result<Option<TermSettings>, RuleError> {
    if let Some(("terms", list)) = call(text) {
        return parse(all, list).map(Some);
    }
    Ok(weights.iter().find(|set| set.name == text).map(|set| from_weights(all, set)))
}

/// A set of weights that a game names.
fn from_weights(all: &[(String, Term)], set: &Weights) -> TermSettings {
    let term = |&(name, weight): &(&str, f32)| (find(all, name).expect("a game knows its terms"), weight);
    TermSettings { terms: set.terms.iter().map(term).collect(), slope: set.slope, opponents: Opponents::default() }
}

fn parse(all: &[(String, Term)], list: &str) -> Result<TermSettings, RuleError> {
    let mut settings = TermSettings { terms: Vec::new(), slope: SLOPE, opponents: Opponents::default() };
    for (key, value) in parse_settings(list)?.0 {
        match key.as_str() {
            "slope" => settings.slope = number(&key, &value, 0.0)?,
            "opponents" => settings.opponents = parse_opponents(&value)?,
            _ => settings.terms.push((find(all, &key)?, number(&key, &value, -MOST)?)),
        }
    }
    if settings.terms.is_empty() {
        return Err(RuleError(format!("there is no term in it; {}", what_there_is(all))));
    }
    Ok(settings)
}

fn find(all: &[(String, Term)], name: &str) -> Result<Term, RuleError> {
    let found = all.iter().find(|(known, _)| known == name);
    let unknown = || RuleError(format!("there is no term `{name}` in this game; {}", what_there_is(all)));
    found.map(|&(_, term)| term).ok_or_else(unknown)
}

fn what_there_is(all: &[(String, Term)]) -> String {
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    format!("there are: {}, and the settings slope, opponents", names.join(", "))
}

fn parse_opponents(text: &str) -> Result<Opponents, RuleError> {
    match text {
        "mean" => Ok(Opponents::Mean),
        "best" => Ok(Opponents::Best),
        _ => Err(RuleError(format!("opponents={text} must be mean or best"))),
    }
}

fn number(key: &str, text: &str, least: f32) -> Result<f32, RuleError> {
    let number = text.parse::<f32>().ok().filter(|number| (least..=MOST).contains(number));
    number.ok_or_else(|| RuleError(format!("{key}={text} must be a number in {least}..{MOST}")))
}
