//! Samples from the decisions of one game.

use std::iter;

use meeple_core::agent::Decision;
use meeple_core::rng::mix;
use meeple_core::{Encoder, Game, Payoffs, Player, Rng, Symmetries};

use super::settings::{Augmentation, SampleKey, SelfPlaySettings};
use crate::evaluator::sight::{Sight, write_hidden};
use crate::samples::{Choice, Drawn, Packed, Sample};

/// What is learnt from a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Teaches {
    Nothing,
    /// What the position is worth, but not what to do in it.
    Value,
    /// Both, by how what was drawn from the policy turned out.
    Drawn,
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
    /// One for each image, without payoffs.
    samples: Vec<Sample>,
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
            Teaches::Drawn if decision.report.actions.len() < 2 => return,
            Teaches::Value => Vec::new(),
            Teaches::All | Teaches::Drawn => shares(decision),
        };
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let mut samples = Vec::new();
        let mut scene = Scene {
            game,
            encoder,
            sight: Sight::new(game, encoder, settings.open),
            key: settings.sample_key,
            hidden: settings.hidden,
            viewer,
            input: &mut self.input,
        };
        match (settings.symmetry, game.symmetries()) {
            (Augmentation::None, _) | (_, None) => samples.push(scene.sample(state, &legal, &shares)),
            (Augmentation::One, Some(symmetries)) => {
                let symmetry = rng.below(symmetries.count() as u32) as usize;
                samples.push(scene.image(symmetries, symmetry, state, &legal, &shares));
            }
            (Augmentation::All, Some(symmetries)) => {
                let images = 0..symmetries.count();
                samples.extend(images.map(|symmetry| scene.image(symmetries, symmetry, state, &legal, &shares)));
            }
        }
        if teaches == Teaches::Drawn {
            samples.iter_mut().for_each(|sample| sample.drawn = Some(Box::new(scene.drawn(state, decision))));
        }
        let (number, surprise) = (self.decisions - 1, surprise(decision, &shares));
        self.positions.push(Position { viewer, number, surprise, expected: expected(decision), samples });
    }

    /// All samples with their viewers, now that the game has paid each seat its payoff.
    pub(super) fn finish(
        &mut self,
        players: usize,
        payoffs: &Payoffs,
        settings: &SelfPlaySettings,
    ) -> Vec<(Player, Sample)> {
        let outcome = payoffs.map(|payoff| if settings.ternary { sign(payoff) } else { payoff });
        let last = self.decisions.saturating_sub(1);
        let surprise: f64 = self.positions.iter().map(|position| position.surprise).sum();
        let mean_surprise = surprise / self.positions.len().max(1) as f64;
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
            finished.extend(samples.map(|sample| (position.viewer, Sample { payoffs: rotated, weight, ..sample })));
        }
        finished
    }
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
    sight: Sight,
    key: SampleKey,
    hidden: bool,
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
        shares: &[(G::Action, f64)],
    ) -> Sample {
        let image = |action: G::Action| symmetries.action(symmetry, state, action);
        let legal: Vec<G::Action> = legal.iter().map(|&action| image(action)).collect();
        let shares: Vec<(G::Action, f64)> = shares.iter().map(|&(action, share)| (image(action), share)).collect();
        self.sample(&symmetries.state(symmetry, state), &legal, &shares)
    }

    /// What the viewer does not see.
    fn hidden(&self, state: &G::State, view: &G::View) -> Packed {
        if !self.hidden {
            return Packed::default();
        }
        let mut input = vec![0.0; self.encoder.hidden_shape(self.game).len()];
        write_hidden(self.game, self.encoder, (state, self.viewer, view), &mut input);
        Packed::new(&input)
    }

    fn sample(&mut self, state: &G::State, legal: &[G::Action], shares: &[(G::Action, f64)]) -> Sample {
        let view = self.game.view(state, Some(self.viewer));
        self.input.resize(self.sight.shape().len(), 0.0);
        self.sight.write(self.game, self.encoder, (state, self.viewer, &view), self.input);
        let outputs = |action: G::Action| policy_outputs(self.encoder, self.game, &view, action);
        let indices = distinct(legal.iter().flat_map(|&action| outputs(action)));
        let parts = if self.encoder.detail_size() > 0 { 2.0 } else { 1.0 };
        let mut policy = vec![0.0; indices.len()];
        for &(action, share) in shares {
            for output in outputs(action) {
                let place = indices.binary_search(&output).expect("what is looked at is legal");
                policy[place] += share / parts;
            }
        }
        Sample {
            key: self.key_of(state),
            input: Packed::new(self.input),
            hidden: self.hidden(state, &view),
            legal: indices,
            policy: policy.into_iter().map(|share| share as f32).collect(),
            drawn: None,
            payoffs: Payoffs::default(),
            weight: 1.0,
        }
    }

    /// What was drawn by a decision that reports the probability of every action.
    fn drawn(&self, state: &G::State, decision: &Decision<G::Action>) -> Drawn {
        let view = self.game.view(state, Some(self.viewer));
        let entries = &decision.report.actions;
        let outputs = |action: G::Action| policy_outputs(self.encoder, self.game, &view, action);
        let mut same: Vec<_> = entries.iter().collect();
        let mut choices = Vec::new();
        // Once for the index, and once for the detail among the actions with this index.
        for (part, taken) in outputs(decision.action).enumerate() {
            let output = |action: G::Action| outputs(action).nth(part).expect("all actions have as many outputs");
            let among = distinct(same.iter().map(|entry| output(entry.action)));
            same.retain(|entry| output(entry.action) == taken);
            choices.push(Choice { among, taken });
        }
        choices.retain(|choice| choice.among.len() > 1);
        let probability: f32 = same.iter().filter_map(|entry| entry.prior).sum();
        Drawn {
            seat: self.viewer,
            choices: choices.into(),
            likelihood: libm::logf(probability.max(f32::MIN_POSITIVE)),
            expected: entries[0].payoffs.unwrap_or_default(),
        }
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
) -> impl Iterator<Item = u16> {
    let detail = || encoder.policy_size() + encoder.policy_detail(game, view, action);
    let detail = (encoder.detail_size() > 0).then(detail);
    let outputs = iter::once(encoder.policy_index(game, view, action)).chain(detail);
    outputs.map(|output| u16::try_from(output).expect("a policy has at most 65536 indices"))
}

/// Ascending, each once.
fn distinct(outputs: impl Iterator<Item = u16>) -> Box<[u16]> {
    let mut outputs: Vec<u16> = outputs.collect();
    outputs.sort_unstable();
    outputs.dedup();
    outputs.into()
}
