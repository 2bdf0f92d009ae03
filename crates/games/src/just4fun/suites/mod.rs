//! The nine test sets of thesis 000, section 6.3: positions in which a good player knows what to do.
//!
//! The thesis describes what each set is about and how many cases of how many turns it has (table
//! 6.1), not the cases. Where a set enumerates shapes, the counts of the thesis come out: of all 184
//! ways to hold three fields of a line of four, 152 leave one field that completes it and 32, the open
//! threes, leave two. Everything else is drawn with each call: the other stones, the order of play,
//! the cards. Every position is the result of legal turns, and the player to move holds the cards for
//! at least one expected action.

mod bands;
mod contested;
mod early;
mod last;
mod plan;
mod prospects;
mod shapes;

use meeple_core::suite::Bands;
use meeple_core::{Case, Rng, Suite};

use super::cards::{Cards, HAND, Multiset};
use super::{Just4Fun, State};

type Cases = fn(&Just4Fun, &mut Rng) -> Vec<Case<State, Cards>>;

/// For two players with the usual cards and stones.
pub(super) fn suites(game: &Just4Fun) -> Vec<Suite<Just4Fun>> {
    let rules = &game.rules;
    let usual = (rules.players, rules.hand_size, rules.stones) == (2, HAND, 20) && rules.deck == Multiset::FULL;
    if !usual || rules.return_stones {
        return Vec::new();
    }
    let suite = |(name, about, bands, cases): (&'static str, &'static str, Bands, Cases)| Suite {
        name,
        about,
        bands: Some(bands),
        cases,
    };
    sets().into_iter().map(suite).collect()
}

fn sets() -> [(&'static str, &'static str, Bands, Cases); 9] {
    [
        ("win-pattern", "complete four in a line", bands::WIN, early::win),
        ("prevent-loss-pattern", "keep the opponent from completing four in a line", bands::PREVENT, early::prevent),
        ("prefer-win-pattern", "complete a line instead of blocking one", bands::WIN, early::prefer_win),
        ("double-pattern", "make a line that two fields complete", bands::DOUBLE, early::double),
        ("triangle-pattern", "make a triangle that grows into such lines", bands::TRIANGLE, early::triangle),
        ("win-pattern-ms", "complete a line of contested fields", bands::WIN, contested::win),
        ("prevent-loss-pattern-ms", "break a line of contested fields", bands::PREVENT_CONTESTED, contested::prevent),
        ("win-points-ms", "win by points with the last stone", bands::LAST, last::points),
        ("win-max-field-ms", "win by the highest field with the last stone", bands::LAST, last::max_field),
    ]
}
