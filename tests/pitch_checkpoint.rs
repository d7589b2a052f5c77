//! Checkpoints of the pitch engine: work goes on where it stopped, and damaged ones are refused.

mod pitch_support;

use phutbase::generate::pitch::{PitchEvent, PitchGenerateError, PitchRequest, generate_pitch};
use phutbase::generate::{Outcome, TablesLock};
use phutbase::solve::pitch::Solver;
use phutbase::table::pitch::pitch_path;
use pitch_support::shape;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

fn request(directory: &Path) -> PitchRequest {
    PitchRequest {
        shape: shape("6x3"),
        tables: directory.to_path_buf(),
        memory: None,
        checkpoint_every: Duration::ZERO,
    }
}

/// Generates, and stops after some ply of this run; `None` to go on to the end. Returns the plies resumed with, too.
fn run(directory: &Path, stop: Option<usize>) -> (Result<Outcome, PitchGenerateError>, usize) {
    let lock = TablesLock::hold(directory).unwrap();
    let (mut resumed, mut plies) = (0, 0);
    let outcome = generate_pitch(&request(directory), &lock, &mut |event| {
        match event {
            PitchEvent::Resumed { plies } => resumed = plies,
            PitchEvent::Ply { .. } => plies += 1,
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
        let (outcome, resumed) = run(pieces.path(), Some(3));
        assert_eq!(resumed, 3 * (stopped - 1));
        let saved = matches!(outcome, Err(PitchGenerateError::Interrupted { saved: true, ply, .. }) if ply == 3 * stopped);
        assert!(saved, "{outcome:?}");
    }
    let (outcome, resumed) = run(pieces.path(), None);
    assert_eq!((outcome.unwrap(), resumed), (Outcome::Written, 12));
    let read = |directory: &Path| std::fs::read(pitch_path(directory, shape("6x3"))).unwrap();
    assert!(read(whole.path()) == read(pieces.path()), "the same bytes");
    assert!(!request(pieces.path()).checkpoint().exists());
}

#[test]
fn damaged_checkpoints_are_refused() {
    let mut solver = Solver::new(shape("4x3"), true).unwrap();
    for _ in 0..3 {
        solver.step().unwrap();
    }
    let mut bytes = Vec::new();
    solver.save(&mut bytes).unwrap();
    let resume = |bytes: &[u8]| Solver::resume(shape("4x3"), true, &mut &bytes[..]);
    assert_eq!(resume(&bytes).unwrap().counts(), solver.counts());
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(resume(&damaged).is_err(), "byte {place}");
        assert!(resume(&bytes[..place]).is_err(), "{place} bytes");
    }
    assert!(resume(&[&bytes[..], &[0]].concat()).is_err());
    assert!(Solver::resume(shape("3x4"), true, &mut &bytes[..]).is_err());
    assert!(Solver::resume(shape("4x3"), false, &mut &bytes[..]).is_err());
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(request(directory.path()).checkpoint(), &bytes).unwrap();
    let error = run(directory.path(), None).0.unwrap_err().to_string();
    assert!(
        error.contains(".pitch-6x3.checkpoint") && error.contains("delete it"),
        "{error}"
    );
}
