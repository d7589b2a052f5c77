//! `phutbase draws`: search every strip up to a length for draws.

use super::Common;
use super::generate::{Resources, for_lengths};
use super::output::{CommandError, Count, grouped, json_line, stdout};
use clap::Args;
use phutbase::games::strip::MIN_LENGTH;
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::table::Metric;
use phutbase::table::dense::DenseTable;
use phutbase::table::directory::Tablebase;
use phutbase::theory::draws::{self, Draws};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// Search every length from 3 to N; tables that are missing are generated
    #[arg(long, value_name = "N")]
    max_length: usize,
    /// List at most K drawn positions of each length
    #[arg(long, value_name = "K", default_value_t = 10)]
    show: usize,
    #[command(flatten)]
    resources: Resources,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    positions: Count,
    wins: Count,
    losses: Count,
    draws: Count,
    mutual_draws: Count,
    examples: Vec<String>,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let lengths = MIN_LENGTH..=arguments.max_length;
    if lengths.is_empty() || arguments.max_length > MAX_DENSE_LENGTH {
        return Err(CommandError::Usage(format!(
            "--max-length {}: the dense engine solves lengths {MIN_LENGTH} to {MAX_DENSE_LENGTH}",
            arguments.max_length
        )));
    }
    let present = Tablebase::open(&common.tables)?.lengths();
    let missing: Vec<usize> = lengths
        .clone()
        .filter(|length| !present.contains(length))
        .collect();
    if !missing.is_empty() {
        for_lengths(missing, Metric::Dtw, common, &arguments.resources, |_| Ok(()))?;
    }
    let tablebase = Tablebase::open(&common.tables)?;
    let mut out = stdout();
    let mut total = Draws::default();
    for length in lengths {
        let table = tablebase.best(length)?;
        let found = draws::count(table, arguments.show)?;
        total.draws += found.draws;
        total.mutual_draws += found.mutual_draws;
        if common.json {
            json_line(&mut out, &line(table, found))?;
        } else {
            print(&mut out, table, &found)?;
        }
        out.flush()?;
    }
    if !common.json {
        let verdict = match (total.draws, total.mutual_draws) {
            (0, _) => "no draw".to_string(),
            (draws, mutual) => format!("{} draws, {} of them mutual", grouped(draws), grouped(mutual)),
        };
        writeln!(out, "lengths {MIN_LENGTH} to {}: {verdict}", arguments.max_length)?;
    }
    Ok(out.flush()?)
}

fn line(table: &DenseTable, found: Draws) -> Line {
    let header = table.header();
    Line {
        length: header.length,
        positions: Count(table.positions()),
        wins: Count(header.wins),
        losses: Count(header.losses),
        draws: Count(found.draws),
        mutual_draws: Count(found.mutual_draws),
        examples: found.examples.iter().map(ToString::to_string).collect(),
    }
}

fn print(out: &mut impl Write, table: &DenseTable, found: &Draws) -> Result<(), CommandError> {
    writeln!(
        out,
        "length {:>2}: {} positions, {} draws, {} mutual",
        table.header().length,
        grouped(table.positions()),
        grouped(found.draws),
        grouped(found.mutual_draws)
    )?;
    for strip in &found.examples {
        writeln!(out, "  {strip}")?;
    }
    Ok(())
}
