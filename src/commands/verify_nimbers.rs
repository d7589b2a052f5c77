//! `phutbase verify obstruction:RxC`: computes every stored nimber again.

use super::generate::obstruction;
use super::output::{CommandError, expect_none, object, print_result};
use super::{Common, interrupt};
use crate::answer::BoardsLabel;
use crate::games::obstruction::Grid;
use crate::games::{Boards, Rules};
use crate::solve::nimbers::{NimberLimits, NimberSolver};
use crate::table::tablebase::Tablebase;
use std::time::Instant;

/// Memory limit of the search for nimbers, in bytes.
const NIMBER_MEMORY: u64 = 1 << 30;

/// Recomputes the nimbers of all stored boards up to a size.
pub fn run(tables: &Tablebase, largest: Grid, common: &Common) -> Result<(), CommandError> {
    let stored = obstruction::stored(tables.nimbers()?, largest);
    if stored.is_empty() {
        return Err(obstruction::no_nimbers(tables, largest));
    }
    let solver = NimberSolver::new(NIMBER_MEMORY);
    let limits = NimberLimits {
        stop: Some(interrupt::flag("stopping")),
        deadline: None,
    };
    let mut wrong = Vec::new();
    for (board, nimber) in stored {
        let begun = Instant::now();
        let boards = Boards::Obstruction(board);
        let found = obstruction::find(&solver, board, limits)
            .ok_or_else(|| CommandError::Interrupted(format!("interrupted at {boards}")))?;
        let seconds = begun.elapsed().as_secs_f64();
        if found != nimber {
            wrong.push(format!(
                "{boards}: the nimber is {found}, but the table has {nimber}"
            ));
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::new(&boards, Rules::Ordinary),
            ok: found == nimber,
            nimber: nimber.0,
            found: found.0,
            seconds: seconds,
        };
        print_result(common.json, &object, |out| {
            writeln!(out, "{boards}: {nimber}, recomputed: {found} ({seconds:.1} s)")
        })?;
    }
    expect_none(&wrong, "; ", CommandError::Failure)
}
