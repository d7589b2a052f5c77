//! `phutbase theory proper`: Law N, checked by the tables.

use super::tempo::ask_in_order;
use super::{Runner, held_strips, in_range, of_length};
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::Strip;
use phutbase_table::{Metric, StripTable};
use phutbase_terminal::options::memory_size;
use phutbase_terminal::output::{CommandError, expect_none};
use phutbase_theory::proper::exceptions;
use phutbase_verify::inclusion::turns::TurnKind;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory proper                   every length that a table holds
  phutbase theory proper 3..64
  phutbase theory proper 22 --backward 6   short backward jumps are needed
  phutbase theory proper 144 --json")]
pub struct Arguments {
    /// Strips [default: every length that a table holds]
    boards: Option<Boards>,
    /// Count forward jumps of at least K squares only, 3 to 5, and those that win
    #[arg(long, value_name = "K", default_value_t = 3)]
    forward: usize,
    /// Count backward jumps of at least K squares only, 3 to 6
    #[arg(long, value_name = "K", default_value_t = 3)]
    backward: usize,
    /// Show at most K of the boards that contradict the law
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let Arguments {
        forward, backward, ..
    } = *arguments;
    in_range("forward", forward, 3, 5)?;
    in_range("backward", backward, 3, 6)?;
    let kinds = [
        TurnKind::PlaceRight,
        TurnKind::proper_right(forward).expect("at most 5 squares"),
        TurnKind::proper_left(backward).expect("at most 6 squares"),
    ];
    let turn = if kinds == TurnKind::PROPER {
        "a proper turn"
    } else {
        "a stone in front of the ball, a jump this long, or a win at once"
    };
    let tables = runner.common.tables()?;
    let lengths = held_strips("theory proper", arguments.boards.as_ref(), &tables)?;
    let mut failed = Vec::new();
    let answer = |length, job: &Job| {
        let question = |table: &StripTable| {
            let found = exceptions(&table.sets(length)?, &kinds, arguments.limit, job)?;
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
            words += &format!("boards that Left wins, but not by {turn}: {count}");
            for board in &found.first {
                words += &format!("\n  {board}");
            }
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            /// The least lengths of jumps that count; a jump that wins always does.
            forward: forward,
            backward: backward,
            holds: holds,
            /// Boards that Left wins with Left to move, but by no such turn.
            exceptions: Count(found.count),
            /// The first of them.
            examples: found.first.iter().map(Strip::to_string).collect::<Vec<_>>(),
            file: file,
        };
        Ok((object, words))
    };
    runner.each(lengths, of_length, answer)?;
    expect_none(&failed, ", ", |failed| {
        CommandError::Failure(format!("it fails at {failed} squares"))
    })
}
