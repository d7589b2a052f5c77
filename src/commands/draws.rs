//! `phutbase draws`: search every strip up to a length for draws.

use super::generate::{Resources, for_lengths};
use super::output::{CommandError, Count, grouped, json_line, stdout};
use super::{Common, far_draws};
use clap::{Args, ValueEnum};
use phutbase::games::pitch::Shape;
use phutbase::games::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::table::Metric;
use phutbase::table::dense::DenseTable;
use phutbase::table::directory::Tablebase;
use phutbase::theory::draws::{self, Draws};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// Search every length from 3 to N; the dense engine generates tables that are missing
    #[arg(long, value_name = "N", required_unless_present_any = ["length", "pitch"])]
    max_length: Option<usize>,
    /// Search this length only
    #[arg(long, value_name = "N", conflicts_with = "max_length")]
    length: Option<usize>,
    /// Search a pitch of rows x columns, such as 7x3, instead of strips; its table is generated if it is missing
    #[arg(long, value_name = "RxC", conflicts_with_all = ["max_length", "length", "engine"])]
    pitch: Option<Shape>,
    /// Only count the draws of the pitch: no depths, no table, less memory
    #[arg(long, requires = "pitch")]
    count_only: bool,
    /// How: from tables of every position, or with decision diagrams
    #[arg(long, value_enum, default_value_t = Engine::Dense)]
    engine: Engine,
    /// List at most K drawn positions of each length (dense engine only)
    #[arg(long, value_name = "K", default_value_t = 10)]
    show: usize,
    #[command(flatten)]
    resources: Resources,
}

/// What answers.
#[derive(Clone, Copy, ValueEnum)]
enum Engine {
    /// Tables of every position, lengths up to 40
    Dense,
    /// Decision diagrams, lengths up to 128; writes no tables
    Symbolic,
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
    if let Some(shape) = arguments.pitch {
        let memory = arguments.resources.memory()?;
        return match arguments.count_only {
            true => super::pitch::draws::count(shape, memory, common),
            false => super::pitch::draws::run(shape, memory, arguments.show, common),
        };
    }
    let (name, longest) = match arguments.engine {
        Engine::Dense => ("dense", MAX_DENSE_LENGTH),
        Engine::Symbolic => ("symbolic", MAX_LENGTH),
    };
    let lengths = match (arguments.length, arguments.max_length) {
        (Some(length), _) => length..=length,
        (None, last) => MIN_LENGTH..=last.unwrap_or(0),
    };
    if lengths.is_empty() || *lengths.start() < MIN_LENGTH || *lengths.end() > longest {
        return Err(CommandError::Usage(format!(
            "length {}: the {name} engine solves lengths {MIN_LENGTH} to {longest}",
            lengths.end()
        )));
    }
    if let Engine::Symbolic = arguments.engine {
        arguments.resources.without_scratch()?;
        return far_draws::run(lengths, arguments.resources.memory()?, common.json);
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
    for length in lengths.clone() {
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
        writeln!(out, "lengths {} to {}: {verdict}", lengths.start(), lengths.end())?;
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
