//! The transposition table (thesis 001, algorithm 3): what was found about a position, in 16 bytes.

use super::score::Score;

/// What a stored score says about the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// Of a score that a search with this window returned.
    #[inline]
    pub(super) fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score <= alpha {
            Bound::Upper
        } else if score >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// Whether a score with this bound answers a search with this window.
    #[inline]
    pub(super) fn answers(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// With plies to a win counted from the position.
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// How many plies were searched.
    pub(super) depth: u8,
    /// Holds for any depth: nothing in the search was guessed.
    pub(super) proven: bool,
    /// The code of the best action.
    pub(super) code: u32,
}

const WAYS: usize = 4;
const KEY_BITS: u32 = 40;
/// Searches are numbered from 1 in 13 bits.
const AGES: u64 = 1 << 13;

/// The first word holds 40 bits of the key, the depth, the bound, `proven` and the number of the
/// search; the second the score and the action. The place in the table adds to the bits of the
/// key: 14 with 1 MiB, 20 with 64 MiB.
type Packed = [u64; 2];

/// Buckets of four entries. In a full bucket the entry of an older search goes first, then the one
/// with the least depth.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Packed; WAYS]>,
    /// The number of this search.
    age: u64,
    /// Entries of searches before this one are forgotten.
    oldest: u64,
}

impl Table {
    /// At most so many bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Table {
        let buckets = (bytes / size_of::<[Packed; WAYS]>()).max(1);
        Table { buckets: vec![[[0; 2]; WAYS]; buckets], age: 1, oldest: 1 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<[Packed; WAYS]>()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.next_search();
        self.oldest = self.age;
    }

    /// Entries from now on are of a new search.
    pub(super) fn next_search(&mut self) {
        self.age += 1;
        if self.age == AGES {
            self.buckets.fill([[0; 2]; WAYS]);
            (self.age, self.oldest) = (1, 1);
        }
    }

    /// The bucket of a key, and the bits that tell it from other keys of the same bucket.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15); // some keys are small numbers
        let bucket = (u128::from(spread) * self.buckets.len() as u128) >> 64;
        (bucket as usize, spread & ((1 << KEY_BITS) - 1))
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let (bucket, check) = self.place(key);
        let matches = |&&[head, _]: &&Packed| head >> (64 - KEY_BITS) == check && head % AGES >= self.oldest;
        let &[head, body] = self.buckets[bucket].iter().find(matches)?;
        Some(Entry {
            score: (body >> 32) as u32 as Score,
            bound: match head >> 14 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: (head >> 16) as u8,
            proven: head >> 13 & 1 == 1,
            code: body as u32,
        })
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: &Entry) {
        let (bucket, check) = self.place(key);
        let (age, oldest) = (self.age, self.oldest);
        let worth = |head: u64| match head % AGES {
            entry_age if entry_age < oldest => 1,
            _ if head >> (64 - KEY_BITS) == check => 0,
            entry_age => 2 + (head >> 16 & 255) + 256 * u64::from(entry_age == age),
        };
        let places = &mut self.buckets[bucket];
        let place = places.iter_mut().min_by_key(|&&mut [head, _]| worth(head)).expect("a bucket has places");
        let head = check << (64 - KEY_BITS)
            | u64::from(entry.depth) << 16
            | (entry.bound as u64) << 14
            | u64::from(entry.proven) << 13
            | age;
        *place = [head, u64::from(entry.score as u32) << 32 | u64::from(entry.code)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, score: Score) -> Entry {
        Entry { score, bound: Bound::Lower, depth, proven: depth % 2 == 1, code: u32::MAX - 7 }
    }

    #[test]
    fn entries_come_back() {
        let mut table = Table::new(1 << 20);
        assert_eq!(table.bytes(), 1 << 20);
        for key in 0..1000 {
            table.put(key, &entry(key as u8, key as Score - 500));
        }
        for key in 0..1000 {
            assert_eq!(table.get(key), Some(entry(key as u8, key as Score - 500)), "{key}");
        }
        assert_eq!(table.get(1000), None);
        table.clear();
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn the_deep_stay_until_they_are_old() {
        let mut table = Table::new(1); // one bucket
        for depth in [9, 8, 7, 6, 2, 3] {
            table.put(depth, &entry(depth as u8, 0));
        }
        let kept = |table: &Table| (0..20).filter(|&key| table.get(key).is_some()).collect::<Vec<_>>();
        assert_eq!(kept(&table), [3, 7, 8, 9]);
        table.put(9, &entry(1, 0));
        assert_eq!(kept(&table), [3, 7, 8, 9], "one entry for each position");
        table.next_search();
        for depth in [10, 11, 12] {
            table.put(depth, &entry(0, 0));
        }
        assert_eq!(kept(&table), [8, 10, 11, 12]);
        table.clear();
        assert!(kept(&table).is_empty());
        for _ in 0..AGES {
            table.put(5, &entry(3, 0));
            table.next_search();
            table.put(6, &entry(2, 0));
        }
        assert!(kept(&table).contains(&6));
    }
}
