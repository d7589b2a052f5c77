//! Options that several verbs share, each refused where it is read if it makes no sense.

use crate::games::rules::Rules;
use crate::generate::{CHECKPOINT_EVERY, Request};
use clap::Args;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// By which rules Phutball is played.
#[derive(Args, Clone, Copy)]
pub struct ByRules {
    /// How strips and pitches are played: ordinary, or directional (Left jumps to the right only and Right to the left, Alfred up and Betty
    /// down)
    #[arg(long, value_name = "RULES", default_value_t)]
    pub rules: Rules,
}

/// An amount of memory, given in GiB.
#[derive(Clone, Copy)]
pub struct Memory(pub u64);

impl FromStr for Memory {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Memory, &'static str> {
        let gib = text.parse::<f64>().ok();
        let gib = gib.filter(|gib| gib.is_finite() && *gib > 0.0 && *gib < f64::from(1 << 30));
        gib.map(|gib| Memory((gib * f64::from(1 << 30)) as u64))
            .ok_or("give a positive number of GiB")
    }
}

/// A time, given in seconds.
#[derive(Clone, Copy)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Seconds, &'static str> {
        let seconds = text.parse::<f64>().ok();
        (seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
            .map(Seconds)
            .ok_or("give a number of seconds")
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_secs_f64().fmt(f)
    }
}

/// A number, or a range with both its ends.
#[derive(Clone, Debug)]
pub struct Span(pub RangeInclusive<usize>);

impl FromStr for Span {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Span, &'static str> {
        // More than any board has squares, or any game plies.
        let number = |text: &str| {
            (text.parse::<u16>().ok()).ok_or("write a number, as in 30, or a range, as in 30..34")
        };
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let (from, to) = (number(from)?, number(to)?);
        match from <= to {
            true => Ok(Span(from.into()..=to.into())),
            false => Err("the range ends before it begins: write the smaller number first"),
        }
    }
}

impl Span {
    /// Its ends.
    pub fn ends(&self) -> [usize; 2] {
        [*self.0.start(), *self.0.end()]
    }

    /// The same as numbers of plies.
    pub fn plies(&self) -> RangeInclusive<u16> {
        let ends = self
            .ends()
            .map(|end| u16::try_from(end).expect("read from 16 bits"));
        ends[0]..=ends[1]
    }
}

/// What a run may use.
#[derive(Args, Clone)]
pub struct Resources {
    /// Memory that may be used [default: what the system has free; 2 for Obstruction]
    #[arg(long, value_name = "GiB")]
    pub memory: Option<Memory>,
    /// Keep the sets of a pitch in files of this directory instead of memory
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Save a checkpoint when this much work would be lost without it; 0 saves one after every ply
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds(CHECKPOINT_EVERY))]
    pub checkpoint_every: Seconds,
}

impl Resources {
    /// The memory that may be used, in bytes, if it was given.
    pub fn memory(&self) -> Option<u64> {
        self.memory.map(|memory| memory.0)
    }

    /// A request with these resources.
    pub fn request(&self, request: Request, tables: &Path) -> Request {
        Request {
            tables: tables.to_path_buf(),
            memory: self.memory(),
            checkpoint_every: self.checkpoint_every.0,
            ..request
        }
    }
}
