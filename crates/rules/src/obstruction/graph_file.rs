//! Graphs in files: a list of edges, DIMACS `.col`, or graph6 as written by nauty and SageMath. The
//! format is recognised by the content.
//!
//! * A list has the items of `graph:`, separated by blanks, line ends or commas; an edge may also
//!   be two numbers on a line of its own. `#` begins a comment.
//! * DIMACS: `p edge N M`, then `e U V` with vertices from 1, which are renumbered from 0; `c`
//!   begins a comment.
//! * graph6: one line of characters from `?` to `~`, optionally after `>>graph6<<`; lines that begin
//!   with `#` are comments.

use super::Board;
use super::graph::{self, Graph, Item};
use crate::number;
use phutbase_base::outcome::ParseError;
use std::io;
use std::path::Path;

/// Length limit of a file in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// A function that reads a text file of at most this many bytes.
pub type ReadText = fn(&Path, u64) -> io::Result<String>;

pub fn read(file: &Path, read_text: ReadText) -> Result<Board, ParseError> {
    let text = read_text(file, MAX_BYTES);
    let text = text.map_err(|failure| ParseError(format!("cannot read it: {failure}")));
    text.and_then(|text| parse(&text))
        .map_err(|error| ParseError(format!("{}: {error}", file.display())))
}

fn other_format(name: &str) -> ParseError {
    ParseError(format!(
        "{name} is not supported: write graph6, with SageMath's graph6_string() or nauty's copyg -g"
    ))
}

pub fn parse(text: &str) -> Result<Board, ParseError> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let begins = |line: &str, word: &str| line.split_whitespace().next() == Some(word);
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'));
    let (graph, marks) = match first {
        None => return Err(graph::no_vertices()),
        Some(line) if begins(line, "c") || begins(line, "p") => (dimacs(text)?, 0),
        Some(line) if line.starts_with(':') || line.starts_with(">>sparse6<<") => {
            return Err(other_format("sparse6"));
        }
        Some(line) if line.starts_with('&') || line.starts_with(">>digraph6<<") => {
            return Err(other_format("digraph6"));
        }
        Some(line)
            if line.starts_with(">>graph6<<") || line.bytes().all(|byte| (63..=126).contains(&byte)) =>
        {
            (graph6_lines(text)?, 0)
        }
        Some(_) => list(text)?,
    };
    Board::on_graph(graph, marks)
}

/// Parses a list. Two numbers alone on a line are an edge.
fn list(text: &str) -> Result<(Graph, u128), ParseError> {
    let mut items = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or("");
        let words = text.split(|symbol: char| symbol == ',' || symbol.is_whitespace());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let at = |error| ParseError(format!("line {line}: {error}"));
        match words[..] {
            [one, other] if !text.contains(',') && number(one).and(number(other)).is_some() => {
                items.push(graph::item(&format!("{one}-{other}")).map_err(at)?);
            }
            _ => items.extend(
                words
                    .into_iter()
                    .map(graph::item)
                    .collect::<Result<Vec<Item>, _>>()
                    .map_err(at)?,
            ),
        }
    }
    graph::gather(&items)
}

fn dimacs(text: &str) -> Result<Graph, ParseError> {
    let mut graph: Option<Graph> = None;
    let (mut promised, mut found) = (0, 0);
    for (line, text) in (1..).zip(text.lines()) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let bad = || not_dimacs(line);
        match words[..] {
            [] | ["c", ..] => {}
            ["p", "edge" | "edges" | "col", count, edges] if graph.is_none() => {
                promised = number(edges).ok_or_else(bad)?;
                graph = Some(Graph::without_edges(number(count).ok_or_else(bad)?)?);
            }
            ["e", one, other] => {
                found += 1;
                let number = |text| number(text)?.checked_sub(1);
                let (one, other) = number(one).zip(number(other)).ok_or_else(bad)?;
                match &mut graph {
                    Some(_) if one == other => return Err(graph::a_loop(one)),
                    Some(graph) if one.max(other) < graph.vertices() => graph.join(one, other),
                    _ => return Err(bad()),
                }
            }
            _ => return Err(bad()),
        }
    }
    // Some files list an edge in both directions and promise it once, or promise each direction and
    // list one.
    if found < promised && 2 * found != promised {
        return Err(ParseError(format!(
            "DIMACS: line 'p' promises {promised} edges, found {found}: the file may be cut short"
        )));
    }
    graph.ok_or_else(|| not_dimacs(1))
}

fn not_dimacs(line: usize) -> ParseError {
    ParseError(format!(
        "line {line}: DIMACS has lines 'c REMARK', one 'p edge VERTICES EDGES' and then 'e U V' with vertices from 1 to VERTICES"
    ))
}

fn graph6_lines(text: &str) -> Result<Graph, ParseError> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    match lines[..] {
        [line] => graph6(line.strip_prefix(">>graph6<<").unwrap_or(line)),
        _ => Err(ParseError(format!(
            "the file has {} graphs, one on each line: keep one",
            lines.len()
        ))),
    }
}

/// Parses graph6: the number of vertices, then one bit for each of the pairs (0, 1), (0, 2), (1,
/// 2), (0, 3), …, six bits in a character.
fn graph6(line: &str) -> Result<Graph, ParseError> {
    let digit = |byte: u8| byte.checked_sub(63).filter(|digit| *digit < 64).map(usize::from);
    let digits: Option<Vec<usize>> = line.bytes().map(digit).collect();
    let not_text = "the file is not text: write a list of edges, DIMACS .col or graph6";
    let digits = digits.ok_or_else(|| ParseError(not_text.to_string()))?;
    let wrong_length = |expected: usize, found: usize| {
        ParseError(format!(
            "graph6: expected {expected} characters after the number of vertices, found {found}"
        ))
    };
    let (vertices, pairs) = match digits[..] {
        [63, 63, ..] => return Err(graph::too_large(258_047)),
        [63, a, b, c, ref pairs @ ..] => (a << 12 | b << 6 | c, pairs),
        [63, ..] | [] => return Err(wrong_length(1, 0)),
        [vertices, ref pairs @ ..] => (vertices, pairs),
    };
    let mut graph = Graph::without_edges(vertices)?;
    let count = vertices * (vertices - 1) / 2;
    let (expected, found) = (count.div_ceil(6), pairs.len());
    if found != expected {
        return Err(wrong_length(expected, found));
    }
    let mut all = pairs
        .iter()
        .flat_map(|six| (0..6).rev().map(move |bit| six >> bit & 1 == 1));
    for other in 1..vertices {
        for one in 0..other {
            if all.next() == Some(true) {
                graph.join(one, other);
            }
        }
    }
    if all.any(|bit| bit) {
        return Err(ParseError(
            "graph6: the last character has bits for no pair of vertices".to_string(),
        ));
    }
    Ok(graph)
}
