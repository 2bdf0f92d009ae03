//! From the fields of a text to a position: refuses what no game can reach.

use meeple_core::{NotationError, Player};

use super::Hearts;
use super::history::{Play, Plays, ruled_out_by};
use super::state::{Phase, SEATS, Table, View};
use crate::cards::{HEARTS, suit_mask};

/// A set of cards, or only its size.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cards {
    Seen(u64),
    Unseen(u32),
}

impl Cards {
    pub(super) fn count(self) -> u32 {
        match self {
            Cards::Seen(cards) => cards.count_ones(),
            Cards::Unseen(count) => count,
        }
    }

    pub(super) fn seen(self) -> u64 {
        match self {
            Cards::Seen(cards) => cards,
            Cards::Unseen(_) => 0,
        }
    }
}

/// The fields as they stand in the text.
pub(super) struct Line {
    pub hands: [Cards; SEATS],
    pub passed: [Cards; SEATS],
    pub opener: Option<Player>,
    pub order: Vec<u8>,
    pub hand: u8,
    pub totals: [u16; SEATS],
}

impl Hearts {
    /// Every hand adds its points to the sum of the totals, or three times as many after a moon.
    pub(super) fn check_totals(&self, line: &Line) -> Result<(), NotationError> {
        let hands = u32::from(line.hand) - 1;
        let sum: u32 = line.totals.iter().map(|&total| u32::from(total)).sum();
        let beyond = sum.checked_sub(hands * self.hand_points);
        if !beyond.is_some_and(|beyond| beyond % (2 * self.hand_points) == 0 && beyond <= 2 * hands * self.hand_points)
        {
            return Err(NotationError::new(format!("totals with the sum {sum} cannot come from {hands} hands")));
        }
        if !self.can_add_up(&line.totals, hands) {
            let totals = line.totals.map(|total| total.to_string()).join("/");
            return Err(NotationError::new(format!("{hands} hands cannot give the totals {totals}")));
        }
        if hands > 0 && self.is_decided(&line.totals, line.hand - 1) {
            return Err(NotationError::new("with these totals the game was over before this hand"));
        }
        Ok(())
    }

    /// Whether hands, as many of them moons as the sum tells, can give these totals.
    fn can_add_up(&self, totals: &[u16; SEATS], hands: u32) -> bool {
        let sum: u32 = totals.iter().map(|&total| u32::from(total)).sum();
        let moons = (sum - hands * self.hand_points) / (2 * self.hand_points);
        // Each seat gets the points of the moons that it did not shoot, hence has shot some.
        let least = totals.map(|total| moons.saturating_sub(u32::from(total) / self.hand_points));
        let shots = (least[0]..=moons).flat_map(|first| (least[1]..=moons).map(move |second| (first, second)));
        let mut shots = shots.flat_map(|(first, second)| (least[2]..=moons).map(move |third| [first, second, third]));
        shots.any(|[first, second, third]| {
            let Some(fourth) = moons.checked_sub(first + second + third).filter(|&shot| shot >= least[3]) else {
                return false;
            };
            let shot = [first, second, third, fourth];
            let taken = std::array::from_fn(|seat| u32::from(totals[seat]) - (moons - shot[seat]) * self.hand_points);
            self.can_be_taken(&taken, hands - moons)
        })
    }

    /// Whether hands without a moon can give these points: in each somebody takes the queen, but not
    /// all hearts with it.
    fn can_be_taken(&self, points: &[u32; SEATS], hands: u32) -> bool {
        let hearts = (self.scoring & suit_mask(HEARTS)).count_ones();
        if hands == 0 {
            return true; // the sum leaves no points
        }
        if hearts == self.hand_points {
            return points.iter().all(|&points| points <= hands * (hearts - 1));
        }
        let queens_at_least = points.map(|points| points.saturating_sub(hands * hearts).div_ceil(12));
        let queens_at_most = points.map(|points| (points / 13).min(hands));
        (0..SEATS).all(|seat| queens_at_least[seat] <= queens_at_most[seat])
            && (queens_at_least.iter().sum::<u32>()..=queens_at_most.iter().sum()).contains(&hands)
    }

    /// No card stands in two places, and all are in the deck.
    pub(super) fn check_cards(&self, line: &Line) -> Result<(), NotationError> {
        let mut seen = 0u64;
        let played = line.order.iter().map(|&card| 1u64 << card);
        for cards in line.hands.iter().map(|hand| hand.seen()).chain(played) {
            if cards & !self.deck != 0 {
                return Err(NotationError::new(format!("the deck has no {}", self.ranks.set_text(cards & !self.deck))));
            }
            if seen & cards != 0 {
                return Err(NotationError::new(format!("{} stands twice", self.ranks.set_text(seen & cards))));
            }
            seen |= cards;
        }
        Ok(())
    }

    /// What all see, with every play checked by what is known of the player's hand.
    pub(super) fn table(&self, line: &Line) -> Result<Table, NotationError> {
        let mut table = Table::before_hand(line.hand, line.totals);
        let dealt = line.hands.iter().map(|hand| hand.count()).sum::<u32>() + line.order.len() as u32;
        table.dealt = dealt.min(u32::from(self.cards)) as u8;
        match line.opener {
            Some(opener) => self.replay(line, opener, &mut table)?,
            None if table.dealt < self.cards => self.check_deal(line, &table)?,
            None => self.check_pass_phase(line, &mut table)?,
        }
        Ok(table)
    }

    fn check_deal(&self, line: &Line, table: &Table) -> Result<(), NotationError> {
        for seat in 0..SEATS {
            let (found, due) = (line.hands[seat].count(), table.cards_held(self, seat, 0));
            if found != due {
                let dealt = table.dealt;
                return Err(NotationError::new(format!(
                    "after {dealt} cards dealt round the table seat {seat} has {due}, not {found}"
                )));
            }
        }
        Ok(())
    }

    fn check_pass_phase(&self, line: &Line, table: &mut Table) -> Result<(), NotationError> {
        if self.pass_distance(line.hand) == 0 {
            return Err(NotationError::new("nobody passes in this hand: say which seat opens, for example `0:-`"));
        }
        self.check_hand_sizes(line, &[0; SEATS])?;
        let made = line.passed.iter().take_while(|cards| cards.count() > 0).count();
        if made == SEATS {
            return Err(NotationError::new("all have passed: say which seat opens, for example `0:-`"));
        }
        table.phase = Phase::Pass;
        table.turn = made as u8;
        Ok(())
    }

    fn check_hand_sizes(&self, line: &Line, played: &[u64; SEATS]) -> Result<(), NotationError> {
        for seat in 0..SEATS {
            let (found, size) = (line.hands[seat].count() + played[seat].count_ones(), self.hand_size());
            if found != size {
                return Err(NotationError::new(format!(
                    "seat {seat} has {found} cards, played ones included, not {size}"
                )));
            }
        }
        Ok(())
    }

    fn replay(&self, line: &Line, opener: Player, table: &mut Table) -> Result<(), NotationError> {
        let mut hands = self.opening_hands(line, opener)?;
        table.open(opener);
        let mut ruled_out = [0; SEATS];
        for play in Plays::new(&line.order, opener) {
            let Play { number, seat, card, .. } = play;
            let possible = match hands[seat] {
                Some(hand) => table.legal_cards(self, hand),
                None if number == 0 => self.opening.bit(),
                None => !ruled_out[seat],
            };
            if possible & card.bit() == 0 {
                let (card, trick) = (self.ranks.text(card), number / 4 + 1);
                return Err(NotationError::new(format!("seat {seat} cannot play {card} in trick {trick}")));
            }
            hands[seat] = hands[seat].map(|hand| hand & !card.bit());
            ruled_out[seat] |= ruled_out_by(self, &play, table.broken);
            table.play(self, card);
        }
        if table.played == self.cards { self.check_over(table) } else { Ok(()) }
    }

    /// The hands before the first card, as far as they are seen.
    fn opening_hands(&self, line: &Line, opener: Player) -> Result<[Option<u64>; SEATS], NotationError> {
        let mut played = [0; SEATS];
        Plays::new(&line.order, opener).for_each(|play| played[play.seat] |= play.card.bit());
        self.check_hand_sizes(line, &played)?;
        let hands = std::array::from_fn(|seat| match line.hands[seat] {
            Cards::Seen(cards) => Some(cards | played[seat]),
            Cards::Unseen(_) => None,
        });
        if hands[opener].is_some_and(|hand| hand & self.opening.bit() == 0) {
            let opening = self.ranks.text(self.opening);
            return Err(NotationError::new(format!("seat {opener} cannot open without {opening}")));
        }
        Ok(hands)
    }

    /// The hand is played: it must have been the last one.
    fn check_over(&self, table: &mut Table) -> Result<(), NotationError> {
        let scores = self.hand_scores(&table.points);
        table.totals = std::array::from_fn(|seat| table.totals[seat] + scores[seat]);
        if !self.is_decided(&table.totals, table.hand) {
            return Err(NotationError::new("the hand is over but not the game: give the next hand"));
        }
        table.phase = Phase::Over;
        Ok(())
    }

    /// Passes have the right number of cards, and the cards are where they must be.
    pub(super) fn check_passes(&self, line: &Line, table: &Table) -> Result<(), NotationError> {
        let distance = self.pass_distance(line.hand);
        let played = table.played_by();
        for (seat, cards) in line.passed.iter().enumerate() {
            let (made, place) = match table.phase {
                Phase::Deal => (false, seat),
                Phase::Pass => (seat < usize::from(table.turn), seat),
                _ => (distance > 0, (seat + distance) % SEATS),
            };
            let due = if made { self.passed } else { 0 };
            if cards.count() != due {
                let found = cards.count();
                return Err(NotationError::new(format!("seat {seat} passed {found} cards, not {due}")));
            }
            let elsewhere = (0..SEATS).filter(|&other| other != place);
            let elsewhere = elsewhere.fold(0, |all, other| all | line.hands[other].seen() | played[other]);
            let missing = match line.hands[place] {
                Cards::Seen(hand) => cards.seen() & !(hand | played[place]),
                Cards::Unseen(_) => cards.seen() & elsewhere,
            };
            if missing != 0 {
                let missing = self.ranks.set_text(missing);
                return Err(NotationError::new(format!("{missing} passed by seat {seat} must be with seat {place}")));
            }
        }
        Ok(())
    }

    pub(super) fn view_of(&self, line: &Line, table: Table, viewer: Option<Player>) -> Result<View, NotationError> {
        let distance = self.pass_distance(line.hand);
        let exchanged = distance > 0 && matches!(table.phase, Phase::Play | Phase::Over);
        for seat in 0..SEATS {
            let own = viewer == Some(seat);
            let known = own || (exchanged && viewer == Some((seat + distance) % SEATS));
            if own != matches!(line.hands[seat], Cards::Seen(_)) && line.hands[seat].count() > 0 {
                return Err(NotationError::new("a view shows the viewer's hand and no other"));
            }
            if known != matches!(line.passed[seat], Cards::Seen(_)) && line.passed[seat].count() > 0 {
                return Err(NotationError::new("a view shows what the viewer passed and got, and no other pass"));
            }
        }
        let received = |seat: Player| line.passed[(seat + SEATS - distance) % SEATS].seen();
        Ok(View {
            viewer: viewer.map(|seat| seat as u8),
            hand: viewer.map_or(0, |seat| line.hands[seat].seen()),
            passed: viewer.map_or(0, |seat| line.passed[seat].seen()),
            received: viewer.filter(|_| exchanged).map_or(0, received),
            table,
        })
    }
}
