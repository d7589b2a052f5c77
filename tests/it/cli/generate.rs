//! `phutbase generate`: what it writes, keeps, replaces and refuses. Interruptions are in `cli_resume.rs`.

use crate::common::cli::{Run, Tables, run_unread};
use crate::common::pinned_totals;
use phutbase::generate::Request;
use phutbase::generate::plan::{Plan, human_bytes};
use phutbase::table::Metric;
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
fn every_length_to_14_is_written_with_the_pinned_counts_and_kept_by_a_rerun() {
    let tables = Tables::none();
    let first = tables.run("generate 3..14 --json").ok();
    let lines = first.json_lines();
    assert_eq!(lines.len(), 12);
    for (line, totals) in lines.iter().zip(pinned_totals()) {
        assert_eq!(line["boards"], totals.length.to_string());
        let expected = [totals.wins, totals.losses, totals.draws, totals.longest];
        let found = ["wins", "losses", "draws", "longest"].map(|field| line[field].as_u64().unwrap());
        assert_eq!(found, expected);
        assert_eq!(line["positions"], totals.wins + totals.losses);
        assert_eq!(
            (&line["metric"], &line["status"]),
            (&json!("dtw"), &json!("written"))
        );
        assert_eq!(line["file"], tables.dtw(totals.length).to_str().unwrap());
        assert_eq!(
            line["bytes"],
            std::fs::metadata(tables.dtw(totals.length)).unwrap().len()
        );
        assert!(line["seconds"].as_f64().unwrap() >= 0.0);
    }
    let before = contents(&tables);
    assert_eq!(before.len(), 12);
    assert_eq!(
        tables.names().len(),
        13,
        "nothing else but the lock file: {:?}",
        tables.names()
    );

    let again = tables.run("generate 3..14 --json").ok();
    assert_eq!(again.stderr, "", "nothing is stated where nothing is to do");
    for (mut line, mut first) in again.json_lines().into_iter().zip(lines) {
        assert_eq!(line["status"], "present");
        for line in [&mut line, &mut first] {
            line.as_object_mut()
                .unwrap()
                .retain(|field, _| field != "status" && field != "seconds");
        }
        assert_eq!(line, first);
    }
    assert_eq!(contents(&tables), before);
    assert!(
        tables
            .run("generate 14")
            .ok()
            .stdout
            .ends_with(", already there\n")
    );
}

#[test]
fn one_length_is_made_alone() {
    let tables = Tables::made("9");
    assert_eq!(tables.table_names(), ["strip-9-dtw.phut"]);
}

#[test]
fn wdl_tables_are_smaller_and_stand_beside_the_others() {
    let tables = Tables::made("13");
    let line = tables.run("generate 13 --metric wdl --json").json();
    assert_eq!(
        (&line["metric"], &line["status"]),
        (&json!("wdl"), &json!("written"))
    );
    assert_eq!(line["longest"], Json::Null);
    assert_eq!((&line["wins"], &line["losses"]), (&json!(31492), &json!(13564)));
    assert_eq!(tables.table_names(), ["strip-13-dtw.phut", "strip-13-wdl.phut"]);
    assert!(line["bytes"].as_u64().unwrap() < std::fs::metadata(tables.dtw(13)).unwrap().len());
}

#[test]
fn the_need_is_stated_before_the_work() {
    let tables = Tables::none();
    let scratch = tempfile::tempdir().unwrap();
    let request = Request {
        scratch: Some(scratch.path().to_path_buf()),
        ..Request::new(16, Metric::Wdl)
    };
    let plan = Plan::new(&request).unwrap();
    let run = tables
        .run_with(
            "generate 16 --engine dense --metric wdl --scratch",
            scratch.path().to_str().unwrap(),
        )
        .ok();
    let statement = format!(
        "length 16 (wdl): the dense engine, 458,752 positions, up to {} of memory, {} of scratch, {} of disk\n",
        human_bytes(plan.memory),
        human_bytes(plan.scratch),
        human_bytes(plan.disk)
    );
    assert_eq!(run.stderr, statement);
    assert_eq!(
        scratch.path().read_dir().unwrap().count(),
        0,
        "scratch files do not stay"
    );
    // In memory there is no scratch to speak of.
    let run = tables.run("generate 16 --engine dense").ok();
    assert!(
        run.stderr
            .starts_with("length 16 (dtw): the dense engine, 458,752 positions, up to "),
        "{run:?}"
    );
    assert!(!run.stderr.contains("scratch"), "{run:?}");
}

#[test]
fn a_damaged_table_is_replaced() {
    let tables = Tables::made("3..10");
    let good = std::fs::read(tables.dtw(10)).unwrap();
    let other_length = std::fs::read(tables.dtw(9)).unwrap();
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let damages = [
        flipped(20),
        flipped(good.len() / 2),
        flipped(good.len() - 1),
        good[..good.len() / 2].to_vec(),
        [&good[..], b"more"].concat(),
        other_length,
    ];
    for damaged in damages {
        std::fs::write(tables.dtw(10), &damaged).unwrap();
        assert_eq!(tables.run("generate 10 --json").json()["status"], "replaced");
        assert!(std::fs::read(tables.dtw(10)).unwrap() == good);
    }
    std::fs::write(tables.dtw(10), flipped(200)).unwrap();
    let text = tables.run("generate 10").ok().stdout;
    assert!(text.contains(", was damaged; replaced in "), "{text}");
}

#[test]
fn a_newer_or_foreign_file_under_a_tables_name_is_left_alone() {
    let tables = Tables::made("3..10");
    let mut newer = std::fs::read(tables.dtw(10)).unwrap();
    newer[8..10].copy_from_slice(&4u16.to_le_bytes());
    for (foreign, reason) in [
        (&newer[..], "format version 4, but"),
        (b"a shopping list", "not a phutbase file"),
    ] {
        std::fs::write(tables.dtw(10), foreign).unwrap();
        let run = tables.run("generate 10 --json");
        let message = run.failure(1);
        assert!(
            message.contains("strip-10-dtw.phut") && message.contains(reason),
            "{message}"
        );
        assert_eq!(std::fs::read(tables.dtw(10)).unwrap(), foreign);
    }
}

#[test]
fn threads_scratch_and_checkpoints_do_not_show_in_the_bytes() {
    for metric in ["dtw", "wdl"] {
        let options = format!("18 --engine dense --metric {metric}");
        let name = format!("strip-18-{metric}.phut");
        let expected = std::fs::read(Tables::made(&options).path().join(&name)).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let scratch = format!("--scratch {}", scratch.path().display());
        for variant in [
            "--threads 1",
            "--threads 2",
            "--threads 4",
            &scratch,
            "--checkpoint-every 0",
        ] {
            let tables = Tables::made(&format!("{options} {variant}"));
            assert!(
                std::fs::read(tables.path().join(&name)).unwrap() == expected,
                "{metric} {variant}"
            );
            assert_eq!(tables.names(), [".lock", &name], "{variant}");
        }
    }
}

#[test]
fn a_length_that_does_not_fit_in_memory_is_refused_with_a_way_out() {
    let tables = Tables::none();
    let plan = Plan::new(&Request::new(30, Metric::Dtw)).unwrap();
    let run_with = |bytes: u64| {
        let gib = bytes as f64 / f64::from(1 << 30);
        tables.run(&format!("generate 30 --engine dense --json --memory {gib}"))
    };
    let run = run_with(plan.memory - (1 << 20));
    let message = run.refusal(1);
    assert!(
        message.starts_with(&format!("length 30 needs {} of memory", human_bytes(plan.memory))),
        "{message}"
    );
    assert!(
        message.contains(&format!(
            "and {} may be used",
            human_bytes(plan.memory - (1 << 20))
        )),
        "{message}"
    );
    assert!(
        message.contains("--scratch DIR") && message.contains("--memory"),
        "{message}"
    );
    let run = run_with(1 << 20);
    let message = run.refusal(1);
    assert!(
        message.contains("and 1.0 MiB may be used: allow more with --memory"),
        "{message}"
    );
    assert_eq!(tables.names(), [".lock"]);
}

#[test]
fn what_killed_runs_left_is_removed() {
    let tables = Tables::none();
    let leftovers = [".phutbase-Ab12.partial", ".phutbase-Xy.partial"];
    for name in leftovers
        .iter()
        .chain(&["notes.partial", "strip-8-dtw.phut.orig"])
    {
        std::fs::write(tables.path().join(name), "half").unwrap();
    }
    tables.run("generate 5").ok();
    assert_eq!(
        tables.names(),
        [
            ".lock",
            "notes.partial",
            "strip-5-dtw.phut",
            "strip-8-dtw.phut.orig"
        ]
    );
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
        let message = run.refusal(1);
        assert!(
            message.starts_with("another phutbase is generating tables in '"),
            "{message}"
        );
        assert!(message.contains("--tables"), "{message}");
    }
    assert!(unfinished.exists(), "it may be the other run's");
    assert_eq!(tables.table_names(), ["strip-5-dtw.phut"]);
    // Reading needs no lock.
    assert_eq!(tables.probe(".@...")["position"], ".@...");
    drop(lock);
    tables.run("generate 6").ok();
}

#[test]
fn two_runs_at_once_do_no_harm() {
    let expected = contents(&Tables::made("3..15"));
    let tables = Tables::none();
    let spawn = || {
        let mut command = tables.phutbase("generate 3..15");
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let runs = [spawn(), spawn()].map(|child| Run::from(child.wait_with_output().unwrap()));
    assert!(runs.iter().any(|run| run.code == Some(0)), "{runs:?}");
    for run in runs.iter().filter(|run| run.code != Some(0)) {
        assert!(
            run.failure(1).starts_with("another phutbase is generating"),
            "{run:?}"
        );
    }
    let bytes = |tables: BTreeMap<String, (Vec<u8>, SystemTime)>| -> BTreeMap<String, Vec<u8>> {
        tables
            .into_iter()
            .map(|(name, (bytes, _))| (name, bytes))
            .collect()
    };
    assert!(bytes(contents(&tables)) == bytes(expected));
}

#[test]
fn tables_are_made_even_if_nobody_reads_the_output() {
    let tables = Tables::none();
    let run = run_unread(&mut tables.phutbase("generate 3..9"));
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(tables.table_names().len(), 7);
}

#[test]
fn a_scratch_directory_that_is_not_there_is_named() {
    let tables = Tables::none();
    let run = tables.run("generate 16 --scratch no/such/place");
    let message = run.failure(1);
    assert!(
        message.contains("'no/such/place'") && message.contains("--scratch"),
        "{message}"
    );
    assert!(tables.table_names().is_empty());
}

#[test]
fn the_engine_that_is_chosen_is_named_and_either_table_is_kept() {
    let tables = Tables::none();
    let made = tables.run("generate 16..18 --json").ok();
    for (length, engine) in [(16, "dense"), (17, "symbolic"), (18, "symbolic")] {
        let named = format!("length {length} (dtw): the {engine} engine, ");
        assert!(made.stderr.contains(&named), "{made:?}");
    }
    let layout = |length: usize| tables.run(&format!("stats {length} --json")).json()["layout"].clone();
    assert_eq!((layout(16), layout(17)), (json!("dense"), json!("diagram")));
    for engine in ["auto", "dense"] {
        let line = tables
            .run(&format!("generate 17 --engine {engine} --json"))
            .json();
        assert_eq!(line["status"], "present");
    }
}
