//! `/api/board`: turns with the squares that they change, and the words about the halves of a strip.

#![cfg(feature = "serve")]

use crate::prelude::*;
use crate::support::{get, server};
use phutbase_ask::board::BoardAnswer;
use phutbase_rules::Position;
use phutbase_rules::strip::Halves;

/// Returns the board after a turn: its symbols with the changes that the answer names.
fn changed(board: &str, turn: &Json, piece: char) -> String {
    let mut symbols: Vec<char> = board.chars().collect();
    let numbers = |field: &str| -> Vec<usize> { serde_json::from_value(turn[field].clone()).unwrap() };
    let (squares, taken) = (numbers("squares"), numbers("taken"));
    let leaves = turn["move"]
        .as_str()
        .unwrap()
        .ends_with(|last: char| last.is_ascii_uppercase());
    for square in &taken {
        assert_eq!(std::mem::replace(&mut symbols[*square], '.'), 'o', "{turn}");
    }
    if let (Some(ball), false) = (symbols.iter().position(|&symbol| symbol == '@'), taken.is_empty()) {
        symbols[ball] = '.';
    }
    if let (Some(&last), false) = (squares.last(), leaves) {
        let symbol = if taken.is_empty() { piece } else { '@' };
        assert_eq!(std::mem::replace(&mut symbols[last], symbol), '.', "{turn}");
    }
    symbols.into_iter().collect()
}

/// Writes the digits of a pitch as empty points, without its rows.
fn spread(notation: &str) -> String {
    let rows = notation
        .split(' ')
        .next()
        .unwrap()
        .chars()
        .filter(|&symbol| symbol != '/');
    rows.map(|symbol| {
        symbol
            .to_digit(10)
            .map_or(symbol.to_string(), |count| ".".repeat(count as usize))
    })
    .collect()
}

#[tokio::test]
async fn the_squares_lead_to_the_positions_of_the_turns() {
    let server = server("tables".as_ref());
    for (position, piece) in [
        ("o@o.o.o....", 'o'),
        ("oo.o@o.oo_R", 'o'),
        ("3/2o/1o1/3/1@1/o1o/3", 'o'),
        ("1o1/o2/3/o1o/1oo/@o1/o2_B", 'o'),
        ("obstruction:x..../...../.....", 'x'),
    ] {
        let board = get(&server, &format!("/api/board?position={position}"))
            .await
            .json();
        let more = if piece == 'x' { "&nimbers=true" } else { "" };
        let answer = get(&server, &format!("/api/probe?position={position}{more}"))
            .await
            .json();
        let start = board["position"].as_str().unwrap().replace("obstruction:", "");
        let boards: BTreeMap<_, _> = (board["turns"].as_array().unwrap().iter())
            .map(|turn| (turn["move"].to_string(), turn))
            .collect();
        let moves = answer["turns"].as_array().unwrap();
        assert_eq!(moves.len(), boards.len(), "{position}");
        for turn in moves {
            let found = boards[&turn["move"].to_string()];
            let after = turn["position"].as_str().unwrap().replace("obstruction:", "");
            assert_eq!(changed(&spread(&start), found, piece), spread(&after), "{turn}");
            if piece == 'o' {
                assert_eq!(found["winner"].is_string(), turn["depth"] == 1, "{turn}");
                let wins = found["winner"] == answer["side"];
                assert!(
                    !found["winner"].is_string() || wins == (turn["value"] == "win"),
                    "{turn}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_detour_leads_to_the_board_of_its_turn() {
    let server = server("tables".as_ref());
    for (start, count) in [("1o2/ooo1/1o@1/3o/o1oo", 8), ("3/3/2o/1o1/3/@2/3", 0)] {
        let board = get(&server, &format!("/api/board?position={start}")).await.json();
        let detours = board["detours"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(detours.len(), count, "{start}");
        for detour in detours {
            let moves = board["turns"].as_array().unwrap();
            let listed = moves.iter().find(|turn| turn["move"] == detour["same"]).unwrap();
            assert_ne!(listed["move"], detour["move"]);
            let [one, other] = [listed, detour].map(|turn| changed(&spread(start), turn, 'o'));
            assert_eq!((one, &listed["winner"]), (other, &detour["winner"]), "{detour}");
        }
    }
}

#[tokio::test]
async fn turns_are_played_one_after_the_other() {
    let server = server("tables".as_ref());
    let play = async |query: &str| get(&server, &format!("/api/board?position={query}")).await;
    let answer = play("o@o.o.o....&turns=@5,o4").await.json();
    assert_eq!(
        answer["played"],
        json!([
            {"move": "@5", "squares": [3, 5], "taken": [2, 4]},
            {"move": "o4", "squares": [4], "taken": []},
        ])
    );
    assert_eq!(answer["position"], "o...o@o....");
    let over = play("o@o.o.o....&turns=@L").await.json();
    assert_eq!(
        over["played"],
        json!([{"move": "@L", "squares": [], "taken": [0], "winner": "right"}])
    );
    assert_eq!((&over["position"], &over["turns"]), (&Json::Null, &json!([])));
    let marked = play("obstruction:3x6&turns=r2c2,r2c5").await.json();
    assert_eq!(marked["played"][1]["winner"], "first");
    let parts = play("obstruction:..x....").await.json();
    assert_eq!(parts["parts"], json!([[0], [4, 5, 6]]));
    for (query, words) in [
        ("o@o.o.o....&turns=@L,o3", "turn 2: the game is over"),
        ("o@o.o.o....&turns=o9,o9", "turn 2: o9 is not a legal turn"),
        ("o@o.o.o....&turns=hello", "turn 1: "),
        ("3/1@1/3&turns=a1-a2", "turn 1: 'a1-a2' begins on a1"),
        (
            "obstruction:3x3&turns=r1c1,r1c2",
            "turn 2: 'r1c2' is not a free square",
        ),
        ("obstruction:3x3%2B1x4", "rectangles of Obstruction"),
        ("oddish:..o^o.", "rectangles of Obstruction"),
        ("obstruction:misere:3x3", "in normal play"),
        ("obstruction:1x200", "at most 128 squares"),
    ] {
        play(query).await.refused(400, words);
    }
    play(&format!(".@{}", ".".repeat(999)))
        .await
        .refused(400, "at most 1000");
    let longest = play(&format!(".@{}", "o.".repeat(499))).await;
    assert_eq!(longest.status, 200, "{}", longest.text.len());
}

#[test]
fn the_words_agree_with_every_winner() {
    for length in 3..=9 {
        for ball in 1..length - 1 {
            for stones in 0..1usize << (length - 1) {
                let stone = |square: usize| stones >> (square - usize::from(square > ball)) & 1 == 1;
                let symbol = |square| match square {
                    _ if square == ball => '@',
                    _ if stone(square) => 'o',
                    _ => '.',
                };
                let board: String = (0..length).map(symbol).collect();
                for side in ["L", "R"] {
                    let position: Position = format!("{board} {side}").parse().unwrap();
                    let halves = BoardAnswer::after(&position, &[]).unwrap().halves.unwrap();
                    let Position::Phutball(Phutball::Strip(strip)) = &position else {
                        unreachable!("a strip");
                    };
                    let winner = phutbase_solution::winner(strip);
                    let words = halves.words.to_lowercase();
                    assert!(
                        words.starts_with(&format!("{} wins: ", winner.word())),
                        "{position}: {words}"
                    );
                    let is_won = winner == strip.side();
                    let relation = if is_won { "at least" } else { "less than" };
                    let others = ["leads by", "although it is worth less"];
                    assert!(
                        words.contains(relation) || others.iter().any(|other| words.contains(other)),
                        "{position}: {words}"
                    );
                }
            }
        }
    }
}
