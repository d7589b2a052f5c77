//! A damaged table is refused: never an answer, never a panic, and an error that names the file and the way out.

use crate::table::support::{
    NAME, at, edited, field, frames, generate_in, generated, open, positions, says_what_to_do, section, set,
    small_tables,
};
use phutbase::games::strip::Strip;
use phutbase::outcome::{Side, Value};
use phutbase::table::dense::DenseTable;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::table::{Metric, low_bits, table_path};
use std::path::Path;

/// Asserts that bytes are refused: when they are opened, or by every way of asking a table whose only frame is damaged.
fn is_refused(bytes: Vec<u8>, what: &str) {
    let table = match open(bytes, NAME) {
        Ok(table) => table,
        Err(error) => return says_what_to_do(&error, NAME),
    };
    let length = table.header().length;
    let strips: Vec<Strip> = positions(length).step_by(5).collect();
    let mut errors = vec![
        table.check_frames().expect_err(what),
        table.wdls(&strips).expect_err(what),
        table.verdicts(&strips).expect_err(what),
        table.block(Side::Right, 1, 0).expect_err(what),
    ];
    errors.extend(strips.iter().map(|strip| table.verdict(strip).expect_err(what)));
    errors.extend(strips.iter().map(|strip| table.wdl(strip).expect_err(what)));
    errors.iter().for_each(|error| says_what_to_do(error, NAME));
}

#[test]
fn every_flipped_byte_of_a_small_table_is_refused() {
    for good in small_tables() {
        assert_eq!(frames(&good).len(), 1);
        for place in 0..good.len() {
            for mask in [1, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[place] ^= mask;
                is_refused(bytes, &format!("byte {place} of {} ^ {mask:#x}", good.len()));
            }
        }
    }
}

#[test]
fn every_region_outside_the_frames_of_a_longer_table_is_checked_when_it_is_opened() {
    let good = generated(16, Metric::Dtw);
    let trie = section(&good, at::TRIE);
    let levels = field(&good, (trie.start, 4)) as usize;
    assert!(levels > 1, "a trie with inner nodes");
    let mut places: Vec<usize> = (0..192).collect();
    places.extend(section(&good, at::DESCRIPTION).step_by(3));
    places.extend(trie.start..trie.start + 4 * (1 + levels));
    let mut start = trie.start + 4 * (1 + levels);
    for level in 0..levels {
        let nodes = field(&good, (trie.start + 4 * (1 + level), 4)) as usize;
        places.extend([start, start + 32 * nodes, start + 64 * nodes - 1]);
        start += 64 * nodes;
    }
    assert_eq!(start, trie.end);
    places.extend(section(&good, at::INDEX));
    for place in places {
        for mask in [1, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[place] ^= mask;
            let error = open(bytes, NAME).expect_err(&format!("byte {place} ^ {mask:#x}"));
            says_what_to_do(&error, NAME);
        }
    }
}

#[test]
fn a_damaged_frame_is_refused_and_the_others_still_answer() {
    for metric in Metric::ALL {
        // Long enough for several frames.
        let length = if metric == Metric::Dtw { 16 } else { 22 };
        let good_bytes = generated(length, metric);
        let good = open(good_bytes.clone(), "good.phut").unwrap();
        let frames = frames(&good_bytes);
        assert!(frames.len() >= 3, "{} frames", frames.len());
        let strips: Vec<Strip> = positions(length)
            .step_by(if length > 16 { 30_011 } else { 11 })
            .collect();
        for damaged in [0, frames.len() / 2, frames.len() - 1] {
            let mut bytes = good_bytes.clone();
            bytes[frames[damaged].start + frames[damaged].len() / 2] ^= 4;
            let table = open(bytes, NAME).unwrap();
            assert_eq!(only_error(table.check_frames()), corrupt_frame(damaged));
            assert_eq!(only_error(table.verdicts(&strips)), corrupt_frame(damaged));
            blocks_outside_are_the_same(&table, &good, damaged);
            let (mut answered, mut refused) = (0, 0);
            for strip in &strips {
                match table.verdict(strip) {
                    Ok(verdict) => {
                        assert_eq!(verdict, good.verdict(strip).unwrap(), "'{strip}'");
                        answered += 1;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains(&corrupt_frame(damaged)));
                        refused += 1;
                    }
                }
            }
            assert!(
                answered > 0 && refused > 0,
                "{answered} answered, {refused} refused"
            );
        }
    }
}

fn corrupt_frame(number: usize) -> String {
    format!(
        "tables/{NAME}: damaged: the checksum of frame {number} is wrong; delete it and generate it again"
    )
}

fn only_error<T: std::fmt::Debug>(result: Result<T, TableError>) -> String {
    result.unwrap_err().to_string()
}

fn blocks_outside_are_the_same(table: &DenseTable, good: &DenseTable, damaged: usize) {
    let (header, payload) = (good.header(), good.payload());
    for side in [Side::Left, Side::Right] {
        for ball in 1..=header.length - 2 {
            for high in 0..1 << (header.length - 1 - low_bits(header.length)) {
                let number = good.block_number(side, ball, high).unwrap();
                let block = table.block(side, ball, high);
                if (number / payload.frame_blocks) as usize == damaged {
                    assert_eq!(only_error(block), corrupt_frame(damaged));
                } else {
                    assert_eq!(block.unwrap(), good.block(side, ball, high).unwrap());
                }
            }
        }
    }
}

#[test]
fn a_table_cut_short_is_refused_at_every_length() {
    let mut tables: Vec<(Vec<u8>, usize)> = small_tables().map(|bytes| (bytes, 1)).collect();
    tables.push((generated(16, Metric::Dtw), 41));
    for (good, step) in tables {
        let mut lengths: Vec<usize> = (0..good.len()).step_by(step).collect();
        for part in [at::DESCRIPTION, at::TRIE, at::INDEX].map(|part| section(&good, part)) {
            lengths.extend([part.start - 1, part.start, part.start + 1, part.end - 1]);
        }
        for length in lengths {
            match open(good[..length].to_vec(), NAME).unwrap_err() {
                error @ TableError::NotATable { .. } => {
                    assert_eq!(length, 0);
                    says_what_to_do(&error, NAME);
                }
                TableError::WrongSize { found, expected, .. } => {
                    assert_eq!(found, length as u64);
                    let known = if length < 192 { 192 } else { good.len() };
                    assert_eq!(expected, known as u64);
                }
                other => panic!("{length} of {}: {other}", good.len()),
            }
            // With a header that knows the new size, the sections or frames are missing.
            if length >= 192 {
                let cut = edited(&good[..length], |bytes| {
                    set(bytes, at::FILE_BYTES, length as u128)
                });
                let error = open(cut, NAME).unwrap_err();
                says_what_to_do(&error, NAME);
            }
        }
    }
}

#[test]
fn bytes_that_were_added_are_refused() {
    for good in small_tables().chain([generated(16, Metric::Wdl)]) {
        for more in [1, 64, 4096] {
            let mut bytes = good.clone();
            bytes.resize(good.len() + more, 0);
            let error = open(bytes, NAME).unwrap_err();
            assert!(matches!(error, TableError::WrongSize { .. }), "{error}");
            says_what_to_do(&error, NAME);
        }
    }
}

#[test]
fn a_table_under_another_ones_name_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let nine = generate_in(directory, 9, Metric::Dtw);
    let ten = table_path(directory, 10, Metric::Dtw);
    std::fs::copy(&nine, &ten).unwrap();
    let wdl = generate_in(directory, 11, Metric::Wdl);
    let dtw = table_path(directory, 11, Metric::Dtw);
    std::fs::rename(wdl, &dtw).unwrap();
    let tables = Tablebase::open(directory).unwrap();
    let ten_squares = ".@........".parse().unwrap();
    let eleven_squares = ".@.........".parse().unwrap();
    for (error, file, field, found, expected) in [
        (tables.verdict(&ten_squares), &ten, "the length", "9", "10"),
        (tables.verdict(&eleven_squares), &dtw, "the metric", "wdl", "dtw"),
    ] {
        let error = error.unwrap_err();
        assert!(matches!(error, TableError::Foreign { .. }), "{error}");
        says_what_to_do(&error, &file.display().to_string());
        let sentence = format!("{field} is {found}, expected {expected}");
        assert!(error.to_string().contains(&sentence), "{error}");
    }
    assert!(tables.table(10, Metric::Dtw).is_err() && tables.rated_turns(&ten_squares).is_err());
    let nine_squares: Strip = ".@.o..o..".parse().unwrap();
    assert!(
        matches!(tables.value(&nine_squares), Ok(Value::Win(_))),
        "the rest still answers"
    );
}

#[test]
fn a_newer_version_is_refused_whatever_its_checksum() {
    for good in small_tables() {
        for version in [2, 3, 0x0101, 0xffff] {
            let mut unchecked = good.clone();
            set(&mut unchecked, at::VERSION, version);
            let checked = edited(&good, |bytes| set(bytes, at::VERSION, version));
            for bytes in [unchecked, checked] {
                let error = open(bytes, NAME).unwrap_err();
                assert!(matches!(error, TableError::NewerVersion { .. }), "{error}");
                says_what_to_do(&error, NAME);
                assert!(error.to_string().contains(&format!("format version {version}")));
            }
        }
        let never = edited(&good, |bytes| set(bytes, at::VERSION, 0));
        assert!(matches!(open(never, NAME), Err(TableError::Corrupt { .. })));
    }
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = table_path(directory.path(), 9, Metric::Dtw);
    let name = path.display().to_string();
    let mut wrong_magic = generated(9, Metric::Dtw);
    wrong_magic[..8].copy_from_slice(b"PHUTBALL");
    let long_text = b"a text that is longer than a header ".repeat(20);
    for contents in [&b""[..], b"P", b"PHUTX", b"text", &wrong_magic, &long_text] {
        std::fs::write(&path, contents).unwrap();
        let error = refused_by_directory(directory.path());
        match contents {
            b"P" => assert!(matches!(error, TableError::WrongSize { .. }), "{error}"),
            _ => assert!(matches!(error, TableError::NotATable { .. }), "{error}"),
        }
        says_what_to_do(&error, &name);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let error = refused_by_directory(directory.path());
    assert!(matches!(error, TableError::NotATable { .. }), "{error}");
    says_what_to_do(&error, &name);
}

fn refused_by_directory(directory: &Path) -> TableError {
    let tables = Tablebase::open(directory).unwrap();
    assert_eq!(tables.lengths(), [9]);
    tables.verdict(&".@.o..o..".parse().unwrap()).unwrap_err()
}

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = generate_in(directory.path(), 9, Metric::Dtw);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("this user may read everything: not tested");
        return;
    }
    let error = refused_by_directory(directory.path());
    assert!(matches!(error, TableError::Io { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()) && text.contains("cannot open it"));
}

#[test]
fn the_error_for_a_missing_table_has_the_command_that_makes_it() {
    let parent = tempfile::tempdir().unwrap();
    for name in ["not there yet", "it's here"] {
        let directory = parent.path().join(name);
        let tables = Tablebase::open(&directory).unwrap();
        let strip: Strip = ".@.o..o..".parse().unwrap();
        let error = tables.verdict(&strip).unwrap_err();
        assert!(matches!(error, TableError::Missing { length: 9, .. }), "{error}");
        run_the_command_in(&error.to_string());
        let tables = Tablebase::open(&directory).unwrap();
        assert!(tables.value(&strip).is_ok());

        std::fs::remove_file(table_path(&directory, 9, Metric::Dtw)).unwrap();
        generate_in(&directory, 9, Metric::Wdl);
        let tables = Tablebase::open(&directory).unwrap();
        let error = tables.value(&strip).unwrap_err();
        assert!(matches!(error, TableError::NoDepths { length: 9, .. }), "{error}");
        run_the_command_in(&error.to_string());
        assert!(Tablebase::open(&directory).unwrap().value(&strip).is_ok());
    }
    let error = Tablebase::open(Path::new("tables/none"))
        .unwrap()
        .best(12)
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("phutbase generate 12 --tables 'tables/none'")
    );
    let default = TableError::Missing {
        length: 12,
        directory: "tables".into(),
    };
    assert!(default.to_string().ends_with("phutbase generate 12"));
}

/// Does what an error says after 'with:', as a reader would paste it into a shell.
fn run_the_command_in(text: &str) {
    let (_, command) = text.split_once("with: phutbase ").unwrap();
    if !cfg!(unix) {
        return;
    }
    let output = std::process::Command::new("sh")
        .args([
            "-c",
            &format!("exec \"$0\" {command}"),
            env!("CARGO_BIN_EXE_phutbase"),
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
}
