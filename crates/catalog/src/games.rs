//! The games by name.

use meeple_core::erased::{self, AnyGame};
use meeple_core::rules::Parameter;
use meeple_core::{FromRules, Game, RuleError, RuleReader, Rules};
use meeple_games as games;
use meeple_games::squares::Wide;
use meeple_games::{breakthrough, chinese_checkers, connect_four, lines_of_action};

use crate::agents::make_agent;

type Built = Result<Box<dyn AnyGame>, RuleError>;

/// A game of the catalogue.
#[derive(Debug)]
pub struct GameEntry {
    pub name: &'static str,
    /// One line for people who choose.
    pub summary: &'static str,
    /// Parameters that people at a table expect where they differ from the defaults, which are
    /// those of the published experiments.
    table_rules: &'static [(&'static str, &'static str)],
    build: fn(&Rules) -> Built,
}

impl GameEntry {
    const fn new(name: &'static str, summary: &'static str, build: fn(&Rules) -> Built) -> GameEntry {
        GameEntry { name, summary, table_rules: &[], build }
    }

    /// The game with its parameters.
    pub fn build(&self, rules: &Rules) -> Built {
        (self.build)(rules).map_err(|RuleError(message)| RuleError(format!("{}: {message}", self.name)))
    }
}

/// Every game, in the order of the documents.
pub static GAMES: &[GameEntry] = &[
    GameEntry::new("tic-tac-toe", "three in a row on nine squares", build::<games::TicTacToe>),
    GameEntry::new("connect-four", "stones fall into columns; four in a line win", build_connect_four),
    GameEntry::new("breakthrough", "pawns race for the far row", build_breakthrough),
    GameEntry {
        table_rules: &[("repetition", "third")],
        ..GameEntry::new("lines-of-action", "all pieces into one group", build_lines_of_action)
    },
    GameEntry::new(
        "just4fun",
        "cards add up to fields; four majorities in a line, or points",
        build::<games::Just4Fun>,
    ),
    GameEntry::new("sueca", "tricks with trump for two pairs of partners", build::<games::Sueca>),
    GameEntry::new("bisca", "tricks with trump and a stock to draw from", build::<games::Bisca>),
    GameEntry::new("hearts", "avoid hearts and the queen of spades, or take them all", build::<games::Hearts>),
    GameEntry::new("keezen", "two pairs of partners bring marbles home with playing cards", build_keezen),
    GameEntry::new("chinese-checkers", "steps and jumps across a star", build_chinese_checkers),
    GameEntry::new("kuhn-poker", "three cards and one bet", build::<games::KuhnPoker>),
    GameEntry::new("leduc-poker", "six cards and two rounds of betting", build::<games::LeducPoker>),
];

/// The game with this name and these parameters.
pub fn game(name: &str, rules: &Rules) -> Built {
    entry(name)?.build(rules)
}

/// The same as people play it at a table: where parameters are not given, with those that people
/// expect.
pub fn game_at_table(name: &str, rules: &Rules) -> Built {
    let entry = entry(name)?;
    let mut rules = rules.clone();
    for &(key, value) in entry.table_rules {
        rules.0.entry(key.to_string()).or_insert_with(|| value.to_string());
    }
    entry.build(&rules)
}

fn entry(name: &str) -> Result<&'static GameEntry, RuleError> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        RuleError(format!("there is no game `{name}`; there are: {}", names.join(", ")))
    })
}

/// A game from its parameters, with every agent that can play it.
fn build<G: Game + FromRules>(rules: &Rules) -> Built {
    read(rules, erase::<G>)
}

fn erase<G: Game>(game: G, parameters: Vec<Parameter>) -> Box<dyn AnyGame> {
    erased::erase(game, parameters, make_agent::<G>)
}

/// Reads parameters that decide which type of game is made.
fn read<P: FromRules>(rules: &Rules, make: impl FnOnce(P, Vec<Parameter>) -> Box<dyn AnyGame>) -> Built {
    let mut reader = RuleReader::new(rules);
    let chosen = P::from_rules(&mut reader)?;
    Ok(make(chosen, reader.finish()?))
}

/// The smallest sets that hold the board are the fastest.
fn build_connect_four(rules: &Rules) -> Built {
    use connect_four::{ConnectFour, Size};
    read(rules, |size: Size, parameters| match size.bits() {
        ..=64 => erase(ConnectFour::<u64>::new(size), parameters),
        65..=128 => erase(ConnectFour::<u128>::new(size), parameters),
        _ => erase(ConnectFour::<Wide>::new(size), parameters),
    })
}

/// The smallest sets that hold the board are the fastest.
fn build_breakthrough(rules: &Rules) -> Built {
    use breakthrough::{Breakthrough, Setup};
    read(rules, |setup: Setup, parameters| match setup.squares() {
        ..=64 => erase(Breakthrough::<u64>::new(setup), parameters),
        65..=128 => erase(Breakthrough::<u128>::new(setup), parameters),
        _ => erase(Breakthrough::<Wide>::new(setup), parameters),
    })
}

/// A rule against repetition needs a larger state.
fn build_lines_of_action(rules: &Rules) -> Built {
    use lines_of_action::Variant;
    read(rules, |variant, parameters| match variant {
        Variant::WithoutHistory(game) => erase(game, parameters),
        Variant::WithHistory(game) => erase(game, parameters),
    })
}

/// Three players on 37 fields have rules of their own.
fn build_chinese_checkers(rules: &Rules) -> Built {
    use chinese_checkers::Variant;
    read(rules, |variant, parameters| match variant {
        Variant::Tiny(game) => erase(game, parameters),
        Variant::Star(game) => erase(game, parameters),
    })
}

/// Keezen's relatives are a type of their own.
fn build_keezen(rules: &Rules) -> Built {
    match rules.0.get("variant").map(String::as_str) {
        None | Some("keezen") => build::<games::Keezen>(rules),
        Some(_) => build::<games::keezen::relatives::Relative>(rules),
    }
}
