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
    /// What a file with this header says; its payload is given for itself.
    #[cfg(feature = "cli")]
    pub fn new(header: &Header, payload: P, description: Description) -> Metadata<P> {
        Metadata {
            metric: header.metric as u8,
            length: header.length as u16,
            counts: [&header.wins, &header.losses, &header.draws].map(BigUint::to_bytes_le),
            longest_win: header.longest_win,
            longest_loss: header.longest_loss,
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
    if &header.wins + &header.losses + &header.draws != all_positions(header.length) {
        return Err("wins, losses and draws do not add up to the positions");
    }
    let (depths, longest) = (&description.depths, [header.longest_win, header.longest_loss]);
    let fits = match header.metric {
        Metric::Wdl => depths.is_empty() && longest == [0, 0] && description.longest_win.is_empty(),
        Metric::Dtw => {
            let last = |parity: u16| depths.keys().rev().find(|&plies| plies % 2 == parity).copied();
            let decided: BigUint = depths.values().map(|&count| BigUint::from(count)).sum();
            !depths.contains_key(&0)
                && !depths.values().any(|&count| count == 0)
                && longest == [last(1), last(0)].map(|longest| longest.unwrap_or(0))
                && decided == &header.wins + &header.losses
        }
    };
    if !fits {
        return Err("the depths do not fit the counts, or the longest win and loss");
    }
    Ok(())
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

/// The positions of a length that are neither won nor lost; 0 if a source claims more than there are, as a crafted table may, which
/// the check of the finished file then refuses.
#[cfg(feature = "cli")]
pub(super) fn neither(length: usize, wins: &BigUint, losses: &BigUint) -> BigUint {
    let decided = wins + losses;
    all_positions(length).max(decided.clone()) - decided
}
