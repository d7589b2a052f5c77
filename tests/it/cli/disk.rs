//! Disks that are full, that may not be written to, and that fail when they are flushed: whoever writes says so in one line that names the file,
//! ends with exit code 1, and leaves what was there as it was and nothing else. The disk fails in a library that the program is
//! started with (`scripts/failing_disk.c`), so that neither a disk nor a right is needed for it.

use crate::common::cli::{Run, Tables};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library; `None` if there is no compiler for it.
fn failing_disk(directory: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/failing_disk.c");
    let library = directory.join("failing_disk.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status();
    match compiled {
        Ok(status) if status.success() => Some(library),
        _ => {
            eprintln!("no C compiler: not tested");
            None
        }
    }
}

/// Those that write, each to be run in a directory with some tables, and what it writes there.
const WRITERS: [(&str, &str); 8] = [
    ("--tables DIR generate 14", "strip-14-dtw.phut"),
    (
        "--tables DIR generate 20 --checkpoint-every 0",
        ".strip-20-dtw.checkpoint",
    ),
    ("--tables DIR generate 18 --metric wdl", "strip-18-wdl.phut"),
    ("--tables DIR generate 4x3", "pitch-4x3-dtw.phut"),
    ("--tables DIR generate obstruction:4x4", "obstruction.phut"),
    ("--tables DIR draws 4..8", "strip-8-wdl.phut"),
    (
        "--tables DIR suite 4..7 --per-depth 1 --out DIR/suite.epd",
        "suite.epd",
    ),
    ("certify 2/1@/1o/1o/2/2 --out DIR/proof.cert", "proof.cert"),
];

fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|extension| extension == "lock") => {}
            false if path.ends_with(".lock") => {}
            false => _ = found.insert(path.clone(), std::fs::read(&path).unwrap()),
        }
    }
    found
}

/// Runs all writers on a disk with a fault; `room` is what there is on a full one.
fn write_on(library: &Path, fault: &str, room: usize) {
    for (arguments, written) in WRITERS {
        let tables = Tables::made("7");
        for kept in ["suite.epd", "proof.cert"] {
            std::fs::copy(
                Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/obstruction.phut"),
                tables.path().join(kept),
            )
            .unwrap();
        }
        let before = files(tables.path());
        let directory = tables.path().to_str().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_phutbase"));
        command.args(arguments.replace("DIR", directory).split_whitespace());
        command.env("LD_PRELOAD", library).env("PHUTBASE_DISK", directory);
        command
            .env("PHUTBASE_FAULT", fault)
            .env("PHUTBASE_ROOM", room.to_string());
        let run = Run::from(command.output().unwrap());
        if fault == "full" && run.code == Some(0) {
            // It fits.
            assert!(room > 100, "{arguments}: {run:?}");
            continue;
        }
        let message = run.failure(3);
        assert!(
            message.contains(written) || fault != "sync" && message.contains(directory),
            "{fault}, {arguments}: {message}"
        );
        let after = files(tables.path());
        for (file, bytes) in &before {
            assert!(
                after.get(file) == Some(bytes),
                "{fault}, {arguments}: {file:?} is not as it was"
            );
        }
        // What was complete before the disk was full stays; nothing is left half-written.
        for file in after.keys().filter(|file| !before.contains_key(*file)) {
            let name = file.file_name().unwrap().to_str().unwrap();
            assert!(
                fault == "full" && !name.ends_with(".partial"),
                "{fault}, {arguments}: {name}"
            );
        }
        if arguments.starts_with("--tables") {
            tables.run("verify").ok();
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fails_loses_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let Some(library) = failing_disk(scratch.path()) else {
        return;
    };
    write_on(&library, "sync", 0);
    write_on(&library, "readonly", 0);
    write_on(&library, "full", 0);
    write_on(&library, "full", 700);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "disks that are full after any number of bytes: a few minutes"]
fn a_disk_that_is_full_anywhere_loses_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let Some(library) = failing_disk(scratch.path()) else {
        return;
    };
    (0..60).for_each(|step| write_on(&library, "full", step * step * 17));
}
