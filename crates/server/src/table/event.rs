//! What a table is made of, and what can happen at it. Both stand in the journal as they are here.

use std::net::IpAddr;

use meeple_core::record::Run;
use meeple_core::{Player, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::Clock;
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
    /// Which contestant of the competition has each seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) contestants: Vec<usize>,
    /// Who made the table; it counts among what this address may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<IpAddr>,
}

impl Spec {
    /// Of a game by its own rules, without seats.
    #[cfg(test)]
    pub(crate) fn of(game: &str, clock: Clock, timeout: Timeout) -> Spec {
        let (game, rules, seats) = (game.to_string(), Rules::default(), Vec::new());
        Spec {
            game,
            rules,
            clock,
            timeout,
            seed: 1,
            seats,
            created: 0,
            run: None,
            contestants: Vec::new(),
            client: None,
        }
    }
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
    Person {
        name: String,
        token: TokenHash,
    },
    Agent {
        name: String,
        agent: String,
        /// Who added it, if that is not who made the table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<IpAddr>,
    },
    Bot {
        name: String,
    },
}

impl Occupant {
    /// One that came with the table.
    pub(crate) fn agent(name: String, agent: String) -> Occupant {
        Occupant::Agent { name, agent, client: None }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Occupant::Open => "",
            Occupant::Person { name, .. } | Occupant::Agent { name, .. } | Occupant::Bot { name } => name,
        }
    }

    /// The name of a bot.
    pub(crate) fn bot(&self) -> Option<&str> {
        match self {
            Occupant::Bot { name } => Some(name),
            _ => None,
        }
    }

    /// As in records.
    pub(super) fn record_name(&self) -> &str {
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
    /// The one who thinks had used so much of its time.
    Paused {
        milliseconds: f64,
    },
    Resumed,
    /// The next game of the same players is at this table.
    Rematch {
        next: String,
    },
    /// The finished game is in the database, under this number.
    Archived {
        record: i64,
    },
    /// Nobody needs the table any more.
    Closed,
}
