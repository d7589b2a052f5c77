//! A table of either layout: what one asks without wanting to know how it is stored.

use super::container::Kind;
use super::container::read::Container;
use super::dense::{DEFAULT_CACHE, DenseTable};
use super::diagram::DiagramTable;
#[cfg(feature = "cli")]
use super::diagram::convert;
use super::error::TableError;
use super::header::{Description, Header};
use super::{Layout, Metric};
use crate::games::strip::Strip;
use crate::outcome::Verdict;
use num_bigint::BigUint;
use rayon::prelude::*;
#[cfg(feature = "cli")]
use std::borrow::Cow;
use std::path::Path;

/// One open table. Cheap to share between threads.
#[derive(Debug)]
pub enum Table {
    /// Blocks.
    Dense(Box<DenseTable>),
    /// Diagrams.
    Diagram(Box<DiagramTable>),
}

impl From<DenseTable> for Table {
    fn from(table: DenseTable) -> Table {
        Table::Dense(Box::new(table))
    }
}

impl From<DiagramTable> for Table {
    fn from(table: DiagramTable) -> Table {
        Table::Diagram(Box::new(table))
    }
}

/// Asks whichever table it is.
macro_rules! ask {
    ($table:expr, $inner:ident => $answer:expr) => {
        match $table {
            Table::Dense($inner) => $answer,
            Table::Diagram($inner) => $answer,
        }
    };
}

impl Table {
    /// Opens a file and checks it.
    ///
    /// # Errors
    /// Every way in which the file can be no table: [`TableError`].
    pub fn open(path: &Path) -> Result<Table, TableError> {
        Table::new(Container::open(path)?, DEFAULT_CACHE)
    }

    /// Opens a container; `cache` is the number of unpacked bytes to keep.
    ///
    /// # Errors
    /// As [`open`](Table::open).
    pub fn new(container: Container, cache: usize) -> Result<Table, TableError> {
        Ok(match container.kind() {
            Kind::Diagram => DiagramTable::new(&container)?.into(),
            // Of another kind, it says so.
            _ => DenseTable::new(container, cache)?.into(),
        })
    }

    /// How the values are stored.
    pub fn layout(&self) -> Layout {
        self.header().layout
    }

    /// The header.
    pub fn header(&self) -> &Header {
        ask!(self, table => table.header())
    }

    /// The description.
    pub fn description(&self) -> &Description {
        ask!(self, table => table.description())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        ask!(self, table => table.path())
    }

    /// The number of positions, with Left to move.
    pub fn positions(&self) -> BigUint {
        self.header().positions()
    }

    /// What the table says of a position: with its depth if it has depths.
    ///
    /// # Errors
    /// [`TableError::NotHeld`], [`TableError::Corrupt`].
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        ask!(self, table => table.verdict(strip))
    }

    /// [`verdict`](Table::verdict) for many positions, in their order, in parallel.
    ///
    /// # Errors
    /// As [`verdict`](Table::verdict), for the first position at fault.
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        match self {
            Table::Dense(table) => table.verdicts(strips),
            Table::Diagram(table) => strips.par_iter().map(|strip| table.verdict(strip)).collect(),
        }
    }

    /// Reads the parts of the file that opening left unread, so that any damage shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`].
    pub fn check_bytes(&self) -> Result<(), TableError> {
        match self {
            Table::Dense(table) => table.check_frames(),
            // Opening reads every byte.
            Table::Diagram(_) => Ok(()),
        }
    }

    /// The sets of the table as diagrams; those of the dense layout are made from its blocks.
    ///
    /// # Errors
    /// As [`convert::of_table`].
    #[cfg(feature = "cli")]
    pub fn diagrams(&self) -> Result<Cow<'_, DiagramTable>, TableError> {
        Ok(match self {
            Table::Dense(table) => Cow::Owned(convert::of_table(table)?),
            Table::Diagram(table) => Cow::Borrowed(table),
        })
    }

    /// Whether the table has depths.
    pub fn has_depths(&self) -> bool {
        self.header().metric == Metric::Dtw
    }
}
