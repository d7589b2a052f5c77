//! Connections: a bounded number, with time limits for receiving questions and sending answers.
//!
//! `axum::serve` limits neither the time for a request's head nor the buffers of a connection, so
//! hyper is used directly. A connection takes about [`CONNECTION_BYTES`] each for reading and
//! writing, and twice [`SOCKET_BYTES`] in the system.

use super::hosts::with_host;
use axum::Router;
use axum::middleware::from_fn;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Bytes that a client must read in [`ConnectionLimits::read_time`].
const MIN_READ: usize = 64 << 10;
/// Maximum size of a request's head, and the buffer for reading; the one for writing is as large.
pub const CONNECTION_BYTES: usize = 16 << 10;
/// The system's send and receive buffers of a connection.
pub const SOCKET_BYTES: u32 = 64 << 10;
/// Time for pending requests once the server is stopped.
pub const GRACE: Duration = Duration::from_secs(10);
/// Connections queued by the system until they are accepted.
const BACKLOG: u32 = 1024;
/// Pause after the system refused a connection, for example without free file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Maximum number of connections; further ones wait in the system's queue.
    pub connections: usize,
    /// Time limit for an idle connection, and for the head of a request.
    pub head_time: Duration,
    /// Time in which a client must read 64 KiB.
    pub read_time: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            connections: 2048,
            head_time: Duration::from_secs(10),
            read_time: Duration::from_secs(10),
        }
    }
}

pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    socket.set_reuseaddr(true)?;
    // Connections inherit them. Small buffers fill soon, which exposes slow readers.
    socket.set_send_buffer_size(SOCKET_BYTES)?;
    socket.set_recv_buffer_size(SOCKET_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop` resolves, then finishes pending requests.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let routes = routes.layer(from_fn(with_host));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(CONNECTION_BYTES);
    let free = Arc::new(Semaphore::new(limits.connections));
    let open = GracefulShutdown::new();
    let accept = async || {
        let permit = free.clone().acquire_owned().await;
        (listener.accept().await, permit)
    };
    let mut stop = pin!(stop);
    loop {
        let (accepted, permit) = tokio::select! {
            accepted = accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        // Otherwise small answers wait for the client's acknowledgement.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        let stream = TokioIo::new(TimeoutStream {
            stream,
            time: limits.read_time,
            limit: None,
            accepted: 0,
        });
        let connection = open.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            // Clients may disconnect at any time: not an error.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = timeout(GRACE, open.shutdown()).await;
}

/// A stream that fails with [`io::ErrorKind::TimedOut`] if its client reads too slowly.
struct TimeoutStream<S> {
    stream: S,
    /// The time to accept [`MIN_READ`] bytes.
    time: Duration,
    /// Set from the first pending write until [`MIN_READ`] bytes or everything has been accepted.
    limit: Option<Pin<Box<Sleep>>>,
    /// Bytes accepted since the limit was set.
    accepted: usize,
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> TimeoutStream<S> {
    fn limited(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let is_over = |limit: &Pin<Box<Sleep>>| limit.deadline() <= Instant::now();
        // Many small writes must not postpone the limit.
        if self.limit.as_ref().is_some_and(is_over) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let written = write(Pin::new(&mut self.stream), context);
        if let Poll::Ready(Ok(count)) = written {
            self.accepted += count;
            if self.accepted >= MIN_READ {
                (self.limit, self.accepted) = (None, 0);
            }
        }
        if written.is_ready() {
            return written;
        }
        let time = self.time;
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(time)));
        ready!(limit.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let write = |stream: Pin<&mut S>, context: &mut Context<'_>| stream.poll_write(context, bytes);
        self.get_mut().limited(context, write)
    }

    // Otherwise hyper copies whole bodies into its buffer.
    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write =
            |stream: Pin<&mut S>, context: &mut Context<'_>| stream.poll_write_vectored(context, parts);
        self.get_mut().limited(context, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        if flushed.is_ready() {
            // Everything has been accepted.
            (this.limit, this.accepted) = (None, 0);
        }
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
