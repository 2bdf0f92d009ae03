//! Games that kept the rules.

use meeple_core::erased::AnyGame;
use meeple_core::replay::{Replay, ReplayError, replay};
use meeple_core::{Player, Record, Rules};

use crate::StoreError;

/// A record that was played by the rules, with what they add to it, and that a database can give back
/// unchanged. Only such records are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    record: Record,
    players: usize,
    replay: Replay,
}

/// How a game ended for one seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeatResult {
    pub(crate) payoff: f32,
    /// A game that was given up has none.
    pub(crate) score: Option<f32>,
    /// `win`, `draw` or `loss`.
    pub(crate) word: &'static str,
}

impl Verified {
    /// Plays a record of this game. The error says where it leaves the rules or why it cannot be kept.
    pub fn new(game: &dyn AnyGame, record: Record) -> Result<Verified, StoreError> {
        let broken = |error: ReplayError| StoreError::Record(format!("step {}: {}", error.step, error.error));
        let replay = replay(game, &record, false).map_err(broken)?;
        let verified = Verified { record, players: game.info().players, replay };
        verified.check().map(|()| verified)
    }

    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Who decided each action; `None` for chance.
    pub fn deciders(&self) -> &[Option<Player>] {
        &self.replay.deciders
    }

    pub(crate) fn players(&self) -> usize {
        self.players
    }

    pub(crate) fn reason(&self) -> Option<&'static str> {
        self.replay.reason
    }

    /// `None` if the game is not over.
    pub(crate) fn result(&self, seat: Player) -> Option<SeatResult> {
        let payoffs = self.replay.payoffs.as_ref()?;
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let word = match payoffs[seat] {
            _ if payoffs.iter().all(|&payoff| payoff == best) => "draw",
            payoff if payoff == best => "win",
            _ => "loss",
        };
        let score = self.replay.scores.as_ref().map(|scores| scores[seat]);
        Some(SeatResult { payoff: payoffs[seat], score, word })
    }

    /// Whether all of the record can be kept and given back.
    fn check(&self) -> Result<(), StoreError> {
        let complaint = self.odd_list().or_else(|| self.odd_number()).or_else(|| self.odd_text());
        complaint.map_or(Ok(()), |why| Err(StoreError::Record(why)))
    }

    fn odd_list(&self) -> Option<String> {
        let Record { actions, clocks, iterations, searches, seats, .. } = &self.record;
        let lists = [
            ("clocks", clocks.as_ref().map(Vec::len), actions.len()),
            ("iterations", iterations.as_ref().map(Vec::len), actions.len()),
            ("searches", searches.as_ref().map(Vec::len), actions.len()),
            ("seats", (!seats.is_empty()).then_some(seats.len()), self.players),
        ];
        lists.into_iter().find_map(|(name, found, wanted)| {
            let found = found.filter(|&found| found != wanted)?;
            Some(format!("the record has {found} {name}, there should be {wanted}"))
        })
    }

    fn odd_number(&self) -> Option<String> {
        let Record { clocks, iterations, run, .. } = &self.record;
        if clocks.iter().flatten().any(|clock| !clock.is_finite()) {
            return Some("a clock is no finite number".to_string());
        }
        let mut numbers = iterations.iter().flatten().chain(run.as_ref().map(|run| &run.number));
        let large = numbers.find(|&&number| i64::try_from(number).is_err())?;
        Some(format!("{large} is too large for a database"))
    }

    fn odd_text(&self) -> Option<String> {
        let rules = &self.record.rules;
        if self.texts().any(|text| text.contains('\0')) {
            return Some("a text has a character that databases refuse (NUL)".to_string());
        }
        let kept = Rules::parse(&rules.to_string()).is_ok_and(|read| &read == rules);
        (!kept).then(|| format!("the rules {rules} cannot be written as key=value"))
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let Record { seats, random, versions, run, .. } = &self.record;
        let of_run = run.iter().flat_map(|run| run.agents.iter().chain([&run.experiment]));
        seats.iter().chain(random).chain(versions.iter().map(|versions| &versions.meeple)).chain(of_run)
    }
}
