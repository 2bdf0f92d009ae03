//! Network inputs of thesis 000, section 5.3: planes over the board, and vectors of cards; and those that its
//! section 8.4 suggests; and lines of four, counted.
//!
//! Everything is seen by the viewer; a spectator sees it as the player to move would, without a
//! hand. With more than two players the opponents' planes follow in the order of play. Field
//! values are divided by 36; stones are counted.

use meeple_core::{Encoder, Game, Player, Shape, Tensor};

use super::board::{FIELDS, SIDE, Standing};
use super::cards::{DECK, Multiset};
use super::reach::{Reach, chances_of_others};
use super::threats::Threats;
use super::{Cards, Just4Fun, View, facts};

/// The encoders: those of the thesis, the most informed first, its suggestions, and one of our own.
pub(super) fn encoders(game: &Just4Fun) -> Vec<Box<dyn Encoder<Just4Fun>>> {
    let fields = Fields {
        name: "cards-fields",
        players: game.rules().players,
        full: true,
        cards: true,
        reach: false,
        threats: false,
        combinations: false,
        probabilities: probabilities(game),
    };
    let encoders = [
        fields,
        Fields { name: "fields-full", cards: false, ..fields },
        Fields { name: "fields-minimal", cards: false, full: false, ..fields },
        Fields { name: "cards-reach", reach: true, ..fields },
        Fields { name: "cards-combinations", combinations: true, ..fields },
        Fields { name: "cards-threats", threats: true, combinations: true, ..fields },
    ];
    encoders.into_iter().map(|encoder| Box::new(encoder) as Box<dyn Encoder<_>>).collect()
}

fn probabilities(game: &Just4Fun) -> [f32; FIELDS] {
    let hands = facts::number_of_hands(game.rules()) as f64;
    game.reaching.map(|reaching| (reaching as f64 / hands) as f32)
}

/// Planes in the order of thesis 000, table C.10: empty, stones (player, opponents); if full:
/// minority, majority, secured (player, opponents); values, availability, probability,
/// reachability. If asked for: what may be reached later ([`Reach`]), or which lines a stone completes, prepares or breaks
/// ([`Threats`]) and what the others may reach. The vector, if any: the hand and
/// the used cards that are known, as 55 bits each.
#[derive(Clone, Copy, Debug)]
struct Fields {
    name: &'static str,
    players: usize,
    full: bool,
    cards: bool,
    reach: bool,
    threats: bool,
    /// Whether the policy tells apart the combinations of cards that reach a field.
    combinations: bool,
    /// The share of all hands that reach each field (equation 5.11, exact).
    probabilities: [f32; FIELDS],
}

impl Encoder<Just4Fun> for Fields {
    fn name(&self) -> &'static str {
        self.name
    }

    fn shape(&self) -> Shape {
        let full = if self.full { 2 + self.players } else { 0 };
        let vector = if self.cards { 2 * DECK } else { 0 };
        let reach = if self.reach { Reach::PLANES } else { 0 };
        let threats = if self.threats { Threats::PLANES + 1 } else { 0 };
        Shape { channels: 1 + self.players + full + 4 + reach + threats, rows: SIDE, columns: SIDE, vector }
    }

    fn encode(&self, game: &Just4Fun, view: &View, input: &mut Tensor<'_>) {
        let seat = view.viewer().unwrap_or(view.shown.mover());
        let hand = view.shown.hands[seat];
        let reachable = if hand.is_known() { hand.reachable() } else { 0 };
        let open = view.shown.open_values(seat);
        let reach = self.reach.then(|| Reach::of(game, view, seat));
        let threats =
            self.threats.then(|| (Threats::of(&view.shown, seat, self.players), chances_of_others(game, view)));
        for field in 0..FIELDS {
            let square = usize::from(view.shown.squares[field]);
            if square >= FIELDS {
                continue; // a random board that is still being drawn
            }
            let mut channel = 0;
            let mut write = |value: f32| {
                input.set(channel, square / SIDE, square % SIDE, value);
                channel += 1;
            };
            self.write_stones(game, view, seat, field, &mut write);
            write((field + 1) as f32 / FIELDS as f32);
            write((open >> (field + 1) & 1) as f32);
            write(self.probabilities[field]);
            write((reachable >> (field + 1) & 1) as f32);
            if let Some(reach) = &reach {
                reach.of_field(field).for_each(&mut write);
            }
            if let Some((threats, chances)) = &threats {
                threats.of_square(square).for_each(&mut write);
                write(chances[field]);
            }
        }
        if self.cards {
            write_cards(view, seat, input.vector());
        }
    }

    fn policy_size(&self) -> usize {
        FIELDS
    }

    /// The square of the field, which all combinations for it share.
    fn policy_index(&self, _: &Just4Fun, view: &View, action: Cards) -> usize {
        usize::from(view.shown.squares[usize::from(action.sum()) - 1])
    }

    fn extends(&self) -> &'static [&'static str] {
        match (self.combinations, self.threats) {
            (true, true) => &["cards-fields", "cards-combinations"],
            (true, false) => &["cards-fields"],
            _ => &[],
        }
    }

    fn detail_size(&self) -> usize {
        if self.combinations { COMBINATIONS } else { 0 }
    }

    fn policy_detail(&self, _: &Just4Fun, view: &View, action: Cards) -> usize {
        if self.combinations { combination(view, action) } else { 0 }
    }
}

impl Fields {
    /// Equations 5.6 to 5.10.
    fn write_stones(&self, game: &Just4Fun, view: &View, seat: Player, field: usize, write: &mut dyn FnMut(f32)) {
        let stones = &view.shown.stones;
        let standing = Standing::of(stones, self.players, field);
        let seats = || (0..self.players).map(|step| (seat + step) % game.info().players);
        write(f32::from(u8::from(standing.most == 0)));
        seats().for_each(|player| write(f32::from(stones.get(player, field))));
        if self.full {
            write(f32::from(u8::from(stones.get(seat, field) < standing.most)));
            write(f32::from(u8::from(standing.holder == Some(seat))));
            let secured = |player| standing.secured && standing.holder == Some(player);
            seats().for_each(|player| write(f32::from(u8::from(secured(player)))));
        }
    }
}

/// Choices of some of the four cards of a hand.
const COMBINATIONS: usize = 15;

/// Which cards of the hand, from the lowest, are played: the set of their slots, less one. Of equal cards the first
/// are meant.
fn combination(view: &View, action: Cards) -> usize {
    let hand = view.shown.hands[view.viewer().unwrap_or(view.shown.mover())];
    let mut wanted = action.values().peekable();
    let mut slots = 0usize;
    for (slot, value) in hand.values().enumerate() {
        if wanted.next_if_eq(&value).is_some() {
            slots |= 1 << slot;
        }
    }
    slots.saturating_sub(1)
}

/// Of equal cards the leftmost places of a value are filled first (section 5.3).
fn write_cards(view: &View, seat: Player, vector: &mut [f32]) {
    let mut hand = Multiset::default();
    if view.shown.hands[seat].is_known() {
        hand.add_all(view.shown.hands[seat].values());
    }
    let mut used = view.shown.pile;
    for (_, cards) in view.shown.hidden_plays().filter(|&(player, _)| view.viewer() == Some(player)) {
        used.add_all(cards.values());
    }
    for (set, part) in [hand, used].into_iter().zip(vector.chunks_exact_mut(DECK)) {
        meeple_core::bits::elements(set.bits()).for_each(|bit| part[bit as usize] = 1.0);
    }
}
