//! `phutbase theory backward-jumps`: positions whose only winning turns are jumps towards one's own goal line.

use super::super::Common;
use super::super::output::{CommandError, Count, grouped, json_line, stdout};
use super::{in_range, watched};
use clap::Args;
use phutbase::games::strip::MIN_LENGTH;
use phutbase::theory::backward::scan;
use phutbase::theory::planes::Planes;
use phutbase::theory::proof::prove_backward_only;
use serde::Serialize;
use std::io::Write;

/// The longest strips that are scanned.
const MAX_LENGTH: usize = 36;
/// Positions that the proof of one counterexample may visit.
const PROOF_LIMIT: usize = 20_000_000;

#[derive(Args)]
pub struct Arguments {
    /// Every length up to N
    #[arg(long, value_name = "N")]
    max_length: usize,
    /// Begin with this length
    #[arg(long, value_name = "N", default_value_t = MIN_LENGTH)]
    min_length: usize,
    /// Show, and prove by the rules alone, at most K positions of each length
    #[arg(long, value_name = "K", default_value_t = 3)]
    show: usize,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    count: Count,
    /// The first by ball square and pattern, Left to move; each was proved by playing out every reply.
    positions: Vec<String>,
    /// For each of them, the positions that its proof visits.
    proofs: Vec<usize>,
}

pub fn run(arguments: &Arguments, common: &Common, memory: Option<u64>) -> Result<(), CommandError> {
    in_range("max-length", arguments.max_length, MIN_LENGTH, MAX_LENGTH)?;
    in_range(
        "min-length",
        arguments.min_length,
        MIN_LENGTH,
        arguments.max_length,
    )?;
    let mut out = stdout();
    for length in arguments.min_length..=arguments.max_length {
        let (found, proofs) = watched(format!("length {length}"), memory, |watch| {
            let planes = Planes::strip(length, watch)?;
            let found = scan(&planes, arguments.show, watch)?;
            (watch.say)("proving".to_string());
            let proofs: Result<Vec<_>, _> = (found.positions.iter())
                .map(|strip| prove_backward_only(&planes, strip, PROOF_LIMIT))
                .collect();
            Ok((found, proofs))
        })?;
        let proofs = proofs.map_err(|error| {
            CommandError::Failure(format!(
                "length {length}: a position found is not proved: {error}"
            ))
        })?;
        let line = Line {
            length,
            count: Count(found.count.into()),
            positions: found.positions.iter().map(ToString::to_string).collect(),
            proofs: proofs.iter().map(|proof| proof.positions).collect(),
        };
        if common.json {
            json_line(&mut out, &line)?;
        } else {
            writeln!(out, "length {length:>2}: {} positions", grouped(line.count.0))?;
            for (position, visited) in line.positions.iter().zip(&line.proofs) {
                let visited = grouped(*visited as u128);
                writeln!(out, "  {position}   proved by playing out {visited} positions")?;
            }
        }
        out.flush()?;
    }
    Ok(())
}
