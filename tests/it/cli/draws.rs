//! `phutbase draws` of strips.

use crate::prelude::*;

#[test]
fn a_missing_table_is_made_once_and_short_strips_have_no_draws() {
    let tables = Tables::none();
    let first = tables.run("draws 3..10 --json").ok();
    let lines = first.json_lines();
    assert_eq!(lines.len(), 8);
    for (line, totals) in lines.iter().zip(pinned_totals()) {
        let expected = json!({
            "game": "strip", "rules": "ordinary", "boards": totals.length.to_string(), "metric": "wdl",
            "positions": totals.wins + totals.losses,
            "wins": totals.wins, "losses": totals.losses, "draws": 0, "longest": null,
            "mutual_draws": 0, "examples": [],
        });
        assert_eq!(line, &expected);
    }
    assert_eq!(tables.table_names(), ["strip-10-wdl.phut"]);
    let again = tables.run("draws 3..10 --json").ok();
    assert_eq!((again.stdout, again.stderr.as_str()), (first.stdout, ""));
    let text = tables.run("draws 9").ok();
    has(&text.stdout, &["1,792 positions, 0 draws, 0 mutual"]);
    assert!(text.stdout.ends_with("lengths 9 to 9: no draw\n"), "{text:?}");
    // A longer range needs a longer table, with or without depths.
    tables.run("generate 12").ok();
    tables.run("draws 3..12").ok();
    assert_eq!(tables.table_names(), ["strip-10-wdl.phut", "strip-12-dtw.phut"]);
    flip_byte(&tables.path().join("strip-10-wdl.phut"), 20);
    tables.run("draws 3..12").ok();
    flip_byte(&tables.dtw(12), 20);
    tables.run("draws 3..12").fails(3, &["strip-12-dtw.phut"]);
}
