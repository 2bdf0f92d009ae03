//! Bots, which dial in, and competitions among them.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use meeple_core::Rules;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tables::{SEAT_TOKEN, check_name};
use super::{App, Client, Json, Path, Query, secret, stream};
use crate::agents;
use crate::clock::Clock;
use crate::competition::{CompetitionInfo, Contestant, Plan, new_id};
use crate::error::ApiError;
use crate::hub::{Hub, lock};

/// Seconds that a bot has for each decision of a competition without a clock.
const PATIENCE: f64 = 60.0;

/// The most games of a competition.
const MOST_GAMES: u64 = 100_000;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBot {
    name: String,
    /// Whether others may give it a seat; true by default. If not, only requests with its own token do.
    open: Option<bool>,
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
    Client(client): Client,
    Json(request): Json<NewBot>,
) -> Result<Json<Registered>, ApiError> {
    app.may_create(client)?;
    let name = check_name(&request.name)?;
    // In records agents stand by their texts: nobody is to be taken for one.
    if name.contains(':') || meeple_catalog::AGENTS.iter().any(|(agent, _)| name.eq_ignore_ascii_case(agent)) {
        return Err(ApiError::bad("bad_name", "a bot has no `:` in its name, and not the name of an agent"));
    }
    let token = app.hub.register_bot(&name, request.open.unwrap_or(true), client)?;
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
    app.hub.bot_came(&name);
    let until = tokio::time::Instant::now() + Duration::from_secs(wait.unwrap_or(0).min(60));
    loop {
        let woken = wake.notified();
        let first = app.hub.decisions_of(&name).next();
        if let Some(decision) = first {
            return Ok(([(header::CONTENT_TYPE, "application/json")], decision.to_string()).into_response());
        }
        if tokio::time::timeout_at(until, woken).await.is_err() {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
}

/// The stream of a bot (WebSocket): the first message is {"type":"hello","bot":..,"token":..}; then every seat that
/// it has or gets comes as {"type":"seated",..}, every decision comes as {"type":"decide",..} and is answered by {"type":"act","table":..,"number":..,"action":..}, or the game is
/// given up by {"type":"resign","table":..}.
#[utoipa::path(get, path = "/api/v1/bots/stream",
    responses((status = 101, description = "a stream"), (status = "default", body = ApiError)))]
pub(crate) async fn stream(
    State(app): State<App>,
    Client(client): Client,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    stream::open(app, client, upgrade, stream::bot)
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

/// Begins a competition of 2 to 12: every deal is played in all seatings, or each game has its own where there is
/// chance and a bot takes part. If there are more than seats, every choice of as many meets. A bot that others may not
/// seat takes part if its secret is in the header X-Seat-Token.
#[utoipa::path(post, path = "/api/v1/competitions", request_body = NewCompetition,
    params(("X-Seat-Token" = Option<String>, Header)),
    responses((status = 200, body = OneCompetition), (status = "default", body = ApiError)))]
pub(crate) async fn compete(
    State(app): State<App>,
    Client(client): Client,
    headers: HeaderMap,
    Json(request): Json<NewCompetition>,
) -> Result<Json<OneCompetition>, ApiError> {
    app.may_create(client)?;
    let token = secret(&headers, SEAT_TOKEN).to_string();
    let competition = app.look_up(move |hub| hub.compete(request.plan(hub, client, &token)?)).await?;
    Ok(Json(OneCompetition { competition }))
}

impl NewCompetition {
    fn plan(self, hub: &Hub, client: IpAddr, token: &str) -> Result<Plan, ApiError> {
        let NewCompetition { game: name, rules, players, games, seed, clock } = self;
        let (game, rules) = hub.game_at_table(&name, &rules)?;
        clock.check().map_err(|message| ApiError::bad("bad_clock", message))?;
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(ApiError::bad("bad_competition", format!("a competition has 1 to {MOST_GAMES} games")));
        }
        for player in &players {
            match player {
                Contestant::Agent(agent) => drop(agents::agent(&*game, agent)?),
                Contestant::Bot(bot) => lock(&hub.bots).may_be_seated(bot, token)?,
            }
        }
        // A bot that leaves must not hold up the others for ever.
        let has_bot = players.iter().any(|player| matches!(player, Contestant::Bot(_)));
        let clock = if has_bot && clock == (Clock::None {}) { Clock::Move { seconds: PATIENCE } } else { clock };
        let secret = getrandom::u64().map_err(ApiError::internal)?;
        Ok(Plan { id: new_id(), game: name, rules, players, games, seed, secret, clock, client: Some(client) })
    }
}
