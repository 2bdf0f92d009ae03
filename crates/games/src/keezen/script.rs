//! The rule-based player of thesis 003, section 4.7: the action that leads to the table with the
//! highest value, where marbles count by their progress, by how likely they are hit or hit others,
//! by the free path ahead of them and by the swaps that threaten.

use meeple_core::{Player, Rng, Script, Turn};

use super::Keezen;
use super::action::{Action, STEPS};
use super::board::{Board, ENTRY, FURTHEST, START, WAITING, four_back, free_steps, lane, place_on_track, track_field};
use super::holdings::SEATS;
use super::moves;
use super::ranks::{ACE, Cards, FOUR, JACK, KING, SEVEN};
use super::state::{Table, View};

/// What counts how much, relative to a marble's own progress. The thesis names the parameters
/// without their numbers, which were chosen by matches.
#[derive(Clone, Debug)]
pub struct RuleBased {
    /// For the marbles of the player himself, of the teammate, and of each opponent.
    pub own: Weights,
    pub teammate: Weights,
    pub opponent: Weights,
    /// Swaps that opponents can make with a jack, and one that the player keeps.
    pub switching: f64,
    /// Lost while a marble on the start field keeps the player from using a card that starts the
    /// next one, on the scale of the field values (thesis 003: 50).
    pub blocked_start: f64,
}

/// Of one colour's marbles, all 0 or more.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// The values of the fields they stand on.
    pub progress: f64,
    /// The part of these values that the other team may take by hitting them.
    pub hit: f64,
    /// The free path ahead of them.
    pub block: f64,
}

impl Default for RuleBased {
    fn default() -> RuleBased {
        RuleBased {
            own: Weights { progress: 1.0, hit: 1.0, block: 0.5 },
            teammate: Weights { progress: 1.0, hit: 0.5, block: 0.2 },
            opponent: Weights { progress: 1.0, hit: 0.3, block: 0.8 },
            switching: 0.2,
            blocked_start: 50.0,
        }
    }
}

impl Script<Keezen> for RuleBased {
    /// The last of equals, so that a king starts rather than an ace, which can do more.
    fn choose(&self, game: &Keezen, view: &View, _: &mut Rng) -> Action {
        let Turn::Player(seat) = view.table.turn() else { unreachable!("a script is asked when it is to move") };
        let mut actions = Vec::new();
        moves::legal(game, &view.table, seat, view.hand, &mut actions);
        let knowledge = Knowledge::of(game, view, seat);
        let value = |action: &Action| self.value_after(&knowledge, view, *action);
        let values: Vec<f64> = actions.iter().map(value).collect();
        let best = (0..actions.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        actions[best.expect("there is always an action")]
    }
}

/// What the player to move knows beside the table.
pub(super) struct Knowledge {
    seat: Player,
    /// Cards that may be in the hands of the others, or still in the stock.
    unseen: Cards,
    counts: [u8; SEATS],
}

impl Knowledge {
    pub(super) fn of(game: &Keezen, view: &View, seat: Player) -> Knowledge {
        Knowledge { seat, unseen: game.setup.deck.minus(view.played).minus(view.hand), counts: view.counts }
    }

    /// The probability that another seat holds at least one card of these ranks.
    fn chance(&self, seat: Player, ranks: Ranks) -> f64 {
        let wanted: u32 =
            self.unseen.ranks().filter(|&rank| ranks.has(rank)).map(|rank| self.unseen.count_of(rank)).sum();
        let mut without = 1.0;
        for drawn in 0..u32::from(self.counts[seat]) {
            let left = self.unseen.count() - drawn;
            without *= f64::from(left.saturating_sub(wanted)) / f64::from(left);
        }
        1.0 - without
    }
}

/// A set of ranks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Ranks(u16);

impl Ranks {
    const START: Ranks = Ranks(1 << ACE | 1 << KING);
    const SWAP: Ranks = Ranks(1 << JACK);

    fn has(self, rank: usize) -> bool {
        self.0 >> rank & 1 != 0
    }

    fn add(&mut self, other: Ranks) {
        self.0 |= other.0;
    }

    fn any_in(self, hand: Cards) -> bool {
        hand.ranks().any(|rank| self.has(rank))
    }

    /// That run exactly so many steps forward. Up to six a seven does as well, if another marble
    /// takes the rest.
    fn running(steps: u8, others: bool) -> Ranks {
        let fits = |&rank: &usize| match rank {
            FOUR => false,
            SEVEN => steps == 7 || steps < 7 && others,
            _ => STEPS[rank] == steps,
        };
        (0..STEPS.len()).filter(fits).fold(Ranks::default(), |ranks, rank| Ranks(ranks.0 | 1 << rank))
    }
}

impl RuleBased {
    /// For the team of the player to move.
    fn value_after(&self, knowledge: &Knowledge, view: &View, action: Action) -> f64 {
        let mut table = view.table;
        let mut hand = view.hand;
        match moves::play(&mut table, knowledge.seat, action) {
            Some(rank) => hand.remove(rank),
            None => hand = Cards::NONE,
        }
        if table.board.winner() == Some(knowledge.seat % 2) {
            return f64::INFINITY;
        }
        let position = Position { knowledge, table: &table, hand };
        let seat = knowledge.seat;
        let mut value = self.switching * position.switching();
        if position.start_is_blocked() {
            value -= self.blocked_start;
        }
        for (colour, weights, sign) in [
            (seat, self.own, 1.0),
            (seat ^ 2, self.teammate, 1.0),
            ((seat + 1) % SEATS, self.opponent, -1.0),
            ((seat + 3) % SEATS, self.opponent, -1.0),
        ] {
            value += sign * position.marbles(colour, weights);
        }
        value
    }
}

/// The table after an action, with the cards that the player keeps.
pub(super) struct Position<'a> {
    pub(super) knowledge: &'a Knowledge,
    pub(super) table: &'a Table,
    pub(super) hand: Cards,
}

impl Position<'_> {
    /// What the marbles of a colour are worth to it.
    fn marbles(&self, colour: usize, weights: Weights) -> f64 {
        let board = &self.table.board;
        let blocks = board.blocks(colour);
        let mut value = 0.0;
        for place in board.0[colour].into_iter().filter(|&place| place != WAITING) {
            let progress = field_value(place);
            value += weights.progress * progress + weights.block * path_value(blocks, place);
            if place > START && place <= ENTRY {
                value -= weights.hit * progress * self.chance_of_a_hit(colour, track_field(colour, place));
            }
        }
        value
    }

    /// Whether the player keeps a card that starts a marble while another stands in its way.
    fn start_is_blocked(&self) -> bool {
        let marbles = self.table.board.0[self.table.colour(self.knowledge.seat)];
        marbles.contains(&START) && marbles[3] == WAITING && Ranks::START.any_in(self.hand)
    }

    /// The probability that the other team can hit a marble of this colour on a field of the track.
    pub(super) fn chance_of_a_hit(&self, colour: usize, field: u8) -> f64 {
        let safe = |attacker| 1.0 - self.chance_to_hold(attacker, self.hitting_ranks(attacker, field));
        1.0 - safe((colour + 1) % SEATS) * safe((colour + 3) % SEATS)
    }

    /// Certain for the player's own cards.
    fn chance_to_hold(&self, seat: Player, ranks: Ranks) -> f64 {
        if seat == self.knowledge.seat {
            f64::from(u8::from(ranks.any_in(self.hand)))
        } else {
            self.knowledge.chance(seat, ranks)
        }
    }

    /// The ranks with which a seat can hit a marble on a field of the track.
    fn hitting_ranks(&self, seat: Player, field: u8) -> Ranks {
        let board = &self.table.board;
        let colour = self.table.colour(seat);
        let marbles = board.0[colour];
        let (blocks, lane) = (board.blocks(colour), lane(marbles));
        let target = place_on_track(colour, field);
        let mut ranks = Ranks::default();
        if target == START && marbles[3] == WAITING {
            ranks.add(Ranks::START);
        }
        for place in marbles.into_iter().filter(|place| (START..=ENTRY).contains(place)) {
            if four_back(blocks, place) == Some(target) {
                ranks.add(Ranks(1 << FOUR));
            }
            if target > place && u32::from(target - place) <= free_steps(blocks, lane, place) {
                ranks.add(Ranks::running(target - place, marbles[1] != WAITING));
            }
        }
        ranks
    }

    /// The best swap of a jack that the player keeps, less those that opponents may make.
    fn switching(&self) -> f64 {
        let seat = self.knowledge.seat;
        let swap = |seat: Player| {
            let chance = self.chance_to_hold(seat, Ranks::SWAP);
            if chance == 0.0 { 0.0 } else { chance * best_swap(&self.table.board, self.table.colour(seat)) }
        };
        swap(seat) - swap((seat + 1) % SEATS) - swap((seat + 3) % SEATS)
    }
}

/// What a colour's team gains by its best swap with the other team; at least 0.
fn best_swap(board: &Board, colour: usize) -> f64 {
    let on_track = |colour: usize| board.0[colour].into_iter().filter(|place| (START + 1..=ENTRY).contains(place));
    let mut best = 0.0;
    for place in on_track(colour) {
        for other in [(colour + 1) % SEATS, (colour + 3) % SEATS] {
            for other_place in on_track(other) {
                let gained = place_on_track(colour, track_field(other, other_place));
                let lost = place_on_track(other, track_field(colour, place));
                let own = field_value(gained) - field_value(place);
                best = f64::max(best, own + field_value(other_place) - field_value(lost));
            }
        }
    }
    best
}

/// Up to twelve free steps are worth 100 in proportion; the end of the lane is no obstacle.
fn path_value(blocks: u64, place: u8) -> f64 {
    let free = if place <= ENTRY { free_steps(blocks, 0, place).min(12) } else { 12 };
    f64::from(free) * 100.0 / 12.0
}

/// The values of all places of a colour (thesis 003, algorithm 5).
pub(super) fn field_value(place: u8) -> f64 {
    f64::from(FIELD_VALUES[usize::from(place)])
}

const FIELD_VALUES: [u16; FURTHEST as usize + 1] = field_values();

const fn field_values() -> [u16; FURTHEST as usize + 1] {
    let mut values = [0; FURTHEST as usize + 1];
    values[START as usize] = 50;
    let (mut value, mut delta) = (1, 1);
    let mut place = START + 1;
    while place <= FURTHEST {
        values[place as usize] = value;
        if place > ENTRY {
            delta += 2;
            value += 50;
        } else if place % 16 == START {
            delta += 1;
            value += 15;
        }
        value += delta;
        place += 1;
    }
    values
}
