//! Bots, which dial in, and competitions among them.

use std::time::Duration;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use meeple_core::Rules;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tables::{SEAT_TOKEN, check_name};
use super::{App, Json, secret, stream};
use crate::agents;
use crate::clock::Clock;
use crate::competition::{CompetitionInfo, Contestant, Plan, new_id};
use crate::error::ApiError;
use crate::hub::lock;

/// The most games of a competition.
const MOST_GAMES: u64 = 100_000;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBot {
    name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Registered {
    bot: String,
    /// It is shown once.
    token: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BotList {
    bots: Vec<BotInfo>,
}

#[derive(Debug, Serialize, ToSchema)]
struct BotInfo {
    name: String,
    /// Whether its stream is open.
    connected: bool,
}

/// Registers a bot.
#[utoipa::path(post, path = "/api/v1/bots", request_body = NewBot,
    responses((status = 200, body = Registered), (status = "default", body = ApiError)))]
pub(crate) async fn register(
    State(app): State<App>,
    Json(request): Json<NewBot>,
) -> Result<Json<Registered>, ApiError> {
    let name = check_name(&request.name)?;
    let token = app.hub.register_bot(&name)?;
    Ok(Json(Registered { bot: name, token }))
}

/// All bots.
#[utoipa::path(get, path = "/api/v1/bots", responses((status = 200, body = BotList), (status = "default", body = ApiError)))]
pub(crate) async fn list(State(app): State<App>) -> Json<BotList> {
    let bots = lock(&app.hub.bots).list().into_iter().map(|(name, connected)| BotInfo { name, connected }).collect();
    Json(BotList { bots })
}

#[derive(Debug, Deserialize)]
pub(crate) struct Wait {
    /// Seconds.
    wait: Option<u64>,
}

/// A decision that a bot has to make, for bots without a stream; 204 if none came up while it waited. The
/// secret of the bot is in the header X-Seat-Token.
#[utoipa::path(get, path = "/api/v1/bots/{name}/next",
    params(("name" = String, Path), ("wait" = Option<u64>, Query), ("X-Seat-Token" = String, Header)),
    responses((status = 200, body = Object), (status = 204), (status = "default", body = ApiError)))]
pub(crate) async fn next(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(Wait { wait }): Query<Wait>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let wake = {
        let bots = lock(&app.hub.bots);
        let wake = bots.wake(&name).filter(|_| bots.is(&name, secret(&headers, SEAT_TOKEN)));
        wake.ok_or_else(|| ApiError::forbidden("no_bot", "this is not the secret of this bot"))?
    };
    let until = tokio::time::Instant::now() + Duration::from_secs(wait.unwrap_or(0).min(60));
    loop {
        let woken = wake.notified();
        if let Some(decision) = app.hub.decisions_of(&name).first() {
            return Ok(([(header::CONTENT_TYPE, "application/json")], decision.to_string()).into_response());
        }
        if tokio::time::timeout_at(until, woken).await.is_err() {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
}

/// The stream of a bot (WebSocket): the first message is {"type":"hello","bot":..,"token":..}; then every decision
/// comes as {"type":"decide",..} and is answered by {"type":"act","table":..,"number":..,"action":..}.
#[utoipa::path(get, path = "/api/v1/bots/stream",
    responses((status = 101, description = "a stream"), (status = "default", body = ApiError)))]
pub(crate) async fn stream(State(app): State<App>, upgrade: WebSocketUpgrade) -> Response {
    stream::open(upgrade, move |socket| stream::bot(app, socket))
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CompetitionList {
    competitions: Vec<CompetitionInfo>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OneCompetition {
    competition: CompetitionInfo,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCompetition {
    game: String,
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    rules: Rules,
    players: Vec<Contestant>,
    games: u64,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default)]
    clock: Clock,
}

fn one() -> u64 {
    1
}

/// All competitions.
#[utoipa::path(get, path = "/api/v1/competitions",
    responses((status = 200, body = CompetitionList), (status = "default", body = ApiError)))]
pub(crate) async fn competitions(State(app): State<App>) -> Json<CompetitionList> {
    Json(CompetitionList { competitions: app.hub.competitions() })
}

/// How one competition stands.
#[utoipa::path(get, path = "/api/v1/competitions/{id}", params(("id" = String, Path)),
    responses((status = 200, body = OneCompetition), (status = "default", body = ApiError)))]
pub(crate) async fn competition(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<OneCompetition>, ApiError> {
    Ok(Json(OneCompetition { competition: app.hub.competition(&id)? }))
}

/// Begins a competition: every deal is played in all seatings.
#[utoipa::path(post, path = "/api/v1/competitions", request_body = NewCompetition,
    responses((status = 200, body = OneCompetition), (status = "default", body = ApiError)))]
pub(crate) async fn compete(
    State(app): State<App>,
    Json(request): Json<NewCompetition>,
) -> Result<Json<OneCompetition>, ApiError> {
    let NewCompetition { game: name, rules, players, games, seed, clock } = request;
    let game = app.hub.game(&name, &rules)?;
    clock.check().map_err(|message| ApiError::bad("bad_clock", message))?;
    if !(1..=MOST_GAMES).contains(&games) || players.is_empty() || players.len() > game.info().players {
        let message =
            format!("a competition has 1 to {MOST_GAMES} games and at most as many players as there are seats");
        return Err(ApiError::bad("bad_competition", message));
    }
    for player in &players {
        match player {
            Contestant::Agent(agent) => drop(agents::agent(&*game, agent)?),
            Contestant::Bot(bot) if lock(&app.hub.bots).has(bot) => {}
            Contestant::Bot(_) => return Err(ApiError::bad("no_such_bot", "there is no bot of this name")),
        }
    }
    let competition = app.hub.compete(Plan { id: new_id(), game: name, rules, players, games, seed, clock })?;
    Ok(Json(OneCompetition { competition }))
}
