//! What was said in the two rounds, and what it cost.

use meeple_core::Player;

const ANTE: u32 = 1;
/// Chips of a raise in each round.
const RAISES: [u32; 2] = [2, 4];
const MOST_RAISES: usize = 2;
/// Call, raise, raise, call.
pub(super) const LONGEST_ROUND: usize = 4;

/// Calling nothing is checking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    Fold,
    Call,
    Raise,
}

impl Choice {
    pub(super) const ALL: [Choice; 3] = [Choice::Fold, Choice::Call, Choice::Raise];

    pub(super) fn word(self) -> &'static str {
        ["fold", "call", "raise"][self as usize]
    }
}

/// One round. Seat 0 speaks first, then they alternate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Round([Option<Choice>; LONGEST_ROUND]);

impl Round {
    fn spoken(&self) -> impl Iterator<Item = Choice> + '_ {
        self.0.iter().map_while(|&choice| choice)
    }

    fn len(&self) -> usize {
        self.spoken().count()
    }

    fn raises(&self) -> usize {
        self.spoken().filter(|&choice| choice == Choice::Raise).count()
    }

    /// Both have spoken and the last called.
    fn is_called(&self) -> bool {
        self.len() >= 2 && self.spoken().last() == Some(Choice::Call)
    }

    fn folded(&self) -> Option<Player> {
        (self.spoken().last() == Some(Choice::Fold)).then(|| (self.len() - 1) % 2)
    }

    /// Raises that each player has paid.
    fn paid(&self) -> [u32; 2] {
        let mut paid = [0; 2];
        let mut level = 0;
        for (number, choice) in self.spoken().enumerate() {
            level += u32::from(choice == Choice::Raise);
            if choice != Choice::Fold {
                paid[number % 2] = level;
            }
        }
        paid
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Betting([Round; 2]);

impl Betting {
    /// Whether the first round was called; the public card is due or lies.
    pub(super) fn is_second_round(&self) -> bool {
        self.0[0].is_called()
    }

    pub(super) fn is_showdown(&self) -> bool {
        self.0[1].is_called()
    }

    pub(super) fn folded(&self) -> Option<Player> {
        self.0[0].folded().or(self.0[1].folded())
    }

    fn round(&self) -> usize {
        usize::from(self.is_second_round())
    }

    /// Who speaks next, after the public card if it is due.
    pub(super) fn mover(&self) -> Option<Player> {
        let over = self.folded().is_some() || self.is_showdown();
        (!over).then(|| self.0[self.round()].len() % 2)
    }

    pub(super) fn choices(&self) -> impl Iterator<Item = Choice> + use<> {
        let round = self.0[self.round()];
        let over = self.mover().is_none();
        Choice::ALL.into_iter().filter(move |choice| match choice {
            _ if over => false,
            Choice::Fold => round.spoken().last() == Some(Choice::Raise),
            Choice::Call => true,
            Choice::Raise => round.raises() < MOST_RAISES,
        })
    }

    pub(super) fn push(&mut self, choice: Choice) {
        let round = self.round();
        let place = self.0[round].0.iter_mut().find(|place| place.is_none());
        *place.expect("the round is not over") = Some(choice);
    }

    /// Chips that each player has put in.
    pub(super) fn chips(&self) -> [u32; 2] {
        let paid = self.0.map(|round| round.paid());
        [0, 1].map(|seat| ANTE + (0..2).map(|round| RAISES[round] * paid[round][seat]).sum::<u32>())
    }

    pub(super) fn spoken(&self) -> [Vec<Choice>; 2] {
        self.0.map(|round| round.spoken().collect())
    }

    pub(super) fn words(&self) -> [Vec<&'static str>; 2] {
        self.spoken().map(|choices| choices.into_iter().map(Choice::word).collect())
    }

    /// Different for different betting.
    pub(super) fn key(&self) -> u64 {
        let places = self.0.iter().flat_map(|round| round.0);
        places.fold(0, |key, place| key << 2 | place.map_or(3, |choice| choice as u64))
    }
}
