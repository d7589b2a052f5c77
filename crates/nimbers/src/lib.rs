//! Nimbers of Obstruction: of any set of free squares, of boards, of sums.
//!
//! ```text
//!     free squares ──connected components──> regions
//!     regions ──twins, symmetry──> canonical regions ──memo, search──> nimbers
//!     rows 1 × n ──proved period of the octal game 0.137──> nimbers
//! ```
//!
//! * [`region`]: sets of squares up to equivalences that keep the nimber, with proofs;
//! * [`memo`]: results, shared between threads, in bounded memory;
//! * `graphs`: boards of other shapes and graphs as sets of vertices, with a canonical form for
//!   small ones;
//! * [`misere`], [`misere_rows`]: the winner under misère play;
//! * `search`: from a region or a set of vertices to its nimber;
//! * [`octal`]: rows in closed form, and the periodicity theorem.
//!
//! Nimbers of components add by exclusive or: no king's move leads from one component to another,
//! so a turn in one never changes another, and the position is their sum (Sprague–Grundy).

#![allow(missing_docs)]

pub mod canonical;
mod graphs;
pub mod memo;
pub mod misere;
pub mod misere_rows;
pub mod octal;
pub mod region;
mod search;

use graphs::Graphs;
use memo::Memo;
use misere_rows::MisereRows;
use octal::{OctalGame, Period};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::nimber::Nimber;
use phutbase_rules::obstruction::{Board, Place, Sum, SumTurn, Term};
use rayon::prelude::*;
use region::Region;
use std::sync::Mutex;

/// Number of terms with which to prove the period of Dawson's chess; 175 suffice.
const DAWSON_TERMS: usize = 1 << 10;

/// A part of a position that no turn elsewhere can change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A row of this many squares, from a sum.
    Row(usize),
    /// A connected region of a rectangle, canonical, with all its twins.
    Region(Region),
    /// Connected cells of a board of another shape or vertices of a graph, with all their twins.
    Vertices(Board, u128),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    pub part: Part,
    pub nimber: Nimber,
}

/// A turn in a sum and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMark {
    pub term: usize,
    /// The square, cell or vertex that is marked.
    pub place: Place,
    /// The whole sum after the turn.
    pub after: Sum,
    /// The components after the turn.
    pub components: Vec<Component>,
}

/// Computes nimbers and stores results for later calls.
pub struct NimberSolver {
    memo: Memo,
    /// For misère play.
    misere_rows: Mutex<MisereRows>,
    rows: Period,
    graphs: Graphs,
}

impl NimberSolver {
    /// Creates a solver with at most `memory` bytes of results: an eighth, and at most 14 MiB, for the
    /// canonical parts of graphs, and a quarter of the rest for rows under misère play. Less memory
    /// costs time but does not change results.
    pub fn new(memory: u64) -> NimberSolver {
        let rows = Period::find(OctalGame::DAWSONS_CHESS, DAWSON_TERMS);
        let parts = (memory / 8).min(14 << 20);
        let memory = memory - parts;
        NimberSolver {
            memo: Memo::new(memory - memory / 4),
            misere_rows: Mutex::new(MisereRows::new(memory / 4)),
            rows: rows.expect("175 terms prove the period of 0.137; tests check this"),
            graphs: Graphs::new(parts),
        }
    }

    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    pub fn rows(&self) -> &Period {
        &self.rows
    }

    /// Stores the nimber of a board known from elsewhere, such as a table. It is not checked.
    pub fn learn(&self, board: &Term, nimber: Nimber) {
        match &self.parts(board)[..] {
            [Part::Region(region)] => self.learn_region(region, nimber),
            [Part::Vertices(board, vertices)] => self.learn_vertices(board, *vertices, nimber),
            _ => {}
        }
    }

    /// Computes the nimber of a board with its marks.
    /// At a limit, intermediate results are kept.
    pub fn board(&self, board: &Board, job: &Job) -> Result<Nimber, Stopped> {
        let components = self.components(&[Term::Board(board.clone())], job)?;
        Ok(total(&components))
    }

    /// Computes the components of a sum with their nimbers, in the order of the terms and of their
    /// first squares.
    pub fn components(&self, terms: &[Term], job: &Job) -> Result<Vec<Component>, Stopped> {
        let parts: Vec<Part> = terms.iter().flat_map(|term| self.parts(term)).collect();
        parts
            .into_par_iter()
            .map(|part| {
                let nimber = match &part {
                    Part::Row(length) => self.rows.nimber(*length),
                    Part::Region(region) => self.region(region, job)?,
                    Part::Vertices(board, vertices) => self.vertices(board, *vertices, job)?,
                };
                Ok(Component { part, nimber })
            })
            .collect()
    }

    /// Lists the turns of a sum after which the opponent loses, in the order of terms and squares.
    pub fn winning_turns(&self, sum: &Sum, job: &Job) -> Result<Vec<RatedMark>, Stopped> {
        let mut nimbers = Vec::new();
        for term in &sum.terms {
            nimbers.push(total(&self.components(std::slice::from_ref(term), job)?));
        }
        let all = nimbers.iter().fold(Nimber::ZERO, |all, &nimber| all ^ nimber);
        let mut winning = Vec::new();
        for (place, term) in sum.terms.iter().enumerate() {
            // The turn must leave this term with the nimber of all other terms together.
            let wanted = all ^ nimbers[place];
            let found: Vec<Option<RatedMark>> = (term.turns().into_par_iter())
                .map(|turn| {
                    if !self.is_worth(&turn.after, wanted, job)? {
                        return Ok(None);
                    }
                    self.rated(sum, place, turn, job).map(Some)
                })
                .collect::<Result<_, Stopped>>()?;
            winning.extend(found.into_iter().flatten());
        }
        Ok(winning)
    }

    /// Lists the turns of a sum in the order of terms and squares; [`total`] of the components is
    /// the nimber after the turn.
    pub fn turns(&self, sum: &Sum, job: &Job) -> Result<Vec<RatedMark>, Stopped> {
        let places = sum.terms.iter().enumerate();
        let turns = places.flat_map(|(place, term)| term.turns().into_iter().map(move |turn| (place, turn)));
        let turns: Vec<_> = turns.collect();
        (turns.into_par_iter())
            .map(|(place, turn)| self.rated(sum, place, turn, job))
            .collect()
    }

    /// Computes the result of a turn on one term of a sum.
    fn rated(&self, sum: &Sum, term: usize, turn: SumTurn, job: &Job) -> Result<RatedMark, Stopped> {
        let mut after = sum.clone();
        after.terms.splice(term..=term, turn.after);
        let components = self.components(&after.terms, job)?;
        Ok(RatedMark {
            term,
            place: turn.place,
            after,
            components,
        })
    }

    /// Returns whether these terms together have this nimber; often much faster than computing it.
    fn is_worth(&self, terms: &[Term], wanted: Nimber, job: &Job) -> Result<bool, Stopped> {
        match terms {
            [Term::Board(board)] => match board.rectangle() {
                Some(columns) => self.squares_are_worth(columns, board.free(), wanted, job),
                None => self.free_is_worth(board, wanted, job),
            },
            terms => Ok(total(&self.components(terms, job)?) == wanted),
        }
    }

    /// Returns the parts of a term; an empty row has none.
    fn parts(&self, term: &Term) -> Vec<Part> {
        match term {
            Term::Row(0) => Vec::new(),
            Term::Row(length) => vec![Part::Row(*length)],
            Term::Board(board) => match board.rectangle() {
                Some(columns) => region::components(columns, board.free())
                    .map(|component| Part::Region(component.canonical()))
                    .collect(),
                None => (self.graphs.of(board).components(board.free()))
                    .map(|vertices| Part::Vertices(board.clone(), vertices))
                    .collect(),
            },
        }
    }
}

pub fn total(components: &[Component]) -> Nimber {
    (components.iter()).fold(Nimber::ZERO, |sum, component| sum ^ component.nimber)
}
