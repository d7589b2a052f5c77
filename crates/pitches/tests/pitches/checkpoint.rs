//! Checkpoints of the pitch engine: interrupted work resumes, and checkpoints of other pitches are
//! rejected.

use phutbase_fixtures::prelude::*;
use phutbase_solve::generate::pitch::solve_pitch;

fn request(directory: &Path) -> Request<Setup> {
    Request {
        checkpoint_every: Duration::ZERO,
        ..Request::new(Setup::in_memory(shape("6x3"), true), directory)
    }
}

/// Generates a table and stops after `stop` plies of this run, if positive. Also returns the number
/// of plies saved.
fn run(directory: &Path, stop: u64) -> (Result<Outcome, GenerateError>, usize) {
    run_on(directory, stop, None)
}

/// Returns the last ply that the checkpoint of a job holds; 0 if there is none, or it was not read.
fn saved(job: &Job) -> usize {
    let saved = job.progress().saved;
    let ply = saved.as_deref().and_then(|place| place.strip_prefix("ply "));
    ply.map_or(0, |ply| ply.parse().unwrap())
}

/// Runs like [`run`], with the sets in files of `scratch` if given.
fn run_on(directory: &Path, stop: u64, scratch: Option<&Path>) -> (Result<Outcome, GenerateError>, usize) {
    let lock = TablesLock::hold(directory).unwrap();
    let mut request = request(directory);
    request.work.scratch = scratch.map(Path::to_path_buf);
    let job = Job::default().stopping_at_step(stop);
    let made = generate(&request, Some(&lock), &job);
    (made, saved(&job))
}

#[test]
fn a_run_in_pieces_makes_the_same_table() {
    let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(run(whole.path(), 0).0.unwrap(), Outcome::Written);
    for stopped in 1..=4 {
        // A checkpoint can be resumed in memory and on disk alike.
        let scratch = (stopped % 2 == 0).then_some(pieces.path());
        let (outcome, saved) = run_on(pieces.path(), 3, scratch);
        assert_eq!(saved, 3 * stopped);
        assert!(matches!(outcome, Err(GenerateError::Stopped(_))), "{outcome:?}");
    }
    assert_eq!(run(pieces.path(), 0).0.unwrap(), Outcome::Written);
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
    request.work.with_depths = false;
    let job = Job::default().stopping_at_step(4);
    let stopped = solve_pitch(&request, Some(&lock), &job);
    assert!(matches!(stopped, Err(GenerateError::Stopped(_))));
    assert_eq!(saved(&job), 4);
    let job = Job::default();
    let solver = solve_pitch(&request, Some(&lock), &job).unwrap();
    assert!(job.progress().is_resumed);
    let mut whole = PitchSolver::new(shape("6x3"), true).unwrap();
    whole.finish().unwrap();
    assert_eq!(solver.counts(), whole.counts());
    request.forget_checkpoint();
    assert!(!request.checkpoint().exists());
}

/// Rows, columns, depths, counts of plies, chunks, and the other files with their checksums.
type Metadata = (u8, u8, bool, Vec<u64>, Vec<u32>, Vec<(String, u32)>);

#[test]
fn checkpoints_of_other_pitches_are_refused() {
    let mut solver = PitchSolver::new(shape("4x3"), true).unwrap();
    for _ in 0..3 {
        solver.step(&Job::default()).unwrap();
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("4x3.checkpoint");
    solver.save(&path).unwrap();
    let job = Job::default();
    let resume = |size, depths| PitchSolver::resume(&Setup::in_memory(shape(size), depths), &path, &job);
    assert_eq!(resume("4x3", true).unwrap().counts(), solver.counts());
    for (size, depths) in [("3x4", true), ("4x3", false)] {
        let error = resume(size, depths).err().unwrap().to_string();
        assert!(error.contains("the pitch is 4x3 with depths"), "{error}");
    }
    let crafted = resealed(&std::fs::read(&path).unwrap(), |parts| {
        parts.edit(|(.., counts, _, _): &mut Metadata| counts[1] = u64::MAX);
    });
    let other = directory.path().join("crafted");
    std::fs::write(&other, crafted).unwrap();
    let resumed = PitchSolver::resume(&Setup::in_memory(shape("4x3"), true), &other, &job);
    has(
        &resumed.err().unwrap().to_string(),
        &["more positions than the pitch has"],
    );
    job.stop();
    assert_eq!(
        resume("4x3", true).err().unwrap().to_string(),
        Stopped::Interrupted.to_string()
    );
    std::fs::copy(&path, request(directory.path()).checkpoint()).unwrap();
    let error = run(directory.path(), 0).0.unwrap_err().to_string();
    assert!(error.contains(".pitch-6x3-dtw.checkpoint"), "{error}");
}
