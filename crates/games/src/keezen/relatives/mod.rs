//! The relatives of Keezen in thesis 003, section 3.2: Tock, Dog and Sorry!. The thesis sketches
//! them; what it leaves open is decided here. All: four seats, four marbles each, a cap of moves.
//! Actions are small (a seven is played part by part), so the number of decisions in a game is not
//! comparable to Keezen's. Not offered: 5 and 6 players, Tock without teams, with an exchange of
//! cards or with the ten that makes the next player discard, Sorry! in teams or with fire and ice.
//!
//! **Tock**: Keezen's board, blocking, deal (5, 4, 4 of 52) and teams.
//! - Ace: start or 1; king: start or 13; 4: four backward; queen: 12.
//! - 5: five steps with a marble of any other player, on that marble's own way, lane included.
//! - 7: divided over any marbles of the played colour in any order; each part hits where it ends,
//!   and a marble may run several parts. All seven steps are used; once the own marbles are in,
//!   the rest goes to the partner's.
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
mod check;
mod encoder;
mod moves;
mod notation;
mod render;
mod scene;
mod setup;
mod state;
mod turns;
mod worlds;

use meeple_core::{
    Encoder, FromRules, Game, GameInfo, Information, Notation, Outcome, PayoffSum, Payoffs, Player, Rng, RuleError,
    RuleReader, Scenery, Team, Turn,
};

pub use action::Action;
pub use setup::Setup;
pub use state::{State, View};
pub use worlds::RelativeWorlds;

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
    /// The deck and the first position; must be one of the same variant.
    pub setup: Setup,
}

impl Relative {
    pub fn new(variant: Variant) -> Relative {
        Relative { variant, first_dealer: None, move_limit: MOVE_LIMIT, setup: Setup::of(variant) }
    }

    /// Whether partners exchange a card before each round.
    fn exchanges(&self) -> bool {
        self.variant == Variant::Dog
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
        let chance = match self.setup.deal.len() {
            0 => limit + 1,
            rounds => (limit / (SEATS * rounds) + 1) * self.dealt_in_all(),
        };
        GameInfo {
            name: "keezen",
            version: 1,
            players: SEATS,
            teams: if self.variant.teams() { 2 } else { SEATS },
            longest_game: limit + chance + 1,
            payoff_sum: PayoffSum::Constant(0.0),
            information: if self.setup.deal.is_empty() { Information::Perfect } else { Information::Hidden },
            chance: true,
        }
    }

    fn initial_state(&self) -> State {
        let table = Table {
            board: self.setup.board,
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
        if self.variant.winner(&state.table.board).is_some() || state.table.moves >= self.move_limit {
            state.table.phase = Phase::Over;
            state.table.seven = Seven::default();
        } else if turn_over {
            self.next_turn(state, again);
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let mut payoffs = [0.0; 6];
        if let Some(winner) = self.variant.winner(&state.table.board) {
            for seat in 0..SEATS {
                payoffs[seat] = match self.variant.teams() {
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
            scores[seat] = (arrived(seat) + if self.variant.teams() { arrived(seat ^ 2) } else { 0 }) as f32;
        }
        let reason = if self.variant.winner(board).is_some() { "finished" } else { "move limit" };
        Outcome { payoffs: self.payoffs(state), scores, reason }
    }

    fn team(&self, player: Player) -> Team {
        if self.variant.teams() { player % 2 } else { player }
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

    fn action_from_code(&self, code: u32) -> Action {
        Action::from_code(code)
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        action.text(self.variant)
    }

    fn render(&self, view: &View) -> String {
        render::render(self, view)
    }

    fn notation(&self) -> Option<&dyn Notation<Relative>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Relative>> {
        Some(self)
    }

    /// All but cards that are dealt or given.
    fn is_public(&self, _: &State, action: Action) -> bool {
        match action {
            Action::Card(_) => self.setup.deal.is_empty(),
            Action::Give { .. } => false,
            _ => true,
        }
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Relative>>> {
        vec![Box::new(encoder::Counts)]
    }
}
