//! Errors of tables: what is wrong with a file, where a table was looked for, limits of work.

#![allow(missing_docs)]

use super::advice::with_way_out;
use super::{SearchPath, TableId};
use phutbase_base::fault::{Fault, Kind};
use phutbase_base::job::Stopped;
use phutbase_files::error::FileError;
use phutbase_rules::pitch::TooManyJumps;
use phutbase_rules::{Boards, Rules};
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// Why a table could not be written, opened or probed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TableError {
    /// The file is faulty.
    File(#[from] FileError),
    /// An operation would take more memory or work than it may.
    Limit {
        file: PathBuf,
        /// The exceeded limit, with numbers where they are known.
        reason: String,
    },
    /// No table holds the requested boards.
    Missing {
        boards: Boards,
        rules: Rules,
        /// True if depths were requested.
        depths: bool,
        places: SearchPath,
    },
    /// Another process is writing to the directory.
    Busy(PathBuf),
    /// The position on a pitch has too many turns.
    TooManyJumps(#[from] TooManyJumps),
    /// The job was stopped.
    Stopped(#[from] Stopped),
}

impl Fault for TableError {
    fn kind(&self) -> Kind<'_> {
        match self {
            TableError::Missing { .. } => Kind::Failure,
            TableError::Stopped(error) => Kind::Of(error),
            _ => Kind::System,
        }
    }

    fn message(&self) -> String {
        with_way_out(self)
    }
}

impl Display for TableError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.render(f, |file| file.display().to_string(), ToString::to_string)
    }
}

/// Displays the error for clients of the server: it names table files but no directories.
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
    /// Writes the error, with `name` applied to each file or directory and to the searched places.
    fn render(
        &self,
        f: &mut Formatter<'_>,
        name: impl Fn(&Path) -> String,
        searched: impl Fn(&SearchPath) -> String,
    ) -> fmt::Result {
        match self {
            TableError::File(error) => error.render(f, name),
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
            TableError::Stopped(stopped) => stopped.fmt(f),
        }
    }

    /// Returns an error for a file with invalid contents.
    pub fn corrupt(file: &Path, field: impl Into<String>) -> TableError {
        FileError::corrupt(file, field).into()
    }

    /// Returns an error for an operation that exceeds the limit derived from the file's size.
    pub fn unwieldy(file: &Path) -> TableError {
        TableError::Limit {
            file: file.to_path_buf(),
            reason: "more work or memory than a file of its size warrants".to_string(),
        }
    }
}
