//! How well do tables pack? Index orders, block sizes, frame sizes and zstd levels, on tables that exist.
//!
//! `cargo run --release --example compression -- 20 24` reads `tables/strip-20-dtw.phut` and prints, for each way of
//! laying out the depth bytes, how many different blocks there are and what they take. README's section on
//! compression quotes it.

use phutbase::games::strip::Strip;
use phutbase::outcome::Side;
use phutbase::table::directory::Tablebase;
use phutbase::table::{any::Table, dense::DenseTable, low_bits};
use rayon::prelude::*;
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Raw bytes in a frame.
const FRAME: usize = 32 << 10;

/// In what order the squares become index bits, least significant first.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Left to right.
    Natural,
    /// The farthest from the ball first, so that the nearest squares are the most significant bits.
    NearestMost,
    /// The nearest to the ball first.
    NearestLeast,
}

/// Whether the file has two planes (plies until Left wins, for either player to move) or one (the value with Left to
/// move, its losses mirrored into place).
#[derive(Clone, Copy, Debug)]
enum Planes {
    Two,
    One,
}

fn main() -> Result<(), Box<dyn Error>> {
    let tablebase = Tablebase::open(Path::new("tables"))?;
    for length in std::env::args().skip(1) {
        let Table::Dense(table) = tablebase.with_depths(length.parse()?)? else {
            return Err(format!("the table of length {length} is in the diagram layout").into());
        };
        println!(
            "length {length}: {} positions, {} bytes on disk",
            table.positions(),
            table.header().file_bytes
        );
        let sides = [planes_of(table, Side::Left)?, planes_of(table, Side::Right)?];
        for (planes, order) in [
            (Planes::Two, Order::Natural),
            (Planes::Two, Order::NearestMost),
            (Planes::Two, Order::NearestLeast),
            (Planes::One, Order::Natural),
            (Planes::One, Order::NearestMost),
            (Planes::One, Order::NearestLeast),
        ] {
            let bytes = laid_out(table.header().length, &sides, planes, order);
            for block_bits in [10, 12, 14, 16] {
                report(&bytes, block_bits, &format!("{planes:?} {order:?}"));
            }
        }
    }
    Ok(())
}

/// The depth bytes of one plane, by ball square and pattern.
fn planes_of(table: &DenseTable, side: Side) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let length = table.header().length;
    (1..=length - 2)
        .map(|ball| {
            let mut bytes = Vec::with_capacity(1 << (length - 1));
            for high in 0..1 << (length - 1 - low_bits(length)) {
                bytes.extend(table.block(side, ball, high)?);
            }
            Ok(bytes)
        })
        .collect()
}

/// The pattern bits from the least to the most significant index bit.
fn bit_order(length: usize, ball: usize, order: Order) -> Vec<usize> {
    let mut bits: Vec<usize> = (0..length - 1).collect();
    // Pattern bit i is square i left of the ball and square i + 1 right of it.
    let distance = |&bit: &usize| if bit < ball { ball - bit } else { bit + 1 - ball };
    match order {
        Order::Natural => {}
        Order::NearestMost => bits.sort_by_key(|bit| std::cmp::Reverse(distance(bit))),
        Order::NearestLeast => bits.sort_by_key(distance),
    }
    bits
}

/// All bytes of the table in another layout.
fn laid_out(length: usize, sides: &[Vec<Vec<u8>>; 2], planes: Planes, order: Order) -> Vec<u8> {
    let mirrored = |ball: usize, pattern: u64| -> u8 {
        let strip =
            Strip::from_pattern(length, ball, pattern.into(), Side::Left).expect("a pattern of the length");
        let mirror = strip.mirror();
        sides[1][mirror.ball() - 1][mirror.pattern() as usize]
    };
    let planes = match planes {
        Planes::Two => vec![0, 1],
        Planes::One => vec![2],
    };
    let rows: Vec<(usize, usize)> = planes
        .iter()
        .flat_map(|&plane| (1..=length - 2).map(move |ball| (plane, ball)))
        .collect();
    rows.par_iter()
        .flat_map_iter(|&(plane, ball)| {
            let bits = bit_order(length, ball, order);
            (0..1u64 << (length - 1)).map(move |index| {
                let pattern = (bits.iter().enumerate())
                    .fold(0, |pattern, (place, &bit)| pattern | (index >> place & 1) << bit);
                match plane {
                    2 => sides[0][ball - 1][pattern as usize] | mirrored(ball, pattern),
                    plane => sides[plane][ball - 1][pattern as usize],
                }
            })
        })
        .collect()
}

/// Prints what equal blocks stored once and packed take.
fn report(bytes: &[u8], block_bits: usize, name: &str) {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut different: Vec<&[u8]> = Vec::new();
    let mut map: Vec<u8> = Vec::new();
    for block in bytes.chunks(1 << block_bits) {
        let number = *numbers.entry(block).or_insert_with(|| {
            different.push(block);
            different.len() as u32 - 1
        });
        map.extend(number.to_le_bytes());
    }
    let map_packed = zstd::bulk::compress(&map, 12).map_or(0, |packed| packed.len());
    let raw = different.concat();
    print!(
        "{name:<17} blocks of 2^{block_bits:<2}: {:>7} of {:>7} differ; their places {map_packed:>7} packed; blocks",
        different.len(),
        bytes.len() >> block_bits
    );
    for level in [3, 9, 12, 15, 19] {
        let begun = Instant::now();
        let packed: usize = raw
            .par_chunks(FRAME)
            .map(|frame| zstd::bulk::compress(frame, level).map_or(0, |packed| packed.len()))
            .sum();
        print!("  -{level} {packed:>8} ({:.2} s)", begun.elapsed().as_secs_f64());
    }
    println!();
}
