//! The HTTP API, in process and as a process: every route as its document says, the bytes of the program, every refusal with its status.

#![cfg(feature = "serve")]

use crate::common::cli::{Tables, flip_byte, run_with};
use crate::server::support::{Answer, Server, fits, get, post, server, server_with};
use axum::body::Body;
use axum::http::{Method, Request};
use phutbase::server::OPENAPI;
use phutbase::server::app::Bounds;
use serde_json::{Value as Json, json};
use std::time::Duration;

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
    let printed = |command: &str, position: &str| match position.starts_with("oddish:") {
        // Who wins there is a theorem: no tables are asked.
        true => run_with(command, position).ok().stdout,
        false => tables.run_with(command, position).ok().stdout,
    };
    for (path, command, position) in [
        (
            "/api/probe?position=o@o.o.o....&side=left",
            "probe --json",
            "o@o.o.o....",
        ),
        ("/api/probe?position=.@.o..o..+R", "probe --json", ".@.o..o.. R"),
        (
            "/api/probe?position=.@.o..o..&side=R",
            "probe --json",
            ".@.o..o.. R",
        ),
        (
            "/api/probe?position=%E2%97%87%E2%97%8F%C2%B7O.&side=Left",
            "probe --json",
            "o@.o.",
        ),
        (
            "/api/probe?line=true&position=o@o.oo....",
            "probe --line --json",
            "o@o.oo....",
        ),
        (
            "/api/probe?position=1/@/o/1/1&side=betty",
            "probe --json",
            "1/@/o/1/1 B",
        ),
        (
            "/api/probe?line=true&position=1/@/o/1/1",
            "probe --line --json",
            "1/@/o/1/1",
        ),
        (
            "/api/probe?position=obstruction:4x5",
            "probe --json",
            "obstruction:4x5",
        ),
        (
            "/api/probe?position=obstruction:1x2%2B1x7",
            "probe --json",
            "obstruction:1x2 + 1x7",
        ),
        (
            "/api/probe?position=obstruction:1+2+3",
            "probe --json",
            "obstruction:1+2+3",
        ),
        (
            "/api/probe?position=obstruction:misere:torus:3x4+graph:0-1,1-2,x0",
            "probe --json",
            "obstruction:misere:torus:3x4 + graph:0-1,1-2,x0",
        ),
        (
            "/api/probe?position=obstruction:x../...//.../...",
            "probe --json",
            "obstruction:x../...//.../...",
        ),
        (
            "/api/probe?position=oddish:..o^o.&side=right",
            "probe --json",
            "oddish:..o^o. R",
        ),
    ] {
        let answer = get(&server, path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        assert_eq!(answer.text, printed(command, position), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("content-type"), "application/json");
    }
    let stats = tables.run("stats --json").ok().json_lines();
    let there = get(&server, "/api/stats").await.json();
    assert_eq!(there["tables"].as_array().unwrap()[..], stats);
    assert_eq!((stats.len(), &stats[9]["boards"]), (10, &json!("5x1")));
}

#[tokio::test]
async fn the_first_position_of_the_paper_is_won_in_13() {
    let server = server("tables".as_ref());
    let answer = get(&server, "/api/probe?line=true&position=o@o.o.o....")
        .await
        .json();
    assert_eq!(
        (&answer["winner"], &answer["depth"]),
        (&json!("left"), &json!(13))
    );
    assert_eq!(answer["moves"][0]["move"], "@5");
    assert_eq!(answer["line"].as_array().unwrap().len(), 13);
    // Past the tables with depths there is a winner and no depth.
    let far = format!(
        "/api/probe?line=true&position={}@{}",
        ".".repeat(30),
        ".".repeat(33)
    );
    let far = get(&server, &far).await.json();
    assert_eq!((&far["game"], &far["depth"]), (&json!("strip"), &Json::Null));
    assert!(far["winner"].is_string() && !far["line"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn every_refusal_has_its_status_and_says_why() {
    let tables = tables();
    let server = server(tables.path());
    let long = "o".repeat(5000);
    for (path, status, reason) in [
        ("/api/probe", 400, "position"),
        ("/api/probe?position=", 400, "the position is empty"),
        ("/api/probe?position=+", 400, "the position is empty"),
        ("/api/probe?position=o.o", 400, "no ball"),
        ("/api/probe?position=@..", 400, "goal-line square 0"),
        ("/api/probe?position=.@x", 400, "'x' on square 2"),
        ("/api/probe?position=.@.&side=up", 400, "write left or right"),
        ("/api/probe?position=.@.+R&side=left", 400, "omit the side"),
        ("/api/probe?position=.@.&sied=left", 400, "sied"),
        ("/api/probe?position=.@.&position=.@.", 400, "duplicate"),
        ("/api/probe?position=%FF%FE@.", 400, "not a square"),
        (
            &format!("/api/probe?position={long}"),
            400,
            "5000 bytes are too long",
        ),
        ("/api/probe?position=.@..........", 404, "length 12"),
        ("/api/probe?position=chess:8", 400, "no game 'chess'"),
        (
            "/api/probe?position=obstruction:3x3&side=left",
            400,
            "write first or second",
        ),
        (
            "/api/probe?position=obstruction:3x3&side=first",
            400,
            "omit the side",
        ),
        ("/api/probe?position=3/1@1/3&side=left", 400, "alfred or betty"),
        ("/api/probe?position=3/1@1/3", 404, "3x3"),
        ("/api/probe?position=obstruction:", 400, "term 1 is empty"),
        ("/api/probe?position=obstruction:0x4", 400, "'0x4'"),
        (
            "/api/probe?position=obstruction:graph:/etc/hostname",
            400,
            "files are read only",
        ),
        (
            "/api/probe?position=obstruction:torus:0x4",
            400,
            "without squares",
        ),
        (
            "/api/probe?position=obstruction:misere:11x11+3x3",
            422,
            "130 free squares",
        ),
        ("/api/probe?position=obstruction:99999999999999999999", 400, "row"),
        ("/api/probe?position=obstruction:1000000", 422, "1000 squares"),
        ("/nowhere", 404, "/openapi.json"),
        ("/api/batch", 405, "another method"),
    ] {
        get(&server, path).await.refused(status, reason);
    }
    post(&server, "/api/probe", "text/plain", ".@.")
        .await
        .refused(405, "another method");
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
    assert_eq!((text.status, &text.text), (200, &printed.stdout));
    assert_eq!(text.header("content-type"), "application/x-ndjson");
    let body = json!({ "positions": positions }).to_string();
    let array = post(&server, "/api/batch", "application/json", body).await;
    assert_eq!(array.json(), Json::Array(printed.json_lines()));
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
    (send("text/plain", " ".repeat((16 << 20) + 1)).await).refused(413, "16777216 bytes");
    let lines = send("text/plain", ".@.\n\n.@x\n..@......\n".to_string()).await;
    let lines: Vec<Json> = lines
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["value"], "win");
    let bad = |line: &Json| (line["line"].as_u64(), line["error"].as_str().unwrap().to_string());
    assert!(matches!(bad(&lines[1]), (Some(3), error) if error.contains("'x' on square 2")));
    assert!(matches!(bad(&lines[2]), (Some(4), error) if error.contains("length 9")));
    // What is said of a bad line is short, however long the line is.
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
            (Some(place as u64 + 1), "the position is empty".to_string())
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
    let bounds = Bounds {
        patience: Duration::from_millis(50),
        search_time: Duration::from_secs(1),
        ..Bounds::default()
    };
    let server = server_with(tables.path(), bounds);
    // 11 x 11 is far beyond what a search can do in this time.
    let search = async || get(&server, "/api/probe?position=obstruction:11x11").await;
    let lookup = async || get(&server, "/api/probe?position=.@.").await;
    let (first, second, strip) = tokio::join!(search(), search(), lookup());
    first.refused(422, "phutbase probe \"obstruction:11x11\"");
    second.refused(429, "too many requests");
    // Strips do not wait for searches.
    assert_eq!(strip.status, 200);
    assert_eq!(
        get(&server, "/api/probe?position=obstruction:3x3").await.status,
        200
    );
}

#[tokio::test]
async fn errors_do_not_depend_on_the_name_of_the_directory() {
    // As a name it occurs in many words.
    let (short, other) = (server("o".as_ref()), server("elsewhere".as_ref()));
    for position in ["3/2o/zz3", ".@.", "3/1@1/3"] {
        let asked = async |server| {
            let path = format!("/api/probe?position={position}");
            let batch = post(server, "/api/batch", "text/plain", position).await;
            [get(server, &path).await.text, batch.text]
        };
        assert_eq!(asked(&short).await, asked(&other).await);
    }
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

#[tokio::test]
async fn every_route_answers_as_its_document_says() {
    let server = server("tables".as_ref());
    let document: Json = serde_json::from_str(OPENAPI).unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let answer = match (method.as_str(), path.as_str()) {
                ("post", "/api/batch") => {
                    let body = document["components"]["schemas"]["Batch"]["example"].to_string();
                    post(&server, path, "application/json", body).await
                }
                ("get", _) => get(&server, &example_question(path, operation)).await,
                _ => panic!("{method} {path} has no example"),
            };
            assert_eq!(answer.status, 200, "{path}: {}", answer.text);
            let content = operation["responses"]["200"]["content"].as_object().unwrap();
            assert!(content.contains_key(answer.header("content-type")), "{path}");
            let Some(json) = content.get("application/json") else {
                continue;
            };
            let schema = &json["schema"];
            fits(&document, schema, &answer.json()).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }
    // And the refusals are refusals.
    let refusal = get(&server, "/api/probe?position=x").await;
    fits(
        &document,
        &json!({"$ref": "#/components/schemas/Refusal"}),
        &refusal.json(),
    )
    .unwrap();
    let served = get(&server, "/openapi.json").await;
    assert_eq!(served.text, OPENAPI);
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

/// The question that the examples of an operation's parameters make.
fn example_question(path: &str, operation: &Json) -> String {
    let parameters = operation["parameters"].as_array().unwrap().iter();
    if let Some(name) = parameters.clone().find(|parameter| parameter["in"] == "path") {
        return path.replace("{name}", name["example"].as_str().unwrap());
    }
    let query: Vec<String> = parameters
        .filter_map(|parameter| {
            let example = match &parameter["example"] {
                Json::Null => return None,
                Json::String(example) => example.clone(),
                number => number.to_string(),
            };
            Some(format!("{}={example}", parameter["name"].as_str().unwrap()))
        })
        .collect();
    format!("{path}?{}", query.join("&"))
}

#[tokio::test]
async fn other_origins_may_read_and_ask_first() {
    let server = server("tables".as_ref());
    let request = Request::builder()
        .method(Method::OPTIONS)
        .uri("/api/batch")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    let answer = Answer::to(&server, request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(answer.header("access-control-allow-methods").contains("POST"));
}

#[test]
fn the_program_listens_answers_and_stops_when_it_is_told_to() {
    let tables = Tables::made("11");
    let mut server = Server::start(&tables);
    let answer =
        server.ask("GET /api/probe?position=o@o.o.o.... HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("\"depth\":13"));
    // Requests that are none do it no harm.
    for nonsense in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "GET /%zz%00 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    ] {
        assert!(server.ask(nonsense).starts_with("HTTP/1.1 4"), "{nonsense:?}");
    }
    // A batch whose body has arrived by half when the signal comes is still answered.
    let head = "POST /api/batch HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 8\r\n\
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
    let tables = Tables::made("3");
    let server = Server::start(&tables);
    let taken = format!("serve --port {}", server.port());
    assert!(tables.run(&taken).refusal(3).contains("choose another --port"));
    assert_eq!(tables.run("serve --port 65536").code, Some(2));
}

#[test]
fn the_python_example_reads_the_same_values() {
    let tables = Tables::made("11");
    let server = Server::start(&tables);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/query_http.py");
    let Some(printed) = crate::server::support::python(&[script, &server.address()]) else {
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
    assert_eq!(stats.status, 200, "{}", stats.text);
    let stats = stats.json();
    let entries = stats["tables"].as_array().unwrap();
    let boards = |damaged: bool| -> Vec<&str> {
        let of_kind = entries
            .iter()
            .filter(|entry| entry["error"].is_string() == damaged);
        of_kind.map(|entry| entry["boards"].as_str().unwrap()).collect()
    };
    assert_eq!(boards(false), ["6", "7", "8", "4x2"]);
    assert_eq!(boards(true), ["3", "4", "5", "3x3", "obstruction"]);
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
