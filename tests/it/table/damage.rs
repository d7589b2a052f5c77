//! A damaged table is refused: never an answer, never a panic, and an error that names the file and the way out.

use crate::common::container::{Parts, directory};
use crate::table::support::{NAME, generate_in, generated, open, positions, says_what_to_do};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::outcome::{Side, Value};
use phutbase::table::dense::DenseTable;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::table::header::block_bytes;
use phutbase::table::places::Places;
use phutbase::table::{Metric, low_bits, table_path};
use std::path::Path;

#[test]
fn a_damaged_frame_is_refused_and_the_others_still_answer() {
    for metric in Metric::ALL {
        // Long enough for several frames.
        let length = if metric == Metric::Dtw { 16 } else { 22 };
        let good_bytes = generated(length, metric);
        let good = open(good_bytes.clone(), "good.phut").unwrap();
        let frames = Parts::of(&good_bytes).frames();
        let start = directory(&good_bytes).0[1].1 as usize;
        assert!(frames.len() >= 3, "{} frames", frames.len());
        let strips: Vec<Strip> = positions(length)
            .step_by(if length > 16 { 30_011 } else { 11 })
            .collect();
        for damaged in [0, frames.len() / 2, frames.len() - 1] {
            let mut bytes = good_bytes.clone();
            bytes[start + frames[damaged].start + frames[damaged].len() / 2] ^= 4;
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
    format!("tables/{NAME}: damaged: frame {number} has a wrong checksum; delete it and generate it again")
}

fn only_error<T: std::fmt::Debug>(result: Result<T, TableError>) -> String {
    result.unwrap_err().to_string()
}

fn blocks_outside_are_the_same(table: &DenseTable, good: &DenseTable, damaged: usize) {
    let header = good.header();
    let frame_blocks = 32_768 / block_bytes(header.length, header.metric) as u32;
    for side in [Side::Left, Side::Right] {
        for ball in 1..=header.length - 2 {
            for high in 0..1 << (header.length - 1 - low_bits(header.length)) {
                let number = good.block_number(side, ball, high).unwrap();
                let block = table.block(side, ball, high);
                if (number / frame_blocks) as usize == damaged {
                    assert_eq!(only_error(block), corrupt_frame(damaged));
                } else {
                    assert_eq!(block.unwrap(), good.block(side, ball, high).unwrap());
                }
            }
        }
    }
}

#[test]
fn a_table_under_another_ones_name_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let nine = generate_in(directory, 9, Metric::Dtw);
    let ten = table_path(directory, Rules::Ordinary, 10, Metric::Dtw);
    std::fs::copy(&nine, &ten).unwrap();
    let wdl = generate_in(directory, 11, Metric::Wdl);
    let dtw = table_path(directory, Rules::Ordinary, 11, Metric::Dtw);
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
fn files_that_are_no_tables_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = table_path(directory.path(), Rules::Ordinary, 9, Metric::Dtw);
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

        std::fs::remove_file(table_path(&directory, Rules::Ordinary, 9, Metric::Dtw)).unwrap();
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
    let everywhere = TableError::Missing {
        rules: Rules::Ordinary,
        length: 12,
        places: Places::all(None),
    };
    assert!(everywhere.to_string().ends_with("phutbase generate 12"));
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
