//! Agents decide from a view. None of them is ever handed a state; those that cheat on purpose, as
//! a yardstick, are of another kind.

use std::fmt;
use std::time::Duration;

use crate::{Game, Payoffs, Rng, SearchTree, TreeLimits};

/// A player of one game.
pub trait Agent<G: Game>: Send {
    /// An action of the viewer, who is to move, and what speaks for it. The agent's own settings
    /// say how long to think; `limit` can only shorten it.
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action>;

    /// Forgets what was kept from the game before.
    fn new_game(&mut self) {}

    /// The tree of the last decision, if there is one.
    fn tree(&self, game: &G, view: &G::View, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        let _ = (game, view, limits);
        None
    }

    /// Why the agent cannot play on, if so: whoever asked it should not ask again.
    fn failure(&self) -> Option<AgentError> {
        None
    }

    /// What its network thinks before any search, if it has one. Worlds and chance after an action
    /// are drawn.
    fn opinion(&mut self, game: &G, view: &G::View, rng: &mut Rng) -> Option<Opinion<G::Action>> {
        let _ = (game, view, rng);
        None
    }
}

/// A player that sees everything, as an upper bound for fair ones. Only what names it explicitly
/// seats it.
pub trait CheatingAgent<G: Game>: Send {
    /// As [`Agent::decide`], from the whole truth.
    fn decide(&mut self, game: &G, state: &G::State, limit: &Budget, rng: &mut Rng) -> Decision<G::Action>;

    /// Forgets what was kept from the game before.
    fn new_game(&mut self) {}

    /// The tree of the last decision, if there is one.
    fn tree(&self, game: &G, state: &G::State, limits: TreeLimits) -> Option<SearchTree<G::Action>> {
        let _ = (game, state, limits);
        None
    }
}

/// A player of one game, fair or not.
pub enum Seated<G: Game> {
    Fair(Box<dyn Agent<G>>),
    Cheating(Box<dyn CheatingAgent<G>>),
}

impl<G: Game> fmt::Debug for Seated<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Seated::Fair(_)) { "Fair" } else { "Cheating" })
    }
}

impl<G: Game> Seated<G> {
    pub fn fair(agent: impl Agent<G> + 'static) -> Seated<G> {
        Seated::Fair(Box::new(agent))
    }

    pub fn cheating(agent: impl CheatingAgent<G> + 'static) -> Seated<G> {
        Seated::Cheating(Box::new(agent))
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        match self {
            Seated::Fair(agent) => agent.new_game(),
            Seated::Cheating(agent) => agent.new_game(),
        }
    }
}

/// An agent text that names nothing that can play the game, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentError(pub String);

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AgentError {}

/// What a decision may cost: whatever is reached first ends it. Nothing set is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub iterations: Option<u64>,
    /// Positions searched or evaluated.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
}

impl Budget {
    pub const NONE: Budget = Budget { iterations: None, nodes: None, time: None };

    pub fn iterations(iterations: u64) -> Budget {
        Budget { iterations: Some(iterations), ..Budget::NONE }
    }

    /// The stricter of both in every respect.
    pub fn and(&self, other: &Budget) -> Budget {
        Budget {
            iterations: stricter(self.iterations, other.iterations),
            nodes: stricter(self.nodes, other.nodes),
            time: stricter(self.time, other.time),
        }
    }
}

fn stricter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// An action and what the agent can say about it.
#[derive(Clone, Debug)]
pub struct Decision<A> {
    pub action: A,
    pub report: Report<A>,
}

impl<A> Decision<A> {
    /// A decision without a search.
    pub fn plain(action: A) -> Decision<A> {
        Decision { action, report: Report::default() }
    }

    /// The only action there is, without a search.
    pub fn forced(action: A) -> Decision<A>
    where
        A: Copy,
    {
        let actions = vec![ActionReport::unsearched(action)];
        Decision { action, report: Report { actions, principal_variation: vec![action], ..Report::default() } }
    }

    /// The same with actions of another type.
    pub fn map<B>(self, mut convert: impl FnMut(A) -> B) -> Decision<B> {
        let Report { actions, principal_variation, iterations, nodes, bytes, time } = self.report;
        let actions = actions
            .into_iter()
            .map(|entry| {
                let ActionReport { action, visits, availability, payoffs, value_for_mover, prior, share, proven } =
                    entry;
                let action = convert(action);
                ActionReport { action, visits, availability, payoffs, value_for_mover, prior, share, proven }
            })
            .collect();
        let action = convert(self.action);
        let principal_variation = principal_variation.into_iter().map(convert).collect();
        Decision { action, report: Report { actions, principal_variation, iterations, nodes, bytes, time } }
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report<A> {
    /// One entry for each action looked at, the best first.
    pub actions: Vec<ActionReport<A>>,
    /// The line that the search expects, the chosen action first.
    pub principal_variation: Vec<A>,
    pub iterations: u64,
    /// Positions kept in memory, or searched where none are kept.
    pub nodes: u64,
    /// Memory of the tree or table.
    pub bytes: u64,
    pub time: Duration,
}

impl<A> Default for Report<A> {
    fn default() -> Report<A> {
        Report {
            actions: Vec::new(),
            principal_variation: Vec::new(),
            iterations: 0,
            nodes: 0,
            bytes: 0,
            time: Duration::ZERO,
        }
    }
}

/// What a search found about one action.
#[derive(Clone, Debug)]
pub struct ActionReport<A> {
    pub action: A,
    pub visits: u64,
    /// How often the action was legal when its parent was visited.
    pub availability: Option<u64>,
    /// The expected payoff of each seat, where the search knows it.
    pub payoffs: Option<Payoffs>,
    /// For the player to move, on the scale of the search's reward.
    pub value_for_mover: f64,
    pub prior: Option<f32>,
    /// What the search would give it in a policy, where that is not its share of the visits.
    pub share: Option<f32>,
    /// The payoffs under best play of all, where proven.
    pub proven: Option<Payoffs>,
}

impl<A> ActionReport<A> {
    /// An action about which nothing was found out.
    pub fn unsearched(action: A) -> ActionReport<A> {
        ActionReport {
            action,
            visits: 0,
            availability: None,
            payoffs: None,
            value_for_mover: 0.0,
            prior: None,
            share: None,
            proven: None,
        }
    }
}

/// What a network thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<A> {
    /// The payoff that the player to move may expect, in -1..=1.
    pub value: Option<f64>,
    /// One entry for each legal action.
    pub actions: Vec<ActionOpinion<A>>,
}

/// What a network thinks of one action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionOpinion<A> {
    pub action: A,
    /// Its probability, and the one from before the policy was confined to legal actions.
    pub policy: Option<Masked>,
    /// The payoff of the player to move after it.
    pub value: Option<f64>,
}

/// A probability before and after all that is illegal was taken out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Masked {
    pub before: f64,
    pub after: f64,
}

impl<A> Opinion<A> {
    /// The same with actions of another type.
    pub fn map<B>(self, mut convert: impl FnMut(A) -> B) -> Opinion<B> {
        let convert =
            |ActionOpinion { action, policy, value }| ActionOpinion { action: convert(action), policy, value };
        Opinion { value: self.value, actions: self.actions.into_iter().map(convert).collect() }
    }
}

/// Uniform over the legal actions.
#[derive(Clone, Debug)]
pub struct RandomAgent<A> {
    actions: Vec<A>,
}

impl<A> Default for RandomAgent<A> {
    fn default() -> Self {
        RandomAgent { actions: Vec::new() }
    }
}

impl<G: Game> Agent<G> for RandomAgent<G::Action> {
    fn decide(&mut self, game: &G, view: &G::View, _: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        game.view_actions(view, &mut self.actions);
        Decision::plain(*rng.choose(&self.actions))
    }
}
