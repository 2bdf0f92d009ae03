//! By how much a seat missed the fewest points.

use meeple_core::{MAX_PLAYERS, Margins, Payoffs};

use super::{Hearts, State};

/// The points of one hand.
const HAND: f32 = 26.0;

impl Margins<Hearts> for Hearts {
    /// The fewest points minus one's own: 0 for a winner, negative for all others.
    fn difference(&self, _: &Hearts, state: &State) -> Payoffs {
        let totals = &state.table.totals;
        let fewest = totals.iter().copied().min().expect("there are players");
        let mut differences = [0.0; MAX_PLAYERS];
        for (difference, &total) in differences.iter_mut().zip(totals) {
            *difference = (f32::from(fewest) - f32::from(total)).max(-self.largest(self));
        }
        differences
    }

    fn largest(&self, _: &Hearts) -> f32 {
        HAND + self.rules.to as f32
    }

    fn steps(&self, _: &Hearts, state: &State) -> Payoffs {
        let mut steps = self.difference(self, state);
        let players = state.table.totals.len();
        for step in &mut steps[..players] {
            *step = self::step(-*step * HAND / self.largest(self));
        }
        steps
    }
}

/// By points more than the fewest in one hand (thesis 002, section 5.3).
fn step(points: f32) -> f32 {
    match points {
        _ if points <= 0.0 => 4.0,
        _ if points <= 6.0 => 2.0,
        _ if points <= 12.0 => 1.0,
        _ if points <= 13.0 => 0.0,
        _ if points <= 18.0 => -1.0,
        _ if points < 26.0 => -2.0,
        _ => -4.0,
    }
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn steps_are_those_of_the_table() {
        let expected =
            [(0, 4), (1, 2), (6, 2), (7, 1), (12, 1), (13, 0), (14, -1), (18, -1), (19, -2), (25, -2), (26, -4)];
        for (points, expected) in expected {
            assert_eq!(step(points as f32), expected as f32, "{points}");
        }
    }
}
