//! All nodes of a table in memory, as sets of the boards of one length, for whole-length
//! computations.

#![allow(missing_docs)]

use super::nodes::{LEAVES, Node, Nodes};
use super::{StripTable, Summary};
use crate::{Metric, TableError};
use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::graph::{Budget, Graph, TooLarge};
use phutbase_sets::{Diagram, Sets, View};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The sets of the strips of one length.
///
/// As a [`Diagram`] it is reduced only for the table's greatest length: for shorter lengths,
/// different nodes may denote equal sets.
pub struct StripSets {
    file: PathBuf,
    metric: Metric,
    summary: Summary,
    length: usize,
    roots: Vec<u32>,
    nodes: Arc<Nodes>,
}

impl StripSets {
    pub(super) fn new(table: &StripTable, nodes: Arc<Nodes>, length: usize, roots: &[u32]) -> StripSets {
        StripSets {
            file: table.path().to_path_buf(),
            metric: table.metric(),
            summary: table.metadata().counts(length).summary(length),
            length,
            roots: roots.to_vec(),
            nodes,
        }
    }

    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Returns the kind of values.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns an empty graph for work on these sets, with the [`budget`](StripSets::budget) of one
    /// copy.
    pub fn workspace(&self) -> Graph {
        Graph::within(self.length, self.budget(1))
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.nodes.len()
    }

    /// Returns a budget for work on some copies of these sets, which grows with the number of their
    /// nodes.
    pub fn budget(&self, copies: u64) -> Budget {
        Budget::of_sets(copies * self.nodes.nodes.len() as u64)
    }

    /// Returns the error of exceeding that budget.
    pub fn unwieldy(&self) -> TableError {
        TableError::unwieldy(&self.file)
    }

    /// Returns the sets as reduced diagrams; the roots are in the order of
    /// [`roots`](StripSets::roots).
    pub fn reduced(&self) -> Result<(Graph, Vec<phutbase_sets::graph::Ref>), TableError> {
        let mut graph = self.workspace();
        let roots = graph
            .copy(self, &self.roots)
            .map_err(|TooLarge| self.unwieldy())?;
        Ok((graph, roots))
    }

    /// Returns the roots, as [`super`] describes them, without trailing ones that add nothing on
    /// this length.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Returns the number of levels of forward play; 0 under another metric.
    pub fn levels(&self) -> usize {
        match self.metric {
            Metric::Levels => self.roots.len() / 2,
            Metric::Dtw | Metric::Wdl => 0,
        }
    }

    /// Returns the boards of a level that Left wins, with Left and with Right to move.
    pub fn level(&self, level: usize) -> [u32; 2] {
        assert!(level < self.levels(), "a level of the table");
        [self.roots[2 * level], self.roots[2 * level + 1]]
    }

    /// Returns all boards that Left wins with `to_move` to move.
    pub fn won_by_left(&self, to_move: Side) -> u32 {
        let last = match (self.metric, to_move) {
            (Metric::Levels | Metric::Wdl, _) => self.roots.len() - 1 + to_move as usize,
            (Metric::Dtw, Side::Left) => self.summary.longest_win.into(),
            (Metric::Dtw, Side::Right) => self.summary.longest_loss.into(),
        };
        last.checked_sub(1).map_or(0, |place| self.roots[place])
    }

    /// Returns the boards that Left wins in at most `plies` plies, with Left to move if that is odd
    /// and Right if even. Past the longest game these are all that Left wins. Only tables with
    /// depths have such sets.
    pub fn won_within(&self, plies: usize) -> u32 {
        match self.roots.get(plies.wrapping_sub(1)) {
            Some(&root) => root,
            None if plies == 0 => 0,
            None if plies % 2 == 1 => self.won_by_left(Side::Left),
            None => self.won_by_left(Side::Right),
        }
    }

    pub fn members(&self) -> Vec<BigUint> {
        let counts = self.nodes.count(&self.roots, self.length);
        counts.into_iter().map(BigUint::from).collect()
    }

    /// Counts the positions with Left to move by plies to the end; empty without depths.
    pub fn depths(&self) -> Result<BTreeMap<u16, BigUint>, TableError> {
        let mut depths = BTreeMap::new();
        if self.metric != Metric::Dtw {
            return Ok(depths);
        }
        let members = self.members();
        for (place, within) in members.iter().enumerate() {
            let before = place
                .checked_sub(2)
                .map_or(&BigUint::ZERO, |place| &members[place]);
            if within < before {
                return Err(TableError::corrupt(
                    &self.file,
                    "the sets do not grow with the plies",
                ));
            }
            if within > before {
                depths.insert(place as u16 + 1, within - before);
            }
        }
        Ok(depths)
    }

    /// Returns the first position (by notation) with Left to move whose win takes the most plies;
    /// `None` without depths or wins.
    pub fn longest_win(&self) -> Result<Option<Strip>, TableError> {
        let plies = usize::from(self.summary.longest_win);
        let Some(sooner) = plies.checked_sub(2) else {
            return Ok(None);
        };
        let mut sets = Sets::new(self.workspace());
        let roots = [plies, sooner].map(|plies| self.won_within(plies));
        (sets.graph_mut().copy(self, &roots))
            .and_then(|copied| sets.first_beyond(copied[0], copied[1], Side::Left))
            .map_err(|TooLarge| self.unwieldy())
    }

    /// Recounts every length up to this one.
    pub fn count_lengths(&self) -> Vec<super::metadata::StripCounts> {
        super::write::count_lengths(&self.nodes, &self.roots, self.metric, self.length)
    }
}

impl Diagram for StripSets {
    type Ref = u32;

    fn length(&self) -> usize {
        self.length
    }

    #[inline]
    fn view(&self, mut at: u32) -> View<u32> {
        let squares = &self.nodes.squares;
        loop {
            if at < LEAVES {
                return if at == 0 { View::Bottom } else { View::Top };
            }
            let Node { ball, empty, stone } = self.nodes.node(at);
            if !squares.is_ternary(at) {
                let level = ball as usize;
                if level < self.length {
                    return View::Binary(level, [empty, stone]);
                }
                // Squares past the end of the shorter strip hold stones.
                at = stone;
                continue;
            }
            let level = squares.square(at);
            // The ball of the shorter strip is left of its last square.
            let [empty, stone] = if level + 2 < self.length {
                [empty, stone]
            } else {
                [0; 2]
            };
            return if level + 1 < self.length {
                View::Ternary(level, [empty, stone, ball])
            } else {
                View::Bottom
            };
        }
    }
}
