//! Tables of pitches: written values are read back, and damaged, truncated or foreign files are
//! rejected.

use phutbase_fixtures::container::PitchMetadata;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::PitchDepths;
use phutbase_solve::generate::plan::Plan;
use phutbase_tables::id::TableId;
use phutbase_tables::pitch::RatedPitchTurn;

fn made(directory: &Path, shape: Shape) -> Outcome {
    let lock = TablesLock::hold(directory).unwrap();
    let request = Request::new(Setup::in_memory(shape, true), directory);
    generate(&request, Some(&lock), &Job::default()).unwrap()
}

/// Returns the file of a pitch in a directory.
fn file(directory: &Path, shape: Shape) -> PathBuf {
    directory.join(TableId::Pitch(Rules::Ordinary, shape).to_string())
}

fn opened(directory: &Path, shape: Shape) -> Result<PitchTable, TableError> {
    PitchTable::open(&file(directory, shape))
}

fn solved(shape: Shape) -> PitchSolver {
    let mut solver = PitchSolver::new(shape, true).unwrap();
    solver.finish().unwrap();
    solver
}

#[test]
fn every_value_is_read_back() {
    let directory = tempfile::tempdir().unwrap();
    for size in ["3x1", "3x2", "5x2", "4x3", "3x4", "5x3", "12x1"] {
        let shape = shape(size);
        assert_eq!(made(directory.path(), shape), Outcome::Written);
        assert_eq!(made(directory.path(), shape), Outcome::Present);
        let table = opened(directory.path(), shape).unwrap();
        let solver = solved(shape);
        let depths = PitchDepths::of(&solver);
        let game = PitchGame::new(shape).unwrap();
        let mut counts = [0u64; 3];
        for index in 0..game.positions() {
            let pitch = game.position(index);
            let expected = depths.value(&pitch);
            for same in [pitch, pitch.mirrored(), pitch.turned()] {
                assert_eq!(table.value(&same).unwrap(), expected, "'{same}'");
            }
            counts[expected.wdl() as usize] += 1;
        }
        let summary = table.summary();
        let plies = usize::from(summary.longest());
        let stored = [summary.losses, summary.draws, summary.wins];
        assert_eq!(stored, counts.map(BigUint::from), "{size}");
        let depths = &table.metadata().depths;
        assert_eq!(depths[..], solver.counts()[..solver.counts().len() - 1]);
        let longest = table.value(&pitch(&table.metadata().longest_win)).unwrap();
        assert_eq!(longest, Value::Win(Depth(summary.longest_win)));
        assert_eq!(plies, depths.len());
    }
    let shapes = |directory| Tablebase::open(directory).unwrap().shapes();
    assert_eq!(shapes(directory.path()).len(), 7);
    assert_eq!(shapes(directory.path())[0], shape("3x1"));
    assert!(Tablebase::open(Path::new("nowhere")).is_err());
}

#[test]
fn a_table_of_many_blocks_and_with_draws() {
    let directory = tempfile::tempdir().unwrap();
    let shape = shape("7x3");
    made(directory.path(), shape);
    let table = opened(directory.path(), shape).unwrap();
    assert_eq!(table.summary().draws, 32u8.into());
    let solver = solved(shape);
    let depths = PitchDepths::of(&solver);
    let mut numbers = random_numbers(3);
    for round in 0..30_000 {
        let pitch = random_pitch(shape, &mut numbers, 20 + 20 * (round % 11));
        assert_eq!(table.value(&pitch).unwrap(), depths.value(&pitch), "'{pitch}'");
    }
    // A draw, and the only turn that keeps it.
    let drawn = pitch("3/3/2o/1o1/3/@2/3 A");
    assert_eq!(table.value(&drawn).unwrap(), Value::Draw);
    let rated = table.rated_turns(&drawn).unwrap();
    assert_eq!((&rated[0].turn[..], rated[0].verdict), ("a3", Value::Draw.into()));
    let worth = |turn: &RatedPitchTurn| turn.verdict.value().unwrap();
    // Every other turn loses.
    assert!(rated[1..].iter().all(|turn| worth(turn) < Value::Draw));
    assert!(rated.is_sorted_by(|a, b| worth(a) >= worth(b)));
    // Every index is a position, and the bytes in blocks are the values.
    let byte = table.block(3).unwrap()[77];
    let place = table.position(3 << 16 | 77).unwrap();
    assert_eq!(table.value(&place).unwrap(), Value::from_depth_byte(byte));
    assert_eq!(table.position(table.blocks() << 16), None);
    // A question about another pitch is no fault of the file.
    let other = table.value(&pitch("3/1@1/3")).unwrap_err();
    assert!(matches!(other, TableError::Missing { .. }), "{other}");
}

#[test]
fn errors_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    made(directory.path(), shape("4x2"));
    let tables = || Tablebase::open(directory.path()).unwrap();
    let missing = tables().ask_pitch(shape("4x3"), Ok).err().unwrap();
    assert!(matches!(&missing, TableError::Missing { .. }), "{missing}");
    assert!(missing.to_string().contains("4x3"), "{missing}");
    let bytes = std::fs::read(file(directory.path(), shape("4x2"))).unwrap();
    let path = file(directory.path(), shape("3x4"));
    std::fs::write(&path, &bytes).unwrap();
    let foreign = tables().ask_pitch(shape("3x4"), Ok).err().unwrap();
    assert!(
        matches!(&foreign, TableError::File(FileError::Foreign { .. })),
        "{foreign}"
    );
    assert!(foreign.to_string().contains("4x2"), "{foreign}");
    std::fs::write(&path, b"").unwrap();
    let empty = opened(directory.path(), shape("3x4")).err().unwrap();
    assert!(
        matches!(&empty, TableError::File(FileError::NotATable(_))),
        "{empty}"
    );
    // A file that is not a table is not replaced, and opening a pipe does not block.
    let refused = || {
        let lock = TablesLock::hold(directory.path()).unwrap();
        let request = Request::new(Setup::in_memory(shape("3x4"), true), directory.path());
        let made = generate(&request, Some(&lock), &Job::default());
        let error = made.expect_err("not ours").to_string();
        let words = "pitch-3x4-dtw.phut: not a phutbase file";
        assert!(error.contains(words), "{error}");
    };
    std::fs::write(&path, "another file").unwrap();
    refused();
    assert_eq!(std::fs::read(&path).unwrap(), b"another file");
    #[cfg(unix)]
    {
        std::fs::remove_file(&path).unwrap();
        phutbase_testing::tools::make_pipe(&path);
        refused();
        std::fs::remove_file(&path).unwrap();
    }
    // A damaged table is made again.
    std::fs::write(&path, &bytes[..100]).unwrap();
    assert_eq!(made(directory.path(), shape("3x4")), Outcome::Replaced);
    let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
    assert_eq!(names.len(), 3, "two tables and the lock: {names:?}");
}

#[test]
fn work_that_does_not_fit_in_memory_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let lock = TablesLock::hold(directory.path()).unwrap();
    let request = |setup| Request::new(setup, directory.path());
    let in_memory = || Setup::in_memory(shape("7x4"), true);
    let job = Job::default().with_memory(Some(1 << 30));
    let refused = generate(&request(in_memory()), Some(&lock), &job);
    assert_eq!(job.progress().need, None, "it began");
    let memory = refused.unwrap_err().to_string();
    assert!(memory.contains("of memory and 1.0 GiB may be used"), "{memory}");
    let plan = Plan::of_pitch(&in_memory()).unwrap();
    assert_eq!(plan.positions, 20 << 27);
    // With the sets on disk little memory is needed.
    let on_scratch = Setup {
        scratch: Some(directory.path().to_path_buf()),
        ..in_memory()
    };
    let needs = Plan::of_pitch(&on_scratch).unwrap();
    assert!(needs.memory < 1 << 30 && needs.scratch > plan.memory - (1 << 30));
    let nowhere = request(Setup {
        scratch: Some(directory.path().join("missing")),
        ..Setup::in_memory(shape("4x3"), true)
    });
    let error = generate(&nowhere, Some(&lock), &Job::default()).unwrap_err();
    assert!(error.to_string().contains("name another with --scratch"));
}

#[test]
fn numbers_of_pitch_tables_are_refused_behind_right_checksums() {
    let directory = tempfile::tempdir().unwrap();
    let good = std::fs::read(generate_pitch_in(Rules::Ordinary, directory.path(), "4x3")).unwrap();
    let open = |bytes: Vec<u8>| PitchTable::new(contained(bytes, NAME).unwrap());
    let refuse = |why: &str, edit: &dyn Fn(&mut PitchMetadata)| {
        refused(open(resealed(&good, |parts| parts.edit(edit))), why);
    };
    for size in [(0, 3), (4, 0), (3, 4), (8, 5), (19, 15), (255, 255)] {
        refuse("size", &|metadata| (metadata.rows, metadata.columns) = size);
    }
    for wrong in [1, 1 << 50, u64::MAX] {
        refuse("draws", &|metadata| metadata.draws ^= wrong);
    }
    refuse("order", &|metadata| metadata.order[0] = metadata.order[1]);
    refuse("order", &|metadata| metadata.order[0] = 99);
    refuse("order", &|metadata| _ = metadata.order.pop());
    refuse("depths", &|metadata| metadata.depths[0] += 1);
    refuse("depths", &|metadata| metadata.depths.push(0));
    refuse("depths", &|metadata| metadata.depths = vec![u64::MAX; 1000]);
    for lie in [zstd::bulk::compress(&vec![0; 256 << 20], 3).unwrap(), vec![1; 9]] {
        let bytes = resealed(&good, |parts| {
            let count = parts.frames().len();
            parts.set_frames(&vec![lie.clone(); count]);
        });
        refused(open(bytes).unwrap().check_blocks(), "a frame that lies");
    }
}
