//! Checkpoints of the pitch engine: interrupted work resumes, and checkpoints of other pitches are
//! rejected.

use crate::prelude::*;
use phutbase::generate::pitch::{forget_checkpoint, solve_pitch};

fn request(directory: &Path) -> PitchRequest {
    PitchRequest {
        checkpoint_every: Duration::ZERO,
        ..PitchRequest::new(shape("6x3"), directory)
    }
}

/// Generates a table and stops after `stop` plies of this run, if given. Also returns the number of
/// plies resumed.
fn run(directory: &Path, stop: Option<usize>) -> (Result<Outcome, GenerateError>, usize) {
    run_on(directory, stop, None)
}

/// Reads the number of a ply.
fn plies_of(place: &str) -> usize {
    place.strip_prefix("ply ").unwrap().parse().unwrap()
}

/// Runs like [`run`], with the sets in files of `scratch` if given.
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
            Event::Resumed(place) => resumed = plies_of(place),
            Event::Step { .. } => plies += 1,
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
        // A checkpoint can be resumed in memory and on disk alike.
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

/// A run without depths resumes and counts the same positions as one with depths.
#[test]
fn counting_alone_goes_on_from_its_own_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let lock = TablesLock::hold(directory.path()).unwrap();
    let mut request = request(directory.path());
    request.setup.with_depths = false;
    let mut plies = 0;
    let stopped = solve_pitch(&request, &lock, &mut |event| {
        plies += usize::from(matches!(event, Event::Step { .. }));
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
        if let Event::Resumed(place) = event {
            resumed = plies_of(place);
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
