//! Positions that came up several times become one sample (thesis 000, chapter 4 and section 6.4).

use std::collections::HashMap;

use meeple_core::{MAX_PLAYERS, Payoffs};

use super::{Packed, Sample};

/// How much a sample counts that n others were merged into, itself included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighing {
    /// 1
    One,
    /// n
    Count,
    /// log2(n) + 1, as in the thesis.
    #[default]
    Logarithmic,
}

impl Weighing {
    fn weight(self, count: u32) -> f32 {
        match self {
            Weighing::One => 1.0,
            Weighing::Count => count as f32,
            Weighing::Logarithmic => libm::log2(f64::from(count)) as f32 + 1.0,
        }
    }
}

/// Makes one sample of all with the same key, in the order in which they first come up: the input of
/// the first, and the mean of payoffs over all and of policies over those that have one. Policies may be about
/// different actions; where an action was not legal its share is 0.
pub fn merge<'a>(samples: impl IntoIterator<Item = &'a Sample>, weighing: Weighing) -> Vec<Sample> {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for sample in samples {
        match places.get(&sample.key) {
            Some(&place) => groups[place].add(sample),
            None => {
                places.insert(sample.key, groups.len());
                groups.push(Group { first: sample, sums: None });
            }
        }
    }
    groups.into_iter().map(|group| group.merged(weighing)).collect()
}

/// The samples with one key.
struct Group<'a> {
    first: &'a Sample,
    /// Of all, if there are several.
    sums: Option<Box<Sums>>,
}

struct Sums {
    count: u32,
    /// Those with a policy.
    searched: u32,
    /// By policy index, ascending.
    policy: Vec<(u16, f64)>,
    payoffs: [f64; MAX_PLAYERS],
}

impl Group<'_> {
    fn add(&mut self, sample: &Sample) {
        self.sums.get_or_insert_with(|| Box::new(Sums::of(self.first))).add(sample);
    }

    fn merged(self, weighing: Weighing) -> Sample {
        let Some(sums) = self.sums else { return Sample { weight: weighing.weight(1), ..self.first.clone() } };
        let count = f64::from(sums.count);
        let searched = f64::from(sums.searched.max(1));
        Sample {
            input: self.first.input.clone(),
            // It differs between samples that look the same to the viewer.
            hidden: Packed::default(),
            legal: sums.policy.iter().map(|&(index, _)| index).collect(),
            policy: sums.policy.iter().map(|&(_, share)| (share / searched) as f32).collect(),
            drawn: None,
            payoffs: sums.payoffs.map(|payoff| (payoff / count) as f32),
            key: self.first.key,
            weight: weighing.weight(sums.count),
        }
    }
}

impl Sums {
    fn of(sample: &Sample) -> Sums {
        let policy = sample.legal.iter().zip(&sample.policy).map(|(&index, &share)| (index, f64::from(share)));
        let searched = u32::from(sample.targets().next().is_some());
        Sums { count: 1, searched, policy: policy.collect(), payoffs: wide(&sample.payoffs) }
    }

    fn add(&mut self, sample: &Sample) {
        self.count += 1;
        self.searched += u32::from(sample.targets().next().is_some());
        for (&index, &share) in sample.legal.iter().zip(&sample.policy) {
            match self.policy.binary_search_by_key(&index, |&(known, _)| known) {
                Ok(place) => self.policy[place].1 += f64::from(share),
                Err(place) => self.policy.insert(place, (index, f64::from(share))),
            }
        }
        for (sum, payoff) in self.payoffs.iter_mut().zip(wide(&sample.payoffs)) {
            *sum += payoff;
        }
    }
}

fn wide(payoffs: &Payoffs) -> [f64; MAX_PLAYERS] {
    payoffs.map(f64::from)
}
