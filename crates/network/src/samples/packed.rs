//! Inputs are mostly zeros and ones.

/// Floats without loss: two bits for each, and those that are neither 0 nor 1 as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    length: u32,
    /// Which are not 0, which of these are 1, the bits of the others in order.
    words: Box<[u32]>,
}

const ONE: u32 = 1.0f32.to_bits();

impl Packed {
    pub fn new(values: &[f32]) -> Packed {
        let masks = values.len().div_ceil(32);
        let mut words = vec![0; 2 * masks];
        for (place, bits) in values.iter().map(|value| value.to_bits()).enumerate() {
            let bit = 1 << (place % 32);
            match bits {
                0 => {}
                ONE => {
                    words[place / 32] |= bit;
                    words[masks + place / 32] |= bit;
                }
                _ => {
                    words[place / 32] |= bit;
                    words.push(bits);
                }
            }
        }
        Packed { length: values.len() as u32, words: words.into() }
    }

    /// The number of floats.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Overwrites `values`, which has the same length.
    pub fn unpack(&self, values: &mut [f32]) {
        assert_eq!(values.len(), self.len(), "the input has another length");
        let masks = self.len().div_ceil(32);
        let (nonzeros, rest) = self.words.split_at(masks);
        let (ones, others) = rest.split_at(masks);
        let mut others = others.iter();
        for ((part, &nonzeros), &ones) in values.chunks_mut(32).zip(nonzeros).zip(ones) {
            part.fill(0.0);
            let mut left = nonzeros;
            while left != 0 {
                let place = left.trailing_zeros();
                let other = if ones >> place & 1 == 1 { None } else { others.next() };
                part[place as usize] = other.map_or(1.0, |&bits| f32::from_bits(bits));
                left &= left - 1;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// How many words there are behind the masks.
    pub(super) fn others(length: usize, masks: &[u32]) -> usize {
        let (nonzeros, ones) = masks.split_at(length.div_ceil(32));
        nonzeros.iter().zip(ones).map(|(nonzeros, ones)| (nonzeros & !ones).count_ones() as usize).sum()
    }

    /// `None` if these are not the words of so many finite floats.
    pub(super) fn from_words(length: usize, words: Box<[u32]>) -> Option<Packed> {
        let masks = length.div_ceil(32);
        let (nonzeros, rest) = words.split_at_checked(masks)?;
        let (ones, others) = rest.split_at_checked(masks)?;
        let beyond = if length.is_multiple_of(32) { 0 } else { u32::MAX << (length % 32) };
        let fits = others.len() == Packed::others(length, &words[..2 * masks])
            && nonzeros.last().is_none_or(|last| last & beyond == 0)
            && ones.iter().zip(nonzeros).all(|(ones, nonzeros)| ones & !nonzeros == 0)
            && others.iter().all(|&bits| f32::from_bits(bits).is_finite());
        fits.then_some(Packed { length: length as u32, words })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = f32> {
        prop_oneof![4 => Just(0.0), 4 => Just(1.0), 1 => Just(-0.0), 1 => Just(f32::NAN), 2 => any::<f32>()]
    }

    proptest! {
        #[test]
        fn nothing_is_lost(values in prop::collection::vec(value(), 0..200)) {
            let packed = Packed::new(&values);
            let mut unpacked = vec![7.0; values.len()];
            packed.unpack(&mut unpacked);
            let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&unpacked), bits(&values));
        }
    }

    #[test]
    fn zeros_and_ones_take_two_bits() {
        let values: Vec<f32> = (0..320).map(|place| f32::from(u8::from(place % 3 == 0))).collect();
        assert_eq!(Packed::new(&values).bytes(), 80);
    }
}
