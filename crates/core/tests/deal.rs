//! Dealing hidden cards: counts and samples against brute force, and against the samplers of
//! thesis 002.

use std::collections::HashMap;

use meeple_core::Rng;
use meeple_core::deal::thesis::{DeadEnd, GaveUp, Next, accept_reject, most_restricted_first};
use meeple_core::deal::{Deal, Impossible, MAX_HOLDERS, WeightedDeal};
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

/// A pattern of voids: the number of hidden cards of each suit, what each holder needs, the suits
/// that each holder cannot have, and the number of ways.
struct Pattern {
    suits: &'static [u32],
    need: &'static [u32],
    voids: &'static [&'static [usize]],
    ways: u128,
}

/// Table 4.1 of thesis 002; then one void, two different voids, two suits and one, three voids.
const PATTERNS: &[Pattern] = &[
    Pattern { suits: &[3, 3], need: &[2, 2, 2], voids: &[&[], &[0], &[1]], ways: 9 },
    Pattern { suits: &[2, 4], need: &[2, 2, 2], voids: &[&[0], &[], &[]], ways: 36 },
    Pattern { suits: &[4, 11], need: &[5, 5, 5], voids: &[&[0], &[], &[]], ways: 116_424 },
    Pattern { suits: &[2, 2, 2], need: &[2, 2, 2], voids: &[&[0], &[1], &[]], ways: 19 },
    Pattern { suits: &[2, 2, 2], need: &[1, 2, 3], voids: &[&[0], &[1], &[]], ways: 18 },
    Pattern { suits: &[2, 3, 4], need: &[3, 3, 3], voids: &[&[0], &[1], &[]], ways: 216 },
    Pattern { suits: &[4, 4, 7], need: &[5, 5, 5], voids: &[&[0], &[1], &[]], ways: 27_174 },
    Pattern { suits: &[5, 6, 10], need: &[7, 7, 7], voids: &[&[0], &[1], &[]], ways: 3_809_160 },
    Pattern { suits: &[3, 3, 3, 3], need: &[4, 4, 4], voids: &[&[0, 1], &[2], &[]], ways: 570 },
    Pattern { suits: &[6, 6, 6, 6], need: &[8, 8, 8], voids: &[&[0], &[1], &[2]], ways: 7_822_260 },
];

/// Two different voids, two cards each.
const TWO_VOIDS: &Pattern = &PATTERNS[3];

impl Pattern {
    fn suit(&self, suit: usize) -> u64 {
        ((1 << self.suits[suit]) - 1) << (13 * suit)
    }

    fn cards(&self) -> u64 {
        (0..self.suits.len()).map(|suit| self.suit(suit)).sum()
    }

    fn allowed(&self) -> Vec<u64> {
        self.voids.iter().map(|voids| !voids.iter().map(|&suit| self.suit(suit)).sum::<u64>()).collect()
    }

    fn deal(&self) -> Deal {
        Deal::prepare(self.cards(), self.need, &self.allowed()).expect("the pattern has deals")
    }

    fn listed(&self) -> Vec<Hands> {
        brute_force(self.cards(), self.need, &self.allowed())
    }
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
fn the_patterns_have_the_known_numbers_of_ways() {
    for pattern in PATTERNS {
        assert_eq!(pattern.deal().count(), pattern.ways, "{:?} {:?}", pattern.suits, pattern.voids);
    }
}

#[test]
fn every_way_of_a_pattern_is_equally_likely() {
    let mut rng = Rng::from_seed(21);
    for pattern in PATTERNS.iter().filter(|pattern| pattern.ways < 1000) {
        let (deal, ways) = (pattern.deal(), pattern.listed());
        let p = uniformity(&ways, 100 * ways.len() as u32, || sample(&deal, &mut rng));
        assert!(p > 1e-4, "{:?} {:?}: {p}", pattern.suits, pattern.voids);
    }
}

#[test]
fn large_patterns_give_every_card_its_share() {
    let mut rng = Rng::from_seed(22);
    for pattern in PATTERNS.iter().filter(|pattern| pattern.ways >= 1000) {
        let (deal, allowed) = (pattern.deal(), pattern.allowed());
        for card in [pattern.suit(0), pattern.suit(1)].map(|suit| suit & suit.wrapping_neg()) {
            // The share of a holder is the number of deals of the other cards.
            let share = |holder: usize| {
                let mut need = pattern.need.to_vec();
                need[holder] -= 1;
                let fits = allowed[holder] & card != 0;
                let rest = Deal::prepare(pattern.cards() & !card, &need, &allowed).map_or(0, |deal| deal.count());
                if fits { rest as f64 / deal.count() as f64 } else { 0.0 }
            };
            let mut counts = [0; 3];
            for _ in 0..20_000 {
                let hands = sample(&deal, &mut rng);
                counts[hands.iter().position(|hand| hand & card != 0).expect("every card is dealt")] += 1;
            }
            let p = chi_square_p(&counts, &[share(0), share(1), share(2)]);
            assert!(p > 1e-4, "{:?} {:?}: {counts:?}", pattern.suits, pattern.voids);
        }
    }
}

#[test]
fn the_thesis_sampler_is_biased_where_ours_is_not() {
    let (cards, need, allowed) = (TWO_VOIDS.cards(), TWO_VOIDS.need, TWO_VOIDS.allowed());
    let (deal, ways) = (TWO_VOIDS.deal(), TWO_VOIDS.listed());
    let mut rng = Rng::from_seed(23);
    let exact = uniformity(&ways, 20_000, || sample(&deal, &mut rng));
    let rejecting = uniformity(&ways, 20_000, || {
        accept_reject(cards, need, &allowed, 1_000, &mut rng).expect("one attempt in five fits")
    });
    let mut thesis =
        || most_restricted_first(cards, need, &allowed, Next::SmallestSlack, &mut rng).expect("no dead end is known");
    let restricted = uniformity(&ways, 20_000, &mut thesis);
    assert!(exact > 1e-3 && rejecting > 1e-3, "{exact} {rejecting}");
    assert!(restricted < 1e-100, "{restricted}");
    let mut counts: HashMap<Hands, f64> = HashMap::new();
    (0..50_000).for_each(|_| *counts.entry(thesis()).or_default() += 19.0 / 50_000.0);
    let (rarest, most_frequent) = counts.values().fold((1.0f64, 1.0f64), |(a, b), &ratio| (a.min(ratio), b.max(ratio)));
    assert!((rarest - 0.54).abs() < 0.05 && (most_frequent - 1.30).abs() < 0.07, "{rarest} {most_frequent}");
}

#[test]
fn the_thesis_sampler_is_uniform_on_its_own_example() {
    let example = &PATTERNS[0];
    let (cards, need, allowed) = (example.cards(), example.need, example.allowed());
    let mut rng = Rng::from_seed(24);
    let p = uniformity(&example.listed(), 10_000, || {
        most_restricted_first(cards, need, &allowed, Next::SmallestSlack, &mut rng).expect("no dead end is known")
    });
    assert!(p > 1e-3, "{p}");
}

#[test]
fn accept_reject_gives_up_where_there_is_nothing_to_find() {
    assert_eq!(accept_reject(0b11, &[1, 1], &[0b01, 0b01], 100, &mut Rng::from_seed(1)), Err(GaveUp));
}

/// How many of 5,000 runs of the thesis' sampler end in a dead end; the others are deals.
fn dead_ends(cards: u64, need: &[u32], allowed: &[u64], next: Next) -> u32 {
    let ways = brute_force(cards, need, allowed);
    let mut rng = Rng::from_seed(25);
    let mut dead = 0;
    for _ in 0..5_000 {
        match most_restricted_first(cards, need, allowed, next, &mut rng) {
            Ok(hands) => assert!(ways.contains(&hands)),
            Err(DeadEnd) => dead += 1,
        }
    }
    dead
}

#[test]
fn the_printed_algorithm_runs_into_dead_ends_with_three_hands() {
    // Four hearts and a diamond; the second hand is void in diamonds, the third in hearts.
    let (cards, need, allowed) = (0b1_1111, [3, 1, 1], [0b1_1111, 0b0_1111, 0b1_0000]);
    assert_eq!(dead_ends(cards, &need, &allowed, Next::SmallestSlack), 0);
    assert!(dead_ends(cards, &need, &allowed, Next::SmallestPositiveSlack) > 500);
    let deal = Deal::prepare(cards, &need, &allowed).expect("there are four ways");
    assert_eq!(deal.count(), 4);
}

#[test]
fn the_thesis_sampler_runs_into_dead_ends_with_four_hands() {
    // Three cards for the hands a and b, three for c and d, one for a, b and c.
    let (cards, need, allowed) = (0b111_1111, [2, 2, 2, 1], [0b100_0111, 0b100_0111, 0b111_1000, 0b011_1000]);
    let dead = dead_ends(cards, &need, &allowed, Next::SmallestSlack);
    assert!((220..405).contains(&dead), "one in sixteen, by listing all its choices: {dead}");
    let (deal, ways) =
        (Deal::prepare(cards, &need, &allowed).expect("there are ways"), brute_force(cards, &need, &allowed));
    assert_eq!(deal.count(), ways.len() as u128);
    let mut rng = Rng::from_seed(26);
    assert!(uniformity(&ways, 10_000, || sample(&deal, &mut rng)) > 1e-3);
}

#[test]
fn four_hands_of_thirteen_need_more_than_64_bits() {
    let pack = (1 << 52) - 1;
    let deal = Deal::prepare(pack, &[13; 4], &[u64::MAX; 4]).expect("the whole pack");
    assert_eq!(deal.count(), 53_644_737_765_488_792_839_237_440_000);
    // One void each: 4 · 13 cards that three hands may take.
    let suit = |number: u32| 0x1fff << (13 * number);
    let allowed = [!suit(0), !suit(1), !suit(2), !suit(3)];
    let deal = Deal::prepare(pack, &[13; 4], &allowed).expect("one void each");
    let mut rng = Rng::from_seed(27);
    for _ in 0..1_000 {
        let hands = sample(&deal, &mut rng);
        assert_eq!(hands.iter().fold(0, |all, hand| all | hand), pack);
        for holder in 0..4 {
            assert_eq!((hands[holder].count_ones(), hands[holder] & !allowed[holder]), (13, 0));
        }
    }
}

#[test]
fn more_ways_than_128_bits_can_count_are_still_dealt() {
    let need = [10, 10, 11, 11, 11, 11];
    let mut allowed = [u64::MAX; 6];
    (allowed[0], allowed[1]) = (!0xf, !0xf0);
    let deal = Deal::prepare(u64::MAX, &need, &allowed).expect("hardly restricted");
    assert_eq!(deal.count(), u128::MAX);
    assert!(deal.enumerate(1_000).is_none());
    let hands = sample(&deal, &mut Rng::from_seed(28));
    assert_eq!(hands.iter().fold(0, |all, hand| all | hand), u64::MAX);
    for holder in 0..6 {
        assert_eq!((hands[holder].count_ones(), hands[holder] & !allowed[holder]), (need[holder], 0));
    }
}

#[test]
fn nothing_to_deal_is_one_way() {
    for need in [&[][..], &[0], &[0, 0, 0]] {
        let deal = Deal::prepare(0, need, &vec![0; need.len()]).expect("a valid deal");
        assert_eq!(deal.count(), 1);
        assert_eq!(deal.enumerate(1), Some(vec![[0; MAX_HOLDERS]]));
        assert_eq!(deal.enumerate(0), None);
        let mut hands = vec![7; need.len()];
        deal.sample(&mut hands, &mut Rng::from_seed(1));
        assert_eq!(hands, vec![0; need.len()]);
    }
}

#[test]
fn impossible_patterns_are_refused() {
    let all = u64::MAX;
    let refused = |cards, need: &[u32], allowed: &[u64]| {
        assert_eq!(Deal::prepare(cards, need, allowed).err(), Some(Impossible), "{cards:b} {need:?} {allowed:x?}");
        let weight = |card: u32, holder: usize| (allowed[holder] >> card & 1) as f64;
        assert_eq!(WeightedDeal::prepare(cards, need, &weight).err(), Some(Impossible));
    };
    refused(0b111, &[1, 1], &[all, all]); // a card too many
    refused(0b1, &[1, 1], &[all, all]); // one too few
    refused(0b1, &[], &[]); // nobody there
    refused(0b1, &[u32::MAX, 2], &[all, all]); // a sum beyond 32 bits
    refused(0b11, &[1, 1], &[0b01, 0b01]); // a card for nobody
    refused(0b11, &[2, 0], &[0b01, all]); // the only possible holder is full
    refused(0b1111, &[1, 1, 2], &[0b0011, 0b0011, 0b0111]); // two cards for three places, found last
}

/// How far the sampled shares of each card and holder are from those of the listed deals, in
/// standard deviations.
fn worst_deviation(ways: &[Hands], weight: &dyn Fn(u32, usize) -> f64, samples: u32, deal: &WeightedDeal) -> f64 {
    let product = |hands: &Hands| -> f64 {
        let cards = |holder: usize| (0..64).filter(move |card| hands[holder] >> card & 1 == 1);
        (0..MAX_HOLDERS).flat_map(|holder| cards(holder).map(move |card| weight(card, holder))).product()
    };
    let total: f64 = ways.iter().map(product).sum();
    let mut rng = Rng::from_seed(29);
    let sampled: Vec<Hands> = (0..samples)
        .map(|_| {
            let mut hands = [0; MAX_HOLDERS];
            deal.sample(&mut hands, &mut rng);
            hands
        })
        .collect();
    let mut worst = 0.0f64;
    for (card, holder) in (0..64).flat_map(|card| (0..MAX_HOLDERS).map(move |holder| (card, holder))) {
        let has = |hands: &&Hands| hands[holder] >> card & 1 == 1;
        let share = ways.iter().filter(has).map(product).sum::<f64>() / total;
        let found = sampled.iter().filter(has).count() as f64 / f64::from(samples);
        let deviation = (share * (1.0 - share) / f64::from(samples)).sqrt();
        worst = worst.max((found - share).abs() / deviation.max(1e-9));
    }
    worst
}

#[test]
fn weighted_shares_agree_with_brute_force() {
    let pattern = &PATTERNS[8];
    let (cards, ways, allowed) = (pattern.cards(), pattern.listed(), pattern.allowed());
    let possible = |card: u32, holder: usize| (allowed[holder] >> card & 1) as f64;
    let by_suit = |card: u32, holder: usize| {
        possible(card, holder) * [[1.0, 5.0, 2.0], [3.0, 0.1, 1.0]][card as usize / 13 % 2][holder]
    };
    let by_card = |card: u32, holder: usize| {
        possible(card, holder) * (1.0 + f64::from(card * 7 % 11 * ((holder as u32 + card) % 3)))
    };
    let tiny = |card: u32, holder: usize| 1e-200 * by_card(card, holder);
    let beliefs: [&dyn Fn(u32, usize) -> f64; 4] = [&possible, &by_suit, &by_card, &tiny];
    for (number, weight) in beliefs.into_iter().enumerate() {
        let deal = WeightedDeal::prepare(cards, pattern.need, weight).expect("there are ways");
        let scaled = |card, holder| if number == 3 { by_card(card, holder) } else { weight(card, holder) };
        let worst = worst_deviation(&ways, &scaled, 20_000, &deal);
        assert!(worst < 4.5, "beliefs {number}: {worst}");
    }
}

#[test]
fn equal_weights_deal_uniformly() {
    let mut rng = Rng::from_seed(30);
    for pattern in PATTERNS.iter().filter(|pattern| pattern.ways < 1000) {
        let allowed = pattern.allowed();
        let weight = |card: u32, holder: usize| 0.3 * (allowed[holder] >> card & 1) as f64;
        let deal = WeightedDeal::prepare(pattern.cards(), pattern.need, &weight).expect("there are ways");
        let p = uniformity(&pattern.listed(), 100 * pattern.ways as u32, || {
            let mut hands = [0; MAX_HOLDERS];
            deal.sample(&mut hands, &mut rng);
            hands
        });
        assert!(p > 1e-4, "{:?} {:?}: {p}", pattern.suits, pattern.voids);
    }
}
