//! A random game written out for reading: every state, every seat's view, what was legal, the result.

use std::fmt::Write;

use crate::agent::Budget;
use crate::erased::{AnyGame, AnyPosition};
use crate::{Rng, Turn};

/// Actions that are shown with the position before them; later ones are only listed, except at the
/// end.
const SHOWN: usize = 30;

/// Plays one random game and describes it.
pub fn transcript(game: &dyn AnyGame, seed: u64) -> String {
    let info = game.info();
    let mut rng = Rng::from_seed(seed);
    let mut agent = game.agent("random").expect("every game has a random player");
    let mut position = game.start();
    let mut text = format!("game: {}\nrules: {}\nseed: {seed}\n", info.name, game.rules());
    let mut shown = 0;
    loop {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let outcomes = position.actions().len();
                let action = position.apply_chance(&mut rng);
                writeln!(text, "chance: {action} of {outcomes}").expect("a string takes all");
            }
            Turn::Player(player) => {
                if shown < SHOWN {
                    describe(&mut text, &*position, info.players);
                }
                shown += 1;
                let action = position.act(&mut agent, &Budget::NONE, &mut rng, false).action;
                writeln!(text, "seat {player}: {action}").expect("a string takes all");
            }
        }
    }
    describe(&mut text, &*position, info.players);
    let outcome = position.outcome();
    let (payoffs, scores) = (&outcome.payoffs[..info.players], &outcome.scores[..info.players]);
    write!(text, "payoffs: {payoffs:?}\nscores: {scores:?}\nreason: {}\n", outcome.reason).expect("a string takes all");
    text
}

/// The position as its players and a spectator see it, and all that is legal.
fn describe(text: &mut String, position: &dyn AnyPosition, players: usize) {
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            writeln!(text, "  {name}: {value}").expect("a string takes all");
        }
    };
    line("state", position.state_text());
    let views: Vec<Option<String>> = (0..players).map(|seat| position.view_text(Some(seat))).collect();
    if views.iter().all(|view| *view == position.state_text()) {
        line("views", Some("all see the state".to_string()));
    } else {
        for (seat, view) in views.into_iter().enumerate() {
            line(&format!("seat {seat} sees"), view);
        }
        line("spectator sees", position.view_text(None));
    }
    if position.turn() != Turn::Over {
        line("legal", Some(position.actions().join(" ")));
    }
    for drawn in position.render(None).lines() {
        writeln!(text, "  | {drawn}").expect("a string takes all");
    }
}
