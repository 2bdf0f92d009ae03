//! The most recent samples.

use std::collections::VecDeque;

use super::Sample;

/// How far back a window reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The last so many samples.
    Positions(usize),
    /// All samples of the last so many sessions of self-play.
    Sessions(usize),
}

/// Samples of the last sessions, the oldest first.
#[derive(Clone, Debug)]
pub struct Window {
    extent: Extent,
    samples: VecDeque<Sample>,
    /// How many of the samples belong to each session, the oldest first.
    sessions: VecDeque<usize>,
}

impl Window {
    pub fn new(extent: Extent) -> Window {
        Window { extent, samples: VecDeque::new(), sessions: VecDeque::new() }
    }

    /// Adds the samples of a session and drops what is out of reach.
    pub fn add(&mut self, session: Vec<Sample>) {
        self.sessions.push_back(session.len());
        self.samples.extend(session);
        self.trim();
    }

    /// Reaches another way back; what was dropped does not return.
    pub fn set_extent(&mut self, extent: Extent) {
        self.extent = extent;
        self.trim();
    }

    pub fn clear(&mut self) {
        self.samples.clear();
        self.sessions.clear();
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Sessions of which there are samples.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// The oldest first.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = &Sample> + Clone {
        self.samples.iter()
    }

    fn trim(&mut self) {
        match self.extent {
            Extent::Sessions(most) => {
                while self.sessions.len() > most {
                    let oldest = self.sessions.pop_front().unwrap_or(0);
                    self.samples.drain(..oldest);
                }
            }
            Extent::Positions(most) => self.drop_oldest(self.samples.len().saturating_sub(most)),
        }
    }

    fn drop_oldest(&mut self, count: usize) {
        self.samples.drain(..count);
        let mut left = count;
        while let Some(oldest) = self.sessions.front_mut().filter(|_| left > 0) {
            let dropped = left.min(*oldest);
            left -= dropped;
            *oldest -= dropped;
            if *oldest == 0 {
                self.sessions.pop_front();
            }
        }
    }
}
