//! Streams: messages both ways as long as a client stays.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use meeple_core::Player;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::App;
use super::tables::{bot_acts, bot_resigns, no_seat};
use crate::bots::OUTBOX;
use crate::error::ApiError;
use crate::hub::lock;
use crate::limits::Bucket;

/// The largest message of a client.
const MESSAGE: usize = 16 << 10;

/// How long a client may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// Messages that make no sense before the stream is closed.
const NONSENSE: u32 = 1000;

/// What clients say.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Said {
    Hello {
        token: Option<String>,
        server_token: Option<String>,
        bot: Option<String>,
    },
    Act {
        number: usize,
        action: String,
        table: Option<String>,
    },
    /// A bot says where.
    Resign {
        table: Option<String>,
    },
    Pause {},
    Resume {},
}

impl Said {
    /// The table and the number of a bot's decision.
    fn decision(&self) -> Option<(String, usize)> {
        match self {
            Said::Act { number, table: Some(table), .. } => Some((table.clone(), *number)),
            _ => None,
        }
    }
}

pub(super) fn open<F: Future<Output = ()> + Send + 'static>(
    app: App,
    client: IpAddr,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    serve: impl FnOnce(App, WebSocket) -> F + Send + 'static,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|_| ApiError::bad("no_stream", "this address is a stream (WebSocket)"))?;
    let place = app.stream_of(client)?;
    Ok(upgrade.max_message_size(MESSAGE).max_frame_size(MESSAGE).on_upgrade(async move |socket| {
        serve(app, socket).await;
        drop(place);
    }))
}

/// What is on its way to a client.
enum Inbox {
    /// Only the newest counts.
    Newest(watch::Receiver<Arc<str>>),
    All(mpsc::Receiver<Arc<str>>),
}

impl Inbox {
    /// `None` when there will be no more.
    async fn next(&mut self) -> Option<Arc<str>> {
        match self {
            Inbox::Newest(receiver) => {
                receiver.changed().await.ok()?;
                Some(receiver.borrow_and_update().clone())
            }
            Inbox::All(receiver) => receiver.recv().await,
        }
    }
}

/// One client of a table.
pub(super) async fn table(app: App, id: String, mut socket: WebSocket) {
    let said = hello(&app, &mut socket).await;
    let seat = match said.and_then(|hello| hello.seat(&app, &id)) {
        Ok(seat) => seat,
        Err(error) => return refuse(socket, &error).await,
    };
    let mut states = match app.hub.seating(&id) {
        Ok(seating) => app.hub.watch(&mut lock(&seating), seat),
        Err(error) => return refuse(socket, &error).await,
    };
    // The first state is there already.
    states.mark_changed();
    let act = |said: Said| {
        let seating = app.hub.seating(&id)?;
        let mut seating = lock(&seating);
        let Some(seat) = seat else {
            return Err(ApiError::forbidden("no_seat", "who looks on does not play"));
        };
        let now = Instant::now();
        let event = match said {
            Said::Act { number, action, .. } => seating.table.act(seat, number, &action, 0, now)?,
            Said::Resign { .. } => seating.table.give_up(seat, false)?,
            Said::Pause {} => seating.table.pause(now)?,
            Said::Resume {} => seating.table.resume()?,
            Said::Hello { .. } => return Err(ApiError::bad("bad_message", "hello was said before")),
        };
        app.hub.happen(&mut seating, event)
    };
    converse(&app, socket, Inbox::Newest(states), act).await;
}

/// One bot, for all its tables.
pub(super) async fn bot(app: App, mut socket: WebSocket) {
    let (outbox, inbox) = mpsc::channel(OUTBOX);
    let name = match hello(&app, &mut socket).await {
        Ok(Hello { token: Some(token), bot: Some(bot) }) if lock(&app.hub.bots).is(&bot, &token) => bot,
        Ok(_) => return refuse(socket, &ApiError::forbidden("no_bot", "this is not the secret of this bot")).await,
        Err(error) => return refuse(socket, &error).await,
    };
    app.hub.bot_came(&name);
    let tables = lock(&app.hub.bots).listen(&name, outbox.clone());
    let (hub, bot) = (app.hub.clone(), name.clone());
    tokio::spawn(async move {
        for table in tables {
            if hub.catch_up(&bot, &table, &outbox).await.is_err() {
                return;
            }
        }
    });
    let act = |said: Said| match said {
        Said::Act { number, action, table: Some(table) } => bot_acts(&app, &name, &table, number, &action).map(drop),
        Said::Resign { table: Some(table) } => bot_resigns(&app, &name, &table).map(drop),
        _ => Err(ApiError::bad("bad_message", "a bot says what it does at which table")),
    };
    converse(&app, socket, Inbox::All(inbox), act).await;
}

struct Hello {
    token: Option<String>,
    bot: Option<String>,
}

impl Hello {
    /// The seat at a table of who says this; none for one who looks on.
    fn seat(self, app: &App, table: &str) -> Result<Option<Player>, ApiError> {
        let seating = app.hub.seating(table)?;
        let table = &lock(&seating).table;
        let seat = match (&self.token, &self.bot) {
            (None, None) => return Ok(None),
            (Some(token), None) => table.seat_of(token),
            (Some(token), Some(bot)) if lock(&app.hub.bots).is(bot, token) => table.first_seat_of_bot(bot),
            _ => None,
        };
        seat.map(Some).ok_or_else(no_seat)
    }
}

/// Who a client is.
async fn hello(app: &App, socket: &mut WebSocket) -> Result<Hello, ApiError> {
    let late = || ApiError::bad("no_hello", "the first message says hello");
    let Ok(Some(Ok(Message::Text(text)))) = tokio::time::timeout(PATIENCE, socket.recv()).await else {
        return Err(late());
    };
    match serde_json::from_str(&text) {
        Ok(Said::Hello { token, server_token, bot }) => {
            app.check_token(server_token.as_deref())?;
            Ok(Hello { token, bot })
        }
        _ => Err(late()),
    }
}

async fn refuse(mut socket: WebSocket, error: &ApiError) {
    if send_text(&mut socket, &as_text(error)).await {
        let frame = CloseFrame { code: close_code::POLICY, reason: error.code.into() };
        send(&mut socket, Message::Close(Some(frame))).await;
    }
}

fn as_text(error: &ApiError) -> String {
    as_json(error).to_string()
}

fn as_json(error: &ApiError) -> Value {
    let mut message = json!({"type": "error", "code": error.code, "message": error.message});
    if let Some(wait) = error.wait {
        message["wait"] = json!(wait);
    }
    message
}

/// Sends a message; false if the client does not take it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(PATIENCE, socket.send(message)).await, Ok(Ok(())))
}

async fn send_text(socket: &mut WebSocket, text: &str) -> bool {
    send(socket, Message::Text(text.into())).await
}

/// Passes messages on in both directions until one side ends. Who speaks too fast has to wait until each
/// message is heard.
async fn converse(
    app: &App,
    mut socket: WebSocket,
    mut inbox: Inbox,
    mut act: impl FnMut(Said) -> Result<(), ApiError>,
) {
    let rate = app.hub.settings.messages;
    let mut bucket = Bucket::new(rate, rate * 2.0, Instant::now());
    let mut nonsense = 0;
    let every = app.hub.settings.ping;
    let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
    let mut unanswered = 0;
    loop {
        tokio::select! {
            message = inbox.next() => {
                let Some(message) = message else { break };
                if !send_text(&mut socket, &message).await {
                    return;
                }
            }
            received = socket.recv() => {
                unanswered = 0;
                let text = match received {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => "".into(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                while let Err(wait) = bucket.take(Instant::now()) {
                    let error = ApiError::too_many("too many messages", wait.ceil().max(1.0) as u64);
                    if !send_text(&mut socket, &as_text(&error)).await {
                        return;
                    }
                    tokio::time::sleep(Duration::from_secs_f64(wait.clamp(0.01, 5.0))).await;
                }
                let said: Result<Said, _> = serde_json::from_str(&text);
                let meant = said.as_ref().ok().and_then(Said::decision);
                let answer = said.map_or_else(|_| Err(ApiError::bad("bad_message", "this is not a message of the interface")), &mut act);
                if let Err(error) = answer {
                    nonsense += u32::from(error.code == "bad_message");
                    if !send_text(&mut socket, &about(&error, meant)).await {
                        return;
                    }
                }
                if nonsense > NONSENSE {
                    return refuse(socket, &ApiError::bad("bad_message", "too many messages made no sense")).await;
                }
            }
            _ = ping.tick() => {
                // The connection is cut: who does not answer would not hear why.
                if unanswered == 2 || !send(&mut socket, Message::Ping(Default::default())).await {
                    return;
                }
                unanswered += 1;
            }
        }
    }
    refuse(socket, &ApiError::conflict("let_go", "the table is closed, or another stream took over")).await;
}

/// An error, and which decision of a bot it is about.
fn about(error: &ApiError, decision: Option<(String, usize)>) -> String {
    let mut message = as_json(error);
    if let Some((table, number)) = decision {
        message["table"] = json!(table);
        message["number"] = json!(number);
    }
    message.to_string()
}
