//! `phutbase generate`: solve boards and write their tables.

pub mod obstruction;

use super::{Effect, Verb, not_for};
use clap::Args;
use phutbase_base::digits::{human_bytes, short};
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_rules::{Boards, Shape};
use phutbase_solve::generate::pitch::solve_pitch;
use phutbase_solve::generate::plan::{depths_estimate, strip_memory};
use phutbase_solve::generate::{Strips, TablesLock, generate};
use phutbase_tables::{BoardTable, Metric, StripTable};
use phutbase_terminal::{
    ByRules, CommandError, GlobalOptions, Resources, lock, log_line, monitor, print_counts, print_made,
    print_made_pitch, time, word,
};
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase generate 24                            strips of 3 to 24 squares
  phutbase generate 72 --metric wdl               winners up to 72, from the rule
  phutbase generate 7x3                           a pitch
  phutbase generate 7x3 --rules directional       the directional game
  phutbase generate 7x4 --count-only              the number of draws
  phutbase generate obstruction:8x8 --time 1min   all boards up to 8x8
  phutbase generate obstruction:torus:6x6         the same on tori

Obstruction uses at most 2GiB unless --memory is given.")]
pub struct Arguments {
    /// Longest strips, a pitch, or the largest board of Obstruction
    #[arg(default_value = "24")]
    boards: Boards,
    /// Store depths (dtw), only who wins (wdl), or how many backward turns that takes (levels), for
    /// strips [default: dtw]
    #[arg(long, value_name = "METRIC", value_parser = word::<Metric>(Metric::WORDS), hide_possible_values = true)]
    metric: Option<Metric>,
    /// Stop after this time, and list the boards of Obstruction not reached [default: 10min]
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Only count the wins, losses and draws of a pitch: no depths, no table, a third of the memory
    #[arg(long)]
    count_only: bool,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    resources: Resources,
}

const OBSTRUCTION_TIME: Duration = Duration::from_secs(600);

impl Verb for Arguments {
    fn effects(&self, _: &GlobalOptions) -> Vec<Effect> {
        let pitch = matches!(self.boards, Boards::Pitch(_));
        let obstruction = matches!(self.boards, Boards::Obstruction(_));
        vec![
            (self.count_only && !pitch, "count-only", "pitches"),
            (self.time.is_some() && !obstruction, "time", "Obstruction"),
            (self.resources.scratch.is_some() && !pitch, "scratch", "pitches"),
            (
                self.metric.is_some() && (pitch || obstruction),
                "metric",
                "strips",
            ),
            self.by.only_pitches(Some(&self.boards)),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        match &self.boards {
            Boards::Strips(lengths) => {
                let (first, last) = (*lengths.start(), *lengths.end());
                if first != MIN_LENGTH && first != last {
                    return Err(CommandError::Usage(format!(
                        "generate takes the greatest length: a table of {last} squares holds every strip of {MIN_LENGTH} to {last}, not only {first}..{last}"
                    )));
                }
                self.strips(last, common)
            }
            Boards::Pitch(shape) => self.pitch(*shape, common),
            Boards::Obstruction(largest) => {
                let limit = self.time.unwrap_or(OBSTRUCTION_TIME);
                obstruction::run(*largest, limit, &self.resources, common)
            }
            boards @ Boards::Oddish(_) => {
                let possible = "strips, a pitch, or a board of Obstruction";
                Err(not_for("generate", boards, possible))
            }
        }
    }
}

impl Arguments {
    /// Makes the table of the strips up to a length.
    fn strips(&self, longest: usize, common: &GlobalOptions) -> Result<(), CommandError> {
        let work = Strips {
            length: longest,
            metric: self.metric.unwrap_or(Metric::Dtw),
        };
        let request = self.resources.request(work, common)?;
        common.log_destination()?;
        monitor::save_when_stopped();
        let lock = lock(&request)?;
        if request.work.metric == Metric::Dtw && !request.path().exists() {
            warn_hopeless(longest);
        }
        let begun = Instant::now();
        let title = format!("{longest} squares");
        let outcome = monitor::run(title, self.resources.memory, |job| {
            generate(&request, lock.as_ref(), job)
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        let table = StripTable::open(&request.path())?;
        let holds = [*table.lengths().start(), longest];
        let table = BoardTable::Strips(&table, longest);
        print_made(table, (outcome, seconds), Some(holds), common.json)
    }

    fn pitch(&self, shape: Shape, common: &GlobalOptions) -> Result<(), CommandError> {
        let (begun, memory) = (Instant::now(), self.resources.memory);
        monitor::save_when_stopped();
        let request = (self.resources).pitch(shape, self.by, !self.count_only, common)?;
        let title = Boards::Pitch(shape).words();
        if self.count_only {
            let lock = TablesLock::hold(&request.tables)?;
            let solver = monitor::run(title, memory, |job| solve_pitch(&request, Some(&lock), job))?;
            request.forget_checkpoint();
            return print_counts(&request, solver.counts(), begun, common.json);
        }
        common.log_destination()?;
        let lock = lock(&request)?;
        let outcome = monitor::run(title, memory, |job| generate(&request, lock.as_ref(), job))?;
        print_made_pitch(&request, outcome, begun, common.json)
    }
}

const DAY: Duration = Duration::from_secs(86_400);

/// Describes an estimate of a time, rounded up.
pub fn about(time: Duration) -> String {
    let minutes = time.as_secs() / 60 + 1;
    match minutes / 1440 {
        0 if minutes < 120 => format!("{minutes} min"),
        0 => format!("{} hours", minutes / 60 + 1),
        days @ 1..1000 => format!("{days} days"),
        days => format!("{} years", short(&(days / 365).into())),
    }
}

/// Warns of depths that take too long.
fn warn_hopeless(length: usize) {
    let time = depths_estimate(length);
    if time < DAY {
        return;
    }
    let memory = match strip_memory(length, Metric::Dtw) {
        u64::MAX => "more than 16 EiB".to_string(),
        bytes => human_bytes(bytes),
    };
    log_line(&format!(
        "depths of {length} squares take about {} and {memory} of memory; who wins: phutbase generate {length} --metric wdl",
        about(time)
    ));
}
