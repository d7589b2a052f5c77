//! Sources of values: the solution and tables for strips, a potential for directional ones, tables for
//! pitches, a search for Obstruction, and GN Theorem 1 for Oddish Phutball.

use super::obstruction::{MAX_SUM, all_turns, check_list, of_sum, solver_with, winning_turns};
use super::strip::{self, MAX_LISTED, MAX_SHOWN, MAX_SHOWN_IN_LINE, Reason, TurnCounts};
use super::{Answer, Move};
use phutbase_base::fault;
use phutbase_base::game::{Rated, rated};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::{Verdict, Wdl};
use phutbase_nimbers::NimberSolver;
use phutbase_nimbers::misere::MisereError;
use phutbase_rules::obstruction::Sum;
use phutbase_rules::oddish::{Oddish, Turn};
use phutbase_rules::position::{Standing, best_line, in_notation};
use phutbase_rules::potentials::oddish_winner;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_rules::{Phutball, Position, RatedTurn, Rules};
use phutbase_solution::directional::{self, potentials};
use phutbase_tables::{NimberTable, PitchTable, TableError, Tablebase};
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::OnceLock;
use std::time::Duration;

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

fault! { AskError {
    AskError::Table(error) => Of(error),
    AskError::Stopped(error) => Of(error),
    AskError::Misere(_) | AskError::LongList { .. } => System,
} }

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
}

impl Sources {
    pub fn new(tables: Tablebase, obstruction_bytes: u64) -> Sources {
        Sources {
            tables,
            obstruction: OnceLock::new(),
            obstruction_bytes,
        }
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

    /// Returns the value of a position. Limits bound the search in Obstruction.
    pub fn value(&self, position: &Position, limits: &Job) -> Result<Answer, AskError> {
        Ok(match position {
            Position::Phutball(Phutball::Strip(strip)) => self.strip(position, strip)?,
            Position::Phutball(phutball) => Answer::new(position, Some(self.verdict(phutball)?)),
            Position::Obstruction(sum) => of_sum(self.obstruction()?, sum, limits)?,
            Position::Oddish(oddish) => Answer::new(position, Some(oddish_verdict(oddish))),
        })
    }

    /// Returns the value of a position and of its turns, and best play of a strip or a pitch if
    /// `line` is set. Of a strip of more than [`MAX_LISTED`] squares a best turn takes the place of
    /// the turns. The line of one of more than [`MAX_SHOWN_IN_LINE`] has no boards, and of more than
    /// [`MAX_SHOWN`] it is empty.
    pub fn probe(&self, position: &Position, line: bool, limits: &Job) -> Result<Answer, AskError> {
        if let Position::Obstruction(sum) = position {
            check_list(sum)?;
        }
        let mut answer = self.value(position, limits)?;
        match position {
            Position::Phutball(phutball) => {
                match phutball {
                    Phutball::Strip(strip) if strip.length() > MAX_LISTED => {
                        answer.turn = Some(self.best_turn(phutball)?.turn);
                        answer.turn_counts = TurnCounts::of(strip);
                    }
                    _ => {
                        let is_shown = is_at_most(phutball, MAX_SHOWN);
                        answer.turns = Some(listed(self.rated_turns(phutball)?, is_shown));
                    }
                }
                answer.line = line.then(|| self.line(phutball)).transpose()?;
            }
            Position::Obstruction(sum) => {
                answer.winning_turns = match winning_turns(self.obstruction()?, sum, limits) {
                    // The value may be stored and the turns not.
                    Err(AskError::Stopped(_)) if answer.nimber.is_some() => None,
                    found => Some(found?),
                };
            }
            Position::Oddish(board) => answer.turns = Some(oddish_turns(board)),
        }
        Ok(answer)
    }

    fn line(&self, position: &Phutball) -> Result<Vec<Move>, TableError> {
        if !is_at_most(position, MAX_SHOWN) {
            return Ok(Vec::new());
        }
        let is_shown = is_at_most(position, MAX_SHOWN_IN_LINE);
        Ok(listed(self.best_line(position, usize::MAX)?, is_shown))
    }

    /// Returns the value of a strip of any length, or of a pitch that a table holds.
    pub fn verdict(&self, position: &Phutball) -> Result<Verdict, TableError> {
        match position {
            Phutball::Strip(strip) => Ok(strip::verdict(&self.tables, strip)?.0),
            Phutball::Pitch(pitch) => {
                let value = |table: &PitchTable| table.value(pitch);
                Ok(self.tables.ask_pitch(pitch.shape(), value)?.into())
            }
        }
    }

    /// Returns every turn of a position with its value, best first.
    pub fn rated_turns(&self, position: &Phutball) -> Result<Vec<RatedTurn>, TableError> {
        match position {
            Phutball::Strip(strip) => strip::rated_turns(&self.tables, strip),
            Phutball::Pitch(pitch) => {
                let rated = |table: &PitchTable| table.rated_turns(pitch);
                let next = pitch.side().opponent();
                Ok(in_notation(
                    self.tables.ask_pitch(pitch.shape(), rated)?,
                    |_, after| Standing::of_pitch(after, next),
                ))
            }
        }
    }

    /// Returns a best turn of a position.
    pub fn best_turn(&self, position: &Phutball) -> Result<RatedTurn, TableError> {
        match position {
            Phutball::Strip(strip) => strip::best_turn(&self.tables, strip),
            Phutball::Pitch(_) => {
                let rated = self.rated_turns(position)?;
                Ok(rated.into_iter().next().expect("there is always a turn"))
            }
        }
    }

    /// Returns best play to the end of the game, or in a draw until a position repeats; at most `most`
    /// turns. Without depths the winner plays so that the line ends.
    pub fn best_line(&self, position: &Phutball, most: usize) -> Result<Vec<RatedTurn>, TableError> {
        let depth = self.verdict(position)?.depth;
        let longest = depth.map_or(MAX_LINE, |depth| depth.0.into());
        best_line(position, longest.min(most), |position| {
            Ok(vec![self.best_turn(position)?])
        })
    }

    fn strip(&self, position: &Position, strip: &AnyStrip) -> Result<Answer, TableError> {
        let (verdict, by) = strip::verdict(&self.tables, strip)?;
        let answer = Answer::new(position, Some(verdict));
        Ok(match strip.rules() {
            Rules::Ordinary => {
                let winner = (verdict.wdl.winner(strip.side())).map_or(Ok(None), |winner| {
                    strip::backward_turns(&self.tables, strip, winner)
                });
                Answer {
                    reason: Some(Reason::of(strip, by)),
                    backward_turns: winner?,
                    ..answer
                }
            }
            Rules::Directional => Answer {
                potentials: Some(potentials(strip)),
                turn: directional::keeping_turn(strip).map(|turn| turn.to_string()),
                ..answer
            },
        })
    }

    /// Returns the nimber of a sum and after each turn, which takes longer than the winning turns.
    pub fn nimbers(&self, sum: &Sum, limits: &Job) -> Result<Answer, AskError> {
        check_list(sum)?;
        let solver = self.obstruction()?;
        Ok(Answer {
            turns: Some(all_turns(solver, sum, limits)?),
            ..of_sum(solver, sum, limits)?
        })
    }

    /// Returns the values of positions in order, each searched for at most this long. Searches in
    /// Obstruction are parallel themselves. Ends with errors once the job is stopped.
    pub fn batch(
        &self,
        positions: &[&Position],
        time: Option<Duration>,
        job: &Job,
    ) -> Vec<Result<Answer, AskError>> {
        let value = |position: &&Position| {
            if job.is_stopped() {
                return Err(Stopped::Interrupted.into());
            }
            self.value(position, &job.within(time))
        };
        if positions.iter().all(|position| position.is_phutball()) {
            positions.par_iter().map(value).collect()
        } else {
            positions.iter().map(value).collect()
        }
    }
}

/// True for a strip of at most this many squares, and for a pitch.
fn is_at_most(position: &Phutball, squares: usize) -> bool {
    match position {
        Phutball::Strip(strip) => strip.length() <= squares,
        Phutball::Pitch(_) => true,
    }
}

/// Maximum turns of a line without a depth.
const MAX_LINE: usize = 1 << 12;

/// Returns the turns, with the positions after them if these are shown.
fn listed(turns: Vec<RatedTurn>, is_shown: bool) -> Vec<Move> {
    let position = |rated: &RatedTurn| {
        if is_shown {
            rated.after.notation()
        } else {
            String::new()
        }
    };
    (turns.into_iter())
        .map(|rated| {
            let position = position(&rated);
            Move::new(rated.turn, position, Some(rated.verdict))
        })
        .collect()
}

fn oddish_verdict(position: &Oddish) -> Verdict {
    Wdl::won_by(oddish_winner(position), position.side()).into()
}

fn oddish_turns(position: &Oddish) -> Vec<Move> {
    let turns = position.turns().into_iter().map(|turn| (turn, turn));
    let successor = |&turn: &Turn| position.play(turn).expect("a listed turn is legal");
    let Ok(rated) = rated(turns, successor, |next| Ok::<_, Infallible>(oddish_verdict(next)));
    let answer = |rated: Rated<Turn, Turn>| {
        let after = format!("oddish:{}", position.notation_after(rated.turn));
        Move::new(rated.turn.to_string(), after, Some(rated.verdict))
    };
    rated.into_iter().map(answer).collect()
}
