//! The format is pinned: the table printed in docs/FORMAT.md stays readable, and the document's
//! numbers match real files. These tests read files by the document, without the crate's reader.

use phutbase_fixtures::prelude::*;

const DOCUMENT: &str = include_str!("../../../../docs/FORMAT.md");

/// Returns the bytes of the hexdump in the document: `strip-3-dtw.phut`.
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
fn the_printed_table_is_current() {
    let [mut printed, mut today] =
        [printed_table(), generated(3, Metric::Dtw)].map(|bytes| Parts::of(&bytes));
    // Independent of the versions of zstd and of the program.
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
            // Every node is below a root or another node: the file stores nothing else.
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
