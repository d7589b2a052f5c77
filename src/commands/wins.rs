//! `phutbase probe --wins`: the turns of a pitch that win at once.
//!
//! A search decides whether there is one, and a SAT solver where the search gives up. The turns are then listed by their number of jumps, as
//! far as a million boards reach. All of it takes less than 1 GiB of memory.

use super::output::{CommandError, stdout, tell};
use crate::answer::Move;
use crate::games::pitch::{Jump, MAX_BOARDS, Path, Pitch, Turn, side_letter, side_name};
use crate::games::position::Position;
use crate::outcome::{Depth, Value, Wdl};
use crate::solve::wins::{Answer, WinLimits, decide};
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The time after which a position is given up.
const TIME_LIMIT: Duration = Duration::from_secs(300);

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
    let answer = answer(pitch, moves, complete);
    tell(stdout(), json, &answer, |out| {
        print(out, pitch, &answer.moves)?;
        if !complete {
            writeln!(out, "… there may be more: not all were listed")?;
        }
        Ok(())
    })
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
            // The nearest boards need not be won.
            let wins = if wins.is_empty() { vec![first] } else { wins };
            Ok((wins, complete))
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
