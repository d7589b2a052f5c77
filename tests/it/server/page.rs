//! The page and what the API has for it: files, statistics, tables to download, the nimbers of every turn.

#![cfg(feature = "serve")]

use crate::common::cli::{Tables, run};
use crate::server::support::{get, server};
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use serde_json::{Value as Json, json};
use std::time::Duration;
use tower::ServiceExt;

#[tokio::test]
async fn the_page_loads_nothing_from_elsewhere_and_its_examples_are_right() {
    let server = server("tables".as_ref());
    let page = get(&server, "/").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(
        page.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    for file in page.text.split(['"']).filter(|word| word.starts_with("page/")) {
        assert_eq!(get(&server, &format!("/{file}")).await.status, 200, "{file}");
    }
    assert!(!page.text.contains("http://") && !page.text.contains("https://"));
    let groups = get(&server, "/page/examples.json").await.json();
    let mut checked = 0;
    for example in groups
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|group| group["examples"].as_array().unwrap())
    {
        let position = example["position"].as_str().unwrap();
        let answer = get(&server, &format!("/api/probe?position={position}"))
            .await
            .json();
        for field in ["value", "winner", "depth"] {
            assert!(
                example[field].is_null() || example[field] == answer[field],
                "{example}: {answer}"
            );
        }
        checked += 1;
    }
    assert!(checked > 14);
    // Nothing that is loaded to begin with is large.
    let size = |name: &str| {
        std::fs::metadata(format!("src/server/page/{name}"))
            .unwrap()
            .len()
    };
    let files = std::fs::read_dir("src/server/page").unwrap();
    let bytes: u64 = files
        .map(|file| size(file.unwrap().file_name().to_str().unwrap()))
        .sum();
    assert!(bytes < 150_000, "{bytes} bytes");
    for (path, words) in [
        ("/docs/rules", "The rules, exactly"),
        ("/docs/atlas", "<title>Atlas"),
    ] {
        let document = get(&server, path).await;
        assert!(document.text.contains(words) && document.status == 200, "{path}");
    }
}

#[tokio::test]
async fn every_turn_of_obstruction_has_its_nimber() {
    let server = server("tables".as_ref());
    let ask = async |board: &str, more: &str| {
        let answer = get(&server, &format!("/api/probe?position=obstruction:{board}{more}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    };
    // Dawson's chess: a mark on a row of 7 leaves g(a) xor g(b), of what is on both sides of it.
    let dawson = [0, 1, 1, 2, 0, 3];
    let row = ask(".......", "&nimbers=true").await;
    let left: std::collections::BTreeMap<&str, u64> = (row["moves"].as_array().unwrap().iter())
        .map(|turn| (turn["move"].as_str().unwrap(), turn["nimber"].as_u64().unwrap()))
        .collect();
    for (square, name) in ["r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r1c6", "r1c7"]
        .iter()
        .enumerate()
    {
        let sides = [square.saturating_sub(1), 5_usize.saturating_sub(square)];
        assert_eq!(left[name], dawson[sides[0]] ^ dawson[sides[1]], "{name}");
    }
    assert_eq!((left.len(), &row["nimber"]), (7, &json!(1)));
    // The winning ones are those of the other question, and come first.
    for board in ["5x5", "x...../....../...x../....../x.....", "3x3%2B1x4"] {
        let (all, winning) = (ask(board, "&nimbers=true").await, ask(board, "").await);
        let names = |answer: &Json, wanted: &str| -> Vec<String> {
            (answer["moves"].as_array().unwrap().iter())
                .filter(|turn| turn["value"] == wanted)
                .map(|turn| format!("{}{}", turn["board"], turn["move"]))
                .collect()
        };
        assert_eq!(names(&all, "win"), names(&winning, "win"), "{board}");
        assert!(!names(&all, "loss").is_empty() && names(&winning, "loss").is_empty());
        let turns = all["moves"].as_array().unwrap();
        let wins = names(&all, "win").len();
        assert!(
            turns
                .iter()
                .enumerate()
                .all(|(place, turn)| (place < wins) == (turn["nimber"] == 0))
        );
    }
    let strip = get(&server, "/api/probe?position=.@.&nimbers=true").await;
    strip.refused(400, "nimbers are of Obstruction");
}

#[tokio::test]
async fn tables_are_sent_as_they_are() {
    let tables = Tables::made("9");
    tables.run("generate 5x1").ok();
    let server = server(tables.path());
    for (name, file) in [
        ("strip-9-dtw.phut", tables.dtw(9)),
        ("pitch-5x1-dtw.phut", tables.path().join("pitch-5x1-dtw.phut")),
    ] {
        let response = (server.clone())
            .oneshot(
                Request::get(format!("/tables/{name}"))
                    .body(Body::empty())
                    .unwrap(),
            )
            .await
            .unwrap();
        let length: usize = response.headers()["content-length"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(bytes, std::fs::read(file).unwrap(), "{name}");
        assert_eq!(bytes.len(), length);
    }
    std::fs::write(tables.path().join("secret.txt"), "not a table").unwrap();
    for name in [
        "strip-99-dtw.phut",
        "secret.txt",
        "..%2Fsecret.txt",
        "%2Fetc%2Fpasswd",
    ] {
        (get(&server, &format!("/tables/{name}")).await).refused(404, "no such table");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn pipes_and_links_out_of_the_directory_are_not_sent() {
    let tables = Tables::made("9");
    let made = std::process::Command::new("mkfifo").arg(tables.dtw(10)).status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("/etc/passwd", tables.dtw(11)).unwrap();
    std::os::unix::fs::symlink(tables.dtw(9).file_name().unwrap(), tables.dtw(12)).unwrap();
    let server = server(tables.path());
    for (length, status) in [(10, 404), (11, 404), (12, 200)] {
        let path = format!("/tables/strip-{length}-dtw.phut");
        let answer = tokio::time::timeout(Duration::from_secs(10), get(&server, &path)).await;
        assert_eq!(answer.expect("an answer").status, status, "{length}");
    }
}

#[tokio::test]
async fn stats_of_one_size_have_its_depths() {
    let server = server("tables".as_ref());
    let stats = async |boards: &str| {
        let answer = get(&server, &format!("/api/stats?boards={boards}")).await.json();
        let tables = answer["tables"].as_array().unwrap().clone();
        assert_eq!((tables.len(), &tables[0]["boards"]), (1, &json!(boards)));
        tables[0]["depths"].clone()
    };
    for boards in ["7x3", "24"] {
        let depths = stats(boards).await;
        let printed = run(&format!("stats {boards} --json --tables tables")).ok();
        assert_eq!(depths, printed.json_lines()[0]["depths"], "{boards}");
        // Every bar of the page's chart leads to a position of its depth.
        for (depth, count) in depths.as_object().unwrap() {
            let path = format!("/api/example?boards={boards}&depth={depth}");
            if count == 0 {
                get(&server, &path).await.refused(404, boards);
                continue;
            }
            let example = get(&server, &path).await.json();
            assert_eq!(example["depth"].to_string(), *depth, "{example}");
            let position = example["position"].as_str().unwrap().replace(' ', "%20");
            let again = get(&server, &format!("/api/probe?position={position}")).await;
            assert_eq!(again.json(), example, "{path}");
        }
    }
    assert_eq!(stats("64").await, Json::Null);
    for (boards, status, reason) in [
        ("3..9", 400, "one length"),
        ("obstruction:6x6", 400, "one length"),
        ("chess", 400, "boards"),
        ("9x9", 404, "9x9"),
    ] {
        let refused = get(&server, &format!("/api/stats?boards={boards}")).await;
        refused.refused(status, reason);
    }
}

#[tokio::test]
async fn examples_that_do_not_exist_are_refused() {
    let server = server("tables".as_ref());
    for (question, status, reason) in [
        (
            "boards=7x3&depth=36",
            404,
            "no position of 7x3 that ends after 36 turns",
        ),
        ("boards=24&depth=99", 404, "no position of 24"),
        ("boards=64&depth=3", 404, "depths"),
        ("boards=37&depth=3", 404, "depths"),
        ("boards=obstruction:6x6&depth=3", 400, "one length"),
        ("boards=3..9&depth=3", 400, "one length"),
        ("boards=chess&depth=3", 400, "boards"),
        ("boards=24", 400, "depth"),
    ] {
        (get(&server, &format!("/api/example?{question}")).await).refused(status, reason);
    }
}
