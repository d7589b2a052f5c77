//! From a region to its nimber, looking at as few regions as it can.
//!
//! To say that a region is *not* worth v, one turn to a position worth v is enough; and of a position that falls
//! apart, only the nimbers of its smaller components are needed to turn that into the same kind of question about the
//! largest one (Lemoine & Viennot, *Nimbers are inevitable*, 2012):
//!
//! ```text
//!     is R worth v?   some turn leads to A + B + C with A ≥ B ≥ C in size, and A worth v ⊕ B ⊕ C   → no
//!                     no turn is worth v, and every u < v is the worth of some turn                → yes: v is the mex
//!                     no turn is worth v, nor u < v, but all below u are                           → no: R is worth u
//! ```
//!
//! Turns are tried in order of the size of their largest component. What is found on the way, also the mere 'not v', goes into
//! the memo. All of it is exact: order, threads and memory change the time and nothing else.

use super::memo::Knowledge;
use super::region::{self, Region};
use super::{NimberLimits, NimberSolver, Stopped};
use crate::games::obstruction::bits;
use crate::nimber::Nimber;
use rayon::prelude::*;

/// Regions with fewer squares are left to one thread: they take less time than sharing them out.
const SHARED_SQUARES: u32 = 24;

/// What a turn leaves: canonical components without twins, the largest first. Equal ones have cancelled.
type Turn = Vec<Region>;

/// A question that a search answers: the region's nimber, or whether it is a given value.
#[derive(Clone, Copy)]
enum Question {
    Nimber,
    Is(u8),
}

impl NimberSolver {
    /// The nimber of a connected region.
    ///
    /// # Errors
    /// [`Stopped`].
    pub fn region(&self, region: &Region, limits: NimberLimits) -> Result<Nimber, Stopped> {
        let search = Search { solver: self, limits };
        Ok(Nimber(search.nimber(&reduced(region))?))
    }

    /// Remembers the nimber of a connected region.
    pub(super) fn learn_region(&self, region: &Region, nimber: Nimber) {
        self.memo.learn(&reduced(region), Knowledge::exact(nimber.0));
    }

    /// Whether some connected regions together have this nimber.
    pub(super) fn regions_are_worth(
        &self,
        regions: Vec<Region>,
        wanted: Nimber,
        limits: NimberLimits,
    ) -> Result<bool, Stopped> {
        let search = Search { solver: self, limits };
        search.is_worth(&ordered(regions.iter().map(reduced).collect()), wanted.0)
    }
}

/// The canonical region without twins.
fn reduced(region: &Region) -> Region {
    region.without_twins().canonical()
}

struct Search<'a> {
    solver: &'a NimberSolver,
    limits: NimberLimits<'a>,
}

impl Search<'_> {
    /// The nimber of a reduced region.
    fn nimber(&self, region: &Region) -> Result<u8, Stopped> {
        if let Some(nimber) = small(region) {
            return Ok(nimber);
        }
        let known = self.solver.memo.get(region);
        match known.nimber() {
            Some(nimber) => Ok(nimber),
            None => match self.answer(region, known, Question::Nimber)?.nimber() {
                Some(nimber) => Ok(nimber),
                None => Err(Stopped),
            },
        }
    }

    /// Whether a reduced region has this nimber.
    fn is(&self, region: &Region, value: u8) -> Result<bool, Stopped> {
        if let Some(nimber) = small(region) {
            return Ok(nimber == value);
        }
        // The mex of the values of `len` turns is at most `len`.
        let known = self.solver.memo.get(region);
        if known.excludes(value) || u32::from(value) > region.len() {
            return Ok(false);
        }
        if let Some(nimber) = known.nimber() {
            return Ok(nimber == value);
        }
        let found = self.answer(region, known, Question::Is(value))?;
        Ok(found.nimber() == Some(value))
    }

    /// Finds enough about a region to answer the question, and remembers it.
    fn answer(&self, region: &Region, known: Knowledge, question: Question) -> Result<Knowledge, Stopped> {
        self.check_limits()?;
        let (worths, turns) = self.open_turns(region);
        let mut known = known;
        let excluded = |known: Knowledge, value: u8| -> Result<bool, Stopped> {
            Ok(known.excludes(value)
                || value < 128 && worths >> value & 1 == 1
                || self.some_turn_is_worth(region, &turns, value)?)
        };
        if let Question::Is(value) = question
            && excluded(known, value)?
        {
            known = known.excluding(value);
            self.solver.memo.learn(region, known);
            return Ok(known);
        }
        // Now the nimber is at most the value asked for. It is at most the number of turns anyway.
        for value in 0..=u8::MAX {
            let none_is_worth_it = matches!(question, Question::Is(asked) if asked == value);
            if none_is_worth_it || !excluded(known, value)? {
                known = Knowledge::exact(value);
                break;
            }
            known = known.excluding(value);
        }
        self.solver.memo.learn(region, known);
        Ok(known)
    }

    /// The turns of a region that are not known yet, in the order in which to try them, and as bits the values below 128
    /// of those that are.
    fn open_turns(&self, region: &Region) -> (u128, Vec<Turn>) {
        let mut worths = 0u128;
        let mut turns = Vec::with_capacity(region.len() as usize);
        for bit in bits(region.squares()) {
            let turn = turn(region, bit);
            match self.known_worth(&turn) {
                Some(worth) if worth < 128 => worths |= 1 << worth,
                _ => turns.push(turn),
            }
        }
        turns.sort_unstable_by(|a, b| sizes(a).cmp(&sizes(b)).then_with(|| a.cmp(b)));
        turns.dedup();
        (worths, turns)
    }

    /// The nimber of a sum, if the nimbers of all components are known.
    fn known_worth(&self, components: &[Region]) -> Option<u8> {
        components.iter().try_fold(0, |sum, component| {
            let nimber = small(component).or_else(|| self.solver.memo.get(component).nimber())?;
            Some(sum ^ nimber)
        })
    }

    fn some_turn_is_worth(&self, region: &Region, turns: &[Turn], value: u8) -> Result<bool, Stopped> {
        if region.len() >= SHARED_SQUARES && rayon::current_num_threads() > 1 {
            // A bridge hands the turns out in their order, so that threads start with the most promising ones.
            let found = (turns.iter().par_bridge())
                .map(|turn| self.is_worth(turn, value))
                .find_any(|found| *found != Ok(false));
            return found.unwrap_or(Ok(false));
        }
        for turn in turns {
            if self.is_worth(turn, value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a sum has this nimber: those of the smaller components, and a question about the largest.
    fn is_worth(&self, components: &[Region], value: u8) -> Result<bool, Stopped> {
        let Some((largest, smaller)) = components.split_first() else {
            return Ok(value == 0);
        };
        let mut rest = value;
        for component in smaller {
            rest ^= self.nimber(component)?;
        }
        self.is(largest, rest)
    }

    fn check_limits(&self) -> Result<(), Stopped> {
        match self.limits.are_reached() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}

/// The nimbers that need no search: of nothing, and of one square.
fn small(region: &Region) -> Option<u8> {
    match region.len() {
        0 => Some(0),
        1 => Some(1),
        _ => None,
    }
}

/// What marking a square leaves.
fn turn(region: &Region, bit: usize) -> Turn {
    let mut components = Vec::new();
    region::components(region.width(), region.after_mark(bit), |component| {
        components.push(reduced(&component));
    });
    ordered(components)
}

/// The largest component first; two that are equal add to nothing.
fn ordered(mut components: Vec<Region>) -> Turn {
    components.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| b.cmp(a)));
    let mut left: Turn = Vec::with_capacity(components.len());
    for component in components {
        if left.last() == Some(&component) {
            left.pop();
        } else {
            left.push(component);
        }
    }
    left
}

/// The squares of the largest component, and of all.
fn sizes(turn: &Turn) -> (u32, u32) {
    let largest = turn.first().map_or(0, Region::len);
    (largest, turn.iter().map(Region::len).sum())
}
