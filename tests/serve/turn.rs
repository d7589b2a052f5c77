//! `/api/turn`: the turn that the program plays, from a table, the solution or a bounded search.

use crate::prelude::*;
use crate::support::{get, server};
use axum::Router;
use std::time::{Duration, Instant};

async fn board_after(server: &Router, position: &str, turn: &str) -> Json {
    let turn = turn.replace('+', "%2B");
    get(server, &format!("/api/board?position={position}&turns={turn}"))
        .await
        .json()
}

#[tokio::test]
async fn a_pitch_without_a_table_is_searched() {
    let server = server("tables".as_ref());
    for (size, side) in [
        ("19/19/19/19/19/19/19/9@9/19/19/19/19/19/19/19", "alfred"),
        ("8/8/8/3@4/8/8/8/8", "betty"),
    ] {
        let begin = Instant::now();
        let answer = get(
            &server,
            &format!("/api/turn?position={size}&side={side}&time=300"),
        )
        .await;
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        let answer = answer.json();
        assert_eq!(
            (&answer["side"], &answer["value"], &answer["depth"]),
            (&json!(side), &json!(null), &json!(null))
        );
        let turn = answer["turn"].as_str().unwrap();
        let after = board_after(&server, &format!("{size}&side={side}"), turn).await;
        assert_eq!(after["played"][0]["move"], json!(turn), "{answer}");
    }
    // Alfred's chaps reach the top row in one turn.
    let won = get(
        &server,
        "/api/turn?position=8/3o4/3@4/8/8/8/8/8&side=alfred&time=50",
    )
    .await
    .json();
    assert_eq!(
        (&won["value"], &won["winner"], &won["depth"]),
        (&json!("win"), &json!("alfred"), &json!(null))
    );
    let after = board_after(
        &server,
        "8/3o4/3@4/8/8/8/8/8&side=alfred",
        won["turn"].as_str().unwrap(),
    )
    .await;
    assert_eq!(after["played"][0]["winner"], "alfred");
}

/// A request for an hour ends with the server's limit.
#[tokio::test]
async fn the_server_bounds_the_time() {
    let server = server("tables".as_ref());
    let begin = Instant::now();
    let answer = get(&server, "/api/turn?position=9/9/9/4@4/9/9/9&time=3600000").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn boards_with_a_value_have_a_best_turn() {
    let server = server("tables".as_ref());
    for (question, turn) in [
        ("o@o.o.o....", "@5"),
        ("3/3/3/1@1/3/3/3", ""),
        ("..@..o.&rules=directional", ""),
    ] {
        let answer = get(&server, &format!("/api/turn?position={question}"))
            .await
            .json();
        let probed = get(&server, &format!("/api/probe?position={question}"))
            .await
            .json();
        assert_eq!(
            (&answer["value"], &answer["depth"], &answer["turn"]),
            (&probed["value"], &probed["depth"], &probed["turns"][0]["move"])
        );
        assert!(turn.is_empty() || answer["turn"] == turn, "{answer}");
    }
    get(&server, "/api/turn?position=obstruction:3x3")
        .await
        .refused(400, "strips and pitches");
    get(&server, "/api/turn?position=.@.&time=soon")
        .await
        .refused(400, "time");
}
