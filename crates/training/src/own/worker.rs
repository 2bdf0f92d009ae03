//! A thread's part of a batch, run forwards and backwards.

use std::mem;
use std::ops::Range;
use std::sync::RwLock;

use meeple_network::kernels::{self, Aligned, Finish, Packed, padded};
use meeple_network::{NORM_EPSILON, Operation, Outputs, Parameters};

use super::elements::{self, NormState, Slopes};
use super::exchange::Exchange;
use super::plan::{Layer, Plan, Source};
use super::sparse::Sparse;
use crate::{Batch, Noise};

/// What all workers see of a step.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub plan: &'a Plan,
    pub parameters: &'a Parameters,
    pub batch: &'a Batch,
    /// None after training.
    pub noise: Option<&'a Noise>,
    pub packs: &'a [Pack],
    pub exchange: &'a Exchange,
}

/// The weights of a layer as the kernels want them.
#[derive(Debug)]
pub(super) struct Pack {
    pub node: usize,
    pub direction: Direction,
    /// Who fills it, if so many work.
    pub worker: usize,
    pub weights: RwLock<Packed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forwards,
    Backwards,
}

#[derive(Debug, Default)]
pub(super) struct Worker {
    number: usize,
    samples: Range<usize>,
    /// Results of nodes.
    buffers: Vec<Aligned>,
    /// How the loss changes with the results of nodes, while that is needed.
    slopes: Vec<Option<Aligned>>,
    /// Memory for more of them.
    free: Vec<Aligned>,
    /// By node, of norms.
    norms: Vec<NormState>,
    /// By parameter, with room; of norms the first worker has all.
    pub gradients: Vec<Aligned>,
    /// The slopes of a dense layer's results as if they were weights, by node.
    factors: Vec<Option<Packed>>,
    transposed: Aligned,
    /// What layers take that see few numbers other than 0, by node; nothing for all others.
    sparse: Vec<Sparse>,
    /// The same of one of them, by columns.
    columns: Sparse,
}

impl Worker {
    pub(super) fn new(number: usize, plan: &Plan) -> Worker {
        let nodes = plan.graph.nodes.len();
        let mut gradients: Vec<usize> = plan.graph.parameters.iter().map(|info| padded(info.count())).collect();
        for layer in plan.layers.iter().flatten() {
            gradients[layer.weight] = layer.kernel * layer.kernel * layer.inputs * padded(layer.outputs);
        }
        Worker {
            number,
            buffers: plan.buffers.iter().map(|_| Aligned::default()).collect(),
            slopes: (0..nodes).map(|_| None).collect(),
            norms: vec![NormState::default(); nodes],
            gradients: gradients.into_iter().map(Aligned::zeroed).collect(),
            factors: (0..nodes).map(|_| None).collect(),
            sparse: (0..nodes).map(|_| Sparse::default()).collect(),
            ..Worker::default()
        }
    }

    /// Which samples of the next steps are those of this worker.
    pub(super) fn take(&mut self, samples: Range<usize>, plan: &Plan) {
        if self.samples.len() != samples.len() {
            self.buffers = plan.buffers.iter().map(|length| Aligned::zeroed(length * samples.len())).collect();
            self.free.clear();
            self.factors.fill(None);
        }
        self.samples = samples;
    }

    fn count(&self) -> usize {
        self.samples.len()
    }

    /// Fills this worker's share of the packed weights, and waits for the others.
    pub(super) fn pack(&self, step: Step<'_>) {
        let is_mine = |pack: &&Pack| pack.worker % step.exchange.workers() == self.number;
        for pack in step.packs.iter().filter(is_mine) {
            let layer = step.plan.layers[pack.node].as_ref().expect("a layer");
            let weights = &step.parameters.0[layer.weight];
            let bias = layer.bias.map(|bias| &step.parameters.0[bias][..]);
            let mut packed = pack.weights.write().expect("no holder panics");
            match pack.direction {
                Direction::Forwards => layer.fill_forwards(&mut packed, weights, bias),
                Direction::Backwards if step.noise.is_some() => layer.fill_backwards(&mut packed, weights),
                Direction::Backwards => {}
            }
        }
        step.exchange.meet();
    }

    pub(super) fn forwards(&mut self, step: Step<'_>) {
        for number in 0..step.plan.graph.nodes.len() {
            let Source::Buffer(buffer) = step.plan.places[number].source else { continue };
            let mut result = mem::take(&mut self.buffers[buffer]);
            self.node(step, number, &mut result);
            self.buffers[buffer] = result;
        }
    }

    /// The result of a node for all samples. If it is to replace the node's first input, that is in it.
    fn node(&mut self, step: Step<'_>, number: usize, result: &mut [f32]) {
        let Step { plan, batch, .. } = step;
        let node = &plan.graph.nodes[number];
        let (place, channels) = (plan.places[number], node.size.channels);
        let replaces = node.inputs.first().is_some_and(|&from| plan.places[from].source == place.source);
        if !replaces && matches!(node.operation, Operation::Activation(_) | Operation::Dropout(_) | Operation::Add) {
            result.copy_from_slice(&self.values(step, node.inputs[0])[..result.len()]);
        }
        match node.operation {
            Operation::Planes | Operation::Vector => unreachable!("inputs are not computed"),
            Operation::Action => {
                result.fill(0.0);
                let rows = result.chunks_exact_mut(place.stride);
                rows.zip(&batch.actions[self.samples.clone()]).for_each(|(row, &action)| row[action as usize] = 1.0);
            }
            Operation::Convolution { .. } | Operation::Dense { .. } => {
                let layer = plan.layers[number].as_ref().expect("a layer");
                if self.add_rows(step, number, layer, result) {
                    return;
                }
                let weights =
                    step.packs.iter().find(|pack| pack.node == number && pack.direction == Direction::Forwards);
                let weights = weights.expect("a pack for each layer").weights.read().expect("no holder panics");
                let input = plan.input(number, layer, self.values(step, node.inputs[0]), self.count());
                kernels::convolve(plan.instructions, input, &weights, None, Finish::None, result);
            }
            Operation::Norm { .. } => self.normalise(step, number, result),
            Operation::Activation(activation) => {
                let slopes = self.factors(step, number).map_or(Slopes::Mean, |slopes| Slopes::Drawn(slopes, channels));
                elements::activate(plan.instructions, activation, result, place.room, slopes);
            }
            Operation::Dropout(_) => {
                if let Some(factors) = self.factors(step, number) {
                    elements::drop_out(result, place.room, factors, channels);
                }
            }
            Operation::Add => add(result, self.values(step, node.inputs[1])),
            Operation::Join => {
                let mut at = 0;
                for &from in &node.inputs {
                    let (size, source) = (plan.graph.nodes[from].size, plan.places[from]);
                    let samples = self.values(step, from).chunks(source.stride);
                    for (sample, result) in samples.zip(result.chunks_exact_mut(place.stride)) {
                        let result = result[at..][..size.count()].chunks_exact_mut(size.channels);
                        result
                            .zip(sample.chunks(source.room))
                            .for_each(|(to, row)| to.copy_from_slice(&row[..to.len()]));
                    }
                    at += size.count();
                }
            }
        }
    }

    /// The result of a layer as a sum of the weights' rows. False if it is none that sees few numbers other than 0.
    fn add_rows(&mut self, step: Step<'_>, number: usize, layer: &Layer, result: &mut [f32]) -> bool {
        let plan = step.plan;
        if !plan.is_vector_layer(number, layer) {
            return false;
        }
        let from = plan.graph.nodes[number].inputs[0];
        let mut rows = mem::take(&mut self.sparse[number]);
        let few = rows.read(self.values(step, from), plan.places[from].stride, layer.inputs, self.count());
        for (row, result) in rows.lines().zip(result.chunks_exact_mut(layer.outputs)) {
            match layer.bias {
                Some(bias) => result.copy_from_slice(&step.parameters.0[bias]),
                None => result.fill(0.0),
            }
            kernels::add_rows(plan.instructions, row, &step.parameters.0[layer.weight], layer.outputs, result);
        }
        self.sparse[number] = rows;
        few
    }

    /// The results of a node, from those of this worker's first sample on.
    fn values<'a>(&'a self, step: Step<'a>, node: usize) -> &'a [f32] {
        match step.plan.places[node].source {
            Source::Batch(offset) => step.plan.batch(step.batch, self.samples.start, offset),
            Source::Buffer(buffer) => &self.buffers[buffer],
        }
    }

    /// The noise of a node for this worker's samples; none after training, or if it has none.
    fn factors<'a>(&self, step: Step<'a>, number: usize) -> Option<&'a [f32]> {
        let of_sample = step.plan.graph.nodes[number].size.count();
        let factors = &step.noise?.0[number];
        (!factors.is_empty()).then(|| &factors[self.samples.start * of_sample..self.samples.end * of_sample])
    }

    fn normalise(&mut self, step: Step<'_>, number: usize, result: &mut [f32]) {
        let node = &step.plan.graph.nodes[number];
        let Operation::Norm { scale, offset, mean, variance, .. } = node.operation else { unreachable!("a norm") };
        let room = step.plan.places[number].room;
        let with_room = |parameter: usize| {
            let mut values = step.parameters.0[parameter].clone();
            values.resize(room, 0.0);
            values
        };
        let (means, variances) = match step.noise {
            None => (with_room(mean), with_room(variance)),
            Some(_) => {
                let values = &self.values(step, node.inputs[0])[..result.len()];
                let (means, mut squares) = self.statistics(step, number, &elements::moments(values, room));
                let fields = (step.batch.count * node.size.fields()) as f32;
                if self.number == 0 {
                    let channels = node.size.channels;
                    self.gradients[mean][..channels].copy_from_slice(&means[..channels]);
                    let unbiased = squares.iter().map(|sum| sum / (fields - 1.0).max(1.0));
                    self.gradients[variance]
                        .iter_mut()
                        .zip(unbiased)
                        .take(channels)
                        .for_each(|(to, value)| *to = value);
                }
                squares.iter_mut().for_each(|sum| *sum /= fields);
                (means, squares)
            }
        };
        let inverses = variances.iter().map(|variance| 1.0 / (variance + NORM_EPSILON).sqrt()).collect();
        let state = NormState { means, inverses, scales: with_room(scale), offsets: with_room(offset) };
        state.normalise(&self.values(step, node.inputs[0])[..result.len()], result);
        self.norms[number] = state;
    }

    /// The means of the whole batch, and the sums of the squares of what differs from them, of
    /// those of this worker's samples (Chan, Golub and LeVeque 1979).
    fn statistics(&self, step: Step<'_>, number: usize, moments: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let room = moments.len() / 2;
        let (mut means, mut squares) = (vec![0.0f32; room], vec![0.0f32; room]);
        let mut before = 0.0;
        let fields = step.plan.graph.nodes[number].size.fields();
        let topic = step.plan.norms[number].expect("a norm");
        step.exchange.share(topic, self.number, moments, |worker, moments| {
            let here = (part(step.batch.count, step.exchange.workers(), worker).len() * fields) as f32;
            let share = here / (before + here);
            for channel in 0..room {
                let difference = moments[channel] - means[channel];
                means[channel] += difference * share;
                squares[channel] += moments[room + channel] + difference * difference * before * share;
            }
            before += here;
        });
        (means, squares)
    }

    /// What the heads say, without room.
    pub(super) fn read(&self, step: Step<'_>, outputs: &mut Outputs) {
        let Plan { graph, places, .. } = step.plan;
        for (head, to) in [(graph.policy, &mut outputs.policy), (graph.value, &mut outputs.values)] {
            let Some(node) = head else { continue };
            let rows = self.values(step, node).chunks(places[node].stride).take(self.count());
            rows.for_each(|row| to.extend_from_slice(&row[..graph.nodes[node].size.count()]));
        }
    }

    /// From the slopes of all outputs to the gradients, for this worker's samples.
    pub(super) fn backwards(&mut self, step: Step<'_>, outputs: &Outputs) {
        let Plan { graph, places, .. } = step.plan;
        for (head, slopes) in [(graph.policy, &outputs.policy), (graph.value, &outputs.values)] {
            let Some(node) = head else { continue };
            let (stride, count) = (places[node].stride, graph.nodes[node].size.count());
            let mut with_room = self.memory(stride * self.count());
            let rows = slopes.chunks_exact(count).skip(self.samples.start);
            for (to, row) in with_room.chunks_exact_mut(stride).zip(rows) {
                to[..count].copy_from_slice(row);
                to[count..].fill(0.0);
            }
            self.give(node, with_room);
        }
        for number in (0..graph.nodes.len()).rev() {
            if let Some(slopes) = self.slopes[number].take() {
                self.node_backwards(step, number, slopes);
            }
        }
    }

    /// Memory for so many slopes, with anything in it.
    fn memory(&mut self, length: usize) -> Aligned {
        match self.free.iter().position(|memory| memory.len() == length) {
            Some(place) => self.free.swap_remove(place),
            None => Aligned::zeroed(length),
        }
    }

    /// Adds to the slopes of a node.
    fn give(&mut self, node: usize, slopes: Aligned) {
        match &mut self.slopes[node] {
            Some(there) => {
                add(there, &slopes);
                self.free.push(slopes);
            }
            empty => *empty = Some(slopes),
        }
    }

    fn node_backwards(&mut self, step: Step<'_>, number: usize, mut slopes: Aligned) {
        let plan = step.plan;
        let node = &plan.graph.nodes[number];
        let (place, channels) = (plan.places[number], node.size.channels);
        if !plan.is_learnt[number] {
            self.free.push(slopes);
            return;
        }
        match node.operation {
            Operation::Planes | Operation::Vector | Operation::Action => unreachable!("inputs are not learnt"),
            Operation::Convolution { .. } | Operation::Dense { .. } => {
                let layer = plan.layers[number].as_ref().expect("a layer");
                self.layer_gradients(step, number, layer, &slopes);
                self.layer_backwards(step, number, &slopes);
                self.free.push(slopes);
            }
            Operation::Norm { .. } => {
                self.normalise_backwards(step, number, &mut slopes);
                self.give(node.inputs[0], slopes);
            }
            Operation::Activation(activation) => {
                let drawn = self.factors(step, number).map_or(Slopes::Mean, |slopes| Slopes::Drawn(slopes, channels));
                let results = &self.values(step, number)[..slopes.len()];
                elements::activate_backwards(activation, &mut slopes, results, place.room, drawn);
                self.give(node.inputs[0], slopes);
            }
            Operation::Dropout(_) => {
                if let Some(factors) = self.factors(step, number) {
                    elements::drop_out(&mut slopes, place.room, factors, channels);
                }
                self.give(node.inputs[0], slopes);
            }
            Operation::Add => {
                let mut copy = self.memory(slopes.len());
                copy.copy_from_slice(&slopes);
                self.give(node.inputs[0], slopes);
                self.give(node.inputs[1], copy);
            }
            Operation::Join => {
                self.join_backwards(step, number, &slopes);
                self.free.push(slopes);
            }
        }
    }

    fn join_backwards(&mut self, step: Step<'_>, number: usize, slopes: &[f32]) {
        let Plan { graph, places, is_learnt, .. } = step.plan;
        let mut at = 0;
        for &from in &graph.nodes[number].inputs {
            let (size, source) = (graph.nodes[from].size, places[from]);
            if is_learnt[from] {
                let mut part = self.memory(source.stride * self.count());
                let samples = part.chunks_exact_mut(source.stride);
                for (to, slopes) in samples.zip(slopes.chunks_exact(places[number].stride)) {
                    let rows = slopes[at..][..size.count()].chunks_exact(size.channels);
                    for (to, row) in to.chunks_exact_mut(source.room).zip(rows) {
                        to[..row.len()].copy_from_slice(row);
                        to[row.len()..].fill(0.0);
                    }
                }
                self.give(from, part);
            }
            at += size.count();
        }
    }

    fn normalise_backwards(&mut self, step: Step<'_>, number: usize, slopes: &mut [f32]) {
        let node = &step.plan.graph.nodes[number];
        let Operation::Norm { scale, offset, .. } = node.operation else { unreachable!("a norm") };
        let values = &self.values(step, node.inputs[0])[..slopes.len()];
        let state = &self.norms[number];
        let mine = state.slope_sums(values, slopes);
        let mut sums = vec![0.0; mine.len()];
        let topic = step.plan.count_norms() + step.plan.norms[number].expect("a norm");
        step.exchange.share(topic, self.number, &mine, |_, more| add(&mut sums, more));
        state.backwards(values, slopes, &sums, step.batch.count * node.size.fields());
        if self.number == 0 {
            let (channels, room) = (node.size.channels, sums.len() / 2);
            self.gradients[offset][..channels].copy_from_slice(&sums[..channels]);
            self.gradients[scale][..channels].copy_from_slice(&sums[room..][..channels]);
        }
    }

    fn layer_gradients(&mut self, step: Step<'_>, number: usize, layer: &Layer, slopes: &[f32]) {
        let plan = step.plan;
        let (from, room) = (plan.graph.nodes[number].inputs[0], padded(layer.outputs));
        if let Some(bias) = layer.bias {
            elements::sum_channels(slopes, room, &mut self.gradients[bias]);
        }
        let mut gradient = mem::take(&mut self.gradients[layer.weight]);
        if let Operation::Dense { .. } = plan.graph.nodes[number].operation {
            self.dense_gradient(step, number, layer, slopes, &mut gradient);
        } else {
            gradient.fill(0.0);
            let input = plan.input(number, layer, self.values(step, from), self.count());
            kernels::weight_gradient(plan.instructions, input, layer.kernel, (slopes, room), &mut gradient);
        }
        self.gradients[layer.weight] = gradient;
    }

    /// The inputs, transposed, times the slopes as if those were weights: every sum is then made in
    /// one go, however long the inputs are.
    fn dense_gradient(&mut self, step: Step<'_>, number: usize, layer: &Layer, slopes: &[f32], gradient: &mut [f32]) {
        let (plan, count, room) = (step.plan, self.count(), padded(layer.outputs));
        if !self.sparse[number].is_empty() {
            self.sparse[number].transpose(layer.inputs, &mut self.columns);
            for (column, gradient) in self.columns.lines().zip(gradient.chunks_exact_mut(room)) {
                gradient.fill(0.0);
                kernels::add_rows(plan.instructions, column, slopes, room, gradient);
            }
            return;
        }
        let from = plan.graph.nodes[number].inputs[0];
        let mut transposed = mem::take(&mut self.transposed);
        if transposed.len() < layer.inputs * count {
            transposed = Aligned::zeroed(layer.inputs * count);
        }
        elements::transpose(self.values(step, from), plan.places[from].stride, layer.inputs, count, &mut transposed);
        let factors =
            self.factors[number].get_or_insert_with(|| Packed::zeroed(plan.instructions, 1, count, layer.outputs));
        factors.fill(|_, sample, output| slopes[sample * room + output]);
        let input = kernels::Boards::rows(&transposed, count, layer.inputs, count);
        kernels::convolve(plan.instructions, input, factors, None, Finish::None, gradient);
        self.transposed = transposed;
    }

    /// Adds to the slopes of a layer's input, if they are needed.
    fn layer_backwards(&mut self, step: Step<'_>, number: usize, slopes: &[f32]) {
        let plan = step.plan;
        let from = plan.graph.nodes[number].inputs[0];
        let pack = step.packs.iter().find(|pack| pack.node == number && pack.direction == Direction::Backwards);
        let Some(pack) = pack else { return };
        let weights = pack.weights.read().expect("no holder panics");
        let size = plan.graph.nodes[number].size;
        let outputs = kernels::Boards {
            values: slopes,
            stride: plan.places[number].stride,
            count: self.count(),
            rows: size.rows,
            columns: size.columns,
            channels: plan.places[number].room,
        };
        let mut result = self.memory(plan.places[from].stride * self.count());
        let there = self.slopes[from].take();
        kernels::convolve(plan.instructions, outputs, &weights, there.as_deref(), Finish::None, &mut result);
        self.slopes[from] = Some(result);
        self.free.extend(there);
    }
}

/// The samples of one of several workers.
pub(super) fn part(count: usize, workers: usize, worker: usize) -> Range<usize> {
    count * worker / workers..count * (worker + 1) / workers
}

fn add(sums: &mut [f32], more: &[f32]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
