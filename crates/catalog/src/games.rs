//! The games by name.

use meeple_core::erased::{self, AnyGame};
use meeple_core::rules::Parameter;
use meeple_core::{FromRules, Game, RuleError, RuleReader, Rules};
use meeple_games as games;
use meeple_games::squares::Wide;
use meeple_games::{breakthrough, chinese_checkers, connect_four, lines_of_action};

use crate::agents::make_agent;
use crate::learning::{Learnt, SelfPlayer};

/// What becomes of a game once its type is known.
trait Make {
    type Made;

    fn make<G: Game>(game: G, parameters: Vec<Parameter>) -> Self::Made;
}

/// A game to be played, with every agent that can play it.
enum ToPlay {}

impl Make for ToPlay {
    type Made = Box<dyn AnyGame>;

    fn make<G: Game>(game: G, parameters: Vec<Parameter>) -> Box<dyn AnyGame> {
        erased::erase(game, parameters, make_agent::<G>)
    }
}

/// A game to be learnt.
enum ToLearn {}

impl Make for ToLearn {
    type Made = Box<dyn SelfPlayer>;

    fn make<G: Game>(game: G, parameters: Vec<Parameter>) -> Box<dyn SelfPlayer> {
        let changed = parameters.into_iter().filter(|parameter| parameter.value != parameter.default);
        let rules = Rules(changed.map(|parameter| (parameter.name.to_string(), parameter.value)).collect());
        Box::new(Learnt { game, rules })
    }
}

type Built<M> = Result<<M as Make>::Made, RuleError>;
type Build<M> = fn(&Rules) -> Built<M>;

/// A game of the catalogue.
#[derive(Debug)]
pub struct GameEntry {
    pub name: &'static str,
    /// One line for people who choose.
    pub summary: &'static str,
    /// Parameters that people at a table expect where they differ from the defaults, which are
    /// those of the published experiments.
    table_rules: &'static [(&'static str, &'static str)],
    to_play: Build<ToPlay>,
    to_learn: Build<ToLearn>,
}

impl GameEntry {
    const fn new(
        name: &'static str,
        summary: &'static str,
        to_play: Build<ToPlay>,
        to_learn: Build<ToLearn>,
    ) -> GameEntry {
        GameEntry { name, summary, table_rules: &[], to_play, to_learn }
    }

    /// The game with its parameters.
    pub fn build(&self, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
        (self.to_play)(rules).map_err(|error| self.explain(error))
    }

    fn explain(&self, RuleError(message): RuleError) -> RuleError {
        RuleError(format!("{}: {message}", self.name))
    }
}

/// An entry whose two ways of building are the same function for another [`Make`].
macro_rules! entry {
    ($name:literal, $summary:literal, $build:ident $(, $game:ty)?) => {
        GameEntry::new($name, $summary, $build::<ToPlay $(, $game)?>, $build::<ToLearn $(, $game)?>)
    };
}

/// Every game, in the order of the documents.
pub static GAMES: &[GameEntry] = &[
    entry!("tic-tac-toe", "three in a row on nine squares", build, games::TicTacToe),
    entry!("connect-four", "stones fall into columns; four in a line win", build_connect_four),
    entry!("breakthrough", "pawns race for the far row", build_breakthrough),
    GameEntry {
        table_rules: &[("repetition", "third")],
        ..entry!("lines-of-action", "all pieces into one group", build_lines_of_action)
    },
    entry!("just4fun", "cards add up to fields; four majorities in a line, or points", build, games::Just4Fun),
    entry!("sueca", "tricks with trump for two pairs of partners", build, games::Sueca),
    entry!("bisca", "tricks with trump and a stock to draw from", build, games::Bisca),
    entry!("hearts", "avoid hearts and the queen of spades, or take them all", build, games::Hearts),
    entry!("keezen", "two pairs of partners bring marbles home with playing cards", build_keezen),
    entry!("chinese-checkers", "steps and jumps across a star", build_chinese_checkers),
    entry!("kuhn-poker", "three cards and one bet", build, games::KuhnPoker),
    entry!("leduc-poker", "six cards and two rounds of betting", build, games::LeducPoker),
];

/// The game with this name and these parameters.
pub fn game(name: &str, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
    entry(name)?.build(rules)
}

/// The same, to be learnt.
pub fn self_player(name: &str, rules: &Rules) -> Result<Box<dyn SelfPlayer>, RuleError> {
    let entry = entry(name)?;
    (entry.to_learn)(rules).map_err(|error| entry.explain(error))
}

/// The same as people play it at a table: where parameters are not given, with those that people
/// expect.
pub fn game_at_table(name: &str, rules: &Rules) -> Result<Box<dyn AnyGame>, RuleError> {
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

/// A game from its parameters.
fn build<M: Make, G: Game + FromRules>(rules: &Rules) -> Built<M> {
    read::<M, G>(rules, M::make)
}

/// Reads parameters that decide which type of game is made.
fn read<M: Make, P: FromRules>(rules: &Rules, make: impl FnOnce(P, Vec<Parameter>) -> M::Made) -> Built<M> {
    let mut reader = RuleReader::new(rules);
    let chosen = P::from_rules(&mut reader)?;
    Ok(make(chosen, reader.finish()?))
}

/// The smallest sets that hold the board are the fastest.
fn build_connect_four<M: Make>(rules: &Rules) -> Built<M> {
    use connect_four::{ConnectFour, Size};
    read::<M, Size>(rules, |size, parameters| match size.bits() {
        ..=64 => M::make(ConnectFour::<u64>::new(size), parameters),
        65..=128 => M::make(ConnectFour::<u128>::new(size), parameters),
        _ => M::make(ConnectFour::<Wide>::new(size), parameters),
    })
}

/// The smallest sets that hold the board are the fastest.
fn build_breakthrough<M: Make>(rules: &Rules) -> Built<M> {
    use breakthrough::{Breakthrough, Setup};
    read::<M, Setup>(rules, |setup, parameters| match setup.squares() {
        ..=64 => M::make(Breakthrough::<u64>::new(setup), parameters),
        65..=128 => M::make(Breakthrough::<u128>::new(setup), parameters),
        _ => M::make(Breakthrough::<Wide>::new(setup), parameters),
    })
}

/// A rule against repetition needs a larger state.
fn build_lines_of_action<M: Make>(rules: &Rules) -> Built<M> {
    use lines_of_action::Variant;
    read::<M, Variant>(rules, |variant, parameters| match variant {
        Variant::WithoutHistory(game) => M::make(game, parameters),
        Variant::WithHistory(game) => M::make(game, parameters),
    })
}

/// Three players on 37 fields have rules of their own.
fn build_chinese_checkers<M: Make>(rules: &Rules) -> Built<M> {
    use chinese_checkers::Variant;
    read::<M, Variant>(rules, |variant, parameters| match variant {
        Variant::Tiny(game) => M::make(game, parameters),
        Variant::Star(game) => M::make(game, parameters),
    })
}

/// Keezen's relatives are a type of their own.
fn build_keezen<M: Make>(rules: &Rules) -> Built<M> {
    match rules.0.get("variant").map(String::as_str) {
        None | Some("keezen") => build::<M, games::Keezen>(rules),
        Some(_) => build::<M, games::keezen::relatives::Relative>(rules),
    }
}
