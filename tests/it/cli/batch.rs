//! `phutbase probe --batch`: many positions at once, from a file or from standard input.

use crate::prelude::*;

/// Runs a batch from a file `positions.txt` in the directory of tables.
fn batch(tables: &Tables, lines: impl AsRef<[u8]>) -> Run {
    let file = tables.path().join("positions.txt");
    std::fs::write(&file, lines).unwrap();
    tables.run_with("probe --batch", file.to_str().unwrap())
}

/// The answer of a single probe, without turns.
fn single(tables: &Tables, position: &str) -> Json {
    let mut answer = tables.probe(position);
    answer.as_object_mut().unwrap().remove("turns");
    answer
}

#[test]
fn answers_stand_in_the_order_of_the_lines_whatever_their_game_and_length() {
    let tables = Tables::made("11");
    tables.run("generate 5x1").ok();
    let boards = "o@o.o.o....; .@.; .@.o..o.. R; 1/@/o/1/1 B; .@o L; o@o.o.o....; oddish:..o^o.; .@. R";
    let positions: Vec<&str> = boards.split("; ").collect();
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
    same_json("probe --batch", &from_file.json_lines().into(), &expected.into());
    assert_eq!(from_file.stderr, "");
    for (options, input) in [("", &lines[..]), ("--json", lines.trim_end())] {
        let from_stdin = tables.run_on(&format!("probe --batch - {options}"), input.as_bytes());
        same_output(options, &from_stdin.ok().stdout, &from_file.stdout);
    }
    assert_eq!(tables.run_on("probe --batch -", b"\n\n").ok().stdout, "");
}

#[test]
fn a_bad_line_is_answered_with_its_number_and_the_reason_and_the_others_are_not_lost() {
    let tables = Tables::made("5");
    let cases: [(&[u8], u64, &str); 4] = [
        (b".@.\n\n..x@.\n.@.\n", 3, "'x' in column 3"),
        (b".@.\n.@.\n\xff\xfe\n", 3, "UTF-8"),
        (b".@.\n3/1@1/2 A\n", 2, "row 1 has 2 points"),
        // No table has this pitch.
        (b".@.\n3/3/3/1@1/3/3/3/3 A\n", 2, "8x3"),
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
                Some(error) => assert!(answer["number"] == number && error.contains(reason), "{answer}"),
                None => assert_eq!(fields(&answer, "position value"), json!([".@.", "win"])),
            }
        }
    }
    // Error messages are short, even for long lines.
    let long = [&vec![b'o'; 1 << 20][..], b"\n.@.\n"].concat();
    let answers = batch(&tables, long).json_lines();
    assert_eq!(
        (&answers[0]["number"], &answers[1]["value"]),
        (&json!(1), &json!("win"))
    );
    assert!(answers[0]["error"].as_str().unwrap().len() < 500);
}

/// Each line is answered before the next is read.
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

/// Lines with pitches are answered as `probe --wins` answers them, one at a time.
#[test]
fn a_batch_lists_the_turns_that_win_at_once() {
    let won = "4o/2oo1/@2oo/oooo1/o3o B";
    let drawn = "3/3/2o/1o1/3/@2/3 A";
    let lines = format!("# pitches\n{won}\n{drawn}\n.@.\n");
    let tables = Tables::none();
    let run = tables.run_on("probe --batch - --wins", lines.as_bytes());
    run.fails(1, &["standard input: one line has no answer"]);
    let answers = run.json_lines();
    assert_eq!(answers[..1], [run_with("probe --wins --json", won).json()]);
    assert_eq!(
        fields(&answers[1], "position value turns complete"),
        json!([drawn, null, [], true])
    );
    assert_eq!(answers[2]["number"], 4);
    has(answers[2]["error"].as_str().unwrap(), &["pitches"]);
    let limited = tables
        .run_on("probe --batch - --wins --limit 1", won.as_bytes())
        .json();
    assert_eq!(limited["turns"].as_array().unwrap().len(), 1);
}
