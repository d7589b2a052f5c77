//! The lock on a directory of tables is released when its holder drops it, whatever else the
//! process does meanwhile.

use crate::prelude::*;
use phutbase_base::disk::replace_file;

/// A child process has copies of all open files until its program starts; one that is forked while
/// the lock is held must not keep it.
#[test]
fn children_of_the_process_do_not_keep_the_lock() {
    let directory = tempfile::tempdir().unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let child = Command::new(env!("CARGO_BIN_EXE_phutbase"))
                        .arg("--version")
                        .stdout(Stdio::null())
                        .status();
                    assert!(child.unwrap().success());
                }
            });
        }
        let busy = (0..300)
            .filter(|_| TablesLock::hold(directory.path()).is_err())
            .count();
        done.store(true, Ordering::Relaxed);
        assert_eq!(busy, 0, "times that the lock was still held");
    });
}

#[test]
fn a_directory_is_held_once() {
    let directory = tempfile::tempdir().unwrap();
    let held = TablesLock::hold(directory.path()).unwrap();
    assert!(matches!(
        TablesLock::hold(directory.path()),
        Err(TableError::Busy { .. })
    ));
    drop(held);
    assert!(TablesLock::hold(directory.path()).is_ok());
}

/// Unfinished files of live processes and foreign files stay; those of killed processes are
/// removed.
#[test]
fn only_leftovers_are_removed() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let leftover = path(".phutbase-killed.partial");
    std::fs::write(&leftover, "half a table").unwrap();
    std::fs::write(path(".notes-of-others.partial"), "notes").unwrap();
    std::fs::write(path("phutbase.partial"), "notes").unwrap();
    let table = path("table");
    replace_file(&table, |file| {
        file.write_all(b"first half, ")?;
        let _lock = TablesLock::hold(directory.path()).unwrap();
        assert!(!leftover.exists());
        file.write_all(b"second half")
    })
    .unwrap();
    assert_eq!(std::fs::read(table).unwrap(), b"first half, second half");
    assert!(path(".notes-of-others.partial").exists() && path("phutbase.partial").exists());
}

#[cfg(unix)]
#[test]
fn a_lock_that_leads_elsewhere_changes_nothing_there() {
    let directory = tempfile::tempdir().unwrap();
    let (lock, elsewhere) = (directory.path().join(".lock"), directory.path().join("elsewhere"));
    std::fs::write(&elsewhere, "precious").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
    drop(TablesLock::hold(directory.path()).unwrap());
    assert_eq!(std::fs::read(&elsewhere).unwrap(), b"precious");
    std::fs::remove_file(&lock).unwrap();
    phutbase_testing::tools::make_pipe(&lock);
    let refused = TablesLock::hold(directory.path())
        .err()
        .expect("a pipe is no lock");
    assert!(refused.to_string().contains("it is no regular file"), "{refused}");
}
