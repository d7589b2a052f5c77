//! `phutbase probe --batch`: many positions at once, from a file or from standard input.

use crate::common::cli::{Run, Tables};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Runs a batch from a file `positions.txt` in the directory of tables.
fn batch(tables: &Tables, lines: impl AsRef<[u8]>) -> Run {
    let file = tables.path().join("positions.txt");
    std::fs::write(&file, lines).unwrap();
    tables.run_with("probe --batch", file.to_str().unwrap())
}

/// What a single probe says, without the turns.
fn single(tables: &Tables, position: &str) -> Json {
    let mut answer = tables.probe(position);
    answer.as_object_mut().unwrap().remove("moves").unwrap();
    answer
}

#[test]
fn answers_stand_in_the_order_of_the_lines_whatever_their_lengths() {
    let tables = Tables::made("11");
    let positions = [
        "o@o.o.o....",
        ".@.",
        ".@.o..o.. R",
        "o@o.oo....",
        ".@o L",
        "o@o.o.o....",
        "..@o.",
        ".@. R",
    ];
    let expected: Vec<Json> = positions
        .iter()
        .map(|position| single(&tables, position))
        .collect();
    let lines = format!(
        "\n{}\n\n  \t\n{}\r\n\n",
        positions[..4].join("\n"),
        positions[4..].join("\n\n")
    );
    let from_file = batch(&tables, &lines).ok();
    assert_eq!(from_file.json_lines(), expected);
    assert_eq!(from_file.stderr, "");
    assert!(
        expected
            .iter()
            .all(|answer| answer.as_object().unwrap().len() == 6),
        "{expected:?}"
    );

    let unended = lines.trim_end();
    for input in [&lines, unended] {
        let from_stdin = tables.run_on("probe --batch -", input.as_bytes()).ok();
        assert_eq!(from_stdin.stdout, from_file.stdout);
    }
    assert_eq!(
        tables
            .run_on("probe --json --batch -", lines.as_bytes())
            .ok()
            .stdout,
        from_file.stdout
    );
    assert_eq!(tables.run_on("probe --batch -", b"\n\n").ok().stdout, "");
}

#[test]
fn a_bad_line_is_answered_with_its_number_and_the_reason_and_the_others_are_not_lost() {
    let tables = Tables::made("5");
    // No table holds this length.
    let missing = format!(".@.\n{}@.\n", ".".repeat(125));
    let cases: [(&[u8], u64, &str); 7] = [
        (b".@.\n\n..x@.\n.@.\n", 3, "'x' on square 2"),
        (b"@..\n.@.\n", 1, "goal-line square 0"),
        (b".@.\n.@@.", 2, "two balls, on squares 1 and 2"),
        (b".@.\n.@. X\n", 2, "'X' after the board is not a side"),
        (b".@.\n.@.\n\xff\xfe\n", 3, "UTF-8"),
        (b".@.\n3/1@1/2 A\n", 2, "row 1 has 2 points"),
        (missing.as_bytes(), 2, "no table holds length 127"),
    ];
    for (lines, number, reason) in cases {
        let from_file = batch(&tables, lines);
        let from_stdin = tables.run_on("probe --batch -", lines);
        assert_eq!(from_file.stdout, from_stdin.stdout);
        from_file.fails(1, &["positions.txt: one line has no answer"]);
        from_stdin.fails(1, &["standard input: one line has no answer"]);
        let answers = from_file.json_lines();
        let written = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        assert_eq!(answers.len(), written.count());
        for answer in answers {
            match answer["error"].as_str() {
                Some(error) => {
                    assert_eq!(answer["line"], number, "{answer}");
                    assert!(error.contains(reason), "{answer}");
                }
                None => assert_eq!(
                    (&answer["position"], &answer["value"]),
                    (&".@.".into(), &"win".into())
                ),
            }
        }
    }
    // However long a line is, what is said of it is short.
    let long = [&vec![b'o'; 1 << 20][..], b"\n.@.\n"].concat();
    let answers = batch(&tables, long).json_lines();
    assert_eq!(
        (&answers[0]["line"], &answers[1]["value"]),
        (&1.into(), &"win".into())
    );
    assert!(answers[0]["error"].as_str().unwrap().len() < 500);
}

/// Each line is answered before the next is waited for.
#[test]
fn a_batch_is_a_conversation() {
    let tables = Tables::made("5");
    let mut command = tables.phutbase("probe --batch -");
    let mut child = (command.stdin(Stdio::piped()).stdout(Stdio::piped()))
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = BufReader::new(output).lines();
    for position in [".@.", "oddish:..o^o.", ".@..", "obstruction:1+2"] {
        writeln!(input, "{position}").unwrap();
        let answer: Json = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(
            answer["position"]
                .as_str()
                .unwrap()
                .replace("1x", "")
                .replace(' ', ""),
            position
        );
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let tables = Tables::made("3");
    let run = tables.run("probe --batch no-such-positions.txt");
    let message = run.refusal(3);
    assert!(
        message.starts_with("no-such-positions.txt: cannot open it: "),
        "{message}"
    );
}

/// The strips' values are [GN]'s, the pitch's [S]-style draw is one of the 32 that an independent program found.
#[test]
fn strips_and_pitches_may_stand_in_one_file() {
    let tables = Tables::made("11");
    for size in ["7x3", "5x3"] {
        tables.run(&format!("generate {size}")).ok();
    }
    let positions = [
        "o@o.o.o....",
        "3/3/2o/1o1/3/@2/3 A",
        "3/3/2o/1o1/3/@2/3 B",
        "o@o.ooo....",
        "3/1@1/1o1/1o1/3 B",
        "3/3/2o/1o1/3/@2/3",
    ];
    let answers = batch(&tables, positions.join("\n")).ok().json_lines();
    let values: Vec<&str> = answers
        .iter()
        .map(|answer| answer["value"].as_str().unwrap())
        .collect();
    assert_eq!(values, ["win", "draw", "win", "loss", "win", "draw"]);
    let expected: Vec<Json> = positions
        .iter()
        .map(|position| single(&tables, position))
        .collect();
    assert_eq!(answers, expected);
}
