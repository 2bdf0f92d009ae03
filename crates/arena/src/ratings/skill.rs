//! Ratings of the TrueSkill type, for games of several agents or teams that are ranked.
//!
//! An agent performs around its skill with deviation 25/6; a team's performance is the sum of its members';
//! performances closer than a margin are a tie (Herbrich, Minka and Graepel 2007). The usual update, one
//! game after the other, makes the last games count most. Here every game is visited again, with its
//! own earlier contribution taken out, until nothing changes (as in TrueSkill through time, without
//! drift), so that the order of the games does not matter.

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill_multi_team};

/// Passes over all games at most.
const PASSES: usize = 50;
/// A skill that moves less in a pass is settled.
const SETTLED: f64 = 1e-3;

/// A game that ranked its teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// Agents by number; each sits in one team.
    pub teams: Vec<Vec<usize>>,
    /// By team; lower is better, equal is a tie.
    pub ranks: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// The mean over all agents is 25.
    pub mean: f64,
    /// Of the belief about the skill: 95 % lie within 1.96 deviations. Games count as independent.
    pub deviation: f64,
    /// Three deviations below the mean.
    pub conservative: f64,
    pub games: u64,
}

/// The skills of agents 0..`agents`.
pub fn skills(agents: usize, games: &[RatedGame]) -> Vec<Skill> {
    let config = TrueSkillConfig { draw_probability: tie_rate(games), dynamics_factor: 0.0, ..TrueSkillConfig::new() };
    let mut beliefs = vec![Belief::of(&TrueSkillRating::new()); agents];
    let mut parts: Vec<Vec<Vec<Belief>>> =
        games.iter().map(|game| game.teams.iter().map(|team| vec![Belief::NONE; team.len()]).collect()).collect();
    let mut means = centred(&beliefs);
    for _ in 0..PASSES {
        for (game, part) in games.iter().zip(&mut parts) {
            visit(game, part, &mut beliefs, &config);
        }
        let before = std::mem::replace(&mut means, centred(&beliefs));
        if means.iter().zip(&before).all(|(mean, before)| (mean - before).abs() < SETTLED) {
            break;
        }
    }
    let count = |agent| games.iter().filter(|game| game.teams.iter().flatten().any(|&other| other == agent)).count();
    (0..agents).map(|agent| beliefs[agent].skill(means[agent], count(agent) as u64)).collect()
}

/// The means of the beliefs, moved so that they are 25 on average. Games say nothing about where all skills lie
/// together, which is what would settle last.
fn centred(beliefs: &[Belief]) -> Vec<f64> {
    let means: Vec<f64> = beliefs.iter().map(|belief| belief.rating().rating).collect();
    let shift = TrueSkillRating::new().rating - means.iter().sum::<f64>() / means.len().max(1) as f64;
    means.iter().map(|mean| mean + shift).collect()
}

/// Replaces what a game says about its agents, given what all other games say.
fn visit(game: &RatedGame, part: &mut [Vec<Belief>], beliefs: &mut [Belief], config: &TrueSkillConfig) {
    let others = |(team, part): (&Vec<usize>, &Vec<Belief>)| {
        team.iter().zip(part).map(|(&agent, part)| beliefs[agent].without(part)).collect()
    };
    let others: Vec<Vec<Belief>> = game.teams.iter().zip(&*part).map(others).collect();
    let ratings: Vec<Vec<TrueSkillRating>> =
        others.iter().map(|team| team.iter().map(Belief::rating).collect()).collect();
    let ranked: Vec<(&[TrueSkillRating], MultiTeamOutcome)> =
        ratings.iter().zip(&game.ranks).map(|(team, &rank)| (&team[..], MultiTeamOutcome::new(rank))).collect();
    let updated = trueskill_multi_team(&ranked, config, None).expect("without weights none is wrong");
    for (team, agents) in game.teams.iter().enumerate() {
        for (member, &agent) in agents.iter().enumerate() {
            beliefs[agent] = Belief::of(&updated[team][member]);
            part[team][member] = beliefs[agent].without(&others[team][member]);
        }
    }
}

/// The share of ties among neighbours in the ranking, never quite 0 or 1.
fn tie_rate(games: &[RatedGame]) -> f64 {
    let (mut ties, mut neighbours) = (0, 0);
    for game in games {
        let mut ranks = game.ranks.clone();
        ranks.sort_unstable();
        ties += ranks.windows(2).filter(|pair| pair[0] == pair[1]).count();
        neighbours += ranks.len().saturating_sub(1);
    }
    (ties as f64 + 0.5) / (neighbours as f64 + 1.0)
}

/// A normal distribution by precision and precision times mean, so that products are sums.
#[derive(Clone, Copy, Debug)]
struct Belief {
    precision: f64,
    weighted_mean: f64,
}

impl Belief {
    const NONE: Belief = Belief { precision: 0.0, weighted_mean: 0.0 };

    fn of(rating: &TrueSkillRating) -> Belief {
        let precision = rating.uncertainty.powi(-2);
        Belief { precision, weighted_mean: precision * rating.rating }
    }

    fn without(&self, part: &Belief) -> Belief {
        Belief { precision: self.precision - part.precision, weighted_mean: self.weighted_mean - part.weighted_mean }
    }

    fn rating(&self) -> TrueSkillRating {
        TrueSkillRating { rating: self.weighted_mean / self.precision, uncertainty: self.precision.powf(-0.5) }
    }

    fn skill(&self, mean: f64, games: u64) -> Skill {
        let deviation = self.rating().uncertainty;
        Skill { mean, deviation, conservative: mean - 3.0 * deviation, games }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::Rng;

    const PERFORMANCE: f64 = 25.0 / 6.0;
    const TRUE_SKILLS: [f64; 5] = [31.0, 28.0, 25.0, 22.0, 19.0];

    fn normal(rng: &mut Rng) -> f64 {
        (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
    }

    /// Games between random teams of `size`, ranked by their performances.
    fn play(rng: &mut Rng, teams: usize, size: usize, games: usize) -> Vec<RatedGame> {
        let game = |_| {
            let mut agents: Vec<usize> = (0..TRUE_SKILLS.len()).collect();
            rng.shuffle(&mut agents);
            let teams: Vec<Vec<usize>> = agents.chunks_exact(size).take(teams).map(<[usize]>::to_vec).collect();
            let mut perform = |&agent: &usize| TRUE_SKILLS[agent] + PERFORMANCE * normal(rng);
            let results: Vec<f64> = teams.iter().map(|team| team.iter().map(&mut perform).sum()).collect();
            let rank = |own: &f64| results.iter().filter(|other| *other > own).count();
            RatedGame { ranks: results.iter().map(rank).collect(), teams }
        };
        (0..games).map(game).collect()
    }

    #[test]
    fn known_skills_come_back() {
        for (teams, size) in [(3, 1), (4, 1), (2, 2), (2, 1)] {
            let found = skills(5, &play(&mut Rng::from_seed(2), teams, size, 1500));
            for (found, expected) in found.iter().zip(TRUE_SKILLS) {
                assert!((found.mean - expected).abs() < 0.8, "{teams} x {size}: {found:?} {expected}");
            }
        }
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let mut games = play(&mut Rng::from_seed(4), 3, 1, 200);
        let found = skills(5, &games);
        Rng::from_seed(5).shuffle(&mut games);
        for (one, other) in found.iter().zip(skills(5, &games)) {
            assert!((one.mean - other.mean).abs() < 0.01 && (one.deviation - other.deviation).abs() < 0.01);
            assert!((one.conservative - (one.mean - 3.0 * one.deviation)).abs() < 1e-12);
        }
    }

    #[test]
    fn deviations_hold_the_truth_as_often_as_promised() {
        for (teams, size) in [(4, 1), (2, 2)] {
            let (mut inside, runs) = (0, 60);
            for run in 0..runs {
                let found = skills(5, &play(&mut Rng::stream(6, run), teams, size, 60));
                let holds = |(found, expected): &(&Skill, f64)| (found.mean - expected).abs() < 1.96 * found.deviation;
                inside += found.iter().zip(TRUE_SKILLS).filter(holds).count();
            }
            let coverage = inside as f64 / (5 * runs) as f64;
            assert!(coverage > 0.93, "{teams} x {size}: {coverage}");
        }
    }

    #[test]
    fn ties_pull_together_and_strangers_stay_unknown() {
        let tie = RatedGame { teams: vec![vec![0], vec![1]], ranks: vec![0, 0] };
        let win = RatedGame { ranks: vec![0, 1], ..tie.clone() };
        let drawn = skills(3, &vec![tie; 20]);
        let won = skills(3, &vec![win; 20]);
        assert!((drawn[0].mean - drawn[1].mean).abs() < 1e-3);
        assert!(won[0].mean > won[1].mean + 5.0);
        assert!((won[2].mean - 25.0).abs() < 0.1 && (won[2].deviation - 25.0 / 3.0).abs() < 1e-9);
        assert_eq!((won[0].games, won[2].games), (20, 0));
    }
}
