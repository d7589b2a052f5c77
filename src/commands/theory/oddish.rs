//! `phutbase theory oddish`: Theorem 1, Lemma 2 and the strategy of the proof, size by size.

use super::super::Common;
use super::super::output::{CommandError, Count, grouped, json_line, stdout};
use super::{in_range, watched};
use clap::Args;
use phutbase::games::oddish::MIN_SQUARES;
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::theory::oddish::{Lemma2, PlayedOut, Theorem1, lemma_2, play_out, theorem_1};
use serde::Serialize;
use std::io::Write;

/// The largest board that the dense engine takes.
const MAX_SQUARES: usize = MAX_DENSE_LENGTH - 1;

#[derive(Args)]
pub struct Arguments {
    /// Every board from 2 to M squares
    #[arg(long, value_name = "M")]
    max_squares: usize,
    /// Check Lemma 2 up to this many squares
    #[arg(long, value_name = "M", default_value_t = 18)]
    lemma_squares: usize,
    /// Play out the strategy of the proof up to this many squares
    #[arg(long, value_name = "M", default_value_t = 14)]
    strategy_squares: usize,
}

#[derive(Serialize)]
struct Line {
    squares: usize,
    positions: Count,
    wins: Count,
    losses: Count,
    draws: Count,
    longest: usize,
    mismatches: Count,
    /// `null` where Lemma 2 was not checked.
    lemma_2: Option<LemmaLine>,
    /// `null` where the strategy was not played out.
    strategy: Option<StrategyLine>,
}

/// Where Lemma 2 applies, and where each of its parts fails.
#[derive(Serialize)]
struct LemmaLine {
    zero: Count,
    fails_i: Count,
    positive: Count,
    fails_ii: Count,
    fails_iii: Count,
}

/// What the theorem gives to Left with either player to move, what the strategy wins of it, the longest game.
#[derive(Serialize)]
struct StrategyLine {
    given: Count,
    won: Count,
    longest: u32,
}

pub fn run(arguments: &Arguments, common: &Common, memory: Option<u64>) -> Result<(), CommandError> {
    in_range("max-squares", arguments.max_squares, MIN_SQUARES, MAX_SQUARES)?;
    let mut out = stdout();
    let mut failed = Vec::new();
    for squares in MIN_SQUARES..=arguments.max_squares {
        let (theorem, lemma, played) = watched(format!("{squares} squares"), memory, |watch| {
            let theorem = theorem_1(squares, watch)?;
            let lemma = (squares <= arguments.lemma_squares).then(|| lemma_2(squares));
            let played = (squares <= arguments.strategy_squares).then(|| play_out(squares));
            Ok((theorem, lemma.flatten(), played.flatten()))
        })?;
        let fine = theorem.mismatches.total() == 0
            && theorem.draws == 0
            && lemma.is_none_or(|lemma| lemma.holds())
            && played.is_none_or(|played| played.won == played.given);
        if !fine {
            failed.push(squares.to_string());
        }
        if common.json {
            json_line(&mut out, &line(&theorem, lemma, played))?;
        } else {
            print(&mut out, &theorem, lemma, played)?;
        }
        out.flush()?;
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Failure(format!(
            "the claims about Oddish Phutball fail at {} squares",
            failed.join(", ")
        ))),
    }
}

fn line(theorem: &Theorem1, lemma: Option<Lemma2>, played: Option<PlayedOut>) -> Line {
    let count = |number: u64| Count(number.into());
    Line {
        squares: theorem.squares,
        positions: count(theorem.positions),
        wins: count(theorem.wins),
        losses: count(theorem.losses),
        draws: count(theorem.draws),
        longest: theorem.longest,
        mismatches: count(theorem.mismatches.total()),
        lemma_2: lemma.map(|lemma| LemmaLine {
            zero: count(lemma.zero),
            fails_i: count(lemma.no_winning_jump),
            positive: count(lemma.positive),
            fails_ii: count(lemma.no_placement),
            fails_iii: count(lemma.far_jump),
        }),
        strategy: played.map(|played| StrategyLine {
            given: count(played.given),
            won: count(played.won),
            longest: played.longest,
        }),
    }
}

fn print(
    out: &mut impl Write,
    theorem: &Theorem1,
    lemma: Option<Lemma2>,
    played: Option<PlayedOut>,
) -> Result<(), CommandError> {
    write!(
        out,
        "{:>2} squares: {} positions, {} wins, {} losses, {} draws, longest {}; Theorem 1 wrong on {}",
        theorem.squares,
        grouped(theorem.positions.into()),
        grouped(theorem.wins.into()),
        grouped(theorem.losses.into()),
        grouped(theorem.draws.into()),
        theorem.longest,
        grouped(theorem.mismatches.total().into()),
    )?;
    if let Some(lemma) = lemma {
        write!(
            out,
            "; Lemma 2 (i), (ii), (iii) wrong on {}, {}, {}",
            grouped(lemma.no_winning_jump.into()),
            grouped(lemma.no_placement.into()),
            grouped(lemma.far_jump.into()),
        )?;
    }
    if let Some(played) = played {
        write!(
            out,
            "; strategy wins {} of {}, at most {} plies",
            grouped(played.won.into()),
            grouped(played.given.into()),
            played.longest
        )?;
    }
    writeln!(out)?;
    Ok(())
}
