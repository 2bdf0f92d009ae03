//! Trick-taking with a trump suit once more, slowly and in plain words, to hold the games against.

/// Ranks from the strongest to the weakest, for comparison and card points.
pub(crate) struct Ranks(pub(crate) &'static str);

impl Ranks {
    fn place(&self, card: &str) -> usize {
        self.0.find(&card[..1]).unwrap()
    }

    pub(crate) fn points(&self, card: &str) -> u32 {
        [11, 10, 4, 3, 2].get(self.place(card)).copied().unwrap_or(0)
    }

    /// The position of the winning card: the highest trump, else the highest of the suit led.
    pub(crate) fn winner(&self, trick: &[String], trump: &str) -> usize {
        let trumps = trick.iter().any(|card| suit(card) == trump);
        let deciding = if trumps { trump } else { suit(&trick[0]) };
        (0..trick.len()).filter(|&i| suit(&trick[i]) == deciding).min_by_key(|&i| self.place(&trick[i])).unwrap()
    }
}

pub(crate) fn suit(card: &str) -> &str {
    &card[1..]
}

/// What may be played: the suit led if there is any of it.
pub(crate) fn legal(hand: &[String], trick: &[String], must_follow: bool) -> Vec<String> {
    let following: Vec<String> =
        hand.iter().filter(|card| trick.first().is_some_and(|led| suit(led) == suit(card))).cloned().collect();
    if must_follow && !following.is_empty() { following } else { hand.to_vec() }
}

pub(crate) fn sorted(mut cards: Vec<String>) -> Vec<String> {
    cards.sort();
    cards
}
