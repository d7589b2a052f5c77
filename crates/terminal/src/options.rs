//! Options shared by several verbs, validated when they are parsed.

use super::common::GlobalOptions;
use super::output::CommandError;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phutbase_base::outcome::ParseError;
use phutbase_pitches::solver::Setup;
use phutbase_rules::{Boards, Rules, Shape};
use phutbase_solve::generate::{Request, Work};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Parses one of some words, which completions offer.
pub fn word<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = ParseError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).map(|word| {
        word.parse()
            .unwrap_or_else(|_| unreachable!("'{word}' is a word"))
    })
}

/// Parses a number within bounds.
pub fn in_range<const LEAST: usize, const MOST: usize>(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("write a number from {LEAST} to {MOST}"))
}

/// The rules of Phutball.
#[derive(Args, Clone, Copy)]
pub struct ByRules {
    /// Select the rules: ordinary, or directional (Left jumps only to the right, Right to the left,
    /// Alfred up and Betty down)
    #[arg(long, value_name = "RULES", default_value_t, value_parser = word::<Rules>(Rules::WORDS), hide_possible_values = true)]
    pub rules: Rules,
}

impl ByRules {
    /// The effect of `--rules`: boards other than pitches have ordinary tables only.
    pub fn only_pitches(&self, boards: Option<&Boards>) -> (bool, &'static str, &'static str) {
        let is_refused = match self.rules {
            Rules::Ordinary => false,
            Rules::Directional => !matches!(boards, None | Some(Boards::Pitch(_))),
        };
        (
            is_refused,
            "rules",
            "pitches here; 'phutbase probe' values directional strips by a formula",
        )
    }
}

/// Parses a number with its unit; `None` if it is negative, infinite or has another unit.
fn measure(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = text.split_at(text.find(|symbol: char| symbol.is_ascii_alphabetic())?);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    let measure = number.trim().parse::<f64>().ok()? * factor;
    (measure.is_finite() && measure >= 0.0).then_some(measure)
}

/// Parses a size of memory, in bytes.
pub fn memory_size(text: &str) -> Result<u64, &'static str> {
    let unit = |power: i32| 1024f64.powi(power);
    let units = [
        ("B", 1.0),
        ("KiB", unit(1)),
        ("MiB", unit(2)),
        ("GiB", unit(3)),
        ("TiB", unit(4)),
    ];
    (measure(text, &units).filter(|bytes| (1.0..unit(6)).contains(bytes)))
        .map(|bytes| bytes as u64)
        .ok_or("give a positive size with its unit, as in 500MiB or 4GiB")
}

pub fn time(text: &str) -> Result<Duration, &'static str> {
    let units = [
        ("ms", 0.001),
        ("s", 1.0),
        ("min", 60.0),
        ("h", 3600.0),
        ("d", 86400.0),
    ];
    (measure(text, &units).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
        .ok_or("give a time with its unit, as in 500ms, 10s, 5min or 2h")
}

/// Resource limits of a run.
#[derive(Args, Clone)]
pub struct Resources {
    /// Use at most this much memory [default: what the system has free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
    /// Keep the sets of a pitch in files of this directory instead of in memory
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Time between checkpoints; 0s: after every step
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub checkpoint_every: Duration,
}

impl Resources {
    /// Requests a table in the directory of the command line.
    pub fn request<W: Work>(&self, work: W, common: &GlobalOptions) -> Result<Request<W>, CommandError> {
        Ok(Request {
            checkpoint_every: self.checkpoint_every,
            ..Request::new(work, &common.destination()?)
        })
    }

    /// Requests a pitch, without depths if no table is made.
    pub fn pitch(
        &self,
        shape: Shape,
        ByRules { rules }: ByRules,
        with_depths: bool,
        common: &GlobalOptions,
    ) -> Result<Request<Setup>, CommandError> {
        let setup = Setup {
            rules,
            scratch: self.scratch.clone(),
            ..Setup::in_memory(shape, with_depths)
        };
        self.request(setup, common)
    }
}
