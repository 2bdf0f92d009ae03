//! From a game to rows.

use meeple_core::record::Run;
use meeple_core::{Record, Rules};

use crate::database::{Column, Database, Rows};
use crate::{Added, GameId, StoreError, Value, Verified};

const FIND_MATCH: &str = "SELECT id FROM matches \
    WHERE game = $1 AND rules = $2 AND agents = $3 AND seed = $4 AND experiment = $5";

const FIND_GAME: &str = "SELECT id FROM games WHERE match_id = $1 AND number = $2";

const INSERT_GAME: &str = "INSERT INTO games \
    (match_id, number, game, rules, random, reason, length, meeple_version, rules_version, given) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (match_id, number) DO NOTHING RETURNING id";

/// Adds a game inside a transaction, unless its match has a game of this number.
pub(crate) fn insert_game(database: &mut dyn Database, game: &Verified) -> Result<Added, StoreError> {
    let record = game.record();
    let match_id = match &record.run {
        None => None,
        Some(run) => Some(insert_match(database, &match_key(&record.game, &record.rules, run))?),
    };
    let inserted = database.rows(INSERT_GAME, &game_row(game, match_id))?;
    if let Some(id) = first_id(&inserted) {
        insert_seats(database, game, id)?;
        insert_decisions(database, game, id)?;
        return Ok(Added { id, new: true });
    }
    let number = record.run.as_ref().map(|run| run.number as i64);
    let there = database.rows(FIND_GAME, &[match_id.into(), number.into()])?;
    let id = first_id(&there).ok_or_else(|| StoreError::Conflict("a game came and went".to_string()))?;
    Ok(Added { id, new: false })
}

/// The match that games of a run belong to, if it is there.
pub(crate) fn find_match(
    database: &mut dyn Database,
    game: &str,
    rules: &Rules,
    run: &Run,
) -> Result<Option<i64>, StoreError> {
    Ok(first_id(&database.rows(FIND_MATCH, &match_key(game, rules, run))?))
}

fn match_key(game: &str, rules: &Rules, run: &Run) -> [Value; 5] {
    let agents = serde_json::json!(run.agents).to_string();
    [game.into(), rules.to_string().into(), agents.into(), run.seed.to_string().into(), run.experiment.as_str().into()]
}

fn insert_match(database: &mut dyn Database, key: &[Value; 5]) -> Result<i64, StoreError> {
    if let Some(id) = first_id(&database.rows(FIND_MATCH, key)?) {
        return Ok(id);
    }
    database.rows("INSERT INTO experiments (name) VALUES ($1) ON CONFLICT DO NOTHING", &key[4..])?;
    database.rows(
        "INSERT INTO matches (game, rules, agents, seed, experiment) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT DO NOTHING",
        key,
    )?;
    let found = database.rows(FIND_MATCH, key)?;
    first_id(&found).ok_or_else(|| StoreError::Conflict("a match came and went".to_string()))
}

fn first_id(rows: &[Vec<Value>]) -> Option<GameId> {
    rows.first()?.first()?.integer()
}

fn game_row(game: &Verified, match_id: Option<i64>) -> [Value; 10] {
    let record = game.record();
    let length = game.deciders().iter().flatten().count() as i64;
    let versions = record.versions.as_ref();
    [
        match_id.into(),
        record.run.as_ref().map(|run| run.number as i64).into(),
        record.game.as_str().into(),
        record.rules.to_string().into(),
        record.random.as_deref().into(),
        game.reason().into(),
        length.into(),
        versions.map(|versions| versions.meeple.as_str()).into(),
        versions.map(|versions| i64::from(versions.rules)).into(),
        given(record).into(),
    ]
}

/// The fields that the record has and that the rows alone do not tell.
fn given(record: &Record) -> String {
    let fields = [
        ("clocks", record.clocks.is_some()),
        ("iterations", record.iterations.is_some()),
        ("searches", record.searches.is_some()),
        ("payoffs", record.payoffs.is_some()),
        ("scores", record.scores.is_some()),
        ("reason", record.reason.is_some()),
    ];
    let names: Vec<&str> = fields.into_iter().filter(|&(_, given)| given).map(|(name, _)| name).collect();
    names.join(" ")
}

fn insert_seats(database: &mut dyn Database, game: &Verified, id: GameId) -> Result<(), StoreError> {
    let seats = 0..game.players();
    let results: Vec<_> = seats.clone().map(|seat| game.result(seat)).collect();
    let agents = seats.clone().map(|seat| game.record().seats.get(seat).map(String::as_str)).collect();
    let reals = |number: fn(&crate::verified::SeatResult) -> Option<f32>| {
        Column::Reals(results.iter().map(|result| result.as_ref().and_then(number).map(plain)).collect())
    };
    database.insert(&Rows {
        table: "seats",
        columns: vec![
            ("game_id", Column::Integers(vec![Some(id); game.players()])),
            ("seat", Column::Integers(seats.map(|seat| Some(seat as i64)).collect())),
            ("agent", Column::Texts(agents)),
            ("payoff", reals(|result| Some(result.payoff))),
            ("score", reals(|result| result.score)),
            ("result", Column::Texts(results.iter().map(|result| result.map(|result| result.word)).collect())),
        ],
    })
}

fn insert_decisions(database: &mut dyn Database, game: &Verified, id: GameId) -> Result<(), StoreError> {
    let record = game.record();
    let plies = 0..record.actions.len();
    let searches: Vec<Option<String>> = plies.clone().map(|ply| search(record, ply)).collect();
    let iterations = |ply: usize| record.iterations.as_ref().map(|iterations| iterations[ply] as i64);
    database.insert(&Rows {
        table: "decisions",
        columns: vec![
            ("game_id", Column::Integers(vec![Some(id); plies.len()])),
            ("ply", Column::Integers(plies.clone().map(|ply| Some(ply as i64)).collect())),
            ("seat", Column::Integers(game.deciders().iter().map(|seat| seat.map(|seat| seat as i64)).collect())),
            ("action", Column::Texts(record.actions.iter().map(|action| Some(action.as_str())).collect())),
            ("milliseconds", Column::Reals(plies.clone().map(|ply| Some(record.clocks.as_ref()?[ply])).collect())),
            ("iterations", Column::Integers(plies.map(iterations).collect())),
            ("search", Column::Texts(searches.iter().map(Option::as_deref).collect())),
        ],
    })
}

/// Nothing where nothing was searched.
fn search(record: &Record, ply: usize) -> Option<String> {
    let search = &record.searches.as_ref()?[ply];
    (!search.is_null()).then(|| search.to_string())
}

/// The number with the same digits, which becomes the same number again.
fn plain(number: f32) -> f64 {
    let same_digits: Option<f64> = number.to_string().parse().ok();
    same_digits.filter(|&digits| digits as f32 == number).unwrap_or_else(|| f64::from(number))
}
