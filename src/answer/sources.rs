//! Sources of values: theorems, tables and a search for strips, a potential for directional ones,
//! tables for pitches, a search for Obstruction, and GN Theorem 1 for Oddish Phutball.

use super::obstruction::{MAX_SUM, all_moves, check_list, of_sum, solver_with, winning_moves};
use super::{Answer, Move};
use crate::decide::Undecided;
use crate::decide::search::{Analysis, MAX_LISTED, MAX_POSITIONS, Search, SearchedTurn};
use crate::game::{Rated, rated};
use crate::games::directional::{self, potentials, rated_turns, verdict, winning_line};
use crate::games::forward::{HalfValues, keeping_turn};
use crate::games::obstruction::Sum;
use crate::games::oddish::{Oddish, Turn};
use crate::games::potentials::oddish_winner;
use crate::games::strip::{AnyStrip, Halves};
use crate::games::{Phutball, Position, RatedTurn, Rules};
use crate::job::{Job, Stopped};
use crate::outcome::{Verdict, Wdl};
use crate::solve::nimbers::NimberSolver;
use crate::solve::nimbers::misere::MisereError;
use crate::table::{NimberTable, PitchTable, TableError, Tablebase};
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::OnceLock;

#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The table is missing or unusable.
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Misère play on a board that is too large.
    #[error("{0}")]
    Misere(MisereError),
    /// The turns of a sum would take too much memory.
    #[error(
        "turns of Obstruction are listed if the number of boards times that of squares is at most {MAX_SUM}, here \
         {boards} · {squares}; 'phutbase probe --batch FILE' gives the value without turns"
    )]
    LongList { boards: usize, squares: usize },
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
    pub fn is_missing(&self) -> bool {
        matches!(self, AskError::Table(TableError::Missing { .. }))
    }

    /// Returns true if the answer needs more work than is allowed.
    pub fn is_too_hard(&self) -> bool {
        matches!(
            self,
            AskError::Stopped(_)
                | AskError::Misere(_)
                | AskError::LongList { .. }
                | AskError::Table(TableError::TooManyJumps(_))
        )
    }
}

pub struct Sources {
    /// The tables, opened on first use.
    pub tables: Tablebase,
    /// The solver of Obstruction with the boards of its table, created on first use.
    obstruction: OnceLock<NimberSolver>,
    obstruction_bytes: u64,
    /// Positions that a search for the value of a strip may examine.
    positions: usize,
}

impl Sources {
    pub fn new(tables: Tablebase, obstruction_bytes: u64) -> Sources {
        Sources {
            tables,
            obstruction: OnceLock::new(),
            obstruction_bytes,
            positions: MAX_POSITIONS,
        }
    }

    /// Sets the number of positions that a search for the value of a strip may examine.
    pub fn with_positions(self, positions: usize) -> Sources {
        Sources { positions, ..self }
    }

    /// Ignores a damaged table of Obstruction; its boards are then solved again.
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

    pub fn value(&self, position: &Position, limits: &Job) -> Result<Answer, AskError> {
        Ok(match position {
            Position::Phutball(Phutball::Strip(strip)) => self.strip(position, strip, limits)?,
            Position::Phutball(Phutball::Pitch(pitch)) => {
                let value = |table: &PitchTable| table.value(pitch);
                Answer::new(position, self.tables.ask_pitch(pitch.shape(), value)?.into())
            }
            Position::Obstruction(sum) => of_sum(self.obstruction()?, sum, limits)?,
            Position::Oddish(oddish) => Answer::new(position, oddish_verdict(oddish)),
        })
    }

    /// Returns the value of a position and of its turns, and best play of a strip or a pitch if
    /// `line` is set; it is empty for an ordinary strip that no table holds, and for a directional one of
    /// more than [`MAX_LISTED`] squares, whose turns are not listed.
    pub fn probe(&self, position: &Position, line: bool, limits: &Job) -> Result<Answer, AskError> {
        Ok(match position {
            Position::Phutball(Phutball::Strip(strip)) if strip.rules() == Rules::Directional => {
                if strip.length() > MAX_LISTED {
                    return Ok(Answer {
                        line: line.then(Vec::new),
                        ..directional_value(position, strip)
                    });
                }
                let line = line.then(|| winning_line(strip));
                with_turns(directional_value(position, strip), rated_turns(strip), line)
            }
            Position::Phutball(Phutball::Strip(strip)) if !self.has_table(strip) => Answer {
                line: line.then(Vec::new),
                ..self.without_table(position, strip, limits)?
            },
            Position::Phutball(phutball) => {
                let (turns, line) = self.tables.ask_boards(&phutball.boards(), |table| {
                    let line = line.then(|| table.best_line(phutball, usize::MAX));
                    Ok((table.rated_turns(phutball)?, line.transpose()?))
                })?;
                with_turns(self.value(position, limits)?, turns, line)
            }
            // The value may be stored and the turns not: then a search that is stopped finds none.
            Position::Obstruction(sum) => {
                check_list(sum)?;
                let answer = self.value(position, limits)?;
                match winning_moves(self.obstruction()?, sum, limits) {
                    Err(AskError::Stopped(_)) if answer.nimber.is_some() => answer,
                    found => Answer {
                        winning_moves: Some(found?),
                        ..answer
                    },
                }
            }
            Position::Oddish(oddish) => Answer {
                moves: Some(oddish_moves(oddish)),
                ..self.value(position, limits)?
            },
        })
    }

    fn strip(&self, position: &Position, strip: &AnyStrip, limits: &Job) -> Result<Answer, AskError> {
        if strip.rules() == Rules::Directional {
            return Ok(directional_value(position, strip));
        }
        let values = HalfValues::both(strip);
        let stop = || limits.check().is_err();
        let decided = Search::new(&self.tables, self.positions, &stop).decide(strip, values)?;
        Ok(Answer::of_strip(position, values, decided))
    }

    /// Returns whether a table holds a strip's length.
    fn has_table(&self, strip: &AnyStrip) -> bool {
        (self.tables.longest_strips(false)).is_some_and(|longest| longest >= strip.length())
    }

    /// Returns the value of a strip that no table holds, and its turns if it is short enough.
    fn without_table(&self, position: &Position, strip: &AnyStrip, limits: &Job) -> Result<Answer, AskError> {
        let turn = keeping_turn(strip).map(|turn| turn.to_string());
        if strip.length() > MAX_LISTED {
            return Ok(Answer {
                turn,
                ..self.strip(position, strip, limits)?
            });
        }
        let (values, stop) = (HalfValues::both(strip), || limits.check().is_err());
        let Analysis { decided, turns } =
            Search::new(&self.tables, self.positions, &stop).analyse(strip, values)?;
        let rated = |rated: &SearchedTurn| Move {
            turn: rated.turn.to_string(),
            position: strip.notation_after(rated.turn),
            value: rated.verdict.map(|verdict| verdict.wdl.word()),
            depth: rated
                .verdict
                .and_then(|verdict| verdict.depth)
                .map(|depth| depth.0),
            reason: rated.reason.map(|reason| reason.to_string()),
            ..Move::default()
        };
        Ok(Answer {
            turn,
            moves: Some(turns.turns().iter().map(rated).collect()),
            ..Answer::of_strip(position, values, decided)
        })
    }

    /// Returns the nimber of a sum and after each turn, which takes longer than the winning turns.
    pub fn nimbers(&self, sum: &Sum, limits: &Job) -> Result<Answer, AskError> {
        check_list(sum)?;
        let solver = self.obstruction()?;
        let mut answer = of_sum(solver, sum, limits)?;
        answer.moves = Some(all_moves(solver, sum, limits)?);
        Ok(answer)
    }

    /// Returns the values of positions in order. Searches in Obstruction are parallel themselves. A
    /// search that the limits end is an error.
    pub fn batch(&self, positions: &[&Position], limits: &Job) -> Vec<Result<Answer, AskError>> {
        let value = |position: &&Position| {
            // Stored values are answered after the deadline too.
            if limits.is_stopped() {
                return Err(AskError::from(Stopped));
            }
            let answer = self.value(position, limits)?;
            if answer.undecided == Some(Undecided::OutOfTime) {
                return Err(AskError::from(Stopped));
            }
            Ok(answer)
        };
        if positions.iter().all(|position| position.is_phutball()) {
            positions.par_iter().map(value).collect()
        } else {
            positions.iter().map(value).collect()
        }
    }
}

/// Returns the value of a directional strip, the potentials of its halves, and a turn that keeps a
/// win.
fn directional_value(position: &Position, strip: &AnyStrip) -> Answer {
    Answer {
        potentials: Some(potentials(strip)),
        turn: directional::keeping_turn(strip).map(|turn| turn.to_string()),
        ..Answer::new(position, verdict(strip))
    }
}

fn with_turns(answer: Answer, turns: Vec<RatedTurn>, line: Option<Vec<RatedTurn>>) -> Answer {
    let moves = |turns: Vec<RatedTurn>| {
        let turns = turns.into_iter();
        turns
            .map(|rated| Move::new(rated.turn, rated.after.notation(), rated.verdict))
            .collect()
    };
    Answer {
        moves: Some(moves(turns)),
        line: line.map(moves),
        ..answer
    }
}

fn oddish_verdict(position: &Oddish) -> Verdict {
    Wdl::won_by(oddish_winner(position), position.side()).into()
}

fn oddish_moves(position: &Oddish) -> Vec<Move> {
    let turns = position.turns().into_iter().map(|turn| (turn, turn));
    let successor = |&turn: &Turn| position.play(turn).expect("a listed turn is legal");
    let Ok(rated) = rated(turns, successor, |next| Ok::<_, Infallible>(oddish_verdict(next)));
    let answer = |rated: Rated<Turn, Turn>| {
        let after = format!("oddish:{}", position.notation_after(rated.turn));
        Move::new(rated.turn.to_string(), after, rated.verdict)
    };
    rated.into_iter().map(answer).collect()
}
