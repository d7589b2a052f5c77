//! The lock on a directory of tables is gone when its holder lets go of it, whatever else the process does meanwhile.

use phutbase::generate::{GenerateError, TablesLock};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// A child process has copies of all open files until its own program begins; one that is born while the lock is held must not keep
/// it after it is let go.
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
        Err(GenerateError::Busy { .. })
    ));
    drop(held);
    assert!(TablesLock::hold(directory.path()).is_ok());
}
