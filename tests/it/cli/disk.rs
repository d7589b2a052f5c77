//! Full, read-only and failing disks: the program reports the file in one line, exits with code 3,
//! and leaves existing files unchanged and no others. A preloaded library
//! (`scripts/faults.c`) injects the faults.

use crate::common::faults;
use crate::prelude::*;

/// Commands that write, for a directory with some tables, and the file that each writes.
const WRITERS: [(&str, &str); 8] = [
    ("--tables DIR generate 14", "strip-14-dtw.phut"),
    (
        "--tables DIR generate 20 --checkpoint-every 0s",
        ".strip-20-dtw.checkpoint",
    ),
    ("--tables DIR generate 18 --metric wdl", "strip-18-wdl.phut"),
    ("--tables DIR generate 4x3", "pitch-4x3-dtw.phut"),
    ("--tables DIR generate obstruction:4x4", "obstruction.phut"),
    ("--tables DIR generate 8 --metric wdl", "strip-8-wdl.phut"),
    (
        "--tables DIR find 4..7 --suite --sample 1 --out DIR/suite.epd",
        "suite.epd",
    ),
    ("certify 2/1@/1o/1o/2/2 --out DIR/proof.cert", "proof.cert"),
];

fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let is_lock =
            path.ends_with(".lock") || path.extension().is_some_and(|extension| extension == "lock");
        if path.is_dir() {
            found.extend(files(&path));
        } else if !is_lock {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

/// Runs all commands on a disk with a fault; `room` is the free space of a full one.
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
        if fault == "full" && matches!(run.code, Some(0 | 1)) {
            // The file fits; there is no draw.
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
        // Files completed before the disk was full may stay; partial ones may not.
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
    let Some(library) = faults() else { return };
    write_on(library, "sync", 0);
    write_on(library, "readonly", 0);
    write_on(library, "full", 0);
    write_on(library, "full", 700);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "disks that are full after any number of bytes: a few minutes"]
fn a_disk_that_is_full_anywhere_loses_nothing() {
    let Some(library) = faults() else { return };
    (0..60).for_each(|step| write_on(library, "full", step * step * 17));
}
