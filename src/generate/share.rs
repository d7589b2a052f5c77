//! Which engine solves a length if nobody says: the one that is faster, if it fits.

use super::plan::{Plan, free_memory};
use super::{Engine, Request};
use crate::games::strip::MAX_LENGTH;
use crate::outcome::{ParseError, read_word};
use crate::solve::dense::MAX_DENSE_LENGTH;
use crate::table::{Layout, Metric};
use std::str::FromStr;

/// Up to so many squares either engine takes a few hundredths of a second, and the dense one writes what answers fastest. Beyond, the
/// symbolic engine is faster, by a factor of two at 24 squares and of eighty at 32 (measured: docs/BENCHMARKS.md).
const LONGEST_DENSE: usize = 16;

/// What finds the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The one that is faster and fits.
    Auto,
    /// This one.
    Only(Engine),
}

impl FromStr for EngineChoice {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<EngineChoice, ParseError> {
        let words = [
            ("auto", EngineChoice::Auto),
            ("dense", EngineChoice::Only(Engine::Dense)),
            ("symbolic", EngineChoice::Only(Engine::Symbolic)),
        ];
        read_word(text, &words)
    }
}

/// A length that an engine does not solve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("length {length}: the {engine} engine solves lengths up to {longest}")]
pub struct TooLong {
    /// The length.
    pub length: usize,
    /// The engine.
    pub engine: Engine,
    /// The longest that it solves.
    pub longest: usize,
}

/// Some lengths, and the engine that solves them.
pub struct Share {
    /// The lengths, ascending.
    pub lengths: Vec<usize>,
    /// The engine.
    pub engine: Engine,
}

/// Shares lengths out between the engines, the shorter ones first; each says its name on stderr when it begins a length.
///
/// # Errors
/// [`TooLong`] for the first length that a chosen engine does not solve.
pub fn share(
    lengths: impl IntoIterator<Item = usize>,
    choice: EngineChoice,
    request: &Request,
) -> Result<Vec<Share>, TooLong> {
    let mut shares: Vec<Share> = Vec::new();
    for length in lengths {
        let engine = match choice {
            EngineChoice::Only(engine) => engine,
            EngineChoice::Auto => faster(length, request),
        };
        check(engine, length)?;
        match shares.last_mut() {
            Some(last) if last.engine == engine => last.lengths.push(length),
            _ => shares.push(Share {
                lengths: vec![length],
                engine,
            }),
        }
    }
    Ok(shares)
}

/// The engine for a length that nobody chose one for.
fn faster(length: usize, request: &Request) -> Engine {
    // What only one of them does decides first.
    if request.scratch.is_some() || request.layout == Some(Layout::Dense) {
        return Engine::Dense;
    }
    // Who wins is soon found, and the symbolic engine proves it.
    if request.metric == Metric::Wdl {
        return Engine::Symbolic;
    }
    let plan = Plan::new(&Request {
        length,
        ..request.clone()
    });
    let memory = request.memory.unwrap_or_else(free_memory);
    match plan {
        Ok(plan) if length <= LONGEST_DENSE && plan.memory <= memory => Engine::Dense,
        _ => Engine::Symbolic,
    }
}

/// Refuses a length that the engine does not solve.
fn check(engine: Engine, length: usize) -> Result<(), TooLong> {
    let longest = match engine {
        Engine::Dense => MAX_DENSE_LENGTH,
        Engine::Symbolic => MAX_LENGTH,
    };
    match length <= longest {
        true => Ok(()),
        false => Err(TooLong {
            length,
            engine,
            longest,
        }),
    }
}
