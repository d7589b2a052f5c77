//! Making a diagram table: whole or not at all. What the header counts is counted here, from the diagrams that are written.

use super::super::error::TableError;
use super::super::header::{Description, DiagramPayload, HEADER_BYTES, Header, Payload, Section, neither};
use super::super::writer::{GENERATOR, Output, finish_file};
use super::super::{Metric, table_path};
use super::encode::{Encoded, encode};
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::count;
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::{Members, Pattern};
use crate::diagram::{Diagram, View};
use crate::outcome::Side;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::io::{Cursor, Seek, Write};
use std::path::{Path, PathBuf};

/// The sets of a length, as an engine hands them over.
pub struct Source<'a, D: Diagram> {
    /// The nodes.
    pub diagram: &'a D,
    /// The roots in the order that [`super`] describes for the metric. Under `dtw` plies past the longest game may follow.
    pub roots: &'a [D::Ref],
    /// What the sets say.
    pub metric: Metric,
}

/// Writes the table of a length into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed, [`TableError::TooLarge`]; nothing but complete tables is left behind.
pub fn write<D: Diagram>(source: &Source<'_, D>, directory: &Path) -> Result<PathBuf, TableError> {
    let path = table_path(directory, source.diagram.length(), source.metric);
    let parts = Parts::of(source).map_err(|TooLarge| TableError::TooLarge { file: path.clone() })?;
    finish_file(directory, &path, |file| parts.write(file))?;
    Ok(path)
}

/// The bytes of the file that [`write()`] would make.
///
/// # Errors
/// [`TooLarge`].
pub fn to_bytes<D: Diagram>(source: &Source<'_, D>) -> Result<Vec<u8>, TooLarge> {
    let mut bytes = Cursor::new(Vec::new());
    // Memory takes whatever is written.
    Parts::of(source)?.write(&mut bytes).map_err(|_| TooLarge)?;
    Ok(bytes.into_inner())
}

/// All that goes into a file.
struct Parts {
    encoded: Encoded,
    header: Header,
    description: Description,
}

impl Parts {
    fn of<D: Diagram>(source: &Source<'_, D>) -> Result<Parts, TooLarge> {
        let roots = without_idle_plies(source);
        let encoded = encode(source.diagram, roots).ok_or(TooLarge)?;
        let (header, description) = summarise(source, roots)?;
        Ok(Parts {
            encoded,
            header,
            description,
        })
    }

    /// Writes description, roots and nodes, and last the header that says where they are.
    fn write(&self, file: impl Write + Seek) -> std::io::Result<()> {
        let mut header = self.header.clone();
        let mut output = Output::new(file);
        output.section(&[0; HEADER_BYTES])?;
        header.description = output.section(&self.description.encode())?;
        header.payload = Payload::Diagram(DiagramPayload {
            roots: output.section(&self.encoded.roots)?,
            nodes: output.section(&self.encoded.nodes)?,
            ternary: self.encoded.ternary,
            binary: self.encoded.binary,
            width: self.encoded.width as u32,
        });
        output.finish(header)
    }
}

/// The roots without plies at the end that decide nothing.
fn without_idle_plies<'a, D: Diagram>(source: &Source<'a, D>) -> &'a [D::Ref] {
    let mut roots = source.roots;
    let idle = |roots: &[D::Ref]| match roots {
        [.., before, _, last] => before == last,
        [.., last] => matches!(source.diagram.view(*last), View::Bottom),
        [] => false,
    };
    while source.metric == Metric::Dtw && idle(roots) {
        roots = &roots[..roots.len() - 1];
    }
    roots
}

/// Counts what the sets say.
fn summarise<D: Diagram>(
    source: &Source<'_, D>,
    roots: &[D::Ref],
) -> Result<(Header, Description), TooLarge> {
    let length = source.diagram.length();
    let members: Vec<BigUint> = match source.metric {
        Metric::Dtw => roots.iter().map(|&root| count(source.diagram, root)).collect(),
        Metric::Wdl => last_two(roots)
            .iter()
            .map(|&root| count(source.diagram, root))
            .collect(),
    };
    // Under dtw the plies of a player are cumulative: the last of each parity has all.
    let (wins, losses) = match (source.metric, members.len() % 2, last_two(&members)) {
        (Metric::Dtw, 1, [losses, wins]) | (_, _, [wins, losses]) => (wins.clone(), losses.clone()),
        (_, _, [wins]) => (wins.clone(), BigUint::ZERO),
        _ => (BigUint::ZERO, BigUint::ZERO),
    };
    let longest = |parity: usize| match source.metric {
        Metric::Dtw => (1..=roots.len())
            .rev()
            .find(|plies| plies % 2 == parity)
            .unwrap_or(0) as u16,
        Metric::Wdl => 0,
    };
    let header = Header {
        metric: source.metric,
        length,
        draws: neither(length, &wins, &losses),
        wins,
        losses,
        longest_win: longest(1),
        longest_loss: longest(0),
        file_bytes: 0,
        description: Section::default(),
        payload: Payload::Diagram(DiagramPayload::default()),
    };
    let (depths, longest_win) = match source.metric {
        Metric::Dtw => (
            depths(&members)?,
            longest_win(source.diagram, roots, header.longest_win)?,
        ),
        Metric::Wdl => (BTreeMap::new(), String::new()),
    };
    let description = Description {
        generator: GENERATOR.to_string(),
        // The same bytes from whichever engine.
        engine: String::new(),
        parameters: BTreeMap::new(),
        depths,
        longest_win,
    };
    Ok((header, description))
}

fn last_two<T>(all: &[T]) -> &[T] {
    &all[all.len().saturating_sub(2)..]
}

/// Positions by plies to the end, from the members of each ply's set.
fn depths(members: &[BigUint]) -> Result<BTreeMap<u16, u128>, TooLarge> {
    let mut depths = BTreeMap::new();
    for (place, upto) in members.iter().enumerate() {
        let before = place
            .checked_sub(2)
            .map_or(BigUint::ZERO, |place| members[place].clone());
        let here = u128::try_from(upto - before).map_err(|_| TooLarge)?;
        depths.insert(place as u16 + 1, here);
    }
    depths.retain(|_, count| *count != 0);
    Ok(depths)
}

/// The first position, in the order of `diagram::members`, that Left wins in the most plies.
fn longest_win<D: Diagram>(diagram: &D, roots: &[D::Ref], plies: u16) -> Result<String, TooLarge> {
    let Some(last) = usize::from(plies).checked_sub(1) else {
        return Ok(String::new());
    };
    let mut graph = Graph::new(diagram.length());
    let copied = graph.copy(
        diagram,
        &[
            &roots[last..=last],
            last.checked_sub(2).map_or(&[], |at| &roots[at..=at]),
        ]
        .concat(),
    )?;
    let mut sets = Sets::new(graph);
    let before = copied.get(1).copied().unwrap_or(Ref::BOTTOM);
    let longest = sets.join(Join::Minus, copied[0], before)?;
    let anything = Pattern::any(diagram.length());
    let first = Members::new(sets.graph(), longest, &anything).nth(&BigUint::ZERO, Side::Left);
    Ok(first.map_or(String::new(), |strip| strip.to_string()))
}
