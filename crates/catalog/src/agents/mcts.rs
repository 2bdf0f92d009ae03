//! Monte Carlo tree search with perfect information: `select` decides between the lean search, which
//! makes one child at a time, and the informed one.

use meeple_core::agent::Seated;
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::mcts::{Mcts, MctsSettings, Parallel, Reuse, Selection};

use super::settings::{number, tree_settings};
use super::text::{call, split_outside_parentheses};
use super::{informed, require_perfect_information};

/// What `select` may be for the lean search.
const RULES: &str = "ucb1 | ucb1-tuned | rave(1000) | grave(100,1e-6) | history(3)";

pub(super) fn mcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    require_perfect_information(game)?;
    let values = format!("{RULES} | {}", informed::RULES);
    let select = reader.text("select", "which child is visited next", &values, "ucb1");
    if let Some(rule) = informed::Rule::parse(&select) {
        return informed::informed(game, rule, reader);
    }
    let selection =
        parse_selection(&select).ok_or_else(|| RuleError(format!("setting select={select}: must be {values}")))?;
    let default = MctsSettings { selection, ..tree_settings(game, reader)?.into() };
    Ok(Seated::fair(Mcts::new(game, mcts_settings(reader, default)?)))
}

fn mcts_settings<G: Game>(reader: &mut RuleReader, default: MctsSettings<G>) -> Result<MctsSettings<G>, RuleError> {
    const THRESHOLD: &str = "nodes with fewer visits select at random, proven losses included";
    let loops = [("follow", false), ("cut", true)];
    let reuse = [("false", Reuse::Nothing), ("true", Reuse::Moves), ("games", Reuse::Games)];
    let parallel = [("tree", Parallel::Tree), ("root", Parallel::Root), ("leaf", Parallel::Leaf)];
    let whole = 1_000_000_000;
    Ok(MctsSettings {
        solver: reader.flag("solver", "prove results, where the reward is win or positive", default.solver)?,
        solver_threshold: reader.integer("solver_threshold", THRESHOLD, 0..=whole, 0)? as u32,
        discount: reader.number(
            "discount",
            "the reward is multiplied by discount^depth",
            0.01..=1.0,
            default.discount,
        )?,
        cut_loops: reader.choice("loops", "an action that repeats a position of its path", &loops, "follow")?,
        reuse: reader.choice(
            "reuse",
            "keep the tree for the next decision, or also for the next game",
            &reuse,
            "false",
        )?,
        threads: reader.integer("threads", "how many search at once; more than 1 vary", 1..=256, default.threads)?,
        parallel: reader.choice("parallel", "what threads share", &parallel, "tree")?,
        virtual_loss: reader.integer("virtual_loss", "losses at a node for each thread below it", 1..=1000, 1)? as u32,
        ..default
    })
}

fn parse_selection(text: &str) -> Option<Selection> {
    let (name, inner) = call(text)?;
    match (name, split_outside_parentheses(inner).as_slice()) {
        ("ucb1", []) => Some(Selection::Ucb1),
        ("ucb1-tuned", []) => Some(Selection::Ucb1Tuned),
        ("rave", []) => Some(Selection::Rave { k: 1000.0 }),
        ("rave", [k]) => Some(Selection::Rave { k: number(k, 1e12)? }),
        ("grave", []) => Some(Selection::Grave { reference: 100, bias: 1e-6 }),
        ("grave", [reference, bias]) => {
            Some(Selection::Grave { reference: reference.parse().ok()?, bias: number(bias, 1e6)? })
        }
        ("history", []) => Some(Selection::History { weight: 3.0 }),
        ("history", [weight]) => Some(Selection::History { weight: number(weight, 1e6)? }),
        _ => None,
    }
}
