//! What can be wrong with a table: the file, the field, the value. What to do about it is for the command to say.

use super::container::VERSION;
use super::places::Places;
use crate::games::boards::Boards;
use crate::games::pitch::TooManyJumps;
use crate::games::rules::Rules;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table cannot be written, opened or asked.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refused.
    #[error("{}: cannot {doing}: {source}", file.display())]
    Io {
        /// The file or directory.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// Something else than a file of this program.
    #[error("{}: not a phutbase file (no regular file that begins with the magic bytes)", .0.display())]
    NotATable(PathBuf),
    /// A file of another format version.
    #[error("{}: format version {found}; this program reads version {VERSION}", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
    },
    /// A file that holds something else than its name says.
    #[error("{}: {field} is {found}, expected {expected}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The field.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// A checksum or a bound does not hold.
    #[error("{}: damaged: {field}", file.display())]
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        field: String,
    },
    /// An operation would take more memory or work than it may.
    #[error("{}: {reason}", file.display())]
    Limit {
        /// The file.
        file: PathBuf,
        /// What is too much, with numbers where there are some.
        reason: String,
    },
    /// No table holds these boards.
    #[error("no table {}holds {}{} in {places}", if *depths { "with depths " } else { "" }, boards.words(), rules.remark())]
    Missing {
        /// The boards.
        boards: Boards,
        /// The rules by which they are played.
        rules: Rules,
        /// Whether the question was about depths.
        depths: bool,
        /// The places that were searched.
        places: Places,
    },
    /// Another process is at work in the directory.
    #[error("{}: another phutbase writes tables there", .0.display())]
    Busy(PathBuf),
    /// The turns of a position on a pitch are too many.
    #[error(transparent)]
    TooManyJumps(#[from] TooManyJumps),
}

impl TableError {
    /// The error of a file whose contents cannot be.
    pub fn corrupt(file: &Path, field: impl Into<String>) -> TableError {
        let (file, field) = (file.to_path_buf(), field.into());
        TableError::Corrupt { file, field }
    }

    /// The error of an operation that takes more work or memory than a file of its size warrants.
    pub fn unwieldy(file: &Path) -> TableError {
        TableError::Limit {
            file: file.to_path_buf(),
            reason: "more work or memory than a file of its size warrants".to_string(),
        }
    }

    /// Whether the file itself is at fault, so that the same table at another place may serve.
    pub fn is_damage(&self) -> bool {
        match self {
            TableError::Io { .. }
            | TableError::NotATable(_)
            | TableError::Version { .. }
            | TableError::Foreign { .. }
            | TableError::Corrupt { .. } => true,
            TableError::Limit { .. }
            | TableError::Missing { .. }
            | TableError::Busy(_)
            | TableError::TooManyJumps(_) => false,
        }
    }
}

/// Refuses a file that holds something else than it should.
pub(crate) fn expect_same<T: PartialEq + Display>(
    file: &Path,
    field: &'static str,
    found: T,
    expected: T,
) -> Result<(), TableError> {
    if found == expected {
        return Ok(());
    }
    Err(TableError::Foreign {
        file: file.to_path_buf(),
        field,
        found: found.to_string(),
        expected: expected.to_string(),
    })
}

/// Names the file and the attempt in an I/O error.
pub(crate) fn io_error(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> TableError {
    move |source| TableError::Io {
        file: file.to_path_buf(),
        doing,
        source,
    }
}

/// Why work cannot go on from a checkpoint: something is wrong with the file, or the engine cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError<E: std::error::Error> {
    /// The file cannot be read, is damaged, or is something else.
    #[error(transparent)]
    File(#[from] TableError),
    /// The engine has no room.
    #[error(transparent)]
    Engine(E),
}
