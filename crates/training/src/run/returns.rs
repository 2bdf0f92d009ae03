//! What positions turned out to be worth: the outcome of the game, or before it what the network expects at later
//! positions of the same seat, which know more and vary less (TD(λ), Sutton 1988).

use meeple_core::{MAX_PLAYERS, Payoffs, Player};
use meeple_network::samples::Sample;
use meeple_network::{Header, Model};

use super::config::{Config, ConfigError, Learning, Symmetries};
use super::learn::{Sight, expect};

impl Learning {
    /// Whether the value learns from anything but the outcome.
    pub(super) fn traces_values(&self) -> bool {
        self.value_trace != Learning::default().value_trace
    }
}

impl Config {
    /// Later positions say something about earlier ones if the network values positions, and if each comes once.
    pub(super) fn check_returns(&self, header: &Header) -> Result<(), ConfigError> {
        let complain = |why: &str| Err(ConfigError(format!("learning.value_trace: {why}")));
        match header.description.value {
            _ if !self.learning.traces_values() => Ok(()),
            None => complain("the network has no value of positions"),
            _ if self.self_play.symmetries == Symmetries::All => complain(
                "with all images of a position each would come after the other; set self_play.symmetries to one",
            ),
            _ => Ok(()),
        }
    }
}

/// Replaces the payoffs of samples of whole games, of which each ends at one of `ends`. `trace` (λ) is what the outcome and
/// all that is expected later keep of their share with every position of the seat before: 1 leaves the outcome, 0 takes the
/// network's word at the seat's next position.
pub(super) fn trace_back(model: &Model, samples: &mut [Sample], viewers: &[Player], ends: &[usize], trace: f64) {
    if trace == 1.0 {
        return;
    }
    let expected = expect(model, Sight::Own, &samples.iter().collect::<Vec<_>>());
    let mut start = 0;
    for &end in ends {
        let game = start..end;
        follow(&mut samples[game.clone()], &viewers[game.clone()], &expected[game], model.graph.values(), trace as f32);
        start = end;
    }
}

/// What comes after a position of a seat.
#[derive(Clone, Copy)]
struct Later {
    /// The share of the outcome.
    outcome: f32,
    /// What is expected at the positions of the seat, each by its share.
    expected: Payoffs,
}

/// One game, from its end on. Of all payoffs a network says the first `values`.
fn follow(samples: &mut [Sample], viewers: &[Player], expected: &[Payoffs], values: usize, trace: f32) {
    let mut after = [Later { outcome: 1.0, expected: Payoffs::default() }; MAX_PLAYERS];
    for ((sample, &viewer), said) in samples.iter_mut().zip(viewers).zip(expected).rev() {
        let later = &mut after[viewer];
        for place in 0..values {
            sample.payoffs[place] = later.outcome * sample.payoffs[place] + later.expected[place];
            later.expected[place] = trace * later.expected[place] + (1.0 - trace) * said[place];
        }
        later.outcome *= trace;
    }
}

#[cfg(test)]
mod tests {
    use meeple_network::samples::Packed;

    use super::*;

    fn payoffs(first: f32) -> Payoffs {
        let mut payoffs = Payoffs::default();
        (payoffs[0], payoffs[1]) = (first, -first);
        payoffs
    }

    /// A game that seat 0 wins, by what was expected at each position.
    fn traced(positions: [(Player, f32); 4], trace: f32) -> [f32; 4] {
        let sample = |(seat, _): (Player, f32)| Sample {
            input: Packed::default(),
            hidden: Packed::default(),
            legal: [0].into(),
            policy: [1.0].into(),
            drawn: None,
            payoffs: payoffs(if seat == 0 { 1.0 } else { -1.0 }),
            key: 0,
            weight: 1.0,
        };
        let mut samples = positions.map(sample);
        let (viewers, expected) = (positions.map(|(seat, _)| seat), positions.map(|(_, said)| payoffs(said)));
        follow(&mut samples, &viewers, &expected, 1, trace);
        samples.map(|sample| sample.payoffs[0])
    }

    #[test]
    fn a_position_is_worth_what_the_next_ones_of_the_seat_say() {
        let game = [(0, 0.5), (1, 0.25), (0, 0.75), (0, 0.125)];
        assert_eq!(traced(game, 1.0), [1.0, -1.0, 1.0, 1.0]);
        assert_eq!(traced(game, 0.0), [0.75, -1.0, 0.125, 1.0]);
        // From the end: 1; 0.5 * 1 + 0.5 * 0.125; 0.5 * 0.5625 + 0.5 * 0.75.
        assert_eq!(traced(game, 0.5), [0.65625, -1.0, 0.5625, 1.0]);
    }
}
