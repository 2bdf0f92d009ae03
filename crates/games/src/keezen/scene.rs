//! Boards, marbles and hands for a page; the relatives share the board and the cards.

use meeple_core::scene::{Area, AreaKind, Card, Face, Piece, Plan, Remark, Seat, Site, Tone};
use meeple_core::{Player, Scene, Scenery};

use super::Keezen;
use super::action::{Action, Move, RANKS, STEPS};
use super::board::{Board, ENTRY, START, WAITING, field_number, four_behind, place_on_track, track_field};
use super::holdings::SEATS;
use super::ranks::{Cards, FOUR, JACK, SEVEN};
use super::state::{NOBODY, View};

/// Where a marble can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// A field of the common track.
    Track(u8),
    /// A seat and a number from 0, in the order in which they are entered.
    Lane(Player, u8),
    /// A seat and the number of the marble.
    Waiting(Player, usize),
}

/// A square track that runs clockwise, the first seat at the top, lanes and waiting places inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circuit {
    /// Fields from one corner to the next.
    pub(super) side: u8,
    /// How far field 0 lies behind the top left corner.
    pub(super) first: u8,
    /// The start of a seat, counted from the first field of its side of the track.
    pub(super) start: u8,
    /// How far behind the corner the lanes lie, and how long they are.
    pub(super) lane: (f32, u8),
    /// Row and column of the first waiting place.
    pub(super) waiting: (f32, f32),
    /// First fields and lengths of the slides of each side.
    pub(super) slides: &'static [(u8, u8)],
    pub(super) name: fn(Spot) -> String,
}

/// Lanes begin behind the field before the start.
pub(super) const KEEZEN: Circuit =
    Circuit { side: 16, first: 9, start: 0, lane: (8.0, 4), waiting: (2.0, 10.0), slides: &[], name: published };

/// The published number of a field.
fn published(spot: Spot) -> String {
    let number = match spot {
        Spot::Track(field) => field_number(0, place_on_track(0, field)),
        Spot::Lane(seat, number) => 24 * seat as u8 + 3 - number,
        Spot::Waiting(seat, marble) => 24 * seat as u8 + 20 + marble as u8,
    };
    number.to_string()
}

impl Circuit {
    /// With all marbles, each with its colour, colour by colour.
    pub(super) fn plan(&self, marbles: &[(Player, Spot)]) -> Plan {
        let size = f32::from(self.side) + 1.0;
        let site = |spot: Spot| {
            let (x, y) = self.middle(spot);
            let here = marbles.iter().filter(|&&(_, at)| at == spot).map(|&(seat, _)| seat);
            let here = here.collect::<Vec<Player>>();
            let pieces =
                here.chunk_by(Player::eq).map(|marbles| Piece { count: marbles.len() as u32, ..Piece::of(marbles[0]) });
            Site {
                tone: self.owner(spot).map_or(Tone::Plain, Tone::Seat),
                pieces: pieces.collect(),
                ..Site::circle((self.name)(spot), x, y)
            }
        };
        let sites = self.spots().into_iter().map(site).collect();
        Plan { width: size, height: size, lines: self.lines(), sites, ..Plan::default() }
    }

    fn spots(&self) -> Vec<Spot> {
        let seats = (0..SEATS).flat_map(|seat| {
            let lane = (0..self.lane.1).map(move |number| Spot::Lane(seat, number));
            lane.chain((0..4).map(move |marble| Spot::Waiting(seat, marble)))
        });
        (0..4 * self.side).map(Spot::Track).chain(seats).collect()
    }

    /// Starts and first fields of slides belong to a seat like its lane.
    fn owner(&self, spot: Spot) -> Option<Player> {
        match spot {
            Spot::Lane(seat, _) | Spot::Waiting(seat, _) => Some(seat),
            Spot::Track(field) => {
                let (seat, number) = (field / self.side, field % self.side);
                let owned = number == self.start || self.slides.iter().any(|&(first, _)| first == number);
                owned.then_some(seat.into())
            }
        }
    }

    fn lines(&self) -> Vec<[f32; 4]> {
        let slides = (0..SEATS as u8).flat_map(|seat| self.slides.iter().map(move |&slide| (seat, slide)));
        let line = |(seat, (first, length)): (u8, (u8, u8))| {
            let (x, y) = self.middle(Spot::Track(seat * self.side + first));
            let (to_x, to_y) = self.middle(Spot::Track(seat * self.side + first + length));
            [x, y, to_x, to_y]
        };
        slides.map(line).collect()
    }

    fn middle(&self, spot: Spot) -> (f32, f32) {
        let (side, (row, column)) = match spot {
            Spot::Track(field) => {
                let behind = (field + self.first) % (4 * self.side);
                (usize::from(behind / self.side), (0.0, f32::from(behind % self.side)))
            }
            Spot::Lane(seat, number) => (seat, (f32::from(number) + 1.0, self.lane.0)),
            Spot::Waiting(seat, marble) => {
                (seat, (self.waiting.0 + (marble / 2) as f32, self.waiting.1 + (marble % 2) as f32))
            }
        };
        let turn = |(row, column): (f32, f32), _| (column, f32::from(self.side) - row);
        let (row, column) = (0..side).fold((row, column), turn);
        (column + 0.5, row + 0.5)
    }
}

/// The hand of a seat; the viewer picks his own cards.
pub(super) fn hand(seat: Player, own: Option<Cards>, count: u8, card: impl Fn(usize) -> Card) -> Area {
    Area::hand(seat, own.map_or(Vec::new(), |hand| hand.each().map(card).collect()), count.into())
}

/// Cards that were played, and those that nobody has seen.
pub(super) fn table(played: Cards, stock: u32, face: impl Fn(usize) -> Face) -> [Area; 2] {
    let played = played.each().map(|rank| Card::shown(face(rank))).collect();
    [
        Area::new("Played", AreaKind::Heap, played),
        Area::new("Stock", AreaKind::Pile, vec![Card::hidden(); stock as usize]),
    ]
}

pub(super) fn card_pick(symbols: &str, rank: usize) -> String {
    format!("card:{}", &symbols[rank..=rank])
}

pub(super) fn face(symbols: &str, rank: usize) -> Face {
    match &symbols[rank..=rank] {
        "T" => Face::of("10"),
        symbol => Face::of(symbol),
    }
}

/// A field may be left by one marble and reached by another, and is clicked once.
pub(super) fn once(picks: Vec<String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for pick in picks {
        if !once.contains(&pick) {
            once.push(pick);
        }
    }
    once
}

pub(super) fn dealer(seat: u8) -> Vec<Remark> {
    if seat == NOBODY { Vec::new() } else { vec![Remark::new("Dealer", format!("seat {seat}"))] }
}

/// Marbles that have arrived are the score.
pub(super) fn seats(arrived: impl Fn(Player) -> usize) -> Vec<Seat> {
    (0..SEATS).map(|seat| Seat { score: Some(arrived(seat).to_string()), ..Seat::default() }).collect()
}

fn spot(board: &Board, colour: usize, marble: usize) -> Spot {
    match board.0[colour][marble] {
        WAITING => Spot::Waiting(colour, marble),
        place => spot_of(colour, place),
    }
}

fn spot_of(colour: usize, place: u8) -> Spot {
    if place > ENTRY { Spot::Lane(colour, place - ENTRY - 1) } else { Spot::Track(track_field(colour, place)) }
}

impl Scenery<Keezen> for Keezen {
    fn scene(&self, _: &Keezen, view: &View) -> Scene {
        let board = &view.table.board;
        let marbles: Vec<(Player, Spot)> =
            (0..4 * SEATS).map(|number| (number / 4, spot(board, number / 4, number % 4))).collect();
        let face = |rank: usize| face(RANKS, rank);
        let card = |rank: usize| Card::open(card_pick(RANKS, rank), face(rank));
        let own = |seat: Player| (view.viewer == Some(seat)).then_some(view.hand);
        let mut areas: Vec<Area> = (0..SEATS).map(|seat| hand(seat, own(seat), view.counts[seat], card)).collect();
        let held: u32 = view.counts.iter().map(|&count| u32::from(count)).sum();
        areas.extend(table(view.played, self.setup.deck.count() - view.played.count() - held, face));
        Scene {
            board: Some(KEEZEN.plan(&marbles)),
            areas,
            seats: seats(|seat| board.in_lane(seat)),
            facts: dealer(view.table.dealer),
        }
    }

    /// The card, and where each marble comes from and goes to; throwing the hand is a button.
    fn picks(&self, _: &Keezen, view: &View, action: Action) -> Vec<String> {
        let (table, seat) = (&view.table, usize::from(view.table.turn));
        let colour = table.colour(seat);
        let name = |colour: usize, marble: u8| published(spot(&table.board, colour, marble.into()));
        let end = |colour: usize, marble: u8, steps: u8| {
            published(spot_of(colour, table.board.0[colour][usize::from(marble)] + steps))
        };
        let (rank, mut picks) = match action.decode() {
            Move::Run { rank, marble } if usize::from(rank) == FOUR => {
                let place = four_behind(table.board.0[colour][usize::from(marble)]);
                (FOUR, vec![name(colour, marble), published(spot_of(colour, place))])
            }
            Move::Run { rank, marble } => {
                let rank = usize::from(rank);
                (rank, vec![name(colour, marble), end(colour, marble, STEPS[rank])])
            }
            Move::Seven { marble } => (SEVEN, vec![name(colour, marble), end(colour, marble, 7)]),
            Move::Split { first, steps, second } => {
                let (partner, second) = if second < 4 { (colour, second) } else { (colour ^ 2, second - 4) };
                let ends = [end(colour, first, steps), end(partner, second, 7 - steps)];
                (SEVEN, [vec![name(colour, first), name(partner, second)], ends.into()].concat())
            }
            Move::Start { rank, marble } => {
                (rank.into(), vec![name(colour, marble), published(spot_of(colour, START))])
            }
            Move::Swap { marble, offset, other } => {
                (JACK, vec![name(colour, marble), name((seat + usize::from(offset)) % SEATS, other)])
            }
            Move::Throw | Move::Nothing | Move::Deal => return Vec::new(),
        };
        picks.insert(0, card_pick(RANKS, rank));
        once(picks)
    }

    fn label(&self, _: &Keezen, action: Action) -> Option<String> {
        action.words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::Notation;

    #[test]
    fn the_track_is_closed_and_nothing_overlaps() {
        let plan = KEEZEN.plan(&[]);
        assert_eq!(plan.sites.len(), 96);
        let track: Vec<(f32, f32)> = (0..64).map(|field| KEEZEN.middle(Spot::Track(field))).collect();
        for field in 0..64 {
            let (a, b) = (track[field], track[(field + 1) % 64]);
            assert_eq!((a.0 - b.0).hypot(a.1 - b.1), 1.0, "from {field}");
        }
        for (number, site) in plan.sites.iter().enumerate() {
            let near = |other: &&Site| (site.x - other.x).hypot(site.y - other.y) < 0.99;
            assert_eq!(plan.sites[..number].iter().find(near), None, "{site:?}");
        }
    }

    /// A view of seat 0, which is to move with these cards.
    fn view(marbles: &str, hand: &str) -> View {
        let hands = format!("{hand}/{0}/{0}/{0}", "?".repeat(hand.len()));
        Keezen::default().parse_view(&format!("{marbles} {hands} ? - d3 r0 t0 m0 v0")).unwrap()
    }

    #[track_caller]
    fn check(view: &View, action: &str, picks: &[&str]) {
        let game = Keezen::default();
        let action = Keezen::actions().find(|candidate| candidate.text() == action).unwrap();
        assert_eq!(game.picks(&game, view, action), picks);
    }

    #[test]
    fn moves_are_cards_and_fields() {
        let view = view("34.6.w.w/29.w.w.w/10.w.w.w/w.w.w.w", "A47JK");
        check(&view, "ST13P2", &["card:K", "22", "5"]);
        check(&view, "RU01P1", &["card:A", "6", "7"]);
        check(&view, "RU04P1", &["card:4", "6", "90"]);
        check(&view, "SP07P0", &["card:7", "34", "41"]);
        check(&view, "SP07P03P1", &["card:7", "34", "6", "37", "10"]);
        check(&view, "SW11P0T0", &["card:J", "34", "10"]);
        check(&view, "TC", &[]);
    }

    #[test]
    fn codes_have_words() {
        let game = Keezen::default();
        for (code, words) in [
            ("RU01P1", "A: 1 step with marble 2"),
            ("RU04P0", "4: 4 steps back with marble 1"),
            ("RU10P0", "10: 10 steps with marble 1"),
            ("SP07P3", "7: 7 steps with marble 4"),
            ("SP07P03P1", "7: 3 steps with marble 1, 4 with marble 2"),
            ("SP07P01T2", "7: 1 step with marble 1, 6 with marble 3 of the seat opposite"),
            ("ST13P2", "K: start"),
            ("SW11P0B0", "J: swap marble 1 with marble 1 of the previous seat"),
            ("TC", "Throw in all cards"),
        ] {
            let action = Keezen::actions().find(|action| action.text() == code).unwrap();
            assert_eq!(game.label(&game, action).as_deref(), Some(words), "{code}");
        }
    }

    #[test]
    fn a_field_left_by_one_marble_and_reached_by_the_other_is_clicked_once() {
        let view = view("9.6.w.w/w.w.w.w/w.w.w.w/w.w.w.w", "A47JK");
        check(&view, "SP07P04P1", &["card:7", "9", "6", "13"]);
    }

    #[test]
    fn marbles_wait_and_hands_are_hidden() {
        let game = Keezen::default();
        let scene = game.scene(&game, &view("34.6.w.w/29.w.w.w/10.w.w.w/w.w.w.w", "A47JK"));
        let sites = scene.board.unwrap().sites;
        let occupied = |number: u8| sites.iter().any(|site| site.pick == number.to_string() && !site.pieces.is_empty());
        assert_eq!([20, 21, 22, 23].map(occupied), [false, false, true, true]);
        assert!(occupied(34) && !occupied(35));
        let faces = |area: &Area| area.cards.iter().filter(|card| card.face.is_some()).count();
        assert_eq!(scene.areas[..4].iter().map(faces).collect::<Vec<_>>(), [5, 0, 0, 0]);
        assert_eq!(scene.areas[..4].iter().map(|area| area.cards.len()).collect::<Vec<_>>(), [5; 4]);
        assert_eq!(scene.areas[5].cards.len(), 52 - 20);
    }
}
