//! The directional game over HTTP.

use crate::prelude::*;
use crate::support::{get, post, server};
use phutbase_server::OPENAPI;

fn tables() -> Tables {
    let tables = Tables::none();
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
    answer.is(&printed);
    assert_eq!(answer.json()["rules"], "directional");
    // openapi.json lists every field of the answer.
    let document: Json = serde_json::from_str(OPENAPI).unwrap();
    let listed = &document["components"]["schemas"]["StripAnswer"]["properties"];
    for field in answer.json().as_object().unwrap().keys() {
        assert!(listed.get(field).is_some(), "{field}");
    }
    let pitch = get(&server, "/api/probe?position=3/@o1/3/3&rules=directional").await;
    assert_eq!(pitch.json()["rules"], "directional");
    let ordinary = get(&server, "/api/probe?position=o@o.o....&rules=ordinary").await;
    assert_eq!(ordinary.json()["rules"], "ordinary");
}

#[tokio::test]
async fn batches_and_stats_have_their_rules_too() {
    let tables = tables();
    let server = server(tables.path());
    let path = "/api/batch?rules=directional";
    let body = r#"{"positions": ["o@o.o.o....", "obstruction:1"]}"#;
    let answer = post(&server, path, "application/json", body).await.json();
    assert_eq!(
        (&answer[0]["rules"], &answer[0]["potentials"]),
        (&json!("directional"), &json!([0, 0]))
    );
    assert!(
        answer[1]["error"].as_str().unwrap().contains("directional"),
        "{answer}"
    );
    let wrong = post(&server, "/api/batch?rules=x", "text/plain", ".@.").await;
    wrong.refused(400, "rules: 'x'");

    // The second answer comes from the cache, which distinguishes the rules.
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
        assert_eq!(boards("").await, (strips(144).collect(), json!("ordinary")));
        let directional = strips(144).chain(["4x3".to_string()]).collect();
        assert_eq!(
            boards("?rules=directional").await,
            (directional, json!("directional"))
        );
    }
    post(&server, "/api/batch?rules=ordinary&x=1", "text/plain", ".@.")
        .await
        .refused(400, "`x`");
    let escaped = get(&server, "/api/stats?rules=dir%65ctional&boards=4x3")
        .await
        .json();
    assert_eq!(escaped["tables"][0]["rules"], "directional");
    let file = get(&server, "/tables/directional-pitch-4x3-dtw.phut").await;
    assert_eq!(file.status, 200);
}

#[tokio::test]
async fn strips_of_every_length_are_counted() {
    let server = server(tables().path());
    let stats = async |boards: &str| {
        let path = format!("/api/stats?rules=directional&boards={boards}");
        let table = get(&server, &path).await.json()["tables"][0].clone();
        (table["wins"].clone(), table["draws"].clone())
    };
    // A plain search of all boards, by a program of its own, found these wins.
    for (length, wins) in (3..).zip([3, 12, 35, 92, 229, 547, 1269, 2888, 6477]) {
        assert_eq!(
            stats(&length.to_string()).await,
            (json!(wins), json!(0)),
            "{length}"
        );
    }
    assert_eq!(stats("144").await.0.as_str().map(str::len), Some(46));
    // Only a backward turn wins three boards of 22 squares (docs/THEORY.md).
    let ordinary = get(&server, "/api/stats?boards=22").await.json();
    let ordinary = ordinary["tables"][0]["wins"].as_u64().unwrap();
    assert_eq!(stats("22").await.0, json!(ordinary - 3));
}
