//! Checkpoints: the state of a solver between two steps, in a file.
//!
//! The state consists of some sets, stored in a [container](phutbase_files::container) in the layout
//! of [`Portable`], and of the [`Progress`].

use super::SymbolicError;
use super::algebra::Algebra;
use super::portable::{Malformed, Portable};
use super::state::Progress;
use super::store::{Id, Store, SymbolicLimits};
use super::{new_algebra, stopped};
use bincode::{Decode, Encode};
use phutbase_base::job::Job;
use phutbase_files::container::FileKind;
use phutbase_files::container::read::Container;
use phutbase_files::container::write::write_file;
use phutbase_files::error::{FileError, ResumeError, expect_same};
use phutbase_rules::rules::Rules;
use std::path::Path;

/// Why work could not resume from a checkpoint.
pub type CheckpointError = ResumeError<SymbolicError>;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct CheckpointMetadata {
    /// Name of the solver.
    solver: String,
    /// The number of squares.
    length: u16,
    /// The progress of winners; of depths the sets tell it.
    progress: Progress,
}

/// A solver between two steps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Saved {
    metadata: CheckpointMetadata,
    sets: Portable,
}

impl Saved {
    /// Copies the state of a solver.
    pub fn new(solver: &str, progress: Progress, store: &Store, roots: &[Id]) -> Saved {
        Saved {
            metadata: CheckpointMetadata {
                solver: solver.to_string(),
                length: store.length() as u16,
                progress,
            },
            sets: Portable::of(store, roots),
        }
    }

    /// Writes the state, replacing `file`.
    ///
    /// # Errors
    /// The previous file is then unchanged, or replaced by the complete new one if only flushing the
    /// directory failed.
    pub fn write(&self, file: &Path) -> Result<(), FileError> {
        let (nodes, roots) = self.sets.to_bytes();
        write_file(file, (FileKind::SymbolicCheckpoint, Rules::Ordinary), |out| {
            out.section("nodes", nodes)?;
            out.section("roots", &roots)?;
            Ok(self.metadata.clone())
        })
    }

    /// Reads a checkpoint of the given solver and length.
    pub fn read(file: &Path, solver: &str, length: usize) -> Result<Saved, FileError> {
        let container = Container::open(file)?;
        let metadata: CheckpointMetadata = container.metadata(FileKind::SymbolicCheckpoint)?;
        let words = |solver: &str, length: usize| format!("{solver} of length {length}");
        let found = words(&metadata.solver, metadata.length.into());
        expect_same(file, "the work", found, words(solver, length))?;
        let [nodes, roots] = container.sections(["nodes", "roots"])?;
        let sets = Portable::from_bytes(&container.section(nodes)?, &container.section(roots)?)
            .and_then(|sets| sets.check(length).map(|()| sets))
            .map_err(|Malformed| FileError::corrupt(file, "a node has an invalid position"))?;
        Ok(Saved { metadata, sets })
    }

    /// Restores the nodes until `job` is stopped, and returns the sets.
    pub fn restore(&self, limits: SymbolicLimits, job: &Job) -> Result<(Algebra, Vec<Id>), CheckpointError> {
        // The loop below fails if the job is stopped.
        let _ = job.note("restoring the checkpoint");
        let mut algebra = new_algebra(self.metadata.length.into(), limits).map_err(ResumeError::Engine)?;
        algebra.store_mut().watch(job.clone());
        let sets = algebra.growing(|algebra| self.sets.make(algebra.store()));
        let sets = sets.map_err(|halt| ResumeError::Engine(stopped(&algebra, halt)))?;
        algebra.store_mut().expect_results();
        Ok((algebra, sets))
    }

    /// Returns the progress of winners.
    pub fn into_progress(self) -> Progress {
        self.metadata.progress
    }
}

/// Returns an error for a checkpoint with invalid contents.
pub(super) fn unusable(file: &Path, field: &str) -> CheckpointError {
    ResumeError::File(FileError::corrupt(file, field))
}
