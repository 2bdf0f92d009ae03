//! How self-play can be set.

use std::fmt;

use meeple_core::{Game, Information};
use meeple_search::informed::{FirstPlay, Noise};
use meeple_search::ismcts::{Ahead, Keys, Mixture};
use meeple_search::{RootRule, Temperature};
use serde::{Deserialize, Serialize};

/// Defaults follow thesis 000, table C.5, unless another source is given.
///
/// | field | meaning | unit, range | default |
/// |---|---|---|---|
/// | `games` | how many are played | | 70 |
/// | `first_game` | the number of the first one; each game draws from the stream of its number | | 0 |
/// | `seed` | of all streams | | 0 |
/// | `searches` | games that go on at once on each thread; results do not depend on it | 1..=65536 | 64 |
/// | `leaves` | leaves of one search in a batch; more than 1 only with `Puct` | 1..=65535 | 1 |
/// | `method` | which search | | `Puct` |
/// | `iterations` | for each decision, without the evaluation of the root | 1.. | 100 |
/// | `exploration` | C of PUCT, on payoffs from -1 to 1 | 0.. | 0.7 |
/// | `first_play` | the mean of an action that was never tried; `Ispuct` has only the fixed ones | | 0 |
/// | `prior_temperature` | priors become P^(1/τ) | above 0 | 1 |
/// | `noise` | Dirichlet noise in the priors at the root | share 0..=1, alpha above 0 | 0.25, 0.67 |
/// | `root` | how visits at the root are shared out; with `Gumbel` the noise is its own and the action the one that it chooses | | as everywhere |
/// | `quick` | some decisions are made with few iterations, or by the policy alone, and without noise; nothing is learnt from them (Wu 2019, section 3.1), or only the value | | none |
/// | `surprise` | the share of a sample's weight that is in proportion to how much the search changed the policy, by the Kullback-Leibler divergence (Wu 2022: 0.5) | 0..=1 | 0 |
/// | `start_share` | the share of games that begin at a position of [`play`](super::play)'s archive (Trudeau and Bowling 2023) | 0..=1 | 0 |
/// | `opening` | some games begin with random moves, which nothing is learnt from | | none |
/// | `discount` | γ: what a payoff keeps of its worth with every action before it, in the search | above 0, ..=1 | 1 |
/// | `determinizations` | `Ispuct`: worlds for each decision; 0 for a new one in every iteration, or pass of sequential halving | | 20 |
/// | `evaluations` | `Ispuct`: of a node, each in another world, before a walk goes on from it | 1.. | 1 |
/// | `depth` | `Ispuct`: how far the tree reaches at most | moves | no limit |
/// | `ahead` | `Ispuct`: where the value of a new node comes from | | the node itself |
/// | `mixture` | `Ispuct`: playouts that have a share in it | | none |
/// | `keys` | `Ispuct`: which positions share their statistics | | views |
/// | `group_rule` | `Ispuct`: search among groups of actions, of which one is chosen by this of the game's rules | | none |
/// | `reuse` | whether what was found serves later decisions of the same game | | no |
/// | `temperature` | actions are drawn in proportion to visits^(1/τ); by decisions of all players in the game, from 1 | | 1 |
/// | `move_cap` | a game is stopped after so many moves for each player: who has finished keeps his payoff, the others have the lowest; a draw if nobody can finish before the end (thesis 004, section 7.1: 40) | 1.. | none |
/// | `cut_path_loops` | `Puct`: no walk returns to a position of its path (thesis 004, section 3.3) | | no |
/// | `cut_game_loops` | `Puct`: no walk returns to a position of the game (thesis 004, section 7.1) | | no |
/// | `target_discount` | γ of the value target: what the outcome keeps of its worth with every decision before the last; thesis 000 has that of the search | above 0, ..=1 | 1 |
/// | `ternary` | whether the value target has -1, 0 or 1 for the outcome, whatever its size | | no |
/// | `root_share` | the share of what the search expected in the value target | 0..=1 | 0 |
/// | `symmetry` | which images of a position become samples | | none |
/// | `sample_key` | which samples count as the same position | | views |
/// | `hidden` | whether samples have what their viewers do not see, too | | no |
/// | `open` | whether what is hidden from the viewer is a part of a sample's input, for networks that see all cards | | no |
/// | `memory` | the most that one search may take | bytes | 2^28 |
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlaySettings {
    pub games: u64,
    pub first_game: u64,
    pub seed: u64,
    pub searches: usize,
    pub leaves: usize,
    pub method: Method,
    pub iterations: u64,
    pub exploration: f64,
    pub first_play: FirstPlay,
    pub prior_temperature: f64,
    pub noise: Noise,
    pub root: RootRule,
    pub quick: Option<Quick>,
    pub surprise: f64,
    pub start_share: f64,
    pub opening: Option<Opening>,
    pub discount: f64,
    pub determinizations: u64,
    pub evaluations: u32,
    pub depth: usize,
    pub ahead: Ahead,
    pub mixture: Mixture,
    pub keys: Keys,
    pub group_rule: Option<usize>,
    pub reuse: bool,
    pub temperature: Temperature,
    pub move_cap: Option<u32>,
    pub cut_path_loops: bool,
    pub cut_game_loops: bool,
    pub target_discount: f64,
    pub ternary: bool,
    pub root_share: f64,
    pub symmetry: Augmentation,
    pub sample_key: SampleKey,
    pub hidden: bool,
    pub open: bool,
    pub memory: usize,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            games: 70,
            first_game: 0,
            seed: 0,
            searches: 64,
            leaves: 1,
            method: Method::Puct,
            iterations: 100,
            exploration: 0.7,
            first_play: FirstPlay::Zero,
            prior_temperature: 1.0,
            noise: Noise { share: 0.25, alpha: 2.0 / 3.0 },
            root: RootRule::Same,
            quick: None,
            surprise: 0.0,
            start_share: 0.0,
            opening: None,
            discount: 1.0,
            determinizations: 20,
            evaluations: 1,
            depth: usize::MAX,
            ahead: Ahead::default(),
            mixture: Mixture::default(),
            keys: Keys::View,
            group_rule: None,
            reuse: false,
            temperature: Temperature::constant(1.0),
            move_cap: None,
            cut_path_loops: false,
            cut_game_loops: false,
            target_discount: 1.0,
            ternary: false,
            root_share: 0.0,
            symmetry: Augmentation::None,
            sample_key: SampleKey::View,
            hidden: false,
            open: false,
            memory: 1 << 28,
        }
    }
}

/// Random moves at the beginning of a game: search and network get to know what they would not come to by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Of all games, 0..=1.
    pub share: f64,
    /// As many as this or fewer, each number equally likely.
    pub moves: u32,
}

/// Decisions that bring a game on rather than teach something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quick {
    /// Of all decisions, 0..1.
    pub share: f64,
    /// 0: the action is drawn from the policy.
    pub iterations: u64,
    /// Whether the value learns from them.
    pub values: bool,
}

/// Which search plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// With perfect information and without chance.
    Puct,
    /// Over the worlds that the player's view allows (thesis 000, algorithm 4.1).
    Ispuct,
    /// The same on the true state, which the network still does not see (thesis 000, section 7.4).
    CheatingIspuct,
    /// None: actions are drawn from the policy, and samples tell which, so that it can learn from how they turned out. Where
    /// there is nothing to choose there is no sample.
    Policy,
}

/// Which images of a position under the game's symmetries become samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Augmentation {
    /// The position itself.
    None,
    /// One at random.
    One,
    /// Each of them.
    All,
}

/// Which samples count as the same position, for each player apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKey {
    /// Those with equal views.
    View,
    /// Those that are equal by one of the game's coarse keys.
    Coarse(usize),
    /// Those with equal inputs, whoever is to move.
    Input,
}

/// Settings that do not fit together or the game, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayError(pub String);

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SelfPlayError {}

impl SelfPlaySettings {
    /// Refuses what is out of range, or not possible in the game. `searches` says that a search
    /// plays, not an agent.
    pub fn check<G: Game>(&self, game: &G, searches: bool) -> Result<(), SelfPlayError> {
        self.check_numbers()?;
        self.check_samples(game)?;
        if searches {
            match self.method {
                Method::Puct => self.check_puct(game),
                Method::Ispuct | Method::CheatingIspuct => self.check_ispuct(game),
                Method::Policy => self.check_policy(),
            }?;
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), SelfPlayError> {
        let above_zero = |number: f64| number > 0.0 && number.is_finite();
        let share = |number: f64| (0.0..=1.0).contains(&number);
        let kept = |number: f64| number > 0.0 && number <= 1.0;
        let rules = [
            ((1..=65_536).contains(&self.searches), "searches must be in 1..65536"),
            ((1..=65_535).contains(&self.leaves), "leaves must be in 1..65535"),
            (self.iterations > 0, "iterations must be at least 1"),
            (self.exploration >= 0.0 && self.exploration.is_finite(), "exploration must be at least 0"),
            (above_zero(self.prior_temperature), "prior_temperature must be above 0"),
            (share(self.noise.share), "the share of noise must be in 0..1"),
            (above_zero(self.noise.alpha), "alpha of the noise must be above 0"),
            (kept(self.discount), "discount must be above 0 and at most 1"),
            (self.evaluations > 0, "evaluations must be at least 1"),
            (self.move_cap != Some(0), "move_cap must be at least 1"),
            (kept(self.target_discount), "target_discount must be above 0 and at most 1"),
            (share(self.root_share), "root_share must be in 0..1"),
            (share(self.surprise), "surprise must be in 0..1"),
            (self.opening.is_none_or(|opening| share(opening.share)), "the share of openings must be in 0..1"),
            (share(self.start_share), "start_share must be in 0..1"),
            (
                self.quick.is_none_or(|quick| (0.0..1.0).contains(&quick.share)),
                "quick decisions must be fewer than all",
            ),
        ];
        demand(&rules)
    }

    fn check_samples<G: Game>(&self, game: &G) -> Result<(), SelfPlayError> {
        let known = |key: usize| key < game.coarse_keys().len();
        demand(&[
            (
                self.symmetry == Augmentation::None || game.symmetries().is_some(),
                "the game has no symmetries under these rules",
            ),
            (
                !matches!(self.sample_key, SampleKey::Coarse(key) if !known(key)),
                "the game has no such coarse key for samples",
            ),
        ])
    }

    fn check_puct<G: Game>(&self, game: &G) -> Result<(), SelfPlayError> {
        let info = game.info();
        demand(&[(
            info.information == Information::Perfect && !info.chance,
            "puct needs perfect information and no chance: use ispuct",
        )])
    }

    fn check_ispuct<G: Game>(&self, game: &G) -> Result<(), SelfPlayError> {
        let rules = game.action_groups().map_or(0, |groups| groups.rules().len());
        let known = |key: usize| key < game.coarse_keys().len();
        demand(&[
            (self.leaves == 1, "ispuct has one leaf in a batch"),
            (self.fixed_first_play().is_some(), "first_play must be zero, loss, draw or win for ispuct"),
            (
                self.keys != Keys::State || self.method == Method::CheatingIspuct,
                "only a search that knows the state can have it as key",
            ),
            (!matches!(self.keys, Keys::Coarse(key) if !known(key)), "the game has no such coarse key"),
            (self.keys != Keys::Path || !self.reuse, "reuse needs keys other than paths"),
            (self.group_rule.is_none_or(|rule| rule < rules), "the game has no such rule for groups of actions"),
            (!self.cut_path_loops && !self.cut_game_loops, "ispuct does not cut loops"),
        ])
    }

    fn check_policy(&self) -> Result<(), SelfPlayError> {
        demand(&[
            (
                self.quick.is_none() && self.surprise == 0.0 && self.root_share == 0.0,
                "without a search nothing is found",
            ),
            (self.temperature == Temperature::constant(1.0), "a policy learns from what it does at temperature 1"),
            (
                self.symmetry == Augmentation::None,
                "a policy learns from the positions that it has seen, not from images",
            ),
        ])
    }

    /// The mean of an action that was never tried, if it does not depend on others.
    pub(super) fn fixed_first_play(&self) -> Option<f64> {
        match self.first_play {
            FirstPlay::Zero | FirstPlay::Draw => Some(0.0),
            FirstPlay::Loss => Some(-1.0),
            FirstPlay::Win => Some(1.0),
            _ => None,
        }
    }
}

/// The first message whose condition does not hold is the error.
fn demand(rules: &[(bool, &str)]) -> Result<(), SelfPlayError> {
    match rules.iter().find(|(holds, _)| !holds) {
        Some((_, message)) => Err(SelfPlayError(message.to_string())),
        None => Ok(()),
    }
}
