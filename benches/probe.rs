//! Probing a table of length 24: single probes from a warm cache, and a million random positions from a cold one.
//!
//! The table is made in a temporary directory first, which takes less than a second.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::generate::{Request, TablesLock, generate};
use phutbase::outcome::Side;
use phutbase::table::any::Table;
use phutbase::table::{Metric, table_path};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

const LENGTH: usize = 24;
const MILLION: usize = 1_000_000;

/// Random positions with either side to move, the same in every run (xorshift).
fn random_positions(count: usize) -> Vec<Strip> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count)
        .map(|_| {
            let random = next();
            let ball = 1 + (random >> 40) as usize % (LENGTH - 2);
            let side = if random >> 63 == 0 {
                Side::Left
            } else {
                Side::Right
            };
            let pattern = u128::from(random) & ((1 << (LENGTH - 1)) - 1);
            Strip::from_pattern(LENGTH, ball, pattern, side).expect("a pattern of the length")
        })
        .collect()
}

fn make_table(directory: &std::path::Path) -> PathBuf {
    let request = Request {
        tables: directory.to_path_buf(),
        ..Request::new(LENGTH, Metric::Dtw)
    };
    let lock = TablesLock::hold(directory).expect("a fresh directory");
    generate(&request, &lock, &mut |_| ControlFlow::Continue(())).expect("length 24 fits");
    table_path(directory, Rules::Ordinary, LENGTH, Metric::Dtw)
}

fn probes(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = make_table(directory.path());
    let positions = random_positions(MILLION);

    let table = Table::open(&path).expect("a whole table");
    table.verdicts(&positions).expect("every position has a value");
    let mut at = 0;
    criterion.bench_function("probe, warm cache", |bencher| {
        bencher.iter(|| {
            at = (at + 1) % MILLION;
            black_box(table.verdict(&positions[at]).expect("a value"))
        });
    });
    criterion.bench_function("open", |bencher| {
        bencher.iter(|| black_box(Table::open(&path).expect("a whole table")))
    });

    let mut group = criterion.benchmark_group("batch of a million");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10))
        .throughput(Throughput::Elements(MILLION as u64));
    group.bench_function("cold cache", |bencher| {
        let open = || Table::open(&path).expect("a whole table");
        bencher.iter_batched(
            open,
            |table| black_box(table.verdicts(&positions).expect("values")),
            BatchSize::LargeInput,
        );
    });
    group.bench_function("warm cache", |bencher| {
        bencher.iter(|| black_box(table.verdicts(&positions).expect("values")))
    });
    group.finish();
}

criterion_group!(benches, probes);
criterion_main!(benches);
