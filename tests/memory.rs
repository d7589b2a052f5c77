//! Limits of memory, by the count of an allocator: the test runs verbs in programs of its own file, each
//! of which writes down the most bytes that it had at a time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counted;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize, less: usize) {
    let now = NOW
        .fetch_add(more.wrapping_sub(less), Relaxed)
        .wrapping_add(more.wrapping_sub(less));
    MOST.fetch_max(now, Relaxed);
}

#[allow(unsafe_code)]
// SAFETY: every method passes its arguments to the system's allocator and returns its result.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTED: Counted = Counted;

/// Names the file for the count, in a program that runs a verb.
const MOST_FILE: &str = "PHUTBASE_TEST_MOST";

/// The KiB that a verb may take beyond its limit: for options, texts and the streams of files.
const START: usize = 2048;

/// A verb that takes `--memory`, its arguments, a limit in MiB under which it just fits or one that is
/// too low, and the exit code. `TABLES` has the depths of 12 squares and of a pitch.
const RUNS: &[(&str, &str, usize, i32)] = &[
    ("generate", "36", 64, 3),
    ("generate", "28 --checkpoint-every 0s", 35, 0),
    ("generate", "56 --metric levels", 62, 0),
    ("generate", "64 --metric levels", 48, 3),
    ("generate", "64 --metric wdl", 16, 0),
    ("generate", "6x3", 8, 0),
    ("generate", "7x3", 1, 3),
    ("verify", "--tables TABLES", 11, 0),
    ("verify", "12 --tables TABLES", 1, 3),
    ("verify", "64 --tables TABLES", 40, 0),
    // Beside a table with depths, with which its winners are compared.
    ("verify", "64", 64, 0),
    ("verify", "12 --by-enumeration --tables TABLES", 1, 0),
    ("verify", "7x3 --tables TABLES", 11, 0),
    ("find", "64 --value win", 16, 0),
    ("find", "144 --value win", 16, 3),
    ("theory forward", "22 --limit 1", 8, 0),
    ("theory oddish", "oddish:2..12", 20, 0),
    ("probe", "obstruction:torus:6x7", 1, 0),
];

/// The verbs of the grammar that take `--memory`.
fn verbs(command: &clap::Command, name: &str) -> BTreeSet<String> {
    let subcommands = command.get_subcommands();
    let mut found: BTreeSet<_> = subcommands
        .flat_map(|verb| verbs(verb, format!("{name} {}", verb.get_name()).trim()))
        .collect();
    if command
        .get_arguments()
        .any(|argument| argument.get_long() == Some("memory"))
    {
        found.insert(name.to_string());
    }
    found
}

/// Runs a verb and returns its exit code, the most KiB that it had, and its errors.
fn measure(arguments: &str, tables: &Path) -> (Option<i32>, usize, String) {
    let file = tables.join("most");
    let run = Command::new(std::env::current_exe().unwrap())
        .args(arguments.split(' '))
        .env(MOST_FILE, &file)
        .env("PHUTBASE_TABLES", tables)
        .env("XDG_DATA_HOME", "/proc/no-data")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let most: usize = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    (
        run.status.code(),
        most.div_ceil(1024),
        String::from_utf8(run.stderr).unwrap(),
    )
}

/// Every verb that takes `--memory` keeps within it, or refuses the work with its need.
fn main() -> ExitCode {
    if let Some(file) = std::env::var_os(MOST_FILE) {
        let code = phutbase::commands::main();
        std::fs::write(file, MOST.load(Relaxed).to_string()).unwrap();
        return code;
    }
    let tested: BTreeSet<_> = RUNS.iter().map(|(verb, ..)| verb.to_string()).collect();
    assert_eq!(tested, verbs(&phutbase::commands::grammar(), ""));
    let tables = tempfile::tempdir().unwrap();
    for boards in ["12", "7x3"] {
        let made = format!("generate {boards} --tables {}", tables.path().display());
        assert_eq!(measure(&made, tables.path()).0, Some(0));
    }
    for &(verb, arguments, limit, expected) in RUNS {
        let scratch = tempfile::tempdir().unwrap();
        let arguments = arguments.replace("TABLES", &tables.path().display().to_string());
        let command = format!("{verb} {arguments} --memory {limit}MiB");
        let (code, most, errors) = measure(&command, scratch.path());
        assert_eq!(code, Some(expected), "{command}: {errors}");
        assert!(most <= limit * 1024 + START, "{command}: {most} KiB");
        let refuses = errors.contains(&format!("{limit}.0 MiB may be used")) && most < START;
        assert_eq!(refuses, expected == 3, "{command}: {most} KiB, {errors}");
    }
    println!("test result: ok. {} passed; 0 failed", RUNS.len());
    ExitCode::SUCCESS
}
