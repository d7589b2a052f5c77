//! Long runs as a user meets them: signals, the last sentence, and what is written to stderr.

use crate::prelude::*;

/// Starts a command with captured output.
fn spawn(mut command: Command) -> Child {
    (command.stdout(Stdio::piped()).stderr(Stdio::piped()))
        .spawn()
        .unwrap()
}

/// Interrupts a command after some time, and returns its result and the time that it took to end.
fn interrupted(command: Command, after: Duration) -> (Run, Duration) {
    let child = spawn(command);
    std::thread::sleep(after);
    send("INT", child.id());
    let begun = Instant::now();
    (child.wait_with_output().unwrap().into(), begun.elapsed())
}

/// Every verb ends soon after a signal, also in its first moments, with one sentence.
#[test]
fn every_long_verb_ends_soon_after_a_signal() {
    let tables = Tables::embedded();
    for arguments in [
        "generate 48",
        "generate 100 --metric wdl",
        "generate 9x3",
        "generate obstruction:9x9 --time 1h",
        "generate 9x3 --count-only",
        "verify 36",
        "verify 7x3",
        "verify 30 --by-enumeration",
        "verify obstruction:10x10",
        "export 36 --format csv",
        "find 4..36 --suite --sample 10000",
        "find 36 --limit 100000000",
        "theory oddish oddish:16 --solved-squares 16",
        "theory monotonicity 18",
        "theory forward 100",
        "theory generalized 3..64",
        "theory reversible 1..16",
        "test-engine 9 --all -- sh -c exit",
    ] {
        for after in [Duration::from_millis(60), Duration::from_millis(600)] {
            let mut command = tables.phutbase(arguments);
            command.args(["--threads", "1"]);
            let (run, time) = interrupted(command, after);
            // A quick command may be over.
            if run.code == Some(130) {
                assert!(
                    run.failure(130).starts_with("interrupted"),
                    "{arguments}: {run:?}"
                );
                assert!(time < Duration::from_secs(5), "{arguments}: {time:?}");
            } else {
                assert!(matches!(run.code, Some(0 | 1)), "{arguments}: {run:?}");
            }
            assert!(
                !tables.names().iter().any(|name| name.ends_with(".partial")),
                "{arguments}"
            );
        }
    }
}

/// The measured time of 80 squares is in docs/BENCHMARKS.md: 25 s.
#[test]
fn levels_that_take_long_are_announced_with_their_cost() {
    let tables = Tables::embedded();
    let command = tables.phutbase("theory forward 60..80 --memory 8GiB");
    let (run, _) = interrupted(command, Duration::from_millis(600));
    let parts = [
        "no table has the levels of 65 to 80 squares: solving 80 squares takes about 1 min of processor time",
        "up to 1.1 GiB of memory",
        "phutbase generate 80 --metric levels\n",
    ];
    has(&run.stderr, &parts);
    tables
        .run("theory forward 144 --memory 1GiB")
        .refuses(3, &["length 144", "--memory"]);
}

/// Returns the signals that a process catches, a bit each.
#[cfg(target_os = "linux")]
fn caught(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap()
}

/// As `nohup` and the `&` of a script start a run.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_the_parent_ignored_do_not_stop_a_run() {
    let tables = Tables::none();
    let (hup, int, term) = (("HUP", 1), ("INT", 2), ("TERM", 15));
    for (ignored, (stops, number)) in [("HUP", int), ("INT", hup), ("TERM", hup), ("HUP INT", term)] {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("trap '' {ignored}; exec \"$0\" \"$@\"")]);
        command.arg(env!("CARGO_BIN_EXE_phutbase"));
        command
            .args(["generate", "120", "--metric", "wdl", "--tables"])
            .arg(tables.path());
        let mut child = spawn(command);
        while caught(child.id()) >> (number - 1) & 1 == 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
        // The signals are ignored again right after the handlers are set.
        std::thread::sleep(Duration::from_millis(200));
        for signal in ignored.split(' ') {
            send(signal, child.id());
        }
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(child.try_wait().unwrap(), None, "{ignored}");
        send(stops, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{stops}");
    }
}

/// A run that is interrupted before its first checkpoint, or while it restores the one it resumes from,
/// says that this one remains.
#[test]
fn an_interrupted_run_knows_the_checkpoint_that_it_resumed_from() {
    for (generate, checkpoint) in [
        ("generate 40", ".strip-40-dtw.checkpoint"),
        ("generate 8x3", ".pitch-8x3-dtw.checkpoint"),
    ] {
        let tables = Tables::none();
        let mut child = spawn(tables.phutbase(&format!("{generate} --checkpoint-every 0s")));
        while !tables.path().join(checkpoint).exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let (run, _) = interrupted(tables.phutbase(generate), Duration::from_millis(200));
        if run.code != Some(0) {
            run.fails(130, &["is saved", "run the same command to resume"]);
        }
        assert_eq!(run.stdout.is_empty(), run.code != Some(0));
    }
}

/// Lines on stderr never come after the result that they announce.
#[test]
fn nothing_is_announced_after_it_is_done() {
    let tables = Tables::none();
    for entry in std::fs::read_dir("tables").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.starts_with("pitch-") {
            std::fs::copy(Path::new("tables").join(&name), tables.path().join(&name)).unwrap();
        }
    }
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "exec \"$0\" \"$@\" 2>&1",
        env!("CARGO_BIN_EXE_phutbase"),
        "verify",
        "--threads",
        "1",
    ]);
    let run = Run::from(command.arg("--tables").arg(tables.path()).output().unwrap()).ok();
    let mut done = BTreeSet::new();
    for line in run.stdout.lines() {
        let file = line.split_once(".phut").map(|(file, _)| file.to_string());
        match line.contains("every depth follows") {
            true => drop(done.insert(file.unwrap())),
            false => assert!(file.is_none_or(|file| !done.contains(&file)), "stale: {line}"),
        }
    }
    assert!(done.len() > 10, "{}", run.stdout);
}

#[test]
fn depths_that_never_end_are_announced_at_once() {
    let tables = Tables::none();
    let mut child = spawn(tables.phutbase("generate 120"));
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    has(
        &said,
        &["depths of 120 squares", "years", "generate 120 --metric wdl"],
    );
    let quick = tables.run("generate 12").ok();
    assert_eq!(quick.stderr, "");
}

/// A limit that is too low is refused at once, with the need.
#[test]
fn too_little_memory_is_refused_before_the_work() {
    let tables = Tables::none();
    let begun = Instant::now();
    tables
        .run("generate 128 --metric wdl --memory 50MiB")
        .refuses(3, &["128", "needs", "50.0 MiB may be used", "--memory"]);
    tables
        .run("generate 64 --metric levels --memory 8MiB")
        .refuses(3, &["64", "needs 161.0 MiB"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(tables.table_names().is_empty());
}
