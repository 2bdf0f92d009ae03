//! Remote programs that play: they dial in with a token and are asked for decisions.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc};

use crate::token::TokenHash;

/// Messages on their way to one client. Who does not read them in time is let go.
pub(crate) type Outbox = mpsc::Sender<Arc<str>>;

/// Messages that may wait for a client.
pub(crate) const OUTBOX: usize = 256;

/// What is written down of a bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BotRecord {
    pub(crate) name: String,
    pub(crate) token: TokenHash,
}

#[derive(Debug)]
struct Bot {
    token: TokenHash,
    /// Where it plays.
    tables: BTreeSet<String>,
    stream: Option<Outbox>,
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
        let bot = Bot { token: record.token, tables: BTreeSet::new(), stream: None, wake: Arc::new(Notify::new()) };
        self.bots.insert(record.name, bot);
        true
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.bots.contains_key(name)
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

    pub(crate) fn len(&self) -> usize {
        self.bots.len()
    }

    /// Whether this is the secret of a bot.
    pub(crate) fn is(&self, name: &str, token: &str) -> bool {
        self.bots.get(name).is_some_and(|bot| bot.token.matches(token))
    }

    pub(crate) fn seat(&mut self, name: &str, table: &str) {
        if let Some(bot) = self.bots.get_mut(name) {
            bot.tables.insert(table.to_string());
        }
    }

    pub(crate) fn leave(&mut self, name: &str, table: &str) {
        if let Some(bot) = self.bots.get_mut(name) {
            bot.tables.remove(table);
        }
    }

    pub(crate) fn tables(&self, name: &str) -> Vec<String> {
        self.bots.get(name).map_or(Vec::new(), |bot| bot.tables.iter().cloned().collect())
    }

    /// From now on messages go there; a stream from before ends.
    pub(crate) fn listen(&mut self, name: &str, outbox: Outbox) {
        if let Some(bot) = self.bots.get_mut(name) {
            bot.stream = Some(outbox);
        }
    }

    /// What tells that there may be something to decide.
    pub(crate) fn wake(&self, name: &str) -> Option<Arc<Notify>> {
        self.bots.get(name).map(|bot| bot.wake.clone())
    }

    /// Sends a message to a bot if it listens, and wakes it if it waits.
    pub(crate) fn tell(&mut self, name: &str, message: Arc<str>) {
        let Some(bot) = self.bots.get_mut(name) else { return };
        if let Some(stream) = &bot.stream
            && stream.try_send(message).is_err()
        {
            bot.stream = None;
        }
        bot.wake.notify_waiters();
    }
}
