//! The scores of the children of a node, and the choice among them. Plain numbers: nothing here
//! knows a game or a tree.

use meeple_core::Rng;

use super::settings::{FirstPlay, Growth, Rescale, Selection, Top, Weight};
use crate::logarithm::ln;

/// Added to the score of a child that goes before all with visits.
const FIRST: f64 = 1e6;

/// What counts in the choice of a child, for the player to move at its parent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Child {
    /// Of the node.
    pub(crate) index: usize,
    /// Those under way included.
    pub(crate) visits: f64,
    /// The sum over the visits, with the virtual loss of those under way.
    pub(crate) reward: f64,
    pub(crate) prior: f64,
    /// v.
    pub(crate) estimate: f64,
    /// How often the action was played anywhere below the reference node, and the mean reward.
    pub(crate) amaf: (f64, f64),
}

/// The children of one node on their way to a choice, and scratch space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scorer {
    pub(crate) children: Vec<Child>,
    /// All of the score but exploration.
    worth: Vec<f64>,
    /// Exploration for C = 1.
    exploration: Vec<f64>,
    scores: Vec<f64>,
    order: Vec<usize>,
}

impl Scorer {
    /// The node to look at next. `visits` are those of the parent, its own
    /// evaluation included; `range` are the lowest and the highest reward.
    pub(crate) fn choose(&mut self, rule: &Selection, c: f64, visits: u32, range: (f64, f64), rng: &mut Rng) -> usize {
        let c = c + rule.exploration_base.map_or(0.0, |base| libm::log((1.0 + f64::from(visits) + base) / base));
        self.score(rule, c, visits, range);
        if rule.multiplier > 0.0 {
            for score in &mut self.scores {
                *score *= 1.0 + rule.multiplier * (2.0 * rng.unit() - 1.0);
            }
        }
        let place = match rule.top {
            Top::Best => best(&self.scores, rng),
            Top::Sample(most) => self.sample(most, rng),
            Top::Explore(most, c) => self.explore(most, c, rng),
        };
        self.children[place].index
    }

    /// Fills `scores`.
    fn score(&mut self, rule: &Selection, c: f64, visits: u32, range: (f64, f64)) {
        rescale(&mut self.children, rule.rescale);
        self.explore_by(rule, visits);
        let first_play = self.first_play(rule.first_play, range);
        self.worth.clear();
        self.worth.extend(self.children.iter().map(|child| worth(child, rule, first_play, range)));
        self.scores.clear();
        self.scores.extend(self.worth.iter().zip(&self.exploration).map(|(worth, explore)| worth + c * explore));
    }

    /// Fills `exploration`.
    fn explore_by(&mut self, rule: &Selection, visits: u32) {
        let children = &self.children;
        let exploration = &mut self.exploration;
        exploration.clear();
        match rule.weight {
            Weight::One => exploration.resize(children.len(), 1.0),
            Weight::Priors => exploration.extend(children.iter().map(|child| child.prior)),
            Weight::Softmax(temperature) => {
                exploration.extend(children.iter().map(|child| child.estimate));
                softmax(exploration, temperature / f64::from(visits.saturating_sub(1).max(1)));
            }
        }
        let numerator = match rule.growth {
            Growth::Ucb1 => ln(visits).sqrt(),
            Growth::Puct | Growth::Root => f64::from(visits).sqrt(),
            Growth::Inverse | Growth::Constant => 1.0,
        };
        for (explore, child) in exploration.iter_mut().zip(children) {
            *explore *= match rule.growth {
                Growth::Puct => numerator / (1.0 + child.visits),
                Growth::Ucb1 | Growth::Root | Growth::Inverse => numerator / child.visits.max(1.0).sqrt(),
                Growth::Constant => numerator,
            };
        }
    }

    /// The mean reward for children without visits.
    fn first_play(&self, rule: FirstPlay, (lowest, highest): (f64, f64)) -> f64 {
        let middle = 0.5 * (lowest + highest);
        match rule {
            FirstPlay::Zero => 0.0,
            FirstPlay::Loss => lowest,
            FirstPlay::Draw | FirstPlay::Estimate => middle,
            FirstPlay::Win => highest,
            FirstPlay::Infinite => FIRST * (highest - lowest),
            FirstPlay::Parent => self.mean().unwrap_or(middle),
            FirstPlay::Reduced(reduction) => {
                let visited = self.children.iter().filter(|child| child.visits > 0.0);
                let seen: f64 = visited.map(|child| child.prior).sum();
                self.mean().unwrap_or(middle) - reduction * seen.sqrt()
            }
        }
    }

    /// Of all visits.
    fn mean(&self) -> Option<f64> {
        let sum = |(reward, visits), child: &Child| (reward + child.reward, visits + child.visits);
        let (reward, visits) = self.children.iter().fold((0.0, 0.0), sum);
        (visits > 0.0).then(|| reward / visits)
    }

    /// The places of the children with the best scores.
    fn top(&mut self, most: usize) -> &[usize] {
        self.order.clear();
        self.order.extend(0..self.scores.len());
        let scores = &self.scores;
        self.order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        &self.order[..most.min(scores.len())]
    }

    fn sample(&mut self, most: usize, rng: &mut Rng) -> usize {
        *rng.choose(self.top(most))
    }

    fn explore(&mut self, most: usize, c: f64, rng: &mut Rng) -> usize {
        let count = self.top(most).len();
        self.scores.clear();
        let again = self.order[..count].iter().map(|&place| self.worth[place] + c * self.exploration[place]);
        self.scores.extend(again);
        self.order[best(&self.scores, rng)]
    }
}

/// All of the score but exploration.
#[inline]
fn worth(child: &Child, rule: &Selection, first_play: f64, (lowest, highest): (f64, f64)) -> f64 {
    let mean = if child.visits > 0.0 {
        child.reward / child.visits
    } else if rule.first_play == FirstPlay::Estimate {
        child.estimate
    } else {
        first_play
    };
    let influence = rule.influence.at(child.visits);
    let mut worth = (1.0 - influence) * mean + influence * child.estimate;
    if let Some(grave) = rule.grave {
        let (count, amaf) = child.amaf;
        let share = grave.share(count, child.visits);
        worth = (1.0 - share) * worth + share * amaf;
    }
    let lost = child.visits * (highest - mean) / (highest - lowest);
    worth + rule.bias * child.estimate / (lost + 1.0)
}

fn rescale(children: &mut [Child], rule: Rescale) {
    if rule == Rescale::None {
        return;
    }
    let mean = children.iter().map(|child| child.estimate).sum::<f64>() / children.len() as f64;
    let lowest = children.iter().map(|child| child.estimate).fold(f64::INFINITY, f64::min);
    let highest = children.iter().map(|child| child.estimate).fold(f64::NEG_INFINITY, f64::max);
    if highest <= lowest {
        return;
    }
    let (below, above) = match rule {
        Rescale::None => (1.0, 1.0),
        Rescale::Multiply(factor) => (factor, factor),
        Rescale::Spread(spread) => (spread / (highest - lowest), spread / (highest - lowest)),
        Rescale::Bounds(lower, upper) => ((mean - lower) / (mean - lowest), (upper - mean) / (highest - mean)),
    };
    for child in children {
        let distance = child.estimate - mean;
        child.estimate = mean + distance * if distance < 0.0 { below } else { above };
    }
}

/// Turns values into probabilities in proportion to exp(value / temperature); at 0 the highest
/// share everything.
pub(crate) fn softmax(values: &mut [f64], temperature: f64) {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for value in &mut *values {
        *value = match (*value - highest, temperature) {
            (0.0, _) => 1.0,
            (_, 0.0) => 0.0,
            (distance, _) => libm::exp(distance / temperature),
        };
        sum += *value;
    }
    values.iter_mut().for_each(|value| *value /= sum);
}

/// The place of the highest score, any of equals.
fn best(scores: &[f64], rng: &mut Rng) -> usize {
    let (mut place, mut equals) = (0, 1);
    for (other, &score) in scores.iter().enumerate().skip(1) {
        if score > scores[place] {
            (place, equals) = (other, 1);
        } else if score == scores[place] {
            equals += 1;
            if rng.below(equals) == 0 {
                place = other;
            }
        }
    }
    place
}
