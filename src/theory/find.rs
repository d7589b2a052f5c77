//! Looking into the positions of a length: those of one value, or a range of depths, that fit a pattern. How many there are, the
//! first ones, and uniformly random ones, in time that hardly depends on how many there are.
//!
//! The sets of a diagram table are what is asked for, or nearly: wins in `a` to `b` plies are one set less another. Losses of the
//! player to move are the mirror images of what Left wins with Right to move. Draws are what is left over.

use crate::diagram::Diagram;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::pattern::Pattern;
use crate::games::strip::Strip;
use crate::outcome::{Side, Wdl};
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::strip::sets::StripSets;
use crate::theory::draws;
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::ops::RangeInclusive;

/// What is looked for, seen by the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The value; any with `None`.
    pub value: Option<Wdl>,
    /// Plies to the end; any with `None`.
    pub depth: Option<RangeInclusive<u16>>,
    /// The player to move.
    pub side: Side,
    /// What stands where, with the ball where, and how many stones.
    pub pattern: Pattern,
}

/// Why a question makes no sense, or has no answer here.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A draw has no depth.
    #[error("draws have no depth: leave out the value or the depth")]
    DrawDepth,
    /// Depths of a table that has none.
    #[error("the table has no depths")]
    NoDepths,
    /// No position at all is of this kind.
    #[error(
        "no position has one ball, stones and squares as asked for: the ball stands on any square but the first and the last"
    )]
    Impossible,
    /// A pattern that takes too much to follow.
    #[error("the pattern is too intricate: put fewer '?' between one '*' and the next")]
    Intricate,
}

/// The positions that a query asks for.
pub struct Found {
    graph: Graph,
    /// Sets of boards as diagrams have them, seen so that Left wins; whether their members are the mirror images of what was asked for.
    parts: Vec<(Ref, bool)>,
    side: Side,
}

/// Looks in the sets of a length.
pub fn find(table: &StripSets, query: &Query) -> Result<Found, FindError> {
    if query.depth.is_some() {
        match (query.value, table.metric()) {
            (Some(Wdl::Draw), _) => return Err(FindError::DrawDepth),
            (_, Metric::Wdl) => return Err(FindError::NoDepths),
            _ => {}
        }
    }
    match query.pattern.set(&mut Graph::new(table.length())) {
        Err(TooLarge) => Err(FindError::Intricate),
        Ok(Ref::BOTTOM) => Err(FindError::Impossible),
        Ok(_) => Ok(collect(table, query).map_err(|TooLarge| table.unwieldy())?),
    }
}

fn collect(table: &StripSets, query: &Query) -> Result<Found, TooLarge> {
    let asked = |wdl| query.value.is_none_or(|value| value == wdl);
    let mut sets = Sets::new(table.workspace());
    let mut parts = Vec::new();
    // With Right to move every board is seen in the mirror once more.
    let seen = |mirrored| mirrored != (query.side == Side::Right);
    for (wdl, side) in [(Wdl::Win, Side::Left), (Wdl::Loss, Side::Right)] {
        if asked(wdl) {
            let set = within(&mut sets, table, side, query.depth.as_ref())?;
            parts.push((set, seen(side == Side::Right)));
        }
    }
    if asked(Wdl::Draw) && query.depth.is_none() && table.summary().draws != BigUint::ZERO {
        let won = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
        let set = draws::drawn_set(&mut sets, table, won)?;
        parts.push((set, seen(false)));
    }
    let parts = (parts.into_iter())
        .map(|(set, mirrored)| {
            let set = match (query.pattern.is_any(), mirrored) {
                (true, _) => set,
                (false, false) => fitting(&mut sets, set, &query.pattern)?,
                (false, true) => fitting(&mut sets, set, &query.pattern.mirror())?,
            };
            Ok((set, mirrored))
        })
        .collect::<Result<_, TooLarge>>()?;
    let graph = std::mem::replace(sets.graph_mut(), Graph::new(table.length()));
    Ok(Found {
        graph,
        parts,
        side: query.side,
    })
}

/// The members of a set that fit a pattern.
fn fitting(sets: &mut Sets, set: Ref, pattern: &Pattern) -> Result<Ref, TooLarge> {
    let allowed = pattern.set(sets.graph_mut())?;
    sets.join(Join::And, set, allowed)
}

/// The boards that Left wins with `to_move` to move, in a number of plies from a range.
fn within(
    sets: &mut Sets,
    table: &StripSets,
    to_move: Side,
    depth: Option<&RangeInclusive<u16>>,
) -> Result<Ref, TooLarge> {
    let Some(depth) = depth else {
        return Ok(sets.graph_mut().copy(table, &[table.won_by_left(to_move)])?[0]);
    };
    // The last number of plies of the right parity in the range, and the last one before it.
    let parity = 1 - to_move as usize;
    let last_up_to = |plies: usize| (0..=plies).rev().find(|plies| plies % 2 == parity);
    let (from, to) = (usize::from(*depth.start()), usize::from(*depth.end()));
    let root = |plies: Option<usize>| plies.map_or(0, |plies| table.won_within(plies));
    if from > to {
        return Ok(Ref::BOTTOM);
    }
    let roots = [
        root(last_up_to(to)),
        root(from.checked_sub(1).and_then(last_up_to)),
    ];
    let copied = sets.graph_mut().copy(table, &roots)?;
    sets.join(Join::Minus, copied[0], copied[1])
}

impl Found {
    /// The members of the parts, to be counted and picked.
    pub fn members(&self) -> Picker<'_> {
        Picker {
            parts: (self.parts.iter())
                .map(|&(set, mirrored)| (Members::new(&self.graph, set), mirrored))
                .collect(),
            side: self.side,
        }
    }
}

/// Picks positions. In each part (wins, losses, draws, in this order) they are in the order of the notation, `.` before `o` before `@`, of the
/// board as Left sees it win: losses by their mirror images.
pub struct Picker<'a> {
    parts: Vec<(Members<'a, Graph>, bool)>,
    side: Side,
}

impl Picker<'_> {
    /// How many positions there are.
    pub fn total(&self) -> BigUint {
        self.parts.iter().map(|(members, _)| members.total()).sum()
    }

    /// The k-th position, from 0; `None` past the last.
    pub fn nth(&mut self, k: &BigUint) -> Option<Strip> {
        let mut rest = k.clone();
        for (members, mirrored) in &mut self.parts {
            if rest < *members.total() {
                let board = members.nth(&rest, Side::Left)?;
                let board = if *mirrored { board.mirror() } else { board };
                return Some(board.with_side(self.side));
            }
            rest -= members.total();
        }
        None
    }
}

/// Uniformly random numbers below a bound, the same for the same seed on every machine.
pub struct Uniform {
    source: ChaCha8Rng,
}

impl Uniform {
    /// Random numbers of a seed.
    pub fn new(seed: u64) -> Uniform {
        Uniform {
            source: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A number below `bound`, which is not 0: bits are drawn until they are below it.
    pub fn below(&mut self, bound: &BigUint) -> BigUint {
        let bits = bound.bits();
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        loop {
            self.source.fill_bytes(&mut bytes);
            if let Some(last) = bytes.last_mut() {
                *last &= 0xff >> ((8 - bits % 8) % 8);
            }
            let number = BigUint::from_bytes_le(&bytes);
            if number < *bound {
                return number;
            }
        }
    }
}
