//! Probing diagram tables that ship with the repository: win or loss at 64 squares, depths at 32.

use criterion::{Criterion, criterion_group, criterion_main};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::outcome::Side;
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::table_path;
use std::hint::black_box;
use std::path::{Path, PathBuf};

const POSITIONS: usize = 1 << 16;

fn shipped(length: usize, metric: Metric) -> PathBuf {
    table_path(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tables"),
        Rules::Ordinary,
        length,
        metric,
    )
}

/// Random positions with either side to move, the same in every run (xorshift).
fn random_positions(length: usize) -> Vec<Strip> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..POSITIONS)
        .map(|_| {
            let ball = 1 + (next() >> 40) as usize % (length - 2);
            let side = if next() >> 63 == 0 {
                Side::Left
            } else {
                Side::Right
            };
            let pattern = (u128::from(next()) << 64 | u128::from(next())) & ((1 << (length - 1)) - 1);
            Strip::from_pattern(length, ball, pattern, side).expect("a pattern of the length")
        })
        .collect()
}

fn probes(criterion: &mut Criterion) {
    for (length, metric) in [(64, Metric::Wdl), (48, Metric::Wdl), (32, Metric::Dtw)] {
        let path = shipped(length, metric);
        let mut group = criterion.benchmark_group(format!("diagram, {length} squares, {metric}"));
        let table = Table::open(&path).expect("a shipped table");
        let positions = random_positions(length);
        let mut at = 0;
        group.bench_function("probe", |bencher| {
            bencher.iter(|| {
                at = (at + 1) % POSITIONS;
                black_box(table.verdict(&positions[at]).expect("a value"))
            });
        });
        group.bench_function("open", |bencher| {
            bencher.iter(|| black_box(Table::open(&path).expect("a shipped table")));
        });
        group.finish();
    }
}

criterion_group!(benches, probes);
criterion_main!(benches);
