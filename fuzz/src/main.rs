//! Passes arbitrary bytes to the parsers of positions, turns, boards, certificates, the engine
//! protocol and HTTP requests, and to the readers of tables. None of them panics, hangs or
//! allocates much, and printing a parsed value and parsing it again gives the same value. Tables
//! are opened, checked and asked; checksums do not protect them here. The first byte of an input
//! selects the parser, unless `PHUTBASE_PARSER` names one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_engine::protocol;
use phutbase_files::container::FileKind;
use phutbase_files::container::read::Container;
use phutbase_rules::boards::Boards;
use phutbase_rules::obstruction::{Board, Sum, graph_file};
use phutbase_rules::oddish::Oddish;
use phutbase_rules::pitch::certificate::Certificate;
use phutbase_rules::pitch::{Pitch, Shape};
use phutbase_rules::position::{Phutball, Position};
use phutbase_rules::strip::{Strip, Turn};
use phutbase_server::app::{App, RequestLimits};
use phutbase_server::{Access, routes};
use phutbase_tables::nimbers::NimberTable;
use phutbase_tables::pitch::PitchTable;
use phutbase_tables::places::SearchPath;
use phutbase_tables::strip::StripTable;
use phutbase_verify::pitch::BlockBudget;
use std::fmt::{Debug, Display};
use std::path::Path;
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

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
});
static ROUTES: LazyLock<axum::Router> = LazyLock::new(|| {
    let app = App::new(SearchPath::all(), RequestLimits::default(), |_| {}).unwrap();
    routes(Arc::new(app), Access::Any)
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
            assert!(
                !answer.starts_with(b"HTTP/1.1 500"),
                "{}",
                String::from_utf8_lossy(&answer)
            );
        };
        let _ = tokio::join!(connection, talk);
    });
}

/// Checks a table, and asks it some positions.
fn read_table(bytes: &[u8]) {
    let Ok(container) = Container::from_bytes(bytes.to_vec(), Path::new("fuzzed.phut")) else {
        return;
    };
    match container.kind() {
        FileKind::Strip => {
            let Ok(table) = StripTable::new(container) else {
                return;
            };
            for length in [3, table.length()] {
                for stones in (0..1u64 << (length - 1).min(16)).step_by(37) {
                    let strip = Strip::from_pattern(length, 1, stones, Side::Left);
                    let _ = strip.map(|strip| table.verdict(&strip));
                }
            }
            if table.length() <= 32 {
                let _ = phutbase_verify::strip::check(&table, &Job::default());
            }
        }
        FileKind::Pitch => {
            let Ok(table) = PitchTable::new(container) else {
                return;
            };
            if table.shape().points() <= 12 {
                let budget = BlockBudget::new(1 << 24);
                let _ = phutbase_verify::pitch::check(&table, &budget, &Job::default());
            }
            let pitch = table.position(0).expect("every pitch has a position");
            let _ = (table.value(&pitch), table.rated_turns(&pitch));
        }
        FileKind::Nimbers => {
            let _ = NimberTable::of(&container);
        }
        FileKind::PitchCheckpoint | FileKind::StripCheckpoint => {}
    }
}

/// What a parser reads.
enum Parser {
    Text(fn(&str)),
    Bytes(fn(&[u8])),
}

use Parser::{Bytes, Text};

const PARSERS: [(&str, Parser); 10] = [
    (
        "strip",
        Text(|text| {
            reads::<Strip>(text);
            reads::<Turn>(text);
        }),
    ),
    (
        "pitch",
        Text(|text| {
            reads::<Pitch>(text);
            reads::<Shape>(text);
            let pitch: Option<Pitch> = "3/1o1/1@1/3 A".parse().ok();
            let _ = pitch.map(|pitch| pitch.parse_turn(text));
        }),
    ),
    (
        "obstruction",
        Text(|text| {
            reads::<Board>(text);
            reads::<Sum>(text);
            let _ = graph_file::parse(text);
        }),
    ),
    ("oddish", Text(reads::<Oddish>)),
    ("boards", Text(reads::<Boards>)),
    (
        "position",
        Text(|text| {
            reads::<Position>(text);
            reads::<Phutball>(text);
        }),
    ),
    (
        "certificate",
        Text(|text| {
            if let Ok(certificate) = Certificate::parse(text) {
                // Fails if there are too many jumps to write.
                let Ok(text) = certificate.to_text() else { return };
                let again = Certificate::parse(&text).expect("written certificates can be parsed");
                assert_eq!(again.to_text().ok(), Some(text));
            }
        }),
    ),
    (
        "ugi",
        Text(|text| {
            let _ = protocol::parse(text);
        }),
    ),
    ("http", Bytes(serve)),
    ("table", Bytes(read_table)),
];

static CHOSEN: LazyLock<Option<usize>> = LazyLock::new(|| {
    let name = std::env::var("PHUTBASE_PARSER").ok()?;
    Some(
        PARSERS
            .iter()
            .position(|(known, _)| *known == name)
            .expect("PHUTBASE_PARSER names a parser"),
    )
});

fuzz_target!(|data: &[u8]| {
    let (parser, bytes) = match (*CHOSEN, data) {
        (Some(chosen), bytes) => (chosen, bytes),
        (None, [first, bytes @ ..]) => (usize::from(*first) % PARSERS.len(), bytes),
        (None, []) => return,
    };
    match PARSERS[parser].1 {
        Text(read) => std::str::from_utf8(bytes).map_or((), read),
        Bytes(read) => read(bytes),
    }
});
