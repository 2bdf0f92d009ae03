//! A match that is set up: who plays which game, with which cards.

use meeple_core::agent::AgentError;
use meeple_core::erased::{AnyAgent, AnyGame};
use meeple_core::{Record, Rng};

use super::line::Line;
use super::lines::Lines;
use super::result::MatchResult;
use super::{MOST_GAMES, MatchError, MatchSettings, Watch};
use crate::game::{Stop, play, recount};
use crate::seating::seatings;

pub(super) struct Table<'a> {
    game: &'a dyn AnyGame,
    settings: &'a MatchSettings,
    seatings: Vec<Vec<usize>>,
}

/// The agents of one thread: for each agent of the match one player for each seat that it can hold at
/// the same time, so that none looks into what another remembers.
pub(super) struct Agents(Vec<Vec<AnyAgent>>);

impl Agents {
    pub(super) fn cheats(&self) -> Vec<bool> {
        self.0.iter().map(|copies| copies[0].cheats()).collect()
    }

    /// By seat.
    fn seat(&mut self, seating: &[usize]) -> Vec<&mut AnyAgent> {
        let mut copies: Vec<_> = self.0.iter_mut().map(|copies| copies.iter_mut()).collect();
        seating.iter().map(|&agent| copies[agent].next().expect("a copy for every seat")).collect()
    }
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &'a dyn AnyGame, settings: &'a MatchSettings) -> Result<Table<'a>, MatchError> {
        let seatings = seatings(&game.info(), |player| game.team(player), settings.agents.len()).map_err(AgentError)?;
        if settings.games > MOST_GAMES {
            return Err(AgentError(format!("a match has at most {MOST_GAMES} games, not {}", settings.games)).into());
        }
        Ok(Table { game, settings, seatings })
    }

    pub(super) fn seatings(&self) -> usize {
        self.seatings.len()
    }

    pub(super) fn agents(&self) -> Result<Agents, AgentError> {
        let make = |(number, text): (usize, &String)| {
            let seats = |seating: &Vec<usize>| seating.iter().filter(|&&agent| agent == number).count();
            let copies = self.seatings.iter().map(seats).max().unwrap_or(1);
            (0..copies).map(|_| self.game.agent(text)).collect()
        };
        Ok(Agents(self.settings.agents.iter().enumerate().map(make).collect::<Result<_, _>>()?))
    }

    fn seating(&self, number: u64) -> &[usize] {
        &self.seatings[(number % self.seatings.len() as u64) as usize]
    }

    /// Game `number` of the match; `None` if it was stopped.
    pub(super) fn play(
        &self,
        agents: &mut Agents,
        number: u64,
        stop: &Stop,
    ) -> Result<Option<(Line, Record)>, AgentError> {
        let seed = self.settings.seed;
        let deal = number / self.seatings.len() as u64;
        let mut chance = Rng::stream(seed, 2 * deal);
        let choices = Rng::stream(seed, 2 * number + 1).next_u64();
        let seating = self.seating(number);
        let mut seats = agents.seat(seating);
        seats.iter_mut().for_each(|agent| agent.new_game());
        let played = play(self.game, &mut seats, &mut chance, choices, self.settings.detail, stop)?;
        let Some((played, mut record)) = played else { return Ok(None) };
        record.seats = seating.iter().map(|&agent| self.settings.agents[agent].clone()).collect();
        record.run = Some(self.settings.run(number));
        Ok(Some((Line::new(self.game, seating, &played), record)))
    }

    /// The games of the match by number, those in `done` played. What is no game of this match is
    /// told, and played again.
    pub(super) fn lines_of(&self, done: &[Record], watch: &mut dyn Watch) -> Vec<Option<Line>> {
        let mut lines = vec![None; self.settings.games as usize];
        for record in done {
            match self.line_of(record) {
                Ok((number, line)) => {
                    if let Some(place) = lines.get_mut(number as usize) {
                        *place = Some(line);
                    }
                }
                Err(reason) => watch.refused(record, &reason),
            }
        }
        lines
    }

    fn line_of(&self, record: &Record) -> Result<(u64, Line), String> {
        let number = self.number_of(record)?;
        let version = self.game.info().version;
        if let Some(versions) = record.versions.as_ref().filter(|versions| versions.rules != version) {
            return Err(format!("it follows version {} of the rules, these are version {version}", versions.rules));
        }
        let played = recount(self.game, record)?;
        Ok((number, Line::new(self.game, self.seating(number), &played)))
    }

    fn number_of(&self, record: &Record) -> Result<u64, String> {
        let run = record.run.as_ref().ok_or("it names no match")?;
        let same_game = record.game == self.game.info().name && record.rules == self.game.rules();
        match same_game && *run == self.settings.run(run.number) {
            true => Ok(run.number),
            false => Err(format!("it belongs to {} {}, seed {}", record.game, run.agents.join(" : "), run.seed)),
        }
    }

    pub(super) fn result(&self, lines: &[Option<Line>], cheats: &[bool], seconds: f64) -> MatchResult {
        let lines = Lines { lines, seatings: self.seatings.len() };
        let agents = self.settings.agents.iter().zip(cheats).enumerate();
        let branching = lines.branching();
        MatchResult {
            game: self.game.info().name.to_string(),
            rules: self.game.rules().to_string(),
            games: lines.count(),
            distinct: lines.distinct(),
            seatings: self.seatings.len(),
            agents: agents.map(|(number, (name, &cheats))| lines.agent(number, name, cheats)).collect(),
            length: lines.length(),
            branching: branching.mean,
            branching_interval: branching.interval,
            lead: lines.lead(),
            reasons: lines.reasons(),
            pairing_gain: lines.pairing_gain(),
            sprt: None,
            seconds,
            placings: lines.placings(self.settings.agents.len()),
        }
    }
}
