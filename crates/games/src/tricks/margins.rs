//! By how much a team won.

use meeple_core::{MAX_PLAYERS, Payoffs};

use super::team;

/// Own score minus the other team's, for every seat.
pub(crate) fn difference(seats: usize, teams: [u8; 2]) -> Payoffs {
    let first = f32::from(teams[0]) - f32::from(teams[1]);
    let mut differences = [0.0; MAX_PLAYERS];
    for seat in 0..seats {
        differences[seat] = if team(seat) == 0 { first } else { 0.0 - first };
    }
    differences
}

/// 4 for everything, 2 for more than half of the largest difference, 1 for less (thesis 002,
/// section 5.3).
pub(crate) fn step(difference: f32, largest: f32) -> f32 {
    let size = difference.abs();
    let step: f32 = match size {
        _ if size == 0.0 => return 0.0,
        _ if size >= largest => 4.0,
        _ if 2.0 * size > largest => 2.0,
        _ => 1.0,
    };
    step.copysign(difference)
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn steps_are_those_of_the_table() {
        for (difference, expected) in [
            (0.0, 0.0),
            (2.0, 1.0),
            (60.0, 1.0),
            (62.0, 2.0),
            (118.0, 2.0),
            (120.0, 4.0),
            (-60.0, -1.0),
            (-120.0, -4.0),
        ] {
            assert_eq!(step(difference, 120.0), expected, "{difference}");
        }
    }
}
