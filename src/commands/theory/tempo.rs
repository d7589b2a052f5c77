//! `phutbase theory tempo` and `phutbase theory chain`: does having the move ever hurt, and do half strips form chains? Read off the
//! tables, up to the longest.

use super::super::Common;
use super::super::output::{CommandError, no_tables, tell, unheeded};
use super::strips;
use clap::Args;
use phutbase::diagram::graph::TooLarge;
use phutbase::games::boards::Boards;
use phutbase::games::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase::table::any::Table;
use phutbase::table::diagram::DiagramTable;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::theory::chain::{Crossing, crossing};
use phutbase::theory::tempo::move_hurts;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// Strips [default: every length that has a table of diagrams]
    boards: Option<Boards>,
}

pub const TEMPO_EXAMPLES: &str = "Examples:
  phutbase theory tempo               every length that has a table of diagrams
  phutbase theory tempo 3..48
  phutbase theory tempo 64 --json";

pub const CHAIN_EXAMPLES: &str = "Examples:
  phutbase theory chain               every length that has a table of diagrams
  phutbase theory chain 3..48
  phutbase theory chain 64 --json";

#[derive(Serialize)]
struct Line {
    length: usize,
    /// Whether the statement holds.
    holds: bool,
    /// A board that is lost with the move and won without it; or where the halves form no chain.
    example: Option<String>,
    file: String,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    ask(
        "tempo",
        arguments.boards.as_ref(),
        "having the move never hurts",
        common,
        |table| {
            let found = move_hurts(table).map_err(|TooLarge| TableError::unwieldy(table.path()))?;
            Ok(found.map(|strip| format!("Left loses '{strip}' by having the move")))
        },
    )
}

pub fn run_chain(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let words = "of what two half strips beat, one contains the other";
    ask("chain", arguments.boards.as_ref(), words, common, |table| {
        let found = crossing(table).map_err(|TooLarge| TableError::unwieldy(table.path()))?;
        Ok(found.map(|Crossing { won, not_won }| {
            format!(
                "no chain: Left wins '{}' and '{}', but not '{}' and '{}'",
                won[0], won[1], not_won[0], not_won[1]
            )
        }))
    })
}

/// Asks the diagrams of every length that has some; an exception makes the statement fail.
fn ask(
    verb: &str,
    boards: Option<&Boards>,
    statement: &str,
    common: &Common,
    exception: impl Fn(&DiagramTable) -> Result<Option<String>, TableError>,
) -> Result<(), CommandError> {
    let boards = boards.cloned().unwrap_or(Boards::Strips(MIN_LENGTH..=MAX_LENGTH));
    let lengths = strips(verb, &boards, MAX_LENGTH)?;
    let tablebase = Tablebase::search(common.places_named())?;
    let (mut asked, mut failed) = (0, Vec::new());
    let there = tablebase
        .contents()
        .filter(|(length, _)| lengths.contains(length));
    let mut last = None;
    for (length, metric) in there {
        // Depths and who wins say the same.
        if last == Some(length) {
            continue;
        }
        let Some(Table::Diagram(table)) = tablebase.table(length, metric)? else {
            continue;
        };
        last = Some(length);
        asked += 1;
        let example = exception(table)?;
        let line = Line {
            length,
            holds: example.is_none(),
            example,
            file: table.path().display().to_string(),
        };
        if !line.holds {
            failed.push(length.to_string());
        }
        tell(unheeded(), common.json, &line, |out| {
            let words = line.example.as_deref().unwrap_or(statement);
            writeln!(out, "length {length:>3}: {words}")
        })?;
    }
    match (asked, failed.is_empty()) {
        (0, _) => Err(no_tables(tablebase.places())),
        (_, true) => Ok(()),
        (_, false) => Err(CommandError::Failure(format!(
            "it fails at lengths {}",
            failed.join(", ")
        ))),
    }
}
