//! What a decision says about the expected actions (thesis 000, section 6.3).

use meeple_core::Rng;
use meeple_core::agent::{ActionReport, Decision, Opinion};
use meeple_core::erased::AnyCase;
use meeple_core::suite::{Band, Bands};
use serde::{Deserialize, Serialize};

use super::rule::SelectionRule;

/// What is measured of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// −ln of the policy's share of the expected actions: 0 if the agent is sure of them. A machine epsilon
    /// keeps the logarithm finite (thesis 000 prints exp(Float64), which can only be eps).
    CrossEntropy,
    /// The policy's share of the expected actions, cP in thesis 000: of visits if there are any.
    Policy,
    /// The mean of the scaled values of the expected actions, Q in thesis 000.
    Value,
    /// The mean of their scaled upper confidence bounds, UCT in thesis 000.
    Bound,
    /// The value of the position by the agent's network, V_net in thesis 000.
    NetworkValue,
    /// The mean of the scaled values by the network after the expected actions, Q_net.
    NetworkActionValue,
    /// The share of the expected actions in the network's policy as it is, cP_net^pre, and the
    /// cross-entropy of it.
    NetworkPolicyUnmasked,
    NetworkCrossEntropyUnmasked,
    /// The same after all that is illegal was taken out, cP_net.
    NetworkPolicy,
    NetworkCrossEntropy,
}

impl Metric {
    /// All in the order of tables.
    pub const ALL: [Metric; 10] = [
        Metric::CrossEntropy,
        Metric::Policy,
        Metric::Value,
        Metric::Bound,
        Metric::NetworkValue,
        Metric::NetworkActionValue,
        Metric::NetworkPolicyUnmasked,
        Metric::NetworkCrossEntropyUnmasked,
        Metric::NetworkPolicy,
        Metric::NetworkCrossEntropy,
    ];

    /// Whether it is about what a network says before any search.
    pub fn is_of_network(self) -> bool {
        self >= Metric::NetworkValue
    }

    /// The bands that rate it.
    pub fn bands(self, bands: &Bands) -> Option<&'static [Band]> {
        match self {
            Metric::CrossEntropy | Metric::NetworkCrossEntropyUnmasked | Metric::NetworkCrossEntropy => None,
            Metric::Policy | Metric::NetworkPolicyUnmasked | Metric::NetworkPolicy => Some(bands.policy),
            Metric::Value | Metric::Bound | Metric::NetworkValue | Metric::NetworkActionValue => Some(bands.value),
        }
    }
}

/// Probabilities of actions where a decision has no visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// All on the action that was taken.
    Taken,
    /// Uniform over the legal actions.
    Actions,
    /// Uniform over groups of actions, such as those to the same field.
    Groups,
    /// A random number for each group, divided by their sum. This is not what a random player does, but
    /// its figures are those of table 7.2 of thesis 000.
    Drawn,
}

/// Nearly the same within -1..=1, and between -4 and 4 for all numbers (thesis 000, equation 6.1).
pub fn scaled(value: f64) -> f64 {
    4.0 * (value * 0.25f64.atanh()).tanh()
}

pub(super) fn measure(
    case: &AnyCase,
    decision: &Decision<String>,
    rule: &SelectionRule,
    unsearched: Option<Policy>,
    rng: &mut Rng,
) -> Vec<(Metric, f64)> {
    let actions = &decision.report.actions;
    let total: u64 = actions.iter().map(|action| action.visits).sum();
    let expected = || actions.iter().filter(|action| case.expected.contains(&action.action));
    let share = match total {
        0 => match (unsearched, known_share(expected().map(|action| action.prior.map(f64::from)))) {
            (None, Some(share)) => share,
            (unsearched, _) => unsearched_share(case, &decision.action, unsearched.unwrap_or(Policy::Taken), rng),
        },
        _ => match known_share(expected().map(|action| action.share.map(f64::from))) {
            Some(share) => share,
            None => expected().map(|action| action.visits).sum::<u64>() as f64 / total as f64,
        },
    };
    let mut metrics = vec![(Metric::CrossEntropy, cross_entropy(share)), (Metric::Policy, share)];
    if total > 0 {
        let mean = |figure: &dyn Fn(&ActionReport<String>) -> Option<f64>| mean_scaled(expected().map(figure));
        metrics.extend(mean(&|action| rule.value(action)).map(|value| (Metric::Value, value)));
        let bound = mean(&|action| rule.bound(action, actions.len(), total));
        metrics.extend(bound.map(|bound| (Metric::Bound, bound)));
    }
    metrics
}

/// What the network of an agent says about the expected actions.
pub(super) fn measure_opinion(case: &AnyCase, opinion: &Opinion<String>) -> Vec<(Metric, f64)> {
    let expected = || opinion.actions.iter().filter(|action| case.expected.contains(&action.action));
    let after = mean_scaled(expected().map(|action| action.value));
    let before = known_share(expected().map(|action| action.policy.map(|policy| policy.before)));
    let masked = known_share(expected().map(|action| action.policy.map(|policy| policy.after)));
    let metrics = [
        (Metric::NetworkValue, opinion.value),
        (Metric::NetworkActionValue, after),
        (Metric::NetworkPolicyUnmasked, before),
        (Metric::NetworkCrossEntropyUnmasked, before.map(cross_entropy)),
        (Metric::NetworkPolicy, masked),
        (Metric::NetworkCrossEntropy, masked.map(cross_entropy)),
    ];
    metrics.into_iter().filter_map(|(metric, value)| Some((metric, value?))).collect()
}

fn cross_entropy(share: f64) -> f64 {
    -(share + f64::EPSILON).ln()
}

/// The sum; `None` if one of them is missing, or there is none.
fn known_share(shares: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let shares: Vec<f64> = shares.collect::<Option<_>>()?;
    (!shares.is_empty()).then(|| shares.iter().sum())
}

/// `None` if one of them is missing, or there is none.
fn mean_scaled(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.map(|value| value.map(scaled)).collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The share of the expected actions in the policy of a decision without visits.
fn unsearched_share(case: &AnyCase, taken: &String, policy: Policy, rng: &mut Rng) -> f64 {
    let actions = case.position.actions();
    let is_expected = |action: &String| case.expected.contains(action);
    match policy {
        Policy::Taken => f64::from(u8::from(is_expected(taken))),
        Policy::Actions => actions.iter().filter(|action| is_expected(action)).count() as f64 / actions.len() as f64,
        Policy::Groups | Policy::Drawn => {
            let mut groups: Vec<(u32, bool)> =
                case.position.action_groups().into_iter().zip(actions.iter().map(is_expected)).collect();
            groups.sort_unstable();
            groups.dedup_by_key(|(group, _)| *group);
            let weights: Vec<(f64, bool)> = groups
                .iter()
                .map(|&(_, expected)| (if policy == Policy::Drawn { rng.unit() } else { 1.0 }, expected))
                .collect();
            let sum = |only: bool| weights.iter().filter(|w| w.1 || !only).map(|w| w.0).sum::<f64>();
            sum(true) / sum(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_keeps_the_unit_and_saturates() {
        assert!((scaled(1.0) - 1.0).abs() < 1e-12 && (scaled(-1.0) + 1.0).abs() < 1e-12);
        assert!(scaled(0.0) == 0.0 && scaled(100.0) <= 4.0 && scaled(100.0) > 3.999);
    }

    #[test]
    fn means_need_every_value() {
        assert_eq!(mean_scaled([Some(1.0), Some(-1.0)].into_iter()), Some(0.0));
        assert_eq!(mean_scaled([Some(1.0), None].into_iter()), None);
        assert_eq!(mean_scaled([].into_iter()), None);
    }
}
