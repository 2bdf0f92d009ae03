//! What a network sees of a view, and which of its outputs stands for which action.

use crate::Game;

/// The size of a network's input: planes over a board, and a vector beside them. Either may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub channels: usize,
    pub rows: usize,
    pub columns: usize,
    pub vector: usize,
}

impl Shape {
    pub const fn planes(channels: usize, rows: usize, columns: usize) -> Shape {
        Shape { channels, rows, columns, vector: 0 }
    }

    pub const fn vector(vector: usize) -> Shape {
        Shape { channels: 0, rows: 0, columns: 0, vector }
    }

    /// The number of floats.
    pub const fn len(&self) -> usize {
        self.channels * self.rows * self.columns + self.vector
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes an input in the order that the networks read: for each row, for each column, all
/// channels; the vector follows.
#[derive(Debug)]
pub struct Tensor<'a> {
    shape: Shape,
    values: &'a mut [f32],
}

impl<'a> Tensor<'a> {
    /// `values` has the length of the shape; it is filled with zeros.
    pub fn zeroed(shape: Shape, values: &'a mut [f32]) -> Tensor<'a> {
        assert_eq!(values.len(), shape.len(), "the input has another length");
        values.fill(0.0);
        Tensor { shape, values }
    }

    pub fn set(&mut self, channel: usize, row: usize, column: usize, value: f32) {
        debug_assert!(channel < self.shape.channels && row < self.shape.rows && column < self.shape.columns);
        self.values[(row * self.shape.columns + column) * self.shape.channels + channel] = value;
    }

    pub fn fill(&mut self, channel: usize, value: f32) {
        for row in 0..self.shape.rows {
            for column in 0..self.shape.columns {
                self.set(channel, row, column, value);
            }
        }
    }

    /// Takes over another input of the same board, its planes from one channel on and its vector from one place on.
    fn copy(&mut self, from: &mut Tensor<'_>, channel: usize, place: usize) {
        let Shape { channels, rows, columns, vector } = from.shape;
        for row in 0..rows {
            for column in 0..columns {
                (0..channels).for_each(|of| self.set(channel + of, row, column, from.get(of, row, column)));
            }
        }
        self.vector()[place..place + vector].copy_from_slice(from.vector());
    }

    /// The part behind the planes.
    pub fn vector(&mut self) -> &mut [f32] {
        let planes = self.shape.len() - self.shape.vector;
        &mut self.values[planes..]
    }

    pub fn get(&self, channel: usize, row: usize, column: usize) -> f32 {
        self.values[(row * self.shape.columns + column) * self.shape.channels + channel]
    }
}

/// A network input for the views of a game, seen by the viewer (with perfect information: by the
/// player to move), and a numbering of the actions for the policy output.
pub trait Encoder<G: Game>: Send + Sync {
    /// In configuration files and model headers.
    fn name(&self) -> &'static str;

    fn shape(&self) -> Shape;

    /// Fills `input`, which is as long as the shape says and holds zeros.
    fn encode(&self, game: &G, view: &G::View, input: &mut Tensor<'_>);

    /// The number of policy outputs.
    fn policy_size(&self) -> usize;

    /// The output for an action; several actions may share one.
    fn policy_index(&self, game: &G, view: &G::View, action: G::Action) -> usize;

    /// Encoders of the game whose planes are the first of this one's, with the same vector, and whose policy outputs are its
    /// first ones: what a network has learnt by one of them goes on with this one.
    fn extends(&self) -> &'static [&'static str] {
        &[]
    }

    /// The number of further policy outputs, behind the others, that tell apart actions which share one of those;
    /// without any they share its probability evenly.
    fn detail_size(&self) -> usize {
        0
    }

    /// The further output for an action, from 0, where there are any.
    fn policy_detail(&self, _: &G, _: &G::View, _: G::Action) -> usize {
        0
    }

    /// The size of what [`Encoder::encode_hidden`] writes, over the same board. Unless it is said otherwise, what every
    /// other seat sees.
    fn hidden_shape(&self, game: &G) -> Shape {
        let Shape { channels, rows, columns, vector } = self.shape();
        let others = game.info().players - 1;
        Shape { channels: channels * others, rows, columns, vector: vector * others }
    }

    /// Writes what the viewer does not see, for critics that learn beside a network and never play. `others` is what the
    /// other seats see, from the one after the viewer on.
    fn encode_hidden(&self, game: &G, _view: &G::View, others: &[G::View], input: &mut Tensor<'_>) {
        let shape = self.shape();
        let mut seen = vec![0.0; shape.len()];
        for (number, other) in others.iter().enumerate() {
            let mut tensor = Tensor::zeroed(shape, &mut seen);
            self.encode(game, other, &mut tensor);
            input.copy(&mut tensor, number * shape.channels, number * shape.vector);
        }
    }
}
