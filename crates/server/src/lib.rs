//! A game server: tables for people, agents and programs over the network, and a page to play on.
//!
//! [`Server::start`] opens it and returns when it listens; what it holds is in its data folder, so that a
//! server that is killed and started again goes on with every game. A seat is sent what its view shows
//! and nothing else: everything that leaves the server about a running game is made from
//! `AnyPosition::view`.

mod agents;
mod analysis;
mod archive;
mod bots;
mod clock;
mod competition;
mod error;
mod http;
mod hub;
mod journal;
mod limits;
mod settings;
mod table;
mod time;
mod token;
mod upkeep;
mod workers;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use hub::Hub;
pub use settings::Settings;

/// Serves until Ctrl-C or a request to end. `started` is told the address.
pub fn serve(settings: Settings, started: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::start(settings).await?;
        started(server.address());
        server.run(end()).await
    });
    // Whoever still thinks is not waited for.
    runtime.shutdown_background();
    served
}

/// Ctrl-C, or what a system sends to end a program.
async fn end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

/// A server that listens.
pub struct Server {
    hub: Arc<Hub>,
    listener: TcpListener,
    address: SocketAddr,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Brings back the games in the data folder and begins to listen. On anything but this machine a token
    /// is needed.
    pub async fn start(settings: Settings) -> io::Result<Server> {
        if !settings.host.is_loopback() && settings.token.is_none() {
            let message = "a server that others can reach needs a token";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if settings.token.as_ref().is_some_and(|token| token.trim().is_empty()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the token is empty"));
        }
        let listener = TcpListener::bind((settings.host, settings.port)).await?;
        let address = listener.local_addr()?;
        // The database may want a runtime of its own, which must not begin inside another.
        let hub = tokio::task::spawn_blocking(move || Hub::open(settings)).await.map_err(io::Error::other)??;
        Ok(Server { hub, listener, address })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` comes. Games stay in the data folder.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let service = http::router(self.hub.clone()).into_make_service_with_connect_info::<SocketAddr>();
        // A second small message does not wait until the first one is acknowledged, which may take 40 ms.
        let listener = self.listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let serving = axum::serve(listener, service);
        // Streams would go on for ever: they are cut off.
        tokio::select! {
            done = serving => done,
            () = end => Ok(()),
        }
    }
}
