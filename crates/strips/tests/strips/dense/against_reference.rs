//! The dense engine compared with the reference solver on every position. For longer strips, the
//! value of each position must follow from the values of its successors.
//!
//! Coverage by length: up to 13 squares a ball square has one block, from 14 on there are several
//! slices, from 15 on balls beyond square 12, from 20 on several blocks of a ball square in one
//! slice.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{Depths, Totals, depths, pinned_depths};
use phutbase_strips::dense::layout::DenseLayout;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn threads(count: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(count).build().unwrap()
}

/// Runs a new solver to the end and compares every position; `setting` describes the solver.
fn compare(solver: DenseSolver, expected: &[Value], setting: &str) {
    let length = solver.layout().length();
    let solver = finished(solver);
    let values = Depths::of(&solver).values();
    let game = StripGame::new(length).unwrap();
    assert_eq!(values.len(), expected.len());
    let wrong = values
        .iter()
        .zip(expected)
        .position(|(found, expected)| found != expected);
    let wrong = wrong.map(|index| format!("'{}' with {setting}", game.position(index as u64)));
    assert_eq!(wrong, None);
    assert_counts(&solver, expected);
}

/// Checks the counts per ply against the values.
fn assert_counts(solver: &DenseSolver, values: &[Value]) {
    let mut counts = depths(values);
    for (ply, &count) in (1..).zip(solver.counts()) {
        assert_eq!(counts.remove(&ply).unwrap_or(0), count, "ply {ply}");
    }
    assert!(counts.is_empty(), "plies never done: {counts:?}");
}

/// Compares every position of the lengths, with every instruction set and several numbers of
/// threads.
fn compare_in_every_setting(lengths: impl IntoIterator<Item = usize>) {
    let pools = [1, 2, 4].map(threads);
    for length in lengths {
        let expected = reference_values(length, Rules::Ordinary);
        for pool in &pools {
            for simd in Simd::available() {
                let setting = format!("{simd:?}, {} threads", pool.current_num_threads());
                pool.install(|| {
                    let solver = DenseSolver::new(length).unwrap().with_simd(simd);
                    compare(solver, expected, &setting);
                });
            }
        }
    }
}

#[test]
fn every_position_up_to_13_squares() {
    assert_eq!(DenseLayout::new(13).high_bits(), 0);
    compare_in_every_setting(3..=13);
}

#[test]
fn every_position_of_14_to_17_squares_with_several_slices_and_far_balls() {
    assert_eq!(
        [14, 15, 17].map(|length| DenseLayout::new(length).slices()),
        [2, 4, 16]
    );
    compare_in_every_setting(14..=17);
}

#[test]
fn counts_per_ply_are_the_pinned_ones() {
    let by_length = pinned_depths();
    for totals in pinned_totals() {
        let solver = finished(DenseSolver::new(totals.length).unwrap());
        let values = Depths::of(&solver).values();
        assert_eq!(Totals::of(totals.length, &values), totals);
        assert_counts(&solver, &values);
        if let Some(expected) = by_length.get(&totals.length) {
            assert_eq!(&depths(&values), expected, "length {}", totals.length);
        }
    }
    assert!(by_length.contains_key(&16), "the longest pinned length");
}

/// If every value follows from its successors' and every win and loss has a depth, all values are
/// exact: by induction on the depth, no win or loss can be missing or false.
fn assert_every_value_follows_from_its_successors(depths: &Depths, length: usize) {
    let game = StripGame::new(length).unwrap();
    let wrong = (0..game.positions())
        .into_par_iter()
        .map(|index| game.position(index))
        .find_first(|position| !depths.is_consistent(position));
    assert_eq!(wrong.map(|position| position.to_string()), None);
}

/// Returns the depths of 20 squares, solved once without vector instructions.
fn depths_at_20() -> &'static Depths {
    static DEPTHS: OnceLock<Depths> = OnceLock::new();
    DEPTHS.get_or_init(|| {
        let solver = DenseSolver::new(20).unwrap().with_simd(Simd::Portable);
        Depths::of(&finished(solver))
    })
}

#[test]
fn every_value_follows_from_its_successors_at_18_squares() {
    let solver = finished(DenseSolver::new(18).unwrap());
    assert_every_value_follows_from_its_successors(&Depths::of(&solver), 18);
}

#[test]
fn sampled_values_follow_from_their_successors_with_several_blocks_of_a_ball_in_a_slice() {
    for (length, bits) in [(20, 1), (21, 2), (22, 3)] {
        assert_eq!(DenseLayout::new(length).slice_bits(), bits);
        let depths = Depths::of(&finished(DenseSolver::new(length).unwrap()));
        let game = StripGame::new(length).unwrap();
        let sample: Vec<u64> = random_numbers(length as u64).take(200_000).collect();
        let wrong = sample
            .into_par_iter()
            .map(|number| game.position(number % game.positions()))
            .find_first(|position| !depths.is_consistent(position));
        assert_eq!(wrong.map(|position| position.to_string()), None);
    }
}

#[test]
fn threads_and_instruction_sets_do_not_show_in_the_values_at_20_squares() {
    for pool in [1, 2, 4].map(threads) {
        for simd in Simd::available() {
            let setting = format!("{simd:?}, {} threads", pool.current_num_threads());
            pool.install(|| {
                let solver = finished(DenseSolver::new(20).unwrap().with_simd(simd));
                assert!(Depths::of(&solver) == *depths_at_20(), "{setting}");
            });
        }
    }
}
