//! `phutbase generate` of strips: files written, kept, replaced and refused. Interruptions are in
//! `resume.rs`.

use crate::prelude::*;
use phutbase_files::container::VERSION;
use std::fs::File;
use std::time::SystemTime;

/// Contents and modification time of every table of a directory.
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
    let first = tables.run("generate 3..12 --json").json();
    assert_eq!(tables.names(), [".lock", "strip-12-dtw.phut"]);
    let totals = pinned_totals()[9];
    let expected = json!([
        totals.wins + totals.losses,
        totals.wins,
        totals.losses,
        0,
        totals.longest
    ]);
    assert_eq!(fields(&first, "positions wins losses draws longest"), expected);
    let expected = json!(["strip", "12", "dtw", "written", tables.dtw(12), [3, 12]]);
    assert_eq!(fields(&first, "game boards metric status file holds"), expected);
    assert_eq!(first["bytes"], std::fs::metadata(tables.dtw(12)).unwrap().len());

    let before = contents(&tables);
    let mut again = tables.run("generate 3..12 --json").json();
    assert_eq!(again["status"], "present");
    for field in ["status", "seconds"] {
        again[field] = first[field].clone();
    }
    assert_eq!(again, first);
    assert_eq!(contents(&tables), before);
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
    // Another table is not thrown away.
    std::fs::write(tables.dtw(10), other_length).unwrap();
    let refused = tables.run("generate 10");
    refused.fails(3, &["rename it to 'strip-9-dtw.phut'"]);
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
fn threads_and_checkpoints_do_not_change_the_bytes() {
    for metric in ["dtw", "wdl"] {
        let options = format!("18 --metric {metric}");
        let name = format!("strip-18-{metric}.phut");
        let expected = std::fs::read(Tables::made(&options).path().join(&name)).unwrap();
        for variant in "--threads 1; --threads 2; --threads 5; --checkpoint-every 0s".split("; ") {
            let tables = Tables::made(&format!("{options} {variant}"));
            let made = std::fs::read(tables.path().join(&name)).unwrap();
            assert!(made == expected, "{metric} {variant}");
            assert_eq!(tables.names(), [".lock", &name], "{variant}");
        }
    }
}

#[test]
fn a_directory_in_use_is_left_to_its_user() {
    let tables = Tables::made("5");
    let unfinished = tables.path().join(".phutbase-Ab12.partial");
    std::fs::write(&unfinished, "half").unwrap();
    let lock = File::open(tables.path().join(".lock")).unwrap();
    lock.lock().unwrap();
    for arguments in ["generate 6", "generate 5"] {
        let run = tables.run(arguments);
        run.refuses(3, &["another phutbase", "--tables"]);
    }
    assert!(unfinished.exists(), "it may belong to the other run");
    assert_eq!(tables.table_names(), ["strip-5-dtw.phut"]);
    // Reading takes no lock.
    assert_eq!(tables.probe(".@...")["position"], ".@...");
    drop(lock);
    tables.run("generate 6").ok();
}
