//! Writes tables of strips. The counts in the metadata are computed from the diagrams that are
//! written.

use super::encode::encode;
use super::last_repeats;
use super::metadata::{Natural, StripCounts, StripMetadata};
use super::nodes::Nodes;
use crate::{Metric, TableError, TableId};
use num_bigint::BigUint;
use phutbase_files::container::write::{packed, write_blocks, write_file};
use phutbase_files::container::{FileKind, GENERATOR};
use phutbase_rules::rules::Rules;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_sets::{Diagram, TooLarge, View};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// zstd level. A high one pays off: tables are written once and read often.
const ZSTD_LEVEL: i32 = 19;

/// Writes the table of the sets of a length into a directory and returns its path. The roots are in
/// the order that [`super`] describes for the metric; under `dtw`, plies past the longest game may
/// follow.
/// On errors incomplete tables are removed.
pub fn write<D: Diagram>(
    diagram: &D,
    roots: &[D::Ref],
    metric: Metric,
    directory: &Path,
) -> Result<PathBuf, TableError> {
    let path = directory.join(TableId::Strip(metric, diagram.length()).to_string());
    let roots = without_idle(diagram, roots, metric);
    let (nodes, roots) = encode(diagram, roots).map_err(|TooLarge| TableError::Limit {
        file: path.clone(),
        reason: "more than 2^28 nodes".to_string(),
    })?;
    let lengths = count_lengths(&nodes, &roots, metric, diagram.length());
    let Nodes { squares, nodes } = nodes;
    write_file(&path, (FileKind::Strip, Rules::Ordinary), |out| {
        let roots: Vec<u8> = roots.iter().flat_map(|root| root.to_le_bytes()).collect();
        out.section("roots", &roots)?;
        let cut = squares.cut();
        let fill = |start: u64, raw: &mut [u8]| {
            squares.encode((start / cut.frame_bytes) as usize, &nodes, raw);
        };
        write_blocks(out, packed(cut, ZSTD_LEVEL, fill))?;
        let (binary, ternary) = squares.counts();
        Ok(StripMetadata {
            metric,
            length: squares.length as u16,
            generator: GENERATOR.to_string(),
            binary,
            ternary,
            lengths,
        })
    })?;
    Ok(path)
}

/// Returns the roots without trailing plies or levels that add nothing.
fn without_idle<'r, D: Diagram>(diagram: &D, mut roots: &'r [D::Ref], metric: Metric) -> &'r [D::Ref] {
    loop {
        roots = match (metric, roots) {
            (Metric::Dtw, [rest @ .., last]) if matches!(diagram.view(*last), View::Bottom) => rest,
            (Metric::Dtw, [rest @ .., _]) if last_repeats(metric, roots) => rest,
            (Metric::Levels, [rest @ .., _, _]) if last_repeats(metric, roots) => rest,
            _ => return roots,
        };
    }
}

/// Maximum memory for the counts of binary nodes of all lengths that are counted at the same time;
/// one length may take more.
const COUNT_BYTES: usize = 256 << 20;

pub(super) fn count_lengths(
    nodes: &Nodes,
    roots: &[u32],
    metric: Metric,
    longest: usize,
) -> Vec<StripCounts> {
    let count = |&length: &usize| {
        let members: Vec<BigUint> = (nodes.count(roots, length).into_iter())
            .map(BigUint::from)
            .collect();
        match metric {
            Metric::Dtw => count_plies(&members),
            Metric::Levels => count_levels(&members),
            Metric::Wdl => StripCounts {
                levels: 0,
                ..count_levels(&members)
            },
        }
    };
    let lengths: Vec<usize> = (MIN_LENGTH..=longest).collect();
    // Threads take the next length as they finish one, unless that takes too much memory.
    let at_once = match (COUNT_BYTES / nodes.count_bytes()).max(1) {
        few if few < rayon::current_num_threads() => few,
        _ => lengths.len(),
    };
    (lengths.chunks(at_once))
        .flat_map(|lengths| lengths.par_iter().map(count).collect::<Vec<_>>())
        .collect()
}

/// Computes counts from the members of the sets of 1, 2, 3 … plies.
fn count_plies(members: &[BigUint]) -> StripCounts {
    // Returns the first set of one player that equals the last.
    let of_player = |first: usize| {
        let sets = || members.iter().skip(first - 1).step_by(2);
        let all = sets().next_back().cloned().unwrap_or_default();
        let step = sets().position(|set| *set == all).unwrap_or(0);
        let plies = if all == BigUint::ZERO { 0 } else { first + 2 * step };
        (Natural(all), plies as u16)
    };
    let ((wins, longest_win), (losses, longest_loss)) = (of_player(1), of_player(2));
    StripCounts {
        wins,
        losses,
        longest_win,
        longest_loss,
        levels: 0,
    }
}

/// Computes counts from the members of the levels, Left and Right to move alternating.
fn count_levels(members: &[BigUint]) -> StripCounts {
    let (levels, _) = members.as_chunks::<2>();
    let last = levels.last().cloned().unwrap_or_default();
    let first = levels.iter().position(|level| *level == last).unwrap_or(0);
    let [wins, losses] = last.map(Natural);
    StripCounts {
        wins,
        losses,
        longest_win: 0,
        longest_loss: 0,
        levels: first as u16 + 1,
    }
}
