//! Strips by enumeration, by plies and by levels.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use phutbase_base::job::Job;
use phutbase_rules::strip::positions;
use phutbase_solve::bits::Enumeration;
use phutbase_solve::levels::Levels;
use phutbase_solve::plies::Plies;
use std::hint::black_box;

/// More memory than any of these takes, in bytes.
const ENOUGH: u64 = 1 << 40;

fn enumerated(length: usize) -> usize {
    let mut enumeration = Enumeration::new(length).expect("a length in range");
    while enumeration.step(&Job::default()).expect("nothing stops it") != 0 {}
    enumeration.plies()
}

fn plies(length: usize) -> usize {
    let mut plies = Plies::new(length, ENOUGH).expect("a length in range");
    while plies.step(&Job::default()).expect("enough memory") != 0u32.into() {}
    plies.roots().len()
}

fn levels(length: usize) -> usize {
    let job = Job::default();
    let mut levels = Levels::new(length, ENOUGH, &job).expect("a length in range");
    levels.run(&job).expect("enough memory");
    levels.roots().len()
}

fn lengths(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve strips");
    group.sample_size(10);
    type Work = (&'static str, fn(usize) -> usize, [usize; 2]);
    let works: [Work; 3] = [
        ("bits", enumerated, [20, 24]),
        ("plies", plies, [24, 32]),
        ("levels", levels, [32, 64]),
    ];
    for (name, work, lengths) in works {
        for length in lengths {
            if let Ok(positions) = u64::try_from(positions(length)) {
                group.throughput(Throughput::Elements(positions));
            }
            group.bench_with_input(BenchmarkId::new(name, length), &length, |bencher, &length| {
                bencher.iter(|| black_box(work(length)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, lengths);
criterion_main!(benches);
