//! How well agents do what good play is made of.

mod behaviours;
mod file;

pub use behaviours::{BehaviourResult, BehaviourScore, count_behaviours, judge_records};
pub use file::{FileCase, SuiteFile};
