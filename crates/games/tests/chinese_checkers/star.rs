//! The usual game.

use std::collections::BTreeMap;

use meeple_core::playout::finish;
use meeple_core::{Game, Notation, Rng, Tensor, Turn};
use meeple_games::ChineseCheckers;
use meeple_games::chinese_checkers::{ChineseCheckersRules, End, State};

use super::{legal, naive, play, star};

/// Pieces of each seat by the names of their fields, divided by blanks.
fn try_position(game: &ChineseCheckers, size: i32, pieces: &[&str], rest: &str) -> Result<State, String> {
    let rules = naive::Rules { size, players: pieces.len(), tiny: false, forbid_foreign_tips: false };
    let mut cells = BTreeMap::new();
    for (player, names) in pieces.iter().enumerate() {
        cells.extend(names.split_whitespace().map(|name| (rules.cell(name), player)));
    }
    let text = format!("{} {rest}", rules.rows(&cells));
    game.parse_state(&text).map_err(|error| format!("{text}: {error}"))
}

fn position(game: &ChineseCheckers, size: i32, pieces: &[&str], rest: &str) -> State {
    try_position(game, size, pieces, rest).unwrap()
}

#[test]
fn homes_are_the_tips_in_clockwise_order() {
    let start = |size, players| {
        let game = star(size, players);
        game.state_text(&game.initial_state())
    };
    assert_eq!(start(1, 6), "A/F2B/3/E2C/D A 0 -");
    assert_eq!(start(1, 4), "A/3B/3/D3/C A 0 -");
    assert_eq!(start(2, 2), "A/AA/7/6/5/6/7/BB/B A 0 -");
    let rows = "A/AA/AAA/AAAA/13/12/11/10/9/C8B/CC7BB/CCC6BBB/CCCC5BBBB/4/3/2/1";
    assert_eq!(start(4, 3), format!("{rows} A 0 -"));
    assert_eq!(start(3, 6).matches(char::is_alphabetic).count(), 6 * 6 + 1);
}

/// Eight steps of the front row and six jumps over it.
#[test]
fn the_usual_game_opens_with_fourteen_moves() {
    for players in [2, 3, 4, 6] {
        let game = star(4, players);
        let moves = legal(&game, &game.initial_state());
        assert_eq!(moves.len(), 14, "{moves:?}");
    }
}

fn small(rules: ChineseCheckersRules) -> ChineseCheckers {
    ChineseCheckers::new(ChineseCheckersRules { size: 1, players: 4, ..rules })
}

/// Everybody one step before his target: A goes to b1, B to a2, C to d5, D to e4.
const BEFORE_THE_END: [&str; 4] = ["c2", "b2", "d4", "d3"];

#[test]
fn places_are_spread_evenly() {
    let game = small(ChineseCheckersRules::default());
    let mut state = position(&game, 1, &BEFORE_THE_END, "A 4 -");
    play(&game, &mut state, &["c2-b1", "b2-a2"]);
    assert!(game.state_text(&state).ends_with("C 6 AB"));
    play(&game, &mut state, &["d4-d5"]);
    let outcome = game.outcome(&state);
    assert_eq!((game.turn(&state), outcome.reason), (Turn::Over, "finished"));
    assert_eq!(outcome.payoffs[..4], [1.0, 1.0 - 2.0 / 3.0, 1.0 - 4.0 / 3.0, -1.0]);
    assert_eq!(outcome.scores[..4], [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn who_has_finished_is_passed_over() {
    let game = small(ChineseCheckersRules::default());
    let mut state = position(&game, 1, &BEFORE_THE_END, "A 4 -");
    play(&game, &mut state, &["c2-b1", "b2-b3", "d4-c4", "d3-c3"]);
    assert!(game.state_text(&state).ends_with("B 8 A"));
    assert_eq!(game.payoffs_so_far(&state), Some([1.0, -1.0, -1.0, -1.0, 0.0, 0.0]));
}

#[test]
fn the_first_may_end_the_game() {
    let game = small(ChineseCheckersRules { end: End::First, ..Default::default() });
    let mut state = position(&game, 1, &BEFORE_THE_END, "A 4 -");
    play(&game, &mut state, &["c2-b1"]);
    let outcome = game.outcome(&state);
    assert_eq!((game.turn(&state), outcome.reason), (Turn::Over, "finished"));
    assert_eq!(outcome.payoffs[..4], [1.0, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0]);
    assert_eq!(outcome.scores[..4], [1.0, 3.0, 3.0, 3.0]);
}

#[test]
fn at_the_limit_the_rest_is_shared() {
    let game = small(ChineseCheckersRules { cap: 5, ..Default::default() });
    let mut state = position(&game, 1, &BEFORE_THE_END, "A 4 -");
    play(&game, &mut state, &["c2-b1"]);
    let outcome = game.outcome(&state);
    assert_eq!((game.turn(&state), outcome.reason), (Turn::Over, "move limit"));
    assert_eq!(outcome.payoffs[..4], [1.0, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0]);

    let mut state = position(&game, 1, &BEFORE_THE_END, "A 4 -");
    play(&game, &mut state, &["c2-c3"]);
    let outcome = game.outcome(&state);
    assert_eq!((game.turn(&state), outcome.payoffs, outcome.winners(4).count()), (Turn::Over, [0.0; 6], 0));
}

/// A's target is c1, c2 and d2; B still keeps pieces there.
#[test]
fn a_blocked_target_counts_if_the_rules_say_so() {
    let rules = ChineseCheckersRules { size: 2, players: 2, anti_block: true, ..Default::default() };
    let game = ChineseCheckers::new(rules);
    let mut state = position(&game, 2, &["d3 e5 d5", "c1 c2 e6"], "A 4 -");
    play(&game, &mut state, &["d3-d2"]);
    assert_eq!((game.turn(&state), game.payoffs(&state)[0]), (Turn::Over, 1.0));

    // Also when another player's move fills it.
    let mut state = position(&game, 2, &["d2 e5 d5", "c1 c3 e6"], "B 5 -");
    play(&game, &mut state, &["c3-c2"]);
    assert_eq!((game.turn(&state), game.payoffs(&state)[0]), (Turn::Over, 1.0));

    // Not by foreign pieces alone.
    let mut state = game.initial_state();
    play(&game, &mut state, &["f8-f7"]);
    assert_eq!(game.turn(&state), Turn::Player(1));

    let game = star(2, 2);
    let mut state = position(&game, 2, &["d3 e5 d5", "c1 c2 e6"], "A 4 -");
    play(&game, &mut state, &["d3-d2"]);
    assert_eq!(game.turn(&state), Turn::Player(1));
}

#[test]
fn foreign_tips_may_be_closed() {
    for (forbid_foreign_tips, expected) in [(false, true), (true, false)] {
        let rules = ChineseCheckersRules { size: 1, forbid_foreign_tips, ..Default::default() };
        let game = ChineseCheckers::new(rules);
        let state = position(&game, 1, &["d4", "d2", "a2"], "A 3 -");
        assert_eq!(legal(&game, &state).contains(&"d4-e4".to_string()), expected);
        let inside = try_position(&game, 1, &["e4", "d2", "a2"], "A 3 -");
        assert_eq!(inside.is_ok(), expected, "{inside:?}");
    }
}

#[test]
fn nobody_leaves_his_target() {
    let game = star(2, 2);
    let state = position(&game, 2, &["c2 e5 d5", "g9 g8 e6"], "A 6 -");
    let moves = legal(&game, &state);
    let from_target: Vec<&String> = moves.iter().filter(|text| text.starts_with("c2-")).collect();
    assert_eq!(from_target, ["c2-d2", "c2-c1"]);
}

#[test]
fn who_cannot_move_passes() {
    let game = star(1, 6);
    let mut state = position(&game, 1, &["d5", "c4", "d4", "b3", "d3", "c3"], "A 6 -");
    assert_eq!(legal(&game, &state), ["pass"]);
    play(&game, &mut state, &["pass"]);
    assert_eq!(game.turn(&state), Turn::Player(1));
}

#[test]
fn only_two_players_have_a_mirror() {
    for players in [3, 4, 6] {
        assert!(star(2, players).symmetries().is_none());
    }
    let game = star(2, 2);
    let mirror = game.symmetries().unwrap();
    let state = position(&game, 2, &["g9 g8 e6", "c1 c2 d2"], "A 2 -");
    let image = position(&game, 2, &["g9 f8 f6", "c1 c2 d2"], "A 2 -");
    assert_eq!(mirror.state(1, &state), image);
}

/// Shorter games than the limit do happen on the smallest stars.
#[test]
fn random_games_on_the_smallest_star_finish() {
    let game = star(1, 3);
    let mut rng = Rng::from_seed(3);
    let mut buffer = Vec::new();
    for _ in 0..200 {
        let mut state = game.initial_state();
        finish(&game, &mut state, &mut buffer, &mut rng);
        assert_eq!(game.outcome(&state).reason, "finished");
    }
}

#[test]
fn figures_are_exact() {
    let game = star(4, 3);
    let number = |name: &str| game.facts().into_iter().find(|fact| fact.name.starts_with(name)).unwrap().number;
    assert_eq!(number("fields"), Some(121.0));
    assert_eq!(number("fields of the hexagon"), Some(61.0));
    assert_eq!(number("pieces"), Some(10.0));
    assert_eq!(number("actions as pairs"), Some(14_642.0));
    // 6 directions of 121 fields, classes of 37, 28, 28 and 28 fields, the pass
    assert_eq!(number("actions as steps"), Some(4_448.0));
    assert!(size_of::<State>() <= 256);
}

#[test]
fn the_encoder_turns_the_board() {
    let game = star(3, 3);
    let encoder = &game.encoders()[0];
    let start = game.state_text(&game.initial_state());
    let encode = |turn: &str, moves: u32| {
        let state = game.parse_state(&start.replace("A 0 -", &format!("{turn} {moves} -"))).unwrap();
        let mut values = vec![0.0; encoder.shape().len()];
        encoder.encode(&game, &state, &mut Tensor::zeroed(encoder.shape(), &mut values));
        values.pop(); // the share of the moves played
        values
    };
    assert_eq!(encode("A", 0), encode("B", 1));
    assert_eq!(encode("A", 0), encode("C", 2));
}
