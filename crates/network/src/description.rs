//! What a network is made of, as it stands in configuration files and in the headers of models.
//!
//! Planes go through `board`, the vector beside them through `vector`; what comes out is joined
//! (if there are both) and goes through `common`; the heads sit on top. A network whose input is a
//! state and an action has `action_input`, and its value is then that of the action.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Layers over the planes of the input; none if it has no planes or they are taken as a vector.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub board: Vec<Layer>,
    /// Layers over the vector of the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vector: Vec<Layer>,
    /// Layers over both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub common: Vec<Layer>,
    /// Whether the number of an action is part of the input, as a one-hot vector.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub action_input: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyHead>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueHead>,
}

/// One layer, or several residual blocks. A convolution keeps the size of the board; the first
/// dense layer takes planes as one long vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    Convolution(Convolution),
    Residual(Residual),
    Dense(Dense),
}

/// | field | meaning | default |
/// |---|---|---|
/// | `filters` | output planes | |
/// | `kernel` | rows and columns of the kernel, odd | 3 |
/// | `norm` | batch norm: the share of a new batch in the running mean, 0..1; none without | none |
/// | `activation` | | ReLU |
/// | `dropout` | the share of outputs left out in training, before the norm | 0 |
/// | `initial` | how weights are drawn | Glorot, uniform |
/// | `lines` | whether the first filters look for lines (thesis 000, equation 7.1) | no |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Convolution {
    pub filters: usize,
    #[serde(default = "three")]
    pub kernel: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norm: Option<f32>,
    #[serde(default)]
    pub activation: Activation,
    #[serde(default)]
    pub dropout: f32,
    #[serde(default)]
    pub initial: Initial,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
}

/// Blocks of two convolutions with batch norm, of which the second adds the block's input before
/// its activation. Fields as in [`Convolution`]; the input has as many planes as there are filters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Residual {
    pub blocks: usize,
    pub filters: usize,
    #[serde(default = "three")]
    pub kernel: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norm: Option<f32>,
    #[serde(default)]
    pub activation: Activation,
    #[serde(default)]
    pub dropout: f32,
    #[serde(default)]
    pub initial: Initial,
}

/// | field | meaning | default |
/// |---|---|---|
/// | `size` | neurons | |
/// | `norm` | batch norm: the share of a new batch in the running mean, 0..1; none without | none |
/// | `activation` | | ReLU |
/// | `dropout` | the share of outputs left out in training | 0 |
/// | `dropout_place` | before the norm, or after the activation | after the activation |
/// | `initial` | how weights are drawn | Glorot, uniform |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dense {
    pub size: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norm: Option<f32>,
    #[serde(default)]
    pub activation: Activation,
    #[serde(default)]
    pub dropout: f32,
    #[serde(default)]
    pub dropout_place: DropoutPlace,
    #[serde(default)]
    pub initial: Initial,
}

impl Dense {
    pub fn new(size: usize, activation: Activation) -> Dense {
        Dense {
            size,
            norm: None,
            activation,
            dropout: 0.0,
            dropout_place: DropoutPlace::default(),
            initial: Initial::default(),
        }
    }
}

impl Convolution {
    pub fn new(filters: usize, kernel: usize, norm: Option<f32>) -> Convolution {
        Convolution {
            filters,
            kernel,
            norm,
            activation: Activation::Relu,
            dropout: 0.0,
            initial: Initial::default(),
            lines: None,
        }
    }
}

/// Hidden layers, then a dense layer with one output for each policy index of the encoder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyHead {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    /// The last layer; its size is the encoder's.
    #[serde(default)]
    pub last: LastLayer,
}

/// Hidden layers, then a dense layer with the values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueHead {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    #[serde(default)]
    pub outputs: Values,
    /// Of the last layer.
    #[serde(default = "tanh")]
    pub activation: Activation,
    #[serde(default)]
    pub initial: Initial,
    /// The outputs that stand for the payoffs -1 and 1.
    #[serde(default = "unit_range")]
    pub range: [f32; 2],
}

impl Default for ValueHead {
    fn default() -> ValueHead {
        ValueHead {
            layers: Vec::new(),
            outputs: Values::default(),
            activation: Activation::Tanh,
            initial: Initial::default(),
            range: unit_range(),
        }
    }
}

/// How the logits of the policy come about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastLayer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norm: Option<f32>,
    #[serde(default = "identity")]
    pub activation: Activation,
    #[serde(default)]
    pub initial: Initial,
}

impl Default for LastLayer {
    fn default() -> LastLayer {
        LastLayer { norm: None, activation: Activation::Identity, initial: Initial::default() }
    }
}

/// What the value head says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// The payoff of the viewer, and of his team.
    #[default]
    Viewer,
    /// The payoff of every player: of the viewer first, the others in the order of their seats.
    Players,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    Identity,
    #[default]
    Relu,
    /// Leaky, with a random slope between 1/8 and 1/3 for negative inputs in training, and their
    /// mean afterwards (Xu et al. 2015).
    RandomisedRelu,
    /// Scaled exponential linear unit (Klambauer et al. 2017).
    Selu,
    Tanh,
}

impl Activation {
    /// The bounds of the slopes of [`Activation::RandomisedRelu`].
    pub const SLOPES: [f32; 2] = [1.0 / 8.0, 1.0 / 3.0];
    /// The slope after training.
    pub const SLOPE: f32 = (Self::SLOPES[0] + Self::SLOPES[1]) / 2.0;
    pub const SELU_SCALE: f32 = 1.050_701;
    pub const SELU_ALPHA: f32 = 1.673_263_2;
}

/// How weights are drawn (Glorot and Bengio 2010); biases begin with 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Initial {
    #[default]
    GlorotUniform,
    GlorotNormal,
}

/// Kernels that look for vertical, horizontal and diagonal lines in every input plane, as the first
/// four filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// Whether they stay as they are in training.
    #[serde(default)]
    pub frozen: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropoutPlace {
    BeforeNorm,
    #[default]
    AfterActivation,
}

fn three() -> usize {
    3
}

fn tanh() -> Activation {
    Activation::Tanh
}

fn identity() -> Activation {
    Activation::Identity
}

fn unit_range() -> [f32; 2] {
    [-1.0, 1.0]
}
