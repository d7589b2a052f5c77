//! Tables of pitches, packed by several processes and written by one.

use crate::common::threads;
use crate::prelude::*;
use phutbase::generate::frames::Frames;
use phutbase::generate::gather::together;
use phutbase::generate::pitch::{solve_pitch, write_pitch};
use phutbase::ranks::SharedError;
use phutbase::table::pitch::writer::Packed;
use std::io;
use std::sync::mpsc::channel;

fn setup(text: &str, team: Team) -> Setup {
    Setup {
        team,
        ..Setup::in_memory(text.parse().unwrap(), true)
    }
}

/// Runs a function in `count` processes and fails if one of them hangs.
fn run<T: Send + 'static>(count: usize, work: impl Fn(Team) -> T + Send + Sync + 'static) -> Vec<T> {
    let (results, result) = channel();
    std::thread::spawn(move || results.send(threads::run(count, work)));
    let found = result.recv_timeout(Duration::from_secs(100));
    found.expect("no rank deadlocks or panics")
}

fn request(text: &str, directory: &Path, team: Team) -> PitchRequest {
    PitchRequest {
        setup: setup(text, team),
        ..PitchRequest::new(text.parse().unwrap(), directory)
    }
}

fn made(text: &str, directory: &Path, team: Team) -> Outcome {
    generate_pitch(&request(text, directory, team), None, &Job::default()).unwrap()
}

#[test]
fn several_processes_write_the_bytes_of_one() {
    for text in ["3x1", "5x3", "7x3", "9x2"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("pitch-{text}-dtw.phut"));
        made(text, directory.path(), Team::alone());
        let expected = std::fs::read(&path).unwrap();
        for count in [1, 2, 7] {
            std::fs::remove_file(&path).unwrap();
            let tables = directory.path().to_path_buf();
            let outcomes = run(count, move |team| made(text, &tables, team));
            assert_eq!(
                outcomes,
                vec![Outcome::Written; count],
                "{text}, {count} processes"
            );
            assert!(
                std::fs::read(&path).unwrap() == expected,
                "{text}, {count} processes"
            );
        }
    }
}

#[test]
fn one_failing_writer_ends_all() {
    for taken in [0, 1, 40, 159, 160] {
        let said = run(4, move |team| {
            let mut solver = PitchSolver::begin(&setup("7x3", team.clone())).unwrap();
            solver.step(&Job::default()).unwrap();
            let frames = Frames::new(&solver);
            let write = |packed: &mut dyn Iterator<Item = io::Result<Packed>>| {
                let got: io::Result<Vec<Packed>> = packed.take(taken).collect();
                let got = got.unwrap();
                assert_eq!(got.len(), taken);
                Err(io::Error::other("the disk is full"))
            };
            match team.agree_on(together(&frames, write)) {
                Err(SharedError::Remote(fault)) => fault.to_string(),
                other => other.unwrap_err().to_string(),
            }
        });
        let elsewhere = "rank 0: the disk is full";
        assert_eq!(
            said,
            ["the disk is full", elsewhere, elsewhere, elsewhere],
            "after {taken}"
        );
    }
}

#[test]
fn a_directory_that_cannot_be_written_ends_all_with_its_error() {
    // The name of the table, or the directory, is taken when it is to be written: everything is
    // packed in vain, or nothing.
    for in_the_way in ["pitch-6x3-dtw.phut", ""] {
        let directory = tempfile::tempdir().unwrap();
        let tables = directory.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        let blocked = tables.clone();
        let errors = run(3, move |team| {
            let block = || match in_the_way {
                "" => {
                    std::fs::remove_dir(&blocked).unwrap();
                    std::fs::write(&blocked, "in the way").unwrap();
                }
                name => std::fs::create_dir_all(blocked.join(name).join("full")).unwrap(),
            };
            let request = request("6x3", &blocked, team);
            let solver = solve_pitch(&request, None, &Job::default()).unwrap();
            if request.setup.team.is_first() {
                block();
            }
            write_pitch(&solver, &request).unwrap_err()
        });
        let own = errors[0].to_string();
        assert!(matches!(errors[0], GenerateError::Table(_)), "{own}");
        assert!(own.contains("pitch-6x3-dtw.phut"), "{own}");
        for other in &errors[1..] {
            assert_eq!(other.to_string(), format!("rank 0: {own}"));
        }
    }
}
