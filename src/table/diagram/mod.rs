//! Diagram tables: the sets of a length as decision diagrams, walked in the mapped file.
//!
//! * `encode` — numbering the nodes, in one way only;
//! * [`nodes`] — reading them where they lie;
//! * [`write`](mod@write) — making a file;
//! * [`convert`] — diagrams from the blocks of the dense engine.
//!
//! A file has a list of *roots*, each a set of boards that Left wins:
//!
//! * `dtw`: root d, from 1, has the boards that Left wins in at most d plies, with Left to move if d is odd, with Right to
//!   move if it is even. The sets of one player grow, so a depth is found by bisection;
//! * `wdl`: the last two roots are the boards with Left to move and with Right to move. More roots before them, in such
//!   pairs, are the *rounds* of a certificate: sets that grow towards the last pair (see `verify`).

#[cfg(feature = "cli")]
pub mod convert;
mod encode;
pub mod nodes;
#[cfg(feature = "cli")]
pub mod write;

use super::error::TableError;
use super::header::{Description, DiagramPayload, Header, Payload, check_counts};
use super::storage::{Storage, map_file};
use super::{Layout, Metric};
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH, Strip};
use crate::outcome::{Depth, Side, Value, Verdict, Wdl};
use nodes::{Nodes, Shape};
use num_bigint::BigUint;
use std::path::{Path, PathBuf};

/// One open table. Cheap to share between threads.
pub struct DiagramTable {
    file: PathBuf,
    storage: Box<dyn Storage>,
    header: Header,
    payload: DiagramPayload,
    description: Description,
    roots: Vec<u32>,
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
    /// Maps a file and checks all of it: header, checksums, every node.
    ///
    /// # Errors
    /// Every way in which the file can be no diagram table: [`TableError`].
    pub fn open(path: &Path) -> Result<DiagramTable, TableError> {
        DiagramTable::from_storage(map_file(path)?, path)
    }

    /// Opens a table whose bytes are at hand. `name` stands for the file in errors.
    ///
    /// # Errors
    /// As [`open`](DiagramTable::open).
    pub fn from_storage(storage: Box<dyn Storage>, name: &Path) -> Result<DiagramTable, TableError> {
        let bytes = storage.bytes();
        let header = Header::decode(bytes, name)?;
        let Payload::Diagram(payload) = header.payload else {
            return Err(TableError::Foreign {
                file: name.to_path_buf(),
                field: "the layout",
                found: header.payload.layout().to_string(),
                expected: Layout::Diagram.to_string(),
            });
        };
        let corrupt = |field: &str| TableError::Corrupt {
            file: name.to_path_buf(),
            field: field.to_string(),
        };
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&header.length) {
            return Err(corrupt("the length is out of range"));
        }
        for (section, field) in [
            (header.description, "the description's checksum is wrong"),
            (payload.roots, "the roots' checksum is wrong"),
        ] {
            if crc32fast::hash(section.of(bytes)) != section.crc {
                return Err(corrupt(field));
            }
        }
        let description = Description::decode(header.description.of(bytes))
            .ok_or_else(|| corrupt("the description cannot be read"))?;
        let roots = read_roots(&header, payload.roots.of(bytes)).map_err(|field| corrupt(&field))?;
        let (numbers, nodes) = (
            (payload.ternary, payload.binary, payload.width),
            payload.nodes.of(bytes),
        );
        // Two looks at every byte, side by side; what the second finds counts only if the first finds nothing.
        let (crc, shape) = rayon::join(
            || crc32fast::hash(nodes),
            || Shape::check(header.length, numbers, &roots, nodes),
        );
        if crc != payload.nodes.crc {
            return Err(corrupt("the nodes' checksum is wrong"));
        }
        let shape = shape.map_err(corrupt)?;
        Ok(DiagramTable {
            file: name.to_path_buf(),
            header,
            payload,
            description,
            roots,
            shape,
            storage,
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
            bytes: self.payload.nodes.of(self.storage.bytes()),
        }
    }

    /// The nodes in the file.
    pub fn node_count(&self) -> u64 {
        u64::from(self.payload.ternary) + u64::from(self.payload.binary)
    }

    /// The roots, as the head of this module says.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Rounds of the certificate that the table carries; 0 if it has none.
    pub fn rounds(&self) -> usize {
        match self.header.metric {
            Metric::Wdl if self.roots.len() > 2 => self.roots.len() / 2,
            _ => 0,
        }
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

    /// The value of a position.
    ///
    /// # Errors
    /// [`TableError::OtherLength`], [`TableError::NoDepths`].
    pub fn value(&self, strip: &Strip) -> Result<Value, TableError> {
        if self.header.metric == Metric::Wdl {
            return Err(self.no_depths());
        }
        let left = self.of_this_length(strip)?;
        Ok(if let Some(depth) = self.first_with(1, &left) {
            Value::Win(depth)
        } else if let Some(depth) = self.first_with(2, &left.mirror()) {
            Value::Loss(depth)
        } else {
            Value::Draw
        })
    }

    /// Who wins a position.
    ///
    /// # Errors
    /// [`TableError::OtherLength`].
    pub fn wdl(&self, strip: &Strip) -> Result<Wdl, TableError> {
        let left = self.of_this_length(strip)?;
        let nodes = self.nodes();
        Ok(if nodes.contains(self.won_by_left(Side::Left), &left) {
            Wdl::Win
        } else if self.header.draws == BigUint::ZERO {
            // What is neither won nor drawn is lost; `verify` holds the count against the sets.
            Wdl::Loss
        } else if nodes.contains(self.won_by_left(Side::Right), &left.mirror()) {
            Wdl::Loss
        } else {
            Wdl::Draw
        })
    }

    /// What the table says of a position: with its depth if it has depths.
    ///
    /// # Errors
    /// [`TableError::OtherLength`].
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        match self.header.metric {
            Metric::Dtw => self.value(strip).map(Verdict::from),
            Metric::Wdl => self.wdl(strip).map(Verdict::from),
        }
    }

    /// The error of a question about depths to a table that has none.
    pub(crate) fn no_depths(&self) -> TableError {
        TableError::NoDepths {
            length: self.header.length,
            directory: self.file.parent().unwrap_or(Path::new("")).to_path_buf(),
        }
    }

    fn of_this_length(&self, strip: &Strip) -> Result<Strip, TableError> {
        if strip.length() != self.header.length {
            return Err(TableError::OtherLength {
                found: strip.length(),
                expected: self.header.length,
            });
        }
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

/// The roots, and whether the header's numbers go with them.
fn read_roots(header: &Header, bytes: &[u8]) -> Result<Vec<u32>, String> {
    let (roots, rest) = bytes.as_chunks::<4>();
    let fits = match header.metric {
        Metric::Dtw => roots.len() == usize::from(header.longest_win.max(header.longest_loss)),
        Metric::Wdl => roots.len() >= 2 && roots.len().is_multiple_of(2),
    };
    if !rest.is_empty() || !fits {
        return Err("the number of roots is wrong".to_string());
    }
    check_counts(header)?;
    Ok(roots.iter().map(|&root| u32::from_le_bytes(root)).collect())
}
