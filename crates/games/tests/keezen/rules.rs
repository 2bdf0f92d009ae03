//! The rules of Keezen: every example of the specification, blocking, options, and figures.

use crate::position::Position;
use meeple_core::laws::{self, Laws};
use meeple_core::playout::finish;
use meeple_core::{FromRules, Game, Rng, RuleReader, Rules, Turn};
use meeple_games::Keezen;
use meeple_games::keezen::Setup;

const WAITING: &str = "w.w.w.w";

/// North's marbles, the others waiting.
fn north(marbles: &str) -> String {
    format!("{marbles}/{WAITING}/{WAITING}/{WAITING}")
}

fn check(seat: usize, marbles: &str, hand: &str, expected: &[&str]) -> Position {
    let position = Position::new(&Keezen::default(), seat, marbles, hand);
    let mut found = position.legal();
    let mut expected = expected.to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{marbles} with {hand}");
    position
}

#[test]
fn laws_hold_for_every_option() {
    let laws = Laws { games: 4, ..Laws::default() };
    laws::assert_with(&Keezen::default(), &laws);
    laws::assert_with(&Keezen { jack_own_start: true, first_dealer: Some(2), ..Keezen::default() }, &laws);
    laws::assert_with(&Keezen { move_limit: 90, ..Keezen::default() }, &laws);
}

#[test]
fn actions_are_those_of_the_printed_table() {
    let state = Keezen::default().initial_state();
    let found: Vec<String> = Keezen::actions().map(|action| Keezen::default().action_text(&state, action)).collect();
    let printed: Vec<&str> = include_str!("actions.txt").lines().collect();
    assert_eq!(printed.len(), 271);
    assert_eq!(found, printed);
}

#[test]
fn example_1_starting_needs_an_ace_or_a_king() {
    check(0, &north(WAITING), "AK5", &["ST01P0", "ST13P0"]);
    check(0, &north(WAITING), "5J", &["TC"]);
}

#[test]
fn example_2_from_the_start_field() {
    let position = check(0, &north("5.w.w.w"), "KA4", &["RU01P0", "RU04P0"]);
    assert_eq!(position.after("RU01P0"), north("6.w.w.w"));
    assert_eq!(position.after("RU04P0"), north("89.w.w.w"));
    let position = check(0, &north("89.w.w.w"), "3568", &["RU03P0", "RU05P0", "RU06P0"]);
    assert_eq!(position.after("RU03P0"), north("4.w.w.w"));
    assert_eq!(position.after("RU05P0"), north("2.w.w.w"));
    assert_eq!(position.after("RU06P0"), north("1.w.w.w"));
}

#[test]
fn example_3_the_lane_needs_exact_steps() {
    let position = check(0, &north("91.w.w.w"), "A2356", &["RU01P0", "RU02P0", "RU03P0", "RU05P0", "ST01P1"]);
    for (action, field) in [("RU01P0", "4"), ("RU02P0", "3"), ("RU03P0", "2"), ("RU05P0", "0")] {
        assert_eq!(position.after(action), north(&format!("{field}.w.w.w")));
    }
    check(0, &north("91.w.w.w"), "68", &["TC"]);
    check(0, &north("1.91.w.w"), "2356", &["RU02P1", "RU03P1"]);
}

#[test]
fn example_4_a_hit_marble_waits() {
    let marbles = format!("90.w.w.w/{WAITING}/85.w.w.w/{WAITING}");
    let position = check(2, &marbles, "5", &["RU05P0"]);
    assert_eq!(position.after("RU05P0"), format!("{WAITING}/{WAITING}/90.w.w.w/{WAITING}"));
}

#[test]
fn example_5_a_marble_on_its_own_start_blocks() {
    check(0, &format!("28.w.w.w/29.w.w.w/{WAITING}/{WAITING}"), "A235Q", &["ST01P1"]);
    check(0, &format!("28.w.w.w/29.w.w.w/{WAITING}/{WAITING}"), "235Q", &["TC"]);
    let position = check(0, &format!("28.w.w.w/{WAITING}/29.w.w.w/{WAITING}"), "A", &["RU01P0", "ST01P1"]);
    assert_eq!(position.after("RU01P0"), format!("29.w.w.w/{WAITING}/{WAITING}/{WAITING}"));
}

#[test]
fn example_6_a_jack_cannot_take_a_marble_from_its_own_start() {
    let marbles = format!("10.w.w.w/29.w.w.w/40.w.w.w/{WAITING}");
    let position = check(0, &marbles, "J", &["SW11P0T0"]);
    assert_eq!(position.after("SW11P0T0"), format!("40.w.w.w/29.w.w.w/10.w.w.w/{WAITING}"));
}

#[test]
fn example_7_the_last_marble_shares_a_seven_with_the_teammate() {
    let marbles = format!("0.1.2.90/{WAITING}/60.w.w.w/{WAITING}");
    let position = check(0, &marbles, "7", &["SP07P33T0"]);
    assert_eq!(position.after("SP07P33T0"), format!("0.1.2.3/{WAITING}/64.w.w.w/{WAITING}"));
}

#[test]
fn a_seven_is_not_shared_while_two_marbles_are_outside_the_lane() {
    let marbles = format!("0.1.91.90/{WAITING}/60.w.w.w/{WAITING}");
    let legal = Position::new(&Keezen::default(), 0, &marbles, "7").legal();
    assert!(legal.iter().all(|text| !text.contains('T') || text == "TC"), "{legal:?}");
}

#[test]
fn example_8_the_own_start_blocks_backward_too() {
    let position = check(0, &north("9.5.w.w"), "4", &["RU04P1"]);
    assert_eq!(position.after("RU04P1"), north("89.9.w.w"));
}

#[test]
fn example_9_who_is_finished_plays_for_the_teammate() {
    let marbles = format!("0.1.2.3/{WAITING}/60.w.w.w/{WAITING}");
    let position = check(0, &marbles, "K2", &["ST13P1", "RU02P0"]);
    assert_eq!(position.after("RU02P0"), format!("0.1.2.3/{WAITING}/62.w.w.w/{WAITING}"));
    assert_eq!(position.after("ST13P1"), format!("0.1.2.3/{WAITING}/60.53.w.w/{WAITING}"));
}

#[test]
fn example_10_the_first_part_of_a_seven_may_not_hit_the_second_marble() {
    let position = Position::new(&Keezen::default(), 0, &north("10.8.w.w"), "7");
    let legal = position.legal();
    assert!(!legal.contains(&"SP07P12P0".to_string()));
    assert_eq!(legal.len(), 2 + 12 - 1);
    assert_eq!(position.after("SP07P02P1"), north("13.12.w.w"));
}

#[test]
fn parts_of_a_seven_follow_each_other() {
    // The second marble may hit the first one.
    let position = Position::new(&Keezen::default(), 0, &north("9.8.w.w"), "7");
    assert_eq!(position.after("SP07P03P1"), north("12.w.w.w"));
    // In the lane the first marble makes room for the second, or is still in its way.
    check(0, &north("3.90.w.w"), "7", &["SP07P03P1"]);
    check(0, &north("1.2.4.w"), "7", &["TC"]);
}

#[test]
fn foreign_marbles_on_a_start_do_not_block_and_are_hit_by_starting() {
    let marbles = format!("{WAITING}/5.w.w.w/{WAITING}/4.w.w.w");
    let position = check(0, &marbles, "K", &["ST13P0"]);
    assert_eq!(position.after("ST13P0"), format!("5.w.w.w/{WAITING}/{WAITING}/4.w.w.w"));
    let position = check(3, &marbles, "2", &["RU02P0"]);
    assert_eq!(position.after("RU02P0"), format!("{WAITING}/5.w.w.w/{WAITING}/6.w.w.w"));
}

#[test]
fn four_never_leaves_nor_enters_a_lane() {
    check(0, &north("3.w.w.w"), "4", &["TC"]);
    let position = check(0, &north("8.w.w.w"), "4", &["RU04P0"]);
    assert_eq!(position.after("RU04P0"), north("4.w.w.w"));
}

#[test]
fn own_start_option_only_frees_the_own_marble() {
    let marbles = format!("5.w.w.w/29.w.w.w/40.w.w.w/{WAITING}");
    let strict = Position::new(&Keezen::default(), 0, &marbles, "J");
    assert_eq!(strict.legal(), ["TC"]);
    let loose = Position::new(&Keezen { jack_own_start: true, ..Keezen::default() }, 0, &marbles, "J");
    assert_eq!(loose.legal(), ["SW11P0T0"]);
}

/// Nobody can start, so everybody throws at once.
#[test]
fn the_deal_goes_round_and_the_seat_after_the_dealer_begins() {
    let setup = Setup::new("5555666688889999TTTT", [2, 2, 1], &north(WAITING)).unwrap();
    let game = Keezen { first_dealer: Some(3), setup, ..Keezen::default() };
    let mut rng = Rng::from_seed(2);
    let mut state = game.initial_state();
    let mut movers = Vec::new();
    while movers.len() < 24 {
        match game.turn(&state) {
            Turn::Player(seat) => {
                movers.push(seat);
                let action = game.random_action(&state, &mut Vec::new(), &mut rng);
                game.apply(&mut state, action);
            }
            _ => game.play_chance(&mut state, &mut rng),
        }
    }
    let expected: Vec<usize> = (0..6).flat_map(|round| (0..4).map(move |seat| (round + seat) % 4)).collect();
    assert_eq!(movers, expected);
}

#[test]
fn eight_marbles_in_the_lanes_win() {
    let marbles = format!("0.1.2.4/{WAITING}/48.49.50.51/77.w.w.w");
    let position = Position::new(&Keezen::default(), 0, &marbles, "A");
    let game = Keezen::default();
    let end = position.play("RU01P3");
    assert_eq!(game.turn(&end), Turn::Over);
    let outcome = game.outcome(&end);
    assert_eq!(outcome.payoffs, [1.0, -1.0, 1.0, -1.0, 0.0, 0.0]);
    assert_eq!(outcome.scores, [8.0, 0.0, 8.0, 0.0, 0.0, 0.0]);
    assert_eq!(outcome.reason, "finished");
}

#[test]
fn random_games_have_the_known_length_and_are_fair() {
    let game = Keezen::default();
    let mut rng = Rng::from_seed(7);
    let games = 2000;
    let (mut moves, mut first) = (0, 0);
    for _ in 0..games {
        let mut state = game.initial_state();
        moves += finish(&game, &mut state, &mut Vec::new(), &mut rng);
        first += u32::from(game.payoffs(&state)[0] > 0.0);
    }
    let mean = f64::from(moves) / f64::from(games);
    // Standard errors: about 2 moves and 0.011.
    assert!((370.0..390.0).contains(&mean), "{mean}");
    let share = f64::from(first) / f64::from(games);
    assert!((0.45..0.55).contains(&share), "{share}");
}

#[test]
fn the_move_limit_is_a_draw() {
    let game = Keezen { move_limit: 10, ..Keezen::default() };
    let mut state = game.initial_state();
    assert_eq!(finish(&game, &mut state, &mut Vec::new(), &mut Rng::from_seed(1)), 10);
    assert_eq!(game.outcome(&state).reason, "move limit");
    assert_eq!(game.payoffs(&state), [0.0; 6]);
}

#[test]
fn rules_are_read_and_refused() {
    let read = |text: &str| Keezen::from_rules(&mut RuleReader::new(&Rules::parse(text).unwrap()));
    let expected = Keezen { jack_own_start: true, first_dealer: Some(1), move_limit: 50, ..Keezen::default() };
    assert_eq!(read("jack_own_start=true,first_dealer=1,move_limit=50"), Ok(expected));
    assert_eq!(read(""), Ok(Keezen::default()));
    assert!(read("first_dealer=4").unwrap_err().0.contains("random|0|1|2|3"));
    assert!(read("move_limit=0").is_err());
}

#[test]
fn facts_are_those_of_the_thesis() {
    let facts = Keezen::default().facts();
    let number = |name: &str| facts.iter().find(|fact| fact.name.starts_with(name)).unwrap().number.unwrap();
    assert_eq!(number("actions"), 271.0);
    assert_eq!(number("fields"), 96.0);
    for (name, printed) in [("board", 3.7e29), ("card positions", 2.9e40), ("states", 1.1e70), ("hidden", 5.7e17)] {
        assert!((number(name) / printed - 1.0).abs() < 0.02, "{name}: {}", number(name));
    }
}

#[test]
fn the_picture_shows_marbles_where_they_stand() {
    let position = Position::new(&Keezen::default(), 1, "5.3.w.w/31.29.w.w/w.w.w.w/75.91.76.w", "A7Q");
    let picture = position.picture(1);
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(lines[0], " .  .  .  .  .  .  . w2  . n1  .  .  .  .  .  .  .");
    assert_eq!(lines[8], "w1 w0  _  _  _                       _  _  _  _  .");
    assert_eq!(lines[9], " .                                              e1");
    assert_eq!(lines[19], "East  e  hand A7Q    marbles 31 29 w w");
    assert_eq!(lines[23], "East to move, move 41, dealer North");
}
