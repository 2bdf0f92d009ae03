//! Policies that learn from how their own decisions turned out: the gradient of what they may expect, as long as they
//! stay close to what they were when they decided (proximal policy optimisation, Schulman et al. 2017).

use super::{LogSum, LossSettings};
use crate::Judged;

pub(super) struct JudgedError {
    /// The advantage times how much likelier the decision has become, negated, and less the entropy.
    pub(super) loss: f32,
    /// Of the policy, in nats, over all choices of the decision.
    pub(super) entropy: f32,
}

/// Adds the slopes times `factor`.
pub(super) fn error(
    judged: &Judged,
    settings: &LossSettings,
    logits: &[f32],
    factor: f32,
    slopes: &mut [f32],
) -> JudgedError {
    let Judged { choices, likelihood, advantage } = judged;
    let logit = |output: u16| logits[usize::from(output)];
    let sum = |among: &[u16]| LogSum::new(among.iter().map(|&output| logit(output))).0;
    let now: f32 = choices.iter().map(|choice| logit(choice.taken) - sum(&choice.among)).sum();
    let ratio = libm::expf((now - likelihood).min(FARTHEST));
    let is_far = if *advantage > 0.0 { ratio > 1.0 + settings.ratio } else { ratio < 1.0 - settings.ratio };
    let pull = if is_far { 0.0 } else { advantage * ratio };
    let kept = if is_far { ratio.clamp(1.0 - settings.ratio, 1.0 + settings.ratio) } else { ratio };
    let mut entropy = 0.0;
    for choice in choices {
        let sum = sum(&choice.among);
        let own: f32 =
            choice.among.iter().map(|&output| -(logit(output) - sum) * libm::expf(logit(output) - sum)).sum();
        entropy += own;
        for &output in &choice.among {
            let log = logit(output) - sum;
            let share = libm::expf(log);
            let taken = f32::from(u8::from(output == choice.taken));
            slopes[usize::from(output)] += factor * (pull * (share - taken) + settings.entropy * share * (log + own));
        }
    }
    JudgedError { loss: -advantage * kept - settings.entropy * entropy, entropy }
}

/// The logarithm of the highest ratio that is told from others.
const FARTHEST: f32 = 20.0;
