//! Samples that are learnt from together.

use meeple_core::Rng;
use meeple_network::Graph;
use meeple_network::samples::Choice;

/// Samples one after the other. What a network does not have is empty: `actions` without an action
/// as input, `policies`, `legal` and `judged` without a policy head, `values` without a value head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    pub count: usize,
    /// As the encoder wrote them: planes, channels last, then the vector.
    pub inputs: Vec<f32>,
    /// The policy index of the action that is valued.
    pub actions: Vec<u32>,
    /// The shares that the policy is to give, for all policy indices; those of a sample sum to 1,
    /// or are all 0 if it has none.
    pub policies: Vec<f32>,
    /// Which policy indices are legal.
    pub legal: Vec<bool>,
    /// What the value head is to say, in its own range.
    pub values: Vec<f32>,
    /// How much each sample counts; only their ratios matter.
    pub weights: Vec<f32>,
    /// Decisions that the policy drew and learns from, one for each sample; empty if it learns from targets.
    pub judged: Vec<Judged>,
}

/// A decision of the policy, and how it turned out.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub choices: Box<[Choice]>,
    /// The logarithm of the probability that the policy gave it.
    pub likelihood: f32,
    /// How much better than expected; only the ratios to those of others matter.
    pub advantage: f32,
}

impl Batch {
    /// Numbers without a meaning, for tests and measurements.
    pub fn random(graph: &Graph, count: usize, rng: &mut Rng) -> Batch {
        let mut numbers = |count: usize| (0..count).map(|_| (2.0 * rng.unit() - 1.0) as f32).collect::<Vec<_>>();
        let inputs = numbers(count * graph.ports.shape().len());
        let values = numbers(count * graph.values());
        let weights = (0..count).map(|_| 0.5 + rng.unit() as f32).collect();
        let actions = match graph.has_action_input() {
            true => (0..count).map(|_| rng.below(graph.ports.policy as u32)).collect(),
            false => Vec::new(),
        };
        let (mut legal, mut policies) = (Vec::new(), Vec::new());
        for _ in 0..if graph.policy.is_some() { count } else { 0 } {
            let best = rng.below(graph.policy_size() as u32) as usize;
            let row: Vec<bool> = (0..graph.policy_size()).map(|index| index == best || rng.below(2) == 0).collect();
            let shares: Vec<f32> =
                row.iter().map(|&legal| if legal { rng.unit() as f32 + 0.01 } else { 0.0 }).collect();
            let sum: f32 = shares.iter().sum();
            policies.extend(shares.iter().map(|share| share / sum));
            legal.extend(row);
        }
        Batch { count, inputs, actions, policies, legal, values, weights, judged: Vec::new() }
    }

    /// Whether every number is one.
    pub fn is_finite(&self) -> bool {
        let parts = [&self.inputs, &self.policies, &self.values, &self.weights];
        parts.iter().all(|part| part.iter().all(|number| number.is_finite()))
            && self.judged.iter().all(|judged| judged.likelihood.is_finite() && judged.advantage.is_finite())
    }

    /// Panics if the batch is not for this network.
    pub fn check(&self, graph: &Graph) {
        let &Batch { count, .. } = self;
        assert!(count > 0, "the batch is empty");
        assert_eq!(self.inputs.len(), count * graph.ports.shape().len(), "inputs of another length");
        assert_eq!(self.actions.len(), if graph.has_action_input() { count } else { 0 }, "an action for each sample");
        assert!(self.actions.iter().all(|&action| (action as usize) < graph.ports.policy), "an unknown action");
        assert_eq!(self.policies.len(), count * graph.policy_size(), "policies of another length");
        assert_eq!(self.legal.len(), count * graph.policy_size(), "legal actions of another length");
        assert_eq!(self.values.len(), count * graph.values(), "values of another length");
        assert_eq!(self.weights.len(), count, "a weight for each sample");
        assert!(self.judged.is_empty() || self.judged.len() == count, "a decision for each sample");
        let outputs = self.judged.iter().flat_map(|judged| &judged.choices).flat_map(|choice| &choice.among);
        assert!(outputs.max().is_none_or(|&output| usize::from(output) < graph.policy_size()), "an unknown output");
        assert!(self.weights.iter().sum::<f32>() > 0.0, "all samples have the weight 0");
    }
}
