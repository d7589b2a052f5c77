//! Batches whose bodies arrive slowly, and batches that wait for others.

use crate::prelude::*;
use crate::support::{get, post, server_with};
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use phutbase_server::app::RequestLimits;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::time::{Interval, interval};

/// The length that slow bodies state: two of them take all memory for bodies.
const STATED: u64 = 16 << 20;

/// A body that states its length, begins, and goes on by a byte at a time.
struct Trickle {
    beginning: Bytes,
    ticks: Interval,
}

impl HttpBody for Trickle {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if !self.beginning.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.beginning)))));
        }
        self.ticks
            .poll_tick(context)
            .map(|_| Some(Ok(Frame::data(Bytes::from_static(b"\n")))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(STATED)
    }
}

/// A client that states a large batch and sends little of it does not keep others from theirs.
#[tokio::test]
async fn bodies_that_trickle_do_not_keep_batches_out() {
    let tables = Tables::made("3");
    let limits = RequestLimits {
        body_time: Duration::from_secs(6),
        body_pause: Duration::from_millis(600),
        patience: Duration::from_secs(2),
        ..RequestLimits::default()
    };
    for beginning in [4, 9000, 100_000] {
        let server = server_with(tables.path(), limits.clone());
        let slow = (0..4).map(|_| {
            let body = Trickle {
                beginning: Bytes::from("\n".repeat(beginning)),
                ticks: interval(Duration::from_millis(300)),
            };
            let server = server.clone();
            tokio::spawn(async move {
                post(&server, "/api/batch", "text/plain", Body::new(body))
                    .await
                    .status
            })
        });
        let slow: Vec<_> = slow.collect();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let honest = post(&server, "/api/batch", "text/plain", ".@.\n".repeat(10_000)).await;
        assert_eq!(honest.status, 200, "{beginning}: {}", honest.text);
        for slow in slow {
            assert!([408, 429].contains(&slow.await.unwrap()), "{beginning}");
        }
    }
}

/// A batch whose answer has begun is answered to its end, however long others take.
#[tokio::test]
async fn answers_that_have_begun_are_completed() {
    let limits = RequestLimits {
        patience: Duration::from_secs(2),
        search_time: Duration::from_millis(400),
        ..RequestLimits::default()
    };
    let server = server_with("tables".as_ref(), limits);
    // Opening a table takes longer than the patience on a busy machine.
    get(&server, "/api/probe?position=.@.").await;
    let mut positions = vec![".@."; 400];
    positions.insert(128, "obstruction:9x9");
    positions.insert(256, "obstruction:9x9");
    let clients = (0..12).map(|_| {
        let (server, lines) = (server.clone(), positions.join("\n"));
        tokio::spawn(async move { post(&server, "/api/batch", "text/plain", lines).await })
    });
    let clients: Vec<_> = clients.collect();
    let mut lengths = Vec::new();
    for client in clients {
        let answer = client.await.unwrap();
        answer.has_status(200);
        lengths.push(answer.text.lines().count());
    }
    assert_eq!(lengths, [402; 12]);
}
