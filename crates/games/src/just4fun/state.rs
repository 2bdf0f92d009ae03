//! The whole truth of a game, and what follows from an action until somebody has to decide.

use std::hash::{Hash, Hasher};

use meeple_core::Player;

use super::Just4Fun;
use super::board::{FIELDS, Plane, SEATS, Standing, Stones, UNPLACED, has_line};
use super::cards::{Cards, FRESH, HAND, Hand, Multiset};

/// Room for stock and hidden discards together: with two players 51 of the 55 cards are reshuffled
/// when one of them has played a whole hand.
pub(super) const PILE: usize = 52;

/// After so many forced redraws in a row the game ends and is scored, so that every game ends. The
/// least reachable field of the full deck, 36, is missed 200 times in a row once in 10^8.
pub(super) const MOST_REDRAWS: u8 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    /// The values of a random board are drawn, square by square.
    Board,
    Deal,
    /// The cards of the pile are put in order, the one to be drawn first first. The mover then
    /// goes on drawing.
    Shuffle,
    Play,
    /// The mover has won by four in a line.
    Pattern,
    /// Points count.
    Scored,
}

/// A position. Fields are counted by value from 0: field 0 has value 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) stones: Stones,
    /// Used cards; while dealing or shuffling the cards without a place yet. With hidden discards
    /// only those that everybody saw.
    pub(super) pile: Multiset,
    /// The stock, top card last; hidden discards from the end backwards (see [`Discard`]).
    pub(super) cards: [u8; PILE],
    /// The square of each field.
    pub(super) squares: [u8; FIELDS],
    pub(super) hands: [Hand; SEATS],
    /// The fields on which each player may place a stone.
    pub(super) open: [Plane; SEATS],
    /// The holder of each square plus one as a binary number, lowest digit first; 0 for nobody.
    pub(super) holders: [Plane; 3],
    /// Stones that each player has left.
    pub(super) supply: [u8; SEATS],
    pub(super) phase: Phase,
    /// Who decides, draws, redraws, or has won by a pattern.
    pub(super) mover: u8,
    /// The number of cards in the stock, or while shuffling in the stock to be.
    pub(super) stock: u8,
    /// The number of hidden discards.
    pub(super) discards: u8,
    /// Forced redraws since the last stone.
    pub(super) redraws: u8,
}

/// What a player who sees everything tells positions apart by. Open fields, holders and supplies follow from the stones.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let State { stones, pile, cards, squares, hands, phase, mover, stock, discards, redraws, .. } = self;
        let mut key = 0u64;
        let mut add = |word: u64| key = (key.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        stones.words().as_flattened().iter().for_each(|&word| add(word));
        add(pile.bits());
        for bytes in [&cards[..], &squares[..]] {
            let (words, rest) = bytes.as_chunks();
            words.iter().for_each(|&word| add(u64::from_le_bytes(word)));
            add(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
        hands.iter().for_each(|hand| add(hand.code()));
        let rest = [*phase as u8, *mover, *stock, *discards, *redraws, 0, 0, 0];
        add(u64::from_le_bytes(rest));
        hasher.write_u64(key);
    }
}

/// A card that one player discarded unseen, as it stands in [`State::cards`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Discard {
    pub(super) value: u8,
    pub(super) player: Player,
    /// Whether the play ends with this card.
    pub(super) last: bool,
}

impl Discard {
    pub(super) fn pack(self) -> u8 {
        self.value | (self.player as u8) << 5 | u8::from(self.last) << 7
    }

    fn unpack(packed: u8) -> Discard {
        Discard { value: packed & 31, player: usize::from(packed >> 5 & 3), last: packed >> 7 != 0 }
    }
}

impl State {
    pub(super) fn mover(&self) -> Player {
        usize::from(self.mover)
    }

    /// The squares that a player holds.
    #[inline]
    pub(super) fn held(&self, player: Player) -> u64 {
        let [ones, twos, fours] = self.holders.map(Plane::bits);
        match player {
            0 => ones & !twos,
            1 => twos & !ones,
            2 => ones & twos,
            _ => fours,
        }
    }

    /// Bit v is set if the field of value v is open for the player.
    #[inline]
    pub(super) fn open_values(&self, player: Player) -> u64 {
        self.open[player].bits() << 1
    }

    /// The sum of the values of the held fields, and the highest of them.
    pub(super) fn points(&self, player: Player) -> (u32, u8) {
        let held = self.held(player);
        let mut points = (0, 0);
        for field in 0..FIELDS {
            if held >> self.squares[field] & 1 != 0 {
                points = (points.0 + field as u32 + 1, field as u8 + 1);
            }
        }
        points
    }

    /// The stock, next card last.
    pub(super) fn stock(&self) -> &[u8] {
        &self.cards[..usize::from(self.stock)]
    }

    /// The plays that not everybody saw, in the order of play.
    pub(super) fn hidden_plays(&self) -> impl Iterator<Item = (Player, Cards)> {
        let mut discards = self.discards().peekable();
        std::iter::from_fn(move || {
            let player = discards.peek()?.player;
            let mut cards = [0; HAND];
            for slot in (0..HAND).rev() {
                let discard = discards.next()?;
                cards[slot] = discard.value;
                if discard.last {
                    break;
                }
            }
            Some((player, Cards::new(&cards)))
        })
    }

    fn discards(&self) -> impl Iterator<Item = Discard> {
        (0..usize::from(self.discards)).map(|i| Discard::unpack(self.cards[PILE - 1 - i]))
    }

    pub(super) fn push_hidden_play(&mut self, player: Player, cards: Cards) {
        let last = cards.values().count() - 1;
        for (i, value) in cards.values().enumerate() {
            self.cards[PILE - 1 - usize::from(self.discards)] = Discard { value, player, last: i == last }.pack();
            self.discards += 1;
        }
    }

    pub(super) fn clear_hidden_plays(&mut self) {
        self.cards[PILE - usize::from(self.discards)..].fill(0);
        self.discards = 0;
    }
}

/// The mechanics: everything between two decisions.
impl Just4Fun {
    /// Places a stone of the mover and updates what follows from the stones of that field.
    #[inline]
    pub(super) fn place_stone(&self, state: &mut State, field: usize) {
        let mover = state.mover();
        state.stones.add(mover, field);
        state.supply[mover] -= 1;
        state.redraws = 0;
        let standing = self.update_field(state, field);
        if standing.holder == Some(mover) {
            if self.rules.return_stones && standing.secured {
                self.send_home(state, mover, field);
            }
            if has_line(state.held(mover)) {
                state.phase = Phase::Pattern;
            }
        }
    }

    /// Open and held follow from the stones.
    #[inline]
    pub(super) fn update_field(&self, state: &mut State, field: usize) -> Standing {
        let standing = Standing::of(&state.stones, self.rules.players, field);
        for player in 0..self.rules.players {
            let open = standing.is_open(state.stones.get(player, field), self.rules.own_secured_open);
            state.open[player].set(field, open);
        }
        let holder = standing.holder.map_or(0, |holder| holder + 1);
        let square = usize::from(state.squares[field]);
        for (digit, plane) in state.holders.iter_mut().enumerate() {
            plane.set(square, holder >> digit & 1 != 0);
        }
        standing
    }

    /// The others' stones on a secured field go back to their owners.
    fn send_home(&self, state: &mut State, holder: Player, field: usize) {
        for player in (0..self.rules.players).filter(|&player| player != holder) {
            state.supply[player] += state.stones.get(player, field);
            state.stones.set(player, field, 0);
        }
        self.update_field(state, field);
    }

    /// The mover has placed a stone, or redraws: draw, pass the turn, and let everybody redraw who
    /// has to, until somebody can decide, cards have to be shuffled, or the game is over.
    pub(super) fn finish_turn(&self, state: &mut State) {
        loop {
            let Some(next) = self.next_mover(state) else {
                state.hands[usize::from(state.mover)].sort();
                state.phase = Phase::Scored;
                return;
            };
            if !self.draw(state) {
                self.start_shuffle(state);
                return;
            }
            state.mover = next as u8;
            if state.hands[next].playable(state.open_values(next)) != 0 {
                state.phase = Phase::Play;
                return;
            }
            if state.redraws == MOST_REDRAWS {
                state.phase = Phase::Scored;
                return;
            }
            state.redraws += 1;
            state.pile.add_all(std::mem::take(&mut state.hands[next]).values());
        }
    }

    /// The next player who has a stone and a field to place it on, cards ignored; perhaps the
    /// mover again.
    #[inline]
    pub(super) fn next_mover(&self, state: &State) -> Option<Player> {
        let players = self.rules.players;
        let mut player = state.mover();
        for _ in 0..players {
            player = if player + 1 == players { 0 } else { player + 1 };
            if state.supply[player] > 0 && state.open_values(player) & self.reachable != 0 {
                return Some(player);
            }
        }
        None
    }

    /// Fills the mover's hand; false if the stock is empty before it is full.
    #[inline]
    fn draw(&self, state: &mut State) -> bool {
        let hand = &mut state.hands[usize::from(state.mover)];
        let mut full = true;
        for slot in HAND - self.rules.hand_size..HAND {
            if hand.slot(slot) == 0 {
                if state.stock == 0 {
                    full = false;
                    break;
                }
                state.stock -= 1;
                let top = &mut state.cards[usize::from(state.stock)];
                hand.set(slot, std::mem::take(top), FRESH);
            }
        }
        hand.sort();
        full
    }

    /// The used cards become the new stock. From then on everybody knows which cards the hands
    /// hold together; with hidden discards nobody does.
    fn start_shuffle(&self, state: &mut State) {
        if self.rules.hidden_discards {
            let mut pile = state.pile;
            state.discards().for_each(|discard| pile.add(discard.value));
            state.pile = pile;
            state.clear_hidden_plays();
        } else {
            state.hands.iter_mut().for_each(Hand::grow_older);
        }
        state.stock = state.pile.len() as u8;
        state.phase = Phase::Shuffle;
    }

    /// One outcome of chance: the value of the next square, a card for the next hand, or the next
    /// card of the stock.
    pub(super) fn apply_chance(&self, state: &mut State, value: u8) {
        match state.phase {
            Phase::Board => {
                let square = placed_squares(state);
                state.squares[usize::from(value) - 1] = square as u8;
                if square + 1 == FIELDS {
                    state.phase = Phase::Deal;
                }
            }
            Phase::Deal => {
                let dealt: usize = state.hands.iter().map(|hand| hand.len()).sum();
                state.hands[dealt % self.rules.players].add(value, FRESH);
                state.pile.remove(value);
                if dealt + 1 == self.rules.players * self.rules.hand_size {
                    state.phase = Phase::Shuffle;
                    state.stock = state.pile.len() as u8;
                }
            }
            _ => {
                state.cards[state.pile.len() - 1] = value;
                state.pile.remove(value);
            }
        }
        if state.phase == Phase::Shuffle && state.pile.is_empty() {
            self.finish_turn(state);
        }
    }
}

/// The number of squares of a random board that have a value.
pub(super) fn placed_squares(state: &State) -> usize {
    state.squares.iter().filter(|&&square| square != UNPLACED).count()
}
