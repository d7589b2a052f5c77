//! The puzzles: those of the page and those of each day.

#![cfg(feature = "serve")]

use crate::prelude::*;
use crate::support::{get, server};
use axum::Router;

/// Returns the winning turns of a position with Left to move, and its depth.
async fn winning(server: &Router, position: &str) -> (Vec<String>, Json) {
    let answer = get(server, &format!("/api/probe?position={position}")).await;
    let answer = answer.json();
    assert_eq!(
        (&answer["value"], &answer["side"]),
        (&json!("win"), &json!("left"))
    );
    let turns = answer["turns"].as_array().unwrap().iter();
    let wins = turns.filter(|turn| turn["value"] == "win");
    let moves = wins.map(|turn| turn["move"].as_str().unwrap().to_string());
    (moves.collect(), answer["depth"].clone())
}

/// Returns the square in the name of a turn.
fn square(turn: &str) -> usize {
    turn[1..].parse().unwrap()
}

#[tokio::test]
async fn the_listed_puzzles_have_one_winning_turn() {
    let server = server("tables".as_ref());
    let listed = get(&server, "/page/puzzles.json").await.json();
    let mut long = Vec::new();
    for puzzle in listed.as_array().unwrap() {
        let position = puzzle["position"].as_str().unwrap();
        let turn = puzzle["move"].as_str().unwrap();
        assert_eq!(
            winning(&server, position).await,
            (vec![turn.to_string()], puzzle["depth"].clone()),
            "{position}"
        );
        if position.len() > 36 {
            // A jump towards Left's own goal line.
            let ball = position.find('@').unwrap();
            assert!(turn.starts_with('@') && square(turn) < ball, "{puzzle}");
            long.push(position.len());
        }
    }
    assert!(long.is_sorted() && long.len() > 4, "{long:?}");
    assert!(
        (40..=100).contains(&long[0]) && long.ends_with(&[100]),
        "{long:?}"
    );
}

#[tokio::test]
async fn the_puzzle_of_a_day_has_one_winning_turn_and_is_not_listed() {
    let none = Tables::none();
    let (server, bare) = (server("tables".as_ref()), server(none.path()));
    let listed = get(&server, "/page/puzzles.json").await.text;
    let mut seen = Vec::new();
    // From a Monday on.
    for day in 20_787..20_787 + 70 {
        let path = format!("/api/puzzle?day={day}");
        let puzzle = get(&server, &path).await.json();
        let position = puzzle["position"].as_str().unwrap().to_string();
        assert_eq!(
            (position.len(), &puzzle["day"]),
            (12 + 2 * ((day - 20_787) % 7), &json!(day))
        );
        let (turns, depth) = winning(&server, &position).await;
        assert_eq!((turns.len(), &depth), (1, &puzzle["depth"]), "{turns:?}");
        let ball = position.find('@').unwrap();
        let to = square(&turns[0]);
        let is_subtle = if turns[0].starts_with('o') {
            to.abs_diff(ball) > 1
        } else {
            to < position.len() - 1
        };
        assert!(is_subtle, "{puzzle}: {turns:?}");
        assert!(!listed.contains(&format!("\"{position}\"")), "{position}");
        let without = get(&bare, &path).await.json();
        assert_eq!(without, json!({"day": day, "position": position, "depth": null}));
        seen.push(position);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 70);
    let today = get(&server, "/api/puzzle").await.json();
    let seconds = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let difference = seconds / 86_400 - today["day"].as_u64().unwrap();
    assert!(difference < 2, "{today}");
}

#[tokio::test]
async fn stored_nimbers_are_listed() {
    let server = server("tables".as_ref());
    let boards = get(&server, "/api/nimbers").await.json();
    let boards = boards.as_array().unwrap();
    let stats = get(&server, "/api/stats").await.json();
    assert_eq!(json!(boards.len()), stats["obstruction_boards"]);
    // Dawson's chess (docs/atlas).
    let rows = [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0];
    for (length, nimber) in (1..).zip(rows) {
        let board = json!({"board": format!("1x{length}"), "nimber": nimber});
        assert!(boards.contains(&board), "{board}");
    }
}
