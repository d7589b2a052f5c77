//! `phutbase generate`: solve boards and write their tables.

pub mod obstruction;
pub mod pitch;
mod strips;

use super::options::{ByRules, Resources, Seconds};
use super::output::{CommandError, grouped, say, tell, unheeded};
use super::team::{Traffic, team, traffic};
use super::{Common, Verb, not_for, only_for};
use crate::answer::stats::Counts;
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::generate::Outcome;
use crate::generate::plan::human_bytes;
use crate::solve::symbolic::counters::Counters;
use crate::table::Metric;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase generate 24                                     strips of 3 to 24 squares
  phutbase generate 72 --metric wdl                        who wins up to 72 squares, with a proof
  phutbase generate 7x3                                    a pitch
  phutbase generate 20 --rules directional                 strips where a player jumps in one direction only
  phutbase generate obstruction:8x8 --seconds 60           all boards up to 8x8, as time allows
  phutbase generate obstruction:torus:6x6                  the same on tori")]
pub struct Arguments {
    /// The longest strips, a pitch, or the largest board of Obstruction
    #[arg(default_value = "24")]
    boards: Boards,
    /// Store depths (dtw) or only who wins (wdl) for strips [default: dtw]
    #[arg(long, value_name = "METRIC")]
    metric: Option<Metric>,
    /// Stop after this time, and list the boards of Obstruction that were not reached [default: 600]
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<Seconds>,
    /// Report the counters of the symbolic engine with --json
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    resources: Resources,
}

/// The time for boards of Obstruction.
const OBSTRUCTION_TIME: Duration = Duration::from_secs(600);

/// What is said of a table that was made, or was there.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    counts: Counts,
    status: &'static str,
    seconds: f64,
    bytes: u64,
    file: String,
    /// The shortest and the longest strips that the table holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<[usize; 2]>,
    /// Counters of the symbolic engine, with `-v`.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<Counters>,
    /// What several processes sent each other to make it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traffic: Vec<Traffic>,
}

impl Line {
    fn new(counts: Counts, outcome: Outcome, seconds: f64, bytes: u64, file: &Path) -> Line {
        Line {
            counts,
            status: match outcome {
                Outcome::Present => "present",
                Outcome::Written => "written",
                Outcome::Replaced => "replaced",
            },
            seconds,
            bytes,
            file: file.display().to_string(),
            holds: None,
            counters: None,
            traffic: traffic(),
        }
    }

    /// Prints it. The tables are what was asked for: they are made even if nobody reads on.
    fn tell(&self, boards: &Boards, outcome: Outcome, json: bool) -> Result<(), CommandError> {
        tell(unheeded(), json, self, |out| {
            writeln!(out, "{}", self.sentence(boards, outcome))
        })
    }

    fn sentence(&self, boards: &Boards, outcome: Outcome) -> String {
        let (counts, seconds) = (&self.counts, self.seconds);
        let longest = counts
            .longest
            .map_or(String::new(), |plies| format!(", longest {plies} plies"));
        let deed = match outcome {
            Outcome::Present => "already there".to_string(),
            Outcome::Written => format!("written in {seconds:.2} s"),
            Outcome::Replaced => format!("replaced an unusable file in {seconds:.2} s"),
        };
        format!(
            "{}{}, {} to move: {} wins, {} losses, {} draws{longest}; {} in {}, {deed}",
            boards.words(),
            counts
                .rules
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

/// Says where tables are written, if nobody said it.
fn say_where(common: &Common) -> Result<(), CommandError> {
    if common.tables.is_none() && team().is_first() {
        say(&format!("writing to {}", common.destination()?.display()));
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
            (self.seconds.is_some() && !obstruction, "seconds", "Obstruction"),
            (self.resources.scratch.is_some() && !pitch, "scratch", "pitches"),
            (
                self.metric.is_some() && (pitch || obstruction),
                "metric",
                "strips",
            ),
            (
                obstruction && self.by.rules != Rules::Ordinary,
                "rules",
                "strips and pitches",
            ),
        ])?;
        match &self.boards {
            Boards::Strips(lengths) => strips::run(self, *lengths.end(), common),
            Boards::Pitch(shape) => pitch::run(*shape, self.by.rules, &self.resources, common),
            Boards::Obstruction(largest) => {
                let limit = self.seconds.map_or(OBSTRUCTION_TIME, |limit| limit.0);
                obstruction::run(*largest, limit, &self.resources, common)
            }
            boards @ Boards::Oddish(_) => {
                let possible = "strips, a pitch, or a board of Obstruction";
                Err(not_for("generate", boards, possible))
            }
        }
    }
}
