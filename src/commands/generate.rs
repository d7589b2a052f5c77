//! `phutbase generate`: solve strips and write their tables.

use super::Common;
use super::make::{Made, Resources, tables};
use super::output::{BigCount, CommandError, grouped, json_line, stdout, unless_closed};
use clap::{Args, ValueEnum};
use phutbase::games::pitch::Shape;
use phutbase::games::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase::generate::plan::human_bytes;
use phutbase::generate::{Engine, Outcome, Request};
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::table::directory::Tablebase;
use phutbase::table::{Layout, Metric, table_path};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Generate every length from 3 to N
    #[arg(long, value_name = "N", default_value_t = 24, conflicts_with = "length")]
    max_length: usize,
    /// Generate this length only
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// Solve a pitch of rows x columns, such as 7x3, instead of strips
    #[arg(long, value_name = "RxC", conflicts_with_all = ["max_length", "length", "metric"])]
    pitch: Option<Shape>,
    /// What to store: depths, or only who wins
    #[arg(long, value_enum, default_value_t = MetricName::Dtw)]
    metric: MetricName,
    /// How to find the values: position by position, or with decision diagrams
    #[arg(long, value_enum, default_value_t = EngineName::Dense)]
    engine: EngineName,
    /// How to store the values [default: dense for the dense engine, where either will do if it is there; diagram for the
    /// symbolic one, which writes nothing else]
    #[arg(long, value_enum)]
    layout: Option<LayoutName>,
    #[command(flatten)]
    resources: Resources,
}

#[derive(Clone, Copy, ValueEnum)]
enum MetricName {
    /// Depth to win, in plies
    Dtw,
    /// Win, loss or draw
    Wdl,
}

/// What finds the values.
#[derive(Clone, Copy, ValueEnum)]
pub enum EngineName {
    /// Every position in memory, lengths up to 40
    Dense,
    /// Sets of positions as decision diagrams, lengths up to 128
    Symbolic,
}

impl EngineName {
    /// Refuses lengths that the engine does not solve.
    pub fn check(self, first: usize, last: usize) -> Result<(), CommandError> {
        let (name, longest) = match self {
            EngineName::Dense => ("dense", MAX_DENSE_LENGTH),
            EngineName::Symbolic => ("symbolic", MAX_LENGTH),
        };
        if first > last || first < MIN_LENGTH || last > longest {
            return Err(CommandError::Usage(format!(
                "length {last}: the {name} engine solves lengths {MIN_LENGTH} to {longest}"
            )));
        }
        Ok(())
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum LayoutName {
    /// Every position in a block, packed
    Dense,
    /// Sets as diagrams, walked in place
    Diagram,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    metric: String,
    layout: String,
    status: &'static str,
    positions: BigCount,
    wins: BigCount,
    losses: BigCount,
    draws: BigCount,
    longest: Option<u16>,
    seconds: f64,
    bytes: u64,
    file: String,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if let Some(shape) = arguments.pitch {
        return super::pitch::generate::run(shape, &arguments.resources, common);
    }
    let lengths: Vec<usize> = match arguments.length {
        Some(length) => vec![length],
        None => (MIN_LENGTH..=arguments.max_length).collect(),
    };
    let last = arguments.length.unwrap_or(arguments.max_length);
    arguments
        .engine
        .check(arguments.length.unwrap_or(MIN_LENGTH), last)?;
    let request = Request {
        engine: match arguments.engine {
            EngineName::Dense => Engine::Dense,
            EngineName::Symbolic => Engine::Symbolic,
        },
        layout: match (arguments.layout, arguments.engine) {
            (Some(LayoutName::Dense), _) => Some(Layout::Dense),
            (Some(LayoutName::Diagram), _) | (None, EngineName::Symbolic) => Some(Layout::Diagram),
            (None, EngineName::Dense) => None,
        },
        ..Request::new(last, arguments.metric.into())
    };
    let request = arguments.resources.request(request, common)?;
    let mut out = stdout();
    tables(&lengths, &request, |made| {
        // The tables are what was asked for: they are made even if nobody reads on.
        unless_closed(report(&mut out, &made, common.json))
    })
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Dtw => Metric::Dtw,
            MetricName::Wdl => Metric::Wdl,
        }
    }
}

fn report(out: &mut impl Write, made: &Made, json: bool) -> Result<(), CommandError> {
    if json {
        json_line(out, &made.line()?)?;
    } else {
        writeln!(out, "{}", made.sentence()?)?;
    }
    Ok(out.flush()?)
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
            layout: table.layout().to_string(),
            status: match self.outcome {
                Outcome::Present => "present",
                Outcome::Written => "written",
                Outcome::Replaced => "replaced",
                Outcome::Rewritten => "rewritten",
            },
            positions: BigCount(header.positions()),
            wins: BigCount(header.wins.clone()),
            losses: BigCount(header.losses.clone()),
            draws: BigCount(header.draws.clone()),
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
            Outcome::Rewritten => format!("was of another kind, written anew in {:.2} s", self.seconds),
        };
        let longest = line
            .longest
            .map_or(String::new(), |plies| format!(", longest {plies} plies"));
        Ok(format!(
            "length {}: {} wins, {} losses, {} draws{longest}; {} in {}, {deed}",
            line.length,
            grouped(&line.wins.0),
            grouped(&line.losses.0),
            grouped(&line.draws.0),
            human_bytes(line.bytes),
            line.file,
        ))
    }
}
