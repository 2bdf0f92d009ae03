//! Bisca against its rules as written: examples, a slow reference, counts, facts.

use meeple_core::statistics::chi_square_p;
use meeple_core::{Fact, FromRules, Game, Notation, Rng, RuleReader, Rules, Turn, Worlds};
use meeple_games::Bisca;
use meeple_games::bisca::{BiscaRules, RankOrder, State};

use crate::reference::{Ranks, legal, sorted, suit};

const PORTUGUESE: Ranks = Ranks("A7KJQ65432");
const ITALIAN: Ranks = Ranks("A3KQJ76542");

fn legal_texts(game: &Bisca, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.action_text(state, action)).collect()
}

fn apply_text(game: &Bisca, state: &mut State, text: &str) {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let found = actions.into_iter().find(|&action| game.action_text(state, action) == text);
    game.apply(state, found.unwrap_or_else(|| panic!("{text} is not possible")));
}

/// Three cards each; seat 0 leads the first of these and seat 1 replies with the second. Trump is
/// spades.
fn first_trick(lead: &str, reply: &str) -> (usize, [u8; 2]) {
    let game = Bisca::new(BiscaRules { hand_size: 3, ..BiscaRules::default() });
    let mut rest: Vec<String> = "cdhs"
        .chars()
        .flat_map(|suit| "A7KJQ65432".chars().map(move |rank| format!("{rank}{suit}")))
        .filter(|card| card != lead && card != reply)
        .collect();
    let others: Vec<String> = rest.drain(..4).collect();
    let text = format!(
        "hands={lead}.{}.{}/{reply}.{}.{} stock={} trump={}",
        others[0],
        others[1],
        others[2],
        others[3],
        rest.join("."),
        rest[33]
    );
    let mut state = game.parse_state(&text).unwrap();
    apply_text(&game, &mut state, lead);
    apply_text(&game, &mut state, reply);
    let Turn::Player(winner) = game.turn(&state) else { panic!("the winner leads") };
    (winner, game.view(&state, None).public.table.points)
}

#[test]
fn tricks_go_to_the_higher_card_of_the_suit_or_to_trump() {
    assert_eq!(first_trick("Kh", "7h"), (1, [0, 14]));
    assert_eq!(first_trick("Ah", "2s"), (1, [0, 11]));
    assert_eq!(first_trick("2h", "Ad"), (0, [11, 0]));
}

/// Two cards each; all cards but those named have been played, and seat 0 took every trick.
fn late_position(game: &Bisca, hands: [&str; 2], stock: &str, trump: &str, holder: &str) -> State {
    let left = format!("{}.{}.{stock}", hands[0], hands[1]);
    let gone: Vec<String> = "hdcs"
        .chars()
        .flat_map(|suit| "A7KJQ65432".chars().map(move |rank| format!("{rank}{suit}")))
        .filter(|card| !left.contains(card.as_str()))
        .collect();
    let points: u32 = gone.iter().map(|card| PORTUGUESE.points(card)).sum();
    let played = |first: usize| gone.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>().join(".");
    let text = format!(
        "hands={}/{} stock={stock} trump={trump} {holder} leader=0 last=0:{}.{} played={}/{} points={points}:0 tricks={}:0",
        hands[0],
        hands[1],
        gone[0],
        gone[1],
        played(0),
        played(1),
        gone.len() / 2
    );
    game.parse_state(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn two_cards() -> Bisca {
    Bisca::new(BiscaRules { hand_size: 2, ..BiscaRules::default() })
}

#[test]
fn the_loser_draws_the_trump_and_then_suits_are_followed() {
    let game = two_cards();
    let mut state = late_position(&game, ["2h.3h", "Qh.As"], "5c.6s", "6s", "");
    apply_text(&game, &mut state, "2h");
    assert_eq!(sorted(legal_texts(&game, &state)), ["As", "Qh"], "no duty to follow while there is a stock");
    apply_text(&game, &mut state, "As");
    assert_eq!(game.turn(&state), Turn::Player(1));
    assert_eq!(game.stock_left(&game.view(&state, None).public), 0);
    assert!(game.notation().unwrap().state_text(&state).starts_with("hands=3h.6s/5c.Qh stock=- trump=6s holder=0"));
    apply_text(&game, &mut state, "Qh");
    assert_eq!(legal_texts(&game, &state), ["3h"], "suits are followed once it is empty");
}

#[test]
fn without_a_stock_suits_are_followed() {
    let game = two_cards();
    let mut state = late_position(&game, ["2h.3c", "Qh.As"], "-", "As", "holder=1");
    apply_text(&game, &mut state, "2h");
    assert_eq!(legal_texts(&game, &state), ["Qh"]);
    let briscola = Bisca::new(BiscaRules { hand_size: 2, follow_after_stock: false, ..BiscaRules::default() });
    let mut state = late_position(&briscola, ["2h.3c", "Qh.As"], "-", "As", "holder=1");
    apply_text(&briscola, &mut state, "2h");
    assert_eq!(sorted(legal_texts(&briscola, &state)), ["As", "Qh"]);
}

/// Deals and plays one random game along with the reference.
fn follow(rules: &BiscaRules, ranks: &Ranks, rng: &mut Rng) {
    let game = Bisca::new(rules.clone());
    let players = rules.players;
    let mut state = game.initial_state();
    let mut cards: Vec<String> = Vec::new();
    while game.turn(&state) == Turn::Chance {
        let action = game.sample_chance(&state, rng);
        cards.push(game.action_text(&state, action));
        game.apply(&mut state, action);
    }
    let trump = suit(&cards[39]).to_string();
    let mut stock: Vec<String> = cards.split_off(players * rules.hand_size);
    let mut hands = vec![Vec::new(); players];
    cards.into_iter().enumerate().for_each(|(number, card)| hands[number % players].push(card));
    let (mut leader, mut points) = (0, [0; 2]);
    for _ in 0..40 / players {
        let must_follow = rules.follow_after_stock && stock.is_empty();
        assert_eq!(game.stock_left(&game.view(&state, None).public), stock.len());
        let mut trick: Vec<String> = Vec::new();
        for place in 0..players {
            let seat = (leader + place) % players;
            assert_eq!(game.turn(&state), Turn::Player(seat));
            let possible = sorted(legal(&hands[seat], &trick, must_follow));
            assert_eq!(sorted(legal_texts(&game, &state)), possible);
            let card = rng.choose(&possible).clone();
            apply_text(&game, &mut state, &card);
            hands[seat].retain(|held| *held != card);
            trick.push(card);
        }
        leader = (leader + ranks.winner(&trick, &trump)) % players;
        points[leader % 2] += trick.iter().map(|card| ranks.points(card)).sum::<u32>();
        for place in (0..players).filter(|_| !stock.is_empty()).collect::<Vec<_>>() {
            hands[(leader + place) % players].push(stock.remove(0));
        }
    }
    assert_eq!(game.turn(&state), Turn::Over);
    let outcome = game.outcome(&state);
    let sign = (points[0] as f32 - points[1] as f32).clamp(-1.0, 1.0);
    for seat in 0..players {
        assert_eq!(outcome.scores[seat], points[seat % 2] as f32);
        assert_eq!(outcome.payoffs[seat], if seat % 2 == 0 { sign } else { -sign });
    }
    assert_eq!(outcome.reason, if points[0] == 60 { "tie" } else { "card points" });
}

#[test]
fn whole_games_agree_with_a_slow_reference() {
    let mut rng = Rng::from_seed(12);
    for (players, hand_size) in [(2, 9), (2, 3), (4, 6), (4, 3)] {
        for follow_after_stock in [true, false] {
            for (rank_order, ranks) in [(RankOrder::Portuguese, &PORTUGUESE), (RankOrder::Italian, &ITALIAN)] {
                let rules = BiscaRules { players, hand_size, follow_after_stock, rank_order, ..BiscaRules::default() };
                (0..20).for_each(|_| follow(&rules, ranks, &mut rng));
            }
        }
    }
}

#[test]
fn counts_of_worlds_are_known_and_shrink_to_one() {
    let game = Bisca::default();
    let mut rng = Rng::from_seed(3);
    let mut state = game.initial_state();
    game.play_chance(&mut state, &mut rng);
    // Nine of thirty cards are the opponent's, the others lie in any order above the trump.
    let expected: u128 = (10..=30).product();
    let found = game.worlds(&game.view(&state, Some(0))).count();
    assert!((found / expected as f64 - 1.0).abs() < 1e-12, "{found} for {expected}");
    let mut decisions = 0;
    while let Turn::Player(player) = game.turn(&state) {
        if decisions >= 22 {
            let worlds = game.worlds(&game.view(&state, Some(player))).enumerate(1).unwrap();
            assert_eq!(worlds, [(state, 1)], "without a stock everything is known");
        }
        let action = game.random_action(&state, &mut Vec::new(), &mut rng);
        game.apply(&mut state, action);
        decisions += 1;
    }
    assert_eq!(decisions, 40);
}

#[test]
fn whoever_drew_the_trump_is_known_to_hold_it() {
    let game = Bisca::new(BiscaRules { players: 4, hand_size: 6, ..BiscaRules::default() });
    let mut rng = Rng::from_seed(5);
    let mut world = game.initial_state();
    let mut seen = 0;
    for _ in 0..30 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        while let Turn::Player(player) = game.turn(&state) {
            let table = game.view(&state, None).public.table;
            if let Some(holder) = table.trump_holder.filter(|_| table.seen() & table.trump.bit() == 0) {
                game.worlds(&game.view(&state, Some(player))).sample_into(&mut world, &mut rng);
                assert_ne!(game.view(&world, Some(usize::from(holder))).hand & table.trump.bit(), 0);
                seen += 1;
            }
            let action = game.random_action(&state, &mut Vec::new(), &mut rng);
            game.apply(&mut state, action);
        }
    }
    assert!(seen > 100);
}

#[test]
fn a_deal_at_once_turns_up_any_card() {
    let game = Bisca::default();
    let mut rng = Rng::from_seed(6);
    let mut trumps = [0; 40];
    for _ in 0..5_000 {
        let mut state = game.initial_state();
        game.play_chance(&mut state, &mut rng);
        trumps[game.pack().index(game.view(&state, None).public.table.trump)] += 1;
    }
    assert!(chi_square_p(&trumps, &[1.0 / 40.0; 40]) > 1e-4, "{trumps:?}");
}

/// Thesis 002, tables 5.1 and 5.2.
#[test]
fn facts_agree_with_the_thesis() {
    let facts = Bisca::default().facts();
    for (name, printed) in [
        ("deals", 6.20e36),
        ("nodes of the determinized", 5.02e32),
        ("leaves of the determinized", 1.30e32),
        ("effective branching factor of the determinized", 6.54),
        ("nodes of the information-set", 3.25e36),
        ("leaves of the information-set", 8.39e35),
        ("effective branching factor of the information-set", 8.15),
        ("depth", 40.0),
        ("information sets", 2.01e73),
    ] {
        let found = facts.iter().find(|fact: &&Fact| fact.name.starts_with(name)).unwrap().number.unwrap();
        assert!((found / printed - 1.0).abs() < 0.003, "{name}: {found:e}, printed {printed:e}");
    }
}

fn from_rules(text: &str) -> Result<Bisca, String> {
    let mut reader = RuleReader::new(&Rules::parse(text).unwrap());
    let game = Bisca::from_rules(&mut reader).map_err(|error| error.to_string())?;
    reader.finish().map_err(|error| error.to_string())?;
    Ok(game)
}

#[test]
fn rules_are_read() {
    assert_eq!(from_rules("").unwrap().rules().hand_size, 9);
    assert_eq!(from_rules("players=4").unwrap().rules().hand_size, 6);
    let game = from_rules("hand_size=3,follow_after_stock=false,rank_order=A3KQJ76542").unwrap();
    assert!(!game.rules().follow_after_stock && game.rules().rank_order == RankOrder::Italian);
    for (text, part) in [
        ("players=3", "2|4"),
        ("hand_size=20", "1..19"),
        ("players=4,hand_size=10", "1..9"),
        ("rank_order=AKQ", "A7KJQ65432|A3KQJ76542"),
        ("stock=3", "unknown rule"),
    ] {
        let error = from_rules(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}
