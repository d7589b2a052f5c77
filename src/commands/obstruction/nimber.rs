//! `phutbase obstruction nimber`: the nimber of a board or a sum, and of its components.

use super::{Common, Memory, Shown, parse, sentence, unlimited};
use crate::commands::output::{CommandError, json_line, stdout};
use clap::Args;
use phutbase::solve::nimbers::total;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// The board, such as "6x6", "..x/.../x..", or a sum "1x2 + 1x7"
    board: String,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    nimber: u8,
    winner: String,
    components: Vec<Shown>,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let sum = parse(&arguments.board)?;
    let (solver, _) = arguments.memory.solver(common)?;
    let components = unlimited(|limits| solver.components(&sum.terms, limits))?;
    let nimber = total(&components);
    let components = Shown::all(&components);
    let mut out = stdout();
    if common.json {
        let answer = Answer {
            board: sum.to_string(),
            nimber: nimber.0,
            winner: nimber.winner().to_string(),
            components,
        };
        json_line(&mut out, &answer)?;
    } else {
        writeln!(out, "{sum}\n{}", sentence(nimber))?;
        if components.len() > 1 {
            writeln!(out, "\nnimber  squares  component")?;
            for part in components {
                writeln!(out, "{:>6}  {:>7}  {}", part.nimber, part.squares, part.shape)?;
            }
        }
    }
    Ok(out.flush()?)
}
