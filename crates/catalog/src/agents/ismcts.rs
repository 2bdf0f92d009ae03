//! Information-set searches, fair and cheating.

use meeple_core::agent::{Budget, Seated};
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::ismcts::{Ahead, Cheating, Ismcts, IsmctsSettings, Keys, Mixture, Puct, Reuse, Selection};
use meeple_search::{Reward, RootRule, TreeSettings};

use super::belief::belief;
use super::endgame::with_endgame;
use super::informed::{parsed, root_rule};
use super::settings::{budget, choice, memory, reward, tree_settings_from};

/// What an agent's settings are where none are given.
struct Preset {
    iterations: u64,
    exploration: f64,
    choice: &'static str,
    select: &'static str,
    noise: f64,
    alpha: f64,
    keys: &'static str,
    determinizations: usize,
    /// Where keys allow it.
    reuse: &'static str,
}

const ISMCTS: Preset = Preset {
    iterations: 10_000,
    exploration: std::f64::consts::SQRT_2,
    choice: "robust",
    select: "ucb1",
    noise: 0.0,
    alpha: 0.4,
    keys: "path",
    determinizations: 0,
    reuse: "none",
};

/// Thesis 000, tables C.4 and C.13.
const ROLLOUTS: Preset = Preset {
    iterations: 900,
    exploration: 0.5,
    choice: "sampled(1)",
    select: "puct",
    noise: 0.25,
    alpha: 0.4,
    keys: "view",
    determinizations: 3,
    reuse: "game",
};

/// Thesis 000, table C.11, without its noise, and the best action in the place of a sampled one.
const NETWORK: Preset = Preset { exploration: 1.0, choice: "robust", noise: 0.0, ..ROLLOUTS };

/// Thesis 000, tables C.3 and C.4.
const CHEATING: Preset = Preset { exploration: 1.0, alpha: 2.0 / 3.0, keys: "state", determinizations: 0, ..ROLLOUTS };

pub(super) fn ismcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    fair(game, reader, &ISMCTS)
}

/// Nodes are known by the finest of the game's coarse keys, if it has any.
pub(super) fn ismcts_rollouts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let keys = game.coarse_keys().first().copied().unwrap_or(ROLLOUTS.keys);
    fair(game, reader, &Preset { keys, ..ROLLOUTS })
}

pub(super) fn cheating_mcts<G: Game>(game: &G, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let settings = settings(game, reader, &CHEATING, &[("state", Keys::State)])?;
    Ok(Seated::cheating(Cheating::new(game, settings)))
}

fn fair<G: Game>(game: &G, reader: &mut RuleReader, preset: &Preset) -> Result<Seated<G>, RuleError> {
    let mut settings = settings(game, reader, preset, &[])?;
    settings.determinizations = determinizations(reader, preset, &settings.tree.budget)?;
    let reward = settings.tree.reward;
    seated(game, reader, reward, Ismcts::new(game, settings))
}

/// The agent, with a belief and solved endgames if the settings ask for them.
pub(super) fn seated<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    reward: Reward,
    mut agent: Ismcts<G>,
) -> Result<Seated<G>, RuleError> {
    let belief = belief(game, reader)?;
    if let Some(belief) = &belief {
        agent = agent.with_belief(belief.clone());
    }
    with_endgame(game, reader, reward, belief, agent)
}

fn settings<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    preset: &Preset,
    more_keys: &[(&'static str, Keys)],
) -> Result<IsmctsSettings<G>, RuleError> {
    let tree = tree(game, reader, preset)?;
    let selection = selection(reader, preset)?;
    let root = root_rule(&tree.budget, reader)?;
    if selection == Selection::Ucb1 && root != RootRule::Same {
        return Err(RuleError("root needs priors: set select=puct, too".to_string()));
    }
    let keys = keys(game, reader, preset, more_keys)?;
    Ok(IsmctsSettings {
        tree,
        selection,
        root,
        keys,
        determinizations: 0,
        evaluations: 1,
        depth: usize::MAX,
        ahead: Ahead::default(),
        sure: 1.0,
        mixture: Mixture::default(),
        group_rule: group_rule(game, reader, false)?,
        reuse: reuse(reader, preset, keys)?,
        discount: discount(reader)?,
    })
}

/// For a search whose values and priors come from a network. If it is `grouped` and the game has groups of actions, it
/// chooses among these unless it is set otherwise.
pub(crate) fn network_settings<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    more_keys: &[(&'static str, Keys)],
    grouped: bool,
) -> Result<IsmctsSettings<G>, RuleError> {
    let preset = Preset { keys: game.coarse_keys().first().copied().unwrap_or(NETWORK.keys), ..NETWORK };
    let budget = budget(reader, Budget::iterations(preset.iterations))?;
    let keys = keys(game, reader, &preset, more_keys)?;
    let worlds = determinizations(reader, &preset, &budget)?;
    Ok(IsmctsSettings {
        tree: TreeSettings {
            budget,
            exploration: reader.number(
                "exploration",
                "C in mean + C P sqrt(N) / (1 + n)",
                0.0..=1000.0,
                preset.exploration,
            )?,
            reward: reward(game, reader)?,
            choice: choice(reader, preset.choice)?,
            memory: memory(reader, TreeSettings::<G>::default().memory)?,
            ..TreeSettings::default()
        },
        selection: Selection::Puct(puct(reader, &preset)?),
        root: root_rule(&budget, reader)?,
        keys,
        determinizations: worlds,
        evaluations: evaluations(reader, keys, worlds)?,
        depth: depth(reader)?,
        ahead: ahead(reader)?,
        sure: reader.number(
            "sure",
            "what the policy gives more than this is played without a search",
            0.0..=1.0,
            1.0,
        )?,
        mixture: mixture(reader)?,
        group_rule: group_rule(game, reader, grouped)?,
        reuse: reuse(reader, &preset, keys)?,
        discount: discount(reader)?,
    })
}

/// A network is shown what the player to move sees: it says the same about all worlds with the same view.
fn evaluations(reader: &mut RuleReader, keys: Keys, worlds: u64) -> Result<u32, RuleError> {
    let meaning = "worlds in which a node is evaluated before the search goes on from it";
    let evaluations = reader.integer("evaluations", meaning, 1..=1000, 1)? as u32;
    if evaluations > 1 && (matches!(keys, Keys::View | Keys::State) || worlds > 0) {
        let why = "evaluations=2 and more need a new world in every iteration and nodes of several views: \
                   set determinizations=0 and keys=path, or keys that leave out the hand";
        return Err(RuleError(why.to_string()));
    }
    Ok(evaluations)
}

fn depth(reader: &mut RuleReader) -> Result<usize, RuleError> {
    let meaning = "moves from the root that the tree reaches at most; 0: no limit";
    let depth = reader.integer("depth", meaning, 0..=1000, 0)?;
    Ok(if depth == 0 { usize::MAX } else { depth })
}

fn ahead(reader: &mut RuleReader) -> Result<Ahead, RuleError> {
    const VALUES: &str = "N | own | own(N) | end";
    let meaning =
        "moves drawn by the policy beyond a new node, whose end is valued; own: until the own turn; end: all of them";
    let ahead = parsed(reader, "ahead", meaning, VALUES, "0", |name, numbers| {
        let (moves, to_own_turn) = match (name, numbers) {
            ("own", []) => (0, true),
            ("end", []) => (u32::MAX, false),
            ("own", &[moves]) if moves.fract() == 0.0 && (0.0..=1000.0).contains(&moves) => (moves as u32, true),
            (moves, []) => (moves.parse().ok().filter(|&moves| moves <= 1000)?, false),
            _ => return None,
        };
        Some(Ahead { moves, to_own_turn, ..Ahead::default() })
    })?;
    let meaning = "these moves are drawn in proportion to P^(1/τ)";
    let temperature = reader.number("ahead_temperature", meaning, 0.01..=100.0, ahead.temperature)?;
    let meaning = "τ for those of them that are not the searching player's";
    let others = reader.number("ahead_others", meaning, 0.01..=100.0, temperature)?;
    let meaning = "what the searching player does not see on the way there: as in the world, or drawn for each way";
    let redraws = reader.choice("ahead_hidden", meaning, &[("kept", false), ("drawn", true)], "kept")?;
    Ok(Ahead { temperature, others, redraws, ..ahead })
}

fn mixture(reader: &mut RuleReader) -> Result<Mixture, RuleError> {
    let playouts = reader.integer("playouts", "random games from where a new node is valued", 0..=1000, 0)? as u32;
    let meaning = "of these games in that value; the network has the rest";
    Ok(Mixture { playouts, share: reader.number("playout_share", meaning, 0.0..=1.0, 0.5)? })
}

fn discount(reader: &mut RuleReader) -> Result<f64, RuleError> {
    reader.number("discount", "what a reward keeps with every action before it", 0.0..=1.0, 1.0)
}

fn tree<G: Game>(game: &G, reader: &mut RuleReader, preset: &Preset) -> Result<TreeSettings<G>, RuleError> {
    let default = TreeSettings {
        budget: Budget::iterations(preset.iterations),
        exploration: preset.exploration,
        ..TreeSettings::default()
    };
    tree_settings_from(game, reader, &default, preset.choice)
}

fn selection(reader: &mut RuleReader, preset: &Preset) -> Result<Selection, RuleError> {
    let informed = reader.choice(
        "select",
        "ucb1: mean + C sqrt(ln N / n); puct: mean + C P sqrt(N) / (1 + n)",
        &[("ucb1", false), ("puct", true)],
        preset.select,
    )?;
    let puct = puct(reader, preset)?;
    Ok(if informed { Selection::Puct(puct) } else { Selection::Ucb1 })
}

fn puct(reader: &mut RuleReader, preset: &Preset) -> Result<Puct, RuleError> {
    Ok(Puct {
        first_play: reader.number("fpu", "puct: the mean of an untried action", -1000.0..=1000.0, 0.0)?,
        prior_temperature: reader.number("prior_temperature", "puct: priors become P^(1/τ)", 0.01..=100.0, 1.0)?,
        noise: reader.number("noise", "puct: the share of noise in P at the root", 0.0..=1.0, preset.noise)?,
        alpha: reader.number("alpha", "puct: the parameter of that Dirichlet noise", 1e-6..=1000.0, preset.alpha)?,
    })
}

fn keys<G: Game>(
    game: &G,
    reader: &mut RuleReader,
    preset: &Preset,
    more: &[(&'static str, Keys)],
) -> Result<Keys, RuleError> {
    let mut choices = vec![("path", Keys::Path), ("view", Keys::View)];
    choices.extend((0..).zip(game.coarse_keys()).map(|(number, &name)| (name, Keys::Coarse(number))));
    choices.extend(more);
    reader.choice("keys", "which positions share their statistics", &choices, preset.keys)
}

fn reuse(reader: &mut RuleReader, preset: &Preset, keys: Keys) -> Result<Reuse, RuleError> {
    let choices = [("none", Reuse::None), ("game", Reuse::Game), ("games", Reuse::Games)];
    let default = if keys == Keys::Path { "none" } else { preset.reuse };
    let reuse = reader.choice("reuse", "how long statistics are kept", &choices, default)?;
    if keys == Keys::Path && reuse != Reuse::None {
        return Err(RuleError("statistics are only kept by keys of positions: use keys=view or reuse=none".into()));
    }
    Ok(reuse)
}

fn determinizations(reader: &mut RuleReader, preset: &Preset, budget: &Budget) -> Result<u64, RuleError> {
    let default = if budget.iterations.is_some() { preset.determinizations } else { 0 };
    let meaning = "worlds for each decision; 0: a new one in every iteration";
    let worlds = reader.integer("determinizations", meaning, 0..=1_000_000_000, default)? as u64;
    if worlds > 0 && budget.iterations.is_none() {
        return Err(RuleError(format!("determinizations={worlds} share out iterations: set iterations, too")));
    }
    Ok(worlds)
}

/// Full actions are called `cards`, whatever the game.
fn group_rule<G: Game>(game: &G, reader: &mut RuleReader, grouped: bool) -> Result<Option<usize>, RuleError> {
    let groups = game.action_groups();
    let mut choices = vec![("cards", false)];
    choices.extend(groups.map(|groups| (groups.name(), true)));
    let default = groups.filter(|_| grouped).map_or("cards", |groups| groups.name());
    let grouped = reader.choice("actions", "what the search chooses among", &choices, default)?;
    let Some(groups) = groups.filter(|_| grouped) else { return Ok(None) };
    let rules: Vec<(&'static str, usize)> = groups.rules().iter().copied().zip(0..).collect();
    reader.choice("cards", "which action of a group is played", &rules, rules[0].0).map(Some)
}
