//! Late turns and results as they come in `test-engine`; pitches in `test-engine`, `suite` and `find`.

use super::tools::{scripted, test_engine, test_player, wrongs_and_total};
use crate::prelude::*;

/// A turn after the time limit has a column of its own and fails the test.
#[test]
fn late_turns_are_counted() {
    let run = test_engine("5 --sample 2 --json", &scripted("sleep 1.3; echo bestmove o0"));
    let (wrongs, total) = wrongs_and_total(&run);
    assert_eq!((run.code, total["late"].as_u64()), (Some(1), Some(2)), "{run:?}");
    let message = wrongs[0]["message"].as_str().unwrap();
    has(message, &["ms for a turn, 1100 ms were allowed"]);
    let run = test_engine(
        "5 --sample 2 --movetime 5s --json",
        &scripted("sleep 1.3; echo bestmove o0"),
    );
    assert_eq!(wrongs_and_total(&run).1["late"], 0);
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

/// A suite of a pitch has positions of every depth, and their best turns are those of the table.
#[test]
fn suites_of_pitches_have_every_depth() {
    let items = lines("suite 4x3 --per-depth 2");
    let counted = lines("stats 4x3");
    let depths: BTreeSet<u64> = items.iter().filter_map(|item| item["depth"].as_u64()).collect();
    let longest = counted[0]["longest"].as_u64().unwrap();
    assert!(depths.contains(&1) && depths.contains(&longest), "{depths:?}");
    for item in &items {
        let probe = lines_of(item["position"].as_str().unwrap());
        assert_eq!(
            fields(item, "value depth"),
            fields(&probe, "value depth"),
            "{item}"
        );
        let best = probe["moves"][0]["move"].as_str().unwrap();
        assert!(
            item["best"].as_array().unwrap().iter().any(|turn| turn == best),
            "{item}"
        );
    }
    // Deep positions alone, also of strips.
    for boards in ["4x3", "9"] {
        for item in lines(&format!("suite {boards} --depth 5.. --per-depth 1")) {
            assert!(item["depth"].as_u64().unwrap() >= 5, "{item}");
        }
    }
}

fn lines_of(position: &str) -> Json {
    run_with("probe --json", position).json()
}

/// `find` counts the positions of a pitch as `stats` does.
#[test]
fn positions_of_pitches_are_found() {
    let stats = &lines("stats 4x3")[0];
    for (value, field) in [("win", "wins"), ("loss", "losses"), ("draw", "draws")] {
        let run = run(&format!("find 4x3 --value {value} --limit 3 --json"));
        let found = run.json_lines();
        assert_eq!(run.code, Some(i32::from(stats[field] == 0)), "{value}");
        assert_eq!(found[0]["count"], stats[field], "{value}");
        for position in &found[1..] {
            assert_eq!(position["value"], value);
        }
    }
    let found = lines("find 4x3 --value win --depth 3 --stones 2..4 --side right --sample 4");
    for position in &found[1..] {
        let probe = lines_of(position["position"].as_str().unwrap());
        assert_eq!(fields(&probe, "value depth side"), json!(["win", 3, "betty"]));
    }
    run("find 4x3 --pattern *o*").refuses(2, &["--pattern only applies to strips"]);
}
