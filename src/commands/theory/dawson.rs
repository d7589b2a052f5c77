//! `phutbase theory dawson`: Obstruction on a single row, with its period proved.

use clap::Args;
use phutbase_ask::BoardsLabel;
use phutbase_base::digits::grouped;
use phutbase_base::object;
use phutbase_nimbers::octal::{OctalGame, Period};
use phutbase_rules::obstruction::MAX_ROW_LENGTH;
use phutbase_terminal::{CommandError, GlobalOptions, in_range, json_line, stdout};
use std::io::Write;

/// An upper bound; the proof needs fewer terms.
const TERMS: usize = 1 << 12;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory dawson   rows of up to 100 squares
  phutbase theory dawson --max 1000
  phutbase theory dawson --max 100 --json")]
pub struct Arguments {
    /// Print the rows of 0 to N squares
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = in_range::<0, MAX_ROW_LENGTH>)]
    max: usize,
}

pub fn run(arguments: &Arguments, common: &GlobalOptions) -> Result<(), CommandError> {
    let max = arguments.max;
    let period = Period::find(OctalGame::DAWSONS_CHESS, TERMS)
        .ok_or_else(|| CommandError::Failure(format!("{TERMS} terms of 0.137 prove no period")))?;
    let mut out = stdout();
    if common.json {
        json_line(
            &mut out,
            &object! {
                #[serde(flatten)]
                label: BoardsLabel::all_obstruction(),
                /// The number of a row among the octal games.
                octal: "0.137",
                period: period.period(),
                preperiod: period.preperiod(),
                exceptions: period.exceptions(),
                /// Number of terms computed from the rules, which prove the period.
                terms: period.terms_needed(),
            },
        )?;
        for length in 0..=max {
            let (position, nimber) = (format!("obstruction:1x{length}"), period.nimber(length).0);
            json_line(
                &mut out,
                &object! { game: "obstruction", position: position, nimber: nimber },
            )?;
        }
    } else {
        print(&mut out, &period, max)?;
    }
    Ok(out.flush()?)
}

/// Prints a line for each period, so that columns repeat.
fn print(out: &mut impl Write, period: &Period, max: usize) -> Result<(), CommandError> {
    let exceptions: Vec<String> = period.exceptions().iter().map(usize::to_string).collect();
    writeln!(
        out,
        "1 x n is the octal game 0.137. Period {} from n = {} on, proved by the first {} terms; exceptions to the period: n = {}\n",
        period.period(),
        period.preperiod(),
        period.terms_needed(),
        exceptions.join(", ")
    )?;
    let width = grouped(max as u128).len();
    for start in (0..=max).step_by(period.period()) {
        write!(out, "{:>width$}:", grouped(start as u128))?;
        for length in start..=max.min(start + period.period() - 1) {
            write!(out, " {}", period.nimber(length))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
