//! Samples from the decisions of one game.

use std::iter;

use meeple_core::agent::Decision;
use meeple_core::rng::mix;
use meeple_core::{Encoder, Game, MAX_PLAYERS, Payoffs, Player, Rng, Symmetries, Tensor};

use super::settings::{Augmentation, Gradient, SampleKey, SelfPlaySettings};
use crate::samples::{Packed, Sample};

/// What is learnt from a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Teaches {
    Nothing,
    /// What the position is worth, but not what to do in it.
    Value,
    /// Both, by how it turned out.
    Gradient,
    All,
}

/// Remembers positions until it is known how their game ended.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    positions: Vec<Position>,
    /// Those that are not recorded included.
    decisions: usize,
    /// Scratch space.
    input: Vec<f32>,
}

#[derive(Debug)]
struct Position {
    viewer: Player,
    /// Decisions before it.
    number: usize,
    /// How far the search is from what was thought before, in nats.
    surprise: f64,
    /// What the search expected for all seats, if there was one.
    expected: Option<Payoffs>,
    /// What the network expected for all seats, where the policy learns from how it turned out.
    outlook: Option<Payoffs>,
    /// One for each image, without payoffs, and there the policy that would always have taken the same action.
    samples: Vec<(Sample, Box<[f32]>)>,
}

impl Recorder {
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.decisions = 0;
    }

    /// Notes a decision in a state where `viewer` is to move.
    pub(super) fn record<G: Game>(
        &mut self,
        game: &G,
        encoder: &dyn Encoder<G>,
        settings: &SelfPlaySettings,
        (state, viewer): (&G::State, Player),
        (decision, teaches): (&Decision<G::Action>, Teaches),
        rng: &mut Rng,
    ) {
        self.decisions += 1;
        let shares = match teaches {
            Teaches::Nothing => return,
            Teaches::Value => Vec::new(),
            Teaches::All | Teaches::Gradient => shares(decision),
        };
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        // What was forced was not expected to be anything.
        let outlook =
            decision.report.actions.first().and_then(|any| any.payoffs).filter(|_| teaches == Teaches::Gradient);
        let taken = outlook.map(|_| (decision.action, 1.0));
        let policies = [&shares[..], taken.as_slice()];
        let mut samples = Vec::new();
        let input = &mut self.input;
        let mut scene = Scene { game, encoder, key: settings.sample_key, others: settings.others, viewer, input };
        match (settings.symmetry, game.symmetries()) {
            (Augmentation::None, _) | (_, None) => samples.push(scene.sample(state, &legal, policies)),
            (Augmentation::One, Some(symmetries)) => {
                let symmetry = rng.below(symmetries.count() as u32) as usize;
                samples.push(scene.image(symmetries, symmetry, state, &legal, policies));
            }
            (Augmentation::All, Some(symmetries)) => {
                let images = 0..symmetries.count();
                samples.extend(images.map(|symmetry| scene.image(symmetries, symmetry, state, &legal, policies)));
            }
        }
        let (number, surprise) = (self.decisions - 1, surprise(decision, &shares));
        self.positions.push(Position { viewer, number, surprise, expected: expected(decision), outlook, samples });
    }

    /// All samples, now that the game has paid each seat its payoff.
    pub(super) fn finish(&mut self, players: usize, payoffs: &Payoffs, settings: &SelfPlaySettings) -> Vec<Sample> {
        let outcome = payoffs.map(|payoff| if settings.ternary { sign(payoff) } else { payoff });
        let last = self.decisions.saturating_sub(1);
        let surprise: f64 = self.positions.iter().map(|position| position.surprise).sum();
        let mean_surprise = surprise / self.positions.len().max(1) as f64;
        if let Some(gradient) = settings.quick.and_then(|quick| quick.gradient) {
            self.follow(gradient, &outcome);
        }
        let mut finished = Vec::new();
        for position in self.positions.drain(..) {
            let worth = libm::pow(settings.target_discount, (last - position.number) as f64) as f32;
            let weight = weight(position.surprise, mean_surprise, settings.surprise);
            let target = |player: Player| match position.expected {
                Some(expected) => mixed(worth * outcome[player], expected[player], settings.root_share as f32),
                None => worth * outcome[player],
            };
            let mut rotated = Payoffs::default();
            for step in 0..players {
                rotated[step] = target((position.viewer + step) % players);
            }
            let samples = position.samples.into_iter();
            finished.extend(samples.map(|(sample, _)| Sample { payoffs: rotated, weight, ..sample }));
        }
        finished
    }

    /// Moves policies by how much better or worse than expected the game went on. From the end on: what a seat expected
    /// at its next decision, or was paid, against what it expected before.
    fn follow(&mut self, Gradient { step, trace }: Gradient, outcome: &Payoffs) {
        let mut next = outcome.map(f64::from);
        let mut advantages = [0.0; MAX_PLAYERS];
        for &mut Position { viewer, outlook, ref mut samples, .. } in self.positions.iter_mut().rev() {
            let Some(expected) = outlook.map(|payoffs| f64::from(payoffs[viewer])) else { continue };
            let advantage = next[viewer] - expected + trace * advantages[viewer];
            (next[viewer], advantages[viewer]) = (expected, advantage);
            for (sample, taken) in samples {
                towards(&mut sample.policy, taken, step * advantage);
            }
        }
    }
}

/// Moves a policy by so much of the way to another, or away from it; either way no further than what takes all that they
/// have in common from it, so that luck, which strikes both ways, does not lift what is rarely done.
fn towards(policy: &mut [f32], goal: &[f32], distance: f64) {
    let common: f32 = policy.iter().zip(goal).filter(|(_, goal)| **goal > 0.0).map(|(share, _)| share).sum();
    let most = (common / (1.0 - common).max(1e-6)).min(1.0);
    let distance = (distance as f32).clamp(-most, most);
    policy.iter_mut().zip(goal).for_each(|(share, goal)| *share = (*share + distance * (goal - *share)).max(0.0));
    let sum: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|share| *share /= sum);
}

fn mixed(outcome: f32, expected: f32, share: f32) -> f32 {
    ((1.0 - share) * outcome + share * expected).clamp(-1.0, 1.0)
}

fn sign(payoff: f32) -> f32 {
    if payoff == 0.0 { 0.0 } else { payoff.signum() }
}

/// What every sample counts at least: losses are divided by the sum of the weights in a batch.
const LEAST_WEIGHT: f32 = 0.001;

/// How much a sample counts: 1 in the mean over a game, but for [`LEAST_WEIGHT`].
fn weight(surprise: f64, mean: f64, share: f64) -> f32 {
    let relative = if mean > 0.0 { surprise / mean } else { 1.0 };
    ((1.0 - share + share * relative) as f32).max(LEAST_WEIGHT)
}

/// The Kullback-Leibler divergence of what the search proposes from the priors that it began with; 0 if it
/// had none.
fn surprise<A: Copy + PartialEq>(decision: &Decision<A>, shares: &[(A, f64)]) -> f64 {
    let entries = &decision.report.actions;
    let prior = |action: A| {
        let entry = entries.iter().find(|entry| entry.action == action)?;
        entry.prior.map(|prior| f64::from(prior).max(1e-6))
    };
    let divergence = |&(action, share): &(A, f64)| Some(share * libm::log(share / prior(action)?));
    let shares = shares.iter().filter(|(_, share)| *share > 0.0);
    shares.map(divergence).sum::<Option<f64>>().unwrap_or(0.0).max(0.0)
}

/// What every action deserves by a decision: what the search proposes, or its visits, or else its prior, or
/// else everything for the one that was taken.
fn shares<A: Copy>(decision: &Decision<A>) -> Vec<(A, f64)> {
    let actions = &decision.report.actions;
    if let Some(shares) =
        actions.iter().map(|entry| entry.share).collect::<Option<Vec<f32>>>().filter(|s| !s.is_empty())
    {
        return actions.iter().map(|entry| entry.action).zip(shares.into_iter().map(f64::from)).collect();
    }
    let by = |weight: fn(u64, f32) -> f64| -> Option<Vec<(A, f64)>> {
        let weights = actions.iter().map(|entry| weight(entry.visits, entry.prior.unwrap_or(0.0)));
        let sum: f64 = weights.clone().sum();
        (sum > 0.0).then(|| actions.iter().map(|entry| entry.action).zip(weights.map(|weight| weight / sum)).collect())
    };
    let visits = by(|visits, _| visits as f64);
    visits.or_else(|| by(|_, prior| f64::from(prior))).unwrap_or_else(|| vec![(decision.action, 1.0)])
}

/// The mean over all visits of the actions at the root.
fn expected<A>(decision: &Decision<A>) -> Option<Payoffs> {
    let visited = || {
        let entries = decision.report.actions.iter();
        entries
            .filter(|entry| entry.visits > 0)
            .filter_map(|entry| entry.payoffs.map(|payoffs| (entry.visits, payoffs)))
    };
    let visits: u64 = visited().map(|(visits, _)| visits).sum();
    let mut mean = Payoffs::default();
    for (share, payoffs) in visited() {
        let share = share as f64 / visits as f64;
        mean.iter_mut().zip(payoffs).for_each(|(mean, payoff)| *mean += (share * f64::from(payoff)) as f32);
    }
    (visits > 0).then_some(mean)
}

/// What samples of one position have in common.
struct Scene<'a, G: Game> {
    game: &'a G,
    encoder: &'a dyn Encoder<G>,
    key: SampleKey,
    others: bool,
    viewer: Player,
    input: &'a mut Vec<f32>,
}

impl<G: Game> Scene<'_, G> {
    /// As [`Scene::sample`] of an image of the position.
    fn image(
        &mut self,
        symmetries: &dyn Symmetries<G>,
        symmetry: usize,
        state: &G::State,
        legal: &[G::Action],
        policies: [&[(G::Action, f64)]; 2],
    ) -> (Sample, Box<[f32]>) {
        let image = |action: G::Action| symmetries.action(symmetry, state, action);
        let legal: Vec<G::Action> = legal.iter().map(|&action| image(action)).collect();
        let [shares, taken] = policies.map(|policy| {
            policy.iter().map(|&(action, share)| (image(action), share)).collect::<Vec<(G::Action, f64)>>()
        });
        self.sample(&symmetries.state(symmetry, state), &legal, [&shares, &taken])
    }

    /// What the other seats see.
    fn others(&mut self, state: &G::State) -> Packed {
        if !self.others {
            return Packed::default();
        }
        let (shape, players) = (self.encoder.shape(), self.game.info().players);
        let mut all = vec![0.0; (players - 1) * shape.len()];
        for (step, input) in (1..).zip(all.chunks_exact_mut(shape.len())) {
            let view = self.game.view(state, Some((self.viewer + step) % players));
            self.encoder.encode(self.game, &view, &mut Tensor::zeroed(shape, input));
        }
        Packed::new(&all)
    }

    /// A sample with the first of the policies, and the second one for the same outputs.
    fn sample(
        &mut self,
        state: &G::State,
        legal: &[G::Action],
        policies: [&[(G::Action, f64)]; 2],
    ) -> (Sample, Box<[f32]>) {
        let view = self.game.view(state, Some(self.viewer));
        let shape = self.encoder.shape();
        self.input.resize(shape.len(), 0.0);
        self.encoder.encode(self.game, &view, &mut Tensor::zeroed(shape, self.input));
        let outputs = |action: G::Action| {
            let outputs = policy_outputs(self.encoder, self.game, &view, action);
            outputs.map(|output| u16::try_from(output).expect("a policy has at most 65536 indices"))
        };
        let mut indices: Vec<u16> = legal.iter().flat_map(|&action| outputs(action)).collect();
        indices.sort_unstable();
        indices.dedup();
        let parts = if self.encoder.detail_size() > 0 { 2.0 } else { 1.0 };
        let [policy, other] = policies.map(|actions| {
            let mut policy = vec![0.0; indices.len()];
            for &(action, share) in actions {
                for output in outputs(action) {
                    let place = indices.binary_search(&output).expect("what is looked at is legal");
                    policy[place] += share / parts;
                }
            }
            policy.into_iter().map(|share| share as f32).collect::<Box<[f32]>>()
        });
        let sample = Sample {
            key: self.key_of(state),
            input: Packed::new(self.input),
            others: self.others(state),
            legal: indices.into(),
            policy,
            payoffs: Payoffs::default(),
            weight: 1.0,
        };
        (sample, other)
    }

    fn key_of(&self, state: &G::State) -> u64 {
        let key = match self.key {
            SampleKey::View => self.game.view_key(state, Some(self.viewer)),
            SampleKey::Coarse(number) => self.game.coarse_key(number, state, self.viewer),
            SampleKey::Input => {
                return self.input.iter().fold(0, |key, value| mix(key ^ (u64::from(value.to_bits()) + 1)));
            }
        };
        mix(key ^ mix(self.viewer as u64 + 1))
    }
}

/// The policy outputs that learn from an action: its index, and where there are details its detail. One softmax over
/// both, with half of the target for each, makes both follow the shares of their actions.
fn policy_outputs<G: Game>(
    encoder: &dyn Encoder<G>,
    game: &G,
    view: &G::View,
    action: G::Action,
) -> impl Iterator<Item = usize> {
    let detail = || encoder.policy_size() + encoder.policy_detail(game, view, action);
    let detail = (encoder.detail_size() > 0).then(detail);
    iter::once(encoder.policy_index(game, view, action)).chain(detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(length: usize, place: usize) -> Vec<f32> {
        (0..length).map(|number| f32::from(u8::from(number == place))).collect()
    }

    fn moved(policy: &[f32], place: usize, distance: f64) -> Vec<f32> {
        let mut policy = policy.to_vec();
        let goal = one(policy.len(), place);
        towards(&mut policy, &goal, distance);
        policy
    }

    /// Every action is taken as often as the policy says, and half of the time the game goes better than expected: in
    /// the mean nothing changes, and what is always good becomes more likely at the cost of the others.
    #[test]
    fn luck_moves_no_policy_in_the_mean() {
        let policy = [0.02, 0.08, 0.3, 0.6];
        for distance in [0.1, 0.5, 3.0] {
            for action in 0..policy.len() {
                let mean = |place: usize| -> f32 {
                    let both = |taken| moved(&policy, taken, distance)[place] + moved(&policy, taken, -distance)[place];
                    (0..policy.len()).map(|taken| policy[taken] * both(taken) / 2.0).sum()
                };
                assert!((mean(action) - policy[action]).abs() < 1e-5, "{action} at {distance}: {}", mean(action));
                let [better, worse] = [distance, -distance].map(|distance| moved(&policy, action, distance));
                assert!(better[action] > policy[action] && worse[action] < policy[action]);
                for moved in [better, worse] {
                    assert!((moved.iter().sum::<f32>() - 1.0).abs() < 1e-5 && moved.iter().all(|&share| share >= 0.0));
                }
            }
        }
    }

    /// Seat 0 decides twice, and seat 1 in between: what seat 0 expects at its second decision is the news about the
    /// first one, and with a trace also what came of the second.
    #[test]
    fn a_decision_is_judged_by_what_came_after_it() {
        let first = |trace: f64, outcome: f32| -> [f32; 3] {
            let position = |viewer: Player, expected: f32| {
                let policy = vec![0.5, 0.5].into_boxed_slice();
                let mut payoffs = Payoffs::default();
                payoffs[viewer] = expected;
                let sample = Sample {
                    key: 0,
                    input: Packed::default(),
                    others: Packed::default(),
                    legal: vec![0, 1].into(),
                    policy,
                    payoffs: Payoffs::default(),
                    weight: 1.0,
                };
                Position {
                    viewer,
                    number: 0,
                    surprise: 0.0,
                    expected: None,
                    outlook: Some(payoffs),
                    samples: vec![(sample, one(2, 0).into())],
                }
            };
            let positions = vec![position(0, 0.0), position(1, 0.0), position(0, 0.4)];
            let mut recorder = Recorder { positions, decisions: 3, ..Recorder::default() };
            let mut payoffs = Payoffs::default();
            (payoffs[0], payoffs[1]) = (outcome, -outcome);
            recorder.follow(Gradient { step: 0.5, trace }, &payoffs);
            [0, 1, 2].map(|place| recorder.positions[place].samples[0].0.policy[0])
        };
        let close = |policies: [f32; 3], expected: [f32; 3]| {
            assert!(policies.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{policies:?}, not {expected:?}");
        };
        // From one half a distance d leads to (1 + d) / 2.
        close(first(0.0, 1.0), [0.6, 0.25, 0.65]);
        close(first(0.0, -1.0), [0.6, 0.75, 0.15]);
        close(first(1.0, 1.0), [0.75, 0.25, 0.65]);
        close(first(0.5, -1.0), [0.425, 0.75, 0.15]);
    }
}
