//! Connections: so many at a time, with limits on how long their questions take to arrive and their answers to be taken, until the
//! server is told to stop.
//!
//! A connection has about [`CONNECTION_BYTES`] of memory here and twice [`SOCKET_BYTES`] in the system; answers that are longer are
//! sent piece by piece, and bounded by the places of their lane.

use super::held::Holders;
use super::pace::Paced;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Semaphore, oneshot};

/// Connections at a time; for a further one that is closed which has made no progress for the longest time.
pub const MAX_CONNECTIONS: usize = 2048;
/// How long a connection may be idle, and the head of a request take.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The largest head of a request, and the memory of a connection for reading; as much is kept for writing.
pub const CONNECTION_BYTES: usize = 16 << 10;
/// What the system keeps of a connection that was not sent yet, and of one that was not read.
pub const SOCKET_BYTES: u32 = 64 << 10;
/// How long requests may take to be finished once the server was told to stop.
pub const GRACE: Duration = Duration::from_secs(10);
/// Connections that the system keeps until they are accepted.
const BACKLOG: u32 = 1024;
/// The pause after the system refused a connection, for want of file handles say.
const PAUSE: Duration = Duration::from_millis(100);

/// Listens on an address.
///
/// # Errors
/// What the system says.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    socket.set_reuseaddr(true)?;
    // Connections take them over. They bound what slow readers keep, and show soon that nobody reads.
    socket.set_send_buffer_size(SOCKET_BYTES)?;
    socket.set_recv_buffer_size(SOCKET_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers until `stop` is done, then accepts no more, and returns when the requests at work are answered.
pub async fn serve(listener: TcpListener, routes: Router, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(CONNECTION_BYTES);
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let open = GracefulShutdown::new();
    let holders = Holders::default();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            holders.displace(Duration::ZERO);
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        if free.available_permits() == 0 {
            holders.displace(Duration::ZERO);
        }
        // The semaphore is never closed, and whoever is displaced gives his permit back at once.
        let permit = free.clone().acquire_owned().await;
        // Without it small answers wait for the client's acknowledgement.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        // Dropping the sender closes the connection.
        let (keep, displaced) = oneshot::channel::<()>();
        let stream = Paced::new(stream, holders.hold(keep));
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that breaks off is no concern of the server's.
            tokio::select! {
                _ = connection => {}
                _ = displaced => {}
            }
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, open.shutdown()).await;
}
