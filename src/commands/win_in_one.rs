//! `phutbase win-in-one`: the turns of a pitch that win at once.

use super::output::{CommandError, stdout, tell};
use super::{Common, Verb};
use crate::answer::Move;
use crate::games::pitch::{Jump, MAX_BOARDS, Path, Pitch, Turn, side_letter, side_name};
use crate::games::position::Position;
use crate::outcome::{Depth, Value, Wdl};
use crate::solve::wins::{Answer, WinLimits, decide};
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The most wins that are listed.
const MOST_LISTED: usize = 10_000;
/// The time after which a position is given up.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase win-in-one \"5/5/1oo2/@1o1o/3o1 B\"
  phutbase win-in-one \"3/1o1/1@1/3 A\" --json
  phutbase win-in-one \"3/3/2o/1o1/3/@2/3 A\"         none

Whether there is a win is decided first, by a search and where that gives up by a SAT solver; then the wins are listed, those of
fewer jumps first, as far as a million boards reach. All of it takes less than 1 GiB of memory.")]
pub struct Arguments {
    /// Print the first win found and no other
    #[arg(long)]
    first: bool,
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
    /// Turns that win at once, those of fewer jumps first.
    moves: Vec<Move>,
    /// Whether these are all.
    complete: bool,
}

/// Turns that win at once, each with a way to make it, and whether these are all.
type Found = (Vec<(Jump, Path)>, bool);

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let pitch = self.position;
        let (wins, complete) = self.wins()?;
        let next = pitch.side().opponent();
        let moves: Vec<Move> = (wins.iter())
            .map(|(jump, path)| {
                let after = pitch.after(&Turn::Jump(*jump)).notation(next);
                let value = Value::Win(Depth(1));
                Move::new(pitch.path_notation(path), after, value.into())
            })
            .collect();
        let answer = answer(&pitch, moves, complete);
        tell(stdout(), common.json, &answer, |out| {
            print(out, &pitch, &answer.moves)?;
            if !complete {
                writeln!(out, "… there may be more: not all were listed")?;
            }
            Ok(())
        })
    }
}

impl Arguments {
    fn wins(&self) -> Result<Found, CommandError> {
        let begun = Instant::now();
        match decide(&self.position, WinLimits::default(), &|| {
            begun.elapsed() > PATIENCE
        }) {
            Answer::None => Ok((Vec::new(), true)),
            Answer::Unknown => Err(CommandError::Failure(format!(
                "whether '{}' has a win in one was not found out in the memory and time that there is for it",
                self.position
            ))),
            Answer::Wins(path) => {
                let first = self.position.jump_by(path);
                let (wins, complete) = match self.first {
                    true => (Vec::new(), false),
                    false => self.position.wins_in_one(MAX_BOARDS, MOST_LISTED),
                };
                // The nearest boards need not be won.
                let wins = if wins.is_empty() { vec![first] } else { wins };
                Ok((wins, complete))
            }
        }
    }
}

fn answer(pitch: &Pitch, moves: Vec<Move>, complete: bool) -> Wins {
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
        complete,
    }
}

fn print(out: &mut impl Write, pitch: &Pitch, moves: &[Move]) -> io::Result<()> {
    let mover = side_name(pitch.side());
    if moves.is_empty() {
        return writeln!(out, "{pitch}: {mover} has no win in one");
    }
    writeln!(out, "{pitch}: {mover} wins in one; turns listed: {}", moves.len())?;
    let next = side_letter(pitch.side().opponent());
    for winning in moves {
        // The letter of the player whose turn it would be means nothing when the game is over.
        let board = winning.position.trim_end_matches([' ', next]);
        writeln!(out, "{:<20} {board}", winning.turn)?;
    }
    Ok(())
}
