//! Several processes solving a pitch: same result as one process, balanced memory.

use crate::common::threads;
use crate::prelude::*;
use phutbase::ranks::Ranks;
use phutbase::solve::pitch::Stores;
use phutbase::solve::pitch::layout::PitchLayout;
use phutbase::solve::pitch::share::Share;

fn begin(text: &str, team: Team) -> PitchSolver {
    let setup = Setup {
        team,
        ..Setup::in_memory(text.parse().unwrap(), true)
    };
    PitchSolver::begin(&setup).unwrap()
}

/// Returns the depth bytes of the chunks that a solver owns.
fn depths(solver: &PitchSolver) -> Vec<(usize, Vec<u8>)> {
    let depths = solver.depths().unwrap();
    let chunks = (0..solver.layout().chunks()).filter(|&chunk| solver.owner(chunk) == solver.team().rank());
    let copy = |chunk| {
        let mut bytes = vec![0; depths.pieces.chunk_bytes(chunk)];
        depths.copy_chunk(chunk, 0, &mut bytes);
        (chunk, bytes)
    };
    chunks.map(copy).collect()
}

#[test]
fn several_processes_find_the_same_bits() {
    for text in ["5x3", "3x7", "4x5", "19x1"] {
        let mut alone = begin(text, Team::alone());
        alone.finish().unwrap();
        let expected = depths(&alone);
        for count in [2, 3, 7] {
            let found = threads::run(count, |team| {
                let mut solver = begin(text, team);
                solver.finish().unwrap();
                assert_eq!(solver.counts(), alone.counts(), "{text}, {count} processes");
                for (own, all) in solver.sets.iter().flatten().zip(alone.sets.iter().flatten()) {
                    assert!(own.is_empty() || own[..] == all[..], "{text}, {count} processes");
                }
                depths(&solver)
            });
            let mut found: Vec<_> = found.into_iter().flatten().collect();
            found.sort();
            assert!(found == expected, "{text}, {count} processes");
        }
    }
}

/// The first of a number of processes, without the others.
#[derive(Debug)]
struct First(usize);

impl Ranks for First {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        self.0
    }

    fn beside(&self) -> usize {
        1
    }

    fn exchange(&self, _: &[(usize, &[u64])], _: &mut [(usize, &mut [u64])], _: &mut dyn FnMut()) {}
}

#[test]
fn shares_of_memory_are_even_where_there_are_many_chunks() {
    for (text, count) in [
        ("8x3", 2),
        ("8x3", 4),
        ("7x4", 4),
        ("7x4", 8),
        ("6x6", 8),
        ("6x6", 64),
        ("6x6", 512),
        ("12x3", 512),
    ] {
        let layout = PitchLayout::new(text.parse().unwrap());
        let stores = Stores::new(&layout);
        let work = |chunk: usize| (stores.places.size(chunk) + stores.reach_size(chunk)) as u64;
        let share = Share::new(&layout, work, &Team::new(First(count)), 1);
        let mut sizes = vec![0; count];
        for chunk in (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk)) {
            sizes[share.owner(chunk)] += work(chunk);
        }
        let (most, all) = (sizes.iter().max().unwrap(), sizes.iter().sum::<u64>());
        assert!(
            most * count as u64 * 4 <= all * 5,
            "{text}, {count}: {most} of {all}"
        );
    }
}
