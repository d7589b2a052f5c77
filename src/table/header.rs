//! What the metadata of a strip's table says, as `docs/FORMAT.md` lays it out.

use super::container::Kind;
use super::container::read::Container;
use super::error::TableError;
use super::{Layout, MAX_DENSE_LENGTH, Metric, low_bits};
use crate::games::rules::Rules;
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH};
use bincode::{Decode, Encode};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Bytes of a count at most: the longest strip has fewer than 2^135 positions.
const COUNT_BYTES: usize = 24;

/// What every table of a strip says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules that are followed.
    pub rules: Rules,
    /// What the values say.
    pub metric: Metric,
    /// The number of squares.
    pub length: usize,
    /// Positions with Left to move that Left wins.
    pub wins: BigUint,
    /// Positions with Left to move that Right wins.
    pub losses: BigUint,
    /// Positions with Left to move that nobody can force.
    pub draws: BigUint,
    /// Plies of the longest win; 0 where depths are not stored.
    pub longest_win: u16,
    /// Plies of the longest loss; 0 where depths are not stored.
    pub longest_loss: u16,
    /// The whole file in bytes.
    pub file_bytes: u64,
    /// How the values are held.
    pub layout: Layout,
}

/// The payload of the dense layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Encode, Decode)]
pub struct DensePayload {
    /// Different blocks.
    pub blocks: u32,
}

/// The payload of the diagram layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Encode, Decode)]
pub struct DiagramPayload {
    /// Nodes with three children.
    pub ternary: u32,
    /// Nodes with two children.
    pub binary: u32,
}

impl DiagramPayload {
    /// All nodes.
    pub fn nodes(&self) -> u64 {
        u64::from(self.ternary) + u64::from(self.binary)
    }
}

/// What is told about a table beyond its header: where it comes from, and its statistics.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Description {
    /// Program and version that wrote the file.
    pub generator: String,
    /// The engine that found the values.
    pub engine: String,
    /// Parameters of the writing that a reader may want to know, by name.
    pub parameters: BTreeMap<String, String>,
    /// Positions with Left to move by plies to the end; empty where depths are not stored.
    pub depths: BTreeMap<u16, u128>,
    /// A longest win, in notation; empty where depths are not stored or there is none.
    pub longest_win: String,
}

/// The metadata of a file: header, payload, description.
#[derive(Encode, Decode)]
pub(super) struct Metadata<P> {
    metric: u8,
    length: u16,
    /// Wins, losses, draws: the bytes of a number, the lowest first and the last not 0, unless it is the only one.
    counts: [Vec<u8>; 3],
    longest_win: u16,
    longest_loss: u16,
    payload: P,
    description: Description,
}

impl<P: Encode + Decode<()> + Copy> Metadata<P> {
    /// What a file says in which so many positions are won and lost, and the rest drawn.
    #[cfg(feature = "cli")]
    pub fn new(
        metric: Metric,
        length: usize,
        [wins, losses]: [BigUint; 2],
        payload: P,
        description: Description,
    ) -> Metadata<P> {
        let decided = &wins + &losses;
        // A source may claim more than there are, as a crafted table does, which the check of the finished file then refuses.
        let draws = all_positions(length).max(decided.clone()) - decided;
        let [longest_win, longest_loss] = longest(&description.depths);
        Metadata {
            metric: metric as u8,
            length: length as u16,
            counts: [wins, losses, draws].map(|count| count.to_bytes_le()),
            longest_win,
            longest_loss,
            payload,
            description,
        }
    }

    /// Reads and checks what a file says.
    ///
    /// # Errors
    /// [`TableError::Foreign`], [`TableError::Corrupt`].
    pub fn read(container: &Container, layout: Layout) -> Result<(Header, P, Description), TableError> {
        let kind = match layout {
            Layout::Dense => Kind::Dense,
            Layout::Diagram => Kind::Diagram,
        };
        let metadata: Metadata<P> = container.metadata(kind)?;
        let corrupt = |field: &str| container.corrupt(field);
        let count = |bytes: &Vec<u8>| {
            let count = BigUint::from_bytes_le(bytes);
            let shortest = bytes.len() <= COUNT_BYTES && count.to_bytes_le() == *bytes;
            shortest
                .then_some(count)
                .ok_or_else(|| corrupt("a count cannot be read"))
        };
        let [wins, losses, draws] = &metadata.counts;
        let header = Header {
            rules: container.rules(),
            metric: Metric::from_code(metadata.metric).ok_or_else(|| corrupt("unknown metric number"))?,
            length: metadata.length.into(),
            wins: count(wins)?,
            losses: count(losses)?,
            draws: count(draws)?,
            longest_win: metadata.longest_win,
            longest_loss: metadata.longest_loss,
            file_bytes: container.bytes(),
            layout,
        };
        check(&header, &metadata.description).map_err(corrupt)?;
        Ok((header, metadata.payload, metadata.description))
    }
}

/// Whether the numbers go together.
fn check(header: &Header, description: &Description) -> Result<(), &'static str> {
    let longest_strip = match header.layout {
        Layout::Dense => MAX_DENSE_LENGTH,
        Layout::Diagram => MAX_LENGTH,
    };
    if !(MIN_LENGTH..=longest_strip).contains(&header.length) {
        return Err("the length is out of range");
    }
    let decided = &header.wins + &header.losses;
    if &decided + &header.draws != all_positions(header.length) {
        return Err(NOT_ALL);
    }
    let (depths, longest) = (&description.depths, [header.longest_win, header.longest_loss]);
    let fits = match header.metric {
        Metric::Wdl => depths.is_empty() && longest == [0, 0] && description.longest_win.is_empty(),
        Metric::Dtw => fit(depths, longest, decided),
    };
    match fits {
        true => Ok(()),
        false => Err(UNFIT),
    }
}

/// What is wrong with counts that are not those of all positions.
pub(super) const NOT_ALL: &str = "wins, losses and draws do not add up to the positions";
/// What is wrong with depths that are not those of the positions decided.
pub(super) const UNFIT: &str = "the depths do not fit the counts, or the longest win and loss";

/// The most plies of a win, which are odd, and of a loss, which are even; 0 if there is none.
pub(super) fn longest(depths: &BTreeMap<u16, u128>) -> [u16; 2] {
    [1, 0].map(|parity| {
        let mut plies = depths.keys().rev().copied();
        plies.find(|plies| plies % 2 == parity).unwrap_or(0)
    })
}

/// Whether these are the positions by plies where so many are decided, and that is the longest win, and loss.
pub(super) fn fit(depths: &BTreeMap<u16, u128>, stated: [u16; 2], decided: BigUint) -> bool {
    let sum: BigUint = depths.values().map(|&count| BigUint::from(count)).sum();
    let possible = depths.iter().all(|(&plies, &count)| plies != 0 && count != 0);
    possible && longest(depths) == stated && sum == decided
}

impl Header {
    /// The number of positions, with Left to move.
    pub fn positions(&self) -> BigUint {
        all_positions(self.length)
    }
}

/// Bytes of an unpacked block of the dense layout.
pub fn block_bytes(length: usize, metric: Metric) -> usize {
    let positions: usize = 1 << low_bits(length);
    match metric {
        Metric::Dtw => positions,
        Metric::Wdl => positions.div_ceil(8),
    }
}

/// The number of positions of a length with Left to move: (n − 2) · 2^(n−1).
pub fn all_positions(length: usize) -> BigUint {
    BigUint::from(length.saturating_sub(2)) << length.saturating_sub(1)
}
