//! The directional game over HTTP.

use crate::common::cli::Tables;
use crate::server::support::{get, post, server};
use serde_json::json;

fn tables() -> Tables {
    let tables = Tables::made("11 --rules directional");
    tables.run("generate 4x3 --rules directional").ok();
    tables.run("generate 9").ok();
    tables
}

#[tokio::test]
async fn the_rules_stand_in_the_address() {
    let tables = tables();
    let server = server(tables.path());
    let answer = get(
        &server,
        "/api/probe?position=o@o.o.o....&rules=directional&line=true",
    )
    .await;
    let printed = tables
        .run_with("probe --json --rules directional --line", "o@o.o.o....")
        .ok()
        .stdout;
    assert_eq!((answer.status, &answer.text), (200, &printed));
    assert_eq!(answer.json()["rules"], "directional");
    let pitch = get(&server, "/api/probe?position=3/@o1/3/3&rules=directional").await;
    assert_eq!(pitch.json()["rules"], "directional");
    // Both games' tables of 9 squares are there, and each is asked by name.
    for (rules, field, backward) in [
        ("", json!(null), true),
        ("&rules=ordinary", json!(null), true),
        ("&rules=directional", json!("directional"), false),
    ] {
        let answer = get(&server, &format!("/api/probe?position=o@o.o....{rules}"))
            .await
            .json();
        assert_eq!(answer["rules"], field);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.iter().any(|turn| turn["move"] == "@L"), backward, "{rules}");
    }
    let missing = get(&server, "/api/probe?position=o@o.o.o....").await;
    missing.refused(404, "length 11");
    let missing = get(&server, "/api/probe?position=.@..........&rules=directional").await;
    missing.refused(404, "length 12 (directional rules)");
    let unknown = get(&server, "/api/probe?position=.@.&rules=sideways").await;
    unknown.refused(400, "'sideways' is not one of ordinary, directional");
    let other = get(&server, "/api/probe?position=obstruction:1&rules=directional").await;
    other.refused(400, "only strips and pitches are played by directional rules");
}

#[tokio::test]
async fn batches_and_stats_have_their_rules_too() {
    let tables = tables();
    let server = server(tables.path());
    let path = "/api/batch?rules=directional";
    let body = r#"{"positions": ["o@o.o.o....", "obstruction:1"]}"#;
    let answer = post(&server, path, "application/json", body).await.json();
    assert_eq!(
        (&answer[0]["rules"], &answer[0]["depth"]),
        (&json!("directional"), &json!(13))
    );
    assert!(
        answer[1]["error"].as_str().unwrap().contains("directional"),
        "{answer}"
    );
    let lines = post(&server, path, "text/plain", "o@o.o.o....\n").await;
    assert!(lines.text.contains(r#""rules":"directional""#), "{}", lines.text);
    let ordinary = post(&server, "/api/batch", "text/plain", "o@o.o....\n").await;
    assert!(!ordinary.text.contains("rules"), "{}", ordinary.text);
    post(&server, "/api/batch?rules=x", "text/plain", ".@.")
        .await
        .refused(400, "rules: 'x'");

    // Each is asked twice: the second answer is remembered, and not for the other rules.
    for _ in 0..2 {
        let boards = async |rules: &str| {
            let stats = get(&server, &format!("/api/stats{rules}")).await.json();
            let tables = stats["tables"].as_array().unwrap().clone();
            let boards = tables
                .iter()
                .map(|entry| entry["boards"].as_str().unwrap().to_string());
            (boards.collect::<Vec<_>>(), tables[0]["rules"].clone())
        };
        let strips = |last: usize| (3..=last).map(|length| length.to_string());
        assert_eq!(boards("").await, (strips(9).collect(), json!(null)));
        let directional = strips(11).chain(["4x3".to_string()]).collect();
        assert_eq!(
            boards("?rules=directional").await,
            (directional, json!("directional"))
        );
    }
    get(&server, "/api/stats?rules=x")
        .await
        .refused(400, "rules: 'x'");
    for path in ["/api/stats?rule=directional", "/api/stats?rules=directional&x=1"] {
        get(&server, path).await.refused(400, "rules");
    }
    post(&server, "/api/batch?rules=ordinary&x=1", "text/plain", ".@.")
        .await
        .refused(400, "`x`");
    let escaped = get(&server, "/api/stats?rules=dir%65ctional&boards=4x3")
        .await
        .json();
    assert_eq!(escaped["tables"][0]["rules"], "directional");
    let file = get(&server, "/tables/directional-strip-11-dtw.phut").await;
    assert_eq!(file.status, 200);
}
