//! Games that end early: by exact values, by the scores that the engines report, or after many turns.

use super::super::report::InfoScore;
use super::play::{Ending, TimedTurn};
use phutbase_base::outcome::Verdict;
use phutbase_rules::position::Phutball;
use std::fmt;

#[derive(Clone, Debug)]
pub struct Adjudication {
    /// End a game at the first turn that gives up its value, and by its value at the limit on turns.
    pub by_value: bool,
    pub resign: Option<Resignation>,
    pub draw: Option<ScoredDraw>,
    /// Turns of both players after which a game ends.
    pub max_turns: usize,
}

/// A loss for the engine whose scores are at most `-score` in this many consecutive turns of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resignation {
    pub turns: usize,
    /// In centipawns.
    pub score: i64,
    /// True if the scores of the opponent must be at least `score`, too.
    pub is_two_sided: bool,
}

/// A draw, if all scores of both engines are from `-score` to `score` in this many consecutive moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredDraw {
    /// Moves of both players before a draw.
    pub earliest: usize,
    pub moves: usize,
    /// In centipawns.
    pub score: i64,
}

impl Adjudication {
    /// Returns the end of a game by the scores of its turns so far. `next` is the engine to move, 0 or 1.
    pub fn by_scores(&self, turns: &[TimedTurn], next: usize) -> Option<Ending> {
        if let Some(rule) = self.resign {
            let Resignation {
                turns: count,
                score,
                is_two_sided,
            } = rule;
            // Of the engine that made the last turn, and of its opponent.
            let of = |engine: usize| turns.iter().rev().skip(engine).step_by(2);
            let is_lost = |engine| {
                all(of(engine), count, |found| found <= -score)
                    && (!is_two_sided || all(of(1 - engine), count, |found| found >= score))
            };
            if let Some(loser) = [0, 1].into_iter().find(|&engine| is_lost(engine)) {
                let winner = if loser == 0 { next } else { 1 - next };
                let reason = format!("the loser's scores were at most -{score} in {count} turns");
                return Some(Ending::adjudicated(Some(winner), Some(reason)));
            }
        }
        let rule = self.draw.filter(|rule| turns.len() >= 2 * rule.earliest)?;
        let is_even = |score: i64| score.abs() <= rule.score;
        all(turns.iter().rev(), 2 * rule.moves, is_even).then(|| {
            let ScoredDraw { moves, score, .. } = rule;
            let reason = format!("all scores were from -{score} to {score} in {moves} moves");
            Ending::adjudicated(None, Some(reason))
        })
    }

    /// Returns the end of a game at the limit on turns; `seats` are the engines of the players.
    pub(super) fn at_the_limit(
        &self,
        position: &Phutball,
        value: Option<Verdict>,
        seats: [usize; 2],
    ) -> Ending {
        let winner = value.and_then(|value| value.wdl.winner(position.side()));
        let winner = winner.filter(|_| self.by_value);
        let reason = winner.map(|side| {
            let turns = self.max_turns;
            format!(
                "{} wins by exact play after {turns} turns",
                position.name_of(side)
            )
        });
        Ending::adjudicated(winner.map(|side| seats[side as usize]), reason)
    }
}

/// Returns true if this many turns have a score, and all of them one that `holds`.
fn all<'a>(turns: impl Iterator<Item = &'a TimedTurn>, count: usize, holds: impl Fn(i64) -> bool) -> bool {
    let scores = turns.take(count).map_while(|made| {
        Some(match made.report.as_ref()?.score? {
            InfoScore::Centipawns(score) => score,
            InfoScore::Mate(turns) if turns > 0 => i64::MAX,
            InfoScore::Mate(_) => -i64::MAX,
        })
    });
    scores.filter(|&score| holds(score)).count() == count
}

/// Writes the options of the program.
impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "maxmoves={}", self.max_turns)?;
        if self.by_value {
            write!(f, " adjudicate=solution")?;
        }
        if let Some(rule) = self.resign {
            let Resignation {
                turns,
                score,
                is_two_sided,
            } = rule;
            write!(
                f,
                " resign movecount={turns} score={score} twosided={is_two_sided}"
            )?;
        }
        if let Some(ScoredDraw {
            earliest,
            moves,
            score,
        }) = self.draw
        {
            write!(f, " draw movenumber={earliest} movecount={moves} score={score}")?;
        }
        Ok(())
    }
}
