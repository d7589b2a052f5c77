//! Advice for missing and unusable tables.

use super::places::{Role, SearchPath, TableDirectory};
use super::{MAX_LENGTH_WITH_DEPTHS, Metric, POINTS_IN_MEMORY, TableError, TableId};
use phutbase_files::FileError;
use phutbase_files::container::VERSION;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_rules::{Boards, Rules, Shape};
use std::path::Path;

/// Maximum length of strips whose depths are computed in seconds.
const MAX_QUICK_LENGTH: usize = 28;
/// Maximum points of a pitch that is solved in reasonable time.
const POINTS_ON_DISK: usize = 32;

/// The error with the command that helps, if there is one.
pub(super) fn with_way_out(error: &TableError) -> String {
    let way_out = match error {
        TableError::File(FileError::NotATable(_)) => {
            Some("move it out of the directory of tables, or delete it".to_string())
        }
        TableError::File(FileError::Version { found, .. }) if *found > VERSION => {
            Some("use a newer phutbase, or delete the file".to_string())
        }
        TableError::File(FileError::Foreign { file, .. }) => true_name(file).or_else(|| again(file)),
        TableError::File(FileError::Version { file, .. } | FileError::Corrupt { file, .. }) => again(file),
        TableError::Missing {
            boards,
            rules,
            depths,
            places,
        } => missing(boards, *rules, *depths, places),
        TableError::Busy(_) => {
            Some("wait for it to finish, or name another directory with --tables".to_string())
        }
        TableError::File(FileError::Io { .. })
        | TableError::Limit { .. }
        | TableError::TooManyJumps(_)
        | TableError::Stopped(_) => None,
    };
    way_out.map_or(error.to_string(), |way_out| format!("{error}; {way_out}"))
}

/// The options for the rules and for the directory that the user named, each with a blank
/// before it.
pub fn options(rules: Rules, places: &SearchPath) -> String {
    format!("{}{}", rules_option(rules), option(places))
}

fn rules_option(rules: Rules) -> &'static str {
    match rules {
        Rules::Ordinary => "",
        Rules::Directional => " --rules directional",
    }
}

/// The option for the directory that the user named, with a blank before it.
pub fn option(places: &SearchPath) -> String {
    match places.directories().first() {
        Some(TableDirectory {
            role: Role::Named,
            directory,
        }) => named(directory),
        _ => String::new(),
    }
}

fn named(directory: &Path) -> String {
    // Quoted for a shell, with quotes in the name escaped.
    format!(
        " --tables '{}'",
        directory.display().to_string().replace('\'', r"'\''")
    )
}

/// Advises to rename a table that has the name of another.
fn true_name(file: &Path) -> Option<String> {
    let id = TableId::of_file(file).ok()?;
    let name = id.to_string();
    (file.file_name()?.to_str()? != name).then(|| format!("rename it to '{name}'"))
}

fn again(file: &Path) -> Option<String> {
    let id: TableId = file.file_name()?.to_str()?.parse().ok()?;
    let boards = match id {
        TableId::Strip(metric, length) => format!("{length} --metric {metric}"),
        TableId::Pitch(_, shape) => shape.to_string(),
        TableId::Nimbers => "obstruction:8x8".to_string(),
    };
    let directory = (file.parent())
        .filter(|directory| !directory.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Some(format!(
        "delete it and make it again with: phutbase generate {boards}{}{}",
        rules_option(id.rules()),
        named(directory)
    ))
}

fn missing(boards: &Boards, rules: Rules, depths: bool, places: &SearchPath) -> Option<String> {
    let option = options(rules, places);
    match boards {
        Boards::Strips(lengths) => {
            let length = *lengths.end();
            // Without depths a table of who wins suffices, which takes less time.
            let (metric, most) = if depths || length <= MAX_QUICK_LENGTH {
                (Metric::Dtw, MAX_LENGTH_WITH_DEPTHS)
            } else {
                (Metric::Wdl, MAX_LENGTH)
            };
            let command = format!("phutbase generate {length} --metric {metric}{option}");
            (length <= most).then(|| format!("make one with: {command}"))
        }
        Boards::Pitch(shape) => Some(pitch(*shape, rules, &option)),
        Boards::Obstruction(_) | Boards::Oddish(_) => None,
    }
}

fn pitch(shape: Shape, rules: Rules, option: &str) -> String {
    let points = shape.points();
    if points <= POINTS_IN_MEMORY {
        format!("make one with: phutbase generate {shape}{option}")
    } else if points <= POINTS_ON_DISK {
        format!(
            "make one, in hours and on a large disk, with: phutbase generate {shape} --scratch DIR{option}"
        )
    } else {
        let certify = match rules {
            Rules::Ordinary => "; prove a draw or a win with: phutbase certify POSITION --out FILE",
            Rules::Directional => "",
        };
        format!("a table of {points} points is too large{certify}")
    }
}
