//! How often a client may ask for something.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::Instant;

use crate::hub::lock;

/// Fills up with time; every request takes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    /// A second.
    rate: f64,
    /// The most that it holds.
    burst: f64,
    level: f64,
    seen: Instant,
}

impl Bucket {
    /// Full.
    pub(crate) fn new(rate: f64, burst: f64, now: Instant) -> Bucket {
        Bucket { rate, burst, level: burst, seen: now }
    }

    /// Takes one, or says how many seconds it takes until there is one.
    pub(crate) fn take(&mut self, now: Instant) -> Result<(), f64> {
        let passed = now.saturating_duration_since(self.seen).as_secs_f64();
        self.level = (self.level + passed * self.rate).min(self.burst);
        self.seen = now;
        if self.level >= 1.0 {
            self.level -= 1.0;
            return Ok(());
        }
        Err((1.0 - self.level) / self.rate)
    }

    fn is_full(&self, now: Instant) -> bool {
        self.level + now.saturating_duration_since(self.seen).as_secs_f64() * self.rate >= self.burst
    }
}

/// A bucket for every client.
#[derive(Debug)]
pub(crate) struct Limits<K> {
    rate: f64,
    burst: f64,
    buckets: Mutex<HashMap<K, Bucket>>,
}

/// Clients that are remembered before the quiet ones are forgotten.
const REMEMBERED: usize = 10_000;

impl<K: Eq + Hash> Limits<K> {
    pub(crate) fn new(rate: f64, burst: f64) -> Limits<K> {
        Limits { rate, burst, buckets: Mutex::default() }
    }

    /// As [`Bucket::take`] for this client.
    pub(crate) fn take(&self, client: K) -> Result<(), f64> {
        let now = Instant::now();
        let mut buckets = lock(&self.buckets);
        if buckets.len() > REMEMBERED {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        buckets.entry(client).or_insert_with(|| Bucket::new(self.rate, self.burst, now)).take(now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let now = Instant::now();
        let mut bucket = Bucket::new(2.0, 3.0, now);
        assert!((0..3).all(|_| bucket.take(now).is_ok()));
        assert_eq!(bucket.take(now), Err(0.5));
        assert_eq!(bucket.take(now + Duration::from_millis(500)), Ok(()));
        assert!(bucket.take(now + Duration::from_millis(500)).is_err());
        assert!((0..3).all(|_| bucket.take(now + Duration::from_secs(60)).is_ok()));
        assert!(bucket.take(now + Duration::from_secs(60)).is_err(), "it holds no more than its burst");
    }

    #[test]
    fn clients_do_not_share() {
        let limits = Limits::new(1.0, 1.0);
        assert!(limits.take("a").is_ok() && limits.take("b").is_ok() && limits.take("a").is_err());
    }
}
