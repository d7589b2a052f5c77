//! `phutbase draws`: search boards for draws.

mod pitch;

use super::make;
use super::options::{ByRules, Resources};
use super::output::{BigCount, CommandError, closable_stdout, grouped, print_result};
use super::{Common, Verb, not_for, only_for};
use crate::answer::stats::TableCounts;
use crate::games::{Boards, Rules};
use crate::generate::Request;
use crate::table::strip::draws;
use crate::table::{BoardTable, Metric, TableError};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase draws 3..128   from a table; makes it if missing
  phutbase draws 7x3      a pitch, and its cycles of perfect play
  phutbase draws 7x3 --rules directional")]
pub struct Arguments {
    /// Strips, or a pitch; a missing table is made
    #[arg(default_value = "3..24")]
    boards: Boards,
    /// Only count the draws of the pitch: no depths, no table, less memory
    #[arg(long, conflicts_with = "limit")]
    count_only: bool,
    /// List at most K drawn positions of each board
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    resources: Resources,
}

#[derive(Serialize)]
struct DrawsRow {
    #[serde(flatten)]
    counts: TableCounts,
    mutual_draws: BigCount,
    examples: Vec<Example>,
}

#[derive(Serialize)]
struct Example {
    position: String,
}

impl Verb for Arguments {
    fn is_shared(&self) -> bool {
        matches!(self.boards, Boards::Pitch(_))
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let pitch = matches!(self.boards, Boards::Pitch(_));
        only_for(&[
            (self.count_only && !pitch, "count-only", "pitches"),
            (self.resources.scratch.is_some() && !pitch, "scratch", "pitches"),
            self.by.only_pitches(Some(&self.boards)),
        ])?;
        match &self.boards {
            Boards::Strips(lengths) => self.strips(lengths.clone(), common),
            Boards::Pitch(shape) if self.count_only => {
                pitch::count(*shape, self.by.rules, &self.resources, common)
            }
            Boards::Pitch(shape) => pitch::run(*shape, self.by.rules, &self.resources, self.limit, common),
            other => Err(not_for("draws", other, "strips or a pitch")),
        }
    }
}

impl Arguments {
    fn strips(&self, lengths: RangeInclusive<usize>, common: &Common) -> Result<(), CommandError> {
        let (first, last) = (*lengths.start(), *lengths.end());
        let search = || common.writable_tables(Rules::Ordinary);
        let mut tables = search()?;
        if let Err(TableError::Missing { .. }) = tables.best(last) {
            let request = Request {
                shorter: Some(common.places().with_embedded()),
                ..Request::new(last, Metric::Wdl)
            };
            make::strips(&self.resources.request(request, &common.destination()?))?;
            tables = search()?;
        }
        let mut verdict = Verdict::default();
        for length in lengths {
            let line = tables.ask(length, |table| {
                let found = draws::count(table, length, self.limit)?;
                Ok(DrawsRow {
                    counts: TableCounts::of(BoardTable::Strips(table, length))?,
                    mutual_draws: BigCount(found.mutual_draws),
                    examples: (found.examples.iter())
                        .map(|strip| Example {
                            position: strip.to_string(),
                        })
                        .collect(),
                })
            })?;
            verdict.print_result(&line, common.json)?;
        }
        if common.json {
            return Ok(());
        }
        Ok(writeln!(
            closable_stdout(),
            "lengths {first} to {last}: {}",
            verdict.words()
        )?)
    }
}

#[derive(Default)]
struct Verdict {
    draws: BigUint,
    mutual_draws: BigUint,
}

impl Verdict {
    fn print_result(&mut self, line: &DrawsRow, json: bool) -> Result<(), CommandError> {
        self.draws += &line.counts.draws.0;
        self.mutual_draws += &line.mutual_draws.0;
        print_result(closable_stdout(), json, line, |out| print(out, line))
    }

    fn words(&self) -> String {
        if self.draws == BigUint::ZERO {
            "no draw".to_string()
        } else {
            format!(
                "{} draws, {} of them mutual",
                grouped(&self.draws),
                grouped(&self.mutual_draws)
            )
        }
    }
}

fn print(out: &mut impl Write, line: &DrawsRow) -> io::Result<()> {
    writeln!(
        out,
        "length {:>3}, Left to move: {} positions, {} draws, {} mutual",
        line.counts.label.boards,
        grouped(&line.counts.positions.0),
        grouped(&line.counts.draws.0),
        grouped(&line.mutual_draws.0)
    )?;
    (line.examples.iter()).try_for_each(|example| writeln!(out, "  {}", example.position))
}
