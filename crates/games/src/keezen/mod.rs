//! Keezen: four players in two teams bring marbles home with playing cards. Rules of thesis 003,
//! chapter 3. Its relatives Tock, Dog and Sorry! are in [`relatives`].

mod action;
mod behaviours;
mod board;
mod encoder;
mod holdings;
mod moves;
mod notation;
mod ranks;
pub mod relatives;
mod render;
mod scene;
pub mod script;
mod state;
mod words;
mod worlds;

use meeple_core::game::Named;
use meeple_core::{
    Behaviour, Encoder, Fact, FromRules, Game, GameInfo, Information, Notation, NotationError, Outcome, PayoffSum,
    Payoffs, Player, Rng, RuleError, RuleReader, Scenery, Script, Team, Turn,
};

pub use action::Action;
pub use state::{State, View};
pub use worlds::KeezenWorlds;

use board::{Board, WAITING};
use holdings::{Holdings, SEATS};
use ranks::Cards;
use relatives::Variant;
use script::RuleBased;
use state::{CHANCE, LATER, NOBODY, OVER, Table};

/// The rules with their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keezen {
    /// Whether a jack may swap a marble away from its own start field. The national rules forbid
    /// it, some tournaments do not.
    pub jack_own_start: bool,
    /// Who deals the first round; `None`: chance decides.
    pub first_dealer: Option<Player>,
    /// Moves after which the game is a draw, throws included. Random games take about 380.
    pub move_limit: u16,
    /// The deck and the first position.
    pub setup: Setup,
}

impl Default for Keezen {
    fn default() -> Keezen {
        Keezen { jack_own_start: false, first_dealer: None, move_limit: 2000, setup: Setup::default() }
    }
}

/// What a game begins with: 52 cards in rounds of 5, 4 and 4, all marbles waiting, or something
/// smaller for examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    deck: Cards,
    /// Cards of a hand in each round of a stock; together they use up the deck.
    deal: [u8; LATER + 1],
    board: Board,
}

impl Default for Setup {
    fn default() -> Setup {
        let deck = (0..13).fold(Cards::NONE, |deck, rank| deck.with(rank, 4));
        Setup { deck, deal: [5, 4, 4], board: Board([[WAITING; 4]; SEATS]) }
    }
}

impl Setup {
    /// `cards` as in a hand of the notation, `marbles` as its first part. The hands of all rounds
    /// use up the deck; the last sizes may be 0.
    pub fn new(cards: &str, deal: [u8; 3], marbles: &str) -> Result<Setup, NotationError> {
        let deck = Cards::parse(cards, action::RANKS)?;
        let needed: u32 = deal.iter().map(|&size| 4 * u32::from(size)).sum();
        let ordered = deal[0] > 0 && (deal[1] > 0 || deal[2] == 0) && deal.iter().all(|&size| size <= 5);
        if needed != deck.count() || !ordered || deck.ranks().any(|rank| deck.count_of(rank) > 4) {
            return Err(NotationError::new(format!("the cards {cards} cannot be dealt in rounds of {deal:?}")));
        }
        let board = notation::parse_board(marbles)?;
        if board.winner().is_some() {
            return Err(NotationError::new("a game cannot begin with a team that has finished"));
        }
        Ok(Setup { deck, deal, board })
    }
}

impl Keezen {
    /// Every decision, in the order of thesis 003, table 4.1; the first two are never legal.
    pub fn actions() -> impl Iterator<Item = Action> {
        (0..action::ACTIONS as u16).map(Action)
    }

    /// The cards on the table, played or thrown since the shuffle.
    #[inline]
    fn played(&self, state: &State) -> Cards {
        if state.table.turn == CHANCE { Cards::NONE } else { self.setup.deck.minus(state.holdings.all()) }
    }

    fn rounds(&self) -> usize {
        self.setup.deal.iter().take_while(|&&size| size > 0).count()
    }

    /// The next seat with cards moves; if nobody has any, the next seat deals.
    #[inline]
    fn next_turn(&self, state: &mut State) {
        let seat = usize::from(state.table.turn);
        for offset in 1..=SEATS {
            let next = (seat + offset) % SEATS;
            if !state.holdings.hands[next].is_empty() {
                state.table.turn = next as u8;
                return;
            }
        }
        self.next_round(state);
    }

    fn next_round(&self, state: &mut State) {
        let table = &mut state.table;
        table.dealer = (table.dealer + 1) % SEATS as u8;
        table.round += 1;
        if usize::from(table.round) < self.rounds() {
            state.holdings.next_round();
            table.turn = (table.dealer + 1) % SEATS as u8;
        } else {
            table.round = 0;
            table.dealt = 0;
            table.turn = CHANCE;
        }
    }

    fn deal_card(&self, state: &mut State, rank: usize) {
        state.holdings.receive(usize::from(state.table.dealt), &self.setup.deal, rank);
        state.table.dealt += 1;
        if u32::from(state.table.dealt) == self.setup.deck.count() {
            state.table.turn = (state.table.dealer + 1) % SEATS as u8;
        }
    }
}

impl FromRules for Keezen {
    fn from_rules(rules: &mut RuleReader) -> Result<Keezen, RuleError> {
        let defaults = Keezen::default();
        if let Some(other) = variant(rules)? {
            return Err(RuleError(format!("{other:?} is one of the relatives, not Keezen itself")));
        }
        Ok(Keezen {
            jack_own_start: rules.flag(
                "jack_own_start",
                "whether a jack may swap a marble away from its own start field",
                defaults.jack_own_start,
            )?,
            first_dealer: first_dealer(rules)?,
            move_limit: rules.integer(
                "move_limit",
                "moves after which the game is a draw",
                1..=60_000,
                defaults.move_limit.into(),
            )? as u16,
            ..defaults
        })
    }
}

/// Which game of the family is played; `None` for Keezen.
fn variant(rules: &mut RuleReader) -> Result<Option<Variant>, RuleError> {
    let choices =
        [("keezen", None), ("tock", Some(Variant::Tock)), ("dog", Some(Variant::Dog)), ("sorry", Some(Variant::Sorry))];
    rules.choice("variant", "the game of the family that is played", &choices, "keezen")
}

fn first_dealer(rules: &mut RuleReader) -> Result<Option<Player>, RuleError> {
    let choices = [("random", None), ("0", Some(0)), ("1", Some(1)), ("2", Some(2)), ("3", Some(3))];
    rules.choice("first_dealer", "the seat that deals first", &choices, "random")
}

impl Game for Keezen {
    type State = State;
    type Action = Action;
    type View = View;
    type Worlds = KeezenWorlds;

    fn info(&self) -> GameInfo {
        // A stock lasts at least one move of each seat in each round.
        let stocks = usize::from(self.move_limit) / (SEATS * self.rounds()) + 1;
        GameInfo {
            name: "keezen",
            version: 1,
            players: SEATS,
            teams: 2,
            longest_game: usize::from(self.move_limit) + 1 + stocks * self.setup.deck.count() as usize,
            payoff_sum: PayoffSum::Constant(0.0),
            information: Information::Hidden,
            chance: true,
        }
    }

    fn initial_state(&self) -> State {
        let dealer = self.first_dealer.map_or(NOBODY, |seat| seat as u8);
        let table = Table { board: self.setup.board, moves: 0, dealer, round: 0, dealt: 0, turn: CHANCE };
        State { table, holdings: Holdings::EMPTY }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.table.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        let seat = usize::from(state.table.turn);
        moves::legal(self, &state.table, seat, state.holdings.hands[seat], out);
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        let seat = usize::from(state.table.turn);
        if seat == usize::from(CHANCE) {
            if state.table.dealer == NOBODY {
                state.table.dealer = action.seat() as u8;
            } else {
                self.deal_card(state, action.rank());
            }
            return;
        }
        match moves::play(&mut state.table, seat, action) {
            Some(rank) => state.holdings.hands[seat].remove(rank),
            None => state.holdings.hands[seat] = Cards::NONE,
        }
        state.table.moves += 1;
        if state.table.board.winner().is_some() || state.table.moves >= self.move_limit {
            state.table.turn = OVER;
        } else {
            self.next_turn(state);
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        match state.table.board.winner() {
            Some(0) => [1.0, -1.0, 1.0, -1.0, 0.0, 0.0],
            Some(_) => [-1.0, 1.0, -1.0, 1.0, 0.0, 0.0],
            None => [0.0; 6],
        }
    }

    /// The score is the number of marbles of the team in their lanes.
    fn outcome(&self, state: &State) -> Outcome {
        let board = &state.table.board;
        let mut scores = [0.0; 6];
        for seat in 0..SEATS {
            scores[seat] = (board.in_lane(seat) + board.in_lane(seat ^ 2)) as f32;
        }
        let reason = if state.table.board.winner().is_some() { "finished" } else { "move limit" };
        Outcome { payoffs: self.payoffs(state), scores, reason }
    }

    fn team(&self, player: Player) -> Team {
        player % 2
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Action, u32)>) {
        out.clear();
        if state.table.dealer == NOBODY {
            out.extend((0..SEATS).map(|seat| (Action::dealer(seat), 1)));
            return;
        }
        let stock = self.setup.deck.minus(state.holdings.all());
        out.extend(stock.ranks().map(|rank| (Action::card(rank), stock.count_of(rank))));
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Action {
        if state.table.dealer == NOBODY {
            return Action::dealer(rng.below(SEATS as u32) as usize);
        }
        let stock = self.setup.deck.minus(state.holdings.all());
        let mut left = rng.below(stock.count());
        for rank in stock.ranks() {
            if left < stock.count_of(rank) {
                return Action::card(rank);
            }
            left -= stock.count_of(rank);
        }
        unreachable!("the counts add up to their sum")
    }

    /// The dealer and all that is left of the deal at once.
    fn play_chance(&self, state: &mut State, rng: &mut Rng) {
        if state.table.dealer == NOBODY {
            state.table.dealer = rng.below(SEATS as u32) as u8;
        }
        worlds::deal_rest(self, state, rng);
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        worlds::view(self, state, viewer)
    }

    fn worlds(&self, view: &View) -> KeezenWorlds {
        KeezenWorlds::new(self, view)
    }

    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        worlds::key(self, state, viewer)
    }

    fn view_actions(&self, view: &View, out: &mut Vec<Action>) {
        let Turn::Player(seat) = view.table.turn() else { panic!("nobody is to move") };
        moves::legal(self, &view.table, seat, view.hand, out);
    }

    fn action_code(&self, action: Action) -> u32 {
        action.index() as u32
    }

    fn action_from_code(&self, code: u32) -> Action {
        Action(code as u16)
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        action.text()
    }

    fn render(&self, view: &View) -> String {
        render::render(view)
    }

    fn notation(&self) -> Option<&dyn Notation<Keezen>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Keezen>> {
        Some(self)
    }

    /// All but the deal.
    fn is_public(&self, state: &State, _: Action) -> bool {
        state.table.turn != CHANCE || state.table.dealer == NOBODY
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Keezen>>> {
        encoder::all()
    }

    fn facts(&self) -> Vec<Fact> {
        facts()
    }

    fn scripts(&self) -> Vec<Named<dyn Script<Keezen>>> {
        vec![("rule-based", Box::new(RuleBased::default()))]
    }

    fn behaviours(&self) -> Vec<Named<dyn Behaviour<Keezen>>> {
        behaviours::all()
    }
}

/// The characteristics of thesis 003, section 3.4.2, that follow from formulas.
fn facts() -> Vec<Fact> {
    let board = (72.0f64 * 71.0 * 70.0 * 69.0).powi(4);
    let cards = 6f64.powi(52);
    let choose_5 = |n: f64| n * (n - 1.0) * (n - 2.0) * (n - 3.0) * (n - 4.0) / 120.0;
    [
        ("fields", board::FIELDS as f64),
        ("marbles", 16.0),
        ("cards", 52.0),
        ("actions", action::ACTIONS as f64),
        ("actions that run", 40.0),
        ("actions that split a seven", 172.0),
        ("actions that start", 8.0),
        ("actions that swap", 48.0),
        ("actions that throw, deal or do nothing", 3.0),
        ("board positions, overlap ignored", board),
        ("card positions, equal ranks ignored", cards),
        ("hidden hands after a deal of five", choose_5(47.0) * choose_5(42.0) * choose_5(37.0)),
    ]
    .into_iter()
    .map(|(name, number)| Fact::number(name, number))
    .chain([Fact::state_space("states, board times cards", board * cards)])
    .collect()
}
