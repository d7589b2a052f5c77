//! The Python reader, written from docs/FORMAT.md without code of the crate, must read the same
//! values and reject damaged files.
//!
//! Without Python or its zstd library the tests are skipped with a message, unless
//! `PHUTBASE_REQUIRE` names `python`.

use phutbase_fixtures::container;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::everything;
use phutbase_testing::tools::run_python as python;
use std::fs;

const SCRIPT: &str = "scripts/read_table.py";

/// Returns a directory for tables if the reader can run here.
fn ready() -> Option<tempfile::TempDir> {
    static WHY_NOT: OnceLock<Option<String>> = OnceLock::new();
    let why_not = WHY_NOT.get_or_init(|| match python(&[SCRIPT, "tables/strip-36-dtw.phut", ".@."]) {
        Err(error) => Some(format!("python3 cannot be run: {error}")),
        Ok(output) => {
            let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
            complaint.contains("no zstd library").then_some(complaint)
        }
    });
    available("python", why_not.as_deref()).then(|| tempfile::tempdir().unwrap())
}

/// Returns the output of the reader for a table, which must succeed.
fn read(table: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = python(&[&[SCRIPT, table.to_str().unwrap()], arguments].concat()).unwrap();
    let is_good = output.status.success() && output.stderr.is_empty();
    assert!(is_good, "{arguments:?}: {output:?}");
    output.stdout
}

/// Returns the output as text.
fn told(table: &Path, argument: &str) -> String {
    String::from_utf8(read(table, &[argument])).unwrap()
}

/// Asserts that the reader rejects something, in one line with this complaint.
fn fails(table: &Path, arguments: &[&str], code: i32, complaint: &str) {
    let output = python(&[&[SCRIPT, table.to_str().unwrap()], arguments].concat()).unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(complaint), "{complaint} is not in: {text}");
    assert!(output.stdout.is_empty());
}

/// Returns the byte that `--raw` must write for a value, and the line that must be printed.
fn as_read(verdict: Verdict, metric: Metric) -> (u8, String) {
    match (metric, verdict.depth) {
        (Metric::Dtw, Some(depth)) => (depth.0 as u8, format!("{} {depth}\n", verdict.wdl)),
        _ => {
            let byte = [Wdl::Draw, Wdl::Win, Wdl::Loss]
                .iter()
                .position(|wdl| *wdl == verdict.wdl);
            (byte.unwrap() as u8, format!("{}\n", verdict.wdl))
        }
    }
}

/// Every position of every length that a table holds.
#[test]
fn python_reads_every_value() {
    let Some(directory) = ready() else { return };
    for metric in METRICS {
        let path = generate_in(directory.path(), 11, metric);
        for length in [3, 6, 8, 11] {
            let values = reference_values(length, Rules::Ordinary).iter();
            let (bytes, lines): (Vec<u8>, String) =
                values.map(|&value| as_read(value.into(), metric)).unzip();
            let squares = length.to_string();
            assert!(
                read(&path, &["--raw", "--length", &squares]) == bytes,
                "--raw of {length}"
            );
            if length < 9 {
                assert!(read(&path, &["--all", "--length", &squares]) == lines.as_bytes());
            } else if length == 11 {
                assert!(told(&path, "--all") == lines);
            }
        }
        assert_eq!(told(&path, "--check"), "");
    }
}

/// The shipped tables, with many frames: random positions as the crate reads them.
#[test]
fn python_reads_the_shipped_tables() {
    let Some(_) = ready() else { return };
    let mut numbers = random_numbers(5);
    for name in ["strip-36-dtw.phut", "strip-144-wdl.phut"] {
        let table = shipped(name);
        for length in [13, table.length() - 1, table.length()] {
            let mut below = |limit: usize| numbers.next().unwrap() as usize % limit;
            let ball = 1 + below(length - 2);
            let stones = (0..length).filter(|&square| square != ball && below(3) == 0);
            let stones = stones.fold(U256::ZERO, |stones, square| stones | U256::ONE << square as u32);
            let position = Strip::new(length, ball, stones, Side::Left).unwrap();
            let (_, line) = as_read(table.verdict(&position).unwrap(), table.metric());
            assert_eq!(told(table.path(), &position.to_string()), line, "{position}");
        }
    }
}

/// Counts above 2^256, and the longest strip: a table whose only set is everything with Left to
/// move.
#[test]
fn python_reads_the_longest_strip() {
    let Some(directory) = ready() else { return };
    let path = directory.path().join("strip-255-wdl.phut");
    fs::write(&path, everything(Metric::Wdl)).unwrap();
    let header = told(&path, "--header");
    for length in [3u32, 100, 128, 129, 255] {
        let wins = num_bigint::BigUint::from(length - 2) << (length - 1);
        assert!(header.contains(&format!("\"wins\": {wins},")), "{header}");
        let board = format!("{}@{}", "o".repeat(length as usize - 2), "o");
        assert_eq!([told(&path, &board), told(&path, &(board + " R"))], ["win\n"; 2]);
    }
}

#[test]
fn python_answers_single_questions_for_either_player() {
    let Some(directory) = ready() else { return };
    let mut questions = vec!["o@o.o.o....", "....o.o.o@o R", "o@o.o.o.... L", "o@o.o.o.... R"];
    questions.extend([".@.", "..@.. R", "o@o.o.o.....", "◇●·O..◇.... R"]);
    for metric in METRICS {
        let path = generate_in(directory.path(), 12, metric);
        for position in &questions {
            let (_, line) = as_read(reference_value(&strip(position)).into(), metric);
            assert_eq!(told(&path, position), line, "{position}");
        }
    }
}

/// Runs the reader as a module in one process: on every flipped byte, every truncation and an
/// extension of a table; and on numbered files, printing whether each is valid.
const DAMAGE: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
from read_table import Table, TableError

def is_good(data):
    try:
        table = Table("damaged.phut", data)
        table.check()
        list(table.left_values())
        return True
    except TableError as error:
        assert "damaged.phut" in str(error) and "\n" not in str(error), error
        return False

good = open(sys.argv[2], "rb").read()
assert is_good(good)
for place in range(len(good)):
    for mask in (1, 0x80, 0xFF):
        changed = bytearray(good)
        changed[place] ^= mask
        assert not is_good(bytes(changed)), "byte %d ^ %d" % (place, mask)
    assert not is_good(good[:place]), "cut to %d" % place
assert not is_good(good + b"\0")
crafted = [open("%s-%d" % (sys.argv[2], number), "rb").read() for number in range(int(sys.argv[3]))]
print("".join("01"[is_good(data)] for data in crafted))
"#;

#[test]
fn python_refuses_every_flipped_byte_every_cut_and_crafted_nodes() {
    let Some(directory) = ready() else { return };
    for (length, metric) in [(3, Metric::Wdl), (5, Metric::Dtw), (7, Metric::Wdl)] {
        let path = generate_in(directory.path(), length, metric);
        let mut parts = Parts::of(&fs::read(&path).unwrap());
        let nodes = parts.nodes();
        let all = nodes.len() as u32 + 2;
        // Numbers in nodes, under valid checksums: the reader and the crate accept the same ones.
        let mut expected = String::new();
        for at in (0..3 * nodes.len()).filter(|_| length == 5) {
            for number in (0..all).step_by(3).chain([all, 1 << 31]) {
                let mut nodes = nodes.clone();
                nodes[at / 3][at % 3] = number;
                parts.set_nodes(&nodes);
                let file = format!("{}-{}", path.display(), expected.len());
                fs::write(&file, parts.sealed()).unwrap();
                let table = StripTable::open(Path::new(&file));
                expected.push(if table.is_ok() { '1' } else { '0' });
            }
        }
        assert!(length != 5 || expected.contains('1') && expected.contains('0'));
        let scripts = Path::new(SCRIPT).parent().unwrap().to_str().unwrap();
        let count = expected.len().to_string();
        let output = python(&["-c", DAMAGE, scripts, path.to_str().unwrap(), &count]).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            expected + "\n",
            "{output:?}"
        );
    }
}

#[test]
fn python_reports_errors_in_one_line() {
    let Some(directory) = ready() else { return };
    let path = generate_in(directory.path(), 8, Metric::Dtw);
    let words = "it has 9 squares; the table has at most 8";
    fails(&path, &["....@...."], 2, words);
    let words = "contains strips of 3 to 8 squares, not 9";
    fails(&path, &["--all", "--length", "9"], 1, words);
    fails(&path, &["..x.@..."], 2, "'x' is not a square");
    fails(&path, &["@......."], 2, "one ball");
    let other = directory.path().join("strip-9-dtw.phut");
    fails(&other, &["--all"], 1, "cannot read it");
    fs::copy(&path, &other).unwrap();
    fails(&other, &["--header"], 1, "a dtw table of length 8");
    let good = fs::read(&path).unwrap();
    let changed = |place: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place] ^= byte;
        fs::write(&path, &bytes).unwrap();
    };
    changed(8, 1);
    fails(&path, &["--all"], 1, "format version 5");
    // In the only frame, which follows the roots.
    changed(container::directory(&good).0[1].1 as usize + 20, 1);
    fails(&path, &["--raw"], 1, "strip-8-dtw.phut: damaged");
    fails(&path, &["--check"], 1, "damaged: checksum mismatch in frame 0");
}
