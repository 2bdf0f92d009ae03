//! Tournaments: a file says who takes part, every meeting is a match, and all results together give a
//! cross table and ratings.

mod standings;

use meeple_core::Rules;
use meeple_core::erased::AnyGame;
use serde::{Deserialize, Serialize};

use crate::MatchSettings;
pub use standings::{Cell, MeetingResult, Participant, Standings};

/// The content of a tournament file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    pub title: String,
    /// What a reader of the results should know.
    #[serde(default)]
    pub remarks: String,
    pub game: String,
    #[serde(default)]
    pub rules: Rules,
    pub kind: Kind,
    /// The name of the agent that plays a gauntlet; the first one if it is not given.
    pub challenger: Option<String>,
    /// Games of each meeting.
    pub games: u64,
    /// Games of each meeting for a first impression.
    pub quick: u64,
    #[serde(default = "one")]
    pub seed: u64,
    #[serde(rename = "agent")]
    pub entrants: Vec<Entrant>,
}

fn one() -> u64 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Everybody against everybody.
    RoundRobin,
    /// One against all others.
    Gauntlet,
    /// Everybody against everybody, shown in the order of the file, which is that of age.
    Versions,
    /// Tables of more than two seats: every choice of as many agents as there are seats, or all agents if there
    /// are no more than seats.
    Tables,
}

/// An agent that takes part.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// How the tables call it; its text if it is not given.
    pub name: Option<String>,
    /// The agent as text.
    pub agent: String,
}

impl Entrant {
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.agent)
    }
}

/// A match of the tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// By number of the file.
    pub agents: Vec<usize>,
    /// Meetings have deals of their own, so that their results are independent.
    pub seed: u64,
}

impl Tournament {
    /// Reads a file's content; the error says where it is wrong.
    pub fn parse(text: &str) -> Result<Tournament, String> {
        let tournament: Tournament = toml::from_str(text).map_err(|error| error.to_string())?;
        tournament.check()?;
        Ok(tournament)
    }

    fn check(&self) -> Result<(), String> {
        if self.title.trim().is_empty() {
            return Err("the title is empty: it tells the records of the tournament from others".to_string());
        }
        if self.games == 0 || self.quick == 0 {
            return Err("there must be at least one game in a meeting, quick or not".to_string());
        }
        if self.entrants.len() < 2 {
            return Err("a tournament needs at least two agents".to_string());
        }
        let twice = |&number: &usize| self.entrants[..number].iter().any(|e| e.name() == self.entrants[number].name());
        if let Some(number) = (0..self.entrants.len()).find(twice) {
            let name = self.entrants[number].name();
            return Err(format!("two agents are called `{name}`: give each a name of its own"));
        }
        if self.challenger.is_some() && self.kind != Kind::Gauntlet {
            return Err("only a gauntlet has a challenger".to_string());
        }
        self.challenger().map(|_| ())
    }

    fn challenger(&self) -> Result<usize, String> {
        let Some(name) = &self.challenger else { return Ok(0) };
        let found = self.entrants.iter().position(|entrant| entrant.name() == name);
        found.ok_or_else(|| format!("no agent is called `{name}` like the challenger"))
    }

    /// All meetings. Further agents at the end of the file leave the meetings between the others as they are, so
    /// that their records still count. An error says why the game does not fit.
    pub fn meetings(&self, game: &dyn AnyGame) -> Result<Vec<Meeting>, String> {
        let all = self.entrants.len();
        let chosen = match self.kind {
            Kind::RoundRobin | Kind::Versions => choices(all, 2),
            Kind::Gauntlet => {
                let challenger = self.challenger()?;
                (0..all).filter(|&other| other != challenger).map(|other| vec![challenger, other]).collect()
            }
            Kind::Tables => choices(all, self.seats_of_a_table(game)?.min(all)),
        };
        let seeds = (0..).map(|number| self.seed.wrapping_add(number));
        Ok(chosen.into_iter().zip(seeds).map(|(agents, seed)| Meeting { agents, seed }).collect())
    }

    fn seats_of_a_table(&self, game: &dyn AnyGame) -> Result<usize, String> {
        let info = game.info();
        match info.players {
            players if info.teams == players && players > 2 => Ok(players),
            _ => Err(format!(
                "tables need more than two seats, each for itself; {} has {} teams: choose another kind",
                info.name, info.teams
            )),
        }
    }

    /// The match of a meeting; its records carry the title of the tournament.
    pub fn settings(&self, meeting: &Meeting, quick: bool) -> MatchSettings {
        let agents = meeting.agents.iter().map(|&number| self.entrants[number].agent.clone()).collect();
        let games = if quick { self.quick } else { self.games };
        MatchSettings { experiment: self.title.clone(), ..MatchSettings::new(agents, games, meeting.seed) }
    }
}

/// All choices of `size` numbers below `all`, ordered by their greatest number first, then the second
/// greatest and so on.
fn choices(all: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with_greatest = |greatest: usize| {
        let smaller = choices(greatest, size - 1).into_iter();
        smaller.map(move |mut chosen| {
            chosen.push(greatest);
            chosen
        })
    };
    (size - 1..all).flat_map(with_greatest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        title = "t"
        game = "connect-four"
        kind = "gauntlet"
        challenger = "old"
        games = 100
        quick = 10
        [[agent]]
        agent = "random"
        [[agent]]
        name = "old"
        agent = "mcts:iterations=10"
    "#;

    #[test]
    fn files_are_read_and_checked() {
        let tournament = Tournament::parse(FILE).unwrap();
        assert_eq!(tournament.challenger(), Ok(1));
        assert_eq!(tournament.entrants[0].name(), "random");
        let settings = tournament.settings(&Meeting { agents: vec![1, 0], seed: 7 }, true);
        assert_eq!((settings.games, settings.seed, settings.experiment.as_str()), (10, 7, "t"));
        assert_eq!(settings.agents, ["mcts:iterations=10", "random"]);
        for (from, to, part) in [
            ("title = \"t\"", "title = \" \"", "the title is empty"),
            ("quick = 10", "quick = 0", "at least one game"),
            ("quick = 10", "", "quick"),
            ("gauntlet", "swiss", "swiss"),
            ("gauntlet", "versions", "only a gauntlet"),
            ("challenger = \"old\"", "challenger = \"young\"", "young"),
            ("name = \"old\"", "name = \"random\"", "called `random`"),
            ("[[agent]]\n        agent = \"random\"", "", "at least two"),
            ("games = 100", "games = 100\nspeed = 3", "speed"),
        ] {
            let error = Tournament::parse(&FILE.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(part), "{to}: {error}");
        }
    }

    #[test]
    fn further_agents_leave_earlier_choices_alone() {
        for size in 1..4 {
            let (few, many) = (choices(5, size), choices(7, size));
            assert_eq!(few[..], many[..few.len()]);
            let mut sorted = many.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), many.len());
        }
        assert_eq!(choices(4, 2), [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]);
        assert_eq!(choices(6, 4).len(), 15);
    }
}
