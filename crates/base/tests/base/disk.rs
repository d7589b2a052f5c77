//! Files replaced as a whole.

use phutbase_base::disk::{remove_unfinished, replace_file, unnamed_file};
use phutbase_testing::tools::is_alone;
use std::io::Write;

/// At the second Ctrl-C the program exits in the middle of a write. The test runs in a process of
/// its own, because it removes the unfinished files of all threads.
#[test]
fn an_exit_leaves_the_old_file_only() {
    if !is_alone("disk::an_exit_leaves_the_old_file_only") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("out");
    let names = || std::fs::read_dir(directory.path()).unwrap().count();
    std::fs::write(&file, "old").unwrap();
    let written = replace_file(&file, |partial| {
        partial.write_all(b"half")?;
        assert_eq!(names(), 2);
        drop(remove_unfinished());
        assert_eq!(names(), 1);
        Ok(())
    });
    assert!(written.is_err());
    assert_eq!((std::fs::read(&file).unwrap(), names()), (b"old".to_vec(), 1));
    replace_file(&file, |partial| partial.write_all(b"new")).unwrap();
    assert_eq!((std::fs::read(&file).unwrap(), names()), (b"new".to_vec(), 1));
}

#[test]
fn a_write_that_fails_leaves_the_old_file_only() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("out");
    std::fs::write(&file, "old").unwrap();
    let written = replace_file(&file, |partial| {
        partial.write_all(b"half")?;
        Err(std::io::Error::other("no more"))
    });
    assert!(written.is_err());
    drop(unnamed_file(directory.path()).unwrap());
    let names = std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!((std::fs::read(&file).unwrap(), names), (b"old".to_vec(), 1));
}
