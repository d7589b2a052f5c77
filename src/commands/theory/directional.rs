//! `phutbase theory directional`: the potential that decides directional Phutball on strips.

use super::{Runner, in_range, of_length, strips};
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_rules::strip::{MAX_LENGTH, StripGame, positions};
use phutbase_rules::{Boards, Rules};
use phutbase_terminal::output::CommandError;
use phutbase_theory::directional::count::{Halves, limit, wins};
use phutbase_theory::directional::{MAX_SOLVED_SQUARES, compare};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory directional       every position of 3 to 18 squares
  phutbase theory directional 128   counts only
  phutbase theory directional 3..12 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..18")]
    boards: Boards,
    /// Compare the potential with the reference solver on strips of at most N squares
    #[arg(long, value_name = "N", default_value_t = 18)]
    solved_squares: usize,
}

/// Counts the wins by the potential, and compares it with the reference solver.
pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let lengths = strips("theory directional", &arguments.boards, MAX_LENGTH)?;
    in_range("solved-squares", arguments.solved_squares, 0, MAX_SOLVED_SQUARES)?;
    let halves: Vec<_> = Halves::default().take(*lengths.end() - 2).collect();
    let mut wrong = 0;
    let answer = |length: usize, _: &Job| {
        let all = positions(length);
        let wins = wins(length, &halves);
        let (values, turns) = (length <= arguments.solved_squares)
            .then(|| StripGame::new(length))
            .flatten()
            .map(|game| compare(&game.under(Rules::Directional)))
            .unzip();
        wrong += values.unwrap_or(0) + turns.unwrap_or(0);
        let losses = all - &wins;
        let compared = match (values, turns) {
            (Some(values), Some(turns)) => {
                format!("; against the reference solver {values} wrong values, {turns} wrong turns")
            }
            _ => String::new(),
        };
        let words = format!(
            "length {length:>3}, Left to move: {} wins, {} losses{compared}",
            grouped(&wins),
            grouped(&losses)
        );
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::new(&Boards::strip(length), Rules::Directional),
            /// Predicted wins, with Left to move.
            wins: Count(wins),
            losses: Count(losses),
            /// Positions on which the reference solver disagrees, Left to move; null if not run.
            wrong_values: values,
            /// Positions whose claimed winning turn does not win.
            wrong_turns: turns,
        };
        Ok((object, words))
    };
    runner.each(lengths, of_length, answer)?;
    let limit = limit();
    runner.print_result(
        &object! { limit: limit },
        &format!("share of wins in the limit: {limit:.14}"),
    )?;
    match wrong {
        0 => Ok(()),
        _ => Err(CommandError::Failure(format!(
            "the potential is wrong {wrong} times"
        ))),
    }
}
