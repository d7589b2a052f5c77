//! Sources of values: theorems, tables and a search for strips, a potential for directional ones,
//! tables for pitches, a search for Obstruction, and GN Theorem 1 for Oddish Phutball.

use super::obstruction::{MAX_SUM, all_moves, check_list, of_sum, solver_with, winning_moves};
use super::{Answer, Common, Move, ObstructionAnswer, StripAnswer};
use phutbase_base::game::{Rated, rated};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::{Verdict, Wdl};
use phutbase_nimbers::NimberSolver;
use phutbase_nimbers::misere::MisereError;
use phutbase_rules::obstruction::Sum;
use phutbase_rules::oddish::{Oddish, Turn};
use phutbase_rules::potentials::oddish_winner;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_rules::{Phutball, Position, RatedTurn, Rules};
use phutbase_solution::directional::{self, potentials, rated_turns, verdict, winning_line};
use phutbase_solution::forward::{HalfValues, keeping_turn};
use phutbase_table::decide::Undecided;
use phutbase_table::decide::search::{Analysis, MAX_LISTED, MAX_POSITIONS, Search, SearchedTurn};
use phutbase_table::{NimberTable, PitchTable, TableError, Tablebase};
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
            Position::Phutball(Phutball::Strip(strip)) => {
                Answer::Strip(Box::new(self.strip(position, strip, limits)?))
            }
            Position::Phutball(Phutball::Pitch(pitch)) => {
                let value = |table: &PitchTable| table.value(pitch);
                let value = self.tables.ask_pitch(pitch.shape(), value)?;
                Answer::new(position, Some(value.into()))
            }
            Position::Obstruction(sum) => Answer::Obstruction(of_sum(self.obstruction()?, sum, limits)?),
            Position::Oddish(oddish) => Answer::new(position, Some(oddish_verdict(oddish))),
        })
    }

    /// Returns the value of a position and of its turns, and best play of a strip or a pitch if
    /// `line` is set; it is empty for an ordinary strip that no table holds, and for a directional one of
    /// more than [`MAX_LISTED`] squares, whose turns are not listed.
    pub fn probe(&self, position: &Position, line: bool, limits: &Job) -> Result<Answer, AskError> {
        if let Position::Phutball(Phutball::Strip(strip)) = position
            && !self.has_table(strip)
        {
            let answer = self.without_table(position, strip, line, limits)?;
            return Ok(Answer::Strip(Box::new(answer)));
        }
        if let Position::Obstruction(sum) = position {
            check_list(sum)?;
        }
        let mut answer = self.value(position, limits)?;
        match (position, &mut answer) {
            (Position::Phutball(phutball), Answer::Strip(strip)) => {
                [strip.moves, strip.line] = self.by_table(phutball, line)?;
            }
            (Position::Phutball(phutball), Answer::Pitch(pitch)) => {
                [pitch.moves, pitch.line] = self.by_table(phutball, line)?;
            }
            (Position::Obstruction(sum), Answer::Obstruction(answer)) => {
                answer.winning_moves = match winning_moves(self.obstruction()?, sum, limits) {
                    // The value may be stored and the turns not.
                    Err(AskError::Stopped(_)) if answer.nimber.is_some() => None,
                    found => Some(found?),
                };
            }
            (Position::Oddish(board), Answer::Oddish(oddish)) => oddish.moves = Some(oddish_moves(board)),
            _ => unreachable!("an answer is of its position's game"),
        }
        Ok(answer)
    }

    /// Returns the turns of a position, and best play if `line` is set.
    fn by_table(&self, position: &Phutball, line: bool) -> Result<[Option<Vec<Move>>; 2], AskError> {
        let (turns, line) = self.tables.ask_boards(&position.boards(), |table| {
            let line = line.then(|| table.best_line(position, usize::MAX));
            Ok((table.rated_turns(position)?, line.transpose()?))
        })?;
        Ok([Some(moves(turns)), line.map(moves)])
    }

    fn strip(&self, position: &Position, strip: &AnyStrip, limits: &Job) -> Result<StripAnswer, AskError> {
        match strip.rules() {
            Rules::Ordinary => {}
            Rules::Directional => return Ok(directional_answer(position, strip)),
        }
        let values = HalfValues::both(strip);
        let stop = || limits.check().is_err();
        let decided = Search::new(&self.tables, self.positions, &stop).decide(strip, values)?;
        Ok(StripAnswer::ordinary(position, values, decided))
    }

    /// Returns whether a table holds a strip.
    fn has_table(&self, strip: &AnyStrip) -> bool {
        strip.rules().have_tables_of_strips()
            && (self.tables.longest_strips(false)).is_some_and(|longest| longest >= strip.length())
    }

    /// Returns the value of a strip that no table holds, and its turns if it is short enough.
    fn without_table(
        &self,
        position: &Position,
        strip: &AnyStrip,
        line: bool,
        limits: &Job,
    ) -> Result<StripAnswer, AskError> {
        let is_directional = match strip.rules() {
            Rules::Ordinary => false,
            Rules::Directional => true,
        };
        let is_listed = strip.length() <= MAX_LISTED;
        let answer = if is_directional || !is_listed {
            self.strip(position, strip, limits)?
        } else {
            let (values, stop) = (HalfValues::both(strip), || limits.check().is_err());
            let Analysis { decided, turns } =
                Search::new(&self.tables, self.positions, &stop).analyse(strip, values)?;
            let rated = |rated: &SearchedTurn| Move {
                reason: rated.reason,
                ..Move::new(
                    rated.turn.to_string(),
                    strip.notation_after(rated.turn),
                    rated.verdict,
                )
            };
            StripAnswer {
                moves: Some(turns.turns().iter().map(rated).collect()),
                ..StripAnswer::ordinary(position, values, decided)
            }
        };
        Ok(match (is_directional, is_listed) {
            (true, true) => StripAnswer {
                moves: Some(moves(rated_turns(strip))),
                line: line.then(|| moves(winning_line(strip))),
                ..answer
            },
            (true, false) => StripAnswer {
                line: line.then(Vec::new),
                ..answer
            },
            (false, _) => StripAnswer {
                turn: keeping_turn(strip).map(|turn| turn.to_string()),
                line: line.then(Vec::new),
                ..answer
            },
        })
    }

    /// Returns the nimber of a sum and after each turn, which takes longer than the winning turns.
    pub fn nimbers(&self, sum: &Sum, limits: &Job) -> Result<Answer, AskError> {
        check_list(sum)?;
        let solver = self.obstruction()?;
        Ok(Answer::Obstruction(ObstructionAnswer {
            moves: Some(all_moves(solver, sum, limits)?),
            ..of_sum(solver, sum, limits)?
        }))
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
            match &answer {
                Answer::Strip(strip) if strip.undecided == Some(Undecided::OutOfTime) => {
                    Err(AskError::from(Stopped))
                }
                _ => Ok(answer),
            }
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
fn directional_answer(position: &Position, strip: &AnyStrip) -> StripAnswer {
    StripAnswer {
        common: Common::new(position, Some(verdict(strip))),
        potentials: Some(potentials(strip)),
        turn: directional::keeping_turn(strip).map(|turn| turn.to_string()),
        ..StripAnswer::default()
    }
}

fn moves(turns: Vec<RatedTurn>) -> Vec<Move> {
    let turns = turns.into_iter();
    turns
        .map(|rated| Move::new(rated.turn, rated.after.notation(), Some(rated.verdict)))
        .collect()
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
        Move::new(rated.turn.to_string(), after, Some(rated.verdict))
    };
    rated.into_iter().map(answer).collect()
}
