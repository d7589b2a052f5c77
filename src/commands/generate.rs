//! `phutbase generate`: solve strips and write their tables.

use super::Common;
use super::interrupt;
use super::output::{CommandError, Count, grouped, json_line, stdout, unless_closed};
use super::progress;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use phutbase::games::pitch::Shape;
use phutbase::games::strip::MIN_LENGTH;
use phutbase::generate::plan::{Plan, human_bytes};
use phutbase::generate::{CHECKPOINT_EVERY, Event, Outcome, Request, TablesLock, generate};
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::table::directory::Tablebase;
use phutbase::table::{Metric, table_path};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct Arguments {
    /// Generate every length from 3 to N
    #[arg(long, value_name = "N", default_value_t = 24, conflicts_with = "length")]
    max_length: usize,
    /// Generate this length only
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// Solve a pitch of rows x columns, such as 7x3, instead of strips
    #[arg(long, value_name = "RxC", conflicts_with_all = ["max_length", "length", "metric", "scratch"])]
    pitch: Option<Shape>,
    /// What to store: depths, or only who wins
    #[arg(long, value_enum, default_value_t = MetricName::Dtw)]
    metric: MetricName,
    #[command(flatten)]
    resources: Resources,
}

/// What a run may use.
#[derive(Args, Clone)]
pub struct Resources {
    /// Memory that may be used [default: what the system has free]
    #[arg(long, value_name = "GiB")]
    memory: Option<f64>,
    /// Keep the planes in files of this directory instead of memory
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Save a checkpoint when this much work would be lost without it; 0 saves one after every ply
    #[arg(long, value_name = "SECONDS", default_value_t = CHECKPOINT_EVERY.as_secs_f64())]
    checkpoint_every: f64,
}

impl Resources {
    /// Refuses the options that an engine which keeps no planes has no use for.
    pub fn without_scratch(&self) -> Result<(), CommandError> {
        match &self.scratch {
            None => Ok(()),
            Some(_) => Err(CommandError::Usage(
                "--scratch: the symbolic engine keeps no planes; leave the option out".to_string(),
            )),
        }
    }

    /// The memory that may be used, in bytes, if it was given.
    pub fn memory(&self) -> Result<Option<u64>, CommandError> {
        match self.memory {
            Some(gib) if gib > 0.0 => Ok(Some((gib * f64::from(1 << 30)) as u64)),
            Some(gib) => Err(CommandError::Usage(format!(
                "--memory {gib}: give a positive number of GiB"
            ))),
            None => Ok(None),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum MetricName {
    /// Depth to win, in plies
    Dtw,
    /// Win, loss or draw
    Wdl,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    metric: String,
    status: &'static str,
    positions: Count,
    wins: Count,
    losses: Count,
    draws: Count,
    longest: Option<u16>,
    seconds: f64,
    bytes: u64,
    file: String,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if let Some(shape) = arguments.pitch {
        let resources = &arguments.resources;
        return super::pitch::generate::run(shape, resources.memory()?, resources.checkpoint_every, common);
    }
    let lengths = match arguments.length {
        Some(length) => length..=length,
        None => MIN_LENGTH..=arguments.max_length,
    };
    if lengths.is_empty() || *lengths.start() < MIN_LENGTH || *lengths.end() > MAX_DENSE_LENGTH {
        return Err(CommandError::Usage(format!(
            "length {}: the dense engine solves lengths {MIN_LENGTH} to {MAX_DENSE_LENGTH}",
            lengths.end()
        )));
    }
    let metric = match arguments.metric {
        MetricName::Dtw => Metric::Dtw,
        MetricName::Wdl => Metric::Wdl,
    };
    let mut out = stdout();
    for_lengths(lengths, metric, common, &arguments.resources, |made| {
        // The tables are what was asked for: they are made even if nobody reads on.
        unless_closed(report(&mut out, &made, common.json))
    })
}

fn report(out: &mut impl Write, made: &Made, json: bool) -> Result<(), CommandError> {
    if json {
        json_line(out, &made.line()?)?;
    } else {
        writeln!(out, "{}", made.sentence()?)?;
    }
    Ok(out.flush()?)
}

/// One table that [`for_lengths`] has seen to.
pub struct Made {
    request: Request,
    outcome: Outcome,
    seconds: f64,
}

/// Makes the tables of some lengths, in order; `report` hears of each when it is whole.
pub fn for_lengths(
    lengths: impl IntoIterator<Item = usize>,
    metric: Metric,
    common: &Common,
    resources: &Resources,
    mut report: impl FnMut(Made) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let memory = resources.memory()?;
    let seconds = resources.checkpoint_every;
    let checkpoint_every = Duration::try_from_secs_f64(seconds)
        .map_err(|error| CommandError::Usage(format!("--checkpoint-every {seconds}: {error}")))?;
    let lock = TablesLock::hold(&common.tables)?;
    for length in lengths {
        let request = Request {
            tables: common.tables.clone(),
            memory,
            scratch: resources.scratch.clone(),
            checkpoint_every,
            ..Request::new(length, metric)
        };
        let begun = Instant::now();
        let outcome = with_progress(&request, &lock)?;
        report(Made {
            request,
            outcome,
            seconds: begun.elapsed().as_secs_f64(),
        })?;
    }
    Ok(())
}

/// Makes one table with a bar, listening for Ctrl-C.
fn with_progress(request: &Request, lock: &TablesLock) -> Result<Outcome, CommandError> {
    let stop = interrupt::flag("finishing the ply");
    let mut bar: Option<ProgressBar> = None;
    let outcome = generate(request, lock, &mut |event| {
        match event {
            Event::Begin(plan) => {
                state_needs(request, plan);
                let new_bar = progress::bar(plan.positions);
                new_bar.set_prefix(format!("length {}", plan.length));
                bar = Some(new_bar);
            }
            Event::Resumed { plies } => {
                say(&format!("length {}: going on after ply {plies}", request.length))
            }
            Event::Ply { ply, decided, .. } => {
                if let Some(bar) = &bar {
                    bar.set_message(format!("ply {ply}"));
                    bar.set_position(decided);
                }
            }
            Event::Writing => {
                if let Some(bar) = &bar {
                    bar.set_message("writing");
                }
            }
        }
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(outcome?)
}

/// Says on stderr what a length takes, before it takes it.
fn state_needs(request: &Request, plan: &Plan) {
    let scratch = match plan.scratch {
        0 => String::new(),
        bytes => format!(", {} of scratch", human_bytes(bytes)),
    };
    say(&format!(
        "length {} ({}): {} positions, up to {} of memory{scratch}, {} of disk",
        request.length,
        request.metric,
        grouped(plan.positions.into()),
        human_bytes(plan.memory),
        human_bytes(plan.disk),
    ));
}

/// Writes a line to stderr. Without stderr there is nobody to tell.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

impl Made {
    /// The table's path.
    fn path(&self) -> PathBuf {
        table_path(&self.request.tables, self.request.length, self.request.metric)
    }

    fn line(&self) -> Result<Line, CommandError> {
        let tablebase = Tablebase::open(&self.request.tables)?;
        let Some(table) = tablebase.table(self.request.length, self.request.metric)? else {
            return Err(CommandError::Failure(format!(
                "{} has gone",
                self.path().display()
            )));
        };
        let header = table.header();
        Ok(Line {
            length: self.request.length,
            metric: self.request.metric.to_string(),
            status: match self.outcome {
                Outcome::Present => "present",
                Outcome::Written => "written",
                Outcome::Replaced => "replaced",
            },
            positions: Count(table.positions()),
            wins: Count(header.wins),
            losses: Count(header.losses),
            draws: Count(header.draws),
            longest: (header.metric == Metric::Dtw).then(|| header.longest_win.max(header.longest_loss)),
            seconds: self.seconds,
            bytes: header.file_bytes,
            file: self.path().display().to_string(),
        })
    }

    fn sentence(&self) -> Result<String, CommandError> {
        let line = self.line()?;
        let deed = match self.outcome {
            Outcome::Present => "already there".to_string(),
            Outcome::Written => format!("written in {:.2} s", self.seconds),
            Outcome::Replaced => format!("was damaged, written anew in {:.2} s", self.seconds),
        };
        let longest = line
            .longest
            .map_or(String::new(), |plies| format!(", longest {plies} plies"));
        Ok(format!(
            "length {}: {} wins, {} losses, {} draws{longest}; {} in {}, {deed}",
            line.length,
            grouped(line.wins.0),
            grouped(line.losses.0),
            grouped(line.draws.0),
            human_bytes(line.bytes),
            line.file,
        ))
    }
}
