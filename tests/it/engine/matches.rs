//! Matches as cutegames plays them: between players of the program, and with the example engines.

use super::ugi::Engine;
use crate::common::cli::{Run, phutbase};
use crate::common::tools::python;
use phutbase::games::pitch::{After, Pitch};
use std::time::{Duration, Instant};

/// One game, asked for as cutegames does: before every turn both engines are told the position, and must agree.
fn game(
    first: &mut Engine,
    second: &mut Engine,
    start: &str,
    go: &str,
    most: usize,
) -> (String, Vec<String>) {
    let mut moves: Vec<String> = Vec::new();
    first.send("uginewgame");
    second.send("uginewgame");
    while moves.len() <= most {
        let told = match moves.is_empty() {
            true => format!("position {start}"),
            false => format!("position {start} moves {}", moves.join(" ")),
        };
        let mut both = |question: &str| {
            let answers = [&mut *first, &mut *second].map(|engine| {
                engine.send(&told);
                engine.ask(&format!("query {question}"), "response")
            });
            assert_eq!(answers[0], answers[1], "{question} after {told}");
            answers[0].clone()
        };
        let first_moves = both("p1turn");
        if both("gameover") == "true" {
            return (both("result"), moves);
        }
        assert_eq!(both("result"), "none");
        let mover = if first_moves == "true" {
            &mut *first
        } else {
            &mut *second
        };
        moves.push(mover.ask(go, "bestmove"));
    }
    panic!("no end after {} turns", moves.len());
}

#[test]
fn perfect_play_takes_as_long_as_the_papers_position_does() {
    // Position (1) of Grossman & Nowakowski, won in 13 plies; (2) is lost.
    let (mut first, mut second) = (Engine::new("ugi"), Engine::new("ugi"));
    let (result, moves) = game(&mut first, &mut second, "fen o@o.o.o.... L", "go movetime 50", 99);
    assert_eq!((result.as_str(), moves.len()), ("p1win", 13), "{moves:?}");
    let (result, _) = game(&mut first, &mut second, "fen o@o.ooo.... L", "go movetime 50", 99);
    assert_eq!(result, "p2win");
}

/// How a game on a pitch has ended, by the rules alone: whose goal the ball is in, or a position that came up three times.
fn result_by_the_rules(start: &str, moves: &[String]) -> &'static str {
    let mut met: Vec<Pitch> = vec![start.parse().unwrap()];
    for (number, turn) in moves.iter().enumerate() {
        let position = met[met.len() - 1];
        match position.after(&position.parse_turn(turn).unwrap()) {
            After::Position(next) => met.push(next),
            After::Over { winner, .. } => {
                assert_eq!(number + 1, moves.len(), "nothing follows the end");
                return ["p1win", "p2win"][winner as usize];
            }
        }
        let times = met.iter().filter(|other| *other == &met[met.len() - 1]).count();
        assert_eq!(
            times == 3,
            number + 1 == moves.len(),
            "the third time ends the game, and nothing else"
        );
    }
    "draw"
}

#[test]
fn matches_end_whoever_plays() {
    let clocks = "go p1time 2000 p2time 2000 p1inc 20 p2inc 20";
    let players = ["perfect", "potential", "random"];
    for (number, one) in players.into_iter().enumerate() {
        for other in players {
            let seed = |player: &str| format!("ugi --player {player} --seed {number}");
            let mut first = Engine::new(&seed(one));
            let mut second = Engine::new(&seed(other));
            let (result, moves) = game(&mut first, &mut second, "startpos", clocks, 2000);
            // The player to move wins the empty strip of 21 squares.
            if one == "perfect" {
                assert_eq!(result, "p1win", "{moves:?}");
            }
            let pitch = "5/5/5/2@2/5/5/5 A";
            let fen = format!("fen {pitch}");
            let (result, moves) = game(&mut first, &mut second, &fen, "go nodes 2000", 2000);
            assert_eq!(result, result_by_the_rules(pitch, &moves), "{moves:?}");
        }
    }
}

#[test]
fn the_python_example_plays_a_match() {
    let program = env!("CARGO_BIN_EXE_phutbase");
    let engines = ["", " --player potential"].map(|player| format!("'{program}' ugi 15{player}"));
    let [first, second] = &engines;
    let Some(run) = python(&[
        "examples/ugi_match.py",
        "--games",
        "4",
        "--movetime",
        "50",
        first,
        second,
    ]) else {
        return;
    };
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(
        run.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert_eq!(
        said.lines().filter(|line| line.starts_with("game ")).count(),
        4,
        "{said}"
    );
    assert!(
        said.lines().last().unwrap().contains(" losses, 0 draws for "),
        "{said}"
    );
}

#[test]
fn a_match_ends_when_an_engine_does_not_answer() {
    let program = env!("CARGO_BIN_EXE_phutbase");
    let engine = format!("'{program}' ugi 9");
    for (other, reason) in [
        ("sh -c 'sleep 1000'", "no 'ugiok' within 0.5 s"),
        ("sh -c 'exit 0'", "ended before 'ugiok' came"),
        ("no-such-engine", "No such file"),
        (
            "sh -c 'read x; echo ugiok; read x; echo readyok; exec sleep 1000'",
            "no 'response' within 0.5 s",
        ),
    ] {
        let begun = Instant::now();
        let Some(run) = python(&["examples/ugi_match.py", "--timeout", "0.5", &engine, other]) else {
            return;
        };
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{said}");
        assert!(
            said.contains(reason) && said.lines().count() == 1,
            "{other}: {said}"
        );
        assert!(begun.elapsed() < Duration::from_secs(20), "{other}");
    }
}

#[test]
fn the_sample_engine_makes_only_legal_turns_and_wins_where_it_can() {
    let engine = ["python3", "examples/sample_engine.py"];
    if python(&["-c", ""]).is_none() {
        return;
    }
    let run: Run = (phutbase("test-engine 3..14 --sample 20 --json --"))
        .args(engine)
        .output()
        .unwrap()
        .into();
    let lines = run.json_lines();
    let all = &lines[lines.len() - 1];
    assert_eq!((&all["illegal"], &all["failed"]), (&0.into(), &0.into()), "{all}");
    assert!(all["score"].as_f64().unwrap() > 90.0, "{all}");
    // Turns in a row, and a win at once.
    let mut engine = Engine::of({
        let mut command = std::process::Command::new("python3");
        command.arg("examples/sample_engine.py");
        command
    });
    engine.send("position fen .@oo.o L moves o4 o0");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "@R");
    engine.send("position startpos moves o11");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "o9");
}
