//! The format is pinned: the table printed in docs/FORMAT.md stays readable, and the document's numbers are those of real
//! files. Everything here goes by the document, not by the crate's own reader.

use crate::common::container::{DenseMetadata, Parts, directory};
use crate::table::support::{Planes, generated, open, strip};
use phutbase::outcome::{Depth, Side, Value};
use phutbase::table::{Metric, low_bits};

const DOCUMENT: &str = include_str!("../../../docs/FORMAT.md");

/// The bytes of the hexdump in the document.
fn printed_table() -> Vec<u8> {
    let (_, rest) = DOCUMENT.split_once("```text\n").unwrap();
    let (dump, _) = rest.split_once("```").unwrap();
    let mut bytes = Vec::new();
    for line in dump.lines() {
        let (offset, rest) = line.split_once(": ").unwrap();
        assert_eq!(usize::from_str_radix(offset, 16).unwrap(), bytes.len());
        let hex = rest.get(..47).unwrap_or(rest).split_whitespace();
        bytes.extend(hex.map(|byte| u8::from_str_radix(byte, 16).unwrap()));
    }
    bytes
}

#[test]
fn the_printed_table_is_read_as_the_document_says() {
    let bytes = printed_table();
    assert_eq!(bytes.len(), 231);
    let table = open(bytes, "printed.phut").unwrap();
    table.check_frames().unwrap();
    for (position, value) in [
        (".@.", Value::Win(Depth(3))),
        ("o@.", Value::Loss(Depth(2))),
        (".@o", Value::Win(Depth(1))),
        ("o@o", Value::Win(Depth(1))),
        (".@o R", Value::Loss(Depth(2))),
    ] {
        assert_eq!(
            table.verdict(&strip(position)).unwrap(),
            value.into(),
            "{position}"
        );
    }
    assert_eq!(table.block(Side::Left, 1, 0).unwrap(), [3, 0, 1, 1]);
    assert_eq!(table.block(Side::Right, 1, 0).unwrap(), [0, 0, 2, 0]);
    let description = table.description();
    assert_eq!(description.generator, "phutbase 0.1.0");
    assert_eq!(description.parameters["zstd level"], "12");
    assert_eq!(description.longest_win, ".@.");
}

/// The unpacked frames.
fn unpacked(parts: &mut Parts) -> Vec<Vec<u8>> {
    let frames = parts.frames();
    let blocks = parts.section("blocks");
    (frames.into_iter())
        .map(|frame| zstd::bulk::decompress(&blocks[frame], 32_768).unwrap())
        .collect()
}

#[test]
fn the_printed_table_is_what_is_written_today() {
    let [mut printed, mut today] =
        [printed_table(), generated(3, Metric::Dtw)].map(|bytes| Parts::of(&bytes));
    // The same whatever the zstd library and the program's version.
    assert_eq!((printed.version, printed.kind), (today.version, today.kind));
    assert_eq!(printed.section("trie"), today.section("trie"));
    assert_eq!(unpacked(&mut printed), unpacked(&mut today));
    let [mut said, mut says] = [printed, today].map(|parts| parts.metadata::<DenseMetadata>());
    (said.generator, says.generator) = (String::new(), String::new());
    assert_eq!(said, says);
}

#[test]
fn files_are_laid_out_as_the_document_says() {
    for length in [3, 8, 13, 16] {
        for metric in Metric::ALL {
            let bytes = generated(length, metric);
            assert_eq!(&bytes[..12], b"PHUTBASE\x03\0\x01\0");
            let (entries, _) = directory(&bytes);
            let names: Vec<&str> = entries.iter().map(|(name, ..)| &name[..]).collect();
            assert_eq!(names, ["trie", "blocks", "index"]);
            let mut end = 32;
            for (name, offset, size, crc) in &entries {
                assert_eq!(*offset, end, "'{name}' follows the section before it");
                end += size;
                assert_eq!(*crc, crc32fast::hash(&bytes[*offset as usize..end as usize]));
            }
            assert_eq!(end.to_le_bytes(), bytes[16..24]);
            let mut parts = Parts::of(&bytes);
            assert_eq!(parts.sealed(), bytes, "made again by the document");
            let metadata: DenseMetadata = parts.metadata();
            let metric_number = if metric == Metric::Dtw { 1 } else { 2 };
            assert_eq!((metadata.length, metadata.metric), (length as u16, metric_number));
            let positions = 1usize << low_bits(length);
            let block_bytes = match metric {
                Metric::Dtw => positions,
                Metric::Wdl => positions.div_ceil(8),
            };
            let mut left = metadata.payload as usize * block_bytes;
            for frame in unpacked(&mut parts) {
                assert_eq!(frame.len(), left.min(32_768));
                left -= frame.len();
            }
            assert_eq!(left, 0);
        }
    }
}

#[test]
fn the_trie_leads_where_the_document_walks() {
    let bytes = generated(16, Metric::Dtw);
    let planes = Planes::of_table(&open(bytes.clone(), "good.phut").unwrap());
    let mut parts = Parts::of(&bytes);
    let trie = parts.section("trie").clone();
    let number = |from: usize| u32::from_le_bytes(trie[from..from + 4].try_into().unwrap()) as usize;
    let levels = number(0);
    let places = (2 * 14) << 3;
    assert_eq!(levels, 2, "16² = 256 is the first power to reach {places}");
    assert_eq!(number(4), 1, "one root");
    let frames = unpacked(&mut parts);
    for place in 0..places {
        let mut start = 4 + 4 * levels;
        let mut node = 0;
        for level in 0..levels {
            let child = place >> (4 * (levels - 1 - level)) & 15;
            node = number(start + 64 * node + 4 * child);
            start += 64 * number(4 + 4 * level);
        }
        let block = &frames[node / 8][node % 8 * 4096..][..4096];
        let plane = &planes.depths[place / (places / 2)];
        assert_eq!(
            block,
            &plane[place % (places / 2) * 4096..][..4096],
            "place {place}"
        );
    }
}
