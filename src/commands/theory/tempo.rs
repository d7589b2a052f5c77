//! `phutbase theory tempo`, `theory ends` and `theory chain`: what a move and the ends of the strip are worth, and whether half strips form
//! chains. Answered from the tables, for every length that one holds.

use super::super::Common;
use super::super::output::{CommandError, no_tables, tell, unheeded};
use super::strips;
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH};
use crate::table::error::TableError;
use crate::table::strip::StripTable;
use crate::theory::chain::{Crossing, crossing};
use crate::theory::tempo::{Exception, ends, move_hurts};
use clap::Args;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// Strips [default: every length that a table holds]
    boards: Option<Boards>,
}

pub const TEMPO_EXAMPLES: &str = "Examples:
  phutbase theory tempo               every length that a table holds
  phutbase theory tempo 3..48
  phutbase theory tempo 64 --json";

pub const ENDS_EXAMPLES: &str = "Examples:
  phutbase theory ends                every length that a table holds
  phutbase theory ends 5..48
  phutbase theory ends 64 --json";

pub const CHAIN_EXAMPLES: &str = "Examples:
  phutbase theory chain               every length that a table holds
  phutbase theory chain 3..48
  phutbase theory chain 64 --json";

#[derive(Serialize)]
struct Line {
    length: usize,
    /// Whether the statement holds.
    holds: bool,
    /// What contradicts it.
    example: Option<String>,
    file: String,
}

/// Whether having the move ever hurts, level by level.
pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let question = |table: &StripTable, length| {
        let found = move_hurts(&table.sets(length)?)?;
        Ok(found.map(|Exception { level, board, .. }| {
            format!("level {level}: Left loses '{board}' by having the move")
        }))
    };
    let statement = "having the move never hurts";
    ask("tempo", arguments, MIN_LENGTH, statement, common, question)
}

/// Whether the ends of the strip are worth what Lemmas 1 and 2 say, level by level.
pub fn run_ends(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let question = |table: &StripTable, length| {
        let found = ends(table, length)?;
        Ok(found.map(
            |Exception {
                 statement,
                 level,
                 board,
             }| format!("level {level}: '{board}' contradicts: {statement}"),
        ))
    };
    let statement =
        "a stone on an end changes nothing; squares in front keep a win, and so does cutting the last one";
    ask("ends", arguments, MIN_LENGTH + 2, statement, common, question)
}

/// Whether of the right halves that two left halves win against, one set contains the other.
pub fn run_chain(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let question = |table: &StripTable, length| {
        let found = crossing(&table.sets(length)?)?;
        Ok(found.map(|Crossing { won, not_won }| {
            format!(
                "no chain: Left wins '{}' and '{}', but not '{}' and '{}'",
                won[0], won[1], not_won[0], not_won[1]
            )
        }))
    };
    let statement = "of what two half strips beat, one contains the other";
    ask("chain", arguments, MIN_LENGTH, statement, common, question)
}

/// Asks a question about every length, of the table that says most about it; an exception makes the statement fail.
fn ask(
    verb: &str,
    arguments: &Arguments,
    shortest: usize,
    statement: &str,
    common: &Common,
    question: impl Fn(&StripTable, usize) -> Result<Option<String>, TableError>,
) -> Result<(), CommandError> {
    let tables = common.tablebase(Rules::Ordinary, common.places_named())?;
    let lengths = match &arguments.boards {
        Some(boards) => strips(verb, boards, MAX_LENGTH)?,
        None => shortest..=(tables.longest_strips(false)).ok_or_else(|| no_tables(tables.places()))?,
    };
    if *lengths.start() < shortest {
        let message = format!("theory {verb} takes strips of at least {shortest} squares");
        return Err(CommandError::Usage(message));
    }
    let mut failed = Vec::new();
    for length in lengths {
        // Levels of forward play say more than depths here.
        let question =
            |table: &StripTable| Ok((question(table, length)?, table.path().display().to_string()));
        let answer = match tables.ask_levels(length, question) {
            Err(TableError::Missing { .. }) => tables.ask(length, question),
            answer => answer,
        };
        let (example, file) = answer?;
        let line = Line {
            length,
            holds: example.is_none(),
            example,
            file,
        };
        if !line.holds {
            failed.push(length.to_string());
        }
        tell(unheeded(), common.json, &line, |out| {
            let words = line.example.as_deref().unwrap_or(statement);
            writeln!(out, "length {length:>3}: {words}")
        })?;
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Failure(format!(
            "it fails at lengths {}",
            failed.join(", ")
        ))),
    }
}
