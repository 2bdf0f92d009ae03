//! One table: a game with its players and clocks.
//!
//! What happens at a table is a list of [`Event`]s. Whoever wants something gets the event that it
//! becomes, or a refusal; carrying events out is the only thing that changes a table, so a table comes
//! back after a restart by carrying out the events that were written down.

mod event;
mod shown;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_core::erased::{AnyGame, AnyPosition, AnyView};
use meeple_core::record::{CUT_SHORT, Versions};
use meeple_core::{PayoffSum, Player, Record, Rng, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::{Clock, Clocks};
use crate::error::ApiError;
use crate::limits::Held;
pub(crate) use event::{Event, Occupant, Spec, Timeout};
pub(crate) use shown::{GameResult, Seen, TableInfo};

/// Where a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// For players.
    Waiting,
    Playing,
    Paused,
    Over,
}

struct Step {
    action: String,
    label: Option<String>,
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

    /// Actions of players so far, without those of chance.
    pub(crate) fn moves(&self) -> usize {
        self.steps.iter().filter(|step| step.seat.is_some()).count()
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

    pub(crate) fn is_archived(&self) -> bool {
        self.archived.is_some()
    }

    /// What it counts as while its game is not over, and for whom: who made it, and who added agents.
    pub(crate) fn holds(&self) -> Vec<(Option<IpAddr>, Held)> {
        let agent = |seat: &Occupant| match seat {
            Occupant::Agent { client, .. } => Some((client.or(self.spec.client), Held { tables: 0, agents: 1 })),
            _ => None,
        };
        let itself = (self.spec.client, Held { tables: 1, agents: 0 });
        self.spec.seats.iter().filter_map(agent).chain([itself]).collect()
    }

    pub(crate) fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// Seats of agents.
    pub(crate) fn agents(&self) -> usize {
        self.spec.seats.iter().filter(|seat| matches!(seat, Occupant::Agent { .. })).count()
    }

    /// Whether nobody waits for what agents do here.
    pub(crate) fn is_among_programs(&self) -> bool {
        self.spec.run.is_some() || self.agents() == self.spec.seats.len()
    }

    /// A seat of a bot: the one that is to move, if it has several.
    pub(crate) fn seat_of_bot(&self, bot: &str) -> Option<Player> {
        let is_it = |seat: &Player| self.spec.seats[*seat].bot() == Some(bot);
        self.mover().filter(is_it).or_else(|| self.first_seat_of_bot(bot))
    }

    /// Lets the clock of the one who has to decide run. Those of agents wait until there is somebody to think
    /// for them.
    pub(crate) fn start_clock(&mut self, now: Instant) {
        if let Some(player) = self.mover().filter(|_| !self.clocks.is_running()) {
            self.clocks.start(player, now);
        }
    }

    /// The view of the one who has to decide, cut off from the truth.
    pub(crate) fn mover_view(&self) -> Option<Box<dyn AnyView>> {
        self.mover().map(|player| self.position.view(Some(player)))
    }

    /// The first seat of a bot.
    pub(crate) fn first_seat_of_bot(&self, bot: &str) -> Option<Player> {
        self.spec.seats.iter().position(|seat| seat.bot() == Some(bot))
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
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(ApiError::conflict("too_late", "the time is up"));
        }
        self.acted(seat, action, iterations, now)
    }

    /// What an action of the one who has to decide becomes, if it is legal.
    fn acted(&self, seat: Player, action: &str, iterations: u64, now: Instant) -> Result<Event, ApiError> {
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

    /// Where others wait for the clock, nobody can stop it.
    pub(crate) fn pause(&self, now: Instant) -> Result<Event, ApiError> {
        let others = self.spec.seats.iter().filter(|seat| !matches!(seat, Occupant::Agent { .. })).count();
        if self.status() != Status::Playing {
            return Err(ApiError::conflict("not_playing", "only a running game can be paused"));
        }
        if self.spec.run.is_some() || (others > 1 && self.spec.clock != (Clock::None {})) {
            return Err(ApiError::forbidden("no_pause", "a game with a clock is paused against agents only"));
        }
        Ok(Event::Paused { milliseconds: self.clocks.used(now).as_secs_f64() * 1000.0 })
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
                        self.acted(seat, action, 0, now).ok()
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
                let mover = match self.position.turn() {
                    Turn::Player(player) => Some(player),
                    Turn::Chance | Turn::Over => None,
                };
                if *seat != mover {
                    return Err("somebody acts whose turn it is not".to_string());
                }
                // The rules would name what is legal, which is nothing for a log.
                let illegal = |_| "an action is not legal".to_string();
                let label = self.position.label(action).map_err(illegal)?;
                self.position.apply(action).map_err(illegal)?;
                if let Some(seat) = *seat {
                    self.clocks.decided(seat, Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0));
                }
                self.steps.push(Step {
                    action: action.clone(),
                    label,
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
                self.clocks.pause(self.clocks.used(now));
                let [resignation, time] = CUT_SHORT;
                self.result = Some(self.lost_by(*seat, if *late { time } else { resignation }));
            }
            Event::Paused { milliseconds } => {
                self.clocks.pause(Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0));
                self.paused = true;
            }
            Event::Resumed => self.paused = false,
            Event::Rematch { next } => self.rematch = Some(next.clone()),
            Event::Archived { record } => self.archived = Some(*record),
        }
        if self.agent_to_move().is_none() {
            self.start_clock(now);
        }
        Ok(())
    }

    /// The side of a seat gets the least there is, and the others share the rest. All seats of a bot are its side,
    /// and in a competition those of a contestant.
    fn lost_by(&self, seat: Player, reason: &str) -> GameResult {
        let players = self.spec.seats.len();
        let contestant = |player: Player| self.spec.contestants.get(player);
        let bot = |player: Player| self.spec.seats[player].bot();
        let lost = |player: Player| {
            let same_contestant = contestant(player).is_some() && contestant(player) == contestant(seat);
            let same_bot = bot(player).is_some() && bot(player) == bot(seat);
            self.game.team(player) == self.game.team(seat) || same_contestant || same_bot
        };
        let losers = (0..players).filter(|&player| lost(player)).count();
        let sum = match self.game.info().payoff_sum {
            PayoffSum::Constant(sum) => sum,
            PayoffSum::General => 0.0,
        };
        let rest = ((sum + losers as f32) / (players - losers).max(1) as f32).clamp(-1.0, 1.0);
        let payoffs: Vec<f32> = (0..players).map(|player| if lost(player) { -1.0 } else { rest }).collect();
        let winners = (0..players).filter(|&player| !lost(player)).collect();
        GameResult { payoffs, scores: Vec::new(), reason: reason.to_string(), winners }
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
        Some(Record {
            game: self.spec.game.clone(),
            rules: self.game.rules(),
            seats: self.spec.seats.iter().map(|seat| seat.record_name().to_string()).collect(),
            actions: self.steps.iter().map(|step| step.action.clone()).collect(),
            clocks: Some(self.steps.iter().map(|step| step.milliseconds).collect()),
            iterations: Some(self.steps.iter().map(|step| step.iterations).collect()),
            payoffs: Some(result.payoffs.clone()),
            scores: (!result.scores.is_empty()).then(|| result.scores.clone()),
            reason: Some(result.reason.clone()),
            versions: Some(Versions::of(&self.game.info())),
            run: self.spec.run.clone(),
            ..Record::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use meeple_core::Rules;

    use super::*;

    fn table(game: &str, contestants: Vec<usize>, clock: Clock) -> Table {
        let made: Arc<dyn AnyGame> = Arc::from(meeple_catalog::game(game, &Rules::default()).unwrap());
        let agent = |seat: usize| ["random", "greedy"][seat % 2].to_string();
        let seats = (0..made.info().players).map(agent).map(|agent| Occupant::agent(String::new(), agent)).collect();
        let spec = Spec { seats, contestants, ..Spec::of(game, clock, Timeout::Loss) };
        let mut table = Table::new("t".into(), spec.clone(), made);
        table.carry_out(&Event::Created { spec }, Instant::now()).unwrap();
        table
    }

    fn settle(table: &mut Table, now: Instant) {
        while let Some(event) = table.due(now) {
            table.carry_out(&event, now).unwrap();
        }
    }

    #[test]
    fn the_side_of_a_late_player_never_profits() {
        for (game, contestants, bots, lost) in [
            ("sueca", vec![], "", vec![0, 2]),
            ("hearts", vec![], "", vec![0]),
            ("hearts", vec![0, 1, 0, 1], "", vec![0, 2]),
            // Who shares a name with somebody does not share its side.
            ("hearts", vec![0, 1, 2, 3], "", vec![0]),
            ("connect-four", vec![0, 1], "", vec![0]),
            // But a bot is one side on all its seats.
            ("hearts", vec![], "abca", vec![0, 3]),
            ("hearts", vec![], "abcb", vec![0]),
        ] {
            let mut table = table(game, contestants, Clock::None {});
            for (seat, bot) in bots.chars().enumerate() {
                table.spec.seats[seat] = Occupant::Bot { name: bot.into() };
            }
            table.carry_out(&Event::GaveUp { seat: 0, late: true }, Instant::now()).unwrap();
            let result = table.result().unwrap();
            for (seat, &payoff) in result.payoffs.iter().enumerate() {
                assert_eq!(payoff == -1.0, lost.contains(&seat), "{game}: {result:?}");
                assert_eq!(result.winners.contains(&seat), !lost.contains(&seat), "{game}: {result:?}");
            }
        }
    }

    #[test]
    fn agents_count_for_who_added_them() {
        let [maker, guest]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let mut table = table("hearts", Vec::new(), Clock::None {});
        table.spec.client = Some(maker);
        table.spec.seats[3] = Occupant::Agent { name: String::new(), agent: "random".into(), client: Some(guest) };
        let of = |client| table.holds().iter().filter(|(who, _)| *who == Some(client)).map(|(_, held)| *held).collect();
        let (agent, itself) = (Held { tables: 0, agents: 1 }, Held { tables: 1, agents: 0 });
        let [makers, guests]: [Vec<Held>; 2] = [of(maker), of(guest)];
        assert_eq!((makers, guests), (vec![agent, agent, agent, itself], vec![agent]));
    }

    #[test]
    fn a_game_that_was_given_up_is_recorded_as_it_was_counted() {
        let mut table = table("sueca", Vec::new(), Clock::None {});
        let now = Instant::now();
        settle(&mut table, now);
        table.carry_out(&table.give_up(1, false).unwrap(), now).unwrap();
        let record = table.record().unwrap();
        assert_eq!((record.payoffs.as_deref(), &record.scores), (Some(&[1.0, -1.0, 1.0, -1.0][..]), &None));
        let replay = meeple_core::replay::replay(&**table.game(), &record, false).unwrap();
        assert_eq!((replay.payoffs, replay.reason), (record.payoffs, Some("resignation")));
    }

    #[test]
    fn what_comes_late_is_refused() {
        let mut table = table("connect-four", Vec::new(), Clock::Move { seconds: 1.0 });
        let begun = Instant::now();
        settle(&mut table, begun);
        assert_eq!(table.deadline(), None, "an agent's clock stands until somebody thinks for it");
        table.start_clock(begun);
        let action = table.mover_view().unwrap().choices()[0].action.clone();
        assert!(table.act(0, 0, &action, 0, begun).is_ok());
        let late = table.act(0, 0, &action, 0, begun + Duration::from_secs(2));
        assert_eq!(late.unwrap_err().code, "too_late");
    }

    #[test]
    fn events_bring_a_table_back() {
        let now = Instant::now();
        let mut first = table("just4fun", Vec::new(), Clock::Fischer { seconds: 60.0, increment: 1.0 });
        let mut events = Vec::new();
        for _ in 0..40 {
            let event = match first.due(now) {
                Some(event) => event,
                None if first.mover().is_none() => break,
                None => {
                    let action = first.mover_view().unwrap().choices()[0].action.clone();
                    first.act(first.mover().unwrap(), first.number(), &action, 7, now).unwrap()
                }
            };
            first.carry_out(&event, now).unwrap();
            events.push(serde_json::to_string(&event).unwrap());
        }
        events.push(serde_json::to_string(&first.give_up(0, false).unwrap_or(Event::Closed)).unwrap());
        let mut second = table("just4fun", Vec::new(), Clock::Fischer { seconds: 60.0, increment: 1.0 });
        for event in &events[..events.len() - 1] {
            second.carry_out(&serde_json::from_str(event).unwrap(), now).unwrap();
        }
        for viewer in [None, Some(0), Some(1)] {
            let text = |table: &Table| serde_json::to_string(&table.state(viewer, now)).unwrap();
            assert_eq!(text(&first), text(&second));
        }
    }
}
