//! How the decisions of a policy that plays alone turned out (generalised advantage estimation, Schulman et al. 2016):
//! the next position is expected to be worth more or less to a player than the one in which he decided, and so on to the
//! end of the game, where he is paid.

use meeple_core::{MAX_PLAYERS, Payoffs, Player};
use meeple_network::samples::{Drawn, Sample};

use super::critic::Critic;
use super::learn::Lesson;

/// What the games whose samples end at `ends` teach. `trace` (λ) says how much each step further into the game counts, of
/// all decisions with a critic, who knows what everybody may expect at any time, and of the own ones otherwise.
pub(super) fn judge<'a>(
    samples: &'a [Sample],
    ends: &[usize],
    players: usize,
    critic: Option<&Critic>,
    trace: f64,
) -> Vec<Lesson<'a>> {
    let mut lessons: Vec<Lesson<'a>> = samples.iter().map(Lesson::of).collect();
    let said = critic.map(|critic| critic.expect(&samples.iter().collect::<Vec<_>>()));
    let mut start = 0;
    for &end in ends {
        let game = &mut lessons[start..end];
        match &said {
            Some(said) => follow_all(game, &said[start..end], players, trace),
            None => follow_own(game, trace),
        }
        start = end;
    }
    if let (Some(critic), Some(said)) = (critic, &said) {
        for (lesson, expected) in lessons.iter_mut().zip(said) {
            *lesson = Lesson { advantage: lesson.advantage, ..critic.lesson(lesson.sample, expected) };
        }
    }
    normalise(&mut lessons);
    lessons
}

/// Who decided, and what he thought.
fn drawn(sample: &Sample) -> &Drawn {
    sample.drawn.as_deref().expect("a policy that plays alone draws every decision")
}

/// Payoffs in the order of a sample, for a seat.
fn of_seat(payoffs: &Payoffs, viewer: Player, seat: Player, players: usize) -> f64 {
    f64::from(payoffs[(seat + players - viewer) % players])
}

/// From the end of a game on, by what a critic expects at every decision.
fn follow_all(game: &mut [Lesson<'_>], said: &[Payoffs], players: usize, trace: f64) {
    let mut later: Option<[f64; MAX_PLAYERS]> = None;
    let mut advantages = [0.0; MAX_PLAYERS];
    for (lesson, expected) in game.iter_mut().zip(said).rev() {
        let viewer = drawn(lesson.sample).seat;
        let mut here = [0.0; MAX_PLAYERS];
        for seat in 0..players {
            here[seat] = of_seat(expected, viewer, seat, players);
            let next = later.map_or(of_seat(&lesson.payoffs, viewer, seat, players), |later| later[seat]);
            advantages[seat] = next - here[seat] + trace * advantages[seat];
        }
        lesson.advantage = advantages[viewer] as f32;
        later = Some(here);
    }
}

/// From the end of a game on, by what the network expected at the own decisions.
fn follow_own(game: &mut [Lesson<'_>], trace: f64) {
    let mut later: [Option<f64>; MAX_PLAYERS] = [None; MAX_PLAYERS];
    let mut advantages = [0.0; MAX_PLAYERS];
    for lesson in game.iter_mut().rev() {
        let &Drawn { seat, ref expected, .. } = drawn(lesson.sample);
        let here = f64::from(expected[seat]);
        let next = later[seat].unwrap_or(f64::from(lesson.payoffs[0]));
        advantages[seat] = next - here + trace * advantages[seat];
        later[seat] = Some(here);
        lesson.advantage = advantages[seat] as f32;
    }
}

/// Advantages with mean 0 and variance 1: how large steps are does not depend on how much is at stake.
fn normalise(lessons: &mut [Lesson<'_>]) {
    let count = lessons.len().max(1) as f64;
    let mean = lessons.iter().map(|lesson| f64::from(lesson.advantage)).sum::<f64>() / count;
    let squares = lessons.iter().map(|lesson| (f64::from(lesson.advantage) - mean).powi(2)).sum::<f64>();
    let deviation = (squares / count).sqrt();
    if deviation > 0.0 {
        lessons
            .iter_mut()
            .for_each(|lesson| lesson.advantage = ((f64::from(lesson.advantage) - mean) / deviation) as f32);
    }
}

#[cfg(test)]
mod tests {
    use meeple_network::samples::Packed;

    use super::*;

    /// A decision of a seat that expected something for itself.
    fn sample(seat: Player, expected: f32, outcome: f32) -> Sample {
        let mut payoffs = Payoffs::default();
        payoffs[seat] = expected;
        let drawn = Drawn { seat, choices: Box::default(), likelihood: 0.0, expected: payoffs };
        let mut outcomes = Payoffs::default();
        (outcomes[0], outcomes[1]) = (outcome, -outcome);
        Sample {
            input: Packed::default(),
            hidden: Packed::default(),
            legal: [0].into(),
            policy: [1.0].into(),
            drawn: Some(Box::new(drawn)),
            payoffs: outcomes,
            key: 0,
            weight: 1.0,
        }
    }

    fn close(lessons: &[Lesson<'_>], expected: [f32; 3]) {
        let found: Vec<f32> = lessons.iter().map(|lesson| lesson.advantage).collect();
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}, not {expected:?}");
    }

    /// Seat 0 decides twice, and seat 1 in between: what seat 0 expects at its second decision is the news about the
    /// first one, and with a trace also what came of the second.
    #[test]
    fn a_decision_is_judged_by_what_came_after_it() {
        let game = |outcome: f32| [sample(0, 0.1, outcome), sample(1, 0.2, -outcome), sample(0, 0.4, outcome)];
        let check = |trace: f64, outcome: f32, expected: [f32; 3]| {
            let samples = game(outcome);
            let mut lessons: Vec<Lesson<'_>> = samples.iter().map(Lesson::of).collect();
            follow_own(&mut lessons, trace);
            close(&lessons, expected);
        };
        check(0.0, 1.0, [0.3, -1.2, 0.6]);
        check(0.0, -1.0, [0.3, 0.8, -1.4]);
        check(1.0, 1.0, [0.9, -1.2, 0.6]);
        check(0.5, -1.0, [-0.4, 0.8, -1.4]);
    }

    /// A critic says at every decision what everybody may expect, in the order of the one who decides.
    #[test]
    fn a_critic_judges_by_the_decisions_of_all() {
        let samples = [sample(0, 0.0, 1.0), sample(1, 0.0, -1.0), sample(0, 0.0, 1.0)];
        let mut said = [Payoffs::default(); 3];
        for (said, payoffs) in said.iter_mut().zip([[0.1, -0.1], [-0.5, 0.5], [0.8, -0.8]]) {
            said[..2].copy_from_slice(&payoffs);
        }
        let check = |trace: f64, expected: [f32; 3]| {
            let mut lessons: Vec<Lesson<'_>> = samples.iter().map(Lesson::of).collect();
            follow_all(&mut lessons, &said, 2, trace);
            close(&lessons, expected);
        };
        check(0.0, [0.4, -0.3, 0.2]);
        check(1.0, [0.9, -0.5, 0.2]);
    }

    #[test]
    fn advantages_of_an_iteration_have_mean_0_and_variance_1() {
        let samples = [0.3f32, 0.1, -0.7, 0.5].map(|outcome| sample(0, 0.0, outcome));
        let lessons = judge(&samples, &[1, 2, 3, 4], 2, None, 0.9);
        let sum = |power: i32| lessons.iter().map(|lesson| lesson.advantage.powi(power)).sum::<f32>();
        assert!(sum(1).abs() < 1e-5 && (sum(2) - 4.0).abs() < 1e-4);
        // Without anything that turned out differently from what was expected there is nothing to learn.
        let even = [sample(0, 0.5, 0.5)];
        assert_eq!(judge(&even, &[1], 2, None, 0.9)[0].advantage, 0.0);
    }
}
