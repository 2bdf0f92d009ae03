//! Whether hidden cards are dealt evenly over all ways that fit (thesis 002, tables 4.1 and 4.2).

use std::collections::BTreeMap;

use meeple_core::Rng;
use meeple_core::deal::thesis::{Next, accept_reject, most_restricted_first};
use meeple_core::deal::{Deal, MAX_HOLDERS};
use meeple_core::statistics::chi_square_p;
use serde::{Deserialize, Serialize};

use super::figure::{Figure, Measurement, Unit};
use super::plan::one;
use super::published::Published;
use crate::{Stop, wilson};

type Hands = [u64; MAX_HOLDERS];

/// The most ways to deal that are told apart.
const MOST_WAYS: usize = 100_000;
/// Shuffles before a deal by accepting or rejecting is given up.
const ATTEMPTS: u32 = 1_000_000;

/// Samples of deals, each tested against the even distribution; and that many times over.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedUniformity {
    pub name: String,
    pub sampler: Sampler,
    /// For each hand a text with `1` for every card that it may get and `0` for every other one.
    pub hands: Vec<String>,
    /// Cards that each hand gets.
    pub need: Vec<u32>,
    /// Deals in a sample.
    pub deals: u64,
    #[serde(skip_serializing)]
    pub samples: u64,
    /// Samples for a first impression.
    #[serde(skip_serializing)]
    pub quick: u64,
    #[serde(default = "one")]
    pub seed: u64,
    /// Figures by name: `chi-square`, or `rejected at 5 %`, `1 %`, `0.1 %`.
    #[serde(default, skip_serializing)]
    pub published: BTreeMap<String, Published>,
    /// Figures to show; all if none is named.
    #[serde(default, skip_serializing)]
    pub show: Vec<String>,
    /// Samples behind the published figures.
    #[serde(skip_serializing)]
    pub published_games: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sampler {
    /// The one that games use.
    Exact,
    AcceptReject,
    MostRestrictedFirst,
}

/// The statistic and the p-value of every sample.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Uniformity {
    pub ways: usize,
    pub chi_squares: Vec<f64>,
    pub p_values: Vec<f64>,
}

const LEVELS: [(&str, f64); 3] = [("rejected at 5 %", 0.05), ("rejected at 1 %", 0.01), ("rejected at 0.1 %", 0.001)];
const CHI_SQUARE: &str = "chi-square";

impl PlannedUniformity {
    pub(super) fn check(&self) -> Result<(), String> {
        let cards = self.hands.first().map_or(0, String::len);
        let well_formed = |hand: &String| hand.len() == cards && hand.chars().all(|mark| "01".contains(mark));
        let hands = self.hands.len();
        if !(1..=MAX_HOLDERS).contains(&hands) || self.need.len() != hands || !(1..=64).contains(&cards) {
            return Err(format!("there are 1 to {MAX_HOLDERS} hands of 1 to 64 cards, and a need for each of them"));
        }
        if !self.hands.iter().all(well_formed) {
            return Err("hands are texts of 0 and 1, all of the same length".to_string());
        }
        if self.deals == 0 || self.samples == 0 || self.quick == 0 {
            return Err("there must be at least one deal and one sample, quick or not".to_string());
        }
        let known = |name: &str| name == CHI_SQUARE || LEVELS.iter().any(|(level, _)| *level == name);
        if let Some(name) = self.published.keys().chain(&self.show).find(|name| !known(name)) {
            let levels = LEVELS.map(|(level, _)| level).join(", ");
            return Err(format!("there is no figure `{name}`; there are {CHI_SQUARE}, {levels}"));
        }
        match self.ways().len() {
            0 => Err("no deal fits".to_string()),
            MOST_WAYS.. => Err(format!("there are {MOST_WAYS} ways to deal or more")),
            _ => Ok(()),
        }
    }

    fn cards(&self) -> u64 {
        let cards = self.hands[0].len();
        if cards == 64 { u64::MAX } else { (1 << cards) - 1 }
    }

    fn allowed(&self) -> Vec<u64> {
        let set = |hand: &String| {
            let marks = hand.bytes().enumerate().filter(|(_, mark)| *mark == b'1');
            marks.fold(0, |set, (card, _)| set | 1u64 << card)
        };
        self.hands.iter().map(set).collect()
    }

    /// All ways to deal, [`MOST_WAYS`] at most.
    fn ways(&self) -> Vec<Hands> {
        let mut found = Vec::new();
        place(self.cards(), &self.need, &self.allowed(), [0; MAX_HOLDERS], &mut found);
        found
    }

    pub(super) fn samples(&self, quick: bool) -> u64 {
        if quick { self.quick } else { self.samples }
    }

    /// Draws and tests the samples. `None` if a stop was requested, an error if no deal was found.
    pub fn measure(&self, quick: bool, stop: &Stop) -> Result<Option<Uniformity>, String> {
        let mut ways = self.ways();
        ways.sort_unstable();
        let even = vec![1.0 / ways.len() as f64; ways.len()];
        let expected = self.deals as f64 / ways.len() as f64;
        let mut found = Uniformity { ways: ways.len(), ..Uniformity::default() };
        for number in 0..self.samples(quick) {
            if stop.is_requested() {
                return Ok(None);
            }
            let counts = self.sample(&ways, &mut Rng::stream(self.seed, number))?;
            let squares = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected);
            found.chi_squares.push(squares.sum());
            found.p_values.push(chi_square_p(&counts, &even));
        }
        Ok(Some(found))
    }

    /// How often each way was dealt.
    fn sample(&self, ways: &[Hands], rng: &mut Rng) -> Result<Vec<u64>, String> {
        let (cards, allowed) = (self.cards(), self.allowed());
        let exact = Deal::prepare(cards, &self.need, &allowed).map_err(|_| "no deal fits".to_string())?;
        let mut counts = vec![0; ways.len()];
        for _ in 0..self.deals {
            let hands = match self.sampler {
                Sampler::Exact => {
                    let mut hands = [0; MAX_HOLDERS];
                    exact.sample(&mut hands, rng);
                    hands
                }
                Sampler::AcceptReject => accept_reject(cards, &self.need, &allowed, ATTEMPTS, rng)
                    .map_err(|_| format!("no deal in {ATTEMPTS} shuffles"))?,
                Sampler::MostRestrictedFirst => {
                    most_restricted_first(cards, &self.need, &allowed, Next::SmallestSlack, rng)
                        .map_err(|_| "the sampler ran into a dead end".to_string())?
                }
            };
            let way = ways.binary_search(&hands).expect("every deal is one of the ways");
            counts[way] += 1;
        }
        Ok(counts)
    }

    pub(super) fn figures(&self, found: &Uniformity) -> Vec<Figure> {
        let n = found.p_values.len() as u64;
        let mut sorted = found.chi_squares.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
        let chi_square = Measurement {
            name: CHI_SQUARE.to_string(),
            unit: Unit::Plain,
            value: sorted.iter().sum::<f64>() / n as f64,
            interval: (n > 1).then(|| [quantile(0.025), quantile(0.975)]),
            n,
        };
        let rejected = |(name, level): (&str, f64)| {
            let rate = found.p_values.iter().filter(|&&p| p < level).count() as f64 / n as f64;
            let interval = Some(wilson(rate, n));
            Measurement { name: name.to_string(), unit: Unit::Percent, value: rate, interval, n }
        };
        let all = [chi_square].into_iter().chain(LEVELS.map(rejected));
        let shown = |found: &Measurement| self.show.is_empty() || self.show.contains(&found.name);
        let figure = |found: Measurement| {
            let published = self.published.get(&found.name);
            Figure::new(&self.name, found, published, self.published_games)
        };
        all.filter(shown).map(figure).collect()
    }
}

/// Gives out card after card.
fn place(cards: u64, need: &[u32], allowed: &[u64], hands: Hands, found: &mut Vec<Hands>) {
    if cards == 0 {
        found.push(hands);
    }
    if cards == 0 || found.len() >= MOST_WAYS {
        return;
    }
    let card = cards & cards.wrapping_neg();
    for holder in 0..need.len() {
        if allowed[holder] & card != 0 && hands[holder].count_ones() < need[holder] {
            let mut hands = hands;
            hands[holder] |= card;
            place(cards & !card, need, allowed, hands, found);
        }
    }
}
