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
//! Whatever the parts are, squares or vertices ([`Arena`]): turns are tried in order of the size of their largest component. What is found on the way, also the mere 'not v', goes into
//! the memo. All of it is exact: order, threads and memory change the time and nothing else.

use super::memo::Knowledge;
use super::region::{self, Region};
use super::{NimberLimits, NimberSolver, Stopped};
use crate::games::obstruction::bits;
use crate::nimber::Nimber;
use rayon::prelude::*;

/// Parts with fewer squares are left to one thread: they take less time than sharing them out.
const SHARED_SQUARES: u32 = 24;

/// What a turn leaves: reduced parts, the largest first. Equal ones have cancelled.
pub(super) type Turn<P> = Vec<P>;

/// Where a search takes place: what is known of parts, and what turns make of them.
pub(super) trait Arena: Sync {
    /// A connected part of a position, reduced to what its nimber depends on. Equal parts have equal nimbers.
    type Part: Clone + Ord + Send + Sync;

    /// The number of squares or vertices: the nimber is at most this.
    fn size(&self, part: &Self::Part) -> u32;

    /// What is known of a part.
    fn known(&self, part: &Self::Part) -> Knowledge;

    /// Remembers what is known of a part.
    fn learn(&self, part: &Self::Part, knowledge: Knowledge);

    /// What each turn leaves, in [`ordered`] form.
    fn turns(&self, part: &Self::Part) -> Vec<Turn<Self::Part>>;

    /// The largest part first; two that are equal add to nothing.
    fn ordered(&self, mut parts: Vec<Self::Part>) -> Turn<Self::Part> {
        parts.sort_unstable_by(|a, b| self.size(b).cmp(&self.size(a)).then_with(|| b.cmp(a)));
        let mut left: Turn<Self::Part> = Vec::with_capacity(parts.len());
        for part in parts {
            if left.last() == Some(&part) {
                left.pop();
            } else {
                left.push(part);
            }
        }
        left
    }
}

/// A question that a search answers: the part's nimber, or whether it is a given value.
#[derive(Clone, Copy)]
enum Question {
    Nimber,
    Is(u8),
}

impl NimberSolver {
    /// The nimber of a connected region.
    pub fn region(&self, region: &Region, limits: NimberLimits) -> Result<Nimber, Stopped> {
        Ok(Nimber(Search { arena: self, limits }.nimber(&reduced(region))?))
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
        let regions = self.ordered(regions.iter().map(reduced).collect());
        Search { arena: self, limits }.is_worth(&regions, wanted.0)
    }
}

/// Rectangles: canonical regions without twins.
impl Arena for NimberSolver {
    type Part = Region;

    fn size(&self, region: &Region) -> u32 {
        region.len()
    }

    fn known(&self, region: &Region) -> Knowledge {
        match region.len() {
            // Of nothing, and of one square.
            size @ (0 | 1) => Knowledge::exact(size as u8),
            _ => self.memo.get(region),
        }
    }

    fn learn(&self, region: &Region, knowledge: Knowledge) {
        self.memo.learn(region, knowledge);
    }

    fn turns(&self, region: &Region) -> Vec<Turn<Region>> {
        let turn = |bit| {
            let mut parts = Vec::new();
            region::components(region.width(), region.after_mark(bit), |component| {
                parts.push(reduced(&component));
            });
            self.ordered(parts)
        };
        bits(region.squares()).map(turn).collect()
    }
}

/// The canonical region without twins.
fn reduced(region: &Region) -> Region {
    region.without_twins().canonical()
}

/// A search in an arena, within limits.
pub(super) struct Search<'a, A> {
    pub arena: &'a A,
    pub limits: NimberLimits<'a>,
}

impl<A: Arena> Search<'_, A> {
    /// The nimber of a part.
    pub fn nimber(&self, part: &A::Part) -> Result<u8, Stopped> {
        let known = self.arena.known(part);
        match known.nimber() {
            Some(nimber) => Ok(nimber),
            None => match self.answer(part, known, Question::Nimber)?.nimber() {
                Some(nimber) => Ok(nimber),
                None => Err(Stopped),
            },
        }
    }

    /// Whether a part has this nimber.
    fn is(&self, part: &A::Part, value: u8) -> Result<bool, Stopped> {
        let known = self.arena.known(part);
        if let Some(nimber) = known.nimber() {
            return Ok(nimber == value);
        }
        // The mex of the values of so many turns is at most their number.
        if known.excludes(value) || u32::from(value) > self.arena.size(part) {
            return Ok(false);
        }
        let found = self.answer(part, known, Question::Is(value))?;
        Ok(found.nimber() == Some(value))
    }

    /// Finds enough about a part to answer the question, and remembers it.
    fn answer(&self, part: &A::Part, known: Knowledge, question: Question) -> Result<Knowledge, Stopped> {
        self.check_limits()?;
        let (worths, turns) = self.open_turns(part);
        let mut known = known;
        let excluded = |known: Knowledge, value: u8| -> Result<bool, Stopped> {
            Ok(known.excludes(value)
                || value < 128 && worths >> value & 1 == 1
                || self.some_turn_is_worth(part, &turns, value)?)
        };
        if let Question::Is(value) = question
            && excluded(known, value)?
        {
            known = known.excluding(value);
            self.arena.learn(part, known);
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
        self.arena.learn(part, known);
        Ok(known)
    }

    /// The turns of a part that are not known yet, in the order in which to try them, and as bits the values below 128
    /// of those that are.
    fn open_turns(&self, part: &A::Part) -> (u128, Vec<Turn<A::Part>>) {
        let mut worths = 0u128;
        let mut turns = self.arena.turns(part);
        turns.retain(|turn| match self.known_worth(turn) {
            Some(worth) if worth < 128 => {
                worths |= 1 << worth;
                false
            }
            _ => true,
        });
        turns.sort_unstable_by(|a, b| self.sizes(a).cmp(&self.sizes(b)).then_with(|| a.cmp(b)));
        turns.dedup();
        (worths, turns)
    }

    /// The nimber of a sum, if the nimbers of all parts are known.
    fn known_worth(&self, parts: &[A::Part]) -> Option<u8> {
        parts
            .iter()
            .try_fold(0, |sum, part| Some(sum ^ self.arena.known(part).nimber()?))
    }

    /// The squares of the largest part, and of all.
    fn sizes(&self, turn: &Turn<A::Part>) -> (u32, u32) {
        let size = |part| self.arena.size(part);
        (turn.first().map_or(0, size), turn.iter().map(size).sum())
    }

    fn some_turn_is_worth(
        &self,
        part: &A::Part,
        turns: &[Turn<A::Part>],
        value: u8,
    ) -> Result<bool, Stopped> {
        if self.arena.size(part) >= SHARED_SQUARES && rayon::current_num_threads() > 1 {
            return any(turns.len(), &|turn| self.is_worth(&turns[turn], value));
        }
        for turn in turns {
            if self.is_worth(turn, value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a sum has this nimber: those of the smaller parts, and a question about the largest.
    pub fn is_worth(&self, parts: &[A::Part], value: u8) -> Result<bool, Stopped> {
        let Some((largest, smaller)) = parts.split_first() else {
            return Ok(value == 0);
        };
        let mut rest = value;
        for part in smaller {
            rest ^= self.nimber(part)?;
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

/// Whether something holds for any of so many turns, on all threads.
fn any(turns: usize, holds: &(dyn Fn(usize) -> Result<bool, Stopped> + Sync)) -> Result<bool, Stopped> {
    // A bridge hands the turns out in their order, so that threads start with the most promising ones.
    let found = (0..turns)
        .par_bridge()
        .map(holds)
        .find_any(|found| *found != Ok(false));
    found.unwrap_or(Ok(false))
}
