//! What good play looks like: positions with expected actions, and behaviours that show in played games.

use serde::Serialize;

use crate::{Game, Rng};

/// Draws the positions of a suite.
pub type Cases<G> = fn(&G, &mut Rng) -> Vec<Case<<G as Game>::State, <G as Game>::Action>>;

/// A set of positions that tests one ability.
pub struct Suite<G: Game> {
    pub name: &'static str,
    pub about: &'static str,
    /// What counts as a success, where that is defined.
    pub bands: Option<Bands>,
    /// The positions; whatever is left to chance in them is drawn anew with each call.
    pub cases: Cases<G>,
}

impl<G: Game> std::fmt::Debug for Suite<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suite").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A position with a player to move, and what that player should do.
#[derive(Clone, Debug)]
pub struct Case<S, A> {
    pub name: String,
    pub position: S,
    /// Legal actions; each of them is right.
    pub expected: Vec<A>,
    /// Turns played before the position.
    pub turns: u32,
}

/// How metrics of a suite are rated.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bands {
    /// Of values of expected actions, from worst to best for the mover.
    pub value: &'static [Band],
    /// Of the share of the policy that expected actions have.
    pub policy: &'static [Band],
}

/// Metrics above the band before and up to `to` have this rating.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Band {
    pub to: f64,
    /// Whether `to` itself belongs to the band.
    pub closed: bool,
    pub rating: Rating,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    Unsuccessful,
    Acceptable,
    Successful,
}

/// The rating of a metric; beyond the last band that of the last.
pub fn rate(bands: &[Band], metric: f64) -> Option<Rating> {
    let inside = |band: &&Band| metric < band.to || (band.closed && metric == band.to);
    bands.iter().find(inside).or(bands.last()).map(|band| band.rating)
}

/// Something that a player does well or badly whenever there is an occasion.
pub trait Behaviour<G: Game>: Send + Sync {
    /// Whether an action of the viewer, who is to move, was good in this respect; `None` if there was no
    /// occasion.
    fn judge(&self, game: &G, view: &G::View, action: G::Action) -> Option<bool>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_include_the_ends_they_say() {
        let bands = [
            Band { to: -0.8, closed: false, rating: Rating::Unsuccessful },
            Band { to: 0.0, closed: true, rating: Rating::Successful },
            Band { to: 4.0, closed: true, rating: Rating::Acceptable },
        ];
        for (metric, rating) in [
            (-4.0, Rating::Unsuccessful),
            (-0.8, Rating::Successful),
            (0.0, Rating::Successful),
            (0.001, Rating::Acceptable),
            (5.0, Rating::Acceptable),
        ] {
            assert_eq!(rate(&bands, metric), Some(rating), "{metric}");
        }
        assert_eq!(rate(&[], 0.0), None);
    }
}
