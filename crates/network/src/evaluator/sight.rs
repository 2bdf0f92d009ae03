//! What a network is shown of a position.

use meeple_core::{Encoder, Game, Player, Shape, Tensor};

use crate::graph::Ports;

/// What the player to move knows, as an encoder writes it; or also what the others see, for networks that stand for
/// players who see all cards. One for each thread.
#[derive(Debug)]
pub(crate) struct Sight {
    own: Shape,
    /// Of what the others see, if it is shown.
    hidden: Option<Shape>,
    scratch: [Vec<f32>; 2],
}

impl Sight {
    pub(crate) fn new<G: Game>(game: &G, encoder: &dyn Encoder<G>, open: bool) -> Sight {
        Sight { own: encoder.shape(), hidden: open.then(|| encoder.hidden_shape(game)), scratch: Default::default() }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.hidden.is_some()
    }

    pub(crate) fn shape(&self) -> Shape {
        match self.hidden {
            Some(hidden) => joined(self.own, hidden),
            None => self.own,
        }
    }

    /// Writes the input for a state in which `viewer` is to move and sees `view`, by the encoder that it was made for.
    pub(crate) fn write<G: Game>(
        &mut self,
        game: &G,
        encoder: &dyn Encoder<G>,
        (state, viewer, view): (&G::State, Player, &G::View),
        input: &mut [f32],
    ) {
        let Some(hidden) = self.hidden else {
            return encoder.encode(game, view, &mut Tensor::zeroed(self.own, input));
        };
        let [own, others] = &mut self.scratch;
        own.resize(self.own.len(), 0.0);
        others.resize(hidden.len(), 0.0);
        encoder.encode(game, view, &mut Tensor::zeroed(self.own, own));
        write_hidden(game, encoder, (state, viewer, view), others);
        interleave([own, others], [self.own, hidden], input);
    }
}

/// Writes what the others see in a state, from the one after the viewer on.
pub(crate) fn write_hidden<G: Game>(
    game: &G,
    encoder: &dyn Encoder<G>,
    (state, viewer, view): (&G::State, Player, &G::View),
    input: &mut [f32],
) {
    let players = game.info().players;
    let seats = (1..players).map(|step| (viewer + step) % players);
    let others: Vec<G::View> = seats.map(|seat| game.view(state, Some(seat))).collect();
    encoder.encode_hidden(game, view, &others, &mut Tensor::zeroed(encoder.hidden_shape(game), input));
}

/// The size of what is seen and what is hidden as one input.
fn joined(own: Shape, hidden: Shape) -> Shape {
    Shape { channels: own.channels + hidden.channels, vector: own.vector + hidden.vector, ..own }
}

impl Ports {
    /// Those of a network that is also shown something of this size.
    pub fn with_hidden(self, hidden: Shape) -> Ports {
        Ports::new(joined(self.shape(), hidden), self.policy, self.players)
    }
}

/// What is seen and what is hidden as one input: the channels of one after those of the other, on every field, and their
/// vectors one after the other.
pub fn interleave(parts: [&[f32]; 2], shapes: [Shape; 2], input: &mut [f32]) {
    let fields = shapes[0].rows * shapes[0].columns;
    let all = shapes[0].channels + shapes[1].channels;
    let (planes, vectors) = input.split_at_mut(fields * all);
    let (mut channel, mut place) = (0, 0);
    for (part, Shape { channels, .. }) in parts.into_iter().zip(shapes) {
        let (part, vector) = part.split_at(fields * channels);
        for field in 0..fields {
            let from = &part[field * channels..(field + 1) * channels];
            planes[field * all + channel..][..channels].copy_from_slice(from);
        }
        vectors[place..place + vector.len()].copy_from_slice(vector);
        (channel, place) = (channel + channels, place + vector.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_lies_beside_the_rest_on_every_field() {
        let [own, hidden] =
            [(2, 1), (1, 2)].map(|(channels, vector)| Shape { vector, ..Shape::planes(channels, 1, 2) });
        let mut input = vec![0.0; joined(own, hidden).len()];
        let (seen, unseen) = ([0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
        interleave([&seen, &unseen], [own, hidden], &mut input);
        assert_eq!(input, [0.0, 1.0, 5.0, 2.0, 3.0, 6.0, 4.0, 7.0, 8.0]);
    }
}
