//! The search for the nimber of a region, which visits as few regions as possible.
//!
//! One turn to a position with nimber v shows that a region does *not* have nimber v. For a
//! position that splits, the nimbers of the smaller components turn this into the same kind of
//! question about the largest one (Lemoine & Viennot, *Nimbers are inevitable*, 2012):
//!
//! ```text
//!     Does R have nimber v?
//!     no:  some turn leads to A + B + C with A ≥ B ≥ C in size, and A has nimber v ⊕ B ⊕ C
//!     yes: no turn leads to v, and some turn leads to every u < v, so v is the mex
//!     no:  no turn leads to v, nor to some u < v, but to all below u, so R has nimber u
//! ```
//!
//! Parts are squares or vertices ([`Arena`]). Turns are tried in order of the size of their largest
//! component. All results, including a mere *not v*, are stored in the memo. They are exact: order,
//! threads and memory only affect the time.

use super::NimberSolver;
use super::memo::Knowledge;
use super::region::{self, Region};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::nimber::Nimber;
use phutbase_rules::obstruction::{bits, with_neighbours};
use rayon::prelude::*;

/// Smaller parts are searched by one thread, because distributing them would cost more time.
const SHARED_SQUARES: u32 = 24;

/// Result of a turn: reduced parts, the largest first, without pairs of equal ones.
pub(super) type Remainder<P> = Vec<P>;

/// The game that is searched: its parts, their turns, and the memo.
pub(super) trait Arena: Sync {
    /// A connected part of a position, reduced without changing its nimber. Equal parts have equal
    /// nimbers.
    type Part: Clone + Ord + Send + Sync;

    /// Returns the number of squares or vertices, an upper bound of the nimber.
    fn size(&self, part: &Self::Part) -> u32;

    fn known(&self, part: &Self::Part) -> Knowledge;

    fn learn(&self, part: &Self::Part, knowledge: Knowledge);

    /// Lists the results of the turns in the form of [`ordered`](Arena::ordered).
    fn turns(&self, part: &Self::Part) -> Vec<Remainder<Self::Part>>;

    /// Sorts parts, the largest first, and cancels pairs of equal ones.
    fn ordered(&self, mut parts: Vec<Self::Part>) -> Remainder<Self::Part> {
        parts.sort_unstable_by(|a, b| self.size(b).cmp(&self.size(a)).then_with(|| b.cmp(a)));
        let mut left: Remainder<Self::Part> = Vec::with_capacity(parts.len());
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

impl NimberSolver {
    pub fn region(&self, region: &Region, job: &Job) -> Result<Nimber, Stopped> {
        let search = NimberSearch { arena: self, job };
        Ok(Nimber(search.nimber(&reduced(region))?))
    }

    pub(super) fn learn_region(&self, region: &Region, nimber: Nimber) {
        self.memo.learn(&reduced(region), Knowledge::exact(nimber.0));
    }

    /// Returns whether the free squares of a rectangle together have this nimber.
    pub(super) fn squares_are_worth(
        &self,
        columns: usize,
        free: u128,
        wanted: Nimber,
        job: &Job,
    ) -> Result<bool, Stopped> {
        let regions = self.ordered(reduced_components(columns, free));
        NimberSearch { arena: self, job }.is_worth(&regions, wanted.0)
    }
}

/// Regions of rectangles: canonical and without twins.
impl Arena for NimberSolver {
    type Part = Region;

    fn size(&self, region: &Region) -> u32 {
        region.len()
    }

    fn known(&self, region: &Region) -> Knowledge {
        match region.len() {
            // The empty region has nimber 0, a single square 1.
            size @ (0 | 1) => Knowledge::exact(size as u8),
            _ => self.memo.get(region),
        }
    }

    fn learn(&self, region: &Region, knowledge: Knowledge) {
        self.memo.learn(region, knowledge);
    }

    fn turns(&self, region: &Region) -> Vec<Remainder<Region>> {
        let turn = |bit: usize| {
            // The squares left by a mark, in the coordinates of the region's rectangle.
            let left = region.squares() & !with_neighbours(region.width(), 1u128 << bit);
            self.ordered(reduced_components(region.width(), left))
        };
        bits(region.squares()).map(turn).collect()
    }
}

fn reduced_components(width: usize, squares: u128) -> Vec<Region> {
    region::components(width, squares)
        .map(|component| reduced(&component))
        .collect()
}

/// Returns the canonical region without twins.
fn reduced(region: &Region) -> Region {
    region.without_twins().canonical()
}

pub(super) struct NimberSearch<'a, A> {
    pub arena: &'a A,
    pub job: &'a Job,
}

impl<A: Arena> NimberSearch<'_, A> {
    pub fn nimber(&self, part: &A::Part) -> Result<u8, Stopped> {
        let known = self.arena.known(part);
        match known.nimber() {
            Some(nimber) => Ok(nimber),
            None => {
                let found = self.answer(part, known, None)?.nimber();
                Ok(found.expect("a part has fewer than 255 turns, and its nimber is at most their number"))
            }
        }
    }

    fn is(&self, part: &A::Part, value: u8) -> Result<bool, Stopped> {
        let known = self.arena.known(part);
        if let Some(nimber) = known.nimber() {
            return Ok(nimber == value);
        }
        // The mex of a set is at most its size.
        if known.excludes(value) || u32::from(value) > self.arena.size(part) {
            return Ok(false);
        }
        let found = self.answer(part, known, Some(value))?;
        Ok(found.nimber() == Some(value))
    }

    /// Finds and stores the nimber of a part, or whether it is `asked`.
    fn answer(&self, part: &A::Part, known: Knowledge, asked: Option<u8>) -> Result<Knowledge, Stopped> {
        self.job.check()?;
        let (settled, turns) = self.open_turns(part);
        let mut known = known;
        let excluded = |known: Knowledge, value: u8| -> Result<bool, Stopped> {
            Ok(known.excludes(value)
                || value < 128 && settled >> value & 1 == 1
                || self.some_turn_is_worth(part, &turns, value)?)
        };
        if let Some(value) = asked
            && excluded(known, value)?
        {
            known = known.excluding(value);
            self.arena.learn(part, known);
            return Ok(known);
        }
        // The nimber is now at most the value asked for, if any, and at most the number of turns.
        for value in 0..=u8::MAX {
            if asked == Some(value) || !excluded(known, value)? {
                known = Knowledge::exact(value);
                break;
            }
            known = known.excluding(value);
        }
        self.arena.learn(part, known);
        Ok(known)
    }

    /// Returns the nimbers below 128 of turns with known nimbers, as bits, and the other turns in
    /// the order in which to try them.
    fn open_turns(&self, part: &A::Part) -> (u128, Vec<Remainder<A::Part>>) {
        let mut settled = 0u128;
        let mut turns = self.arena.turns(part);
        let known = |part: &A::Part| self.arena.known(part).nimber();
        turns.retain(|turn| {
            let value = turn.iter().try_fold(0, |sum, part| Some(sum ^ known(part)?));
            settled |= value
                .and_then(|value| 1u128.checked_shl(value.into()))
                .unwrap_or(0);
            value.is_none_or(|value| value >= 128)
        });
        turns.sort_unstable_by(|a, b| self.sizes(a).cmp(&self.sizes(b)).then_with(|| a.cmp(b)));
        turns.dedup();
        (settled, turns)
    }

    fn sizes(&self, turn: &Remainder<A::Part>) -> (u32, u32) {
        let size = |part| self.arena.size(part);
        (turn.first().map_or(0, size), turn.iter().map(size).sum())
    }

    fn some_turn_is_worth(
        &self,
        part: &A::Part,
        turns: &[Remainder<A::Part>],
        value: u8,
    ) -> Result<bool, Stopped> {
        let is_worth = |turn: &Remainder<A::Part>| self.is_worth(turn, value);
        // Both ways try the most promising turns first, which are the first ones.
        if self.arena.size(part) >= SHARED_SQUARES && rayon::current_num_threads() > 1 {
            let found = turns.iter().par_bridge().map(is_worth);
            return found.find_any(|found| *found != Ok(false)).unwrap_or(Ok(false));
        }
        let found = turns.iter().map(is_worth).find(|found| *found != Ok(false));
        found.unwrap_or(Ok(false))
    }

    /// Returns whether a sum has this nimber: computes the smaller parts, then asks about the
    /// largest.
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
}
