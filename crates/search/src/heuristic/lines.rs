//! How near a player is to completing lines.

use meeple_core::Sites;

#[derive(Clone, Debug)]
pub(super) struct Lines {
    lines: Vec<Sites>,
    /// Weighted, by the number of own pieces.
    worth: Vec<f32>,
    /// All lines lie in the first word.
    one_word: bool,
}

impl Lines {
    pub(super) fn new(lines: &[Sites], weight: f32) -> Lines {
        let length = lines.first().map_or(0, |line| line.count());
        let share = |pieces: u32| pieces as f32 / length as f32;
        Lines {
            lines: lines.to_vec(),
            worth: (0..=length).map(|pieces| weight * share(pieces) * share(pieces)).collect(),
            one_word: lines.iter().all(|line| line.0[1..] == [0; 3]),
        }
    }

    /// The sum over the lines in which the player stands alone.
    pub(super) fn value(&self, own: Sites, others: Sites) -> f32 {
        if self.one_word { self.sum::<1>(own, others) } else { self.sum::<4>(own, others) }
    }

    fn sum<const WORDS: usize>(&self, own: Sites, others: Sites) -> f32 {
        let pieces =
            |line: &Sites, set: Sites| -> [u64; WORDS] { std::array::from_fn(|word| line.0[word] & set.0[word]) };
        let mut sum = 0.0;
        for line in &self.lines {
            let filled = pieces(line, own);
            if filled != [0; WORDS] && pieces(line, others) == [0; WORDS] {
                sum += self.worth[filled.iter().map(|word| word.count_ones() as usize).sum::<usize>()];
            }
        }
        sum
    }
}
