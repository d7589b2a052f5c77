//! `phutbase generate`, interrupted: what stays behind, and how the next run goes on. `scripts/check_interruptions.sh` does
//! the same many times, at random moments.

use crate::common::cli::{Run, Tables, flip_byte};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Starts a run that saves a checkpoint after every ply, and waits for the first.
fn started(tables: &Tables) -> Child {
    let mut command = tables.phutbase("generate 22 --engine dense --threads 2 --checkpoint-every 0");
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !checkpoint(tables.path()).exists() {
        assert!(Instant::now() < patience, "no checkpoint");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

fn checkpoint(tables: &Path) -> PathBuf {
    tables.join(".strip-22.checkpoint")
}

/// Runs to the end what was interrupted, and compares with a run that was not.
fn check_rerun(tables: &Tables) -> Run {
    assert!(checkpoint(tables.path()).exists());
    assert_eq!(tables.table_names(), [""; 0]);
    let rerun = tables.run("generate 22 --engine dense").ok();
    assert_eq!(tables.names(), [".lock", "strip-22-dtw.phut"]);
    let undisturbed = Tables::made("22 --engine dense");
    assert!(std::fs::read(tables.dtw(22)).unwrap() == std::fs::read(undisturbed.dtw(22)).unwrap());
    rerun
}

/// The ply that a rerun says it goes on from.
fn resumed_after(rerun: &Run) -> u64 {
    let words = rerun.stderr.split("length 22: going on after ply ").nth(1);
    let words = words.unwrap_or_else(|| panic!("it began anew: {rerun:?}"));
    words.lines().next().unwrap().parse().unwrap()
}

#[test]
fn a_killed_run_goes_on_from_its_checkpoint() {
    let tables = Tables::none();
    let mut child = started(&tables);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "killed before it was done");
    assert!(resumed_after(&check_rerun(&tables)) >= 1);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_goes_on_from_where_it_stopped() {
    // `timeout` sends its signal twice.
    for (signal, times) in [("INT", 1), ("TERM", 1), ("TERM", 2)] {
        let tables = Tables::none();
        let child = started(&tables);
        for _ in 0..times {
            let kill = std::process::Command::new("kill")
                .args(["-s", signal, &child.id().to_string()])
                .status();
            assert!(kill.unwrap().success());
        }
        let run = Run::from(child.wait_with_output().unwrap());
        let message = run.failure(1);
        let ply = message.strip_prefix("interrupted after ply ").unwrap();
        let (ply, rest) = ply.split_once(' ').unwrap();
        assert_eq!(
            rest,
            "of length 22; run the same command again to go on from there"
        );
        assert_eq!(run.stdout, "");
        assert_eq!(resumed_after(&check_rerun(&tables)).to_string(), ply, "{message}");
    }
}

#[test]
fn a_checkpoint_that_cannot_be_used_is_named_and_not_begun_over() {
    let tables = Tables::none();
    let mut child = started(&tables);
    child.kill().unwrap();
    child.wait().unwrap();
    let good = checkpoint(tables.path());
    // Under the name of another length.
    let renamed = tables.path().join(".strip-21.checkpoint");
    std::fs::copy(&good, &renamed).unwrap();
    let run = tables.run("generate 21 --engine dense");
    let message = run.failure(1);
    assert!(
        message.contains(".strip-21.checkpoint") && message.contains("the length is 22"),
        "{message}"
    );
    // Damaged.
    let size = std::fs::metadata(&good).unwrap().len() as usize;
    flip_byte(&good, size / 2);
    let run = tables.run("generate 22 --engine dense");
    let message = run.failure(1);
    assert!(
        message.contains(".strip-22.checkpoint") && message.contains("delete it"),
        "{message}"
    );
    assert_eq!(tables.table_names(), [""; 0]);
    std::fs::remove_file(good).unwrap();
    tables.run("generate 22 --engine dense").ok();
}

#[test]
fn a_checkpoint_older_than_its_table_is_removed_and_a_newer_one_is_kept() {
    let tables = Tables::none();
    let mut child = started(&tables);
    child.kill().unwrap();
    child.wait().unwrap();
    // As if the run had been killed just after its table got its name.
    let left = std::fs::read(checkpoint(tables.path())).unwrap();
    tables.run("generate 22 --engine dense").ok();
    std::fs::write(checkpoint(tables.path()), left).unwrap();
    let table_written = std::fs::metadata(tables.dtw(22)).unwrap().modified().unwrap();
    let saved = |time| {
        let file = File::options()
            .write(true)
            .open(checkpoint(tables.path()))
            .unwrap();
        file.set_modified(time).unwrap();
        assert_eq!(
            tables.run("generate 22 --engine dense --json").json()["status"],
            "present"
        );
        checkpoint(tables.path()).exists()
    };
    // A newer one is of the other metric, which goes on from it.
    assert!(saved(table_written + Duration::from_secs(1)));
    assert!(!saved(table_written - Duration::from_secs(1)));
}
