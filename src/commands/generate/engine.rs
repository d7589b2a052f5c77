//! Which engine solves a length if nobody says: the one that is faster, if it fits.

use super::super::options::EngineChoice;
use super::super::output::CommandError;
use phutbase::games::strip::MAX_LENGTH;
use phutbase::generate::plan::{Plan, free_memory};
use phutbase::generate::{Engine, Request};
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::table::{Layout, Metric};
use std::io::Write;

/// The longest strips whose depths the dense engine finds faster (measured, README: 'Performance').
const DENSE_DEPTHS: usize = 24;
/// The longest strips of which the dense engine finds faster who wins.
const DENSE_OUTCOMES: usize = 20;

/// Some lengths, and the engine that solves them.
pub struct Share {
    /// The lengths, ascending.
    pub lengths: Vec<usize>,
    /// The engine.
    pub engine: Engine,
}

/// Shares lengths out between the engines, the shorter ones first, and says how on stderr where nobody chose.
///
/// # Errors
/// If a chosen engine does not solve one of the lengths.
pub fn share(
    lengths: impl IntoIterator<Item = usize>,
    choice: EngineChoice,
    request: &Request,
) -> Result<Vec<Share>, CommandError> {
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
    if choice == EngineChoice::Auto {
        shares.iter().for_each(announce);
    }
    Ok(shares)
}

/// The engine for a length that nobody chose one for.
pub fn faster(length: usize, request: &Request) -> Engine {
    // What only one of them does decides first.
    if request.certificate {
        return Engine::Symbolic;
    }
    if request.scratch.is_some() || request.layout == Some(Layout::Dense) {
        return Engine::Dense;
    }
    let dense_is_faster = match request.metric {
        Metric::Dtw => length <= DENSE_DEPTHS,
        Metric::Wdl => length <= DENSE_OUTCOMES,
    };
    let plan = Plan::new(&Request {
        length,
        ..request.clone()
    });
    let memory = request.memory.unwrap_or_else(free_memory);
    match plan {
        Ok(plan) if dense_is_faster && plan.memory <= memory => Engine::Dense,
        _ => Engine::Symbolic,
    }
}

/// Refuses a length that the engine does not solve.
fn check(engine: Engine, length: usize) -> Result<(), CommandError> {
    let (name, longest) = match engine {
        Engine::Dense => ("dense", MAX_DENSE_LENGTH),
        Engine::Symbolic => ("symbolic", MAX_LENGTH),
    };
    match length <= longest {
        true => Ok(()),
        false => Err(CommandError::Usage(format!(
            "length {length}: the {name} engine solves lengths up to {longest}"
        ))),
    }
}

fn announce(share: &Share) {
    let name = match share.engine {
        Engine::Dense => "dense",
        Engine::Symbolic => "symbolic",
    };
    let words = match share.lengths[..] {
        [length] => format!("length {length}"),
        [first, .., last] => format!("lengths {first} to {last}"),
        [] => return,
    };
    // Without stderr there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{words}: the {name} engine");
}
