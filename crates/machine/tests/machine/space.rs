//! Free memory and disk space.

use phutbase_machine::space::{available_space, free_memory, memory_limit};

#[test]
fn a_given_limit_holds() {
    assert_eq!(memory_limit(Some(5)), Ok(5));
}

/// The kernel names both numbers in KiB.
#[cfg(target_os = "linux")]
#[test]
fn no_more_memory_is_free_than_there_is() {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let total: u64 = total.unwrap().trim().trim_end_matches(" kB").parse().unwrap();
    let free = free_memory().unwrap();
    assert!(0 < free && free <= total << 10, "{free} of {total} KiB");
}

#[test]
fn a_directory_to_come_has_the_space_of_the_one_that_will_hold_it() {
    let directory = tempfile::tempdir().unwrap();
    let space = available_space(&directory.path().join("a/b"));
    assert!(0 < space && space < u64::MAX, "{space}");
}
