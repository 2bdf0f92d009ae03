//! Tuning: which settings of an agent win most against a given opponent.
//!
//! The candidates are the points of a grid. Sequential halving (Karnin, Koren and Somekh 2013) divides
//! the games: in every round each candidate that is left plays the same deals, then the worse half
//! retires. The best of many noisy scores flatters, so the winner is measured again on other deals.

mod space;

use serde::Serialize;

pub use space::{Space, SpaceError};

use crate::{Estimate, MatchResult, MatchSettings};

#[derive(Clone, Debug)]
pub struct TuneSettings {
    pub space: Space,
    /// The opponent of all candidates.
    pub against: String,
    /// For all candidates together, without the last measurement.
    pub games: u64,
    /// For the last measurement.
    pub confirm: u64,
    pub seed: u64,
    /// Games that share a deal.
    pub seatings: u64,
}

/// A candidate and how it did.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    pub agent: String,
    /// What was tried for each parameter, in the order of the space.
    pub values: Vec<String>,
    /// Rounds played, from 1.
    pub rounds: u32,
    pub games: u64,
    /// Wins and half the draws.
    pub points: Estimate,
}

#[derive(Clone, Debug, Serialize)]
pub struct Tuned {
    pub parameters: Vec<String>,
    /// The last ones to retire first, then by points.
    pub tried: Vec<Tried>,
    /// The best candidate on deals that had no part in choosing it.
    pub confirmed: Option<MatchResult>,
}

/// Tunes. `play` plays a match between two agents, or goes on with it: a candidate's match has more
/// games in every round. It gives fewer games than asked for when it was stopped; so does this.
/// `heard` is told about every round that is over.
pub fn tune<E>(
    settings: &TuneSettings,
    play: &mut dyn FnMut(&MatchSettings) -> Result<MatchResult, E>,
    heard: &mut dyn FnMut(u32, &[Tried]),
) -> Result<Tuned, E> {
    let mut tried: Vec<Tried> = settings.space.candidates().into_iter().map(Tried::new).collect();
    let mut left: Vec<usize> = (0..tried.len()).collect();
    let rounds = rounds(left.len());
    let mut games = 0;
    for round in 1..=rounds {
        games += games_of_round(settings, left.len() as u64, u64::from(rounds));
        for &candidate in &left {
            let result = play(&settings.of(&tried[candidate].agent, games, settings.seed))?;
            let complete = result.games >= games;
            tried[candidate].update(if complete { round } else { round - 1 }, &result);
            if !complete {
                return Ok(settings.finish(tried, None));
            }
        }
        left.sort_by(|&a, &b| tried[b].points.mean.total_cmp(&tried[a].points.mean));
        left.truncate(left.len().div_ceil(2));
        heard(round, &tried);
    }
    let best = &tried[left[0]].agent;
    let confirmed = match settings.confirm {
        0 => None,
        games => {
            let result = play(&settings.of(best, games, settings.seed.wrapping_add(1)))?;
            (result.games == games).then_some(result)
        }
    };
    Ok(settings.finish(tried, confirmed))
}

/// Until one of so many candidates is left; at least one.
fn rounds(candidates: usize) -> u32 {
    candidates.next_power_of_two().trailing_zeros().max(1)
}

/// More games for each of the candidates that are left, in whole deals.
fn games_of_round(settings: &TuneSettings, left: u64, rounds: u64) -> u64 {
    let deals = settings.games / (left * rounds * settings.seatings);
    deals.max(1) * settings.seatings
}

impl TuneSettings {
    fn of(&self, agent: &str, games: u64, seed: u64) -> MatchSettings {
        MatchSettings::new(vec![agent.to_string(), self.against.clone()], games, seed)
    }

    fn finish(&self, mut tried: Vec<Tried>, confirmed: Option<MatchResult>) -> Tuned {
        tried.sort_by(|a, b| b.rounds.cmp(&a.rounds).then(b.points.mean.total_cmp(&a.points.mean)));
        Tuned { parameters: self.space.names(), tried, confirmed }
    }
}

impl Tried {
    fn new((agent, values): (String, Vec<String>)) -> Tried {
        Tried { agent, values, rounds: 0, games: 0, points: Estimate::default() }
    }

    fn update(&mut self, round: u32, result: &MatchResult) {
        self.rounds = round;
        self.games = result.games;
        self.points = result.agents[0].points;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::Rng;

    /// A candidate wins the more often the nearer its setting is to 0.7.
    fn noisy_match(settings: &MatchSettings) -> MatchResult {
        let text = &settings.agents[0];
        let value: f64 = text.rsplit('=').next().unwrap().parse().unwrap();
        let strength = 0.7 - 0.5 * (value - 0.7).abs();
        let mut rng = Rng::stream(settings.seed, (value * 1e6) as u64);
        let wins = (0..settings.games).filter(|_| rng.unit() < strength).count() as f64;
        let points = Estimate { mean: wins / settings.games as f64, interval: None };
        let mut result = MatchResult::nothing(&settings.agents);
        result.games = settings.games;
        result.agents[0].points = points;
        result
    }

    fn settings(games: u64) -> TuneSettings {
        let space = Space::parse("ismcts:exploration=?[0.1,1.3]", 9).unwrap();
        TuneSettings { space, against: "random".to_string(), games, confirm: 100, seed: 3, seatings: 2 }
    }

    #[test]
    fn the_best_setting_is_found_within_the_budget() {
        let mut played = std::collections::BTreeMap::new();
        let mut play = |settings: &MatchSettings| {
            played.insert((settings.agents[0].clone(), settings.seed), settings.games);
            Ok::<_, ()>(noisy_match(settings))
        };
        let tuned = tune(&settings(20_000), &mut play, &mut |_, _| ()).unwrap();
        assert_eq!(tuned.tried[0].values, ["0.7"], "{tuned:?}");
        assert_eq!(tuned.tried.len(), 9);
        let total: u64 = played.iter().filter(|((_, seed), _)| *seed == 3).map(|(_, games)| games).sum();
        assert!((15_000..=20_000).contains(&total), "{total}");
        assert_eq!(tuned.confirmed.unwrap().games, 100);
    }

    #[test]
    fn a_stop_keeps_what_was_found() {
        let mut left = 3;
        let mut play = |settings: &MatchSettings| {
            left -= 1;
            let mut result = noisy_match(settings);
            result.games = if left == 0 { 1 } else { settings.games };
            Ok::<_, ()>(result)
        };
        let tuned = tune(&settings(2_000), &mut play, &mut |_, _| ()).unwrap();
        assert_eq!(tuned.tried.iter().filter(|tried| tried.games > 0).count(), 3);
        assert!(tuned.confirmed.is_none());
    }
}
