//! What one thread does: many games at once with searches in lock-step, or with an agent one game
//! after the other.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;

use meeple_core::agent::{AgentError, Seated};
use meeple_core::{Game, Player as Seat, Rng};
use meeple_search::{Evaluation, Evaluator};

use super::recorder::Teaches;
use super::searcher::Searcher;
use super::settings::{Method, Quick};
use super::table::{Finished, Session, Table};
use super::{Opponents, Searching, Teacher, Who};

/// What the threads share.
pub(super) struct Work {
    /// The number of the next game, and of the one after the last.
    next: AtomicU64,
    end: u64,
    /// So many games at once leave something to the other threads.
    share: u64,
    stopped: AtomicBool,
    /// Why somebody could not play on.
    failure: OnceLock<AgentError>,
}

impl Work {
    pub(super) fn new(first: u64, games: u64, threads: usize) -> Work {
        Work {
            next: AtomicU64::new(first),
            end: first.saturating_add(games),
            share: games.div_ceil(threads as u64),
            stopped: AtomicBool::new(false),
            failure: OnceLock::new(),
        }
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    fn fail(&self, why: AgentError) {
        // The first reason counts.
        let _ = self.failure.set(why);
        self.stop();
    }

    pub(super) fn into_failure(self) -> Option<AgentError> {
        self.failure.into_inner()
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    fn next(&self) -> Option<u64> {
        let next = |number: u64| (number < self.end).then_some(number + 1);
        self.next.fetch_update(Relaxed, Relaxed, next).ok()
    }
}

/// Who plays on one thread.
pub(super) enum Player<G: Game> {
    Search(Searching<G>),
    Teacher(Teacher<G>),
}

impl<G: Game> Player<G> {
    /// Plays until there are no games left. The number of evaluations.
    pub(super) fn play(self, session: &Session<'_, G>, work: &Work, finished: &Sender<Finished>, mut rng: Rng) -> u64 {
        match self {
            Player::Search(searching) => Searches::new(session, work, finished, searching).play(&mut rng),
            Player::Teacher(teacher) => {
                play_teacher(session, work, finished, teacher);
                0
            }
        }
    }
}

/// Games in which searches decide.
struct Searches<'a, G: Game> {
    session: &'a Session<'a, G>,
    work: &'a Work,
    finished: &'a Sender<Finished>,
    games: Vec<Searched<G>>,
    askings: [Asking<G>; 2],
}

/// Somebody who is asked for evaluations, and what for.
struct Asking<G: Game> {
    evaluator: Option<Box<dyn Evaluator<G>>>,
    requests: Vec<G::State>,
    evaluations: Vec<Evaluation>,
}

impl<G: Game> Asking<G> {
    fn new(evaluator: Option<Box<dyn Evaluator<G>>>) -> Asking<G> {
        Asking { evaluator, requests: Vec::new(), evaluations: Vec::new() }
    }
}

/// The network that learns, and the one that is asked in its place where others are to move.
const OWN: usize = 0;
const OTHERS: usize = 1;

/// A game with its search.
struct Searched<G: Game> {
    table: Table<G>,
    searcher: Searcher<G>,
    /// For decisions that the policy does not learn from.
    quick: Option<Searcher<G>>,
    /// Who has all seats but those of one team in some games, and in how many.
    opponent: Option<(Opponent<G>, f64)>,
    /// Who makes the decision at hand.
    at_work: AtWork,
    /// Who was asked for it, and how much.
    asked: (usize, usize),
}

/// Somebody else who plays.
enum Opponent<G: Game> {
    Agent(Seated<G>),
    /// Another search with the same evaluator.
    Search(Searcher<G>),
}

impl<G: Game> Who<G> {
    /// In how many games at once they can play, and one after the other.
    fn into_players(self, game: &G) -> (u64, Box<dyn Iterator<Item = Opponent<G>> + '_>) {
        match self {
            Who::Agents(agents) => (agents.len() as u64, Box::new(agents.into_iter().map(Opponent::Agent))),
            Who::Search(settings) => {
                let search = move || Opponent::Search(Searcher::new(game, &settings));
                (u64::MAX, Box::new(std::iter::repeat_with(search)))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtWork {
    Search,
    Quick,
    Opponent,
}

impl<'a, G: Game> Searches<'a, G> {
    fn new(
        session: &'a Session<'a, G>,
        work: &'a Work,
        finished: &'a Sender<Finished>,
        Searching { evaluator, others, opponents }: Searching<G>,
    ) -> Searches<'a, G> {
        let most = work.share.min(session.settings.searches as u64);
        let (most, mut opponents) = match opponents {
            Some(Opponents { share, who }) => {
                let (places, who) = who.into_players(session.game);
                (most.min(places), Some(who.map(move |one| (one, share))))
            }
            None => (most, None),
        };
        let mut games = Vec::new();
        while let Some(number) = (games.len() as u64 != most).then(|| work.next()).flatten() {
            let mut game = Searched {
                table: Table::new(session, number),
                searcher: Searcher::new(session.game, session.settings),
                quick: Searcher::quick(session.game, session.settings),
                opponent: opponents.as_mut().and_then(Iterator::next),
                at_work: AtWork::Search,
                asked: (OWN, 0),
            };
            let over = game.open(session, work);
            if game.go_on(session, work, finished, over) {
                games.push(game);
            }
        }
        let askings = [Some(evaluator), others].map(Asking::new);
        Searches { session, work, finished, games, askings }
    }

    /// Plays until there are no games left: every round all searches gather, one call evaluates what goes to the same
    /// network, all apply. The number of evaluations by the network that learns.
    fn play(mut self, rng: &mut Rng) -> u64 {
        let game = self.session.game;
        let mut count = 0;
        while self.gather() {
            count += self.askings[OWN].requests.len() as u64;
            for Asking { evaluator, requests, evaluations } in &mut self.askings {
                if let (Some(evaluator), false) = (evaluator, requests.is_empty()) {
                    evaluator.evaluate(game, requests, evaluations, rng);
                }
            }
            let mut rest = self.askings.each_ref().map(|asking| &asking.evaluations[..]);
            for searched in &mut self.games {
                let (who, asked) = searched.asked;
                let (own, others) = rest[who].split_at(asked);
                let (searcher, table) = searched.at_work();
                searcher.apply(game, own, &mut table.rng);
                rest[who] = others;
            }
        }
        count
    }

    /// Brings every game to where its search asks for something. False if none is left.
    fn gather(&mut self) -> bool {
        self.askings.iter_mut().for_each(|asking| asking.requests.clear());
        let Searches { session, work, finished, games, askings } = self;
        games.retain_mut(|game| {
            loop {
                if game.ask(session, askings) {
                    break true;
                }
                let over = game.decide(session, work);
                if !game.go_on(session, work, finished, over) {
                    break false;
                }
            }
        });
        !games.is_empty() && !work.is_stopped()
    }
}

impl<G: Game> Searched<G> {
    /// Gathers what the search that decides asks for. False if it asks for nothing more.
    fn ask(&mut self, session: &Session<'_, G>, [own, others]: &mut [Asking<G>; 2]) -> bool {
        let game = session.game;
        let before = own.requests.len();
        let (searcher, table) = self.at_work();
        if !searcher.gather(game, &mut own.requests, &mut table.rng) {
            return false;
        }
        let of_another = own.requests[before..].iter().any(|state| game.turn(state) != game.turn(&table.state));
        self.asked = (OWN, own.requests.len() - before);
        if of_another && others.evaluator.is_some() && self.at_work != AtWork::Opponent {
            others.requests.extend(own.requests.drain(before..));
            self.asked.0 = OTHERS;
        }
        true
    }

    /// The search that decides, and its game.
    fn at_work(&mut self) -> (&mut Searcher<G>, &mut Table<G>) {
        let searcher = match (self.at_work, &mut self.quick, &mut self.opponent) {
            (AtWork::Quick, Some(quick), _) => quick,
            (AtWork::Opponent, _, Some((Opponent::Search(search), _))) => search,
            _ => &mut self.searcher,
        };
        (searcher, &mut self.table)
    }

    /// Sends what is over and opens other games until one waits for its search. False if there is none left.
    fn go_on(
        &mut self,
        session: &Session<'_, G>,
        work: &Work,
        finished: &Sender<Finished>,
        mut over: Option<Finished>,
    ) -> bool {
        while let Some(game) = over {
            let heard = finished.send(game).is_ok();
            let Some(number) = work.next().filter(|_| heard && !work.is_stopped()) else { return false };
            self.table.start(session, number);
            self.searcher.new_game();
            self.quick.iter_mut().for_each(Searcher::new_game);
            over = self.open(session, work);
        }
        true
    }

    /// Begins a game that was set up; the game itself if it is over before anything is searched.
    fn open(&mut self, session: &Session<'_, G>, work: &Work) -> Option<Finished> {
        if let Some((opponent, share)) = &mut self.opponent {
            self.table.invite(session.game, *share);
            match opponent {
                Opponent::Agent(agent) => agent.new_game(),
                Opponent::Search(search) => search.new_game(),
            }
        }
        self.advance(session, work)
    }

    /// Lets agents play until a search is to decide, and begins it; or the game, if it is over.
    fn advance(&mut self, session: &Session<'_, G>, work: &Work) -> Option<Finished> {
        while let Some(mover) = self.table.mover(session) {
            let Some((opponent, _)) = self.opponent.as_mut().filter(|_| self.table.is_opponent(session.game, mover))
            else {
                self.at_work = match session.settings.quick {
                    Some(quick) if self.table.rng.unit() < quick.share => AtWork::Quick,
                    _ => AtWork::Search,
                };
                self.begin(session, mover);
                return None;
            };
            match opponent {
                Opponent::Search(_) => {
                    self.at_work = AtWork::Opponent;
                    self.begin(session, mover);
                    return None;
                }
                Opponent::Agent(agent) => {
                    if let Err(why) = self.table.ask(session, agent, mover, Teaches::Nothing) {
                        work.fail(why);
                        return Some(self.table.finish(session));
                    }
                }
            }
        }
        Some(self.table.finish(session))
    }

    fn begin(&mut self, session: &Session<'_, G>, mover: Seat) {
        let (searcher, table) = self.at_work();
        let Table { state, played, rng, .. } = table;
        if session.settings.cut_game_loops {
            played.push(session.game.position_key(state));
        }
        searcher.begin(session.game, state, mover, played, rng);
    }

    /// Makes the decision that was searched for, and begins the next one if there is one.
    fn decide(&mut self, session: &Session<'_, G>, work: &Work) -> Option<Finished> {
        let mover = self.table.mover(session).expect("somebody searched");
        let (searcher, table) = self.at_work();
        let decision = searcher.decide(session.game, table.decisions + 1, &mut table.rng);
        let teaches = match (self.at_work, session.settings.quick) {
            (AtWork::Search, _) if session.settings.method == Method::Policy => Teaches::Drawn,
            (AtWork::Search, _) => Teaches::All,
            (AtWork::Quick, Some(Quick { values: true, .. })) => Teaches::Value,
            (AtWork::Quick | AtWork::Opponent, _) => Teaches::Nothing,
        };
        self.table.take(session, mover, &decision, teaches);
        self.advance(session, work)
    }
}

/// Plays games by an agent on all seats that are its own until there are none left.
fn play_teacher<G: Game>(session: &Session<'_, G>, work: &Work, finished: &Sender<Finished>, teacher: Teacher<G>) {
    let Teacher { mut agent, mut opponent } = teacher;
    while let Some(number) = work.next() {
        let mut table = Table::new(session, number);
        agent.new_game();
        if let Some((opponent, share)) = &mut opponent {
            table.invite(session.game, *share);
            opponent.new_game();
        }
        while let Some(mover) = table.mover(session) {
            if work.is_stopped() {
                return;
            }
            let (who, teaches) = match &mut opponent {
                Some((opponent, _)) if table.is_opponent(session.game, mover) => (opponent, Teaches::Nothing),
                _ => (&mut agent, Teaches::All),
            };
            if let Err(why) = table.ask(session, who, mover, teaches) {
                return work.fail(why);
            }
        }
        if finished.send(table.finish(session)).is_err() {
            return;
        }
    }
}
