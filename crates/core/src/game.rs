//! The one trait that a game implements.

use std::fmt::Debug;
use std::hash::Hash;

use crate::key::key_of;
use crate::{
    ActionGroups, Behaviour, Belief, Board, Encoder, Fact, Heuristic, Margins, Notation, Rng, Scenery, Script, Suite,
    Symmetries, Worlds,
};

/// What a game offers under a name.
pub type Named<T> = (&'static str, Box<T>);

/// The largest number of seats at any table.
pub const MAX_PLAYERS: usize = 6;

/// A seat, numbered from 0 in order of play.
pub type Player = usize;

/// A team, numbered from 0. Without partners every player is a team.
pub type Team = usize;

/// One payoff in [-1, 1] for each seat; seats beyond the number of players hold 0.
pub type Payoffs = [f32; MAX_PLAYERS];

/// What the first of two players wins the second loses.
#[inline]
pub fn zero_sum(first: f32) -> Payoffs {
    // Not `-first`: nobody wants to read of a draw for -0.
    [first, 0.0 - first, 0.0, 0.0, 0.0, 0.0]
}

/// Who acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    Player(Player),
    Chance,
    Over,
}

/// Whether the payoffs of all seats add up to the same number in every game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PayoffSum {
    Constant(f32),
    General,
}

/// Whether every player sees the whole state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Information {
    Perfect,
    Hidden,
}

/// What can be said of a game with its parameters before it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameInfo {
    /// The name in the catalogue.
    pub name: &'static str,
    /// Of the rules: raised whenever an old record could replay differently.
    pub version: u32,
    pub players: usize,
    pub teams: usize,
    /// No game has more actions than this, chance included.
    pub longest_game: usize,
    pub payoff_sum: PayoffSum,
    pub information: Information,
    /// Whether dice or cards are involved at all.
    pub chance: bool,
}

impl GameInfo {
    /// Of the first rules of a game for two with perfect information and without chance, in which
    /// one wins what the other loses.
    pub fn two_player(name: &'static str, longest_game: usize) -> GameInfo {
        GameInfo {
            name,
            version: 1,
            players: 2,
            teams: 2,
            longest_game,
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Perfect,
            chance: false,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// For each seat, in [-1, 1].
    pub payoffs: Payoffs,
    /// The game's own score for each seat: card points, stones, chips, places.
    pub scores: [f32; MAX_PLAYERS],
    /// In a few words, from a small fixed set for each game.
    pub reason: &'static str,
}

impl Outcome {
    /// The seats with the highest payoff; nobody if all are equal.
    pub fn winners(&self, players: usize) -> impl Iterator<Item = Player> + '_ {
        let payoffs = &self.payoffs[..players];
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let decided = payoffs.iter().any(|&payoff| payoff < best);
        (0..players).filter(move |&player| decided && self.payoffs[player] == best)
    }
}

/// The rules of a game with their parameters. Positions are plain data.
///
/// Everything an agent may use comes through [`Game::view`]; [`crate::laws`] checks that views,
/// worlds and hooks keep what is promised here.
pub trait Game: Send + Sync + Sized + 'static {
    /// The whole truth. Small and without heap where possible: 256 bytes are a good bound.
    type State: Clone + Debug + Eq + Hash + Send + Sync;
    /// A decision, or one outcome of chance (one card, one die). It means the same in every world.
    type Action: Copy + Debug + Eq + Hash + Send + Sync;
    /// All that one player knows: sufficient for the legal actions and for the set of states that
    /// are possible. With perfect information it is the state.
    type View: Clone + Debug + Eq + Hash + Send + Sync;
    /// A prepared sampler of the states that a view allows.
    type Worlds: Worlds<State = Self::State>;

    fn info(&self) -> GameInfo;

    /// The state before anything is dealt.
    fn initial_state(&self) -> Self::State;

    fn turn(&self, state: &Self::State) -> Turn;

    /// Replaces the content of `out` by the actions of the player to move: at least one, each
    /// once, in an order that depends on nothing hidden from that player.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Carries out an action known to be legal, or an outcome known to be possible.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Only when the game is over. On the hot path of playouts.
    fn payoffs(&self, state: &Self::State) -> Payoffs;

    /// Only when the game is over. The same payoffs, with scores and the reason.
    fn outcome(&self, state: &Self::State) -> Outcome;

    /// What each player is sure of while the game goes on: the payoff of who has finished before the
    /// others, the lowest for all who have not. `None` if nobody can.
    fn payoffs_so_far(&self, state: &Self::State) -> Option<Payoffs> {
        let _ = state;
        None
    }

    /// Players of one team share every payoff.
    fn team(&self, player: Player) -> Team {
        player
    }

    /// Replaces the content of `out` by the possible outcomes with their relative weights (> 0).
    /// Only at a chance turn.
    fn chance_outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Action, u32)>) {
        let _ = (state, out);
        unreachable!("a game without chance has no chance turn");
    }

    /// One outcome with the probability that its weight gives it.
    fn sample_chance(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        let total = outcomes.iter().map(|&(_, weight)| weight).sum();
        let mut left = rng.below(total);
        for &(action, weight) in &outcomes {
            if left < weight {
                return action;
            }
            left -= weight;
        }
        unreachable!("the weights add up to their sum")
    }

    /// What `viewer` knows; `None` is a spectator, who knows only what is public.
    fn view(&self, state: &Self::State, viewer: Option<Player>) -> Self::View;

    /// The states that a view allows when a player is to move. It is given no state, so it cannot
    /// leak one.
    fn worlds(&self, view: &Self::View) -> Self::Worlds;

    /// Equal whenever the views are equal. Written by hand where it is hot.
    fn view_key(&self, state: &Self::State, viewer: Option<Player>) -> u64 {
        key_of(&self.view(state, viewer))
    }

    /// The legal actions of the viewer, who is to move, from the view alone and in the same order
    /// as [`Game::legal_actions`].
    fn view_actions(&self, view: &Self::View, out: &mut Vec<Self::Action>) {
        let mut state = self.initial_state();
        self.worlds(view).sample_into(&mut state, &mut Rng::from_seed(0));
        self.legal_actions(&state, out);
    }

    /// Different for different actions; need not be dense. The key of search tables.
    fn action_code(&self, action: Self::Action) -> u32;

    /// The action with this code; only for codes that [`Game::action_code`] returned.
    fn action_from_code(&self, code: u32) -> Self::Action;

    /// The action as people write it: different for all that are possible in a state.
    fn action_text(&self, state: &Self::State, action: Self::Action) -> String;

    /// For the terminal, from a view. Several lines, without a newline at the end.
    fn render(&self, view: &Self::View) -> String;

    /// Uniform over the legal actions. `buffer` is scratch space. Overridden only where a
    /// benchmark shows a gain.
    #[inline]
    fn random_action(&self, state: &Self::State, buffer: &mut Vec<Self::Action>, rng: &mut Rng) -> Self::Action {
        self.legal_actions(state, buffer);
        buffer[rng.below(buffer.len() as u32) as usize]
    }

    /// Carries out one outcome of chance, or as many as are pending (a whole deal), with the
    /// distribution of [`Game::sample_chance`]. Overridden only where a benchmark shows a gain.
    #[inline]
    fn play_chance(&self, state: &mut Self::State, rng: &mut Rng) {
        let action = self.sample_chance(state, rng);
        self.apply(state, action);
    }

    // Capabilities: what a game offers beyond its rules.

    /// Positions and views as one line of text.
    fn notation(&self) -> Option<&dyn Notation<Self>> {
        None
    }

    /// What a page draws and where it is clicked.
    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        None
    }

    /// Whether everybody sees what is done here. What is not public is told to nobody but the one who
    /// does it.
    fn is_public(&self, state: &Self::State, action: Self::Action) -> bool {
        let _ = (state, action);
        self.info().information == Information::Perfect
    }

    /// Network inputs, the best one first.
    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        Vec::new()
    }

    /// Transformations under which the game stays the same.
    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        None
    }

    /// Figures about this game that come from exact formulas rather than from play.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Sites, pieces and moves, for heuristics made of general terms.
    fn board(&self) -> Option<&dyn Board<Self>> {
        None
    }

    /// Guesses at the outcome, the best one first.
    fn heuristics(&self) -> Vec<Named<dyn Heuristic<Self>>> {
        Vec::new()
    }

    /// Players that follow rules written by hand, the best one first.
    fn scripts(&self) -> Vec<Named<dyn Script<Self>>> {
        Vec::new()
    }

    /// By how much a finished game was won.
    fn margins(&self) -> Option<&dyn Margins<Self>> {
        None
    }

    /// Actions that a search may treat as one.
    fn action_groups(&self) -> Option<&dyn ActionGroups<Self>> {
        None
    }

    /// Assumptions about how the others play.
    fn beliefs(&self) -> Vec<Named<dyn Belief<Self>>> {
        Vec::new()
    }

    /// Sets of positions with expected actions.
    fn suites(&self) -> Vec<Suite<Self>> {
        Vec::new()
    }

    /// What players do well or badly in played games.
    fn behaviours(&self) -> Vec<Named<dyn Behaviour<Self>>> {
        Vec::new()
    }

    /// The names of coarser keys of what a player knows, the finest one first.
    fn coarse_keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// What `viewer` knows as far as the coarse key with this number tells it apart.
    fn coarse_key(&self, number: usize, state: &Self::State, viewer: Player) -> u64 {
        let _ = (number, state, viewer);
        unreachable!("a game without coarse keys is not asked for one");
    }

    /// Equal for positions that differ only in how long the game has lasted: what a search takes
    /// for a repetition. Only with perfect information.
    fn position_key(&self, state: &Self::State) -> u64 {
        self.view_key(state, None)
    }
}
