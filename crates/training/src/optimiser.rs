//! Rules that make new parameters of old ones and their gradients.

use meeple_network::{Graph, Operation, Parameters, unless_negligible};
use serde::{Deserialize, Serialize};

use crate::Gradients;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OptimiserSettings {
    pub method: Method,
    /// The norm of all gradients together that is allowed; longer ones are shortened to it. None: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<f32>,
}

/// The rule, for a gradient g, a parameter w and the learning rate r.
///
/// | method | rule | defaults |
/// |---|---|---|
/// | `adam` | Kingma and Ba 2017: m and v are running means of g and g², both corrected for their beginning with 0; w -= r m / (√v + ε) | β₁ 0.9, β₂ 0.999, ε 1e-8 (thesis 000 and the paper) |
/// | `rms-prop` | v is a running mean of g²; m = `momentum` m + g / (√v + ε); w -= r m | `smoothing` 0.99, ε 1e-5, `momentum` 0 (thesis 003, table 4.3) |
/// | `momentum` | m = `momentum` m + g; w -= r m | 0.9 (AlphaZero) |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Method {
    Adam {
        #[serde(default = "adam_first")]
        first: f32,
        #[serde(default = "adam_second")]
        second: f32,
        #[serde(default = "adam_epsilon")]
        epsilon: f32,
    },
    RmsProp {
        #[serde(default = "smoothing")]
        smoothing: f32,
        #[serde(default = "rms_prop_epsilon")]
        epsilon: f32,
        #[serde(default)]
        momentum: f32,
    },
    Momentum {
        #[serde(default = "momentum")]
        momentum: f32,
    },
}

impl Method {
    pub const ADAM: Method = Method::Adam { first: 0.9, second: 0.999, epsilon: 1e-8 };
    pub const RMS_PROP: Method = Method::RmsProp { smoothing: 0.99, epsilon: 1e-5, momentum: 0.0 };
    pub const MOMENTUM: Method = Method::Momentum { momentum: 0.9 };

    /// What is wrong with its numbers, if anything is.
    pub fn check(&self) -> Result<(), String> {
        let share = |name: &str, value: f32| match (0.0..1.0).contains(&value) {
            true => Ok(()),
            false => Err(format!("{name} is {value}, not at least 0 and below 1")),
        };
        let above_zero = |epsilon: f32| match epsilon > 0.0 && epsilon.is_finite() {
            true => Ok(()),
            false => Err(format!("epsilon is {epsilon}, not above 0")),
        };
        match *self {
            Method::Adam { first, second, epsilon } => {
                share("first", first).and(share("second", second)).and(above_zero(epsilon))
            }
            Method::RmsProp { smoothing, epsilon, momentum } => {
                share("smoothing", smoothing).and(share("momentum", momentum)).and(above_zero(epsilon))
            }
            Method::Momentum { momentum } => share("momentum", momentum),
        }
    }
}

impl Default for Method {
    fn default() -> Method {
        Method::ADAM
    }
}

/// A rule with its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimiser {
    pub settings: OptimiserSettings,
    /// Steps so far.
    pub steps: u64,
    /// m of the rule, for every parameter.
    pub first: Vec<Vec<f32>>,
    /// v of the rule.
    pub second: Vec<Vec<f32>>,
}

impl Optimiser {
    pub fn new(graph: &Graph, settings: OptimiserSettings) -> Optimiser {
        let zeros = Gradients::zeros(graph).0;
        Optimiser { settings, steps: 0, first: zeros.clone(), second: zeros }
    }

    /// Writes to `next` what follows `parameters`. The norm of the gradients must be a number.
    pub fn step(
        &mut self,
        graph: &Graph,
        parameters: &Parameters,
        gradients: &Gradients,
        norm: f32,
        learning_rate: f32,
        next: &mut Parameters,
    ) {
        self.steps += 1;
        let shorten = match self.settings.clip {
            Some(clip) if norm > clip => clip / norm,
            _ => 1.0,
        };
        let rule = Rule::new(self.settings.method, self.steps, learning_rate, shorten);
        for (number, info) in graph.parameters.iter().enumerate() {
            if info.is_learnt() {
                let moments = (&mut self.first[number][..], &mut self.second[number][..]);
                rule.apply(&parameters.0[number], &gradients.0[number], moments, &mut next.0[number]);
            }
        }
        follow(graph, parameters, gradients, next);
    }
}

/// Moves running means and variances towards those of the batch.
fn follow(graph: &Graph, parameters: &Parameters, gradients: &Gradients, next: &mut Parameters) {
    for node in &graph.nodes {
        let Operation::Norm { mean, variance, momentum, .. } = node.operation else { continue };
        for number in [mean, variance] {
            let old = parameters.0[number].iter().zip(&gradients.0[number]);
            for (next, (old, of_batch)) in next.0[number].iter_mut().zip(old) {
                *next = unless_negligible((1.0 - momentum) * old + momentum * of_batch);
            }
        }
    }
}

/// A method at one step.
struct Rule {
    method: Method,
    rate: f32,
    /// By which gradients are multiplied first.
    shorten: f32,
    /// By which the root of v is multiplied.
    correction: f32,
}

impl Rule {
    fn new(method: Method, step: u64, learning_rate: f32, shorten: f32) -> Rule {
        let begun = |share: f32| 1.0 - libm::pow(f64::from(share), step as f64);
        let (rate, correction) = match method {
            Method::Adam { first, second, .. } => {
                ((f64::from(learning_rate) / begun(first)) as f32, (1.0 / begun(second).sqrt()) as f32)
            }
            _ => (learning_rate, 1.0),
        };
        Rule { method, rate, shorten, correction }
    }

    fn apply(&self, old: &[f32], slopes: &[f32], (first, second): (&mut [f32], &mut [f32]), next: &mut [f32]) {
        let &Rule { method, rate, shorten, correction } = self;
        let numbers = old.iter().zip(slopes).zip(first.iter_mut().zip(second)).zip(next);
        match method {
            Method::Adam { first, second, epsilon } => numbers.for_each(|(((w, g), (m, v)), next)| {
                let g = g * shorten;
                *m = unless_negligible(first * *m + (1.0 - first) * g);
                *v = unless_negligible(second * *v + (1.0 - second) * g * g);
                *next = unless_negligible(w - rate * *m / (v.sqrt() * correction + epsilon));
            }),
            Method::RmsProp { smoothing, epsilon, momentum } => numbers.for_each(|(((w, g), (m, v)), next)| {
                let g = g * shorten;
                *v = unless_negligible(smoothing * *v + (1.0 - smoothing) * g * g);
                *m = unless_negligible(momentum * *m + g / (v.sqrt() + epsilon));
                *next = unless_negligible(w - rate * *m);
            }),
            Method::Momentum { momentum } => numbers.for_each(|(((w, g), (m, _)), next)| {
                *m = unless_negligible(momentum * *m + g * shorten);
                *next = unless_negligible(w - rate * *m);
            }),
        }
    }
}

fn adam_first() -> f32 {
    0.9
}

fn adam_second() -> f32 {
    0.999
}

fn adam_epsilon() -> f32 {
    1e-8
}

fn smoothing() -> f32 {
    0.99
}

fn rms_prop_epsilon() -> f32 {
    1e-5
}

fn momentum() -> f32 {
    0.9
}
