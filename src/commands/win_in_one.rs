//! `phutbase win-in-one`: the turns of a pitch that win at once.

use super::given::Uses;
use super::output::{CommandError, stdout, tell};
use super::{Common, Verb};
use clap::Args;
use phutbase::answer::Move;
use phutbase::games::pitch::{Pitch, Turn, side_letter, side_name};
use phutbase::games::position::Position;
use phutbase::outcome::{Depth, Value, Wdl};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase win-in-one \"5/5/1oo2/@1o1o/3o1 B\"
  phutbase win-in-one \"3/1o1/1@1/3 A\" --json
  phutbase win-in-one \"3/3/2o/1o1/3/@2/3 A\"         none")]
pub struct Arguments {
    /// The position: rows from top to bottom, such as "5/5/1oo2/@1o1o/3o1 B"
    position: Pitch,
}

/// The vocabulary of all answers; the value is null where no turn wins at once.
#[derive(Serialize)]
struct Wins {
    game: &'static str,
    position: String,
    side: &'static str,
    value: Option<&'static str>,
    depth: Option<u16>,
    winner: Option<&'static str>,
    /// Every turn that wins at once, those of fewer jumps first.
    moves: Vec<Move>,
}

impl Verb for Arguments {
    fn uses(&self) -> Uses {
        Uses::new("win-in-one", &["json"])
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let pitch = self.position;
        let wins = (pitch.wins_in_one()).map_err(|error| CommandError::Failure(error.to_string()))?;
        let next = pitch.side().opponent();
        let moves: Vec<Move> = (wins.iter())
            .map(|(jump, path)| {
                let after = pitch.after(&Turn::Jump(*jump)).notation(next);
                let value = Value::Win(Depth(1));
                Move::new(pitch.path_notation(path), after, value.into())
            })
            .collect();
        let answer = answer(&pitch, moves);
        tell(stdout(), common.json, &answer, |out| {
            print(out, &pitch, &answer.moves)
        })
    }
}

fn answer(pitch: &Pitch, moves: Vec<Move>) -> Wins {
    let position = Position::from(*pitch);
    let mover = position.player(pitch.side());
    let wins = !moves.is_empty();
    Wins {
        game: position.game(),
        position: position.to_string(),
        side: mover,
        value: wins.then_some(Wdl::Win.word()),
        depth: wins.then_some(1),
        winner: wins.then_some(mover),
        moves,
    }
}

fn print(out: &mut impl Write, pitch: &Pitch, moves: &[Move]) -> Result<(), CommandError> {
    let mover = side_name(pitch.side());
    if moves.is_empty() {
        writeln!(out, "{pitch}: {mover} has no win in one")?;
        return Ok(());
    }
    writeln!(out, "{pitch}: {mover} wins in one, by {} turns", moves.len())?;
    let next = side_letter(pitch.side().opponent());
    for winning in moves {
        // The letter of the player whose turn it would be means nothing when the game is over.
        let board = winning.position.trim_end_matches([' ', next]);
        writeln!(out, "{:<20} {board}", winning.turn)?;
    }
    Ok(())
}
