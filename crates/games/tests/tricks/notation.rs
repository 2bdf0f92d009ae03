//! Texts of Sueca and Bisca: what is impossible is refused with a reason, and nothing panics.

use meeple_core::playout::finish;
use meeple_core::{Game, Notation, Rng, Turn, Worlds};
use meeple_games::bisca::BiscaRules;
use meeple_games::sueca::SuecaRules;
use meeple_games::{Bisca, Sueca};
use proptest::prelude::*;

/// State and view texts of random games, some in the middle of the deal.
fn texts<G: Game + Notation<G>>(game: &G, seed: u64) -> Vec<String> {
    let mut rng = Rng::from_seed(seed);
    let mut texts = Vec::new();
    let mut state = game.initial_state();
    for step in 0.. {
        if step % 7 == 0 {
            texts.push(game.state_text(&state));
            texts.push(game.view_text(&game.view(&state, None)));
            texts.push(game.view_text(&game.view(&state, Some(step % game.info().players))));
        }
        let action = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, &mut rng),
            Turn::Player(_) => game.random_action(&state, &mut Vec::new(), &mut rng),
        };
        game.apply(&mut state, action);
    }
    texts
}

/// Whatever parses can be used: views have worlds, and texts come back.
fn try_text<G: Game + Notation<G>>(game: &G, text: &str) {
    if let Ok(state) = game.parse_state(text) {
        assert_eq!(game.parse_state(&game.state_text(&state)).as_ref(), Ok(&state), "{text}");
        for viewer in (0..game.info().players).map(Some).chain([None]) {
            let view = game.view(&state, viewer);
            assert_eq!(game.parse_view(&game.view_text(&view)), Ok(view), "{text}");
        }
        let _ = (game.turn(&state), game.render(&game.view(&state, None)));
    }
    if let Ok(view) = game.parse_view(text) {
        let mut world = game.initial_state();
        game.worlds(&view).sample_into(&mut world, &mut Rng::from_seed(1));
        assert_eq!(game.parse_state(&game.state_text(&world)).as_ref(), Ok(&world), "{text}");
        let mut viewers = (0..game.info().players).map(Some).chain([None]);
        assert!(viewers.any(|viewer| game.view(&world, viewer) == view), "{text}");
        assert_eq!(game.parse_view(&game.view_text(&view)), Ok(view), "{text}");
    }
}

/// A text with one piece replaced, doubled, cut out or exchanged.
fn mutate(text: &str, kind: u8, at: usize, with: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let at = at % characters.len().max(1);
    let (before, after): (String, String) = (characters[..at].iter().collect(), characters[at..].iter().collect());
    let skipped: String = after.chars().skip(1).collect();
    match kind % 4 {
        0 => format!("{before}{with}{skipped}"),
        1 => format!("{before}{skipped}"),
        2 => format!("{before}{with}{after}"),
        _ => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let number = at % words.len();
            words.remove(number);
            words.join(" ")
        }
    }
}

fn games() -> (Vec<Sueca>, Vec<Bisca>) {
    let matches = SuecaRules { to: 2, redeal_weak_hands: true, tie_doubles_next: true, ..SuecaRules::default() };
    let four = BiscaRules { players: 4, hand_size: 6, ..BiscaRules::default() };
    (vec![Sueca::default(), Sueca::new(matches)], vec![Bisca::default(), Bisca::new(four)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_texts_never_panic(seed in 0u64..20, pick in any::<usize>(), kind in any::<u8>(), at in any::<usize>(),
                                 with in "[?0-9a-zA-Z./=:é -]{1,3}") {
        let (suecas, biscas) = games();
        for game in &suecas {
            let texts = texts(game, seed);
            try_text(game, &mutate(&texts[pick % texts.len()], kind, at, &with));
        }
        for game in &biscas {
            let texts = texts(game, seed);
            try_text(game, &mutate(&texts[pick % texts.len()], kind, at, &with));
        }
    }

    #[test]
    fn arbitrary_texts_never_panic(text in "(\\PC|[a-z]+=[0-9AKQJ7cdhs./:?-]{0,20} ?){0,12}") {
        try_text(&Sueca::default(), &text);
        try_text(&Bisca::default(), &text);
    }
}

/// A quarter of a deal each: seat 0 has the clubs and so on, one card exchanged for the trump.
const SUECA: &str = "hands=Ac.7c.Kc.Jc.Qc.6c.5c.4c.3c.2c/Ad.7d.Kd.Jd.Qd.6d.5d.4d.3d.2d/Ah.7h.Kh.Jh.Qh.6h.5h.4h.3h.2h/\
                     As.7s.Ks.Js.Qs.6s.5s.4s.3s.2s dealer=3 trump=2s";

#[test]
fn impossible_sueca_positions_are_refused_with_a_reason() {
    let game = Sueca::default();
    assert!(game.parse_state(SUECA).is_ok());
    let first = "leader=0 trick=Ac.2d played=Ac/2d/-/- voids=-/c/-/-";
    let played = SUECA.replace("Ac.7c.Kc", "7c.Kc").replace(".2d/", "/");
    assert!(game.parse_state(&format!("{played} {first}")).is_ok());
    for (text, reason) in [
        (String::new(), "`hands=` is missing"),
        ("hands".to_string(), "no `=`"),
        ("hand=3".to_string(), "no word `hand`"),
        (format!("{SUECA} trump=2s"), "twice"),
        (SUECA.replace("7c.Kc", "Ac.Kc"), "twice"),
        (SUECA.replace("7c.Kc", "Ad.Kc"), "two seats"),
        (SUECA.replace("7c.Kc", "Kc"), "9 cards in hand, but it must be 10"),
        (SUECA.replace("7c.Kc", "8c.Kc"), "no rank `8`"),
        (SUECA.replace("trump=2s", "trump=2h"), "got the card 2h"),
        (SUECA.replace("trump=2s", "trump=2s holder=1"), "the dealer, seat 3, holds the trump card"),
        (SUECA.replace("trump=2s", "trump=2s leader=2"), "seat 0 leads the first trick"),
        (SUECA.replace("trump=2s", "trump=- dealt=39"), "10 cards in hand, but it must be 9"),
        (SUECA.replace("trump=2s", "leader=1"), "not known before there is a trump"),
        (SUECA.replace("dealer=3", "dealer=99999999999999999999"), "whole number up to 3"),
        (format!("{SUECA} redeals=1"), "whole number up to 0"),
        (format!("{SUECA} match=3:1"), "whole number up to 0"),
        (format!("{SUECA} points=4:0"), "count 0 points, not 4"),
        (format!("{SUECA} tricks=4:8"), "no 12 tricks"),
        (format!("{SUECA} tricks=1:0"), "must be 1"),
        (format!("{SUECA} voids=c/-/-/-"), "cannot have shown 1 voids by 0 cards"),
        (format!("{played} {}", first.replace("voids=-/c/-/-", "voids=c/c/-/-")), "seat 0 cannot hold"),
        (format!("{SUECA} voids=x/-/-/-"), "no suit `x`"),
        (format!("{played} {}", first.replace("voids=-/c", "voids=-/-")), "`voids` must name c"),
        (format!("{played} {}", first.replace("trick=Ac.2d", "trick=2d.Ac")), "missing in `played`"),
        (format!("{SUECA} viewer=0"), "no word `viewer`"),
    ] {
        let error = game.parse_state(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}\n{error}");
    }
}

#[test]
fn impossible_sueca_tricks_are_refused_with_a_reason() {
    let game = Sueca::default();
    let hands = "hands=7c.Kc.Jc.Qc.6c.5c.4c.3c/Ad.7d.Kd.Jd.Qd.6d.5d.4d.3d/Ah.7h.Kh.Jh.Qh.6h.5h.4h.3h/\
                 As.7s.Ks.Js.Qs.6s.5s.4s.3s dealer=3 trump=2s";
    // Seat 3 trumps the ace of clubs and leads.
    let first = "leader=3 trick=3s.2c last=0:Ac.2d.2h.2s played=Ac.2c/2d/2h/2s.3s voids=s/c/c/c points=0:11 tricks=0:1";
    let good = format!("{} {first}", hands.replace("As.7s.Ks.Js.Qs.6s.5s.4s.3s", "As.7s.Ks.Js.Qs.6s.5s.4s"));
    assert_eq!(game.parse_state(&good).map(|_| ()), Ok(()), "{good}");
    for (from, to, reason) in [
        ("points=0:11 tricks=0:1", "points=11:0 tricks=1:0", "the team of seat 3 took the last trick"),
        ("points=0:11 tricks=0:1", "points=0:11 tricks=1:0", "a team without a trick"),
        ("voids=s/c/c/c", "voids=s/c/c/-", "seat 3 did not follow"),
        ("voids=s/c/c/c", "voids=s/c/c/cd", "seat 3 cannot have shown 1 voids by 0 cards"),
        ("voids=s/c/c/c", "voids=sc/c/c/c", "seat 0 cannot hold 2c"),
        ("trick=3s.2c", "trick=2s.2c", "2s stands in the last trick and in this one"),
    ] {
        assert!(good.contains(from), "{from}");
        let text = good.replace(from, to);
        let error = game.parse_state(&text).expect_err(&text).to_string();
        assert!(error.contains(reason), "{text}\n{error}");
    }
    let second = "viewer=- hands=?/?/?/? dealer=3 trump=2s leader=3 last=3:3s.2c.3d.3h played=Ac.2c/2d.3d/2h.3h/2s.3s \
                  voids=s/cs/cs/c points=0:11 tricks=0:2";
    assert!(game.parse_view(second).is_ok());
    let text = second.replace("cs/c points", "cs/cs points");
    let error = game.parse_view(&text).expect_err(&text).to_string();
    assert!(error.contains("seat 3 cannot hold 3s"), "{error}");
    let text = second.replace("voids=s/cs/cs/c", "voids=s/cs/cs/d").replace("2h.3h", "3c.3h").replace("2d.3d", "2h.3d");
    let error = game.parse_view(&text).expect_err(&text).to_string();
    assert!(error.contains("out of d: nobody else has led it"), "{error}");
}

#[test]
fn impossible_sueca_views_are_refused_with_a_reason() {
    let game = Sueca::default();
    let view = "viewer=0 hands=Ac.7c.Kc.Jc.Qc.6c.5c.4c.3c.2c/?/?/? dealer=3 trump=2s";
    assert!(game.parse_view(view).is_ok());
    let all_out_of_clubs = "viewer=0 hands=Ah.7h.Kh.Jh.Qh.6h.5h.4h.3h/?/?/? dealer=3 trump=2s leader=0 \
                            last=0:Ac.2d.3d.4d played=Ac/2d/3d/4d voids=-/c/c/c points=11:0 tricks=1:0";
    let out_of_trump = "viewer=0 hands=Ah.7h.Kh.Jh.Qh.6h.5h.3h.2h/?/?/? dealer=3 trump=2s leader=0 \
                        last=0:As.3s.4s.4h played=As/3s/4s/4h voids=-/-/-/s points=11:0 tricks=1:0";
    for (text, reason) in [
        (view.replace("viewer=0 ", ""), "`viewer=` is missing"),
        (view.replace("viewer=0", "viewer=4"), "whole number up to 3"),
        (view.replace("viewer=0", "viewer=1"), "unknown to the viewer"),
        (view.replace("/?/?/?", "/?/?"), "each of 4 seats"),
        (view.replace("2c/", "2s/"), "2s is not with its holder"),
        (view.replace("2c/", "2d.2c/"), "11 cards in hand"),
        (format!("{view} voids=-/-/-/s"), "seat 3 cannot have shown"),
        (all_out_of_clubs.to_string(), "no deal fits"),
        // Seat 3 has shown by 4h that it is out of spades, but 2s has not been seen.
        (out_of_trump.to_string(), "no deal fits"),
    ] {
        let error = game.parse_view(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}\n{error}");
    }
    let redealing = Sueca::new(SuecaRules { redeal_weak_hands: true, ..SuecaRules::default() });
    let weak = "viewer=0 hands=6c.5c.4c.3c.2c.6d.5d.4d.3d.2d/?/?/? dealer=3 trump=2s";
    assert!(redealing.parse_view(weak).unwrap_err().to_string().contains("dealt again"));
    assert!(redealing.parse_view(&format!("{weak} redeals=10")).is_ok(), "the last deal is played as it lies");
}

#[test]
fn impossible_sueca_matches_are_refused_with_a_reason() {
    let game = Sueca::new(SuecaRules { to: 4, ..SuecaRules::default() });
    for (words, reason) in [
        ("match=1:0 number=0", "not worth 1"),
        ("match=4:0 number=4", "decided already"),
        ("match=1:0 number=1", "seat 0 that deals"),
        ("number=16", "decided already"),
        ("number=17", "up to 16"),
        ("doubled=1", "up to 0"),
    ] {
        let error = game.parse_state(&format!("{SUECA} {words}")).unwrap_err().to_string();
        assert!(error.contains(reason), "{words}: {error}");
    }
    assert!(game.parse_state(&format!("{SUECA} match=1:3 number=4")).is_ok());
}

#[test]
fn the_end_of_a_sueca_match_follows_from_its_last_hand() {
    let rules = SuecaRules { to: 4, tie_doubles_next: true, ..SuecaRules::default() };
    let game = Sueca::new(rules);
    for words in ["doubled=1", "match=1:4 number=1 doubled=1"] {
        assert!(game.parse_state(&format!("hands=-/-/-/- dealer=3 dealt=0 {words}")).is_err(), "{words}");
    }
    assert!(game.parse_state("hands=-/-/-/- dealer=1 dealt=0 match=3:1 number=2 doubled=1").is_ok());
    assert!(game.parse_state("hands=-/-/-/- dealer=1 dealt=0 match=3:2 number=2 doubled=1").is_err());
    let mut state = game.initial_state();
    finish(&game, &mut state, &mut Vec::new(), &mut Rng::from_seed(2));
    let text = game.state_text(&state);
    assert_eq!(game.parse_state(&text), Ok(state));
    let [first, second] = game.view(&state, None).public.games;
    assert_ne!(first, second);
    let swapped = text.replace(&format!("match={first}:{second}"), &format!("match={second}:{first}"));
    let error = game.parse_state(&swapped).expect_err(&swapped).to_string();
    assert!(error.contains("does not end the match like this"), "{error}");
}

/// Nine clubs and nine diamonds.
const BISCA: &str = "hands=Ac.7c.Kc.Jc.Qc.6c.5c.4c.3c/Ad.7d.Kd.Jd.Qd.6d.5d.4d.3d stock=2c.2d.Ah.7h.Kh.Jh.Qh.6h.5h.4h.3h.\
                     2h.As.7s.Ks.Js.Qs.6s.5s.4s.3s.2s trump=2s";

#[test]
fn impossible_bisca_positions_are_refused_with_a_reason() {
    let game = Bisca::default();
    assert!(game.parse_state(BISCA).is_ok());
    for (text, reason) in [
        (BISCA.replace("2c.2d", "2c"), "the stock has 21 cards, but it must be 22"),
        (BISCA.replace("2c.2d", "Ac.2d"), "also elsewhere"),
        (BISCA.replace("2c.2d", "2c.2c"), "twice"),
        (BISCA.replace("trump=2s", "trump=3s"), "last card of the stock"),
        (BISCA.replace("trump=2s", "trump=2s holder=0"), "nobody has drawn"),
        (BISCA.replace("trump=2s", "trump=-"), "the last card that is dealt is the trump"),
        (BISCA.replace("trump=2s", "trump=2s dealt=30"), "the last card that is dealt is the trump"),
        (format!("{} trick=Ac played=Ac/- voids=h/-", BISCA.replace("hands=Ac.", "hands=")), "no duty to follow"),
        (BISCA.replace("hands=Ac.", "hands="), "8 cards in hand, but it must be 9"),
        (BISCA.replace('/', "/-/"), "each of 2 seats"),
    ] {
        let error = game.parse_state(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}\n{error}");
    }
    assert!(game.parse_view("viewer=0 hands=Ac.7c.Kc.Jc.Qc.6c.5c.4c.3c/? trump=2s").is_ok());
    let error = game.parse_view("viewer=0 hands=2s.7c.Kc.Jc.Qc.6c.5c.4c.3c/? trump=2s").unwrap_err().to_string();
    assert!(error.contains("not with its holder"), "{error}");
}

/// Eleven tricks are done, so the stock is drawn; then the first trick under the duty to follow.
#[test]
fn impossible_bisca_endings_are_refused_with_a_reason() {
    let game = Bisca::default();
    let mut state = game.initial_state();
    let mut rng = Rng::from_seed(3);
    game.play_chance(&mut state, &mut rng);
    let step = |state: &mut _, rng: &mut Rng| {
        let action = game.random_action(state, &mut Vec::new(), rng);
        game.apply(state, action);
    };
    (0..22).for_each(|_| step(&mut state, &mut rng));
    let spectator = game.view(&state, None);
    let holder = spectator.public.table.trump_holder.unwrap();
    let wrong = game.view_text(&spectator).replace(&format!("holder={holder}"), &format!("holder={}", 1 - holder));
    let error = game.parse_view(&wrong).expect_err(&wrong).to_string();
    assert!(error.contains("drew last"), "{error}");
    // Until somebody does not follow: without the void that he showed the text is wrong.
    let voids = |state: &_| game.view(state, None).public.table.voids;
    while voids(&state) == [0; 4] {
        step(&mut state, &mut rng);
    }
    let text = game.state_text(&state);
    assert_eq!(game.parse_state(&text), Ok(state));
    let without: Vec<&str> = text.split(' ').filter(|word| !word.starts_with("voids=")).collect();
    let error = game.parse_state(&without.join(" ")).expect_err(&text).to_string();
    assert!(error.contains("did not follow"), "{error}");
}
