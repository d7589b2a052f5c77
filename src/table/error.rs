//! What can be wrong with a table: the file, the field, the value. What to do about it is for the command to say.

use super::container::VERSION;
use super::id::TableId;
use super::places::Places;
use crate::games::boards::Boards;
use crate::games::pitch::TooManyJumps;
use crate::games::rules::Rules;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

/// Why a table cannot be written, opened or asked.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refused.
    Io {
        /// The file or directory.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// Something else than a file of this program.
    NotATable(PathBuf),
    /// A file of another format version.
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
    },
    /// A file that holds something else than its name says.
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
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        field: String,
    },
    /// An operation would take more memory or work than it may.
    Limit {
        /// The file.
        file: PathBuf,
        /// What is too much, with numbers where there are some.
        reason: String,
    },
    /// No table holds these boards.
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
    Busy(PathBuf),
    /// The turns of a position on a pitch are too many.
    TooManyJumps(#[from] TooManyJumps),
}

impl Display for TableError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.render(f, |file| file.display().to_string(), ToString::to_string)
    }
}

/// The same error for readers who may not learn the directories: it names the files of tables, and no other place.
pub struct WithoutPlaces<'a>(pub &'a TableError);

impl Display for WithoutPlaces<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let anonymous = "the server's tables";
        let table = |file: &Path| {
            let name = file.file_name().and_then(|name| name.to_str());
            let name = name.filter(|name| name.parse::<TableId>().is_ok());
            name.unwrap_or(anonymous).to_string()
        };
        self.0.render(f, table, |_| anonymous.to_string())
    }
}

impl TableError {
    /// Writes the error with names for its file or directory and for the places that were searched.
    fn render(
        &self,
        f: &mut Formatter<'_>,
        name: impl Fn(&Path) -> String,
        searched: impl Fn(&Places) -> String,
    ) -> fmt::Result {
        match self {
            TableError::Io { file, doing, source } => write!(f, "{}: cannot {doing}: {source}", name(file)),
            TableError::NotATable(file) => {
                let reason = "not a phutbase file (no regular file that begins with the magic bytes)";
                write!(f, "{}: {reason}", name(file))
            }
            TableError::Version { file, found } => {
                let file = name(file);
                write!(
                    f,
                    "{file}: format version {found}; this program reads version {VERSION}"
                )
            }
            TableError::Foreign {
                file,
                field,
                found,
                expected,
            } => write!(f, "{}: {field} is {found}, expected {expected}", name(file)),
            TableError::Corrupt { file, field } => write!(f, "{}: damaged: {field}", name(file)),
            TableError::Limit { file, reason } => write!(f, "{}: {reason}", name(file)),
            TableError::Missing {
                boards,
                rules,
                depths,
                places,
            } => {
                let depths = if *depths { "with depths " } else { "" };
                let (boards, rules) = (boards.words(), rules.remark());
                write!(
                    f,
                    "no table {depths}holds {boards}{rules} in {}",
                    searched(places)
                )
            }
            TableError::Busy(directory) => {
                write!(f, "{}: another phutbase writes tables there", name(directory))
            }
            TableError::TooManyJumps(error) => error.fmt(f),
        }
    }

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
