//! All tables and who is connected to them.
//!
//! A table is locked for as long as something happens at it, which is short: thinking is done by
//! [`Workers`], and messages wait in outboxes. Whoever holds a table may lock the journal, the bots or the
//! deadlines, never another table.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use meeple_core::erased::AnyGame;
use meeple_core::{Player, Record, Rng, Rules};

use crate::agents;
use crate::archive::Archive;
use crate::bots::{BotRecord, Bots, Outbox};
use crate::competition::{Competitions, Plan};
use crate::error::ApiError;
use crate::journal::Journal;
use crate::settings::Settings;
use crate::table::{Event, Occupant, Spec, Status, Table, TableInfo};
use crate::token::{TokenHash, new_token, random_hex};
use crate::workers::Workers;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(20);

/// How often the journal is brought to the disk.
const SYNC: Duration = Duration::from_millis(500);

/// How long a finished game stays at its table.
const KEPT: Duration = Duration::from_secs(3600);

/// A table and those who watch it.
pub(crate) struct Seating {
    pub(crate) table: Table,
    watchers: Vec<(Option<Player>, Outbox)>,
    /// Since when it has been over.
    over: Option<Instant>,
}

pub(crate) struct Hub {
    pub(crate) settings: Settings,
    tables: RwLock<HashMap<String, Arc<Mutex<Seating>>>>,
    games: Mutex<HashMap<String, Arc<dyn AnyGame>>>,
    journal: Mutex<Journal>,
    deadlines: Mutex<BinaryHeap<Reverse<(Instant, String)>>>,
    pub(crate) bots: Mutex<Bots>,
    pub(crate) workers: Workers,
    pub(crate) archive: Archive,
    pub(crate) competitions: Mutex<Competitions>,
    finished: Mutex<mpsc::Sender<(String, Arc<dyn AnyGame>, Record)>>,
}

impl Hub {
    /// With all tables as the journal left them.
    pub(crate) fn open(settings: Settings) -> io::Result<Arc<Hub>> {
        std::fs::create_dir_all(&settings.data)?;
        let (journal, written) = Journal::open(&settings.data.join("tables.journal"))?;
        let archive = Archive::open(&settings.database()).map_err(io::Error::other)?;
        let handle = journal.handle()?;
        let (finished, to_archive) = mpsc::channel();
        let mut bots = Bots::default();
        for bot in written.bots {
            bots.add(bot);
        }
        let hub = Arc::new(Hub {
            workers: Workers::new(settings.thinkers),
            settings,
            tables: RwLock::default(),
            games: Mutex::default(),
            journal: Mutex::new(journal),
            deadlines: Mutex::default(),
            bots: Mutex::new(bots),
            archive,
            competitions: Mutex::default(),
            finished: Mutex::new(finished),
        });
        hub.restore(written.tables)?;
        for plan in written.competitions {
            hub.restore_competition(plan).map_err(|error| io::Error::other(error.message))?;
        }
        let weak = Arc::downgrade(&hub);
        spawn("clocks", move || watch_clocks(&weak));
        let weak = Arc::downgrade(&hub);
        spawn("journal", move || {
            while weak.strong_count() > 0 {
                thread::sleep(SYNC);
                let _ = handle.sync_data();
            }
        });
        let weak = Arc::downgrade(&hub);
        spawn("archive", move || {
            for (table, game, record) in to_archive {
                let Some(hub) = weak.upgrade() else { return };
                hub.put_away(&table, &*game, record);
            }
        });
        Ok(hub)
    }

    fn restore(self: &Arc<Hub>, tables: std::collections::BTreeMap<String, Vec<Event>>) -> io::Result<()> {
        let damaged = |id: &str, why: String| io::Error::new(io::ErrorKind::InvalidData, format!("table {id}: {why}"));
        let now = Instant::now();
        for (id, events) in tables {
            let Some(Event::Created { spec }) = events.first() else {
                return Err(damaged(&id, "it was never set up".to_string()));
            };
            let game = self.game(&spec.game, &spec.rules).map_err(|error| damaged(&id, error.message))?;
            let mut table = Table::new(id.clone(), spec.clone(), game);
            for event in &events {
                table.carry_out(event, now).map_err(|why| damaged(&id, why))?;
            }
            self.seat_bots(&table);
            let over = (table.status() == Status::Over).then_some(now);
            let unarchived = over.is_some() && table.info().record.is_none();
            let seating = Arc::new(Mutex::new(Seating { table, watchers: Vec::new(), over }));
            self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, seating.clone());
            let mut seating = lock(&seating);
            if unarchived {
                self.hand_to_archive(&seating.table);
            }
            self.go_on(&mut seating);
        }
        Ok(())
    }

    /// A game by its name and rules, made once.
    pub(crate) fn game(&self, name: &str, rules: &Rules) -> Result<Arc<dyn AnyGame>, ApiError> {
        let key = format!("{name} {rules}");
        let mut games = lock(&self.games);
        if let Some(game) = games.get(&key) {
            return Ok(game.clone());
        }
        let game =
            meeple_catalog::game_at_table(name, rules).map_err(|error| ApiError::bad("bad_game", error.to_string()))?;
        let game: Arc<dyn AnyGame> = Arc::from(game);
        // Whoever thinks up rules without end does not fill the memory.
        if games.len() < 256 {
            games.insert(key, game.clone());
        }
        Ok(game)
    }

    pub(crate) fn seating(&self, id: &str) -> Result<Arc<Mutex<Seating>>, ApiError> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(id).cloned().ok_or_else(|| ApiError::not_found("table"))
    }

    pub(crate) fn tables(&self) -> Vec<TableInfo> {
        let tables: Vec<_> = self.tables.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        let mut infos: Vec<TableInfo> = tables.iter().map(|seating| lock(seating).table.info()).collect();
        infos.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
        infos
    }

    /// A new table. Returns it with the secrets of the persons at it.
    pub(crate) fn create(
        self: &Arc<Hub>,
        mut spec: Spec,
        persons: &[Option<String>],
    ) -> Result<(TableInfo, Vec<Option<String>>), ApiError> {
        if self.tables.read().unwrap_or_else(PoisonError::into_inner).len() >= self.settings.most_tables {
            return Err(ApiError::too_many("there are too many tables", 60));
        }
        let game = self.game(&spec.game, &spec.rules)?;
        let tokens: Vec<Option<String>> = persons.iter().map(|person| person.as_ref().map(|_| new_token())).collect();
        for (seat, (name, token)) in persons.iter().zip(&tokens).enumerate() {
            if let (Some(name), Some(token)) = (name, token) {
                spec.seats[seat] = Occupant::Person { name: name.clone(), token: TokenHash::of(token) };
            }
        }
        let id = random_hex(6);
        let table = Table::new(id.clone(), spec.clone(), game);
        self.seat_bots(&table);
        let seating = Arc::new(Mutex::new(Seating { table, watchers: Vec::new(), over: None }));
        let mut locked = lock(&seating);
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, seating.clone());
        self.happen(&mut locked, Event::Created { spec })?;
        Ok((locked.table.info(), tokens))
    }

    fn seat_bots(&self, table: &Table) {
        let mut bots = lock(&self.bots);
        for seat in &table.spec.seats {
            if let Occupant::Bot { name } = seat {
                bots.seat(name, &table.id);
            }
        }
    }

    /// Something happens at a table, and whatever follows from it. It is written down before anybody is
    /// told.
    pub(crate) fn happen(self: &Arc<Hub>, seating: &mut Seating, event: Event) -> Result<(), ApiError> {
        let now = Instant::now();
        let table = &mut seating.table;
        let was_over = table.status() == Status::Over;
        let mut events = vec![event];
        loop {
            let last = events.last().expect("there is at least one");
            table.carry_out(last, now).map_err(ApiError::internal)?;
            match table.due(now) {
                Some(next) => events.push(next),
                None => break,
            }
        }
        lock(&self.journal).note(&table.id, &events).map_err(ApiError::internal)?;
        if !was_over && table.status() == Status::Over {
            seating.over = Some(now);
            self.hand_to_archive(&seating.table);
            self.end_for_bots(&seating.table);
        }
        self.tell(seating);
        self.go_on(seating);
        Ok(())
    }

    fn hand_to_archive(&self, table: &Table) {
        if let Some(record) = table.record() {
            // Nobody takes it when the server ends; the journal has it.
            let _ = lock(&self.finished).send((table.id.clone(), table.game().clone(), record));
        }
    }

    fn end_for_bots(&self, table: &Table) {
        let message: Arc<str> =
            serde_json::json!({"type": "over", "table": table.id, "result": table.result()}).to_string().into();
        let mut bots = lock(&self.bots);
        for seat in &table.spec.seats {
            if let Occupant::Bot { name } = seat {
                bots.tell(name, message.clone());
                bots.leave(name, &table.id);
            }
        }
    }

    /// Sends what they may see to all who watch.
    fn tell(&self, seating: &mut Seating) {
        let Seating { table, watchers, .. } = seating;
        let now = Instant::now();
        let mut messages: HashMap<Option<Player>, Arc<str>> = HashMap::new();
        watchers.retain(|(viewer, outbox)| {
            let message = messages.entry(*viewer).or_insert_with(|| to_text(&table.state(*viewer, now)));
            outbox.try_send(message.clone()).is_ok()
        });
    }

    /// Sees to it that whoever has to decide next does.
    fn go_on(self: &Arc<Hub>, seating: &mut Seating) {
        let table = &seating.table;
        let now = Instant::now();
        if let Some((bot, message)) = table.bot_decision(now) {
            lock(&self.bots).tell(bot, to_text(&message));
        }
        if let (Some(deadline), Some(_)) = (table.deadline(), table.mover()) {
            lock(&self.deadlines).push(Reverse((deadline, table.id.clone())));
        }
        if table.agent_to_move().is_some() {
            let (hub, id) = (Arc::downgrade(self), table.id.clone());
            let think = move || {
                if let Some(hub) = hub.upgrade() {
                    hub.think(&id);
                }
            };
            // If too many wait, the clock or the next visitor brings the table on.
            self.workers.give(Box::new(think));
        }
    }

    /// Lets the agent whose turn it is decide.
    fn think(self: &Arc<Hub>, id: &str) {
        let Ok(seating) = self.seating(id) else { return };
        let (view, game, text, number, seat, left, seed) = {
            let locked = lock(&seating);
            let table = &locked.table;
            let (Some(text), Some(view), Some(seat)) = (table.agent_to_move(), table.mover_view(), table.mover())
            else {
                return;
            };
            let left = table.time_left(Instant::now());
            (view, table.game().clone(), text.to_string(), table.number(), seat, left, table.spec.seed)
        };
        let mut rng = Rng::stream(!seed, number as u64);
        let mut agent = match agents::agent(&*game, &text) {
            Ok(agent) => agent,
            Err(_) => match game.agent("random") {
                Ok(agent) => agent,
                Err(_) => return,
            },
        };
        let Some(decision) = agents::decide(&*view, &mut agent, &agents::budget(left), &mut rng) else { return };
        drop(agent);
        let mut locked = lock(&seating);
        let acted = locked.table.act(seat, number, &decision.action, decision.report.iterations, Instant::now());
        // Refused if the game went on without it: it was late, or somebody gave up.
        if let Ok(event) = acted {
            let _ = self.happen(&mut locked, event);
        }
    }

    /// From now on everything that `viewer` may see goes to an outbox, beginning with the state.
    pub(crate) fn watch(&self, seating: &mut Seating, viewer: Option<Player>, outbox: Outbox) {
        let state = to_text(&seating.table.state(viewer, Instant::now()));
        if outbox.try_send(state).is_ok() {
            seating.watchers.push((viewer, outbox));
        }
    }

    /// A new bot. Returns its secret.
    pub(crate) fn register_bot(&self, name: &str) -> Result<String, ApiError> {
        let token = new_token();
        let record = BotRecord { name: name.to_string(), token: TokenHash::of(&token) };
        let mut bots = lock(&self.bots);
        if bots.len() >= self.settings.most_bots {
            return Err(ApiError::too_many("there are too many bots", 3600));
        }
        if !bots.add(record.clone()) {
            return Err(ApiError::conflict("name_taken", "there is a bot of this name"));
        }
        lock(&self.journal).note_bot(&record).map_err(ApiError::internal)?;
        Ok(token)
    }

    /// Writes down that there is a competition.
    pub(crate) fn note_competition(&self, plan: &Plan) -> Result<(), ApiError> {
        lock(&self.journal).note_competition(plan).map_err(ApiError::internal)
    }

    /// What a bot has to decide now, the longest waiting first or not: in the order of its tables.
    pub(crate) fn decisions_of(&self, bot: &str) -> Vec<Arc<str>> {
        let tables = lock(&self.bots).tables(bot);
        let decision = |id: String| {
            let seating = self.seating(&id).ok()?;
            let locked = lock(&seating);
            let (name, message) = locked.table.bot_decision(Instant::now())?;
            (name == bot).then(|| to_text(&message))
        };
        tables.into_iter().filter_map(decision).collect()
    }

    /// A finished game goes to the database.
    fn put_away(self: &Arc<Hub>, id: &str, game: &dyn AnyGame, record: Record) {
        let number = match self.archive.add(game, record) {
            Ok(number) => number,
            Err(error) => return eprintln!("meeple serve: the game of table {id} was not stored: {error}"),
        };
        let Ok(seating) = self.seating(id) else { return };
        let mut seating = lock(&seating);
        let _ = self.happen(&mut seating, Event::Archived { record: number });
        if let Some(run) = seating.table.spec.run.clone() {
            let result = seating.table.result().cloned();
            drop(seating);
            self.competition_goes_on(&run, result.as_ref());
        }
    }

    /// Drops tables that nobody needs any more.
    fn clear_up(&self) {
        let tables: Vec<_> = self.tables.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for seating in tables {
            let seating = lock(&seating);
            let is_done =
                seating.over.is_some_and(|since| since.elapsed() > KEPT) && seating.table.info().record.is_some();
            if is_done && lock(&self.journal).note(&seating.table.id, &[Event::Closed]).is_ok() {
                self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(&seating.table.id);
            }
        }
    }
}

/// Plays on for those whose time is up.
fn watch_clocks(hub: &Weak<Hub>) {
    let mut cleared = Instant::now();
    loop {
        thread::sleep(TICK);
        let Some(hub) = hub.upgrade() else { return };
        let now = Instant::now();
        loop {
            let mut deadlines = lock(&hub.deadlines);
            let due = deadlines.peek().is_some_and(|Reverse((deadline, _))| *deadline <= now);
            let Some(Reverse((_, id))) = (if due { deadlines.pop() } else { None }) else { break };
            drop(deadlines);
            let Ok(seating) = hub.seating(&id) else { continue };
            let mut seating = lock(&seating);
            if let Some(event) = seating.table.due(now) {
                let _ = hub.happen(&mut seating, event);
            }
        }
        if cleared.elapsed() > KEPT / 60 {
            hub.clear_up();
            cleared = Instant::now();
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().name(name.to_string()).spawn(work).expect("the system has threads");
}

pub(crate) fn to_text(message: &impl serde::Serialize) -> Arc<str> {
    serde_json::to_string(message).expect("messages are plain data").into()
}

/// What a thread that broke down held is whole: tables change last of all.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
