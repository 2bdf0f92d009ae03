//! Bisca: a hand is refilled from the stock after every trick; suits must be followed only once
//! the stock is empty (thesis 002, section 3.3). With three cards and without that duty it is
//! Briscola.

mod encoder;
mod notation;
mod scene;
mod symmetry;
mod worlds;

use meeple_core::bits::{elements, random_bit};
use meeple_core::rng::mix;
use meeple_core::{
    Encoder, Fact, FromRules, Game, GameInfo, Information, Margins, Notation, Outcome, PayoffSum, Payoffs, Player, Rng,
    RuleError, RuleReader, Scenery, Symmetries, Team, Turn,
};

use crate::cards::Card;
use crate::tricks::{self, NO_CARD, Pack, SEATS, Table, complexity, picture};

pub use worlds::BiscaWorlds;

/// Two players with one card each leave the most.
const MOST_STOCK: usize = 38;

/// Which ranks there are and which is stronger. Card points go with the strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankOrder {
    /// `A7KJQ65432`
    Portuguese,
    /// `A3KQJ76542`
    Italian,
}

impl RankOrder {
    /// From the strongest to the weakest.
    const fn text(self) -> &'static str {
        match self {
            RankOrder::Portuguese => "A7KJQ65432",
            RankOrder::Italian => "A3KQJ76542",
        }
    }
}

/// The rules that can be chosen.
#[derive(Clone, Debug)]
pub struct BiscaRules {
    /// 2, or 4 in two teams.
    pub players: usize,
    /// Cards of a hand while there is a stock: 9 for two players, 6 for four; 3 in Briscola. The
    /// stock must have at least one card for each player.
    pub hand_size: usize,
    /// Whether suits must be followed once the stock is empty.
    pub follow_after_stock: bool,
    pub rank_order: RankOrder,
    /// The strongest so many ranks of each suit: 10, fewer in packs for tests.
    pub ranks: usize,
    /// The number of suits: 4, fewer in packs for tests.
    pub suits: usize,
}

impl Default for BiscaRules {
    fn default() -> BiscaRules {
        BiscaRules {
            players: 2,
            hand_size: 9,
            follow_after_stock: true,
            rank_order: RankOrder::Portuguese,
            ranks: 10,
            suits: 4,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Bisca {
    rules: BiscaRules,
    pack: Pack,
    /// Cards of the whole stock.
    stock_size: usize,
    /// Tricks after which cards are drawn.
    drawing_tricks: usize,
    all_tricks: usize,
}

/// What everybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Public {
    pub table: Table,
    /// Cards dealt so far, those of the stock included.
    pub dealt: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hands: [u64; SEATS],
    /// In the order of drawing; [`NO_CARD`] where a card has been drawn or none lies yet.
    stock: [Card; MOST_STOCK],
    public: Public,
}

/// A seat's own hand and what everybody knows.
pub type View = tricks::View<Public>;

impl Bisca {
    /// Panics if the cards cannot be dealt like this; see [`BiscaRules::hand_size`].
    pub fn new(rules: BiscaRules) -> Bisca {
        let pack = Pack::new(rules.rank_order.text(), rules.ranks, rules.suits);
        let players = rules.players;
        assert!(players == 2 || players == 4, "two players, or four in two teams");
        assert!(rules.hand_size >= 1 && (rules.hand_size + 1) * players <= pack.size(), "a hand and a stock for all");
        assert!(pack.size().is_multiple_of(players), "every seat draws as many cards");
        let stock_size = pack.size() - players * rules.hand_size;
        Bisca { stock_size, drawing_tricks: stock_size / players, all_tricks: pack.size() / players, rules, pack }
    }

    pub fn rules(&self) -> &BiscaRules {
        &self.rules
    }

    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// Cards left in the stock, the turned-up trump included.
    pub fn stock_left(&self, public: &Public) -> usize {
        let in_hands = self.rules.players * self.rules.hand_size;
        usize::from(public.dealt).saturating_sub(in_hands) - self.drawn(public)
    }

    fn drawn(&self, public: &Public) -> usize {
        public.table.completed().min(self.drawing_tricks) * self.rules.players
    }

    fn must_follow(&self, public: &Public) -> bool {
        self.rules.follow_after_stock && public.table.completed() >= self.drawing_tricks
    }

    fn is_over(&self, public: &Public) -> bool {
        public.table.completed() == self.all_tricks
    }

    #[inline]
    fn legal(&self, hand: u64, public: &Public) -> u64 {
        public.table.trick.legal(hand, self.must_follow(public))
    }

    /// Cards in a seat's hand.
    fn hand_count(&self, public: &Public, seat: Player) -> u32 {
        let players = self.rules.players;
        let dealt = usize::from(public.dealt).min(players * self.rules.hand_size);
        let held = (dealt + players - 1 - seat) / players + self.drawn(public) / players;
        held as u32 - public.table.played[seat].count_ones()
    }

    /// The first cards go round the table, the others make up the stock; the last one is trump.
    fn deal(&self, state: &mut State, card: Card) {
        let number = usize::from(state.public.dealt);
        let in_hands = self.rules.players * self.rules.hand_size;
        if number < in_hands {
            state.hands[number % self.rules.players] |= card.bit();
        } else {
            state.stock[number - in_hands] = card;
        }
        state.public.dealt += 1;
        if usize::from(state.public.dealt) == self.pack.size() {
            state.public.table.trump = card;
        }
    }

    #[inline]
    fn play(&self, state: &mut State, card: Card) {
        let players = self.rules.players;
        let must_follow = self.must_follow(&state.public);
        let table = &mut state.public.table;
        state.hands[table.trick.mover(players)] &= !card.bit();
        if let Some(winner) = table.play(card, players, must_follow, &self.pack)
            && table.completed() <= self.drawing_tricks
        {
            self.draw(state, winner);
        }
    }

    /// One card for everybody, the winner first.
    #[inline]
    fn draw(&self, state: &mut State, winner: Player) {
        let players = self.rules.players;
        let drawn = (state.public.table.completed() - 1) * players;
        for place in 0..players {
            let seat = (winner + place) & (players - 1);
            let card = std::mem::replace(&mut state.stock[drawn + place], NO_CARD);
            state.hands[seat] |= card.bit();
        }
        if drawn + players == self.stock_size {
            state.public.table.trump_holder = Some(((winner + players - 1) & (players - 1)) as u8);
        }
    }
}

impl Default for Bisca {
    fn default() -> Bisca {
        Bisca::new(BiscaRules::default())
    }
}

impl FromRules for Bisca {
    fn from_rules(rules: &mut RuleReader) -> Result<Self, RuleError> {
        let players = rules.choice("players", "two, or four in two teams", &[("2", 2), ("4", 4)], "2")?;
        let (most, usual) = if players == 2 { (19, 9) } else { (9, 6) };
        let hand_size = rules.integer(
            "hand_size",
            "cards of a hand: 9 for two players, 6 for four; 3 in Briscola",
            1..=most,
            usual,
        )?;
        let follow_after_stock =
            rules.flag("follow_after_stock", "suits must be followed once the stock is empty", true)?;
        let orders = [RankOrder::Portuguese, RankOrder::Italian].map(|order| (order.text(), order));
        let rank_order = rules.choice("rank_order", "ranks from the strongest", &orders, orders[0].0)?;
        Ok(Bisca::new(BiscaRules { players, hand_size, follow_after_stock, rank_order, ..BiscaRules::default() }))
    }
}

impl Margins<Bisca> for Bisca {
    fn difference(&self, _: &Bisca, state: &State) -> Payoffs {
        tricks::margins::difference(self.rules.players, state.public.table.points)
    }

    fn largest(&self, _: &Bisca) -> f32 {
        self.pack.points_of(self.pack.cards) as f32
    }

    fn steps(&self, _: &Bisca, state: &State) -> Payoffs {
        self.difference(self, state).map(|difference| tricks::margins::step(difference, self.largest(self)))
    }
}

impl Game for Bisca {
    type State = State;
    type Action = Card;
    type View = View;
    type Worlds = BiscaWorlds;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "bisca",
            version: 1,
            players: self.rules.players,
            teams: 2,
            longest_game: 2 * self.pack.size(),
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Hidden,
            chance: true,
        }
    }

    /// The last seat deals, so seat 0 leads.
    fn initial_state(&self) -> State {
        State { hands: [0; SEATS], stock: [NO_CARD; MOST_STOCK], public: Public { table: Table::new(0), dealt: 0 } }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.public.table.trump == NO_CARD {
            Turn::Chance
        } else if self.is_over(&state.public) {
            Turn::Over
        } else {
            Turn::Player(state.public.table.trick.mover(self.rules.players))
        }
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<Card>) {
        let hand = state.hands[state.public.table.trick.mover(self.rules.players)];
        out.clear();
        out.extend(elements(self.legal(hand, &state.public)).map(|bit| Card(bit as u8)));
    }

    #[inline]
    fn apply(&self, state: &mut State, card: Card) {
        if state.public.table.trump == NO_CARD {
            self.deal(state, card);
        } else {
            self.play(state, card);
        }
    }

    #[inline]
    fn payoffs(&self, state: &State) -> Payoffs {
        tricks::payoffs(self.rules.players, state.public.table.points)
    }

    fn outcome(&self, state: &State) -> Outcome {
        let points = state.public.table.points;
        let reason = if points[0] == points[1] { "tie" } else { "card points" };
        tricks::outcome(self.rules.players, points, reason)
    }

    fn team(&self, player: Player) -> Team {
        tricks::team(player)
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Card, u32)>) {
        let in_stock = state.stock.iter().filter(|&&card| card != NO_CARD).fold(0, |cards, card| cards | card.bit());
        let dealt = state.hands.iter().fold(in_stock, |cards, hand| cards | hand);
        out.clear();
        out.extend(elements(self.pack.cards & !dealt).map(|bit| (Card(bit as u8), 1)));
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        View { viewer, hand: viewer.map_or(0, |seat| state.hands[seat]), public: state.public }
    }

    fn worlds(&self, view: &View) -> BiscaWorlds {
        BiscaWorlds::prepare(self, view).expect("a view of this game allows a world")
    }

    #[inline]
    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        let hand = viewer.map_or(0, |seat| state.hands[seat]);
        let seat = viewer.unwrap_or(SEATS) as u64;
        mix(mix(state.public.table.key() ^ hand) ^ u64::from(state.public.dealt) << 3 ^ seat)
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Card>) {
        out.clear();
        out.extend(elements(self.legal(view.hand, &view.public)).map(|bit| Card(bit as u8)));
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
        let (public, players) = (&view.public, self.rules.players);
        let next = if public.table.trump == NO_CARD {
            "the cards are dealt".to_string()
        } else if self.is_over(public) {
            "over".to_string()
        } else {
            format!("seat {} to move", public.table.trick.mover(players))
        };
        [
            picture::table(&self.pack, &public.table, players),
            format!("stock: {} cards", self.stock_left(public)),
            picture::hand(&self.pack, view.viewer, view.hand),
            next,
        ]
        .join("\n")
    }

    #[inline]
    fn random_action(&self, state: &State, _: &mut Vec<Card>, rng: &mut Rng) -> Card {
        let hand = state.hands[state.public.table.trick.mover(self.rules.players)];
        Card(random_bit(self.legal(hand, &state.public), rng) as u8)
    }

    /// A whole deal at once.
    fn play_chance(&self, state: &mut State, rng: &mut Rng) {
        if state.public.dealt != 0 {
            let action = self.sample_chance(state, rng);
            return self.apply(state, action);
        }
        let size = self.pack.size();
        let cards = self.pack.shuffled(size, rng);
        let (in_hands, stock) = cards[..size].split_at(size - self.stock_size);
        for (hand, dealt) in state.hands.iter_mut().zip(in_hands.chunks(self.rules.hand_size)) {
            *hand = dealt.iter().fold(0, |hand, card| hand | card.bit());
        }
        state.stock[..self.stock_size].copy_from_slice(stock);
        state.public.dealt = size as u8;
        state.public.table.trump = cards[size - 1];
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    /// The last card that is dealt, which is trump, and the play.
    fn is_public(&self, state: &State, _: Card) -> bool {
        usize::from(state.public.dealt) + 1 >= self.pack.size()
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

    /// Thesis 002, tables 5.1 and 5.2.
    fn facts(&self) -> Vec<Fact> {
        complexity::facts(self.rules.players, self.rules.hand_size, self.pack.size())
    }
}
