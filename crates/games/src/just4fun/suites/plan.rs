//! Games that bring the stones to where a case wants them.

use meeple_core::bits::{elements, random_bit};
use meeple_core::{Case, Game, Player, Rng, Turn};

use crate::just4fun::cards::{Cards, FRESH, Hand};
use crate::just4fun::state::{Phase, State};
use crate::just4fun::{FIELDS, Just4Fun};

/// How often cards are drawn before a plan is given up.
const DRAWS: usize = 300;
/// How often a position is tried before there is none.
const TRIES: usize = 100_000;

/// How many stones lie on each square in the end: first those of the player who is then to move.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    stones: [[u8; FIELDS]; 2],
}

/// The player to move when the plan is carried out, and the opponent.
pub(super) const OWN: usize = 0;
pub(super) const OTHER: usize = 1;

impl Plan {
    pub(super) fn new() -> Plan {
        Plan { stones: [[0; FIELDS]; 2] }
    }

    /// Adds so many stones on each of these squares.
    pub(super) fn stones(mut self, side: usize, squares: u64, count: u8) -> Plan {
        elements(squares).for_each(|square| self.stones[side][square as usize] += count);
        self
    }

    /// Adds stones on other squares until there are as many as `turns` bring, each square once.
    pub(super) fn singles(mut self, side: usize, turns: u32, free: u64, rng: &mut Rng) -> Plan {
        let mut free = free & !self.taken();
        for _ in self.placed(side)..share(side, turns) {
            let square = random_bit(free, rng);
            free &= !(1 << square);
            self.stones[side][square as usize] += 1;
        }
        self
    }

    /// As [`Plan::singles`], where squares may be taken more than once and by both.
    pub(super) fn others(mut self, turns: u32, free: u64, rng: &mut Rng) -> Plan {
        for side in [OWN, OTHER] {
            for _ in self.placed(side)..share(side, turns) {
                self.stones[side][random_bit(free, rng) as usize] += 1;
            }
        }
        self
    }

    fn placed(&self, side: usize) -> u32 {
        self.stones[side].iter().map(|&count| u32::from(count)).sum()
    }

    fn taken(&self) -> u64 {
        let taken = |&square: &usize| self.stones.iter().any(|stones| stones[square] > 0);
        (0..FIELDS).filter(taken).fold(0, |set, square| set | 1 << square)
    }

    /// A game of so many turns that ends up like this. `None` if the order of play, which is drawn, does
    /// not allow it.
    pub(super) fn play(&self, game: &Just4Fun, turns: u32, rng: &mut Rng) -> Option<State> {
        debug_assert!([OWN, OTHER].iter().all(|&side| self.placed(side) == share(side, turns)));
        let mut state = dealt(game, rng);
        let own = (state.mover() + turns as usize) % 2;
        let mut left = if own == 0 { self.stones } else { [self.stones[OTHER], self.stones[OWN]] };
        for _ in 0..turns {
            let mover = state.mover();
            let fields: Vec<usize> = (0..FIELDS).filter(|&field| can_place(&state, &left, field)).collect();
            let field = *fields.get(rng.below(fields.len().max(1) as u32) as usize)?;
            left[mover][usize::from(state.squares[field])] -= 1;
            place(game, &mut state, field, rng)?;
        }
        (state.mover() == own).then_some(state)
    }
}

/// The stones of a side after so many turns: the opponent of the player to move made the last one.
fn share(side: usize, turns: u32) -> u32 {
    if side == OWN { turns / 2 } else { turns.div_ceil(2) }
}

/// Whether the mover still has a stone for a field, may place it, and does not close the field for
/// stones to come.
fn can_place(state: &State, left: &[[u8; FIELDS]; 2], field: usize) -> bool {
    let mover = state.mover();
    let square = usize::from(state.squares[field]);
    if left[mover][square] == 0 || state.open_values(mover) >> (field + 1) & 1 == 0 {
        return false;
    }
    let lead = state.stones.get(mover, field) + 1 >= state.stones.get(1 - mover, field) + 2;
    !lead || (left[mover][square] == 1 && left[1 - mover][square] == 0)
}

/// The first turn of a game.
pub(super) fn dealt(game: &Just4Fun, rng: &mut Rng) -> State {
    let mut state = game.initial_state();
    settle(game, &mut state, rng);
    state
}

fn settle(game: &Just4Fun, state: &mut State, rng: &mut Rng) {
    while game.turn(state) == Turn::Chance {
        game.play_chance(state, rng);
    }
}

/// Lets the mover place a stone with cards that reach the field. `None` if it cannot hold such cards, or
/// if the game is over or somebody has to redraw.
fn place(game: &Just4Fun, state: &mut State, field: usize, rng: &mut Rng) -> Option<()> {
    let target = 1 << (field + 1);
    draw_hand(state, |hand| hand.playable(target) != 0, rng)?;
    let hand = state.hands[state.mover()];
    let cards = hand.subset(random_bit(u64::from(hand.playable(target)), rng));
    turn(game, state, cards, rng)
}

/// One turn. `None` if the game is over or somebody has to redraw.
pub(super) fn turn(game: &Just4Fun, state: &mut State, cards: Cards, rng: &mut Rng) -> Option<()> {
    game.apply(state, cards);
    settle(game, state, rng);
    (state.phase == Phase::Play && state.redraws == 0).then_some(())
}

/// Draws the mover's cards anew until they are good: those that it took from the stock since the last
/// reshuffle, so that nobody could have seen them and every turn before was possible with them.
pub(super) fn draw_hand(state: &mut State, good: impl Fn(Hand) -> bool, rng: &mut Rng) -> Option<()> {
    (0..DRAWS).find_map(|_| {
        exchange(state, rng);
        good(state.hands[state.mover()]).then_some(())
    })
}

fn exchange(state: &mut State, rng: &mut Rng) {
    let mover = state.mover();
    let hand = state.hands[mover];
    let mut cards = state.stock().to_vec();
    cards.extend(hand.cards().filter(|&(_, age)| age == FRESH).map(|(value, _)| value));
    rng.shuffle(&mut cards);
    let stock = usize::from(state.stock);
    let mut drawn = Hand::default();
    hand.cards().filter(|&(_, age)| age != FRESH).for_each(|(value, age)| drawn.add(value, age));
    cards[stock..].iter().for_each(|&value| drawn.add(value, FRESH));
    state.cards[..stock].copy_from_slice(&cards[..stock]);
    state.hands[mover] = drawn;
}

/// The first position that works out.
pub(super) fn until<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    (0..TRIES).find_map(|_| attempt()).expect("every case has a position")
}

/// Draws cards that reach one of the expected fields, and states the case.
pub(super) fn case(
    game: &Just4Fun,
    name: String,
    mut state: State,
    expected: u64,
    turns: u32,
    rng: &mut Rng,
) -> Option<Case<State, Cards>> {
    draw_hand(&mut state, |hand| hand.playable(expected) != 0, rng)?;
    Some(stated(game, name, state, expected, turns))
}

/// A case with the cards as they are: all actions that reach an expected field are right.
pub(super) fn stated(game: &Just4Fun, name: String, state: State, expected: u64, turns: u32) -> Case<State, Cards> {
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    actions.retain(|cards| expected >> cards.sum() & 1 == 1);
    Case { name, position: state, expected: actions, turns }
}

/// Who is not to move.
pub(super) fn opponent(state: &State) -> Player {
    1 - state.mover()
}
