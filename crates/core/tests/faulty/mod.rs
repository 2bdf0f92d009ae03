//! A small game that keeps every law, and one switch for each way to break one.
//!
//! Each player gets a card, then both choose a side twice in turn; seat 0 may first choose neither,
//! and so may seat 1 with a card of the upper half. If the last two choices agree the higher card
//! wins, otherwise the lower. Left and right are symmetric.

mod scene;

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

use meeple_core::{
    Encoder, Game, GameInfo, Information, Notation, NotationError, Outcome, PayoffSum, Payoffs, Player, Rng, Scenery,
    Shape, Symmetries, Tensor, Turn, Worlds,
};

const CHOICES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    // What is announced
    ChanceNotAnnounced,
    HiddenCardsNotAnnounced,
    // Actions
    DuplicateAction,
    NoAction,
    UnstableOrder,
    OrderByHiddenCard,
    EqualTexts,
    UncleanText,
    CodeOfAnotherAction,
    // Ends
    EndlessGame,
    PayoffOutOfRange,
    PayoffForAnEmptySeat,
    PayoffsOfAnotherSum,
    UnequalPartners,
    OutcomeOfOtherPayoffs,
    // Views and worlds
    ViewShowsHiddenCard,
    SpectatorSeesHiddenCard,
    KeyOfTheHiddenCard,
    ConstantKey,
    NoWorlds,
    WorldsBiased,
    WorldUnreachable,
    WorldsListUnreachable,
    WorldsListIncomplete,
    WorldsListBiased,
    // Chance and hooks
    ZeroWeight,
    SampleBiased,
    SampleUnlisted,
    RandomActionBiased,
    RandomActionIllegal,
    PlayChanceBiased,
    PlayChanceDependent,
    PlayChanceUnreachable,
    // Capabilities
    StateTextAmbiguous,
    ViewTextAmbiguous,
    NotationOfTwoLines,
    PolicyIndexOutOfRange,
    EncodingNotFinite,
    EncodingOfHiddenCards,
    SymmetryZeroMirrors,
    SymmetryOfActionsWrong,
    SymmetryOfStatesWrong,
    SymmetryOfViewsWrong,
    SymmetryOfPayoffsWrong,
    // Scenes and what is public
    SiteBesideTheBoard,
    SiteNowhere,
    SiteTwice,
    LabelBesideTheBoard,
    PieceOfNobody,
    AreaTwice,
    CardOfNobody,
    CardPickedFaceDown,
    CardPickedAsSite,
    SeatMissing,
    SceneShowsHiddenCard,
    PickNotThere,
    PickTwice,
    PublicDeal,
    PublicTextOfHiddenCard,
}

#[derive(Debug)]
pub(crate) struct Faulty {
    fault: Fault,
    /// The size of the deck.
    cards: u8,
    calls: AtomicU32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    cards: [Option<u8>; 2],
    choices: [Option<Action>; CHOICES],
}

#[derive(Clone, Copy, Debug, Eq)]
pub(crate) struct View {
    viewer: Option<Player>,
    /// As far as the viewer sees them.
    cards: [Option<u8>; 2],
    dealt: usize,
    choices: [Option<Action>; CHOICES],
    /// All cards, which equality overlooks.
    overlooked: [Option<u8>; 2],
}

impl View {
    fn seen(&self) -> impl Eq + Hash + use<> {
        (self.viewer, self.cards, self.dealt, self.choices)
    }
}

impl PartialEq for View {
    fn eq(&self, other: &View) -> bool {
        self.seen() == other.seen()
    }
}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.seen().hash(state);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Left,
    Right,
    Neither,
    Card(u8),
}

impl Action {
    fn mirrored(self) -> Action {
        match self {
            Action::Left => Action::Right,
            Action::Right => Action::Left,
            other => other,
        }
    }
}

impl State {
    fn count(&self) -> usize {
        self.choices.iter().flatten().count()
    }

    fn dealt(&self) -> usize {
        self.cards.iter().flatten().count()
    }
}

impl Faulty {
    /// With four cards.
    pub(crate) fn new(fault: Fault) -> Faulty {
        Faulty::with_cards(fault, 4)
    }

    pub(crate) fn with_cards(fault: Fault, cards: u8) -> Faulty {
        Faulty { fault, cards, calls: AtomicU32::new(0) }
    }

    pub(crate) fn fault(&self) -> Fault {
        self.fault
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// Changes from call to call.
    fn odd_call(&self) -> bool {
        self.calls.fetch_add(1, Ordering::Relaxed) % 2 == 1
    }
}

impl Game for Faulty {
    type State = State;
    type Action = Action;
    type View = View;
    type Worlds = Cards;

    fn info(&self) -> GameInfo {
        GameInfo {
            name: "faulty",
            version: 1,
            players: 2,
            teams: if self.is(Fault::UnequalPartners) { 1 } else { 2 },
            longest_game: 2 + CHOICES,
            payoff_sum: PayoffSum::Constant(0.0),
            information: match self.fault {
                Fault::HiddenCardsNotAnnounced => Information::Perfect,
                _ => Information::Hidden,
            },
            chance: !self.is(Fault::ChanceNotAnnounced),
        }
    }

    fn team(&self, player: Player) -> usize {
        if self.is(Fault::UnequalPartners) { 0 } else { player }
    }

    fn initial_state(&self) -> State {
        State { cards: [None; 2], choices: [None; CHOICES] }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.dealt(), state.count()) {
            (0 | 1, _) => Turn::Chance,
            (_, CHOICES) => Turn::Over,
            (_, count) => Turn::Player(count % 2),
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        out.extend([Action::Left, Action::Right]);
        let upper = state.cards[1] >= Some(self.cards / 2);
        if state.count() == 0 || (state.count() == 1 && upper) {
            out.push(Action::Neither);
        }
        let hidden = state.cards[1 - state.count() % 2];
        match self.fault {
            Fault::DuplicateAction => out.push(Action::Left),
            Fault::NoAction if state.count() == 2 => out.clear(),
            Fault::UnstableOrder if self.odd_call() => out.reverse(),
            Fault::OrderByHiddenCard if hidden == Some(0) => out.reverse(),
            _ => {}
        }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let count = state.count();
        match action {
            Action::Card(card) => state.cards[state.dealt()] = Some(card),
            _ if self.is(Fault::EndlessGame) && count + 1 == CHOICES => state.choices = [None; CHOICES],
            _ => state.choices[count] = Some(action),
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let higher = if state.cards[0] > state.cards[1] { 1.0 } else { -1.0 };
        let first = if state.choices[2] == state.choices[3] { higher } else { -higher };
        let mut payoffs = [first, -first, 0.0, 0.0, 0.0, 0.0];
        match self.fault {
            Fault::PayoffOutOfRange => payoffs = payoffs.map(|payoff| 2.0 * payoff),
            Fault::PayoffForAnEmptySeat => payoffs[2] = 1.0,
            Fault::PayoffsOfAnotherSum => payoffs[1] = first,
            Fault::SymmetryOfPayoffsWrong if state.choices[3] == Some(Action::Left) => payoffs = [0.0; 6],
            _ => {}
        }
        payoffs
    }

    fn outcome(&self, state: &State) -> Outcome {
        let mut payoffs = self.payoffs(state);
        if self.is(Fault::OutcomeOfOtherPayoffs) {
            payoffs = [0.0; 6];
        }
        Outcome { payoffs, scores: payoffs, reason: "cards" }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Action, u32)>) {
        out.clear();
        let weight = u32::from(!self.is(Fault::ZeroWeight));
        let left = (0..self.cards).filter(|&card| state.cards[0] != Some(card));
        out.extend(left.map(|card| (Action::Card(card), if card == 0 { weight } else { 1 })));
    }

    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Action {
        if self.is(Fault::SampleUnlisted) && state.dealt() == 1 {
            return Action::Card(state.cards[0].unwrap());
        }
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        let twice = self.is(Fault::SampleBiased) && rng.below(3) == 0;
        if twice { outcomes[0].0 } else { rng.choose(&outcomes).0 }
    }

    fn play_chance(&self, state: &mut State, rng: &mut Rng) {
        let cards = u32::from(self.cards);
        let (first, offset) = (rng.below(cards) as u8, 1 + rng.below(cards - 1) as u8);
        let second = (first + offset) % self.cards;
        let (first, second) = match self.fault {
            Fault::PlayChanceBiased if rng.below(2) == 0 => (first.max(second), first.min(second)),
            // Each card alone is as likely as it should be.
            Fault::PlayChanceDependent => (first, (first + 1) % self.cards),
            Fault::PlayChanceUnreachable => (first, first),
            _ => (first, second),
        };
        state.cards = [Some(first), Some(second)];
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let leaks = match self.fault {
            Fault::ViewShowsHiddenCard => true,
            Fault::SpectatorSeesHiddenCard => viewer.is_none(),
            _ => false,
        };
        let sees = |seat| if leaks || viewer == Some(seat) { state.cards[seat] } else { None };
        View {
            viewer,
            cards: [sees(0), sees(1)],
            dealt: state.dealt(),
            choices: state.choices,
            overlooked: state.cards,
        }
    }

    fn worlds(&self, view: &View) -> Cards {
        let mut known = view.cards;
        if let (Fault::ViewShowsHiddenCard, Some(viewer)) = (self.fault, view.viewer) {
            known[1 - viewer] = None;
        }
        Cards { fault: self.fault, cards: self.cards, known, choices: view.choices }
    }

    fn view_key(&self, state: &State, viewer: Option<Player>) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        match self.fault {
            Fault::KeyOfTheHiddenCard => state.hash(&mut hasher),
            Fault::ConstantKey => {}
            _ => Game::view(self, state, viewer).hash(&mut hasher),
        }
        hasher.finish()
    }

    fn action_code(&self, action: Action) -> u32 {
        match action {
            Action::Left => 0,
            Action::Right => 1,
            Action::Neither => 2,
            Action::Card(card) => 3 + u32::from(card),
        }
    }

    fn action_from_code(&self, code: u32) -> Action {
        match code {
            0 => Action::Left,
            1 => Action::Right,
            2 if self.is(Fault::CodeOfAnotherAction) => Action::Left,
            2 => Action::Neither,
            card => Action::Card(card as u8 - 3),
        }
    }

    fn action_text(&self, state: &State, action: Action) -> String {
        match action {
            Action::Left if self.is(Fault::PublicTextOfHiddenCard) => {
                format!("left with {:?}", state.cards[state.count() % 2])
            }
            Action::Right if self.is(Fault::EqualTexts) => "left".to_string(),
            Action::Left if self.is(Fault::UncleanText) => " left".to_string(),
            Action::Left => "left".to_string(),
            Action::Right => "right".to_string(),
            Action::Neither => "neither".to_string(),
            Action::Card(card) => card.to_string(),
        }
    }

    fn render(&self, view: &View) -> String {
        format!("{view:?}")
    }

    fn random_action(&self, state: &State, buffer: &mut Vec<Action>, rng: &mut Rng) -> Action {
        self.legal_actions(state, buffer);
        match self.fault {
            Fault::RandomActionBiased if rng.below(4) == 0 => buffer[0],
            Fault::RandomActionIllegal if state.count() == 2 => Action::Neither,
            _ => *rng.choose(buffer),
        }
    }

    fn notation(&self) -> Option<&dyn Notation<Self>> {
        Some(self)
    }

    fn scenery(&self) -> Option<&dyn Scenery<Self>> {
        Some(self)
    }

    fn is_public(&self, _: &State, action: Action) -> bool {
        !matches!(action, Action::Card(_)) || self.is(Fault::PublicDeal)
    }

    fn encoders(&self) -> Vec<Box<dyn Encoder<Self>>> {
        vec![Box::new(OwnCard)]
    }

    fn symmetries(&self) -> Option<&dyn Symmetries<Self>> {
        Some(self)
    }
}

/// The cards that a viewer knows.
#[derive(Clone, Debug)]
pub(crate) struct Cards {
    fault: Fault,
    cards: u8,
    known: [Option<u8>; 2],
    choices: [Option<Action>; CHOICES],
}

impl Cards {
    fn states(&self, allow_equal: bool) -> Vec<State> {
        let upper = self.choices[1] == Some(Action::Neither);
        let possible = |seat: usize, card: u8| {
            self.known[seat].is_none_or(|known| known == card) && (seat == 0 || !upper || card >= self.cards / 2)
        };
        let pairs = (0..self.cards).flat_map(|first| (0..self.cards).map(move |second| (first, second)));
        let pairs = pairs.filter(|&(first, second)| possible(0, first) && possible(1, second));
        let fitting = pairs.filter(|&(first, second)| allow_equal || first != second);
        fitting.map(|(first, second)| State { cards: [Some(first), Some(second)], choices: self.choices }).collect()
    }
}

impl Worlds for Cards {
    type State = State;

    fn sample_into(&self, state: &mut State, rng: &mut Rng) {
        let states = self.states(self.fault == Fault::WorldUnreachable);
        *state = *rng.choose(&states);
        match self.fault {
            Fault::WorldsBiased if rng.below(4) == 0 => *state = states[0],
            _ => {}
        }
    }

    fn count(&self) -> f64 {
        if self.fault == Fault::NoWorlds { 0.0 } else { self.states(false).len() as f64 }
    }

    fn enumerate(&self, limit: usize) -> Option<Vec<(State, u64)>> {
        let mut states = self.states(self.fault == Fault::WorldsListUnreachable);
        if self.fault == Fault::WorldsListIncomplete {
            states.pop();
        }
        let mut worlds: Vec<(State, u64)> = states.into_iter().map(|state| (state, 1)).collect();
        if self.fault == Fault::WorldsListBiased {
            worlds[0].1 = 2;
        }
        (worlds.len() <= limit).then_some(worlds)
    }
}

/// Cards as the characters from `0` on, `-` if not dealt, then choices as letters, `.` before they are made.
fn text(cards: [Option<u8>; 2], choices: [Option<Action>; CHOICES]) -> String {
    let cards = cards.map(|card| card.map_or('-', |card| char::from(b'0' + card)));
    let choices = choices.map(|choice| match choice {
        None | Some(Action::Card(_)) => '.',
        Some(Action::Left) => 'l',
        Some(Action::Right) => 'r',
        Some(Action::Neither) => 'n',
    });
    cards.into_iter().chain(choices).collect()
}

fn parse(text: &str) -> ([Option<u8>; 2], [Option<Action>; CHOICES]) {
    let symbols: Vec<char> = text.chars().collect();
    let card = |at: usize| (symbols[at] != '-').then(|| symbols[at] as u8 - b'0');
    let choice = |at: usize| match symbols[at] {
        'l' => Some(Action::Left),
        'r' => Some(Action::Right),
        'n' => Some(Action::Neither),
        _ => None,
    };
    ([card(0), card(1)], [choice(2), choice(3), choice(4), choice(5)])
}

impl Notation<Faulty> for Faulty {
    fn help(&self) -> String {
        "two cards and four choices: `03lr..`".to_string()
    }

    fn state_text(&self, state: &State) -> String {
        let choices = if self.is(Fault::StateTextAmbiguous) { [None; CHOICES] } else { state.choices };
        let end = if self.is(Fault::NotationOfTwoLines) { "\n" } else { "" };
        text(state.cards, choices) + end
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (cards, choices) = parse(text);
        Ok(State { cards, choices })
    }

    fn view_text(&self, view: &View) -> String {
        let viewer = view.viewer.map_or('*', |seat| char::from(b'0' + seat as u8));
        let viewer = if self.is(Fault::ViewTextAmbiguous) { '*' } else { viewer };
        format!("{}{}{viewer}", text(view.cards, view.choices), view.dealt)
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        let (cards, choices) = parse(text);
        let digit = |at: usize| text[at..=at].parse::<usize>().ok();
        Ok(View { viewer: digit(7), cards, dealt: digit(6).unwrap(), choices, overlooked: cards })
    }
}

struct OwnCard;

impl Encoder<Faulty> for OwnCard {
    fn name(&self) -> &'static str {
        "own-card"
    }

    fn shape(&self) -> Shape {
        Shape::vector(1)
    }

    fn encode(&self, game: &Faulty, view: &View, input: &mut Tensor<'_>) {
        let card = view.viewer.and_then(|seat| view.cards[seat]).map_or(0.0, f32::from);
        let hidden = view.overlooked.iter().flatten().map(|&card| f32::from(card)).sum();
        input.vector()[0] = match game.fault {
            Fault::EncodingNotFinite => f32::NAN,
            Fault::EncodingOfHiddenCards => hidden,
            _ => card,
        };
    }

    fn policy_size(&self) -> usize {
        3
    }

    fn policy_index(&self, game: &Faulty, _: &View, action: Action) -> usize {
        game.action_code(action) as usize + usize::from(game.is(Fault::PolicyIndexOutOfRange))
    }
}

impl Symmetries<Faulty> for Faulty {
    fn count(&self) -> usize {
        2
    }

    fn state(&self, symmetry: usize, state: &State) -> State {
        let mut image = *state;
        if self.mirrors(symmetry) {
            image.choices = state.choices.map(|choice| choice.map(Action::mirrored));
        }
        if symmetry == 1 && self.is(Fault::SymmetryOfStatesWrong) {
            image.choices[1] = state.choices[1];
        }
        image
    }

    fn view(&self, symmetry: usize, view: &View) -> View {
        let mirrors = self.mirrors(symmetry) && !self.is(Fault::SymmetryOfViewsWrong);
        let image = |choice: Option<Action>| if mirrors { choice.map(Action::mirrored) } else { choice };
        let mut choices = view.choices.map(image);
        if symmetry == 1 && self.is(Fault::SymmetryOfStatesWrong) {
            choices[1] = view.choices[1];
        }
        View { choices, ..*view }
    }

    fn action(&self, symmetry: usize, _: &State, action: Action) -> Action {
        let mirrors = self.mirrors(symmetry) && !self.is(Fault::SymmetryOfActionsWrong);
        if mirrors { action.mirrored() } else { action }
    }
}

impl Faulty {
    fn mirrors(&self, symmetry: usize) -> bool {
        symmetry == 1 || self.is(Fault::SymmetryZeroMirrors)
    }
}
