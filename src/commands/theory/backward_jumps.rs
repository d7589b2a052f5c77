//! `phutbase theory backward-jumps`: positions whose only winning turns are jumps towards one's own goal line.

use super::super::output::{CommandError, Count, grouped};
use super::{Asked, of_length, strips};
use clap::Args;
use phutbase::games::boards::Boards;
use phutbase::theory::backward::scan;
use phutbase::theory::planes::{Planes, Watch};
use phutbase::theory::proof::{PROOF_LIMIT, prove_backward_only};
use serde::Serialize;
use std::io::{self, Write};

/// The longest strips that are scanned.
const MAX_LENGTH: usize = 36;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory backward-jumps                            strips of 3 to 22 squares
  phutbase theory backward-jumps 22 --show 10                the shortest, each proved
  phutbase theory backward-jumps 3..30 --prove-length 22")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..22")]
    boards: Boards,
    /// Prove the positions shown by the rules alone, up to length N; a proof visits millions of positions
    #[arg(long, value_name = "N", default_value_t = 24)]
    prove_length: usize,
    /// Show at most K positions of each length
    #[arg(long, value_name = "K", default_value_t = 3)]
    show: usize,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    count: Count,
    /// The first by ball square and pattern, Left to move.
    positions: Vec<String>,
    /// For each of them, the positions that its proof by the rules alone visits; `null` where none was asked for.
    proofs: Option<Vec<usize>>,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("backward-jumps", &arguments.boards, MAX_LENGTH)?;
    asked.each(
        lengths,
        of_length,
        |length, watch| line(length, arguments, watch),
        print,
    )
}

fn line(length: usize, arguments: &Arguments, watch: Watch<'_>) -> Result<Line, CommandError> {
    let planes = Planes::strip(length, watch)?;
    let found = scan(&planes, arguments.show, watch)?;
    (watch.say)("proving".to_string());
    let prove = |strip| prove_backward_only(&planes, strip, PROOF_LIMIT).map(|proof| proof.positions);
    let proofs: Result<Option<Vec<usize>>, _> = (length <= arguments.prove_length)
        .then(|| found.positions.iter().map(prove).collect())
        .transpose();
    Ok(Line {
        length,
        count: Count(found.count.into()),
        positions: found.positions.iter().map(ToString::to_string).collect(),
        proofs: proofs.map_err(|error| {
            CommandError::Failure(format!(
                "length {length}: a position found is not proved: {error}"
            ))
        })?,
    })
}

fn print(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    writeln!(
        out,
        "length {:>2}: {} positions",
        line.length,
        grouped(line.count.0)
    )?;
    for (place, position) in line.positions.iter().enumerate() {
        match &line.proofs {
            Some(proofs) => {
                let visited = grouped(proofs[place] as u128);
                writeln!(out, "  {position}   proved by playing out {visited} positions")?;
            }
            None => writeln!(out, "  {position}   not proved again, see --prove-length")?,
        }
    }
    Ok(())
}
