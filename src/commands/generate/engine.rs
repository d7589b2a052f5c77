//! Which engine solves a length if nobody says: the one that is faster, if it fits.

use super::super::options::EngineChoice;
use super::super::output::CommandError;
use phutbase::games::strip::MAX_LENGTH;
use phutbase::generate::plan::{Plan, free_memory};
use phutbase::generate::{Engine, Request};
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::table::{Layout, Metric};

/// Up to so many squares either engine takes a few hundredths of a second, and the dense one writes what answers fastest. Beyond, the
/// symbolic engine is faster, by a factor of two at 24 squares and of eighty at 32 (measured: docs/BENCHMARKS.md).
const LONGEST_DENSE: usize = 16;

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
    Ok(shares)
}

/// The engine for a length that nobody chose one for.
pub fn faster(length: usize, request: &Request) -> Engine {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn names(
        lengths: std::ops::RangeInclusive<usize>,
        choice: EngineChoice,
        request: &Request,
    ) -> Vec<String> {
        let shares = share(lengths, choice, request).unwrap();
        let name = |share: &Share| format!("{:?} {:?}", share.engine, share.lengths);
        shares.iter().map(name).collect()
    }

    #[test]
    fn the_shorter_strips_go_to_the_dense_engine_unless_an_option_or_memory_forbids() {
        let plain = Request::new(18, Metric::Dtw);
        let auto = EngineChoice::Auto;
        assert_eq!(
            names(15..=18, auto, &plain),
            ["Dense [15, 16]", "Symbolic [17, 18]"]
        );
        let winners = Request::new(18, Metric::Wdl);
        assert_eq!(names(15..=18, auto, &winners), ["Symbolic [15, 16, 17, 18]"]);
        let on_scratch = Request {
            scratch: Some(PathBuf::from(".")),
            ..plain.clone()
        };
        assert_eq!(names(15..=18, auto, &on_scratch), ["Dense [15, 16, 17, 18]"]);
        let small = Request {
            memory: Some(1 << 10),
            ..plain.clone()
        };
        assert_eq!(names(15..=16, auto, &small), ["Symbolic [15, 16]"]);
        let dense = EngineChoice::Only(Engine::Dense);
        assert_eq!(names(16..=17, dense, &plain), ["Dense [16, 17]"]);
        assert!(share([41], dense, &plain).is_err());
        assert_eq!(names(41..=41, auto, &plain), ["Symbolic [41]"]);
    }
}
