//! What can be counted exactly: how many hands reach each field, which lines are the easiest.

use meeple_core::Fact;

use super::board::{FIELDS, lines};
use super::cards::{Cards, FRESH, HIGHEST_CARD, Hand, for_each_hand};
use super::{Just4Fun, Just4FunRules, Layout};

/// The number of hands of the whole deck, identical cards counted apart, that reach each field.
/// Thesis 000, figures 3.5 and 3.7, estimates this from a million hands.
pub(super) fn reachability(rules: &Just4FunRules) -> [u64; FIELDS] {
    let mut hands = [0; FIELDS];
    for_each_hand(rules.deck, rules.hand_size, &mut |cards, ways| {
        let mut hand = Hand::default();
        cards.iter().for_each(|&value| hand.add(value, FRESH));
        meeple_core::bits::elements(hand.reachable()).for_each(|value| hands[value as usize - 1] += ways);
    });
    hands
}

/// The number of hands, identical cards counted apart.
pub(super) fn number_of_hands(rules: &Just4FunRules) -> u64 {
    let deck = rules.deck.len() as u64;
    (0..rules.hand_size as u64).fold(1, |hands, taken| hands * (deck - taken) / (taken + 1))
}

/// The number of different plays of each size whose sum is a field.
fn combinations(rules: &Just4FunRules) -> Vec<u64> {
    let of_size = |size| {
        let mut plays = 0;
        for_each_hand(rules.deck, size, &mut |cards, _| {
            plays += u64::from(usize::from(Cards::new(cards).sum()) <= FIELDS)
        });
        plays
    };
    (1..=rules.hand_size).map(of_size).collect()
}

pub(super) fn facts(game: &Just4Fun) -> Vec<Fact> {
    let rules = game.rules();
    let mut facts = vec![Fact::number("lines of four", lines().count() as f64)];
    let plays = combinations(rules);
    facts.push(Fact::number("card combinations that are actions", plays.iter().sum::<u64>() as f64));
    for (size, &plays) in (1..).zip(&plays) {
        facts.push(Fact::number(format!("card combinations of {size}"), plays as f64));
    }
    let hands = number_of_hands(rules);
    facts.push(Fact::number("hands, identical cards counted apart", hands as f64));
    let mut distinct = 0;
    for_each_hand(rules.deck, rules.hand_size, &mut |_, _| distinct += 1);
    facts.push(Fact::number("different hands", f64::from(distinct)));
    facts.push(Fact::number("log10 of the orders of the deck, identical cards alike", orders_log10(rules)));
    for (value, &reaching) in (1..).zip(&game.reaching) {
        let name = format!("% of hands that reach field {value}");
        facts.push(Fact::number(name, 100.0 * reaching as f64 / hands as f64));
    }
    if rules.board != Layout::Random {
        facts.extend(easiest_lines(game, hands as f64));
    }
    facts
}

fn orders_log10(rules: &Just4FunRules) -> f64 {
    let log10_factorial = |n: u32| (2..=n).map(|i| f64::from(i).log10()).sum::<f64>();
    let alike: f64 = (1..=HIGHEST_CARD).map(|value| log10_factorial(rules.deck.count(value))).sum();
    log10_factorial(rules.deck.len() as u32) - alike
}

/// Lines ranked by the product of their fields' reachabilities.
fn easiest_lines(game: &Just4Fun, hands: f64) -> Vec<Fact> {
    let mut values = [0; FIELDS];
    for (field, &square) in game.squares.iter().enumerate() {
        values[usize::from(square)] = field;
    }
    let mut ranked: Vec<(f64, String)> = lines()
        .map(|squares| {
            let fields = squares.map(|square| values[square]);
            let product = fields.iter().map(|&field| game.reaching[field] as f64 / hands).product();
            (product, fields.map(|field| (field + 1).to_string()).join("-"))
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let fact = |(rank, (product, line)): (usize, &(f64, String))| {
        let text = format!("{line}, product of the four shares {product:.5}");
        Fact { name: format!("line {}, from the easiest", rank + 1), text, number: Some(*product) }
    };
    ranked.iter().enumerate().map(fact).collect()
}
