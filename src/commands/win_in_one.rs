//! `phutbase win-in-one`: the turns of a pitch that win at once.

use super::Common;
use super::output::{CommandError, json_line, stdout};
use clap::Args;
use phutbase::games::pitch::{Pitch, Turn, side_letter, side_name};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// The position: rows from top to bottom, such as "5/5/1oo2/@1o1o/3o1 B"
    position: String,
}

#[derive(Serialize)]
struct Answer {
    position: String,
    rows: usize,
    columns: usize,
    side: String,
    /// Every turn that wins at once, those of fewer jumps first.
    moves: Vec<Winning>,
}

#[derive(Serialize)]
struct Winning {
    #[serde(rename = "move")]
    turn: String,
    position: String,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let pitch = parse(&arguments.position)?;
    let wins = (pitch.wins_in_one()).map_err(|error| CommandError::Failure(error.to_string()))?;
    let next = pitch.side().opponent();
    let moves: Vec<Winning> = (wins.iter())
        .map(|(jump, path)| Winning {
            turn: pitch.path_notation(path),
            position: pitch.after(&Turn::Jump(*jump)).notation(next),
        })
        .collect();
    let mut out = stdout();
    if common.json {
        let answer = Answer {
            position: pitch.to_string(),
            rows: pitch.shape().rows(),
            columns: pitch.shape().columns(),
            side: side_name(pitch.side()).to_lowercase(),
            moves,
        };
        json_line(&mut out, &answer)?;
    } else if moves.is_empty() {
        writeln!(out, "{pitch}: {} has no win in one", side_name(pitch.side()))?;
    } else {
        let count = moves.len();
        writeln!(
            out,
            "{pitch}: {} wins in one, by {count} turns",
            side_name(pitch.side())
        )?;
        for winning in &moves {
            // The letter of the player whose turn it would be means nothing when the game is over.
            let board = winning.position.trim_end_matches([' ', side_letter(next)]);
            writeln!(out, "{:<20} {board}", winning.turn)?;
        }
    }
    Ok(out.flush()?)
}

/// Reads a position of a pitch from the command line.
pub fn parse(position: &str) -> Result<Pitch, CommandError> {
    position
        .parse()
        .map_err(|error| CommandError::Usage(format!("position '{position}': {error}")))
}
