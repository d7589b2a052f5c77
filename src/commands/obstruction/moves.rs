//! `phutbase obstruction move`: every winning move of a board or a sum, and what it leaves.

use super::{Common, Memory, Shown, parse, sentence, unlimited};
use crate::commands::output::{CommandError, json_line, stdout};
use clap::Args;
use phutbase::games::obstruction::Sum;
use phutbase::solve::nimbers::{WinningTurn, total};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// The board, such as "6x6", "..x/.../x..", or a sum "1x2 + 1x7" or "1+2+3"
    board: String,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    nimber: u8,
    winner: String,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    /// The board of the sum it is made on, counted from 1.
    term: usize,
    square: String,
    after: String,
    components: Vec<Shown>,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let sum = parse(&arguments.board)?;
    let (solver, _) = arguments.memory.solver(common)?;
    let nimber = total(&unlimited(|limits| solver.components(&sum.terms, limits))?);
    let turns = unlimited(|limits| solver.winning_turns(&sum, limits))?;
    let mut out = stdout();
    if common.json {
        let answer = Answer {
            board: sum.to_string(),
            nimber: nimber.0,
            winner: nimber.winner().to_string(),
            moves: turns.iter().map(json_move).collect(),
        };
        json_line(&mut out, &answer)?;
    } else {
        writeln!(out, "{sum}\n{}\n", sentence(nimber))?;
        print(&mut out, &sum, &turns)?;
    }
    Ok(out.flush()?)
}

fn json_move(turn: &WinningTurn) -> Move {
    Move {
        term: turn.term + 1,
        square: turn.square.to_string(),
        after: turn.after.to_string(),
        components: Shown::all(&turn.components),
    }
}

fn print(out: &mut impl Write, sum: &Sum, turns: &[WinningTurn]) -> Result<(), CommandError> {
    if turns.is_empty() {
        writeln!(out, "no winning move")?;
    }
    for turn in turns {
        // Only where there are several boards need the board be named.
        if sum.terms.len() > 1 {
            write!(out, "board {}, {}: ", turn.term + 1, sum.terms[turn.term])?;
        }
        write!(out, "{} leaves {}", turn.square, turn.after)?;
        let parts = Shown::all(&turn.components);
        let worths: Vec<String> = parts
            .iter()
            .map(|part| format!("{} worth {}", part.shape, part.nimber))
            .collect();
        match worths.is_empty() {
            true => writeln!(out, ": nothing to mark")?,
            false => writeln!(out, ": {}", worths.join(", "))?,
        }
    }
    Ok(())
}
