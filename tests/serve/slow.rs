//! Clients that read or write slowly or not at all, or request long answers: they take little
//! memory, and other clients are answered.

use crate::prelude::*;
use crate::support::{Connection, Server, get, post, server, server_with};
use axum::body::{Body, Bytes, HttpBody};
use futures_util::{StreamExt, stream};
use hyper::body::{Frame, SizeHint};
use phutbase_server::app::RequestLimits;
use phutbase_server::listen;
use phutbase_server::listen::ConnectionLimits;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Poll};

/// The head of a batch whose body does not arrive.
const HALF_BODY: &str = "POST /api/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 16000000\r\n\r\n.@.\n";
const MOST_MEBIBYTES: usize = 200;

fn page_request(times: usize) -> String {
    "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(times)
}

fn batch_head(bytes: usize) -> String {
    format!(
        "POST /api/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: {bytes}\r\n\r\n"
    )
}

/// A batch with a long answer.
fn batch_request(positions: usize) -> String {
    let body = "o@o.o.o....\n".repeat(positions);
    batch_head(body.len()) + &body
}

/// Queries the server for `time`; returns the longest latency and the peak memory.
#[cfg(target_os = "linux")]
fn honest(server: &Server, time: Duration) -> (Duration, usize) {
    let (mut longest, mut most) = (Duration::ZERO, 0);
    let begun = Instant::now();
    while begun.elapsed() < time {
        let probe = "GET /api/probe?position=o@o.o.o.... HTTP/1.1\r\nhost: localhost\r\n\r\n".to_string();
        for question in [probe, batch_request(1)] {
            let asked = Instant::now();
            let answer =
                server.ask(&question.replacen("host: localhost", "host: localhost\r\nconnection: close", 1));
            assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
            longest = longest.max(asked.elapsed());
        }
        most = most.max(server.resident_mebibytes());
        std::thread::sleep(Duration::from_millis(200));
    }
    (longest, most)
}

/// Runs `clients` that do not read, as many with unfinished requests, and some with batches; other
/// clients are answered.
#[cfg(target_os = "linux")]
fn beset(clients: usize, time: Duration) -> Duration {
    open_files(2 * clients + 500);
    let tables = Tables::made("11");
    let server = Server::start(&tables);
    let mut slow: Vec<Connection> = Vec::new();
    for number in 0..clients {
        slow.push(server.connect(&page_request(200)));
        slow.push(server.connect(["GET /healthz HTTP/1.1\r\nho", HALF_BODY][number % 2]));
    }
    for _ in 0..24 {
        slow.extend(server.try_connect(&batch_request(100_000)));
    }
    let (longest, most) = honest(&server, time);
    println!("{clients} slow readers and writers each: {longest:?}, {most} MiB");
    assert!(most < MOST_MEBIBYTES, "{most} MiB");
    let open = slow
        .iter_mut()
        .filter_map(Connection::is_open)
        .filter(|open| *open)
        .count();
    assert!(
        time < Duration::from_secs(40) || open == 0,
        "{open} are still open"
    );
    longest
}

/// Raises the limit of open files of this process.
#[cfg(target_os = "linux")]
fn open_files(count: usize) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.current.map(|current| current.max(count as u64));
    setrlimit(Resource::Nofile, limit).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn slow_clients_take_little_memory_and_delay_no_others() {
    beset(300, Duration::from_secs(2));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "a thousand slow readers and a thousand slow writers for a minute"]
fn a_thousand_slow_clients_take_little_memory_and_delay_no_others() {
    let longest = beset(1000, Duration::from_secs(60));
    assert!(longest < Duration::from_secs(1), "{longest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_give_up_their_connections() {
    let tables = Tables::made("3");
    let limits = ConnectionLimits {
        connections: 1,
        head_time: Duration::from_millis(200),
        read_time: Duration::from_millis(200),
    };
    let listener = listen::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    let served = listen::serve(listener, server(tables.path()), limits, std::future::pending());
    tokio::spawn(served);
    for slow in [&page_request(200), "GET /healthz HTTP/1.1\r\nho", ""] {
        let _slow = Connection::to(address, slow);
        assert_eq!(Connection::to(address, "").request("/healthz"), 200);
    }
}

#[tokio::test]
async fn bodies_that_do_not_arrive_give_up_their_memory() {
    let tables = Tables::made("3");
    let limits = RequestLimits {
        body_pause: Duration::from_millis(200),
        ..RequestLimits::default()
    };
    let server = server_with(tables.path(), limits);
    // More slow batches than the server accepts at a time.
    let slow = (0..6).map(|_| {
        let server = server.clone();
        let arrived = stream::iter([Ok::<_, Infallible>(".@.\n".repeat(3_900_000))]);
        let body = Body::from_stream(arrived.chain(stream::pending()));
        tokio::spawn(async move { post(&server, "/api/batch", "text/plain", body).await })
    });
    let slow: Vec<_> = slow.collect();
    for positions in [1000, 100_000] {
        let honest = post(&server, "/api/batch", "text/plain", ".@.\n".repeat(positions)).await;
        assert_eq!(honest.status, 200);
    }
    let mut late = 0;
    for slow in slow {
        let slow = slow.await.unwrap();
        // Some find no memory.
        late += usize::from(slow.status == 408);
        assert!([408, 429].contains(&slow.status), "{}", slow.text);
    }
    assert!(late > 0);
}

/// A body of known length that arrives in parts, while other bodies arrive too.
struct InParts {
    rest: Bytes,
    /// True if the next poll lets another body arrive.
    waits: bool,
}

impl HttpBody for InParts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.waits = !self.waits;
        if !self.waits {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let length = self.rest.len().min(1 << 18);
        let part = self.rest.split_to(length);
        Poll::Ready((!part.is_empty()).then(|| Ok(Frame::data(part))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

/// Batches that state their length get their memory before they are read: those that must wait too
/// long are told so, and do not keep the others from being answered.
#[tokio::test]
async fn large_batches_at_once_do_not_block_each_other() {
    let server = server("tables".as_ref());
    let positions = format!("{}\n", ".".repeat(62) + "@" + &".".repeat(65)).repeat(100_000);
    let positions = Bytes::from(positions);
    let batches: Vec<_> = (0..6)
        .map(|_| {
            let (server, rest) = (server.clone(), positions.clone());
            let body = Body::new(InParts { rest, waits: true });
            tokio::spawn(async move { post(&server, "/api/batch", "text/plain", body).await.status })
        })
        .collect();
    let mut answered = 0;
    for batch in batches {
        let status = batch.await.unwrap();
        answered += usize::from(status == 200);
        assert!([200, 429].contains(&status), "{status}");
    }
    assert!(answered >= 2, "{answered} batches are answered");
}

/// Boards with long answers: 127 isolated vertices are 127 components.
#[cfg(target_os = "linux")]
fn points(boards: usize) -> String {
    format!("obstruction:{}", vec!["graph:127"; boards].join("+"))
}

/// The answer to such a batch has 270 MB.
#[cfg(target_os = "linux")]
#[test]
fn long_batches_are_answered_as_they_are_read() {
    let tables = Tables::made("3");
    let server = Server::start(&tables);
    let lines = format!("{}\n", points(14)).repeat(4000);
    let mut client = server.connect(&batch_head(lines.len()));
    client.sends(&lines);
    client.reads("HTTP/1.1 200 OK\r\n");
    assert!(
        server.resident_mebibytes() < 100,
        "{} MiB",
        server.resident_mebibytes()
    );
}

#[cfg(target_os = "linux")]
#[test]
fn unread_long_answers_are_few() {
    let tables = Tables::made("3");
    let server = Server::start(&tables);
    let question = |boards| {
        let position = points(boards).replace('+', "%2B");
        format!("GET /api/probe?nimbers=true&position={position} HTTP/1.1\r\nhost: localhost\r\n\r\n")
    };
    // 31 MB exceed the limit of one answer; 100 answers of 640 kB exceed that of all together.
    let before = server.resident_mebibytes();
    server.connect(&question(7)).reads("HTTP/1.1 422 ");
    let mut readers: Vec<Connection> = (0..100).map(|_| server.connect(&question(1))).collect();
    readers.iter_mut().for_each(|reader| reader.reads("HTTP/1.1 "));
    let most = server.resident_mebibytes();
    assert!(most < before + 120, "{before} MiB before, {most} MiB after");
    assert_eq!(server.connect("").request("/api/probe?position=.@."), 200);
}

#[cfg(target_os = "linux")]
#[test]
fn unread_tables_take_little_memory() {
    let tables = Tables::embedded();
    let server = Server::start(&tables);
    let before = server.resident_mebibytes();
    let question = "GET /tables/strip-36-dtw.phut HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut readers: Vec<Connection> = (0..100).map(|_| server.connect(question)).collect();
    readers
        .iter_mut()
        .for_each(|reader| reader.reads("HTTP/1.1 200 OK\r\n"));
    let after = server.resident_mebibytes();
    assert!(after < before + 30, "{before} MiB before, {after} MiB after");
}

/// Bytes in chunks of one byte: few enough for the time of a body on a machine that is 20 times slower.
#[cfg(target_os = "linux")]
#[test]
fn a_body_in_small_chunks_takes_little_memory() {
    let tables = Tables::made("3");
    let server = Server::start(&tables);
    let before = server.resident_mebibytes();
    let head = batch_head(0).replace("content-length: 0", "transfer-encoding: chunked");
    let mut client = server.connect(&head);
    client.sends(&"1\r\n \r\n".repeat(30_000));
    client.sends("0\r\n\r\n");
    client.reads("HTTP/1.1 200 OK\r\n");
    let after = server.peak_mebibytes();
    assert!(after < before + 4, "{before} MiB before, {after} MiB after");
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_has_the_threads_that_it_is_given() {
    let tables = Tables::made("3");
    let server = Server::start_with(&tables, "--threads 1");
    assert_eq!(server.connect("").request("/healthz"), 200);
    // Threads name themselves.
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(server.workers(), 1);
}

#[test]
fn a_signal_ends_the_server_despite_slow_clients() {
    let tables = Tables::made("11");
    let mut server = Server::start(&tables);
    let _deaf: Vec<Connection> = (0..20).map(|_| server.connect(&page_request(200))).collect();
    let _batches: Vec<Connection> = (0..6).map(|_| server.connect(&batch_request(100_000))).collect();
    let _half = server.connect(&batch_head(9));
    server.terminate();
    server.ended_well();
}

#[tokio::test]
async fn errors_are_short_and_name_no_directory() {
    let tables = Tables::made("9");
    flip_byte(&tables.dtw(9), 300);
    let server = server(tables.path());
    let directory = tables.path().display().to_string();
    let long = "x".repeat(4 << 20);
    for body in [
        format!("{{\"positions\": \"{long}\"}}"),
        format!("{{\"{long}\": []}}"),
        format!("{{\"positions\": [\"{long}\", \"chess:{long}\"]}}"),
        format!("{{\"positions\": [{{\"{long}\": 1}}]}}"),
    ] {
        let answer = post(&server, "/api/batch", "application/json", body).await;
        assert!(answer.text.len() < 2000, "{} bytes", answer.text.len());
    }
    let lines = format!("{long}\n\u{fe}{long}\n.@{}\n", ".".repeat(20));
    let mut answers = vec![post(&server, "/api/batch", "text/plain", lines).await];
    for path in [
        "/api/probe?position=.@.......",
        "/api/probe?position=3/1@1/3",
        "/api/stats?boards=9",
    ] {
        answers.push(get(&server, path).await);
    }
    for text in answers.into_iter().map(|answer| answer.text) {
        assert!(text.len() < 4000 && !text.contains(&directory), "{text}");
    }
}

/// Sends `requests` over eight connections, one in ten malformed. Afterwards the server is healthy,
/// has not grown, and shuts down cleanly.
#[cfg(target_os = "linux")]
fn soak(requests: usize) {
    let tables = Tables::made("11");
    let mut server = Server::start(&tables);
    const BAD: [(&str, u16); 6] = [
        ("/api/probe?position=%FF%00", 400),
        ("/api/probe", 400),
        ("/nowhere", 404),
        ("/api/probe?position=3/18446744073709551615o3/1@1/3", 400),
        ("/api/batch", 405),
        ("/api/probe?position=.@.&side=up&line=maybe", 400),
    ];
    let one_client = |seed: u64, requests: usize| {
        let mut client = server.connect("");
        let numbers = random_numbers(seed).take(requests);
        for number in numbers {
            let (path, status) = match number % 10 {
                0 => BAD[(number / 10) as usize % BAD.len()],
                _ => ("/api/probe?position=o@o.o.o....", 200),
            };
            let answered = client.request(path);
            assert_eq!(answered, status, "{path}");
        }
    };
    one_client(0, 1_000);
    let before = server.resident_mebibytes();
    std::thread::scope(|scope| {
        for seed in 1..=8 {
            scope.spawn(move || one_client(seed, requests / 8));
        }
    });
    let after = server.resident_mebibytes();
    println!("{requests} requests: {before} MiB before, {after} MiB after");
    assert!(after <= before + 16, "{before} MiB before, {after} MiB after");
    assert_eq!(server.connect("").request("/healthz"), 200);
    server.terminate();
    server.ended_well();
}

#[cfg(target_os = "linux")]
#[test]
fn many_requests_and_bad_ones_among_them_do_no_harm() {
    soak(4_000);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "a million requests: some minutes"]
fn a_million_requests_with_malformed_ones_do_no_harm() {
    soak(1_000_000);
}

/// Returns a question about strips of 3 to 144 squares: a probe, a line, counts, or an example.
#[cfg(target_os = "linux")]
fn question(number: u64) -> String {
    let mut bits = number;
    let mut below = |end: usize| {
        let part = bits % end as u64;
        bits /= end as u64;
        part as usize
    };
    let (kind, length) = (below(4), 3 + below(142));
    let ball = 1 + below(length - 2);
    // Three in eight squares have a stone.
    let stones = random_numbers(number).map(|random| random % 8 < 3);
    let board: String = (0..length)
        .zip(stones)
        .map(|(square, stone)| match stone {
            _ if square == ball => '@',
            true => 'o',
            false => '.',
        })
        .collect();
    match kind {
        0 => format!("probe?position={board}"),
        1 => format!("probe?position={board}&line=true"),
        2 => format!("stats?boards={length}"),
        _ => format!("example?boards={}&depth={}", length.min(36), 1 + ball % 9),
    }
}

/// Asks questions by many clients at once; returns the peak memory of a server with all shipped
/// tables, in MiB, which it prints every ten seconds.
#[cfg(target_os = "linux")]
fn mixed(clients: u64, time: Duration) -> usize {
    open_files(clients as usize + 500);
    let names = std::fs::read_dir("tables").unwrap();
    let names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tables = Tables::shipped(&names);
    let server = Server::start(&tables);
    let begun = Instant::now();
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for client in 0..clients {
            let (server, answered) = (&server, &answered);
            scope.spawn(move || {
                for question in random_numbers(client).map(question) {
                    let answer = server.ask(&format!(
                        "GET /api/{question} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
                    ));
                    assert!(!answer.starts_with("HTTP/1.1 5"), "{question}: {answer}");
                    answered.fetch_add(1, Ordering::Relaxed);
                    if begun.elapsed() >= time {
                        break;
                    }
                }
            });
        }
        while begun.elapsed() < time {
            std::thread::sleep(Duration::from_secs(10).min(time));
            println!(
                "{:>4} s: {} answers, {} MiB",
                begun.elapsed().as_secs(),
                answered.load(Ordering::Relaxed),
                server.resident_mebibytes()
            );
        }
    });
    let most = server.peak_mebibytes();
    println!("{clients} clients with mixed questions: at most {most} MiB");
    most
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "three minutes of questions"]
fn a_hundred_clients_with_mixed_questions_stay_within_the_bound() {
    assert!(mixed(100, Duration::from_secs(180)) < MOST_MEBIBYTES);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "a hundred MB of batches"]
fn eight_of_the_largest_batches_at_once_are_answered_or_refused() {
    let tables = Tables::made("24");
    let server = Server::start(&tables);
    let body = format!("{}\n", ".".repeat(62) + "@" + &".".repeat(66)).repeat(99_000);
    let batch =
        batch_head(body.len()).replacen("host: localhost", "host: localhost\r\nconnection: close", 1) + &body;
    let answers: Vec<String> = std::thread::scope(|scope| {
        let ask = || scope.spawn(|| server.ask(&batch));
        let clients: Vec<_> = (0..8).map(|_| ask()).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let with = |status: &str| answers.iter().filter(|answer| answer.starts_with(status)).count();
    println!(
        "{} answered, {} refused",
        with("HTTP/1.1 200"),
        with("HTTP/1.1 429")
    );
    // A refused client may see its connection end while it still sends.
    assert_eq!(with("HTTP/1.1 408"), 0);
    assert!(with("HTTP/1.1 200") >= 2);
    assert!(server.peak_mebibytes() < MOST_MEBIBYTES);
}
