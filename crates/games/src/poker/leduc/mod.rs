//! Leduc poker: six cards, two rounds (Southey et al., "Bayes' Bluff", 2005).
//!
//! Two cards each of jack, queen and king; suits mean nothing, so chance deals ranks. Both players
//! ante one chip and get one card; a round of betting with raises of two chips follows, then one
//! public card and a round with raises of four, seat 0 first in both, at most two raises in each.
//! Whose card pairs with the public one wins, otherwise the higher rank; equal ranks share.

mod betting;
mod encoder;
mod notation;
mod scene;

use meeple_core::rng::mix;
use meeple_core::{
    Encoder, FromRules, Game, GameInfo, Information, Notation, Outcome, Payoffs, Player, Rng, RuleError, RuleReader,
    Scenery, Turn, zero_sum,
};

use super::{Deals, Place, PrivateCards, RANKS, Rank, cards_left, draw, spoken_text};
use betting::Betting;
pub use betting::Choice;

/// Cards of each rank.
const COPIES: u32 = 2;
/// The most that a player can lose: the ante, two raises of two and two of four.
const MOST_CHIPS: f32 = 13.0;

#[derive(Clone, Copy, Debug, Default)]
pub struct LeducPoker;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Deal(Rank),
    Choose(Choice),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    private: [Option<Rank>; 2],
    public: Option<Rank>,
    betting: Betting,
}

/// Private cards are shown when nobody folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    viewer: Option<Player>,
    private: [Place; 2],
    public: Option<Rank>,
    betting: Betting,
}

impl PrivateCards for State {
    fn set_private(&mut self, cards: [Rank; 2]) {
        self.private = cards.map(Some);
    }
}

impl State {
    fn cards(&self) -> [Option<Rank>; 3] {
        [self.private[0], self.private[1], self.public]
    }

    /// A pair with the public card beats every rank.
    fn strength(&self, seat: Player) -> (bool, Option<Rank>) {
        (self.private[seat] == self.public, self.private[seat])
    }
}

impl FromRules for LeducPoker {
    fn from_rules(_: &mut RuleReader) -> Result<Self, RuleError> {
        Ok(LeducPoker)
    }
}

impl LeducPoker {
    /// Chips won or lost by seat 0, and how.
    fn result(&self, state: &State) -> (f32, &'static str) {
        let [first, second] = state.betting.chips().map(|chips| chips as f32);
        match state.betting.folded() {
            Some(0) => (-first, "fold"),
            Some(_) => (second, "fold"),
            None => match state.strength(0).cmp(&state.strength(1)) {
                std::cmp::Ordering::Less => (-first, "showdown"),
                std::cmp::Ordering::Equal => (0.0, "showdown"),
                std::cmp::Ordering::Greater => (second, "showdown"),
            },
        }
    }
}

impl Game for LeducPoker {
    type State = State;
    type Action = Action;
    type View = View;
    type Worlds = Deals<State>;

    fn info(&self) -> GameInfo {
        GameInfo { information: Information::Hidden, chance: true, ..GameInfo::two_player("leduc-poker", 11) }
    }

    fn initial_state(&self) -> State {
        State { private: [None; 2], public: None, betting: Betting::default() }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.private[1].is_none() {
            return Turn::Chance;
        }
        match state.betting.mover() {
            Some(player) if state.betting.is_second_round() == state.public.is_some() => Turn::Player(player),
            Some(_) => Turn::Chance,
            None => Turn::Over,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        out.extend(state.betting.choices().map(Action::Choose));
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Choose(choice) => state.betting.push(choice),
            Action::Deal(rank) if state.private[0].is_none() => state.private[0] = Some(rank),
            Action::Deal(rank) if state.private[1].is_none() => state.private[1] = Some(rank),
            Action::Deal(rank) => state.public = Some(rank),
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        zero_sum(self.result(state).0 / MOST_CHIPS)
    }

    /// Scores are chips won.
    fn outcome(&self, state: &State) -> Outcome {
        let (chips, reason) = self.result(state);
        Outcome { payoffs: self.payoffs(state), scores: zero_sum(chips), reason }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Action, u32)>) {
        out.clear();
        let left = cards_left(COPIES, state.cards()).expect("no card is dealt twice");
        let ranks = RANKS.into_iter().filter(|&rank| left[rank as usize] > 0);
        out.extend(ranks.map(|rank| (Action::Deal(rank), left[rank as usize])));
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Action {
        Action::Deal(draw(cards_left(COPIES, state.cards()).expect("no card is dealt twice"), rng))
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let showdown = state.betting.is_showdown();
        let place = |seat: Player| Place::of(state.private[seat], showdown || viewer == Some(seat));
        View { viewer, private: [place(0), place(1)], public: state.public, betting: state.betting }
    }

    fn worlds(&self, view: &View) -> Deals<State> {
        let table = State { private: [None; 2], public: view.public, betting: view.betting };
        Deals::new(table, view.private, view.public, COPIES)
    }

    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        let view = self.view(state, viewer);
        let places = [view.private[0], view.private[1], Place::of(view.public, true)];
        let word = places.iter().fold(0, |word, place| word << 7 | u64::from(u32::from(place.symbol())));
        mix(mix(view.betting.key()) ^ (word << 2 | viewer.map_or(2, |seat| seat as u64)))
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Action>) {
        out.clear();
        out.extend(view.betting.choices().map(Action::Choose));
    }

    fn action_code(&self, action: Action) -> u32 {
        match action {
            Action::Choose(choice) => choice as u32,
            Action::Deal(rank) => 3 + rank as u32,
        }
    }

    fn action_from_code(&self, code: u32) -> Action {
        match Choice::ALL.get(code as usize) {
            Some(&choice) => Action::Choose(choice),
            None => Action::Deal(RANKS[code as usize - Choice::ALL.len()]),
        }
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        match action {
            Action::Choose(choice) => choice.word().to_string(),
            Action::Deal(rank) => rank.symbol().to_string(),
        }
    }

    fn render(&self, view: &View) -> String {
        let [first, second] = view.private.map(Place::symbol);
        let [paid_first, paid_second] = view.betting.chips();
        let mut text = format!(
            "seat 0: {first}, {paid_first} chips in the pot\nseat 1: {second}, {paid_second} chips in the pot\npublic: {}",
            Place::of(view.public, true).symbol()
        );
        for (name, spoken) in ["first", "second"].iter().zip(view.betting.words()) {
            text += &format!("\n{name} round: {}", spoken_text(&spoken));
        }
        let turn = match (view.betting.folded(), view.betting.mover()) {
            (Some(player), _) => format!("seat {player} has folded"),
            (None, None) => "showdown".to_string(),
            (None, Some(_)) if view.private[1] == Place::Empty => "dealing".to_string(),
            (None, Some(_)) if view.betting.is_second_round() && view.public.is_none() => "dealing".to_string(),
            (None, Some(player)) => format!("seat {player} to move"),
        };
        text + "\n" + &turn
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    /// All that is said, and the third card.
    fn is_public(&self, state: &State, _: Action) -> bool {
        state.private[1].is_some()
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(encoder::OneHot)]
    }
}
