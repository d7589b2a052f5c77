//! Probing the shipped tables: winners at 64 squares, depths at 24 and 32; each by itself, and with
//! opening the tables. Strips of 1,000 and 10,000,000 squares, from text to answer.

use criterion::{Criterion, criterion_group, criterion_main};
use phutbase_ask::sources::Sources;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::Position;
use phutbase_rules::strip::{AnyStrip, Halves, Strip, square_set};
use phutbase_solution::forward::{HalfValues, forward_winner};
use phutbase_tables::{SearchPath, Tablebase};
use std::hint::black_box;

const POSITIONS: usize = 1 << 16;

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
            let pattern = square_set(&[next(), next(), next(), next()]) >> (257 - length);
            Strip::from_pattern(length, ball, pattern, side).expect("a pattern of the length")
        })
        .collect()
}

fn shipped() -> Tablebase {
    Tablebase::search(SearchPath::default().with_embedded()).expect("the tables of the program")
}

fn probes(criterion: &mut Criterion) {
    for length in [24, 32, 64] {
        let mut group = criterion.benchmark_group(format!("{length} squares"));
        let tables = shipped();
        let table = tables.ask_strips(length, None, Ok).expect("a shipped table");
        let positions = random_positions(length);
        for strip in &positions {
            table.verdict(strip).expect("a value");
        }
        let mut at = 0;
        group.bench_function("probe", |bencher| {
            bencher.iter(|| {
                at = (at + 1) % POSITIONS;
                black_box(table.verdict(&positions[at]).expect("a value"))
            });
        });
        group.bench_function("open and probe", |bencher| {
            bencher.iter(|| black_box(shipped().verdict(&positions[0]).expect("a value")));
        });
        group.finish();
    }
}

/// Random notation of a strip that Theorem F decides.
fn decided(length: usize) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    loop {
        let mut text: Vec<u8> = (0..length)
            .map(|_| if next() >> 63 == 0 { b'.' } else { b'o' })
            .collect();
        text[length / 2] = b'@';
        let text = String::from_utf8(text).expect("ASCII");
        let strip: AnyStrip = text.parse().expect("a strip");
        if forward_winner(strip.side(), HalfValues::both(&strip)).is_some() {
            return text;
        }
    }
}

fn long_strips(criterion: &mut Criterion) {
    let sources = Sources::new(shipped(), 1 << 20);
    let mut group = criterion.benchmark_group("any length");
    for length in [1_000, 10_000_000] {
        let text = decided(length);
        group.sample_size(10);
        group.bench_function(format!("value of {length} squares by Theorem F"), |bencher| {
            bencher.iter(|| {
                let position: Position = text.parse().expect("a strip");
                black_box(sources.value(&position, &Job::default()).expect("a value"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, probes, long_strips);
criterion_main!(benches);
