//! Listening, and ending gracefully: when asked to stop, the server takes no new connections, answers what it has begun, and closes.

use crate::app::App;
use crate::lab::Lab;
use crate::lanes::Rules;
use crate::vault::{Trouble, Vault};
use kachi::registry::Registry;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// What requests may cost.
    pub rules: Rules,
    /// The folder of games with hidden cards and of the laboratory.
    pub data: Option<PathBuf>,
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The address is taken or forbidden.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The folder of games.
    #[error(transparent)]
    Data(#[from] Trouble),
    /// The system gives no threads or sockets.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
}

/// Open connections get this long to end after the server was asked to.
const GRACE: Duration = Duration::from_secs(10);

impl Server {
    /// Opens the file of games and listens.
    ///
    /// # Errors
    /// When the address or the folder cannot be had.
    pub async fn new(registry: Registry<'static>, settings: &Settings) -> Result<Server, Refused> {
        let vault = settings.data.as_deref().map(Vault::open).transpose()?;
        let listen = settings.listen;
        let listener = TcpListener::bind(listen).await.map_err(|error| Refused::Listen(listen, error))?;
        let local_only = listen.ip().is_loopback();
        let lab = Lab::of(settings.data.as_deref());
        Ok(Server { listener, app: Arc::new(App::new(registry, settings.rules, vault, lab, local_only)) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the socket is gone.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is over, and then until all answers are sent, but not for ever.
    ///
    /// # Errors
    /// When listening fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let closing = self.app.closing.clone();
        let router = crate::router(self.app).into_make_service_with_connect_info::<SocketAddr>();
        let (asked, was_asked) = oneshot::channel();
        let gracefully = axum::serve(self.listener, router).with_graceful_shutdown(async move {
            stop.await;
            closing.send_replace(true);
            // Nobody listens any more when the server has ended by itself.
            let _ = asked.send(());
        });
        let too_long = async move {
            let _ = was_asked.await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            ended = async { gracefully.await } => ended,
            () = too_long => Ok(()),
        }
    }
}

/// Starts the threads, calls `ready` with the address, and serves until Ctrl-C or a polite kill.
///
/// # Errors
/// When the server cannot start, or listening fails.
pub fn serve(
    registry: Registry<'static>,
    settings: &Settings,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), Refused> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let server = Server::new(registry, settings).await?;
        ready(server.address()?)?;
        server.run(asked_to_stop()).await?;
        Ok(())
    });
    // Searches whose clients are gone end by themselves in a moment; nobody waits for them.
    runtime.shutdown_timeout(Duration::from_millis(500));
    ended
}

/// Ctrl-C, or SIGTERM.
async fn asked_to_stop() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}
