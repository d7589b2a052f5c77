//! `phutbase theory monotonicity`: does a stone more, or a square less, on the way to the goal ever hurt?

use super::super::Common;
use super::super::output::{CommandError, Count, grouped, tell, unheeded};
use super::{strips, watched};
use clap::Args;
use phutbase::games::boards::Boards;
use phutbase::games::strip::{MIN_LENGTH, Strip};
use phutbase::outcome::{Side, Wdl};
use phutbase::theory::monotonicity::{Harm, Harms, Monotonicity, examine};
use phutbase::theory::planes::Planes;
use phutbase::theory::proof::{NotProved, best_turn, prove};
use serde::Serialize;
use std::io::Write;

/// The longest strips that are examined.
const MAX_LENGTH: usize = 28;
/// Positions that the proof of one counterexample may visit.
const PROOF_LIMIT: usize = 20_000_000;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory monotonicity                              strips of 3 to 12 squares
  phutbase theory monotonicity 10 --show 5                   more of the shortest counterexamples
  phutbase theory monotonicity 3..18 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..12")]
    boards: Boards,
    /// Show, and prove by the rules alone, at most K counterexamples of each kind and length
    #[arg(long, value_name = "K", default_value_t = 2)]
    show: usize,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    stone_hurts: HarmsLine,
    deletion_hurts: HarmsLine,
    zugzwang: Count,
    /// The empty strip, Left to move, by ball square from 1: `W13` a win in 13 plies, `L8` a loss in 8, `D` a draw.
    empty_strip: Vec<String>,
}

#[derive(Serialize)]
struct HarmsLine {
    left_to_move: Count,
    right_to_move: Count,
    /// Pairs: Left wins the first and not the second; proved by playing out every reply.
    examples: Vec<[String; 2]>,
}

pub fn run(arguments: &Arguments, common: &Common, memory: Option<u64>) -> Result<(), CommandError> {
    let lengths = strips("monotonicity", &arguments.boards, MAX_LENGTH)?;
    let mut out = unheeded();
    let first = *lengths.start();
    let mut shorter: Option<Planes> = match first {
        MIN_LENGTH => None,
        _ => Some(watched(format!("length {}", first - 1), memory, |watch| {
            Planes::strip(first - 1, watch)
        })?),
    };
    for length in lengths {
        let (found, proved, planes) = watched(format!("length {length}"), memory, |watch| {
            let planes = Planes::strip(length, watch)?;
            let found = examine(&planes, shorter.as_ref(), arguments.show, watch)?;
            let harms = found.stone.first.iter().chain(&found.square.first);
            let proved: Result<Vec<()>, NotProved> = harms
                .map(|harm| prove_harm(harm, &planes, shorter.as_ref()))
                .collect();
            Ok((found, proved, planes))
        })?;
        shorter = Some(planes);
        proved.map_err(|error| {
            CommandError::Failure(format!(
                "length {length}: a counterexample is not proved: {error}"
            ))
        })?;
        tell(&mut out, common.json, &line(&found), |out| print(out, &found))?;
    }
    Ok(())
}

/// Proves that Left wins the one and Right the other.
fn prove_harm(harm: &Harm, planes: &Planes, shorter: Option<&Planes>) -> Result<(), NotProved> {
    let of = |strip: &Strip| {
        shorter
            .filter(|_| strip.length() < planes.layout().length())
            .unwrap_or(planes)
    };
    let suggest = |strip: &Strip| best_turn(of(strip), strip);
    prove(&harm.before, Side::Left, &suggest, PROOF_LIMIT)?;
    prove(&harm.after, Side::Right, &suggest, PROOF_LIMIT)?;
    Ok(())
}

fn line(found: &Monotonicity) -> Line {
    let harms = |harms: &Harms| HarmsLine {
        left_to_move: Count(harms.left_to_move.into()),
        right_to_move: Count(harms.right_to_move.into()),
        examples: harms
            .first
            .iter()
            .map(|harm| [harm.before.to_string(), harm.after.to_string()])
            .collect(),
    };
    Line {
        length: found.length,
        stone_hurts: harms(&found.stone),
        deletion_hurts: harms(&found.square),
        zugzwang: Count(found.zugzwang.into()),
        empty_strip: empty(found),
    }
}

fn empty(found: &Monotonicity) -> Vec<String> {
    let short = |value: &phutbase::outcome::Value| {
        let letter = match value.wdl() {
            Wdl::Win => "W",
            Wdl::Draw => "D",
            Wdl::Loss => "L",
        };
        value
            .depth()
            .map_or(letter.to_string(), |depth| format!("{letter}{depth}"))
    };
    found.empty.iter().map(short).collect()
}

fn print(out: &mut impl Write, found: &Monotonicity) -> Result<(), CommandError> {
    writeln!(
        out,
        "length {:>2}: a stone hurts {} times, a deletion {} times; zugzwang on {} boards",
        found.length,
        grouped(found.stone.total()),
        grouped(found.square.total()),
        grouped(found.zugzwang),
    )?;
    for harm in found.stone.first.iter().chain(&found.square.first) {
        writeln!(out, "  Left wins '{}' and loses '{}'", harm.before, harm.after)?;
    }
    writeln!(out, "  empty strip, by ball square: {}", empty(found).join(" "))?;
    Ok(())
}
