//! Matches: the same deals for every seating of the agents.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use meeple_core::Rng;
use meeple_core::agent::AgentError;
use meeple_core::erased::{AnyAgent, AnyGame};
use serde::Serialize;

use crate::game::{PlayedGame, play};
use crate::seating::seatings;
use crate::statistics::wilson;

#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// Agents as texts.
    pub agents: Vec<String>,
    pub games: u64,
    pub seed: u64,
    pub threads: usize,
}

/// What came out of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchResult {
    pub game: String,
    pub rules: String,
    pub games: u64,
    /// Games that share a deal, one for each seating.
    pub seatings: usize,
    pub agents: Vec<AgentResult>,
    pub seconds: f64,
}

/// One agent's side of a match. Its seats count one by one, the seats of a team as one.
#[derive(Clone, Debug, Serialize)]
pub struct AgentResult {
    pub name: String,
    /// Whether it was shown what is hidden from the others.
    pub cheats: bool,
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    pub losses: u64,
    /// The mean over its seats of being among the winners.
    pub win_rate: f64,
    /// 95 %, of the win rate (Wilson, a game counted as one trial).
    pub interval: [f64; 2],
    pub mean_score: f64,
    pub mean_payoff: f64,
    pub decisions_per_s: f64,
}

/// Plays a match. Game g has deal g / s and seating g mod s, where s is the number of seatings; each
/// game depends on the seed and its own number alone, so the result does not depend on the number
/// of threads. `progress` hears the result so far after every game.
pub fn play_match(
    game: &dyn AnyGame,
    settings: &MatchSettings,
    progress: &mut dyn FnMut(&MatchResult),
) -> Result<MatchResult, AgentError> {
    let seatings = seatings(&game.info(), |player| game.team(player), settings.agents.len()).map_err(AgentError)?;
    let workers = settings.threads.clamp(1, settings.games.max(1) as usize);
    let teams: Vec<Vec<AnyAgent>> = (0..workers).map(|_| seat_agents(game, settings)).collect::<Result<_, _>>()?;
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    let started = Instant::now();
    let mut tally = Tally::new(game, settings, &seatings, &teams[0]);
    std::thread::scope(|scope| {
        for mut agents in teams {
            let (sender, next, seatings) = (sender.clone(), &next, &seatings);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= settings.games {
                        break;
                    }
                    let played = play_number(game, &mut agents, seatings, settings, number);
                    if sender.send((number, played)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, played) in receiver {
            tally.add(number, &played);
            progress(&tally.result(started.elapsed()));
        }
    });
    Ok(tally.result(started.elapsed()))
}

fn seat_agents(game: &dyn AnyGame, settings: &MatchSettings) -> Result<Vec<AnyAgent>, AgentError> {
    settings.agents.iter().map(|text| game.agent(text)).collect()
}

fn play_number(
    game: &dyn AnyGame,
    agents: &mut [AnyAgent],
    seatings: &[Vec<usize>],
    settings: &MatchSettings,
    number: u64,
) -> PlayedGame {
    let count = seatings.len() as u64;
    let mut chance = Rng::stream(settings.seed, 2 * (number / count));
    let mut choices = Rng::stream(settings.seed, 2 * number + 1);
    agents.iter_mut().for_each(AnyAgent::new_game);
    play(game, agents, &seatings[(number % count) as usize], &mut chance, &mut choices)
}

/// Sums over the games played so far; the order of the games does not matter.
struct Tally<'a> {
    game: &'a dyn AnyGame,
    names: &'a [String],
    seatings: &'a [Vec<usize>],
    games: u64,
    agents: Vec<Sums>,
}

#[derive(Clone, Default)]
struct Sums {
    cheats: bool,
    wins: u64,
    draws: u64,
    losses: u64,
    scores: f64,
    payoffs: f64,
    decisions: u64,
    thinking: Duration,
}

impl<'a> Tally<'a> {
    fn new(
        game: &'a dyn AnyGame,
        settings: &'a MatchSettings,
        seatings: &'a [Vec<usize>],
        agents: &[AnyAgent],
    ) -> Tally<'a> {
        let agents = agents.iter().map(|agent| Sums { cheats: agent.cheats(), ..Sums::default() }).collect();
        Tally { game, names: &settings.agents, seatings, games: 0, agents }
    }

    fn add(&mut self, number: u64, played: &PlayedGame) {
        self.games += 1;
        let info = self.game.info();
        let seating = &self.seatings[(number % self.seatings.len() as u64) as usize];
        let winners: Vec<usize> = played.outcome.winners(info.players).collect();
        for (seat, &agent) in seating.iter().enumerate() {
            let sums = &mut self.agents[agent];
            sums.decisions += played.decisions[seat];
            sums.thinking += played.thinking[seat];
            let first_of_team = (0..seat).all(|other| self.game.team(other) != self.game.team(seat));
            if !first_of_team {
                continue;
            }
            sums.wins += u64::from(winners.contains(&seat));
            sums.draws += u64::from(winners.is_empty());
            sums.losses += u64::from(!winners.is_empty() && !winners.contains(&seat));
            sums.scores += f64::from(played.outcome.scores[seat]);
            sums.payoffs += f64::from(played.outcome.payoffs[seat]);
        }
    }

    fn result(&self, time: Duration) -> MatchResult {
        let agents = self.names.iter().zip(&self.agents).map(|(name, sums)| sums.result(name, self.games)).collect();
        MatchResult {
            game: self.game.info().name.to_string(),
            rules: self.game.rules().to_string(),
            games: self.games,
            seatings: self.seatings.len(),
            agents,
            seconds: time.as_secs_f64(),
        }
    }
}

impl Sums {
    fn result(&self, name: &str, games: u64) -> AgentResult {
        let seats = (self.wins + self.draws + self.losses).max(1) as f64;
        let win_rate = self.wins as f64 / seats;
        AgentResult {
            name: name.to_string(),
            cheats: self.cheats,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            win_rate,
            interval: wilson(win_rate, games),
            mean_score: self.scores / seats,
            mean_payoff: self.payoffs / seats,
            decisions_per_s: self.decisions as f64 / self.thinking.as_secs_f64().max(1e-9),
        }
    }
}
