//! Games that searches play against themselves, as samples for training (thesis 000, algorithm 4.3;
//! thesis 004, chapter 6).
//!
//! Every thread plays many games at once: in each round every search walks to a leaf, all leaves are
//! evaluated in one batch, and every search goes on with its answer. Each game has its own random
//! stream, so that its samples depend on the seed and its number alone, as long as what the evaluator
//! says about a position depends on nothing else.

mod recorder;
mod searcher;
mod settings;
mod statistics;
mod table;
mod worker;

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use meeple_core::agent::{AgentError, Seated};
use meeple_core::{Encoder, Game, Payoffs, Player as Seat, Rng};
use meeple_search::Evaluator;

use crate::samples::Sample;
use table::{Finished, Session};
use worker::{Player, Work};

pub use settings::{Augmentation, Method, Opening, Quick, SampleKey, SelfPlayError, SelfPlaySettings};
pub use statistics::Statistics;

/// Who plays; one for each thread.
pub enum Players<G: Game> {
    /// The search of the settings.
    Searches(Vec<Searching<G>>),
    /// Agents, for a network that imitates them or begins with what they do: a policy is learnt from what they report
    /// about actions, or from the actions they take. They forget everything between games.
    Agents(Vec<Teacher<G>>),
}

impl<G: Game> Players<G> {
    /// Refuses searches of opponents that are not possible in the game.
    fn check(&self, game: &G) -> Result<(), SelfPlayError> {
        let Players::Searches(all) = self else { return Ok(()) };
        all.iter().filter_map(|one| one.opponents.as_ref()).try_for_each(|opponents| match &opponents.who {
            Who::Search(settings) => settings.check(game, true),
            Who::Agents(_) => Ok(()),
        })
    }
}

impl<G: Game> std::fmt::Debug for Players<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Players::Searches(all) => write!(f, "Searches({})", all.len()),
            Players::Agents(agents) => write!(f, "Agents({})", agents.len()),
        }
    }
}

/// What searches ask, and whom they play against.
pub struct Searching<G: Game> {
    pub evaluator: Box<dyn Evaluator<G>>,
    /// Asked in its place where another player than the searching one is to move.
    pub others: Option<Box<dyn Evaluator<G>>>,
    /// Without them the searches have all seats.
    pub opponents: Option<Opponents<G>>,
}

impl<G: Game> Searching<G> {
    /// On all seats.
    pub fn alone(evaluator: impl Evaluator<G> + 'static) -> Searching<G> {
        Searching { evaluator: Box::new(evaluator), others: None, opponents: None }
    }
}

impl<G: Game> std::fmt::Debug for Searching<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Searching(others: {}, opponents: {})", self.others.is_some(), self.opponents.is_some())
    }
}

/// An agent that a network learns from.
#[derive(Debug)]
pub struct Teacher<G: Game> {
    pub agent: Seated<G>,
    /// Who has all seats but those of one team in a share of the games. Nothing is learnt from what it does.
    pub opponent: Option<(Seated<G>, f64)>,
}

impl<G: Game> Teacher<G> {
    /// One that has all seats.
    pub fn alone(agent: Seated<G>) -> Teacher<G> {
        Teacher { agent, opponent: None }
    }
}

/// Players who have all seats but those of one team in some games. Nothing is learnt from what they do.
#[derive(Debug)]
pub struct Opponents<G: Game> {
    /// Of the games; in each the searches have another team, all equally often.
    pub share: f64,
    pub who: Who<G>,
}

/// Who they are.
#[derive(Debug)]
pub enum Who<G: Game> {
    /// For as many games at once.
    Agents(Vec<Seated<G>>),
    /// Another search with the evaluator of the thread; the number of games at once is that of the searches.
    Search(Box<SelfPlaySettings>),
}

/// What was played.
#[derive(Debug)]
pub struct Played {
    /// By the number of the game and the moves in it.
    pub samples: Vec<Sample>,
    /// The viewer of each.
    pub viewers: Vec<Seat>,
    /// Where those of each game end.
    pub ends: Vec<usize>,
    /// A position of each game as text, if games may begin at such positions.
    pub archive: Vec<String>,
    pub statistics: Statistics,
}

/// A game that was just finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Of the game.
    pub number: u64,
    pub payoffs: Payoffs,
    /// Of all players.
    pub decisions: u32,
    /// Games finished so far.
    pub games: u64,
    /// Samples so far.
    pub samples: u64,
}

/// Plays the games of the settings and returns their samples as `encoder` writes them; some begin at one of
/// the positions in `archive`, where somebody is to move. `progress` is called after every game; if it breaks
/// off, what is finished is returned. An error says what is wrong with the settings, or why an agent cannot play on.
pub fn play<G: Game>(
    game: &G,
    encoder: &dyn Encoder<G>,
    settings: &SelfPlaySettings,
    archive: &[G::State],
    players: Players<G>,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Played, SelfPlayError> {
    settings.check(game, !matches!(players, Players::Agents(_)))?;
    players.check(game)?;
    let players: Vec<Player<G>> = match players {
        Players::Searches(all) => all.into_iter().map(Player::Search).collect(),
        Players::Agents(agents) => agents.into_iter().map(Player::Teacher).collect(),
    };
    if players.is_empty() {
        return Err(SelfPlayError("there must be somebody who plays".to_string()));
    }
    let started = Instant::now();
    let session = Session { game, encoder, settings, starts: archive };
    let work = Work::new(settings.first_game, settings.games, players.len());
    let (sender, receiver) = channel();
    let (mut finished, mut statistics) = thread::scope(|scope| {
        let start = |(number, player): (u64, Player<G>)| {
            let (session, work, sender) = (&session, &work, sender.clone());
            scope.spawn(move || player.play(session, work, &sender, Rng::stream(!settings.seed, number)))
        };
        let workers: Vec<_> = (0..).zip(players).map(start).collect();
        drop(sender);
        let (finished, mut statistics) = collect(&receiver, game.info().players, progress, &work);
        for worker in workers {
            statistics.evaluations += worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        (finished, statistics)
    });
    if let Some(AgentError(why)) = work.into_failure() {
        return Err(SelfPlayError(why));
    }
    statistics.time = started.elapsed();
    finished.sort_by_key(|game| game.number);
    let archive = finished.iter_mut().filter_map(|game| game.kept.take()).collect();
    let (mut samples, mut viewers, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for game in finished {
        for (viewer, sample) in game.samples {
            viewers.push(viewer);
            samples.push(sample);
        }
        ends.push(samples.len());
    }
    Ok(Played { samples, viewers, ends, archive, statistics })
}

/// Takes finished games until all threads are done.
fn collect(
    receiver: &Receiver<Finished>,
    players: usize,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    work: &Work,
) -> (Vec<Finished>, Statistics) {
    let (mut finished, mut statistics) = (Vec::new(), Statistics::default());
    for game in receiver {
        statistics.add(&game, players);
        let Finished { number, payoffs, decisions, .. } = game;
        finished.push(game);
        let so_far = Progress { number, payoffs, decisions, games: statistics.games, samples: statistics.samples };
        if progress(&so_far).is_break() {
            work.stop();
        }
    }
    (finished, statistics)
}
