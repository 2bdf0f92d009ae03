//! Kuhn poker: three cards, one bet (H. W. Kuhn, "A Simplified Two-Person Poker", 1950).
//!
//! Both players ante one chip and get one card. A player who faces no bet checks or bets one chip;
//! who faces a bet calls or folds. The first player's value is -1/18 of a chip.

use meeple_core::rng::mix;
use meeple_core::scene::{Remark, Seat};
use meeple_core::{
    Encoder, FromRules, Game, GameInfo, Information, Notation, NotationError, Outcome, Payoffs, Player, Rng, RuleError,
    RuleReader, Scene, Scenery, Shape, Tensor, Turn, zero_sum,
};

use super::{
    Deals, Place, PrivateCards, RANKS, Rank, cards_left, check_all_open, check_copies, check_dealt, check_visible,
    draw, hand, join, parse_places, parse_spoken, parse_viewer, spoken_text, viewer_text,
};

/// Payoffs are chips divided by the most that can be lost.
const MOST_CHIPS: f32 = 2.0;

#[derive(Clone, Copy, Debug, Default)]
pub struct KuhnPoker;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Deal(Rank),
    Check,
    Bet,
    Fold,
    Call,
}

/// What was said so far.
type Betting = [Option<Action>; 3];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    cards: [Option<Rank>; 2],
    betting: Betting,
}

/// Cards are shown when nobody folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    viewer: Option<Player>,
    cards: [Place; 2],
    betting: Betting,
}

impl PrivateCards for State {
    fn set_private(&mut self, cards: [Rank; 2]) {
        self.cards = cards.map(Some);
    }
}

/// Who speaks next, or how it ended.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Unopened(Player),
    FacingBet(Player),
    /// Chips that each player has put in.
    Showdown(f32),
    Folded(Player),
}

fn stage(betting: &Betting) -> Stage {
    match betting {
        [None, ..] => Stage::Unopened(0),
        [Some(Action::Check), None, _] => Stage::Unopened(1),
        [Some(Action::Bet), None, _] => Stage::FacingBet(1),
        [Some(Action::Check), Some(Action::Bet), None] => Stage::FacingBet(0),
        [Some(Action::Bet), Some(Action::Fold), _] => Stage::Folded(1),
        [_, _, Some(Action::Fold)] => Stage::Folded(0),
        [Some(Action::Check), Some(Action::Check), _] => Stage::Showdown(1.0),
        _ => Stage::Showdown(2.0),
    }
}

fn choices(stage: Stage) -> &'static [Action] {
    match stage {
        Stage::Unopened(_) => &[Action::Check, Action::Bet],
        Stage::FacingBet(_) => &[Action::Fold, Action::Call],
        Stage::Showdown(_) | Stage::Folded(_) => &[],
    }
}

fn push(betting: &mut Betting, action: Action) {
    let place = betting.iter_mut().find(|place| place.is_none());
    *place.expect("the game is not over") = Some(action);
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Deal(Rank::Jack) => "J",
        Action::Deal(Rank::Queen) => "Q",
        Action::Deal(Rank::King) => "K",
        Action::Check => "check",
        Action::Bet => "bet",
        Action::Fold => "fold",
        Action::Call => "call",
    }
}

impl FromRules for KuhnPoker {
    fn from_rules(_: &mut RuleReader) -> Result<Self, RuleError> {
        Ok(KuhnPoker)
    }
}

impl KuhnPoker {
    /// Chips won or lost by seat 0, and how.
    fn result(&self, state: &State) -> (f32, &'static str) {
        match stage(&state.betting) {
            Stage::Folded(0) => (-1.0, "fold"),
            Stage::Folded(_) => (1.0, "fold"),
            Stage::Showdown(chips) if state.cards[0] > state.cards[1] => (chips, "showdown"),
            Stage::Showdown(chips) => (-chips, "showdown"),
            Stage::Unopened(_) | Stage::FacingBet(_) => unreachable!("the game is not over"),
        }
    }
}

impl Game for KuhnPoker {
    type State = State;
    type Action = Action;
    type View = View;
    type Worlds = Deals<State>;

    fn info(&self) -> GameInfo {
        GameInfo { information: Information::Hidden, chance: true, ..GameInfo::two_player("kuhn-poker", 5) }
    }

    fn initial_state(&self) -> State {
        State { cards: [None; 2], betting: [None; 3] }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.cards[1].is_none() {
            return Turn::Chance;
        }
        match stage(&state.betting) {
            Stage::Unopened(player) | Stage::FacingBet(player) => Turn::Player(player),
            Stage::Showdown(_) | Stage::Folded(_) => Turn::Over,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        out.extend_from_slice(choices(stage(&state.betting)));
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Deal(rank) => state.cards[usize::from(state.cards[0].is_some())] = Some(rank),
            _ => push(&mut state.betting, action),
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
        let left = RANKS.into_iter().filter(|&rank| state.cards[0] != Some(rank));
        out.extend(left.map(|rank| (Action::Deal(rank), 1)));
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Action {
        Action::Deal(draw(cards_left(1, state.cards).expect("no card is dealt twice"), rng))
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let showdown = matches!(stage(&state.betting), Stage::Showdown(_));
        let place = |seat: Player| Place::of(state.cards[seat], showdown || viewer == Some(seat));
        View { viewer, cards: [place(0), place(1)], betting: state.betting }
    }

    fn worlds(&self, view: &View) -> Deals<State> {
        let table = State { betting: view.betting, ..self.initial_state() };
        Deals::new(table, view.cards, None, 1)
    }

    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        let view = self.view(state, viewer);
        let word =
            view.betting.iter().flatten().fold(1, |word, &action| word << 3 | u64::from(self.action_code(action)));
        let places = view.cards.iter().fold(word, |word, &place| word << 8 | u64::from(u32::from(place.symbol())));
        mix(places << 2 | viewer.map_or(2, |seat| seat as u64))
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Action>) {
        out.clear();
        out.extend_from_slice(choices(stage(&view.betting)));
    }

    fn action_code(&self, action: Action) -> u32 {
        match action {
            Action::Check => 0,
            Action::Bet => 1,
            Action::Fold => 2,
            Action::Call => 3,
            Action::Deal(rank) => 4 + rank as u32,
        }
    }

    fn action_from_code(&self, code: u32) -> Action {
        match code {
            0 => Action::Check,
            1 => Action::Bet,
            2 => Action::Fold,
            3 => Action::Call,
            card => Action::Deal(RANKS[card as usize - 4]),
        }
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        word(action).to_string()
    }

    fn render(&self, view: &View) -> String {
        let spoken: Vec<&str> = view.betting.iter().flatten().map(|&action| word(action)).collect();
        let turn = match stage(&view.betting) {
            _ if view.cards[1] == Place::Empty => "dealing".to_string(),
            Stage::Unopened(player) => format!("seat {player} checks or bets"),
            Stage::FacingBet(player) => format!("seat {player} folds or calls"),
            Stage::Showdown(chips) => format!("showdown for {chips} chips each"),
            Stage::Folded(player) => format!("seat {player} has folded"),
        };
        let [first, second] = view.cards.map(Place::symbol);
        format!("seat 0: {first}   seat 1: {second}\nbetting: {}\n{turn}", spoken_text(&spoken))
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn is_public(&self, _: &State, action: Action) -> bool {
        !matches!(action, Action::Deal(_))
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(OneHot)]
    }
}

impl Scenery<KuhnPoker> for KuhnPoker {
    fn scene(&self, _: &KuhnPoker, view: &View) -> Scene {
        let hands = (0..2).map(|seat| hand(seat, view.cards[seat])).collect();
        let seat = |seat: Player| {
            let said: Vec<Action> = view.betting.iter().skip(seat).step_by(2).copied().flatten().collect();
            let chips = 1 + said.iter().filter(|&&action| is_active(action)).count();
            let mut facts = vec![Remark::new("In the pot", chips)];
            facts.extend(said.last().map(|&action| Remark::new("Said", word(action))));
            Seat { facts, ..Seat::default() }
        };
        Scene { areas: hands, seats: (0..2).map(seat).collect(), ..Scene::default() }
    }

    fn picks(&self, _: &KuhnPoker, _: &View, _: Action) -> Vec<String> {
        Vec::new()
    }
}

impl Notation<KuhnPoker> for KuhnPoker {
    fn help(&self) -> String {
        "the cards of seats 0 and 1 (`-` not dealt), then what was said: `KJ check bet`; a view begins with its seat \
         (`*` a spectator) and writes `?` for a hidden card: `0:K? check bet`"
            .into()
    }

    fn state_text(&self, state: &State) -> String {
        join(&state.cards.map(|card| Place::of(card, true)), state.betting.iter().flatten().map(|&action| word(action)))
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (places, betting) = self.parse_table(text)?;
        check_all_open(&places)?;
        Ok(State { cards: places.map(Place::rank), betting })
    }

    fn view_text(&self, view: &View) -> String {
        let words = view.betting.iter().flatten().map(|&action| word(action));
        format!("{}:{}", viewer_text(view.viewer), join(&view.cards, words))
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        let (viewer, rest) = parse_viewer(text)?;
        let (cards, betting) = self.parse_table(rest)?;
        check_visible(viewer, cards, matches!(stage(&betting), Stage::Showdown(_)))?;
        Ok(View { viewer, cards, betting })
    }
}

impl KuhnPoker {
    fn parse_table(&self, text: &str) -> Result<([Place; 2], Betting), NotationError> {
        let (places, words) = parse_places::<2>(text, &self.help())?;
        let mut betting = [None; 3];
        for spoken in &words {
            let possible = choices(stage(&betting)).iter().copied();
            push(&mut betting, parse_spoken(spoken, possible, word)?);
        }
        check_dealt(places, !words.is_empty())?;
        check_copies(&places, 1)?;
        Ok((places, betting))
    }
}

/// Seat (2), own card (3), what was said (3 times: passive, active). The policy has two outputs:
/// check or fold, bet or call.
#[derive(Debug)]
struct OneHot;

fn is_active(action: Action) -> bool {
    matches!(action, Action::Bet | Action::Call)
}

impl Encoder<KuhnPoker> for OneHot {
    fn name(&self) -> &'static str {
        "one-hot"
    }

    fn shape(&self) -> Shape {
        Shape::vector(2 + 3 + 2 * 3)
    }

    fn encode(&self, _: &KuhnPoker, view: &View, input: &mut Tensor<'_>) {
        let input = input.vector();
        if let Some(seat) = view.viewer {
            input[seat] = 1.0;
            if let Place::Open(rank) = view.cards[seat] {
                input[2 + rank as usize] = 1.0;
            }
        }
        for (number, &action) in view.betting.iter().flatten().enumerate() {
            input[5 + 2 * number + usize::from(is_active(action))] = 1.0;
        }
    }

    fn policy_size(&self) -> usize {
        2
    }

    fn policy_index(&self, _: &KuhnPoker, _: &View, action: Action) -> usize {
        usize::from(is_active(action))
    }
}
