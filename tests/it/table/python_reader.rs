//! The Python reader, which was written from docs/FORMAT.md and shares nothing with the crate, must read the same values, and
//! refuse what is damaged.
//!
//! Without Python or a zstd library for it there is nothing to test: the tests say so and pass, unless
//! `PHUTBASE_REQUIRE` names `python`.

use crate::common::container;
use crate::common::tools::available;
use crate::common::{RULES, reference_value, reference_values};
use crate::table::round_trip::write_everything;
use crate::table::support::{METRICS, generate_in, generate_under, strip};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::outcome::{Value, Wdl};
use phutbase::table::Metric;
use phutbase::table::container::cache::FrameCache;
use phutbase::table::strip::StripTable;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

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
    available("python", why_not.as_deref())
}

/// What the reader prints; it must succeed.
fn printed(arguments: &[&str]) -> Vec<u8> {
    let output = python(&[&[SCRIPT], arguments].concat()).unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    output.stdout
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

/// Every position of every length that a table holds.
#[test]
fn python_reads_every_value() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for rules in RULES {
        for metric in METRICS {
            let path = generate_under(rules, directory.path(), 11, metric);
            let name = path.to_str().unwrap();
            for length in 3..=11 {
                let values = reference_values(length, rules);
                let expected: Vec<u8> = values.iter().map(|&value| byte(value, metric)).collect();
                let squares = length.to_string();
                let raw = printed(&[name, "--raw", "--length", &squares]);
                assert!(raw == expected, "{name}: --raw of {length}");
                let lines: String = values.iter().map(|&value| line(value, metric) + "\n").collect();
                if length < 9 {
                    let all = printed(&[name, "--all", "--length", &squares]);
                    assert!(all == lines.as_bytes(), "{name}: --all of {length}");
                } else if length == 11 {
                    assert!(printed(&[name, "--all"]) == lines.as_bytes(), "{name}: --all");
                }
            }
            assert!(printed(&[name, "--check"]).is_empty());
        }
    }
}

/// The shipped tables, with many frames: random positions as the crate reads them.
#[test]
fn python_reads_the_shipped_tables() {
    if !python_is_there() {
        return;
    }
    let mut numbers = crate::common::random_numbers(5);
    for name in ["strip-36-dtw.phut", "strip-128-wdl.phut"] {
        let path = format!("tables/{name}");
        let table = StripTable::open(Path::new(&path), &FrameCache::new(1 << 24)).unwrap();
        for length in [13, table.length() - 1, table.length()] {
            let mut below = |limit: usize| numbers.next().unwrap() as usize % limit;
            let ball = 1 + below(length - 2);
            let stones = (0..length).filter(|&square| square != ball && below(3) == 0);
            let stones = stones.fold(0u128, |stones, square| stones | 1 << square);
            let position = Strip::new(length, ball, stones, phutbase::outcome::Side::Left).unwrap();
            let expected = table.verdict(&position).unwrap();
            let expected = match expected.depth {
                Some(depth) => format!("{} {depth}\n", expected.wdl),
                None => format!("{}\n", expected.wdl),
            };
            let answer = String::from_utf8(printed(&[&path, &position.to_string()])).unwrap();
            assert_eq!(answer, expected, "{position}");
        }
    }
}

/// The values of a directional table, and its rules; under the name of the other game it is refused.
#[test]
fn python_tells_the_games_apart() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for (metric, own, ordinary) in [
        (Metric::Dtw, "loss 30\n", "win 29\n"),
        (Metric::Wdl, "loss\n", "win\n"),
    ] {
        let board = "........oo.o@.oooo....";
        let path = generate_under(Rules::Directional, directory.path(), 22, metric);
        let name = path.to_str().unwrap();
        assert_eq!(String::from_utf8(printed(&[name, board])).unwrap(), own);
        let header = String::from_utf8(printed(&[name, "--header"])).unwrap();
        assert!(header.contains(r#""rules": "directional""#), "{header}");
        let plain = generate_in(directory.path(), 22, metric);
        assert_eq!(
            String::from_utf8(printed(&[plain.to_str().unwrap(), board])).unwrap(),
            ordinary
        );
        // Each under the other's name.
        let bytes = [&path, &plain].map(|file| std::fs::read(file).unwrap());
        for (wrong, bytes, rules) in [(&plain, &bytes[0], "directional"), (&path, &bytes[1], "ordinary")] {
            std::fs::write(wrong, bytes).unwrap();
            let output = python(&[SCRIPT, wrong.to_str().unwrap(), board]).unwrap();
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1));
            assert!(
                complaint.contains(&format!("table of length 22 under {rules} rules")),
                "{complaint}"
            );
        }
    }
}

/// Counts past 2^128, and the longest strip: a table whose only set is everything with Left to move.
#[test]
fn python_reads_the_longest_strip() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = write_everything(directory.path());
    let name = path.to_str().unwrap();
    let header = String::from_utf8(printed(&[name, "--header"])).unwrap();
    for length in [3u32, 100, 128] {
        let wins = num_bigint::BigUint::from(length - 2) << (length - 1);
        assert!(header.contains(&format!("\"wins\": {wins},")), "{header}");
        let board = format!("{}@{}", "o".repeat(length as usize - 2), "o");
        assert_eq!(printed(&[name, &board]), b"win\n");
        assert_eq!(printed(&[name, &(board + " R")]), b"win\n");
    }
}

#[test]
fn python_answers_single_questions_for_either_player() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for metric in METRICS {
        let path = generate_in(directory.path(), 12, metric);
        for position in [
            "o@o.o.o....",
            "....o.o.o@o R",
            "o@o.o.o.... L",
            "o@o.o.o.... R",
            ".@.",
            "..@.. R",
            "o@o.o.o.....",
            "◇●·O..◇.... R",
        ] {
            let expected = line(reference_value(&strip(position)), metric) + "\n";
            let answer = String::from_utf8(printed(&[path.to_str().unwrap(), position])).unwrap();
            assert_eq!(answer, expected, "{position}");
        }
    }
}

#[test]
fn python_tells_header_and_counts() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for (length, metric) in [(3, Metric::Dtw), (14, Metric::Dtw), (22, Metric::Wdl)] {
        let path = generate_in(directory.path(), length, metric);
        let text = printed(&[path.to_str().unwrap(), "--header"]);
        let found: Json = serde_json::from_slice(&text).unwrap();
        let table = StripTable::open(&path, &FrameCache::new(0)).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let sections: serde_json::Map<_, _> = (container::directory(&bytes).0.into_iter())
            .map(|(name, offset, bytes, crc)| (name, json!({"offset": offset, "bytes": bytes, "crc": crc})))
            .collect();
        assert_eq!(found["sections"], Json::Object(sections));
        let metadata = table.metadata();
        let expected = json!({
            "version": 4,
            "metric": metric.to_string(),
            "rules": "ordinary",
            "length": length,
            "generator": metadata.generator,
            "binary_nodes": metadata.binary,
            "ternary_nodes": metadata.ternary,
        });
        assert_eq!(found["header"], expected);
        let counts = table.lengths().map(|length| {
            let summary = table.summary(length).unwrap();
            let [wins, losses, draws] =
                [&summary.wins, &summary.losses, &summary.draws].map(|count| u64::try_from(count).unwrap());
            json!({
                "length": length,
                "wins": wins,
                "losses": losses,
                "draws": draws,
                "longest_win": summary.longest_win,
                "longest_loss": summary.longest_loss,
                "levels": metadata.counts(length).levels,
            })
        });
        assert_eq!(found["lengths"], Json::Array(counts.collect()));
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
        table.check()
        answers = list(table.left_values())
    except TableError as error:
        assert "damaged.phut" in str(error) and "\n" not in str(error), error
        return
    raise AssertionError("%s: answered %r" % (what, answers))

good = open(sys.argv[2], "rb").read()
Table("good.phut", good).check()
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
    for (length, metric) in [(3, Metric::Wdl), (7, Metric::Dtw), (7, Metric::Wdl)] {
        let path = generate_in(directory.path(), length, metric);
        let output = python(&["-c", DAMAGE, scripts, path.to_str().unwrap()]).unwrap();
        let size = std::fs::metadata(&path).unwrap().len();
        let expected = format!("refused {size}\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{output:?}");
    }
}

/// Nodes that cannot stand where they do, behind right checksums: the reader takes exactly those that the crate takes.
#[test]
fn python_checks_nodes_as_the_crate_does() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let good = std::fs::read(generate_in(directory.path(), 5, Metric::Dtw)).unwrap();
    let mut parts = container::Parts::of(&good);
    let nodes = parts.nodes();
    let all = nodes.len() as u32 + 2;
    let mut expected = Vec::new();
    for (at, field) in (0..nodes.len()).flat_map(|at| (0..3).map(move |field| (at, field))) {
        for number in (0..all).step_by(3).chain([all, 1 << 31]) {
            let mut nodes = nodes.clone();
            nodes[at][field] = number;
            parts.set_nodes(&nodes);
            let bytes = parts.sealed();
            let path = directory.path().join(format!("crafted-{}.phut", expected.len()));
            std::fs::write(&path, &bytes).unwrap();
            let table = StripTable::open(&path, &FrameCache::new(0)).unwrap();
            expected.push(table.check_frames().is_ok());
        }
    }
    let script = r#"
import sys
sys.path.insert(0, sys.argv[1])
from read_table import Table, TableError

def is_good(path):
    try:
        Table(path).check()
        return True
    except TableError as error:
        assert "cannot stand there" in str(error), error
        return False

print("".join("01"[is_good("%s/crafted-%d.phut" % (sys.argv[2], k))] for k in range(int(sys.argv[3]))))
"#;
    let scripts = Path::new(SCRIPT).parent().unwrap().to_str().unwrap();
    let count = expected.len().to_string();
    let output = python(&["-c", script, scripts, directory.path().to_str().unwrap(), &count]).unwrap();
    let expected: String = expected
        .iter()
        .map(|&good| if good { '1' } else { '0' })
        .collect();
    assert!(expected.contains('1') && expected.contains('0'));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim_end(),
        expected,
        "{output:?}"
    );
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
    fails(
        &[name, "....@...."],
        2,
        "a strip of 9 squares, in a table of at most 8",
    );
    fails(
        &[name, "--all", "--length", "9"],
        1,
        "holds strips of 3 to 8 squares, not 9",
    );
    fails(&[name, "..x.@..."], 2, "'x' is no square");
    fails(&[name, "@......."], 2, "one ball");
    let other = directory.path().join("strip-9-dtw.phut");
    let other = other.to_str().unwrap();
    fails(&[other, "--all"], 1, "cannot read it");
    std::fs::copy(&path, other).unwrap();
    fails(&[other, "--header"], 1, "a dtw table of length 8");
    let good = std::fs::read(&path).unwrap();
    for version in [3, 5] {
        let mut bytes = good.clone();
        bytes[8] = version;
        std::fs::write(&path, &bytes).unwrap();
        fails(&[name, "--all"], 1, &format!("format version {version}"));
    }
    // In the only frame, which stands after the roots.
    let (entries, _) = container::directory(&good);
    let mut bytes = good.clone();
    bytes[entries[1].1 as usize + 20] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    fails(&[name, "--raw"], 1, "strip-8-dtw.phut: damaged");
    fails(&[name, "--check"], 1, "damaged: checksum mismatch in frame 0");
}
