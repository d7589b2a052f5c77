//! Boards of Obstruction as JSON.

use super::sources::AskError;
use super::{Answer, BoardsLabel, Move};
use phutbase_base::job::Job;
use phutbase_base::nimber::Nimber;
use phutbase_base::outcome::Wdl;
use phutbase_nimbers::misere::MisereTurn;
use phutbase_nimbers::{Component, NimberSolver, Part, RatedMark, total};
use phutbase_rules::obstruction::{Grid, Place, Sum, Term, bits};
use phutbase_rules::position::Position;
use phutbase_rules::{Boards, Rules};
use phutbase_tables::nimbers::NimberTable;
use serde::Serialize;

pub fn solver_with(table: &NimberTable, memory: u64) -> NimberSolver {
    let solver = NimberSolver::new(memory);
    for (board, nimber) in table.iter() {
        solver.learn(&board.into(), nimber);
    }
    solver
}

/// An empty board and its nimber, if known.
#[derive(Clone, Debug, Serialize)]
pub struct BoardNimber {
    #[serde(flatten)]
    label: BoardsLabel,
    nimber: Option<u8>,
    /// The player to move is first.
    winner: Option<&'static str>,
}

impl BoardNimber {
    pub fn new(board: Grid, nimber: Option<Nimber>) -> BoardNimber {
        BoardNimber {
            label: BoardsLabel::new(&Boards::Obstruction(board), Rules::Ordinary),
            nimber: nimber.map(|nimber| nimber.0),
            winner: nimber.map(|nimber| if nimber == Nimber::ZERO { "second" } else { "first" }),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct ComponentAnswer {
    /// The shape as rows or as `1xN`; otherwise the names of the cells or vertices.
    pub shape: String,
    pub squares: usize,
    pub nimber: u8,
}

impl ComponentAnswer {
    fn new(component: &Component) -> ComponentAnswer {
        let (shape, squares) = match &component.part {
            Part::Row(length) => (format!("1x{length}"), *length),
            Part::Region(region) => (region.to_string(), region.len() as usize),
            Part::Vertices(board, vertices) => {
                let names: Vec<String> = bits(*vertices)
                    .map(|vertex| board.place(vertex).to_string())
                    .collect();
                (names.join(" "), names.len())
            }
        };
        ComponentAnswer {
            shape,
            squares,
            nimber: component.nimber.0,
        }
    }
}

fn answers(components: &[Component]) -> Vec<ComponentAnswer> {
    components.iter().map(ComponentAnswer::new).collect()
}

/// Maximum number of boards times squares of a sum whose turns are listed. A turn takes about 500
/// bytes, and 100 bytes for each further board of the sum after it.
pub(super) const MAX_SUM: usize = 100_000;

/// Returns an error if the turns of a sum would take too much memory.
pub fn check_list(sum: &Sum) -> Result<(), AskError> {
    let boards = sum.terms.len();
    let squares = sum.terms.iter().map(Term::squares).sum();
    if boards * squares > MAX_SUM {
        return Err(AskError::LongList { boards, squares });
    }
    Ok(())
}

/// Computes the nimber of a sum and its winner; in misère play only the winner.
pub(super) fn of_sum(solver: &NimberSolver, sum: &Sum, limits: &Job) -> Result<Answer, AskError> {
    let position = Position::Obstruction(sum.clone());
    let answer = |wins| Answer::new(&position, Some(outcome(wins).into()));
    if sum.misere {
        return Ok(answer(solver.misere(&sum.terms, limits)?));
    }
    let components = solver.components(&sum.terms, limits)?;
    let nimber = total(&components);
    Ok(Answer {
        nimber: Some(nimber.0),
        components: Some(answers(&components)),
        ..answer(nimber != Nimber::ZERO)
    })
}

fn outcome(wins: bool) -> Wdl {
    if wins { Wdl::Win } else { Wdl::Loss }
}

pub(super) fn winning_turns(solver: &NimberSolver, sum: &Sum, limits: &Job) -> Result<Vec<Move>, AskError> {
    if sum.misere {
        let mut marks = misere_turns(solver, sum, limits)?;
        marks.retain(|mark| mark.value == Some(Wdl::Win));
        return Ok(marks);
    }
    let turns = solver.winning_turns(sum, limits)?;
    Ok(turns
        .into_iter()
        .map(|turn| answer(sum, turn, Wdl::Win))
        .collect())
}

/// Computes the nimber after every turn of a sum, the winning ones first.
pub(super) fn all_turns(solver: &NimberSolver, sum: &Sum, limits: &Job) -> Result<Vec<Move>, AskError> {
    if sum.misere {
        return misere_turns(solver, sum, limits);
    }
    let turns = solver.turns(sum, limits)?.into_iter();
    let mut marks: Vec<Move> = (turns)
        .map(|turn| {
            let left = total(&turn.components);
            Move {
                nimber: Some(left.0),
                ..answer(sum, turn, outcome(left == Nimber::ZERO))
            }
        })
        .collect();
    marks.sort_by_key(|mark| mark.nimber);
    Ok(marks)
}

/// Computes every turn of misère play, the winning ones first.
fn misere_turns(solver: &NimberSolver, sum: &Sum, limits: &Job) -> Result<Vec<Move>, AskError> {
    let mut turns = solver.misere_turns(sum, limits)?;
    turns.sort_by_key(|turn| !turn.wins);
    let answer = |turn: MisereTurn| named(sum, turn.term, turn.place, turn.after, outcome(turn.wins));
    Ok(turns.into_iter().map(answer).collect())
}

fn answer(sum: &Sum, turn: RatedMark, value: Wdl) -> Move {
    Move {
        components: Some(answers(&turn.components)),
        ..named(sum, turn.term, turn.place, turn.after, value)
    }
}

fn named(sum: &Sum, term: usize, place: Place, after: Sum, value: Wdl) -> Move {
    let after = Position::Obstruction(after).to_string();
    Move {
        // The board is named only in sums.
        board: (sum.terms.len() > 1).then_some(term + 1),
        ..Move::new(place.to_string(), after, Some(value.into()))
    }
}
