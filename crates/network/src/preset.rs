//! Networks of the theses and usual shapes, by name: each is a page of settings that becomes a
//! [`Description`].

use serde::{Deserialize, Serialize};

use crate::description::{
    Activation, Convolution, Dense, Description, DropoutPlace, Initial, LastLayer, Layer, Lines, PolicyHead, Residual,
    ValueHead, Values,
};

/// A named shape with its settings, as in `preset = "fieldnet", filters = 16`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "preset", rename_all = "kebab-case")]
pub enum Preset {
    Fieldnet(FieldNet),
    Cardfieldnet(CardFieldNet),
    Convolution(Stack),
    Star(Star),
    Dense(DenseStack),
    ActionValue(ActionValue),
}

impl Preset {
    pub const NAMES: [&str; 6] = ["fieldnet", "cardfieldnet", "convolution", "star", "dense", "action-value"];

    pub fn description(&self) -> Description {
        match self {
            Preset::Fieldnet(settings) => settings.description(),
            Preset::Cardfieldnet(settings) => settings.description(),
            Preset::Convolution(settings) => settings.description(),
            Preset::Star(settings) => settings.description(),
            Preset::Dense(settings) => settings.description(),
            Preset::ActionValue(settings) => settings.description(),
        }
    }
}

/// One residual trunk with two heads (thesis 000, section 5.1; defaults from table C.12), which is
/// also AlphaZero's shape for any board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FieldNet {
    pub filters: usize,
    pub blocks: usize,
    pub kernel: usize,
    pub policy_filters: usize,
    /// Filters of the value head.
    pub value_filters: usize,
    /// Neurons of the value head; the thesis has as many as there are filters.
    pub value_neurons: Option<usize>,
    /// Batch norm: the share of a new batch; 0 for none.
    pub norm: f32,
    pub lines: Option<Lines>,
    pub values: Values,
}

impl Default for FieldNet {
    fn default() -> FieldNet {
        FieldNet {
            filters: 16,
            blocks: 3,
            kernel: 3,
            policy_filters: 6,
            value_filters: 8,
            value_neurons: None,
            norm: 0.8,
            lines: None,
            values: Values::Viewer,
        }
    }
}

impl FieldNet {
    fn description(&self) -> Description {
        let &FieldNet { filters, blocks, kernel, policy_filters, value_filters, value_neurons, norm, lines, values } =
            self;
        let norm = unless_zero(norm);
        let first = Convolution { lines, ..Convolution::new(filters, kernel, norm) };
        let neurons = value_neurons.unwrap_or(value_filters);
        Description {
            board: vec![Layer::Convolution(first), residual(blocks, filters, kernel, norm)],
            policy: Some(PolicyHead {
                layers: vec![Layer::Convolution(Convolution::new(policy_filters, 1, norm))],
                last: LastLayer::default(),
            }),
            value: Some(ValueHead {
                layers: vec![
                    Layer::Convolution(Convolution::new(value_filters, 1, norm)),
                    Layer::Dense(Dense::new(neurons, Activation::Relu)),
                ],
                outputs: values,
                ..ValueHead::default()
            }),
            ..Description::default()
        }
    }
}

fn residual(blocks: usize, filters: usize, kernel: usize, norm: Option<f32>) -> Layer {
    Layer::Residual(Residual {
        blocks,
        filters,
        kernel,
        norm,
        activation: Activation::Relu,
        dropout: 0.0,
        initial: Initial::GlorotUniform,
    })
}

/// A residual trunk for the board and a dense one for the cards, joined (thesis 000, section 5.2
/// with the details of 6.4; defaults from table C.10). Layers are counted so that the network has the 64,445
/// parameters of section 7.6.3, of which 516 are biases before a batch norm, which have no effect and are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CardFieldNet {
    pub filters: usize,
    pub blocks: usize,
    pub kernel: usize,
    /// Filters of the last convolution of the board trunk.
    pub board_neurons: usize,
    /// The last one has the common size.
    pub cards_layers: usize,
    pub cards_neurons: usize,
    pub common_layers: usize,
    /// Also the size to which both trunks are brought.
    pub common_neurons: usize,
    /// The last one has the size of the policy.
    pub policy_layers: usize,
    pub policy_neurons: usize,
    /// Whether the policy's last layer has a batch norm and an activation, as all others.
    pub policy_norm: bool,
    /// Before the one that says the value.
    pub value_layers: usize,
    pub value_neurons: usize,
    /// Batch norm: the share of a new batch, in the board trunk, the cards trunk and the policy head; 0 for none.
    pub norm: f32,
    /// In the common trunk and the value head.
    pub common_norm: f32,
    pub dropout: f32,
    pub lines: Option<Lines>,
    pub values: Values,
}

impl Default for CardFieldNet {
    fn default() -> CardFieldNet {
        CardFieldNet {
            filters: 16,
            blocks: 3,
            kernel: 3,
            board_neurons: 16,
            cards_layers: 2,
            cards_neurons: 32,
            common_layers: 3,
            common_neurons: 48,
            policy_layers: 3,
            policy_neurons: 32,
            policy_norm: true,
            value_layers: 4,
            value_neurons: 16,
            norm: 0.8,
            common_norm: 0.98,
            dropout: 0.2,
            lines: None,
            values: Values::Viewer,
        }
    }
}

impl CardFieldNet {
    fn description(&self) -> Description {
        Description {
            board: self.board(),
            vector: self.cards(),
            common: self.stack(self.common_layers, self.common_neurons, self.common_norm),
            policy: Some(PolicyHead {
                layers: self.stack(self.policy_layers.saturating_sub(1), self.policy_neurons, self.norm),
                last: LastLayer {
                    norm: unless_zero(self.norm).filter(|_| self.policy_norm),
                    activation: if self.policy_norm { Activation::Selu } else { Activation::Identity },
                    initial: Initial::GlorotNormal,
                },
            }),
            value: Some(ValueHead {
                layers: self.stack(self.value_layers, self.value_neurons, self.common_norm),
                outputs: self.values,
                initial: Initial::GlorotNormal,
                ..ValueHead::default()
            }),
            ..Description::default()
        }
    }

    /// Dropout after every convolution, before its norm; a linear layer brings it to the common size.
    fn board(&self) -> Vec<Layer> {
        let convolution = |filters, kernel, lines| {
            Layer::Convolution(Convolution {
                activation: Activation::RandomisedRelu,
                dropout: self.dropout,
                lines,
                ..Convolution::new(filters, kernel, unless_zero(self.norm))
            })
        };
        vec![
            convolution(self.filters, self.kernel, self.lines),
            Layer::Residual(Residual {
                blocks: self.blocks,
                filters: self.filters,
                kernel: self.kernel,
                norm: unless_zero(self.norm),
                activation: Activation::RandomisedRelu,
                dropout: self.dropout,
                initial: Initial::GlorotUniform,
            }),
            convolution(self.board_neurons, 1, None),
            Layer::Dense(Dense {
                initial: Initial::GlorotNormal,
                ..Dense::new(self.common_neurons, Activation::Identity)
            }),
        ]
    }

    /// Dropout after the last layer, before its norm.
    fn cards(&self) -> Vec<Layer> {
        let mut layers = vec![selu(self.cards_neurons, self.norm); count(self.cards_layers.saturating_sub(1))];
        layers.push(Dense {
            dropout: self.dropout,
            dropout_place: DropoutPlace::BeforeNorm,
            ..selu(self.common_neurons, self.norm)
        });
        layers.into_iter().map(Layer::Dense).collect()
    }

    /// Dropout after the activation of the last layer.
    fn stack(&self, layers: usize, neurons: usize, norm: f32) -> Vec<Layer> {
        let mut layers = vec![selu(neurons, norm); count(layers)];
        if let Some(last) = layers.last_mut() {
            last.dropout = self.dropout;
        }
        layers.into_iter().map(Layer::Dense).collect()
    }
}

fn unless_zero(norm: f32) -> Option<f32> {
    (norm != 0.0).then_some(norm)
}

fn selu(size: usize, norm: f32) -> Dense {
    Dense { norm: unless_zero(norm), initial: Initial::GlorotNormal, ..Dense::new(size, Activation::Selu) }
}

/// Convolutions one after the other, a dense layer, and a value (thesis 001, section 7.1.2); with
/// a policy if `policy` is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stack {
    pub filters: usize,
    pub layers: usize,
    pub kernel: usize,
    pub neurons: usize,
    /// Batch norm: the share of a new batch; none without.
    pub norm: Option<f32>,
    pub policy: bool,
    pub values: Values,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack { filters: 64, layers: 3, kernel: 3, neurons: 100, norm: None, policy: false, values: Values::Viewer }
    }
}

impl Stack {
    fn description(&self) -> Description {
        let convolution = Layer::Convolution(Convolution::new(self.filters, self.kernel, self.norm));
        Description {
            board: vec![convolution; count(self.layers)],
            common: vec![Layer::Dense(Dense { norm: self.norm, ..Dense::new(self.neurons, Activation::Relu) })],
            policy: self.policy.then(PolicyHead::default),
            value: Some(ValueHead { outputs: self.values, ..ValueHead::default() }),
            ..Description::default()
        }
    }
}

/// A residual trunk that ends in a dense layer, and a value for every player between 0 and 3
/// (thesis 004, chapter 4, which prints neither filters nor blocks).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Star {
    pub filters: usize,
    pub blocks: usize,
    pub neurons: usize,
    /// Batch norm: the share of a new batch; 0 for none.
    pub norm: f32,
    pub dropout: f32,
}

impl Default for Star {
    fn default() -> Star {
        Star { filters: 32, blocks: 4, neurons: 512, norm: 0.1, dropout: 0.3 }
    }
}

impl Star {
    fn description(&self) -> Description {
        let norm = unless_zero(self.norm);
        let last = Dense { norm, dropout: self.dropout, ..Dense::new(self.neurons, Activation::Relu) };
        Description {
            board: vec![
                Layer::Convolution(Convolution::new(self.filters, 3, norm)),
                residual(self.blocks, self.filters, 3, norm),
            ],
            common: vec![Layer::Dense(last)],
            policy: Some(PolicyHead::default()),
            value: Some(ValueHead {
                outputs: Values::Players,
                activation: Activation::Relu,
                range: [0.0, 3.0],
                ..ValueHead::default()
            }),
            ..Description::default()
        }
    }
}

/// Dense layers one after the other, with both heads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DenseStack {
    pub layers: usize,
    pub neurons: usize,
    pub activation: Activation,
    /// Batch norm: the share of a new batch; none without.
    pub norm: Option<f32>,
    pub dropout: f32,
    pub values: Values,
}

impl Default for DenseStack {
    fn default() -> DenseStack {
        DenseStack {
            layers: 2,
            neurons: 64,
            activation: Activation::Relu,
            norm: None,
            dropout: 0.0,
            values: Values::Viewer,
        }
    }
}

impl DenseStack {
    fn description(&self) -> Description {
        let layer = Dense { norm: self.norm, dropout: self.dropout, ..Dense::new(self.neurons, self.activation) };
        Description {
            common: vec![Layer::Dense(layer); count(self.layers)],
            policy: Some(PolicyHead::default()),
            value: Some(ValueHead { outputs: self.values, ..ValueHead::default() }),
            ..Description::default()
        }
    }
}

/// Dense layers over a state and an action; the value is that of the action (thesis 003).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ActionValue {
    pub layers: usize,
    pub neurons: usize,
    pub activation: Activation,
    pub last: Activation,
}

impl Default for ActionValue {
    fn default() -> ActionValue {
        ActionValue { layers: 2, neurons: 512, activation: Activation::Relu, last: Activation::Identity }
    }
}

impl ActionValue {
    fn description(&self) -> Description {
        Description {
            common: vec![Layer::Dense(Dense::new(self.neurons, self.activation)); count(self.layers)],
            action_input: true,
            value: Some(ValueHead { activation: self.last, ..ValueHead::default() }),
            ..Description::default()
        }
    }
}

/// More layers than any graph may have are as good as many more, and fit into memory.
fn count(layers: usize) -> usize {
    layers.min(5000)
}
