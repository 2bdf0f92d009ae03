//! Values as whole numbers: windows of width one exist, and a win is worth more the sooner it comes.

/// For the side to move, unless a name says otherwise.
pub(super) type Score = i32;

/// What a value of 1 becomes. Guesses and partial payoffs lie within ±`CERTAIN`, full wins and
/// losses beyond it.
pub(super) const CERTAIN: Score = 1 << 24;
/// A win at the root; each ply until it takes 1 away.
const WIN: Score = CERTAIN + 512;
/// Beyond every value.
pub(super) const INFINITE: Score = CERTAIN + 1024;
/// The most plies that a search looks ahead: fits the table, and keeps a win above `CERTAIN`.
pub(super) const DEEPEST: u8 = 250;

/// A guess within -1..=1.
#[inline]
pub(super) fn guessed(value: f32) -> Score {
    ((value * CERTAIN as f32) as Score).clamp(-CERTAIN, CERTAIN)
}

/// A payoff at the end of a game, so many plies from the root.
#[inline]
pub(super) fn at_end(payoff: f32, ply: u8) -> Score {
    if payoff >= 1.0 {
        WIN - Score::from(ply)
    } else if payoff <= -1.0 {
        Score::from(ply) - WIN
    } else {
        guessed(payoff)
    }
}

pub(super) fn payoff(score: Score) -> f32 {
    if score.abs() > CERTAIN { score.signum() as f32 } else { score as f32 / CERTAIN as f32 }
}

/// Counts the plies to a win from the position instead of the root: what a table keeps.
#[inline]
pub(super) fn from_position(score: Score, ply: u8) -> Score {
    shift(score, Score::from(ply))
}

/// The reverse of [`from_position`].
#[inline]
pub(super) fn from_root(score: Score, ply: u8) -> Score {
    shift(score, -Score::from(ply))
}

#[inline]
fn shift(score: Score, plies: Score) -> Score {
    if score > CERTAIN {
        score + plies
    } else if score < -CERTAIN {
        score - plies
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_come_before_guesses_and_sooner_before_later() {
        let ascending = [at_end(-1.0, 1), at_end(-1.0, DEEPEST), guessed(-1.0), at_end(-0.5, 3), at_end(0.0, 9)];
        assert!(ascending.is_sorted_by(|a, b| a < b));
        assert!(ascending.iter().all(|&score| -score < INFINITE && at_end(-payoff(score), 1) >= -score));
        assert_eq!([0.25, 1.0, -1.0].map(|value| payoff(at_end(value, 7))), [0.25, 1.0, -1.0]);
    }

    #[test]
    fn tables_keep_the_distance_from_the_position() {
        for score in [at_end(1.0, 9), at_end(-1.0, 9), guessed(0.3)] {
            assert_eq!(from_root(from_position(score, 4), 4), score);
        }
        assert_eq!(from_position(at_end(1.0, 9), 4), at_end(1.0, 5));
        assert_eq!(from_position(at_end(-1.0, 9), 4), at_end(-1.0, 5));
    }
}
