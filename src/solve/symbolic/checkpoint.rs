//! Checkpoints: the work on one length in a file, between two steps.
//!
//! What a solver needs to go on is a few sets: they stand in a [container](crate::table::container) as [`Portable`] lists them.

use super::SymbolicError;
use super::algebra::Algebra;
use super::portable::{Malformed, Portable};
use super::store::{Id, Store, SymbolicLimits};
use super::{begin, stopped};
use crate::games::rules::Rules;
use crate::table::container::Kind;
use crate::table::container::read::Container;
use crate::table::container::write::write_file;
use crate::table::error::{ResumeError, TableError, expect_same};
use bincode::{Decode, Encode};
use std::path::Path;

/// Why work cannot go on from a checkpoint.
pub type CheckpointError = ResumeError<SymbolicError>;

/// What is said of the sets.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct Metadata {
    /// Which solver.
    solver: String,
    /// The number of squares.
    length: u16,
}

/// A solver between two steps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Saved {
    rules: Rules,
    metadata: Metadata,
    sets: Portable,
}

impl Saved {
    /// The state of a solver that is these sets.
    pub fn new(solver: &str, rules: Rules, store: &Store, roots: &[Id]) -> Saved {
        Saved {
            rules,
            metadata: Metadata {
                solver: solver.to_string(),
                length: store.length() as u16,
            },
            sets: Portable::of(store, roots),
        }
    }

    /// Writes it in place of what `file` names.
    ///
    /// # Errors
    /// [`TableError::Io`]; what was there before is then still there.
    pub fn write(&self, file: &Path) -> Result<(), CheckpointError> {
        let (nodes, roots) = self.sets.to_bytes();
        write_file(file, (Kind::SymbolicCheckpoint, self.rules), |out| {
            out.section("nodes", &nodes)?;
            out.section("roots", &roots)?;
            Ok(self.metadata.clone())
        })?;
        Ok(())
    }

    /// Reads one of the given solver, rules and length.
    pub fn read(file: &Path, solver: &str, rules: Rules, length: usize) -> Result<Saved, CheckpointError> {
        let container = Container::open(file)?;
        let metadata: Metadata = container.metadata(Kind::SymbolicCheckpoint)?;
        container.check_rules(rules)?;
        let words = |solver: &str, length: usize| format!("{solver} of length {length}");
        let found = words(&metadata.solver, metadata.length.into());
        expect_same(file, "the work", found, words(solver, length))?;
        let [nodes, roots] = container.sections(["nodes", "roots"])?;
        let sets = Portable::from_bytes(container.section(nodes)?, container.section(roots)?)
            .and_then(|sets| sets.check(length).map(|()| sets))
            .map_err(|Malformed| unusable(file, "a node stands where it cannot"))?;
        Ok(Saved {
            rules,
            metadata,
            sets,
        })
    }

    /// Makes the nodes again, and returns the sets.
    pub fn restore(&self, limits: SymbolicLimits) -> Result<(Algebra, Vec<Id>), CheckpointError> {
        let algebra = begin(self.metadata.length.into(), limits).map_err(ResumeError::Engine)?;
        let mut algebra = algebra.under(self.rules);
        let sets = algebra.growing(|algebra| self.sets.make(algebra.store(), 0));
        let sets = sets.map_err(|halt| ResumeError::Engine(stopped(&algebra, halt)))?;
        algebra.store_mut().expect_results();
        Ok((algebra, sets))
    }
}

/// The error of a checkpoint whose contents cannot be.
pub(super) fn unusable(file: &Path, field: &str) -> CheckpointError {
    ResumeError::File(TableError::corrupt(file, field))
}
