//! Connections: so many at a time, with a limit on how long their questions take to arrive, until the server is told to stop.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Connections at a time; further ones wait until one is closed.
pub const MAX_CONNECTIONS: usize = 1024;
/// How long a connection may be idle, and the head of a request take.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// The largest head of a request, and the memory of a connection for reading.
const HEAD_BYTES: usize = 64 << 10;
/// How long requests may take to be finished once the server was told to stop.
const GRACE: Duration = Duration::from_secs(20);
/// The pause after the system refused a connection, for want of file handles say.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers until `stop` is done, then accepts no more, and returns when the requests at work are answered.
pub async fn serve(listener: TcpListener, routes: Router, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES);
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let open = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accept = async {
            // The semaphore is never closed, so there is always a permit in the end.
            let permit = free.clone().acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accept => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Without it small answers wait for the client's acknowledgement.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that breaks off is no concern of the server's.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, open.shutdown()).await;
}
