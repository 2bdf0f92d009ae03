//! Tables: making them, sitting down, playing, looking on.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use meeple_core::erased::AnyGame;
use meeple_core::{Player, Record, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{App, Client, Json, Path, Query, secret, stream};
use crate::agents;
use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::{Hub, Seating, lock};
use crate::table::{Event, Occupant, Spec, Status, TableInfo, Timeout};
use crate::token::{TokenHash, new_token};

/// The header with the secret of a seat.
pub(crate) const SEAT_TOKEN: &str = "x-seat-token";

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tables {
    tables: Vec<TableInfo>,
    /// How many there are; not all may be listed.
    total: usize,
}

/// The most tables of a list.
const MOST_LISTED: usize = 500;

#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    status: Option<Status>,
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
    Open {},
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
    /// Of the person who sits down, or of the agent.
    name: Option<String>,
    /// An agent, from one who has a seat.
    agent: Option<String>,
    /// A bot, from one who has a seat, or from the bot itself.
    bot: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Joined {
    /// The secret of the seat; null if no person took it.
    token: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AsBot {
    /// The bot that gives up; persons give the secret of their seat only.
    bot: Option<String>,
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

/// The newest tables: those of one status, or all at which the game is not over.
#[utoipa::path(get, path = "/api/v1/tables", params(("status" = Option<Status>, Query)),
    responses((status = 200, body = Tables), (status = "default", body = ApiError)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Json<Tables> {
    let is_meant = |status| which.status.map_or(status != Status::Over, |wanted| status == wanted);
    let (tables, total) = app.hub.tables(MOST_LISTED, is_meant);
    Json(Tables { tables, total })
}

/// Makes a table. The game begins when all seats are taken. A bot that others may not seat gets a seat if its
/// secret is in the header X-Seat-Token.
#[utoipa::path(post, path = "/api/v1/tables", request_body = NewTable,
    params(("X-Seat-Token" = Option<String>, Header)),
    responses((status = 200, body = Created), (status = "default", body = ApiError)))]
pub(crate) async fn create(
    State(app): State<App>,
    Client(client): Client,
    headers: HeaderMap,
    Json(request): Json<NewTable>,
) -> Result<Json<Created>, ApiError> {
    app.may_create(client)?;
    let token = secret(&headers, SEAT_TOKEN).to_string();
    // Agents are made to see whether they can be, which takes a moment.
    let (table, tokens) = app.look_up(move |hub| request.create(hub, client, &token)).await?;
    Ok(Json(Created { table, tokens }))
}

impl NewTable {
    fn create(self, hub: &Arc<Hub>, client: IpAddr, token: &str) -> Result<(TableInfo, Vec<Option<String>>), ApiError> {
        let NewTable { game: name, rules, seats, clock, timeout, seed } = self;
        let (game, rules) = hub.game_at_table(&name, &rules)?;
        clock.check().map_err(|message| ApiError::bad("bad_clock", message))?;
        let info = game.info();
        if seats.len() != info.players {
            return Err(ApiError::bad("bad_seats", format!("{name} has {} seats with these rules", info.players)));
        }
        let strangers = seats.iter().any(|seat| matches!(seat, NewSeat::Open {} | NewSeat::Bot { .. }));
        if seed.is_some() && strangers && info.chance {
            return Err(ApiError::bad("bad_seed", "who plays with others does not choose the seed of chance"));
        }
        let mut occupants = Vec::with_capacity(seats.len());
        let mut persons = Vec::with_capacity(seats.len());
        for seat in seats {
            persons.push(match &seat {
                NewSeat::Person { name } => Some(check_name(name)?),
                _ => None,
            });
            occupants.push(match seat {
                NewSeat::Open {} | NewSeat::Person { .. } => Occupant::Open,
                NewSeat::Agent { agent, name } => agent_on_seat(&*game, agent, name, None)?,
                NewSeat::Bot { name } => {
                    lock(&hub.bots).may_be_seated(&name, token)?;
                    Occupant::Bot { name }
                }
            });
        }
        let seed = match seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(ApiError::internal)?,
        };
        let created = crate::time::now();
        let (client, contestants) = (Some(client), Vec::new());
        let seats = occupants;
        let spec = Spec { game: name, rules, clock, timeout, seed, seats, created, run: None, contestants, client };
        hub.create(spec, &persons)
    }
}

/// An agent that can play the game, and who added it to a table.
fn agent_on_seat(
    game: &dyn AnyGame,
    agent: String,
    name: Option<String>,
    client: Option<IpAddr>,
) -> Result<Occupant, ApiError> {
    agents::agent(game, &agent)?;
    // A name that is none would be refused from a person; an agent has its text.
    let name = name.and_then(|name| check_name(&name).ok()).unwrap_or_else(|| agent.clone());
    Ok(Occupant::Agent { name, agent, client })
}

/// One table.
#[utoipa::path(get, path = "/api/v1/tables/{id}", params(("id" = String, Path)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn one(State(app): State<App>, Path(id): Path<String>) -> Result<Json<TableInfo>, ApiError> {
    Ok(Json(lock(&*app.hub.seating(&id)?).table.info()))
}

/// Takes an open seat: {"name"} for oneself. Who has a seat, by its secret in the header X-Seat-Token, also gives
/// one to an {"agent"} or a {"bot"}; a bot takes one by its own secret.
#[utoipa::path(post, path = "/api/v1/tables/{id}/seats/{seat}",
    params(("id" = String, Path), ("seat" = usize, Path), ("X-Seat-Token" = Option<String>, Header)),
    request_body = Join, responses((status = 200, body = Joined), (status = "default", body = ApiError)))]
pub(crate) async fn join(
    State(app): State<App>,
    Client(client): Client,
    Path((id, seat)): Path<(String, Player)>,
    headers: HeaderMap,
    Json(request): Json<Join>,
) -> Result<Json<Joined>, ApiError> {
    let given = secret(&headers, SEAT_TOKEN).to_string();
    let joined = move |hub: &Arc<Hub>| {
        let seating = hub.seating(&id)?;
        let (occupant, token) = request.occupant(hub, &seating, client, &given)?;
        hub.join(&mut lock(&seating), seat, occupant)?;
        Ok(Joined { token })
    };
    // As for a new table.
    Ok(Json(app.look_up(joined).await?))
}

impl Join {
    /// Who sits down, and the secret of a person.
    fn occupant(
        self,
        hub: &Hub,
        seating: &Mutex<Seating>,
        client: IpAddr,
        given: &str,
    ) -> Result<(Occupant, Option<String>), ApiError> {
        let (has_seat, game) = {
            let table = &lock(seating).table;
            (table.seat_of(given).is_some(), table.game().clone())
        };
        match self {
            Join { agent: Some(agent), bot: None, name } if has_seat => {
                Ok((agent_on_seat(&*game, agent, name, Some(client))?, None))
            }
            Join { bot: Some(name), agent: None, name: None } => {
                let bots = lock(&hub.bots);
                bots.may_be_seated(&name, given)?;
                match has_seat || bots.is(&name, given) {
                    true => Ok((Occupant::Bot { name }, None)),
                    false => Err(no_seat()),
                }
            }
            Join { name: Some(name), agent: None, bot: None } => {
                let (name, token) = (check_name(&name)?, new_token());
                Ok((Occupant::Person { name, token: TokenHash::of(&token) }, Some(token)))
            }
            Join { agent: Some(_), bot: None, .. } => Err(no_seat()),
            _ => Err(ApiError::bad("bad_request", "one of name, agent and bot says who sits down")),
        }
    }
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
    let Some(seat) = seating.table.seat_of_bot(bot) else {
        return Err(ApiError::conflict("not_your_turn", "it is not your turn"));
    };
    let event = seating.table.act(seat, number, action, 0, Instant::now())?;
    app.hub.happen(&mut seating, event)?;
    Ok(seating.table.number())
}

/// A bot that proved who it is gives up.
pub(crate) fn bot_resigns(app: &App, bot: &str, table: &str) -> Result<TableInfo, ApiError> {
    let seating = app.hub.seating(table)?;
    let mut seating = lock(&seating);
    let seat = seating.table.seat_of_bot(bot).ok_or_else(no_seat)?;
    let event = seating.table.give_up(seat, false)?;
    app.hub.happen(&mut seating, event)?;
    Ok(seating.table.info())
}

fn seat_of(seating: &Seating, headers: &HeaderMap) -> Result<Player, ApiError> {
    seating.table.seat_of(secret(headers, SEAT_TOKEN)).ok_or_else(no_seat)
}

pub(super) fn no_seat() -> ApiError {
    ApiError::forbidden("no_seat", "this is not the secret of a seat at this table")
}

/// Gives up.
#[utoipa::path(post, path = "/api/v1/tables/{id}/resign",
    params(("id" = String, Path), ("bot" = Option<String>, Query), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn resign(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(AsBot { bot }): Query<AsBot>,
    headers: HeaderMap,
) -> Result<Json<TableInfo>, ApiError> {
    match bot {
        None => change(&app, &id, &headers, |seating, seat| seating.table.give_up(seat, false)),
        Some(bot) if lock(&app.hub.bots).is(&bot, secret(&headers, SEAT_TOKEN)) => {
            bot_resigns(&app, &bot, &id).map(Json)
        }
        Some(_) => Err(no_seat()),
    }
}

/// Stops the clocks until somebody goes on.
#[utoipa::path(post, path = "/api/v1/tables/{id}/pause", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = TableInfo), (status = "default", body = ApiError)))]
pub(crate) async fn pause(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<TableInfo>, ApiError> {
    change(&app, &id, &headers, |seating, _| seating.table.pause(Instant::now()))
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
/// keeps the secret of the old seat for the new one. The seat of a bot that others may not seat is open.
#[utoipa::path(post, path = "/api/v1/tables/{id}/rematch", params(("id" = String, Path), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = Rematch), (status = "default", body = ApiError)))]
pub(crate) async fn rematch(
    State(app): State<App>,
    Client(client): Client,
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
    app.may_create(client)?;
    let mut spec = Spec { client: Some(client), ..seating.table.spec.clone() };
    spec.seats.rotate_right(1);
    for seat in &mut spec.seats {
        match seat {
            Occupant::Bot { name } if lock(&app.hub.bots).may_be_seated(name, &token).is_err() => {
                *seat = Occupant::Open;
            }
            // From now on it counts for who wants to play again.
            Occupant::Agent { client, .. } => *client = None,
            _ => {}
        }
    }
    (spec.seed, spec.created) = (getrandom::u64().map_err(ApiError::internal)?, crate::time::now());
    let (table, _) = app.hub.create(spec.clone(), &vec![None; spec.seats.len()])?;
    app.hub.happen(&mut seating, Event::Rematch { next: table.id.clone() })?;
    Ok(Json(Rematch { table, token }))
}

/// The whole game, when it is over.
#[utoipa::path(get, path = "/api/v1/tables/{id}/record", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = "default", body = ApiError)))]
pub(crate) async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Record>, ApiError> {
    let seating = app.hub.seating(&id)?;
    let record = lock(&seating).table.record();
    let record = record.ok_or_else(|| ApiError::conflict("not_over", "the game is not over"))?;
    match app.hub.may_be_seen(record.run.as_ref()) {
        true => Ok(Json(record)),
        false => Err(ApiError::conflict("not_over", "the competition is not over")),
    }
}

/// A stream (WebSocket): the first message is {"type":"hello"} with the `token` of a seat, or with a `bot` and its
/// `token`, or without any to look on; then the state comes after every change, and {"type":"act","number":..,"action":..} decides.
#[utoipa::path(get, path = "/api/v1/tables/{id}/stream", params(("id" = String, Path)),
    responses((status = 101, description = "a stream"), (status = "default", body = ApiError)))]
pub(crate) async fn stream(
    State(app): State<App>,
    Path(id): Path<String>,
    Client(client): Client,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    app.hub.seating(&id)?;
    stream::open(app, client, upgrade, move |app, socket| stream::table(app, id, socket))
}
