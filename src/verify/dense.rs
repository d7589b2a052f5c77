//! Checks a dense table, position by position, with the plain rules.
//!
//! The rules of `games/strip` list the turns of every position, and what the table says of the boards after them fixes what it
//! must say of the position:
//!
//! * Left to move: one ply more than the best turn's count, if some turn wins;
//! * Right to move: one ply more than the longest count, if every turn lets Left win.
//!
//! The planes are read once into memory as block numbers and different blocks.

use super::planes::{Planes, numbers_kept};
use super::{Counted, Fault};
use crate::games::strip::{After, Strip};
use crate::outcome::Side;
use crate::table::dense::DenseTable;
use crate::table::error::TableError;
use crate::table::{Metric, low_bits};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Places that one thread checks at a time: long strips have so many that to pass over each takes minutes.
const PLACES_AT_A_TIME: usize = 1 << 10;

/// Memory in bytes that [`check`] needs for a table, about.
pub(super) fn memory_needed(table: &DenseTable) -> u64 {
    (u64::from(table.payload().blocks) << low_bits(table.header().length)) + 4 * numbers_kept(table)
}

/// Checks one table: all checksums, every value, every count. `done` counts the positions checked so far, of
/// twice [`DenseTable::positions`] in all: each board with either player to move.
///
/// # Errors
/// [`TableError`] if the file itself is damaged.
pub(super) fn check(table: &DenseTable, done: &AtomicU64) -> Result<Option<Fault>, TableError> {
    table.check_frames()?;
    let planes = Planes::read(table)?;
    // The first fault in the order of places is reported, whatever the threads find first.
    let faulty = AtomicUsize::new(usize::MAX);
    let result = (0..planes.places().div_ceil(PLACES_AT_A_TIME))
        .into_par_iter()
        .fold(Findings::default, |mut findings, part| {
            let part = part * PLACES_AT_A_TIME..planes.places().min((part + 1) * PLACES_AT_A_TIME);
            for place in part.take_while(|&place| place <= faulty.load(Ordering::Relaxed)) {
                if let Err(fault) = check_block(&planes, place, &mut findings.tally) {
                    faulty.fetch_min(place, Ordering::Relaxed);
                    findings.note(place, fault);
                }
                done.fetch_add(1 << planes.low_bits(), Ordering::Relaxed);
            }
            findings
        })
        .reduce(Findings::default, Findings::merged);
    Ok(match result.first {
        Some((_, fault)) => Some(fault),
        None => {
            let counted = result.tally.counted(table.header().metric);
            counted.compare(table.header(), table.description(), |strip| planes.plies(strip))
        }
    })
}

/// How many positions Left wins, by player to move and by plies; plies 0 counts those that Left does not win.
struct Tally([Vec<u64>; 2]);

impl Default for Tally {
    fn default() -> Tally {
        Tally([vec![0; 256], vec![0; 256]])
    }
}

impl Tally {
    fn counted(&self, metric: Metric) -> Counted {
        let decided = |side: Side| {
            let counts = self.0[side as usize].iter().skip(1);
            counts.map(|&count| BigUint::from(count)).sum()
        };
        let both = (0..).zip(self.0[0].iter().zip(&self.0[1]));
        let depths = both.map(|(plies, (&left, &right))| (plies, BigUint::from(left) + right));
        Counted {
            wins: decided(Side::Left),
            losses: decided(Side::Right),
            depths: (depths.skip(1))
                .filter(|(_, count)| metric == Metric::Dtw && *count != BigUint::ZERO)
                .collect(),
        }
    }
}

/// What a part of the work found.
#[derive(Default)]
struct Findings {
    tally: Tally,
    /// The fault at the first place.
    first: Option<(usize, Fault)>,
}

impl Findings {
    fn note(&mut self, place: usize, fault: Fault) {
        if self.first.as_ref().is_none_or(|&(first, _)| place < first) {
            self.first = Some((place, fault));
        }
    }

    fn merged(mut self, other: Findings) -> Findings {
        for (ours, theirs) in self.tally.0.iter_mut().zip(&other.tally.0) {
            ours.iter_mut()
                .zip(theirs)
                .for_each(|(ours, theirs)| *ours += theirs);
        }
        if let Some((place, fault)) = other.first {
            self.note(place, fault);
        }
        self
    }
}

/// Checks the positions of the block at a place.
fn check_block(planes: &Planes, place: usize, tally: &mut Tally) -> Result<(), Fault> {
    let (to_move, ball, high) = planes.at(place);
    for low in 0..1u64 << planes.low_bits() {
        let pattern = high << planes.low_bits() | low;
        let Some(strip) = Strip::from_pattern(planes.length(), ball, pattern.into(), to_move) else {
            continue; // Balls and patterns of the length always make a position.
        };
        let strip = strip.under(planes.rules());
        let stored = planes.plies(&strip);
        let derived = derive(planes, &strip);
        if stored != derived {
            return Err(Fault::Position {
                position: strip.to_string(),
                stored,
                derived,
            });
        }
        tally.0[to_move as usize][usize::from(stored.unwrap_or(0))] += 1;
    }
    Ok(())
}

/// In how many plies Left wins, from what the table says of the boards after each turn.
fn derive(planes: &Planes, strip: &Strip) -> Option<u16> {
    let mut shortest: Option<u16> = None;
    let mut longest = Some(0);
    strip.for_each_turn(|turn| {
        let plies = match strip.after(turn) {
            After::Position(next) => planes.plies(&next).map(|plies| planes.one_more(plies)),
            After::Over {
                winner: Side::Left, ..
            } => Some(1),
            After::Over {
                winner: Side::Right, ..
            } => None,
        };
        shortest = match (shortest, plies) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        longest = longest.zip(plies).map(|(a, b): (u16, u16)| a.max(b));
    });
    match strip.side() {
        Side::Left => shortest,
        Side::Right => longest,
    }
}

/// Whether a `wdl` table says of every position what the `dtw` table of the same length says.
///
/// # Errors
/// [`TableError::NotHeld`]; [`TableError`] if a file is damaged.
pub(super) fn compare(dtw: &DenseTable, wdl: &DenseTable) -> Result<Option<Fault>, TableError> {
    let (dtw, wdl) = (Planes::read(dtw)?, Planes::read(wdl)?);
    let differing = (0..dtw.places())
        .into_par_iter()
        .find_first(|&place| !dtw.same_members(&wdl, place));
    Ok(differing.map(|place| {
        let (to_move, ball, high) = dtw.at(place);
        let first = Strip::from_pattern(dtw.length(), ball, u128::from(high) << dtw.low_bits(), to_move);
        Fault::Difference {
            position: first.map_or(String::new(), |strip| strip.to_string()),
        }
    }))
}
