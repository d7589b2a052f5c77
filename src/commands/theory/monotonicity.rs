//! `phutbase theory monotonicity`: does a stone more, or a square less, on the way to the goal ever hurt?

use super::super::output::{CommandError, Count, grouped};
use super::{Asked, of_length, strips};
use crate::games::boards::Boards;
use crate::games::strip::{MIN_LENGTH, Strip};
use crate::outcome::{Side, Value, Wdl};
use crate::table::tablebase::Tablebase;
use crate::theory::monotonicity::{Harm, Harms, Monotonicity, examine};
use crate::theory::proof::{NotProved, PROOF_LIMIT, prove};
use crate::theory::values::{AllValues, MAX_LENGTH};
use crate::theory::watch::Watch;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory monotonicity                              strips of 3 to 12 squares
  phutbase theory monotonicity 10 --limit 5                   more of the shortest counterexamples
  phutbase theory monotonicity 3..18 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..12")]
    boards: Boards,
    /// Show, and prove by the rules alone, at most K counterexamples of each kind and length
    #[arg(long, value_name = "K", default_value_t = 2)]
    limit: usize,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    stone_hurts: HarmsLine,
    deletion_hurts: HarmsLine,
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

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("monotonicity", &arguments.boards, MAX_LENGTH)?;
    let first = *lengths.start();
    let tables = asked.tables()?;
    let values = |length| tables.ask_depths(length, |table| AllValues::of(&table.sets(length)?));
    let mut shorter = match first {
        MIN_LENGTH => None,
        _ => Some(values(first - 1)?),
    };
    let answer = |length, watch: Watch<'_>| {
        let all = values(length)?;
        let found = examine(&all, shorter.as_ref(), arguments.limit, watch)?;
        for harm in found.stone.first.iter().chain(&found.square.first) {
            prove_harm(harm, &tables).map_err(|error| {
                CommandError::Failure(format!(
                    "length {length}: a counterexample is not proved: {error}"
                ))
            })?;
        }
        shorter = Some(all);
        Ok(line(&found))
    };
    asked.each(lengths, of_length, answer, print)
}

/// Proves that Left wins the one and Right the other.
fn prove_harm(harm: &Harm, tables: &Tablebase) -> Result<(), NotProved> {
    let best = |strip: &Strip| {
        let rated = tables.ask_depths(strip.length(), |table| table.rated_turns(strip));
        Some(rated.ok()?.first()?.turn)
    };
    prove(&harm.before, Side::Left, &best, PROOF_LIMIT)?;
    prove(&harm.after, Side::Right, &best, PROOF_LIMIT)?;
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
        empty_strip: empty(found),
    }
}

fn empty(found: &Monotonicity) -> Vec<String> {
    let short = |value: &Value| {
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

fn print(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    let total = |harms: &HarmsLine| grouped(harms.left_to_move.0 + harms.right_to_move.0);
    writeln!(
        out,
        "length {:>2}: a stone hurts {} times, a deletion {} times",
        line.length,
        total(&line.stone_hurts),
        total(&line.deletion_hurts),
    )?;
    for [before, after] in (line.stone_hurts.examples.iter()).chain(&line.deletion_hurts.examples) {
        writeln!(out, "  Left wins '{before}' and loses '{after}'")?;
    }
    writeln!(
        out,
        "  empty strip, by ball square: {}",
        line.empty_strip.join(" ")
    )
}
