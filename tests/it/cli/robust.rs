//! Unusual files in place of tables and positions, and the accuracy of messages.

use crate::prelude::*;
use phutbase_tables::pitch::metadata::PitchMetadata;

#[test]
fn verify_names_every_bad_table() {
    let tables = Tables::made("9");
    tables.run("generate 3x3").ok();
    tables.run("generate 4x3").ok();
    let pitch = |shape: &str| tables.path().join(format!("pitch-{shape}-dtw.phut"));
    flip_byte(&tables.dtw(9), 20);
    flip_byte(&pitch("3x3"), 20);
    let run = tables.run("verify");
    run.failure(3);
    for bad in ["phutbase: ", "strip-9-dtw.phut", "pitch-3x3-dtw.phut"] {
        assert!(run.stderr.contains(bad), "{bad}: {run:?}");
    }
    assert!(run.stdout.contains("pitch-4x3-dtw.phut"), "{run:?}");
}

#[test]
fn the_example_of_a_longest_win_is_checked() {
    let tables = Tables::made("4x3");
    let file = tables.path().join("pitch-4x3-dtw.phut");
    let good = std::fs::read(&file).unwrap();
    let with = |example: &str| {
        let edit = |parts: &mut Parts| {
            parts.edit(|metadata: &mut PitchMetadata| metadata.longest_win = example.to_string())
        };
        std::fs::write(&file, resealed(&good, edit)).unwrap();
    };
    for example in ["not a board!!", "3/3/@2/3/3 A"] {
        with(example);
        tables
            .run("verify 4x3")
            .fails(3, &["pitch-4x3-dtw.phut", "longest win"]);
        let stats = tables.run("stats 4x3");
        assert!(!stats.stdout.contains(example), "{stats:?}");
    }
    for example in ["", "3/3/@2/3 A", "3/1@1/1o1/3 A"] {
        with(example);
        tables
            .run("verify 4x3")
            .fails(1, &["pitch-4x3-dtw.phut", "longest win"]);
    }
}

#[test]
fn a_file_called_tables_hides_no_other_place() {
    let directory = Tables::none();
    std::fs::write(directory.path().join("tables"), "").unwrap();
    let mut command = crate::common::phutbase("tables");
    let run = Run::from(command.current_dir(directory.path()).output().unwrap()).ok();
    assert!(run.stdout.contains("the program itself"), "{run:?}");
    assert!(run.stderr.contains("tables: cannot list it"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn graphs_come_from_ordinary_files_with_any_name() {
    let tables = Tables::none();
    std::fs::write(tables.path().join("a+b"), "0 1\n").unwrap();
    let probe = |board: &str| tables.run(&format!("probe {board} --json")).json();
    assert_eq!(
        probe("obstruction:graph:a+b")["position"],
        probe("obstruction:graph:0-1")["position"]
    );
    assert_eq!(
        probe("obstruction:graph:a+b+2")["nimber"],
        probe("obstruction:graph:0-1+2")["nimber"]
    );
    make_pipe(&tables.path().join("fifo"));
    let mut command = Command::new("timeout");
    command.args([
        "20",
        env!("CARGO_BIN_EXE_phutbase"),
        "probe",
        "obstruction:graph:fifo",
    ]);
    let run = Run::from(command.current_dir(tables.path()).output().unwrap());
    run.refuses(2, &["fifo", "not an ordinary file"]);
}

#[test]
fn a_position_may_come_from_a_file_with_remarks() {
    let tables = Tables::embedded();
    let text = "  # a remark\n\n 2/1@/1o/1o/2/2\n";
    std::fs::write(tables.path().join("position"), text).unwrap();
    tables.run("certify position").ok();
}

#[test]
fn an_outdated_checkpoint_of_a_pitch_is_removed() {
    let tables = Tables::made("3x3");
    let checkpoint = tables.path().join(".pitch-3x3-dtw.checkpoint");
    std::fs::write(&checkpoint, "left").unwrap();
    let table = std::fs::File::options()
        .append(true)
        .open(tables.path().join("pitch-3x3-dtw.phut"))
        .unwrap();
    table.set_modified(std::time::SystemTime::now()).unwrap();
    tables.run("generate 3x3").ok();
    assert!(!checkpoint.exists());
}
