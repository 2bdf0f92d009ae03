//! Remote programs that play: they dial in with a token and are asked for decisions.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::error::SendError;
use tokio::sync::{Notify, mpsc};

use crate::error::ApiError;
use crate::hub::{Hub, lock, to_text};
use crate::settings::Settings;
use crate::table::{Event, Occupant, Table};
use crate::time::DAY;
use crate::token::{TokenHash, new_token};

/// Messages on their way to one client. Who does not read them in time is let go.
pub(crate) type Outbox = mpsc::Sender<Arc<str>>;

/// Messages that may wait for a client.
pub(crate) const OUTBOX: usize = 256;

/// What is written down of a bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BotRecord {
    pub(crate) name: String,
    pub(crate) token: TokenHash,
    /// Whether others may give it a seat.
    #[serde(default = "yes")]
    pub(crate) open: bool,
    /// When it was last here, in seconds since 1970, to a day.
    #[serde(default = "crate::time::now")]
    pub(crate) seen: u64,
    /// Who registered it.
    #[serde(default)]
    pub(crate) client: Option<IpAddr>,
}

fn yes() -> bool {
    true
}

#[derive(Debug)]
struct Bot {
    record: BotRecord,
    /// Where it plays.
    tables: BTreeSet<String>,
    stream: Option<Outbox>,
    /// Tables of which the stream was told nothing yet, because it is younger than they are.
    untold: BTreeSet<String>,
    /// Told when there may be something to decide.
    wake: Arc<Notify>,
}

/// All bots by their names.
#[derive(Debug, Default)]
pub(crate) struct Bots {
    bots: HashMap<String, Bot>,
}

impl Bots {
    /// False if there is one of this name.
    pub(crate) fn add(&mut self, record: BotRecord) -> bool {
        if self.bots.contains_key(&record.name) {
            return false;
        }
        let name = record.name.clone();
        let wake = Arc::new(Notify::new());
        let bot = Bot { record, tables: BTreeSet::new(), stream: None, untold: BTreeSet::new(), wake };
        self.bots.insert(name, bot);
        true
    }

    /// Whether this bot may be given a seat by whoever has this secret, which may be its own.
    pub(crate) fn may_be_seated(&self, name: &str, token: &str) -> Result<(), ApiError> {
        match self.bots.get(name) {
            None => Err(ApiError::bad("no_such_bot", "there is no bot of this name")),
            Some(bot) if bot.record.open || bot.record.token.matches(token) => Ok(()),
            Some(_) => Err(ApiError::forbidden("bot_not_open", "this bot takes its seats itself")),
        }
    }

    /// Notes that a bot is here; returns what is to be written down, if anything is.
    pub(crate) fn came(&mut self, name: &str, now: u64) -> Option<BotRecord> {
        let record = &mut self.bots.get_mut(name)?.record;
        let is_new = now > record.seen + DAY;
        record.seen = now;
        is_new.then(|| record.clone())
    }

    /// Forgets bots that were not here since then and play nowhere. Returns their names.
    pub(crate) fn forget(&mut self, before: u64) -> Vec<String> {
        let is_gone = |bot: &Bot| {
            let listens = bot.stream.as_ref().is_some_and(|stream| !stream.is_closed());
            bot.record.seen < before && bot.tables.is_empty() && !listens
        };
        self.bots.extract_if(|_, bot| is_gone(bot)).map(|(name, _)| name).collect()
    }

    /// The names of all, and whether they listen.
    pub(crate) fn list(&self) -> Vec<(String, bool)> {
        let mut list: Vec<(String, bool)> = self
            .bots
            .iter()
            .map(|(name, bot)| (name.clone(), bot.stream.as_ref().is_some_and(|s| !s.is_closed())))
            .collect();
        list.sort();
        list
    }

    /// Whether a client may register one more.
    pub(crate) fn check(&self, client: IpAddr, settings: &Settings) -> Result<(), ApiError> {
        let own = || self.bots.values().filter(|bot| bot.record.client == Some(client)).count();
        if self.bots.len() >= settings.most_bots {
            return Err(ApiError::too_many("there are too many bots", 3600));
        }
        if own() >= settings.bots {
            return Err(ApiError::too_many("this address has too many bots", 3600));
        }
        Ok(())
    }

    /// Whether this is the secret of a bot.
    pub(crate) fn is(&self, name: &str, token: &str) -> bool {
        self.bots.get(name).is_some_and(|bot| bot.record.token.matches(token))
    }

    pub(crate) fn seat(&mut self, name: &str, table: &str) {
        if let Some(bot) = self.bots.get_mut(name) {
            bot.tables.insert(table.to_string());
        }
    }

    pub(crate) fn leave(&mut self, name: &str, table: &str) {
        if let Some(bot) = self.bots.get_mut(name) {
            bot.tables.remove(table);
            bot.untold.remove(table);
        }
    }

    pub(crate) fn tables(&self, name: &str) -> Vec<String> {
        self.bots.get(name).map_or(Vec::new(), |bot| bot.tables.iter().cloned().collect())
    }

    /// From now on messages go there; a stream from before ends. Returns the tables of which it is to be told by
    /// [`catch_up`](Self::catch_up) before it hears of them.
    pub(crate) fn listen(&mut self, name: &str, outbox: Outbox) -> Vec<String> {
        let Some(bot) = self.bots.get_mut(name) else { return Vec::new() };
        bot.stream = Some(outbox);
        bot.untold = bot.tables.clone();
        self.tables(name)
    }

    /// Whether this stream is to be told now what there is to know of a table; from then on it hears what is new.
    pub(crate) fn catch_up(&mut self, name: &str, table: &str, outbox: &Outbox) -> bool {
        let Some(bot) = self.bots.get_mut(name) else { return false };
        bot.stream.as_ref().is_some_and(|stream| stream.same_channel(outbox)) && bot.untold.remove(table)
    }

    /// What tells that there may be something to decide.
    pub(crate) fn wake(&self, name: &str) -> Option<Arc<Notify>> {
        self.bots.get(name).map(|bot| bot.wake.clone())
    }

    /// Sends a message about a table to a bot if it listens, and wakes it if it waits.
    pub(crate) fn tell(&mut self, name: &str, table: &str, message: Arc<str>) {
        let Some(bot) = self.bots.get_mut(name) else { return };
        if let Some(stream) = &bot.stream
            && !bot.untold.contains(table)
            && stream.try_send(message).is_err()
        {
            bot.stream = None;
        }
        bot.wake.notify_waiters();
    }
}

impl Hub {
    /// A new bot. Returns its secret.
    pub(crate) fn register_bot(&self, name: &str, open: bool, client: IpAddr) -> Result<String, ApiError> {
        let token = new_token();
        let record = BotRecord {
            name: name.to_string(),
            token: TokenHash::of(&token),
            open,
            seen: crate::time::now(),
            client: Some(client),
        };
        let mut bots = lock(&self.bots);
        bots.check(client, &self.settings)?;
        if !bots.add(record.clone()) {
            return Err(ApiError::conflict("name_taken", "there is a bot of this name"));
        }
        self.write(|journal| journal.note_bot(&record));
        Ok(token)
    }

    /// A bot that proved who it is shows itself.
    pub(crate) fn bot_came(&self, name: &str) {
        let mut bots = lock(&self.bots);
        if let Some(record) = bots.came(name, crate::time::now()) {
            self.write(|journal| journal.note_bot(&record));
        }
    }

    /// Tells the new stream of a bot which seats it has at a table and what it has to decide there.
    pub(crate) async fn catch_up(&self, bot: &str, id: &str, outbox: &Outbox) -> Result<(), SendError<()>> {
        let Ok(seating) = self.seating(id) else { return Ok(()) };
        let seats = lock(&seating).table.spec.seats.len();
        let room = outbox.reserve_many(seats + 1).await?;
        // What happens at the table waits until all that was before is on its way.
        let table = &lock(&seating).table;
        if !lock(&self.bots).catch_up(bot, id, outbox) {
            return Ok(());
        }
        let own_seats = (0..seats).filter_map(|seat| table.bot_seated(seat)).filter(|(name, _)| *name == bot);
        let decision = table.bot_decision(Instant::now()).filter(|(name, _)| *name == bot);
        let messages = own_seats.map(|(_, message)| to_text(&message));
        for (place, message) in room.zip(messages.chain(decision.map(|(_, message)| to_text(&message)))) {
            place.send(message);
        }
        Ok(())
    }

    /// What a bot has to decide now, in the order of its tables.
    pub(crate) fn decisions_of(&self, bot: &str) -> impl Iterator<Item = Arc<str>> {
        let tables = lock(&self.bots).tables(bot);
        tables.into_iter().filter_map(move |id| {
            let seating = self.seating(&id).ok()?;
            let locked = lock(&seating);
            let (name, message) = locked.table.bot_decision(Instant::now())?;
            (name == bot).then(|| to_text(&message))
        })
    }

    /// Notes where bots play.
    pub(crate) fn seat_bots(&self, table: &Table) {
        let mut bots = lock(&self.bots);
        for name in table.spec.seats.iter().filter_map(Occupant::bot) {
            bots.seat(name, &table.id);
        }
    }

    /// Tells bots of their new seats.
    pub(crate) fn tell_seated(&self, table: &Table, event: &Event) {
        let seats = match event {
            Event::Created { .. } => 0..table.spec.seats.len(),
            Event::Joined { seat, .. } => *seat..seat + 1,
            _ => return,
        };
        let mut bots = lock(&self.bots);
        for (name, message) in seats.filter_map(|seat| table.bot_seated(seat)) {
            bots.tell(name, &table.id, to_text(&message));
        }
    }

    /// Tells bots that a game of theirs is over.
    pub(crate) fn end_for_bots(&self, table: &Table) {
        let message: Arc<str> =
            serde_json::json!({"type": "over", "table": table.id, "result": table.result()}).to_string().into();
        let mut bots = lock(&self.bots);
        // One that has several seats is told once.
        let names: BTreeSet<&str> = table.spec.seats.iter().filter_map(Occupant::bot).collect();
        for name in names {
            bots.tell(name, &table.id, message.clone());
            bots.leave(name, &table.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_registers_so_many_bots_and_no_more() {
        let settings = Settings { most_bots: 3, bots: 2, ..Settings::default() };
        let [ann, bob]: [IpAddr; 2] = [[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
        let mut bots = Bots::default();
        let mut add = |name: &str, client| {
            bots.check(client, &settings)?;
            bots.add(BotRecord {
                name: name.into(),
                token: TokenHash::of(name),
                open: true,
                seen: 0,
                client: Some(client),
            });
            Ok::<(), ApiError>(())
        };
        assert!(add("a", ann).is_ok() && add("b", ann).is_ok() && add("c", ann).is_err());
        assert!(add("c", bob).is_ok() && add("d", bob).is_err(), "three are the most of all");
    }

    #[test]
    fn bots_that_stay_away_are_forgotten() {
        let mut bots = Bots::default();
        for name in ["away", "here", "playing"] {
            bots.add(BotRecord {
                name: name.into(),
                token: TokenHash::of(name),
                open: name != "here",
                seen: 5,
                client: None,
            });
        }
        bots.seat("playing", "t");
        assert!(bots.came("here", 10).is_none(), "a day is not over");
        assert_eq!(bots.came("here", 10 + 2 * DAY).unwrap().seen, 10 + 2 * DAY);
        assert_eq!(bots.forget(DAY), ["away"]);
        assert!(bots.may_be_seated("playing", "").is_ok() && bots.may_be_seated("away", "").is_err());
        assert!(bots.may_be_seated("here", "").is_err() && bots.may_be_seated("here", "here").is_ok());
    }
}
