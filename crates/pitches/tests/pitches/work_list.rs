//! The work list of a ply: it contains every block that gains, and few others.

use phutbase_fixtures::prelude::*;
use phutbase_pitches::solver::layout::BlockPlaces;
use phutbase_pitches::solver::work_list::WorkListInput;

/// Compares every ply with a work list to one that scans all blocks.
#[test]
fn blocks_off_the_work_list_do_not_gain() {
    for text in ["5x3", "7x3", "3x7", "5x4", "4x5", "11x2", "19x1", "10x2"] {
        let begin = || PitchSolver::begin(&Setup::in_memory(text.parse().unwrap(), true)).unwrap();
        let (mut mapped, mut all) = (begin(), begin());
        all.full_scan_through = usize::MAX;
        loop {
            let gained = all.step(&Job::default()).unwrap();
            assert_eq!(mapped.step(&Job::default()).unwrap(), gained, "{text}");
            for (mapped, all) in mapped.sets.iter().flatten().zip(all.sets.iter().flatten()) {
                assert!(mapped[..] == all[..], "{text}, ply {}", mapped.len());
            }
            if gained == 0 {
                break;
            }
        }
        for (mapped, all) in mapped.full.iter().zip(&all.full) {
            // Blocks marked full in the incremental run are full in the other.
            assert!(
                mapped
                    .words
                    .iter()
                    .zip(&all.words)
                    .all(|(mapped, all)| mapped & !all == 0)
            );
        }
    }
}

#[test]
fn late_plies_have_short_work_lists() {
    let mut whole = PitchSolver::new("7x3".parse().unwrap(), false).unwrap();
    whole.finish().unwrap();
    let last = whole.counts().len();
    let mut solver = PitchSolver::new("7x3".parse().unwrap(), false).unwrap();
    for _ in 1..last {
        solver.step(&Job::default()).unwrap();
    }
    let side = (last - 1) % 2;
    let before = WorkListInput {
        changed: Some(&solver.changed),
        full: &solver.full[side],
        target_full: &solver.full[1 - side],
        incremental: side == 0,
    };
    let work_list = solver.prepared.links[side].work_list(solver.layout(), &before);
    let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let (changed, blocks, needed) = (
        count(&solver.changed.words),
        count(&work_list.blocks.words),
        count(&work_list.needed.words),
    );
    let balls: Vec<usize> = solver.layout().shape().interior().collect();
    let places = BlockPlaces::new(solver.layout(), &balls);
    let sizes = (0..solver.layout().chunks()).map(|chunk| places.size(chunk) as u64);
    let every: u64 = sizes.sum();
    assert!(changed > 0 && blocks > 0, "something was decided before");
    assert!(
        blocks < every / 20 && needed < every / 10,
        "{blocks} and {needed} of {every}"
    );
}
