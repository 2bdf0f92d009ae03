//! One table: a game with its players and clocks.
//!
//! What happens at a table is a list of [`Event`]s. Whoever wants something gets the event that it
//! becomes, or a refusal; carrying events out is the only thing that changes a table, so a table comes
//! back after a restart by carrying out the events that were written down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_core::erased::{AnyGame, AnyPosition, AnyView};
use meeple_core::record::{Run, Versions};
use meeple_core::scene::{Choice, Scene};
use meeple_core::{PayoffSum, Player, Record, Rng, Rules, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::{Clock, Clocks};
use crate::error::ApiError;
use crate::token::TokenHash;

/// What a table is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub(crate) game: String,
    pub(crate) rules: Rules,
    pub(crate) clock: Clock,
    pub(crate) timeout: Timeout,
    /// Of chance: outcome n is drawn from stream n of it.
    pub(crate) seed: u64,
    pub(crate) seats: Vec<Occupant>,
    /// Seconds since 1970.
    pub(crate) created: u64,
    /// The game of a competition that is played here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Run>,
}

/// What becomes of a player whose time is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Timeout {
    /// A random legal action is taken for the player.
    #[default]
    Random,
    /// The player's side loses.
    Loss,
}

/// Who has a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Occupant {
    Open,
    Person { name: String, token: TokenHash },
    Agent { name: String, agent: String },
    Bot { name: String },
}

impl Occupant {
    fn name(&self) -> &str {
        match self {
            Occupant::Open => "",
            Occupant::Person { name, .. } | Occupant::Agent { name, .. } | Occupant::Bot { name } => name,
        }
    }

    /// As in records.
    fn record_name(&self) -> &str {
        match self {
            Occupant::Agent { agent, .. } => agent,
            other => other.name(),
        }
    }
}

/// What happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Event {
    Created {
        spec: Spec,
    },
    Joined {
        seat: Player,
        occupant: Occupant,
    },
    /// A player, or chance if nobody is named, did something.
    Acted {
        action: String,
        public: bool,
        seat: Option<Player>,
        milliseconds: f64,
        iterations: u64,
    },
    /// A player gave up, or lost on time.
    GaveUp {
        seat: Player,
        late: bool,
    },
    Paused,
    Resumed,
    /// The next game of the same players is at this table.
    Rematch {
        table: String,
    },
    /// The finished game is in the database, under this number.
    Archived {
        record: i64,
    },
    /// Nobody needs the table any more.
    Closed,
}

/// Where a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// For players.
    Waiting,
    Playing,
    Paused,
    Over,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameResult {
    pub(crate) payoffs: Vec<f32>,
    pub(crate) scores: Vec<f32>,
    pub(crate) reason: String,
    pub(crate) winners: Vec<Player>,
}

/// One line of what a viewer has seen happen; the seat of chance is null.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Seen {
    pub(crate) number: usize,
    pub(crate) seat: Option<Player>,
    pub(crate) action: String,
}

struct Step {
    action: String,
    public: bool,
    seat: Option<Player>,
    milliseconds: f64,
    iterations: u64,
}

pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) spec: Spec,
    game: Arc<dyn AnyGame>,
    position: Box<dyn AnyPosition>,
    steps: Vec<Step>,
    clocks: Clocks,
    paused: bool,
    result: Option<GameResult>,
    rematch: Option<String>,
    archived: Option<i64>,
}

/// What is publicly known of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableInfo {
    pub(crate) id: String,
    pub(crate) game: String,
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub(crate) rules: Rules,
    pub(crate) seats: Vec<SeatInfo>,
    pub(crate) clock: Clock,
    pub(crate) timeout: Timeout,
    pub(crate) status: Status,
    /// Actions so far.
    pub(crate) number: usize,
    /// Whose move it is.
    pub(crate) turn: Option<Player>,
    /// The table of the next game of these players.
    pub(crate) rematch: Option<String>,
    /// The number of the finished game among the records.
    pub(crate) record: Option<i64>,
    pub(crate) created: String,
}

/// What is publicly known of a seat.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SeatInfo {
    /// open, person, agent or bot.
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
}

/// All that a viewer may see, as it is sent after every change.
#[derive(Debug, Serialize)]
pub(crate) struct StateMessage {
    #[serde(rename = "type")]
    kind: &'static str,
    table: TableInfo,
    seat: Option<Player>,
    number: usize,
    turn: Option<Player>,
    scene: Scene,
    render: String,
    text: Option<String>,
    choices: Vec<Choice>,
    log: Vec<Seen>,
    clocks: Vec<ClockInfo>,
    result: Option<GameResult>,
}

/// What a remote program needs for one decision.
#[derive(Debug, Serialize)]
pub(crate) struct DecideMessage<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    table: &'a str,
    game: &'a str,
    rules: &'a Rules,
    seat: Player,
    number: usize,
    view: ViewMessage,
    actions: Vec<String>,
    clock: ClockInfo,
}

#[derive(Debug, Serialize)]
struct ViewMessage {
    text: Option<String>,
    scene: Scene,
}

/// Seconds left; null without a clock.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct ClockInfo {
    pub(crate) left: Option<f64>,
}

impl Table {
    /// A table at its beginning. `game` is the one of the specification.
    pub(crate) fn new(id: String, spec: Spec, game: Arc<dyn AnyGame>) -> Table {
        let clocks = Clocks::new(spec.clock, spec.seats.len());
        let position = game.start();
        Table {
            id,
            spec,
            game,
            position,
            steps: Vec::new(),
            clocks,
            paused: false,
            result: None,
            rematch: None,
            archived: None,
        }
    }

    pub(crate) fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    /// Actions so far.
    pub(crate) fn number(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn status(&self) -> Status {
        match self.result {
            Some(_) => Status::Over,
            None if self.spec.seats.iter().any(|seat| matches!(seat, Occupant::Open)) => Status::Waiting,
            None if self.paused => Status::Paused,
            None => Status::Playing,
        }
    }

    /// Who has to decide now.
    pub(crate) fn mover(&self) -> Option<Player> {
        match (self.status(), self.position.turn()) {
            (Status::Playing, Turn::Player(player)) => Some(player),
            _ => None,
        }
    }

    /// When the one who has to decide is too late.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.clocks.deadline()
    }

    /// What the one who has to decide has left.
    pub(crate) fn time_left(&self, now: Instant) -> Option<Duration> {
        self.clocks.left(self.mover()?, now)
    }

    pub(crate) fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    pub(crate) fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// The view of the one who has to decide, cut off from the truth.
    pub(crate) fn mover_view(&self) -> Option<Box<dyn AnyView>> {
        self.mover().map(|player| self.position.view(Some(player)))
    }

    /// The seat that a secret opens.
    pub(crate) fn seat_of(&self, token: &str) -> Option<Player> {
        self.spec
            .seats
            .iter()
            .position(|seat| matches!(seat, Occupant::Person { token: hash, .. } if hash.matches(token)))
    }

    // What players want, as the event that it becomes.

    pub(crate) fn join(&self, seat: Player, occupant: Occupant) -> Result<Event, ApiError> {
        match self.spec.seats.get(seat) {
            Some(Occupant::Open) => Ok(Event::Joined { seat, occupant }),
            Some(_) => Err(ApiError::conflict("seat_taken", "somebody has this seat")),
            None => Err(ApiError::not_found("seat")),
        }
    }

    /// `number` says which decision is meant, so that what is late or sent twice changes nothing.
    pub(crate) fn act(
        &self,
        seat: Player,
        number: usize,
        action: &str,
        iterations: u64,
        now: Instant,
    ) -> Result<Event, ApiError> {
        let playing = match self.status() {
            Status::Waiting => Some(("waiting", "the game has not begun")),
            Status::Paused => Some(("paused", "the game is paused")),
            Status::Over => Some(("over", "the game is over")),
            Status::Playing => None,
        };
        if let Some((code, message)) = playing {
            return Err(ApiError::conflict(code, message));
        }
        if number != self.number() {
            let message = format!("this is decision {}, not {number}", self.number());
            return Err(ApiError::conflict("wrong_number", message));
        }
        if self.mover() != Some(seat) {
            return Err(ApiError::conflict("not_your_turn", "it is not your turn"));
        }
        let public = self.position.is_public(action).map_err(|_| {
            // The text may be anything: it is not repeated.
            ApiError::bad("illegal_action", "this action is not legal here")
        })?;
        let milliseconds = self.clocks.used(now).as_secs_f64() * 1000.0;
        Ok(Event::Acted { action: action.trim().to_string(), public, seat: Some(seat), milliseconds, iterations })
    }

    pub(crate) fn give_up(&self, seat: Player, late: bool) -> Result<Event, ApiError> {
        match self.status() {
            Status::Over => Err(ApiError::conflict("over", "the game is over")),
            Status::Waiting => Err(ApiError::conflict("waiting", "the game has not begun")),
            _ => Ok(Event::GaveUp { seat, late }),
        }
    }

    pub(crate) fn pause(&self) -> Result<Event, ApiError> {
        match self.status() {
            Status::Playing if self.spec.run.is_none() => Ok(Event::Paused),
            Status::Playing => Err(ApiError::forbidden("competition", "a game of a competition is not paused")),
            _ => Err(ApiError::conflict("not_playing", "only a running game can be paused")),
        }
    }

    pub(crate) fn resume(&self) -> Result<Event, ApiError> {
        match self.status() {
            Status::Paused => Ok(Event::Resumed),
            _ => Err(ApiError::conflict("not_paused", "only a paused game can go on")),
        }
    }

    /// What happens without anybody wanting it: chance, or a player who is too late.
    pub(crate) fn due(&self, now: Instant) -> Option<Event> {
        let mut rng = Rng::stream(self.spec.seed, self.number() as u64);
        match (self.status(), self.position.turn()) {
            (Status::Playing, Turn::Chance) => {
                let action = self.position.clone_box().apply_chance(&mut rng);
                let public = self.position.is_public(&action).unwrap_or(false);
                Some(Event::Acted { action, public, seat: None, milliseconds: 0.0, iterations: 0 })
            }
            (Status::Playing, Turn::Player(seat)) if self.deadline().is_some_and(|deadline| deadline <= now) => {
                match self.spec.timeout {
                    Timeout::Loss => self.give_up(seat, true).ok(),
                    Timeout::Random => {
                        let actions = self.position.actions();
                        let action: &String = rng.choose(&actions);
                        self.act(seat, self.number(), action, 0, now).ok()
                    }
                }
            }
            _ => None,
        }
    }

    /// Carries out what has happened. The error is that of a journal that does not fit the rules.
    pub(crate) fn carry_out(&mut self, event: &Event, now: Instant) -> Result<(), String> {
        match event {
            Event::Created { .. } | Event::Closed => {}
            Event::Joined { seat, occupant } => {
                *self.spec.seats.get_mut(*seat).ok_or("there is no such seat")? = occupant.clone();
            }
            Event::Acted { action, public, seat, milliseconds, iterations } => {
                self.position.apply(action).map_err(|error| error.to_string())?;
                if let Some(seat) = *seat {
                    self.clocks.decided(seat, Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0));
                }
                self.steps.push(Step {
                    action: action.clone(),
                    public: *public,
                    seat: *seat,
                    milliseconds: *milliseconds,
                    iterations: *iterations,
                });
                if self.position.turn() == Turn::Over {
                    let outcome = self.position.outcome();
                    let players = self.spec.seats.len();
                    self.result = Some(GameResult {
                        payoffs: outcome.payoffs[..players].to_vec(),
                        scores: outcome.scores[..players].to_vec(),
                        reason: outcome.reason.to_string(),
                        winners: outcome.winners(players).collect(),
                    });
                }
            }
            Event::GaveUp { seat, late } => {
                self.clocks.pause(now);
                self.result = Some(self.lost_by(*seat, if *late { "time" } else { "resignation" }));
            }
            Event::Paused => {
                self.clocks.pause(now);
                self.paused = true;
            }
            Event::Resumed => self.paused = false,
            Event::Rematch { table } => self.rematch = Some(table.clone()),
            Event::Archived { record } => self.archived = Some(*record),
        }
        match self.mover() {
            Some(player) if !self.clocks.is_running() => self.clocks.start(player, now),
            _ => {}
        }
        Ok(())
    }

    /// The side of a seat gets the least there is, and the others share the rest.
    fn lost_by(&self, seat: Player, reason: &str) -> GameResult {
        let players = self.spec.seats.len();
        let lost = |player: Player| self.game.team(player) == self.game.team(seat);
        let losers = (0..players).filter(|&player| lost(player)).count();
        let sum = match self.game.info().payoff_sum {
            PayoffSum::Constant(sum) => sum,
            PayoffSum::General => 0.0,
        };
        let rest = ((sum + losers as f32) / (players - losers).max(1) as f32).clamp(-1.0, 1.0);
        let payoffs: Vec<f32> = (0..players).map(|player| if lost(player) { -1.0 } else { rest }).collect();
        let winners = (0..players).filter(|&player| !lost(player)).collect();
        GameResult { scores: payoffs.clone(), payoffs, reason: reason.to_string(), winners }
    }

    // What is shown.

    pub(crate) fn info(&self) -> TableInfo {
        let seat = |seat: &Occupant| SeatInfo {
            kind: match seat {
                Occupant::Open => "open",
                Occupant::Person { .. } => "person",
                Occupant::Agent { .. } => "agent",
                Occupant::Bot { .. } => "bot",
            },
            name: seat.name().to_string(),
            agent: match seat {
                Occupant::Agent { agent, .. } => Some(agent.clone()),
                _ => None,
            },
        };
        TableInfo {
            id: self.id.clone(),
            game: self.spec.game.clone(),
            rules: self.spec.rules.clone(),
            seats: self.spec.seats.iter().map(seat).collect(),
            clock: self.spec.clock,
            timeout: self.spec.timeout,
            status: self.status(),
            number: self.number(),
            turn: self.mover(),
            rematch: self.rematch.clone(),
            record: self.archived,
            created: crate::time::text(self.spec.created),
        }
    }

    /// All that a seat, or a spectator, may see.
    pub(crate) fn state(&self, viewer: Option<Player>, now: Instant) -> StateMessage {
        let view = self.position.view(viewer);
        let is_mover = viewer.is_some() && viewer == self.mover();
        StateMessage {
            kind: "state",
            table: self.info(),
            seat: viewer,
            number: self.number(),
            turn: self.mover(),
            scene: view.scene(),
            render: view.render(),
            text: view.text(),
            choices: if is_mover { view.choices() } else { Vec::new() },
            log: self.log(viewer),
            clocks: (0..self.spec.seats.len()).map(|seat| self.clock(seat, now)).collect(),
            result: self.result.clone(),
        }
    }

    /// What a viewer has seen happen.
    fn log(&self, viewer: Option<Player>) -> Vec<Seen> {
        let seen = |(number, step): (usize, &Step)| {
            let shown = step.public || (viewer.is_some() && step.seat == viewer);
            shown.then(|| Seen { number, seat: step.seat, action: step.action.clone() })
        };
        self.steps.iter().enumerate().filter_map(seen).collect()
    }

    fn clock(&self, seat: Player, now: Instant) -> ClockInfo {
        ClockInfo { left: self.clocks.left(seat, now).map(|left| left.as_secs_f64()) }
    }

    /// The bot that has to decide, and what it is sent.
    pub(crate) fn bot_decision(&self, now: Instant) -> Option<(&str, DecideMessage<'_>)> {
        let seat = self.mover()?;
        let Occupant::Bot { name } = &self.spec.seats[seat] else { return None };
        let view = self.position.view(Some(seat));
        let message = DecideMessage {
            kind: "decide",
            table: &self.id,
            game: &self.spec.game,
            rules: &self.spec.rules,
            seat,
            number: self.number(),
            view: ViewMessage { text: view.text(), scene: view.scene() },
            actions: self.position.actions(),
            clock: self.clock(seat, now),
        };
        Some((name, message))
    }

    /// The agent that has to decide.
    pub(crate) fn agent_to_move(&self) -> Option<&str> {
        match &self.spec.seats[self.mover()?] {
            Occupant::Agent { agent, .. } => Some(agent),
            _ => None,
        }
    }

    /// Everything, for the archive and for review: only when the game is over.
    pub(crate) fn record(&self) -> Option<Record> {
        let result = self.result.as_ref()?;
        let finished = self.position.turn() == Turn::Over;
        Some(Record {
            game: self.spec.game.clone(),
            rules: self.game.rules(),
            seats: self.spec.seats.iter().map(|seat| seat.record_name().to_string()).collect(),
            actions: self.steps.iter().map(|step| step.action.clone()).collect(),
            clocks: Some(self.steps.iter().map(|step| step.milliseconds).collect()),
            iterations: Some(self.steps.iter().map(|step| step.iterations).collect()),
            payoffs: finished.then(|| result.payoffs.clone()),
            scores: finished.then(|| result.scores.clone()),
            reason: finished.then(|| result.reason.clone()),
            versions: Some(Versions::of(&self.game.info())),
            run: self.spec.run.clone(),
            ..Record::default()
        })
    }
}
