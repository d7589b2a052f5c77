//! Obstruction: searched for, from what the table knows. Ctrl-C ends a long search.

use crate::errors::{limit, of_table};
use crate::{Probed, Turn};
use phutbase::games::obstruction::{Place, Sum};
use phutbase::games::position::Position;
use phutbase::nimber::Nimber;
use phutbase::outcome::Wdl;
use phutbase::solve::nimbers::misere::MisereError;
use phutbase::solve::nimbers::{NimberLimits, NimberSolver, total};
use phutbase::table::error::TableError;
use phutbase::table::tablebase::Tablebase;
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
        for (board, nimber) in tables.nimbers()?.iter() {
            solver.learn(&board.into(), nimber);
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
        let turn = |term: usize, place: Place, after: Sum| -> Turn {
            // Only where there are several boards need the board be named.
            let name = match sum.terms.len() {
                1 => place.to_string(),
                _ => format!("{}:{place}", term + 1),
            };
            let after = Position::Obstruction(after).to_string();
            (name, after, Wdl::Win.word(), None)
        };
        // Whether the player to move wins; the nimber, which misère play has not; the winning turns.
        let search = || -> Result<(bool, Option<Nimber>, Vec<Turn>), MisereError> {
            if sum.misere {
                let wins = solver.misere(&sum.terms, limits)?;
                let turns = solver
                    .misere_turns(&sum, limits)?
                    .into_iter()
                    .filter(|turn| turn.wins);
                let turns = turns.map(|found| turn(found.term, found.place, found.after));
                return Ok((wins, None, turns.collect()));
            }
            let nimber = total(&solver.components(&sum.terms, limits)?);
            let turns = solver.winning_turns(&sum, limits)?.into_iter();
            let turns = turns.map(|found| turn(found.term, found.place, found.after));
            Ok((nimber != Nimber::ZERO, Some(nimber), turns.collect()))
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
        let (wins, nimber, turns) = found.map_err(|error| match error {
            MisereError::Stopped(_) => {
                signalled.unwrap_or_else(|| PyKeyboardInterrupt::new_err("the search was stopped"))
            }
            too_large => limit(too_large.to_string()),
        })?;
        let value = if wins { Wdl::Win } else { Wdl::Loss };
        let position = Position::Obstruction(sum.clone());
        let mut probed = crate::probed(&position, value.into(), turns);
        probed.6 = nimber.map(|nimber| nimber.0);
        Ok(probed)
    }
}
