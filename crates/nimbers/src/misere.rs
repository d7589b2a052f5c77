//! Misère Obstruction: a player who cannot move *wins*. Sums have no nimbers then, so a position is
//! searched as a whole.
//!
//! Sums of rows have a faster search, [`misere_rows`](super::misere_rows): a sorted list of lengths
//! is one key for all arrangements of the rows, and a set of vertices is not.
//!
//! Besides symmetry the search uses two facts that hold for every misère game of this kind:
//!
//! * One of two twins can be removed: both are the same turn, so the game without one is the same
//!   game.
//! * Two isolated squares cancel. *Proof*: the winner of the rest R, as first or second player,
//!   plays R as before and answers a mark on an isolated square with a mark on the other one. When
//!   R is over it is the winner's turn, as in R alone. If both isolated squares are then left, the
//!   winner marks one, the opponent the other, and it is the winner's turn again.

use super::NimberSolver;
use super::graphs::{KnownGraph, MISERE};
use super::memo::{Knowledge, Memo};
use super::misere_rows::MisereRows;
use phutbase_base::job::{Job, Stopped};
use phutbase_rules::obstruction::graph::Graph;
use phutbase_rules::obstruction::{Board, Form, Grid, MAX_SQUARES, Place, Sum, Term, bits};
use std::sync::{MutexGuard, PoisonError};

/// Reason why the winner is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MisereError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The position is searched as a whole and has too many squares.
    #[error("{0} free squares: misère play is supported up to {MAX_SQUARES}")]
    TooLarge(usize),
}

/// A turn of misère play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisereTurn {
    pub term: usize,
    /// The square, cell or vertex that is marked.
    pub place: Place,
    /// The whole sum after the turn.
    pub after: Sum,
    pub wins: bool,
}

impl NimberSolver {
    /// Returns whether the player to move wins a sum under misère play, whatever `Sum::misere` is.
    pub fn misere(&self, terms: &[Term], job: &Job) -> Result<bool, MisereError> {
        let Some(board) = joined(terms)? else {
            return Ok(true);
        };
        if let Some(rows) = rows(terms) {
            return Ok(self.misere_rows().wins(&rows, job)?);
        }
        let known = self.graphs.of(&board);
        let search = MisereSearch {
            known: &known,
            memo: &self.memo,
            job,
        };
        Ok(search.wins(board.free())?)
    }

    /// Returns the search for sums of rows, which one thread uses at a time.
    fn misere_rows(&self) -> MutexGuard<'_, MisereRows> {
        // Each result is stored by one call, so a panic leaves no half of one.
        self.misere_rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists the turns of a sum in the order of terms and squares.
    pub fn misere_turns(&self, sum: &Sum, job: &Job) -> Result<Vec<MisereTurn>, MisereError> {
        let Some(board) = joined(&sum.terms)? else {
            return Ok(Vec::new());
        };
        let known = self.graphs.of(&board);
        let search = MisereSearch {
            known: &known,
            memo: &self.memo,
            job,
        };
        let free = board.free();
        let turns = (sum.terms.iter().enumerate())
            .flat_map(|(term, board)| board.turns().into_iter().map(move |turn| (term, turn)));
        // The free vertices of the joined board are in the order of the turns.
        (turns.zip(bits(free)))
            .map(|((term, turn), vertex)| {
                let mut after = sum.clone();
                after.terms.splice(term..=term, turn.after);
                let wins = !match rows(&after.terms) {
                    Some(rows) => self.misere_rows().wins(&rows, job)?,
                    None => search.wins(free & !known.graph.near(vertex))?,
                };
                Ok(MisereTurn {
                    term,
                    place: turn.place,
                    after,
                    wins,
                })
            })
            .collect()
    }
}

/// Joins a sum to one board with the free vertices in the order of the terms and their squares;
/// `None` if there are none.
fn joined(terms: &[Term]) -> Result<Option<Board>, MisereError> {
    let free = terms.iter().map(|term| match term {
        Term::Row(length) => *length,
        Term::Board(board) => board.free().count_ones() as usize,
    });
    let free: usize = free.sum();
    if free > MAX_SQUARES {
        return Err(MisereError::TooLarge(free));
    }
    let boards = terms.iter().filter_map(|term| match term {
        Term::Row(length) => Grid::new(Form::Rectangle, &[1, *length]).map(Board::from),
        Term::Board(board) => Some(board.clone()),
    });
    let mut boards: Vec<Board> = boards.collect();
    match boards.len() {
        _ if free == 0 => return Ok(None),
        1 => return Ok(boards.pop()),
        _ => {}
    }
    let mut graph = Graph::without_edges(free).expect("1 to 128 vertices");
    let mut first = 0;
    for board in boards {
        let places: Vec<usize> = bits(board.free()).collect();
        for (one, &vertex) in places.iter().enumerate() {
            let near = board.graph().near(vertex);
            let later = places.iter().enumerate().skip(one + 1);
            for (other, _) in later.filter(|(_, place)| near >> **place & 1 == 1) {
                graph.join(first + one, first + other);
            }
        }
        first += places.len();
    }
    Ok(Board::on_graph(graph, 0).ok())
}

/// Returns the lengths if all terms are rows, which have a faster search.
fn rows(terms: &[Term]) -> Option<Vec<u8>> {
    let length = |term: &Term| match term {
        Term::Row(length) => u8::try_from(*length).ok(),
        _ => None,
    };
    terms.iter().map(length).collect()
}

struct MisereSearch<'a> {
    known: &'a KnownGraph,
    memo: &'a Memo,
    job: &'a Job,
}

impl MisereSearch<'_> {
    /// Returns whether the player to move wins with these vertices free.
    fn wins(&self, free: u128) -> Result<bool, Stopped> {
        self.reduced_wins(self.reduced(free))
    }

    /// Removes twins and pairs of isolated vertices.
    fn reduced(&self, free: u128) -> u128 {
        let left = self.known.without_twins(free);
        let lone = bits(left).filter(|&vertex| self.known.graph.near(vertex) & left == 1 << vertex);
        let lone = lone.fold(0u128, |lone, vertex| lone | 1 << vertex);
        match lone.count_ones() % 2 {
            0 => left & !lone,
            _ => left & !lone | lone & lone.wrapping_neg(),
        }
    }

    fn reduced_wins(&self, free: u128) -> Result<bool, Stopped> {
        match free.count_ones() {
            0 => return Ok(true),
            1 => return Ok(false),
            _ => self.job.check()?,
        }
        let key = self.known.key(free, MISERE);
        if let Some(wins) = self.memo.get_vertices(&key).nimber() {
            return Ok(wins == 1);
        }
        let mut left: Vec<u128> = bits(free)
            .map(|vertex| self.reduced(free & !self.known.graph.near(vertex)))
            .collect();
        left.sort_unstable_by_key(|left| (left.count_ones(), *left));
        left.dedup();
        let mut wins = false;
        for free in left {
            if !self.reduced_wins(free)? {
                wins = true;
                break;
            }
        }
        self.memo.learn_vertices(&key, Knowledge::exact(wins.into()));
        Ok(wins)
    }
}
