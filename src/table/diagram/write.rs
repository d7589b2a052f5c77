//! Making a diagram table. What the header counts is counted here, from the diagrams that are written.

use super::super::container::Kind;
use super::super::container::write::{self as container, Writer, generator, write_file};
use super::super::error::TableError;
use super::super::header::{Description, DiagramPayload, Metadata, longest};
use super::super::{Metric, table_path};
use super::encode::{Encoded, encode};
use super::pack::pack;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::count;
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::{Diagram, View};
use crate::games::rules::Rules;
use crate::outcome::Side;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The sets of a length, as an engine hands them over.
pub struct Source<'a, D: Diagram> {
    /// The nodes.
    pub diagram: &'a D,
    /// The roots in the order that [`super`] describes for the metric. Under `dtw` plies past the longest game may follow.
    pub roots: &'a [D::Ref],
    /// The rules that are followed.
    pub rules: Rules,
    /// What the sets say.
    pub metric: Metric,
}

/// Writes the table of a length into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed, [`TableError::TooLarge`]; nothing but complete tables is left behind.
pub fn write<D: Diagram>(source: &Source<'_, D>, directory: &Path) -> Result<PathBuf, TableError> {
    let path = table_path(directory, source.rules, source.diagram.length(), source.metric);
    let parts = Parts::of(source).map_err(|TooLarge| TableError::TooLarge(path.clone()))?;
    write_file(&path, (Kind::Diagram, source.rules), |out| parts.write(out))?;
    Ok(path)
}

/// The bytes of the file that [`write()`] would make.
///
/// # Errors
/// [`TooLarge`].
pub fn to_bytes<D: Diagram>(source: &Source<'_, D>) -> Result<Vec<u8>, TooLarge> {
    let parts = Parts::of(source)?;
    let kind = (Kind::Diagram, source.rules);
    Ok(container::to_bytes(kind, |out| parts.write(out)))
}

/// All that goes into a file.
struct Parts {
    encoded: Encoded,
    metadata: Metadata<DiagramPayload>,
}

impl Parts {
    fn of<D: Diagram>(source: &Source<'_, D>) -> Result<Parts, TooLarge> {
        let roots = without_idle_plies(source);
        let encoded = encode(source.diagram, roots).ok_or(TooLarge)?;
        let (decided, description) = summarise(source, roots)?;
        let (length, metric) = (source.diagram.length(), source.metric);
        Ok(Parts {
            metadata: Metadata::new(metric, length, decided, encoded.payload, description),
            encoded,
        })
    }

    /// Writes roots and nodes.
    fn write<W: Write + Seek>(self, out: &mut Writer<W>) -> io::Result<Metadata<DiagramPayload>> {
        out.section("roots", &self.encoded.roots)?;
        out.section("nodes", &pack(self.encoded.payload, &self.encoded.nodes)?)?;
        Ok(self.metadata)
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

/// Counts what the sets say: the positions won and lost, and the description.
fn summarise<D: Diagram>(
    source: &Source<'_, D>,
    roots: &[D::Ref],
) -> Result<([BigUint; 2], Description), TooLarge> {
    let members: Vec<BigUint> = match source.metric {
        Metric::Dtw => roots.iter().map(|&root| count(source.diagram, root)).collect(),
        Metric::Wdl => last_two(roots)
            .iter()
            .map(|&root| count(source.diagram, root))
            .collect(),
    };
    // Under dtw the plies of a player are cumulative: the last of each parity has all.
    let decided = match (source.metric, members.len() % 2, last_two(&members)) {
        (Metric::Dtw, 1, [losses, wins]) | (_, _, [wins, losses]) => [wins.clone(), losses.clone()],
        (_, _, [wins]) => [wins.clone(), BigUint::ZERO],
        _ => [BigUint::ZERO, BigUint::ZERO],
    };
    let depths = match source.metric {
        Metric::Dtw => depths(&members)?,
        Metric::Wdl => BTreeMap::new(),
    };
    let [plies, _] = longest(&depths);
    let description = Description {
        generator: generator(),
        // The same bytes from whichever engine.
        engine: String::new(),
        parameters: BTreeMap::new(),
        depths,
        longest_win: longest_win(source.diagram, roots, plies)?,
    };
    Ok((decided, description))
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
    let first = Members::new(sets.graph(), longest).nth(&BigUint::ZERO, Side::Left);
    Ok(first.map_or(String::new(), |strip| strip.to_string()))
}
