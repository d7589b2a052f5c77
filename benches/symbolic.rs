//! The symbolic engine, with and without depths.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use num_bigint::BigUint;
use phutbase_base::job::Job;
use phutbase_strips::symbolic::{DepthSolver, Goal, LevelSolver, SymbolicLimits};
use std::hint::black_box;

fn depths(length: usize) -> usize {
    let mut solver = DepthSolver::new(length, SymbolicLimits::default(), 1).expect("a length in range");
    while solver.step(&Job::default()).expect("enough memory") != BigUint::ZERO {}
    solver.counts().len()
}

fn sweeps(length: usize, goal: Goal) -> usize {
    let limits = SymbolicLimits::default();
    let mut solver = LevelSolver::new(length, goal, limits, 1).expect("a length in range");
    solver.run(&Job::default()).expect("enough memory");
    solver
        .counters()
        .sweeps
        .iter()
        .map(|sweep| sweep.recomputed)
        .sum()
}

fn lengths(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve with diagrams");
    group.sample_size(10);
    for length in [24, 32] {
        group.bench_with_input(BenchmarkId::new("dtw", length), &length, |bencher, &length| {
            bencher.iter(|| black_box(depths(length)));
        });
        for (name, goal) in [("wdl", Goal::Winners), ("levels", Goal::Levels)] {
            group.bench_with_input(BenchmarkId::new(name, length), &length, |bencher, &length| {
                bencher.iter(|| black_box(sweeps(length, goal)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, lengths);
criterion_main!(benches);
