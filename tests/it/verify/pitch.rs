//! The check of pitch tables: good ones pass, and a single wrong value is found and named.

use crate::common::container::{PitchMetadata, resealed};
use crate::common::threads::run;
use crate::games::pitch_support::{shape, shapes_up_to};
use crate::table::support::contained;
use phutbase::games::pitch::Shape;
use phutbase::games::rules::Rules;
use phutbase::outcome::Value;
use phutbase::solve::pitch::PitchSolver;
use phutbase::solve::ranks::Team;
use phutbase::table::pitch::header::stored_balls;
use phutbase::table::pitch::writer::{PitchSource, write};
use phutbase::table::pitch::{PitchTable, pitch_path};
use phutbase::verify::Fault;
use phutbase::verify::pitch::check;
use std::sync::atomic::AtomicU64;

/// A solver's values, with one byte changed.
struct Changed {
    solver: PitchSolver,
    at: u64,
    to: Option<u8>,
}

impl PitchSource for Changed {
    fn shape(&self) -> Shape {
        self.solver.layout().shape()
    }

    fn rules(&self) -> Rules {
        Rules::Ordinary
    }

    fn engine(&self) -> &str {
        "test"
    }

    fn order(&self) -> &[usize] {
        self.solver.layout().order()
    }

    fn copy(&self, start: u64, into: &mut [u8]) {
        self.solver.depths().unwrap().copy(start, into);
        if let (Some(to), Some(at)) = (self.to, self.at.checked_sub(start))
            && let Some(byte) = into.get_mut(at as usize)
        {
            *byte = to;
        }
    }
}

fn changed(shape: Shape, at: u64, to: Option<u8>) -> PitchTable {
    let mut solver = PitchSolver::new(shape, true).unwrap();
    solver.finish().unwrap();
    let directory = tempfile::tempdir().unwrap();
    write(&Changed { solver, at, to }, directory.path()).unwrap();
    let bytes = std::fs::read(pitch_path(directory.path(), Rules::Ordinary, shape)).unwrap();
    PitchTable::new(contained(bytes, "t.phut").unwrap(), 0).unwrap()
}

fn first_fault(table: &PitchTable) -> Option<Fault> {
    check(table, &AtomicU64::new(0), &Team::alone()).unwrap()
}

#[test]
fn every_small_table_passes() {
    for shape in shapes_up_to(15) {
        assert_eq!(first_fault(&changed(shape, 0, None)), None, "{shape}");
    }
}

#[test]
fn tables_with_draws_pass() {
    let table = changed(shape("7x3"), 0, None);
    assert_eq!(table.header().draws, 32);
    assert_eq!(first_fault(&table), None);
}

#[test]
fn one_wrong_value_is_found_and_named() {
    let shape = shape("4x3");
    let good = changed(shape, 0, None);
    let mut named = 0;
    for at in (0..4 << 11).step_by(97) {
        let pitch = good.position(at).unwrap();
        let value = good.value(&pitch).unwrap();
        for to in [0, 1, 2, 3, 4, 250, 251, 255] {
            if Value::from_depth_byte(to) == value {
                continue;
            }
            let Some(Fault::Value {
                position,
                stored,
                derived,
            }) = first_fault(&changed(shape, at, Some(to)))
            else {
                panic!("'{pitch}' may not be a {}", Value::from_depth_byte(to));
            };
            assert_ne!(stored, derived);
            // An earlier position may be the first that does not fit any more.
            named += usize::from(position == pitch.to_string());
        }
    }
    assert!(named > 50);
}

#[test]
fn wrong_counts_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let mut solver = PitchSolver::new(shape("4x3"), true).unwrap();
    solver.finish().unwrap();
    write(
        &Changed {
            solver,
            at: 0,
            to: None,
        },
        directory.path(),
    )
    .unwrap();
    let good = std::fs::read(pitch_path(directory.path(), Rules::Ordinary, shape("4x3"))).unwrap();
    // One win fewer and one loss more, under a right checksum.
    let bytes = resealed(&good, |parts| {
        parts.edit(|metadata: &mut PitchMetadata| {
            metadata.counts[0] -= 1;
            metadata.counts[1] += 1;
        })
    });
    let table = PitchTable::new(contained(bytes, "t.phut").unwrap(), 0).unwrap();
    let fault = first_fault(&table).unwrap();
    assert!(
        matches!(&fault, Fault::Count { field, counted, .. } if field == "wins" && counted == "9982"),
        "{fault}"
    );
}

#[test]
fn several_processes_find_the_fault_of_one() {
    let shape = shape("6x3");
    let mut solver = PitchSolver::new(shape, true).unwrap();
    solver.finish().unwrap();
    let bytes = stored_balls(shape).len() as u64 * (1 << 17);
    let mut faults = Vec::new();
    for at in [3, bytes / 2, bytes - 9] {
        let mut byte = [0];
        solver.depths().unwrap().copy(at, &mut byte);
        let table = changed(shape, at, Some(byte[0].wrapping_add(2).max(1)));
        let fault = first_fault(&table);
        for count in 2..=4 {
            let found = run(count, |team| check(&table, &AtomicU64::new(0), &team).unwrap());
            assert!(
                found.iter().all(|found| *found == fault),
                "{found:?}, not {fault:?}"
            );
        }
        faults.extend(fault);
    }
    assert!(faults.len() == 3 && faults[0] != faults[2], "{faults:?}");
}
