//! Many games among agents and bots, with every seating of every deal.

use std::collections::BTreeMap;
use std::sync::Arc;

use meeple_arena::{seatings, wilson};
use meeple_core::record::Run;
use meeple_core::{Rng, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::{Hub, lock};
use crate::table::{GameResult, Occupant, Spec, Timeout};
use crate::token::random_hex;

/// Games of one competition that are played at the same time.
const TOGETHER: usize = 8;

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Contestant {
    Agent(String),
    Bot(String),
}

impl Contestant {
    pub(crate) fn name(&self) -> &str {
        match self {
            Contestant::Agent(name) | Contestant::Bot(name) => name,
        }
    }

    fn occupant(&self) -> Occupant {
        match self {
            Contestant::Agent(agent) => Occupant::Agent { name: agent.clone(), agent: agent.clone() },
            Contestant::Bot(name) => Occupant::Bot { name: name.clone() },
        }
    }
}

/// What a competition is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) rules: Rules,
    pub(crate) players: Vec<Contestant>,
    pub(crate) games: u64,
    pub(crate) seed: u64,
    pub(crate) clock: Clock,
}

impl Plan {
    fn run(&self, number: u64) -> Run {
        Run {
            experiment: self.experiment(),
            agents: self.players.iter().map(|player| player.name().to_string()).collect(),
            seed: self.seed,
            number,
        }
    }

    fn experiment(&self) -> String {
        format!("competition {}", self.id)
    }
}

struct Competition {
    plan: Plan,
    /// The player of each seat, for each seating.
    seatings: Vec<Vec<usize>>,
    begun: u64,
    done: u64,
    /// Seats with a win, a draw and a loss, of each player.
    counts: Vec<[u64; 3]>,
    tables: BTreeMap<u64, String>,
}

#[derive(Default)]
pub(crate) struct Competitions {
    all: BTreeMap<String, Competition>,
}

/// How a competition stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CompetitionInfo {
    pub(crate) id: String,
    pub(crate) game: String,
    /// running or over.
    pub(crate) status: &'static str,
    pub(crate) games: u64,
    pub(crate) done: u64,
    pub(crate) players: Vec<Standing>,
    /// Where it is played now.
    pub(crate) tables: Vec<String>,
}

/// How a player does; each seat in each game counts once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Standing {
    pub(crate) name: String,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) win_rate: f64,
    /// 95 % (Wilson).
    pub(crate) interval: [f64; 2],
}

impl Competition {
    fn new(hub: &Hub, plan: Plan) -> Result<Competition, ApiError> {
        let game = hub.game(&plan.game, &plan.rules)?;
        let bad = |message: String| ApiError::bad("bad_competition", message);
        let seatings = seatings(&game.info(), |player| game.team(player), plan.players.len()).map_err(bad)?;
        let counts = vec![[0; 3]; plan.players.len()];
        Ok(Competition { plan, seatings, begun: 0, done: 0, counts, tables: BTreeMap::new() })
    }

    fn info(&self) -> CompetitionInfo {
        let standing = |(player, &[wins, draws, losses]): (&Contestant, &[u64; 3])| {
            let seats = wins + draws + losses;
            let win_rate = wins as f64 / seats.max(1) as f64;
            Standing {
                name: player.name().to_string(),
                wins,
                draws,
                losses,
                win_rate,
                interval: wilson(win_rate, seats),
            }
        };
        CompetitionInfo {
            id: self.plan.id.clone(),
            game: self.plan.game.clone(),
            status: if self.done == self.plan.games { "over" } else { "running" },
            games: self.plan.games,
            done: self.done,
            players: self.plan.players.iter().zip(&self.counts).map(standing).collect(),
            tables: self.tables.values().cloned().collect(),
        }
    }

    /// The next game, if one more may begin.
    fn next(&mut self) -> Option<Spec> {
        if self.begun == self.plan.games || self.tables.len() >= TOGETHER {
            return None;
        }
        let number = self.begun;
        self.begun += 1;
        let seating = &self.seatings[(number % self.seatings.len() as u64) as usize];
        let deal = number / self.seatings.len() as u64;
        Some(Spec {
            game: self.plan.game.clone(),
            rules: self.plan.rules.clone(),
            clock: self.plan.clock,
            timeout: Timeout::Loss,
            seed: Rng::stream(self.plan.seed, deal).next_u64(),
            seats: seating.iter().map(|&player| self.plan.players[player].occupant()).collect(),
            created: crate::time::now(),
            run: Some(self.plan.run(number)),
        })
    }

    fn count(&mut self, number: u64, payoffs: &[f32]) {
        self.done += 1;
        let seating = &self.seatings[(number % self.seatings.len() as u64) as usize];
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let is_draw = payoffs.iter().all(|&payoff| payoff == best);
        for (&player, &payoff) in seating.iter().zip(payoffs) {
            let place = if is_draw {
                1
            } else if payoff == best {
                0
            } else {
                2
            };
            self.counts[player][place] += 1;
        }
    }
}

impl Hub {
    /// Begins a competition.
    pub(crate) fn compete(self: &Arc<Hub>, plan: Plan) -> Result<CompetitionInfo, ApiError> {
        let id = plan.id.clone();
        let competition = Competition::new(self, plan.clone())?;
        self.note_competition(&plan)?;
        lock(&self.competitions).all.insert(id.clone(), competition);
        self.begin_games(&id)?;
        self.competition(&id)
    }

    /// After a restart: what was played counts, and the rest is played.
    pub(crate) fn restore_competition(self: &Arc<Hub>, plan: Plan) -> Result<(), ApiError> {
        let mut competition = Competition::new(self, plan.clone())?;
        let game = self.game(&plan.game, &plan.rules)?;
        let played = self.archive.of_run(&plan.game, &game.rules(), &plan.run(0)).map_err(ApiError::internal)?;
        for record in played {
            if let (Some(run), Some(payoffs)) = (&record.run, &record.payoffs) {
                competition.count(run.number, payoffs);
                competition.begun = competition.begun.max(run.number + 1);
            }
        }
        for (table, run) in self.running(&plan.experiment()) {
            competition.begun = competition.begun.max(run.number + 1);
            competition.tables.insert(run.number, table);
        }
        let id = plan.id.clone();
        lock(&self.competitions).all.insert(id.clone(), competition);
        self.begin_games(&id)
    }

    pub(crate) fn competition(&self, id: &str) -> Result<CompetitionInfo, ApiError> {
        let competitions = lock(&self.competitions);
        competitions.all.get(id).map(Competition::info).ok_or_else(|| ApiError::not_found("competition"))
    }

    pub(crate) fn competitions(&self) -> Vec<CompetitionInfo> {
        lock(&self.competitions).all.values().map(Competition::info).collect()
    }

    /// Begins as many games as may be played at the same time.
    fn begin_games(self: &Arc<Hub>, id: &str) -> Result<(), ApiError> {
        loop {
            let next = lock(&self.competitions).all.get_mut(id).and_then(Competition::next);
            let Some(spec) = next else { return Ok(()) };
            let number = spec.run.as_ref().map_or(0, |run| run.number);
            let persons = vec![None; spec.seats.len()];
            let (table, _) = self.create(spec, &persons)?;
            if let Some(competition) = lock(&self.competitions).all.get_mut(id) {
                competition.tables.insert(number, table.id);
            }
        }
    }

    /// A game of a competition is over and stored.
    pub(crate) fn competition_goes_on(self: &Arc<Hub>, run: &Run, result: Option<&GameResult>) {
        let Some(id) = run.experiment.strip_prefix("competition ") else { return };
        if let (Some(competition), Some(result)) = (lock(&self.competitions).all.get_mut(id), result) {
            competition.tables.remove(&run.number);
            competition.count(run.number, &result.payoffs);
        }
        if let Err(error) = self.begin_games(id) {
            eprintln!("meeple serve: competition {id}: {}", error.message);
        }
    }

    /// Tables at which games of an experiment are played.
    fn running(&self, experiment: &str) -> Vec<(String, Run)> {
        let tables = self.tables();
        let run = |id: String| {
            let seating = self.seating(&id).ok()?;
            let seating = lock(&seating);
            let run = seating.table.spec.run.clone()?;
            (run.experiment == experiment && seating.table.result().is_none()).then_some((id.clone(), run))
        };
        tables.into_iter().filter_map(|table| run(table.id)).collect()
    }
}

/// A name for a new competition.
pub(crate) fn new_id() -> String {
    random_hex(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_of_every_game_counts_once() {
        let plan = Plan {
            id: "x".into(),
            game: "sueca".into(),
            rules: Rules::default(),
            players: vec![Contestant::Agent("a".into()), Contestant::Agent("b".into())],
            games: 2,
            seed: 1,
            clock: Clock::None,
        };
        let seatings = vec![vec![0, 1, 0, 1], vec![1, 0, 1, 0]];
        let mut competition =
            Competition { plan, seatings, begun: 2, done: 0, counts: vec![[0; 3]; 2], tables: BTreeMap::new() };
        competition.count(0, &[1.0, -1.0, 1.0, -1.0]);
        competition.count(1, &[0.0; 4]);
        assert_eq!(competition.counts, [[2, 2, 0], [0, 2, 2]]);
        assert_eq!(competition.info().status, "over");
    }
}
