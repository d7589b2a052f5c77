//! The format is pinned: the table printed in docs/FORMAT.md stays readable, and the document's numbers are those of real
//! files. Everything here goes by the document, not by the crate's header code.

use crate::table::support::{Planes, at, field, frames, generated, open, section, strip};
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
    assert_eq!(bytes.len(), 344);
    let table = open(bytes, "printed.phut").unwrap();
    table.check_frames().unwrap();
    for (position, value) in [
        (".@.", Value::Win(Depth(3))),
        ("o@.", Value::Loss(Depth(2))),
        (".@o", Value::Win(Depth(1))),
        ("o@o", Value::Win(Depth(1))),
        (".@o R", Value::Loss(Depth(2))),
    ] {
        assert_eq!(table.value(&strip(position)).unwrap(), value, "{position}");
    }
    assert_eq!(table.block(Side::Left, 1, 0).unwrap(), [3, 0, 1, 1]);
    assert_eq!(table.block(Side::Right, 1, 0).unwrap(), [0, 0, 2, 0]);
    let description = table.description();
    assert_eq!(description.generator, "phutbase 0.1.0");
    assert_eq!(description.parameters["zstd level"], "12");
    assert_eq!(description.longest_win, ".@.");
}

#[test]
fn the_printed_table_is_what_is_written_today() {
    let (printed, today) = (printed_table(), generated(3, Metric::Dtw));
    // The trie and the blocks are the same whatever the zstd library and the program's version.
    assert_eq!(
        printed[section(&printed, at::TRIE)],
        today[section(&today, at::TRIE)]
    );
    let unpacked = |bytes: &[u8]| {
        let frames = frames(bytes);
        assert_eq!(frames.len(), 1);
        zstd::bulk::decompress(&bytes[frames[0].clone()], 8).unwrap()
    };
    assert_eq!(unpacked(&printed), unpacked(&today));
    assert_eq!(
        printed[..64],
        today[..64],
        "the header up to the counts, and the counts"
    );
}

#[test]
fn files_are_laid_out_as_the_document_says() {
    for length in [3, 8, 13, 16] {
        for metric in Metric::ALL {
            let bytes = generated(length, metric);
            assert_eq!(&bytes[..8], b"PHUTBASE");
            let metric_number = if metric == Metric::Dtw { 1 } else { 2 };
            assert_eq!(bytes[8..14], [1, 0, 1, metric_number, 1, 0]);
            assert_eq!(field(&bytes, at::LENGTH), length as u128);
            assert_eq!(field(&bytes, at::FILE_BYTES), bytes.len() as u128);
            let positions = 1u128 << low_bits(length);
            let block_bytes = match metric {
                Metric::Dtw => positions,
                Metric::Wdl => positions.div_ceil(8),
            };
            assert_eq!(field(&bytes, at::BLOCK_BYTES), block_bytes);
            assert_eq!(field(&bytes, at::FRAME_BLOCKS), 32_768 / block_bytes);
            // The parts follow each other without gaps.
            let mut parts = vec![section(&bytes, at::DESCRIPTION), section(&bytes, at::TRIE)];
            parts.extend(frames(&bytes));
            parts.push(section(&bytes, at::INDEX));
            let mut end = 192;
            for part in parts {
                assert_eq!(part.start, end);
                end = part.end;
            }
            assert_eq!(end, bytes.len());
            for zeros in [13..14, 108..112, 132..136, 156..188] {
                assert!(bytes[zeros].iter().all(|&byte| byte == 0));
            }
        }
    }
}

#[test]
fn the_trie_leads_where_the_document_walks() {
    let bytes = generated(16, Metric::Dtw);
    let planes = Planes::of_table(&open(bytes.clone(), "good.phut").unwrap());
    let trie = &bytes[section(&bytes, at::TRIE)];
    let number = |from: usize| field(trie, (from, 4)) as usize;
    let levels = number(0);
    let places = (2 * 14) << 3;
    assert_eq!(levels, 2, "16² = 256 is the first power to reach {places}");
    assert_eq!(number(4), 1, "one root");
    let frames: Vec<Vec<u8>> = (frames(&bytes).into_iter())
        .map(|frame| zstd::bulk::decompress(&bytes[frame], 32_768).unwrap())
        .collect();
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
