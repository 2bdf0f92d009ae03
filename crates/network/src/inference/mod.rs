//! Runs a network on batches of inputs.
//!
//! [`Compiled`] is the network made ready, shared by all threads; a [`Runner`] adds the buffers of
//! one thread. The result for an input does not depend on what else is in its batch.

mod plan;

use std::sync::Arc;

use crate::description::Activation;
use crate::graph::Graph;
use crate::kernels::{self, Aligned, Boards, Instructions, TALLEST};
use crate::model::Model;
use plan::{Layer, Output, Part, Place, Plan, Rows, Step, finish};

/// What a network says about a batch of inputs, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// Logits for all policy indices.
    pub policy: Vec<f32>,
    /// As many as the value head has.
    pub values: Vec<f32>,
}

/// A network made ready to run.
#[derive(Debug)]
pub struct Compiled {
    plan: Plan,
    /// Floats of an encoded state.
    state: usize,
    /// Floats of the one-hot vector of an action behind it.
    actions: usize,
    /// Whether the sums of the first layer are shared by the actions of a state.
    shares_states: bool,
    /// Samples that go through all layers together, so that they stay in the cache.
    group: usize,
}

/// Floats of all buffers together that stay in a core's second-level cache with some weights.
const CACHED: usize = 64 * 1024;
const MOST_IN_GROUP: usize = 64;

impl Compiled {
    pub fn new(model: &Model) -> Compiled {
        Compiled::with(model, Instructions::detect())
    }

    pub fn with(model: &Model, instructions: Instructions) -> Compiled {
        let plan = Plan::new(model, instructions);
        let Graph { ports, .. } = &model.graph;
        let floats: usize = plan.buffers.iter().sum();
        let group = (CACHED / floats.max(1)).clamp(TALLEST, MOST_IN_GROUP);
        let actions = if model.graph.has_action_input() { ports.policy } else { 0 };
        let state = ports.shape().len();
        Compiled { state, actions, group, shares_states: plan.begins_with_rows(state + actions), plan }
    }

    /// So many of `count` samples go together that the last group is no smaller than it must be: each group reads all
    /// weights anew. Whole tiles, if there are several groups.
    fn even_group(&self, count: usize) -> usize {
        let groups = count.div_ceil(self.group).max(1);
        count.div_ceil(groups).next_multiple_of(TALLEST).clamp(1, self.group)
    }

    /// Floats of an input.
    fn input(&self) -> usize {
        self.state + self.actions
    }
}

/// A network with buffers: one for each thread.
#[derive(Debug)]
pub struct Runner {
    compiled: Arc<Compiled>,
    buffers: Vec<Aligned>,
    /// Inputs of one sample that are not 0.
    rows: Vec<(u32, f32)>,
    /// The sums of the first layer for one state, before its actions.
    state: Aligned,
    /// States with their actions as one-hot vectors, where sums cannot be shared.
    expanded: Vec<f32>,
}

impl Runner {
    pub fn new(compiled: Arc<Compiled>) -> Runner {
        let buffers = compiled.plan.buffers.iter().map(|length| Aligned::zeroed(length * compiled.group)).collect();
        let widest = compiled.plan.buffers.iter().copied().max().unwrap_or(0);
        Runner { compiled, buffers, rows: Vec::new(), state: Aligned::zeroed(widest), expanded: Vec::new() }
    }

    /// Evaluates `count` inputs, one after the other in `inputs`, each as its encoder wrote it.
    pub fn run(&mut self, inputs: &[f32], count: usize, outputs: &mut Outputs) {
        let compiled = self.compiled.clone();
        assert!(compiled.actions == 0, "the network values actions");
        assert_eq!(inputs.len(), count * compiled.state, "inputs of another length");
        outputs.policy.clear();
        outputs.values.clear();
        for group in inputs.chunks(compiled.state * compiled.even_group(count)) {
            self.run_group(&compiled, &Samples::Inputs(group), outputs);
        }
    }

    /// Values actions: `counts` says how many of `actions` belong to each input in turn. The part
    /// of the first layer that belongs to the state is summed once for all of its actions.
    pub fn run_actions(&mut self, inputs: &[f32], counts: &[usize], actions: &[u32], outputs: &mut Outputs) {
        let compiled = self.compiled.clone();
        assert!(compiled.actions > 0, "the network does not value actions");
        assert_eq!(inputs.len(), counts.len() * compiled.state, "inputs of another length");
        assert_eq!(counts.iter().sum::<usize>(), actions.len(), "as many actions as the counts say");
        assert!(actions.iter().all(|&action| (action as usize) < compiled.actions), "an unknown action");
        outputs.policy.clear();
        outputs.values.clear();
        let mut of_action = Actions { inputs, counts, actions, state: 0, action_of_state: 0 };
        let together = compiled.even_group(actions.len());
        while let Some(group) = of_action.next_group(together) {
            if compiled.shares_states {
                self.run_group(&compiled, &Samples::Actions(group), outputs);
                continue;
            }
            let mut expanded = std::mem::take(&mut self.expanded);
            group.expand(&compiled, &mut expanded);
            self.run_group(&compiled, &Samples::Inputs(&expanded), outputs);
            self.expanded = expanded;
        }
    }

    fn run_group(&mut self, compiled: &Compiled, samples: &Samples<'_>, outputs: &mut Outputs) {
        let count = samples.count(compiled.input());
        for step in &compiled.plan.steps {
            match step {
                Step::Layer(layer) => self.layer(compiled, layer, samples, count),
                Step::Rows(rows) => self.add_rows(compiled, rows, samples),
                Step::Join { parts, to } => self.join(compiled, parts, *to, samples, count),
            }
        }
        for (output, to) in [(compiled.plan.policy, &mut outputs.policy), (compiled.plan.value, &mut outputs.values)] {
            let Some(Output { buffer, stride, count: width }) = output else { continue };
            let rows = self.buffers[buffer].chunks_exact(stride).take(count);
            rows.for_each(|row| to.extend_from_slice(&row[..width]));
        }
    }

    fn layer(&mut self, compiled: &Compiled, layer: &Layer, samples: &Samples<'_>, count: usize) {
        let Layer { from, size, weights, rows, skip, activation, to } = layer;
        let instructions = compiled.plan.instructions;
        let mut output = std::mem::take(&mut self.buffers[*to]);
        let (values, stride) = match *from {
            Place::Input(first) => (&samples.inputs()[first..], compiled.input()),
            Place::Buffer(buffer) => (&self.buffers[buffer][..], compiled.plan.buffers[buffer]),
        };
        if let Some(matrix) = rows.as_ref().filter(|_| count <= FEW) {
            let width = weights.bias().len();
            for (values, sums) in values.chunks(stride).zip(output.chunks_exact_mut(width)).take(count) {
                sum_rows(instructions, &values[..weights.inputs()], (matrix, weights.bias()), &mut self.rows, sums);
            }
            finish_rows(instructions, *activation, &mut output[..count * width]);
            self.buffers[*to] = output;
            return;
        }
        let (rows, columns, channels) = (size.rows, size.columns, weights.inputs());
        let boards = Boards { values, stride, count, rows, columns, channels };
        let skip = skip.map(|skip| &self.buffers[skip][..]);
        kernels::convolve(instructions, boards, weights, skip, finish(*activation), &mut output);
        activate(instructions, *activation, &mut output[..count * compiled.plan.buffers[*to]]);
        self.buffers[*to] = output;
    }

    fn add_rows(&mut self, compiled: &Compiled, layer: &Rows, samples: &Samples<'_>) {
        let Rows { first, count, matrix, bias, activation, to } = layer;
        let instructions = compiled.plan.instructions;
        let width = bias.len();
        let output = &mut self.buffers[*to];
        let mut sum = |values: &[f32], sums: &mut [f32]| {
            sum_rows(instructions, values, (matrix, bias), &mut self.rows, sums);
        };
        match samples {
            Samples::Inputs(inputs) => {
                for (input, sums) in inputs.chunks_exact(compiled.input()).zip(output.chunks_exact_mut(width)) {
                    sum(&input[*first..][..*count], sums);
                }
            }
            Samples::Actions(group) => {
                let mut summed = usize::MAX;
                let state_sums = &mut self.state[..width];
                for ((state, action), sums) in group.pairs().zip(output.chunks_exact_mut(width)) {
                    if state != summed {
                        sum(&group.inputs[state * compiled.state..][..compiled.state], state_sums);
                        summed = state;
                    }
                    sums.copy_from_slice(state_sums);
                    kernels::add_rows(instructions, &[(compiled.state as u32 + action, 1.0)], matrix, width, sums);
                }
            }
        }
        let samples = samples.count(compiled.input());
        finish_rows(instructions, *activation, &mut output[..samples * width]);
    }

    fn join(&mut self, compiled: &Compiled, parts: &[Part], to: usize, samples: &Samples<'_>, count: usize) {
        let mut output = std::mem::take(&mut self.buffers[to]);
        let length = compiled.plan.buffers[to];
        for part in parts {
            let Part { from, fields, channels, stride, offset, target_stride } = *part;
            for sample in 0..count {
                let values = match from {
                    Place::Input(first) => &samples.inputs()[sample * compiled.input() + first..],
                    Place::Buffer(buffer) => &self.buffers[buffer][sample * compiled.plan.buffers[buffer]..],
                };
                let row = &mut output[sample * length + offset..];
                for field in 0..fields {
                    row[field * target_stride..][..channels].copy_from_slice(&values[field * stride..][..channels]);
                }
            }
        }
        self.buffers[to] = output;
    }
}

/// Samples up to which a dense layer is a sum of rows: its sums need not wait for each other then, and inputs that are 0
/// are left out. The order of the additions is the same as in a multiplication.
const FEW: usize = 2;

/// The sum of the rows of a matrix times the values, and of the bias. `rows` is scratch space.
fn sum_rows(
    instructions: Instructions,
    values: &[f32],
    (matrix, bias): (&[f32], &[f32]),
    rows: &mut Vec<(u32, f32)>,
    sums: &mut [f32],
) {
    sums.copy_from_slice(bias);
    kernels::add_rows(instructions, listed(values, rows), matrix, bias.len(), sums);
}

/// The values that are not 0 with their places. No branch depends on them: which they are is anybody's guess, and wrong
/// guesses took half of the time of a dense network.
fn listed<'a>(values: &[f32], rows: &'a mut Vec<(u32, f32)>) -> &'a [(u32, f32)] {
    if rows.len() < values.len() {
        rows.resize(values.len(), (0, 0.0));
    }
    let mut count = 0;
    for (place, &value) in (0..).zip(values) {
        rows[count] = (place, value);
        count += usize::from(value != 0.0);
    }
    &rows[..count]
}

fn finish_rows(instructions: Instructions, activation: Activation, sums: &mut [f32]) {
    if let Some(slope) = slope(activation) {
        sums.iter_mut().for_each(|value| *value = value.max(*value * slope));
    }
    activate(instructions, activation, sums);
}

/// The slope below 0 of activations that are two straight lines.
fn slope(activation: Activation) -> Option<f32> {
    match activation {
        Activation::Relu => Some(0.0),
        Activation::RandomisedRelu => Some(Activation::SLOPE),
        Activation::Identity | Activation::Selu | Activation::Tanh => None,
    }
}

/// What the kernels did not do.
fn activate(instructions: Instructions, activation: Activation, values: &mut [f32]) {
    match activation {
        Activation::Selu => kernels::selu(instructions, values, Activation::SELU_SCALE, Activation::SELU_ALPHA),
        Activation::Tanh => kernels::tanh(instructions, values),
        Activation::Identity | Activation::Relu | Activation::RandomisedRelu => {}
    }
}

/// A group of samples: whole inputs, or states with actions.
enum Samples<'a> {
    Inputs(&'a [f32]),
    Actions(ActionGroup<'a>),
}

impl Samples<'_> {
    fn inputs(&self) -> &[f32] {
        match self {
            Samples::Inputs(inputs) => inputs,
            Samples::Actions(_) => unreachable!("only the first layer takes input, and as rows"),
        }
    }

    fn count(&self, input: usize) -> usize {
        match self {
            Samples::Inputs(inputs) => inputs.len() / input,
            Samples::Actions(group) => group.actions.len(),
        }
    }
}

/// Walks over states and their actions.
struct Actions<'a> {
    inputs: &'a [f32],
    counts: &'a [usize],
    /// Those that are left.
    actions: &'a [u32],
    state: usize,
    /// How many of the state's actions are done.
    action_of_state: usize,
}

struct ActionGroup<'a> {
    inputs: &'a [f32],
    counts: &'a [usize],
    actions: &'a [u32],
    state: usize,
    action_of_state: usize,
}

impl<'a> Actions<'a> {
    fn next_group(&mut self, most: usize) -> Option<ActionGroup<'a>> {
        if self.actions.is_empty() {
            return None;
        }
        let (actions, rest) = self.actions.split_at(most.min(self.actions.len()));
        let Actions { inputs, counts, state, action_of_state, .. } = *self;
        let group = ActionGroup { inputs, counts, actions, state, action_of_state };
        self.action_of_state += actions.len();
        while self.state < counts.len() && self.action_of_state >= counts[self.state] {
            self.action_of_state -= counts[self.state];
            self.state += 1;
        }
        self.actions = rest;
        Some(group)
    }
}

impl ActionGroup<'_> {
    /// Whole inputs, the actions as one-hot vectors.
    fn expand(&self, compiled: &Compiled, inputs: &mut Vec<f32>) {
        inputs.clear();
        for (state, action) in self.pairs() {
            inputs.extend_from_slice(&self.inputs[state * compiled.state..][..compiled.state]);
            inputs.extend((0..compiled.actions).map(|index| f32::from(u8::from(index == action as usize))));
        }
    }

    /// Every action with the number of its state.
    fn pairs(&self) -> impl Iterator<Item = (usize, u32)> {
        let (mut state, mut done) = (self.state, self.action_of_state);
        self.actions.iter().map(move |&action| {
            while done >= self.counts[state] {
                done -= self.counts[state];
                state += 1;
            }
            done += 1;
            (state, action)
        })
    }
}
