//! Sueca: four players in two teams, ten cards each, trump fixed by one card of the dealer's hand
//! (thesis 002, section 3.2).

mod belief;
mod encoder;
mod notation;
mod scene;
mod scoring;
mod symmetry;
mod worlds;

use meeple_core::bits::{elements, random_bit};
use meeple_core::game::Named;
use meeple_core::rng::mix;
use meeple_core::{
    Belief, Encoder, Fact, FromRules, Game, GameInfo, Information, Margins, Notation, Outcome, PayoffSum, Payoffs,
    Player, Rng, RuleError, RuleReader, Scenery, Symmetries, Team, Turn,
};

use crate::cards::{Card, suit_mask};
use crate::tricks::{self, NO_CARD, Pack, SEATS, Table, complexity, picture};

pub use belief::FromPlay;
pub use worlds::SuecaWorlds;

/// Ranks from the strongest to the weakest.
const RANK_ORDER: &str = "A7KJQ65432";

/// A hand without a trump and with fewer card points than this is weak.
const WEAK_POINTS: u32 = 10;

/// A match without a winner after this many hands for each game point needed ends by who has more;
/// only 60-60 hands can make it that long.
const HANDS_PER_GAME_POINT: usize = 4;

/// The rules that can be chosen.
#[derive(Clone, Debug)]
pub struct SuecaRules {
    /// Game points that win the match: 10 in tournaments, 4 for a rubber; 0: a single hand that
    /// card points decide. At most 50.
    pub to: usize,
    /// A deal that gives anybody fewer than 10 card points and no trump is dealt again.
    pub redeal_weak_hands: bool,
    /// After so many deals of one hand in vain it is played as it lies (so that every game ends).
    pub most_redeals: usize,
    /// Four game points need every trick, not just every card point.
    pub bandeira_needs_all_tricks: bool,
    /// After a 60-60 hand the next one that is decided counts double.
    pub tie_doubles_next: bool,
    /// The strongest so many ranks of each suit: 10, fewer in packs for tests.
    pub ranks: usize,
    /// The number of suits: 4, fewer in packs for tests.
    pub suits: usize,
}

impl Default for SuecaRules {
    fn default() -> SuecaRules {
        SuecaRules {
            to: 0,
            redeal_weak_hands: false,
            most_redeals: 10,
            bandeira_needs_all_tricks: false,
            tie_doubles_next: false,
            ranks: RANK_ORDER.len(),
            suits: 4,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Sueca {
    rules: SuecaRules,
    pack: Pack,
    /// Cards of a hand.
    hand_size: usize,
}

/// What everybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Public {
    pub table: Table,
    /// Cards dealt so far.
    pub dealt: u8,
    pub dealer: u8,
    /// Deals of this hand that were in vain.
    pub redeals: u8,
    /// Hands finished in this match.
    pub hands: u8,
    /// Game points of the match, by team.
    pub games: [u8; 2],
    /// Whether this hand counts double.
    pub doubled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hands: [u64; SEATS],
    public: Public,
}

/// A seat's own hand and what everybody knows.
pub type View = tricks::View<Public>;

impl Public {
    fn new_hand(dealer: Player) -> Public {
        Public {
            table: Table::new((dealer + 1) % SEATS),
            dealt: 0,
            dealer: dealer as u8,
            redeals: 0,
            hands: 0,
            games: [0; 2],
            doubled: false,
        }
    }

    /// The same match before the cards are dealt.
    fn dealt_by(&self, dealer: Player) -> Public {
        Public { hands: self.hands, games: self.games, doubled: self.doubled, ..Public::new_hand(dealer) }
    }
}

impl Sueca {
    /// Panics if the pack cannot be dealt evenly.
    pub fn new(rules: SuecaRules) -> Sueca {
        let pack = Pack::new(RANK_ORDER, rules.ranks, rules.suits);
        assert!(pack.size().is_multiple_of(SEATS), "every seat gets as many cards");
        assert!(rules.to <= 50 && rules.most_redeals <= 100, "the counters are small");
        let hand_size = pack.size() / SEATS;
        Sueca { rules, pack, hand_size }
    }

    pub fn rules(&self) -> &SuecaRules {
        &self.rules
    }

    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    fn hands_at_most(&self) -> usize {
        (HANDS_PER_GAME_POINT * self.rules.to).max(1)
    }

    fn is_weak(&self, hand: u64, trump: Card) -> bool {
        hand & suit_mask(trump.suit()) == 0 && self.pack.points_of(hand) < WEAK_POINTS
    }

    /// Whether hands as they were dealt are thrown together.
    fn is_dealt_again(&self, hands: &[u64; SEATS], public: &Public) -> bool {
        self.rules.redeal_weak_hands
            && usize::from(public.redeals) < self.rules.most_redeals
            && hands.iter().any(|&hand| self.is_weak(hand, public.table.trump))
    }

    fn turn_up(&self, state: &mut State, trump: Card) {
        state.public.table.trump = trump;
        state.public.table.trump_holder = Some(state.public.dealer);
        if self.is_dealt_again(&state.hands, &state.public) {
            let redeals = state.public.redeals + 1;
            let dealer = usize::from(state.public.dealer);
            *state = State { hands: [0; SEATS], public: Public { redeals, ..state.public.dealt_by(dealer) } };
        }
    }

    #[inline]
    fn play(&self, state: &mut State, card: Card) {
        let table = &mut state.public.table;
        state.hands[table.trick.mover(SEATS)] &= !card.bit();
        let trick_won = table.play(card, SEATS, true, &self.pack).is_some();
        if trick_won && table.completed() == self.hand_size {
            self.finish_hand(state);
        }
    }

    fn is_over(&self, public: &Public) -> bool {
        public.table.completed() == self.hand_size
    }

    /// Cards in a seat's hand.
    fn hand_count(&self, public: &Public, seat: Player) -> u32 {
        let dealt = (usize::from(public.dealt) + SEATS - 1 - seat) / SEATS;
        dealt as u32 - public.table.played[seat].count_ones()
    }
}

impl Default for Sueca {
    fn default() -> Sueca {
        Sueca::new(SuecaRules::default())
    }
}

impl FromRules for Sueca {
    fn from_rules(rules: &mut RuleReader) -> Result<Self, RuleError> {
        let default = SuecaRules::default();
        let to = rules.integer(
            "to",
            "game points that win the match (tournament 10, rubber 4); 0: one hand",
            0..=50,
            default.to,
        )?;
        let redeal_weak_hands = rules.flag(
            "redeal_weak_hands",
            "deal again if a hand has fewer than 10 card points and no trump",
            false,
        )?;
        let bandeira_needs_all_tricks = rules.flag(
            "bandeira_needs_all_tricks",
            "four game points need every trick, not just all 120 card points",
            false,
        )?;
        let tie_doubles_next =
            rules.flag("tie_doubles_next", "after 60-60 the next decided hand counts double", false)?;
        if to == 0 && tie_doubles_next {
            return Err(RuleError("tie_doubles_next needs a next hand: play a match, for example to=10".to_string()));
        }
        Ok(Sueca::new(SuecaRules { to, redeal_weak_hands, bandeira_needs_all_tricks, tie_doubles_next, ..default }))
    }
}

impl Margins<Sueca> for Sueca {
    fn difference(&self, _: &Sueca, state: &State) -> Payoffs {
        tricks::margins::difference(SEATS, self.scores(&state.public))
    }

    fn largest(&self, _: &Sueca) -> f32 {
        match self.rules.to {
            0 => self.pack.points_of(self.pack.cards) as f32,
            to => (to + 2 * 4 - 1) as f32, // the last hand may count twice
        }
    }

    fn steps(&self, _: &Sueca, state: &State) -> Payoffs {
        self.difference(self, state).map(|difference| tricks::margins::step(difference, self.largest(self)))
    }
}

impl Game for Sueca {
    type State = State;
    type Action = Card;
    type View = View;
    type Worlds = SuecaWorlds;

    fn info(&self) -> GameInfo {
        let deals = if self.rules.redeal_weak_hands { self.rules.most_redeals + 1 } else { 1 };
        GameInfo {
            name: "sueca",
            version: 1,
            players: SEATS,
            teams: 2,
            longest_game: self.hands_at_most() * (deals * (self.pack.size() + 1) + self.pack.size()),
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Hidden,
            chance: true,
        }
    }

    /// Seat 3 deals, so seat 0 leads.
    fn initial_state(&self) -> State {
        State { hands: [0; SEATS], public: Public::new_hand(SEATS - 1) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.public.table.trump == NO_CARD {
            Turn::Chance
        } else if self.is_over(&state.public) {
            Turn::Over
        } else {
            Turn::Player(state.public.table.trick.mover(SEATS))
        }
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<Card>) {
        let trick = &state.public.table.trick;
        out.clear();
        out.extend(elements(trick.legal(state.hands[trick.mover(SEATS)], true)).map(|bit| Card(bit as u8)));
    }

    #[inline]
    fn apply(&self, state: &mut State, card: Card) {
        if state.public.table.trump != NO_CARD {
            self.play(state, card);
        } else if usize::from(state.public.dealt) < self.pack.size() {
            state.hands[usize::from(state.public.dealt) % SEATS] |= card.bit();
            state.public.dealt += 1;
        } else {
            self.turn_up(state, card);
        }
    }

    #[inline]
    fn payoffs(&self, state: &State) -> Payoffs {
        tricks::payoffs(SEATS, self.scores(&state.public))
    }

    fn outcome(&self, state: &State) -> Outcome {
        tricks::outcome(SEATS, self.scores(&state.public), self.reason(&state.public))
    }

    fn team(&self, player: Player) -> Team {
        tricks::team(player)
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Card, u32)>) {
        let dealt = state.hands.iter().fold(0, |cards, hand| cards | hand);
        let possible = if dealt != self.pack.cards {
            self.pack.cards & !dealt
        } else {
            state.hands[usize::from(state.public.dealer)]
        };
        out.clear();
        out.extend(elements(possible).map(|bit| (Card(bit as u8), 1)));
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        View { viewer, hand: viewer.map_or(0, |seat| state.hands[seat]), public: state.public }
    }

    fn worlds(&self, view: &View) -> SuecaWorlds {
        SuecaWorlds::prepare(self, view).expect("a view of this game allows a world")
    }

    #[inline]
    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        let public = &state.public;
        let counters = [public.dealt, public.dealer, public.redeals, public.hands, public.games[0], public.games[1]];
        let counters = counters.iter().fold(u64::from(public.doubled), |key, &count| key << 8 | u64::from(count));
        let hand = viewer.map_or(0, |seat| state.hands[seat]);
        let seat = viewer.map_or(SEATS, |seat| seat) as u64;
        mix(mix(public.table.key() ^ hand) ^ counters << 3 ^ seat)
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Card>) {
        out.clear();
        out.extend(elements(view.public.table.trick.legal(view.hand, true)).map(|bit| Card(bit as u8)));
    }

    #[inline]
    fn action_code(&self, card: Card) -> u32 {
        u32::from(card.0)
    }

    fn action_from_code(&self, code: u32) -> Card {
        Card(code as u8)
    }

    fn action_text(&self, _: &State, card: Card) -> String {
        self.pack.ranks.text(card)
    }

    fn render(&self, view: &View) -> String {
        let public = &view.public;
        let mut lines = vec![picture::table(&self.pack, &public.table, SEATS)];
        if self.rules.to > 0 {
            let [first, second] = public.games;
            let doubled = if public.doubled { ", this hand counts double" } else { "" };
            lines.push(format!("match to {}: {first} to {second}{doubled}", self.rules.to));
        }
        lines.push(picture::hand(&self.pack, view.viewer, view.hand));
        lines.push(if public.table.trump == NO_CARD {
            format!("seat {} deals", public.dealer)
        } else if self.is_over(public) {
            "over".to_string()
        } else {
            format!("seat {} to move", public.table.trick.mover(SEATS))
        });
        lines.join("\n")
    }

    #[inline]
    fn random_action(&self, state: &State, _: &mut Vec<Card>, rng: &mut Rng) -> Card {
        let trick = &state.public.table.trick;
        Card(random_bit(trick.legal(state.hands[trick.mover(SEATS)], true), rng) as u8)
    }

    /// A whole deal at once.
    fn play_chance(&self, state: &mut State, rng: &mut Rng) {
        if state.public.dealt != 0 {
            let action = self.sample_chance(state, rng);
            return self.apply(state, action);
        }
        let cards = self.pack.shuffled(self.pack.size() - self.hand_size, rng);
        for (hand, dealt) in state.hands.iter_mut().zip(cards.chunks(self.hand_size)) {
            *hand = dealt.iter().fold(0, |hand, card| hand | card.bit());
        }
        state.public.dealt = self.pack.size() as u8;
        let trump = random_bit(state.hands[usize::from(state.public.dealer)], rng);
        self.turn_up(state, Card(trump as u8));
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    /// The turned-up card and the play.
    fn is_public(&self, state: &State, _: Card) -> bool {
        usize::from(state.public.dealt) == self.pack.size()
    }

    fn margins(&self) -> Option<&dyn Margins<Self>> {
        Some(self)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(encoder::Cards::new(self))]
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }

    fn beliefs(&self) -> Vec<Named<dyn Belief<Self>>> {
        vec![("play", Box::new(FromPlay))]
    }

    /// Thesis 002, tables 5.1 and 5.2.
    fn facts(&self) -> Vec<Fact> {
        complexity::facts(SEATS, self.hand_size, self.pack.size())
    }
}
