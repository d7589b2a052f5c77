//! `phutbase theory replace`: another word around the ball, on every board that Left wins.

use super::super::Common;
use super::held_strips;
use super::tempo::ask_in_order;
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::outcome::Side;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::Strip;
use phutbase_table::{Metric, StripTable};
use phutbase_terminal::output::{CommandError, expect_none, print_result};
use phutbase_theory::replace::{Compared, Replacement, compare};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory replace '.o@' '@o.' 3..64
  phutbase theory replace o@ .@ 24          the stone next to the ball does not help Left
  phutbase theory replace '|....' '|o...'   the same at the left end, whatever follows
  phutbase theory replace o@. .o@ 3..12 --limit 1 --json")]
pub struct Arguments {
    /// Squares around the ball, such as '.o@'; with '|' in front at the left end only
    pattern: String,
    /// As many squares in their place
    replacement: String,
    /// Strips [default: every length that a table holds]
    boards: Option<Boards>,
    /// Show at most K exceptions for each player to move
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let replacement = Replacement::parse(&arguments.pattern, &arguments.replacement)
        .map_err(|error| CommandError::Usage(error.0))?;
    let tables = common.tables()?;
    let mut failed = Vec::new();
    for length in held_strips("theory replace", arguments.boards.as_ref(), &tables)? {
        let question = |table: &StripTable| {
            let sets = table.sets(length)?;
            let of_side = |side| compare(&sets, &replacement, side, arguments.limit);
            let found = [of_side(Side::Left)?, of_side(Side::Right)?];
            Ok((found, table.path().display().to_string()))
        };
        // Only the last two sets matter, and a table of winners has no others.
        let (found, file) = ask_in_order(&tables, length, [Metric::Wdl, Metric::Levels], question)?;
        let holds = found.iter().all(|found| found.exceptions.bits() == 0);
        if !holds {
            failed.push(length.to_string());
        }
        let words = words(length, &found);
        let [left_to_move, right_to_move] = found.map(|found| {
            object! {
                /// Boards that Left wins and that the other word turns into a board.
                wins: Count(found.wins),
                /// Those of them that he does not win with the other word.
                exceptions: Count(found.exceptions),
                /// The first of them.
                examples: found.first.iter().map(Strip::to_string).collect::<Vec<_>>(),
            }
        });
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            pattern: &arguments.pattern,
            replacement: &arguments.replacement,
            holds: holds,
            left_to_move: left_to_move,
            right_to_move: right_to_move,
            file: file,
        };
        print_result(common.json, &object, |out| writeln!(out, "{words}"))?;
    }
    expect_none(&failed, ", ", |failed| {
        CommandError::Failure(format!("it fails at {failed} squares"))
    })
}

fn words(length: usize, [left, right]: &[Compared; 2]) -> String {
    let lost = |found: &Compared| format!("{} of {}", grouped(&found.exceptions), grouped(&found.wins));
    let mut words = format!(
        "length {length:>3}: wins that are lost: {} with Left to move, {} with Right",
        lost(left),
        lost(right)
    );
    for board in left.first.iter().chain(&right.first) {
        words += &format!("\n  {board}");
    }
    words
}
