//! From rows to records.

use std::collections::VecDeque;

use meeple_core::record::{Run, Versions};
use meeple_core::{Record, Rules};

use crate::database::Purpose;
use crate::insert::find_match;
use crate::{GameId, Store, StoreError, Value};

/// Games that are read together.
const BATCH: usize = 200;

/// Which games are wanted; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The name of a game.
    pub game: Option<String>,
    /// An SQL condition over the columns of `games`.
    pub condition: Option<String>,
}

/// Games by their numbers in the database, read in batches.
#[derive(Debug)]
pub struct Records<'a> {
    store: &'a mut Store,
    selection: Selection,
    after: GameId,
    loaded: VecDeque<(GameId, Record)>,
    finished: bool,
}

impl Store {
    /// The record of a game, exactly as it was added.
    pub fn record(&mut self, id: GameId) -> Result<Record, StoreError> {
        let selection = Selection { condition: "id = $2".to_string(), parameters: vec![id.into()] };
        let found = self.batch(&selection, id.saturating_sub(1))?.pop();
        found.map(|(_, record)| record).ok_or(StoreError::NoGame(id))
    }

    /// The games of one match in the order in which they were added. The number in `run` does not matter.
    pub fn records_of(&mut self, game: &str, rules: &Rules, run: &Run) -> Result<Vec<Record>, StoreError> {
        let Some(id) = find_match(&mut *self.database, game, rules, run)? else { return Ok(Vec::new()) };
        let selection = Selection { condition: "match_id = $2".to_string(), parameters: vec![id.into()] };
        self.select(selection).map(|found| found.map(|(_, record)| record)).collect()
    }

    /// All games that a filter lets through.
    pub fn records(&mut self, filter: &Filter) -> Records<'_> {
        self.select(Selection::new(filter))
    }

    fn select(&mut self, selection: Selection) -> Records<'_> {
        Records { store: self, selection, after: i64::MIN, loaded: VecDeque::new(), finished: false }
    }

    /// The next games of a selection, all seen at the same moment.
    fn batch(&mut self, selection: &Selection, after: GameId) -> Result<Vec<(GameId, Record)>, StoreError> {
        let mut parameters = vec![Value::Integer(after)];
        parameters.extend(selection.parameters.iter().cloned());
        let ids = selection.sql();
        let [games, seats, decisions] = self.transaction(Purpose::Read, |store| {
            let mut rows = |sql: String| store.database.rows(&sql, &parameters);
            Ok([rows(games_sql(&ids))?, rows(seats_sql(&ids))?, rows(decisions_sql(&ids))?])
        })?;
        let mut parts = Parts { seats: seats.into(), decisions: decisions.into() };
        games.into_iter().map(|row| parts.record(row)).collect()
    }
}

impl Iterator for Records<'_> {
    type Item = Result<(GameId, Record), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.loaded.is_empty() && !self.finished {
            match self.store.batch(&self.selection, self.after) {
                Ok(batch) => {
                    self.finished = batch.len() < BATCH;
                    self.after = batch.last().map_or(self.after, |&(id, _)| id);
                    self.loaded = batch.into();
                }
                Err(error) => {
                    self.finished = true;
                    return Some(Err(error));
                }
            }
        }
        self.loaded.pop_front().map(Ok)
    }
}

/// A condition over `games` with its parameters from `$2` on.
#[derive(Clone, Debug)]
struct Selection {
    condition: String,
    parameters: Vec<Value>,
}

impl Selection {
    fn new(filter: &Filter) -> Selection {
        let mut conditions = vec!["1 = 1".to_string()];
        let mut parameters = Vec::new();
        if let Some(game) = &filter.game {
            conditions.push("game = $2".to_string());
            parameters.push(game.as_str().into());
        }
        // A comment in it ends with the line.
        conditions.extend(filter.condition.iter().map(|condition| format!("({condition}\n)")));
        Selection { condition: conditions.join(" AND "), parameters }
    }

    fn sql(&self) -> String {
        format!("SELECT id FROM games WHERE id > $1 AND {} ORDER BY id LIMIT {BATCH}", self.condition)
    }
}

fn games_sql(ids: &str) -> String {
    format!(
        "SELECT g.id, g.number, g.game, g.rules, g.random, g.reason, g.meeple_version, g.rules_version, g.given, \
         m.experiment, m.agents, m.seed \
         FROM games g LEFT JOIN matches m ON m.id = g.match_id WHERE g.id IN ({ids}) ORDER BY g.id"
    )
}

fn seats_sql(ids: &str) -> String {
    format!("SELECT game_id, agent, payoff, score FROM seats WHERE game_id IN ({ids}) ORDER BY game_id, seat")
}

fn decisions_sql(ids: &str) -> String {
    format!(
        "SELECT game_id, action, milliseconds, iterations, search FROM decisions \
         WHERE game_id IN ({ids}) ORDER BY game_id, ply"
    )
}

/// The rows of several games in their order.
struct Parts {
    seats: VecDeque<Vec<Value>>,
    decisions: VecDeque<Vec<Value>>,
}

impl Parts {
    fn record(&mut self, mut row: Vec<Value>) -> Result<(GameId, Record), StoreError> {
        let id = row[0].integer().unwrap_or_default();
        let damaged = |what: &str| StoreError::Failed(format!("game {id} in the database has damaged {what}"));
        let given = row[8].take_text().unwrap_or_default();
        let has = |field: &str| given.split(' ').any(|name| name == field);
        let mut record = Record {
            game: row[2].take_text().unwrap_or_default(),
            rules: Rules::parse(&row[3].take_text().unwrap_or_default()).map_err(|_| damaged("rules"))?,
            random: row[4].take_text(),
            reason: row[5].take_text().filter(|_| has("reason")),
            versions: versions(&mut row),
            run: run(&mut row).map_err(|_| damaged("match"))?,
            clocks: has("clocks").then(Vec::new),
            iterations: has("iterations").then(Vec::new),
            searches: has("searches").then(Vec::new),
            payoffs: has("payoffs").then(Vec::new),
            scores: has("scores").then(Vec::new),
            ..Record::default()
        };
        while let Some(row) = next_of(&mut self.seats, id) {
            add_seat(&mut record, row).ok_or_else(|| damaged("seats"))?;
        }
        while let Some(row) = next_of(&mut self.decisions, id) {
            add_decision(&mut record, row).ok_or_else(|| damaged("decisions"))?;
        }
        Ok((id, record))
    }
}

fn next_of(rows: &mut VecDeque<Vec<Value>>, id: GameId) -> Option<Vec<Value>> {
    rows.pop_front_if(|row| row[0] == Value::Integer(id))
}

fn versions(row: &mut [Value]) -> Option<Versions> {
    let meeple = row[6].take_text()?;
    Some(Versions { meeple, rules: u32::try_from(row[7].integer()?).ok()? })
}

fn run(row: &mut [Value]) -> Result<Option<Run>, Box<dyn std::error::Error>> {
    let (Some(number), Some(agents)) = (row[1].integer(), row[10].take_text()) else { return Ok(None) };
    Ok(Some(Run {
        experiment: row[9].take_text().unwrap_or_default(),
        agents: serde_json::from_str(&agents)?,
        seed: row[11].take_text().unwrap_or_default().parse()?,
        number: u64::try_from(number)?,
    }))
}

fn add_seat(record: &mut Record, mut row: Vec<Value>) -> Option<()> {
    record.seats.extend(row[1].take_text());
    if let Some(payoffs) = &mut record.payoffs {
        payoffs.push(row[2].real()? as f32);
    }
    if let Some(scores) = &mut record.scores {
        scores.push(row[3].real()? as f32);
    }
    Some(())
}

fn add_decision(record: &mut Record, mut row: Vec<Value>) -> Option<()> {
    record.actions.push(row[1].take_text()?);
    if let Some(clocks) = &mut record.clocks {
        clocks.push(row[2].real()?);
    }
    if let Some(iterations) = &mut record.iterations {
        iterations.push(row[3].integer()? as u64);
    }
    if let Some(searches) = &mut record.searches {
        let search = row[4].take_text().map(|text| serde_json::from_str(&text).ok());
        searches.push(search.unwrap_or(Some(serde_json::Value::Null))?);
    }
    Some(())
}
