//! A small game written out: every history that can happen, with the information sets that join
//! histories which the player to move cannot tell apart.
//!
//! For exact methods on two players with opposite payoffs. The tree knows no types of the game, so
//! whatever works on it is compiled once.

use std::collections::HashMap;
use std::fmt;

use crate::{Game, PayoffSum, Player, Turn};

/// Every history of a game; number 0 is the beginning.
#[derive(Clone, Debug)]
pub struct GameTree {
    pub nodes: Vec<Node>,
    /// The histories after each action, of all decisions.
    pub choices: Vec<u32>,
    /// The histories after each outcome, of all turns of chance, with their probabilities.
    pub outcomes: Vec<(u32, f64)>,
    pub sets: Vec<InformationSet>,
    /// The number of actions of all information sets together.
    pub actions: usize,
    /// What a payoff of 1 means in the game's own score, such as chips, if scores are a fixed
    /// multiple of payoffs.
    pub scale: Option<f64>,
}

/// What happens after one history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// The payoff of seat 0.
    Over(f64),
    /// `count` of the tree's outcomes from number `first` on.
    Chance { first: u32, count: u32 },
    /// As many of the tree's choices from number `first` on as the information set has actions.
    Decision { set: u32, first: u32 },
}

/// Histories that look the same to the player to move, who remembers all that he saw when he was
/// to move before, and what he did: perfect recall.
#[derive(Clone, Debug)]
pub struct InformationSet {
    pub player: Player,
    /// The number of its first action among those of all sets.
    pub first: usize,
    /// The texts of the actions.
    pub actions: Vec<String>,
    /// What the player sees, as one line.
    pub view: String,
    /// The texts of all that happened in one of its histories.
    pub path: Vec<String>,
}

impl InformationSet {
    /// The numbers of its actions among those of all sets.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.actions.len()
    }
}

/// Why a game cannot be written out, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError(pub String);

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TreeError {}

impl GameTree {
    /// An error unless the game is for two players with opposite payoffs and has at most `limit`
    /// histories.
    pub fn new<G: Game>(game: &G, limit: usize) -> Result<GameTree, TreeError> {
        let info = game.info();
        if info.players != 2 || info.payoff_sum != PayoffSum::Constant(0.0) {
            let message = format!("{} is not a game of two players who win what the other loses", info.name);
            return Err(TreeError(message));
        }
        let tree = GameTree {
            nodes: Vec::new(),
            choices: Vec::new(),
            outcomes: Vec::new(),
            sets: Vec::new(),
            actions: 0,
            scale: None,
        };
        let mut builder =
            Builder { game, limit, tree, numbers: HashMap::new(), path: Vec::new(), scale: Scale::Unknown };
        builder.add(&game.initial_state(), [0; 2])?;
        if let Scale::Fixed(scale) = builder.scale {
            builder.tree.scale = Some(f64::from(scale));
        }
        Ok(builder.tree)
    }

    /// A view as [`InformationSet::view`] has it.
    pub fn view_text<G: Game>(game: &G, view: &G::View) -> String {
        game.notation().map_or_else(|| format!("{view:?}"), |notation| notation.view_text(view))
    }
}

/// What is known of the score that belongs to a payoff of 1.
enum Scale {
    Unknown,
    Fixed(f32),
    None,
}

struct Builder<'a, G: Game> {
    game: &'a G,
    limit: usize,
    tree: GameTree,
    /// The sets by what the player sees and what he remembers.
    numbers: HashMap<(u64, usize), u32>,
    path: Vec<String>,
    scale: Scale,
}

impl<G: Game> Builder<'_, G> {
    /// Adds a history and all that begin with it. `memory` has for each player the number of the
    /// last action, counted from 1 over all sets.
    fn add(&mut self, state: &G::State, memory: [usize; 2]) -> Result<u32, TreeError> {
        if self.tree.nodes.len() >= self.limit {
            let name = self.game.info().name;
            return Err(TreeError(format!("{name} is too large to be solved: more than {} histories", self.limit)));
        }
        let number = self.tree.nodes.len();
        self.tree.nodes.push(Node::Over(0.0));
        self.tree.nodes[number] = match self.game.turn(state) {
            Turn::Over => self.end(state),
            Turn::Chance => self.chance(state, memory)?,
            Turn::Player(player) => self.decision(state, player, memory)?,
        };
        Ok(number as u32)
    }

    fn end(&mut self, state: &G::State) -> Node {
        let outcome = self.game.outcome(state);
        let (payoff, score) = (outcome.payoffs[0], outcome.scores[0]);
        self.scale = match self.scale {
            Scale::Unknown if payoff != 0.0 => Scale::Fixed(score / payoff),
            Scale::Unknown if score == 0.0 => Scale::Unknown,
            Scale::Fixed(scale) if (score - scale * payoff).abs() < 1e-4 => Scale::Fixed(scale),
            _ => Scale::None,
        };
        Node::Over(f64::from(payoff))
    }

    fn chance(&mut self, state: &G::State, memory: [usize; 2]) -> Result<Node, TreeError> {
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(state, &mut outcomes);
        let total: f64 = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let first = self.tree.outcomes.len();
        self.tree.outcomes.extend(outcomes.iter().map(|&(_, weight)| (0, f64::from(weight) / total)));
        for (number, &(action, _)) in outcomes.iter().enumerate() {
            self.tree.outcomes[first + number].0 = self.follow(state, action, memory)?;
        }
        Ok(Node::Chance { first: first as u32, count: outcomes.len() as u32 })
    }

    fn decision(&mut self, state: &G::State, player: Player, mut memory: [usize; 2]) -> Result<Node, TreeError> {
        let mut actions = Vec::new();
        self.game.legal_actions(state, &mut actions);
        let set = self.set(state, player, &actions, memory[player]);
        let first_action = self.tree.sets[set as usize].first;
        let first = self.tree.choices.len();
        self.tree.choices.resize(first + actions.len(), 0);
        for (number, &action) in actions.iter().enumerate() {
            memory[player] = first_action + number + 1;
            self.tree.choices[first + number] = self.follow(state, action, memory)?;
        }
        Ok(Node::Decision { set, first: first as u32 })
    }

    fn follow(&mut self, state: &G::State, action: G::Action, memory: [usize; 2]) -> Result<u32, TreeError> {
        self.path.push(self.game.action_text(state, action));
        let mut next = state.clone();
        self.game.apply(&mut next, action);
        let number = self.add(&next, memory);
        self.path.pop();
        number
    }

    /// The information set of a state, a new one if it was not met before.
    fn set(&mut self, state: &G::State, player: Player, actions: &[G::Action], memory: usize) -> u32 {
        let key = (self.game.view_key(state, Some(player)), memory);
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let set = InformationSet {
            player,
            first: self.tree.actions,
            actions: actions.iter().map(|&action| self.game.action_text(state, action)).collect(),
            view: GameTree::view_text(self.game, &self.game.view(state, Some(player))),
            path: self.path.clone(),
        };
        let number = self.tree.sets.len() as u32;
        self.numbers.insert(key, number);
        self.tree.actions += set.actions.len();
        self.tree.sets.push(set);
        number
    }
}
