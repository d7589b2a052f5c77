//! `phutbase obstruction move`: every winning move of a board or a sum, and what it leaves.

use super::{Common, Memory, parse, sentence, unlimited};
use crate::commands::output::{CommandError, json_line, stdout};
use clap::Args;
use phutbase::answer::obstruction::{TurnsAnswer, WinningTurnAnswer};
use phutbase::games::obstruction::Sum;
use phutbase::nimber::Nimber;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// The board, such as "6x6", "..x/.../x..", or a sum "1x2 + 1x7" or "1+2+3"
    board: String,
    #[command(flatten)]
    memory: Memory,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let sum = parse(&arguments.board)?;
    let (solver, _) = arguments.memory.solver(common)?;
    let answer = unlimited(|limits| TurnsAnswer::find(&solver, &sum, limits))?;
    let mut out = stdout();
    if common.json {
        json_line(&mut out, &answer)?;
    } else {
        writeln!(out, "{sum}\n{}\n", sentence(Nimber(answer.nimber)))?;
        print(&mut out, &sum, &answer.moves)?;
    }
    Ok(out.flush()?)
}

fn print(out: &mut impl Write, sum: &Sum, turns: &[WinningTurnAnswer]) -> Result<(), CommandError> {
    if turns.is_empty() {
        writeln!(out, "no winning move")?;
    }
    for turn in turns {
        // Only where there are several boards need the board be named.
        if sum.terms.len() > 1 {
            write!(out, "board {}, {}: ", turn.term, sum.terms[turn.term - 1])?;
        }
        write!(out, "{} leaves {}", turn.square, turn.after)?;
        let worths: Vec<String> = (turn.components.iter())
            .map(|part| format!("{} worth {}", part.shape, part.nimber))
            .collect();
        match worths.is_empty() {
            true => writeln!(out, ": nothing to mark")?,
            false => writeln!(out, ": {}", worths.join(", "))?,
        }
    }
    Ok(())
}
