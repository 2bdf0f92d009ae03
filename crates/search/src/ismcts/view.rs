//! The tree as plain data.

use std::collections::{HashMap, HashSet};

use meeple_core::{Game, Information, Rng, SearchTree, TreeLimits, TreeNode, Turn, Worlds};

use super::groups::code;
use super::search::{ROOT, Search};
use super::selection::Candidate;
use super::settings::Selection;
use crate::edges::edge_key;
use crate::listing::Listing;

/// Worlds in which it is looked up what can be done. Rare actions may be missed.
const WORLDS: usize = 200;

/// A node that may be listed.
struct Found<A> {
    node: TreeNode<A>,
    /// The edge that leads to it.
    key: u64,
    worlds: WorldSet,
}

/// The numbers of the worlds in which a node is come to.
#[derive(Clone, Copy, Default)]
struct WorldSet([u64; WORLDS.div_ceil(64)]);

impl WorldSet {
    fn insert(&mut self, world: usize) {
        self.0[world / 64] |= 1 << (world % 64);
    }

    fn contains(&self, world: usize) -> bool {
        self.0[world / 64] >> (world % 64) & 1 == 1
    }
}

impl<G: Game> Search<G> {
    /// What was found from the root of these worlds, which is that of the last decision. An action
    /// that several paths share stands where it was met first.
    pub(super) fn view(
        &self,
        game: &G,
        worlds: &dyn Worlds<State = G::State>,
        limits: TreeLimits,
    ) -> SearchTree<G::Action> {
        let worlds = some_worlds(game, worlds);
        let mut listing = Listing::new(limits, root(worlds.len()));
        let (mut nodes, mut met) = (Vec::new(), HashSet::new());
        while let Some((depth, Found { node, key, worlds: reached })) = listing.next() {
            let place = nodes.len();
            nodes.push(node);
            if depth == limits.depth {
                continue;
            }
            let reached = (0..).zip(&worlds).filter(|&(number, _)| reached.contains(number));
            let below = self.below(game, reached, &nodes, key);
            if place == 0 {
                nodes[0].visits = below.iter().map(|found| found.node.visits).sum();
            }
            for found in below.into_iter().filter(|found| met.insert(found.key)) {
                listing.offer(depth + 1, found.node.visits, found);
            }
        }
        SearchTree { nodes }
    }

    /// What was tried at the last node of a list, in worlds that come there.
    fn below<'a>(
        &self,
        game: &G,
        worlds: impl Iterator<Item = (usize, &'a G::State)>,
        listed: &[TreeNode<G::Action>],
        arrived: u64,
    ) -> Vec<Found<G::Action>> {
        let path = path_to_last(listed);
        let mut below: Vec<Found<G::Action>> = Vec::new();
        let mut places = HashMap::new();
        for (number, world) in worlds {
            let state = self.follow_path(game, world, &path, number);
            for found in self.tried(game, &state, arrived, listed.len() as u32 - 1) {
                let place = *places.entry(found.key).or_insert(below.len());
                if place == below.len() {
                    below.push(found);
                }
                below[place].worlds.insert(number);
            }
        }
        below
    }

    /// The state after some actions. Chance goes the same way whenever it is asked about a world.
    fn follow_path(&self, game: &G, world: &G::State, path: &[G::Action], number: usize) -> G::State {
        let (mut state, mut rng) = (world.clone(), Rng::stream(0, number as u64));
        for &action in path {
            let action = self.member_in(game, &state, action, &mut rng);
            game.apply(&mut state, action);
            while game.turn(&state) == Turn::Chance {
                game.play_chance(&mut state, &mut rng);
            }
        }
        state
    }

    /// The action that is played in a state where this one stands for its group.
    fn member_in(&self, game: &G, state: &G::State, action: G::Action, rng: &mut Rng) -> G::Action {
        let (Some(groups), Some(rule)) = (self.groups(game), self.settings.group_rule) else { return action };
        let mut members = Vec::new();
        game.legal_actions(state, &mut members);
        let group = groups.group(game, action);
        members.retain(|&member| groups.group(game, member) == group);
        groups.choose(game, rule, &members, rng)
    }

    /// What was tried in a state, one action for each group, as nodes below one of the list.
    fn tried(&self, game: &G, state: &G::State, arrived: u64, parent: u32) -> Vec<Found<G::Action>> {
        let Turn::Player(player) = game.turn(state) else { return Vec::new() };
        let node = self.node_key(game, state, player, arrived);
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        let candidates = self.candidates(game, &actions, node);
        let priors = match &self.settings.selection {
            Selection::Puct(settings) => self.priors.without_noise(&candidates, settings),
            Selection::Ucb1 => Vec::new(),
        };
        let found = |(number, &(edge, place)): (usize, &Candidate)| {
            let edge = self.edges.edge(edge);
            let node = TreeNode {
                parent: Some(parent),
                action: Some(actions[place as usize]),
                player: Some(player),
                visits: u64::from(edge.visits),
                availability: Some(u64::from(edge.available)),
                value: Some(edge.mean()),
                prior: priors.get(number).map(|&prior| prior as f32),
                proven: None,
            };
            (edge.visits > 0).then(|| Found { node, key: edge.key, worlds: WorldSet::default() })
        };
        candidates.iter().enumerate().filter_map(found).collect()
    }

    /// The edges of actions at a node, each once.
    fn candidates(&self, game: &G, actions: &[G::Action], node: u64) -> Vec<Candidate> {
        let groups = self.groups(game);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (place, &action) in (0..).zip(actions) {
            let Some(edge) = self.edges.find(edge_key(node, code(game, groups, action))) else { continue };
            if groups.is_none() || candidates.iter().all(|&(known, _)| known != edge) {
                candidates.push((edge, place));
            }
        }
        candidates
    }
}

fn root<A>(worlds: usize) -> Found<A> {
    let node = TreeNode {
        parent: None,
        action: None,
        player: None,
        visits: 0,
        availability: None,
        value: None,
        prior: None,
        proven: None,
    };
    let mut all = WorldSet::default();
    (0..worlds).for_each(|world| all.insert(world));
    Found { node, key: ROOT, worlds: all }
}

/// One, if there is no other.
fn some_worlds<G: Game>(game: &G, worlds: &dyn Worlds<State = G::State>) -> Vec<G::State> {
    let info = game.info();
    let certain = info.information == Information::Perfect && !info.chance;
    let mut rng = Rng::from_seed(0);
    let mut world = game.initial_state();
    let mut draw = |_| {
        worlds.sample_into(&mut world, &mut rng);
        world.clone()
    };
    (0..if certain { 1 } else { WORLDS }).map(&mut draw).collect()
}

/// The actions from the root to the last node.
fn path_to_last<A: Copy>(nodes: &[TreeNode<A>]) -> Vec<A> {
    let mut path = Vec::new();
    let mut at = nodes.last();
    while let Some(node) = at {
        path.extend(node.action);
        at = node.parent.map(|parent| &nodes[parent as usize]);
    }
    path.reverse();
    path
}
