//! Fuzz tests of every parser: runs of digits across the range of u64 and beyond, and valid texts
//! with characters changed, doubled and removed. No parser panics, and accepted input is printed as
//! text that parses to the same value.

use phutbase_engine::protocol;
use phutbase_fixtures::prelude::*;
use phutbase_rules::boards::Boards;
use phutbase_rules::obstruction::graph_file;
use phutbase_rules::pitch::certificate::Certificate;
use phutbase_rules::position::Position;
use phutbase_tables::id::TableId;
use std::fmt::{Debug, Display};
use std::str::FromStr;

const CERTIFICATE: &str =
    "phutbase certificate 1\nclaim alfred wins\nposition 3/1o1/1@1/3 A\nalfred 1\n1 b2-b4 3/1o1/1@1/3 A\n";

/// Valid texts of all kinds as seeds.
const SEEDS: [&str; 31] = [
    "o@o.o.o....",
    ".@.o..o.. R",
    "◇●O·o  L",
    "3/3/2o/1o1/3/@2/3 A",
    "15/15/7@7/15/oo13 B",
    "obstruction:1+2+3",
    "obstruction:..x/.../x..",
    "obstruction:6x6 + 1x1000000",
    "obstruction:torus:x..../...../..x..",
    "obstruction:misere:hex:4x5 + 3x3x3",
    "obstruction:x../...//.../..x",
    "obstruction:graph:0-1,1-2,x0",
    "obstruction:graph:0-127",
    "obstruction:moebius:3x4",
    "p edge 5 4\ne 1 2",
    "oddish:..o^o.",
    "oddish:.^. R",
    "16",
    "3..24",
    "7x3",
    "obstruction:8x8",
    "oddish:2..18",
    "1x2 + 1x7",
    "..o^o.",
    "o5",
    "@L",
    "b2-b4",
    "position fen o@o.o.o.... L moves @5 o3",
    "go p1time 1000 p2time 1 p1inc 0 nodes 5 depth 3",
    "setoption name boards value 19x15",
    CERTIFICATE,
];

fn reads<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(value) => {
            let again = value.to_string().parse::<T>();
            assert!(
                again.as_ref().is_ok_and(|again| *again == value),
                "'{text}' is read as '{value}'"
            );
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "'{text}'");
            false
        }
    }
}

/// Parses a text with every parser; returns the number of parsers that accept it.
fn read_as_all(text: &str) -> usize {
    let certificate = Certificate::parse(text);
    let _ = protocol::parse(text);
    let graph = graph_file::parse(text);
    let position: Option<Pitch> = "3/1o1/1@1/3 A".parse().ok();
    let _ = position.map(|pitch| pitch.parse_turn(text));
    [
        reads::<Strip>(text),
        reads::<Turn>(text),
        reads::<Pitch>(text),
        reads::<Shape>(text),
        reads::<Board>(text),
        reads::<Sum>(text),
        reads::<Oddish>(text),
        reads::<Boards>(text),
        reads::<Position>(text),
        reads::<Phutball>(text),
        certificate.is_ok(),
        graph.is_ok(),
    ]
    .into_iter()
    .filter(|&taken| taken)
    .count()
}

/// Generates a run of digits: any 64-bit number, one near a power of two, or a longer run.
fn digits(numbers: &mut impl FnMut() -> u64) -> String {
    let number = numbers();
    match numbers() % 5 {
        0 => number.to_string(),
        1 => (number >> (numbers() % 64)).to_string(),
        2 => (1u128 << (numbers() % 80))
            .wrapping_sub(u128::from(numbers() % 3))
            .to_string(),
        3 => format!("{number}{number}"),
        _ => (number % 20).to_string(),
    }
}

fn mutated(seed: &str, numbers: &mut impl FnMut() -> u64) -> String {
    let mut symbols: Vec<char> = seed.chars().collect();
    for _ in 0..=numbers() % 4 {
        let at = (numbers() as usize) % (symbols.len() + 1);
        match numbers() % 5 {
            0 => drop(symbols.splice(at..at, digits(numbers).chars())),
            1 if at < symbols.len() => drop(symbols.remove(at)),
            2 => symbols.insert(
                at,
                [
                    'o', '@', '.', '/', 'x', '^', ':', ' ', '+', '\n', '-', 'A', '·', ',',
                ][numbers() as usize % 14],
            ),
            3 if at < symbols.len() => symbols.insert(at, symbols[at]),
            _ => {
                let end = (at + (numbers() as usize) % 6).min(symbols.len());
                drop(symbols.splice(at..end, digits(numbers).chars()));
            }
        }
    }
    symbols.into_iter().collect()
}

/// Parses a text and returns what is printed for it, or the error.
fn printed<T: FromStr<Err: Display> + Display>(text: &str) -> Result<String, String> {
    let read: Result<T, T::Err> = text.parse();
    read.map(|value| value.to_string())
        .map_err(|error| error.to_string())
}

/// Returns the fields of each line and what is printed for the text in it, or the error.
fn each_line(file: &'static str) -> impl Iterator<Item = ([&'static str; 3], Result<String, String>)> {
    file.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kind, text, _] = fields[..] else {
            panic!("{line}")
        };
        let text = &text.replace("\\n", "\n");
        let found = match kind {
            "strip" => printed::<Strip>(text),
            "turn" => printed::<Turn>(text),
            "pitch" => printed::<Pitch>(text),
            "shape" => printed::<Shape>(text),
            "boards" => printed::<Boards>(text),
            "position" => printed::<Position>(text),
            "phutball" => printed::<Phutball>(text),
            "oddish" => printed::<Oddish>(text),
            "board" => printed::<Board>(text),
            "sum" => printed::<Sum>(text),
            "graph" => graph_file::parse(text)
                .map(|_| String::new())
                .map_err(|error| error.to_string()),
            "table" => printed::<TableId>(text),
            _ => panic!("{line}"),
        };
        (fields.try_into().unwrap(), found)
    })
}

#[test]
fn texts_are_printed_in_one_form_which_is_read_again() {
    for ([_, text, expected], found) in each_line(include_str!("../../../../tests/data/notation.tsv")) {
        assert_eq!(found.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn malformed_texts_are_rejected_with_a_reason() {
    for (line, found) in each_line(include_str!("../../../../tests/data/malformed.tsv")) {
        let error = found.expect_err(line[1]);
        assert!(error.contains(line[2]), "{line:?}: {error}");
    }
}

#[test]
fn nothing_that_is_written_makes_a_parser_panic() {
    read_mutated(30_000);
}

#[test]
#[ignore = "ten million inputs to every parser: some minutes"]
fn ten_million_inputs_make_no_parser_panic() {
    read_mutated(10_000_000);
}

fn read_mutated(rounds: usize) {
    let mut random = random_numbers(29);
    let mut numbers = move || random.next().unwrap();
    assert!(
        SEEDS
            .iter()
            .all(|seed| read_as_all(seed) > 0 || seed.contains(' ') || seed.contains('-'))
    );
    let mut taken = 0;
    for round in 0..rounds {
        let seed = SEEDS[round % SEEDS.len()];
        taken += usize::from(read_as_all(&mutated(seed, &mut numbers)) > 0);
    }
    assert!(taken > rounds / 30, "{taken} of them make sense");
}
