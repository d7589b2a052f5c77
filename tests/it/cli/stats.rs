//! `phutbase stats`.

use crate::prelude::*;
use phutbase_fixtures::values::pinned_depths;

#[test]
fn one_table_has_the_pinned_counts_of_every_length() {
    let tables = Tables::made("14");
    let lines = tables.lines("stats");
    assert_eq!(lines.len(), 12, "lengths 3 to 14");
    for (line, totals) in lines.iter().zip(pinned_totals()) {
        let length = totals.length;
        let expected = json!(["strip", length.to_string(), "dtw", "strip-14-dtw.phut"]);
        assert_eq!(fields(line, "game boards metric name"), expected);
        let positions = totals.wins + totals.losses;
        let expected = json!([positions, totals.wins, totals.losses, 0, totals.longest]);
        assert_eq!(
            fields(line, "positions wins losses draws longest"),
            expected,
            "{length}"
        );
        let [win, loss] = ["longest_win", "longest_loss"].map(|field| line[field].as_u64().unwrap());
        assert_eq!(
            (win.max(loss), win % 2, loss % 2),
            (totals.longest, 1, 0),
            "{line}"
        );
        // A single length has more fields, which have to be counted.
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
fn a_table_without_depths_has_counts() {
    let tables = Tables::made("13 --metric wdl");
    let line = tables.run("stats 12 --json").json();
    assert_eq!(
        fields(&line, "metric wins losses draws"),
        json!(["wdl", 14352, 6128, 0])
    );
    for field in "longest longest_win longest_loss longest_win_example depths".split(' ') {
        assert_eq!(line.get(field), Some(&Json::Null), "{field}");
    }
    let with_ball = tables.run("stats 12 --ball 3 --json").json();
    // As the table with depths counts them.
    let known = run("stats 12 --ball 3 --json").json();
    for field in ["positions", "wins", "losses", "draws"] {
        assert_eq!(with_ball[field], known[field]);
    }
    assert_eq!(with_ball["depths"], json!({}));
}

/// Tables with depths come first, then the smallest that is long enough.
#[test]
fn the_smallest_sufficient_table_with_depths_answers() {
    let tables = Tables::made("8");
    for boards in ["10", "9 --metric wdl", "12 --metric wdl"] {
        tables.run(&format!("generate {boards}")).ok();
    }
    let lines = tables.lines("stats 3..14");
    let of = |line: &Json| line["name"].as_str().unwrap_or("none").to_string();
    let files: Vec<String> = lines.iter().map(of).collect();
    let expected = [
        vec!["strip-8-dtw.phut"; 6],
        vec!["strip-10-dtw.phut"; 2],
        vec!["strip-12-wdl.phut"; 2],
        vec!["none"; 2],
    ];
    assert_eq!(files, expected.concat());
    let longest_with_depths = ".@........";
    assert!(tables.probe(longest_with_depths)["depth"].is_number());
    // The embedded table of 36 squares has depths; with --tables it is not used.
    assert!(tables.probe(".@..........")["depth"].is_null());
    assert_eq!(run("stats 3..128 --json").ok().json_lines().len(), 126);
}

/// One length is answered as in a list: from the table that holds it, else by the count of the rule.
#[test]
fn one_length_has_the_counts_of_a_list() {
    for (length, metric) in [(50, "levels"), (64, "levels"), (65, "wdl")] {
        let alone = run(&format!("stats {length} --json")).json();
        let lines = run(&format!("stats {length}..{} --json", length + 1))
            .ok()
            .json_lines();
        let names = "boards metric name bytes positions wins losses draws";
        assert_eq!(fields(&alone, names), fields(&lines[0], names));
        assert_eq!(alone["metric"], metric, "{length}");
    }
}

/// Counts of long strips are wider than the columns of short ones.
#[test]
fn the_columns_of_long_strips_are_in_line() {
    let shown = run("stats 60..64").ok().stdout;
    let lines: Vec<&str> = shown.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 6, "{shown}");
    let ends = |line: &str| -> Vec<usize> {
        let cells = line.split("  ").filter(|cell| !cell.is_empty());
        cells
            .map(|cell| cell.as_ptr() as usize - line.as_ptr() as usize + cell.len())
            .collect()
    };
    for line in &lines {
        assert_eq!(ends(line), ends(lines[0]), "{shown}");
    }
}
