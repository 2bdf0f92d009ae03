//! What is told of a table: to everybody, to those who watch, and to bots that have to decide.

use std::time::Instant;

use meeple_core::scene::{Choice, Scene};
use meeple_core::{Player, Rules};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Occupant, Spec, Status, Step, Table, Timeout};
use crate::clock::Clock;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameResult {
    pub(crate) payoffs: Vec<f32>,
    /// In the game's own points; a game that was given up has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
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
    /// The action in words, if its text is a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
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
    /// Those of players; the others are of chance.
    pub(crate) moves: usize,
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

/// What a remote program is told when it gets a seat.
#[derive(Debug, Serialize)]
pub(crate) struct SeatedMessage<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    table: &'a str,
    seat: Player,
    game: &'a str,
    rules: &'a Rules,
    clock: Clock,
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
            moves: self.moves(),
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
            shown.then(|| Seen { number, seat: step.seat, action: step.action.clone(), label: step.label.clone() })
        };
        self.steps.iter().enumerate().filter_map(seen).collect()
    }

    fn clock(&self, seat: Player, now: Instant) -> ClockInfo {
        ClockInfo { left: self.clocks.left(seat, now).map(|left| left.as_secs_f64()) }
    }

    /// The bot on a seat, and what it is told about it.
    pub(crate) fn bot_seated(&self, seat: Player) -> Option<(&str, SeatedMessage<'_>)> {
        let Spec { game, rules, clock, .. } = &self.spec;
        let message = SeatedMessage { kind: "seated", table: &self.id, seat, game, rules, clock: *clock };
        Some((self.spec.seats[seat].bot()?, message))
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
            actions: view.choices().into_iter().map(|choice| choice.action).collect(),
            clock: self.clock(seat, now),
        };
        Some((name, message))
    }
}
