//! `phutbase theory oddish`: GN Theorem 1, GN Lemma 2 and the strategy of the proof, size by size.
//! Small boards are solved position by position, larger ones by sets of positions.

use super::{Runner, in_range, not_for};
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_rules::{Boards, Rules};
use phutbase_terminal::options::memory_size;
use phutbase_terminal::output::{CommandError, expect_none};
use phutbase_theory::oddish::sets;
use phutbase_theory::oddish::{
    MAX_LEMMA_SQUARES, MAX_SOLVED_SQUARES, MAX_STRATEGY_SQUARES, lemma_2, play_out, theorem_1,
};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory oddish oddish:2..18
  phutbase theory oddish oddish:2..120 --solved-squares 0   by sets
  phutbase theory oddish oddish:16 --json")]
pub struct Arguments {
    /// Boards of Oddish Phutball
    #[arg(default_value = "oddish:2..18")]
    boards: Boards,
    /// Solve every position up to this many squares; larger boards are checked by sets of positions
    #[arg(long, value_name = "M", default_value_t = 14)]
    solved_squares: usize,
    /// Check GN Lemma 2 up to this many squares
    #[arg(long, value_name = "M", default_value_t = 18)]
    lemma_squares: usize,
    /// Play out the strategy of the proof up to this many squares
    #[arg(long, value_name = "M", default_value_t = 14)]
    strategy_squares: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let squares = match &arguments.boards {
        Boards::Oddish(squares) => squares.clone(),
        other => return Err(not_for("theory oddish", other, "boards such as oddish:2..18")),
    };
    in_range("solved-squares", arguments.solved_squares, 0, MAX_SOLVED_SQUARES)?;
    in_range("lemma-squares", arguments.lemma_squares, 0, MAX_LEMMA_SQUARES)?;
    in_range(
        "strategy-squares",
        arguments.strategy_squares,
        0,
        MAX_STRATEGY_SQUARES,
    )?;
    let mut failed = Vec::new();
    let answer = |squares, job: &Job| {
        let theorem = if squares <= arguments.solved_squares {
            theorem_1(squares, job)?
        } else {
            sets::check(squares, job)?
        };
        let lemma = (squares <= arguments.lemma_squares).then(|| lemma_2(squares));
        let played = (squares <= arguments.strategy_squares).then(|| play_out(squares));
        let (lemma_2, strategy) = (lemma.flatten(), played.flatten());
        let holds = theorem.holds()
            && lemma_2.is_none_or(|lemma| lemma.holds())
            && strategy.is_none_or(|played| played.won == played.given);
        if !holds {
            failed.push(squares.to_string());
        }
        let mut words = format!(
            "{squares:>2} squares: {} positions, {} wins, {} losses, {} draws",
            grouped(theorem.positions.0),
            grouped(theorem.wins.0),
            grouped(theorem.losses.0),
            grouped(theorem.draws.0),
        );
        if let Some(longest) = theorem.longest {
            words += &format!(", longest {longest}");
        }
        let (mismatches, checked) = (grouped(theorem.mismatches.0), &theorem.checked);
        words += &format!("; GN Theorem 1 wrong on {mismatches}, checked by {checked}");
        if let Some(lemma) = &lemma_2 {
            words += &format!(
                "; GN Lemma 2 (i), (ii), (iii) wrong on {}, {}, {}",
                grouped(lemma.no_winning_jump),
                grouped(lemma.no_placement),
                grouped(lemma.far_jump),
            );
        }
        if let Some(played) = &strategy {
            let (won, given) = (grouped(played.won), grouped(played.given));
            words += &format!(
                "; strategy wins {won} of {given}, at most {} plies",
                played.longest
            );
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::new(&Boards::Oddish(squares..=squares), Rules::Ordinary),
            #[serde(flatten)]
            theorem: theorem,
            /// Null if GN Lemma 2 was not checked.
            lemma_2: lemma_2,
            /// Null if the strategy was not replayed.
            strategy: strategy,
        };
        Ok((object, words))
    };
    runner.each(squares, |squares| format!("{squares} squares"), answer)?;
    expect_none(&failed, ", ", |failed| {
        CommandError::Failure(format!(
            "the claims about Oddish Phutball fail at {failed} squares"
        ))
    })
}
