//! The dense engine without files: several lengths, and one length with each instruction set.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use phutbase_base::job::Job;
use phutbase_machine::simd::Simd;
use phutbase_rules::strip::positions;
use phutbase_strips::dense::DenseSolver;
use std::hint::black_box;

fn solve(length: usize, simd: Simd) -> usize {
    let mut solver = DenseSolver::new(length)
        .expect("a length in range")
        .with_simd(simd);
    while solver.step(&Job::default()).expect("a depth in range") != 0 {}
    solver.counts().len()
}

fn lengths(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("label every position");
    group.sample_size(10);
    for length in [16, 20, 24, 28] {
        group.throughput(Throughput::Elements(
            u64::try_from(positions(length)).expect("short strips"),
        ));
        group.bench_with_input(
            BenchmarkId::from_parameter(length),
            &length,
            |bencher, &length| {
                bencher.iter(|| black_box(solve(length, Simd::best())));
            },
        );
    }
    group.finish();
}

fn instruction_sets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("length 22");
    group.sample_size(10);
    for simd in Simd::available() {
        group.bench_with_input(
            BenchmarkId::from_parameter(format!("{simd:?}")),
            &simd,
            |bencher, &simd| {
                bencher.iter(|| black_box(solve(22, simd)));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, lengths, instruction_sets);
criterion_main!(benches);
