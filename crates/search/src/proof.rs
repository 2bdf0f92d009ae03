//! Results under best play, for any number of players.
//!
//! A node keeps its result as one byte. It is proven when the game is over there, or when every
//! legal action has a proven child: then the best one for the player to move decides. Between two
//! sides with opposite payoffs a child that is proven to pay that player as much as possible is
//! enough. If several are best for the player and pay the others differently, nothing is proven.

use std::sync::{Mutex, OnceLock};

use meeple_core::{GameInfo, PayoffSum, Payoffs, Player};

/// The highest payoff there is.
const WIN: f32 = 1.0;
/// The lowest payoff there is.
const LOSS: f32 = -1.0;
/// Distinct results that a byte can tell apart from nothing.
const MOST: usize = 255;

/// What is proven about a node: one of the results that [`Proofs`] knows, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proof(u8);

impl Proof {
    pub(crate) const UNKNOWN: Proof = Proof(0);

    #[inline]
    pub(crate) fn is_known(self) -> bool {
        self != Proof::UNKNOWN
    }

    /// As a node keeps it: 0 if nothing is proven.
    #[inline]
    pub(crate) fn byte(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) fn from_byte(byte: u8) -> Proof {
        Proof(byte)
    }
}

/// The few distinct payoffs that games end with. Threads can share it.
#[derive(Debug)]
pub(crate) struct Proofs {
    results: Box<[OnceLock<Payoffs>]>,
    /// Held while a result is added.
    adding: Mutex<()>,
    /// Whether a win of one player settles what the others get.
    two_sided: bool,
}

impl Proofs {
    pub(crate) fn new(info: &GameInfo) -> Proofs {
        let two_sided = info.teams == 2 && info.payoff_sum != PayoffSum::General;
        Proofs { results: (0..MOST).map(|_| OnceLock::new()).collect(), adding: Mutex::new(()), two_sided }
    }

    /// Whether a child with this result settles that of a node where `mover` is to move.
    #[inline]
    pub(crate) fn settles(&self, child: Proof, mover: Player) -> bool {
        self.two_sided && self.payoffs(child).is_some_and(|payoffs| payoffs[mover] >= WIN)
    }

    /// The result of a finished game. Unknown if there are too many different ones.
    pub(crate) fn of(&self, payoffs: &Payoffs) -> Proof {
        let payoffs = payoffs.map(|payoff| payoff + 0.0); // -0 is 0
        let known = self.find(&payoffs);
        if known.is_known() { known } else { self.add(payoffs) }
    }

    /// The payoffs of all seats, if they are proven.
    #[inline]
    pub(crate) fn payoffs(&self, proof: Proof) -> Option<&Payoffs> {
        self.results[usize::from(proof.0).checked_sub(1)?].get()
    }

    /// Whether a node is proven to pay a player as little as possible.
    #[inline]
    pub(crate) fn is_loss(&self, proof: Proof, player: Player) -> bool {
        self.payoffs(proof).is_some_and(|payoffs| payoffs[player] <= LOSS)
    }

    fn find(&self, payoffs: &Payoffs) -> Proof {
        let known = self.results.iter().map_while(OnceLock::get).position(|known| known == payoffs);
        known.map_or(Proof::UNKNOWN, |place| Proof(place as u8 + 1))
    }

    fn add(&self, payoffs: Payoffs) -> Proof {
        let _adding = self.adding.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let free = self.results.iter().find(|result| result.get().is_none());
        if let (Proof::UNKNOWN, Some(free)) = (self.find(&payoffs), free) {
            free.get_or_init(|| payoffs);
        }
        self.find(&payoffs)
    }
}

/// Gathers the results of the children of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    mover: Player,
    /// Of the best proven child for the mover.
    payoff: f32,
    proof: Proof,
    /// Whether others are as good for the mover and differ for the rest.
    ambiguous: bool,
    unknown: bool,
    /// Whether one child is enough.
    settled: bool,
}

impl Best {
    /// For a node where `mover` is to move.
    pub(crate) fn new(mover: Player) -> Best {
        Best {
            mover,
            payoff: f32::NEG_INFINITY,
            proof: Proof::UNKNOWN,
            ambiguous: false,
            unknown: false,
            settled: false,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, proofs: &Proofs, child: Proof) {
        let Some(payoffs) = proofs.payoffs(child) else {
            self.unknown = true;
            return;
        };
        let payoff = payoffs[self.mover];
        self.settled |= proofs.settles(child, self.mover);
        if payoff > self.payoff {
            (self.payoff, self.proof, self.ambiguous) = (payoff, child, false);
        } else if payoff == self.payoff && child != self.proof {
            self.ambiguous = true;
        }
    }

    /// The result of the node; `complete` says that every legal action has been added.
    pub(crate) fn result(&self, complete: bool) -> Proof {
        let decided = self.settled || complete && !self.unknown;
        if decided && !self.ambiguous { self.proof } else { Proof::UNKNOWN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::zero_sum;

    fn two_sided() -> Proofs {
        Proofs::new(&GameInfo::two_player("", 1))
    }

    fn among_three() -> Proofs {
        Proofs::new(&GameInfo { players: 3, teams: 3, payoff_sum: PayoffSum::General, ..GameInfo::two_player("", 1) })
    }

    fn result(proofs: &Proofs, mover: Player, children: &[Proof], complete: bool) -> Proof {
        let mut best = Best::new(mover);
        children.iter().for_each(|&child| best.add(proofs, child));
        best.result(complete)
    }

    #[test]
    fn equal_payoffs_are_one_result() {
        let proofs = two_sided();
        let (win, draw) = (proofs.of(&zero_sum(1.0)), proofs.of(&zero_sum(0.0)));
        assert_ne!(win, draw);
        assert_eq!(proofs.of(&zero_sum(1.0)), win);
        assert_eq!(proofs.of(&[-0.0; 6]), draw);
        assert_eq!(proofs.payoffs(win), Some(&zero_sum(1.0)));
        assert_eq!(proofs.payoffs(Proof::UNKNOWN), None);
        assert_eq!(Proof::from_byte(win.byte()), win);
    }

    #[test]
    fn too_many_results_are_unknown() {
        let proofs = two_sided();
        let result = |number: usize| proofs.of(&zero_sum(number as f32 / 1000.0));
        assert!((0..MOST).all(|number| result(number).is_known()));
        assert!(!result(MOST).is_known());
        assert_eq!(proofs.payoffs(result(MOST - 1)), Some(&zero_sum(0.254)));
    }

    #[test]
    fn two_players_have_wins_losses_and_draws() {
        let proofs = two_sided();
        let [win, draw, loss] = [1.0, 0.0, -1.0].map(|first| proofs.of(&zero_sum(first)));
        let unknown = Proof::UNKNOWN;
        assert!(proofs.settles(win, 0) && proofs.is_loss(win, 1) && !proofs.settles(draw, 0));
        assert!(!proofs.settles(unknown, 0) && !proofs.is_loss(unknown, 0));
        for (mover, children, complete, expected) in [
            (0, vec![loss, win], false, win),
            (1, vec![loss, unknown], false, loss),
            (0, vec![loss, draw], true, draw),
            (0, vec![loss, draw], false, unknown),
            (0, vec![loss, draw, unknown], true, unknown),
            (0, vec![loss, loss], true, loss),
            (1, vec![win, win], true, win),
            (0, vec![], false, unknown),
        ] {
            assert_eq!(result(&proofs, mover, &children, complete), expected, "{mover} {children:?} {complete}");
        }
    }

    #[test]
    fn what_the_others_get_must_be_certain() {
        let proofs = among_three();
        let [a, b, c] = [[0.0, 1.0, -1.0], [0.0, -1.0, 1.0], [-1.0, 1.0, 0.0]]
            .map(|[x, y, z]| proofs.of(&[x, y, z, 0.0, 0.0, 0.0]));
        assert_eq!(result(&proofs, 0, &[a, b, c], true), Proof::UNKNOWN);
        assert_eq!(result(&proofs, 0, &[a, c, a], true), a);
        assert_eq!(result(&proofs, 2, &[a, b, c], true), b);
        assert_eq!(result(&proofs, 2, &[b], false), Proof::UNKNOWN, "another win may pay the others differently");
        assert_eq!(result(&proofs, 2, &[b, Proof::UNKNOWN], true), Proof::UNKNOWN);
    }

    #[test]
    fn threads_agree_on_the_numbers() {
        let proofs = two_sided();
        let numbers = || (0..200).map(|number| proofs.of(&zero_sum((number % 40) as f32 / 40.0))).collect::<Vec<_>>();
        let (here, there) = std::thread::scope(|scope| {
            let other = scope.spawn(numbers);
            (numbers(), other.join().unwrap())
        });
        assert_eq!(here, there);
    }
}
