//! Tables: making them, sitting down, playing, looking on.

use std::time::Instant;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use meeple_core::{Player, Record, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{App, Json, secret, stream};
use crate::agents;
use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::{Seating, lock};
use crate::table::{Event, Occupant, Spec, Status, TableInfo, Timeout};
use crate::token::{TokenHash, new_token};

/// The header with the secret of a seat.
pub(crate) const SEAT_TOKEN: &str = "x-seat-token";

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tables {
    tables: Vec<TableInfo>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTable {
    game: String,
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    rules: Rules,
    /// One for each seat.
    seats: Vec<NewSeat>,
    #[serde(default)]
    clock: Clock,
    #[serde(default)]
    timeout: Timeout,
    /// Of chance; by default nobody can know it.
    seed: Option<u64>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum NewSeat {
    /// For whoever comes.
    Open,
    /// For the one who makes the table.
    Person {
        name: String,
    },
    Agent {
        agent: String,
        name: Option<String>,
    },
    Bot {
        name: String,
    },
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Created {
    table: TableInfo,
    /// The secret of each seat with a person; null for others.
    tokens: Vec<Option<String>>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Join {
    name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Joined {
    token: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    /// Which decision it is: the number of actions before it.
    number: usize,
    action: String,
    /// The bot that decides; persons give the secret of their seat instead.
    bot: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Acted {
    /// Actions so far.
    number: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Rematch {
    table: TableInfo,
    token: String,
}

/// Names are shown to others.
pub(crate) fn check_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let fits = (1..=40).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    match fits {
        true => Ok(name.to_string()),
        false => Err(ApiError::bad("bad_name", "a name has 1 to 40 characters")),
    }
}

/// All tables, the newest first.
#[utoipa::path(get, path = "/api/v1/tables", responses((status = 200, body = Tables), (status = "default", body = ApiError)))]
pub(crate) async fn list(State(app): State<App>) -> Json<Tables> {
    let mut tables = app.hub.tables();
    tables.retain(|table| table.status != Status::Over);
    tables.truncate(500);
    Json(Tables { tables })
}

/// Makes a table. The game begins when all seats are taken.
#[utoipa::path(post, path = "/api/v1/tables", request_body = NewTable,
    responses((status = 200, body = Created), (status = "default", body = ApiError)))]
pub(crate) async fn create(State(app): State<App>, Json(request): Json<NewTable>) -> Result<Json<Created>, ApiError> {
    let NewTable { game: name, rules, seats, clock, timeout, seed } = request;
    let game = app.hub.game(&name, &rules)?;
    clock.check().map_err(|message| ApiError::bad("bad_clock", message))?;
    if seats.len() != game.info().players {
        return Err(ApiError::bad("bad_seats", format!("{name} has {} seats with these rules", game.info().players)));
    }
    let mut occupants = Vec::with_capacity(seats.len());
    let mut persons = Vec::with_capacity(seats.len());
    for seat in seats {
        persons.push(match &seat {
            NewSeat::Person { name } => Some(check_name(name)?),
            _ => None,
        });
        occupants.push(match seat {
            NewSeat::Open | NewSeat::Person { .. } => Occupant::Open,
            NewSeat::Agent { agent, name } => {
                agents::agent(&*game, &agent)?;
                // A name that is none would be refused from a person; an agent has its text.
                let name = name.and_then(|name| check_name(&name).ok()).unwrap_or_else(|| agent.clone());
                Occupant::Agent { name, agent }
            }
            NewSeat::Bot { name } if lock(&app.hub.bots).has(&name) => Occupant::Bot { name },
            NewSeat::Bot { .. } => return Err(ApiError::bad("no_such_bot", "there is no bot of this name")),
        });
    }
    let seed = match seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(ApiError::internal)?,
    };
    let spec =
        Spec { game: name, rules, clock, timeout, seed, seats: occupants, created: crate::time::now(), run: None };
    let (table, tokens) = app.hub.create(spec, &persons)?;
    Ok(Json(Created { table, tokens }))
}

/// One table.
#[utoipa::path(get, path = "/api/v1/tables/{id}", params(("id" = String, Path)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn one(State(app): State<App>, Path(id): Path<String>) -> Result<Json<TableInfo>, ApiError> {
    Ok(Json(lock(&*app.hub.seating(&id)?).table.info()))
}

/// Takes an open seat.
#[utoipa::path(post, path = "/api/v1/tables/{id}/seats/{seat}", params(("id" = String, Path), ("seat" = usize, Path)),
    request_body = Join, responses((status = 200, body = Joined), (status = "default", body = ApiError)))]
pub(crate) async fn join(
    State(app): State<App>,
    Path((id, seat)): Path<(String, Player)>,
    Json(request): Json<Join>,
) -> Result<Json<Joined>, ApiError> {
    let name = check_name(&request.name)?;
    let token = new_token();
    let seating = app.hub.seating(&id)?;
    let mut seating = lock(&seating);
    let event = seating.table.join(seat, Occupant::Person { name, token: TokenHash::of(&token) })?;
    app.hub.happen(&mut seating, event)?;
    Ok(Json(Joined { token }))
}

/// Decides. The secret of the seat is in the header X-Seat-Token, that of a bot too.
#[utoipa::path(post, path = "/api/v1/tables/{id}/act", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    request_body = Act, responses((status = 200, body = Acted), (status = "default", body = ApiError)))]
pub(crate) async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(request): Json<Act>,
) -> Result<Json<Acted>, ApiError> {
    let seating = app.hub.seating(&id)?;
    if let Some(bot) = &request.bot {
        if !lock(&app.hub.bots).is(bot, secret(&headers, SEAT_TOKEN)) {
            return Err(no_seat());
        }
        return bot_acts(&app, bot, &id, request.number, &request.action).map(|number| Json(Acted { number }));
    }
    let mut seating = lock(&seating);
    let seat = seat_of(&seating, &headers)?;
    let event = seating.table.act(seat, request.number, &request.action, 0, Instant::now())?;
    app.hub.happen(&mut seating, event)?;
    Ok(Json(Acted { number: seating.table.number() }))
}

/// A bot that proved who it is decides.
pub(crate) fn bot_acts(app: &App, bot: &str, table: &str, number: usize, action: &str) -> Result<usize, ApiError> {
    let seating = app.hub.seating(table)?;
    let mut seating = lock(&seating);
    let seat = seating.table.mover().filter(|&seat| is_bot(&seating, seat, bot));
    let Some(seat) = seat else {
        return Err(ApiError::conflict("not_your_turn", "it is not your turn"));
    };
    let event = seating.table.act(seat, number, action, 0, Instant::now())?;
    app.hub.happen(&mut seating, event)?;
    Ok(seating.table.number())
}

fn is_bot(seating: &Seating, seat: Player, bot: &str) -> bool {
    matches!(&seating.table.spec.seats[seat], Occupant::Bot { name } if name == bot)
}

fn seat_of(seating: &Seating, headers: &HeaderMap) -> Result<Player, ApiError> {
    seating.table.seat_of(secret(headers, SEAT_TOKEN)).ok_or_else(no_seat)
}

fn no_seat() -> ApiError {
    ApiError::forbidden("no_seat", "this is not the secret of a seat at this table")
}

/// Gives up.
#[utoipa::path(post, path = "/api/v1/tables/{id}/resign", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn resign(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<TableInfo>, ApiError> {
    change(&app, &id, &headers, |seating, seat| seating.table.give_up(seat, false))
}

/// Stops the clocks until somebody goes on.
#[utoipa::path(post, path = "/api/v1/tables/{id}/pause", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn pause(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<TableInfo>, ApiError> {
    change(&app, &id, &headers, |seating, _| seating.table.pause())
}

/// Goes on after a pause.
#[utoipa::path(post, path = "/api/v1/tables/{id}/resume", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn resume(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<TableInfo>, ApiError> {
    change(&app, &id, &headers, |seating, _| seating.table.resume())
}

fn change(
    app: &App,
    id: &str,
    headers: &HeaderMap,
    wish: impl FnOnce(&Seating, Player) -> Result<Event, ApiError>,
) -> Result<Json<TableInfo>, ApiError> {
    let seating = app.hub.seating(id)?;
    let mut seating = lock(&seating);
    let seat = seat_of(&seating, headers)?;
    let event = wish(&seating, seat)?;
    app.hub.happen(&mut seating, event)?;
    Ok(Json(seating.table.info()))
}

/// The same players again, each one seat further. Whoever asks second finds the table of the first, and
/// keeps the secret of the old seat for the new one.
#[utoipa::path(post, path = "/api/v1/tables/{id}/rematch", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = Rematch), (status = "default", body = ApiError)))]
pub(crate) async fn rematch(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Rematch>, ApiError> {
    let seating = app.hub.seating(&id)?;
    let mut seating = lock(&seating);
    seat_of(&seating, &headers)?;
    if seating.table.status() != Status::Over || seating.table.spec.run.is_some() {
        return Err(ApiError::conflict("not_over", "the game is not over"));
    }
    let token = secret(&headers, SEAT_TOKEN).to_string();
    if let Some(next) = seating.table.rematch().map(str::to_string) {
        drop(seating);
        let table = lock(&*app.hub.seating(&next)?).table.info();
        return Ok(Json(Rematch { table, token }));
    }
    let mut spec = seating.table.spec.clone();
    spec.seats.rotate_right(1);
    (spec.seed, spec.created) = (getrandom::u64().map_err(ApiError::internal)?, crate::time::now());
    let (table, _) = app.hub.create(spec.clone(), &vec![None; spec.seats.len()])?;
    app.hub.happen(&mut seating, Event::Rematch { table: table.id.clone() })?;
    Ok(Json(Rematch { table, token }))
}

/// The whole game, when it is over.
#[utoipa::path(get, path = "/api/v1/tables/{id}/record", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = "default", body = ApiError)))]
pub(crate) async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Record>, ApiError> {
    let seating = app.hub.seating(&id)?;
    let record = lock(&seating).table.record();
    record.map(Json).ok_or_else(|| ApiError::conflict("not_over", "the game is not over"))
}

/// A stream (WebSocket): the first message is {"type":"hello"} with the `token` of a seat, or without one to
/// look on; then the state comes after every change, and {"type":"act","number":..,"action":..} decides.
#[utoipa::path(get, path = "/api/v1/tables/{id}/stream", params(("id" = String, Path)),
    responses((status = 101, description = "a stream"), (status = "default", body = ApiError)))]
pub(crate) async fn stream(
    State(app): State<App>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    app.hub.seating(&id)?;
    Ok(stream::open(upgrade, move |socket| stream::table(app, id, socket)))
}
