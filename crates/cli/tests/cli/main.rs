//! The command line as people and scripts use it. One program, because each links all games and searches.

mod commands;
mod common;
mod database;
mod eval;
mod experiments;
mod matches;
mod play;
mod records;
mod replay;
mod serving;
mod tactics;
mod tournaments;
mod training;
mod tuning;
