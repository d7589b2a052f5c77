//! `phutbase stats` of pitches: counts, longest wins and depths of their tables.

use super::super::Common;
use super::super::output::{CommandError, grouped, json_line, stdout};
use phutbase::answer::stats::PitchStats;
use phutbase::games::pitch::Shape;
use phutbase::generate::plan::human_bytes;
use phutbase::table::pitch::PitchTable;
use std::io::Write;

/// Prints one line for each shape, with a table's depths below it if it is the only one.
pub fn run(shapes: &[Shape], common: &Common) -> Result<(), CommandError> {
    let tables: Vec<PitchTable> = (shapes.iter())
        .map(|&shape| PitchTable::open(&common.tables, shape))
        .collect::<Result<_, _>>()?;
    let mut out = stdout();
    if !common.json {
        writeln!(
            out,
            "{:>6}  {:>18}  {:>18}  {:>18}  {:>8}  {:>6}  {:>8}  {:>10}",
            "pitch", "positions", "wins", "losses", "draws", "mutual", "longest", "size"
        )?;
    }
    for table in &tables {
        let stats = PitchStats::of(table)?;
        if common.json {
            json_line(&mut out, &stats)?;
            continue;
        }
        writeln!(
            out,
            "{:>6}  {:>18}  {:>18}  {:>18}  {:>8}  {:>6}  {:>8}  {:>10}",
            table.header().shape.to_string(),
            grouped(stats.summary.positions.0),
            grouped(stats.summary.wins.0),
            grouped(stats.summary.losses.0),
            grouped(stats.summary.draws.0),
            grouped(stats.mutual_draws.0),
            stats.summary.longest,
            human_bytes(stats.summary.bytes),
        )?;
        if shapes.len() == 1 {
            depths(&mut out, &stats)?;
        }
    }
    Ok(out.flush()?)
}

/// The histogram of depths, and a longest win.
fn depths(out: &mut impl Write, stats: &PitchStats) -> Result<(), CommandError> {
    writeln!(out, "\n{:>6}  {:>18}", "plies", "positions")?;
    for (plies, count) in &stats.depths {
        let outcome = if plies % 2 == 1 { "wins" } else { "losses" };
        writeln!(out, "{plies:>6}  {:>18}  {outcome}", grouped(count.0))?;
    }
    writeln!(
        out,
        "\na longest win, in {} plies: {}",
        stats.longest_win, stats.summary.longest_win_example
    )?;
    Ok(())
}
