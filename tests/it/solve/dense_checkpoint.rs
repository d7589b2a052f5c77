//! Checkpoints of the dense engine: a run that was interrupted ends as one that was not, and a file that is not a
//! whole, undamaged checkpoint is refused with an error, whatever is in it.

use crate::common::{Depths, finished, random_numbers};
use phutbase::solve::dense::planes::{MemoryPlane, PlaneStore};
use phutbase::solve::dense::{CheckpointError, DenseError, Plane, Solver};
use proptest::prelude::*;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Where numbers stand in the file, as `checkpoint.rs` lays it out.
const VERSION: usize = 8;
const LENGTH: usize = 12;
const SLICE_BITS: usize = 16;
const PLIES: usize = 20;
const LEFT_SETS: usize = 24;
const LEFT_STATES: usize = 28;
const COUNTS: usize = 40;

/// A solver after some plies.
fn after_plies(length: usize, plies: usize) -> Solver<MemoryPlane> {
    let mut solver = Solver::in_memory(length).unwrap();
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
fn saved(solver: &Solver<impl PlaneStore>) -> Vec<u8> {
    let (_directory, path) = checkpoint();
    solver.save(&path).unwrap();
    std::fs::read(path).unwrap()
}

/// Resumes from bytes.
fn resumed(bytes: &[u8]) -> Result<Solver<MemoryPlane>, CheckpointError> {
    let (_directory, path) = checkpoint();
    std::fs::write(&path, bytes).unwrap();
    Solver::resume_in_memory(&path)
}

/// Puts a number into a checkpoint and makes its checksum right again.
fn with_number(bytes: &[u8], at: usize, number: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    sealed(bytes)
}

/// The bytes with the checksum that belongs to them in the last four.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The error of resuming from bytes.
fn error(bytes: &[u8]) -> CheckpointError {
    match resumed(bytes) {
        Err(error) => error,
        Ok(_) => panic!("resumed from a file that is no checkpoint"),
    }
}

/// Runs to the end and compares with a run that was never interrupted.
fn assert_ends_alike<S: PlaneStore>(
    solver: Solver<S>,
    uninterrupted: &Solver<MemoryPlane>,
    expected: &Depths,
) {
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
    for plane in [Plane::LeftToMove, Plane::RightToMove] {
        assert_eq!(solver.pool(plane).states(), uninterrupted.pool(plane).states());
        assert_eq!(solver.pool(plane).sets(), uninterrupted.pool(plane).sets());
    }
}

#[test]
fn an_interrupted_run_ends_as_an_uninterrupted_one_whatever_ply_it_was_interrupted_after() {
    let (directory, path) = checkpoint();
    for length in 3..=16 {
        let uninterrupted = finished(Solver::in_memory(length).unwrap());
        let expected = Depths::of(&uninterrupted);
        let mut solver = Solver::in_memory(length).unwrap();
        for plies in 0..=uninterrupted.counts().len() {
            solver.save(&path).unwrap();
            let in_memory = Solver::resume_in_memory(&path).unwrap();
            assert_eq!(in_memory.layout().length(), length);
            assert_eq!(in_memory.counts(), &uninterrupted.counts()[..plies]);
            assert_ends_alike(in_memory, &uninterrupted, &expected);
            let mapped = Solver::resume_on_scratch(&path, directory.path()).unwrap();
            assert_ends_alike(mapped, &uninterrupted, &expected);
            solver.step().unwrap();
        }
    }
}

#[test]
fn several_blocks_in_a_slice_come_back_in_their_places() {
    let uninterrupted = finished(Solver::in_memory(20).unwrap());
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
    let uninterrupted = finished(Solver::in_memory(15).unwrap());
    let mut solver = Solver::on_scratch(15, directory.path()).unwrap();
    while solver.step().unwrap() > 0 {
        solver.save(&path).unwrap();
        solver = Solver::resume_on_scratch(&path, directory.path()).unwrap();
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
        assert_eq!(Solver::resume_in_memory(&path).unwrap().counts().len(), plies);
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
                "solve::dense_checkpoint::saves_until_it_is_killed",
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
        let plies = Solver::resume_in_memory(&path).unwrap().counts().len();
        assert!([3, 20].contains(&plies), "{plies} plies");
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_an_error_that_names_it() {
    let directory = tempfile::tempdir().unwrap();
    let solver = after_plies(6, 2);
    let nowhere = directory.path().join("no such directory").join("a.checkpoint");
    // A directory stands where the file should be: the last step, the renaming, fails.
    let occupied = directory.path().join("occupied");
    std::fs::create_dir(&occupied).unwrap();
    std::fs::write(occupied.join("inhabitant"), "").unwrap();
    for path in [nowhere, occupied] {
        let error = solver.save(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Io { .. }));
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_missing_file_and_a_directory_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    assert!(Solver::resume_in_memory(&directory.path().join("none")).is_err());
    assert!(Solver::resume_in_memory(directory.path()).is_err());
}

#[test]
fn a_scratch_directory_that_is_not_there_is_an_error() {
    let (directory, path) = checkpoint();
    after_plies(6, 2).save(&path).unwrap();
    let resumed = Solver::resume_on_scratch(&path, &directory.path().join("none"));
    assert!(matches!(
        resumed.err(),
        Some(CheckpointError::Dense(DenseError::Scratch { .. }))
    ));
}

/// Resumes from a file while one byte of it is different.
fn resumed_with_flip(path: &Path, mut file: &File, bytes: &[u8], at: usize, flip: u8) -> bool {
    let mut write = |byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    write(bytes[at] ^ flip);
    let resumed = Solver::resume_in_memory(path).is_ok();
    write(bytes[at]);
    resumed
}

#[test]
fn every_damaged_byte_is_noticed() {
    let (_directory, path) = checkpoint();
    after_plies(5, 4).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    for at in 0..bytes.len() {
        for flip in [1 << (at % 8), 0xff] {
            let resumed = resumed_with_flip(&path, &file, &bytes, at, flip);
            assert!(!resumed, "byte {at}");
        }
    }
    assert!(Solver::resume_in_memory(&path).is_ok(), "the damage is undone");
}

#[test]
fn damage_is_noticed_in_a_file_of_several_slices() {
    let (_directory, path) = checkpoint();
    after_plies(15, 12).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    for number in random_numbers(15).take(1000) {
        let at = (number >> 8) as usize % bytes.len();
        let resumed = resumed_with_flip(&path, &file, &bytes, at, (number as u8).max(1));
        assert!(!resumed, "byte {at}");
    }
    assert!(Solver::resume_in_memory(&path).is_ok(), "the damage is undone");
}

#[test]
fn a_file_cut_short_or_added_to_is_refused_before_anything_else() {
    let (_directory, path) = checkpoint();
    after_plies(5, 4).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    for length in (0..bytes.len()).rev() {
        file.set_len(length as u64).unwrap();
        let error = Solver::resume_in_memory(&path).err().unwrap();
        let as_expected = match error {
            CheckpointError::WrongSize { found, expected, .. } => {
                (found, expected) == (length as u64, bytes.len() as u64)
            }
            CheckpointError::NotACheckpoint { .. } => length < COUNTS + 4,
            _ => false,
        };
        assert!(as_expected, "{length} bytes: {error}");
    }
    let longer = sealed([&bytes[..], &[0; 8]].concat());
    assert!(matches!(error(&longer), CheckpointError::WrongSize { .. }));
}

#[test]
fn a_header_that_asks_for_terabytes_is_refused_by_the_size_of_the_file() {
    let bytes = saved(&after_plies(5, 4));
    for at in [LEFT_SETS, LEFT_STATES, LEFT_SETS + 8, LEFT_STATES + 8] {
        let error = error(&with_number(&bytes, at, u32::MAX));
        assert!(matches!(error, CheckpointError::WrongSize { .. }), "{error}");
    }
    // The planes of 40 squares take 20 GB each.
    let mut longest = with_number(&bytes, LENGTH, 40);
    longest = with_number(&longest, SLICE_BITS, 8);
    assert!(matches!(error(&longest), CheckpointError::WrongSize { .. }));
}

/// What the error of a checkpoint with one number exchanged says of it.
fn complaint(bytes: &[u8], at: usize, number: u32) -> String {
    match error(&with_number(bytes, at, number)) {
        CheckpointError::Field {
            field,
            found,
            allowed,
            ..
        } => format!("{field}: {found}, must be {allowed}"),
        other => panic!("{other}"),
    }
}

#[test]
fn numbers_out_of_range_are_refused_by_name_even_if_the_checksum_is_right() {
    let solver = after_plies(5, 4);
    let bytes = saved(&solver);
    for length in [0, 2, 41, u32::MAX] {
        let expected = format!("the length: {length}, must be from 3 to 40");
        assert_eq!(complaint(&bytes, LENGTH, length), expected);
    }
    assert_eq!(
        complaint(&bytes, SLICE_BITS, 1),
        "the number of slice bits: 1, must be 0"
    );
    let plies = complaint(&bytes, PLIES, 255);
    assert_eq!(plies, "the number of plies: 255, must be at most 254");
    let counts = complaint(&bytes, COUNTS, 1000);
    assert!(
        counts.starts_with("the number of positions decided: 1000"),
        "{counts}"
    );

    // The first plane: sets, states, one mask, three blocks.
    let pool = solver.pool(Plane::LeftToMove);
    let (sets, states) = (pool.sets(), pool.states());
    assert!(states > 2, "some states to break");
    let first_life = COUNTS + 4 * 8 + (sets - 2) * 512;
    let mask = first_life + (states - 1) * 12;
    let block = mask + 8;
    assert_eq!(
        complaint(&bytes, first_life, 1),
        "the state before a state: 1, must be below 1",
        "a state may not come after itself"
    );
    let own_set = format!("the set of a state: {sets}, must be below {sets}");
    assert_eq!(complaint(&bytes, first_life + 4, sets as u32), own_set);
    for ply in [0, 5, 257] {
        let expected = format!("the ply of a state: {ply}, must be above 0 and at most 4");
        assert_eq!(complaint(&bytes, first_life + 8, ply), expected);
    }
    assert_eq!(
        complaint(&bytes, mask, 0b10000),
        "a set of changed ball squares: 0x10, must be within 0xe"
    );
    let state = format!("the state of a block: {states}, must be below {states}");
    assert_eq!(complaint(&bytes, block + 8, states as u32), state);
}

#[test]
fn a_set_that_is_there_twice_is_refused() {
    let mut bytes = saved(&after_plies(5, 4));
    let sets = COUNTS + 4 * 8;
    bytes[sets..sets + 512].fill(0);
    let error = error(&sealed(bytes)).to_string();
    assert!(
        error.contains("a set is equal to set 0, which must be new"),
        "{error}"
    );
}

#[test]
fn other_files_and_other_versions_are_told_apart() {
    let bytes = saved(&after_plies(5, 4));
    let newer = error(&with_number(&bytes, VERSION, 2));
    assert!(matches!(newer, CheckpointError::Version { found: 2, .. }));
    assert!(matches!(
        error(&vec![b'x'; 10_000]),
        CheckpointError::NotACheckpoint { .. }
    ));
}

#[test]
fn errors_name_the_file_and_the_way_out() {
    let bytes = saved(&after_plies(5, 4));
    let mut damaged = bytes.clone();
    damaged[COUNTS + 4 * 8] ^= 1;
    let files = [
        vec![0; 100],
        with_number(&bytes, VERSION, 9),
        bytes[..bytes.len() - 1].to_vec(),
        damaged,
        with_number(&bytes, LENGTH, 2),
    ];
    for file in files {
        let (_directory, path) = checkpoint();
        std::fs::write(&path, file).unwrap();
        let error = Solver::resume_in_memory(&path).err().unwrap().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
        assert!(error.ends_with("delete it to start this length anew"), "{error}");
    }
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
        let mut bytes = saved(&after_plies(length, plies));
        for (place, number) in forgeries {
            let at = place.index(bytes.len() / 4 - 1) * 4;
            bytes = with_number(&bytes, at, number);
        }
        try_to_go_on(&bytes);
    }
}
