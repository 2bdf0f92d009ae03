//! Chinese Checkers: pieces step and jump across a six-pointed star into the opposite corner.
//!
//! [`ChineseCheckers`] is the usual game on stars of 13 to 121 fields; [`TinyChineseCheckers`] is
//! the game for three on 37 fields of thesis 004, with larger homes, closed tips and its own
//! score. The rules `board=37,players=3` mean the latter; 37 fields with 2, 4 or 6 players are the
//! usual game, whose homes are the tips. A move is written from field to field, `c2-e4`, whether
//! it is a step or a chain of jumps: letters name the columns of the skewed array (lines that run
//! down to the right) from the left, numbers the rows from the bottom; on 37 fields e5 is the
//! centre and g9 the northern tip.

mod board;
mod draw;
mod encoder;
mod facts;
mod geometry;
mod moves;
mod notation;
mod scene;
mod script;
mod star;
mod tiny;

use meeple_core::{FromRules, RuleError, RuleReader};

pub use moves::Move;
pub use star::{ChineseCheckers, ChineseCheckersRules, End, State};
pub use tiny::{TinyChineseCheckers, TinyState};

/// Which of the two games the parameters mean.
#[derive(Debug)]
pub enum Variant {
    Tiny(TinyChineseCheckers),
    Star(ChineseCheckers),
}

impl FromRules for Variant {
    fn from_rules(rules: &mut RuleReader) -> Result<Self, RuleError> {
        let sizes = [("13", 1), ("37", 2), ("73", 3), ("121", 4)];
        let size = rules.choice("board", "fields of the star", &sizes, "121")?;
        let seats = [("2", 2), ("3", 3), ("4", 4), ("6", 6)];
        let players = rules.choice("players", "seats; 3 on 37 fields play the rules of thesis 004", &seats, "3")?;
        if (size, players) == (2, 3) {
            let cap = rules.integer("cap", "moves of unfinished players until the game stops", 1..=10_000, 120)?;
            return Ok(Variant::Tiny(TinyChineseCheckers::new(cap as u16)));
        }
        let ends = [("places", End::Places), ("first", End::First)];
        Ok(Variant::Star(ChineseCheckers::new(ChineseCheckersRules {
            size,
            players,
            forbid_foreign_tips: rules.flag(
                "forbid_foreign_tips",
                "a move may not end in a tip that is neither home nor target",
                false,
            )?,
            anti_block: rules.flag("anti_block", "a full target counts if one own piece is in it", false)?,
            end: rules.choice("end", "play on for all places, or until the first has finished", &ends, "places")?,
            cap: rules.integer("cap", "moves until the unfinished share their places", 1..=10_000, 1000)? as u16,
        })))
    }
}
