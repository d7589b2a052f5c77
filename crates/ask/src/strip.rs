//! Strips of any length: who wins by the solution, plies and backward turns from tables.

use phutbase_base::game::Rated;
use phutbase_base::outcome::{Side, Value, Verdict, Wdl, words};
use phutbase_rules::Rules;
use phutbase_rules::position::{RatedTurn, Standing, in_notation};
use phutbase_rules::strip::{AnyStrip, Halves, Turn};
use phutbase_solution::classes::canonical;
use phutbase_solution::forward::{HalfValues, forward_winner};
use phutbase_solution::{HalfState, Turns, directional, winner};
use phutbase_tables::{Metric, StripTable, TableError, Tablebase};
use serde::Serialize;
use std::cmp::Reverse;

/// Greatest length of a strip of which every turn is listed.
pub const MAX_LISTED: usize = 10_000;

/// Greatest length of a strip whose turns are listed with the boards after them, and that has a line.
pub const MAX_SHOWN: usize = 1_000;

/// Greatest length of a strip whose line has the boards after its turns: a line may have more turns
/// than the strip has squares.
pub const MAX_SHOWN_IN_LINE: usize = 300;

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// A table with depths holds the strip.
    Table,
    /// The rule for strips of any length.
    Solution,
}

words!(ValueSource: Table = "table", Solution = "solution");

/// The source of a strip's value, and what the solution says of its halves.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    /// `table` or `solution`.
    pub by: &'static str,
    /// The potential of the left half minus that of the right half.
    pub lead: i32,
    /// The half left of the ball.
    pub left: HalfWorth,
    /// The half right of the ball.
    pub right: HalfWorth,
}

/// The solution's summary of a half strip.
#[derive(Clone, Debug, Serialize)]
pub struct HalfWorth {
    /// The shortest word that is worth the same on every board, from the goal line to the ball.
    pub word: String,
    /// Its name in the rule.
    pub name: String,
    /// Its potential P.
    pub potential: i32,
    /// Its type, a letter.
    #[serde(rename = "type")]
    pub kind: char,
}

impl HalfWorth {
    /// Sums up a half, read from its goal line to the ball. Time is linear in its length.
    fn of(half: impl Iterator<Item = bool>) -> HalfWorth {
        let half: Vec<bool> = half.collect();
        let state = HalfState::of(half.iter().copied());
        let letter = |stone| if stone { 'o' } else { '.' };
        HalfWorth {
            word: canonical(half).into_iter().map(letter).collect(),
            name: state.name().to_string(),
            potential: state.value().potential,
            kind: state.value().kind.letter(),
        }
    }
}

impl Reason {
    /// Reads the halves of a strip of the ordinary game.
    pub fn of(strip: &AnyStrip, by: ValueSource) -> Reason {
        // The left half ends at Right's goal line.
        let [left, right] = [Side::Right, Side::Left].map(|goal| HalfWorth::of(strip.towards(goal)));
        Reason {
            by: by.word(),
            lead: left.potential - right.potential,
            left,
            right,
        }
    }
}

/// Returns the value of a strip for the player to move, and its source.
pub fn verdict(tables: &Tablebase, strip: &AnyStrip) -> Result<(Verdict, ValueSource), TableError> {
    if strip.rules() == Rules::Directional {
        return Ok((directional::verdict(strip), ValueSource::Solution));
    }
    Ok(
        match by_depths(tables, strip, |table, length| table.verdict(length))? {
            Some(verdict) => (verdict, ValueSource::Table),
            None => (
                Wdl::won_by(winner(strip), strip.side()).into(),
                ValueSource::Solution,
            ),
        },
    )
}

/// Returns every turn with its value, best first. Without depths a winner's first turn is that of
/// [`Turns::winning_turn`], and a loser's that of [`Turns::stubborn_turn`]. Takes memory quadratic in
/// the length.
pub fn rated_turns(tables: &Tablebase, strip: &AnyStrip) -> Result<Vec<RatedTurn>, TableError> {
    if strip.rules() == Rules::Directional {
        return Ok(directional::rated_turns(strip));
    }
    if let Some(rated) = by_depths(tables, strip, StripTable::rated_turns)? {
        return Ok(in_notation(rated, |&turn, _| Standing::after(strip, turn)));
    }
    let turns = Turns::of(strip);
    let best = best_by_solution(&turns);
    let mut rated: Vec<_> = (turns.list().into_iter())
        .map(|(turn, is_won)| Rated {
            turn,
            after: (),
            verdict: after_turn(strip, turn, is_won),
        })
        .collect();
    rated.sort_by_cached_key(|rated| {
        let is_slow = (!rated.turn.is_proper(strip), !rated.turn.is_forward(strip));
        (
            Reverse(rated.verdict.preference()),
            best != Some(rated.turn),
            is_slow,
        )
    });
    Ok(in_notation(rated, |&turn, ()| Standing::after(strip, turn)))
}

/// Returns the first of the [`rated_turns`]. Time is linear in the length, if no table holds it.
pub fn best_turn(tables: &Tablebase, strip: &AnyStrip) -> Result<RatedTurn, TableError> {
    let (turn, winner) = match strip.rules() {
        Rules::Directional => {
            let turn = directional::best_turn(strip).expect("there is always a turn");
            (turn, directional::winner(strip))
        }
        Rules::Ordinary => {
            let rated = by_depths(tables, strip, StripTable::rated_turns)?.unwrap_or_default();
            if let Some(best) = rated.into_iter().next() {
                return Ok(RatedTurn {
                    turn: best.turn.to_string(),
                    after: Standing::after(strip, best.turn),
                    verdict: best.verdict,
                });
            }
            let turns = Turns::of(strip);
            let turn = best_by_solution(&turns).unwrap_or_else(|| turns.list()[0].0);
            (turn, turns.winner())
        }
    };
    let is_won = winner == strip.side();
    Ok(RatedTurn {
        turn: turn.to_string(),
        after: Standing::after(strip, turn),
        verdict: after_turn(strip, turn, is_won),
    })
}

fn best_by_solution(turns: &Turns<AnyStrip>) -> Option<Turn> {
    turns.winning_turn().or_else(|| turns.stubborn_turn())
}

/// Returns the value of a turn for the player who makes it.
fn after_turn(strip: &AnyStrip, turn: Turn, is_won: bool) -> Verdict {
    let outcome = if is_won { Wdl::Win } else { Wdl::Loss };
    let ends = match turn {
        Turn::Place(_) => false,
        Turn::Jump(square) => square == 0 || square + 1 == strip.length(),
        Turn::Off(_) => true,
    };
    if ends {
        Value::at_once(outcome).into()
    } else {
        outcome.into()
    }
}

/// Returns the backward turns that the winner needs, if known: none by Theorem F, or as many as a table
/// of levels has for the squares that Theorem T' leaves.
pub fn backward_turns(
    tables: &Tablebase,
    strip: &AnyStrip,
    winner: Side,
) -> Result<Option<usize>, TableError> {
    let values = HalfValues::both(strip);
    if forward_winner(strip.side(), values) == Some(winner) {
        return Ok(Some(0));
    }
    let [left, right] = values.map(|half| half.closed);
    let Some(rest) = strip.window(left, strip.length() - 1 - right) else {
        return Ok(None);
    };
    let board = match winner {
        Side::Left => rest,
        Side::Right => rest.mirror(),
    };
    let to_move = if strip.side() == winner {
        Side::Left
    } else {
        Side::Right
    };
    let level = |table: &StripTable| table.level(&board, to_move);
    let found = tables.ask_strips_if_any(rest.length(), Metric::Levels, level)?;
    Ok(found.flatten())
}

/// Asks the table with depths that holds a strip.
fn by_depths<A>(
    tables: &Tablebase,
    strip: &AnyStrip,
    question: impl Fn(&StripTable, &phutbase_rules::Strip) -> Result<A, TableError>,
) -> Result<Option<A>, TableError> {
    let Some(short) = strip.to_strip() else {
        return Ok(None);
    };
    tables.ask_strips_if_any(strip.length(), Metric::Dtw, |table| question(table, &short))
}

/// The numbers of turns after which the mover wins and loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TurnCounts {
    /// After these the mover wins.
    pub winning: usize,
    /// After these the mover loses.
    pub losing: usize,
}

impl TurnCounts {
    /// Counts the turns of a strip of the ordinary game; `None` for a directional one.
    pub fn of(strip: &AnyStrip) -> Option<TurnCounts> {
        (strip.rules() == Rules::Ordinary).then(|| {
            let [winning, losing] = Turns::of(strip).count();
            TurnCounts { winning, losing }
        })
    }
}
