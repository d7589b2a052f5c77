//! Ctrl-C while engines start, think, or are not asked yet.

use super::test_engine::scripted;
use crate::prelude::*;

/// Starts a command, waits until `is_begun`, and interrupts it.
fn interrupted(mut command: Command, mut is_begun: impl FnMut() -> bool) -> Run {
    let child = (command.stdout(Stdio::piped()).stderr(Stdio::piped()))
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !is_begun() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    send("INT", child.id());
    Run::from(child.wait_with_output().unwrap())
}

/// True once a script has written the number of its process to a file.
fn has_pid(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|pid| !pid.is_empty())
}

#[test]
fn an_interrupt_ends_the_test_with_what_is_known_and_the_engine_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let pid = directory.path().join("pid");
    let mut command = phutbase("test-engine 9 --sample 100 --");
    command.args(scripted(&format!(
        "echo $$ > {}; sleep 1; echo bestmove o0",
        pid.display()
    )));
    let run = interrupted(command, || has_pid(&pid));
    run.fails(130, &["interrupted after 0 of 100"]);
    let pid = std::fs::read_to_string(&pid).unwrap();
    let asked = Command::new("kill").args(["-0", pid.trim()]).output().unwrap();
    assert!(!asked.status.success(), "the engine still runs");
}

/// The engine is not to blame.
#[test]
fn an_interrupt_while_an_engine_starts_is_no_fault_of_the_engine() {
    let directory = tempfile::tempdir().unwrap();
    let pid = directory.path().join("pid");
    let script = format!("echo $$ > {}; sleep 100", pid.display());
    let mut test = phutbase("test-engine 9 --sample 3 --");
    test.args(["sh", "-c", &script]);
    interrupted(test, || has_pid(&pid)).fails(130, &["interrupted after 0 of 3 positions"]);
    std::fs::remove_file(&pid).unwrap();
    let mut plan = phutbase("match 9 --rounds 2");
    for name in ["one", "other"] {
        let cmd = format!("cmd=sh -c '{script}'");
        plan.arg("--engine").arg(cmd).arg(format!("name={name}"));
    }
    interrupted(plan, || has_pid(&pid)).fails(130, &["interrupted after 0 of 4 games"]);
}

#[test]
fn an_interrupt_ends_the_choice_of_positions() {
    let command = phutbase("test-engine 10000 --single --sample 400000 -- no-such-engine");
    let begun = Instant::now();
    let run = interrupted(command, || begun.elapsed() > Duration::from_millis(500));
    run.fails(130, &["the choice of positions"]);
}
