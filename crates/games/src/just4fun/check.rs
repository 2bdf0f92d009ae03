//! Whether a game can be at the point that a notation describes.

use meeple_core::Player;

use super::board::has_line;
use super::cards::{FRESH, HAND, Multiset};
use super::hidden::is_possible;
use super::parse::{Parsed, refuse};
use super::state::{MOST_REDRAWS, Phase, State};
use super::worlds::unseen;
use super::{Just4Fun, View};

/// What holds for states and for what views show of them.
pub(super) fn check(game: &Just4Fun, state: &State) -> Parsed<()> {
    check_hands(game, state)?;
    check_plays(game, state)?;
    let players = 0..game.rules.players;
    let lines: Vec<Player> = players.filter(|&player| has_line(state.held(player))).collect();
    let expected = if state.phase == Phase::Pattern { vec![state.mover()] } else { vec![] };
    if lines != expected {
        return refuse(format!("seats with four in a line: {lines:?}, but the turn says {expected:?}"));
    }
    let stones = (0..game.rules.players).any(|player| state.supply[player] < game.rules.stones);
    if stones && matches!(state.phase, Phase::Board | Phase::Deal) {
        return refuse("there are stones on the board before the deal is over".to_string());
    }
    let over = game.next_mover(state).is_none() || state.redraws == MOST_REDRAWS;
    match state.phase {
        Phase::Scored if !over => refuse("turn=scored, but the game goes on".to_string()),
        Phase::Shuffle if game.next_mover(state).is_none() => refuse("the game would be over".to_string()),
        Phase::Play => check_mover(game, state),
        _ => Ok(()),
    }
}

/// What a view does not show must be possible.
pub(super) fn check_hidden(game: &Just4Fun, view: &View) -> Parsed<()> {
    let shown = &view.shown;
    let fresh = match unseen(game, view) {
        Ok(unseen) => unseen,
        Err(value) => return refuse(format!("there are more cards of value {value} than in the deck")),
    };
    let others = (0..game.rules.players).filter(|&player| view.viewer() != Some(player));
    for age in 0..FRESH {
        let slots = others.clone().flat_map(|player| shown.hands[player].cards()).filter(|&(_, of)| of == age).count();
        if slots != view.kept[usize::from(age)].len() {
            return refuse(format!(
                "{slots} unknown cards were kept through {} reshuffles, but other cards are known",
                FRESH - age
            ));
        }
    }
    let decides = shown.phase == Phase::Play && view.viewer() != Some(shown.mover());
    let open = shown.open_values(shown.mover());
    let enough = |fresh| !decides || reachable_sums(view, fresh) & open != 0;
    if !enough(fresh) {
        return refuse(format!("seat {} can hold no cards that let him play", shown.mover));
    }
    if shown.discards > 0 && !is_possible(shown, view.viewer(), fresh, &enough) {
        return refuse("no cards are left for the hidden plays, or for the player to move".to_string());
    }
    Ok(())
}

fn check_mover(game: &Just4Fun, state: &State) -> Parsed<()> {
    let mover = state.mover();
    let open = state.open_values(mover) & game.reachable;
    if state.supply[mover] == 0 || open == 0 {
        return refuse(format!("seat {mover} has no stone or no open field and is passed over"));
    }
    if state.hands[mover].is_known() && state.hands[mover].playable(open) == 0 {
        return refuse(format!("seat {mover} can play nothing with these cards and has to redraw"));
    }
    Ok(())
}

/// Every hidden play placed a stone, which stays there unless stones go home.
fn check_plays(game: &Just4Fun, state: &State) -> Parsed<()> {
    for (player, cards) in state.hidden_plays().filter(|_| !game.rules.return_stones) {
        let alike = state.hidden_plays().filter(|&(other, play)| other == player && play.sum() == cards.sum()).count();
        if alike > usize::from(state.stones.get(player, usize::from(cards.sum()) - 1)) {
            return refuse(format!("field {}: more plays than stones of seat {player}", cards.sum()));
        }
    }
    Ok(())
}

fn check_hands(game: &Just4Fun, state: &State) -> Parsed<()> {
    let sizes: Vec<usize> = state.hands[..game.rules.players].iter().map(|hand| hand.len()).collect();
    let full = game.rules.hand_size;
    let dealt: usize = sizes.iter().sum();
    for (player, &size) in sizes.iter().enumerate() {
        let fits = match state.phase {
            Phase::Board => size == 0,
            Phase::Deal => {
                let (rounds, rest) = (dealt / sizes.len(), dealt % sizes.len());
                size == rounds + usize::from(player < rest) && dealt < full * sizes.len()
            }
            Phase::Pattern if player == state.mover() => size < full,
            Phase::Play | Phase::Pattern => size == full,
            Phase::Shuffle | Phase::Scored => size == full || player == state.mover(),
        };
        if !fits {
            return refuse(format!("seat {player} has {size} cards, which does not fit the turn"));
        }
        let old = state.hands[player].cards().any(|(_, age)| age != FRESH);
        if old && (game.rules.hidden_discards || matches!(state.phase, Phase::Board | Phase::Deal)) {
            return refuse(format!("seat {player} cannot hold cards that are known from a reshuffle"));
        }
    }
    Ok(())
}

/// The sums up to 63 that the unknown hand of the player to move might make, one bit each.
fn reachable_sums(view: &View, fresh: Multiset) -> u64 {
    let mut sums = 1;
    for age in 0..=FRESH {
        let source = if age == FRESH { fresh } else { view.kept[usize::from(age)] };
        let slots = view.shown.hands[view.shown.mover()].cards().filter(|&(_, of)| of == age).count();
        // Sums by the number of cards taken from this source.
        let mut by_count = [0; HAND + 1];
        by_count[0] = sums;
        for value in source.values() {
            (0..slots).rev().for_each(|count| by_count[count + 1] |= by_count[count] << value);
        }
        sums = by_count.iter().fold(0, |all, sums| all | sums);
    }
    sums
}
