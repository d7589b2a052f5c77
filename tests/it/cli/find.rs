//! `phutbase find`.

use crate::prelude::*;

/// The commands and options that a refusal names work, and none is named that does not.
#[test]
fn a_search_without_room_says_what_helps() {
    let depths = "find 36 --depth 31 --memory 64KiB";
    for options in ["", "--stones 3..9", "--pattern *o@*"] {
        let run = run(&format!("{depths} {options}"));
        run.refuses(3, &["do not fit in the memory", "allow more with --memory"]);
    }
    run("find 5 --pattern ooo@").refuses(2, &["exactly 4 squares, not 5: pad it with '?'"]);
    let longer = run("find 5 --pattern oooo@oo");
    assert!(
        longer.refusal(2).ends_with("it has exactly 7 squares, not 5"),
        "{longer:?}"
    );
    let many = "find 7x3 --limit 5000000";
    run(many).refuses(2, &["'phutbase export 7x3 --format csv' writes all"]);
}

#[test]
fn the_command_counts_and_lists() {
    let tables = Tables::made("9");
    let find = |arguments: &str| tables.run(&format!("find {arguments}"));
    // The three longest games of 9 squares; tests/data/strip_depths.tsv has the counts of other
    // lengths.
    let lines = find("9 --value win --depth 15 --json --limit 2")
        .ok()
        .json_lines();
    let expected = reference_values(9, Rules::Ordinary).iter();
    let expected = expected.filter(|value| value.to_string() == "win in 15").count();
    assert_eq!(lines[0]["count"], expected);
    assert_eq!(lines.len(), 1 + expected.min(2));
    let won = |line: &Json| line["value"] == "win" && line["depth"] == 15;
    assert!(lines[1..].iter().all(won));
    // With the ball on square 3 there are as many boards as ways to put two stones on 8 squares,
    // and as many again with the ball on square 5.
    let text = find("9 --pattern *@* --ball 3 --stones 2").ok().stdout;
    assert!(
        text.contains("28 positions, Left to move; listed: the first 10"),
        "{text}"
    );
    let text = find("9 --ball 3..5 --stones 2..3 --side right --limit 0")
        .ok()
        .stdout;
    assert!(text.starts_with("252 positions, Right to move"), "{text}");
    let sample = "9 --side right --sample 5 --seed 4";
    let text = find(sample).ok().stdout;
    assert_eq!(text.lines().count(), 6);
    assert!(text.lines().take(5).all(|line| line.contains(" R ")), "{text}");
    assert_eq!(find(sample).stdout, text);
    let every = find("9 --limit 1000 --ball 4 --stones 1").ok().stdout;
    let sample = find("9 --sample 1000 --ball 4 --stones 1").ok().stdout;
    let sorted = |text: &str| {
        text.lines()
            .filter(|line| line.contains('@'))
            .map(str::to_string)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(sorted(&sample), sorted(&every));
    assert!(
        sample.contains("8 positions, Left to move; listed: 8 of them"),
        "{sample}"
    );
}

/// `find` counts the positions of a pitch as `stats` does.
#[test]
fn positions_of_pitches_are_found() {
    let stats = &lines("stats 4x3")[0];
    for (value, field) in [("win", "wins"), ("loss", "losses"), ("draw", "draws")] {
        let run = run(&format!("find 4x3 --value {value} --limit 3 --json"));
        let found = run.json_lines();
        assert_eq!(run.code, Some(i32::from(stats[field] == 0)), "{value}");
        assert_eq!(found[0]["count"], stats[field], "{value}");
        for position in &found[1..] {
            assert_eq!(position["value"], value);
        }
    }
    let found = lines("find 4x3 --value win --depth 3 --stones 2..4 --side right --sample 4");
    for position in &found[1..] {
        let probe = run_with("probe --json", position["position"].as_str().unwrap()).json();
        assert_eq!(fields(&probe, "value depth side"), json!(["win", 3, "betty"]));
    }
    run("find 4x3 --pattern *o*").refuses(2, &["--pattern only applies to strips"]);
}
