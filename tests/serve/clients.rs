//! The expectations of HTTP clients: tags, parts, a host, and the words of the program.

#![cfg(feature = "serve")]

use crate::prelude::*;
use crate::support::{Answer, get, post, server, server_with};
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use phutbase_server::app::{App, RequestLimits};
use phutbase_server::{Access, routes};
use phutbase_tables::nimbers::NimberTable;
use phutbase_tables::places::SearchPath;
use tower::ServiceExt;

/// Clients keep answers and tables with their tags, and read tables in parts.
#[tokio::test]
async fn answers_have_tags_and_tables_have_parts() {
    let server = server("tables".as_ref());
    let ask = async |path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::to(&server, request.body(Body::empty()).unwrap()).await
    };
    let file = "/tables/strip-36-dtw.phut";
    let bytes = std::fs::read("tables/strip-36-dtw.phut").unwrap();
    for path in [
        "/api/probe?position=.@.",
        "/api/stats?boards=9",
        "/openapi.json",
        file,
    ] {
        let answer = ask(path, &[]).await;
        let tag = answer.header("etag").to_string();
        assert!(
            tag.len() > 10 && answer.header("cache-control") == "no-cache",
            "{path}: {tag}"
        );
        for known in [&tag[..], &format!("\"other\", W/{tag}"), "*"] {
            let same = ask(path, &[("if-none-match", known)]).await;
            assert_eq!(
                (same.status, &same.text[..], same.header("etag")),
                (304, "", &tag[..]),
                "{path}"
            );
        }
        assert_eq!(
            ask(path, &[("if-none-match", "\"other\"")]).await.status,
            200,
            "{path}"
        );
    }
    let other = ask("/api/probe?position=.@..", &[]).await;
    assert_ne!(
        other.header("etag"),
        ask("/api/probe?position=.@.", &[]).await.header("etag")
    );
    assert_eq!(ask("/api/probe?position=x", &[]).await.header("etag"), "");
    let length = bytes.len();
    let tag = ask(file, &[]).await.header("etag").to_string();
    for (asked, from, to) in [
        ("bytes=0-7".to_string(), 0, 8),
        (format!("bytes={}-", length - 5), length - 5, length),
        ("bytes=-5".to_string(), length - 5, length),
        (format!("bytes=100-{}", 10 * length), 100, length),
    ] {
        let request = Request::get(file)
            .header("range", &asked)
            .body(Body::empty())
            .unwrap();
        let response = server.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 206, "{asked}");
        let place = format!("bytes {from}-{}/{length}", to - 1);
        assert_eq!(response.headers()["content-range"], place[..], "{asked}");
        assert_eq!(
            response.headers()["content-length"],
            (to - from).to_string()[..],
            "{asked}"
        );
        let part = response.into_body().collect().await.unwrap().to_bytes();
        assert!(part == bytes[from..to], "{asked}");
    }
    for beyond in [format!("bytes={length}-"), "bytes=-0".to_string()] {
        let answer = ask(file, &[("range", &beyond)]).await;
        answer.refused(416, &format!("the file has {length} bytes"));
        assert_eq!(answer.header("content-range"), format!("bytes */{length}"));
    }
    for (range, known, status) in [
        ("bytes=0-7", &tag[..], 206),
        ("bytes=0-7", "\"other\"", 200),
        ("bytes=0-1,4-5", &tag, 200),
        ("lines=0-7", &tag, 200),
        ("bytes=+1-2", &tag, 200),
        ("bytes=1-+2", &tag, 200),
        ("bytes=-+2", &tag, 200),
        ("bytes=-", &tag, 200),
    ] {
        let answer = ask(file, &[("range", range), ("if-range", known)]).await;
        assert_eq!(answer.status, status, "{range} {known}");
    }
}

/// A damaged file without a byte is sent as it is, and has no parts.
#[tokio::test]
async fn an_empty_file_is_sent() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("strip-9-dtw.phut"), "").unwrap();
    let server = server(directory.path());
    let answer = get(&server, "/tables/strip-9-dtw.phut").await;
    assert_eq!((answer.status, &answer.text[..]), (200, ""));
    assert_eq!(answer.header("content-length"), "0");
}

#[tokio::test]
async fn questions_are_asked_in_the_words_of_the_program() {
    let server = server("tables".as_ref());
    let same = async |one: &str, other: &str| {
        let [one, other] = [get(&server, one).await, get(&server, other).await];
        one.is(&other.text);
    };
    same(
        "/api/probe?position=o@o.oo...._R",
        "/api/probe?position=o@o.oo....%20R",
    )
    .await;
    same(
        "/api/probe?position=1/@/o/1/1_B",
        "/api/probe?position=1/@/o/1/1&side=B",
    )
    .await;
    let sideways = "/api/probe?position=5/3o1/3o1/1@o2/5_A&wins=true&rules=directional";
    assert_eq!(get(&server, sideways).await.json()["turns"], json!([]));
    let wins = get(&server, "/api/probe?position=5/5/1oo2/@1o1o/3o1_B&wins=true").await;
    let printed = run_with("probe --wins --json", "5/5/1oo2/@1o1o/3o1 B");
    same_json("GET /api/probe?wins=true", &wins.json(), &printed.json_lines()[0]);
    for (question, reason) in [
        (
            "position=obstruction:3x3&line=true",
            "line=true only applies to strips",
        ),
        (
            "position=oddish:..o^o.&line=true",
            "line=true only applies to strips",
        ),
        ("position=.@.&line=1", "write true or false"),
        ("position=.@.&wins=true", "wins=true only applies to pitches"),
        (
            "position=.@.&nimbers=true",
            "nimbers=true only applies to Obstruction",
        ),
    ] {
        get(&server, &format!("/api/probe?{question}"))
            .await
            .refused(400, reason);
    }
}

/// The longest strips whose turns are listed are answered with all of them.
#[tokio::test]
async fn turns_of_a_thousand_squares_are_answered() {
    let server = server("tables".as_ref());
    for length in [980, 999, 1000] {
        let ball = length / 2;
        let empty = format!("{}@{}", ".".repeat(ball), ".".repeat(length - ball - 1));
        let mixed = format!(
            "{}@{}",
            &"o..".repeat(ball)[..ball],
            &".o.".repeat(ball)[..length - ball - 1]
        );
        for board in [empty, mixed] {
            for side in ["left", "right"] {
                let answer = get(
                    &server,
                    &format!("/api/probe?position={board}&side={side}&line=true"),
                )
                .await;
                answer.has_status(200);
                let free = board.matches('.').count();
                assert!(
                    answer.json()["turns"].as_array().unwrap().len() >= free,
                    "{length}"
                );
            }
        }
    }
}

/// A value that the table has is not searched for, however little time there is.
#[tokio::test]
async fn stored_nimbers_are_answered_without_a_search() {
    let limits = RequestLimits {
        search_time: Duration::ZERO,
        ..RequestLimits::default()
    };
    let server = server_with("tables".as_ref(), limits);
    let answer = get(&server, "/api/probe?position=obstruction:8x8").await;
    answer.has_status(200);
    let known = NimberTable::read("tables/obstruction.phut".as_ref()).unwrap();
    assert_eq!(answer.json()["nimber"], known.rectangle(8, 8).unwrap().0);
}

/// A search that reached the time limit has not found that there is no position.
#[tokio::test]
async fn an_example_without_time_is_not_missing() {
    let limits = RequestLimits {
        search_time: Duration::ZERO,
        ..RequestLimits::default()
    };
    let server = server_with("tables".as_ref(), limits);
    let answer = get(&server, "/api/example?boards=7x3&depth=9").await;
    answer.refused(
        422,
        "not solved within 0 s, which is this server's limit; 'phutbase find'",
    );
}

/// Requests that wait while another one counts the tables do not count them again.
#[tokio::test]
async fn tables_are_counted_once() {
    let tables = Tables::made("3");
    let app =
        || Arc::new(App::new(SearchPath::only(tables.path()), RequestLimits::default(), |_| {}).unwrap());
    let [app, other] = [app(), app()];
    let server = routes(app.clone(), Access::AnyHost);
    let probe = async |server| get(server, "/api/probe?position=.@.").await.text;
    let permit = app.batches.clone().acquire_owned().await.unwrap();
    let waiting = tokio::spawn({
        let server = server.clone();
        async move { get(&server, "/api/stats").await.text }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    app.ordinary.stats.set("counted".into()).unwrap();
    drop(permit);
    assert_eq!(waiting.await.unwrap(), "counted");
    // Only a table that is open is still read.
    let other = routes(other, Access::AnyHost);
    has(&probe(&other).await, &["\"by\":\"table\""]);
    std::fs::remove_file(tables.dtw(3)).unwrap();
    has(&probe(&other).await, &["\"by\":\"table\""]);
    let answer = probe(&server).await;
    assert!(!answer.contains("\"by\":\"table\""), "{answer}");
}

/// The command that a refusal names answers the same question.
#[tokio::test]
async fn a_question_without_time_names_the_command_that_has_it() {
    let limits = RequestLimits {
        search_time: Duration::ZERO,
        ..RequestLimits::default()
    };
    let server = server_with("tables".as_ref(), limits);
    let answer = get(&server, "/api/probe?position=obstruction:9x9").await;
    answer.refused(422, "not solved within 0 s, which is this server's limit");
    answer.refused(422, "'phutbase probe \"obstruction:9x9\"'");
}

/// The time limit applies to searches only, and the error names it.
#[tokio::test]
async fn a_batch_without_time_still_looks_positions_up() {
    let limits = RequestLimits {
        search_time: Duration::ZERO,
        ..RequestLimits::default()
    };
    let server = server_with("tables".as_ref(), limits);
    let positions = [".@.", "obstruction:9x9", ".@.", "obstruction:8x8", ".@."];
    let answer = post(&server, "/api/batch", "text/plain", positions.join("\n")).await;
    let lines = answer
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Json> = lines.collect();
    let solved: Vec<bool> = lines.iter().map(|line| line["value"].is_string()).collect();
    assert_eq!(solved, [true, false, true, true, true], "{}", answer.text);
    assert_eq!(
        lines[1],
        json!({
            "number": 2,
            "error": "not solved within 0 s, which is this server's limit; 'phutbase probe' has none",
        })
    );
}
