//! `phutbase draws`: search boards for draws.

mod pitch;

use super::generate::make_strips;
use super::options::{ByRules, Resources};
use super::output::{CommandError, Count, closable_stdout, grouped, object, print_result};
use super::{Common, Verb, monitor, not_for, only_for};
use clap::Args;
use num_bigint::BigUint;
use phutbase_answer::stats::TableCounts;
use phutbase_generate::Strips;
use phutbase_rules::{Boards, Rules, Strip};
use phutbase_table::queries::draws;
use phutbase_table::{BoardTable, Metric, TableError};
use std::io::Write;
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase draws 3..64    from a table; makes it if missing
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
        if let Err(TableError::Missing { .. }) = tables.ask_strips(last, None, Ok) {
            let work = Strips {
                length: last,
                metric: Metric::Wdl,
            };
            let request = self.resources.request(work, common)?;
            make_strips(&request, self.resources.memory)?;
            monitor::end_when_stopped()?;
            tables = search()?;
        }
        let (mut all_draws, mut all_mutual) = (BigUint::ZERO, BigUint::ZERO);
        for length in lengths {
            let (counts, found) = tables.ask_strips(length, None, |table| {
                let found = draws::count(table, length, self.limit)?;
                Ok((TableCounts::of(BoardTable::Strips(table, length))?, found))
            })?;
            all_draws += &counts.draws.0;
            all_mutual += &found.mutual_draws;
            let mut words = format!(
                "length {length:>3}, Left to move: {} positions, {} draws, {} mutual",
                grouped(&counts.positions.0),
                grouped(&counts.draws.0),
                grouped(&found.mutual_draws)
            );
            let example = |strip: &Strip| {
                words += &format!("\n  {strip}");
                object! { position: strip.to_string() }
            };
            let examples: Vec<_> = found.examples.iter().map(example).collect();
            let object = object! {
                #[serde(flatten)]
                counts: counts,
                mutual_draws: Count(found.mutual_draws),
                examples: examples,
            };
            print_result(common.json, &object, |out| writeln!(out, "{words}"))?;
        }
        if all_draws == BigUint::ZERO {
            return Err(none(&Boards::Strips(first..=last)));
        }
        if common.json {
            return Ok(());
        }
        let (draws, mutual) = (grouped(&all_draws), grouped(&all_mutual));
        Ok(writeln!(
            closable_stdout(),
            "lengths {first} to {last}: {draws} draws, {mutual} of them mutual"
        )?)
    }
}

/// Returns the failure to find a draw.
fn none(boards: &Boards) -> CommandError {
    CommandError::Failure(format!("{}: no draw", boards.words()))
}
