//! All nodes of a table in memory, as sets of the boards of one length: for everything that looks at more than a few positions.

use super::super::Metric;
use super::nodes::{Nodes, Shortened};
use super::{StripTable, Summary};
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Budget, Graph, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::{Diagram, View};
use crate::games::rules::Rules;
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::error::TableError;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The sets of the strips of one length that a table holds.
///
/// As a [`Diagram`] it is reduced only if the table has no longer strips: otherwise different nodes may stand for the same set.
pub struct StripSets {
    file: PathBuf,
    rules: Rules,
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
            rules: table.rules(),
            metric: table.metric(),
            summary: table.metadata().counts(length).summary(length),
            length,
            roots: roots.to_vec(),
            nodes,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The rules by which it is played.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What the values say.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// What the file says of this length.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// An empty graph for work on these sets, which may be no more than their nodes warrant.
    pub fn workspace(&self) -> Graph {
        // Budgets were measured in bytes of nodes of nine bytes.
        Graph::within(self.length, Budget::of_sets(9 * self.nodes.nodes.len() as u64))
    }

    /// The error of work that is more than that.
    pub fn unwieldy(&self) -> TableError {
        TableError::unwieldy(&self.file)
    }

    /// The sets as diagrams of their own, reduced; the roots in the order of [`roots`](StripSets::roots).
    ///
    /// # Errors
    /// [`TableError::Limit`] if that is more work than the file warrants.
    pub fn reduced(&self) -> Result<(Graph, Vec<crate::diagram::graph::Ref>), TableError> {
        let mut graph = self.workspace();
        let roots = graph
            .copy(self, &self.roots)
            .map_err(|TooLarge| self.unwieldy())?;
        Ok((graph, roots))
    }

    /// The roots, as [`super`] describes them, without those at the end that add nothing on this length.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Levels of forward play, which prove who wins; a table with depths has none.
    pub fn levels(&self) -> usize {
        match self.metric {
            Metric::Wdl => self.roots.len() / 2,
            Metric::Dtw => 0,
        }
    }

    /// The boards of a level that Left wins: Left to move, Right to move.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn level(&self, level: usize) -> [u32; 2] {
        assert!(level < self.levels(), "a level of the table");
        [self.roots[2 * level], self.roots[2 * level + 1]]
    }

    /// All boards that Left wins with `to_move` to move.
    pub fn won_by_left(&self, to_move: Side) -> u32 {
        let last = match (self.metric, to_move) {
            (Metric::Wdl, _) => self.roots.len() - 1 + to_move as usize,
            (Metric::Dtw, Side::Left) => self.summary.longest_win.into(),
            (Metric::Dtw, Side::Right) => self.summary.longest_loss.into(),
        };
        last.checked_sub(1).map_or(0, |place| self.roots[place])
    }

    /// The boards that Left wins in at most `plies` plies, with Left to move if that is odd, with Right to move if it is even.
    /// Past the longest game these are all that Left wins. A table without depths has no such sets.
    pub fn won_within(&self, plies: usize) -> u32 {
        match self.roots.get(plies.wrapping_sub(1)) {
            Some(&root) => root,
            None if plies == 0 => 0,
            None if plies % 2 == 1 => self.won_by_left(Side::Left),
            None => self.won_by_left(Side::Right),
        }
    }

    /// The members of each root.
    pub fn members(&self) -> Vec<BigUint> {
        let counts = self.nodes.count(&self.roots, self.length);
        counts.into_iter().map(BigUint::from).collect()
    }

    /// How many positions with Left to move end after so many plies; nothing without depths.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if the sets do not grow with the plies.
    pub fn depths(&self) -> Result<BTreeMap<u16, BigUint>, TableError> {
        let mut depths = BTreeMap::new();
        if self.metric == Metric::Wdl {
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

    /// The first position with Left to move, in the order of the notation, that Left wins in the most plies; `None` without depths or wins.
    ///
    /// # Errors
    /// [`TableError::Limit`] if that is more work than the file warrants.
    pub fn longest_win(&self) -> Result<Option<Strip>, TableError> {
        let plies = usize::from(self.summary.longest_win);
        let Some(sooner) = plies.checked_sub(2) else {
            return Ok(None);
        };
        let mut sets = Sets::new(self.workspace());
        let roots = [plies, sooner].map(|plies| self.won_within(plies));
        let set = (sets.graph_mut().copy(self, &roots))
            .and_then(|copied| sets.join(Join::Minus, copied[0], copied[1]))
            .map_err(|TooLarge| self.unwieldy())?;
        Ok(Members::new(sets.graph(), set).nth(&BigUint::ZERO, Side::Left))
    }

    /// The counts of every length up to this one, counted again.
    #[cfg(feature = "cli")]
    pub fn count_lengths(&self) -> Vec<super::metadata::Counts> {
        super::write::count_lengths(&self.nodes, &self.roots, self.metric, self.length)
    }

    fn shortened(&self) -> Shortened<'_> {
        Shortened {
            nodes: &self.nodes,
            length: self.length,
        }
    }
}

impl Diagram for StripSets {
    type Ref = u32;

    fn length(&self) -> usize {
        self.length
    }

    #[inline]
    fn view(&self, at: u32) -> View<u32> {
        self.shortened().view(at)
    }
}
