//! Exact figures about both games.

use meeple_core::Fact;
use meeple_core::combinatorics::binomial;

use super::board::DIRECTIONS;
use super::star::ChineseCheckers;
use super::tiny::TinyChineseCheckers;

pub(super) fn of_star(game: &ChineseCheckers) -> Vec<Fact> {
    let (fields, players) = (game.board.fields().len(), game.rules.players);
    let pieces = game.seats[0].home.len();
    let placements: f64 = (0..players).map(|player| binomial(fields - player * pieces, pieces)).product();
    vec![
        Fact::number("fields", fields as f64),
        Fact::number("fields of the hexagon", game.board.hexagon().len() as f64),
        Fact::number("pieces of a player", pieces as f64),
        Fact::number("actions as pairs of fields, and the pass", (fields * fields + 1) as f64),
        Fact::number("actions as steps and pairs of one parity class, and the pass", game.numbering.len() as f64),
        Fact::number("positions, upper bound: placements of all pieces times players", placements * players as f64),
    ]
}

pub(super) fn of_tiny(game: &TinyChineseCheckers) -> Vec<Fact> {
    let actions = game.numbering.len() as f64;
    let never = never_legal(game) as f64;
    let mut facts = vec![
        Fact::number("fields", game.board.fields().len() as f64),
        Fact::number("fields that a player can enter", game.seats[0].stop.len() as f64),
        Fact::number("pieces of a player", game.seats[0].home.len() as f64),
        Fact::number("actions", actions),
        Fact::number("actions that are never legal (102 in thesis 004, where two are counted twice)", never),
        Fact::number("share of actions that are never legal", never / actions),
        Fact::number("positions, upper bound: placements on enterable fields times players", tiny_placements() * 3.0),
        Fact::number(
            "positions, upper bound with all fields open",
            3.0 * binomial(37, 6) * binomial(31, 6) * binomial(25, 6),
        ),
    ];
    // Equation 3.1.3 of thesis 004, whose closed form lacks 1 in the exponent.
    for depth in 1..=3 {
        let nodes = (actions.powi(depth + 1) - 1.0) / (actions - 1.0);
        facts.push(Fact::number(format!("nodes of a minimax tree of depth {depth}, upper bound"), nodes));
    }
    facts
}

/// Steps off the board, into closed tips or out of the target; jumps nowhere or out of the target.
fn never_legal(game: &TinyChineseCheckers) -> usize {
    let seat = &game.seats[0];
    let leaves = |from, to| seat.target.contains(from) && !seat.target.contains(to);
    let mut count = 0;
    for from in seat.stop.iter() {
        for step in DIRECTIONS {
            let to = game.board.field(game.board.point(from).plus(step)).filter(|&to| seat.stop.contains(to));
            count += usize::from(to.is_none_or(|to| leaves(from, to)));
        }
        let ends = seat.stop.iter().filter(|to| to.class() == from.class());
        count += ends.filter(|&to| to == from || leaves(from, to)).count();
    }
    count
}

/// Each player has six fields of his own in two tips and shares the 19 of the hexagon.
fn tiny_placements() -> f64 {
    let mut placements = 0.0;
    for (a, b, c) in (0..=6).flat_map(|a| (0..=6).flat_map(move |b| (0..=6).map(move |c| (a, b, c)))) {
        let tips = binomial(6, 6 - a) * binomial(6, 6 - b) * binomial(6, 6 - c);
        placements += tips * binomial(19, a) * binomial(19 - a, b) * binomial(19 - a - b, c);
    }
    placements
}
