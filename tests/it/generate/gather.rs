//! The table of a pitch, packed by several processes and written by one.

use crate::common::threads;
use phutbase::generate::frames::Frames;
use phutbase::generate::gather::together;
use phutbase::generate::pitch::{PitchRequest, generate_pitch};
use phutbase::generate::{Event, GenerateError, Outcome, TablesLock};
use phutbase::solve::pitch::{PitchSolver, Setup};
use phutbase::solve::ranks::{InCommon, Team};
use phutbase::table::pitch::writer::{Packed, pack};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

fn setup(text: &str, team: Team) -> Setup {
    Setup {
        team,
        ..Setup::in_memory(text.parse().unwrap(), true)
    }
}

/// Runs something in so many processes, none of which may wait for ever.
fn run<T: Send + 'static>(count: usize, work: impl Fn(Team) -> T + Send + Sync + 'static) -> Vec<T> {
    let (results, result) = channel();
    std::thread::spawn(move || results.send(threads::run(count, work)));
    let found = result.recv_timeout(Duration::from_secs(100));
    found.expect("nobody waits for ever, and nobody panics")
}

/// Makes a table; `writing` is called in the first process before it is written.
fn made(text: &str, directory: &Path, team: Team, writing: impl Fn()) -> Result<Outcome, GenerateError> {
    let first = team.is_first();
    let request = PitchRequest {
        setup: setup(text, team),
        ..PitchRequest::new(text.parse().unwrap(), directory)
    };
    generate_pitch(&request, None::<&TablesLock>, &mut |event| {
        if first && matches!(event, Event::Writing) {
            writing();
        }
        ControlFlow::Continue(())
    })
}

#[test]
fn several_processes_write_the_bytes_of_one() {
    for text in ["3x1", "5x3", "6x3", "7x3", "5x4", "9x2"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("pitch-{text}-dtw.phut"));
        made(text, directory.path(), Team::alone(), || {}).unwrap();
        let expected = std::fs::read(&path).unwrap();
        for count in [1, 2, 3, 4, 7] {
            std::fs::remove_file(&path).unwrap();
            let tables = directory.path().to_path_buf();
            let outcomes = run(count, move |team| made(text, &tables, team, || {}).unwrap());
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
fn every_frame_is_of_one_process_and_who_packs_it_gets_little() {
    for (text, count) in [
        ("5x3", 4),
        ("6x3", 3),
        ("7x3", 4),
        ("8x3", 4),
        ("5x5", 7),
        ("12x2", 16),
    ] {
        let found = run(count, move |team| {
            let solver = PitchSolver::begin(&setup(text, team)).unwrap();
            let frames = Frames::new(&solver);
            let own: Vec<u64> = frames.own().collect();
            assert_eq!(own.len() as u64, frames.numbers()[solver.team().rank()]);
            (own, frames.foreign_bytes(), frames.number())
        });
        let mut all: Vec<u64> = found.iter().flat_map(|(own, ..)| own.clone()).collect();
        all.sort();
        assert!(all.iter().copied().eq(0..found[0].2), "{text}: {all:?}");
        let foreign = found.iter().map(|&(_, bytes, _)| bytes);
        assert!(
            foreign.clone().sum::<usize>() > 0,
            "{text}: some frames have several owners"
        );
        assert!(foreign.max().unwrap() < 16 << 20, "{text}: {found:?}");
        if text == "8x3" {
            let most = found.iter().map(|(own, ..)| own.len()).max().unwrap();
            assert!(most * count * 4 <= all.len() * 5, "{most} of {}", all.len());
        }
    }
}

#[test]
fn whoever_fails_to_write_ends_all() {
    for taken in [0, 1, 40, 159, 160] {
        let said = run(4, move |team| {
            let mut solver = PitchSolver::begin(&setup("7x3", team.clone())).unwrap();
            solver.step().unwrap();
            let frames = Frames::new(&solver);
            let write = |packed: &mut dyn Iterator<Item = Packed>| {
                let got: Vec<Packed> = packed.take(taken).collect();
                assert_eq!(got.len(), taken);
                Err(io::Error::other("the disk is full"))
            };
            match team.agree_on(together(&frames, write)) {
                Err(InCommon::Elsewhere(fault)) => fault.to_string(),
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
fn frames_come_in_order_with_all_their_counts() {
    let total = |packed: &mut dyn Iterator<Item = Packed>| {
        let (frames, seen): (Vec<_>, Vec<_>) = packed.unzip();
        (
            frames,
            seen.into_iter().reduce(|mut all, seen| {
                all.add(&seen);
                all
            }),
        )
    };
    let solved = |team: Team| {
        let mut solver = PitchSolver::begin(&setup("6x3", team)).unwrap();
        solver.finish().unwrap();
        solver
    };
    let alone = solved(Team::alone());
    let frames = Frames::new(&alone);
    let expected = total(&mut pack(&frames, frames.own()));
    let found = run(3, move |team| {
        let solver = solved(team);
        let mut found = None;
        let write = |packed: &mut dyn Iterator<Item = Packed>| {
            found = Some(total(packed));
            Ok::<(), io::Error>(())
        };
        together(&Frames::new(&solver), write).unwrap();
        found
    });
    assert!(found[0] == Some(expected), "frames and counts");
    assert!(found[1..].iter().all(Option::is_none), "only the first writes");
}

#[test]
fn a_directory_that_cannot_be_written_ends_all_with_its_error() {
    // What the table would replace, or the directory itself, is in the way when the time comes: all is packed in vain, or nothing.
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
            made("6x3", &blocked, team, block).unwrap_err()
        });
        let own = errors[0].to_string();
        assert!(matches!(errors[0], GenerateError::Table(_)), "{own}");
        assert!(own.contains("pitch-6x3-dtw.phut"), "{own}");
        for other in &errors[1..] {
            assert_eq!(other.to_string(), format!("rank 0: {own}"));
        }
    }
}
