//! `phutbase generate` of strips: what it writes, keeps, replaces and refuses. Interruptions are in `resume.rs`.

use crate::common::cli::{Run, Tables, damage_frame, run_unread};
use crate::common::pinned_totals;
use phutbase::table::container::VERSION;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::process::Stdio;
use std::time::SystemTime;

/// Contents and time of every table of a directory.
fn contents(tables: &Tables) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let entry = |name: String| {
        let path = tables.path().join(&name);
        let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
        (name, (std::fs::read(path).unwrap(), modified))
    };
    tables.table_names().into_iter().map(entry).collect()
}

#[test]
fn a_range_makes_one_table_that_holds_it_and_a_rerun_keeps_it() {
    let tables = Tables::none();
    let first = tables.run("generate 3..12 --json").ok().json();
    assert_eq!(tables.names(), [".lock", "strip-12-dtw.phut"]);
    let totals = pinned_totals()
        .into_iter()
        .find(|totals| totals.length == 12)
        .unwrap();
    let found =
        ["positions", "wins", "losses", "draws", "longest"].map(|field| first[field].as_u64().unwrap());
    let positions = totals.wins + totals.losses;
    assert_eq!(
        found,
        [
            positions,
            totals.wins,
            totals.losses,
            totals.draws,
            totals.longest
        ]
    );
    let words = ["game", "boards", "metric", "status", "file"].map(|field| first[field].as_str().unwrap());
    assert_eq!(
        words,
        ["strip", "12", "dtw", "written", tables.dtw(12).to_str().unwrap()]
    );
    assert_eq!(first["holds"], json!([3, 12]));
    assert_eq!(first["bytes"], std::fs::metadata(tables.dtw(12)).unwrap().len());
    assert!(first["seconds"].as_f64().unwrap() >= 0.0);

    let before = contents(&tables);
    let again = tables.run("generate 12").ok();
    assert!(
        again.stdout.contains("3 to 12 squares") && again.stderr.is_empty(),
        "{again:?}"
    );
    let mut again = tables.run("generate 3..12 --json").json();
    assert_eq!(again["status"], "present");
    for field in ["status", "seconds"] {
        again[field] = first[field].clone();
    }
    assert_eq!(again, first);
    assert_eq!(contents(&tables), before);
    let counted = tables.run("generate 13 -v --json").json();
    assert!(counted["counters"]["collections"]["count"].is_u64(), "{counted}");
}

#[test]
fn tables_of_who_wins_are_smaller_and_stand_beside_the_others() {
    let tables = Tables::made("13");
    let line = tables.run("generate 13 --metric wdl --json").json();
    let words = [&line["metric"], &line["status"], &line["longest"]];
    assert_eq!(words, [&json!("wdl"), &json!("written"), &Json::Null]);
    assert_eq!((&line["wins"], &line["losses"]), (&json!(31492), &json!(13564)));
    assert_eq!(tables.table_names(), ["strip-13-dtw.phut", "strip-13-wdl.phut"]);
    assert!(line["bytes"].as_u64().unwrap() < std::fs::metadata(tables.dtw(13)).unwrap().len());
}

#[test]
fn an_unusable_table_is_replaced() {
    let tables = Tables::made("10");
    tables.run("generate 9").ok();
    let good = std::fs::read(tables.dtw(10)).unwrap();
    let other_length = std::fs::read(tables.dtw(9)).unwrap();
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut older = good.clone();
    older[8..10].copy_from_slice(&(VERSION - 1).to_le_bytes());
    let damages = [
        flipped(20),
        flipped(good.len() / 2),
        flipped(good.len() - 1),
        good[..good.len() / 2].to_vec(),
        [&good[..], b"more"].concat(),
        other_length,
        older,
    ];
    for (number, damaged) in damages.into_iter().enumerate() {
        std::fs::write(tables.dtw(10), &damaged).unwrap();
        assert_eq!(
            tables.run("generate 10 --json").json()["status"],
            "replaced",
            "{number}"
        );
        assert!(std::fs::read(tables.dtw(10)).unwrap() == good, "{number}");
    }
}

#[test]
fn a_newer_or_foreign_file_under_a_tables_name_is_left_alone() {
    let tables = Tables::made("10");
    let mut newer = std::fs::read(tables.dtw(10)).unwrap();
    newer[8..10].copy_from_slice(&(VERSION + 1).to_le_bytes());
    for foreign in [&newer[..], b"a shopping list"] {
        std::fs::write(tables.dtw(10), foreign).unwrap();
        let run = tables.run("generate 10 --json");
        run.fails(3, &["strip-10-dtw.phut"]);
        assert_eq!(std::fs::read(tables.dtw(10)).unwrap(), foreign);
    }
}

#[test]
fn threads_checkpoints_and_shorter_tables_do_not_change_the_bytes() {
    for metric in ["dtw", "wdl"] {
        let options = format!("18 --metric {metric}");
        let name = format!("strip-18-{metric}.phut");
        let expected = std::fs::read(Tables::made(&options).path().join(&name)).unwrap();
        for variant in [
            "--threads 1",
            "--threads 2",
            "--threads 5",
            "--checkpoint-every 0",
        ] {
            let tables = Tables::made(&format!("{options} {variant}"));
            let made = std::fs::read(tables.path().join(&name)).unwrap();
            assert!(made == expected, "{metric} {variant}");
            assert_eq!(tables.names(), [".lock", &name], "{variant}");
        }
        let tables = Tables::made(&format!("12 --metric {metric}"));
        tables.run(&format!("generate {options}")).ok();
        assert!(
            std::fs::read(tables.path().join(&name)).unwrap() == expected,
            "{metric}"
        );
    }
}

#[test]
fn a_table_past_the_memory_limit_is_refused() {
    let tables = Tables::none();
    let run = tables.run("generate 40 --metric wdl --json --memory 0.001");
    run.fails(3, &["40", "memory"]);
    assert_eq!(run.stdout, "");
    assert!(tables.table_names().is_empty());
}

#[test]
fn files_that_killed_runs_left_are_removed() {
    let tables = Tables::none();
    let kept = ["notes.partial", "strip-8-dtw.phut.orig"];
    for name in [".phutbase-Ab12.partial", ".phutbase-Xy.partial"]
        .iter()
        .chain(&kept)
    {
        std::fs::write(tables.path().join(name), "half").unwrap();
    }
    tables.run("generate 5").ok();
    assert_eq!(tables.names(), [".lock", kept[0], "strip-5-dtw.phut", kept[1]]);
}

#[test]
fn a_directory_in_use_is_left_to_its_user() {
    let tables = Tables::made("5");
    let unfinished = tables.path().join(".phutbase-Ab12.partial");
    std::fs::write(&unfinished, "half").unwrap();
    let lock = File::open(tables.path().join(".lock")).unwrap();
    lock.lock().unwrap();
    for arguments in ["generate 6", "generate 5", "draws 3..6"] {
        let run = tables.run(arguments);
        run.refuses(3, &["another phutbase", "--tables"]);
    }
    assert!(unfinished.exists(), "it may belong to the other run");
    assert_eq!(tables.table_names(), ["strip-5-dtw.phut"]);
    // Reading needs no lock.
    assert_eq!(tables.probe(".@...")["position"], ".@...");
    drop(lock);
    tables.run("generate 6").ok();
}

#[test]
fn two_runs_at_once_do_no_harm() {
    let bytes = |tables: &Tables| std::fs::read(tables.dtw(15)).unwrap();
    let expected = bytes(&Tables::made("15"));
    let tables = Tables::none();
    let spawn = || {
        let mut command = tables.phutbase("generate 15");
        (command.stdout(Stdio::piped()).stderr(Stdio::piped()))
            .spawn()
            .unwrap()
    };
    let runs = [spawn(), spawn()].map(|child| Run::from(child.wait_with_output().unwrap()));
    assert!(runs.iter().any(|run| run.code == Some(0)), "{runs:?}");
    for run in runs.iter().filter(|run| run.code != Some(0)) {
        run.fails(3, &["another phutbase"]);
    }
    assert!(bytes(&tables) == expected);
}

#[test]
fn tables_are_made_even_if_nobody_reads_the_output() {
    let tables = Tables::none();
    let run = run_unread(&mut tables.phutbase("generate 9"));
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(tables.table_names(), ["strip-9-dtw.phut"]);
}

/// A damaged shorter table from which the levels would start is an error where the user named its place.
#[test]
fn a_damaged_shorter_table_is_named() {
    // No embedded table has these rules.
    let tables = Tables::made("9 --metric wdl --rules directional");
    let name = "directional-strip-9-wdl.phut";
    damage_frame(&tables.path().join(name), 0);
    let run = tables.run("generate 12 --metric wdl --rules directional");
    run.fails(3, &[name]);
    tables.run("generate 12 --rules directional").ok();
}
