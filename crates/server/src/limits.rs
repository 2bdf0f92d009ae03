//! How often a client may ask for something, and how much it may have at a time. A client is an address.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::error::ApiError;
use crate::hub::lock;
use crate::settings::Settings;

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
        // One that holds less than one request would never give any.
        let burst = burst.max(1.0);
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

/// Things of which each client may have so many at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// One of them, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    places: Places,
    client: IpAddr,
}

impl Places {
    /// `None` if the client has `most` already.
    pub(crate) fn take(&self, client: IpAddr, most: usize) -> Option<Place> {
        let mut taken = lock(&self.taken);
        if taken.get(&client).copied().unwrap_or(0) >= most {
            return None;
        }
        *taken.entry(client).or_default() += 1;
        Some(Place { places: self.clone(), client })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.places.taken);
        if let Some(count) = taken.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.client);
            }
        }
    }
}

/// Games that are not over, and the agents in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) tables: usize,
    pub(crate) agents: usize,
}

/// What all clients hold.
#[derive(Debug, Default)]
pub(crate) struct Holdings {
    all: Held,
    clients: HashMap<IpAddr, Held>,
}

impl Holdings {
    /// Whether there may be so much more.
    pub(crate) fn check(&self, client: Option<IpAddr>, more: Held, settings: &Settings) -> Result<(), ApiError> {
        let own = client.and_then(|client| self.clients.get(&client)).copied().unwrap_or_default();
        let complaint = if self.all.tables + more.tables > settings.most_tables {
            "there are too many tables"
        } else if client.is_some() && own.tables + more.tables > settings.tables {
            "this address has too many tables that are not over"
        } else if client.is_some() && own.agents + more.agents > settings.agents {
            "this address has too many agents at its tables"
        } else {
            return Ok(());
        };
        Err(ApiError::too_many(complaint, 60))
    }

    pub(crate) fn add_all(&mut self, more: &[(Option<IpAddr>, Held)]) {
        more.iter().for_each(|&(client, more)| self.add(client, more));
    }

    pub(crate) fn remove_all(&mut self, less: &[(Option<IpAddr>, Held)]) {
        less.iter().for_each(|&(client, less)| self.remove(client, less));
    }

    fn add(&mut self, client: Option<IpAddr>, more: Held) {
        for held in [Some(&mut self.all), client.map(|client| self.clients.entry(client).or_default())] {
            let Some(held) = held else { continue };
            held.tables += more.tables;
            held.agents += more.agents;
        }
    }

    fn remove(&mut self, client: Option<IpAddr>, less: Held) {
        let own = client.and_then(|client| self.clients.get_mut(&client));
        for held in [Some(&mut self.all), own].into_iter().flatten() {
            held.tables = held.tables.saturating_sub(less.tables);
            held.agents = held.agents.saturating_sub(less.agents);
        }
        if let Some(client) = client.filter(|client| self.clients.get(client) == Some(&Held::default())) {
            self.clients.remove(&client);
        }
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
    fn a_client_holds_so_much_and_no_more() {
        let settings = Settings { most_tables: 3, tables: 2, agents: 3, ..Settings::default() };
        let [ann, bob]: [IpAddr; 2] = [[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
        let mut holdings = Holdings::default();
        let game = |agents| Held { tables: 1, agents };
        assert!(holdings.check(Some(ann), game(4), &settings).is_err(), "too many agents");
        holdings.add(Some(ann), game(2));
        holdings.add(Some(ann), game(0));
        assert!(holdings.check(Some(ann), game(0), &settings).is_err(), "too many tables of one");
        assert!(holdings.check(Some(bob), game(3), &settings).is_ok());
        holdings.add(Some(bob), game(3));
        assert!(holdings.check(None, game(0), &settings).is_err(), "too many tables of all");
        holdings.remove(Some(ann), game(2));
        holdings.remove(Some(ann), game(0));
        holdings.remove(Some(bob), game(3));
        assert!(holdings.clients.is_empty() && holdings.all == Held::default());
    }

    #[test]
    fn a_place_is_free_when_it_is_dropped() {
        let (places, client) = (Places::default(), [127, 0, 0, 1].into());
        let first = places.take(client, 1);
        assert!(first.is_some() && places.take(client, 1).is_none());
        drop(first);
        assert!(places.take(client, 1).is_some() && places.taken.lock().unwrap().is_empty());
    }

    #[test]
    fn clients_do_not_share() {
        let limits = Limits::new(1.0, 1.0);
        assert!(limits.take("a").is_ok() && limits.take("b").is_ok() && limits.take("a").is_err());
    }
}
