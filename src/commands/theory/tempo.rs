//! `phutbase theory tempo`: does having the move ever hurt? Read off the tables, up to the longest.

use super::super::Common;
use super::super::output::{CommandError, no_tables, tell, unheeded};
use super::strips;
use clap::Args;
use phutbase::games::boards::Boards;
use phutbase::games::strip::MAX_LENGTH;
use phutbase::table::any::Table;
use phutbase::table::directory::Tablebase;
use phutbase::theory::tempo::move_hurts;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory tempo               every length that has a table of diagrams
  phutbase theory tempo 3..48
  phutbase theory tempo 64 --json")]
pub struct Arguments {
    /// Strips [default: every length that has a table of diagrams]
    boards: Option<Boards>,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    /// Whether having the move never hurts.
    holds: bool,
    /// A board that is lost with the move and won without it.
    example: Option<String>,
    file: String,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let boards = arguments.boards.clone().unwrap_or(Boards::Strips(3..=MAX_LENGTH));
    let lengths = strips("tempo", &boards, MAX_LENGTH)?;
    let tablebase = Tablebase::search(common.places_named())?;
    let (mut asked, mut failed) = (0, Vec::new());
    let there = tablebase
        .contents()
        .filter(|(length, _)| lengths.contains(length));
    let mut last = None;
    for (length, metric) in there {
        let Some(Table::Diagram(table)) = tablebase.table(length, metric)? else {
            continue;
        };
        // Depths and who wins say the same.
        if last.replace(length) == Some(length) {
            continue;
        }
        asked += 1;
        let found = move_hurts(table).map_err(|_| {
            CommandError::Failure(format!("length {length}: more nodes than can be numbered"))
        })?;
        let line = Line {
            length,
            holds: found.is_none(),
            example: found.map(|strip| strip.to_string()),
            file: table.path().display().to_string(),
        };
        if !line.holds {
            failed.push(length.to_string());
        }
        tell(unheeded(), common.json, &line, |out| match &line.example {
            None => Ok(writeln!(out, "length {length:>3}: having the move never hurts")?),
            Some(board) => Ok(writeln!(
                out,
                "length {length:>3}: Left loses '{board}' by having the move"
            )?),
        })?;
    }
    match (asked, failed.is_empty()) {
        (0, _) => Err(no_tables(tablebase.places())),
        (_, true) => Ok(()),
        (_, false) => Err(CommandError::Failure(format!(
            "having the move hurts at lengths {}",
            failed.join(", ")
        ))),
    }
}
