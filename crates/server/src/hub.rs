//! All tables and who is connected to them.
//!
//! A table is locked for as long as something happens at it, which is short: thinking is done by
//! [`Workers`], and messages wait in outboxes. Whoever holds a table may lock the journal, the bots or the
//! deadlines, never another table.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use meeple_core::erased::AnyGame;
use meeple_core::{Player, Record, Rng, Rules};
use meeple_store::StoreError;
use tokio::sync::watch;

use crate::agents;
use crate::archive::Archive;
use crate::bots::Bots;
use crate::competition::Competitions;
use crate::error::ApiError;
use crate::journal::{Journal, Written};
use crate::limits::{Held, Holdings};
use crate::settings::Settings;
use crate::table::{Event, Occupant, Spec, Status, Table, TableInfo};
use crate::token::{TokenHash, new_token, random_hex};
use crate::upkeep;
use crate::workers::{Purpose, Workers, unbroken};

/// How long a server waits for the folder of another one.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often, and how long after each other, the database is tried.
const TRIES: u32 = 5;
const BETWEEN_TRIES: Duration = Duration::from_secs(2);

/// The newest state of a table for one who watches; whoever is slow misses those between.
pub(crate) type Latest = watch::Sender<Arc<str>>;

/// A game that is over.
struct Finished {
    table: String,
    game: Arc<dyn AnyGame>,
    record: Record,
    /// Whether it may be in the database already: the server was killed since it was over.
    perhaps_stored: bool,
}

/// A table and those who watch it.
pub(crate) struct Seating {
    pub(crate) table: Table,
    watchers: Vec<(Option<Player>, Latest)>,
    /// Since when nothing has happened.
    pub(crate) changed: Instant,
    /// What an agent has to decide.
    thinking: Option<Thinking>,
    /// The deadline that is watched.
    pub(crate) deadline: Option<Instant>,
    /// Whether the database did not take the finished game.
    pub(crate) refused: bool,
}

/// A decision of an agent.
#[derive(Clone, Copy)]
struct Thinking {
    number: usize,
    /// Whether there is a thread for it.
    started: bool,
}

impl Seating {
    fn new(table: Table) -> Seating {
        let changed = Instant::now();
        Seating { table, watchers: Vec::new(), changed, thinking: None, deadline: None, refused: false }
    }

    /// Nobody thinks about this decision any more; about a later one somebody may.
    fn stop_thinking(&mut self, number: usize) {
        self.thinking = self.thinking.filter(|thinking| thinking.number != number);
    }
}

pub(crate) struct Hub {
    pub(crate) settings: Settings,
    tables: RwLock<HashMap<String, Arc<Mutex<Seating>>>>,
    games: Mutex<HashMap<String, Arc<dyn AnyGame>>>,
    pub(crate) journal: Mutex<Journal>,
    /// One for each table at most.
    pub(crate) deadlines: Mutex<BTreeSet<(Instant, String)>>,
    pub(crate) bots: Mutex<Bots>,
    pub(crate) workers: Workers,
    pub(crate) archive: Archive,
    pub(crate) competitions: Mutex<Competitions>,
    /// Tables at which a game is not over.
    holdings: Mutex<Holdings>,
    finished: Mutex<mpsc::Sender<Finished>>,
    /// Held as long as this lives.
    _folder: File,
}

impl Hub {
    /// With all tables as the journal left them.
    pub(crate) fn open(settings: Settings) -> io::Result<Arc<Hub>> {
        std::fs::create_dir_all(&settings.data)?;
        let folder = File::create(settings.data.join("lock"))?;
        // One that is ending may take a moment.
        let until = Instant::now() + PATIENCE;
        while folder.try_lock().is_err() {
            if Instant::now() > until {
                let message = format!("another server uses the folder {}", settings.data.display());
                return Err(io::Error::new(io::ErrorKind::AddrInUse, message));
            }
            thread::sleep(Duration::from_millis(20));
        }
        let (journal, written) = Journal::open(&settings.data.join("tables.journal"))?;
        let archive = Archive::open(&settings.database()).map_err(io::Error::other)?;
        let (finished, to_archive) = mpsc::channel();
        let hub = Arc::new(Hub {
            workers: Workers::new(settings.thinkers),
            settings,
            tables: RwLock::default(),
            games: Mutex::default(),
            journal: Mutex::new(journal),
            deadlines: Mutex::default(),
            bots: Mutex::default(),
            archive,
            competitions: Mutex::default(),
            holdings: Mutex::default(),
            finished: Mutex::new(finished),
            _folder: folder,
        });
        hub.restore(written);
        upkeep::begin(&hub);
        let weak = Arc::downgrade(&hub);
        spawn("archive", move || {
            for finished in to_archive {
                let Some(hub) = weak.upgrade() else { return };
                unbroken(|| hub.put_away(&finished));
            }
        });
        Ok(hub)
    }

    /// Brings everything back as it was written down, and goes on with it.
    fn restore(self: &Arc<Hub>, written: Written) {
        for bot in written.bots.into_values() {
            lock(&self.bots).add(bot);
        }
        let tables = self.restore_tables(written.tables);
        for (id, plan) in written.competitions {
            let counted = written.counted.get(&id).map_or(&[][..], Vec::as_slice);
            if let Err(error) = self.restore_competition(plan, counted) {
                eprintln!("meeple serve: competition {id} is left out: {}", error.message);
            }
        }
        for seating in tables {
            self.resume(&seating);
        }
        self.competitions_go_on();
    }

    /// A table that does not fit the rules is left out, and kept beside the journal.
    fn restore_tables(&self, tables: BTreeMap<String, Vec<Event>>) -> Vec<Arc<Mutex<Seating>>> {
        let mut restored = Vec::new();
        for (id, events) in tables {
            match self.replay(&id, &events) {
                Ok(table) => {
                    let seating = Arc::new(Mutex::new(Seating::new(table)));
                    self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, seating.clone());
                    restored.push(seating);
                }
                Err(why) => {
                    eprintln!("meeple serve: table {id} is left out: {why}");
                    self.write(|journal| journal.set_aside(&id, &events));
                }
            }
        }
        restored
    }

    fn replay(&self, id: &str, events: &[Event]) -> Result<Table, String> {
        let Some(Event::Created { spec }) = events.first() else { return Err("it was never set up".to_string()) };
        let game = self.game(&spec.game, &spec.rules).map_err(|error| error.message)?;
        let mut table = Table::new(id.to_string(), spec.clone(), game);
        let now = Instant::now();
        events.iter().try_for_each(|event| table.carry_out(event, now))?;
        Ok(table)
    }

    /// Goes on at a table that was brought back.
    fn resume(self: &Arc<Hub>, seating: &Mutex<Seating>) {
        let mut locked = lock(seating);
        let table = &locked.table;
        match (table.status(), table.is_archived()) {
            (Status::Over, true) => {
                drop(locked);
                return self.leave_competition(seating);
            }
            (Status::Over, false) => return self.hand_to_archive(table, true),
            _ => {}
        }
        lock(&self.holdings).add_all(&table.holds());
        self.seat_bots(table);
        match table.due(Instant::now()) {
            Some(event) => drop(self.happen(&mut locked, event)),
            None => self.go_on(&mut locked),
        }
    }

    /// A game by its name and rules, made once.
    pub(crate) fn game(&self, name: &str, rules: &Rules) -> Result<Arc<dyn AnyGame>, ApiError> {
        let key = format!("{name} {rules}");
        let mut games = lock(&self.games);
        if let Some(game) = games.get(&key) {
            return Ok(game.clone());
        }
        let game = meeple_catalog::game(name, rules).map_err(|error| ApiError::bad("bad_game", error.to_string()))?;
        let game: Arc<dyn AnyGame> = Arc::from(game);
        // Whoever thinks up rules without end does not fill the memory.
        if games.len() < 256 {
            games.insert(key, game.clone());
        }
        Ok(game)
    }

    /// A game as people play it, and the rules that make it so.
    pub(crate) fn game_at_table(&self, name: &str, rules: &Rules) -> Result<(Arc<dyn AnyGame>, Rules), ApiError> {
        let at_table = meeple_catalog::game_at_table(name, rules);
        let rules = at_table.map_err(|error| ApiError::bad("bad_game", error.to_string()))?.rules();
        Ok((self.game(name, &rules)?, rules))
    }

    pub(crate) fn seating(&self, id: &str) -> Result<Arc<Mutex<Seating>>, ApiError> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(id).cloned().ok_or_else(|| ApiError::not_found("table"))
    }

    /// All tables as they are now.
    pub(crate) fn seatings(&self) -> Vec<Arc<Mutex<Seating>>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The newest tables of which this holds, and how many there are in all.
    pub(crate) fn tables(&self, most: usize, is_meant: impl Fn(Status) -> bool) -> (Vec<TableInfo>, usize) {
        let meant = |seating: Arc<Mutex<Seating>>| {
            let created = {
                let table = &lock(&seating).table;
                is_meant(table.status()).then(|| (Reverse(table.spec.created), table.id.clone()))
            };
            created.map(|(created, id)| (created, id, seating))
        };
        let mut found: Vec<_> = self.seatings().into_iter().filter_map(meant).collect();
        found.sort_unstable_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        let infos = found.iter().take(most).map(|(.., seating)| lock(seating).table.info()).collect();
        (infos, found.len())
    }

    pub(crate) fn remove(&self, id: &str) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// A new table. Returns it with the secrets of the persons at it.
    pub(crate) fn create(
        self: &Arc<Hub>,
        mut spec: Spec,
        persons: &[Option<String>],
    ) -> Result<(TableInfo, Vec<Option<String>>), ApiError> {
        let game = self.game(&spec.game, &spec.rules)?;
        let tokens: Vec<Option<String>> = persons.iter().map(|person| person.as_ref().map(|_| new_token())).collect();
        for (seat, (name, token)) in persons.iter().zip(&tokens).enumerate() {
            if let (Some(name), Some(token)) = (name, token) {
                spec.seats[seat] = Occupant::Person { name: name.clone(), token: TokenHash::of(token) };
            }
        }
        let id = random_hex(6);
        let table = Table::new(id.clone(), spec.clone(), game);
        {
            let mut holdings = lock(&self.holdings);
            holdings.check(spec.client, Held { tables: 1, agents: table.agents() }, &self.settings)?;
            holdings.add_all(&table.holds());
        }
        let seating = Arc::new(Mutex::new(Seating::new(table)));
        let mut locked = lock(&seating);
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, seating.clone());
        self.seat_bots(&locked.table);
        self.happen(&mut locked, Event::Created { spec })?;
        Ok((locked.table.info(), tokens))
    }

    /// Somebody takes an open seat.
    pub(crate) fn join(self: &Arc<Hub>, seating: &mut Seating, seat: Player, who: Occupant) -> Result<(), ApiError> {
        let event = seating.table.join(seat, who)?;
        if let Event::Joined { occupant: Occupant::Agent { client, .. }, .. } = &event {
            let client = client.or(seating.table.spec.client);
            let more = Held { tables: 0, agents: 1 };
            let mut holdings = lock(&self.holdings);
            holdings.check(client, more, &self.settings)?;
            holdings.add_all(&[(client, more)]);
        }
        if let Event::Joined { occupant: Occupant::Bot { name }, .. } = &event {
            lock(&self.bots).seat(name, &seating.table.id);
        }
        self.happen(seating, event)
    }

    /// A game that was not over is, or will never be.
    pub(crate) fn release(&self, table: &Table) {
        lock(&self.holdings).remove_all(&table.holds());
    }

    /// Something happens at a table, and whatever follows from it. It is written down before anybody is
    /// told; where that is not possible, the program ends rather than go on without a memory.
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
        self.write(|journal| journal.note(&table.id, &events));
        self.tell_seated(table, &events[0]);
        seating.changed = now;
        if !was_over && table.status() == Status::Over {
            self.release(&seating.table);
            self.hand_to_archive(&seating.table, false);
            self.end_for_bots(&seating.table);
        }
        self.tell(seating);
        self.go_on(seating);
        Ok(())
    }

    /// Writes to the journal. A server that cannot remember what it promised ends; its tables are as they
    /// were last written down.
    pub(crate) fn write(&self, note: impl FnOnce(&mut Journal) -> io::Result<()>) {
        if let Err(error) = note(&mut lock(&self.journal)) {
            eprintln!("meeple serve: the journal cannot be written, so this ends here: {error}");
            std::process::exit(1);
        }
    }

    pub(crate) fn hand_to_archive(&self, table: &Table, perhaps_stored: bool) {
        if let Some(record) = table.record() {
            let finished = Finished { table: table.id.clone(), game: table.game().clone(), record, perhaps_stored };
            // Nobody takes it when the server ends; the journal has it.
            let _ = lock(&self.finished).send(finished);
        }
    }

    /// Sends what they may see to all who watch.
    fn tell(&self, seating: &mut Seating) {
        let Seating { table, watchers, .. } = seating;
        let now = Instant::now();
        let mut messages: HashMap<Option<Player>, Arc<str>> = HashMap::new();
        watchers.retain(|(viewer, latest)| {
            if latest.is_closed() {
                return false;
            }
            let message = messages.entry(*viewer).or_insert_with(|| to_text(&table.state(*viewer, now)));
            latest.send(message.clone()).is_ok()
        });
    }

    /// Sees to it that whoever has to decide next does.
    pub(crate) fn go_on(self: &Arc<Hub>, seating: &mut Seating) {
        let table = &mut seating.table;
        let now = Instant::now();
        if let Some((bot, message)) = table.bot_decision(now) {
            lock(&self.bots).tell(bot, &table.id, to_text(&message));
        }
        if table.agent_to_move().is_some() {
            match seating.thinking {
                // After a pause in which it went on thinking.
                Some(Thinking { number, started: true }) if number == table.number() => table.start_clock(now),
                Some(Thinking { number, .. }) if number == table.number() => {}
                _ => {
                    seating.thinking = Some(Thinking { number: table.number(), started: false });
                    self.let_think(table);
                }
            }
        }
        self.watch_deadline(seating);
    }

    /// Sees to it that a clock is looked at when it is down, and at no other time.
    pub(crate) fn watch_deadline(&self, seating: &mut Seating) {
        let table = &seating.table;
        let deadline = table.mover().and_then(|_| table.deadline());
        if deadline == seating.deadline {
            return;
        }
        let mut deadlines = lock(&self.deadlines);
        if let Some(before) = seating.deadline.take() {
            deadlines.remove(&(before, table.id.clone()));
        }
        deadlines.extend(deadline.map(|deadline| (deadline, table.id.clone())));
        seating.deadline = deadline;
    }

    /// The agent whose turn it is decides when there is a thread for it.
    fn let_think(self: &Arc<Hub>, table: &Table) {
        let (hub, id, number) = (Arc::downgrade(self), table.id.clone(), table.number());
        let think = move || {
            if let Some(hub) = hub.upgrade() {
                hub.think(&id, number);
            }
        };
        let purpose = if table.is_among_programs() { Purpose::Background } else { Purpose::Table };
        self.workers.add(table.spec.client, purpose, Box::new(think));
    }

    /// Lets the agent whose turn it is make this decision.
    fn think(self: &Arc<Hub>, id: &str, number: usize) {
        let Ok(seating) = self.seating(id) else { return };
        let (view, game, text, seat, left, seed) = {
            let mut locked = lock(&seating);
            let now = Instant::now();
            locked.stop_thinking(number);
            if locked.table.number() != number || locked.table.agent_to_move().is_none() {
                return;
            }
            locked.thinking = Some(Thinking { number, started: true });
            locked.table.start_clock(now);
            self.watch_deadline(&mut locked);
            let table = &locked.table;
            let (Some(text), Some(view), Some(seat)) = (table.agent_to_move(), table.mover_view(), table.mover())
            else {
                return;
            };
            (view, table.game().clone(), text.to_string(), seat, table.time_left(now), table.spec.seed)
        };
        let mut rng = Rng::stream(!seed, number as u64);
        let decided = agents::make_and_decide(|| agents::agent(&*game, &text), &*view, &agents::budget(left), &mut rng);
        let mut locked = lock(&seating);
        locked.stop_thinking(number);
        let Some(decision) = decided else { return };
        let acted = locked.table.act(seat, number, &decision.action, decision.report.iterations, Instant::now());
        // Refused if the game went on without it: it was late, or somebody gave up.
        match acted {
            Ok(event) => drop(self.happen(&mut locked, event)),
            Err(_) => self.go_on(&mut locked),
        }
    }

    /// From now on the newest state as `viewer` may see it is to be had.
    pub(crate) fn watch(&self, seating: &mut Seating, viewer: Option<Player>) -> watch::Receiver<Arc<str>> {
        seating.watchers.retain(|(_, latest)| !latest.is_closed());
        let (latest, receiver) = watch::channel(to_text(&seating.table.state(viewer, Instant::now())));
        seating.watchers.push((viewer, latest));
        receiver
    }

    /// A finished game goes to the database.
    fn put_away(self: &Arc<Hub>, finished: &Finished) {
        let id = &finished.table;
        let Ok(seating) = self.seating(id) else { return };
        if lock(&seating).table.is_archived() {
            return;
        }
        let stored = (0..TRIES).find_map(|attempt| match self.store(finished, attempt > 0) {
            Ok(number) => Some(number),
            Err(error) => {
                eprintln!("meeple serve: the game of table {id} was not stored: {error}");
                thread::sleep(if attempt + 1 < TRIES { BETWEEN_TRIES } else { Duration::ZERO });
                None
            }
        });
        {
            let mut locked = lock(&seating);
            locked.refused = stored.is_none();
            if let Some(record) = stored {
                let _ = self.happen(&mut locked, Event::Archived { record });
            }
        }
        self.leave_competition(&seating);
    }

    fn store(&self, finished: &Finished, again: bool) -> Result<i64, StoreError> {
        let Finished { game, record, perhaps_stored, .. } = finished;
        // Games of competitions are known by their number.
        let there = match (*perhaps_stored || again) && record.run.is_none() {
            true => self.archive.find(record)?,
            false => None,
        };
        there.map_or_else(|| self.archive.add(&**game, record.clone()), Ok)
    }

    /// A game of a competition that is over counts; when it is in the database, nobody needs its table any more.
    fn leave_competition(self: &Arc<Hub>, seating: &Mutex<Seating>) {
        let (id, run, result, is_archived) = {
            let table = &lock(seating).table;
            let Some(run) = table.spec.run.clone() else { return };
            (table.id.clone(), run, table.result().cloned(), table.is_archived())
        };
        self.competition_goes_on(&run, result.as_ref());
        if is_archived {
            self.close(&id);
        }
    }
}

pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().name(name.to_string()).spawn(work).expect("the system has threads");
}

pub(crate) fn to_text(message: &impl serde::Serialize) -> Arc<str> {
    serde_json::to_string(message).expect("messages are plain data").into()
}

/// What a thread that broke down held is whole: tables change last of all.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
