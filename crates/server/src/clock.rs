//! How long players may think.

use std::time::{Duration, Instant};

use meeple_core::Player;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The time that players have.
// Here and elsewhere variants without fields have braces: only of those does serde refuse unknown fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Clock {
    /// As long as they like.
    None {},
    /// So much for each decision.
    Move { seconds: f64 },
    /// So much for the whole game, and more after every decision.
    Fischer { seconds: f64, increment: f64 },
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::None {}
    }
}

/// A day.
const LONGEST: f64 = 86_400.0;

impl Clock {
    /// Refuses what is no length of time.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (seconds, increment) = match *self {
            Clock::None {} => return Ok(()),
            Clock::Move { seconds } => (seconds, 0.0),
            Clock::Fischer { seconds, increment } => (seconds, increment),
        };
        match (0.1..=LONGEST).contains(&seconds) && (0.0..=LONGEST).contains(&increment) {
            true => Ok(()),
            false => Err(format!("a clock has between 0.1 and {LONGEST} seconds")),
        }
    }

    fn start(&self) -> Option<Duration> {
        match *self {
            Clock::None {} => None,
            Clock::Move { seconds } | Clock::Fischer { seconds, .. } => Some(Duration::from_secs_f64(seconds)),
        }
    }

    /// What is left after a decision.
    fn after(&self, left: Duration, used: Duration) -> Duration {
        match *self {
            Clock::None {} => left,
            Clock::Move { seconds } => Duration::from_secs_f64(seconds),
            // Who is late gets nothing more.
            Clock::Fischer { .. } if used >= left => Duration::ZERO,
            Clock::Fischer { increment, .. } => left - used + Duration::from_secs_f64(increment),
        }
    }
}

/// The clocks of all seats, of which one may run.
#[derive(Debug)]
pub(crate) struct Clocks {
    clock: Clock,
    /// When the running one stops; without a clock it counts for nothing.
    left: Vec<Duration>,
    running: Option<(Player, Instant)>,
}

impl Clocks {
    pub(crate) fn new(clock: Clock, seats: usize) -> Clocks {
        Clocks { clock, left: vec![clock.start().unwrap_or_default(); seats], running: None }
    }

    pub(crate) fn start(&mut self, player: Player, now: Instant) {
        self.running = Some((player, now));
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// How long the running one has run.
    pub(crate) fn used(&self, now: Instant) -> Duration {
        self.running.map_or(Duration::ZERO, |(_, since)| now.saturating_duration_since(since))
    }

    /// A player has decided.
    pub(crate) fn decided(&mut self, player: Player, used: Duration) {
        self.left[player] = self.clock.after(self.left[player], used);
        self.running = None;
    }

    /// Stops what runs, without a decision, after it has run for so long.
    pub(crate) fn pause(&mut self, used: Duration) {
        if let Some((player, _)) = self.running.take() {
            self.left[player] = self.left[player].saturating_sub(used);
        }
    }

    /// What a seat has left; `None` without a clock.
    pub(crate) fn left(&self, player: Player, now: Instant) -> Option<Duration> {
        self.clock.start()?;
        let used = match self.running {
            Some((running, _)) if running == player => self.used(now),
            _ => Duration::ZERO,
        };
        Some(self.left[player].saturating_sub(used))
    }

    /// When the running one will be down.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.clock.start()?;
        let (player, since) = self.running?;
        Some(since + self.left[player])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn time_is_added_after_decisions_and_taken_while_thinking() {
        let now = Instant::now();
        let mut clocks = Clocks::new(Clock::Fischer { seconds: 10.0, increment: 2.0 }, 2);
        clocks.start(0, now);
        assert_eq!(clocks.left(0, now + seconds(3.0)), Some(seconds(7.0)));
        assert_eq!(clocks.left(1, now + seconds(3.0)), Some(seconds(10.0)));
        assert_eq!(clocks.deadline(), Some(now + seconds(10.0)));
        clocks.decided(0, seconds(3.0));
        assert_eq!((clocks.left(0, now), clocks.deadline()), (Some(seconds(9.0)), None));
        clocks.start(1, now);
        clocks.pause(seconds(4.0));
        assert_eq!(clocks.left(1, now + seconds(100.0)), Some(seconds(6.0)));
    }

    #[test]
    fn who_is_late_gets_nothing_more() {
        let mut clocks = Clocks::new(Clock::Fischer { seconds: 10.0, increment: 2.0 }, 2);
        clocks.decided(0, seconds(10.5));
        assert_eq!(clocks.left(0, Instant::now()), Some(Duration::ZERO));
    }

    #[test]
    fn time_for_a_move_does_not_add_up() {
        let now = Instant::now();
        let mut clocks = Clocks::new(Clock::Move { seconds: 5.0 }, 2);
        clocks.start(0, now);
        clocks.decided(0, seconds(4.0));
        assert_eq!(clocks.left(0, now), Some(seconds(5.0)));
        assert_eq!(Clocks::new(Clock::None {}, 2).left(0, now), None);
    }

    #[test]
    fn no_clock_runs_backwards() {
        for clock in [Clock::Move { seconds: -1.0 }, Clock::Fischer { seconds: 5.0, increment: f64::NAN }] {
            assert!(clock.check().is_err(), "{clock:?}");
        }
    }
}
