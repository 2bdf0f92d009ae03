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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::informed::{Grave, Influence};

    const RANGE: (f64, f64) = (-1.0, 1.0);

    /// Ten visits of the parent: its own evaluation, and nine of three children.
    fn scorer() -> Scorer {
        let child = |visits, reward, prior, estimate| Child { visits, reward, prior, estimate, ..Child::default() };
        let mut children = vec![child(4.0, 2.0, 0.5, 0.2), child(4.0, -1.0, 0.3, -0.4), child(1.0, 1.0, 0.2, 0.1)];
        for (index, child) in children.iter_mut().enumerate() {
            (child.index, child.amaf) = (index, (5.0, -0.2));
        }
        Scorer { children, ..Scorer::default() }
    }

    fn check(name: &str, rule: Selection, c: f64, expected: [f64; 3]) {
        let mut scorer = scorer();
        scorer.score(&rule, c, 10, RANGE);
        for (score, expected) in scorer.scores.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-6, "{name}: {:?}, not {expected:?}", scorer.scores);
        }
    }

    /// A rule on top of implicit minimax with α = 0.4.
    fn implicit(growth: Growth, weight: Weight) -> Selection {
        Selection { growth, weight, influence: Influence::fixed(0.4), ..Selection::default() }
    }

    /// sqrt(10) = 3.16227766, ln 10 = 2.30258509, sqrt(ln 10 / 4) = 0.75871356.
    #[test]
    fn rules_give_what_their_equations_say() {
        let ucb1 = implicit(Growth::Ucb1, Weight::One);
        let puct = Selection::default();
        check("6.1", puct, 1.25, [0.89528471, -0.01282918, 1.39528471]);
        let bias = Selection { influence: Influence::fixed(0.0), bias: 10.0, ..ucb1 };
        check("3.3", bias, 2f64.sqrt(), [2.57298301, -0.31987413, 4.14596603]);
        check("3.4", ucb1, 1.0, [1.13871356, 0.44871356, 2.15742713]);
        let falling = Influence { first: 0.6, last: 0.3, slope: 0.1 };
        check("6.6", Selection { influence: falling, ..ucb1 }, 1.0, [1.15071356, 0.45471356, 2.03142713]);
        check("7.1", Selection { bias: 2.0, ..ucb1 }, 1.0, [1.33871356, 0.22014213, 2.35742713]);
        let grave = Some(Grave { reference: 0, bias: 0.1 });
        check("7.2", Selection { grave, ..ucb1 }, 1.0, [0.87507720, 0.49871356, 1.51127328]);
    }

    /// With T = 2 the nine visits of children make a temperature of 2/9, and shares of
    /// e^0.9 = 2.45960311, e^-1.8 = 0.16529889 and e^0.45 = 1.56831219.
    #[test]
    fn softmax_weighs_exploration() {
        let rule = |growth| implicit(growth, Weight::Softmax(2.0));
        check("6.4", rule(Growth::Ucb1), 1.0, [0.82503670, -0.28009108, 1.20753587]);
        check("7.3", rule(Growth::Constant), 1.0, [0.96656748, -0.27057943, 1.01401195]);
        check("7.4", rule(Growth::Root), 1.0, [1.30744452, -0.24767060, 1.82272963]);
        check("7.5", rule(Growth::Inverse), 1.0, [0.67328374, -0.29028971, 1.01401195]);
        let mut shares = [0.1, 0.3, 0.3];
        softmax(&mut shares, 0.0);
        assert_eq!(shares, [0.0, 0.5, 0.5]);
    }

    #[test]
    fn influence_falls_and_rises() {
        let falling = Influence { first: 0.6, last: 0.3, slope: 0.1 };
        let rising = Influence { first: 0.3, last: 0.6, slope: 0.1 };
        for (visits, down, up) in [(0.0, 0.6, 0.3), (1.0, 0.54, 0.36), (4.0, 0.36, 0.54), (100.0, 0.3, 0.6)] {
            assert!((falling.at(visits) - down).abs() < 1e-12 && (rising.at(visits) - up).abs() < 1e-12, "{visits}");
        }
    }

    #[test]
    fn children_without_visits_get_their_first_play() {
        for (rule, expected) in [
            (FirstPlay::Parent, 2.0 / 9.0),
            (FirstPlay::Reduced(0.5), 2.0 / 9.0 - 0.5),
            (FirstPlay::Estimate, 0.7),
            (FirstPlay::Draw, 0.0),
            (FirstPlay::Zero, 0.0),
            (FirstPlay::Win, 1.0),
            (FirstPlay::Loss, -1.0),
            (FirstPlay::Infinite, 2e6),
        ] {
            let mut scorer = scorer();
            scorer.children.push(Child { estimate: 0.7, ..Child::default() });
            scorer.score(&Selection { first_play: rule, ..Selection::default() }, 0.0, 10, RANGE);
            assert!((scorer.scores[3] - expected).abs() < 1e-9, "{rule:?}: {}", scorer.scores[3]);
        }
    }

    #[test]
    fn estimates_are_rescaled_around_their_mean() {
        // The mean is -1/30.
        for (rule, expected) in [
            (Rescale::Multiply(2.0), [0.43333333, -0.76666667, 0.23333333]),
            (Rescale::Spread(1.2), [0.43333333, -0.76666667, 0.23333333]),
            (Rescale::Bounds(-1.0, 0.9), [0.9, -1.0, 0.5]),
        ] {
            let mut scorer = scorer();
            rescale(&mut scorer.children, rule);
            for (child, expected) in scorer.children.iter().zip(expected) {
                assert!((child.estimate - expected).abs() < 1e-6, "{rule:?}: {:?}", scorer.children);
            }
        }
    }

    /// How often each child is chosen.
    fn shares(rule: Selection, c: f64) -> [f64; 3] {
        let (mut rng, mut shares) = (Rng::from_seed(1), [0.0; 3]);
        (0..3000).for_each(|_| shares[scorer().choose(&rule, c, 10, RANGE, &mut rng)] += 1.0 / 3000.0);
        shares
    }

    #[test]
    fn the_best_are_chosen_as_the_rule_says() {
        let rule = Selection::default();
        assert!(shares(rule, 1.25)[2] > 0.99);
        let [a, b, c] = shares(Selection { top: Top::Sample(2), ..rule }, 1.25);
        assert!((a - 0.5).abs() < 0.05 && b == 0.0 && (c - 0.5).abs() < 0.05);
        // With C = 0 the third and the first are the best, and with C = 100 the first is.
        assert!(shares(Selection { top: Top::Explore(2, 100.0), growth: Growth::Root, ..rule }, 0.0)[0] > 0.99);
        let [a, _, c] = shares(Selection { multiplier: 1.0, ..rule }, 1.25);
        assert!(a > 0.1 && c > 0.4);
    }

    #[test]
    fn exploration_grows_with_its_base() {
        // C + ln((1 + 10 + 5) / 5) = 1 + 1.16315081, times the prior and sqrt(10) / 2.
        let mut scorer = scorer();
        let rule = Selection { exploration_base: Some(5.0), ..Selection::default() };
        scorer.choose(&rule, 1.0, 10, RANGE, &mut Rng::from_seed(1));
        assert!((scorer.scores[2] - (1.0 + 2.16315081 * 0.2 * 1.58113883)).abs() < 1e-6);
    }
}
