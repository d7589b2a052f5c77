//! What goes with the engine: testing other engines, suites, a game at the terminal, completions, the man page.

use crate::common::cli::{Run, Tables, fields, phutbase, run, run_with};
use crate::common::tools::python;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// `test-engine` with options, on an engine and its arguments.
fn test_engine(options: &str, engine: &[&str]) -> Run {
    let mut command = phutbase(&format!("test-engine {options} --"));
    command.args(engine).output().unwrap().into()
}

/// The same, on the program itself.
fn test_player(options: &str, player: &str) -> Run {
    let program = env!("CARGO_BIN_EXE_phutbase");
    test_engine(options, &[program, "ugi", "--player", player, "--seed", "3"])
}

/// A shell script that says hello as an engine does, and then `turn` to every 'go'.
fn scripted(turn: &str) -> [String; 3] {
    let script = format!(
        "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) {turn};; quit) exit;; esac; done"
    );
    ["sh".to_string(), "-c".to_string(), script]
}

/// The objects that a test with `--json` printed: what went wrong, and the row of all lengths together.
fn wrongs_and_total(run: &Run) -> (Vec<Json>, Json) {
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
    // (n − 2) · 2^(n−1) positions for either player, from 3 to 8.
    let positions: u64 = (3..=8).map(|n: u64| (2 * (n - 2)) << (n - 1)).sum();
    assert_eq!(total["positions"], positions);
    assert_eq!(total["score"], 100.0);
    test_player("37..38 --sample 20", "perfect").ok();
}

#[test]
fn the_potential_is_exact_up_to_eight_squares_and_errs_on_longer_strips() {
    // Exact for n ≤ 8 (RULES §3): whoever goes by it never lets go of a win.
    // It is done in no time, but plays what it has when its time is over, which a busy machine may take from it.
    test_player("3..8 --all --movetime 5000", "potential").ok();
    let run = test_player("16 --sample 500 --json --movetime 5000", "potential");
    let (_, total) = wrongs_and_total(&run);
    assert_eq!(run.code, Some(1));
    let score = total["score"].as_f64().unwrap();
    assert!((90.0..100.0).contains(&score), "{score}");
}

#[test]
fn blunders_are_what_the_tables_call_them() {
    let run = test_player("6..9 --sample 40 --limit 1000 --json", "random");
    assert!(run.failure(1).starts_with("the engine failed in "));
    let (wrongs, total) = wrongs_and_total(&run);
    assert_eq!(total["blunders"], wrongs.len());
    assert!(wrongs.len() > 30, "{}", wrongs.len());
    for wrong in wrongs.iter().take(12) {
        let position = wrong["position"].as_str().unwrap();
        let told = phutbase("probe --json").arg(position).output().unwrap();
        let probed = Run::from(told).json();
        let value_of = |turn: &Json| {
            let moves = probed["moves"].as_array().unwrap();
            let found = moves.iter().find(|rated| rated["move"] == *turn);
            found.unwrap_or_else(|| panic!("{turn} in {position}"))["value"].clone()
        };
        assert_eq!(probed["value"], "win");
        assert_eq!(value_of(&wrong["move"]), "loss", "{wrong}");
        for turn in wrong["expected"].as_array().unwrap() {
            assert_eq!(value_of(turn), "win", "{wrong}");
        }
    }
    let again = test_player("6..9 --sample 40 --limit 1000 --json", "random");
    assert_eq!(again.stdout, run.stdout, "the same seeds, the same test");
}

#[test]
fn the_results_are_junit_xml() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("results.xml");
    let script = scripted(r#"printf 'bestmove <&\001]]>"\047 x\n'"#);
    let engine: Vec<&str> = script.iter().map(String::as_str).collect();
    let options = format!("5..6 --sample 7 --junit {} --json", file.display());
    let (_, total) = wrongs_and_total(&test_engine(&options, &engine));
    assert_eq!(total["illegal"], 14);
    let read = "import sys, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites', root.tag
for suite in root:
    cases = suite.findall('testcase')
    failures = [c for c in cases if c.find('failure') is not None]
    assert int(suite.get('tests')) == len(cases) and int(suite.get('failures')) == len(failures)
    print(suite.get('name'), len(cases), len(failures), failures[0].find('failure').get('message'))
";
    let Some(output) = python(&["-c", read, file.to_str().unwrap()]) else {
        return;
    };
    let read = Run::from(output).ok();
    let lines: Vec<&str> = read.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with("strip-5 7 7 '<&]]>\"'' is not a legal turn; expected "),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("strip-6 7 7 "), "{lines:?}");
}

#[test]
fn engines_that_misbehave_are_reported_and_do_not_hang_the_test() {
    // Only of those that say nothing the time is waited for.
    let timeout = |reason: &str| if reason.starts_with("no '") { 1000 } else { 20_000 };
    // One that does not get ready is asked nothing, and there is one line.
    let cases: [(&str, &[&str]); 4] = [
        ("cannot be started", &["no-such-engine"]),
        (
            "ended before 'ugiok' came: exit status: 3",
            &["sh", "-c", "exit 3"],
        ),
        (
            "no 'ugiok' within 1000 ms",
            &["sh", "-c", "sleep 1000 & sleep 1000"],
        ),
        ("a line of more than 65536 bytes", &["sh", "-c", "cat /dev/zero"]),
    ];
    for (reason, engine) in cases {
        let run = test_engine(&format!("4..16 --timeout {}", timeout(reason)), engine);
        let message = run.refusal(1);
        assert!(message.starts_with("the engine was asked nothing"), "{message}");
        assert!(message.contains(reason), "{engine:?}: {message}");
    }
    let scripts: Vec<(&str, [String; 3])> = vec![
        ("no 'bestmove' within 1000 ms", scripted("sleep 1000")),
        ("more than 100000 lines before 'bestmove'", scripted("yes")),
        ("a line of more than 65536 bytes", scripted("cat /dev/zero")),
        ("ended before 'bestmove' came", scripted("kill -9 $$")),
        ("'' is not a legal turn", scripted("echo bestmove")),
        (
            "'o77' is not a legal turn",
            scripted("echo bestmove o77; echo bestmove o1"),
        ),
    ];
    let scripted_engine = scripted;
    let scripted = scripts
        .iter()
        .map(|(reason, script)| (*reason, script.iter().map(String::as_str).collect::<Vec<_>>()));
    for (reason, engine) in scripted {
        let begun = Instant::now();
        let options = format!("7 --sample 2 --timeout {}", timeout(reason));
        let run = test_engine(&options, &engine);
        run.fails(1, &["in 2 of 2 positions"]);
        let first = run.stdout.lines().next().unwrap();
        assert!(first.contains(reason), "{engine:?}: {first}");
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{engine:?}: {:?}",
            begun.elapsed()
        );
    }
    // After some faults in a row nothing more is asked.
    let script = scripted_engine("kill -9 $$");
    let engine: Vec<&str> = script.iter().map(String::as_str).collect();
    let run = test_engine("9 --sample 500 --limit 500", &engine);
    assert!(
        run.stdout
            .lines()
            .nth(20)
            .unwrap()
            .contains("not asked, after 10 faults in a row")
    );
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_test_with_what_is_known_and_the_engine_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let pid = directory.path().join("pid");
    let script = scripted(&format!("echo $$ > {}; sleep 1; echo bestmove o0", pid.display()));
    let mut command = phutbase("test-engine 9 --sample 100 --");
    let child = command
        .args(&script)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while std::fs::read_to_string(&pid).map_or(true, |pid| pid.is_empty()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = |arguments: &[&str]| Command::new("kill").args(arguments).output().unwrap();
    kill(&["-INT", &child.id().to_string()]);
    let run = Run::from(child.wait_with_output().unwrap());
    run.fails(130, &["interrupted after 1 of 100"]);
    let pid = std::fs::read_to_string(&pid).unwrap();
    assert!(
        !kill(&["-0", pid.trim()]).status.success(),
        "the engine still runs"
    );
}

/// Whether a process of this number still runs after some seconds in which it may end; one that nobody has asked about yet does not.
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

/// What a file holds as soon as it holds something.
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
fn an_engine_that_does_not_read_holds_up_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let pid = directory.path().join("pid");
    // Ready, and then deaf: what is written to it stays in the pipe.
    let deaf = format!(
        "echo $$ > {}; echo ugiok; echo readyok; echo 'deaf as a post' >&2; exec sleep 300",
        pid.display()
    );
    let option = format!("--option a={}", "x".repeat(100_000));
    for options in ["", &option] {
        let begun = Instant::now();
        let run = test_engine(
            &format!("7 --sample 2 --timeout 1000 {options}"),
            &["sh", "-c", &deaf],
        );
        run.fails(1, &["in 2 of 2 positions"]);
        assert!(run.stderr.contains("deaf as a post"), "{run:?}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
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
    let mut command = phutbase("test-engine 9 --sample 100 --timeout 60000 --");
    let (out, err) = (Stdio::piped(), Stdio::piped());
    let mut tester = command.args(&script).stdout(out).stderr(err).spawn().unwrap();
    let started = written(&pid);
    let id = tester.id().to_string();
    while tester.try_wait().unwrap().is_none() {
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(tester.wait().unwrap().code(), Some(130));
    assert!(!runs(&started), "what the engine has started still runs");
}

#[test]
fn an_engine_that_fails_once_is_started_again() {
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("mark");
    let program = env!("CARGO_BIN_EXE_phutbase");
    // The first time it runs it dies of the first question.
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
fn what_cannot_be_tested_is_refused_before_the_engine_is_started() {
    for (options, reason, code) in [
        ("9..4", "ends before it begins", 2),
        ("2", "3 to 128 squares", 2),
        ("7x3", "takes strips", 2),
        ("30 --all", "use --sample", 2),
        ("40 --by best", "phutbase generate 40 --metric dtw", 1),
        ("--option x", "write NAME=VALUE", 2),
    ] {
        let run = test_engine(options, &["no-such-engine"]);
        run.refuses(code, &[reason]);
    }
    assert_eq!(run("test-engine 9").code, Some(2), "no engine");
}

#[test]
fn suites_have_every_depth_and_the_turns_of_the_tables() {
    let suite = |options: &str| run(&format!("suite 12..13 --per-depth 3 {options}")).ok();
    let items = suite("--json").json_lines();
    let text = |item: &Json, name: &str| item[name].as_str().unwrap().to_string();
    let words = |item: &Json, name: &str| -> Vec<String> {
        let turns = item[name].as_array().unwrap().iter();
        turns.map(|turn| turn.as_str().unwrap().to_string()).collect()
    };
    let positions: BTreeSet<String> = items.iter().map(|item| text(item, "position")).collect();
    assert_eq!(positions.len(), items.len(), "no position twice");
    let mut by_depth: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut sides = BTreeSet::new();
    for item in &items {
        let position = text(item, "position");
        let (board, side) = position.split_once(' ').unwrap();
        sides.insert(side.to_string());
        let stratum = (board.len(), item["depth"].as_u64().unwrap());
        *by_depth.entry(stratum).or_default() += 1;
        let probed = run_with("probe --json", &position).json();
        let value = fields(item, "value depth");
        assert_eq!(fields(&probed, "value depth"), value, "{position}");
        let mut moves = probed["moves"].as_array().unwrap().clone();
        moves.retain(|rated| rated["value"] == item["value"]);
        let (best, keep): (Vec<&Json>, Vec<&Json>) = moves
            .iter()
            .partition(|rated| fields(rated, "value depth") == value);
        for (name, expected) in [("best", best), ("keep", keep)] {
            let expected: BTreeSet<String> = expected.into_iter().map(|rated| text(rated, "move")).collect();
            assert_eq!(
                BTreeSet::from_iter(words(item, name)),
                expected,
                "{position} {name}"
            );
        }
    }
    assert_eq!(sides, BTreeSet::from(["L".to_string(), "R".to_string()]));
    for length in [12, 13] {
        let stats = run(&format!("stats {length} --json")).json();
        for depth in 1..=stats["longest"].as_u64().unwrap() {
            let found = by_depth.get(&(length, depth)).copied().unwrap_or(0);
            assert!(
                (1..=3).contains(&found),
                "{length} squares, depth {depth}: {found}"
            );
        }
    }
    let epd = suite("").stdout;
    assert_eq!(
        epd,
        suite("--seed 0 --threads 1").stdout,
        "the same seed, the same bytes"
    );
    assert_ne!(epd, suite("--seed 1").stdout);
    for (line, item) in epd.lines().zip(&items) {
        let mut expected = format!("{} value {};", text(item, "position"), text(item, "value"));
        expected += &format!(" depth {}; bm {};", item["depth"], words(item, "best").join(" "));
        if !words(item, "keep").is_empty() {
            expected += &format!(" km {};", words(item, "keep").join(" "));
        }
        assert_eq!(line, format!("{expected} id {};", item["id"]));
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("suite.epd");
    assert_eq!(suite(&format!("--out {}", file.display())).stdout, "");
    assert_eq!(std::fs::read_to_string(file).unwrap(), epd);
    let far = run("suite 50 --per-depth 4 --json").ok().json_lines();
    let values: Vec<String> = far.iter().map(|item| text(item, "value")).collect();
    assert_eq!(values, [["win"; 4], ["loss"; 4]].concat());
}

#[test]
fn a_game_at_the_terminal() {
    let play = |arguments: &str, input: &str| Tables::none().run_on(arguments, input.as_bytes());
    let tables = |position: &str, options: &str, input: &str| {
        let mut command = phutbase("play");
        command.arg(position).args(options.split_whitespace());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        Run::from(child.wait_with_output().unwrap()).ok().stdout
    };
    let said = tables(
        "o@o.o.o....",
        "",
        "value\nhint\nmoves\n@5\nvalue\nundo\n@9\no1 x\nquit\n",
    );
    for part in [
        "Left, to move: win in 13",
        "> @5\n",
        "o3 o5 o7 o8 o9 o10 @3 @5 @7 @L",
        "Right plays o",
        "Left, to move: win in 11",
        "@9 is not a legal turn in 'o@o.o.o....'",
        "'o1 x' is not a turn",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Both sides played by hand, to the end and back.
    let said = tables(".@oo", "--side both", "@R\nvalue\no3\nundo\nundo\n");
    assert!(said.contains("Left wins."), "{said}");
    assert!(
        said.contains("the game is over; 'undo' takes turns back"),
        "{said}"
    );
    assert!(said.contains("nothing to take back"), "{said}");
    // The program begins, and wins at once.
    let said = tables("3/1o1/1@1/3/3 A", "--side second", "");
    assert!(said.contains("Alfred plays b3-b5\n"), "{said}");
    assert!(
        said.contains("   3 ...\n   2 ...\n   1 ...\n     abc\nAlfred wins."),
        "{said}"
    );
    let run = play(&format!("play .@{}", ".".repeat(125)), "value\nquit\n").ok();
    assert!(run.stdout.contains("no table reaches here"), "{run:?}");
    assert_eq!(play("play 3/3", "").code, Some(2));
}

#[test]
fn completions_and_the_man_page_know_every_command() {
    let help = run("help").ok().stdout;
    let commands: Vec<&str> = (help.lines())
        .skip_while(|line| *line != "Ask:")
        .take_while(|line| *line != "Global options:")
        // Verbs are set in by two; descriptions that go on are set further in.
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(
        commands.contains(&"test-engine") && commands.contains(&"suite"),
        "{commands:?}"
    );
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&format!("completions {shell}")).ok().stdout;
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let script = run("completions bash").stdout;
    let status = Command::new("bash").args(["-n", "-c", &script]).status().unwrap();
    assert!(status.success());
    let page = run("man").ok().stdout;
    assert!(page.contains(".TH phutbase 1"), "{page}");
    for command in &commands {
        let heading = format!(".SH \"PHUTBASE {}\"", command.to_uppercase());
        assert!(page.contains(&heading), "{heading}");
    }
    assert_eq!(run("completions tcsh").code, Some(2));
}
