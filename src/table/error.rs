//! What can be wrong with a table, with the file, the field and the way out.

use super::container::VERSION;
use super::header::Header;
use super::places::Places;
use crate::games::pitch::{Shape, TooManyJumps};
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
    /// The file is something else.
    #[error("{}: not a phutbase file (no ordinary file that begins with the magic bytes); move it out of the tables directory, or delete it", .0.display())]
    NotATable(PathBuf),
    /// A format that this program does not know yet.
    #[error("{}: format version {found}, but this program reads up to {VERSION}: use a newer phutbase, or delete the file and generate it again", file.display())]
    NewerVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
    },
    /// A format of before.
    #[error("{}: format version {found}, but this program reads version {VERSION}: delete it and generate it again", file.display())]
    OlderVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
    },
    /// Another table than its name or the question says.
    #[error("{}: {field} is {found}, expected {expected}: the file is not what its name says; delete it and generate it again", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The header field.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// Bytes are missing or too many.
    #[error("{}: {found} bytes long, its header says {expected}: the file was cut short or added to; delete it and generate it again", file.display())]
    WrongSize {
        /// The file.
        file: PathBuf,
        /// Its size in bytes.
        found: u64,
        /// The size in its header.
        expected: u64,
    },
    /// A checksum or a bound does not hold.
    #[error("{}: damaged: {field}; delete it and generate it again", file.display())]
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What was found wrong.
        field: String,
    },
    /// More nodes, or more positions of one depth, than the format has numbers for.
    #[error("{}: too many nodes, or positions of one depth, for the diagram layout: nothing was written", .0.display())]
    TooLarge(PathBuf),
    /// What is asked of a table would take more work than a file of its size is worth.
    #[error("{}: looking through its values takes more time or memory than a file of its size warrants; delete it and generate it again (a strip with --layout diagram)", file.display())]
    Unwieldy {
        /// The file.
        file: PathBuf,
    },
    /// Going through all of a table takes more memory than there is.
    #[error("{}: going through its positions takes {needed} bytes of memory and {available} may be used: free some, or allow more (--memory, of a pitch)", file.display())]
    Memory {
        /// The file.
        file: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes that may be used.
        available: u64,
    },
    /// Another process is at work in the directory.
    #[error("another phutbase is generating tables in '{}': wait for it, or choose another directory with --tables", .0.display())]
    Busy(PathBuf),
    /// No table for this length.
    #[error("no table for length {length}{} in {places}; make it with: {}", rules.remark(), generate_command(*rules, *length, places))]
    Missing {
        /// Whose rules.
        rules: Rules,
        /// The length.
        length: usize,
        /// Where it was looked for.
        places: Places,
    },
    /// A table with depths is needed, and only win/loss/draw is there.
    #[error("only a wdl table for length {length}{} in {places}, which has no depths; {}", rules.remark(), depths_command(*rules, *length, places))]
    NoDepths {
        /// Whose rules.
        rules: Rules,
        /// The length.
        length: usize,
        /// Where it was looked for.
        places: Places,
    },
    /// No table for this pitch.
    #[error("no table for a {shape} pitch{} in {places}; {}", rules.remark(), pitch_command(*rules, *shape, places))]
    MissingPitch {
        /// Whose rules.
        rules: Rules,
        /// The shape.
        shape: Shape,
        /// Where it was looked for.
        places: Places,
    },
    /// Games, or strips, too long for values that are handed out all at once.
    #[error("{}: a strip of more than {} squares, or games of more than 255 plies: values are not handed out all at once", .0.display(), super::MAX_DENSE_LENGTH)]
    TooDeep(PathBuf),
    /// A position or a block that the table does not hold, in words.
    #[error("{0}")]
    NotHeld(String),
    /// The turns of a position on a pitch are too many.
    #[error(transparent)]
    TooManyJumps(#[from] TooManyJumps),
}

impl TableError {
    /// Refuses a position under other rules than those of the table.
    ///
    /// # Errors
    /// [`TableError::NotHeld`].
    pub(crate) fn unless_under(expected: Rules, found: Rules) -> Result<(), TableError> {
        match found == expected {
            true => Ok(()),
            false => Err(TableError::NotHeld(format!(
                "a position under the {found} rules was looked up in a table under the {expected} ones"
            ))),
        }
    }

    /// Refuses a strip of another length, or under other rules, than those of the table.
    ///
    /// # Errors
    /// [`TableError::NotHeld`].
    pub(crate) fn unless_of(header: &Header, length: usize, rules: Rules) -> Result<(), TableError> {
        TableError::unless_under(header.rules, rules)?;
        match header.length == length {
            true => Ok(()),
            false => Err(TableError::NotHeld(format!(
                "a strip of {length} squares was looked up in the table for length {}",
                header.length
            ))),
        }
    }

    /// Refuses a file that says something else of itself than it should.
    ///
    /// # Errors
    /// [`TableError::Foreign`].
    pub(crate) fn unless_same<T: PartialEq + Display>(
        file: &Path,
        field: &'static str,
        found: T,
        expected: T,
    ) -> Result<(), TableError> {
        match found == expected {
            true => Ok(()),
            false => Err(TableError::Foreign {
                file: file.to_path_buf(),
                field,
                found: found.to_string(),
                expected: expected.to_string(),
            }),
        }
    }

    /// The error that something in a file is not as it must be.
    pub fn corrupt(file: &Path, field: &str) -> TableError {
        let (file, field) = (file.to_path_buf(), field.to_string());
        TableError::Corrupt { file, field }
    }

    /// The error that looking through a file takes more than it warrants.
    pub fn unwieldy(file: &Path) -> TableError {
        let file = file.to_path_buf();
        TableError::Unwieldy { file }
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

/// The longest strips whose depths are made without being asked for; beyond, they take days.
const LONGEST_WITH_DEPTHS: usize = 40;

/// The largest pitches that are solved in the memory of an ordinary machine, in points.
const POINTS_IN_MEMORY: usize = 28;
/// The largest that are solved at all in reasonable time.
const POINTS_ON_DISK: usize = 32;

/// The command that makes a missing table.
fn generate_command(rules: Rules, length: usize, places: &Places) -> String {
    let metric = match length > LONGEST_WITH_DEPTHS {
        true => " --metric wdl",
        false => "",
    };
    format!(
        "phutbase generate {length}{metric}{}{}",
        rules.option(),
        places.option()
    )
}

/// How to come by depths.
fn depths_command(rules: Rules, length: usize, places: &Places) -> String {
    let options = format!("{}{}", rules.option(), places.option());
    let command = format!("phutbase generate {length} --metric dtw{options}");
    match length > LONGEST_WITH_DEPTHS {
        true => format!("depths of so many squares take days: {command}"),
        false => format!("make them with: {command}"),
    }
}

/// How to learn something of a pitch without a table.
fn pitch_command(rules: Rules, shape: Shape, places: &Places) -> String {
    let (points, option) = (shape.points(), rules.option().to_string() + &places.option());
    if points <= POINTS_IN_MEMORY {
        format!("make it with: phutbase generate {shape}{option}")
    } else if points <= POINTS_ON_DISK {
        format!(
            "make it, in hours and on a large disk, with: phutbase generate {shape} --scratch DIR{option}"
        )
    } else if rules == Rules::Directional {
        format!("{points} points are too many for one")
    } else {
        format!(
            "{points} points are too many for one; that a position is a draw or a win may be proved by: phutbase certify POSITION --out FILE"
        )
    }
}

/// Names the file and the deed in an I/O error.
pub(crate) fn io_error(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> TableError {
    move |source| TableError::Io {
        file: file.to_path_buf(),
        doing,
        source,
    }
}
