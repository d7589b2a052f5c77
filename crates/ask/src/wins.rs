//! The turns of a pitch that win at once.
//!
//! A search decides whether there is one, with a SAT solver as fallback. The turns are then listed
//! by number of jumps, within a number of boards.

use super::{Answer, Move};
use phutbase_base::fault;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::{Depth, Value};
use phutbase_pitches::wins::{WinLimits, WinSearch, decide};
use phutbase_rules::pitch::{Pitch, Turn};
use phutbase_rules::position::Position;
use serde::Serialize;

/// Why it is not known whether there is a win in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The search met its other limits.
    #[error("the search could not decide whether there is a win in one")]
    Limits,
}

fault! { Undecided {
    Undecided::Stopped(error) => Of(error),
    Undecided::Limits => System,
} }

/// The answer of a position, with only the turns that win at once.
#[derive(Clone, Debug, Serialize)]
pub struct WinsInOne {
    #[serde(flatten)]
    pub answer: Answer,
    /// Winning turns, fewest jumps first.
    pub turns: Vec<Move>,
    /// True if the list is complete.
    pub complete: bool,
}

impl WinsInOne {
    /// Finds at most `limit` turns that win at once.
    pub fn find(pitch: &Pitch, limit: usize, limits: WinLimits, job: &Job) -> Result<WinsInOne, Undecided> {
        let (wins, complete) = match decide(pitch, limits, &|| job.check().is_err()) {
            WinSearch::None => (Vec::new(), true),
            WinSearch::Unknown => {
                job.check()?;
                return Err(Undecided::Limits);
            }
            WinSearch::Wins(path) => {
                let first = pitch.jump_by(path);
                let (wins, complete) = if limit <= 1 {
                    (Vec::new(), false)
                } else {
                    pitch.wins_in_one(limits.boards, limit)
                };
                // The nearest boards may miss every win.
                let wins = if wins.is_empty() { vec![first] } else { wins };
                (wins, complete)
            }
        };
        let next = pitch.side().opponent();
        let value = Value::Win(Depth(1));
        let turns: Vec<Move> = (wins.iter().take(limit))
            .map(|(jump, path)| {
                let after = pitch.after(&Turn::Jump(*jump)).notation(next);
                Move::new(pitch.path_notation(path), after, Some(value.into()))
            })
            .collect();
        // Without a win in one nothing else is known.
        let known = (!wins.is_empty()).then(|| value.into());
        Ok(WinsInOne {
            answer: Answer::new(&Position::from(*pitch), known),
            turns,
            complete,
        })
    }
}
