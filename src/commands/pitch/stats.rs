//! `phutbase stats` of pitches: counts, longest wins and depths of their tables.

use super::super::Common;
use super::super::output::{CommandError, Count, grouped, json_line, stdout};
use phutbase::games::pitch::Shape;
use phutbase::generate::plan::human_bytes;
use phutbase::table::pitch::PitchTable;
use phutbase::theory::pitch_draws;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Serialize)]
struct Line {
    rows: usize,
    columns: usize,
    metric: &'static str,
    positions: Count,
    wins: Count,
    losses: Count,
    draws: Count,
    mutual_draws: Count,
    longest: u16,
    longest_win: u16,
    longest_loss: u16,
    longest_win_example: String,
    depths: BTreeMap<usize, Count>,
    bytes: u64,
}

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
        let line = line(table)?;
        if common.json {
            json_line(&mut out, &line)?;
            continue;
        }
        writeln!(
            out,
            "{:>6}  {:>18}  {:>18}  {:>18}  {:>8}  {:>6}  {:>8}  {:>10}",
            table.header().shape.to_string(),
            grouped(line.positions.0),
            grouped(line.wins.0),
            grouped(line.losses.0),
            grouped(line.draws.0),
            grouped(line.mutual_draws.0),
            line.longest,
            human_bytes(line.bytes),
        )?;
        if shapes.len() == 1 {
            depths(&mut out, &line)?;
        }
    }
    Ok(out.flush()?)
}

fn line(table: &PitchTable) -> Result<Line, CommandError> {
    let (header, description) = (table.header(), table.description());
    Ok(Line {
        rows: header.shape.rows(),
        columns: header.shape.columns(),
        metric: "dtw",
        positions: Count((header.wins + header.losses + header.draws).into()),
        wins: Count(header.wins.into()),
        losses: Count(header.losses.into()),
        draws: Count(header.draws.into()),
        mutual_draws: Count(pitch_draws::find(table)?.mutual_draws.into()),
        longest: header.longest_win.max(header.longest_loss),
        longest_win: header.longest_win,
        longest_loss: header.longest_loss,
        longest_win_example: description.longest_win.clone(),
        depths: (1..)
            .zip(description.depths.iter().map(|&count| Count(count.into())))
            .collect(),
        bytes: header.file_bytes,
    })
}

/// The histogram of depths, and a longest win.
fn depths(out: &mut impl Write, line: &Line) -> Result<(), CommandError> {
    writeln!(out, "\n{:>6}  {:>18}", "plies", "positions")?;
    for (plies, count) in &line.depths {
        let outcome = if plies % 2 == 1 { "wins" } else { "losses" };
        writeln!(out, "{plies:>6}  {:>18}  {outcome}", grouped(count.0))?;
    }
    writeln!(
        out,
        "\na longest win, in {} plies: {}",
        line.longest_win, line.longest_win_example
    )?;
    Ok(())
}
