//! Errors of files: the file, the field and the value.

use crate::container::VERSION;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A fault of a file: a copy elsewhere may serve.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FileError {
    /// A system call failed.
    Io {
        /// The file.
        file: PathBuf,
        /// The attempted operation.
        doing: &'static str,
        /// The system's error.
        source: Arc<io::Error>,
    },
    /// Not a file in phutbase's format.
    NotATable(PathBuf),
    /// A file of another format version.
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
    },
    /// A file whose contents differ from what was expected, such as another kind or other rules.
    Foreign {
        /// The file.
        file: PathBuf,
        /// The property.
        field: &'static str,
        /// That of the file.
        found: String,
        /// The expected one.
        expected: String,
    },
    /// A failed checksum or a value out of range.
    Corrupt {
        /// The file.
        file: PathBuf,
        /// The part.
        field: String,
    },
}

impl Display for FileError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.render(f, |file| file.display().to_string())
    }
}

impl FileError {
    /// Returns an error for a file with invalid contents.
    pub fn corrupt(file: &Path, field: impl Into<String>) -> FileError {
        let (file, field) = (file.to_path_buf(), field.into());
        FileError::Corrupt { file, field }
    }

    /// Writes the error, with `name` applied to the file.
    pub fn render(&self, f: &mut Formatter<'_>, name: impl Fn(&Path) -> String) -> fmt::Result {
        match self {
            FileError::Io { file, doing, source } => write!(f, "{}: cannot {doing}: {source}", name(file)),
            FileError::NotATable(file) => {
                let reason = "not a phutbase file (no regular file that begins with the magic bytes)";
                write!(f, "{}: {reason}", name(file))
            }
            FileError::Version { file, found } => {
                let file = name(file);
                write!(
                    f,
                    "{file}: format version {found}; this program reads version {VERSION}"
                )
            }
            FileError::Foreign {
                file,
                field,
                found,
                expected,
            } => write!(f, "{}: {field} is {found}, expected {expected}", name(file)),
            FileError::Corrupt { file, field } => write!(f, "{}: damaged: {field}", name(file)),
        }
    }
}

/// Returns an error if a property of a file differs from the expected one.
pub fn expect_same<T: PartialEq + Display>(
    file: &Path,
    field: &'static str,
    found: T,
    expected: T,
) -> Result<(), FileError> {
    if found == expected {
        return Ok(());
    }
    Err(FileError::Foreign {
        file: file.to_path_buf(),
        field,
        found: found.to_string(),
        expected: expected.to_string(),
    })
}

/// Adds the file and the attempted operation to an I/O error.
pub fn io_error(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Io {
        file: file.to_path_buf(),
        doing,
        source: Arc::new(source),
    }
}

/// Why work could not resume from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError<E: std::error::Error> {
    /// The checkpoint is faulty.
    #[error(transparent)]
    File(#[from] FileError),
    /// The engine cannot hold its contents, or was stopped.
    #[error(transparent)]
    Engine(E),
}
