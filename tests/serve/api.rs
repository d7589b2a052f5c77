//! The HTTP API, in process and as a process: every route of openapi.json, answers equal to the
//! program's, and the status of every error.

#![cfg(feature = "serve")]

use crate::prelude::*;
use crate::support::{Server, get, post, server, server_with};
use phutbase_server::app::RequestLimits;

/// Tables of strips up to 11 squares and of one pitch.
fn tables() -> Tables {
    let tables = Tables::made("11");
    tables.run("generate 5x1").ok();
    tables
}

#[tokio::test]
async fn the_server_sends_the_bytes_that_the_program_prints() {
    let tables = tables();
    let server = server(tables.path());
    for (question, position) in [
        ("position=o@o.o.o....&side=left", "o@o.o.o...."),
        ("position=.@.o..o..+R", ".@.o..o.. R"),
        ("position=.@.o..o..&side=R", ".@.o..o.. R"),
        ("position=%E2%97%87%E2%97%8F%C2%B7O.&side=Left", "o@.o."),
        ("line=true&position=o@o.oo....", "o@o.oo...."),
        ("position=1/@/o/1/1&side=betty", "1/@/o/1/1 B"),
        ("line=true&position=1/@/o/1/1", "1/@/o/1/1"),
        ("position=obstruction:4x5", "obstruction:4x5"),
        ("position=obstruction:1x2%2B1x7", "obstruction:1x2 + 1x7"),
        ("position=obstruction:1+2+3", "obstruction:1+2+3"),
        (
            "position=obstruction:misere:torus:3x4+graph:0-1,1-2,x0",
            "obstruction:misere:torus:3x4 + graph:0-1,1-2,x0",
        ),
        (
            "position=obstruction:x../...//.../...",
            "obstruction:x../...//.../...",
        ),
        ("position=oddish:..o^o.&side=right", "oddish:..o^o. R"),
    ] {
        let answer = get(&server, &format!("/api/probe?{question}")).await;
        let line = if question.contains("line") { "--line" } else { "" };
        let printed = tables.run_with(&format!("probe --json {line}"), position).ok();
        assert_eq!(
            (answer.status, &answer.text),
            (200, &printed.stdout),
            "{question}"
        );
        assert_eq!(answer.header("content-type"), "application/json");
    }
    // The strips of 3 to 144 squares, of which a table holds the first, and the pitch.
    let stats = tables.lines("stats 3..144");
    let there = get(&server, "/api/stats").await.json();
    let there = there["tables"].as_array().unwrap();
    assert_eq!(there[..142], stats);
    assert_eq!((there.len(), &there[142]["boards"]), (143, &json!("5x1")));
}

#[tokio::test]
async fn strips_that_no_table_holds_have_a_value_and_a_winning_turn() {
    let tables = Tables::made("5");
    let server = server(tables.path());
    for length in [200, 1_000, 1_001, 10_000, 10_001, 20_000] {
        let board = format!(
            "{}@o.oo{}",
            ".".repeat(length / 2),
            ".".repeat(length - length / 2 - 5)
        );
        let answer = get(&server, &format!("/api/probe?position={board}")).await;
        let printed = tables.run_with("probe --json", &board).ok();
        answer.is(&printed.stdout);
        let answer = answer.json();
        assert_eq!((&answer["value"], &answer["depth"]), (&json!("win"), &Json::Null));
        assert_eq!(answer["reason"]["by"], "solution");
        let moves = answer["turns"].as_array();
        assert_eq!(moves.is_some(), length <= 10_000);
        assert_eq!(
            answer["turn"].is_string() && answer["turn_counts"].is_object(),
            length > 10_000
        );
        if let Some(moves) = moves {
            assert_eq!(moves[0]["value"], "win");
            assert_eq!(moves[0]["position"].is_string(), length <= 1_000);
        } else {
            let [winning, losing] =
                ["winning", "losing"].map(|kind| answer["turn_counts"][kind].as_u64().unwrap());
            // Every empty square, and a stop after each jump.
            assert_eq!(winning + losing, length as u64 - 4 + 2);
        }
        let line = get(&server, &format!("/api/probe?position={board}&line=true")).await;
        assert_eq!(line.status, 200, "{length}");
        let line = line.json()["line"].as_array().unwrap().clone();
        assert_eq!(!line.is_empty(), length <= 1_000, "{length}");
        for turn in line {
            assert_eq!(turn["position"].is_string(), length <= 300, "{length}");
        }
        // The head of a request is bounded, the body of a batch may be longer.
        let batch = post(&server, "/api/batch", "text/plain", board).await.json();
        assert_eq!(
            (&batch["value"], &batch["reason"]),
            (&answer["value"], &answer["reason"])
        );
    }
}

/// Addresses up to the bound on the head of a request have an answer from the program itself.
#[test]
fn the_longest_addresses_are_answered() {
    let server = Server::start(&Tables::none());
    for (length, status) in [(200, "200"), (16_000, "200"), (20_000, "431")] {
        let board = format!("{}@{}", ".".repeat(99), ".".repeat(length - 100));
        let answer = server.ask(&format!(
            "GET /api/probe?position={board} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        ));
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{length}: {answer}"
        );
    }
}

/// Every length has one of the metrics that the description of the API lists.
#[tokio::test]
async fn the_metrics_of_the_shipped_tables_are_described() {
    let description: Json =
        serde_json::from_str(include_str!("../../crates/server/src/openapi.json")).unwrap();
    let described = &description["components"]["schemas"]["Table"]["properties"]["metric"]["enum"];
    let tables = Tables::shipped(&["strip-36-dtw.phut", "strip-64-levels.phut"]);
    let server = server(tables.path());
    for (length, expected) in [(36, "dtw"), (50, "levels"), (80, "wdl")] {
        let answer = get(&server, &format!("/api/stats?boards={length}")).await.json();
        assert_eq!(answer["tables"][0]["metric"], expected, "{length}");
        assert!(
            described.as_array().unwrap().contains(&json!(expected)),
            "{expected}"
        );
    }
}

/// The numbers of wins of 3 to 144 squares are those of docs/atlas/sequences.csv.
#[tokio::test]
async fn wins_are_counted_where_no_table_holds_a_length() {
    let tables = Tables::made("9");
    let server = server(tables.path());
    let stored: BTreeMap<usize, Vec<&str>> = include_str!("../../docs/atlas/sequences.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|fields| (fields[0].parse().unwrap(), fields))
        .collect();
    for length in [9, 10, 64, 100, 144] {
        let answer = get(&server, &format!("/api/stats?boards={length}")).await.json();
        let entry = &answer["tables"][0];
        let [_, positions, wins, losses, draws, ..] = stored[&length][..] else {
            panic!("{length}");
        };
        for (field, expected) in [
            ("positions", positions),
            ("wins", wins),
            ("losses", losses),
            ("draws", draws),
        ] {
            assert_eq!(
                entry[field].to_string().trim_matches('"'),
                expected,
                "{length}: {field}"
            );
        }
        let is_held = length == 9;
        assert_eq!(entry["metric"], if is_held { "dtw" } else { "wdl" });
        assert_eq!(
            (entry["name"].is_string(), entry["depths"].is_object()),
            (is_held, is_held)
        );
    }
    get(&server, "/api/stats?boards=145").await.refused(404, "145");
    get(&server, "/api/stats?boards=145&rules=directional")
        .await
        .refused(404, "145");
}

#[tokio::test]
async fn every_refusal_has_its_status_and_says_why() {
    let names = ["strip-36-dtw.phut", "strip-64-levels.phut", "pitch-7x3-dtw.phut"];
    let tables = Tables::shipped(&names);
    std::fs::write(tables.path().join("secret.txt"), "not a table").unwrap();
    let server = server(tables.path());
    for line in include_str!("../data/http_refusals.tsv").lines().skip(1) {
        let [status, path, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        get(&server, path).await.refused(status.parse().unwrap(), reason);
    }
    let long = format!("/api/probe?position={}", "o".repeat(5000));
    get(&server, &long).await.refused(400, "no ball in");
    let wrong = post(&server, "/api/probe", "text/plain", ".@.").await;
    wrong.refused(405, "does not support the method");
}

#[tokio::test]
async fn batches_are_answered_in_order_in_either_form() {
    let tables = Tables::made("9");
    let server = server(tables.path());
    let positions = ["o@o.o..", ".@.o..o.. R", ".@.", "..@o.. L"];
    let printed = tables
        .run_on("probe --batch -", positions.join("\n").as_bytes())
        .ok();
    let text = post(
        &server,
        "/api/batch",
        "text/plain; charset=utf-8",
        positions.join("\n\n"),
    )
    .await;
    text.is(&printed.stdout);
    assert_eq!(text.header("content-type"), "application/x-ndjson");
    let body = json!({ "positions": positions }).to_string();
    let array = post(&server, "/api/batch", "application/json", body).await;
    same_json("POST /api/batch", &array.json(), &printed.json_lines().into());
    let none = post(&server, "/api/batch", "application/json", r#"{"positions":[]}"#).await;
    assert_eq!(none.text, "[]\n");
    let none = post(&server, "/api/batch", "text/plain", "\n").await;
    assert_eq!((none.status, none.text.as_str()), (200, ""));
}

#[tokio::test]
async fn batches_that_are_too_large_or_none_are_refused() {
    let tables = Tables::made("8");
    let server = server(tables.path());
    let send = async |kind: &'static str, body: String| post(&server, "/api/batch", kind, body).await;
    let full = send("text/plain", ".@.\n".repeat(100_000)).await;
    assert_eq!((full.status, full.text.lines().count()), (200, 100_000));
    (send("text/plain", ".@.\n".repeat(100_001)).await).refused(413, "100000 positions");
    let many = json!({ "positions": vec![".@."; 100_001] }).to_string();
    (send("application/json", many).await).refused(413, "100000 positions");
    (send("text/plain", " ".repeat((16 << 20) + 1)).await).refused(413, "a batch has up to 16 MiB");
    let lines = send("text/plain", ".@.\n\n.@x\n3/3/3/1@1/3/3/3/3 A\n".to_string()).await;
    let lines: Vec<Json> = lines
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["value"], "win");
    let bad = |line: &Json| {
        (
            line["number"].as_u64(),
            line["error"].as_str().unwrap().to_string(),
        )
    };
    assert!(matches!(bad(&lines[1]), (Some(3), error) if error.contains("'x' in column 3")));
    assert!(matches!(bad(&lines[2]), (Some(4), error) if error.contains("8x3")));
    // Error messages are short, even for long lines.
    let long = send("text/plain", format!("{}\n", "\u{1}".repeat(1 << 20))).await;
    assert!(long.text.len() < 1000, "{}", long.text.len());
    for body in [
        "",
        "[]",
        r#"[["o@o."]]"#,
        "{}",
        r#"{"positions":[1]}"#,
        r#"{"positions":[".@."],"side":"left"}"#,
    ] {
        (send("application/json", body.to_string()).await).refused(400, "not a batch");
    }
    let empty = r#"{"positions":["", ".@.", "\n"]}"#.to_string();
    let empty = send("application/json", empty).await.json();
    for place in [0, 2] {
        assert_eq!(
            bad(&empty[place]),
            (
                Some(place as u64 + 1),
                "the position is empty, or a comment".to_string()
            )
        );
    }
    assert_eq!(empty[1]["value"], "win");
    let escaped = r#"{"positions":["\u002e@."]}"#.to_string();
    assert_eq!(
        send("application/json", escaped).await.json()[0]["position"],
        ".@."
    );
    (send("image/png", ".@.".to_string()).await).refused(415, "application/json");
}

#[tokio::test]
async fn a_second_search_is_refused_with_429_and_a_hard_board_with_422() {
    let tables = Tables::made("5");
    let limits = RequestLimits {
        patience: Duration::from_millis(50),
        search_time: Duration::from_secs(1),
        ..RequestLimits::default()
    };
    let server = server_with(tables.path(), limits);
    // No search solves 11 x 11 in this time.
    let search = async || get(&server, "/api/probe?position=obstruction:11x11").await;
    let lookup = async || get(&server, "/api/probe?position=.@.").await;
    let (first, second, strip) = tokio::join!(search(), search(), lookup());
    first.refused(422, "phutbase probe \"obstruction:11x11\"");
    second.refused(429, "too many requests");
    // Strips do not wait for searches of Obstruction.
    assert_eq!(strip.status, 200);
    assert_eq!(
        get(&server, "/api/probe?position=obstruction:3x3").await.status,
        200
    );
}

#[test]
fn requests_are_logged_if_wanted_and_errors_once() {
    let tables = Tables::made("9");
    flip_byte(&tables.dtw(9), 300);
    let log = |options: &str| {
        let mut server = Server::start_with(&tables, options);
        for _ in 0..2 {
            assert_eq!(server.connect("").request("/api/probe?position=.@......."), 500);
            assert_eq!(server.connect("").request("/healthz"), 200);
        }
        server.terminate();
        server.ended_well().stderr
    };
    let file = tables.dtw(9).display().to_string();
    let (quiet, verbose) = (log(""), log("-v"));
    for log in [&quiet, &verbose] {
        let errors = log
            .lines()
            .filter(|line| line.contains("ERROR") && line.contains(&file));
        assert_eq!(errors.count(), 1, "{log}");
    }
    assert!(
        !quiet.contains("/healthz") && verbose.contains("/healthz"),
        "{quiet}\n{verbose}"
    );
}

#[test]
fn the_program_listens_answers_and_stops_on_sigterm() {
    let tables = Tables::made("11");
    let mut server = Server::start(&tables);
    let answer = server
        .ask("GET /api/probe?position=o@o.o.o.... HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("\"depth\":13"));
    // Malformed requests are rejected without harm.
    for nonsense in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "GET /%zz%00 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    ] {
        assert!(server.ask(nonsense).starts_with("HTTP/1.1 4"), "{nonsense:?}");
    }
    // A batch is answered if half of its body has arrived before the signal.
    let head = "POST /api/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 8\r\n\
        expect: 100-continue\r\n\r\n";
    let mut half = server.connect(head);
    half.reads("HTTP/1.1 100 Continue\r\n\r\n");
    half.sends(".@.\n");
    server.terminate();
    server.no_longer_listens();
    assert!(server.is_running(), "it waits for the request");
    let answer = half.finish(".@.\n");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(answer.matches("\"winner\":\"left\"").count(), 2, "{answer}");
    server.ended_well();
}

#[test]
fn the_program_says_why_it_cannot_serve() {
    let by_name = Server::start_with(&Tables::none(), "--bind localhost");
    assert!(
        by_name
            .ask("GET /api/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .contains("200 OK")
    );
    run("serve --bind no-such-host.invalid").refuses(2, &["no-such-host.invalid"]);
    let tables = Tables::made("3");
    let server = Server::start(&tables);
    let taken = format!("serve --port {}", server.port());
    assert!(tables.run(&taken).refusal(3).contains("choose another --port"));
}

#[test]
fn the_python_example_reads_the_same_values() {
    let tables = Tables::made("11");
    let server = Server::start(&tables);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/query_http.py");
    let Some(printed) = crate::support::python(&[script, &server.address()]) else {
        return;
    };
    assert_eq!(
        printed.lines().next(),
        Some("o@o.o.o....: left wins in 13 plies, best move @5"),
        "{printed}"
    );
    assert!(printed.contains("o@o.ooo....: right wins in 14"), "{printed}");
    assert!(printed.contains("refused with 404"), "{printed}");
}

#[tokio::test]
async fn damaged_tables_are_listed_and_the_others_answer() {
    let tables = Tables::made("5");
    for boards in ["8", "4x2", "3x3"] {
        tables.run(&format!("generate {boards}")).ok();
    }
    flip_byte(&tables.dtw(5), 40);
    flip_byte(&tables.path().join("pitch-3x3-dtw.phut"), 20);
    std::fs::write(tables.path().join("obstruction.phut"), "PHUTBASE and no more").unwrap();
    let server = server(tables.path());
    let stats = get(&server, "/api/stats").await;
    stats.has_status(200);
    let stats = stats.json();
    let entries = stats["tables"].as_array().unwrap();
    let boards = |damaged: bool| -> Vec<&str> {
        let of_kind = entries
            .iter()
            .filter(|entry| entry["error"].is_string() == damaged);
        of_kind.map(|entry| entry["boards"].as_str().unwrap()).collect()
    };
    let whole: Vec<String> = (6..=144).map(|length| length.to_string()).collect();
    assert_eq!(boards(false)[..139], whole);
    assert_eq!(boards(false)[139..], ["4x2"]);
    assert_eq!(boards(true), ["3..5", "3x3", "obstruction"]);
    assert_eq!(stats["obstruction_boards"], 0);
    for position in [".@....", "obstruction:3x3"] {
        assert_eq!(
            get(&server, &format!("/api/probe?position={position}"))
                .await
                .status,
            200
        );
    }
    get(&server, "/api/probe?position=.@...")
        .await
        .refused(500, "damaged");
}
