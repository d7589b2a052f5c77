//! `phutbase probe --wins`: the turns of a pitch that win at once.
//!
//! A search decides whether there is one, with a SAT solver as fallback. The turns are then listed
//! by number of jumps, within a million boards. All of it takes less than 1 GiB of memory.

use super::output::{CommandError, object, print_result};
use crate::answer::{self, Move};
use crate::games::pitch::{Jump, MAX_BOARDS, Path, Pitch, Turn, side_letter, side_name};
use crate::games::position::Position;
use crate::outcome::{Depth, Value};
use crate::solve::wins::{Answer, WinLimits, decide};
use std::io::{self, Write};
use std::time::{Duration, Instant};

const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Winning turns, each with one path, and true if the list is complete.
type Found = (Vec<(Jump, Path)>, bool);

/// Answers whether the player to move wins at once, with at most `limit` winning turns.
pub fn run(pitch: &Pitch, limit: usize, json: bool) -> Result<(), CommandError> {
    let (wins, complete) = wins(pitch, limit)?;
    let next = pitch.side().opponent();
    let moves: Vec<Move> = (wins.iter())
        .map(|(jump, path)| {
            let after = pitch.after(&Turn::Jump(*jump)).notation(next);
            let value = Value::Win(Depth(1));
            Move::new(pitch.path_notation(path), after, value.into())
        })
        .collect();
    let mut answer = answer::Answer::new(&Position::from(*pitch), Value::Win(Depth(1)).into());
    if moves.is_empty() {
        // Nothing is known but that there is no win in one.
        (answer.value, answer.depth, answer.winner) = (None, None, None);
    }
    let object = object! {
        #[serde(flatten)]
        answer: answer,
        /// Winning turns, fewest jumps first.
        moves: &moves,
        complete: complete,
    };
    print_result(json, &object, |out| {
        print(out, pitch, &moves)?;
        if !complete {
            writeln!(out, "… the list may be incomplete")?;
        }
        Ok(())
    })?;
    if moves.is_empty() {
        let mover = side_name(pitch.side());
        return Err(CommandError::Failure(format!(
            "{pitch}: {mover} has no win in one"
        )));
    }
    Ok(())
}

fn wins(pitch: &Pitch, limit: usize) -> Result<Found, CommandError> {
    let begun = Instant::now();
    let is_late = || begun.elapsed() > TIME_LIMIT;
    match decide(pitch, WinLimits::default(), &is_late) {
        Answer::None => Ok((Vec::new(), true)),
        Answer::Unknown => Err(CommandError::System(format!(
            "gave up after {} s: could not decide whether '{pitch}' has a win in one",
            begun.elapsed().as_secs()
        ))),
        Answer::Wins(path) => {
            let first = pitch.jump_by(path);
            let (wins, complete) = if limit == 1 {
                (Vec::new(), false)
            } else {
                pitch.wins_in_one(MAX_BOARDS, limit)
            };
            // The nearest boards may miss every win.
            let wins = if wins.is_empty() { vec![first] } else { wins };
            Ok((wins, complete))
        }
    }
}

fn print(out: &mut dyn Write, pitch: &Pitch, moves: &[Move]) -> io::Result<()> {
    let mover = side_name(pitch.side());
    if moves.is_empty() {
        return Ok(());
    }
    writeln!(out, "{pitch}: {mover} wins in one; turns listed: {}", moves.len())?;
    let next = side_letter(pitch.side().opponent());
    for winning in moves {
        // After the game has ended the letter of the player to move is meaningless.
        let board = winning.position.trim_end_matches([' ', next]);
        writeln!(out, "{:<20} {board}", winning.turn)?;
    }
    Ok(())
}
