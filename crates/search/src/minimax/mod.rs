//! Minimax with perfect information: alpha-beta between two sides, expectimax where chance is
//! involved, max^n or paranoid search among more players (thesis 001, sections 3.1 and 3.2).
//!
//! All of them search deeper and deeper, depth first, until the budget is spent or the result is
//! proven. A heuristic says what positions beyond the horizon are worth; without one the search
//! still proves wins, losses and draws. Rather than Monte Carlo search where a good heuristic is
//! at hand or the end of the game within reach.

mod alphabeta;
mod expectimax;
mod maxn;
mod meter;
mod ply;
mod root;
mod score;
mod sides;
mod solve;
mod table;

use meeple_core::agent::{Agent, Budget, Decision, Report};
use meeple_core::{Game, GameInfo, Heuristic, PayoffSum, Player, Rng, Turn, Worlds};

use alphabeta::AlphaBeta;
use expectimax::Expectimax;
pub use expectimax::Pruning;
use maxn::MaxN;
use meter::Meter;
use ply::{History, Ply};
use root::{Look, Root};
use sides::Sides;
pub use solve::solve;
use table::Table;

/// The most plies that a search looks ahead.
pub const DEEPEST: u8 = score::DEEPEST;

/// | field | meaning | unit |
/// |---|---|---|
/// | `depth` | how far to look ahead, chance included; `None`: until the budget is spent | plies, 1..=[`DEEPEST`] |
/// | `budget` | when to stop; iterations are nodes | |
/// | `memory` | of the transposition table | bytes |
/// | `players` | what players other than two opposite sides are taken to want | |
/// | `pruning` | how chance is pruned | |
#[derive(Clone, Debug)]
pub struct MinimaxSettings {
    pub depth: Option<u8>,
    pub budget: Budget,
    pub memory: usize,
    pub players: Players,
    pub pruning: Pruning,
}

impl Default for MinimaxSettings {
    fn default() -> MinimaxSettings {
        MinimaxSettings {
            depth: None,
            budget: Budget { time: Some(std::time::Duration::from_secs(1)), ..Budget::NONE },
            memory: 16 << 20,
            players: Players::MaxN,
            pruning: Pruning::Star2,
        }
    }
}

/// What the others want when there are more than two teams, or payoffs without a constant sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// The best for themselves.
    MaxN,
    /// The worst for the player to move: less realistic, but alpha-beta prunes.
    Paranoid,
}

/// The player. Its report counts every position searched or evaluated as a node, and nodes as
/// iterations; the visits of a root action are the nodes below it. The value of an action other
/// than the best is an upper bound where its payoffs are missing; paranoid search knows none.
pub struct Minimax<G: Game> {
    settings: MinimaxSettings,
    heuristic: Option<Box<dyn Heuristic<G>>>,
    memory: Memory<G>,
    /// Whose payoffs are in the table; nobody's as long as no search used it.
    table_for: Option<Player>,
}

/// What a search keeps and reuses.
#[derive(Debug)]
struct Memory<G: Game> {
    table: Table,
    history: History,
    plies: Vec<Ply<G>>,
}

impl<G: Game> std::fmt::Debug for Minimax<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minimax").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Whether one team wins what the other loses.
fn is_two_sided(info: &GameInfo) -> bool {
    info.teams == 2 && matches!(info.payoff_sum, PayoffSum::Constant(_))
}

impl<G: Game> Minimax<G> {
    /// Without a heuristic, positions beyond the horizon are worth 0.
    pub fn new(settings: MinimaxSettings, heuristic: Option<Box<dyn Heuristic<G>>>) -> Minimax<G> {
        let memory = Memory { table: Table::new(settings.memory), history: History::new(), plies: Vec::new() };
        Minimax { settings, heuristic, memory, table_for: None }
    }

    /// Searches the position in `plies[0]`.
    fn search(&mut self, game: &G, actions: &[G::Action], mover: Player, meter: &mut Meter) -> Root {
        let info = game.info();
        let heuristic = self.heuristic.as_deref();
        let deepest = self.deepest(actions.len());
        let Memory { table, history, plies } = &mut self.memory;
        let two_sided = is_two_sided(&info);
        if !two_sided && self.settings.players == Players::MaxN {
            return deepen(game, &mut MaxN { game, heuristic, players: info.players, meter }, plies, actions, deepest);
        }
        let player = if two_sided { 0 } else { mover };
        let sides = Sides::new(game, player);
        if info.chance {
            let pruning = self.settings.pruning;
            let mut search = Expectimax { game, heuristic, sides, pruning, history, meter };
            return deepen(game, &mut search, plies, actions, deepest);
        }
        if self.table_for.replace(player).is_some_and(|before| before != player) {
            table.clear();
        }
        table.next_search();
        deepen(game, &mut AlphaBeta { game, heuristic, sides, table, history, meter }, plies, actions, deepest)
    }

    fn deepest(&self, actions: usize) -> u8 {
        // A forced action needs no thought unless a depth or a proof is asked for.
        let forced = actions == 1 && self.heuristic.is_some();
        self.settings.depth.unwrap_or(if forced { 1 } else { DEEPEST })
    }

    fn set_root(&mut self, game: &G, root: &G::State) {
        if self.memory.plies.is_empty() {
            self.memory.plies.push(Ply::new(game, 0));
        }
        self.memory.plies[0].state.clone_from(root);
        self.memory.plies.iter_mut().for_each(Ply::forget_killers);
    }
}

/// One kind of search.
trait Search<G: Game> {
    /// The value of an action at the root, which is `plies[0]`; it may be a bound if it is not
    /// above the rank of the best so far. `None` if the budget ran out.
    fn look(&mut self, plies: &mut [Ply<G>], action: G::Action, depth: u8, best: Option<f64>) -> Option<Look>;

    fn meter(&mut self) -> &mut Meter;
}

fn deepen<G: Game>(
    game: &G,
    search: &mut dyn Search<G>,
    plies: &mut Vec<Ply<G>>,
    actions: &[G::Action],
    deepest: u8,
) -> Root {
    let mut root = Root::new(actions.len());
    if search.meter().grant(1) {
        root.deepen(deepest, &mut |number, depth, best| {
            while plies.len() <= usize::from(depth) {
                plies.push(Ply::new(game, plies.len() as u8));
            }
            let before = search.meter().nodes();
            let look = search.look(plies, actions[number], depth, best);
            (look, search.meter().nodes() - before)
        });
    }
    root
}

impl<G: Game> Agent<G> for Minimax<G> {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let mut state = game.initial_state();
        game.worlds(view).sample_into(&mut state, rng); // with perfect information there is one
        let Turn::Player(mover) = game.turn(&state) else { unreachable!("an agent is asked when it is to move") };
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        let mut meter = Meter::start(&self.settings.budget.and(limit));
        self.set_root(game, &state);
        let root = self.search(game, &actions, mover, &mut meter);
        let action = actions[root.actions[0].number];
        let report = Report {
            actions: root.report(&actions, self.settings.players == Players::MaxN || is_two_sided(&game.info())),
            principal_variation: self.principal_variation(game, state, action),
            iterations: meter.reached(),
            nodes: meter.nodes(),
            bytes: self.table_for.map_or(0, |_| self.memory.table.bytes() as u64),
            time: meter.elapsed(),
        };
        Decision { action, report }
    }

    fn new_game(&mut self) {
        self.memory.table.clear();
        self.memory.history.clear();
    }
}

impl<G: Game> Minimax<G> {
    /// The chosen action, then what the table knows to be best.
    fn principal_variation(&self, game: &G, mut state: G::State, mut action: G::Action) -> Vec<G::Action> {
        let mut line = Vec::new();
        let mut actions = Vec::new();
        loop {
            line.push(action);
            game.apply(&mut state, action);
            if !matches!(game.turn(&state), Turn::Player(_)) || line.len() >= usize::from(DEEPEST) {
                return line;
            }
            let Some(entry) = self.memory.table.get(game.view_key(&state, None)) else { return line };
            game.legal_actions(&state, &mut actions);
            match actions.iter().find(|&&action| game.action_code(action) == entry.code) {
                Some(&next) => action = next,
                None => return line,
            }
        }
    }
}
