//! The rule-based player: what it does in plain situations, and how its games look.

use crate::position::view_text;
use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, Notation, RandomAgent, Rng, Script, Turn, laws};
use meeple_games::Keezen;
use meeple_games::keezen::{Action, View};

const WAITING: &str = "w.w.w.w";

struct RuleBased;

impl Agent<Keezen> for RuleBased {
    fn decide(&mut self, game: &Keezen, view: &View, _: &Budget, rng: &mut Rng) -> Decision<Action> {
        Decision::plain(script(game).choose(game, view, rng))
    }
}

fn script(game: &Keezen) -> Box<dyn Script<Keezen>> {
    game.scripts().remove(0).1
}

/// What seat 0 does with these marbles and this hand.
fn choice(marbles: &str, hand: &str) -> String {
    let game = Keezen::default();
    let view = game.parse_view(&view_text(0, marbles, hand)).unwrap();
    let action = script(&game).choose(&game, &view, &mut Rng::from_seed(1));
    game.action_text(&game.initial_state(), action)
}

fn check(marbles: [&str; 4], hand: &str, expected: &str) {
    assert_eq!(choice(&marbles.join("/"), hand), expected, "{marbles:?} with {hand}");
}

#[test]
fn marbles_come_out_with_an_ace_or_a_king() {
    check([WAITING, WAITING, WAITING, WAITING], "A235", "ST01P0");
    check([WAITING, WAITING, WAITING, WAITING], "K235", "ST13P0");
    check(["15.w.w.w", WAITING, WAITING, WAITING], "A235", "ST01P1");
}

#[test]
fn a_king_starts_rather_than_an_ace() {
    check([WAITING, WAITING, WAITING, WAITING], "AK5", "ST13P0");
}

#[test]
fn four_steps_back_from_the_start_save_a_lap() {
    check(["5.w.w.w", WAITING, WAITING, WAITING], "48Q", "RU04P0");
}

#[test]
fn a_start_is_cleared_for_the_next_marble() {
    check(["7.5.w.w", WAITING, WAITING, WAITING], "K8", "RU08P1");
    check(["7.5.w.w", WAITING, WAITING, WAITING], "J8", "RU08P0");
}

#[test]
fn marbles_go_home_as_far_as_they_can() {
    // From 91 two, three and five steps lead into the lane.
    check(["91.15.w.w", WAITING, WAITING, WAITING], "235", "RU05P0");
    // Further on within the lane rather than forward far out.
    check(["3.30.w.w", WAITING, WAITING, WAITING], "3", "RU03P0");
}

#[test]
fn opponents_are_hit_and_the_teammate_is_not() {
    let marbles = ["40.36.w.w", WAITING, WAITING, WAITING];
    for (seat, expected) in [(1, "RU03P0"), (2, "RU03P1"), (3, "RU03P0")] {
        let mut marbles = marbles;
        marbles[seat] = "43.w.w.w";
        check(marbles, "3", expected);
    }
}

#[test]
fn a_jack_takes_the_better_field() {
    // East's marble is nearly at home; North's own lies far behind.
    check(["9.w.w.w", "13.w.w.w", WAITING, WAITING], "J", "SW11P0A0");
    // Of two opponents the one whose field is worth more.
    check(["30.w.w.w", "40.w.w.w", WAITING, "86.w.w.w"], "J", "SW11P0B0");
}

#[test]
fn the_last_marble_is_brought_home() {
    check(["0.1.2.91", WAITING, "48.49.50.51", WAITING], "235", "RU02P3");
}

/// Legal actions, and none that depends on what is hidden.
#[test]
fn only_the_view_counts() {
    laws::assert_fair(&Keezen::default(), || Box::new(RuleBased), 5);
}

/// Mean moves of a game and mean number of actions to choose from.
fn lengths(teams: [&mut dyn Agent<Keezen>; 2], games: u64) -> (f64, f64, f64) {
    let game = Keezen::default();
    let (mut moves, mut choices, mut won) = (0, 0, 0);
    let mut actions = Vec::new();
    for number in 0..games {
        let mut rng = Rng::stream(1, number);
        let mut state = game.initial_state();
        while game.turn(&state) != Turn::Over {
            let Turn::Player(seat) = game.turn(&state) else {
                game.play_chance(&mut state, &mut rng);
                continue;
            };
            game.legal_actions(&state, &mut actions);
            let action = teams[seat % 2].decide(&game, &game.view(&state, Some(seat)), &Budget::NONE, &mut rng).action;
            assert!(actions.contains(&action));
            game.apply(&mut state, action);
            moves += 1;
            choices += actions.len();
        }
        won += u64::from(game.payoffs(&state)[0] > 0.0);
    }
    (moves as f64 / games as f64, choices as f64 / moves as f64, won as f64 / games as f64)
}

/// Thesis 003, section 3.4: 207 moves, 6 actions (which count equal cards apart); sections 4.6 and
/// 4.7: more than 99 % against random players.
#[test]
fn games_are_as_long_as_published_and_random_players_lose() {
    let (moves, choices, _) = lengths([&mut RuleBased, &mut RuleBased], 400);
    assert!((195.0..225.0).contains(&moves), "{moves} moves");
    assert!((3.0..4.5).contains(&choices), "{choices} actions");
    let (_, _, won) = lengths([&mut RuleBased, &mut RandomAgent::default()], 400);
    assert!(won > 0.99, "{won}");
}
