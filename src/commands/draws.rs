//! `phutbase draws`: search every strip up to a length for draws.

use super::generate::EngineName;
use super::make::{Resources, tables};
use super::output::{BigCount, CommandError, grouped, json_line, stdout};
use super::{Common, far_draws};
use clap::Args;
use num_bigint::BigUint;
use phutbase::games::pitch::Shape;
use phutbase::games::strip::MIN_LENGTH;
use phutbase::generate::Request;
use phutbase::table::Metric;
use phutbase::table::any::Table;
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
    /// How: from tables, or solving with decision diagrams anew (which writes no tables)
    #[arg(long, value_enum, default_value_t = EngineName::Dense)]
    engine: EngineName,
    /// List at most K drawn positions of each length (dense engine only)
    #[arg(long, value_name = "K", default_value_t = 10)]
    show: usize,
    #[command(flatten)]
    resources: Resources,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    positions: BigCount,
    wins: BigCount,
    losses: BigCount,
    draws: BigCount,
    mutual_draws: BigCount,
    examples: Vec<String>,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if let Some(shape) = arguments.pitch {
        let resources = &arguments.resources;
        return match arguments.count_only {
            true => super::pitch::draws::count(shape, resources, common),
            false => super::pitch::draws::run(shape, resources, arguments.show, common),
        };
    }
    let lengths = match (arguments.length, arguments.max_length) {
        (Some(length), _) => length..=length,
        (None, last) => MIN_LENGTH..=last.unwrap_or(0),
    };
    if let EngineName::Symbolic = arguments.engine {
        arguments.engine.check(*lengths.start(), *lengths.end())?;
        arguments.resources.without_scratch()?;
        return far_draws::run(lengths, arguments.resources.memory()?, common.json);
    }
    let present = Tablebase::open(&common.tables)?.lengths();
    let missing: Vec<usize> = lengths
        .clone()
        .filter(|length| !present.contains(length))
        .collect();
    if lengths.is_empty() || !missing.is_empty() {
        // A table answers for any length that it is there for; what has to be made is up to the engine.
        let first = missing.first().copied().unwrap_or(MIN_LENGTH);
        arguments.engine.check(first, *lengths.end())?;
    }
    if let Some(&last) = missing.last() {
        let request = Request::new(last, Metric::Dtw);
        tables(&missing, &arguments.resources.request(request, common)?, |_| {
            Ok(())
        })?;
    }
    let tablebase = Tablebase::open(&common.tables)?;
    let mut out = stdout();
    let mut total = (BigUint::ZERO, BigUint::ZERO);
    for length in lengths.clone() {
        let table = tablebase.best(length)?;
        let found = draws::count(table, arguments.show)?;
        total.0 += &found.draws;
        total.1 += &found.mutual_draws;
        if common.json {
            json_line(&mut out, &line(table, found))?;
        } else {
            print(&mut out, table, &found)?;
        }
        out.flush()?;
    }
    if !common.json {
        let verdict = match total {
            (draws, _) if draws == BigUint::ZERO => "no draw".to_string(),
            (draws, mutual) => format!("{} draws, {} of them mutual", grouped(&draws), grouped(&mutual)),
        };
        writeln!(out, "lengths {} to {}: {verdict}", lengths.start(), lengths.end())?;
    }
    Ok(out.flush()?)
}

fn line(table: &Table, found: Draws) -> Line {
    let header = table.header();
    Line {
        length: header.length,
        positions: BigCount(table.positions()),
        wins: BigCount(header.wins.clone()),
        losses: BigCount(header.losses.clone()),
        draws: BigCount(found.draws),
        mutual_draws: BigCount(found.mutual_draws),
        examples: found.examples.iter().map(ToString::to_string).collect(),
    }
}

fn print(out: &mut impl Write, table: &Table, found: &Draws) -> Result<(), CommandError> {
    writeln!(
        out,
        "length {:>2}: {} positions, {} draws, {} mutual",
        table.header().length,
        grouped(table.positions()),
        grouped(&found.draws),
        grouped(&found.mutual_draws)
    )?;
    for strip in &found.examples {
        writeln!(out, "  {strip}")?;
    }
    Ok(())
}
