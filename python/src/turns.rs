//! Legal turns, and those that win at once, for which no table is needed.

use crate::errors::{limit, notation, of_ask, of_table, stopped};
use crate::{pool, read, rules_of};
use phutbase_ask::obstruction::check_list;
use phutbase_ask::strip::{MAX_LISTED, MAX_SHOWN};
use phutbase_ask::wins::{Undecided, WinsInOne};
use phutbase_pitches::wins::WinLimits;
use phutbase_rules::obstruction::Sum;
use phutbase_rules::oddish::Oddish;
use phutbase_rules::pitch::{MAX_BOARDS, Pitch};
use phutbase_rules::position::{Phutball, Position};
use phutbase_rules::strip::{AnyStrip, Halves};
use pyo3::prelude::*;

/// A turn, the position after it, and the number of the board in a sum of boards of Obstruction. On a
/// strip of more than [`MAX_SHOWN`] squares there is no position.
type Move = (String, Option<String>, Option<usize>);

/// Returns the legal turns of a position.
#[pyfunction]
pub fn turns(py: Python<'_>, position: &str, rules: &str) -> PyResult<Vec<Move>> {
    let position = read(position, rules_of(rules)?)?;
    pool::interruptible(py, |_| match &position {
        Position::Phutball(Phutball::Strip(strip)) => of_strip(strip),
        Position::Phutball(Phutball::Pitch(pitch)) => of_pitch(pitch),
        Position::Obstruction(sum) => of_sum(sum),
        Position::Oddish(oddish) => Ok(of_oddish(oddish)),
    })
}

/// Returns at most `most` turns of a pitch that win at once, with the positions after them; true
/// if there are no others.
#[pyfunction]
pub fn wins(
    py: Python<'_>,
    position: &str,
    most: usize,
    rules: &str,
) -> PyResult<(Vec<(String, String)>, bool)> {
    let Position::Phutball(Phutball::Pitch(pitch)) = read(position, rules_of(rules)?)? else {
        return Err(notation("turns that win at once are listed for pitches only"));
    };
    let found = pool::interruptible(py, |job| {
        WinsInOne::find(&pitch, most, WinLimits::default(), job).map_err(|undecided| match undecided {
            Undecided::Stopped(reason) => stopped(reason),
            Undecided::Limits => limit(format!("'{pitch}': {undecided}")),
        })
    })?;
    let turns = found
        .turns
        .into_iter()
        .map(|winning| (winning.turn, winning.position));
    Ok((turns.collect(), found.complete))
}

fn of_strip(strip: &AnyStrip) -> PyResult<Vec<Move>> {
    if strip.length() > MAX_LISTED {
        return Err(notation(format!(
            "the turns on {} squares are not listed: at most {MAX_LISTED} squares",
            strip.length()
        )));
    }
    let is_shown = strip.length() <= MAX_SHOWN;
    let after = |turn| is_shown.then(|| strip.notation_after(turn));
    let mut turns = Vec::new();
    strip.for_each_turn(|turn| turns.push((turn.to_string(), after(turn), None)));
    Ok(turns)
}

fn of_pitch(pitch: &Pitch) -> PyResult<Vec<Move>> {
    let next = pitch.side().opponent();
    let jumps = pitch.jumps(MAX_BOARDS).map_err(|error| of_table(error.into()))?;
    Ok(pitch
        .in_notation(&jumps)
        .map(|(turn, name)| (name, Some(pitch.after(&turn).notation(next)), None))
        .collect())
}

fn of_sum(sum: &Sum) -> PyResult<Vec<Move>> {
    check_list(sum).map_err(of_ask)?;
    let turns = sum.terms.iter().enumerate();
    let turns = turns.flat_map(|(term, board)| board.turns().into_iter().map(move |turn| (term, turn)));
    let named = turns.map(|(term, turn)| {
        let mut after = sum.clone();
        after.terms.splice(term..=term, turn.after);
        let board = (sum.terms.len() > 1).then_some(term + 1);
        (
            turn.place.to_string(),
            Some(Position::Obstruction(after).to_string()),
            board,
        )
    });
    Ok(named.collect())
}

fn of_oddish(oddish: &Oddish) -> Vec<Move> {
    let after = |turn| Some(format!("oddish:{}", oddish.notation_after(turn)));
    (oddish.turns().into_iter())
        .map(|turn| (turn.to_string(), after(turn), None))
        .collect()
}
