//! `phutbase theory proper`: Law N, checked by the tables.

use super::super::options::memory_size;
use super::super::output::{CommandError, Count, expect_none, grouped, no_tables, object};
use super::tempo::ask_in_order;
use super::{Runner, of_length, strips};
use crate::answer::BoardsLabel;
use crate::games::boards::Boards;
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH, Strip};
use crate::job::Job;
use crate::table::{Metric, StripTable};
use crate::theory::proper::exceptions;
use crate::verify::inclusion::turns::TurnKind;
use clap::Args;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory proper               every length that a table holds
  phutbase theory proper 3..64
  phutbase theory proper 144 --json")]
pub struct Arguments {
    /// Strips [default: every length that a table holds]
    boards: Option<Boards>,
    /// Show at most K of the boards that contradict the law
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let tables = runner.common.tables()?;
    let lengths = match &arguments.boards {
        Some(boards) => strips("theory proper", boards, MAX_LENGTH)?,
        None => MIN_LENGTH..=(tables.longest_strips(false)).ok_or_else(|| no_tables(&tables))?,
    };
    let mut failed = Vec::new();
    let answer = |length, job: &Job| {
        let question = |table: &StripTable| {
            let found = exceptions(&table.sets(length)?, &TurnKind::PROPER, arguments.limit, job)?;
            Ok((found, table.path().display().to_string()))
        };
        // Only the last two sets matter, and a table of winners has no others.
        let order = [Metric::Wdl, Metric::Levels];
        let (found, file) = ask_in_order(&tables, length, order, question)?;
        let holds = found.count.bits() == 0;
        let mut words = format!("length {length:>3}: ");
        if holds {
            words += "holds";
        } else {
            failed.push(length.to_string());
            let count = grouped(&found.count);
            words += &format!("boards that Left wins, but not by a proper turn: {count}");
            for board in &found.first {
                words += &format!("\n  {board}");
            }
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            holds: holds,
            /// Boards that Left wins with Left to move, but not by a proper turn.
            exceptions: Count(found.count),
            /// The first of them.
            examples: found.first.iter().map(Strip::to_string).collect::<Vec<_>>(),
            file: file,
        };
        Ok((object, words))
    };
    runner.each(lengths, of_length, answer)?;
    expect_none(&failed, ", ", |failed| {
        CommandError::Failure(format!("it fails at lengths {failed}"))
    })
}
