//! Dealing hidden cards: counts and samples against brute force.

use std::collections::HashMap;

use meeple_core::Rng;
use meeple_core::deal::{Deal, Impossible, MAX_HOLDERS};
use meeple_core::statistics::chi_square_p;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

type Hands = [u64; MAX_HOLDERS];

/// Every way by giving out card after card.
fn brute_force(cards: u64, need: &[u32], allowed: &[u64]) -> Vec<Hands> {
    fn place(cards: u64, need: &[u32], allowed: &[u64], hands: Hands, out: &mut Vec<Hands>) {
        if cards == 0 {
            return out.push(hands);
        }
        let card = cards & cards.wrapping_neg();
        for holder in 0..need.len() {
            if allowed[holder] & card != 0 && hands[holder].count_ones() < need[holder] {
                let mut hands = hands;
                hands[holder] |= card;
                place(cards & !card, need, allowed, hands, out);
            }
        }
    }
    let mut out = Vec::new();
    place(cards, need, allowed, [0; MAX_HOLDERS], &mut out);
    out
}

/// The p-value of samples against the uniform distribution; 0 if one of them is none of `ways`.
fn uniformity(ways: &[Hands], samples: u32, mut sample: impl FnMut() -> Hands) -> f64 {
    let number: HashMap<Hands, usize> = ways.iter().enumerate().map(|(i, &hands)| (hands, i)).collect();
    let mut counts = vec![0; ways.len()];
    for _ in 0..samples {
        let Some(&way) = number.get(&sample()) else { return 0.0 };
        counts[way] += 1;
    }
    chi_square_p(&counts, &vec![1.0 / ways.len() as f64; ways.len()])
}

fn sample(deal: &Deal, rng: &mut Rng) -> Hands {
    let mut hands = [0; MAX_HOLDERS];
    deal.sample(&mut hands, rng);
    hands
}

/// A random pattern: up to nine cards, two to six holders.
fn pattern() -> impl Strategy<Value = (u64, Vec<u32>, Vec<u64>)> {
    (2..=MAX_HOLDERS, 0..=9usize).prop_flat_map(|(holders, cards)| {
        let places = prop::collection::vec(0..holders, cards);
        let positions = prop::sample::subsequence((0..64u32).collect::<Vec<_>>(), cards);
        let allowed = prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.7), cards), holders);
        (places, positions, allowed).prop_map(move |(places, positions, allowed)| {
            let need = (0..holders).map(|holder| places.iter().filter(|&&place| place == holder).count() as u32);
            let set = |chosen: &Vec<bool>| {
                positions
                    .iter()
                    .zip(chosen)
                    .filter(|(_, chosen)| **chosen)
                    .fold(0, |set, (&card, _)| set | 1u64 << card)
            };
            (set(&vec![true; cards]), need.collect(), allowed.iter().map(set).collect())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn counts_and_samples_agree_with_brute_force((cards, need, allowed) in pattern(), seed: u64) {
        let mut ways = brute_force(cards, &need, &allowed);
        let Ok(deal) = Deal::prepare(cards, &need, &allowed) else {
            prop_assert!(ways.is_empty());
            return Ok(());
        };
        prop_assert_eq!(deal.count(), ways.len() as u128);
        let mut listed = deal.enumerate(ways.len()).expect("within the limit");
        prop_assert!(deal.enumerate(ways.len() - 1).is_none());
        listed.sort_unstable();
        ways.sort_unstable();
        prop_assert_eq!(&listed, &ways);
        let mut rng = Rng::from_seed(seed);
        for _ in 0..20 {
            prop_assert!(ways.binary_search(&sample(&deal, &mut rng)).is_ok());
        }
    }
}

#[test]
fn random_patterns_are_dealt_uniformly() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut rng = Rng::from_seed(11);
    let mut tested = 0;
    while tested < 200 {
        let (cards, need, allowed) = pattern().new_tree(&mut runner).expect("no filter").current();
        let ways = brute_force(cards, &need, &allowed);
        if (2..400).contains(&ways.len()) {
            let deal = Deal::prepare(cards, &need, &allowed).expect("there are ways");
            let p = uniformity(&ways, 20 * ways.len() as u32, || sample(&deal, &mut rng));
            assert!(p > 1e-6, "{cards:x} {need:?} {allowed:x?}: {p}");
            tested += 1;
        }
    }
}

#[test]
fn nothing_to_deal_is_one_way() {
    for need in [&[][..], &[0], &[0, 0, 0]] {
        let deal = Deal::prepare(0, need, &vec![0; need.len()]).expect("a valid deal");
        assert_eq!(deal.count(), 1);
        assert_eq!(deal.enumerate(1), Some(vec![[0; MAX_HOLDERS]]));
    }
}

#[test]
fn impossible_patterns_are_refused() {
    let all = u64::MAX;
    assert_eq!(Deal::prepare(0b111, &[1, 1], &[all, all]).err(), Some(Impossible));
}
