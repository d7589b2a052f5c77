//! Sources of values: tables for strips and pitches, a potential for directional strips, a search
//! for Obstruction, and Theorem 1 for Oddish Phutball.

use super::obstruction::{all_moves, of_sum, solver_with, winning_moves};
use super::{Answer, Move};
use crate::game::{Rated, rated};
use crate::games::directional::{keeping_turn, potentials, rated_turns, verdict, winning_line};
use crate::games::obstruction::Sum;
use crate::games::oddish::{Oddish, Turn};
use crate::games::potentials::oddish_winner;
use crate::games::strip::LongStrip;
use crate::games::{Phutball, Position, RatedTurn, Rules, Strip};
use crate::job::{Job, Stopped};
use crate::outcome::{Verdict, Wdl};
use crate::solve::nimbers::NimberSolver;
use crate::solve::nimbers::misere::MisereError;
use crate::table::{BoardTable, NimberTable, TableError, Tablebase};
use std::collections::BTreeMap;
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
            AskError::Stopped(_) | AskError::Misere(_) | AskError::Table(TableError::TooManyJumps(_))
        )
    }
}

/// Positions of a batch that are answered between two checks whether it must stop.
const CHECKED_POSITIONS: usize = 1 << 12;

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

    pub fn value(&self, position: &Position, limits: &Job) -> Result<Answer, AskError> {
        Ok(match position {
            Position::Phutball(Phutball::Strip(strip)) if strip.rules() == Rules::Directional => {
                directional_value(position, &strip.into())
            }
            Position::LongStrip(strip) => directional_value(position, strip),
            Position::Phutball(phutball) => {
                let ask = |table: BoardTable<'_>| table.verdict(phutball);
                Answer::new(position, self.tables.ask_boards(&phutball.boards(), ask)?)
            }
            Position::Obstruction(sum) => of_sum(self.obstruction()?, sum, limits)?,
            Position::Oddish(oddish) => Answer::new(position, oddish_verdict(oddish)),
        })
    }

    /// Returns the value of a position and of its turns, and best play if `line` is set and
    /// applies.
    pub fn probe(&self, position: &Position, line: bool, limits: &Job) -> Result<Answer, AskError> {
        let answer = self.value(position, limits)?;
        Ok(match position {
            Position::Phutball(Phutball::Strip(strip)) if strip.rules() == Rules::Directional => {
                with_turns(answer, rated_turns(strip), line.then(|| winning_line(strip)))
            }
            Position::LongStrip(_) => answer,
            Position::Phutball(phutball) => {
                let (turns, line) = self.tables.ask_boards(&phutball.boards(), |table| {
                    let line = line.then(|| table.best_line(phutball, usize::MAX));
                    Ok((table.rated_turns(phutball)?, line.transpose()?))
                })?;
                with_turns(answer, turns, line)
            }
            Position::Obstruction(sum) => Answer {
                winning_moves: Some(winning_moves(self.obstruction()?, sum, limits)?),
                ..answer
            },
            Position::Oddish(oddish) => Answer {
                moves: Some(oddish_moves(oddish)),
                ..answer
            },
        })
    }

    /// Returns the nimber of a sum and after each turn, which takes longer than the winning turns.
    pub fn nimbers(&self, sum: &Sum, limits: &Job) -> Result<Answer, AskError> {
        let solver = self.obstruction()?;
        let mut answer = of_sum(solver, sum, limits)?;
        answer.moves = Some(all_moves(solver, sum, limits)?);
        Ok(answer)
    }

    /// Returns the values of positions in order; those of one length are looked up together.
    pub fn batch(&self, positions: &[&Position], limits: &Job) -> Vec<Result<Answer, AskError>> {
        let mut answers: Vec<Option<Result<Answer, AskError>>> = positions.iter().map(|_| None).collect();
        let mut lengths: BTreeMap<usize, Vec<(usize, Strip)>> = BTreeMap::new();
        for (place, position) in positions.iter().enumerate() {
            if let Position::Phutball(Phutball::Strip(strip)) = position
                && strip.rules() == Rules::Ordinary
            {
                lengths.entry(strip.length()).or_default().push((place, *strip));
            }
        }
        for (length, places) in lengths {
            for places in places
                .chunks(CHECKED_POSITIONS)
                .take_while(|_| !limits.is_stopped())
            {
                let strips: Vec<Strip> = places.iter().map(|&(_, strip)| strip).collect();
                let verdicts = self.tables.ask(length, |table| table.verdicts(&strips));
                // After a failed lookup, each position is asked separately below, for an error of
                // its own.
                for ((place, _), verdict) in places.iter().zip(verdicts.into_iter().flatten()) {
                    answers[*place] = Some(Ok(Answer::new(positions[*place], verdict)));
                }
            }
        }
        (answers.into_iter().zip(positions))
            .map(|(answer, position)| match answer {
                Some(answer) => answer,
                None if limits.is_stopped() => Err(Stopped.into()),
                None => self.value(position, limits),
            })
            .collect()
    }
}

/// Returns the value of a directional strip, the potentials of its halves, and a turn that keeps a
/// win.
fn directional_value(position: &Position, strip: &LongStrip) -> Answer {
    Answer {
        potentials: Some(potentials(strip)),
        turn: keeping_turn(strip).map(|turn| turn.to_string()),
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
    if oddish_winner(position) == position.side() {
        Wdl::Win.into()
    } else {
        Wdl::Loss.into()
    }
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
