//! Limits of memory by control groups, in made-up trees of files.

use phutbase_machine::cgroup::free_memory;
use std::fs::{create_dir_all, write};
use std::path::Path;

/// Asks a tree of files, each with its contents.
fn left(groups: &str, files: &[(&str, &str)]) -> Option<u64> {
    let tree = tempfile::tempdir().unwrap();
    let put = |name: &Path, text: &str| {
        let file = tree.path().join(name);
        create_dir_all(file.parent().unwrap()).unwrap();
        write(file, text).unwrap();
    };
    put(Path::new("proc/self/cgroup"), groups);
    for (name, text) in files {
        put(&Path::new("cgroup").join(name), text);
    }
    free_memory(&tree.path().join("proc"), &tree.path().join("cgroup"))
}

#[test]
fn the_least_group_on_the_path_counts() {
    let version_2 = [
        ("memory.max", "max\n"),
        ("a/memory.max", "200\n"),
        ("a/memory.current", "50\n"),
        ("a/b/memory.max", "1000\n"),
        ("a/b/memory.current", "40\n"),
        ("other/memory.max", "1\n"),
    ];
    assert_eq!(left("0::/a/b\n", &version_2), Some(150));
    assert_eq!(left("0::/a\n", &version_2), Some(150));
    assert_eq!(left("0::/\n", &version_2), None);
    // A group of another namespace is not there, those above it may be.
    assert_eq!(left("0::/a/c/d\n", &version_2), Some(150));
    assert_eq!(left("0::/elsewhere\n", &version_2), None);
}

#[test]
fn both_versions_are_read() {
    let files = [
        ("memory/a/memory.limit_in_bytes", "9223372036854771712\n"),
        ("memory/a/b/memory.limit_in_bytes", "500\n"),
        ("memory/a/b/memory.usage_in_bytes", "450\n"),
        (
            "memory/a/b/memory.stat",
            "cache 1\ninactive_file 7\ntotal_inactive_file 100\n",
        ),
        ("u/memory.max", "300\n"),
        ("u/memory.current", "290\n"),
        ("u/memory.stat", "anon 5\ninactive_file 30\n"),
    ];
    let version_1 = "9:name=systemd:/x\n4:cpu,memory:/a/b\n3:cpuset:/\n";
    assert_eq!(left(version_1, &files), Some(150));
    assert_eq!(left(&format!("{version_1}0::/u\n"), &files), Some(40));
}

#[test]
fn without_groups_or_with_damaged_files_nothing_limits() {
    assert_eq!(left("", &[]), None);
    assert_eq!(
        left("0::/a\nnonsense\n1:memory\n", &[("a/memory.max", "much\n")]),
        None
    );
    assert_eq!(free_memory(Path::new("/nowhere"), Path::new("/nowhere")), None);
    // More may be in use than a limit that was lowered.
    let lowered = [("memory.max", "10\n"), ("memory.current", "20\n")];
    assert_eq!(left("0::/\n", &lowered), Some(0));
}
