//! What to do about a table that is missing or cannot be used.

use crate::games::boards::Boards;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::table::Metric;
use crate::table::container::VERSION;
use crate::table::error::TableError;
use crate::table::id::TableId;
use crate::table::places::{Place, Places, Role};
use std::path::Path;

/// The longest strips whose depths are made in hours.
const LONGEST_WITH_DEPTHS: usize = 44;
/// The largest pitches that are solved in the memory of an ordinary machine, in points.
const POINTS_IN_MEMORY: usize = 28;
/// The largest pitches that are solved in reasonable time, in points.
const POINTS_ON_DISK: usize = 32;

/// An error with the command that helps, if there is one.
pub fn with_way_out(error: &TableError) -> String {
    let way_out = match error {
        TableError::NotATable(_) => Some("move it out of the directory of tables, or delete it".to_string()),
        TableError::Version { found, .. } if *found > VERSION => {
            Some("use a newer phutbase, or delete the file".to_string())
        }
        TableError::Version { file, .. }
        | TableError::Foreign { file, .. }
        | TableError::Corrupt { file, .. } => again(file),
        TableError::Missing {
            boards,
            rules,
            depths,
            places,
        } => missing(boards, *rules, *depths, places),
        TableError::Busy(_) => Some("wait for it, or name another directory with --tables".to_string()),
        TableError::Io { .. } | TableError::Limit { .. } | TableError::TooManyJumps(_) => None,
    };
    way_out.map_or(error.to_string(), |way_out| format!("{error}; {way_out}"))
}

/// The option that makes a command use the directory that the user named, with a blank before it.
pub fn option(places: &Places) -> String {
    match places.directories().first() {
        Some(Place {
            role: Role::Named,
            directory,
        }) => named(directory),
        _ => String::new(),
    }
}

fn named(directory: &Path) -> String {
    // Quoted for a shell, with any quote in the name.
    format!(
        " --tables '{}'",
        directory.display().to_string().replace('\'', r"'\''")
    )
}

/// How to make the table of a file again.
fn again(file: &Path) -> Option<String> {
    let id: TableId = file.file_name()?.to_str()?.parse().ok()?;
    let boards = match id {
        TableId::Strip(_, metric, length) => format!("{length} --metric {metric}"),
        TableId::Pitch(_, shape) => shape.to_string(),
        TableId::Nimbers => "obstruction:8x8".to_string(),
    };
    let option = file.parent().map_or(String::new(), named);
    Some(format!(
        "delete it and make it again with: phutbase generate {boards}{}{option}",
        id.rules().option()
    ))
}

/// How to make a table that is missing.
fn missing(boards: &Boards, rules: Rules, depths: bool, places: &Places) -> Option<String> {
    let option = format!("{}{}", rules.option(), option(places));
    match boards {
        Boards::Strips(lengths) => {
            let length = *lengths.end();
            let far = length > LONGEST_WITH_DEPTHS;
            let metric = if far && !depths { Metric::Wdl } else { Metric::Dtw };
            let command = format!("phutbase generate {length} --metric {metric}{option}");
            Some(match far && depths {
                true => format!("depths of so many squares take days: {command}"),
                false => format!("make one with: {command}"),
            })
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
    } else if rules == Rules::Directional {
        format!("{points} points are too many for one")
    } else {
        format!(
            "{points} points are too many for one; prove a draw or a win with: phutbase certify POSITION --out FILE"
        )
    }
}
