//! `phutbase obstruction nimber`: the nimber of a board or a sum, and of its components.

use super::{Common, Memory, parse, sentence, unlimited};
use crate::commands::output::{CommandError, json_line, stdout};
use clap::Args;
use phutbase::answer::obstruction::NimberAnswer;
use phutbase::nimber::Nimber;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// The board, such as "6x6", "..x/.../x..", or a sum "1x2 + 1x7"
    board: String,
    #[command(flatten)]
    memory: Memory,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let sum = parse(&arguments.board)?;
    let (solver, _) = arguments.memory.solver(common)?;
    let answer = unlimited(|limits| NimberAnswer::find(&solver, &sum, limits))?;
    let mut out = stdout();
    if common.json {
        json_line(&mut out, &answer)?;
    } else {
        writeln!(out, "{sum}\n{}", sentence(Nimber(answer.nimber)))?;
        if answer.components.len() > 1 {
            writeln!(out, "\nnimber  squares  component")?;
            for part in answer.components {
                writeln!(out, "{:>6}  {:>7}  {}", part.nimber, part.squares, part.shape)?;
            }
        }
    }
    Ok(out.flush()?)
}
