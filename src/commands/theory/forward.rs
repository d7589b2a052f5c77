//! `phutbase theory forward`: the number of non-forward turns that Left needs to win.

use super::super::output::{BigCount, CommandError, grouped};
use super::{Asked, of_length, strips};
use crate::answer::BoardsLabel;
use crate::diagram::{Diagram, Graph};
use crate::games::boards::Boards;
use crate::games::strip::MAX_LENGTH;
use crate::solve::symbolic::Levels;
use crate::table::error::TableError;
use crate::theory::forward::{REPLAY_LIMIT, needed, replay};
use crate::theory::proof::NotProved;
use crate::theory::watch::{Watch, solve_levels};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory forward                           strips of 3 to 48 squares
  phutbase theory forward 22 --replay-length 0      without replays
  phutbase theory forward 44..64 --limit 1 --json   an example of each kind")]
pub struct Arguments {
    /// Strips; missing tables of who wins are solved
    #[arg(default_value = "3..48")]
    boards: Boards,
    /// Replay the examples by the rules alone, through every reply, up to length N; each takes
    /// millions of positions
    #[arg(long, value_name = "N", default_value_t = 22)]
    replay_length: usize,
    /// Show at most K positions for each number of turns and each player to move
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

#[derive(Serialize)]
struct ForwardRow {
    #[serde(flatten)]
    label: BoardsLabel,
    /// Entry k: boards with Left to move that need exactly k backward turns.
    left_to_move: Vec<BigCount>,
    right_to_move: Vec<BigCount>,
    examples: Vec<Example>,
}

#[derive(Serialize)]
struct Example {
    position: String,
    turns: usize,
    /// Positions visited in the replay; `null` if it was not requested or is too long.
    replayed: Option<usize>,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("forward", &arguments.boards, MAX_LENGTH)?;
    let tables = asked.common.tables()?;
    let mut shorter: Option<Levels> = None;
    let answer = |length, watch: Watch<'_>| match tables.ask_levels(length, |table| table.sets(length)) {
        Ok(sets) => line(sets.workspace(), &sets, sets.roots(), arguments),
        Err(TableError::Missing { .. }) => {
            let levels = solve_levels(length, shorter.as_ref(), watch)?.levels()?;
            let line = line(Graph::new(length), levels.store(), &levels.roots(), arguments);
            shorter = Some(levels);
            line
        }
        Err(error) => Err(error.into()),
    };
    asked.each(lengths, of_length, answer, print)
}

/// Describes a length; an example that contradicts the levels is an error.
fn line<D: Diagram>(
    graph: Graph,
    diagram: &D,
    levels: &[D::Ref],
    arguments: &Arguments,
) -> Result<ForwardRow, CommandError> {
    let length = diagram.length();
    let found = needed(graph, diagram, levels, arguments.limit)?;
    let mut examples = Vec::new();
    for (turns, strip) in found.examples {
        let replayed =
            (length <= arguments.replay_length).then(|| replay(diagram, levels, &strip, turns, REPLAY_LIMIT));
        let replayed = match replayed {
            None | Some(Err(NotProved::TooLong(_))) => None,
            Some(Ok(positions)) => Some(positions),
            Some(Err(error @ NotProved::Refuted(_))) => {
                let message = format!("'{strip}', {turns} turns: {error}");
                return Err(CommandError::Failure(message));
            }
        };
        examples.push(Example {
            position: strip.to_string(),
            turns,
            replayed,
        });
    }
    let counts = |counts: Vec<BigUint>| counts.into_iter().map(BigCount).collect();
    Ok(ForwardRow {
        label: BoardsLabel::strip(length),
        left_to_move: counts(found.left_to_move),
        right_to_move: counts(found.right_to_move),
        examples,
    })
}

fn print(out: &mut dyn Write, line: &ForwardRow) -> io::Result<()> {
    let most = line.left_to_move.len() - 1;
    write!(out, "length {:>3}: at most {most}", line.label.boards)?;
    for (k, (left, right)) in line
        .left_to_move
        .iter()
        .zip(&line.right_to_move)
        .enumerate()
        .skip(1)
    {
        let (left, right) = (grouped(&left.0), grouped(&right.0));
        write!(out, "; {k}: {left} with Left to move, {right} with Right")?;
    }
    writeln!(out)?;
    for example in &line.examples {
        let replayed = match example.replayed {
            Some(positions) => format!("played out, {} positions", grouped(positions as u128)),
            None => "not played out".to_string(),
        };
        writeln!(out, "  {}: {}   {replayed}", example.turns, example.position)?;
    }
    Ok(())
}
