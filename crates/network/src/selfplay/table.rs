//! One game in self-play, from its first to its last move.

use meeple_core::agent::{AgentError, Budget, Decision, Seated};
use meeple_core::{Encoder, Game, PayoffSum, Payoffs, Player, Rng, Team, Turn};

use super::recorder::{Recorder, Teaches};
use super::settings::{Opening, SelfPlaySettings};
use crate::samples::Sample;

/// What all games of a session have in common.
pub(super) struct Session<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) encoder: &'a dyn Encoder<G>,
    pub(super) settings: &'a SelfPlaySettings,
    /// Positions at which games may begin.
    pub(super) starts: &'a [G::State],
}

/// A game that is played.
pub(super) struct Table<G: Game> {
    number: u64,
    pub(super) rng: Rng,
    pub(super) state: G::State,
    /// The only team whose decisions are searched for, if there are opponents.
    team: Option<Team>,
    /// Decisions so far.
    pub(super) decisions: u32,
    /// The keys of positions to which no search returns.
    pub(super) played: Vec<u64>,
    recorder: Recorder,
    simulations: u64,
    /// One of its positions so far, each equally likely, for the archive.
    kept: Option<G::State>,
}

/// A game that was played.
#[derive(Debug)]
pub(super) struct Finished {
    /// A position of it, as text.
    pub(super) kept: Option<String>,
    pub(super) number: u64,
    /// With their viewers.
    pub(super) samples: Vec<(Player, Sample)>,
    pub(super) payoffs: Payoffs,
    pub(super) decisions: u32,
    pub(super) simulations: u64,
    /// Whether it was stopped before its end.
    pub(super) stopped: bool,
}

impl<G: Game> Table<G> {
    pub(super) fn new(session: &Session<'_, G>, number: u64) -> Table<G> {
        let mut table = Table {
            number,
            rng: Rng::from_seed(0),
            state: session.game.initial_state(),
            team: None,
            decisions: 0,
            played: Vec::new(),
            recorder: Recorder::default(),
            simulations: 0,
            kept: None,
        };
        table.start(session, number);
        table
    }

    /// Sets up another game.
    pub(super) fn start(&mut self, session: &Session<'_, G>, number: u64) {
        self.number = number;
        self.rng = Rng::stream(session.settings.seed, number);
        self.kept = None;
        self.team = None;
        (self.decisions, self.simulations) = (0, 0);
        self.played.clear();
        self.recorder.clear();
        let from_archive = !session.starts.is_empty() && self.rng.unit() < session.settings.start_share;
        self.state = match from_archive {
            true => self.rng.choose(session.starts).clone(),
            false => session.game.initial_state(),
        };
        self.play_chance(session.game);
        if let Some(Opening { share, moves }) = session.settings.opening
            && !from_archive
            && self.rng.unit() < share
        {
            let moves = self.rng.below(moves + 1);
            self.play_opening(session.game, moves);
        }
    }

    /// Opponents have so many of the games, in which they leave one team to the searches.
    pub(super) fn invite(&mut self, game: &G, share: f64) {
        let teams = game.info().teams as u32;
        self.team = (self.rng.unit() < share).then(|| self.rng.below(teams) as Team);
    }

    /// Random moves, as long as they leave something to play.
    fn play_opening(&mut self, game: &G, moves: u32) {
        let mut actions = Vec::new();
        for _ in 0..moves {
            let before = self.state.clone();
            let action = game.random_action(&self.state, &mut actions, &mut self.rng);
            game.apply(&mut self.state, action);
            self.play_chance(game);
            if game.turn(&self.state) == Turn::Over {
                self.state = before;
                return;
            }
        }
    }

    /// Draws one of the positions at which somebody was to move.
    fn remember(&mut self, session: &Session<'_, G>) {
        if session.settings.start_share > 0.0 && self.rng.below(self.decisions + 1) == 0 {
            self.kept = Some(self.state.clone());
        }
    }

    fn play_chance(&mut self, game: &G) {
        while game.turn(&self.state) == Turn::Chance {
            game.play_chance(&mut self.state, &mut self.rng);
        }
    }

    /// Who is to move; nobody if the game is over or has lasted too long.
    pub(super) fn mover(&self, session: &Session<'_, G>) -> Option<Player> {
        match session.game.turn(&self.state) {
            Turn::Player(player) if !self.has_lasted_too_long(session) => Some(player),
            _ => None,
        }
    }

    /// Whether what this player does is not searched for.
    pub(super) fn is_opponent(&self, game: &G, player: Player) -> bool {
        self.team.is_some_and(|team| game.team(player) != team)
    }

    fn has_lasted_too_long(&self, session: &Session<'_, G>) -> bool {
        let players = session.game.info().players as u64;
        session.settings.move_cap.is_some_and(|most| u64::from(self.decisions) >= u64::from(most) * players)
    }

    /// Lets an agent decide for the player to move. An error if it cannot play on.
    pub(super) fn ask(
        &mut self,
        session: &Session<'_, G>,
        agent: &mut Seated<G>,
        mover: Player,
        teaches: Teaches,
    ) -> Result<(), AgentError> {
        let (game, Table { state, rng, .. }) = (session.game, &mut *self);
        let decision = match agent {
            Seated::Fair(agent) => {
                let decision = agent.decide(game, &game.view(state, Some(mover)), &Budget::NONE, rng);
                agent.failure().map_or(Ok(decision), Err)?
            }
            Seated::Cheating(agent) => agent.decide(game, state, &Budget::NONE, rng),
        };
        // What an opponent has searched is not counted.
        let decision = if teaches == Teaches::Nothing { Decision::plain(decision.action) } else { decision };
        self.take(session, mover, &decision, teaches);
        Ok(())
    }

    /// Carries out a decision of the player to move, and records what it teaches.
    pub(super) fn take(
        &mut self,
        session: &Session<'_, G>,
        mover: Player,
        decision: &Decision<G::Action>,
        teaches: Teaches,
    ) {
        let &Session { game, encoder, settings, .. } = session;
        self.remember(session);
        self.recorder.record(game, encoder, settings, (&self.state, mover), (decision, teaches), &mut self.rng);
        self.decisions += 1;
        self.simulations += decision.report.iterations;
        game.apply(&mut self.state, decision.action);
        self.play_chance(game);
    }

    /// What came of the game.
    pub(super) fn finish(&mut self, session: &Session<'_, G>) -> Finished {
        let stopped = session.game.turn(&self.state) != Turn::Over;
        let payoffs = if stopped { if_stopped(session.game, &self.state) } else { session.game.payoffs(&self.state) };
        let notation = session.game.notation();
        Finished {
            kept: self.kept.as_ref().zip(notation).map(|(state, notation)| notation.state_text(state)),
            number: self.number,
            samples: self.recorder.finish(session.game.info().players, &payoffs, session.settings),
            payoffs,
            decisions: self.decisions,
            simulations: self.simulations,
            stopped,
        }
    }
}

/// The payoffs of a game that is stopped: what is sure so far, or a draw.
fn if_stopped<G: Game>(game: &G, state: &G::State) -> Payoffs {
    let info = game.info();
    let draw = || {
        let mut payoffs = Payoffs::default();
        if let PayoffSum::Constant(sum) = info.payoff_sum {
            payoffs[..info.players].fill(sum / info.players as f32);
        }
        payoffs
    };
    game.payoffs_so_far(state).unwrap_or_else(draw)
}
