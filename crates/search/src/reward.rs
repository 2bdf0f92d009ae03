//! What the end of a game is worth to a search (thesis 002, section 5.3).

use meeple_core::{Game, Margins, Payoffs};

/// How much winning counts in [`Reward::Hybrid`], against the margin.
const WIN_SHARE: f32 = 0.9;

/// Exploration acts on the scale of the reward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// The game's payoffs, in -1..=1.
    #[default]
    Win,
    /// The payoffs moved to 0..=1.
    Positive,
    /// Own score against the others', on the game's own scale.
    Difference,
    /// The difference in the steps -4, -2, -1, 0, 1, 2, 4.
    Steps,
    /// The payoff first; among equals the difference. In -1..=1.
    Hybrid,
}

impl Reward {
    /// Whether the reward looks at scores, which not every game has.
    pub fn needs_margins(self) -> bool {
        matches!(self, Reward::Difference | Reward::Steps | Reward::Hybrid)
    }

    /// The rewards of all seats at the end of a game. Payoffs that were guessed before the end go
    /// through [`Reward::of_payoffs`].
    #[inline]
    pub(crate) fn at_end<G: Game>(self, game: &G, state: &G::State, payoffs: &Payoffs) -> Payoffs {
        match self {
            Reward::Win | Reward::Positive => self.of_payoffs(game, payoffs),
            Reward::Difference => margins(game).difference(game, state),
            Reward::Steps => margins(game).steps(game, state),
            Reward::Hybrid => {
                let largest = margins(game).largest(game);
                let mut rewards = margins(game).difference(game, state);
                for (reward, &payoff) in rewards.iter_mut().zip(payoffs) {
                    *reward = WIN_SHARE * payoff + (1.0 - WIN_SHARE) * *reward / largest;
                }
                rewards
            }
        }
    }

    /// The rewards that belong to expected payoffs.
    #[inline]
    pub(crate) fn of_payoffs<G: Game>(self, game: &G, payoffs: &Payoffs) -> Payoffs {
        match self {
            Reward::Win | Reward::Hybrid => *payoffs,
            Reward::Positive => payoffs.map(|payoff| 0.5 + 0.5 * payoff),
            Reward::Steps => payoffs.map(|payoff| 4.0 * payoff),
            Reward::Difference => {
                let largest = margins(game).largest(game);
                payoffs.map(|payoff| largest * payoff)
            }
        }
    }

    /// The lowest and the highest reward.
    pub(crate) fn range<G: Game>(self, game: &G) -> (f64, f64) {
        match self {
            Reward::Win | Reward::Hybrid => (-1.0, 1.0),
            Reward::Positive => (0.0, 1.0),
            Reward::Steps => (-4.0, 4.0),
            Reward::Difference => {
                let largest = f64::from(margins(game).largest(game));
                (-largest, largest)
            }
        }
    }
}

fn margins<G: Game>(game: &G) -> &dyn Margins<G> {
    game.margins().expect("a search with this reward is only made for games with margins")
}
