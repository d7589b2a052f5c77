//! `phutbase draws` of strips.

use crate::prelude::*;

#[test]
fn a_missing_table_is_made_once_and_short_strips_have_no_draws() {
    let tables = Tables::none();
    let none = |arguments: &str| {
        let run = tables.run(arguments);
        run.fails(1, &["no draw"]);
        run
    };
    let first = none("draws 3..10 --json");
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
    let again = none("draws 3..10 --json");
    assert_eq!((again.stdout, again.stderr), (first.stdout, first.stderr));
    let text = none("draws 9");
    has(&text.stdout, &["1,792 positions, 0 draws, 0 mutual"]);
    // A longer range needs a longer table, with or without depths.
    tables.run("generate 12").ok();
    none("draws 3..12");
    assert_eq!(tables.table_names(), ["strip-10-wdl.phut", "strip-12-dtw.phut"]);
    flip_byte(&tables.path().join("strip-10-wdl.phut"), 20);
    none("draws 3..12");
    flip_byte(&tables.dtw(12), 20);
    tables.run("draws 3..12").fails(3, &["strip-12-dtw.phut"]);
}

/// The count after a table is made saves nothing.
#[cfg(unix)]
#[test]
fn the_first_signal_after_the_table_is_made_ends_the_count() {
    for (boards, table) in [("3..9", "strip-9-wdl.phut"), ("4x3", "pitch-4x3-dtw.phut")] {
        let tables = Tables::none();
        // A full pipe blocks the first result.
        let (_unread, writer) = std::io::pipe().unwrap();
        let mut filler = writer.try_clone().unwrap();
        std::thread::spawn(move || drop(filler.write_all(&vec![0; 1 << 20])));
        let mut command = tables.phutbase(&format!("draws {boards}"));
        let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while !tables.path().join(table).exists() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        send("INT", child.id());
        while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(90) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        Run::from(child.wait_with_output().unwrap()).fails(130, &["interrupted"]);
    }
}
