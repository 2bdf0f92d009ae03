//! Just 4 Fun: cards are played for their sum, a stone goes to the field of that value, four
//! majorities in a line win (thesis 000, chapter 3).

mod board;
mod cards;
mod check;
mod coarse;
mod encoder;
mod facts;
mod hidden;
mod notation;
mod parse;
mod reach;
mod render;
mod scene;
mod state;
mod suites;
mod symmetry;
mod threats;
mod view;
mod worlds;

use meeple_core::bits::{elements, random_bit};
use meeple_core::{
    ActionGroups, Encoder, Fact, FromRules, Game, GameInfo, Information, MAX_PLAYERS, Notation, Outcome, PayoffSum,
    Payoffs, Player, Rng, RuleError, RuleReader, Scenery, Suite, Symmetries, Turn,
};

pub use board::{FIELDS, Layout, SIDE};
pub use cards::{Cards, HAND, HIGHEST_CARD, Multiset};
pub use state::State;
pub use view::View;
pub use worlds::Just4FunWorlds;

use board::{Plane, SEATS, Stones, UNPLACED};
use cards::{DECK, FRESH, Hand};
use state::{MOST_REDRAWS, PILE, Phase, placed_squares};

/// The parameters of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Just4FunRules {
    /// 2 to 4.
    pub players: usize,
    pub board: Layout,
    /// Whether a player may add stones to a field that is secured already. Thesis 000, equation
    /// 5.13, says no, its prose does not say.
    pub own_secured_open: bool,
    /// Whether the others see only the field and the number of cards of a play, as on Yucata with
    /// more than two players (thesis 000, appendix A). Hands that are redrawn are shown.
    pub hidden_discards: bool,
    /// Whether the others' stones on a field go back to their owners when it is secured, as the
    /// printed rules say.
    pub return_stones: bool,
    /// Who begins.
    pub first_player: Player,
    /// All 55 cards, or fewer for small variants.
    pub deck: Multiset,
    /// Cards in a hand, 1 to 4; 4 in the real game.
    pub hand_size: usize,
    /// Stones of each player, 1 to 20; 20 in the real game.
    pub stones: u8,
}

impl Default for Just4FunRules {
    fn default() -> Just4FunRules {
        Just4FunRules {
            players: 2,
            board: Layout::Original,
            own_secured_open: false,
            hidden_discards: false,
            return_stones: false,
            first_player: 0,
            deck: Multiset::FULL,
            hand_size: HAND,
            stones: 20,
        }
    }
}

/// The game with its parameters.
#[derive(Clone, Debug)]
pub struct Just4Fun {
    rules: Just4FunRules,
    /// Where the fields lie; nowhere yet if that is drawn per game.
    squares: [u8; FIELDS],
    /// The number of hands that reach each field.
    reaching: [u64; FIELDS],
    /// Bit v is set if some hand reaches the field of value v.
    reachable: u64,
}

impl Default for Just4Fun {
    fn default() -> Just4Fun {
        Just4Fun::new(Just4FunRules::default()).expect("the default rules are possible")
    }
}

impl Just4Fun {
    /// Refuses impossible combinations of parameters.
    pub fn new(rules: Just4FunRules) -> Result<Just4Fun, RuleError> {
        let refuse = |message: String| Err(RuleError(message));
        if !(2..=SEATS).contains(&rules.players) {
            return refuse(format!("players={}: must be 2, 3 or 4", rules.players));
        }
        if rules.first_player >= rules.players {
            return refuse(format!(
                "first_player={}: with {} players the last seat is {}",
                rules.first_player,
                rules.players,
                rules.players - 1
            ));
        }
        if rules.hidden_discards && rules.players == 2 {
            return refuse("hidden_discards=true: needs more than two players".to_string());
        }
        if !(1..=HAND).contains(&rules.hand_size) || !(1..=20).contains(&rules.stones) {
            return refuse("a hand has 1 to 4 cards, a player 1 to 20 stones".to_string());
        }
        let dealt = rules.players * rules.hand_size;
        let stock = rules.deck.len().saturating_sub(dealt);
        if stock == 0 || stock + rules.hand_size > PILE {
            return refuse(format!(
                "{} cards do not suit {} players with {} each",
                rules.deck.len(),
                rules.players,
                rules.hand_size
            ));
        }
        let squares = rules.board.squares();
        let reaching = facts::reachability(&rules);
        let reachable = reaching.iter().zip(1..).fold(0, |set, (&hands, value)| set | u64::from(hands > 0) << value);
        Ok(Just4Fun { rules, squares, reaching, reachable })
    }

    pub fn rules(&self) -> &Just4FunRules {
        &self.rules
    }

    fn shuffled(&self, state: &mut State, rng: &mut Rng) -> ([u8; DECK], usize) {
        let mut cards = [0; DECK];
        let mut len = 0;
        for value in state.pile.values() {
            cards[len] = value;
            len += 1;
        }
        rng.shuffle(&mut cards[..len]);
        state.pile = Multiset::default();
        (cards, len)
    }
}

impl FromRules for Just4Fun {
    fn from_rules(rules: &mut RuleReader) -> Result<Self, RuleError> {
        let layouts = [("original", Layout::Original), ("ordered", Layout::Ordered), ("random", Layout::Random)];
        Just4Fun::new(Just4FunRules {
            players: rules.integer("players", "number of players", 2..=SEATS, 2)?,
            board: rules.choice("board", "how the values lie; random: drawn per game", &layouts, "original")?,
            own_secured_open: rules.flag(
                "own_secured_open",
                "whether one may add to a field one has secured",
                false,
            )?,
            hidden_discards: rules.flag(
                "hidden_discards",
                "whether played cards stay hidden (3 or 4 players)",
                false,
            )?,
            return_stones: rules.flag("return_stones", "whether stones go home when a field is secured", false)?,
            first_player: rules.integer("first_player", "the seat that begins", 0..=SEATS - 1, 0)?,
            ..Just4FunRules::default()
        })
    }
}

impl Game for Just4Fun {
    type State = State;
    type Action = Cards;
    type View = View;
    type Worlds = Just4FunWorlds;

    fn info(&self) -> GameInfo {
        let rules = &self.rules;
        let stones = usize::from(rules.stones) * rules.players;
        // A field is secured once at most and then sends home fewer stones than the others have.
        let returned = if rules.return_stones { FIELDS * usize::from(rules.stones) * (rules.players - 1) } else { 0 };
        let turns = (stones + returned) * (1 + usize::from(MOST_REDRAWS));
        GameInfo {
            name: "just4fun",
            version: 1,
            players: rules.players,
            teams: rules.players,
            longest_game: FIELDS + DECK + stones + returned + turns * rules.hand_size,
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Hidden,
            chance: true,
        }
    }

    fn initial_state(&self) -> State {
        let mut open = [Plane::default(); SEATS];
        for plane in &mut open[..self.rules.players] {
            (0..FIELDS).for_each(|field| plane.set(field, true));
        }
        let mut supply = [0; SEATS];
        supply[..self.rules.players].fill(self.rules.stones);
        State {
            stones: Stones::default(),
            pile: self.rules.deck,
            cards: [0; PILE],
            squares: self.squares,
            hands: [Hand::default(); SEATS],
            open,
            holders: [Plane::default(); 3],
            supply,
            phase: if self.rules.board == Layout::Random { Phase::Board } else { Phase::Deal },
            // The turn passes from the last player to the first one when the stock is ready.
            mover: ((self.rules.first_player + self.rules.players - 1) % self.rules.players) as u8,
            stock: 0,
            discards: 0,
            redraws: 0,
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Play => Turn::Player(state.mover()),
            Phase::Board | Phase::Deal | Phase::Shuffle => Turn::Chance,
            Phase::Pattern | Phase::Scored => Turn::Over,
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Cards>) {
        let hand = state.hands[state.mover()];
        out.clear();
        out.extend(
            elements(u64::from(hand.playable(state.open_values(state.mover())))).map(|subset| hand.subset(subset)),
        );
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Cards) {
        if state.phase != Phase::Play {
            return self.apply_chance(state, action.single());
        }
        let mover = state.mover();
        state.hands[mover].take(action);
        if self.rules.hidden_discards {
            state.push_hidden_play(mover, action);
        } else {
            state.pile.add_all(action.values());
        }
        self.place_stone(state, usize::from(action.sum()) - 1);
        if state.phase == Phase::Play {
            self.finish_turn(state);
        } else {
            state.hands[mover].sort();
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        match self.winner(state) {
            Some((winner, _)) => self.payoffs_of(winner),
            None => [0.0; MAX_PLAYERS],
        }
    }

    fn outcome(&self, state: &State) -> Outcome {
        let mut scores = [0.0; MAX_PLAYERS];
        for player in 0..self.rules.players {
            scores[player] = state.points(player).0 as f32;
        }
        let reason = self.winner(state).map_or("draw", |(_, reason)| reason);
        Outcome { payoffs: self.payoffs(state), scores, reason }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Cards, u32)>) {
        out.clear();
        if state.phase == Phase::Board {
            let free = (0..FIELDS).filter(|&field| state.squares[field] == UNPLACED);
            out.extend(free.map(|field| (Cards::one(field as u8 + 1), 1)));
        } else {
            let cards = (1..=HIGHEST_CARD).map(|value| (Cards::one(value), state.pile.count(value)));
            out.extend(cards.filter(|&(_, count)| count > 0));
        }
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Cards {
        if state.phase == Phase::Board {
            let free = (0..FIELDS).filter(|&field| state.squares[field] == UNPLACED);
            return Cards::one(random_bit(free.fold(0, |set, field| set | 1 << (field + 1)), rng) as u8);
        }
        Cards::one(Multiset::value_of_bit(random_bit(state.pile.bits(), rng)))
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        self.view_of(state, viewer)
    }

    fn worlds(&self, view: &View) -> Just4FunWorlds {
        Just4FunWorlds::prepare(self, view)
    }

    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        self.key_of(state, viewer)
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Cards>) {
        self.legal_actions(&view.shown, out);
    }

    fn action_code(&self, action: Cards) -> u32 {
        action.code()
    }

    fn action_from_code(&self, code: u32) -> Cards {
        Cards::from_code(code)
    }

    fn action_text(&self, _: &State, action: Cards) -> String {
        let values: Vec<String> = action.values().map(|value| value.to_string()).collect();
        values.join("+")
    }

    fn render(&self, view: &View) -> String {
        render::render(self, view)
    }

    #[inline]
    fn random_action(&self, state: &State, _: &mut Vec<Cards>, rng: &mut Rng) -> Cards {
        let hand = state.hands[state.mover()];
        let playable = hand.playable(state.open_values(state.mover()));
        hand.subset(random_bit(u64::from(playable), rng))
    }

    /// Everything that is pending: the board, the deal, the order of the stock.
    fn play_chance(&self, state: &mut State, rng: &mut Rng) {
        if state.phase == Phase::Board {
            draw_board(state, rng);
            state.phase = Phase::Deal;
        }
        let dealing = state.phase == Phase::Deal;
        let (cards, len) = self.shuffled(state, rng);
        let mut left = len;
        if dealing {
            let dealt: usize = state.hands.iter().map(|hand| hand.len()).sum();
            for number in dealt..self.rules.players * self.rules.hand_size {
                left -= 1;
                state.hands[number % self.rules.players].add(cards[left], FRESH);
            }
            state.stock = left as u8;
        }
        state.cards[..left].copy_from_slice(&cards[..left]);
        self.finish_turn(state);
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    /// The board that is drawn; plays, unless only their sums are seen.
    fn is_public(&self, state: &State, _: Cards) -> bool {
        match state.phase {
            Phase::Board => true,
            Phase::Play => !self.rules.hidden_discards,
            _ => false,
        }
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        encoder::encoders(self)
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        (self.rules.board == Layout::Random).then_some(self)
    }

    fn facts(&self) -> Vec<Fact> {
        facts::facts(self)
    }

    fn suites(&self) -> Vec<Suite<Self>> {
        suites::suites(self)
    }

    fn action_groups(&self) -> Option<&dyn ActionGroups<Self>> {
        Some(self)
    }

    fn coarse_keys(&self) -> &'static [&'static str] {
        coarse::COARSE_KEYS
    }

    fn coarse_key(&self, number: usize, state: &State, viewer: Player) -> u64 {
        self.coarse_key_of(number, state, viewer)
    }
}

/// Values for the squares that have none yet.
fn draw_board(state: &mut State, rng: &mut Rng) {
    let mut free = [0u8; FIELDS];
    let placed = placed_squares(state);
    let unplaced = (0..FIELDS).filter(|&field| state.squares[field] == UNPLACED);
    unplaced.enumerate().for_each(|(i, field)| free[i] = field as u8);
    rng.shuffle(&mut free[..FIELDS - placed]);
    for (i, &field) in free[..FIELDS - placed].iter().enumerate() {
        state.squares[usize::from(field)] = (placed + i) as u8;
    }
}

impl Just4Fun {
    /// The winner and why; nobody if no player holds a field. Ties in points go to the highest
    /// field among those tied; it cannot be shared.
    fn winner(&self, state: &State) -> Option<(Player, &'static str)> {
        if state.phase == Phase::Pattern {
            return Some((state.mover(), "pattern"));
        }
        let standings: [(u32, u8); SEATS] =
            std::array::from_fn(|player| if player < self.rules.players { state.points(player) } else { (0, 0) });
        let winner = (0..SEATS).max_by_key(|&player| standings[player])?;
        let points = standings[winner].0;
        let tied = standings.iter().filter(|standing| standing.0 == points).count() > 1;
        (points > 0).then_some((winner, if tied { "max field" } else { "points" }))
    }

    fn payoffs_of(&self, winner: Player) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[..self.rules.players].fill(-1.0 / (self.rules.players as f32 - 1.0));
        payoffs[winner] = 1.0;
        payoffs
    }
}
