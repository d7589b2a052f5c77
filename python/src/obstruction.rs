//! Obstruction: searched for, from what the table knows. Ctrl-C ends a long search.

use crate::errors::of_table;
use crate::{Probed, Turn};
use phutbase::games::obstruction::{Board, Sum};
use phutbase::games::position::Position;
use phutbase::nimber::Nimber;
use phutbase::outcome::Wdl;
use phutbase::solve::nimbers::{NimberLimits, NimberSolver, Stopped, total};
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Bytes that the search remembers regions in.
const MEMORY: u64 = 256 << 20;

/// How often a long search looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(100);

/// The search, begun when it is first needed.
#[derive(Default)]
pub struct Obstruction(OnceLock<NimberSolver>);

impl Obstruction {
    fn solver(&self, tables: &Tablebase) -> Result<&NimberSolver, TableError> {
        if let Some(solver) = self.0.get() {
            return Ok(solver);
        }
        let solver = NimberSolver::new(MEMORY);
        for (rows, columns, nimber) in tables.nimbers()?.iter() {
            if let Some(board) = Board::empty(rows, columns) {
                solver.learn(&board, nimber);
            }
        }
        Ok(self.0.get_or_init(|| solver))
    }

    /// The nimber of a sum and its winning turns.
    pub fn probe(&self, py: Python<'_>, tables: &Tablebase, sum: Sum) -> PyResult<Probed> {
        let solver = py.detach(|| self.solver(tables)).map_err(of_table)?;
        let stop = AtomicBool::new(false);
        let limits = NimberLimits {
            stop: Some(&stop),
            deadline: None,
        };
        let search = || -> Result<(Nimber, Vec<Turn>), Stopped> {
            let nimber = total(&solver.components(&sum.terms, limits)?);
            let turns = solver.winning_turns(&sum, limits)?.into_iter().map(|turn| {
                // Only where there are several boards need the board be named.
                let name = match sum.terms.len() {
                    1 => turn.square.to_string(),
                    _ => format!("{}:{}", turn.term + 1, turn.square),
                };
                (
                    name,
                    Position::Obstruction(turn.after).to_string(),
                    Wdl::Win.word(),
                    None,
                )
            });
            Ok((nimber, turns.collect()))
        };
        let mut signalled = None;
        let found = thread::scope(|scope| {
            let waiting = thread::current();
            let worker = scope.spawn(move || {
                let found = search();
                waiting.unpark();
                found
            });
            while !worker.is_finished() {
                py.detach(|| thread::park_timeout(SIGNALS));
                if let Err(signal) = py.check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    signalled = Some(signal);
                }
            }
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        let interrupted =
            |Stopped| signalled.unwrap_or_else(|| PyKeyboardInterrupt::new_err("the search was stopped"));
        let (nimber, turns) = found.map_err(interrupted)?;
        let value = match nimber {
            Nimber(0) => Wdl::Loss,
            _ => Wdl::Win,
        };
        let position = Position::Obstruction(sum.clone());
        let mut probed = crate::probed(&position, value.into(), turns);
        probed.6 = Some(nimber.0);
        Ok(probed)
    }
}
