//! Making a table of strips. What the metadata count is counted here, from the diagrams that are written.

use super::super::Metric;
use super::super::container::Kind;
use super::super::container::write::{
    self as container, Writer, generator, packed, write_blocks, write_file,
};
use super::super::error::TableError;
use super::super::id::TableId;
use super::encode::encode;
use super::metadata::{Counts, Metadata, Natural};
use super::nodes::Nodes;
use crate::diagram::graph::TooLarge;
use crate::diagram::{Diagram, View};
use crate::games::rules::Rules;
use crate::games::strip::MIN_LENGTH;
use num_bigint::BigUint;
use rayon::prelude::*;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The zstd level: a table is written once and read often.
const ZSTD_LEVEL: i32 = 19;

/// The sets of a length, as an engine hands them over.
pub struct Source<'a, D: Diagram> {
    /// The nodes of reduced diagrams.
    pub diagram: &'a D,
    /// The roots in the order that [`super`] describes for the metric. Under `dtw` plies past the longest game may follow.
    pub roots: &'a [D::Ref],
    /// The rules by which it is played.
    pub rules: Rules,
    /// What the sets say.
    pub metric: Metric,
}

/// Writes the table of a length into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`], [`TableError::Limit`]; nothing but complete tables is left behind.
pub fn write<D: Diagram>(source: &Source<'_, D>, directory: &Path) -> Result<PathBuf, TableError> {
    let id = TableId::Strip(source.rules, source.metric, source.diagram.length());
    let path = directory.join(id.to_string());
    let parts = Parts::of(source).map_err(|TooLarge| TableError::Limit {
        file: path.clone(),
        reason: "more nodes than 32-bit numbers".to_string(),
    })?;
    write_file(&path, (Kind::Strip, source.rules), |out| parts.write(out))?;
    Ok(path)
}

/// The bytes of the file that [`write()`] would make.
pub fn to_bytes<D: Diagram>(source: &Source<'_, D>) -> Result<Vec<u8>, TooLarge> {
    let parts = Parts::of(source)?;
    let kind = (Kind::Strip, source.rules);
    Ok(container::to_bytes(kind, |out| parts.write(out)))
}

/// All that goes into a file.
struct Parts {
    nodes: Nodes,
    roots: Vec<u32>,
    metadata: Metadata,
}

impl Parts {
    fn of<D: Diagram>(source: &Source<'_, D>) -> Result<Parts, TooLarge> {
        let roots = without_idle(source);
        let (nodes, roots) = encode(source.diagram, roots)?;
        let length = source.diagram.length();
        let (binary, ternary) = nodes.squares.counts();
        Ok(Parts {
            metadata: Metadata {
                metric: source.metric,
                length: length as u16,
                generator: generator(),
                binary,
                ternary,
                lengths: count_lengths(&nodes, &roots, source.metric, length),
            },
            nodes,
            roots,
        })
    }

    fn write<W: Write + Seek>(self, out: &mut Writer<W>) -> io::Result<Metadata> {
        let roots: Vec<u8> = self.roots.iter().flat_map(|root| root.to_le_bytes()).collect();
        out.section("roots", &roots)?;
        let Nodes { squares, nodes } = &self.nodes;
        let cut = squares.cut();
        let fill = |start: u64, raw: &mut [u8]| {
            squares.encode((start / cut.frame_bytes) as usize, nodes, raw);
        };
        write_blocks(out, packed(cut, ZSTD_LEVEL, fill))?;
        Ok(self.metadata)
    }
}

/// The roots without plies or levels at the end that decide nothing.
fn without_idle<'a, D: Diagram>(source: &Source<'a, D>) -> &'a [D::Ref] {
    let mut roots = source.roots;
    loop {
        roots = match (source.metric, roots) {
            (Metric::Dtw, [rest @ .., last]) if matches!(source.diagram.view(*last), View::Bottom) => rest,
            (Metric::Dtw, [rest @ .., last]) if rest.len() > 1 && rest[rest.len() - 2] == *last => rest,
            (Metric::Wdl, [rest @ .., a, b, left, right]) if (a, b) == (left, right) => {
                &roots[..rest.len() + 2]
            }
            _ => return roots,
        };
    }
}

/// The counts of every length up to the table's own.
pub(super) fn count_lengths(nodes: &Nodes, roots: &[u32], metric: Metric, longest: usize) -> Vec<Counts> {
    (MIN_LENGTH..=longest)
        .into_par_iter()
        .map(|length| {
            let members: Vec<BigUint> = (nodes.count(roots, length).into_iter())
                .map(BigUint::from)
                .collect();
            match metric {
                Metric::Dtw => count_plies(&members),
                Metric::Wdl => count_levels(&members),
            }
        })
        .collect()
}

/// From the members of the sets of 1, 2, 3 … plies.
fn count_plies(members: &[BigUint]) -> Counts {
    // Of the sets of one player the first with all members of the last.
    let of_player = |first: usize| {
        let sets = || members.iter().skip(first - 1).step_by(2);
        let all = sets().next_back().cloned().unwrap_or_default();
        let step = sets().position(|set| *set == all).unwrap_or(0);
        let plies = if all == BigUint::ZERO { 0 } else { first + 2 * step };
        (Natural(all), plies as u16)
    };
    let ((wins, longest_win), (losses, longest_loss)) = (of_player(1), of_player(2));
    Counts {
        wins,
        losses,
        longest_win,
        longest_loss,
        levels: 0,
    }
}

/// From the members of the levels, Left to move and Right to move in turn.
fn count_levels(members: &[BigUint]) -> Counts {
    let (levels, _) = members.as_chunks::<2>();
    let last = levels.last().cloned().unwrap_or_default();
    let first = levels.iter().position(|level| *level == last).unwrap_or(0);
    let [wins, losses] = last.map(Natural);
    Counts {
        wins,
        losses,
        longest_win: 0,
        longest_loss: 0,
        levels: first as u16 + 1,
    }
}
