//! `phutbase generate`: solve boards and write their tables.

pub mod obstruction;
pub mod pitch;
mod strips;

use super::options::{ByRules, Resources, Time};
use super::output::{CommandError, closable_stdout, grouped, log_if_slow, print_result};
use super::team::team;
use super::{Common, Verb, not_for, only_for};
use crate::answer::stats::TableCounts;
use crate::games::{Boards, Rules};
use crate::generate::Outcome;
use crate::generate::plan::human_bytes;
use crate::solve::symbolic::counters::Counters;
use crate::table::{BoardTable, Metric};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase generate 24                            strips of 3 to 24 squares
  phutbase generate 72 --metric wdl               winners up to 72, with a proof
  phutbase generate 7x3                           a pitch
  phutbase generate 7x3 --rules directional       the directional game
  phutbase generate obstruction:8x8 --time 1min   all boards up to 8x8
  phutbase generate obstruction:torus:6x6         the same on tori")]
pub struct Arguments {
    /// Longest strips, a pitch, or the largest board of Obstruction
    #[arg(default_value = "24")]
    boards: Boards,
    /// Store depths (dtw) or only who wins (wdl) for strips [default: dtw]
    #[arg(long, value_name = "METRIC")]
    metric: Option<Metric>,
    /// Stop after this time, and list the boards of Obstruction not reached [default: 10min]
    #[arg(long, value_name = "TIME")]
    time: Option<Time>,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    resources: Resources,
}

const OBSTRUCTION_TIME: Duration = Duration::from_secs(600);

#[derive(Serialize)]
struct MadeTable {
    #[serde(flatten)]
    counts: TableCounts,
    status: &'static str,
    seconds: f64,
    bytes: u64,
    file: String,
    /// The shortest and longest strips in the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<[usize; 2]>,
    /// Counters of the symbolic engine, with `-v`.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<Counters>,
}

impl MadeTable {
    fn new(table: BoardTable<'_>, outcome: Outcome, seconds: f64) -> Result<MadeTable, CommandError> {
        Ok(MadeTable {
            counts: TableCounts::of(table)?,
            status: match outcome {
                Outcome::Present => "present",
                Outcome::Written => "written",
                Outcome::Replaced => "replaced",
            },
            seconds,
            bytes: table.file_bytes(),
            file: table.path().display().to_string(),
            holds: None,
            counters: None,
        })
    }

    /// Prints the report. A closed output does not stop the work.
    fn print_result(&self, boards: &Boards, outcome: Outcome, json: bool) -> Result<(), CommandError> {
        print_result(closable_stdout(), json, self, |out| {
            writeln!(out, "{}", self.sentence(boards, outcome))
        })
    }

    fn sentence(&self, boards: &Boards, outcome: Outcome) -> String {
        let (counts, seconds) = (&self.counts, self.seconds);
        let longest = counts
            .longest
            .map_or(String::new(), |plies| format!(", longest {plies} plies"));
        let deed = match outcome {
            Outcome::Present => "kept, already complete".to_string(),
            Outcome::Written => format!("written in {seconds:.2} s"),
            Outcome::Replaced => format!("replaced an unusable file in {seconds:.2} s"),
        };
        format!(
            "{}{}, {} to move: {} wins, {} losses, {} draws{longest}; {} in {}, {deed}",
            boards.words(),
            (counts
                .label
                .rules
                .filter(|&rules| rules != Rules::Ordinary.word()))
            .map_or(String::new(), |rules| format!(" ({rules} rules)")),
            boards.first_player(),
            grouped(&counts.wins.0),
            grouped(&counts.losses.0),
            grouped(&counts.draws.0),
            human_bytes(self.bytes),
            self.file,
        )
    }
}

/// Prints the directory of the tables, unless the user named it.
fn log_destination(common: &Common) -> Result<(), CommandError> {
    if common.tables.is_none() && team().is_first() {
        log_if_slow(format!("writing to {}", common.destination()?.display()));
    }
    Ok(())
}

impl Verb for Arguments {
    fn is_shared(&self) -> bool {
        matches!(self.boards, Boards::Pitch(_))
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let (pitch, obstruction) = match self.boards {
            Boards::Pitch(_) => (true, false),
            Boards::Obstruction(..) => (false, true),
            _ => (false, false),
        };
        only_for(&[
            (self.time.is_some() && !obstruction, "time", "Obstruction"),
            (self.resources.scratch.is_some() && !pitch, "scratch", "pitches"),
            (
                self.metric.is_some() && (pitch || obstruction),
                "metric",
                "strips",
            ),
            self.by.only_pitches(Some(&self.boards)),
        ])?;
        match &self.boards {
            Boards::Strips(lengths) => strips::run(self, *lengths.end(), common),
            Boards::Pitch(shape) => pitch::run(*shape, self.by.rules, &self.resources, common),
            Boards::Obstruction(largest) => {
                let limit = self.time.map_or(OBSTRUCTION_TIME, |limit| limit.0);
                obstruction::run(*largest, limit, &self.resources, common)
            }
            boards @ Boards::Oddish(_) => {
                let possible = "strips, a pitch, or a board of Obstruction";
                Err(not_for("generate", boards, possible))
            }
        }
    }
}
