//! Hearts for four players: a single hand, or a full game with passing.
//!
//! The state keeps the whole play of the current hand in order, so that a view remembers all that
//! a player saw: given that, every consistent deal is equally likely.

mod dealing;
mod encoder;
mod facts;
mod history;
mod knowledge;
mod margins;
mod notation;
mod render;
mod rules;
mod scene;
mod setup;
mod state;
mod worlds;

use meeple_core::bits::{elements, random_bit};
use meeple_core::rng::mix;
use meeple_core::{
    Encoder, Fact, Game, GameInfo, Information, MAX_PLAYERS, Margins, Notation, Outcome, PayoffSum, Payoffs, Player,
    Rng, Scenery, Turn,
};

use crate::cards::{Card, HEARTS, Ranks};
use dealing::{random_deal, random_subset, subsets};
use state::{Phase, SEATS, Table};

pub use rules::{HeartsRules, MOST_EXTRA_HANDS, MOST_POINTS, RankOrder, Tie};
pub use state::{State, View};
pub use worlds::HeartsWorlds;

/// The game with its rules and its deck.
#[derive(Clone, Debug)]
pub struct Hearts {
    rules: HeartsRules,
    ranks: Ranks,
    deck: u64,
    /// In the deck.
    cards: u8,
    /// The number of cards that a player passes.
    passed: u32,
    /// The lowest club, which is led first.
    opening: Card,
    queen: Card,
    /// The hearts and the queen of spades.
    scoring: u64,
    /// All points of a hand.
    hand_points: u32,
}

/// A set of cards: the one that is dealt or played, or those that are passed. As one word it stays
/// in a register: a tenth fewer instructions per move than an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action(u64);

impl Action {
    /// The numbers of the cards, six bits each, behind a leading 1.
    fn code(self) -> u32 {
        elements(self.0).fold(1, |code, card| code << 6 | card)
    }

    /// The action with a code that [`Game::action_code`] returned.
    pub fn from_code(mut code: u32) -> Action {
        let mut cards = 0;
        while code > 1 {
            cards |= 1 << (code & 63);
            code >>= 6;
        }
        Action(cards)
    }
}

impl Hearts {
    pub fn rules(&self) -> &HeartsRules {
        &self.rules
    }

    fn hand_size(&self) -> u32 {
        u32::from(self.cards) / 4
    }

    /// How many seats further to the left the passed cards go; 0 if nobody passes.
    fn pass_distance(&self, hand: u8) -> usize {
        if self.rules.passing { [1, 3, 2, 0][usize::from(hand - 1) % 4] } else { 0 }
    }

    fn breaks_hearts(&self, card: Card) -> bool {
        card.suit() == HEARTS || (card == self.queen && self.rules.queen_breaks_hearts)
    }

    fn deal_card(&self, state: &mut State, card: u64) {
        state.hands[usize::from(state.table.dealt) % SEATS] |= card;
        state.table.dealt += 1;
        if state.table.dealt == self.cards {
            self.begin(state);
        }
    }

    /// All cards are dealt.
    fn begin(&self, state: &mut State) {
        if self.pass_distance(state.table.hand) > 0 {
            state.table.phase = Phase::Pass;
        } else {
            self.open(state);
        }
    }

    fn open(&self, state: &mut State) {
        let opener = state.hands.iter().position(|hand| hand & self.opening.bit() != 0);
        state.table.open(opener.expect("somebody has the lowest club"));
    }

    fn pass(&self, state: &mut State, cards: u64) {
        state.passed[usize::from(state.table.turn)] = cards;
        state.table.turn += 1;
        if usize::from(state.table.turn) < SEATS {
            return;
        }
        let distance = self.pass_distance(state.table.hand);
        for (seat, &cards) in state.passed.iter().enumerate() {
            state.hands[seat] ^= cards;
            state.hands[(seat + distance) % SEATS] ^= cards;
        }
        self.open(state);
    }

    #[inline]
    fn play(&self, state: &mut State, card: u64) {
        state.hands[usize::from(state.table.turn) % SEATS] ^= card;
        state.table.play(self, Card(card.trailing_zeros() as u8));
        if state.table.played == self.cards {
            self.finish_hand(state);
        }
    }

    fn finish_hand(&self, state: &mut State) {
        let scores = self.hand_scores(&state.table.points);
        let totals: [u16; SEATS] = std::array::from_fn(|seat| state.table.totals[seat] + scores[seat]);
        if self.is_decided(&totals, state.table.hand) {
            state.table.totals = totals;
            state.table.phase = Phase::Over;
        } else {
            *state = State::before_hand(state.table.hand + 1, totals);
        }
    }

    /// The points taken, unless one player took them all: then the others get as many.
    fn hand_scores(&self, points: &[u8; SEATS]) -> [u16; SEATS] {
        match self.moon(points) {
            Some(shooter) => std::array::from_fn(|seat| if seat == shooter { 0 } else { self.hand_points as u16 }),
            None => points.map(u16::from),
        }
    }

    /// The player who took every card that scores.
    fn moon(&self, points: &[u8; SEATS]) -> Option<Player> {
        points.iter().position(|&points| u32::from(points) == self.hand_points)
    }

    /// Whether these totals after so many hands end the game.
    fn is_decided(&self, totals: &[u16; SEATS], hands: u8) -> bool {
        let reached = totals.iter().any(|&total| u32::from(total) >= self.rules.to);
        let shared = self.rules.tie == Tie::Shared || u32::from(hands) == self.most_hands();
        let fewest = totals.iter().min();
        reached && (shared || totals.iter().filter(|&total| Some(total) == fewest).count() == 1)
    }

    /// What the owner of `hand`, who is to move, can do.
    fn actions(&self, table: &Table, hand: u64, out: &mut Vec<Action>) {
        out.clear();
        match table.phase {
            Phase::Pass => out.extend(subsets(hand, self.passed).map(Action)),
            _ => out.extend(elements(table.legal_cards(self, hand)).map(|card| Action(1 << card))),
        }
    }
}

impl Game for Hearts {
    type State = State;
    type Action = Action;
    type View = View;
    type Worlds = HeartsWorlds;

    fn info(&self) -> GameInfo {
        let passes = if self.rules.passing { SEATS } else { 0 };
        GameInfo {
            name: "hearts",
            version: 1,
            players: SEATS,
            teams: SEATS,
            longest_game: self.most_hands() as usize * (2 * usize::from(self.cards) + passes),
            payoff_sum: PayoffSum::General,
            information: Information::Hidden,
            chance: true,
        }
    }

    fn initial_state(&self) -> State {
        State::before_hand(1, [0; SEATS])
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.table.phase {
            Phase::Play | Phase::Pass => Turn::Player(usize::from(state.table.turn)),
            Phase::Deal => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.actions(&state.table, state.hands[usize::from(state.table.turn)], out);
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        match state.table.phase {
            Phase::Play => self.play(state, action.0),
            Phase::Pass => self.pass(state, action.0),
            _ => self.deal_card(state, action.0),
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let totals = &state.table.totals;
        let fewest = totals.iter().min();
        let mut payoffs = [0.0; MAX_PLAYERS];
        for (payoff, total) in payoffs.iter_mut().zip(totals) {
            *payoff = if Some(total) == fewest { 1.0 } else { -1.0 };
        }
        payoffs
    }

    fn outcome(&self, state: &State) -> Outcome {
        let mut scores = [0.0; MAX_PLAYERS];
        for (score, &total) in scores.iter_mut().zip(&state.table.totals) {
            *score = f32::from(total);
        }
        let reason = match self.rules.to {
            0 if self.moon(&state.table.points).is_some() => "moon",
            0 => "hand played",
            _ => "target reached",
        };
        Outcome { payoffs: self.payoffs(state), scores, reason }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Action, u32)>) {
        let stock = state.hands.iter().fold(self.deck, |stock, hand| stock & !hand);
        out.clear();
        out.extend(elements(stock).map(|card| (Action(1 << card), 1)));
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Action {
        let stock = state.hands.iter().fold(self.deck, |stock, hand| stock & !hand);
        Action(1 << random_bit(stock, rng))
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let (hand, passed, received) = self.private(state, viewer);
        View { viewer: viewer.map(|seat| seat as u8), hand, passed, received, table: state.table.clone() }
    }

    fn worlds(&self, view: &View) -> HeartsWorlds {
        HeartsWorlds::prepare(self, view).expect("a view allows at least the truth")
    }

    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        let table = &state.table;
        let (hand, passed, received) = self.private(state, viewer);
        let seat = viewer.unwrap_or(SEATS) as u64;
        let public = [table.hand, table.phase as u8, table.dealt, table.turn, table.opener];
        let public = public.iter().fold(seat, |word, &byte| word << 8 | u64::from(byte));
        let totals = table.totals.iter().fold(0, |word, &total| word << 16 | u64::from(total));
        let mut key = mix(mix(mix(hand) ^ public) ^ totals);
        if passed | received != 0 {
            key = mix(mix(key ^ passed) ^ received);
        }
        for cards in table.order[..usize::from(table.played)].chunks(8) {
            key = mix(key ^ cards.iter().fold(1, |word, &card| word << 8 | u64::from(card)));
        }
        key
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Action>) {
        self.actions(&view.table, view.hand, out);
    }

    fn action_code(&self, action: Action) -> u32 {
        action.code()
    }

    fn action_from_code(&self, code: u32) -> Action {
        Action::from_code(code)
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        let mut texts: Vec<String> = elements(action.0).map(|card| self.ranks.text(Card(card as u8))).collect();
        texts.reverse();
        texts.join("+")
    }

    fn render(&self, view: &View) -> String {
        render::render(self, view)
    }

    #[inline]
    fn random_action(&self, state: &State, _: &mut Vec<Action>, rng: &mut Rng) -> Action {
        let hand = state.hands[usize::from(state.table.turn) % SEATS];
        match state.table.phase {
            Phase::Pass => Action(random_subset(hand, self.passed, rng)),
            _ => Action(1 << random_bit(state.table.legal_cards(self, hand), rng)),
        }
    }

    /// The whole deal at once.
    #[inline]
    fn play_chance(&self, state: &mut State, rng: &mut Rng) {
        if state.table.dealt > 0 {
            let action = self.sample_chance(state, rng);
            return self.apply(state, action);
        }
        state.hands = random_deal(self.deck, self.hand_size(), rng);
        state.table.dealt = self.cards;
        self.begin(state);
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn is_public(&self, state: &State, _: Action) -> bool {
        state.table.phase == Phase::Play
    }

    fn margins(&self) -> Option<&dyn Margins<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(encoder::Cards::new(self))]
    }

    fn facts(&self) -> Vec<Fact> {
        facts::facts(self)
    }
}

impl Hearts {
    /// What only the viewer knows: the hand, the cards passed and the cards received.
    fn private(&self, state: &State, viewer: Option<Player>) -> (u64, u64, u64) {
        let Some(seat) = viewer else { return (0, 0, 0) };
        let source = (seat + SEATS - self.pass_distance(state.table.hand)) % SEATS;
        let received = if state.table.phase == Phase::Pass { 0 } else { state.passed[source] };
        (state.hands[seat], state.passed[seat], received)
    }
}
