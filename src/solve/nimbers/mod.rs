//! Nimbers of Obstruction: of any set of free squares, of boards, of sums.
//!
//! ```text
//!     free squares ──connected components──> regions ──twins, symmetry──> canonical regions ──memo, search──> nimbers
//!     rows 1 × n   ──period of the octal game 0.137, proved when the solver is made──────────────────────────────^
//! ```
//!
//! * [`region`] — sets of squares up to all that keeps the nimber, with the proofs;
//! * [`memo`] — what is known, shared between threads, within a bound of memory;
//! * `graphs` — boards of other shapes and graphs: sets of vertices, with a canonical form where they are small;
//! * [`misere`], [`misere_rows`] — who wins if who cannot move wins;
//! * `search` — from a region, or a set of vertices, to its nimber;
//! * [`octal`] — rows in closed form, and the periodicity theorem.
//!
//! Nimbers of components add by exclusive or: no king's move leads from one component to another, so a turn in one never
//! changes another, and the position is their sum (Sprague–Grundy).

pub mod canonical;
mod graphs;
pub mod memo;
pub mod misere;
pub mod misere_rows;
pub mod octal;
pub mod region;
mod search;

use crate::games::obstruction::{Board, Place, Sum, SumTurn, Term};
use crate::nimber::Nimber;
use graphs::Graphs;
use memo::Memo;
use octal::{OctalGame, Period};
use rayon::prelude::*;
use region::Region;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Terms that are enough to prove the period of Dawson's chess, with room to spare.
const DAWSON_TERMS: usize = 1 << 10;

/// The search was told to stop, or its time was over, before the answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the answer was known")]
pub struct Stopped;

/// When a search has to end.
#[derive(Clone, Copy, Debug, Default)]
pub struct NimberLimits<'a> {
    /// Stop as soon as this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Stop at this moment.
    pub deadline: Option<Instant>,
}

impl NimberLimits<'_> {
    /// These limits, and a time from now on.
    pub fn within(self, time: Duration) -> Self {
        // A time too long to be represented is no limit.
        let end = Instant::now().checked_add(time);
        let deadline = self.deadline.into_iter().chain(end).min();
        NimberLimits { deadline, ..self }
    }

    /// Whether a search has to end now.
    pub fn are_reached(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A part of a position that no turn elsewhere can change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A row of this many squares, from a sum.
    Row(usize),
    /// A connected region of a rectangle, canonical, with all its twins.
    Region(Region),
    /// Connected cells of a board of another shape, or vertices of a graph, with all their twins.
    Vertices(Board, u128),
}

/// A part with its nimber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The part.
    pub part: Part,
    /// Its nimber.
    pub nimber: Nimber,
}

/// A turn in a sum, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMark {
    /// The term it is made in, counted from 0.
    pub term: usize,
    /// The square, cell or vertex that is marked.
    pub place: Place,
    /// The whole sum after the turn.
    pub after: Sum,
    /// The components after the turn.
    pub components: Vec<Component>,
}

/// Finds nimbers, and remembers what it found.
pub struct NimberSolver {
    memo: Memo,
    rows: Period,
    graphs: Graphs,
}

impl NimberSolver {
    /// A solver whose memo takes at most `memory` bytes. With less memory the answers are the same and take longer.
    pub fn new(memory: u64) -> NimberSolver {
        let rows = Period::find(OctalGame::DAWSONS_CHESS, DAWSON_TERMS);
        NimberSolver {
            memo: Memo::new(memory),
            rows: rows.expect("175 terms prove the period of 0.137, as the tests show"),
            graphs: Graphs::default(),
        }
    }

    /// What has been remembered.
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// Rows 1 × n, with the period that was proved.
    pub fn rows(&self) -> &Period {
        &self.rows
    }

    /// Remembers the nimber of a board that was found before, from a table for instance. It is believed.
    pub fn learn(&self, board: &Term, nimber: Nimber) {
        match (board, &self.parts(board)[..]) {
            (_, [Part::Region(region)]) => self.learn_region(region, nimber),
            (Term::Board(board), _) => self.learn_vertices(board, nimber),
            _ => {}
        }
    }

    /// The nimber of a board with its marks.
    ///
    /// # Errors
    /// [`Stopped`] at one of the limits; what was found until then is remembered.
    pub fn board(&self, board: &Board, limits: NimberLimits) -> Result<Nimber, Stopped> {
        let components = self.components(&[Term::Board(board.clone())], limits)?;
        Ok(total(&components))
    }

    /// The components of a sum, each with its nimber, in the order of the terms and of their first squares.
    pub fn components(&self, terms: &[Term], limits: NimberLimits) -> Result<Vec<Component>, Stopped> {
        let parts: Vec<Part> = terms.iter().flat_map(|term| self.parts(term)).collect();
        parts
            .into_par_iter()
            .map(|part| {
                let nimber = match &part {
                    Part::Row(length) => self.rows.nimber(*length),
                    Part::Region(region) => self.region(region, limits)?,
                    Part::Vertices(board, vertices) => self.vertices(board, *vertices, limits)?,
                };
                Ok(Component { part, nimber })
            })
            .collect()
    }

    /// Every turn of a sum after which the player to move loses, in the order of terms and squares.
    pub fn winning_turns(&self, sum: &Sum, limits: NimberLimits) -> Result<Vec<RatedMark>, Stopped> {
        let mut nimbers = Vec::new();
        for term in &sum.terms {
            nimbers.push(total(&self.components(std::slice::from_ref(term), limits)?));
        }
        let all = nimbers.iter().fold(Nimber::ZERO, |all, &nimber| all ^ nimber);
        let mut winning = Vec::new();
        for (place, term) in sum.terms.iter().enumerate() {
            // The turn has to leave in this term what the others are worth.
            let wanted = all ^ nimbers[place];
            let found: Vec<Option<RatedMark>> = (term.turns().into_par_iter())
                .map(|turn| {
                    if !self.is_worth(&turn.after, wanted, limits)? {
                        return Ok(None);
                    }
                    self.rated(sum, place, turn, limits).map(Some)
                })
                .collect::<Result<_, Stopped>>()?;
            winning.extend(found.into_iter().flatten());
        }
        Ok(winning)
    }

    /// Every turn of a sum, in the order of terms and squares; what [`total`] makes of its components is what the sum is worth after it.
    pub fn turns(&self, sum: &Sum, limits: NimberLimits) -> Result<Vec<RatedMark>, Stopped> {
        let places = sum.terms.iter().enumerate();
        let turns = places.flat_map(|(place, term)| term.turns().into_iter().map(move |turn| (place, turn)));
        let turns: Vec<_> = turns.collect();
        (turns.into_par_iter())
            .map(|(place, turn)| self.rated(sum, place, turn, limits))
            .collect()
    }

    /// A turn on one term of a sum.
    fn rated(
        &self,
        sum: &Sum,
        term: usize,
        turn: SumTurn,
        limits: NimberLimits,
    ) -> Result<RatedMark, Stopped> {
        let mut after = sum.clone();
        after.terms.splice(term..=term, turn.after);
        let components = self.components(&after.terms, limits)?;
        Ok(RatedMark {
            term,
            place: turn.place,
            after,
            components,
        })
    }

    /// Whether these terms together have this nimber: often much quicker to say than the nimber itself.
    fn is_worth(&self, terms: &[Term], wanted: Nimber, limits: NimberLimits) -> Result<bool, Stopped> {
        if let [Term::Board(board)] = terms
            && board.rectangle().is_none()
        {
            return self.free_is_worth(board, wanted, limits);
        }
        let mut rest = wanted;
        let mut regions = Vec::new();
        for part in terms.iter().flat_map(|term| self.parts(term)) {
            match part {
                Part::Row(length) => rest ^= self.rows.nimber(length),
                Part::Region(region) => regions.push(region),
                Part::Vertices(board, vertices) => rest ^= self.vertices(&board, vertices, limits)?,
            }
        }
        self.regions_are_worth(regions, rest, limits)
    }

    /// The parts of a term; empty rows are none.
    fn parts(&self, term: &Term) -> Vec<Part> {
        match term {
            Term::Row(0) => Vec::new(),
            Term::Row(length) => vec![Part::Row(*length)],
            Term::Board(board) => match board.rectangle() {
                Some(columns) => {
                    let mut parts = Vec::new();
                    region::components(columns, board.free(), |component| {
                        parts.push(Part::Region(component.canonical()));
                    });
                    parts
                }
                None => (self.free_components(board).into_iter())
                    .map(|vertices| Part::Vertices(board.clone(), vertices))
                    .collect(),
            },
        }
    }
}

/// The nimber of all components together.
pub fn total(components: &[Component]) -> Nimber {
    (components.iter()).fold(Nimber::ZERO, |sum, component| sum ^ component.nimber)
}
