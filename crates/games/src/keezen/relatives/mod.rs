//! The relatives of Keezen in thesis 003, section 3.2: Tock, Dog and Sorry!. The thesis sketches
//! them; what it leaves open is decided here. All: four seats, four marbles each, a cap of moves.
//! Actions are small (a seven is played part by part), so the number of decisions in a game is not
//! comparable to Keezen's.
//!
//! **Tock**: Keezen's board, blocking, deal (5, 4, 4 of 52) and teams.
//! - Ace: start or 1; king: start or 13; 4: four backward; queen: 12.
//! - 5: five steps with a marble of any other player, on that marble's own way, lane included.
//! - 7: divided over any marbles of the played colour in any order; each part hits where it ends,
//!   and a marble may run several parts. All seven steps are used.
//! - Black jacks (`J`, two of them) swap as in Keezen, red jacks (`R`) run 11.
//!
//! **Dog**: 110 cards (twice 52 and six jokers), rounds of 6, 5, 4, 3, 2 cards; then all cards are
//! shuffled, 30 of them unseen. Teams of two.
//! - Before each round every seat gives a card to its partner, in turn from the seat after the
//!   dealer; the cards change hands when all have chosen.
//! - The start lies in front of the lane. A marble that was set up blocks until it runs. A marble
//!   that comes back to its start, or backward over it, may enter the lane or run another lap.
//! - Ace: start, 1 or 11; king: start or 13; 4: forward or backward; jack: swap as in Keezen;
//!   joker: any card.
//! - 7: seven single steps with any marbles, so everything passed is hit; once the own marbles
//!   are in, the rest goes to the partner's.
//!
//! **Sorry!** (classic): 60 fields with slides, five safety fields and a home for all four; 45
//! cards (five ones, four each of 2, 3, 4, 5, 7, 8, 10, 11, 12 and Sorry!). Everybody plays alone:
//! the first to bring four marbles home gets 1, the others -1/3.
//! - A card is drawn by chance when it is needed, so nothing is hidden. The deck is shuffled when
//!   it is used up.
//! - 1 and 2 start or run, 2 draws again; 4 runs backward; 7 may be divided between two marbles;
//!   10 or one backward; 11 or a swap with an opponent, which may be declined when 11 is
//!   impossible; Sorry! takes an opponent's field with a waiting marble.
//! - Marbles jump over each other everywhere, never end on an own marble, may run backward out of
//!   the safety fields. Ending on the first field of another colour's slide slides to its end and
//!   sends home everything on it, own marbles included.
//! - Without a legal move the card is lost.

mod action;
mod board;
mod encoder;
mod moves;
mod notation;
mod state;
mod worlds;

use meeple_core::{
    Encoder, FromRules, Game, GameInfo, Information, Notation, Outcome, PayoffSum, Payoffs, Player, Rng, RuleError,
    RuleReader, Team, Turn,
};

pub use action::Action;
pub use state::{State, View};
pub use worlds::RelativeWorlds;

use super::board::{Board, WAITING};
use super::holdings::{Holdings, SEATS};
use super::ranks::Cards;
use super::{first_dealer, variant};
use state::{Gifts, NOBODY, NONE, Phase, Seven, Table};

/// Which of the relatives is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    Tock,
    Dog,
    Sorry,
}

/// The rules with their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    pub variant: Variant,
    /// Who deals the first round; `None`: chance decides.
    pub first_dealer: Option<Player>,
    /// Decisions after which the game is a draw.
    pub move_limit: u16,
    deck: Cards,
    /// Cards of a hand in each round of a stock; empty where cards are drawn one by one.
    deal: Vec<u8>,
    setup: Board,
}

impl Relative {
    pub fn new(variant: Variant) -> Relative {
        let thirteen = |copies| (0..13).fold(Cards::NONE, |deck, rank| deck.with(rank, copies));
        let (deck, deal) = match variant {
            Variant::Tock => {
                let mut deck = thirteen(4).with(13, 2);
                deck.remove(super::ranks::JACK);
                deck.remove(super::ranks::JACK);
                (deck, vec![5, 4, 4])
            }
            Variant::Dog => (thirteen(8).with(13, 6), vec![6, 5, 4, 3, 2]),
            Variant::Sorry => {
                let fours = [1, 2, 3, 4, 6, 7, 9, 10, 11, 13];
                (fours.into_iter().fold(Cards::NONE.with(0, 5), |deck, rank| deck.with(rank, 4)), Vec::new())
            }
        };
        let setup = Board([[WAITING; 4]; SEATS]);
        Relative { variant, first_dealer: None, move_limit: MOVE_LIMIT, deck, deal, setup }
    }

    /// Another deck, other hands and another position to begin with, for small examples: cards
    /// and marbles as in the notation.
    pub fn with_setup(self, cards: &str, deal: &[u8], marbles: &str) -> Result<Relative, meeple_core::NotationError> {
        let deck = Cards::parse(cards, self.variant.ranks())?;
        let needed: u32 = deal.iter().map(|&size| 4 * u32::from(size)).sum();
        let sizes = deal.len() <= state::LATER + 1 && deal.iter().all(|&size| (1..=6).contains(&size));
        if needed > deck.count() || !sizes || deal.is_empty() != (self.variant == Variant::Sorry) {
            let message = format!("{} cards cannot be dealt in rounds of {deal:?}", deck.count());
            return Err(meeple_core::NotationError::new(message));
        }
        let setup = notation::parse_board(self.variant, marbles)?;
        Ok(Relative { deck, deal: deal.to_vec(), setup, ..self })
    }

    /// Whether opposite seats play together.
    fn teams(&self) -> bool {
        self.variant != Variant::Sorry
    }

    /// Whether partners exchange a card before each round.
    fn exchanges(&self) -> bool {
        self.variant == Variant::Dog
    }

    /// Cards dealt from one stock.
    fn dealt_in_all(&self) -> usize {
        self.deal.iter().map(|&size| SEATS * usize::from(size)).sum()
    }

    /// Cards that chance can bring next.
    fn stock(&self, state: &State) -> Cards {
        let rest = self.deck.minus(state.holdings.all());
        if self.deal.is_empty() { rest.minus(state.table.played) } else { rest }
    }

    fn receive(&self, state: &mut State, rank: usize) {
        if self.deal.is_empty() {
            state.table.drawn = rank as u8;
            state.table.phase = Phase::Play;
            return;
        }
        state.holdings.receive(usize::from(state.table.dealt), &self.deal, rank);
        state.table.dealt += 1;
        if usize::from(state.table.dealt) == self.dealt_in_all() {
            self.begin_round(state);
        }
    }

    fn begin_round(&self, state: &mut State) {
        state.table.seat = (state.table.dealer + 1) % SEATS as u8;
        state.table.phase = if self.exchanges() { Phase::Give } else { Phase::Play };
        state.gifts = Gifts::NONE;
    }

    fn give(&self, state: &mut State, card: u8) {
        let seat = usize::from(state.table.seat);
        state.holdings.hands[seat].remove(card.into());
        state.gifts.given[seat] = card;
        state.table.seat = ((seat + 1) % SEATS) as u8;
        if state.gifts.given.iter().all(|&card| card != NONE) {
            for seat in 0..SEATS {
                state.holdings.hands[seat ^ 2].add(state.gifts.given[seat].into());
            }
            state.table.phase = Phase::Play;
        }
    }

    /// The card leaves the hand, or is the one that was drawn.
    fn spend(&self, state: &mut State, card: u8) {
        let seat = usize::from(state.table.seat);
        state.table.played.add(card.into());
        if state.table.drawn != NONE {
            state.table.drawn = NONE;
            return;
        }
        state.holdings.hands[seat].remove(card.into());
        if self.exchanges() {
            state.gifts.played[seat].add(card.into());
        }
    }

    fn throw(&self, state: &mut State) {
        let seat = usize::from(state.table.seat);
        let hand = std::mem::take(&mut state.holdings.hands[seat]);
        state.table.played = state.table.played.plus(hand);
        if self.exchanges() {
            state.gifts.played[seat] = state.gifts.played[seat].plus(hand);
        }
    }

    /// Carries out one part of a seven; `true` when the seven is used up.
    fn play_part(&self, state: &mut State, card: u8, steps: u8, action: Action) -> bool {
        let place = self.part_ends(&state.table, action);
        state.table.board = self.board_after(&state.table, action).expect("the part is legal");
        if state.table.seven.left == 0 {
            self.spend(state, card);
            state.table.seven = Seven { left: 7, card, place };
        }
        state.table.seven.left -= steps;
        let done = state.table.seven.left == 0 || self.winner(&state.table.board).is_some();
        if done {
            state.table.seven = Seven::default();
        }
        done
    }

    /// After a move: the next seat with cards, or the next draw, or the next round.
    fn next_turn(&self, state: &mut State, again: bool) {
        let seat = usize::from(state.table.seat);
        if self.deal.is_empty() {
            if state.table.played == self.deck {
                state.table.played = Cards::NONE;
            }
            state.table.seat = if again { seat as u8 } else { ((seat + 1) % SEATS) as u8 };
            state.table.phase = Phase::Chance;
            return;
        }
        let next = (1..=SEATS).map(|offset| (seat + offset) % SEATS);
        match next.into_iter().find(|&next| !state.holdings.hands[next].is_empty()) {
            Some(next) => state.table.seat = next as u8,
            None => self.next_round(state),
        }
    }

    fn next_round(&self, state: &mut State) {
        state.table.dealer = (state.table.dealer + 1) % SEATS as u8;
        state.table.round += 1;
        if usize::from(state.table.round) < self.deal.len() {
            state.holdings.next_round();
            self.begin_round(state);
        } else {
            state.table.round = 0;
            state.table.dealt = 0;
            state.table.played = Cards::NONE;
            state.table.seat = 0;
            state.table.phase = Phase::Chance;
            state.gifts = Gifts::NONE;
        }
    }

    /// Carries out a decision; `true` when the turn is over.
    fn decide(&self, state: &mut State, action: Action) -> bool {
        match action {
            Action::Give { card } => {
                self.give(state, card);
                return false;
            }
            Action::Part { card, steps, .. } => return self.play_part(state, card, steps, action),
            Action::Throw => self.throw(state),
            Action::Pass => {
                let card = state.table.drawn;
                self.spend(state, card);
            }
            Action::Run { card, .. }
            | Action::Start { card }
            | Action::Swap { card, .. }
            | Action::Take { card, .. } => {
                state.table.board = self.board_after(&state.table, action).expect("the move is legal");
                self.spend(state, card);
            }
            Action::Card(_) | Action::Dealer(_) => unreachable!("chance, not a decision"),
        }
        true
    }
}

/// Random games take far fewer.
const MOVE_LIMIT: u16 = 4000;

impl FromRules for Relative {
    fn from_rules(rules: &mut RuleReader) -> Result<Relative, RuleError> {
        let Some(variant) = variant(rules)? else {
            return Err(RuleError("rule variant=keezen: Keezen has rules of its own".to_string()));
        };
        let first_dealer = first_dealer(rules)?;
        let meaning = "decisions after which the game is a draw";
        let move_limit = rules.integer("move_limit", meaning, 1..=60_000, MOVE_LIMIT.into())? as u16;
        Ok(Relative { first_dealer, move_limit, ..Relative::new(variant) })
    }
}

impl Game for Relative {
    type State = State;
    type Action = Action;
    type View = View;
    type Worlds = RelativeWorlds;

    fn info(&self) -> GameInfo {
        let limit = usize::from(self.move_limit);
        let chance = match self.deal.len() {
            0 => limit + 1,
            rounds => (limit / (SEATS * rounds) + 1) * self.dealt_in_all(),
        };
        GameInfo {
            name: "keezen",
            version: 1,
            players: SEATS,
            teams: if self.teams() { 2 } else { SEATS },
            longest_game: limit + chance + 1,
            payoff_sum: PayoffSum::Constant(0.0),
            information: if self.deal.is_empty() { Information::Perfect } else { Information::Hidden },
            chance: true,
        }
    }

    fn initial_state(&self) -> State {
        let table = Table {
            board: self.setup,
            played: Cards::NONE,
            moves: 0,
            phase: Phase::Chance,
            seat: self.first_dealer.map_or(0, |dealer| self.first_to_draw(dealer)),
            dealer: self.first_dealer.map_or(NOBODY, |seat| seat as u8),
            round: 0,
            dealt: 0,
            drawn: NONE,
            seven: Seven::default(),
        };
        State { table, holdings: Holdings::EMPTY, gifts: Gifts::NONE }
    }

    fn turn(&self, state: &State) -> Turn {
        state.table.turn()
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.legal(&state.table, state.holdings.hands[usize::from(state.table.seat)], out);
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Dealer(seat) => {
                state.table.dealer = seat;
                state.table.seat = self.first_to_draw(seat.into());
                return;
            }
            Action::Card(rank) => return self.receive(state, rank.into()),
            _ => {}
        }
        let again = self.variant == Variant::Sorry && state.table.drawn == 1;
        let turn_over = self.decide(state, action);
        state.table.moves += 1;
        if self.winner(&state.table.board).is_some() || state.table.moves >= self.move_limit {
            state.table.phase = Phase::Over;
        } else if turn_over {
            self.next_turn(state, again);
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let mut payoffs = [0.0; 6];
        if let Some(winner) = self.winner(&state.table.board) {
            for seat in 0..SEATS {
                payoffs[seat] = match self.teams() {
                    true if seat % 2 == winner => 1.0,
                    true => -1.0,
                    false if seat == winner => 1.0,
                    false => -1.0 / 3.0,
                };
            }
        }
        payoffs
    }

    /// The score is the number of marbles that have arrived, with the partner's.
    fn outcome(&self, state: &State) -> Outcome {
        let board = &state.table.board;
        let arrived = |seat| self.variant.arrived(board, seat);
        let mut scores = [0.0; 6];
        for seat in 0..SEATS {
            scores[seat] = (arrived(seat) + if self.teams() { arrived(seat ^ 2) } else { 0 }) as f32;
        }
        let reason = if self.winner(board).is_some() { "finished" } else { "move limit" };
        Outcome { payoffs: self.payoffs(state), scores, reason }
    }

    fn team(&self, player: Player) -> Team {
        if self.teams() { player % 2 } else { player }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Action, u32)>) {
        out.clear();
        if state.table.dealer == NOBODY {
            out.extend((0..SEATS as u8).map(|seat| (Action::Dealer(seat), 1)));
            return;
        }
        let stock = self.stock(state);
        out.extend(stock.ranks().map(|rank| (Action::Card(rank as u8), stock.count_of(rank))));
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Action {
        if state.table.dealer == NOBODY {
            return Action::Dealer(rng.below(SEATS as u32) as u8);
        }
        let stock = self.stock(state);
        let drawn = rng.below(stock.count()) as usize;
        Action::Card(stock.each().nth(drawn).expect("the stock has that many cards") as u8)
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        worlds::view(state, viewer)
    }

    fn worlds(&self, view: &View) -> RelativeWorlds {
        RelativeWorlds::new(self, view)
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Action>) {
        self.legal(&view.table, view.hand, out);
    }

    fn action_code(&self, action: Action) -> u32 {
        action.code()
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        action.text(self.variant)
    }

    fn render(&self, view: &View) -> String {
        notation::render(self, view)
    }

    fn notation(&self) -> Option<&dyn Notation<Relative>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Relative>>> {
        vec![Box::new(encoder::Counts)]
    }
}

impl Relative {
    /// Sorry! has no deal: the seat after the dealer draws first.
    fn first_to_draw(&self, dealer: usize) -> u8 {
        if self.deal.is_empty() { ((dealer + 1) % SEATS) as u8 } else { 0 }
    }
}
