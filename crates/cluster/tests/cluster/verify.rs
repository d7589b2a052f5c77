//! The check of pitch tables: valid ones pass, and a single wrong value is found and named.

use crate::threads::run;
use phutbase_cluster::tables;
use phutbase_fixtures::container::PitchMetadata;
use phutbase_fixtures::prelude::*;
use phutbase_rules::pitch::depths::PitchSource;
use phutbase_tables::pitch::metadata::block_bits;
use phutbase_tables::pitch::writer::write;
use phutbase_verify::pitch::{BlockBudget, ample_memory, check, least_memory};

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

    fn order(&self) -> &[usize] {
        &self.solver.layout().order
    }

    fn copy(&self, start: u64, into: &mut [u8]) {
        self.solver.copy(start, into);
        if let (Some(to), Some(at)) = (self.to, self.at.checked_sub(start))
            && let Some(byte) = into.get_mut(at as usize)
        {
            *byte = to;
        }
    }
}

fn changed(shape: Shape, at: u64, to: Option<u8>) -> PitchTable {
    opened(changed_bytes(shape, at, to))
}

fn opened(bytes: Vec<u8>) -> PitchTable {
    PitchTable::new(contained(bytes, "t.phut").unwrap()).unwrap()
}

fn changed_bytes(shape: Shape, at: u64, to: Option<u8>) -> Vec<u8> {
    let mut solver = PitchSolver::new(shape, true).unwrap();
    solver.finish().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = write(&Changed { solver, at, to }, directory.path()).unwrap();
    std::fs::read(path).unwrap()
}

fn first_fault(table: &PitchTable) -> Option<Mismatch> {
    let room = BlockBudget::new(ample_memory(table));
    check(table, &room, &Job::default()).unwrap()
}

#[test]
fn every_small_table_passes() {
    for shape in shapes_up_to(15) {
        assert_eq!(first_fault(&changed(shape, 0, None)), None, "{shape}");
    }
}

#[test]
fn one_wrong_value_is_found_and_named() {
    let shape = shape("4x3");
    let good = changed(shape, 0, None);
    let mut named = 0;
    for at in (0..4 << 11).step_by(197) {
        let pitch = good.position(at).unwrap();
        let value = good.value(&pitch).unwrap();
        for to in [0, 1, 2, 3, 4, 250, 251, 255] {
            if Value::from_depth_byte(to) == value {
                continue;
            }
            let Some(Mismatch::Value {
                position,
                stored,
                derived,
            }) = first_fault(&changed(shape, at, Some(to)))
            else {
                panic!("'{pitch}' may not be a {}", Value::from_depth_byte(to));
            };
            assert_ne!(stored, derived);
            // An earlier position may be the first that no longer follows.
            named += usize::from(position == pitch.to_string());
        }
    }
    assert!(named > 25);
}

/// Moves one win to one ply fewer, and one loss to two more or to a draw, under a valid checksum.
fn miscounted(good: &[u8], draw: bool) -> Vec<u8> {
    resealed(good, |parts| {
        parts.edit(|metadata: &mut PitchMetadata| {
            metadata.depths[0] -= 1;
            if draw {
                metadata.draws += 1
            } else {
                metadata.depths[1] += 1
            }
        })
    })
}

#[test]
fn wrong_counts_are_found() {
    let good = changed_bytes(shape("4x3"), 0, None);
    for (draw, name) in [(false, "positions by depth"), (true, "draws")] {
        let fault = first_fault(&opened(miscounted(&good, draw))).unwrap();
        assert!(
            matches!(&fault, Mismatch::Count { field, .. } if field == name),
            "{fault}"
        );
    }
}

/// Returns the results of several processes with two threads each, with memory for this many
/// blocks.
fn found_with(blocks: u64, table: &PitchTable, processes: usize) -> String {
    let found = run(processes, |team| {
        let bytes = blocks << block_bits(table.shape());
        assert!(bytes < table.blocks() << block_bits(table.shape()));
        let room = BlockBudget::new(bytes);
        let found = tables::check(table, &room, &Job::default(), &team);
        let held = room.most_held();
        assert!((1..=bytes).contains(&held), "{held} bytes of {bytes}");
        format!("{:?}", found.map_err(|error| error.to_string()))
    });
    assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    found[0].clone()
}

/// The minimum number of blocks for two threads.
const FEWEST: u64 = 14;

#[test]
fn with_little_memory_the_same_fault_is_found() {
    let shape = shape("6x3");
    let good = changed_bytes(shape, 0, None);
    let mut solver = PitchSolver::new(shape, true).unwrap();
    solver.finish().unwrap();
    let mut wrong = |at: u64| {
        let mut byte = [0];
        solver.copy(at, &mut byte);
        changed_bytes(shape, at, Some(byte[0].wrapping_add(2).max(1)))
    };
    let last = (16 << 16) - 1;
    let mut tables = vec![good.clone(), miscounted(&good, false)];
    tables.extend([3, 1 << 17, (5 << 16) - 1, last - 8].map(&mut wrong));
    let mut met = std::collections::BTreeSet::new();
    for table in tables.into_iter().map(opened) {
        let found = format!("{:?}", Ok::<_, String>(first_fault(&table)));
        for processes in 1..=3 {
            for blocks in [FEWEST, FEWEST + 1] {
                assert_eq!(found_with(blocks, &table, processes), found);
            }
        }
        met.insert(found);
    }
    assert_eq!(met.len(), 6, "{met:?}");
}

#[test]
fn larger_pitches_pass_with_little_memory() {
    let table = changed(shape("7x3"), 0, None);
    assert_eq!(found_with(100, &table, 2), "Ok(None)");
    // The fault is in the sixth of 160 blocks; later blocks are not checked.
    let table = changed(shape("7x3"), (6 << 16) - 5, Some(254));
    let fault = found_with(100, &table, 1);
    assert!(fault.starts_with("Ok(Some(Value"), "{fault}");
    assert_eq!(fault, found_with(150, &table, 1));
}

#[test]
fn of_several_damaged_blocks_the_first_is_named() {
    let good = changed_bytes(shape("6x3"), 0, None);
    for damaged in [[2, 9], [15, 7], [0, 15]] {
        let mut bytes = good.clone();
        for frame in damaged {
            // The checksums in the index stay as they are, so opening the file detects nothing.
            let mut parts = Parts::of(&good);
            let at = parts.frames()[frame].start;
            let section = parts.section("blocks").clone();
            let begin = good.windows(section.len()).position(|window| window == section);
            bytes[begin.unwrap() + at] ^= 1;
        }
        let table = opened(bytes);
        let first = table.check_blocks().unwrap_err().to_string();
        let named = format!("frame {}", damaged.iter().min().unwrap());
        assert!(first.ends_with(&named), "{first}");
        for processes in 1..=3 {
            assert_eq!(
                found_with(FEWEST, &table, processes),
                format!("{:?}", Err::<(), _>(&first))
            );
        }
    }
}

#[test]
fn an_order_of_points_that_scatters_turns_takes_all_memory() {
    let good = changed_bytes(shape("6x4"), 0, None);
    let table = opened(good.clone());
    // The minimum depends on the number of threads, which is two in these tests.
    let [(least, all)] = run(1, |_| (least_memory(&table), ample_memory(&table)))[..] else {
        panic!("one process")
    };
    assert!(least < all / 4);
    let rows = resealed(&good, |parts| {
        parts.edit(|metadata: &mut PitchMetadata| metadata.order = (0..24).collect())
    });
    let scattered = opened(rows);
    assert_eq!(least_memory(&scattered), ample_memory(&scattered));
}
