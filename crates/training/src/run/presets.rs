//! Configurations for any game, by the time that they may take.

use std::fmt;

use meeple_catalog::game;
use meeple_core::agent::Budget;
use meeple_core::erased::AnyGame;
use meeple_core::{Information, Rng, RuleError, Rules, Shape, Turn};

/// How long a run may take on two cores, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Minutes,
    Hours,
    Days,
}

impl Scale {
    pub const ALL: [Scale; 3] = [Scale::Minutes, Scale::Hours, Scale::Days];

    fn plan(self) -> Plan {
        match self {
            Scale::Minutes => {
                Plan { iterations: 16, first: 24_000, positions: 6_000, boardless: 6, simulations: 40, size: 0 }
            }
            Scale::Hours => {
                Plan { iterations: 60, first: 60_000, positions: 20_000, boardless: 3, simulations: 100, size: 1 }
            }
            Scale::Days => {
                Plan { iterations: 250, first: 100_000, positions: 50_000, boardless: 1, simulations: 200, size: 2 }
            }
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scale::Minutes => "minutes",
            Scale::Hours => "hours",
            Scale::Days => "days",
        })
    }
}

struct Plan {
    iterations: u32,
    /// Positions of the first iteration, which a teacher plays.
    first: u32,
    /// Of every other.
    positions: u32,
    /// Without a board it is so many times as many: the network is quicker, and there is luck to see through.
    boardless: u32,
    simulations: u32,
    /// Of the network: its place in lists of sizes.
    size: usize,
}

/// What a configuration has to know of a game.
struct Traits {
    /// Decisions in a game of somebody who wants to win.
    length: f64,
    /// Legal actions at a decision.
    branching: f64,
    /// Plays the first iteration: rules written by hand, or a search.
    teacher: &'static str,
    /// What makes games of the teacher differ.
    variety: &'static str,
    search: &'static str,
    /// Whether games may go on much longer than that.
    endless: bool,
}

/// Games from which lengths are taken.
const TRIALS: u64 = 6;

/// The configuration for a game, as the text of its file.
pub fn preset(name: &str, rules: &Rules, scale: Scale) -> Result<String, RuleError> {
    let game = game(name, rules)?;
    let Plan { iterations, first, positions, boardless, simulations, size } = scale.plan();
    let traits = Traits::of(&*game);
    let Traits { length, branching, teacher, variety, search, endless } = &traits;
    let shape = game.encoders().first().map_or(Shape::vector(0), |&(_, shape, _)| shape);
    let more = if is_board(shape) { 1 } else { boardless };
    let (first, positions) = (more * first, more * positions);
    let games = |positions: u32| (f64::from(positions) / length).ceil().max(20.0);
    let share = |part: f64| (f64::from(iterations) * part).ceil();
    let alpha = (10.0 / branching).clamp(0.1, 1.0);
    let option = if rules.0.is_empty() { String::new() } else { format!(" --rules {rules}") };
    let mut text = format!("# By `meeple train {name} --preset {scale}{option}`, for two cores.\n");
    text += &format!("game = \"{name}\"\n");
    if !rules.0.is_empty() {
        let rules: Vec<String> = rules.0.iter().map(|(key, value)| format!("{key} = {value:?}")).collect();
        text += &format!("rules = {{ {} }}\n", rules.join(", "));
    }
    text += &format!("iterations = {iterations}\n\n[network]\n{}", network(shape, game.info().teams, size));
    let fpu = if *search == "puct" { ",fpu=reduced(0.2)" } else { "" };
    text += &format!(
        "\n[self_play]\n\
         agent = \"{search}:iterations={simulations},exploration=1.5{fpu},noise=0.25,alpha={alpha:.2},\
         final=sampled(1:1,{:.0}:0.3)\"\n\
         games = {{ steps = [[1, {:.0}], [2, {:.0}]] }}\n\
         first = \"{teacher}{variety}\"\n\
         root_value = 0.25\n\
         surprise = 0.5\n",
        (length / 6.0).ceil().max(4.0),
        games(first),
        games(positions),
    );
    if *endless {
        let most = (2.0 * length / game.info().players as f64).ceil();
        text += &format!("cut_loops = {}\nmost_moves = {most:.0}\n", *search == "puct");
    }
    text += &format!(
        "\n[replay]\npositions = {}\n\n\
         [learning]\n\
         learning_rate = {{ steps = [[1, 0.002], [{:.0}, 0.001], [{:.0}, 0.0003]] }}\n\
         reuse = {{ steps = [[1, 8], [2, 5]] }}\n\n\
         [evaluation]\n\
         every = {}\n\
         games = {}\n\
         agent = \"network:temperature=0.3\"\n\
         anchors = [\"random\"{}]\n",
        10 * positions,
        share(0.6),
        share(0.85),
        if scale == Scale::Minutes { iterations / 4 } else { iterations / 10 },
        (5000.0 / length).clamp(200.0, 1000.0).round(),
        if scale == Scale::Minutes { String::new() } else { format!(", \"{teacher}\"") },
    );
    Ok(text)
}

impl Traits {
    fn of(game: &dyn AnyGame) -> Traits {
        let info = game.info();
        let open = info.information == Information::Perfect && !info.chance;
        let has_rules = game.agent("rules").is_ok();
        let teacher = match (has_rules, open) {
            (true, _) => "rules",
            (false, true) => "mcts:iterations=400",
            (false, false) => "ismcts:iterations=300",
        };
        let quick = match (has_rules, open) {
            (true, _) => "rules",
            (false, true) => "mcts:iterations=50",
            (false, false) => "ismcts:iterations=50",
        };
        let (length, branching) = trial(game, quick);
        Traits {
            length,
            branching,
            teacher,
            variety: if open && !has_rules { ",final=sampled(1:1,12:0.4)" } else { "" },
            search: if open { "puct" } else { "ispuct" },
            endless: info.longest_game as f64 > 2.5 * length,
        }
    }
}

/// Decisions in a game among equals, and legal actions at a decision.
fn trial(game: &dyn AnyGame, agent: &str) -> (f64, f64) {
    let mut agent = game.agent(agent).expect("it was asked for before, or every game has it");
    let (mut decisions, mut actions) = (0u64, 0u64);
    for number in 0..TRIALS {
        let mut rng = Rng::stream(1, number);
        let mut position = game.start();
        agent.new_game();
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance => drop(position.apply_chance(&mut rng)),
                Turn::Player(_) => {
                    decisions += 1;
                    actions += position.action_count() as u64;
                    position.act(&mut agent, &Budget::NONE, &mut rng, false);
                }
            }
        }
    }
    (decisions as f64 / TRIALS as f64, actions as f64 / decisions.max(1) as f64)
}

fn is_board(shape: Shape) -> bool {
    shape.rows > 2 && shape.columns > 2 && shape.rows.max(shape.columns) <= 20
}

/// A network that fits the input, small, usual or large.
fn network(shape: Shape, teams: usize, size: usize) -> String {
    let values = if teams > 2 { "values = \"players\"\n" } else { "" };
    let (filters, blocks) = [(16, 2), (32, 4), (64, 6)][size];
    match (is_board(shape), shape.vector) {
        (true, 0) => format!(
            "preset = \"fieldnet\"\nfilters = {filters}\nblocks = {blocks}\npolicy_filters = 8\nvalue_filters = 8\n\
             value_neurons = 64\nnorm = 0.1\n{values}"
        ),
        (true, _) => format!(
            "preset = \"cardfieldnet\"\nfilters = {filters}\nblocks = {blocks}\nboard_neurons = 32\ncards_layers = 3\n\
             cards_neurons = 64\ncommon_layers = 2\ncommon_neurons = 192\npolicy_layers = 2\npolicy_neurons = 128\n\
             policy_norm = false\nvalue_layers = 2\nvalue_neurons = 64\nnorm = 0.1\ncommon_norm = 0.1\ndropout = 0.0\n\
             {values}"
        ),
        (false, _) => format!(
            "preset = \"dense\"\nlayers = {}\nneurons = {}\nnorm = 0.1\n{values}",
            [2, 3, 4][size],
            [128, 256, 512][size]
        ),
    }
}
