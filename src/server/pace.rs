//! A connection whose client has to read: one that takes too little for a while is closed.

use super::held::Held;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::oneshot::Sender;
use tokio::time::{Instant, Sleep, sleep};

/// The time in which a client that is sent something must take some of it.
pub const WRITE_TIME: Duration = Duration::from_secs(10);
/// What it must take in that time, in bytes: a modem of the last century does.
const LEAST: usize = 16 << 10;

/// A stream that fails with [`io::ErrorKind::TimedOut`] when what is written to it is not taken.
pub struct Paced<S> {
    stream: S,
    /// What says how long it has made no progress.
    held: Arc<Held<Sender<()>>>,
    /// Runs while there is something that the stream does not take at once.
    limit: Option<Pin<Box<Sleep>>>,
    /// What was taken since the limit was set.
    taken: usize,
}

impl<S: AsyncWrite + Unpin> Paced<S> {
    /// A stream that is watched.
    pub fn new(stream: S, held: Arc<Held<Sender<()>>>) -> Paced<S> {
        Paced {
            stream,
            held,
            limit: None,
            taken: 0,
        }
    }

    /// What came of writing: how much was taken, or that nothing was for too long.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = written {
            self.held.progress(|_| ());
            self.taken += count;
            if self.taken >= LEAST {
                (self.limit, self.taken) = (None, 0);
            }
            return written;
        }
        if written.is_ready() {
            return written;
        }
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(WRITE_TIME)));
        ready!(limit.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (this, before) = (self.get_mut(), buffer.filled().len());
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            this.held.progress(|_| ());
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        // Many small helpings must not put the end off for ever.
        if let Some(limit) = &this.limit
            && limit.deadline() <= Instant::now()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.watch(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        if flushed.is_ready() {
            // Everything was taken: what comes next has its time.
            (this.limit, this.taken) = (None, 0);
        }
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
