//! Checkpoints of the pitch engine: work goes on where it stopped, and those of other pitches are refused.

use crate::games::pitch_support::shape;
use phutbase::generate::pitch::{PitchRequest, forget_checkpoint, generate_pitch, solve_pitch};
use phutbase::generate::{Event, GenerateError, Outcome, TablesLock};
use phutbase::solve::pitch::{PitchSolver, Setup};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

fn request(directory: &Path) -> PitchRequest {
    PitchRequest {
        checkpoint_every: Duration::ZERO,
        ..PitchRequest::new(shape("6x3"), directory)
    }
}

/// Generates, and stops after some ply of this run; `None` to go on to the end. Returns the plies resumed with, too.
fn run(directory: &Path, stop: Option<usize>) -> (Result<Outcome, GenerateError>, usize) {
    run_on(directory, stop, None)
}

/// As [`run`], with the work on a disk if there is a directory for it.
fn run_on(
    directory: &Path,
    stop: Option<usize>,
    scratch: Option<&Path>,
) -> (Result<Outcome, GenerateError>, usize) {
    let lock = TablesLock::hold(directory).unwrap();
    let (mut resumed, mut plies) = (0, 0);
    let mut request = request(directory);
    request.setup.scratch = scratch.map(Path::to_path_buf);
    let outcome = generate_pitch(&request, &lock, &mut |event| {
        match event {
            Event::Resumed { plies } => resumed = plies,
            Event::Ply { .. } => plies += 1,
            _ => {}
        }
        if stop == Some(plies) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    (outcome, resumed)
}

#[test]
fn a_run_in_pieces_makes_the_same_table() {
    let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(run(whole.path(), None).0.unwrap(), Outcome::Written);
    for stopped in 1..=4 {
        // In memory and on a disk by turns: a checkpoint serves both.
        let scratch = (stopped % 2 == 0).then_some(pieces.path());
        let (outcome, resumed) = run_on(pieces.path(), Some(3), scratch);
        assert_eq!(resumed, 3 * (stopped - 1));
        let saved = matches!(&outcome, Err(GenerateError::Interrupted { saved: true, place, .. }) if *place == format!("ply {}", 3 * stopped));
        assert!(saved, "{outcome:?}");
    }
    let (outcome, resumed) = run(pieces.path(), None);
    assert_eq!((outcome.unwrap(), resumed), (Outcome::Written, 12));
    let read = |directory: &Path| std::fs::read(request(directory).path()).unwrap();
    assert!(read(whole.path()) == read(pieces.path()), "the same bytes");
    assert!(!request(pieces.path()).checkpoint().exists());
}

#[test]
fn on_a_disk_the_table_is_the_same() {
    let (memory, disk, scratch) = (
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
    );
    run(memory.path(), None).0.unwrap();
    run_on(disk.path(), None, Some(scratch.path())).0.unwrap();
    let read = |directory: &Path| std::fs::read(request(directory).path()).unwrap();
    assert!(read(memory.path()) == read(disk.path()), "the same bytes");
    let left = std::fs::read_dir(scratch.path()).unwrap().count();
    assert_eq!(left, 0, "scratch files go with the run");
}

/// Who wins, without depths: interrupted, resumed, and counted as with depths.
#[test]
fn counting_alone_goes_on_from_its_own_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let lock = TablesLock::hold(directory.path()).unwrap();
    let mut request = request(directory.path());
    request.setup.with_depths = false;
    let mut plies = 0;
    let stopped = solve_pitch(&request, &lock, &mut |event| {
        plies += usize::from(matches!(event, Event::Ply { .. }));
        if plies == 4 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(
        matches!(stopped, Err(GenerateError::Interrupted { place, saved: true, .. }) if place == "ply 4")
    );
    let mut resumed = 0;
    let solver = solve_pitch(&request, &lock, &mut |event| {
        if let Event::Resumed { plies } = event {
            resumed = plies;
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(resumed, 4);
    let mut whole = PitchSolver::new(shape("6x3"), true).unwrap();
    whole.finish().unwrap();
    assert_eq!(solver.counts(), whole.counts());
    forget_checkpoint(&request);
    assert!(!request.checkpoint().exists());
}

#[test]
fn checkpoints_of_other_pitches_are_refused() {
    let mut solver = PitchSolver::new(shape("4x3"), true).unwrap();
    for _ in 0..3 {
        solver.step().unwrap();
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("4x3.checkpoint");
    solver.save(&path).unwrap();
    let resume = |size, depths| PitchSolver::resume(&Setup::in_memory(shape(size), depths), &path);
    assert_eq!(resume("4x3", true).unwrap().counts(), solver.counts());
    for (size, depths) in [("3x4", true), ("4x3", false)] {
        let error = resume(size, depths).err().unwrap().to_string();
        assert!(error.contains("the pitch is 4x3 with depths"), "{error}");
    }
    std::fs::copy(&path, request(directory.path()).checkpoint()).unwrap();
    let error = run(directory.path(), None).0.unwrap_err().to_string();
    assert!(error.contains(".pitch-6x3-dtw.checkpoint"), "{error}");
}
