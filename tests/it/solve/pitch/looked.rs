//! Which blocks a ply looks at: enough of them, and few.

use phutbase::solve::pitch::layout::Places;
use phutbase::solve::pitch::looked::Before;
use phutbase::solve::pitch::{PitchSolver, Setup};

/// Every ply, once with the maps and once looking at everything.
#[test]
fn what_is_not_looked_at_would_gain_nothing() {
    for text in ["5x3", "7x3", "3x7", "5x4", "4x5", "11x2", "19x1", "10x2"] {
        let begin = || PitchSolver::begin(&Setup::in_memory(text.parse().unwrap(), true)).unwrap();
        let (mut mapped, mut all) = (begin(), begin());
        all.all_until = usize::MAX;
        loop {
            let gained = all.step().unwrap();
            assert_eq!(mapped.step().unwrap(), gained, "{text}");
            for (mapped, all) in mapped.sets.iter().flatten().zip(all.sets.iter().flatten()) {
                assert!(mapped[..] == all[..], "{text}, ply {}", mapped.len());
            }
            if gained == 0 {
                break;
            }
        }
        for (mapped, all) in mapped.full.iter().zip(&all.full) {
            // What was looked at and found full is.
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
fn late_plies_look_at_little() {
    let mut whole = PitchSolver::new("7x3".parse().unwrap(), false).unwrap();
    whole.finish().unwrap();
    let last = whole.counts().len();
    let mut solver = PitchSolver::new("7x3".parse().unwrap(), false).unwrap();
    for _ in 1..last {
        solver.step().unwrap();
    }
    let side = (last - 1) % 2;
    let before = Before {
        changed: Some(&solver.changed),
        full: &solver.full[side],
        target_full: &solver.full[1 - side],
        by_news: side == 0,
    };
    let looked = solver.links[side].look(solver.layout(), &before);
    let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let (changed, blocks, needed) = (
        count(&solver.changed.words),
        count(&looked.blocks.words),
        count(&looked.needed.words),
    );
    let balls: Vec<usize> = solver.layout().shape().interior().collect();
    let every = Places::new(solver.layout(), &balls).total();
    assert!(changed > 0 && blocks > 0, "something was decided before");
    assert!(
        blocks < every / 20 && needed < every / 10,
        "{blocks} and {needed} of {every}"
    );
}
