//! Diagram tables: the sets of a length as decision diagrams.
//!
//! * `encode` — numbering the nodes, in one way only;
//! * `pack` — their bytes in a file;
//! * [`nodes`] — walking them in memory;
//! * [`write`](mod@write) — making a file;
//! * [`convert`] — diagrams from the blocks of the dense engine.
//!
//! A file has a list of *roots*, each a set of boards that Left wins:
//!
//! * `dtw`: root d, from 1, has the boards that Left wins in at most d plies, with Left to move if d is odd, with Right to
//!   move if it is even. The sets of one player grow, so a depth is found by bisection;
//! * `wdl`: the *levels* of forward play (docs/PROOF.md), each a pair: the boards with Left to move, then those with Right to
//!   move. Levels grow; the last one has all that Left wins.

#[cfg(feature = "cli")]
pub mod convert;
#[cfg(feature = "cli")]
mod encode;
pub mod forward;
pub mod nodes;
mod pack;
#[cfg(feature = "cli")]
pub mod write;

use super::container::read::Container;
use super::error::TableError;
use super::header::{Description, DiagramPayload, Header, Metadata};
use super::places::Places;
use super::{Layout, Metric};
use crate::diagram::graph::{Budget, Graph};
use crate::games::strip::Strip;
use crate::outcome::{Depth, Side, Value, Verdict, Wdl};
use nodes::{Nodes, Shape};
use pack::unpack;
use std::path::{Path, PathBuf};

/// One open table. Cheap to share between threads.
#[derive(Clone)]
pub struct DiagramTable {
    file: PathBuf,
    header: Header,
    payload: DiagramPayload,
    description: Description,
    roots: Vec<u32>,
    /// The nodes, as `encode` lays them out.
    nodes: Vec<u8>,
    shape: Shape,
}

impl std::fmt::Debug for DiagramTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiagramTable")
            .field("file", &self.file)
            .field("header", &self.header)
            .finish()
    }
}

impl DiagramTable {
    /// Reads a container and checks all of it: header, checksums, every node. What happens to the file afterwards changes nothing.
    ///
    /// # Errors
    /// Every way in which the file can be no diagram table: [`TableError`].
    pub fn new(container: &Container) -> Result<DiagramTable, TableError> {
        let (header, payload, description): (_, DiagramPayload, _) =
            Metadata::read(container, Layout::Diagram)?;
        let [roots, nodes] = container.sections(["roots", "nodes"])?;
        let roots = read_roots(&header, &container.read(roots)?).map_err(|field| container.corrupt(field))?;
        let nodes = unpack(payload, &container.read(nodes)?).map_err(|field| container.corrupt(field))?;
        let shape =
            Shape::check(header.length, payload, &roots, &nodes).map_err(|field| container.corrupt(field))?;
        Ok(DiagramTable {
            file: container.path().to_path_buf(),
            header,
            payload,
            description,
            roots,
            nodes,
            shape,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The nodes.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes {
            shape: &self.shape,
            bytes: &self.nodes,
        }
    }

    /// An empty graph for what is asked of this table, which may be no more work than its nodes warrant.
    pub fn workspace(&self) -> Graph {
        Graph::within(self.header.length, Budget::of_sets(self.nodes.len() as u64))
    }

    /// How many nodes hold the sets.
    pub fn payload(&self) -> DiagramPayload {
        self.payload
    }

    /// The roots, as the head of this module says.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Levels of forward play, which prove who wins; a table with depths has none and needs none.
    pub fn levels(&self) -> usize {
        match self.header.metric {
            Metric::Wdl => self.roots.len() / 2,
            Metric::Dtw => 0,
        }
    }

    /// The boards of a level that Left wins: Left to move, Right to move.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn level(&self, level: usize) -> [u32; 2] {
        assert!(level < self.levels(), "a level that the table has");
        [self.roots[2 * level], self.roots[2 * level + 1]]
    }

    /// All boards that Left wins with `to_move` to move.
    pub fn won_by_left(&self, to_move: Side) -> u32 {
        let count = self.roots.len();
        let from_the_end = match self.header.metric {
            Metric::Wdl => 2 - to_move as usize,
            // The last root of the right parity: root d is at place d − 1.
            Metric::Dtw => match (to_move, count % 2) {
                (Side::Left, 1) | (Side::Right, 0) => 1,
                _ => 2,
            },
        };
        count
            .checked_sub(from_the_end)
            .map_or(0, |place| self.roots[place])
    }

    /// The boards that Left wins in at most `plies` plies, with Left to move if that is odd, with Right to move if it is even.
    /// Past the longest game these are all that Left wins. A `wdl` table has no such sets.
    pub fn won_within(&self, plies: usize) -> u32 {
        match self.roots.get(plies.wrapping_sub(1)) {
            Some(&root) => root,
            None if plies == 0 => 0,
            None if plies % 2 == 1 => self.won_by_left(Side::Left),
            None => self.won_by_left(Side::Right),
        }
    }

    /// What the table says of a position: with its depth if it has depths.
    ///
    /// # Errors
    /// [`TableError::NotHeld`].
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        let left = self.of_this_table(strip)?;
        let won = |side, board: &Strip| self.nodes().contains(self.won_by_left(side), board);
        Ok(match self.header.metric {
            Metric::Dtw => (self.first_with(1, &left).map(Value::Win))
                .or_else(|| self.first_with(2, &left.mirror()).map(Value::Loss))
                .unwrap_or(Value::Draw)
                .into(),
            Metric::Wdl if won(Side::Left, &left) => Wdl::Win.into(),
            Metric::Wdl if won(Side::Right, &left.mirror()) => Wdl::Loss.into(),
            Metric::Wdl => Wdl::Draw.into(),
        })
    }

    /// The error of a question about depths to a table that has none.
    pub fn no_depths(&self) -> TableError {
        TableError::NoDepths {
            rules: self.header.rules,
            length: self.header.length,
            places: Places::only(self.file.parent().unwrap_or(Path::new(""))),
        }
    }

    fn of_this_table(&self, strip: &Strip) -> Result<Strip, TableError> {
        TableError::unless_of(&self.header, strip.length(), strip.rules())?;
        Ok(strip.normalised())
    }

    /// The first of the roots `first`, `first` + 2, … whose set has a board, by bisection: the sets grow.
    fn first_with(&self, first: usize, board: &Strip) -> Option<Depth> {
        let nodes = self.nodes();
        let count = (self.roots.len() + 2 - first) / 2;
        let root = |step: usize| self.roots[first - 1 + 2 * step];
        let (mut without, mut with) = (0, count);
        if count == 0 || !nodes.contains(root(count - 1), board) {
            return None;
        }
        while without < with {
            let middle = (without + with) / 2;
            if nodes.contains(root(middle), board) {
                with = middle;
            } else {
                without = middle + 1;
            }
        }
        Some(Depth((first + 2 * with) as u16))
    }
}

/// The roots, if there are as many as the header asks for.
fn read_roots(header: &Header, bytes: &[u8]) -> Result<Vec<u32>, &'static str> {
    let (roots, rest) = bytes.as_chunks::<4>();
    let fits = match header.metric {
        Metric::Dtw => roots.len() == usize::from(header.longest_win.max(header.longest_loss)),
        Metric::Wdl => roots.len() >= 2 && roots.len().is_multiple_of(2),
    };
    if !rest.is_empty() || !fits {
        return Err("the number of roots is wrong");
    }
    Ok(roots.iter().map(|&root| u32::from_le_bytes(root)).collect())
}
