//! One tree and the two halves of an iteration: *gather* takes a world and walks to a leaf, *apply*
//! takes the evaluation of the leaf and carries it up. Between both, leaves of many searches can be
//! evaluated together. Without evaluations a playout ends the iteration at once.

use std::fmt;
use std::sync::Arc;

use meeple_core::agent::Budget;
use meeple_core::key::key_of;
use meeple_core::rng::mix;
use meeple_core::{Belief, Game, MAX_PLAYERS, Player, Rng, Turn, Worlds};

use super::groups::code;
use super::priors::Priors;
use super::schedule::Schedule;
use super::selection::{Candidate, known, puct, ucb1};
use super::settings::{Ahead, IsmctsSettings, Keys, Mixture, Reuse, Selection};
use crate::clock::Clock;
use crate::edges::{Edges, NOWHERE, edge_key};
use crate::evaluator::Evaluation;
use crate::playout::{Playouts, Worth};
use crate::root::RootPayoffs;
use crate::root_rule::Root;
use crate::worlds::worlds;

/// A search from one root, over worlds from whatever source.
pub struct Search<G: Game> {
    pub(super) settings: IsmctsSettings<G>,
    pub(super) edges: Edges,
    pub(super) root_payoffs: RootPayoffs,
    pub(super) at_root: Root,
    playouts: Playouts<G>,
    pub(super) priors: Priors,
    pub(super) scratch: Scratch<G>,
    /// Whether new nodes are evaluated, in the place of playouts.
    evaluates: bool,
    /// How likely worlds are; all equally, if there is none.
    pub(super) belief: Option<Arc<dyn Belief<G>>>,
    /// Those of the decision at hand.
    worlds: Option<Box<dyn Worlds<State = G::State>>>,
    schedule: Schedule,
    pub(super) clock: Clock,
    /// So many edges end the search.
    enough: usize,
    next: Next,
    /// The player who decides.
    pub(super) viewer: Player,
}

/// What the search does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Asks for the evaluation of the root.
    AskForRoot,
    Iterate,
    /// Takes the evaluation of the node with this key.
    Take(u64),
    /// Looks ahead from the node that was evaluated, after what the searching player does not see was drawn anew.
    SetOut,
    /// Draws so many moves by the priors before the value is taken.
    LookAhead(u32),
    /// Takes the evaluation of what the last of them led to; so many are left.
    TakeAhead(u32),
    /// There is nothing to search: the only action is known.
    Decide,
}

/// Where a walk down the tree ends.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    /// At a node that was never visited, with this key.
    New(u64),
    /// Where the tree may not grow.
    Beyond,
    /// Where the game is over, or after an edge that was never visited.
    End,
}

/// Buffers, so that an iteration does not allocate.
pub(super) struct Scratch<G: Game> {
    /// The worlds that serve several iterations of the decision.
    drawn: Vec<G::State>,
    pub(super) state: G::State,
    /// Where a playout from it has come to.
    played: G::State,
    /// The legal actions, or one for each group of them.
    pub(super) actions: Vec<G::Action>,
    /// The legal actions of one group, or of the state that was evaluated last.
    pub(super) members: Vec<G::Action>,
    /// What that evaluation said about each of them.
    shares: Vec<f64>,
    /// Places of the actions without an edge, and those with one.
    untried: Vec<u32>,
    candidates: Vec<Candidate>,
    /// The edges on the way down with the players who chose them.
    path: Vec<(u32, Player)>,
    /// The nodes on the way down, where the path does not tell them.
    nodes: Vec<u64>,
    /// The groups that are in the list of actions.
    pub(super) codes: Vec<u32>,
}

/// The key of the root where keys are paths.
pub(super) const ROOT: u64 = 0x9e37_79b9_7f4a_7c15;

impl<G: Game> fmt::Debug for Search<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Search")
    }
}

impl<G: Game> Search<G> {
    /// With playouts.
    pub fn new(game: &G, settings: IsmctsSettings<G>) -> Search<G> {
        let scratch = Scratch {
            drawn: Vec::new(),
            state: game.initial_state(),
            played: game.initial_state(),
            actions: Vec::new(),
            members: Vec::new(),
            shares: Vec::new(),
            untried: Vec::new(),
            candidates: Vec::new(),
            path: Vec::new(),
            nodes: Vec::new(),
            codes: Vec::new(),
        };
        Search {
            edges: Edges::new(settings.tree.memory),
            root_payoffs: RootPayoffs::default(),
            at_root: Root::new(settings.root, settings.tree.reward.range(game)),
            playouts: Playouts::new(game, settings.tree.playout.clone(), settings.tree.reward),
            priors: Priors::default(),
            scratch,
            evaluates: false,
            belief: None,
            worlds: None,
            schedule: Schedule::new(&settings.tree.budget, &Budget::NONE, settings.determinizations),
            clock: Clock::start(Budget::NONE),
            enough: usize::MAX,
            next: Next::Decide,
            viewer: 0,
            settings,
        }
    }

    /// New nodes get value and priors from evaluations. Only with PUCT.
    pub fn with_evaluations(self) -> Search<G> {
        assert!(self.settings.selection != Selection::Ucb1, "UCB1 has no use for priors");
        Search { evaluates: true, ..self }
    }

    /// Forgets what is not kept from one game to the next.
    pub fn new_game(&mut self) {
        if self.settings.reuse == Reuse::Game {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.edges.clear();
        self.priors.clear();
    }

    /// Starts a decision of the player who is to move in all of the worlds.
    pub fn begin(&mut self, game: &G, worlds: Box<dyn Worlds<State = G::State>>, limit: &Budget, rng: &mut Rng) {
        self.worlds = Some(worlds);
        self.schedule = Schedule::new(&self.settings.tree.budget, limit, self.settings.determinizations);
        self.clock = Clock::start(self.schedule.budget);
        self.look_at_root(game);
        if self.scratch.actions.len() == 1 {
            self.next = Next::Decide;
            return;
        }
        self.prepare(rng);
        self.next = if self.evaluates { Next::AskForRoot } else { Next::Iterate };
        let nodes = self.schedule.budget.nodes.map(|nodes| nodes as usize);
        self.enough = nodes.map_or(usize::MAX, |nodes| self.edges.len().saturating_add(nodes));
    }

    /// Begins an iteration; false if there is none left. Either it ends at once, or one state is
    /// appended to `requests`, and [`Search::apply`] is to be called with its evaluation.
    #[inline]
    pub fn gather(&mut self, game: &G, requests: &mut Vec<G::State>, rng: &mut Rng) -> bool {
        match self.next {
            Next::Decide => return false,
            Next::Take(_) | Next::TakeAhead(_) => unreachable!("an evaluation is missing"),
            Next::SetOut => {
                self.set_out(game, requests, rng);
                return true;
            }
            Next::LookAhead(moves) => {
                self.look_ahead(game, moves, requests, rng);
                return true;
            }
            Next::AskForRoot => {
                let root = self.node_key(game, &self.scratch.state, self.viewer, ROOT);
                requests.push(self.scratch.state.clone());
                self.next = Next::Take(root);
                return true;
            }
            Next::Iterate => {}
        }
        if self.edges.len() >= self.enough || !self.clock.tick() {
            return false;
        }
        self.next_world(rng);
        match self.descend(game, rng) {
            Arrival::New(node) if self.evaluates => self.arrive(game, node, requests, rng),
            Arrival::Beyond if self.evaluates => self.set_out(game, requests, rng),
            _ => self.play_out(game, rng),
        }
        true
    }

    /// Asks for the evaluation of a new node, unless it would say nothing that counts: there is one action, and the value
    /// comes from further ahead.
    fn arrive(&mut self, game: &G, node: u64, requests: &mut Vec<G::State>, rng: &mut Rng) {
        if !self.has_one_way_on(game, self.settings.ahead.moves) {
            requests.push(self.scratch.state.clone());
            self.next = Next::Take(node);
            return;
        }
        self.take_priors(game, node, &[1.0]);
        self.set_out(game, requests, rng);
    }

    /// Asks for the evaluation of where the tree ends, or of what the searching player takes for as likely there, if the
    /// search looks ahead from there.
    fn set_out(&mut self, game: &G, requests: &mut Vec<G::State>, rng: &mut Rng) {
        let Ahead { moves, .. } = self.settings.ahead;
        let state = &mut self.scratch.state;
        if self.settings.ahead.sets_out_anew(game, state, self.viewer) {
            let view = game.view(state, Some(self.viewer));
            worlds(game, &view, self.belief.as_ref()).sample_into(state, rng);
        }
        if self.has_one_way_on(game, moves) {
            self.scratch.shares.clear();
            self.scratch.shares.push(1.0);
            return self.look_ahead(game, moves, requests, rng);
        }
        requests.push(self.scratch.state.clone());
        self.next = Next::TakeAhead(moves);
    }

    /// Moves on from what was evaluated, and where there is one action from there, and asks for the evaluation of where
    /// that leads.
    fn look_ahead(&mut self, game: &G, mut moves: u32, requests: &mut Vec<G::State>, rng: &mut Rng) {
        let mut place = rng.weighted(&self.scratch.shares);
        loop {
            let Scratch { state, members, .. } = &mut self.scratch;
            game.apply(state, members[place]);
            while game.turn(state) == Turn::Chance {
                game.play_chance(state, rng);
            }
            if game.turn(state) == Turn::Over {
                self.next = Next::Iterate;
                return self.play_out(game, rng);
            }
            moves = moves.saturating_sub(1);
            if !self.has_one_way_on(game, moves) {
                break;
            }
            place = 0;
        }
        requests.push(self.scratch.state.clone());
        self.next = Next::TakeAhead(moves);
    }

    /// Whether the search looks further ahead from the state, and there is one action for that, which is listed then.
    #[inline]
    fn has_one_way_on(&mut self, game: &G, moves: u32) -> bool {
        let Scratch { state, members, .. } = &mut self.scratch;
        if !self.settings.ahead.goes_on(game, state, moves, self.viewer) {
            return false;
        }
        game.legal_actions(state, members);
        members.len() == 1
    }

    fn play_out(&mut self, game: &G, rng: &mut Rng) {
        let worth = self.playouts.play(game, &mut self.scratch.state, &mut self.scratch.actions, rng);
        self.back_up(&worth);
    }

    /// Takes the evaluation of the state that was asked for: its node takes over the priors, and
    /// the payoffs go up the tree, unless the search looks further ahead.
    pub fn apply(&mut self, game: &G, evaluation: &Evaluation, rng: &mut Rng) {
        let Evaluation { payoffs, priors } = evaluation;
        game.legal_actions(&self.scratch.state, &mut self.scratch.members);
        let moves = match self.next {
            Next::Take(node) => {
                self.take_priors(game, node, priors);
                self.settings.ahead.moves
            }
            Next::TakeAhead(moves) => moves,
            _ => unreachable!("no evaluation was asked for"),
        };
        let rewards = self.settings.tree.reward.of_payoffs(game, payoffs);
        let at_root = self.scratch.path.is_empty();
        if at_root {
            self.at_root.set_value(Some(f64::from(rewards[self.viewer])));
            if self.highest_prior(game, priors) > self.settings.sure {
                self.clock.shorten_to(1);
            }
        }
        let ahead = &self.settings.ahead;
        let is_new = matches!(self.next, Next::Take(_));
        if is_new && !at_root && ahead.sets_out_anew(game, &self.scratch.state, self.viewer) {
            self.next = Next::SetOut;
            return;
        }
        if ahead.goes_on(game, &self.scratch.state, moves, self.viewer) && !at_root && !priors.is_empty() {
            self.share_out(game, priors);
            self.next = Next::LookAhead(moves);
            return;
        }
        self.next = Next::Iterate;
        let worth = Worth { payoffs: *payoffs, rewards };
        let worth = if at_root { worth } else { self.mixed_with_playouts(game, worth, rng) };
        self.back_up(&worth);
    }

    fn mixed_with_playouts(&mut self, game: &G, evaluated: Worth, rng: &mut Rng) -> Worth {
        let Mixture { playouts, share } = self.settings.mixture;
        if playouts == 0 {
            return evaluated;
        }
        let Scratch { state, played, actions, .. } = &mut self.scratch;
        let mut mixed = evaluated.scaled(1.0 - share as f32);
        for _ in 0..playouts {
            played.clone_from(state);
            let worth = self.playouts.play(game, played, actions, rng);
            mixed.add(&worth.scaled(share as f32 / playouts as f32));
        }
        mixed
    }

    /// Fills in how likely each move is when the search looks ahead: groups of moves by the temperature, and in a group
    /// each by its prior.
    fn share_out(&mut self, game: &G, priors: &[f32]) {
        let Ahead { temperature, others, .. } = self.settings.ahead;
        let is_own = game.turn(&self.scratch.state) == Turn::Player(self.viewer);
        let power = 1.0 / if is_own { temperature } else { others } - 1.0;
        let shares = &mut self.scratch.shares;
        shares.clear();
        shares.extend(priors.iter().map(|&prior| f64::from(prior)));
        if power == 0.0 {
            return;
        }
        let most = self.highest_prior(game, priors);
        let Scratch { shares, codes, .. } = &mut self.scratch;
        for (place, share) in shares.iter_mut().enumerate() {
            *share *= libm::pow(prior_of_group(codes, priors, place) / most, power);
        }
    }

    /// That of a group of actions of the state that was evaluated last, not above 1 by rounding. Fills in the groups of its
    /// actions.
    fn highest_prior(&mut self, game: &G, priors: &[f32]) -> f64 {
        let groups = self.groups(game);
        let Scratch { members, codes, .. } = &mut self.scratch;
        codes.clear();
        codes.extend(members.iter().map(|&member| code(game, groups, member)));
        let of_group = (0..priors.len()).map(|place| prior_of_group(codes, priors, place));
        of_group.fold(f64::MIN_POSITIVE, f64::max).min(1.0)
    }

    fn take_priors(&mut self, game: &G, node: u64, priors: &[f32]) {
        let groups = self.groups(game);
        self.priors.new_evaluation();
        for (&action, &prior) in self.scratch.members.iter().zip(priors) {
            let key = edge_key(node, code(game, groups, action));
            let edge = self.edges.find(key).unwrap_or_else(|| self.edges.add_unavailable(key));
            if edge != NOWHERE {
                self.priors.add(edge, prior);
            }
        }
    }

    /// Whether there is only one action, or one group of them.
    pub(super) fn is_forced(&self) -> bool {
        self.next == Next::Decide
    }

    /// Fills in the actions at the root, which are the same in all worlds.
    pub(super) fn look_at_root(&mut self, game: &G) {
        let worlds = self.worlds.as_ref().expect("a decision was begun");
        worlds.sample_into(&mut self.scratch.state, &mut Rng::from_seed(0));
        let Turn::Player(player) = game.turn(&self.scratch.state) else {
            unreachable!("an agent is asked when it is to move")
        };
        self.viewer = player;
        self.list_actions(game);
    }

    /// Clears what is not kept, and what would leave too little memory.
    fn prepare(&mut self, rng: &mut Rng) {
        if self.settings.reuse == Reuse::None || self.edges.is_half_full() {
            self.forget();
        }
        self.scratch.path.clear();
        self.scratch.drawn.clear();
        self.root_payoffs.clear();
        self.playouts.new_search();
        if let Selection::Puct(puct) = &self.settings.selection {
            self.priors.new_search(self.scratch.actions.len(), puct, rng);
        }
        self.at_root.set_value(None);
        self.at_root.begin(self.scratch.actions.len(), self.schedule.budget.iterations.unwrap_or(0), rng);
    }

    /// Takes the world of the next iteration. Where actions are compared pass by pass, all of a pass are tried in the same
    /// world, and every world gets its turn in each of their rounds.
    fn next_world(&mut self, rng: &mut Rng) {
        let worlds = self.worlds.as_ref().expect("a decision was begun");
        let Scratch { drawn, state, .. } = &mut self.scratch;
        let number = match (self.at_root.pass(), self.settings.determinizations) {
            (None, _) if self.schedule.iterations_per_world == 1 => return worlds.sample_into(state, rng),
            (None, _) => (self.clock.done() - 1) / self.schedule.iterations_per_world,
            (Some(pass), 0) => pass,
            (Some(pass), worlds) => pass % worlds,
        } as usize;
        if number == drawn.len() {
            worlds.sample_into(state, rng);
            return drawn.push(state.clone());
        }
        state.clone_from(&drawn[number]);
    }

    /// Walks to a node or an edge that was never visited, to where the tree may not grow, or to the end of the game.
    fn descend(&mut self, game: &G, rng: &mut Rng) -> Arrival {
        self.scratch.path.clear();
        self.scratch.nodes.clear();
        self.playouts.new_iteration();
        let mut arrived = ROOT;
        loop {
            let player = match game.turn(&self.scratch.state) {
                Turn::Over => return Arrival::End,
                Turn::Chance => {
                    game.play_chance(&mut self.scratch.state, rng);
                    continue;
                }
                Turn::Player(player) => player,
            };
            if self.scratch.path.len() >= self.settings.depth {
                return Arrival::Beyond;
            }
            let node = self.node_key(game, &self.scratch.state, player, arrived);
            if !self.may_enter(node) {
                return Arrival::New(node);
            }
            self.look_up(game, node);
            let ((edge, place), new) = self.select(game, node, rng);
            self.scratch.path.push((edge, player));
            arrived = self.edges.edge(edge).key;
            self.advance(game, player, self.scratch.actions[place as usize], rng);
            if new {
                return Arrival::End;
            }
        }
    }

    /// What identifies the node of a state. Statistics of different seats are kept apart, as one
    /// agent may sit on several.
    #[inline]
    pub(super) fn node_key(&self, game: &G, state: &G::State, player: Player, arrived: u64) -> u64 {
        let key = match self.settings.keys {
            // Who is to move may differ between worlds.
            Keys::Path => return arrived ^ (player as u64) << 32,
            Keys::View => game.view_key(state, Some(player)),
            Keys::Coarse(number) => game.coarse_key(number, state, player),
            Keys::State => key_of(state),
        };
        mix(key ^ mix((MAX_PLAYERS * self.viewer + player) as u64 + 1))
    }

    /// Whether the walk goes on from a node: not if it comes there for the second time, and with
    /// PUCT not before it was evaluated as often as it should be.
    #[inline]
    fn may_enter(&mut self, node: u64) -> bool {
        let by_path = self.settings.keys == Keys::Path;
        if !by_path && self.scratch.nodes.contains(&node) {
            return false;
        }
        let enough = if self.evaluates { self.settings.evaluations } else { 1 };
        let own = if by_path { None } else { self.edges.find(node) };
        let known = match (&self.settings.selection, self.scratch.path.last()) {
            (Selection::Ucb1, _) | (_, None) => true,
            (_, Some(&(edge, _))) if by_path => edge != NOWHERE && self.edges.edge(edge).visits >= enough,
            _ => own.is_some_and(|own| self.edges.edge(own).available >= enough),
        };
        if !by_path {
            self.scratch.nodes.push(node);
            match own {
                Some(own) if !known => self.edges.make_available(own),
                None if !known => drop(self.edges.add(node)),
                _ => {}
            }
        }
        known
    }

    /// Sorts the legal actions into those with an edge, which count as available, and the others.
    /// With PUCT all get an edge.
    fn look_up(&mut self, game: &G, node: u64) {
        self.list_actions(game);
        let groups = self.groups(game);
        let Scratch { actions, untried, candidates, .. } = &mut self.scratch;
        untried.clear();
        candidates.clear();
        for (place, &action) in (0..).zip(&*actions) {
            let key = edge_key(node, code(game, groups, action));
            match self.edges.find(key) {
                Some(edge) => {
                    self.edges.make_available(edge);
                    candidates.push((edge, place));
                }
                None if self.settings.selection == Selection::Ucb1 => untried.push(place),
                None => candidates.push((self.edges.add(key), place)),
            }
        }
    }

    /// The action to take, and whether its edge is new, which ends the walk.
    fn select(&mut self, game: &G, node: u64, rng: &mut Rng) -> (Candidate, bool) {
        let groups = self.groups(game);
        let Scratch { actions, untried, candidates, path, .. } = &mut self.scratch;
        let exploration = self.settings.tree.exploration;
        match &self.settings.selection {
            Selection::Ucb1 if !untried.is_empty() && (candidates.is_empty() || !self.edges.is_full()) => {
                let place = *rng.choose(untried);
                let edge = self.edges.add(edge_key(node, code(game, groups, actions[place as usize])));
                ((edge, place), true)
            }
            Selection::Ucb1 => (ucb1(&self.edges, candidates, exploration), false),
            Selection::Puct(settings) => {
                let priors = self.priors.of(candidates, path.is_empty(), settings);
                if path.is_empty() && !self.at_root.is_as_everywhere() {
                    self.at_root.look_at(known(&self.edges, candidates, priors));
                    if let Some(place) = self.at_root.next() {
                        return (candidates[place], false);
                    }
                }
                (puct(&self.edges, candidates, priors, exploration, settings.first_play, rng), false)
            }
        }
    }

    fn advance(&mut self, game: &G, player: Player, action: G::Action, rng: &mut Rng) {
        let action = self.member(game, action, rng);
        self.playouts.record(player, game.action_code(action));
        game.apply(&mut self.scratch.state, action);
    }

    fn back_up(&mut self, worth: &Worth) {
        let path = &self.scratch.path;
        let mut factor = 1.0;
        for &(edge, player) in path.iter().rev() {
            factor *= self.settings.discount;
            self.edges.update(edge, factor * f64::from(worth.rewards[player]));
        }
        if let Some(&(edge, _)) = path.first() {
            self.root_payoffs.add(edge, &worth.payoffs.map(|payoff| factor as f32 * payoff));
        }
    }
}

/// The sum of the priors of all actions in the group of one of them.
fn prior_of_group(codes: &[u32], priors: &[f32], place: usize) -> f64 {
    let same = codes.iter().zip(priors).filter(|(code, _)| **code == codes[place]);
    same.map(|(_, &prior)| f64::from(prior)).sum()
}
