//! `phutbase stats`.

use crate::common::cli::{Tables, run};
use crate::common::{pinned_depths, pinned_totals};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

#[test]
fn one_table_has_the_pinned_counts_of_every_length() {
    let tables = Tables::made("14");
    let lines = tables.run("stats --json").ok().json_lines();
    assert_eq!(lines.len(), 12, "lengths 3 to 14");
    for (line, totals) in lines.iter().zip(pinned_totals()) {
        let length = totals.length;
        let field = |name: &str| line[name].as_u64().unwrap();
        assert_eq!(
            [&line["game"], &line["boards"], &line["metric"], &line["file"]],
            [
                &json!("strip"),
                &json!(length.to_string()),
                &json!("dtw"),
                &json!("strip-14-dtw.phut")
            ]
        );
        assert_eq!(field("positions"), (length as u64 - 2) << (length - 1));
        let found = ["wins", "losses", "draws", "longest"].map(field);
        assert_eq!(
            found,
            [totals.wins, totals.losses, totals.draws, totals.longest],
            "length {length}"
        );
        assert_eq!(field("bytes"), std::fs::metadata(tables.dtw(14)).unwrap().len());
        let [win, loss] = ["longest_win", "longest_loss"].map(field);
        assert_eq!(
            (win.max(loss), win % 2, loss % 2),
            (totals.longest, 1, 0),
            "{line}"
        );
        // Alone, a length is shown with fields that have to be counted.
        let mut details = tables.run(&format!("stats --json {length}")).json();
        let object = details.as_object_mut().unwrap();
        assert_eq!(object.remove("mutual_draws"), Some(json!(0)), "length {length}");
        assert!(object.remove("depths").unwrap().is_object());
        assert!(object.remove("longest_win_example").unwrap().is_string());
        assert_eq!(details, *line);
    }
}

#[test]
fn depths_are_the_pinned_ones_and_the_example_is_a_longest_win() {
    let tables = Tables::made("12");
    let pinned = pinned_depths();
    for length in 3..=12 {
        let line = tables.run(&format!("stats --json {length}")).json();
        let depths = line["depths"].as_object().unwrap().iter();
        let depths: BTreeMap<u16, u64> = depths
            .map(|(plies, count)| (plies.parse().unwrap(), count.as_u64().unwrap()))
            .collect();
        assert!(
            pinned.get(&length).is_none_or(|pinned| depths == *pinned),
            "length {length}"
        );
        assert_eq!(depths.values().sum::<u64>(), line["positions"], "length {length}");
        let longest_win = depths.keys().rev().find(|&plies| plies % 2 == 1).unwrap();
        assert_eq!(line["longest_win"], *longest_win);
        let answer = tables.probe(line["longest_win_example"].as_str().unwrap());
        assert_eq!(answer["position"].as_str().unwrap().len(), length);
        let found = (&answer["side"], &answer["value"], &answer["depth"]);
        assert_eq!(found, (&json!("left"), &json!("win"), &line["longest_win"]));
    }
    assert!(pinned.contains_key(&8) && pinned.contains_key(&12));
}

#[test]
fn the_text_has_a_row_for_each_length_and_for_one_length_its_depths() {
    let tables = Tables::made("12");
    let text = tables.run("stats 3..12").ok().stdout;
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let heading = [
        "boards",
        "positions",
        "wins",
        "losses",
        "draws",
        "longest",
        "size",
    ];
    assert_eq!(rows[0], heading);
    for (row, length) in rows[1..11].iter().zip(3..) {
        assert_eq!(row[0], length.to_string(), "{text}");
    }
    assert_eq!(
        rows[10][..6],
        ["12", "20,480", "14,352", "6,128", "0", "19"],
        "{text}"
    );

    let text = tables.run("stats 12").ok().stdout;
    for row in ["1 5,390 wins", "2 2,695 losses", "19 1 wins"] {
        let same = |line: &str| line.split_whitespace().eq(row.split(' '));
        assert!(text.lines().any(same), "{row} in {text}");
    }
}

#[test]
fn a_range_past_the_table_is_refused_before_anything_is_printed() {
    let tables = Tables::made("12");
    for arguments in ["stats 3..40", "stats 3..40 --json", "stats 40"] {
        let run = tables.run(arguments);
        run.refuses(1, &["generate 40"]);
    }
}

#[test]
fn a_table_of_who_wins_has_counts_and_no_depths() {
    let tables = Tables::made("13 --metric wdl");
    let line = tables.run("stats 12 --json").json();
    let counts = ["metric", "wins", "losses", "draws"].map(|field| &line[field]);
    assert_eq!(counts, [&json!("wdl"), &json!(14352), &json!(6128), &json!(0)]);
    for field in [
        "longest",
        "longest_win",
        "longest_loss",
        "longest_win_example",
        "depths",
    ] {
        assert_eq!(line.get(field), Some(&Json::Null), "{field}");
    }
    tables
        .run("stats 12 --ball 3")
        .refuses(1, &["generate 12 --metric dtw --tables"]);
}

#[test]
fn without_tables_stats_and_verify_name_the_command() {
    let tables = Tables::none();
    for command in ["stats", "stats --json", "verify", "verify --json"] {
        let run = tables.run(command);
        let option = format!(" --tables '{}'", tables.path().display());
        assert!(
            run.refusal(1).contains("phutbase generate ") && run.stderr.contains(&option),
            "{run:?}"
        );
    }
}

/// Depths come before who wins, then the smallest table that is long enough.
#[test]
fn the_smallest_sufficient_table_with_depths_answers() {
    let tables = Tables::made("8");
    for boards in ["10", "9 --metric wdl", "12 --metric wdl"] {
        tables.run(&format!("generate {boards}")).ok();
    }
    let lines = tables.run("stats --json").ok().json_lines();
    let of = |line: &Json| line["file"].as_str().unwrap().to_string();
    let files: Vec<String> = lines.iter().map(of).collect();
    let expected = [
        vec!["strip-8-dtw.phut"; 6],
        vec!["strip-10-dtw.phut"; 2],
        vec!["strip-12-wdl.phut"; 2],
    ];
    assert_eq!(files, expected.concat());
    let longest_with_depths = ".@........";
    assert!(tables.probe(longest_with_depths)["depth"].is_number());
    // Longer strips have depths in the embedded table.
    assert!(tables.probe(".@..........")["depth"].is_number());
    assert_eq!(run("stats 3..128 --json").ok().json_lines().len(), 126);
}
