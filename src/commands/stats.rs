//! `phutbase stats`: counts, longest wins and depths of the tables.

use super::Common;
use super::output::{CommandError, grouped, json_line, no_tables, stdout};
use clap::Args;
use phutbase::answer::stats::StripStats;
use phutbase::games::pitch::Shape;
use phutbase::generate::plan::human_bytes;
use phutbase::table::directory::Tablebase;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// This length only, with its depths [default: every length that has a table]
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// This pitch only, with its depths
    #[arg(long, value_name = "RxC", conflicts_with = "length")]
    pitch: Option<Shape>,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if let Some(shape) = arguments.pitch {
        return super::pitch::stats::run(&[shape], common);
    }
    let tablebase = Tablebase::open(&common.tables)?;
    let lengths = match arguments.length {
        Some(length) => vec![length],
        None => tablebase.lengths(),
    };
    let pitches = match arguments.length {
        Some(_) => Vec::new(),
        None => tablebase.shapes(),
    };
    if lengths.is_empty() && !pitches.is_empty() {
        return super::pitch::stats::run(&pitches, common);
    }
    if lengths.is_empty() {
        return Err(no_tables(&common.tables));
    }
    let mut out = stdout();
    if !common.json {
        writeln!(
            out,
            "{:>6}  {:>18}  {:>18}  {:>18}  {:>6}  {:>6}  {:>8}  {:>10}",
            "length", "positions", "wins", "losses", "draws", "mutual", "longest", "size"
        )?;
    }
    let mut damaged: Vec<String> = Vec::new();
    for length in lengths {
        // One that is damaged does not keep the others from being told.
        let line = match tablebase.best(length) {
            Ok(table) => StripStats::new(table),
            Err(error) if arguments.length.is_none() => {
                damaged.push(CommandError::from(error).to_string());
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if common.json {
            json_line(&mut out, &line)?;
        } else {
            row(&mut out, &line)?;
            if arguments.length.is_some() {
                depths(&mut out, &tablebase, &line)?;
            }
        }
    }
    out.flush()?;
    drop(out);
    if !pitches.is_empty() {
        super::pitch::stats::run(&pitches, common)?;
    }
    match damaged.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Failure(damaged.join("; "))),
    }
}

fn row(out: &mut impl Write, line: &StripStats) -> Result<(), CommandError> {
    writeln!(
        out,
        "{:>6}  {:>18}  {:>18}  {:>18}  {:>6}  {:>6}  {:>8}  {:>10}",
        line.length,
        grouped(&line.positions.0),
        grouped(&line.wins.0),
        grouped(&line.losses.0),
        grouped(&line.draws.0),
        (line.mutual_draws.as_ref()).map_or("-".to_string(), |mutual| grouped(&mutual.0)),
        line.longest.map_or("-".to_string(), |plies| plies.to_string()),
        human_bytes(line.bytes),
    )?;
    Ok(())
}

/// The histogram of depths of one length, and a longest win.
fn depths(out: &mut impl Write, tablebase: &Tablebase, line: &StripStats) -> Result<(), CommandError> {
    let Some(depths) = &line.depths else {
        if let Err(error) = tablebase.with_depths(line.length) {
            writeln!(out, "\nDepths are not available: {}", CommandError::from(error))?;
        }
        return Ok(());
    };
    writeln!(out, "\n{:>6}  {:>18}", "plies", "positions")?;
    for (plies, count) in depths {
        let outcome = if plies % 2 == 1 { "wins" } else { "losses" };
        writeln!(out, "{plies:>6}  {:>18}  {outcome}", grouped(count.0))?;
    }
    if let (Some(example), Some(plies)) = (&line.longest_win_example, line.longest_win) {
        writeln!(out, "\na longest win, in {plies} plies: {example}")?;
    }
    Ok(())
}
