//! Positions and views as text: what is written parses back, what is wrong is refused.

use meeple_core::{Game, Notation, Rng, Turn, Worlds};
use meeple_games::hearts::{Hearts, HeartsRules, State};
use proptest::prelude::*;

fn games() -> [Hearts; 3] {
    let passing = HeartsRules { passing: true, ..HeartsRules::default() };
    [
        Hearts::default(),
        Hearts::new(HeartsRules::full_game()),
        Hearts::with_deck(passing, "2c.3c.2h.3h.4h.5h.Qs.Ks", 1).unwrap(),
    ]
}

/// The position after so many random actions, or the end.
fn position(game: &Hearts, seed: u64, actions: usize) -> State {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.initial_state();
    for _ in 0..actions {
        let action = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, &mut rng),
            Turn::Player(_) => game.random_action(&state, &mut Vec::new(), &mut rng),
        };
        game.apply(&mut state, action);
    }
    state
}

/// Whatever the text is: no panic, and what is accepted can be written, drawn and sampled.
fn read(game: &Hearts, text: &str) {
    if let Ok(state) = game.parse_state(text) {
        assert_eq!(game.parse_state(&game.state_text(&state)).as_ref(), Ok(&state), "{text}");
        game.render(&game.view(&state, Some(0)));
    }
    if let Ok(view) = game.parse_view(text) {
        assert_eq!(game.parse_view(&game.view_text(&view)).as_ref(), Ok(&view), "{text}");
        game.render(&view);
        let mut world = game.initial_state();
        game.worlds(&view).sample_into(&mut world, &mut Rng::from_seed(1));
        let viewer = view_seat(text);
        assert_eq!(game.view(&world, viewer), view, "{text}");
        assert_eq!(game.parse_state(&game.state_text(&world)), Ok(world), "{text}");
    }
}

/// The view of a seat, of a spectator (4), or the whole position (5).
fn text_of(game: &Hearts, state: &State, viewer: usize) -> String {
    match viewer {
        5 => game.state_text(state),
        4 => game.view_text(&game.view(state, None)),
        seat => game.view_text(&game.view(state, Some(seat))),
    }
}

fn view_seat(text: &str) -> Option<usize> {
    text.split_whitespace().last().and_then(|seat| seat.parse().ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_texts_do_not_panic(text in "\\PC{0,60}") {
        games().iter().for_each(|game| read(game, &text));
    }

    #[test]
    fn mutated_texts_do_not_panic(
        which in 0usize..3,
        seed in any::<u64>(),
        actions in 0usize..300,
        viewer in 0usize..6,
        place in any::<prop::sample::Index>(),
        replacement in prop::sample::select(vec!["", "?", "-", "/", ".", " ", "2c", "Qs", "A", "h", "0", "9", "99999999999", "ä", "\u{0}"]),
        cut in 0usize..4,
    ) {
        let game = &games()[which];
        let state = position(game, seed, actions % (game.info().longest_game + 1));
        let text = text_of(game, &state, viewer);
        read(game, &text);
        let characters: Vec<char> = text.chars().collect();
        let start = place.index(characters.len());
        let end = (start + cut).min(characters.len());
        let mutated: String = characters[..start].iter().chain(&replacement.chars().collect::<Vec<_>>()).chain(&characters[end..]).collect();
        read(game, &mutated);
    }

    /// Two cards exchanged: often a text of the right form that no game can reach.
    #[test]
    fn exchanged_cards_do_not_panic(
        which in 0usize..3,
        seed in any::<u64>(),
        actions in 0usize..300,
        viewer in 0usize..6,
        places in any::<[prop::sample::Index; 2]>(),
    ) {
        let game = &games()[which];
        let state = position(game, seed, actions % (game.info().longest_game + 1));
        let text = text_of(game, &state, viewer);
        let cards: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|piece| piece.len() == 2 && piece.ends_with(['c', 'd', 'h', 's'])).collect();
        if !cards.is_empty() {
            let [first, second] = places.map(|place| cards[place.index(cards.len())]);
            read(game, &text.replace(first, "@").replace(second, first).replace('@', second));
        }
    }
}

#[test]
fn wrong_positions_say_what_is_wrong() {
    let game = Hearts::with_deck(HeartsRules::default(), "2c.3c.4c.5c.2h.3h.2d.Qs", 1).unwrap();
    assert!(game.parse_state("3c/2d/Qs/3h -/-/-/- 0:2c.4c.5c.2h 1 0/0/0/0").is_ok());
    for (text, part) in [
        ("", "fields"),
        ("3c/2d/Qs/3h -/-/-/- 0:2c 1", "fields"),
        ("3c/2d/Qs -/-/-/- 0:2c 1 0/0/0/0", "3 hands"),
        ("3c/2d/Qs/3x -/-/-/- 0:2c 1 0/0/0/0", "suit `x`"),
        ("3c/2d/Qs/7h -/-/-/- 0:2c 1 0/0/0/0", "the deck has no 7h"),
        ("2c/2c/Qs/3h -/-/-/- - 1 0/0/0/0", "2c stands twice"),
        ("2c/-/Qs/- -/-/-/- - 1 0/0/0/0", "seat 1 has 1, not 0"),
        ("3c/4c.2d/5c.Qs/2h.3h -/-/-/- 1:2c 1 0/0/0/0", "seat 0 has 1 cards"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- 1:- 1 0/0/0/0", "seat 1 cannot open without 2c"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- 4:- 1 0/0/0/0", "no seat"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- 0 1 0/0/0/0", "no play"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- - 1 0/0/0/0", "nobody passes"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- 0:- 2 0/0/0/0", "no hand of 1..1"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- 0:- 1 0/0/0/1", "sum 1"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h -/-/-/- 0:- 1 0/0/0/99999", "no number of points"),
        ("2c.3c/4c.2d/5c.Qs/2h.3h 2d/-/-/- 0:- 1 0/0/0/0", "seat 0 passed 1 cards, not 0"),
        ("3c/4c/5c.Qs/2h.3h -/-/-/- 0:2c.2d 1 0/0/0/0", "seat 1 cannot play 2d in trick 1"),
        ("2c/4c.2d/5c.Qs/2h.3h -/-/-/- 0:3c 1 0/0/0/0", "seat 0 cannot play 3c in trick 1"),
        ("3c/2d/5c/3h -/-/-/- 0:2c.4c.Qs.2h 1 0/0/0/0", "seat 2 cannot play Qs in trick 1"),
        ("3c/2d/-/3h -/-/-/- 0:2c.4c.5c.2h.Qs 1 0/0/0/0", "more than four"),
        ("3c/2d/-/3h -/-/-/- 0:2c.4c.5c/2h.Qs 1 0/0/0/0", "not four"),
        ("3c/2d/?1/3h -/-/-/- 0:2c.4c.5c.2h 1 0/0/0/0", "belongs in a view"),
        ("3c/2d/?99/3h -/-/-/- 0:2c.4c.5c.2h 1 0/0/0/0", "at most 2 cards"),
    ] {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn totals_must_come_from_hands() {
    let game = Hearts::new(HeartsRules::full_game());
    for (hand, totals, possible) in [
        (2, "25/1/0/0", true),
        (2, "0/26/26/26", true),
        (2, "26/0/0/0", false), // a moon gives the points to the others
        (2, "7/7/6/6", false),  // somebody took the queen
        (3, "50/1/1/0", true),
        (3, "51/1/0/0", false),
        (3, "26/26/33/19", true),  // a moon of seat 3, then 0/0/7/19
        (3, "26/26/26/26", false), // after a moon one more hand has four times 0, or two moons give 156
        (3, "52/52/26/26", true),  // two moons
        (3, "52/52/52/0", true),
        (3, "78/26/26/26", false),
    ] {
        let text = format!("-/-/-/- -/-/-/- - {hand} {totals}");
        assert_eq!(game.parse_state(&text).is_ok(), possible, "{text}: {:?}", game.parse_state(&text));
    }
}

#[test]
fn wrong_views_say_what_is_wrong() {
    let passing = HeartsRules { passing: true, ..HeartsRules::default() };
    let game = Hearts::with_deck(passing, "2c.3c.4c.5c.2h.3h.2d.Qs", 1).unwrap();
    // The queen that seat 2 was passed does not contradict a heart on the first trick.
    for text in ["?1/4c.2d/?2/?2 4c/Qs/?/? 0:2c 1 0/0/0/0 1", "?1/2d/?1/?2 4c/Qs/?/? 0:2c.4c.3h 1 0/0/0/0 1"] {
        game.parse_view(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    for (text, part) in [
        ("?1/4c.2d/?2/?2 4c/Qs/?/? 0:2c 1 0/0/0/0", "fields"),
        ("?1/4c.2d/?2/?2 4c/Qs/?/? 0:2c 1 0/0/0/0 7", "no seat"),
        ("?2/4c.2d/?2/?2 ?/-/-/- - 1 0/0/0/0 2", "the viewer's hand and no other"),
        ("?1/4c.2d/?2/?2 4c/Qs/5c/? 0:2c 1 0/0/0/0 1", "no other pass"),
        ("?1/4c.2d/?2/?2 4c/?/?/? 0:2c 1 0/0/0/0 1", "no other pass"),
        ("?1/4c.2d/?2/?2 5c/Qs/?/? 0:2c 1 0/0/0/0 1", "5c passed by seat 0 must be with seat 1"),
        ("?1/4c.2d/?2/?2 4c/2d/?/? 0:2c 1 0/0/0/0 1", "2d passed by seat 1 must be with seat 2"),
        ("?2/4c.2d/?2/?2 4c/Qs/?/? 0:2c 1 0/0/0/0 1", "seat 0 has 3 cards"),
        // Seat 2 was passed a club and does not follow clubs.
        ("?1/2d/?1/?2 4c/5c/?/? 0:2c.4c.3h 1 0/0/0/0 1", "no deal fits"),
    ] {
        let error = game.parse_view(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    // Seat 2 shows in the first trick that it has only cards that score: no diamond later.
    let game = Hearts::with_deck(HeartsRules::default(), "2c.3c.4c.5c.2h.3h.4h.2d.3d.4d.Qs.Ks", 1).unwrap();
    let error = game.parse_view("?1/Ks/?1/?1 -/-/-/- 0:2c.4c.3h.5c/3d.4d.3c.2d 1 0/0/0/0 1").unwrap_err();
    assert!(error.to_string().contains("seat 2 cannot play 2d in trick 2"), "{error}");
}

#[test]
fn a_transcribed_view_can_be_analyzed() {
    let game = Hearts::default();
    let text = "?12/2s.Ks.Ah.Kh.Jh.9h.Qd.8d.3d.Jc.9c.6c.4c/?13/?13 -/-/-/- 0:2c 1 0/0/0/0 1";
    let view = game.parse_view(text).unwrap();
    let worlds = game.worlds(&view);
    // 38 hidden cards: 12, 13 and 13.
    assert_eq!(worlds.count(), 28_159_366_024_288_800.0);
    let mut actions = Vec::new();
    game.view_actions(&view, &mut actions);
    assert_eq!(actions.len(), 4);
    assert!(game.help().contains("?12/"), "the example of the help is one of these");
}
