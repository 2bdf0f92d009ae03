//! A decision with all its options and what they lead to.

use meeple_core::Player;

use super::super::Keezen;
use super::super::action::{Action, Move};
use super::super::board::{Board, ENTRY, Marbles, START, WAITING, find, place_on_track, track_field};
use super::super::holdings::SEATS;
use super::super::moves;
use super::super::ranks::{ACE, Cards, KING};
use super::super::script::field_value;
use super::super::state::{Table, View};
use super::Verdicts;

pub(super) struct Choice<'a> {
    pub(super) game: &'a Keezen,
    pub(super) view: &'a View,
    pub(super) seat: Player,
    /// The colour that the player moves.
    pub(super) colour: usize,
    pub(super) options: Vec<Effect>,
}

/// A legal action and what becomes of it.
pub(super) struct Effect {
    pub(super) action: Action,
    pub(super) kind: Move,
    /// The card that is played; `None` for a throw.
    pub(super) rank: Option<usize>,
    /// What the player keeps.
    pub(super) hand: Cards,
    pub(super) after: Table,
    /// Marbles sent home, by whose they are.
    pub(super) own_hits: usize,
    pub(super) teammate_hits: usize,
    pub(super) opponent_hits: usize,
    /// Whether a marble of the player came into its lane.
    pub(super) enters: bool,
}

impl Effect {
    pub(super) fn hits_own_team(&self) -> bool {
        self.own_hits + self.teammate_hits > 0
    }

    pub(super) fn hits_opponent(&self) -> bool {
        self.opponent_hits > 0 && !self.hits_own_team()
    }

    /// Whether something speaks for the action that weighs as much as most behaviours.
    pub(super) fn has_reason(&self) -> bool {
        self.hits_opponent() || self.enters
    }

    /// Whether marbles run, by one card or a seven.
    pub(super) fn runs(&self) -> bool {
        matches!(self.kind, Move::Run { .. } | Move::Seven { .. } | Move::Split { .. })
    }
}

impl<'a> Choice<'a> {
    /// `view` is that of `seat`, which is to move.
    pub(super) fn new(game: &'a Keezen, view: &'a View, seat: Player) -> Choice<'a> {
        let colour = view.table.colour(seat);
        let options = options(game, &view.table, seat, view.hand);
        Choice { game, view, seat, colour, options }
    }

    pub(super) fn board(&self) -> &Board {
        &self.view.table.board
    }

    /// Of the colour that the player moves.
    pub(super) fn marbles(&self) -> Marbles {
        self.board().0[self.colour]
    }

    pub(super) fn opponents(&self) -> [usize; 2] {
        [(self.colour + 1) % SEATS, (self.colour + 3) % SEATS]
    }

    /// A verdict for each option, unless none is good or none is bad.
    pub(super) fn each(&self, verdict: impl Fn(&Effect) -> Option<bool>) -> Verdicts {
        let verdicts: Verdicts = self.options.iter().map(verdict).collect();
        let there = |verdict: bool| verdicts.contains(&Some(verdict));
        if there(true) && there(false) { verdicts } else { self.none() }
    }

    /// There is no occasion.
    pub(super) fn none(&self) -> Verdicts {
        vec![None; self.options.len()]
    }

    /// Whether the player has a marble on its start.
    pub(super) fn is_on_start(&self, table: &Table) -> bool {
        find(table.board.0[self.colour], START).is_some()
    }

    /// What the player can do with the cards it keeps, were it to move again at once.
    pub(super) fn next_options(&self, effect: &Effect) -> Vec<Effect> {
        if effect.hand.is_empty() { Vec::new() } else { options(self.game, &effect.after, self.seat, effect.hand) }
    }

    /// Whether a marble of another colour comes to the player's start field within twelve steps.
    pub(super) fn has_to_pass_start(&self, colour: usize) -> bool {
        let start = place_on_track(colour, track_field(self.colour, START));
        let near = |&place: &u8| place != WAITING && place < start && start - place <= 12;
        self.board().0[colour].iter().any(near)
    }

    /// By how much the action brings the marbles of the team forward, and those of the others back,
    /// in values of fields (thesis 003, algorithm 5).
    pub(super) fn gain(&self, effect: &Effect) -> f64 {
        self.value(&effect.after.board) - self.value(self.board())
    }

    fn value(&self, board: &Board) -> f64 {
        let of = |colour: usize| board.0[colour].into_iter().map(field_value).sum::<f64>();
        let [first, second] = self.opponents();
        of(self.colour) + of(self.colour ^ 2) - of(first) - of(second)
    }
}

/// Whether a hand has a card that brings a marble to its start.
pub(super) fn has_starter(hand: Cards) -> bool {
    hand.has(ACE) || hand.has(KING)
}

pub(super) fn on_track(place: u8) -> bool {
    (START..=ENTRY).contains(&place)
}

fn options(game: &Keezen, table: &Table, seat: Player, hand: Cards) -> Vec<Effect> {
    let mut actions = Vec::new();
    moves::legal(game, table, seat, hand, &mut actions);
    actions.into_iter().map(|action| effect(table, seat, hand, action)).collect()
}

fn effect(table: &Table, seat: Player, mut hand: Cards, action: Action) -> Effect {
    let mut after = *table;
    let rank = moves::play(&mut after, seat, action);
    match rank {
        Some(rank) => hand.remove(rank),
        None => hand = Cards::NONE,
    }
    let (colour, kind) = (table.colour(seat), action.decode());
    let started = usize::from(matches!(kind, Move::Start { .. }));
    let hits = |colour: usize| waiting(after.board.0[colour]).saturating_sub(waiting(table.board.0[colour]));
    Effect {
        action,
        kind,
        rank,
        hand,
        own_hits: waiting(after.board.0[colour]) + started - waiting(table.board.0[colour]),
        teammate_hits: hits(colour ^ 2),
        opponent_hits: hits((colour + 1) % SEATS) + hits((colour + 3) % SEATS),
        enters: after.board.in_lane(colour) > table.board.in_lane(colour),
        after,
    }
}

fn waiting(marbles: Marbles) -> usize {
    marbles.iter().filter(|&&place| place == WAITING).count()
}
