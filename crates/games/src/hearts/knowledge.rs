//! What a viewer can conclude about the cards that he does not see.

use super::Hearts;
use super::state::{Phase, SEATS, View};

#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge {
    /// The cards that each player has played.
    pub played: [u64; SEATS],
    /// The cards that the viewer knows to be in each hand; the whole of his own.
    pub known: [u64; SEATS],
    /// The cards whose place the viewer does not know.
    pub unknown: u64,
    /// The part of them that each player may hold.
    pub allowed: [u64; SEATS],
    /// How many of them each player holds.
    pub hidden: [u32; SEATS],
}

impl Knowledge {
    /// `None` if the view contradicts itself.
    pub(super) fn of(game: &Hearts, view: &View) -> Option<Knowledge> {
        let table = &view.table;
        let played = table.played_by();
        let gone = played.iter().fold(0, |gone, cards| gone | cards);
        let known = known_cards(game, view, gone);
        let ruled_out = table.ruled_out(game);
        let unknown = known.iter().fold(game.deck & !gone, |unknown, cards| unknown & !cards);
        let mut allowed = [0; SEATS];
        let mut hidden = [0; SEATS];
        for seat in 0..SEATS {
            if known[seat] & ruled_out[seat] != 0 {
                return None;
            }
            let held = table.cards_held(game, seat, played[seat]);
            hidden[seat] = held.checked_sub(known[seat].count_ones())?;
            allowed[seat] = if hidden[seat] == 0 { 0 } else { unknown & !ruled_out[seat] };
        }
        Some(Knowledge { played, known, unknown, allowed, hidden })
    }
}

/// The viewer's own hand, what he passed until it is played, and before the first card the lowest
/// club, which the player to move must have.
fn known_cards(game: &Hearts, view: &View, gone: u64) -> [u64; SEATS] {
    let table = &view.table;
    let mut known = [0; SEATS];
    if table.phase == Phase::Play && table.played == 0 {
        known[usize::from(table.turn)] |= game.opening.bit();
    }
    if let Some(viewer) = view.viewer.map(usize::from) {
        known[viewer] |= view.hand;
        if table.phase != Phase::Pass {
            known[(viewer + game.pass_distance(table.hand)) % SEATS] |= view.passed & !gone;
        }
    }
    known
}
