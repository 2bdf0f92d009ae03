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

/// What games between two teams look like.
#[derive(Debug, Default)]
struct Figures {
    /// Mean, least and most moves of a game.
    moves: f64,
    shortest: u32,
    longest: u32,
    /// Mean number of legal actions of a move, and of a move with several.
    actions: f64,
    choices: f64,
    /// Share of games that the first team wins.
    won: f64,
}

fn figures(teams: [&mut dyn Agent<Keezen>; 2], games: u64) -> Figures {
    let game = Keezen::default();
    let mut figures = Figures { shortest: u32::MAX, ..Figures::default() };
    let (mut total, mut actions, mut free) = (0, 0, 0);
    let mut legal = Vec::new();
    for number in 0..games {
        let mut rng = Rng::stream(1, number);
        let mut state = game.initial_state();
        let mut moves = 0;
        while game.turn(&state) != Turn::Over {
            let Turn::Player(seat) = game.turn(&state) else {
                game.play_chance(&mut state, &mut rng);
                continue;
            };
            game.legal_actions(&state, &mut legal);
            let action = teams[seat % 2].decide(&game, &game.view(&state, Some(seat)), &Budget::NONE, &mut rng).action;
            assert!(legal.contains(&action));
            game.apply(&mut state, action);
            moves += 1;
            actions += legal.len();
            free += usize::from(legal.len() > 1);
        }
        total += moves as usize;
        figures.shortest = figures.shortest.min(moves);
        figures.longest = figures.longest.max(moves);
        figures.won += f64::from(u8::from(game.payoffs(&state)[0] > 0.0)) / games as f64;
    }
    figures.moves = total as f64 / games as f64;
    figures.actions = actions as f64 / total as f64;
    figures.choices = (actions - (total - free)) as f64 / free as f64;
    figures
}

/// Thesis 003 counts 207 moves in the mean and 6 actions (section 3.4.2), and more than 99 % of games
/// won against random players (section 4.7). Here equal cards count once; 4,000 games have 210.4
/// moves, 3.56 actions, and 4.86 where there is a choice.
#[test]
fn games_are_as_long_as_published_and_random_players_lose() {
    let alike = figures([&mut RuleBased, &mut RuleBased], 400);
    assert!((195.0..225.0).contains(&alike.moves), "{alike:?}");
    assert!((3.3..3.8).contains(&alike.actions) && (4.6..5.1).contains(&alike.choices), "{alike:?}");
    let unequal = figures([&mut RuleBased, &mut RandomAgent::default()], 400);
    assert!(unequal.won > 0.99, "{unequal:?}");
}
