//! The Python reader, which was written from docs/FORMAT.md and shares nothing with the crate, must read the same values, and
//! refuse what is damaged.
//!
//! Without Python or a zstd library for it there is nothing to test: the tests say so and pass, unless
//! `PHUTBASE_REQUIRE_PYTHON` is set.

mod table_support;

use phutbase::game::Game;
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::{Value, Wdl};
use phutbase::solve::reference;
use phutbase::table::Metric;
use phutbase::table::dense::DenseTable;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use table_support::{generate_in, positions};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/read_table.py");

/// Runs Python with arguments.
fn python(arguments: &[&str]) -> std::io::Result<Output> {
    Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(arguments)
        .output()
}

/// Whether the reader can run here; says so if not.
fn python_is_there() -> bool {
    static WHY_NOT: OnceLock<Option<String>> = OnceLock::new();
    let why_not = WHY_NOT.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let table = generate_in(directory.path(), 3, Metric::Dtw);
        match python(&[SCRIPT, table.to_str().unwrap(), ".@."]) {
            Err(error) => Some(format!("python3 cannot be run: {error}")),
            Ok(output) => {
                let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
                complaint.contains("no zstd library").then_some(complaint)
            }
        }
    });
    if let Some(why_not) = why_not {
        assert!(
            std::env::var_os("PHUTBASE_REQUIRE_PYTHON").is_none(),
            "PHUTBASE_REQUIRE_PYTHON is set, but {why_not}"
        );
        eprintln!("the Python reader is not tested: {why_not}");
    }
    why_not.is_none()
}

/// What the reader prints; it must succeed.
fn printed(arguments: &[&str]) -> Vec<u8> {
    let output = python(&[&[SCRIPT], arguments].concat()).unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    output.stdout
}

/// Tables of some lengths, both metrics, each with the values that it must hold, by index.
fn tables(directory: &Path) -> Vec<(PathBuf, Metric, Vec<Value>)> {
    let mut tables = Vec::new();
    for length in [3, 4, 8, 12, 13, 15] {
        let dtw = generate_in(directory, length, Metric::Dtw);
        let wdl = generate_in(directory, length, Metric::Wdl);
        let values = if length <= 12 {
            reference::solve(&StripGame::new(length).unwrap())
        } else {
            let strips: Vec<Strip> = positions(length).collect();
            DenseTable::open(&dtw).unwrap().values(&strips).unwrap()
        };
        tables.push((dtw, Metric::Dtw, values.clone()));
        tables.push((wdl, Metric::Wdl, values));
    }
    tables
}

/// The byte that `--raw` must write for a value.
fn byte(value: Value, metric: Metric) -> u8 {
    match (metric, value.wdl()) {
        (Metric::Dtw, _) => value.depth().map_or(0, |depth| depth.0 as u8),
        (Metric::Wdl, Wdl::Win) => 1,
        (Metric::Wdl, Wdl::Loss) => 2,
        (Metric::Wdl, Wdl::Draw) => 0,
    }
}

/// The line that must be printed for a value.
fn line(value: Value, metric: Metric) -> String {
    match value.depth() {
        Some(depth) if metric == Metric::Dtw => format!("{} {depth}", value.wdl()),
        _ => value.wdl().to_string(),
    }
}

#[test]
fn python_reads_every_value() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for (path, metric, values) in tables(directory.path()) {
        let name = path.to_str().unwrap();
        let expected: Vec<u8> = values.iter().map(|&value| byte(value, metric)).collect();
        assert!(printed(&[name, "--raw"]) == expected, "{name}: --raw");
        if values.len() <= 1 << 15 {
            let lines: String = values.iter().map(|&value| line(value, metric) + "\n").collect();
            assert!(printed(&[name, "--all"]) == lines.as_bytes(), "{name}: --all");
        }
        assert!(printed(&[name, "--check"]).is_empty());
    }
}

#[test]
fn python_answers_single_questions_for_either_player() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let game = StripGame::new(11).unwrap();
    let values = reference::solve(&game);
    for metric in Metric::ALL {
        let path = generate_in(directory.path(), 11, metric);
        let name = path.to_str().unwrap();
        for position in [
            "o@o.o.o....",
            "o@o.o.o.... L",
            "o@o.o.o.... R",
            "o@o.ooo....",
            "....o.o.o@o R",
            "◇●·O..◇.... R",
        ] {
            let strip: Strip = position.parse().unwrap();
            let value = values[game.index(&strip) as usize];
            let expected = line(value, metric) + "\n";
            let answer = String::from_utf8(printed(&[name, position])).unwrap();
            assert_eq!(answer, expected, "{position}");
        }
    }
}

#[test]
fn python_tells_header_and_description() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for (length, metric) in [(3, Metric::Dtw), (13, Metric::Wdl), (15, Metric::Dtw)] {
        let path = generate_in(directory.path(), length, metric);
        let text = printed(&[path.to_str().unwrap(), "--header"]);
        let found: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let table = DenseTable::open(&path).unwrap();
        let (header, payload, description) = (table.header(), table.payload(), table.description());
        let section = |section: phutbase::table::header::Section| json!({"offset": section.offset, "bytes": section.bytes, "crc": section.crc});
        let expected = json!({
            "version": 1,
            "game": 1,
            "metric": metric.to_string(),
            "layout": 1,
            "length": length,
            "wins": u64::try_from(&header.wins).unwrap(),
            "losses": u64::try_from(&header.losses).unwrap(),
            "draws": u64::try_from(&header.draws).unwrap(),
            "longest_win": header.longest_win,
            "longest_loss": header.longest_loss,
            "blocks": payload.blocks,
            "block_bytes": payload.block_bytes,
            "frame_blocks": payload.frame_blocks,
            "file_bytes": std::fs::metadata(&path).unwrap().len(),
            "description": section(header.description),
            "trie": section(payload.trie),
            "index": section(payload.index),
        });
        assert_eq!(found["header"], expected);
        let depths = description.depths.iter();
        let depths: serde_json::Map<_, _> = depths
            .map(|(depth, &count)| (depth.to_string(), json!(count as u64)))
            .collect();
        let expected = json!({
            "generator": description.generator,
            "engine": description.engine,
            "parameters": description.parameters,
            "depths": depths,
            "longest_win": description.longest_win,
        });
        assert_eq!(found["description"], expected);
    }
}

/// Tries every flipped byte, every shorter file and a longer one on the reader as a module, in one process.
const DAMAGE: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
from read_table import Table, TableError

def refused(data, what):
    try:
        table = Table("damaged.phut", data)
        answers = list(table.left_values())
    except TableError as error:
        assert "damaged.phut" in str(error) and "\n" not in str(error), error
        return
    raise AssertionError("%s: answered %r" % (what, answers))

good = open(sys.argv[2], "rb").read()
Table("good.phut", good).check_frames()
for place in range(len(good)):
    for mask in (1, 0x80, 0xFF):
        changed = bytearray(good)
        changed[place] ^= mask
        refused(bytes(changed), "byte %d ^ %d" % (place, mask))
    refused(good[:place], "cut to %d" % place)
refused(good + b"\0", "a byte added")
print("refused", len(good))
"#;

#[test]
fn python_refuses_every_flipped_byte_and_every_cut() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let scripts = Path::new(SCRIPT).parent().unwrap().to_str().unwrap();
    for length in [3, 8] {
        for metric in Metric::ALL {
            let path = generate_in(directory.path(), length, metric);
            let output = python(&["-c", DAMAGE, scripts, path.to_str().unwrap()]).unwrap();
            let size = std::fs::metadata(&path).unwrap().len();
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                format!("refused {size}\n"),
                "{output:?}"
            );
        }
    }
}

#[test]
fn python_says_in_one_line_what_is_wrong() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = generate_in(directory.path(), 8, Metric::Dtw);
    let name = path.to_str().unwrap();
    let fails = |arguments: &[&str], code: i32, complaint: &str| {
        let output = python(&[&[SCRIPT], arguments].concat()).unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains(complaint), "{complaint} is not in: {text}");
        assert!(output.stdout.is_empty());
    };
    fails(&[name, "..@.."], 2, "a strip of 5 squares");
    fails(&[name, "..x.@..."], 2, "'x' is no square");
    fails(&[name, "@......."], 2, "one ball");
    let other = directory.path().join("strip-9-dtw.phut");
    let other = other.to_str().unwrap();
    fails(&[other, "--all"], 1, "cannot read it");
    std::fs::copy(&path, other).unwrap();
    fails(&[other, "--header"], 1, "length 8");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8] = 2;
    std::fs::write(&path, &bytes).unwrap();
    fails(&[name, "--all"], 1, "format version 2 is newer");
    bytes[8] = 1;
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    fails(&[name, "--raw"], 1, "strip-8-dtw.phut: damaged");
    fails(&[name, "--check"], 1, "damaged: the checksum of frame 0 is wrong");
}
