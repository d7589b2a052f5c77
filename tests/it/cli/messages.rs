//! Exit codes and messages that are the same in every verb.

use crate::prelude::*;

/// As grep does: nothing found is 1, also with `--json`, whose output is unchanged.
#[test]
fn nothing_found_is_a_failure() {
    let none = "3/3/3/1@1/3/3/3 A";
    for (command, last, reason) in [
        ("find 9 --value", "draw", "no matching positions"),
        ("find 5x1 --depth", "99", "no matching positions"),
        ("find 3x3 --cycles --value", "draw", "no draw"),
        ("probe --wins", none, "no win in one"),
    ] {
        let tables = Tables::embedded();
        let [words, run] = [None, Some("--json")].map(|json| {
            let output = tables.phutbase(command).arg(last).args(json).output();
            Run::from(output.unwrap())
        });
        words.fails(1, &[reason]);
        run.fails(1, &[reason]);
        assert!(!run.json_lines().is_empty(), "{run:?}");
    }
    Tables::embedded().run("find 9 --value win --limit 0").ok();
}

#[test]
fn messages_name_what_the_user_wrote() {
    let long = "x".repeat(120_000);
    for (command, last, parts) in [
        (
            "theory reversible",
            "0",
            &["SQUARES 0..0: write numbers from 1 to 16"][..],
        ),
        ("probe", "16", &["phutbase stats 16"]),
        ("probe", "7x3", &["phutbase stats 7x3"]),
        ("probe --rules directional", "@.", &["lengths from 3 to 10000000"]),
        ("play --as", "x", &["--as 'x': write first or second or both"]),
        ("find 9 --side", "x", &["--side 'x'"]),
        ("find 9 --sample", "0", &["--sample '0'", "from 1"]),
        ("generate", "5..9", &["every strip of 3 to 9"]),
    ] {
        run_with(command, last).refuses(2, parts);
    }
    for command in [
        "probe",
        "stats",
        "find",
        "export",
        "generate",
        "certify",
        "verify",
        "play",
        "theory monotonicity",
        "test-engine",
        "match",
        "ugi",
        "serve --bind",
        "--tables /nonexistent probe",
        "find 9 --pattern",
        "find 9 --value",
        "match --engine cmd=a --engine",
    ] {
        let run = run_with(command, &long);
        assert!(matches!(run.code, Some(2 | 3)), "{command}: {:?}", run.code);
        assert!(run.stderr.len() < 2000, "{command}: {} bytes", run.stderr.len());
    }
}

#[cfg(unix)]
#[test]
fn work_on_oddish_boards_is_interrupted_by_their_squares() {
    let mut command = phutbase("theory oddish oddish:16 --solved-squares 16");
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    send("INT", child.id());
    let run = Run::from(child.wait_with_output().unwrap());
    if run.code == Some(130) {
        has(run.failure(130), &["16 squares"]);
        assert!(!run.stderr.contains("length"), "{run:?}");
    }
}

#[test]
fn the_server_listens_only_where_it_can_be_reached() {
    for (address, reason) in [
        ("255.255.255.255", "many machines"),
        ("224.0.0.1", "many machines"),
        ("ff02::1", "many machines"),
        ("127.0.0.1:80", "--bind 127.0.0.1 --port 80"),
    ] {
        run_with("serve --port 0 --bind", address).refuses(2, &[address, reason]);
    }
}
