//! `phutbase export`, and the counts of `stats` for one ball square and as sequences, compared with
//! the reference solver and pinned numbers.

use crate::prelude::*;
use phutbase_ask::export::{ExportSource, Format};

/// The rows of a length in the format of the CSV file.
fn expected(length: usize) -> Vec<String> {
    let game = StripGame::new(length).unwrap();
    (0..)
        .zip(reference_values(length, Rules::Ordinary))
        .map(|(index, &value)| {
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
    let tables = Tables::embedded();
    tables.run("export 5x3 --format npy --out 5x3.npy").ok();
    let bytes = std::fs::read(tables.path().join("5x3.npy")).unwrap();
    let wins = bytes[128..].chunks_exact(2).filter(|pair| pair[0] == 1).count();
    let stats = run("stats 5x3 --json").json();
    let found = json!([(bytes.len() - 128) / 2, wins]);
    assert_eq!(fields(&stats, "positions wins"), found);
}

#[test]
fn without_depths_their_column_is_empty() {
    let tables = Tables::made("12 --metric wdl");
    let tablebase = Tablebase::open(tables.path()).unwrap();
    let sets = tablebase.ask_strips(9, None, Ok).unwrap().sets(9).unwrap();
    let source = ExportSource::strip(&sets).unwrap();
    let written = |format| {
        let mut bytes = Vec::new();
        let job = Job::default();
        source.write(format, &mut bytes, &job).unwrap();
        assert_eq!(job.progress().done, source.positions);
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
    let tables = Tables::embedded();
    tables.run("export 9 --format npy --out 9.npy").ok();
    let bytes = std::fs::read(tables.path().join("9.npy")).unwrap();
    // NumPy format 1.0: magic bytes, version, header length, and a header padded to a multiple of
    // 64.
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(header % 64, 0);
    let text = std::str::from_utf8(&bytes[10..header]).unwrap();
    let expected =
        "{'descr': [('outcome', '|i1'), ('depth', '|u1')], 'fortran_order': False, 'shape': (7, 256), }";
    assert_eq!((text.trim_end(), text.ends_with('\n')), (expected, true));
    let values = reference_values(9, Rules::Ordinary).iter();
    let expected = values.flat_map(|value| match value {
        Value::Win(depth) => [1, depth.0 as u8],
        Value::Loss(depth) => [255, depth.0 as u8],
        Value::Draw => [0, 0],
    });
    assert!(bytes[header..].iter().copied().eq(expected));
}

#[test]
fn depths_by_ball_are_those_of_the_reference() {
    let length = 10;
    let game = StripGame::new(length).unwrap();
    let mut counts: Vec<BTreeMap<u16, u64>> = vec![BTreeMap::new(); length];
    for (index, value) in (0..).zip(reference_values(length, Rules::Ordinary)) {
        let strip: Strip = game.position(index);
        *counts[strip.ball()].entry(value.depth().unwrap().0).or_default() += 1;
    }
    let exact = Tables::made("10");
    for (ball, expected) in counts.iter().enumerate().take(length - 1).skip(1) {
        // From the table of 36 squares and from one of 10.
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
}

#[test]
fn sequences_are_the_pinned_ones() {
    let pinned = pinned_totals();
    type Term = fn(&phutbase_fixtures::values::Totals) -> u64;
    let terms: [(&str, Term); 4] = [
        ("wins", |totals| totals.wins),
        ("losses", |totals| totals.losses),
        ("draws", |totals| totals.draws),
        ("longest", |totals| totals.longest),
    ];
    for (name, term) in terms {
        let line =
            |totals: &phutbase_fixtures::values::Totals| format!("{} {}\n", totals.length, term(totals));
        let lines: String = pinned.iter().map(line).collect();
        let last = pinned.last().unwrap().length;
        assert_eq!(
            run(&format!("stats 3..{last} --bfile {name}")).ok().stdout,
            lines,
            "{name}"
        );
    }
    // Without a range: every length of the table; for depths, of a table with depths.
    let tables = Tables::made("5");
    tables.run("generate 7 --metric wdl").ok();
    for (sequence, lengths) in [("longest-win", 3), ("wins", 5)] {
        let text = tables.run(&format!("stats --bfile {sequence}")).ok().stdout;
        assert_eq!(text.lines().count(), lengths, "{text}");
    }
    let short = tables.run("stats 3..7 --bfile longest");
    short.fails(1, &["phutbase generate 6 --metric dtw"]);
}
