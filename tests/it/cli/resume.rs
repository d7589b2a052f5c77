//! `phutbase generate` of strips, interrupted: the checkpoint that stays, and the run that resumes from it.
//! `cli::kills` does the same many times, at random moments.

use crate::common::cli::{Run, Tables, flip_byte};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Depths up to 24 squares and who wins up to 44: long enough to be interrupted in.
const RUNS: [(&str, &str, &str); 2] = [
    (
        "generate 24 --metric dtw --checkpoint-every 0",
        ".strip-24-dtw.checkpoint",
        "strip-24-dtw.phut",
    ),
    (
        "generate 44 --metric wdl --checkpoint-every 0",
        ".strip-44-wdl.checkpoint",
        "strip-44-wdl.phut",
    ),
];

/// Starts a run that saves checkpoints as often as it can, and waits for the first.
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
    assert!(!child.wait().unwrap().success(), "killed before it was done");
    tables.path().join(run.1)
}

/// Resumes an interrupted run, and compares its table with that of a run without interruption.
fn check_rerun(tables: &Tables, (command, checkpoint, table): (&str, &str, &str)) {
    assert!(tables.path().join(checkpoint).exists());
    assert!(tables.table_names().is_empty());
    let rerun = tables.run(command).ok();
    assert!(rerun.stderr.contains("going on at "), "{rerun:?}");
    assert_eq!(tables.names(), [".lock", table]);
    let undisturbed = Tables::none();
    undisturbed.run(command).ok();
    let bytes = |tables: &Tables| std::fs::read(tables.path().join(table)).unwrap();
    assert!(bytes(tables) == bytes(&undisturbed), "{command}");
}

#[test]
fn a_killed_run_resumes_from_its_checkpoint() {
    for run in RUNS {
        let tables = Tables::none();
        killed(&tables, run);
        check_rerun(&tables, run);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_resumes() {
    // `timeout` sends its signal twice.
    for (run, (signal, times)) in RUNS
        .into_iter()
        .flat_map(|run| [(run, ("INT", 1)), (run, ("TERM", 2))])
    {
        let tables = Tables::none();
        let child = started(&tables, run);
        for _ in 0..times {
            let id = child.id().to_string();
            let kill = std::process::Command::new("kill")
                .args(["-s", signal, &id])
                .status();
            assert!(kill.unwrap().success());
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
    // As if the run had been killed just after its table got its name.
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
