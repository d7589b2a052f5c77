//! Interrupted `phutbase generate` of strips: its checkpoint, and the run that resumes from it.
//! `cli::kills` does the same many times, at random moments.

use crate::prelude::*;
use std::fs::File;

/// Depths up to 24 squares and levels up to 44: long enough to interrupt.
const RUNS: [(&str, &str, &str); 2] = [
    (
        "generate 24 --metric dtw --checkpoint-every 0s",
        ".strip-24-dtw.checkpoint",
        "strip-24-dtw.phut",
    ),
    (
        "generate 44 --metric levels --checkpoint-every 0s",
        ".strip-44-levels.checkpoint",
        "strip-44-levels.phut",
    ),
];

/// Starts a run that saves checkpoints as often as possible, and waits for the first.
fn started(tables: &Tables, (command, checkpoint, _): (&str, &str, &str)) -> Child {
    let mut command = tables.phutbase(command);
    let child = (command.stdout(Stdio::piped()).stderr(Stdio::piped()))
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !tables.path().join(checkpoint).exists() {
        assert!(Instant::now() < deadline, "no checkpoint");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Kills a run after its first checkpoint, and returns the checkpoint.
fn killed(tables: &Tables, run: (&str, &str, &str)) -> PathBuf {
    let mut child = started(tables, run);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "killed before its end");
    tables.path().join(run.1)
}

/// Resumes an interrupted run, and compares its table with that of a run without interruption.
fn check_rerun(tables: &Tables, (command, checkpoint, table): (&str, &str, &str)) {
    assert!(tables.path().join(checkpoint).exists());
    assert!(tables.table_names().is_empty());
    let rerun = tables.run(command).ok();
    for words in ["resuming after ", "trusted until the table is verified"] {
        assert!(rerun.stderr.contains(words), "{rerun:?}");
    }
    assert_eq!(tables.names(), [".lock", table]);
    let (quick, _) = command.split_once(" --checkpoint").unwrap();
    let undisturbed = Tables::made(quick.trim_start_matches("generate "));
    let bytes = |tables: &Tables| std::fs::read(tables.path().join(table)).unwrap();
    assert!(bytes(tables) == bytes(&undisturbed), "{command}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_resumes() {
    // `timeout` sends its signal twice.
    for (run, (signal, times)) in RUNS.into_iter().zip([("INT", 1), ("TERM", 2)]) {
        let tables = Tables::none();
        let child = started(&tables, run);
        for _ in 0..times {
            send(signal, child.id());
        }
        let interrupted = Run::from(child.wait_with_output().unwrap());
        let message = interrupted.failure(130);
        assert!(
            message.starts_with("interrupted") && message.contains("same command"),
            "{message}"
        );
        assert_eq!(interrupted.stdout, "");
        check_rerun(&tables, run);
    }
}

#[test]
fn a_checkpoint_that_cannot_be_used_is_named_and_kept() {
    let tables = Tables::none();
    let good = killed(&tables, RUNS[0]);
    // Under the name of another length.
    let renamed = tables.path().join(".strip-23-dtw.checkpoint");
    std::fs::copy(&good, &renamed).unwrap();
    tables.run("generate 23").fails(3, &[".strip-23-dtw.checkpoint"]);
    let size = std::fs::metadata(&good).unwrap().len() as usize;
    flip_byte(&good, size / 2);
    tables.run("generate 24").fails(3, &[".strip-24-dtw.checkpoint"]);
    assert!(tables.table_names().is_empty() && good.exists() && renamed.exists());
    std::fs::remove_file(good).unwrap();
    tables.run("generate 24").ok();
}

#[test]
fn a_checkpoint_older_than_its_table_is_removed_and_a_newer_one_is_kept() {
    let tables = Tables::none();
    let checkpoint = killed(&tables, RUNS[0]);
    // As after a kill just after the table was renamed.
    let left = std::fs::read(&checkpoint).unwrap();
    tables.run("generate 24").ok();
    std::fs::write(&checkpoint, left).unwrap();
    let table_written = std::fs::metadata(tables.dtw(24)).unwrap().modified().unwrap();
    let is_kept = |time| {
        let file = File::options().write(true).open(&checkpoint).unwrap();
        file.set_modified(time).unwrap();
        assert_eq!(tables.run("generate 24 --json").json()["status"], "present");
        checkpoint.exists()
    };
    assert!(is_kept(table_written + Duration::from_secs(1)));
    assert!(!is_kept(table_written - Duration::from_secs(1)));
}
