//! Keys of plain values: the same for equal values, in every version and on every 64-bit machine.

use std::hash::{Hash, Hasher};

use crate::rng::mix;

/// A key of 64 bits from a derived hash. Where it is hot, a game mixes its fields by hand.
pub fn key_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = KeyHasher(0);
    value.hash(&mut hasher);
    hasher.finish()
}

struct KeyHasher(u64);

impl KeyHasher {
    fn add(&mut self, word: u64) {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
    }
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.add(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A search that was recorded is repeated with the same keys.
    #[test]
    fn keys_stay_the_same() {
        assert_eq!(key_of(&(3u8, [1u16, 2], Some(7u64))), 8_624_020_579_927_540_412);
    }

    #[test]
    fn near_values_have_different_keys() {
        let keys: HashSet<u64> = (0..100u32).flat_map(|a| (0..100u32).map(move |b| key_of(&[a, b]))).collect();
        assert_eq!(keys.len(), 10_000);
    }
}
