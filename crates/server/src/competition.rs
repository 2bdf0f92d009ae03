//! Many games among agents and bots, with every seating of every deal. Where there are more of them than seats,
//! as many as there are seats meet, each with all others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use meeple_arena::{seatings, wilson};
use meeple_core::erased::AnyGame;
use meeple_core::record::Run;
use meeple_core::{Rng, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::{Hub, Seating, lock};
use crate::table::{GameResult, Occupant, Spec, Timeout};
use crate::time::DAY;
use crate::token::random_hex;

/// Games of one competition that are played at the same time.
const TOGETHER: usize = 8;

/// Competitions of one client that are not over.
const MOST: usize = 32;

/// The most who take part: twelve at tables of six make 924 meetings.
const MOST_CONTESTANTS: usize = 12;

/// How long one that is over is shown, and how many of them. Their records stay.
const SHOWN: Duration = Duration::from_secs(DAY);
const MOST_SHOWN: usize = 200;

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
            Contestant::Agent(agent) => Occupant::agent(agent.clone(), agent.clone()),
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
    /// Mixed into the deals, so that nobody can know them.
    pub(crate) secret: u64,
    pub(crate) clock: Clock,
    /// Who wants it; its tables count among what this address may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<IpAddr>,
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
        experiment(&self.id)
    }
}

/// What the games of a competition belong to in the database.
pub(crate) fn experiment(id: &str) -> String {
    format!("competition {id}")
}

struct Competition {
    plan: Plan,
    /// The player of each seat, for each seating.
    seatings: Vec<Vec<usize>>,
    /// Whether each deal is played in all seatings. A bot might remember it.
    paired: bool,
    /// The first game that may not have been begun.
    next: u64,
    /// Games that are over.
    counted: BTreeSet<u64>,
    /// Seats with a win, a draw and a loss, of each player.
    counts: Vec<[u64; 3]>,
    /// Where games are played; none while a table is being set up.
    tables: BTreeMap<u64, Option<String>>,
    /// Since when all games are over.
    ended: Option<Instant>,
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
        let seatings = all_seatings(&*game, plan.players.len()).map_err(bad)?;
        let paired = !game.info().chance || plan.players.iter().all(|player| matches!(player, Contestant::Agent(_)));
        Ok(Competition::at_start(plan, seatings, paired))
    }

    fn at_start(plan: Plan, seatings: Vec<Vec<usize>>, paired: bool) -> Competition {
        let counts = vec![[0; 3]; plan.players.len()];
        let (counted, tables) = (BTreeSet::new(), BTreeMap::new());
        Competition { plan, seatings, paired, next: 0, counted, counts, tables, ended: None }
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
            status: if self.is_over() { "over" } else { "running" },
            games: self.plan.games,
            done: self.counted.len() as u64,
            players: self.plan.players.iter().zip(&self.counts).map(standing).collect(),
            tables: self.tables.values().flatten().cloned().collect(),
        }
    }

    fn is_over(&self) -> bool {
        self.counted.len() as u64 >= self.plan.games
    }

    fn seating(&self, number: u64) -> &[usize] {
        &self.seatings[(number % self.seatings.len() as u64) as usize]
    }

    /// The next game, if one more may begin; its place is kept for it.
    fn next(&mut self) -> Option<Spec> {
        while self.counted.contains(&self.next) || self.tables.contains_key(&self.next) {
            self.next += 1;
        }
        if self.next >= self.plan.games || self.tables.len() >= TOGETHER {
            return None;
        }
        let number = self.next;
        self.tables.insert(number, None);
        let deal = if self.paired { number / self.seatings.len() as u64 } else { number };
        Some(Spec {
            game: self.plan.game.clone(),
            rules: self.plan.rules.clone(),
            clock: self.plan.clock,
            timeout: Timeout::Loss,
            seed: Rng::stream(self.plan.seed ^ self.plan.secret, deal).next_u64(),
            seats: self.seating(number).iter().map(|&player| self.plan.players[player].occupant()).collect(),
            created: crate::time::now(),
            run: Some(self.plan.run(number)),
            contestants: self.seating(number).to_vec(),
            client: self.plan.client,
        })
    }

    /// False if the game was counted before.
    fn count(&mut self, number: u64, payoffs: &[f32]) -> bool {
        self.tables.remove(&number);
        if !self.counted.insert(number) {
            return false;
        }
        let seating = self.seating(number).to_vec();
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let is_draw = payoffs.iter().all(|&payoff| payoff == best);
        for (player, &payoff) in seating.into_iter().zip(payoffs) {
            let place = match payoff {
                _ if is_draw => 1,
                payoff if payoff == best => 0,
                _ => 2,
            };
            self.counts[player][place] += 1;
        }
        if self.is_over() {
            self.ended = Some(Instant::now());
        }
        true
    }
}

impl Competitions {
    /// Forgets those that were over long ago, and the oldest if there are many. Returns their names.
    fn forget(&mut self, now: Instant) -> Vec<String> {
        let ended = self.all.iter().filter_map(|(id, one)| Some((one.ended?, id.clone())));
        let mut over: Vec<(Instant, String)> = ended.collect();
        over.sort_unstable_by_key(|(ended, _)| Reverse(*ended));
        let recent = over.iter().take(MOST_SHOWN).take_while(|(ended, _)| now.duration_since(*ended) < SHOWN).count();
        let old: Vec<String> = over.drain(recent..).map(|(_, id)| id).collect();
        self.all.retain(|id, _| !old.contains(id));
        old
    }
}

impl Hub {
    /// Begins a competition.
    pub(crate) fn compete(self: &Arc<Hub>, plan: Plan) -> Result<CompetitionInfo, ApiError> {
        let id = plan.id.clone();
        let competition = Competition::new(self, plan.clone())?;
        let mut competitions = lock(&self.competitions);
        let of_client = |one: &&Competition| one.plan.client == plan.client && !one.is_over();
        if competitions.all.values().filter(of_client).count() >= MOST {
            return Err(ApiError::too_many("this address has too many competitions that are not over", 60));
        }
        self.write(|journal| journal.note_competition(&plan));
        competitions.all.insert(id.clone(), competition);
        drop(competitions);
        self.try_to_begin(&id);
        self.competition(&id)
    }

    /// After a restart: what was counted counts, what is played goes on. The rest is begun later.
    pub(crate) fn restore_competition(&self, plan: Plan, counted: &[(u64, Vec<f32>)]) -> Result<(), ApiError> {
        let mut competition = Competition::new(self, plan.clone())?;
        for (number, payoffs) in counted {
            competition.count(*number, payoffs);
        }
        for (table, run) in self.tables_of(&plan.experiment()) {
            if !competition.counted.contains(&run.number) {
                competition.tables.insert(run.number, Some(table));
            }
        }
        lock(&self.competitions).all.insert(plan.id, competition);
        Ok(())
    }

    /// Whether records of a run may be seen: games of a competition are secret until all are over.
    pub(crate) fn may_be_seen(&self, run: Option<&Run>) -> bool {
        let id = run.and_then(|run| run.experiment.strip_prefix("competition "));
        let competitions = lock(&self.competitions);
        id.and_then(|id| competitions.all.get(id)).is_none_or(Competition::is_over)
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
            let created = self.create(spec, &persons);
            let mut competitions = lock(&self.competitions);
            let Some(competition) = competitions.all.get_mut(id) else { return Ok(()) };
            match created {
                // It may be over already.
                Ok((table, _)) => {
                    if let Some(place) = competition.tables.get_mut(&number) {
                        *place = Some(table.id);
                    }
                }
                Err(error) => {
                    competition.tables.remove(&number);
                    competition.next = competition.next.min(number);
                    return Err(error);
                }
            }
        }
    }

    /// A game of a competition is over.
    pub(crate) fn competition_goes_on(self: &Arc<Hub>, run: &Run, result: Option<&GameResult>) {
        let Some(id) = run.experiment.strip_prefix("competition ") else { return };
        if let Some(result) = result {
            let mut competitions = lock(&self.competitions);
            let counted = competitions.all.get_mut(id).is_some_and(|one| one.count(run.number, &result.payoffs));
            if counted {
                self.write(|journal| journal.note_counted(id, run.number, &result.payoffs));
            }
        }
        self.try_to_begin(id);
    }

    /// Begins games; if that is not possible now, the next game that ends tries again, and so does the upkeep.
    fn try_to_begin(self: &Arc<Hub>, id: &str) {
        match self.begin_games(id) {
            Err(error) if error.wait.is_none() => eprintln!("meeple serve: competition {id}: {}", error.message),
            _ => {}
        }
    }

    /// Begins what could not begin before.
    pub(crate) fn competitions_go_on(self: &Arc<Hub>) {
        let ids: Vec<String> = lock(&self.competitions).all.keys().cloned().collect();
        ids.iter().for_each(|id| self.try_to_begin(id));
    }

    pub(crate) fn forget_competitions(&self) {
        let mut competitions = lock(&self.competitions);
        for id in competitions.forget(Instant::now()) {
            self.write(|journal| journal.forget_competition(&id));
        }
    }

    /// Tables at which games of an experiment are played, or were.
    fn tables_of(&self, experiment: &str) -> Vec<(String, Run)> {
        let run = |seating: &Arc<Mutex<Seating>>| {
            let table = &lock(seating).table;
            let run = table.spec.run.clone().filter(|run| run.experiment == experiment)?;
            Some((table.id.clone(), run))
        };
        self.seatings().iter().filter_map(run).collect()
    }
}

/// Every way to seat the contestants; of more than there are seats for, every choice in every way.
fn all_seatings(game: &dyn AnyGame, contestants: usize) -> Result<Vec<Vec<usize>>, String> {
    if !(2..=MOST_CONTESTANTS).contains(&contestants) {
        return Err(format!("2 to {MOST_CONTESTANTS} take part, not {contestants}"));
    }
    let info = game.info();
    // Partners are one contestant.
    let at_table = info.teams.min(info.players).min(contestants);
    let seatings = seatings(&info, |player| game.team(player), at_table)?;
    let seat = |seating: &[usize], chosen: &[usize]| seating.iter().map(|&number| chosen[number]).collect();
    // All have met once before anybody meets again.
    let meetings = choices(contestants, at_table);
    Ok(seatings.iter().flat_map(|seating| meetings.iter().map(move |chosen| seat(seating, chosen))).collect())
}

/// All choices of `size` numbers below `all`.
fn choices(all: usize, size: usize) -> Vec<Vec<usize>> {
    let with_greatest = |greatest: usize| {
        let smaller = choices(greatest, size - 1).into_iter();
        smaller.map(move |chosen| [chosen, vec![greatest]].concat())
    };
    match size {
        0 => vec![Vec::new()],
        _ => (size - 1..all).flat_map(with_greatest).collect(),
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
    fn more_than_there_are_seats_for_all_meet_each_other() {
        let seatings = |game: &str, contestants: usize| {
            all_seatings(&*meeple_catalog::game(game, &Rules::default()).unwrap(), contestants)
        };
        let three = seatings("connect-four", 3).unwrap();
        assert_eq!(three, [[0, 1], [0, 2], [1, 2], [1, 0], [2, 0], [2, 1]]);
        let partners = seatings("sueca", 3).unwrap();
        assert_eq!(partners.len(), 6);
        assert!(partners.iter().all(|seating| seating[..2] == seating[2..] && seating[0] != seating[1]));
        let five = seatings("hearts", 5).unwrap();
        let meetings: BTreeSet<BTreeSet<usize>> =
            five.iter().map(|seating| seating.iter().copied().collect()).collect();
        assert_eq!((meetings.len(), five.len()), (5, 5 * 24));
        assert!(seatings("connect-four", 1).is_err() && seatings("connect-four", MOST_CONTESTANTS + 1).is_err());
    }

    #[test]
    fn every_seat_of_every_game_counts_once() {
        let plan = Plan {
            id: "x".into(),
            game: "sueca".into(),
            rules: Rules::default(),
            players: vec![Contestant::Agent("a".into()), Contestant::Agent("b".into())],
            games: 2,
            seed: 1,
            secret: 2,
            clock: Clock::None {},
            client: None,
        };
        let mut competition = Competition::at_start(plan, vec![vec![0, 1, 0, 1], vec![1, 0, 1, 0]], true);
        let seeds: Vec<u64> = (0..2).map(|_| competition.next().unwrap().seed).collect();
        assert_eq!(seeds[0], seeds[1], "the same deal in both seatings");
        assert!(competition.next().is_none(), "all games were begun");
        competition.count(0, &[1.0, -1.0, 1.0, -1.0]);
        assert!(competition.count(1, &[0.0; 4]) && !competition.count(1, &[0.0; 4]), "each game counts once");
        assert_eq!(competition.counts, [[2, 2, 0], [0, 2, 2]]);
        assert_eq!(competition.info().status, "over");
        let mut competitions = Competitions::default();
        competitions.all.insert("x".into(), competition);
        assert!(competitions.forget(Instant::now()).is_empty());
        assert_eq!(competitions.forget(Instant::now() + SHOWN), ["x"]);
        assert!(competitions.all.is_empty());
    }
}
