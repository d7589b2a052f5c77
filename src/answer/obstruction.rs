//! Boards of Obstruction as JSON: what `phutbase obstruction nimber` and `move` print with `--json`.

use crate::games::obstruction::{Board, Sum};
use crate::solve::nimbers::{Component, Limits, Part, Solver, Stopped, WinningTurn, total};
use crate::table::nimbers::NimberTable;
use serde::Serialize;

/// A solver that knows the boards of a table already.
pub fn solver_with(table: &NimberTable, memory: u64) -> Solver {
    let solver = Solver::new(memory);
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

/// The nimber of a sum of boards.
#[derive(Clone, Debug, Serialize)]
pub struct NimberAnswer {
    /// The sum in notation.
    pub board: String,
    /// What it is worth.
    pub nimber: u8,
    /// `first` or `second`.
    pub winner: String,
    /// What it falls into.
    pub components: Vec<ComponentAnswer>,
}

/// The winning turns of a sum of boards.
#[derive(Clone, Debug, Serialize)]
pub struct TurnsAnswer {
    /// The sum in notation.
    pub board: String,
    /// What it is worth.
    pub nimber: u8,
    /// `first` or `second`.
    pub winner: String,
    /// Every winning turn.
    pub moves: Vec<WinningTurnAnswer>,
}

/// A winning turn.
#[derive(Clone, Debug, Serialize)]
pub struct WinningTurnAnswer {
    /// The board of the sum it is made on, counted from 1.
    pub term: usize,
    /// The square that is marked.
    pub square: String,
    /// The sum that it leaves.
    pub after: String,
    /// What that falls into.
    pub components: Vec<ComponentAnswer>,
}

impl ComponentAnswer {
    /// A component.
    pub fn new(component: &Component) -> ComponentAnswer {
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

    /// Components, in their order.
    pub fn all(components: &[Component]) -> Vec<ComponentAnswer> {
        components.iter().map(ComponentAnswer::new).collect()
    }
}

impl NimberAnswer {
    /// Finds the nimber of a sum.
    ///
    /// # Errors
    /// [`Stopped`] at one of the limits.
    pub fn find(solver: &Solver, sum: &Sum, limits: Limits) -> Result<NimberAnswer, Stopped> {
        let components = solver.components(&sum.terms, limits)?;
        let nimber = total(&components);
        Ok(NimberAnswer {
            board: sum.to_string(),
            nimber: nimber.0,
            winner: nimber.winner().to_string(),
            components: ComponentAnswer::all(&components),
        })
    }
}

impl TurnsAnswer {
    /// Finds the winning turns of a sum.
    ///
    /// # Errors
    /// [`Stopped`] at one of the limits.
    pub fn find(solver: &Solver, sum: &Sum, limits: Limits) -> Result<TurnsAnswer, Stopped> {
        let nimber = total(&solver.components(&sum.terms, limits)?);
        let turns = solver.winning_turns(sum, limits)?;
        Ok(TurnsAnswer {
            board: sum.to_string(),
            nimber: nimber.0,
            winner: nimber.winner().to_string(),
            moves: turns.iter().map(WinningTurnAnswer::new).collect(),
        })
    }
}

impl WinningTurnAnswer {
    fn new(turn: &WinningTurn) -> WinningTurnAnswer {
        WinningTurnAnswer {
            term: turn.term + 1,
            square: turn.square.to_string(),
            after: turn.after.to_string(),
            components: ComponentAnswer::all(&turn.components),
        }
    }
}
