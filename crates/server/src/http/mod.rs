//! The server's face: routes, and what every request has to pass.

mod bots;
mod docs;
mod extract;
mod games;
mod page;
mod results;
mod stream;
mod tables;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{get, post};
use utoipa::OpenApi;

use crate::error::ApiError;
use crate::hub::Hub;
use crate::limits::{Limits, Place, Places};
use crate::token::TokenHash;
use crate::workers::Purpose;
pub(crate) use extract::{Client, Json, Path, Query, secret};

/// The largest body of a request.
const BODY: usize = 1 << 20;

/// What all handlers share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hub: Arc<Hub>,
    token: Option<TokenHash>,
    requests: Arc<Limits<IpAddr>>,
    /// Thinking for clients who ask.
    analyses: Arc<Limits<IpAddr>>,
    /// Positions that clients describe.
    positions: Arc<Limits<IpAddr>>,
    /// Tables, bots and competitions that clients make.
    creations: Arc<Limits<IpAddr>>,
    /// Streams that are open.
    streams: Places,
    /// Questions that are thought about.
    questions: Places,
}

/// The description of the interface, made from the handlers.
#[derive(OpenApi)]
#[openapi(
    info(title = "Meeple", description = "Tables for people, agents and programs."),
    paths(
        games::games,
        games::positions,
        games::analysis,
        tables::list,
        tables::create,
        tables::one,
        tables::join,
        tables::act,
        tables::resign,
        tables::pause,
        tables::resume,
        tables::rematch,
        tables::record,
        tables::stream,
        bots::register,
        bots::list,
        bots::next,
        bots::stream,
        bots::competitions,
        bots::compete,
        bots::competition,
        results::records,
        results::record,
        results::runs,
        results::file,
    )
)]
struct Description;

pub(crate) fn description() -> utoipa::openapi::OpenApi {
    Description::openapi()
}

pub(crate) fn router(hub: Arc<Hub>) -> Router {
    let settings = &hub.settings;
    let app = App {
        token: settings.token.as_deref().map(TokenHash::of),
        requests: Arc::new(Limits::new(settings.requests, settings.requests * 5.0)),
        analyses: Arc::new(Limits::new(settings.requests / 25.0, settings.requests / 2.5)),
        positions: Arc::new(Limits::new(settings.requests / 4.0, settings.requests * 2.0)),
        creations: Arc::new(Limits::new(settings.requests / 10.0, settings.requests)),
        streams: Places::default(),
        questions: Places::default(),
        hub: hub.clone(),
    };
    let api = Router::new()
        .route("/games", get(games::games))
        .route("/positions", post(games::positions))
        .route("/analysis", post(games::analysis))
        .route("/tables", get(tables::list).post(tables::create))
        .route("/tables/{id}", get(tables::one))
        .route("/tables/{id}/seats/{seat}", post(tables::join))
        .route("/tables/{id}/act", post(tables::act))
        .route("/tables/{id}/resign", post(tables::resign))
        .route("/tables/{id}/pause", post(tables::pause))
        .route("/tables/{id}/resume", post(tables::resume))
        .route("/tables/{id}/rematch", post(tables::rematch))
        .route("/tables/{id}/record", get(tables::record))
        .route("/bots", get(bots::list).post(bots::register))
        .route("/bots/{name}/next", get(bots::next))
        .route("/competitions", get(bots::competitions).post(bots::compete))
        .route("/competitions/{id}", get(bots::competition))
        .route("/records", get(results::records))
        .route("/records/{id}", get(results::record))
        .route("/results", get(results::runs))
        .route("/results/{run}/{file}", get(results::file))
        .route_layer(middleware::from_fn_with_state(app.clone(), require_token))
        // Streams say who they are in their first message.
        .route("/tables/{id}/stream", get(tables::stream))
        .route("/bots/stream", get(bots::stream))
        .route("/openapi.json", get(page::openapi))
        .route("/docs", get(docs::docs))
        .fallback(async || ApiError::not_found("address"))
        .method_not_allowed_fallback(async || {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "bad_method", "this address does not know the method")
        });
    Router::new()
        .nest("/api/v1", api)
        .route("/", get(page::index))
        .route("/web/{*file}", get(page::file))
        .fallback(async || ApiError::not_found("address"))
        .layer(middleware::from_fn_with_state(app.clone(), pass))
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(app)
}

/// What every request has to pass: it is meant for this server, comes from its own pages or from no page
/// at all, and its sender has not asked too often.
async fn pass(
    State(app): State<App>,
    Client(client): Client,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !is_ours(&app, host) {
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", "this server has another name"));
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let origin = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).unwrap_or_default();
        if origin != host {
            return Err(ApiError::forbidden("wrong_origin", "pages of other servers have no access"));
        }
    }
    app.requests.take(client).map_err(|wait| ApiError::too_many("too many requests", whole(wait)))?;
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
    );
    Ok(response)
}

/// Whether a request was meant for this server: a page elsewhere may point its own name at this machine.
fn is_ours(app: &App, host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let settings = &app.hub.settings;
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let is_address = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback() || !settings.host.is_loopback());
    is_address || name == "localhost" || settings.names.iter().any(|known| known == name)
}

async fn require_token(
    State(app): State<App>,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if request.method() != Method::OPTIONS {
        let given = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        app.check_token(given)?;
    }
    Ok(next.run(request).await)
}

impl App {
    /// Whether a client may talk to this server at all.
    pub(crate) fn check_token(&self, given: Option<&str>) -> Result<(), ApiError> {
        match &self.token {
            Some(token) if !given.is_some_and(|given| token.matches(given)) => {
                Err(ApiError::new(StatusCode::UNAUTHORIZED, "token_required", "this server needs its token"))
            }
            _ => Ok(()),
        }
    }

    /// A place for one more stream of an address.
    pub(crate) fn stream_of(&self, client: IpAddr) -> Result<Place, ApiError> {
        let place = self.streams.take(client, self.hub.settings.streams);
        place.ok_or_else(|| ApiError::too_many("too many streams from this address", 60))
    }

    /// Whether a client may ask about one more position.
    pub(crate) fn may_describe(&self, client: IpAddr) -> Result<(), ApiError> {
        self.positions.take(client).map_err(|wait| ApiError::too_many("too many positions at once", whole(wait)))
    }

    /// Whether a client may make one more table, bot or competition.
    pub(crate) fn may_create(&self, client: IpAddr) -> Result<(), ApiError> {
        self.creations.take(client).map_err(|wait| ApiError::too_many("too many tables at once", whole(wait)))
    }

    /// Lets an agent think for a client, away from everybody else.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        client: IpAddr,
        work: impl FnOnce(&Hub) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.analyses.take(client).map_err(|wait| ApiError::too_many("too many questions at once", whole(wait)))?;
        let place = self.questions.take(client, self.hub.settings.questions);
        let place = place.ok_or_else(|| ApiError::too_many("this address has too many questions", 5))?;
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let hub = self.hub.clone();
        let job = Box::new(move || {
            let _place = place;
            // Nobody waits any more if the client has gone.
            if !sender.is_closed() {
                let _ = sender.send(work(&hub));
            }
        });
        if !self.hub.workers.add(Some(client), Purpose::Question, job) {
            return Err(ApiError::too_many("too many agents are thinking", 5));
        }
        match tokio::time::timeout(Duration::from_secs(120), receiver).await {
            Ok(Ok(answer)) => answer,
            _ => {
                Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_slow", "it took too long to think about this"))
            }
        }
    }

    /// Work with the database, away from everybody else.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Hub>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let hub = self.hub.clone();
        tokio::task::spawn_blocking(move || work(&hub)).await.map_err(ApiError::internal)?
    }
}

/// Seconds for a header: at least one.
fn whole(seconds: f64) -> u64 {
    seconds.ceil().max(1.0) as u64
}
