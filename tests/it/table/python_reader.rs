//! The Python reader, which was written from docs/FORMAT.md and shares nothing with the crate, must read the same values, and
//! refuse what is damaged.
//!
//! Without Python or a zstd library for it there is nothing to test: the tests say so and pass, unless
//! `PHUTBASE_REQUIRE` names `python`.

use crate::common::container;
use crate::common::tools::available;
use crate::table::support::{generate_diagrams_in, generate_directional_in, generate_in, positions};
use phutbase::game::Game;
use phutbase::games::rules::Rules;
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::{Value, Wdl};
use phutbase::solve::reference;
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::header::DiagramPayload;
use serde_json::json;
use std::path::{Path, PathBuf};
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

/// The diagram tables of a length: depths, and who wins.
fn diagrams(directory: &Path, length: usize) -> [(PathBuf, Metric); 2] {
    Metric::ALL.map(|metric| (generate_diagrams_in(directory, length, metric), metric))
}

/// Dense tables of some lengths, both metrics, each with the values that it must hold, by index.
fn tables(directory: &Path) -> Vec<(PathBuf, Metric, Vec<Value>)> {
    let mut tables = Vec::new();
    for length in [3, 4, 8, 13, 14] {
        let dtw = generate_in(directory, length, Metric::Dtw);
        let wdl = generate_in(directory, length, Metric::Wdl);
        let values = if length <= 12 {
            reference::solve(&StripGame::new(length).unwrap())
        } else {
            let strips: Vec<Strip> = positions(length).collect();
            {
                let verdicts = Table::open(&dtw).unwrap().verdicts(&strips).unwrap();
                verdicts.iter().map(|verdict| verdict.value().unwrap()).collect()
            }
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
        let path = generate_directional_in(directory.path(), 22, metric);
        let name = path.to_str().unwrap();
        assert_eq!(String::from_utf8(printed(&[name, board])).unwrap(), own);
        let header = String::from_utf8(printed(&[name, "--header"])).unwrap();
        assert!(header.contains(r#""rules": "directional""#), "{header}");
        let plain = generate_diagrams_in(directory.path(), 22, metric);
        assert_eq!(
            String::from_utf8(printed(&[plain.to_str().unwrap(), board])).unwrap(),
            ordinary
        );
        // Each under the other's name.
        let bare = directory.path().join(
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .trim_start_matches("directional-"),
        );
        std::fs::copy(&path, &bare).unwrap();
        std::fs::copy(&plain, &path).unwrap();
        for (wrong, rules) in [(&bare, "directional"), (&path, "ordinary")] {
            let output = python(&[SCRIPT, wrong.to_str().unwrap(), board]).unwrap();
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1));
            assert!(
                complaint.contains(&format!("for length 22 under {rules} rules")),
                "{complaint}"
            );
        }
    }
}

/// Every position of every diagram table, as the crate answers it from the same file; and that is the reference solver's answer.
#[test]
fn python_reads_every_value_of_diagrams() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for length in [3, 4, 7, 11] {
        let values = reference::solve(&StripGame::new(length).unwrap());
        for (path, metric) in diagrams(directory.path(), length) {
            let table = Table::open(&path).unwrap();
            for (strip, &value) in positions(length).zip(&values) {
                match metric {
                    Metric::Dtw => assert_eq!(table.verdict(&strip).unwrap(), value.into(), "{strip}"),
                    Metric::Wdl => assert_eq!(table.verdict(&strip).unwrap(), value.wdl().into(), "{strip}"),
                }
            }
            let name = path.to_str().unwrap();
            let expected: Vec<u8> = values.iter().map(|&value| byte(value, metric)).collect();
            assert!(printed(&[name, "--raw"]) == expected, "{name}: --raw");
            let lines: String = values.iter().map(|&value| line(value, metric) + "\n").collect();
            if length < 11 {
                assert!(printed(&[name, "--all"]) == lines.as_bytes(), "{name}: --all");
            }
            assert!(printed(&[name, "--check"]).is_empty());
        }
    }
}

/// Counts past 2^128, and the longest strip: a table whose only set is everything with Left to move.
#[test]
fn python_reads_the_longest_strip() {
    use phutbase::diagram::graph::{Graph, Ref};
    use phutbase::table::diagram::write::{Source, write};
    if !python_is_there() {
        return;
    }
    let mut graph = Graph::new(128);
    let mut everything = Ref::BOTTOM;
    for square in (0..=126).rev() {
        let ball = if square == 0 { Ref::BOTTOM } else { Ref::TOP };
        everything = graph.ternary(square, everything, everything, ball).unwrap();
    }
    let source = Source {
        rules: Rules::Ordinary,
        diagram: &graph,
        roots: &[everything, Ref::BOTTOM],
        metric: Metric::Wdl,
    };
    let directory = tempfile::tempdir().unwrap();
    let path = write(&source, directory.path()).unwrap();
    let name = path.to_str().unwrap();
    let wins = num_bigint::BigUint::from(126u8) << 127u32;
    let header = String::from_utf8(printed(&[name, "--header"])).unwrap();
    assert!(header.contains(&format!("\"wins\": {wins},")), "{header}");
    let board = format!("{}@{}", "o".repeat(126), "o");
    assert_eq!(printed(&[name, &board]), b"win\n");
    assert_eq!(printed(&[name, &(board + " R")]), b"win\n");
}

#[test]
fn python_answers_single_questions_for_either_player() {
    if !python_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let game = StripGame::new(11).unwrap();
    let values = reference::solve(&game);
    let dense = Metric::ALL.map(|metric| (generate_in(directory.path(), 11, metric), metric));
    let questions = [
        "o@o.o.o....",
        "....o.o.o@o R",
        "o@o.o.o.... L",
        "o@o.o.o.... R",
        "o@o.ooo....",
        "◇●·O..◇.... R",
    ];
    for (number, (path, metric)) in (0..).zip(dense.into_iter().chain(diagrams(directory.path(), 11))) {
        let name = path.to_str().unwrap();
        // How a question is read does not depend on the table.
        for position in &questions[..if number == 0 { 6 } else { 2 }] {
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
    let dense = [(3, Metric::Dtw), (13, Metric::Wdl), (15, Metric::Dtw)]
        .map(|(length, metric)| (generate_in(directory.path(), length, metric), metric));
    let tables = dense.into_iter().chain(diagrams(directory.path(), 14));
    for (path, metric) in tables {
        let text = printed(&[path.to_str().unwrap(), "--header"]);
        let found: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let table = Table::open(&path).unwrap();
        let (header, description) = (table.header(), table.description());
        let bytes = std::fs::read(&path).unwrap();
        let sections: serde_json::Map<_, _> = (container::directory(&bytes).0.into_iter())
            .map(|(name, offset, bytes, crc)| (name, json!({"offset": offset, "bytes": bytes, "crc": crc})))
            .collect();
        assert_eq!(found["sections"], serde_json::Value::Object(sections));
        let mut expected = json!({
            "version": 3,
            "metric": metric.to_string(),
            "rules": header.rules.to_string(),
            "length": header.length,
            "wins": u64::try_from(&header.wins).unwrap(),
            "losses": u64::try_from(&header.losses).unwrap(),
            "draws": u64::try_from(&header.draws).unwrap(),
            "longest_win": header.longest_win,
            "longest_loss": header.longest_loss,
        });
        let layout = match &table {
            Table::Dense(dense) => json!({"layout": "dense", "blocks": dense.payload().blocks}),
            Table::Diagram(diagram) => {
                let DiagramPayload { ternary, binary } = diagram.payload();
                json!({"layout": "diagram", "ternary_nodes": ternary, "binary_nodes": binary})
            }
        };
        (expected.as_object_mut().unwrap()).extend(layout.as_object().unwrap().clone());
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
    for length in [3, 8] {
        let dense = Metric::ALL.map(|metric| generate_in(directory.path(), length, metric));
        let diagrams = diagrams(directory.path(), length).map(|(path, _)| path);
        for path in dense.into_iter().chain(diagrams) {
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
    let good = std::fs::read(&path).unwrap();
    for version in [2, 4] {
        let mut bytes = good.clone();
        bytes[8] = version;
        std::fs::write(&path, &bytes).unwrap();
        fails(&[name, "--all"], 1, &format!("format version {version}"));
    }
    // In the only frame, which stands after the trie.
    let (entries, _) = container::directory(&good);
    let mut bytes = good.clone();
    bytes[entries[1].1 as usize + 20] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    fails(&[name, "--raw"], 1, "strip-8-dtw.phut: damaged");
    fails(&[name, "--check"], 1, "damaged: frame 0 has a wrong checksum");
}
