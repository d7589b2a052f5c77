//! A damaged table gives errors that name the file, or correct values; never a wrong answer or a
//! panic.

use phutbase_fixtures::prelude::*;

#[test]
fn a_damaged_frame_is_refused_and_the_others_still_answer() {
    for (length, metric) in [(20, Metric::Dtw), (34, Metric::Wdl)] {
        let good_bytes = generated(length, metric);
        let good = open(good_bytes.clone(), "good.phut").unwrap();
        let frames = Parts::of(&good_bytes).frames();
        let start = directory(&good_bytes).0[1].1 as usize;
        assert!(frames.len() >= 3, "{} frames", frames.len());
        let strips = sample(length, 1 << (length - 6) | 1);
        let mut answered = 0;
        for damaged in [0, frames.len() / 2, frames.len() - 1] {
            let mut bytes = good_bytes.clone();
            bytes[start + frames[damaged].start + frames[damaged].len() / 2] ^= 4;
            let table = open(bytes, NAME).unwrap();
            let corrupt = format!("tables/{NAME}: damaged: checksum mismatch in frame {damaged}");
            assert_eq!(table.check_frames().unwrap_err().to_string(), corrupt);
            let mut refused = 0;
            for strip in &strips {
                match table.verdict(strip) {
                    Ok(verdict) => {
                        assert_eq!(verdict, good.verdict(strip).unwrap(), "'{strip}'");
                        answered += 1;
                    }
                    Err(error) => {
                        assert_eq!(error.to_string(), corrupt);
                        refused += 1;
                    }
                }
            }
            assert!(refused > 0, "frame {damaged}");
            assert_eq!(table.verdicts(&strips).unwrap_err().to_string(), corrupt);
        }
        assert!(answered > 0, "some positions do without a frame");
    }
}

#[test]
fn a_table_under_another_ones_name_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let nine = generate_in(directory, 9, Metric::Dtw);
    let ten = directory.join("strip-10-dtw.phut");
    std::fs::copy(&nine, &ten).unwrap();
    let wdl = generate_in(directory, 11, Metric::Wdl);
    let dtw = directory.join("strip-11-dtw.phut");
    std::fs::rename(wdl, &dtw).unwrap();
    let tables = Tablebase::open(directory).unwrap();
    for (position, file, found, expected) in [
        (".@........", &ten, "strip-9-dtw.phut", "strip-10-dtw.phut"),
        (".@.........", &dtw, "strip-11-wdl.phut", "strip-11-dtw.phut"),
    ] {
        let error = tables.verdict(&strip(position)).unwrap_err();
        assert!(
            matches!(error, TableError::File(FileError::Foreign { .. })),
            "{error}"
        );
        names(&error, &file.display().to_string());
        let sentence = format!("the table is {found}, expected {expected}");
        assert!(error.to_string().contains(&sentence), "{error}");
    }
    assert!(tables.strip_table(Metric::Dtw, 10).is_err() && tables.ask_strips(10, None, Ok).is_err());
    // The other frames still answer.
    let value = tables.value(&strip(".@.o..o.."));
    assert!(matches!(value, Ok(Value::Win(_))), "{value:?}");
}

fn refused_by_directory(directory: &Path) -> TableError {
    let tables = Tablebase::open(directory).unwrap();
    assert!(tables.strip_tables().eq([(Metric::Dtw, 9)]));
    let error = tables.verdict(&strip(".@.o..o..")).unwrap_err();
    assert!(matches!(error, TableError::File(_)), "{error}");
    error
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
    assert!(matches!(error, TableError::File(FileError::Io { .. })), "{error}");
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()) && text.contains("cannot open it"));
}

/// A file that is truncated or overwritten while open gives errors or correct answers.
#[test]
fn a_file_that_changes_while_it_is_open_gives_no_false_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = generate_in(directory.path(), 22, Metric::Dtw);
    let good = std::fs::read(&path).unwrap();
    let strips = sample(22, 1_000_003);
    let values = open(good.clone(), "good.phut")
        .unwrap()
        .verdicts(&strips)
        .unwrap();
    for (damage, complaint) in [
        (0, "cut short"),
        (1, "checksum mismatch"),
        (2, "checksum mismatch"),
    ] {
        std::fs::write(&path, &good).unwrap();
        let table = StripTable::open(&path, &FrameCache::new(0)).unwrap();
        assert_eq!(table.verdicts(&strips).unwrap(), values);
        match damage {
            0 => std::fs::write(&path, &good[..100]).unwrap(),
            1 => std::fs::write(&path, vec![0; good.len()]).unwrap(),
            _ => std::fs::write(&path, [&good[4096..], &good[..4096]].concat()).unwrap(),
        }
        let mut failed = 0;
        for (strip, &value) in strips.iter().zip(&values) {
            match table.verdict(strip) {
                Ok(found) => assert_eq!(found, value, "'{strip}'"),
                Err(error) => {
                    assert!(error.to_string().contains(complaint), "{error}");
                    failed += 1;
                }
            }
        }
        assert!(failed > 0, "damage {damage} was not noticed");
    }
}
