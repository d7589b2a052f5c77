//! `phutbase test-engine`: the claims of an engine, strips beyond the tables, and positions with a
//! single winning turn.

use super::test_engine::{scripted, test_engine, test_player_with, wrongs_and_total};
use crate::prelude::*;

/// A script that answers every 'go' for one position with `info` and the turn that wins at once.
fn claiming(info: &str) -> [String; 3] {
    scripted(&format!("echo info {info}; echo bestmove @R"))
}

/// Left wins `.@o` at once by the jump `@R`.
#[test]
fn false_claims_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let junit = directory.path().join("results.xml");
    for (info, fault) in [
        ("depth 1 score mate 1 pv @R", None),
        ("depth 1 score cp 10 pv o0 @R", None),
        ("depth 1 score cp 10 lowerbound pv o99", None),
        ("depth 1 multipv 2 score mate -1 pv o99", None),
        ("string score mate -1", None),
        // It wins in one turn: a win in two turns is no lie.
        ("depth 1 score mate 2 pv @R", None),
        (
            "depth 1 score mate -1",
            Some("'score mate -1' where the position is a win in 1"),
        ),
        (
            "depth 3 score cp 5 pv o0 o9",
            Some("'o0 o9' ends with an illegal turn"),
        ),
        (
            "depth 3 score cp 5 pv @R o0",
            Some("'@R o0' goes on after the end"),
        ),
    ] {
        let run = test_engine(
            &format!(
                "3 --all --json --limit 100 --junit {} --engine timemargin=1min",
                junit.display()
            ),
            &claiming(info),
        );
        let (wrongs, _) = wrongs_and_total(&run);
        let won = (wrongs.iter()).find(|wrong| wrong["position"] == ".@o");
        let message = won.map(|wrong| wrong["message"].as_str().unwrap());
        match fault {
            None => assert_eq!(message, None, "{info}"),
            Some(fault) => {
                has(message.unwrap_or_default(), &[fault]);
                has(&std::fs::read_to_string(&junit).unwrap(), &["type=\"claim\""]);
            }
        }
    }
}

/// In `.@.` Left wins in 3 plies (`probe`): a win in one turn is a lie, and a line in which Left gives
/// up the win too.
#[test]
fn claims_of_a_win_are_held_against_depths_and_lines() {
    for (info, fault) in [
        ("score mate 2 pv o2 o0 @R", None),
        (
            "score mate 1",
            Some("'score mate 1' where the position is a win in 3"),
        ),
        ("score mate 2 pv o0", Some("'o0' gives up the win that it claims")),
    ] {
        let run = test_engine(
            "3 --all --json --limit 100 --engine timemargin=1min",
            &scripted(&format!("echo info {info}; echo bestmove o2")),
        );
        let (wrongs, total) = wrongs_and_total(&run);
        assert!(total["false_claims"].as_u64() > Some(0), "{total}");
        let won = (wrongs.iter()).find(|wrong| wrong["position"] == ".@.");
        let message = won.map(|wrong| wrong["message"].as_str().unwrap());
        match fault {
            None => assert_eq!(message, None, "{info}"),
            Some(fault) => has(message.unwrap_or_default(), &[fault]),
        }
    }
}

/// Without tables the solution chooses the turns, and the lines that it shows keep the win.
#[test]
fn the_solution_claims_nothing_false() {
    let keys = "option.tables=false depth=9 timeout=1min";
    test_player_with(keys, "11 --sample 3000", "perfect").ok();
}

/// Beyond the tables the solution judges the turns.
#[test]
fn strips_beyond_the_tables_are_tested() {
    let tables = Tables::made("9 --metric wdl");
    let program = env!("CARGO_BIN_EXE_phutbase");
    let run = |player: &str| {
        let mut command = tables.phutbase("test-engine 14..15 --sample 200 --json --limit 1000");
        command.args(["--engine", "timemargin=1min"]);
        command.args(["--", program, "ugi", "--player", player, "--seed", "3"]);
        Run::from(command.output().unwrap())
    };
    let (wrongs, total) = wrongs_and_total(&run("random"));
    let count = |field: &str| total[field].as_u64().unwrap();
    assert_eq!(count("positions"), 200);
    assert!(count("blunders") > 5, "{total}");
    // The tables with depths, which this test does not use, have the values.
    for wrong in wrongs {
        let position = wrong["position"].as_str().unwrap();
        assert_eq!(run_with("probe --json", position).json()["value"], wrong["value"]);
        let after = wrong["move"].as_str().unwrap();
        let probed = run_with("probe --json", position).json();
        let moves = probed["turns"].as_array().unwrap();
        let made = moves.iter().find(|turn| turn["move"] == after).unwrap();
        assert_eq!(made["value"], "loss", "{wrong}");
    }
}

/// Above 10,000 squares turns are not listed: the engine's own is judged.
#[test]
fn strips_of_any_length_are_tested() {
    let run = |options: &str, turn: &str| {
        let run = test_engine(
            &format!("{options} --json --engine st=5s timemargin=1min"),
            &scripted(turn),
        );
        let (wrongs, total) = wrongs_and_total(&run);
        (wrongs, fields(&total, "positions blunders illegal"))
    };
    test_player_with("st=5s", "3..20000 --sample 9", "perfect").ok();
    let (_, counts) = run("10001 --sample 4 --seed 1", "echo bestmove o20000");
    assert_eq!(counts, json!([4, 0, 4]));
    // A stone on square 0 gives up a win, unless a stone or the single winning turn is there.
    let (wrongs, counts) = run("10001 --sample 12 --seed 1 --single", "echo bestmove o0");
    let illegal = counts[2].as_u64().unwrap();
    assert!(counts[1].as_u64() > Some(0) && illegal < 12, "{counts}");
    for wrong in wrongs {
        let position = wrong["position"].as_str().unwrap();
        let probed = run_with("probe --json", position).json();
        assert_eq!(probed["value"], wrong["value"]);
        if wrong["outcome"] == "blunder" {
            assert_eq!(wrong["value"], "win");
            let next = format!("o{}", &position[1..].trim_end_matches(" R"));
            let next = format!("{next}{}", if position.ends_with('R') { "" } else { " R" });
            assert_eq!(
                run_with("probe --json", &next).json()["value"],
                "win",
                "{position}"
            );
        }
    }
}

#[test]
fn positions_with_a_single_winning_turn_are_asked_for() {
    for (boards, count) in [
        ("3..40 --sample 100", 100),
        ("300..900 --sample 20", 20),
        ("5x3 --sample 30", 30),
    ] {
        let keys = "--json --limit 1000 --single --seed 2";
        let (wrongs, total) = wrongs_and_total(&test_player_with("", &format!("{boards} {keys}"), "random"));
        assert_eq!(
            fields(&total, "positions matters"),
            json!([count, count]),
            "{boards}"
        );
        assert!(wrongs.len() > count / 3, "{total}");
        for wrong in wrongs {
            let probed = run_with("probe --json", wrong["position"].as_str().unwrap()).json();
            let turns = probed["turns"].as_array().unwrap();
            let wins = turns.iter().filter(|turn| turn["value"] == "win");
            let wins: Vec<&Json> = wins.map(|turn| &turn["move"]).collect();
            assert_eq!(json!(wins), wrong["expected"], "{wrong}");
        }
    }
    // All of them: by `probe` of every position.
    let all = wrongs_and_total(&test_player_with("", "4 --all --single --json", "perfect").ok()).1;
    let boards = (0..32).flat_map(|number: u32| {
        let squares = (0..4).map(move |square| if number >> square & 1 == 1 { 'o' } else { '.' });
        let board: Vec<char> = squares.collect();
        let ball = 1 + (number as usize >> 4);
        let mut board = board;
        let is_free = board[ball] == '.';
        board[ball] = '@';
        [" L", " R"].map(move |side| is_free.then(|| board.iter().collect::<String>() + side))
    });
    let singles = boards.flatten().filter(|board| {
        let turns = run_with("probe --json", board).json()["turns"].clone();
        let wins = turns
            .as_array()
            .unwrap()
            .iter()
            .filter(|turn| turn["value"] == "win");
        wins.count() == 1
    });
    assert_eq!(all["positions"], singles.count());
}
