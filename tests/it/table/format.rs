//! The format is pinned: the table printed in docs/FORMAT.md stays readable, and the document's numbers are those of real
//! files. Everything here goes by the document, not by the crate's own reader.

use crate::common::container::{Parts, StripMetadata, directory};
use crate::table::support::{METRICS, generated, open, strip};
use num_bigint::BigUint;
use phutbase::outcome::{Depth, Value};
use phutbase::table::Metric;
use phutbase::table::strip::metadata::all_positions;

const DOCUMENT: &str = include_str!("../../../docs/FORMAT.md");

/// The bytes of the hexdump in the document: `strip-3-dtw.phut`.
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
    let table = open(printed_table(), "printed.phut").unwrap();
    table.check_frames().unwrap();
    assert_eq!((table.lengths(), table.metric()), (3..=3, Metric::Dtw));
    for (position, value) in [
        (".@.", Value::Win(Depth(3))),
        ("o@.", Value::Loss(Depth(2))),
        (".@o", Value::Win(Depth(1))),
        ("o@o", Value::Win(Depth(1))),
        (".@o R", Value::Loss(Depth(2))),
    ] {
        let verdict = table.verdict(&strip(position)).unwrap();
        assert_eq!(verdict, value.into(), "{position}");
    }
}

#[test]
fn the_printed_table_is_what_is_written_today() {
    let [mut printed, mut today] =
        [printed_table(), generated(3, Metric::Dtw)].map(|bytes| Parts::of(&bytes));
    // The same whatever the zstd library and the program's version.
    assert_eq!((printed.version, printed.kind), (today.version, today.kind));
    assert_eq!(printed.section("roots"), today.section("roots"));
    assert_eq!(printed.nodes(), today.nodes());
    let [mut said, mut says] = [printed, today].map(|parts| parts.metadata::<StripMetadata>());
    (said.generator, says.generator) = (String::new(), String::new());
    assert_eq!(said, says);
}

#[test]
fn files_are_laid_out_as_the_document_says() {
    for length in [3, 8, 13, 20] {
        for metric in METRICS {
            let bytes = generated(length, metric);
            assert_eq!(&bytes[..12], b"PHUTBASE\x04\0\x01\0");
            let (entries, _) = directory(&bytes);
            let names: Vec<&str> = entries.iter().map(|(name, ..)| &name[..]).collect();
            assert_eq!(names, ["roots", "blocks", "index"]);
            let mut end = 32;
            for (name, offset, size, crc) in &entries {
                assert_eq!(*offset, end, "'{name}' follows the section before it");
                end += size;
                assert_eq!(*crc, crc32fast::hash(&bytes[*offset as usize..end as usize]));
            }
            assert_eq!(end.to_le_bytes(), bytes[16..24]);
            let mut parts = Parts::of(&bytes);
            assert_eq!(parts.sealed(), bytes, "made again by the document");
            let metadata: StripMetadata = parts.metadata();
            assert_eq!((metadata.length, metadata.metric), (length as u16, metric as u8));
            assert_eq!([metadata.binary.len(), metadata.ternary.len()], [length; 2]);
            assert_eq!([metadata.binary[0], metadata.ternary[length - 1]], [0; 2]);
            let nodes = parts.nodes();
            let counted: u32 = metadata.binary.iter().chain(&metadata.ternary).sum();
            assert_eq!(nodes.len(), counted as usize);
            assert_eq!(parts.frames().len(), nodes.len().div_ceil(1024));
            // Every node is below a root or another node: no set but those of the table is stored.
            let mut used = vec![false; nodes.len() + 2];
            let roots = parts.section("roots").clone();
            let numbers = roots
                .chunks(4)
                .map(|root| u32::from_le_bytes(root.try_into().unwrap()));
            numbers
                .chain(nodes.into_iter().flatten())
                .for_each(|number| used[number as usize] = true);
            assert!(used[2..].iter().all(|&used| used), "length {length}, {metric}");
        }
    }
}

/// Walks the nodes by the document: the counts of every length are the members of its sets.
#[test]
fn the_nodes_lead_where_the_document_walks() {
    let mut parts = Parts::of(&generated(10, Metric::Wdl));
    let (metadata, nodes) = (parts.metadata::<StripMetadata>(), parts.nodes());
    let roots = parts.section("roots").clone();
    let binary = metadata.binary.iter().sum::<u32>() + 2;
    // The square of a binary node: they are numbered from the last square to the first.
    let square = |number: u32| {
        let further = |square: usize| 2 + metadata.binary[square + 1..].iter().sum::<u32>();
        (0..10).find(|&square| number >= further(square)).unwrap()
    };
    let contains = |root: u32, ball: usize, stones: u32| {
        let node = |number: u32| nodes[number as usize - 2];
        let mut at = root;
        for square in 0..=ball {
            if at == 0 {
                return false;
            }
            assert!(at >= binary);
            let [on_ball, empty, stone] = node(at);
            at = match square == ball {
                true => on_ball,
                false if stones >> square & 1 == 1 => stone,
                false => empty,
            };
        }
        while at > 1 {
            assert!(at < binary);
            let [_, empty, stone] = node(at);
            at = if stones >> square(at) & 1 == 1 {
                stone
            } else {
                empty
            };
        }
        at == 1
    };
    for (length, counts) in (3..).zip(&metadata.lengths) {
        let last: Vec<u32> = roots[roots.len() - 8..]
            .chunks(4)
            .map(|root| u32::from_le_bytes(root.try_into().unwrap()))
            .collect();
        let behind = (1u32 << 10) - (1 << length);
        let boards =
            || (1..length - 1).flat_map(|ball| (0..1u32 << length).map(move |stones| (ball, stones)));
        let boards = || boards().filter(|(ball, stones)| stones >> ball & 1 == 0);
        let members = |root: u32| {
            boards()
                .filter(|&(ball, stones)| contains(root, ball, stones | behind))
                .count()
        };
        assert_eq!(BigUint::from_bytes_le(&counts.wins), members(last[0]).into());
        assert_eq!(BigUint::from_bytes_le(&counts.losses), members(last[1]).into());
        assert_eq!(all_positions(length), boards().count().into());
    }
}
