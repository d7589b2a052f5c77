//! Checkpoints of the dense engine: a run that was interrupted ends as one that was not, and a file that is not a
//! whole, undamaged checkpoint is refused with an error, whatever is in it.

use crate::common::container::resealed;
use crate::common::{Depths, finished, random_numbers};
use phutbase::outcome::Side;
use phutbase::solve::dense::{DenseError, DenseSolver};
use phutbase::solve::scratch::NoRoom;
use phutbase::table::error::{ResumeError, TableError};
use proptest::prelude::*;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A solver after some plies.
fn after_plies(length: usize, plies: usize) -> DenseSolver {
    let mut solver = DenseSolver::in_memory(length).unwrap();
    for _ in 0..plies {
        solver.step().unwrap();
    }
    solver
}

/// The directory of a test and a checkpoint's path in it.
fn checkpoint() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("strip.checkpoint");
    (directory, path)
}

/// The bytes of a checkpoint.
fn saved(solver: &DenseSolver) -> Vec<u8> {
    let (_directory, path) = checkpoint();
    solver.save(&path).unwrap();
    std::fs::read(path).unwrap()
}

/// Resumes from bytes.
fn resumed(bytes: &[u8]) -> Result<DenseSolver, ResumeError<DenseError>> {
    let (_directory, path) = checkpoint();
    std::fs::write(&path, bytes).unwrap();
    DenseSolver::resume(&path, None)
}

/// The error of resuming from bytes.
fn error(bytes: &[u8]) -> ResumeError<DenseError> {
    match resumed(bytes) {
        Err(error) => error,
        Ok(_) => panic!("resumed from a file that is no checkpoint"),
    }
}

/// Runs to the end and compares with a run that was never interrupted.
fn assert_ends_alike(solver: DenseSolver, uninterrupted: &DenseSolver, expected: &Depths) {
    let (length, plies) = (solver.layout().length(), solver.counts().len());
    let solver = finished(solver);
    // A run resumed after its last ply does one more, in which nothing can be left to decide.
    let counts = solver.counts().split_at(uninterrupted.counts().len());
    assert_eq!(
        counts.0,
        uninterrupted.counts(),
        "length {length} from ply {plies}"
    );
    assert!(counts.1.iter().all(|&count| count == 0));
    assert!(
        Depths::of(&solver) == *expected,
        "length {length} from ply {plies}"
    );
    for plane in [Side::Left, Side::Right] {
        assert_eq!(solver.pool(plane).states(), uninterrupted.pool(plane).states());
        assert_eq!(solver.pool(plane).sets(), uninterrupted.pool(plane).sets());
    }
}

#[test]
fn an_interrupted_run_ends_as_an_uninterrupted_one_whatever_ply_it_was_interrupted_after() {
    let (directory, path) = checkpoint();
    for length in 3..=16 {
        let uninterrupted = finished(DenseSolver::in_memory(length).unwrap());
        let expected = Depths::of(&uninterrupted);
        let mut solver = DenseSolver::in_memory(length).unwrap();
        for plies in 0..=uninterrupted.counts().len() {
            solver.save(&path).unwrap();
            let in_memory = DenseSolver::resume(&path, None).unwrap();
            assert_eq!(in_memory.layout().length(), length);
            assert_eq!(in_memory.counts(), &uninterrupted.counts()[..plies]);
            assert_ends_alike(in_memory, &uninterrupted, &expected);
            let mapped = DenseSolver::resume(&path, Some(directory.path())).unwrap();
            assert_ends_alike(mapped, &uninterrupted, &expected);
            solver.step().unwrap();
        }
    }
}

#[test]
fn several_blocks_in_a_slice_come_back_in_their_places() {
    let uninterrupted = finished(DenseSolver::in_memory(20).unwrap());
    let expected = Depths::of(&uninterrupted);
    assert!(uninterrupted.layout().slice_bits() > 0);
    for plies in [1, 8, 17] {
        let solver = resumed(&saved(&after_plies(20, plies))).unwrap();
        assert_ends_alike(solver, &uninterrupted, &expected);
    }
}

#[test]
fn a_run_interrupted_after_every_ply_ends_alike() {
    let (directory, path) = checkpoint();
    let uninterrupted = finished(DenseSolver::in_memory(15).unwrap());
    let mut solver = DenseSolver::new(15, Some(directory.path())).unwrap();
    while solver.step().unwrap() > 0 {
        solver.save(&path).unwrap();
        solver = DenseSolver::resume(&path, Some(directory.path())).unwrap();
    }
    assert_ends_alike(solver, &uninterrupted, &Depths::of(&uninterrupted));
}

#[test]
fn what_is_resumed_is_saved_as_the_same_bytes() {
    for (length, plies) in [(3, 0), (5, 4), (14, 9), (16, 26), (20, 7)] {
        let bytes = saved(&after_plies(length, plies));
        assert!(
            saved(&resumed(&bytes).unwrap()) == bytes,
            "length {length}, {plies} plies"
        );
    }
}

#[test]
fn saving_replaces_the_checkpoint_before_and_leaves_nothing_else_behind() {
    let (directory, path) = checkpoint();
    for plies in [3, 7, 5] {
        after_plies(12, plies).save(&path).unwrap();
        assert_eq!(DenseSolver::resume(&path, None).unwrap().counts().len(), plies);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}

/// Where the process that is to be killed saves; the test below does nothing unless it is set.
const VICTIM: &str = "PHUTBASE_TEST_SAVE_TO";

#[test]
#[ignore = "saves for ever: the victim of the next test, which starts it"]
fn saves_until_it_is_killed() {
    let Some(path) = std::env::var_os(VICTIM).map(PathBuf::from) else {
        return;
    };
    let solvers = [after_plies(16, 3), after_plies(16, 20)];
    for solver in solvers.iter().cycle() {
        solver.save(&path).unwrap();
    }
}

#[test]
fn a_process_killed_at_any_moment_leaves_a_whole_checkpoint() {
    let (_directory, path) = checkpoint();
    for number in random_numbers(1).take(20) {
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "solve::dense::checkpoint::saves_until_it_is_killed",
                "--ignored",
            ])
            .env(VICTIM, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let patience = (0..1000).take_while(|_| !path.exists());
        patience.for_each(|_| std::thread::sleep(Duration::from_millis(10)));
        std::thread::sleep(Duration::from_micros(number % 60_000));
        victim.kill().unwrap();
        victim.wait().unwrap();
        let plies = DenseSolver::resume(&path, None).unwrap().counts().len();
        assert!([3, 20].contains(&plies), "{plies} plies");
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_an_error_that_names_it() {
    let directory = tempfile::tempdir().unwrap();
    let solver = after_plies(6, 2);
    // A file stands where the directory should be.
    let file = directory.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let nowhere = file.join("a.checkpoint");
    // A directory stands where the file should be: the last step, the renaming, fails.
    let occupied = directory.path().join("occupied");
    std::fs::create_dir(&occupied).unwrap();
    std::fs::write(occupied.join("inhabitant"), "").unwrap();
    for path in [nowhere, occupied] {
        let error = solver.save(&path).unwrap_err();
        assert!(matches!(error, TableError::Io { .. }));
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn a_missing_file_and_a_directory_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    assert!(DenseSolver::resume(&directory.path().join("none"), None).is_err());
    assert!(DenseSolver::resume(directory.path(), None).is_err());
}

#[test]
fn a_scratch_directory_that_is_not_there_is_an_error() {
    let (directory, path) = checkpoint();
    after_plies(6, 2).save(&path).unwrap();
    let resumed = DenseSolver::resume(&path, Some(&directory.path().join("none")));
    assert!(matches!(
        resumed.err(),
        Some(ResumeError::Engine(DenseError::Room(NoRoom::Scratch { .. })))
    ));
}

/// What the error says of a checkpoint with one number of a section exchanged.
fn complaint(bytes: &[u8], section: &str, at: usize, number: u32) -> String {
    let edited = resealed(bytes, |parts| {
        parts.section(section)[at..at + 4].copy_from_slice(&number.to_le_bytes());
    });
    error(&edited).to_string()
}

#[test]
fn numbers_out_of_range_are_refused_by_name_even_if_the_checksum_is_right() {
    let solver = after_plies(5, 4);
    let bytes = saved(&solver);
    let pool = solver.pool(Side::Left);
    let (sets, states) = (pool.sets(), pool.states());
    assert!(states > 2, "some states to break");
    let says = |section: &str, at: usize, number: u32, expected: String| {
        let complaint = complaint(&bytes, &format!("{section}, Left to move"), at, number);
        assert!(complaint.contains(&expected), "{expected} is not in: {complaint}");
    };
    let before = "the state before a state is 1, which must be below 1".to_string();
    says("states", 0, 1, before);
    says(
        "states",
        4,
        sets as u32,
        format!("the set of a state is {sets}, which must be below {sets}"),
    );
    for ply in [0, 5, 257] {
        let expected = format!("the ply of a state is {ply}, which must be above 0 and at most 4");
        says("states", 8, ply, expected);
    }
    let squares = "a set of changed ball squares is 0x10, which must be within 0xe".to_string();
    says("changed", 0, 0b10000, squares);
    let state = format!("the state of a block is {states}, which must be below {states}");
    says("blocks", 8, states as u32, state);
}

#[test]
fn a_set_that_is_there_twice_is_refused() {
    let bytes = resealed(&saved(&after_plies(5, 4)), |parts| {
        parts.section("sets, Left to move")[..512].fill(0);
    });
    let error = error(&bytes).to_string();
    assert!(
        error.contains("a set is equal to set 0, which must be new"),
        "{error}"
    );
}

/// Goes on from bytes if they are taken for a checkpoint; whatever they hold, nothing may panic.
fn try_to_go_on(bytes: &[u8]) {
    if let Ok(mut solver) = resumed(bytes) {
        for _ in 0..4 {
            if solver.step().is_err() {
                break;
            }
        }
        let (_directory, path) = checkpoint();
        solver.save(&path).unwrap();
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        try_to_go_on(&bytes);
    }

    /// Wrong numbers under a right checksum: some are in range and taken, and then the engine must bear them.
    #[test]
    fn no_forgery_makes_it_panic(
        length in 3usize..=15,
        plies in 0usize..12,
        forgeries in proptest::collection::vec((any::<prop::sample::Index>(), 0u32..40), 1..6),
    ) {
        let bytes = resealed(&saved(&after_plies(length, plies)), |parts| {
            for (place, number) in forgeries {
                let all: usize = parts.sections.iter().map(|(_, bytes)| bytes.len()).sum();
                let mut at = place.index(all / 4) * 4;
                for (_, section) in &mut parts.sections {
                    if let Some(found) = section.get_mut(at..at + 4) {
                        found.copy_from_slice(&number.to_le_bytes());
                        break;
                    }
                    at -= section.len();
                }
            }
        });
        try_to_go_on(&bytes);
    }
}
