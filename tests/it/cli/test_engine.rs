//! `phutbase test-engine`.

use crate::prelude::*;

/// Runs `test-engine` with options on an engine.
pub(super) fn test_engine(options: &str, engine: &[impl AsRef<std::ffi::OsStr>]) -> Run {
    let mut command = phutbase(&format!("test-engine {options} --"));
    Run::of(command.args(engine))
}

/// Runs `test-engine` on a player of the program, with keys of `--engine`. On a busy machine turns
/// may be late.
pub(super) fn test_player_with(keys: &str, options: &str, player: &str) -> Run {
    let program = env!("CARGO_BIN_EXE_phutbase");
    let options = format!("{options} --engine timemargin=1min {keys}");
    test_engine(&options, &[program, "ugi", "--player", player, "--seed", "3"])
}

fn test_player(options: &str, player: &str) -> Run {
    test_player_with("", options, player)
}

/// A shell script that greets as an engine and replies `turn` to every 'go'.
pub(super) fn scripted(turn: &str) -> [String; 3] {
    let script = format!(
        "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) {turn};; quit) exit;; esac; done"
    );
    ["sh".to_string(), "-c".to_string(), script]
}

/// Splits the output of `--json` into the faults and the row of all lengths.
pub(super) fn wrongs_and_total(run: &Run) -> (Vec<Json>, Json) {
    let mut lines = run.json_lines();
    let total = lines.pop().unwrap();
    assert!(total["position"].is_null());
    lines.retain(|line| line["position"].is_string());
    (lines, total)
}

#[test]
fn the_tables_own_player_makes_no_mistake() {
    let run = test_player("3..8 --all --by best --json", "perfect").ok();
    let (wrongs, total) = wrongs_and_total(&run);
    assert!(wrongs.is_empty());
    // (n − 2) · 2^(n−1) positions for each player, for lengths 3 to 8.
    let positions: u64 = (3..=8).map(|n: u64| (2 * (n - 2)) << (n - 1)).sum();
    assert_eq!(total["positions"], positions);
    assert_eq!(total["score"], 100.0);
    test_player("37..38 --sample 20", "perfect").ok();
}

#[test]
fn the_potential_is_exact_up_to_eight_squares_and_errs_on_longer_strips() {
    // Exact for n ≤ 8 (RULES §3), so this player never gives away a win. On a busy machine it may
    // run out of time before it finds the turn, so the limit is generous.
    test_player_with("st=5s", "3..8 --all", "potential").ok();
    let run = test_player_with("st=5s", "16 --sample 500 --json", "potential");
    let (_, total) = wrongs_and_total(&run);
    assert_eq!(run.code, Some(1));
    let score = total["score"].as_f64().unwrap();
    assert!((90.0..100.0).contains(&score), "{score}");
}

#[test]
fn blunders_agree_with_the_tables() {
    let run = test_player("6..9 --sample 160 --limit 1000 --json", "random");
    assert!(run.failure(1).starts_with("the engine failed in "));
    let (wrongs, total) = wrongs_and_total(&run);
    assert_eq!(total["blunders"], wrongs.len());
    assert!(wrongs.len() > 30, "{}", wrongs.len());
    for wrong in wrongs.iter().take(12) {
        let position = wrong["position"].as_str().unwrap();
        let told = phutbase("probe --json").arg(position).output().unwrap();
        let probed = Run::from(told).json();
        let value_of = |turn: &Json| {
            let moves = probed["turns"].as_array().unwrap();
            let found = moves.iter().find(|rated| rated["move"] == *turn);
            found.unwrap_or_else(|| panic!("{turn} in {position}"))["value"].clone()
        };
        assert_eq!(probed["value"], "win");
        assert_eq!(value_of(&wrong["move"]), "loss", "{wrong}");
        for turn in wrong["expected"].as_array().unwrap() {
            assert_eq!(value_of(turn), "win", "{wrong}");
        }
    }
    let again = test_player("6..9 --sample 160 --limit 1000 --json", "random");
    assert_eq!(
        wrongs_and_total(&again).0,
        wrongs,
        "the same seeds, the same test"
    );
}

#[test]
fn the_results_are_junit_xml() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let script = scripted(r#"printf 'bestmove <&\001]]>"\047 x\n'"#);
    let options = format!(
        "5..6 --sample 14 --seed 9 --junit {} --json --engine st=50ms",
        file.path().display()
    );
    let (_, total) = wrongs_and_total(&test_engine(&options, &script));
    assert_eq!(total["illegal"], 14);
    let read = "import sys, xml.etree.ElementTree as E
for suite in E.parse(sys.argv[1]).getroot():
    failures = suite.findall('testcase/failure')
    print(suite.get('name'), suite.get('tests'), suite.get('failures'), failures[0].get('message'))
    print({one.get('name'): one.get('value') for one in suite.find('properties')})
    times = [float(case.get('time')) for case in suite.findall('testcase')]
    print('times', min(times) > 0, abs(sum(times) - float(suite.get('time'))) < 1e-4)
";
    let Some(output) = python(&["-c", read, file.path().to_str().unwrap()]) else {
        return;
    };
    let read = Run::from(output).ok().stdout;
    has(
        &read,
        &[
            "strip-5 7 7 '<&]]>\"'' is not a legal turn; expected ",
            "strip-6 7 7 ",
            &format!("'version': 'phutbase {}'", env!("CARGO_PKG_VERSION")),
            "'boards': '5..6', 'seed': '9', 'movetime': '50 ms', 'by': 'value'",
            "times True True",
        ],
    );
}

#[test]
fn engines_that_misbehave_are_reported_and_do_not_hang_the_test() {
    // The test waits for the whole timeout only if the engine is silent.
    let timeout = |reason: &str| ["10min", "1s"][usize::from(reason.starts_with("no '"))];
    // An engine that fails to start gets no positions, and there is one line.
    let cases: [(&str, &[&str]); 3] = [
        (
            "ended before 'ugiok' came: exit status: 3",
            &["sh", "-c", "exit 3"],
        ),
        (
            "no 'ugiok' within 1000 ms",
            &["sh", "-c", "sleep 1000 & sleep 1000"],
        ),
        ("a line of more than 64 KiB", &["sh", "-c", "cat /dev/zero"]),
    ];
    for (reason, engine) in cases {
        let run = test_engine(&format!("4..16 --engine timeout={}", timeout(reason)), engine);
        run.refuses(1, &["the engine did not become ready", reason]);
    }
    // An engine that the system does not start is not at fault.
    test_engine("4..16", &["no-such-engine"]).refuses(3, &["did not become ready", "cannot be started"]);
    for (reason, turn) in [
        ("no 'bestmove' within 1200 ms", "sleep 1000"),
        ("MiB before 'bestmove'", "yes"),
        ("a line of more than 64 KiB", "cat /dev/zero"),
        ("ended before 'bestmove' came", "kill -9 $$"),
        ("'' is not a legal turn", "echo bestmove"),
        (
            "a second 'bestmove' to 'go movetime 100'",
            "echo bestmove o77; echo bestmove o1",
        ),
        ("'o77' is not a legal turn", "echo bestmove o77"),
    ] {
        let options = format!("7 --sample 2 --engine timeout={}", timeout(reason));
        let run = test_engine(&options, &scripted(turn));
        run.fails(1, &["in 2 of 2 positions"]);
        has(run.stdout.lines().next().unwrap(), &[reason]);
    }
    // The test ends after several faults in a row.
    let run = test_engine("9 --sample 500 --limit 500", &scripted("kill -9 $$"));
    has(
        run.stdout.lines().nth(20).unwrap(),
        &["not asked after 10 faults in a row"],
    );
}

/// Tells if a process still runs after at most 5 s. Zombies count as ended.
#[cfg(target_os = "linux")]
fn runs(pid: &str) -> bool {
    let stat = format!("/proc/{}/stat", pid.trim());
    let runs = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    let begun = Instant::now();
    while runs() && begun.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    runs()
}

/// Waits for a line in a file and returns it.
#[cfg(unix)]
fn written(file: &std::path::Path) -> String {
    loop {
        match std::fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_does_not_read_does_not_block_the_test() {
    let directory = tempfile::tempdir().unwrap();
    let pid = directory.path().join("pid");
    // Reads nothing after the handshake, so input stays in the pipe.
    let deaf = format!(
        "echo $$ > {}; echo option name a type string; echo ugiok; echo readyok; echo 'deaf as a post' >&2; exec sleep 300",
        pid.display()
    );
    let option = format!("option.a={}", "x".repeat(100_000));
    for options in ["", &option] {
        let run = test_engine(
            &format!("7 --sample 2 --engine timeout=1s {options}"),
            &["sh", "-c", &deaf],
        );
        run.fails(1, &["in 2 of 2 positions"]);
        assert!(run.stderr.contains("deaf as a post"), "{run:?}");
        assert!(!runs(&written(&pid)), "the engine still runs");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_second_signal_ends_the_engine_and_all_that_it_has_started() {
    let directory = tempfile::tempdir().unwrap();
    let pid = directory.path().join("pid");
    let child = "sleep 300 & echo $! > ";
    let script = scripted(&format!("{child}{}; sleep 300", pid.display()));
    let mut command = phutbase("test-engine 9 --sample 100 --engine timeout=60s --");
    let (out, err) = (Stdio::piped(), Stdio::piped());
    let mut tester = command.args(&script).stdout(out).stderr(err).spawn().unwrap();
    let started = written(&pid);
    let id = tester.id().to_string();
    while tester.try_wait().unwrap().is_none() {
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(tester.wait().unwrap().code(), Some(130));
    assert!(!runs(&started), "a child of the engine still runs");
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_of_the_engine_with_its_own_session_ends_with_it() {
    let pid = tempfile::NamedTempFile::new().unwrap();
    let mut script = scripted("echo bestmove o0");
    // The engine waits for its child, so that the child is not killed before it has written.
    let child = format!(
        "setsid sh -c 'echo $$ >{file}; exec sleep 30' >/dev/null 2>&1 & while [ ! -s {file} ]; do sleep 0.01; done; ",
        file = pid.path().display()
    );
    script[2].insert_str(0, &child);
    test_engine("9 --sample 200", &script).failure(1);
    assert!(!runs(&written(pid.path())));
}

/// Kills the processes that engines of a test left behind, and returns their number. Those that
/// were killed before have ten seconds to end: on a busy machine they wait for a processor.
#[cfg(target_os = "linux")]
fn left_behind(tester: u32) -> usize {
    let mark = format!("PHUTBASE_ENGINE={tester}-");
    let is_marked = |process: &Path| {
        let variables = std::fs::read(process.join("environ")).unwrap_or_default();
        (variables.split(|&byte| byte == 0)).any(|variable| variable.starts_with(mark.as_bytes()))
    };
    let search = || -> Vec<PathBuf> {
        let processes = std::fs::read_dir("/proc").unwrap();
        let paths = processes.map(|entry| entry.unwrap().path());
        paths.filter(|process| is_marked(process)).collect()
    };
    // A search may miss a process that forks and exits.
    let begun = Instant::now();
    let (mut found, mut empty) = (Vec::new(), 0);
    while empty < 20 && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(50));
        found = search();
        empty = if found.is_empty() { empty + 1 } else { 0 };
    }
    for process in &found {
        let kill = Command::new("kill")
            .arg("-KILL")
            .arg(process.file_name().unwrap())
            .status();
        assert!(kill.is_ok());
    }
    found.len()
}

/// Processes that leave the group of the engine, its session or both, while it is being killed.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_forks_while_it_is_killed_leaves_no_process() {
    let goes_on = tempfile::NamedTempFile::new().unwrap();
    let file = goes_on.path().display();
    for (kind, forks) in [
        (
            "steady",
            format!("while [ -e {file} ]; do ( sleep 60 & ); sleep 0.002; done &"),
        ),
        (
            "sessions",
            format!("while [ -e {file} ]; do setsid sh -c 'sleep 60 & sleep 60' & sleep 0.002; done &"),
        ),
        ("fork and exit", format!("f() {{ [ -e {file} ] && f & }}; f &")),
        (
            "fork and exit in a session",
            format!("export f='[ -e {file} ] && setsid sh -c \"$f\" & sleep 0.001'; setsid sh -c \"$f\" &"),
        ),
    ] {
        let script = scripted(&format!("{{ {forks} }} >/dev/null 2>&1; sleep 60"));
        let mut command = phutbase("test-engine 9 --sample 5 --engine st=1ms timeout=100ms --");
        let mut tester = command
            .args(script)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let id = tester.id();
        assert_eq!(tester.wait().unwrap().code(), Some(1));
        assert_eq!(left_behind(id), 0, "{kind}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_ends_when_the_program_is_killed() {
    let pid = tempfile::NamedTempFile::new().unwrap();
    let script = format!("echo $$ > {}; exec sleep 300", pid.path().display());
    let mut command = phutbase("test-engine 9 --engine timeout=60s -- sh -c");
    let mut tester = command.arg(script).spawn().unwrap();
    let engine = written(pid.path());
    tester.kill().unwrap();
    tester.wait().unwrap();
    assert!(!runs(&engine));
}

#[test]
fn only_options_that_the_engine_announces_can_be_set_and_only_to_their_values() {
    for (option, reason) in [
        ("foo=1", "no option 'foo'"),
        ("hash=999999", "1..65536"),
        ("hash=many", "1..65536"),
        ("tables=perhaps", "true, false"),
        ("player=nobody", "perfect, potential, random"),
    ] {
        test_player_with(&format!("option.{option}"), "5 --sample 2", "perfect").refuses(1, &[reason]);
    }
    test_player_with("option.Hash=32 option.boards=7", "5 --sample 2", "perfect").ok();
}

#[test]
fn an_engine_that_fails_once_is_started_again() {
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("mark");
    let program = env!("CARGO_BIN_EXE_phutbase");
    // The first run exits on the first position.
    let script = format!(
        "if [ -e {mark} ]; then exec {program} ugi; fi; touch {mark}; while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) exit 9;; esac; done",
        mark = mark.display()
    );
    let run = test_engine("8 --sample 20 --json", &["sh", "-c", &script]);
    let (wrongs, total) = wrongs_and_total(&run);
    assert_eq!(
        (total["failed"].as_u64(), total["blunders"].as_u64()),
        (Some(1), Some(0))
    );
    assert!(
        wrongs[0]["message"].as_str().unwrap().contains("exit status: 9"),
        "{wrongs:?}"
    );
}

#[test]
fn the_slowest_turn_does_not_include_the_start_after_a_fault() {
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("mark");
    let script = format!(
        "[ -e {mark} ] && sleep 2; touch {mark}; while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) exit 9;; esac; done",
        mark = mark.display()
    );
    let run = test_engine("8 --sample 2 --json", &["sh", "-c", &script]);
    let (_, total) = wrongs_and_total(&run);
    assert_eq!(total["failed"], 2);
    assert!(total["slowest_seconds"].as_f64().unwrap() < 1.5, "{total}");
}

/// A turn after the engine's own time has a column of its own and fails the test; the summary has the
/// greatest time.
#[test]
fn late_turns_are_counted() {
    let run = test_engine("5 --sample 2 --json", &scripted("sleep 0.3; echo bestmove o0"));
    let (wrongs, total) = wrongs_and_total(&run);
    assert_eq!((run.code, total["late"].as_u64()), (Some(1), Some(2)), "{run:?}");
    has(
        wrongs[0]["message"].as_str().unwrap(),
        &["ms for a turn, 200 ms were allowed"],
    );
    let slowest = total["slowest_seconds"].as_f64().unwrap();
    assert!((0.3..10.0).contains(&slowest), "{total}");
    let run = test_engine(
        "5 --sample 2 --json --engine st=5s",
        &scripted("sleep 0.3; echo bestmove o0"),
    );
    assert_eq!(wrongs_and_total(&run).1["late"], 0);
}

#[test]
fn a_sample_is_of_all_lengths_and_the_row_of_one_is_printed_once() {
    let rows = |options: &str| {
        let run = test_player(options, "perfect").ok();
        let counts = |line: &Json| {
            (
                line["boards"].as_str().unwrap().to_string(),
                line["positions"].as_u64(),
            )
        };
        run.json_lines().iter().map(counts).collect::<Vec<_>>()
    };
    // A strip of 3 squares has 4 boards with either player to move.
    let row = |boards: &str, count: u64| (boards.to_string(), Some(count));
    let expected = [row("3", 8), row("4", 11), row("5", 11), row("3..5", 30)];
    assert_eq!(rows("3..5 --sample 30 --json"), expected);
    assert_eq!(rows("5 --sample 7 --json"), [row("5", 7)]);
}

/// The results of a test that is killed are in its file.
#[cfg(unix)]
#[test]
fn results_are_written_as_they_come() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("results.xml");
    let start = || {
        let mut command = phutbase("test-engine 9 --sample 100 --junit");
        command
            .arg(&file)
            .arg("--")
            .args(scripted("sleep 0.1; echo bestmove o0"));
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let cases = || std::fs::read_to_string(&file).map_or(0, |text| text.matches("<testcase ").count());
        while cases() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    };
    let mut killed = start();
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(!std::fs::read_to_string(&file).unwrap().contains("</testsuites>"));
    std::fs::remove_file(&file).unwrap();
    let stopped = start();
    send("INT", stopped.id());
    let run = Run::from(stopped.wait_with_output().unwrap());
    run.fails(130, &["interrupted after", "results.xml"]);
    has(
        &std::fs::read_to_string(&file).unwrap(),
        &["<testcase ", "tests=", "</testsuites>"],
    );
}

/// An error before the first result leaves an earlier report as it is.
#[test]
fn an_old_report_stays_until_there_are_results() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "old").unwrap();
    let options = format!("5 --sample 1 --junit {}", file.path().display());
    for (engine, code) in [("no-such-engine", 3), ("false", 1)] {
        test_engine(&options, &[engine]).refusal(code);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "old", "{engine}");
    }
}

/// Positions of a pitch: the tables' own player makes no mistake, a wrong engine is caught.
#[test]
fn pitches_are_tested_too() {
    let run = test_player("4x3 --sample 300 --by best --json", "perfect").ok();
    let (wrongs, total) = wrongs_and_total(&run);
    assert!(wrongs.is_empty());
    assert_eq!(
        fields(&total, "game boards positions"),
        json!(["pitch", "4x3", 300])
    );
    // 6 points for the ball, 2^11 patterns of chaps, either player to move.
    let all = test_player("4x3 --all --json", "perfect").ok();
    assert_eq!(wrongs_and_total(&all).1["positions"], (2 * 6) << 11);
    let run = test_engine("4x3 --sample 5 --json", &scripted("echo bestmove z9"));
    assert_eq!(wrongs_and_total(&run).1["illegal"], 5);
}
