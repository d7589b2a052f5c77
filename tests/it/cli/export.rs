//! `phutbase export`, and the counts of `stats` for one ball square and as sequences, against the reference solver and pinned numbers.

use crate::common::cli::{Tables, run};
use crate::common::pinned_totals;
use phutbase::export::{Format, Source};
use phutbase::game::Game;
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::Value;
use phutbase::solve::reference;
use phutbase::table::tablebase::Tablebase;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

/// The rows of a length in the words of the CSV file.
fn expected(length: usize) -> Vec<String> {
    let game = StripGame::new(length).unwrap();
    (0..)
        .zip(reference::solve(&game))
        .map(|(index, value)| {
            let position = game.position(index).to_string();
            let (ball, stones) = (position.find('@').unwrap(), position.matches('o').count());
            match value {
                Value::Win(depth) => format!("{position},{ball},{stones},win,{depth}"),
                Value::Loss(depth) => format!("{position},{ball},{stones},loss,{depth}"),
                Value::Draw => format!("{position},{ball},{stones},draw,"),
            }
        })
        .collect()
}

#[test]
fn csv_has_a_line_for_each_position() {
    for length in [3, 9] {
        let text = run(&format!("export {length} --format csv")).ok().stdout;
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "position,ball,stones,value,depth");
        assert_eq!(lines[1..], expected(length));
    }
    // RULES: of the 15,728,640 positions of the smallest drawn pitch 32 are drawn.
    let tables = Tables::none();
    let file = tables.path().join("7x3.npy");
    run(&format!("export 7x3 --format npy --out {}", file.display())).ok();
    let bytes = std::fs::read(file).unwrap();
    let draws = bytes[128..].chunks_exact(2).filter(|pair| *pair == [0, 0]);
    assert_eq!((bytes.len(), draws.count()), (128 + 2 * 15_728_640, 32));
}

#[test]
fn without_depths_their_column_is_empty() {
    let tables = Tables::made("12 --metric wdl");
    let tablebase = Tablebase::open(tables.path()).unwrap();
    let sets = tablebase.best(9).unwrap().sets(9).unwrap();
    let source = Source::strip(&sets).unwrap();
    let written = |format| {
        let mut bytes = Vec::new();
        let done = AtomicU64::new(0);
        source.write(format, &mut bytes, &done).unwrap();
        assert_eq!(done.into_inner(), source.positions());
        bytes
    };
    let text = String::from_utf8(written(Format::Csv)).unwrap();
    for (line, expected) in text.lines().skip(1).zip(expected(9)) {
        assert_eq!(
            line,
            expected.trim_end_matches(|digit: char| digit.is_ascii_digit())
        );
    }
    let bytes = written(Format::Npy);
    assert!(bytes[10..].starts_with(b"{'descr': '|i1', 'fortran_order': False, 'shape': (7, 256), }"));
    assert_eq!(bytes.len(), 128 + (7 << 8));
}

#[test]
fn npy_is_as_numpy_writes_it() {
    let tables = Tables::none();
    let file = tables.path().join("9.npy");
    tables
        .run(&format!("export 9 --format npy --out {}", file.display()))
        .ok();
    let bytes = std::fs::read(file).unwrap();
    // Format 1.0 of NumPy: magic bytes, version, length of the header, the header, which ends at a multiple of 64.
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + header) % 64, 0);
    let text = std::str::from_utf8(&bytes[10..10 + header]).unwrap();
    assert_eq!(
        text.trim_end(),
        "{'descr': [('outcome', '|i1'), ('depth', '|u1')], 'fortran_order': False, 'shape': (7, 256), }"
    );
    assert!(text.ends_with('\n'));
    let elements: Vec<String> = bytes[10 + header..]
        .chunks_exact(2)
        .map(|pair| match pair[0].cast_signed() {
            1 => format!("win,{}", pair[1]),
            -1 => format!("loss,{}", pair[1]),
            _ => "draw,".to_string(),
        })
        .collect();
    let expected: Vec<String> = (expected(9).iter())
        .map(|row| row.splitn(4, ',').nth(3).unwrap().to_string())
        .collect();
    assert_eq!(elements, expected);
}

#[test]
fn a_proof_has_the_boards_that_left_wins() {
    let length = 9;
    let tables = Tables::made("11 --metric wdl");
    let file = tables.path().join("9.txt");
    tables
        .run(&format!("export 9 --proof --out {}", file.display()))
        .ok();
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(tables.run("export 9 --proof").ok().stdout, text);
    let mut lines = text.lines();
    assert_eq!(
        [lines.next(), lines.next()],
        [Some("squares 9"), Some("levels 1")]
    );
    let roots: Vec<&str> = lines.next().unwrap().split(' ').collect();
    assert_eq!([roots[0], roots[2]], ["Left", "Right"]);
    let nodes: Vec<Vec<usize>> = lines
        .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
        .collect();
    let has = |root: &str, board: &str| {
        1 == board
            .bytes()
            .fold(root.parse().unwrap(), |at: usize, square| match (at, square) {
                (0 | 1, _) => at,
                (_, b'.') => nodes[at - 2][0],
                (_, b'o') => nodes[at - 2][1],
                _ => nodes[at - 2][2],
            })
    };
    let game = StripGame::new(length).unwrap();
    for (index, value) in (0..).zip(reference::solve(&game)) {
        let board = game.position(index).to_string();
        assert_eq!(has(roots[1], &board), matches!(value, Value::Win(_)), "{board} L");
        // Right wins a board with Left to move if Left wins its mirror image with Right to move.
        let mirrored: String = board.chars().rev().collect();
        assert_eq!(
            has(roots[3], &mirrored),
            matches!(value, Value::Loss(_)),
            "{mirrored} R"
        );
    }
}

#[test]
fn impossible_exports_are_refused() {
    let tables = Tables::none();
    for (arguments, code, word) in [
        ("export 3..5 --format csv", 2, "the strips of one length"),
        ("export oddish:5 --format csv", 2, "the strips of one length"),
        ("export 9 --format xls", 2, "csv, npy"),
        ("export 64 --format csv", 2, "phutbase find 64"),
        ("export 9..12 --proof", 2, "the strips of one length"),
        ("export 7x3 --proof", 2, "the strips of one length"),
        ("export 127 --proof", 1, "phutbase generate 127 --metric wdl"),
        (
            "export 9 --format csv --out no/such/directory/9.csv",
            3,
            "cannot make a file beside it",
        ),
    ] {
        let run = tables.run(arguments);
        run.fails(code, &[word]);
    }
    for (arguments, word) in [
        ("export 9 --format csv --proof", "cannot be used with"),
        ("export 9", "--format"),
    ] {
        let run = run(arguments);
        assert!(run.code == Some(2) && run.stderr.contains(word), "{run:?}");
    }
    // Some millions of gigabytes.
    let refused = run("export 40 --format npy --out strip-40.npy");
    refused.fails(3, &["free: choose another place"]);
}

#[test]
fn depths_by_ball_are_those_of_the_reference() {
    let length = 10;
    let game = StripGame::new(length).unwrap();
    let mut counts: Vec<BTreeMap<u16, u64>> = vec![BTreeMap::new(); length];
    for (index, value) in (0..).zip(reference::solve(&game)) {
        let strip: Strip = game.position(index);
        *counts[strip.ball()].entry(value.depth().unwrap().0).or_default() += 1;
    }
    let exact = Tables::made("10");
    for (ball, expected) in counts.iter().enumerate().take(length - 1).skip(1) {
        // By the table of 36 squares, and by one of 10.
        let command = format!("stats 10 --ball {ball} --json");
        for found in [run(&command), exact.run(&command)] {
            let found = found.json();
            let depths = found["depths"].as_object().unwrap();
            let depths: BTreeMap<u16, u64> = (depths.iter())
                .map(|(plies, count)| (plies.parse().unwrap(), count.as_u64().unwrap()))
                .collect();
            assert_eq!(depths, *expected, "ball {ball}");
            assert_eq!((&found["positions"], &found["draws"]), (&512.into(), &0.into()));
        }
    }
    let text = run("stats 10 --ball 4").ok().stdout;
    assert!(
        text.starts_with("512 positions, Left to move, the ball on square 4 of 10: "),
        "{text}"
    );
    for (arguments, word) in [
        ("stats 10 --ball 0", "squares 1 to 8"),
        ("stats 10 --ball 9", "squares 1 to 8"),
        (
            "stats 3..5 --ball 1",
            "--ball only applies to strips of one length",
        ),
        ("stats 7x3 --ball 1", "--ball only applies"),
        ("stats 9 --bfile wins --ball 1", "cannot be used with"),
    ] {
        let run = run(arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(word), "{run:?}");
    }
}

#[test]
fn sequences_are_the_pinned_ones() {
    let pinned = pinned_totals();
    for (name, term) in [
        (
            "wins",
            (|totals| totals.wins) as fn(&crate::common::Totals) -> u64,
        ),
        ("losses", |totals| totals.losses),
        ("draws", |totals| totals.draws),
        ("longest", |totals| totals.longest),
        ("positions", |totals| {
            (totals.length as u64 - 2) << (totals.length - 1)
        }),
    ] {
        let lines: String = (pinned.iter())
            .map(|totals| format!("{} {}\n", totals.length, term(totals)))
            .collect();
        let last = pinned.last().unwrap().length;
        assert_eq!(
            run(&format!("stats 3..{last} --bfile {name}")).ok().stdout,
            lines,
            "{name}"
        );
    }
    // Without a range, every length that a table holds; of depths, that a table with depths holds.
    let tables = Tables::made("5");
    tables.run("generate 7 --metric wdl").ok();
    for (sequence, lengths) in [("longest-win", 3), ("wins", 5)] {
        let text = tables.run(&format!("stats --bfile {sequence}")).ok().stdout;
        assert_eq!(text.lines().count(), lengths, "{text}");
    }
    let short = tables.run("stats 3..7 --bfile longest");
    short.fails(1, &["phutbase generate 6 --metric dtw"]);
    tables.run("stats 7x3 --bfile wins").fails(2, &["takes strips"]);
    tables.run("stats --bfile who").fails(2, &["longest-loss"]);
}
