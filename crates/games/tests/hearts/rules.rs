use std::collections::HashSet;

use meeple_core::playout::{actions_or_outcomes, finish};
use meeple_core::{FromRules, Game, Notation, Rng, RuleReader, Rules, Tensor, Turn, laws};
use meeple_games::hearts::{Action, Hearts, HeartsRules, MOST_EXTRA_HANDS, RankOrder, State, Tie};

fn one_hand_with_passing() -> HeartsRules {
    HeartsRules { passing: true, ..HeartsRules::default() }
}

fn small(deck: &str) -> Hearts {
    Hearts::with_deck(HeartsRules::default(), deck, 1).unwrap()
}

fn from_rules(text: &str) -> Result<Hearts, String> {
    let mut reader = RuleReader::new(&Rules::parse(text).unwrap());
    let game = Hearts::from_rules(&mut reader).map_err(|error| error.to_string())?;
    reader.finish().map(|_| game).map_err(|error| error.to_string())
}

fn legal(game: &Hearts, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.iter().map(|&action| game.action_text(state, action)).collect()
}

/// Carries out actions or outcomes of chance by their texts.
fn play(game: &Hearts, state: &mut State, texts: &str) {
    for text in texts.split_whitespace() {
        let possible = actions_or_outcomes(game, state);
        let action = possible.into_iter().find(|&action| game.action_text(state, action) == text);
        game.apply(state, action.unwrap_or_else(|| panic!("{text} is not possible: {}", game.state_text(state))));
    }
}

fn scores(game: &Hearts, state: &State) -> [f32; 4] {
    assert_eq!(game.turn(state), Turn::Over);
    game.outcome(state).scores[..4].try_into().unwrap()
}

#[test]
fn laws_hold() {
    laws::assert_all(&Hearts::default());
    laws::assert_all(&Hearts::new(one_hand_with_passing()));
    laws::assert_all(&Hearts::new(HeartsRules { queen_breaks_hearts: true, ..HeartsRules::default() }));
    laws::assert_all(&Hearts::new(HeartsRules { rank_order: RankOrder::JackAboveQueen, ..one_hand_with_passing() }));
}

#[test]
fn laws_hold_in_the_full_game() {
    let few = laws::Laws { games: 2, worlds: 1, ..laws::Laws::default() };
    laws::assert_with(&Hearts::new(HeartsRules::full_game()), &few);
    laws::assert_with(&Hearts::new(HeartsRules { tie: Tie::PlayOn, ..HeartsRules::full_game() }), &few);
    laws::assert_with(&Hearts::new(HeartsRules { passing: false, to: 50, ..HeartsRules::default() }), &few);
}

#[test]
fn no_points_are_thrown_on_the_first_trick() {
    let game = small("2c.3c.4c.Qs.3h.5d.6c.7c.8c.9c.Tc.Jc");
    let state = game.parse_state("3c.4c/Qs.3h.5d/6c.7c.8c/9c.Tc.Jc -/-/-/- 0:2c 1 0/0/0/0").unwrap();
    assert_eq!(legal(&game, &state), ["5d"]);
}

#[test]
fn only_points_may_be_thrown_on_the_first_trick() {
    let game = small("2c.3c.4c.Qs.3h.4h.6c.7c.8c.9c.Tc.Jc");
    let state = game.parse_state("3c.4c/Qs.3h.4h/6c.7c.8c/9c.Tc.Jc -/-/-/- 0:2c 1 0/0/0/0").unwrap();
    assert_eq!(legal(&game, &state), ["3h", "4h", "Qs"]);
}

#[test]
fn hearts_are_led_when_broken_or_alone() {
    let game = small("2c.3c.4c.Ac.2h.9h.4s.2d.3d.4d.5d.6d.7d.8d.9d.Td");
    let text = "2h.9h.4s/2d.3d.4d/5d.6d.7d/8d.9d.Td -/-/-/- 3:2c.Ac.3c.4c 1 0/0/0/0";
    assert_eq!(legal(&game, &game.parse_state(text).unwrap()), ["4s"]);

    let game = small("2c.3c.4c.Ac.2h.9h.2d.3d.5d.6d.8d.9d");
    let mut state = game.parse_state("2h.9h/2d.3d/5d.6d/8d.9d -/-/-/- 3:2c.Ac.3c.4c 1 0/0/0/0").unwrap();
    assert_eq!(legal(&game, &state), ["2h", "9h"]);
    play(&game, &mut state, "9h 2d 5d 8d 2h 3d 6d 9d");
    assert_eq!(scores(&game, &state), [0.0, 2.0, 2.0, 2.0]);
}

#[test]
fn the_queen_breaks_hearts_only_by_option() {
    let deck = "2c.3c.4c.Ac.2h.Qs.2d.3d.3s.5h.4s.6h.8d.9d.Td.Jd";
    let text = "2h.2d/5h.8d/6h.9d/Td.Jd -/-/-/- 3:2c.Ac.3c.4c/Qs.3s.4s.3d 1 0/0/0/0";
    for (queen_breaks_hearts, expected) in [(false, vec!["2d"]), (true, vec!["2d", "2h"])] {
        let rules = HeartsRules { queen_breaks_hearts, ..HeartsRules::default() };
        let game = Hearts::with_deck(rules, deck, 1).unwrap();
        assert_eq!(legal(&game, &game.parse_state(text).unwrap()), expected);
    }
}

#[test]
fn a_heart_on_the_first_trick_breaks_hearts() {
    let game = small("2c.3c.4c.Ac.2h.9h.4s.5d.Qs.5h.6h.7h");
    let state = game.parse_state("2h.4s/6h.7h/3c.4c/5d.Qs -/-/-/- 3:2c.Ac.5h.9h 1 0/0/0/0");
    assert!(state.unwrap_err().to_string().contains("seat 2 cannot play 9h"));
    let game = small("2c.3c.4c.Ac.2h.8c.4s.5d.Qs.5h.6h.7h");
    let state = game.parse_state("2h.4s/6h.7h/3c.4c/5d.Qs -/-/-/- 3:2c.Ac.5h.8c 1 0/0/0/0").unwrap();
    assert_eq!(legal(&game, &state), ["2h", "4s"]);
}

#[test]
fn all_hearts_without_the_queen_are_no_moon() {
    let game = Hearts::default();
    let text = "3c.4c.5c.6c.7c.8c.9c.Tc.Jc.Qc.Kc.Ac.2s/2c.Qs.2h.3h.4h.5h.2d.3d.4d.5d.6d.7d.8d/\
                Ks.9d.6h.7h.8h.9h.Td.Jd.Qd.Kd.Ad.Js.Ts/3s.Th.Jh.Qh.Kh.Ah.4s.5s.6s.7s.8s.9s.As -/-/-/- 1:- 1 0/0/0/0";
    let mut state = game.parse_state(text).unwrap();
    play(&game, &mut state, "2c 9d 4s 3c");
    assert_eq!(legal(&game, &state).len(), 12);
    play(&game, &mut state, "Ac 2h 6h Th Kc 3h 7h Jh Qc 4h 8h Qh Jc 5h 9h Kh Tc 2d Td Ah");
    play(&game, &mut state, "9c 3d Jd 5s 8c 4d Qd 6s 7c 5d Kd 7s 6c 6d Ad 8s 5c 7d Js 9s 4c 8d Ts As");
    play(&game, &mut state, "2s Qs Ks 3s");
    assert_eq!(scores(&game, &state), [13.0, 0.0, 13.0, 0.0]);
    assert_eq!(game.payoffs(&state)[..4], [-1.0, 1.0, -1.0, 1.0]);
    assert_eq!(game.outcome(&state).reason, "hand played");
}

#[test]
fn all_points_to_one_are_a_moon() {
    let game = Hearts::default();
    // One player has all clubs and takes every trick, whatever the others do.
    let text = "2c.3c.4c.5c.6c.7c.8c.9c.Tc.Jc.Qc.Kc.Ac/2d.3d.4d.5d.6d.7d.8d.9d.Td.Jd.Qd.Kd.Ad/\
                2h.3h.4h.5h.6h.7h.8h.9h.Th.Jh.Qh.Kh.As/2s.3s.4s.5s.6s.7s.8s.9s.Ts.Js.Qs.Ks.Ah -/-/-/- 0:- 1 0/0/0/0";
    let mut state = game.parse_state(text).unwrap();
    finish(&game, &mut state, &mut Vec::new(), &mut Rng::from_seed(1));
    assert_eq!(scores(&game, &state), [0.0, 26.0, 26.0, 26.0]);
    assert_eq!(game.payoffs(&state)[..4], [1.0, -1.0, -1.0, -1.0]);
    assert_eq!(game.outcome(&state).reason, "moon");
}

#[test]
fn the_highest_card_of_the_suit_led_takes_the_trick() {
    let deck = "Ac.Qs.4d.3c.Ks.2d.4c.2s.3d.2c.Ah.2h";
    let hands = "Ac.Qs.4d/3c.Ks.2d/4c.2s.3d/2c.Ah.2h -/-/-/- 3:- 1 0/0/0/0";
    let game = small(deck);
    let mut state = game.parse_state(hands).unwrap();
    play(&game, &mut state, "2c Ac 3c 4c Qs Ks 2s Ah 2d 3d 2h 4d");
    assert_eq!(scores(&game, &state), [1.0, 14.0, 0.0, 0.0]);
}

#[test]
fn the_order_of_jack_and_queen_is_an_option() {
    let deck = "Ac.Qs.3c.Js.4c.2s.2c.2h";
    for (rank_order, taker) in [(RankOrder::QueenAboveJack, 0), (RankOrder::JackAboveQueen, 1)] {
        let rules = HeartsRules { rank_order, ..HeartsRules::default() };
        let game = Hearts::with_deck(rules, deck, 1).unwrap();
        let mut state = game.parse_state("Ac.Qs/3c.Js/4c.2s/2c.2h -/-/-/- 3:- 1 0/0/0/0").unwrap();
        play(&game, &mut state, "2c Ac 3c 4c Qs Js 2s 2h");
        assert_eq!(scores(&game, &state)[taker], 0.0, "{rank_order:?}: the taker of all points shot the moon");
        assert_eq!(game.payoffs(&state)[taker], 1.0);
    }
}

#[test]
fn cards_are_passed_left_right_across_and_kept() {
    let game = Hearts::new(HeartsRules { to: 1000, ..HeartsRules::full_game() });
    let mut state = game.initial_state();
    let mut rng = Rng::from_seed(3);
    let mut buffer = Vec::new();
    for distance in [1usize, 3, 2, 0, 1] {
        game.play_chance(&mut state, &mut rng);
        let mut passes = Vec::new();
        for seat in 0..if distance > 0 { 4 } else { 0 } {
            assert_eq!(game.turn(&state), Turn::Player(seat));
            assert_eq!(legal(&game, &state).len(), 286);
            let action = game.random_action(&state, &mut buffer, &mut rng);
            passes.push(game.action_text(&state, action).replace('+', " "));
            game.apply(&mut state, action);
        }
        let text = game.state_text(&state);
        let hands: Vec<&str> = text.split([' ', '/']).take(4).collect();
        for (seat, pass) in passes.iter().enumerate() {
            assert!(pass.split(' ').all(|card| hands[(seat + distance) % 4].contains(card)), "{pass}: {text}");
        }
        for _ in 0..52 {
            let action = game.random_action(&state, &mut buffer, &mut rng);
            game.apply(&mut state, action);
        }
        assert_eq!(game.turn(&state), Turn::Chance);
    }
}

#[test]
fn passes_are_written_from_spades_to_clubs() {
    let game = Hearts::with_deck(one_hand_with_passing(), "2c.3c.7d.Th.Qs.4c.5c.6c.8c.9c.Tc.Jc", 3).unwrap();
    let mut state = game.initial_state();
    play(&game, &mut state, "7d 2c 3c 4c Th 5c 6c 8c Qs 9c Tc Jc");
    assert_eq!(legal(&game, &state), ["Qs+Th+7d"]);
    play(&game, &mut state, "Qs+Th+7d 9c+5c+2c");
    let view = game.view_text(&game.view(&state, Some(0)));
    assert_eq!(view, "7d.Th.Qs/?3/?3/?3 7d.Th.Qs/?/-/- - 1 0/0/0/0 0");
    play(&game, &mut state, "Tc+6c+3c Jc+8c+4c");
    assert_eq!(game.turn(&state), Turn::Player(2));
    let view = game.view_text(&game.view(&state, Some(0)));
    assert_eq!(view, "Jc.8c.4c/?3/?3/?3 7d.Th.Qs/?/?/Jc.8c.4c 2:- 1 0/0/0/0 0");
}

#[test]
fn full_games_end_at_the_target() {
    let game = Hearts::new(HeartsRules::full_game());
    assert_eq!(game.info().longest_game, 16 * 108);
    let mut rng = Rng::from_seed(4);
    let mut hands = HashSet::new();
    for _ in 0..300 {
        let mut state = game.initial_state();
        let decisions = finish(&game, &mut state, &mut Vec::new(), &mut rng);
        let scores = scores(&game, &state);
        let highest = scores.iter().copied().fold(0.0, f32::max);
        assert!((100.0..126.0).contains(&highest), "{scores:?}");
        assert_eq!(scores.iter().sum::<f32>() % 26.0, 0.0);
        let lowest = scores.iter().copied().fold(f32::MAX, f32::min);
        assert!((0..4).all(|seat| (game.payoffs(&state)[seat] == 1.0) == (scores[seat] == lowest)));
        assert_eq!(game.outcome(&state).reason, "target reached");
        hands.insert(decisions / 52);
    }
    assert!(hands.len() > 3, "{hands:?}");
}

#[test]
fn a_tie_is_shared_or_played_on() {
    for tie in [Tie::Shared, Tie::PlayOn] {
        let rules = HeartsRules { to: 1, tie, ..HeartsRules::default() };
        let game = Hearts::with_deck(rules, "2c.3c.2h.3h.2d.3d.4d.5d", 1).unwrap();
        let mut rng = Rng::from_seed(5);
        let (mut shared, mut longer) = (0, 0);
        for _ in 0..200 {
            let mut state = game.initial_state();
            let decisions = finish(&game, &mut state, &mut Vec::new(), &mut rng);
            let payoffs = &game.payoffs(&state)[..4];
            let winners = payoffs.iter().filter(|&&payoff| payoff == 1.0).count();
            shared += u32::from(winners > 1 && decisions < 8 * (1 + MOST_EXTRA_HANDS));
            longer += u32::from(decisions > 8);
        }
        let expected = (tie == Tie::Shared, tie == Tie::PlayOn);
        assert_eq!((shared > 0, longer > 0), expected, "{tie:?}: {shared} shared, {longer} longer than a hand");
    }
}

#[test]
fn rules_are_read() {
    assert_eq!(*from_rules("").unwrap().rules(), HeartsRules::default());
    assert_eq!(*from_rules("to=100").unwrap().rules(), HeartsRules::full_game());
    assert_eq!(*from_rules("passing=true").unwrap().rules(), one_hand_with_passing());
    let all = "to=50,passing=false,queen_breaks_hearts=true,rank_order=AKJQT98765432,tie=play_on";
    let expected = HeartsRules {
        passing: false,
        to: 50,
        queen_breaks_hearts: true,
        rank_order: RankOrder::JackAboveQueen,
        tie: Tie::PlayOn,
    };
    assert_eq!(*from_rules(all).unwrap().rules(), expected);
    for (text, part) in [
        ("to=1001", "0..1000"),
        ("passing=maybe", "false|true"),
        ("rank_order=AKQ", "one of"),
        ("tie=play_on", "give `to`"),
        ("moon=old", "unknown rule `moon`"),
    ] {
        let error = from_rules(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn impossible_decks_are_refused() {
    for (deck, passed, part) in [
        ("2c.3c.4h", 1, "evenly"),
        ("2d.3d.4h.5h", 1, "no club"),
        ("2c.3c.4c.5c", 1, "no card that scores"),
        ("2c.3c.4h.5h", 2, "cannot be passed"),
        ("2c.2c.4h.5h", 1, "twice"),
        ("-", 1, "evenly"),
    ] {
        let error = Hearts::with_deck(one_hand_with_passing(), deck, passed).unwrap_err().to_string();
        assert!(error.contains(part), "{deck}: {error}");
    }
}

#[test]
fn codes_give_back_their_actions() {
    let game = Hearts::new(one_hand_with_passing());
    let mut rng = Rng::from_seed(6);
    let mut actions: HashSet<Action> = actions_or_outcomes(&game, &game.initial_state()).into_iter().collect();
    for _ in 0..200 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        actions.extend(actions_or_outcomes(&game, &state));
    }
    assert!(actions.len() > 10_000);
    assert!(actions.iter().all(|&action| Action::from_code(game.action_code(action)) == action));
}

fn encode(game: &Hearts, state: &State, viewer: usize) -> Vec<f32> {
    let encoder = &game.encoders()[0];
    let mut values = vec![0.0; encoder.shape().len()];
    encoder.encode(game, &game.view(state, Some(viewer)), &mut Tensor::zeroed(encoder.shape(), &mut values));
    values
}

#[test]
fn a_network_sees_what_the_viewer_can_conclude() {
    let game = small("2c.3c.4c.Ac.2h.3h.Qs.4h.2d.3d.4d.5d");
    let state = game.parse_state("2h.3h/2d.3d/4d.5d/Qs.4h -/-/-/- 3:2c.Ac.3c.4c 1 0/0/0/0").unwrap();
    let mut after = state.clone();
    play(&game, &mut after, "2h 2d"); // all hearts, no diamonds or spades in hand of seat 0
    let values = encode(&game, &after, 2);
    let set = |number: usize| -> Vec<usize> { (0..52).filter(|card| values[number * 52 + card] == 1.0).collect() };
    let (ac, c2, d4, d5, h2, h3, h4) = (12, 0, 15, 16, 26, 27, 28);
    assert_eq!(set(0), [d4, d5]);
    assert_eq!((set(2), set(3)), (vec![c2], vec![ac, h2]), "played by seats 3 and 0");
    assert_eq!(set(7), [h2], "in the trick, from seat 0");
    assert_eq!(set(10), [h3, h4], "seat 0 led hearts before they were broken");
    assert_eq!(set(11), [14, 49], "seat 1 is void in hearts: 3d or Qs");
    let numbers = &values[17 * 52..];
    assert_eq!(numbers[8..12], [0.0, 0.0, 1.0, 0.0], "third in the trick");
    assert_eq!(numbers[16..], [1.0 / 3.0, 1.0, 1.0]);
}

#[test]
fn every_pass_has_its_own_output() {
    let game = Hearts::new(one_hand_with_passing());
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut Rng::from_seed(8));
    let (encoder, view) = (&game.encoders()[0], game.view(&state, Some(0)));
    let actions = actions_or_outcomes(&game, &state);
    let outputs: HashSet<usize> = actions.iter().map(|&action| encoder.policy_index(&game, &view, action)).collect();
    assert_eq!(outputs, (52..52 + 286).collect());
    assert_eq!(encoder.policy_size(), 52 + 286);
    assert_eq!(Hearts::default().encoders()[0].policy_size(), 52);
}

#[test]
fn a_view_is_drawn_with_what_is_known() {
    let rules = one_hand_with_passing();
    let game = Hearts::with_deck(rules, "2c.3c.4c.Ac.2h.3h.Qs.4h.2d.3d.4d.5d", 1).unwrap();
    let view = game.parse_view("?2/?2/5d.4d/?3 ?/3d/Qs/? 3:2c.Ac.4c 1 0/0/0/0 2");
    assert!(view.is_err(), "3d came to seat 2 and is neither in the hand nor played");
    let view = game.parse_view("?2/?3/5d.4d.3c/?2 ?/4d/Qs/? 3:2c.4h 1 0/0/0/0 2").unwrap();
    let drawn = game.render(&view);
    let expected = "\
hand 1, trick 1, seat 1 to play, hearts broken
seat 0  total   0, points  0, cards  2, void in cd
seat 1  total   0, points  0, cards  3
seat 2* total   0, points  0, cards  3
seat 3  total   0, points  0, cards  2, holds Qs
last trick  -
trick       3:2c 0:4h
passed      Qs
received    4d
your hand   5d 4d   3c";
    assert_eq!(drawn, expected, "\n{drawn}");
}

/// Thesis 002, tables 5.1 and 5.2, three digits each.
#[test]
fn facts_are_those_of_the_thesis() {
    let facts = Hearts::default().facts();
    for (name, digits) in [
        ("deals (state space)", "5.36e28"),
        ("nodes of the determinized tree, at most", "8.97e39"),
        ("leaves of the determinized tree, at most", "1.50e39"),
        ("effective branching factor of the determinized tree", "5.84e0"),
        ("depth of both trees", "5.20e1"),
        ("nodes of the information-set tree, at most", "3.67e56"),
        ("leaves of the information-set tree, at most", "1.27e56"),
        ("effective branching factor of the information-set tree", "1.22e1"),
        ("information sets, at most", "1.97e85"),
        ("worlds that one player's first hand allows", "8.45e16"),
    ] {
        let fact = facts.iter().find(|fact| fact.name == name).unwrap_or_else(|| panic!("no {name}: {facts:?}"));
        assert_eq!(format!("{:.2e}", fact.number.unwrap()), digits, "{name}");
    }
    assert!(Hearts::new(HeartsRules::full_game()).facts().len() > facts.len());
}
