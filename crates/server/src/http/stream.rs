//! Streams: messages both ways as long as a client stays.

use std::future::Future;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use super::App;
use super::tables::bot_acts;
use crate::bots::OUTBOX;
use crate::error::ApiError;
use crate::hub::lock;
use crate::limits::Bucket;

/// The largest message of a client.
const MESSAGE: usize = 16 << 10;

/// How long a client may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a silent client is asked whether it is there.
const PING: Duration = Duration::from_secs(30);

/// Messages that make no sense before the stream is closed.
const NONSENSE: u32 = 1000;

/// What clients say.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Said {
    Hello { token: Option<String>, server_token: Option<String>, bot: Option<String> },
    Act { number: usize, action: String, table: Option<String> },
    Resign,
    Pause,
    Resume,
}

pub(super) fn open<F: Future<Output = ()> + Send + 'static>(
    upgrade: WebSocketUpgrade,
    serve: impl FnOnce(WebSocket) -> F + Send + 'static,
) -> Response {
    upgrade.max_message_size(MESSAGE).max_frame_size(MESSAGE).on_upgrade(serve)
}

/// One client of a table.
pub(super) async fn table(app: App, id: String, mut socket: WebSocket) {
    let (outbox, inbox) = mpsc::channel(OUTBOX);
    let seat = match hello(&app, &mut socket).await {
        Ok(Hello { token: None, .. }) => None,
        Ok(Hello { token: Some(token), .. }) => {
            let seat = app.hub.seating(&id).ok().and_then(|seating| lock(&seating).table.seat_of(&token));
            if seat.is_none() {
                return refuse(
                    socket,
                    &ApiError::forbidden("no_seat", "this is not the secret of a seat at this table"),
                )
                .await;
            }
            seat
        }
        Err(error) => return refuse(socket, &error).await,
    };
    match app.hub.seating(&id) {
        Ok(seating) => app.hub.watch(&mut lock(&seating), seat, outbox),
        Err(error) => return refuse(socket, &error).await,
    }
    let act = |said: Said| {
        let seating = app.hub.seating(&id)?;
        let mut seating = lock(&seating);
        let Some(seat) = seat else {
            return Err(ApiError::forbidden("no_seat", "who looks on does not play"));
        };
        let event = match said {
            Said::Act { number, action, .. } => seating.table.act(seat, number, &action, 0, Instant::now())?,
            Said::Resign => seating.table.give_up(seat, false)?,
            Said::Pause => seating.table.pause()?,
            Said::Resume => seating.table.resume()?,
            Said::Hello { .. } => return Err(ApiError::bad("bad_message", "hello was said before")),
        };
        app.hub.happen(&mut seating, event)
    };
    converse(&app, socket, inbox, act).await;
}

/// One bot, for all its tables.
pub(super) async fn bot(app: App, mut socket: WebSocket) {
    let (outbox, inbox) = mpsc::channel(OUTBOX);
    let name = match hello(&app, &mut socket).await {
        Ok(Hello { token: Some(token), bot: Some(bot) }) if lock(&app.hub.bots).is(&bot, &token) => bot,
        Ok(_) => return refuse(socket, &ApiError::forbidden("no_bot", "this is not the secret of this bot")).await,
        Err(error) => return refuse(socket, &error).await,
    };
    lock(&app.hub.bots).listen(&name, outbox.clone());
    for decision in app.hub.decisions_of(&name) {
        let _ = outbox.try_send(decision);
    }
    drop(outbox);
    let act = |said: Said| match said {
        Said::Act { number, action, table: Some(table) } => bot_acts(&app, &name, &table, number, &action).map(drop),
        _ => Err(ApiError::bad("bad_message", "a bot says what it does at which table")),
    };
    converse(&app, socket, inbox, act).await;
}

struct Hello {
    token: Option<String>,
    bot: Option<String>,
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
    let _ = socket.send(Message::Text(as_text(error).into())).await;
    let _ = socket.send(Message::Close(Some(CloseFrame { code: close_code::POLICY, reason: error.code.into() }))).await;
}

fn as_text(error: &ApiError) -> String {
    let mut message = json!({"type": "error", "code": error.code, "message": error.message});
    if let Some(wait) = error.wait {
        message["wait"] = json!(wait);
    }
    message.to_string()
}

/// Passes messages on in both directions until one side ends. Who speaks too fast is not listened to for a
/// while.
async fn converse(
    app: &App,
    mut socket: WebSocket,
    mut inbox: mpsc::Receiver<std::sync::Arc<str>>,
    mut act: impl FnMut(Said) -> Result<(), ApiError>,
) {
    let rate = app.hub.settings.messages;
    let mut bucket = Bucket::new(rate, rate * 2.0, Instant::now());
    let mut nonsense = 0;
    let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
    loop {
        tokio::select! {
            message = inbox.recv() => {
                let Some(message) = message else { break };
                if socket.send(Message::Text((&*message).into())).await.is_err() {
                    return;
                }
            }
            received = socket.recv() => {
                let text = match received {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => "".into(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                let mut answer = match bucket.take(Instant::now()) {
                    Ok(()) => match serde_json::from_str(&text) {
                        Ok(said) => act(said),
                        Err(_) => Err(ApiError::bad("bad_message", "this is not a message of the interface")),
                    },
                    Err(wait) => {
                        let error = ApiError::too_many("too many messages", wait.ceil().max(1.0) as u64);
                        let _ = socket.send(Message::Text(as_text(&error).into())).await;
                        nonsense += 10;
                        tokio::time::sleep(Duration::from_secs_f64(wait.clamp(0.1, 5.0))).await;
                        Ok(())
                    }
                };
                if let Err(error) = &mut answer {
                    nonsense += u32::from(error.code == "bad_message");
                    if socket.send(Message::Text(as_text(error).into())).await.is_err() {
                        return;
                    }
                }
                if nonsense > NONSENSE {
                    return refuse(socket, &ApiError::bad("bad_message", "too many messages made no sense")).await;
                }
            }
            _ = ping.tick() => {
                if socket.send(Message::Ping(Default::default())).await.is_err() {
                    return;
                }
            }
        }
    }
    refuse(socket, &ApiError::conflict("let_go", "another stream took over, or messages were not read in time")).await;
}
