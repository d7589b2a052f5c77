//! The page and its API: files, statistics, downloads of tables, nimbers of every turn.

#![cfg(feature = "serve")]

use crate::prelude::*;
use crate::support::{get, server};
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
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
    // Limit on the total size of the site.
    let size = |name: &str| {
        std::fs::metadata(format!("crates/server/src/page/{name}"))
            .unwrap()
            .len()
    };
    let files = std::fs::read_dir("crates/server/src/page").unwrap();
    let bytes: u64 = files
        .map(|file| size(file.unwrap().file_name().to_str().unwrap()))
        .sum();
    assert!(bytes < 220_000, "{bytes} bytes");
    for (path, words) in [
        ("/puzzles", "<title>Puzzles"),
        ("/rules", "<title>Rules"),
        ("/statistics", "<title>Statistics"),
        ("/api", "<title>API"),
        ("/docs/atlas", "<h2 id=\"the-result\">The result</h2>"),
    ] {
        let document = get(&server, path).await;
        assert!(document.text.contains(words) && document.status == 200, "{path}");
        assert_eq!(document.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(
            document.text.matches("aria-current=\"page\">").count(),
            1,
            "{path}"
        );
        let referred = document.text.split('"').filter(|word| word.starts_with("page/"));
        for file in referred {
            assert_eq!(get(&server, &format!("/{file}")).await.status, 200, "{file}");
        }
    }
}

#[tokio::test]
async fn a_wrong_path_is_a_page_for_browsers_and_json_for_programs() {
    let server = server("tables".as_ref());
    let request = Request::get("/no/such/page").header("accept", "text/html,*/*;q=0.8");
    let response = server.clone().oneshot(request.body(Body::empty()).unwrap());
    let response = response.await.unwrap();
    assert_eq!(response.status(), 404);
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let page = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(page.contains("Page not found") && page.contains("href=\"/\""));
}

#[tokio::test]
async fn every_turn_of_obstruction_has_its_nimber() {
    let server = server("tables".as_ref());
    let ask = async |board: &str, more: &str| {
        let answer = get(&server, &format!("/api/probe?position=obstruction:{board}{more}")).await;
        answer.has_status(200);
        answer.json()
    };
    // Dawson's chess: a mark on a row of 7 leaves g(a) xor g(b) for the parts on both sides.
    let row = ask(".......", "&nimbers=true").await;
    let mut turns: Vec<Json> = row["turns"].as_array().unwrap().clone();
    turns.sort_by_key(|turn| turn["move"].to_string());
    let nimbers: Json = turns.iter().map(|turn| turn["nimber"].clone()).collect();
    assert_eq!(nimbers, json!([3, 0, 3, 0, 3, 0, 3]));
    // The winning turns equal those of the request without nimbers, and come first.
    for board in ["5x5", "x...../....../...x../....../x.....", "3x3%2B1x4"] {
        let (all, winning) = (ask(board, "&nimbers=true").await, ask(board, "").await);
        let [all, winning] =
            [&all["turns"], &winning["winning_turns"]].map(|turns| turns.as_array().unwrap());
        let (wins, others) = all.split_at(winning.len());
        let names = |turns: &[Json]| {
            turns
                .iter()
                .map(|turn| fields(turn, "board move"))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(wins), names(winning), "{board}");
        assert!(wins.iter().all(|turn| turn["nimber"] == 0) && !others.is_empty());
        assert!(others.iter().all(|turn| turn["nimber"] != 0), "{board}");
    }
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
}

#[cfg(unix)]
#[tokio::test]
async fn pipes_and_links_out_of_the_directory_are_not_sent() {
    let tables = Tables::made("9");
    make_pipe(&tables.dtw(10));
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
        // Every bar of the chart leads to a position of its depth.
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
}
