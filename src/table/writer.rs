//! Making a dense table. What the header counts is counted here, from the blocks that are written.

use super::container::Kind;
use super::container::blocks::Cut;
use super::container::write::{Writer, generator, packed, write_blocks, write_file};
use super::dense::FRAME_BYTES;
use super::error::TableError;
use super::header::{DensePayload, Description, Metadata, longest};
use super::trie::TrieBuilder;
use super::{Metric, low_bits, table_path};
use crate::games::rules::Rules;
use crate::games::strip::Strip;
use crate::outcome::Side;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The zstd level; docs/BENCHMARKS.md has the measurements behind it.
pub const ZSTD_LEVEL: i32 = 12;

/// The values of one length, block by block, as an engine hands them over.
///
/// Blocks of a plane are named by *keys*, numbers small enough to index an array: equal keys mean equal blocks, so
/// a block's bytes are asked for once per key.
pub trait DenseSource {
    /// The number of squares.
    fn length(&self) -> usize;
    /// The rules that it is played by.
    fn rules(&self) -> Rules;
    /// The engine's name, for the description.
    fn engine(&self) -> &str;
    /// The key of a block of the plane 'Left wins, `to_move` to move'.
    fn key(&self, to_move: Side, ball: usize, high: u64) -> u32;
    /// Writes the depth bytes of a block of that plane: plies until Left wins, 0 where Left does not win. 4,096 bytes; on strips with
    /// fewer pattern bits only the first `2^(length−1)` count.
    fn depths(&self, to_move: Side, key: u32, bytes: &mut [u8; 4096]);
}

/// The different blocks of a table in the order of their first place, and how often each occurs.
struct Blocks {
    bytes: IndexSet<Vec<u8>, DefaultHashBuilder>,
    /// Occurrences in the plane with Left to move and in that with Right to move.
    occurrences: Vec<[u64; 2]>,
    /// The first place with Left to move: ball square and high pattern.
    first_place: Vec<Option<(usize, u64)>>,
    trie: Vec<u8>,
}

/// Writes the table of a length into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed; nothing but complete tables is left behind.
pub fn write(source: &dyn DenseSource, metric: Metric, directory: &Path) -> Result<PathBuf, TableError> {
    let path = table_path(directory, source.rules(), source.length(), metric);
    let blocks = collect(source, metric);
    let metadata = summarise(source, metric, &blocks);
    write_file(&path, (Kind::Dense, source.rules()), |out| {
        write_sections(out, &blocks, metadata)
    })?;
    Ok(path)
}

/// Numbers the different blocks and builds the trie of their places.
fn collect(source: &dyn DenseSource, metric: Metric) -> Blocks {
    let length = source.length();
    let high_patterns = 1u64 << (length - 1 - low_bits(length));
    let mut blocks = Blocks {
        bytes: IndexSet::default(),
        occurrences: Vec::new(),
        first_place: Vec::new(),
        trie: Vec::new(),
    };
    let mut trie = TrieBuilder::default();
    for side in [Side::Left, Side::Right] {
        let mut by_key: Vec<Option<u32>> = Vec::new();
        for ball in 1..=length - 2 {
            for high in 0..high_patterns {
                let key = source.key(side, ball, high);
                if by_key.len() <= key as usize {
                    by_key.resize(key as usize + 1, None);
                }
                let number = *by_key[key as usize].get_or_insert_with(|| {
                    let bytes = block_bytes(source, metric, side, key);
                    let (number, new) = blocks.bytes.insert_full(bytes);
                    if new {
                        blocks.occurrences.push([0; 2]);
                        blocks.first_place.push(None);
                    }
                    number as u32
                });
                blocks.occurrences[number as usize][side as usize] += 1;
                if side == Side::Left {
                    blocks.first_place[number as usize].get_or_insert((ball, high));
                }
                trie.push(number);
            }
        }
    }
    blocks.trie = trie.finish();
    blocks
}

/// The bytes of one block as the metric stores them.
fn block_bytes(source: &dyn DenseSource, metric: Metric, side: Side, key: u32) -> Vec<u8> {
    let mut depths = [0; 4096];
    source.depths(side, key, &mut depths);
    let depths = &depths[..1 << low_bits(source.length())];
    match metric {
        Metric::Dtw => depths.to_vec(),
        Metric::Wdl => (depths.chunks(8))
            .map(|eight| {
                let bits = eight.iter().enumerate();
                bits.fold(0, |byte, (bit, &depth)| byte | u8::from(depth != 0) << bit)
            })
            .collect(),
    }
}

/// Counts what the blocks say.
fn summarise(source: &dyn DenseSource, metric: Metric, blocks: &Blocks) -> Metadata<DensePayload> {
    let length = source.length();
    let mut wins = BigUint::ZERO;
    let mut losses = BigUint::ZERO;
    let mut depths: BTreeMap<u16, u128> = BTreeMap::new();
    for (bytes, &[left, right]) in blocks.bytes.iter().zip(&blocks.occurrences) {
        let histogram = histogram(metric, bytes);
        let members: u128 = histogram.iter().skip(1).sum();
        wins += members * u128::from(left);
        losses += members * u128::from(right);
        for (depth, &count) in histogram.iter().enumerate().skip(1) {
            *depths.entry(depth as u16).or_default() += count * u128::from(left + right);
        }
    }
    depths.retain(|_, count| *count != 0 && metric == Metric::Dtw);
    let [longest_win, _] = longest(&depths);
    let payload = DensePayload {
        blocks: blocks.bytes.len() as u32,
    };
    let description = Description {
        generator: generator(),
        engine: source.engine().to_string(),
        parameters: BTreeMap::from([("zstd level".to_string(), ZSTD_LEVEL.to_string())]),
        depths,
        longest_win: example(length, longest_win, blocks).map_or(String::new(), |strip| strip.to_string()),
    };
    Metadata::new(metric, length, [wins, losses], payload, description)
}

/// How many positions of a block have each depth; under `wdl` every member of the set counts as depth 1.
fn histogram(metric: Metric, bytes: &[u8]) -> [u128; 256] {
    let mut histogram = [0; 256];
    for &byte in bytes {
        match metric {
            Metric::Dtw => histogram[usize::from(byte)] += 1,
            Metric::Wdl => histogram[1] += u128::from(byte.count_ones()),
        }
    }
    histogram
}

/// The first position, with Left to move, that Left wins in `depth` plies.
fn example(length: usize, depth: u16, blocks: &Blocks) -> Option<Strip> {
    let depth = u8::try_from(depth).ok().filter(|&depth| depth != 0)?;
    let places = blocks.bytes.iter().zip(&blocks.first_place);
    places.into_iter().find_map(|(bytes, place)| {
        let (ball, high) = (*place)?;
        let low = bytes.iter().position(|&byte| byte == depth)? as u128;
        let pattern = u128::from(high) << low_bits(length) | low;
        Strip::from_pattern(length, ball, pattern, Side::Left)
    })
}

/// Writes trie and blocks; the metadata.
fn write_sections<W: Write + Seek>(
    out: &mut Writer<W>,
    different: &Blocks,
    metadata: Metadata<DensePayload>,
) -> io::Result<Metadata<DensePayload>> {
    out.section("trie", &different.trie)?;
    let block_bytes = different.bytes[0].len();
    let cut = Cut {
        bytes: (different.bytes.len() * block_bytes) as u64,
        frame_bytes: FRAME_BYTES,
    };
    let fill = |start: u64, frame: &mut [u8]| {
        let first = start as usize / block_bytes;
        for (part, block) in frame.chunks_exact_mut(block_bytes).zip(&different.bytes[first..]) {
            part.copy_from_slice(block);
        }
    };
    write_blocks(out, packed(cut, ZSTD_LEVEL, fill))?;
    Ok(metadata)
}
