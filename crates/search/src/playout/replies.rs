//! The last good reply, with forgetting (Drake 2009; Baier and Drake 2010).
//!
//! A reply to the one or two actions before it is remembered while its player does well with it,
//! and forgotten when it fails.

use meeple_core::rng::mix;
use meeple_core::{Payoffs, Player};

/// Entries of the table: 16 bytes each.
const TABLE: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Replies {
    /// Actions that a reply answers: 1, or up to 2.
    length: usize,
    /// More than this is a success: halfway between the lowest and the highest reward.
    success: f32,
    /// By key modulo its length.
    table: Vec<Entry>,
    /// Counts searches: entries of earlier ones are as good as empty.
    search: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    key: u64,
    search: u32,
    reply: u32,
}

impl Replies {
    pub(super) fn new(length: usize, (lowest, highest): (f64, f64)) -> Replies {
        Replies { length, success: (0.5 * (lowest + highest)) as f32, table: vec![Entry::default(); TABLE], search: 1 }
    }

    pub(super) fn new_search(&mut self) {
        self.search += 1;
    }

    /// The codes of remembered replies to the end of a history, those to longer sequences first.
    pub(super) fn to(&self, history: &[(Player, u32)], player: Player) -> impl Iterator<Item = u32> {
        let most = self.length.min(history.len());
        (1..=most).rev().filter_map(move |length| {
            let key = self.key(&history[history.len() - length..], player);
            let entry = self.table[key as usize % TABLE];
            (entry.key == key && entry.search == self.search).then_some(entry.reply)
        })
    }

    pub(super) fn learn(&mut self, history: &[(Player, u32)], rewards: &Payoffs) {
        for place in 1..history.len() {
            let (player, code) = history[place];
            for length in 1..=self.length.min(place) {
                let key = self.key(&history[place - length..place], player);
                let good = Entry { key, search: self.search, reply: code };
                let entry = &mut self.table[key as usize % TABLE];
                if rewards[player] > self.success {
                    *entry = good;
                } else if *entry == good {
                    *entry = Entry::default();
                }
            }
        }
    }

    fn key(&self, before: &[(Player, u32)], player: Player) -> u64 {
        let start = mix((before.len() as u64) << 4 | player as u64);
        before.iter().fold(start, |key, &(_, code)| mix(key ^ u64::from(code)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_replies_are_kept_until_they_fail() {
        let mut replies = Replies::new(2, (-1.0, 1.0));
        let history = [(0, 5), (1, 6), (0, 7)];
        let found =
            |replies: &Replies, before: &[(Player, u32)], player| replies.to(before, player).collect::<Vec<_>>();
        replies.learn(&history, &[1.0, -1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(found(&replies, &history[..2], 0), [7, 7], "to two actions and to one");
        assert_eq!(found(&replies, &history[..1], 1), Vec::<u32>::new(), "the second player lost");
        assert_eq!(found(&replies, &history[1..2], 0), [7]);
        replies.learn(&[(1, 6), (0, 7)], &[-1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(found(&replies, &history[1..2], 0), Vec::<u32>::new(), "it failed");
        assert_eq!(found(&replies, &history[..2], 0), [7], "the longer one was not tried");
        replies.new_search();
        assert_eq!(found(&replies, &history[..2], 0), Vec::<u32>::new());
    }
}
