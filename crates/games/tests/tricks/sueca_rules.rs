//! Sueca against its rules as written: examples, a slow reference, counts, scoring, facts.

use meeple_core::statistics::chi_square_p;
use meeple_core::{Fact, FromRules, Game, Notation, Rng, RuleReader, Rules, Turn, Worlds};
use meeple_games::Sueca;
use meeple_games::sueca::{State, SuecaRules};

use crate::reference::{Ranks, legal, sorted, suit};

const RANKS: Ranks = Ranks("A7KJQ65432");

fn legal_texts(game: &Sueca, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.action_text(state, action)).collect()
}

fn apply_text(game: &Sueca, state: &mut State, text: &str) {
    let mut outcomes = Vec::new();
    if game.turn(state) == Turn::Chance {
        game.chance_outcomes(state, &mut outcomes);
    } else {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        outcomes.extend(actions.into_iter().map(|action| (action, 1)));
    }
    let found = outcomes.into_iter().find(|&(action, _)| game.action_text(state, action) == text);
    game.apply(state, found.unwrap_or_else(|| panic!("{text} is not possible")).0);
}

/// Seats 0..3 play these cards to the first trick; trump is spades.
fn first_trick(cards: [&str; 4]) -> (usize, [u8; 2]) {
    let mut hands: [Vec<String>; 4] = cards.map(|card| vec![card.to_string()]);
    let rest = "cdhs".chars().flat_map(|suit| RANKS.0.chars().map(move |rank| format!("{rank}{suit}")));
    for card in rest.filter(|card| !cards.contains(&card.as_str())) {
        // The leader keeps the suit led, the dealer gets spades: so everybody may play as told.
        let preferred = if suit(&card) == suit(cards[0]) { 0 } else { 1 + 2 * usize::from(suit(&card) == "s") };
        let seat = [preferred, 1, 2, 3, 0].into_iter().find(|&seat| hands[seat].len() < 10).unwrap();
        hands[seat].push(card);
    }
    let trump = hands[3].iter().find(|card| suit(card) == "s").unwrap().clone();
    let game = Sueca::default();
    let text = hands.map(|hand| hand.join(".")).join("/");
    let mut state = game.parse_state(&format!("hands={text} dealer=3 trump={trump}")).unwrap();
    for card in cards {
        apply_text(&game, &mut state, card);
    }
    let Turn::Player(winner) = game.turn(&state) else { panic!("the winner leads") };
    (winner, game.view(&state, None).public.table.points)
}

#[test]
fn tricks_go_to_the_highest_trump_or_the_highest_of_the_suit_led() {
    assert_eq!(first_trick(["Kh", "7h", "Ah", "2h"]), (2, [25, 0]));
    assert_eq!(first_trick(["Ah", "2s", "7h", "Qs"]), (3, [0, 23]));
    assert_eq!(first_trick(["Jd", "Qd", "Ac", "6d"]), (0, [16, 0]));
    assert_eq!(first_trick(["2h", "Ac", "Ad", "7c"]), (0, [32, 0]));
}

#[test]
fn suits_are_followed_where_possible() {
    let game = Sueca::default();
    let hands = "Ac.7c.Kc.Jc.Qc.6c.5c.Kh.2d.3d/3c.2c.Ad.7d.Kd.Jd.Qd.Ah.2h.7s/\
                 7h.Jh.Qh.6h.5h.4h.3h.6d.5d.4d/4c.As.Ks.Js.Qs.6s.5s.4s.3s.2s";
    let mut state = game.parse_state(&format!("hands={hands} dealer=3 trump=4c")).unwrap();
    for trick in
        ["Ac 3c 6d 4c", "7c 2c 5d 2s", "Kc Ad 4d 3s", "Jc 7d 3h 4s", "Qc Kd 4h 5s", "6c Jd 5h 6s", "5c Qd 6h Qs"]
    {
        trick.split(' ').for_each(|card| apply_text(&game, &mut state, card));
    }
    for (led, expected) in [("Kh", vec!["2h", "Ah"]), ("2d", vec!["2h", "7s", "Ah"])] {
        let mut after = state;
        apply_text(&game, &mut after, led);
        assert_eq!(sorted(legal_texts(&game, &after)), expected);
    }
    let points = game.view(&state, Some(1)).public.table.points;
    assert_eq!(points, [11 + 10 + 4 + 3 + 2 + 11 + 10 + 4 + 3 + 2 + 2, 0]);
}

#[test]
fn card_points_make_game_points() {
    let game = Sueca::default();
    for (points, expected) in
        [0, 1, 29, 30, 59, 60, 61, 90, 91, 119, 120].into_iter().zip([-4, -2, -2, -1, -1, 0, 1, 1, 2, 2, 4])
    {
        assert_eq!(game.game_points(points, false), expected, "{points}");
    }
    let strict = Sueca::new(SuecaRules { bandeira_needs_all_tricks: true, ..SuecaRules::default() });
    assert_eq!([strict.game_points(120, false), strict.game_points(120, true)], [2, 4]);
    assert_eq!([strict.game_points(0, false), strict.game_points(0, true)], [-2, -4]);
}

/// A match played along with the reference; returns how it went.
struct Along {
    hands: [Vec<String>; 4],
    dealer: usize,
    games: [u32; 2],
    doubled: bool,
    ties: u32,
    redeals: u32,
    finished: usize,
}

impl Along {
    /// Deals one hand, again where the rules say so, and returns the trump suit.
    fn deal(&mut self, game: &Sueca, state: &mut State, rng: &mut Rng) -> String {
        for attempt in 0.. {
            self.hands = Default::default();
            for number in 0..40 {
                let card = self.chance(game, state, rng);
                self.hands[number % 4].push(card);
            }
            let trump = self.chance(game, state, rng);
            assert!(self.hands[self.dealer].contains(&trump), "the trump is the dealer's");
            let weak = |hand: &Vec<String>| {
                let points: u32 = hand.iter().map(|card| RANKS.points(card)).sum();
                points < 10 && hand.iter().all(|card| suit(card) != suit(&trump))
            };
            let again = game.rules().redeal_weak_hands && attempt < 10 && self.hands.iter().any(weak);
            if !again {
                return suit(&trump).to_string();
            }
            self.redeals += 1;
        }
        unreachable!()
    }

    fn chance(&self, game: &Sueca, state: &mut State, rng: &mut Rng) -> String {
        assert_eq!(game.turn(state), Turn::Chance);
        let action = game.sample_chance(state, rng);
        let text = game.action_text(state, action);
        game.apply(state, action);
        text
    }

    /// Plays ten tricks; returns the card points and tricks of both teams.
    fn play(&mut self, game: &Sueca, state: &mut State, trump: &str, rng: &mut Rng) -> ([u32; 2], [u32; 2]) {
        let (mut points, mut tricks) = ([0; 2], [0; 2]);
        let mut leader = (self.dealer + 1) % 4;
        for _ in 0..10 {
            let mut trick: Vec<String> = Vec::new();
            for place in 0..4 {
                let seat = (leader + place) % 4;
                assert_eq!(game.turn(state), Turn::Player(seat));
                let possible = sorted(legal(&self.hands[seat], &trick, true));
                assert_eq!(sorted(legal_texts(game, state)), possible);
                let card = rng.choose(&possible).clone();
                apply_text(game, state, &card);
                self.hands[seat].retain(|held| *held != card);
                trick.push(card);
            }
            leader = (leader + RANKS.winner(&trick, trump)) % 4;
            points[leader % 2] += trick.iter().map(|card| RANKS.points(card)).sum::<u32>();
            tricks[leader % 2] += 1;
        }
        (points, tricks)
    }

    fn score(&mut self, rules: &SuecaRules, points: [u32; 2], tricks: [u32; 2]) {
        let winner = usize::from(points[1] > points[0]);
        let mut worth = match points[winner] {
            60 => 0,
            61..=90 => 1,
            120 if tricks[winner] == 10 || !rules.bandeira_needs_all_tricks => 4,
            _ => 2,
        };
        if self.doubled {
            worth *= 2;
        }
        self.games[winner] += worth;
        self.doubled = rules.tie_doubles_next && points[0] == points[1];
        self.ties += u32::from(points[0] == points[1]);
        self.finished += 1;
        self.dealer = (self.dealer + 1) % 4;
    }
}

fn follow(rules: SuecaRules, rng: &mut Rng) -> Along {
    let game = Sueca::new(rules.clone());
    let mut state = game.initial_state();
    let mut along =
        Along { hands: Default::default(), dealer: 3, games: [0; 2], doubled: false, ties: 0, redeals: 0, finished: 0 };
    loop {
        let trump = along.deal(&game, &mut state, rng);
        let (points, tricks) = along.play(&game, &mut state, &trump, rng);
        along.score(&rules, points, tricks);
        let result = if rules.to == 0 { points } else { along.games };
        if rules.to > 0 && result.iter().all(|&games| (games as usize) < rules.to) {
            continue;
        }
        assert_eq!(game.turn(&state), Turn::Over);
        let outcome = game.outcome(&state);
        assert_eq!(outcome.scores[..4], [0, 1, 0, 1].map(|team| result[team] as f32));
        let sign = (result[0] as f32 - result[1] as f32).clamp(-1.0, 1.0);
        assert_eq!(outcome.payoffs[..4], [sign, -sign, sign, -sign]);
        return along;
    }
}

#[test]
fn whole_games_agree_with_a_slow_reference() {
    let mut rng = Rng::from_seed(11);
    let single = SuecaRules::default();
    (0..100).for_each(|_| assert_eq!(follow(single.clone(), &mut rng).finished, 1));
    let redealing = SuecaRules { redeal_weak_hands: true, ..single.clone() };
    let redeals: u32 = (0..600).map(|_| follow(redealing.clone(), &mut rng).redeals).sum();
    assert!(redeals > 0, "weak hands must occur");
    let doubling = SuecaRules { to: 10, tie_doubles_next: true, ..redealing };
    let ties: u32 = (0..30).map(|_| follow(doubling.clone(), &mut rng).ties).sum();
    assert!(ties > 0, "ties must occur");
    follow(SuecaRules { to: 4, bandeira_needs_all_tricks: true, ..single }, &mut rng);
}

#[test]
fn counts_of_worlds_are_the_binomials() {
    let game = Sueca::default();
    let mut rng = Rng::from_seed(3);
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut rng);
    let factorial = |n: u128| (1..=n).product::<u128>();
    let three_hands = factorial(30) / (factorial(10) * factorial(10) * factorial(10));
    let one_is_known = factorial(29) / (factorial(10) * factorial(10) * factorial(9));
    let spectator: u128 = 4705360871073570227520 / 40 * 10; // 40!/(10!)^4 deals, the trump with its dealer in a quarter
    assert_eq!(game.worlds(&game.view(&state, Some(0))).count(), one_is_known as f64);
    assert_eq!(game.worlds(&game.view(&state, Some(3))).count(), three_hands as f64);
    assert_eq!(game.worlds(&game.view(&state, None)).count(), spectator as f64);
}

#[test]
fn the_dealer_is_known_to_hold_the_trump_until_he_plays_it() {
    let game = Sueca::default();
    let mut rng = Rng::from_seed(4);
    let mut world = game.initial_state();
    for _ in 0..50 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        let trump = game.view(&state, None).public.table.trump;
        game.worlds(&game.view(&state, Some(1))).sample_into(&mut world, &mut rng);
        assert_ne!(game.view(&world, Some(3)).hand & trump.bit(), 0);
    }
}

#[test]
fn a_deal_at_once_turns_up_any_card_of_the_dealer() {
    let game = Sueca::default();
    let mut rng = Rng::from_seed(6);
    let mut weaker = [0; 10];
    for _ in 0..5_000 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        let view = game.view(&state, Some(3));
        let below = view.public.table.trump.bit() - 1;
        weaker[(view.hand & below).count_ones() as usize] += 1;
    }
    assert!(chi_square_p(&weaker, &[0.1; 10]) > 1e-4, "{weaker:?}");
}

/// Thesis 002, tables 5.1 and 5.2, and the counts in the text.
#[test]
fn facts_agree_with_the_thesis() {
    let facts = Sueca::default().facts();
    let number = |name: &str| facts.iter().find(|fact: &&Fact| fact.name.starts_with(name)).unwrap().number.unwrap();
    for (name, printed) in [
        ("deals", 4.71e21),
        ("nodes of the determinized", 1.03e27),
        ("leaves of the determinized", 1.73e26),
        ("effective branching factor of the determinized", 4.71),
        ("nodes of the information-set", 2.78e39),
        ("leaves of the information-set", 9.63e38),
        ("effective branching factor of the information-set", 9.66),
        ("depth", 40.0),
        ("information sets", 1.31e61),
    ] {
        let found = number(name);
        assert!((found / printed - 1.0).abs() < 0.005, "{name}: {found:e}, printed {printed:e}");
    }
    assert!((number("effective branching factor of the determinized") - 4.707391915628215).abs() < 1e-9);
    let share = number("leaves of the determinized") / number("nodes of the determinized");
    assert!((share - 0.1675).abs() < 5e-5);
    // Printed as 34.64 %, which comes from the rounded counts.
    let share = number("leaves of the information-set") / number("nodes of the information-set");
    assert!((share - 0.34655).abs() < 5e-5, "{share}");
}

fn from_rules(text: &str) -> Result<Sueca, String> {
    let mut reader = RuleReader::new(&Rules::parse(text).unwrap());
    let game = Sueca::from_rules(&mut reader).map_err(|error| error.to_string())?;
    reader.finish().map_err(|error| error.to_string())?;
    Ok(game)
}

#[test]
fn rules_are_read() {
    let game = from_rules("to=10,redeal_weak_hands=true,bandeira_needs_all_tricks=true,tie_doubles_next=true").unwrap();
    let rules = game.rules();
    assert!(rules.to == 10 && rules.redeal_weak_hands && rules.bandeira_needs_all_tricks && rules.tie_doubles_next);
    for (text, part) in [("to=99", "0..50"), ("tie_doubles_next=true", "match"), ("passing=true", "unknown rule")] {
        let error = from_rules(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}
