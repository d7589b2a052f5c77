//! The solution on one thread: the winner of 10,000,000 squares, every turn of 144 and of 10,000,000
//! squares, and numbers of wins.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use phutbase_ask::strip::{Reason, ValueSource};
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::AnyStrip;
use phutbase_solution::count::Counts;
use phutbase_solution::{Turns, winner};
use std::hint::black_box;

/// A random board, the same in every run (xorshift). One square in `gap` holds a stone.
fn board(length: usize, gap: u64) -> AnyStrip {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 32
    };
    let ball = length / 2;
    let squares: Vec<bool> = (0..length).map(|at| at != ball && next() % gap == 0).collect();
    AnyStrip::new(squares.into_iter(), ball, Side::Left).expect("a board")
}

fn boards(criterion: &mut Criterion) {
    for (length, samples) in [(144, 100), (10_000_000, 10)] {
        let mut group = criterion.benchmark_group(format!("solution, {length} squares"));
        group
            .throughput(Throughput::Elements(length as u64))
            .sample_size(samples);
        for gap in [2, 8] {
            let strip = board(length, gap);
            group.bench_function(format!("winner, a stone in {gap}"), |bencher| {
                bencher.iter(|| black_box(winner(black_box(&strip))));
            });
            group.bench_function(format!("turns, a stone in {gap}"), |bencher| {
                bencher.iter(|| black_box(Turns::of(black_box(&strip)).count()));
            });
            group.bench_function(
                format!("turns and the winning turn, a stone in {gap}"),
                |bencher| {
                    bencher.iter(|| black_box(Turns::of(black_box(&strip)).winning_turn()));
                },
            );
            group.bench_function(format!("list of turns, a stone in {gap}"), |bencher| {
                bencher.iter(|| black_box(Turns::of(black_box(&strip)).list()));
            });
            group.bench_function(format!("reason, a stone in {gap}"), |bencher| {
                bencher.iter(|| black_box(Reason::of(black_box(&strip), ValueSource::Solution)));
            });
        }
        group.finish();
    }
}

fn counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solution, numbers of wins");
    group.sample_size(10);
    group.bench_function("3 to 144 squares", |bencher| {
        bencher.iter(|| {
            let counts = Counts::up_to(144, &Job::default()).expect("no stop");
            for length in counts.lengths() {
                black_box(counts.wins(length));
            }
        });
    });
    group.bench_function("250 squares", |bencher| {
        bencher.iter(|| {
            let counts = Counts::up_to(250, &Job::default()).expect("no stop");
            black_box(counts.wins(250))
        });
    });
    group.finish();
}

criterion_group!(benches, boards, counts);
criterion_main!(benches);
