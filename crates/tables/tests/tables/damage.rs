//! A damaged table gives errors that name the file, or correct values; never a wrong answer or a
//! panic.

use phutbase_fixtures::prelude::*;

#[test]
fn a_damaged_frame_is_named_when_the_table_is_opened() {
    for (length, metric) in [(20, Metric::Dtw), (34, Metric::Wdl)] {
        let good = generated(length, metric);
        let frames = Parts::of(&good).frames();
        let start = directory(&good).0[1].1 as usize;
        assert!(frames.len() >= 3, "{} frames", frames.len());
        for damaged in [0, frames.len() / 2, frames.len() - 1] {
            let mut bytes = good.clone();
            bytes[start + frames[damaged].start + frames[damaged].len() / 2] ^= 4;
            let error = refused(open(bytes, NAME), "a damaged frame");
            let corrupt = format!("tables/{NAME}: damaged: checksum mismatch in frame {damaged}");
            assert_eq!(error, corrupt);
        }
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
    // The other table still answers.
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

/// Strips are in memory once the table is open.
#[test]
fn a_file_that_changes_while_it_is_open_changes_no_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = generate_in(directory.path(), 22, Metric::Dtw);
    let good = std::fs::read(&path).unwrap();
    let table = StripTable::open(&path).unwrap();
    let strips = sample(22, 1_000_003);
    let values = crate::verdicts(&table, &strips).unwrap();
    for bytes in [&good[..100], &vec![0; good.len()]] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(crate::verdicts(&table, &strips).unwrap(), values);
        assert!(StripTable::open(&path).is_err());
    }
}

/// Pitches are read frame by frame: errors or right values.
#[test]
fn a_pitch_that_changes_while_it_is_open_gives_no_false_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pitch-7x3-dtw.phut");
    let good = std::fs::read(table_file("pitch-7x3-dtw.phut")).unwrap();
    for (damage, complaint) in [
        (&good[..100], "cut short"),
        (&vec![0; good.len()], "checksum mismatch"),
        (&[&good[4096..], &good[..4096]].concat(), "checksum mismatch"),
    ] {
        std::fs::write(&path, &good).unwrap();
        let [table, whole] = [(); 2].map(|()| PitchTable::open(&path).unwrap());
        let pitches: Vec<Pitch> = (0..)
            .step_by(100_003)
            .map_while(|at| table.position(at))
            .collect();
        let values: Vec<Value> = pitches.iter().map(|pitch| whole.value(pitch).unwrap()).collect();
        std::fs::write(&path, damage).unwrap();
        let mut failed = 0;
        for (pitch, value) in pitches.iter().zip(values) {
            match table.value(pitch) {
                Ok(found) => assert_eq!(found, value, "'{pitch}'"),
                Err(error) => {
                    assert!(error.to_string().contains(complaint), "{error}");
                    failed += 1;
                }
            }
        }
        assert!(failed > 0, "{complaint}: not noticed in {} values", pitches.len());
    }
}
