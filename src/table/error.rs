//! What can be wrong with a table, with the file, the field and the way out.

use super::places::Places;
use crate::games::pitch::{Shape, TooManyJumps};
use crate::games::rules::Rules;
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
    #[error("{}: not a phutbase file (no ordinary file that begins with the magic bytes); move it out of the tables directory, or delete it", file.display())]
    NotATable {
        /// The file.
        file: PathBuf,
    },
    /// A format that this program does not know yet.
    #[error("{}: format version {found}, but this program reads up to {supported}: use a newer phutbase, or delete the file and generate it again", file.display())]
    NewerVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
        /// The newest version known.
        supported: u16,
    },
    /// A format of before.
    #[error("{}: format version {found}, but this program reads version {supported}: delete it and generate it again", file.display())]
    OlderVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: u16,
        /// The version that is read.
        supported: u16,
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
    #[error("{}: too many nodes, or positions of one depth, for the diagram layout: nothing was written", file.display())]
    TooLarge {
        /// The file that was to be written.
        file: PathBuf,
    },
    /// What is asked of a table would take more work than a file of its size is worth.
    #[error("{}: looking through its values takes more time or memory than a file of its size warrants; delete it and generate it again (a strip with --layout diagram)", file.display())]
    Unwieldy {
        /// The file.
        file: PathBuf,
    },
    /// Going through all of a table takes more memory than the system gives.
    #[error("{}: going through its positions takes {needed} bytes of memory, more than the system gives", file.display())]
    Memory {
        /// The file.
        file: PathBuf,
        /// Bytes needed.
        needed: u64,
    },
    /// Another process is at work in the directory.
    #[error("another phutbase is generating tables in '{}': wait for it, or choose another directory with --tables", directory.display())]
    Busy {
        /// The directory.
        directory: PathBuf,
    },
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
    #[error("{}: a strip of more than {} squares, or games of more than 255 plies: values are not handed out all at once", file.display(), super::MAX_DENSE_LENGTH)]
    TooDeep {
        /// The file.
        file: PathBuf,
    },
    /// A block that the table does not have.
    #[error("a table for length {length} has no block with ball square {ball} and high pattern {high}")]
    NoSuchBlock {
        /// The table's length.
        length: usize,
        /// The ball square asked for.
        ball: usize,
        /// The high pattern asked for.
        high: u64,
    },
    /// A position that the table does not hold.
    #[error("a strip of {found} squares was looked up in the table for length {expected}")]
    OtherLength {
        /// The position's length.
        found: usize,
        /// The table's length.
        expected: usize,
    },
    /// A position of another game.
    #[error("a position under the {found} rules was looked up in a table under the {expected} ones")]
    OtherRules {
        /// The position's rules.
        found: Rules,
        /// The table's rules.
        expected: Rules,
    },
    /// A position that the table of a pitch does not hold.
    #[error("a {found} position was looked up in the table of the {expected} pitch")]
    OtherShape {
        /// The position's shape.
        found: Shape,
        /// The table's shape.
        expected: Shape,
    },
    /// The turns of a position on a pitch are too many.
    #[error(transparent)]
    TooManyJumps(#[from] TooManyJumps),
}

impl TableError {
    /// Refuses a position under other rules than those of the table.
    ///
    /// # Errors
    /// [`TableError::OtherRules`].
    pub(crate) fn unless_under(expected: Rules, found: Rules) -> Result<(), TableError> {
        match found == expected {
            true => Ok(()),
            false => Err(TableError::OtherRules { found, expected }),
        }
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
