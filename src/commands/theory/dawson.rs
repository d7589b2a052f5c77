//! `phutbase theory dawson`: Obstruction on a single row, with its period proved; in misère play the winners, as far as they are computed.

use super::Common;
use crate::commands::interrupt;
use crate::commands::output::{CommandError, grouped, json_line, stdout};
use clap::Args;
use phutbase::games::obstruction::MAX_ROW_LENGTH;
use phutbase::solve::nimbers::NimberLimits;
use phutbase::solve::nimbers::misere_rows::{MAX_MISERE_ROW, MisereRows};
use phutbase::solve::nimbers::octal::{OctalGame, Period};
use serde::Serialize;
use std::io::Write;

/// More terms than the proof needs; the search for it ends long before.
const TERMS: usize = 1 << 12;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory dawson                                    rows of up to 100 squares
  phutbase theory dawson --max 1000
  phutbase theory dawson --max 100 --json
  phutbase theory dawson --misere --max 30                  who wins if who cannot move wins")]
pub struct Arguments {
    /// Print the rows of 0 to N squares [default: 100; 40 with --misere]
    #[arg(long, value_name = "N")]
    max: Option<usize>,
    /// Who cannot move wins: the winners, by searching all that play can lead to
    #[arg(long)]
    misere: bool,
}

impl Arguments {
    /// The longest row, if it is not too long.
    fn max(&self, default: usize, most: usize) -> Result<usize, CommandError> {
        match self.max.unwrap_or(default) {
            max if max > most => Err(CommandError::Usage(format!(
                "--max {max}: rows of up to {most} squares are possible"
            ))),
            max => Ok(max),
        }
    }
}

#[derive(Serialize)]
struct Theorem {
    game: &'static str,
    /// The game's number among the octal games.
    octal: &'static str,
    period: usize,
    preperiod: usize,
    exceptions: Vec<usize>,
    /// The rows 0 … this − 1 were computed from the rules, and prove the period.
    terms: usize,
}

#[derive(Serialize)]
struct Row {
    length: usize,
    nimber: u8,
}

#[derive(Serialize)]
struct MisereRow {
    length: usize,
    winner: &'static str,
    /// The positions that were searched for this row and all before it.
    positions: usize,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if arguments.misere {
        return misere(arguments.max(40, MAX_MISERE_ROW)?, common);
    }
    let max = arguments.max(100, MAX_ROW_LENGTH)?;
    let period = Period::find(OctalGame::DAWSONS_CHESS, TERMS)
        .ok_or_else(|| CommandError::Failure(format!("{TERMS} terms of 0.137 prove no period")))?;
    let mut out = stdout();
    if common.json {
        json_line(&mut out, &theorem(&period))?;
        for length in 0..=max {
            let nimber = period.nimber(length).0;
            json_line(&mut out, &Row { length, nimber })?;
        }
    } else {
        print(&mut out, &period, max)?;
    }
    Ok(out.flush()?)
}

fn theorem(period: &Period) -> Theorem {
    Theorem {
        game: "obstruction",
        octal: "0.137",
        period: period.period(),
        preperiod: period.preperiod(),
        exceptions: period.exceptions(),
        terms: period.terms_needed(),
    }
}

/// A line for each period, so that what repeats stands in columns.
fn print(out: &mut impl Write, period: &Period, max: usize) -> Result<(), CommandError> {
    let theorem = theorem(period);
    let exceptions: Vec<String> = theorem.exceptions.iter().map(usize::to_string).collect();
    writeln!(
        out,
        "1 x n is the octal game {}. Period {} from n = {} on, proved by the first {} terms; exceptions to the period: n = {}\n",
        theorem.octal,
        theorem.period,
        theorem.preperiod,
        theorem.terms,
        exceptions.join(", ")
    )?;
    let width = grouped(max as u128).len();
    for start in (0..=max).step_by(theorem.period) {
        write!(out, "{:>width$}:", grouped(start as u128))?;
        for length in start..=max.min(start + theorem.period - 1) {
            write!(out, " {}", period.nimber(length))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The winners in misère play, row by row.
fn misere(max: usize, common: &Common) -> Result<(), CommandError> {
    let limits = NimberLimits {
        stop: Some(interrupt::flag("stopping")),
        deadline: None,
    };
    let mut rows = MisereRows::default();
    let mut winners = Vec::new();
    let mut out = stdout();
    for length in 0..=max {
        let wins = (rows.wins(&[length as u8], limits)).map_err(CommandError::failure)?;
        winners.push(wins);
        if common.json {
            let winner = if wins { "first" } else { "second" };
            json_line(
                &mut out,
                &MisereRow {
                    length,
                    winner,
                    positions: rows.positions(),
                },
            )?;
        }
    }
    if !common.json {
        let lost: Vec<String> = (0..=max)
            .filter(|&length| !winners[length])
            .map(|length| length.to_string())
            .collect();
        let period = match period(&winners) {
            Some((period, from)) => format!(
                "period {period} from n = {from} on, as far as computed: nothing is proved of longer rows"
            ),
            None => "no period shows, as far as computed".to_string(),
        };
        writeln!(
            out,
            "1 x n if who cannot move wins, n = 0 to {max}: {} positions were searched",
            grouped(rows.positions() as u128)
        )?;
        writeln!(
            out,
            "the second player wins at n = {}, the first at all others; {period}",
            lost.join(", ")
        )?;
    }
    Ok(out.flush()?)
}

/// The least period of the winners, with the place where it begins, if the second half of the rows has it three times.
fn period(winners: &[bool]) -> Option<(usize, usize)> {
    (1..=winners.len() / 6).find_map(|period| {
        let repeats =
            |&from: &usize| (from..winners.len() - period).all(|n| winners[n] == winners[n + period]);
        Some((period, (0..=winners.len() / 2).find(repeats)?))
    })
}
