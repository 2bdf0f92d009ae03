//! Determinized UCT.

use meeple_core::agent::{Budget, Seated};
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::determinized::{Combine, DeterminizedSettings, DeterminizedUct};

use super::belief::belief;
use super::endgame::with_endgame;
use super::settings::tree_settings_within;

/// The most trees, so that every one has room in the smallest memory.
const MOST_TREES: usize = 10_000;

pub(super) fn determinized_uct<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let default = DeterminizedSettings::<G>::default();
    let trees = reader.integer("trees", "worlds for each decision", 1..=MOST_TREES, default.trees)?;
    let budget = budget(reader, trees, &default)?;
    let combinations = [("votes", Combine::Votes), ("visits", Combine::Visits)];
    let combine = reader.choice("combine", "how the trees become one decision", &combinations, "votes")?;
    let settings = DeterminizedSettings {
        tree: tree_settings_within(game, reader, budget, &default.tree, "robust")?,
        trees,
        combine,
    };
    let reward = settings.tree.reward;
    let belief = belief(game, reader)?;
    let agent = DeterminizedUct::new(game, settings, belief.clone());
    with_endgame(game, reader, reward, belief, agent)
}

/// Of all trees together, where the settings count the iterations of one.
fn budget<G: Game>(
    reader: &mut RuleReader,
    trees: usize,
    default: &DeterminizedSettings<G>,
) -> Result<Budget, RuleError> {
    let usual = default.tree.budget.iterations.map(|all| all / default.trees as u64);
    let given = reader.optional_integer("iterations", "iterations of each tree", 1..=u64::MAX)?;
    let time = reader.duration("time", "time for each decision")?;
    let each = if time.is_some() { given } else { given.or(usual) };
    Ok(Budget { iterations: each.map(|each| each.saturating_mul(trees as u64)), nodes: None, time })
}
