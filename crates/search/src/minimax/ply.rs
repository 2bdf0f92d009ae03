//! One level of the search: its position, its actions and the order in which they are tried.

use meeple_core::Game;

use super::expectimax::Outlook;

/// No action has this code as a killer or in a table; ordering is only a hint, so an action that
/// has it after all loses nothing but its place.
pub(super) const NO_CODE: u32 = u32::MAX;

/// Buffers of one ply, so that a search does not allocate.
#[derive(Debug)]
pub(super) struct Ply<G: Game> {
    /// Plies from the root.
    pub(super) number: u8,
    pub(super) state: G::State,
    pub(super) actions: Vec<G::Action>,
    /// How early each action is tried: the highest first.
    order: Vec<u32>,
    /// The codes of the last two actions that cut a search short here.
    killers: [u32; 2],
    /// Outcomes of chance, and what is known of them.
    pub(super) outcomes: Vec<(G::Action, u32)>,
    pub(super) outlooks: Vec<Outlook>,
}

impl<G: Game> Ply<G> {
    pub(super) fn new(game: &G, number: u8) -> Ply<G> {
        Ply {
            number,
            state: game.initial_state(),
            actions: Vec::new(),
            order: Vec::new(),
            killers: [NO_CODE; 2],
            outcomes: Vec::new(),
            outlooks: Vec::new(),
        }
    }

    /// The position after an action.
    #[inline]
    pub(super) fn follow(&mut self, game: &G, before: &Ply<G>, action: G::Action) {
        self.state.clone_from(&before.state);
        game.apply(&mut self.state, action);
    }

    pub(super) fn forget_killers(&mut self) {
        self.killers = [NO_CODE; 2];
    }

    /// Rates the actions: the best of an earlier search, killers, then history.
    #[inline]
    pub(super) fn rate(&mut self, game: &G, history: &History, own: bool, best: u32) {
        let [first, second] = self.killers;
        self.order.clear();
        self.order.extend(self.actions.iter().map(|&action| match game.action_code(action) {
            code if code == best => u32::MAX,
            code if code == first => u32::MAX - 1,
            code if code == second => u32::MAX - 2,
            code => history.of(own, code),
        }));
    }

    /// The action to try as number `place`.
    #[inline]
    pub(super) fn pick(&mut self, place: usize) -> G::Action {
        // Behind an action with nothing to show there are only such.
        if place == 0 || self.order[place - 1] > 0 {
            let mut highest = place;
            for other in place + 1..self.order.len() {
                if self.order[other] > self.order[highest] {
                    highest = other;
                }
            }
            self.order.swap(place, highest);
            self.actions.swap(place, highest);
        }
        self.actions[place]
    }

    /// Puts the last killer first if it is legal here.
    #[inline]
    pub(super) fn killer_first(&mut self, game: &G) {
        let killer = self.killers[0];
        if let Some(place) = self.actions.iter().position(|&action| game.action_code(action) == killer) {
            self.actions.swap(0, place);
        }
    }

    #[inline]
    pub(super) fn add_killer(&mut self, code: u32) {
        if self.killers[0] != code {
            self.killers = [code, self.killers[0]];
        }
    }
}

const HISTORY_BITS: u32 = 12;
const MOST: u32 = 1 << 28;

/// How often an action of either side cut a search short, deep searches counted more. Actions
/// share a place where their hashes meet.
#[derive(Debug)]
pub(super) struct History(Vec<u32>);

impl History {
    pub(super) fn new() -> History {
        History(vec![0; 2 << HISTORY_BITS])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    fn place(own: bool, code: u32) -> usize {
        let hash = code.wrapping_mul(0x9e37_79b9) >> (32 - HISTORY_BITS);
        (usize::from(own) << HISTORY_BITS) | hash as usize
    }

    #[inline]
    fn of(&self, own: bool, code: u32) -> u32 {
        self.0[History::place(own, code)]
    }

    #[inline]
    pub(super) fn add(&mut self, own: bool, code: u32, depth: u8) {
        let place = &mut self.0[History::place(own, code)];
        *place += u32::from(depth) * u32::from(depth);
        if *place > MOST {
            self.0.iter_mut().for_each(|count| *count /= 2);
        }
    }
}
