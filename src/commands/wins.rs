//! `phutbase probe --wins`: the turns of a pitch that win at once. It takes less than 1 GiB of
//! memory.

use phutbase_ask::wins::{Undecided, WinsInOne};
use phutbase_base::job::Job;
use phutbase_pitches::wins::WinLimits;
use phutbase_rules::pitch::{Pitch, side_letter, side_name};
use phutbase_terminal::{CommandError, print_result};
use std::time::Duration;

/// The longest search without another limit.
const TIME: Duration = Duration::from_secs(300);

/// Finds at most `limit` turns that win at once.
pub fn find(pitch: &Pitch, limit: usize, time: Option<Duration>) -> Result<WinsInOne, Undecided> {
    let job = Job::default().within(time.unwrap_or(TIME));
    WinsInOne::find(pitch, limit, WinLimits::default(), &job)
}

/// Answers whether the player to move wins at once, with at most `limit` winning turns.
pub fn run(pitch: &Pitch, limit: usize, time: Option<Duration>, json: bool) -> Result<(), CommandError> {
    let found = find(pitch, limit, time)?;
    let mover = side_name(pitch.side());
    let is_won = found.answer.value.is_some();
    print_result(json, &found, |out| {
        if !is_won {
            return Ok(());
        }
        writeln!(
            out,
            "{pitch}: {mover} wins in one; turns listed: {}",
            found.turns.len()
        )?;
        let next = side_letter(pitch.side().opponent());
        for winning in &found.turns {
            // After the game has ended the letter of the player to move is meaningless.
            let board = winning.position.trim_end_matches([' ', next]);
            writeln!(out, "{:<20} {board}", winning.turn)?;
        }
        if !found.complete {
            writeln!(out, "… the list may be incomplete")?;
        }
        Ok(())
    })?;
    if !is_won {
        return Err(CommandError::Failure(format!(
            "{pitch}: {mover} has no win in one"
        )));
    }
    Ok(())
}
