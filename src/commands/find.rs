//! `phutbase find`: positions of a value, a depth and a pattern.

use super::Common;
use super::output::{BigCount, CommandError, grouped, json_line, stdout};
use clap::{Args, ValueEnum};
use num_bigint::BigUint;
use phutbase::diagram::members::Pattern;
use phutbase::games::strip::{MAX_LENGTH, MIN_LENGTH, Strip};
use phutbase::outcome::{Side, Wdl};
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::diagram::convert;
use phutbase::table::directory::Tablebase;
use phutbase::theory::find::{FindError, Picker, Query, Uniform, find};
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;

#[derive(Args)]
pub struct Arguments {
    /// The number of squares
    #[arg(long, value_name = "N")]
    length: usize,
    /// The value for the player to move [default: any]
    #[arg(long, value_enum)]
    value: Option<ValueName>,
    /// Plies to the end: a number, or a range such as 30..34 (both ends count) [default: any]
    #[arg(long, value_name = "D|A..B")]
    depth: Option<String>,
    /// What stands where: '.', 'o' and '@' as in positions, '?' for anything, one '*' for any number of squares
    #[arg(long, value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// The player to move
    #[arg(long, value_enum, default_value_t = SideName::Left)]
    side: SideName,
    /// List at most K positions
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: u64,
    /// List K uniformly random positions instead of the first ones (the same may come twice)
    #[arg(long, value_name = "K", conflicts_with = "limit")]
    sample: Option<u64>,
    /// Seed of --sample: the same seed, the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum ValueName {
    /// The player to move wins
    Win,
    /// The player to move loses
    Loss,
    /// Neither can force anything
    Draw,
}

#[derive(Clone, Copy, ValueEnum)]
enum SideName {
    /// Left
    Left,
    /// Right
    Right,
}

#[derive(Serialize)]
struct Summary {
    length: usize,
    side: String,
    value: Option<String>,
    depth: Option<[u16; 2]>,
    pattern: String,
    count: BigCount,
    listed: usize,
}

#[derive(Serialize)]
struct Line {
    position: String,
    value: String,
    depth: Option<u16>,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let length = arguments.length;
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(CommandError::Usage(format!(
            "--length {length}: strips have {MIN_LENGTH} to {MAX_LENGTH} squares"
        )));
    }
    let usage = |option: &str, error: String| CommandError::Usage(format!("--{option}: {error}"));
    let depth = (arguments.depth.as_deref())
        .map(parse_depth)
        .transpose()
        .map_err(|error| usage("depth", error))?;
    let pattern =
        Pattern::parse(&arguments.pattern, length).map_err(|error| usage("pattern", error.to_string()))?;
    let query = Query {
        value: arguments.value.map(Wdl::from),
        depth,
        side: match arguments.side {
            SideName::Left => Side::Left,
            SideName::Right => Side::Right,
        },
        pattern,
    };
    let tablebase = Tablebase::open(&common.tables)?;
    let table = match query.depth {
        Some(_) => tablebase.with_depths(length)?,
        None => quickest(&tablebase, length)?,
    };
    let converted;
    let diagrams = match table {
        Table::Diagram(table) => table,
        Table::Dense(table) => {
            converted = convert::of_table(table)?;
            &converted
        }
    };
    let found = find(diagrams, &query).map_err(|error| match error {
        FindError::Table(error) => error.into(),
        FindError::DrawDepth => CommandError::Usage(error.to_string()),
    })?;
    let mut picker = found.members();
    let listed = pick(&mut picker, arguments);
    let total = picker.total();
    print(
        arguments,
        common,
        &query,
        &total,
        &listed,
        tablebase.best(length)?,
    )
}

/// A table to look in where depths do not matter: diagrams, if there are any.
fn quickest(tablebase: &Tablebase, length: usize) -> Result<&Table, CommandError> {
    for metric in [Metric::Wdl, Metric::Dtw] {
        if let Some(table @ Table::Diagram(_)) = tablebase.table(length, metric)? {
            return Ok(table);
        }
    }
    Ok(tablebase.best(length)?)
}

fn pick(picker: &mut Picker<'_>, arguments: &Arguments) -> Vec<Strip> {
    let total = picker.total();
    match arguments.sample {
        Some(_) if total == BigUint::ZERO => Vec::new(),
        Some(count) => {
            let mut random = Uniform::new(arguments.seed);
            (0..count)
                .map_while(|_| picker.nth(&random.below(&total)))
                .collect()
        }
        None => (0..arguments.limit)
            .map_while(|k| picker.nth(&BigUint::from(k)))
            .collect(),
    }
}

fn print(
    arguments: &Arguments,
    common: &Common,
    query: &Query,
    total: &BigUint,
    listed: &[Strip],
    table: &Table,
) -> Result<(), CommandError> {
    let mut out = stdout();
    if common.json {
        let summary = Summary {
            length: arguments.length,
            side: query.side.to_string(),
            value: query.value.map(|value| value.to_string()),
            depth: query.depth.as_ref().map(|depth| [*depth.start(), *depth.end()]),
            pattern: arguments.pattern.clone(),
            count: BigCount(total.clone()),
            listed: listed.len(),
        };
        json_line(&mut out, &summary)?;
    }
    for strip in listed {
        let verdict = table.verdict(strip)?;
        if common.json {
            let line = Line {
                position: strip.to_string(),
                value: verdict.wdl.to_string(),
                depth: verdict.depth.map(|depth| depth.0),
            };
            json_line(&mut out, &line)?;
        } else {
            writeln!(out, "{strip}  {verdict}")?;
        }
    }
    if !common.json {
        let more = match arguments.sample {
            Some(_) => format!("{} of them, at random", listed.len()),
            None => format!("the first {}", listed.len()),
        };
        writeln!(out, "{} positions; listed: {more}", grouped(total))?;
    }
    Ok(out.flush()?)
}

/// `30` or `30..34`.
fn parse_depth(text: &str) -> Result<RangeInclusive<u16>, String> {
    let number = |text: &str| {
        (text.parse::<u16>()).map_err(|_| format!("'{text}' is no number of plies: write 30 or 30..34"))
    };
    match text.split_once("..") {
        Some((from, to)) => Ok(number(from)?..=number(to)?),
        None => number(text).map(|depth| depth..=depth),
    }
}

impl From<ValueName> for Wdl {
    fn from(name: ValueName) -> Wdl {
        match name {
            ValueName::Win => Wdl::Win,
            ValueName::Loss => Wdl::Loss,
            ValueName::Draw => Wdl::Draw,
        }
    }
}
