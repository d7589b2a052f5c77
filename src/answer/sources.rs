//! Where the values of each game come from: tables for strips and pitches, a search for Obstruction, Theorem 1 for Oddish
//! Phutball.

use super::obstruction::{all_moves, of_sum, solver_with, winning_moves};
use super::{Answer, Move};
use crate::games::obstruction::Sum;
use crate::games::oddish::Oddish;
use crate::games::position::{Phutball, Position};
use crate::games::strip::Strip;
use crate::games::{pitch, strip};
use crate::outcome::{Side, Value, Verdict, Wdl};
use crate::solve::nimbers::misere::MisereError;
use crate::solve::nimbers::{NimberLimits, NimberSolver, Stopped};
use crate::table::Rated;
use crate::table::error::TableError;
use crate::table::nimbers::NimberTable;
use crate::table::tablebase::Tablebase;
use crate::theory::oddish::predicted_winner;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No table, or one that cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search was stopped at one of its limits.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Misère play on too large a board.
    #[error("{0}")]
    Misere(MisereError),
}

impl From<MisereError> for AskError {
    fn from(error: MisereError) -> AskError {
        match error {
            MisereError::Stopped(stopped) => AskError::Stopped(stopped),
            too_large => AskError::Misere(too_large),
        }
    }
}

impl AskError {
    /// Whether there is no table for the question.
    pub fn is_missing(&self) -> bool {
        matches!(self, AskError::Table(TableError::Missing { .. }))
    }

    /// Whether the answer takes more work than is allowed.
    pub fn is_too_hard(&self) -> bool {
        matches!(
            self,
            AskError::Stopped(_) | AskError::Misere(_) | AskError::Table(TableError::TooManyJumps(_))
        )
    }
}

/// All that answers come from.
pub struct Sources {
    /// The tables, opened when they are first asked.
    pub tables: Tablebase,
    /// Obstruction, with the boards of its table known already, from when it is first asked.
    obstruction: OnceLock<NimberSolver>,
    /// Memory for its regions.
    obstruction_bytes: u64,
}

impl Sources {
    /// These tables, and a search with so many bytes to remember regions in.
    pub fn new(tables: Tablebase, obstruction_bytes: u64) -> Sources {
        Sources {
            tables,
            obstruction: OnceLock::new(),
            obstruction_bytes,
        }
    }

    /// The same, where a table of Obstruction that is damaged costs the time that it would have saved, and nothing else.
    pub fn with_any_nimbers(self) -> Sources {
        let none = NimberTable::default();
        let nimbers = self.tables.nimbers().unwrap_or(&none);
        let solver = solver_with(nimbers, self.obstruction_bytes);
        Sources {
            obstruction: OnceLock::from(solver),
            ..self
        }
    }

    fn obstruction(&self) -> Result<&NimberSolver, TableError> {
        if let Some(solver) = self.obstruction.get() {
            return Ok(solver);
        }
        let nimbers = self.tables.nimbers()?;
        Ok((self.obstruction).get_or_init(|| solver_with(nimbers, self.obstruction_bytes)))
    }

    /// The value of a position.
    pub fn value(&self, position: &Position, limits: NimberLimits<'_>) -> Result<Answer, AskError> {
        Ok(match position {
            Position::Phutball(Phutball::Strip(strip)) => Answer::new(position, self.tables.verdict(strip)?),
            Position::Phutball(Phutball::Pitch(pitch)) => {
                let value = (self.tables).ask_pitch(pitch.shape(), |table| table.value(pitch))?;
                Answer::new(position, value.into())
            }
            Position::Obstruction(sum) => of_sum(self.obstruction()?, sum, limits)?,
            Position::Oddish(oddish) => Answer::new(position, oddish_verdict(oddish)),
        })
    }

    /// The value of a position and of its turns, and best play if `line` is set and the game has one.
    pub fn probe(
        &self,
        position: &Position,
        line: bool,
        limits: NimberLimits<'_>,
    ) -> Result<Answer, AskError> {
        let answer = match position {
            Position::Phutball(Phutball::Strip(strip)) => {
                let (verdict, turns, line) = self.tables.ask(strip.length(), |table| {
                    let verdict = table.verdict(strip)?;
                    let line = line.then(|| table.best_line(strip, verdict, usize::MAX));
                    Ok((verdict, table.rated_turns(strip)?, line.transpose()?))
                })?;
                let answer = Answer::new(position, verdict);
                with_turns(answer, strip.side(), turns, line, strip::After::notation)
            }
            Position::Phutball(Phutball::Pitch(pitch)) => {
                let (value, turns, line) = self.tables.ask_pitch(pitch.shape(), |table| {
                    let line = line.then(|| table.best_line(pitch));
                    Ok((table.value(pitch)?, table.rated_turns(pitch)?, line.transpose()?))
                })?;
                let answer = Answer::new(position, value.into());
                with_turns(answer, pitch.side(), turns, line, pitch::After::notation)
            }
            Position::Obstruction(sum) => {
                let solver = self.obstruction()?;
                Answer {
                    moves: Some(winning_moves(solver, sum, limits)?),
                    ..of_sum(solver, sum, limits)?
                }
            }
            Position::Oddish(oddish) => Answer {
                moves: Some(oddish_moves(oddish)),
                ..Answer::new(position, oddish_verdict(oddish))
            },
        };
        Ok(answer)
    }

    /// The nimber of boards of Obstruction and of what every turn leaves, which takes longer than to find the winning turns.
    pub fn nimbers(&self, sum: &Sum, limits: NimberLimits<'_>) -> Result<Answer, AskError> {
        let solver = self.obstruction()?;
        let mut answer = of_sum(solver, sum, limits)?;
        answer.moves = Some(all_moves(solver, sum, limits)?);
        Ok(answer)
    }

    /// The values of many positions, in their order; those of one length are looked up together.
    pub fn batch(&self, positions: &[&Position], limits: NimberLimits<'_>) -> Vec<Result<Answer, AskError>> {
        let mut answers: Vec<Option<Result<Answer, AskError>>> = positions.iter().map(|_| None).collect();
        let mut lengths: BTreeMap<usize, Vec<(usize, Strip)>> = BTreeMap::new();
        for (place, position) in positions.iter().enumerate() {
            if let Position::Phutball(Phutball::Strip(strip)) = position {
                lengths.entry(strip.length()).or_default().push((place, *strip));
            }
        }
        for (length, places) in lengths {
            let strips: Vec<Strip> = places.iter().map(|&(_, strip)| strip).collect();
            let verdicts = self.tables.ask(length, |table| table.verdicts(&strips));
            // Where that fails, each is asked by itself below, for an error of its own.
            for ((place, _), verdict) in places.iter().zip(verdicts.into_iter().flatten()) {
                answers[*place] = Some(Ok(Answer::new(positions[*place], verdict)));
            }
        }
        (answers.into_iter().zip(positions))
            .map(|(answer, position)| answer.unwrap_or_else(|| self.value(position, limits)))
            .collect()
    }
}

/// The answer with the turns of a position, all by its mover, and those of a line, made by the players in turn.
fn with_turns<T: ToString, A>(
    answer: Answer,
    mover: Side,
    turns: Vec<Rated<T, A>>,
    line: Option<Vec<Rated<T, A>>>,
    notation: fn(&A, Side) -> String,
) -> Answer {
    let next = mover.opponent();
    let named = |(rated, next): (Rated<T, A>, Side)| {
        Move::new(
            rated.turn.to_string(),
            notation(&rated.after, next),
            rated.verdict,
        )
    };
    let in_turn = |line: Vec<Rated<T, A>>| line.into_iter().zip([next, mover].into_iter().cycle());
    Answer {
        moves: Some(turns.into_iter().map(|rated| named((rated, next))).collect()),
        line: line.map(|line| in_turn(line).map(named).collect()),
        ..answer
    }
}

fn oddish_verdict(position: &Oddish) -> Verdict {
    match predicted_winner(position) == position.side() {
        true => Wdl::Win.into(),
        false => Wdl::Loss.into(),
    }
}

/// Every turn, the winning ones first.
fn oddish_moves(position: &Oddish) -> Vec<Move> {
    let mut moves: Vec<(Verdict, Move)> = (position.turns().into_iter())
        .filter_map(|turn| {
            let verdict = match position.play(turn)? {
                crate::game::Successor::Position(next) => oddish_verdict(&next).before(),
                crate::game::Successor::Over(outcome) => Value::at_once(outcome).into(),
            };
            let after = format!("oddish:{}", position.notation_after(turn));
            Some((verdict, Move::new(turn.to_string(), after, verdict)))
        })
        .collect();
    moves.sort_by_key(|(verdict, _)| std::cmp::Reverse(verdict.preference()));
    moves.into_iter().map(|(_, answer)| answer).collect()
}
