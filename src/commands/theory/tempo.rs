//! `phutbase theory tempo`, `theory forward-value` and `theory chain`: the worth of a move, Theorems
//! F and T', and chains of half strips; answered for every length of the tables.

use super::super::Common;
use super::held_strips;
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_rules::boards::Boards;
use phutbase_table::{Metric, StripTable, TableError, Tablebase};
use phutbase_terminal::output::{CommandError, expect_none, print_result};
use phutbase_theory::chain::{Crossing, crossing};
use phutbase_theory::forward_value::{against_cutting, against_forward};
use phutbase_theory::tempo::{Exception, move_hurts};

#[derive(Args)]
pub struct Arguments {
    /// Strips [default: every length that a table holds]
    boards: Option<Boards>,
}

pub const TEMPO_EXAMPLES: &str = "Examples:
  phutbase theory tempo               every length that a table holds
  phutbase theory tempo 3..48
  phutbase theory tempo 64 --json";

pub const FORWARD_VALUE_EXAMPLES: &str = "Examples:
  phutbase theory forward-value       every length that a table holds
  phutbase theory forward-value 3..48
  phutbase theory forward-value 64 --json";

pub const CHAIN_EXAMPLES: &str = "Examples:
  phutbase theory chain               every length that a table holds
  phutbase theory chain 3..48
  phutbase theory chain 64 --json";

/// Checks that having the move never hurts, level by level.
pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let question = |table: &StripTable, length| {
        let found = move_hurts(&table.sets(length)?)?;
        Ok(found.map(|Exception { level, board, .. }| {
            format!("level {level}: Left loses '{board}' by having the move")
        }))
    };
    let statement = "having the move never hurts";
    ask("tempo", arguments, statement, common, question)
}

/// Checks Theorems F and T' on every board, level by level.
pub fn run_forward_value(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let question = |table: &StripTable, length| {
        let found = match against_forward(table, length)? {
            None => against_cutting(table, length)?,
            found => found,
        };
        Ok(found.map(
            |Exception {
                 statement,
                 level,
                 board,
             }| format!("level {level}: '{board}' contradicts: {statement}"),
        ))
    };
    let statement = "forward values up to the potential win with forward turns; closed ends change nothing";
    ask("forward-value", arguments, statement, common, question)
}

/// Checks that the sets of right halves beaten by two left halves are nested.
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
    let statement = "the sets of half strips beaten by two half strips are nested";
    ask("chain", arguments, statement, common, question)
}

/// Asks a table of one length: of these metrics, the first that has one, and else of any metric.
pub(super) fn ask_in_order<'t, A>(
    tables: &'t Tablebase,
    length: usize,
    metrics: [Metric; 2],
    question: impl Fn(&'t StripTable) -> Result<A, TableError>,
) -> Result<A, TableError> {
    for metric in metrics {
        let answer = tables.ask_strips(length, Some(metric), &question);
        if !matches!(answer, Err(TableError::Missing { .. })) {
            return answer;
        }
    }
    tables.ask_strips(length, None, question)
}

/// Asks a question about every length, of its most detailed table; an exception is a failure.
fn ask(
    verb: &str,
    arguments: &Arguments,
    statement: &str,
    common: &Common,
    question: impl Fn(&StripTable, usize) -> Result<Option<String>, TableError>,
) -> Result<(), CommandError> {
    let tables = common.tables()?;
    let mut failed = Vec::new();
    for length in held_strips(&format!("theory {verb}"), arguments.boards.as_ref(), &tables)? {
        // Levels of forward play are more detailed here, and sets of plies are larger.
        let question =
            |table: &StripTable| Ok((question(table, length)?, table.path().display().to_string()));
        let order = [Metric::Levels, Metric::Wdl];
        let (exception, file) = ask_in_order(&tables, length, order, question)?;
        let words = exception.clone().unwrap_or(statement.to_string());
        if exception.is_some() {
            failed.push(length.to_string());
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            holds: exception.is_none(),
            exception: exception,
            file: file,
        };
        print_result(common.json, &object, |out| {
            writeln!(out, "length {length:>3}: {words}")
        })?;
    }
    expect_none(&failed, ", ", |failed| {
        CommandError::Failure(format!("it fails at {failed} squares"))
    })
}
