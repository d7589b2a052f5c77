//! Passes arbitrary bytes to every parser. No parser panics, hangs or allocates much, and printing
//! a parsed value and parsing it again gives the same value. The first byte of an input selects the
//! parser, unless `PHUTBASE_PARSER` names one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use phutbase::engine::protocol;
use phutbase::games::boards::Boards;
use phutbase::games::obstruction::{Board, Sum, graph_file};
use phutbase::games::oddish::Oddish;
use phutbase::games::pitch::certificate::Certificate;
use phutbase::games::pitch::{Pitch, Shape};
use phutbase::games::position::{Phutball, Position};
use phutbase::games::strip::{Strip, Turn};
use phutbase::table::places::SearchPath;
use phutbase::server::app::{App, Bounds};
use phutbase::server::routes;
use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::sync::{Arc, LazyLock};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;

fn reads<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().ok(), Some(value), "'{text}'"),
        Err(error) => assert!(!error.to_string().is_empty(), "'{text}'"),
    }
}

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap());
static ROUTES: LazyLock<axum::Router> = LazyLock::new(|| {
    routes(Arc::new(App::new(SearchPath::all(), Bounds::default(), |_| {}).unwrap()))
});

/// Serves a connection that sends these bytes and then closes its side.
fn serve(bytes: &[u8]) {
    RUNTIME.block_on(async {
        let (mut client, server) = tokio::io::duplex(1 << 16);
        let service = hyper_util::service::TowerToHyperService::new(ROUTES.clone());
        let connection = hyper::server::conn::http1::Builder::new()
            .max_buf_size(16 << 10)
            .serve_connection(hyper_util::rt::TokioIo::new(server), service);
        let talk = async {
            let _ = client.write_all(bytes).await;
            let _ = client.shutdown().await;
            let mut answer = Vec::new();
            let _ = client.read_to_end(&mut answer).await;
            assert!(!answer.starts_with(b"HTTP/1.1 500"), "{}", String::from_utf8_lossy(&answer));
        };
        let _ = tokio::join!(connection, talk);
    });
}

const PARSERS: [(&str, fn(&str)); 9] = [
    ("strip", |text| {
        reads::<Strip>(text);
        reads::<Turn>(text);
    }),
    ("pitch", |text| {
        reads::<Pitch>(text);
        reads::<Shape>(text);
        let pitch: Option<Pitch> = "3/1o1/1@1/3 A".parse().ok();
        let _ = pitch.map(|pitch| pitch.parse_turn(text));
    }),
    ("obstruction", |text| {
        reads::<Board>(text);
        reads::<Sum>(text);
        let _ = graph_file::parse(text);
    }),
    ("oddish", reads::<Oddish>),
    ("boards", reads::<Boards>),
    ("position", |text| {
        reads::<Position>(text);
        reads::<Phutball>(text);
    }),
    ("certificate", |text| {
        if let Ok(certificate) = Certificate::parse(text) {
            // Fails if there are too many jumps to write.
            let Ok(text) = certificate.to_text() else { return };
            let again = Certificate::parse(&text).expect("written certificates can be parsed");
            assert_eq!(again.to_text().ok(), Some(text));
        }
    }),
    ("ugi", |text| {
        let _ = protocol::parse(text);
    }),
    ("http", |text| serve(text.as_bytes())),
];

static CHOSEN: LazyLock<Option<usize>> = LazyLock::new(|| {
    let name = std::env::var("PHUTBASE_PARSER").ok()?;
    Some(PARSERS.iter().position(|&(known, _)| known == name).expect("PHUTBASE_PARSER names a parser"))
});

fuzz_target!(|data: &[u8]| {
    let (parser, bytes) = match (*CHOSEN, data) {
        (Some(chosen), bytes) => (chosen, bytes),
        (None, [first, bytes @ ..]) => (usize::from(*first) % PARSERS.len(), bytes),
        (None, []) => return,
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => PARSERS[parser].1(text),
        Err(_) if parser + 1 == PARSERS.len() => serve(bytes),
        Err(_) => {}
    }
});
