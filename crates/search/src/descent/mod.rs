//! Best-first minimax for two sides with opposite payoffs, perfect information and no chance:
//! unbounded best-first minimax (UBFM) and Descent (thesis 001, section 3.2.2 and chapter 5).
//!
//! One iteration follows the best action from the root to a position that is new, lists and
//! evaluates all its actions, and backs up values by minimax. Where alpha-beta reads everything to
//! one depth, this reads promising lines deeply; it lives from a good evaluation. The completed
//! versions also prove results: they leave alone what is proven and stop when the root is.
//!
//! Every value is for the player to move in the position that holds it.

mod report;
mod select;
mod settings;
mod table;

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Heuristic, Player, Rng, Team, Turn, Worlds};

use crate::clock::Clock;
pub use select::Select;
pub use settings::{DescentSettings, FinalChoice, Method, Terminal};
pub use table::{ActionEntry, Worth};
use table::{Entry, Table, backed_up};

/// Entries that so many searches have not met are dropped (thesis 001, section 7.2.1).
const SEARCHES_KEPT: u32 = 3;

/// The agent, with the tree of its last searches.
pub struct BestFirst<G: Game> {
    settings: DescentSettings,
    heuristic: Box<dyn Heuristic<G>>,
    table: Table,
    /// Of each entry of the table.
    states: Vec<G::State>,
    scratch: Scratch<G>,
    /// Numbers the searches of a game from 1.
    search: u32,
    /// Plies of the game before the next decision, if the table does not know better.
    ply: u32,
    /// Positions evaluated in this search.
    evaluated: u64,
}

/// Buffers, so that an iteration does not allocate.
#[derive(Debug)]
struct Scratch<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    /// The actions of a new position.
    entries: Vec<ActionEntry>,
    /// What they lead to where the game goes on, and the places of these actions.
    leaves: Vec<G::State>,
    places: Vec<u32>,
    values: Vec<f32>,
    /// The entries on the way down, each with the place of the action that was followed.
    path: Vec<(u32, u32)>,
    open: Vec<u32>,
}

/// An expanded position of the tree: what tree learning learns from (thesis 001, section 5.4.3).
#[derive(Clone, Copy, Debug)]
pub struct TreeEntry<'a, S> {
    pub state: &'a S,
    /// The team of the player to move.
    pub team: Team,
    /// For that player.
    pub worth: Worth,
    /// Those that end the game lead to positions without an entry; their worth is that of the end.
    pub actions: &'a [ActionEntry],
}

impl<G: Game> std::fmt::Debug for BestFirst<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BestFirst").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<G: Game> BestFirst<G> {
    pub fn new(game: &G, heuristic: Box<dyn Heuristic<G>>, settings: DescentSettings) -> BestFirst<G> {
        let scratch = Scratch {
            state: game.initial_state(),
            actions: Vec::new(),
            entries: Vec::new(),
            leaves: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            path: Vec::new(),
            open: Vec::new(),
        };
        let table = Table::new(settings.memory, size_of::<G::State>());
        BestFirst { settings, heuristic, table, states: Vec::new(), scratch, search: 0, ply: 0, evaluated: 0 }
    }

    /// The positions expanded by the last searches, the earliest first.
    pub fn entries(&self) -> impl Iterator<Item = TreeEntry<'_, G::State>> {
        self.states.iter().zip(0..).map(|(state, number)| {
            let &Entry { team, worth, .. } = self.table.entry(number);
            TreeEntry { state, team: team.into(), worth, actions: self.table.actions(number) }
        })
    }

    /// One iteration from the root, which is unresolved.
    fn iterate(&mut self, game: &G, root: &G::State, number: u32, clock: &Clock, rng: &mut Rng) {
        self.scratch.state.clone_from(root);
        let mut number = number;
        loop {
            self.follow(game, number, rng);
            match self.arrive(game, clock, rng) {
                Arrival::Open(next) => number = next,
                Arrival::Stop(worth, team) => return self.back_up(worth, team),
            }
        }
    }

    /// Chooses an action of an entry and carries it out.
    fn follow(&mut self, game: &G, number: u32, rng: &mut Rng) {
        let entry = self.table.entry_mut(number);
        entry.on_path = true;
        entry.seen = self.search;
        let actions = self.table.actions_mut(number);
        let place = self.settings.select.of(actions, &mut self.scratch.open, rng);
        actions[place].visits += 1;
        game.apply(&mut self.scratch.state, game.action_from_code(actions[place].code));
        self.scratch.path.push((number, place as u32));
    }

    /// Whether the position just reached is to be searched on, or what it is worth.
    fn arrive(&mut self, game: &G, clock: &Clock, rng: &mut Rng) -> Arrival {
        let key = game.view_key(&self.scratch.state, None);
        if let Some(number) = self.table.find(key) {
            let entry = self.table.entry_mut(number);
            entry.seen = self.search;
            return match *entry {
                // A line that repeats a position is taken for a draw, which proves nothing.
                Entry { on_path: true, team, .. } => Arrival::Stop(Worth::estimate(0.0), team),
                Entry { worth, team, .. } if worth.resolved => Arrival::Stop(worth, team),
                _ => Arrival::Open(number),
            };
        }
        let &(parent, place) = self.scratch.path.last().expect("an action was followed");
        let &Entry { ply, team, .. } = self.table.entry(parent);
        let Turn::Player(player) = game.turn(&self.scratch.state) else {
            return Arrival::Stop(self.table.actions(parent)[place as usize].worth, team);
        };
        self.expand(game, player, ply + 1, rng);
        let worth = backed_up(&self.scratch.entries);
        match self.store(game, key, player, ply + 1) {
            Some(number) if self.settings.method == Method::Descent && !worth.resolved && !clock.time_is_up() => {
                Arrival::Open(number)
            }
            _ => Arrival::Stop(worth, game.team(player) as u8),
        }
    }

    /// Lists and evaluates the actions in the present position, in a random order so that none is
    /// preferred among equals.
    fn expand(&mut self, game: &G, player: Player, ply: u32, rng: &mut Rng) {
        let Scratch { state, actions, entries, leaves, places, .. } = &mut self.scratch;
        game.legal_actions(state, actions);
        rng.shuffle(actions);
        entries.clear();
        leaves.clear();
        places.clear();
        for (&action, place) in actions.iter().zip(0..) {
            let mut next = state.clone();
            game.apply(&mut next, action);
            let worth = match game.turn(&next) {
                Turn::Over => self.settings.worth_of_end(game, &next, player, ply + 1),
                _ => {
                    leaves.push(next);
                    places.push(place);
                    Worth::LOWEST
                }
            };
            entries.push(ActionEntry { code: game.action_code(action), visits: 0, worth });
        }
        self.evaluated += actions.len() as u64;
        self.evaluate_leaves(game, player);
    }

    /// The one place where positions are evaluated: all the leaves of a position together.
    fn evaluate_leaves(&mut self, game: &G, player: Player) {
        let Scratch { entries, leaves, places, values, .. } = &mut self.scratch;
        values.clear();
        values.extend(leaves.iter().map(|state| self.heuristic.value(game, state, player)));
        for (&place, &value) in places.iter().zip(&*values) {
            entries[place as usize].worth = Worth::estimate(value);
        }
    }

    /// Keeps the position just expanded, if there is room.
    fn store(&mut self, game: &G, key: u64, player: Player, ply: u32) -> Option<u32> {
        let entry = Entry::new(key, game.team(player) as u8, ply, self.search);
        let number = self.table.add(entry, &self.scratch.entries)?;
        self.states.push(self.scratch.state.clone());
        Some(number)
    }

    /// Takes the worth of the position reached, for a player of `team`, back to the root.
    fn back_up(&mut self, worth: Worth, team: u8) {
        let (mut worth, mut team) = (worth, team);
        while let Some((number, place)) = self.scratch.path.pop() {
            let entry = self.table.entry_mut(number);
            entry.on_path = false;
            if entry.team != team {
                worth = worth.for_opponent();
                team = entry.team;
            }
            worth = self.table.update(number, place, worth);
        }
    }
}

/// What an iteration finds after an action.
enum Arrival {
    /// An entry to go on from.
    Open(u32),
    /// A worth for a player of a team.
    Stop(Worth, u8),
}

impl<G: Game> Agent<G> for BestFirst<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let budget = self.settings.budget.and(limit);
        let mut clock = Clock::start(budget);
        let mut root = game.initial_state();
        game.worlds(view).sample_into(&mut root, rng); // with perfect information there is one
        self.make_room();
        let number = self.root(game, &root, rng);
        let has_nodes = |evaluated| budget.nodes.is_none_or(|most| evaluated < most);
        while !self.table.entry(number).worth.resolved && has_nodes(self.evaluated) && clock.tick() {
            self.iterate(game, &root, number, &clock, rng);
        }
        self.decision(game, &root, number, &clock)
    }

    fn new_game(&mut self) {
        self.forget_all();
    }
}

impl<G: Game> BestFirst<G> {
    /// Begins a search: drops what was not seen for long, and more until half of the memory is free.
    fn make_room(&mut self) {
        if !self.settings.reuse {
            self.forget_all();
        }
        self.search += 1;
        self.evaluated = 0;
        for searches in (0..=SEARCHES_KEPT).rev() {
            let mut kept = self.table.forget_before(self.search.saturating_sub(searches)).into_iter();
            self.states.retain(|_| kept.next() == Some(true));
            if self.table.bytes() <= self.settings.memory / 2 {
                return;
            }
        }
    }

    fn forget_all(&mut self) {
        self.table.clear();
        self.states.clear();
        self.search = 0;
        self.ply = 0;
    }

    /// The entry of the root, which is always stored.
    fn root(&mut self, game: &G, root: &G::State, rng: &mut Rng) -> u32 {
        let key = game.view_key(root, None);
        let number = self.table.find(key).unwrap_or_else(|| {
            let Turn::Player(player) = game.turn(root) else { unreachable!("an agent is asked when it is to move") };
            self.scratch.state.clone_from(root);
            self.expand(game, player, self.ply, rng);
            self.store(game, key, player, self.ply).unwrap_or_else(|| {
                self.table.clear();
                self.states.clear();
                self.store(game, key, player, self.ply).expect("an empty table takes any entry")
            })
        });
        let entry = self.table.entry_mut(number);
        entry.seen = self.search;
        self.ply = entry.ply + 2; // an action and the answer
        number
    }
}
