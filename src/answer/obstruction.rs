//! Boards of Obstruction as JSON.

use super::{Answer, Move};
use crate::games::obstruction::{Board, Sum};
use crate::games::position::Position;
use crate::nimber::Nimber;
use crate::outcome::Wdl;
use crate::solve::nimbers::{Component, NimberLimits, NimberSolver, Part, RatedMark, Stopped, total};
use crate::table::nimbers::NimberTable;
use serde::Serialize;

/// A solver that knows the boards of a table already.
pub fn solver_with(table: &NimberTable, memory: u64) -> NimberSolver {
    let solver = NimberSolver::new(memory);
    for (rows, columns, nimber) in table.iter() {
        if let Some(board) = Board::empty(rows, columns) {
            solver.learn(&board, nimber);
        }
    }
    solver
}

/// A component of a board.
#[derive(Clone, Debug, Serialize)]
pub struct ComponentAnswer {
    /// Its squares, as rows or as `1xN`.
    pub shape: String,
    /// How many there are.
    pub squares: usize,
    /// What it is worth.
    pub nimber: u8,
}

impl ComponentAnswer {
    fn new(component: &Component) -> ComponentAnswer {
        let (shape, squares) = match component.part {
            Part::Row(length) => (format!("1x{length}"), length),
            Part::Region(region) => (region.to_string(), region.len() as usize),
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

/// Finds the nimber of a sum: the player to move wins unless it is 0.
pub(super) fn of_sum(solver: &NimberSolver, sum: &Sum, limits: NimberLimits<'_>) -> Result<Answer, Stopped> {
    let components = solver.components(&sum.terms, limits)?;
    let nimber = total(&components);
    let outcome = match nimber {
        Nimber(0) => Wdl::Loss,
        _ => Wdl::Win,
    };
    Ok(Answer {
        nimber: Some(nimber.0),
        components: Some(answers(&components)),
        ..Answer::new(&Position::Obstruction(sum.clone()), outcome.into())
    })
}

/// Finds the winning turns of a sum.
pub(super) fn winning_moves(
    solver: &NimberSolver,
    sum: &Sum,
    limits: NimberLimits<'_>,
) -> Result<Vec<Move>, Stopped> {
    let turns = solver.winning_turns(sum, limits)?;
    Ok(turns.into_iter().map(|turn| answer(sum, turn)).collect())
}

/// Finds every turn of a sum with the nimber that it leaves, the winning ones first.
pub(super) fn all_moves(
    solver: &NimberSolver,
    sum: &Sum,
    limits: NimberLimits<'_>,
) -> Result<Vec<Move>, Stopped> {
    let turns = solver.turns(sum, limits)?.into_iter();
    let mut moves: Vec<Move> = (turns)
        .map(|turn| {
            let left = total(&turn.components);
            let value = if left == Nimber::ZERO { Wdl::Win } else { Wdl::Loss };
            Move {
                nimber: Some(left.0),
                value: value.word(),
                ..answer(sum, turn)
            }
        })
        .collect();
    moves.sort_by_key(|turn| turn.nimber);
    Ok(moves)
}

/// A winning turn.
fn answer(sum: &Sum, turn: RatedMark) -> Move {
    Move {
        // Only where there are several boards need the board be named.
        board: (sum.terms.len() > 1).then_some(turn.term + 1),
        components: Some(answers(&turn.components)),
        ..Move::new(
            turn.square.to_string(),
            Position::Obstruction(turn.after).to_string(),
            Wdl::Win.into(),
        )
    }
}
