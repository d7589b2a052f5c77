//! `phutbase draws`: search boards for draws.

mod far;
mod pitch;

use super::given::Idle;
use super::make::tables;
use super::options::{ByRules, Resources};
use super::output::{BigCount, CommandError, grouped, tell, unheeded};
use super::{Common, Verb, not_for};
use clap::Args;
use num_bigint::BigUint;
use phutbase::answer::stats::Counts;
use phutbase::games::boards::Boards;
use phutbase::generate::share::{EngineChoice, share};
use phutbase::generate::{Engine, Request};
use phutbase::table::Metric;
use phutbase::table::directory::Tablebase;
use phutbase::theory::draws;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase draws 3..24                        from tables; those that are missing are made
  phutbase draws 3..48 --engine symbolic      solving anew; writes nothing
  phutbase draws 7x3 --rules directional      a pitch where Alfred jumps up and Betty down only
  phutbase draws 7x3                          a pitch, and the cycles that perfect play runs through")]
pub struct Arguments {
    /// Strips, or a pitch, whose table is made if it is missing
    #[arg(default_value = "3..24")]
    boards: Boards,
    /// Only count the draws of the pitch: no depths, no table, less memory
    #[arg(long)]
    count_only: bool,
    /// How, where there is no table of a strip: dense (make one), symbolic (solve with decision diagrams and write nothing), or auto, the
    /// faster one that fits. With 'symbolic' tables are not looked at
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    engine: EngineChoice,
    /// List at most K drawn positions of each board
    #[arg(long, value_name = "K", default_value_t = 10)]
    show: usize,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    resources: Resources,
}

/// What was found in one board.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    counts: Counts,
    mutual_draws: BigCount,
    /// The first drawn positions.
    examples: Vec<Example>,
    /// What solving it took, where it was solved for this.
    #[serde(flatten)]
    cost: Option<Cost>,
}

#[derive(Serialize)]
struct Example {
    position: String,
}

#[derive(Serialize)]
struct Cost {
    levels: usize,
    nodes: usize,
    sweeps: usize,
    peak_nodes: usize,
    peak_bytes: u64,
    seconds: f64,
}

impl Verb for Arguments {
    fn idle(&self) -> Idle {
        let (what, idle): (_, &[&str]) = match (&self.boards, self.engine) {
            (Boards::Pitch(_), _) if self.count_only => {
                ("counting the draws of a pitch", &["engine", "show"])
            }
            (Boards::Pitch(_), _) => ("the draws of a pitch", &["engine"]),
            (_, EngineChoice::Only(Engine::Symbolic)) => (
                "solving strips with decision diagrams",
                &["count-only", "show", "scratch", "checkpoint-every", "tables"],
            ),
            _ => ("the draws of strips", &["count-only"]),
        };
        (Some(what), idle)
    }

    fn is_shared(&self) -> bool {
        matches!(self.boards, Boards::Pitch(_))
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        match &self.boards {
            Boards::Strips(lengths) => self.strips(lengths.clone().collect(), common),
            Boards::Pitch(shape) if self.count_only => {
                pitch::count(*shape, self.by.rules, &self.resources, common)
            }
            Boards::Pitch(shape) => pitch::run(*shape, self.by.rules, &self.resources, self.show, common),
            other => Err(not_for("draws", other, "strips or a pitch")),
        }
    }
}

impl Arguments {
    fn strips(&self, lengths: Vec<usize>, common: &Common) -> Result<(), CommandError> {
        let anew = self.engine == EngineChoice::Only(Engine::Symbolic);
        let there = match anew {
            true => Vec::new(),
            false => Tablebase::search_under(self.by.rules, common.places_named())?.lengths(),
        };
        let (first, last) = (lengths[0], lengths[lengths.len() - 1]);
        let request = Request {
            rules: self.by.rules,
            ..Request::new(last, Metric::Dtw)
        };
        let request = self.resources.request(request, &common.destination()?);
        let missing: Vec<usize> = (lengths.iter().copied())
            .filter(|length| !there.contains(length))
            .collect();
        let mut solved = Vec::new();
        for share in share(missing, self.engine, &request)? {
            match share.engine {
                Engine::Dense => tables(&share.lengths, &request, |_| Ok(()))?,
                Engine::Symbolic => solved.extend(share.lengths),
            }
        }
        let tablebase = Tablebase::search_under(self.by.rules, common.places_named())?;
        let mut verdict = Verdict::default();
        // Lengths of one kind that follow each other are dealt with together, so that the symbolic engine can start each from the one before.
        for run in lengths.chunk_by(|a, b| solved.contains(a) == solved.contains(b)) {
            if solved.contains(&run[0]) {
                far::search(run, self.by.rules, self.resources.memory(), |line| {
                    verdict.tell(&line, common.json)
                })?;
                continue;
            }
            for &length in run {
                let table = tablebase.best(length)?;
                let found = draws::count(table, self.show)?;
                let line = Line {
                    counts: Counts::of_strip(table),
                    mutual_draws: BigCount(found.mutual_draws),
                    examples: (found.examples.iter())
                        .map(|strip| Example {
                            position: strip.to_string(),
                        })
                        .collect(),
                    cost: None,
                };
                verdict.tell(&line, common.json)?;
            }
        }
        if common.json {
            return Ok(());
        }
        Ok(writeln!(
            unheeded(),
            "lengths {first} to {last}{}: {}",
            self.by.rules.remark(),
            verdict.words()
        )?)
    }
}

/// What was found in all.
#[derive(Default)]
struct Verdict {
    draws: BigUint,
    mutual_draws: BigUint,
}

impl Verdict {
    /// Prints what was found in one length, and adds it.
    fn tell(&mut self, line: &Line, json: bool) -> Result<(), CommandError> {
        self.draws += &line.counts.draws.0;
        self.mutual_draws += &line.mutual_draws.0;
        tell(unheeded(), json, line, |out| print(out, line))
    }

    fn words(&self) -> String {
        match self.draws == BigUint::ZERO {
            true => "no draw".to_string(),
            false => format!(
                "{} draws, {} of them mutual",
                grouped(&self.draws),
                grouped(&self.mutual_draws)
            ),
        }
    }
}

fn print(out: &mut impl Write, line: &Line) -> io::Result<()> {
    write!(
        out,
        "length {:>3}, Left to move: {} positions, {} draws, {} mutual",
        line.counts.boards,
        grouped(&line.counts.positions.0),
        grouped(&line.counts.draws.0),
        grouped(&line.mutual_draws.0)
    )?;
    match &line.cost {
        Some(cost) => writeln!(
            out,
            "; {} nodes, {:.2} s",
            grouped(cost.nodes as u128),
            cost.seconds
        )?,
        None => writeln!(out)?,
    }
    (line.examples.iter()).try_for_each(|example| writeln!(out, "  {}", example.position))
}
