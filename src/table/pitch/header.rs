//! What the metadata of a pitch's table says, as `docs/FORMAT.md` lays it out.

use super::super::container::Kind;
use super::super::container::blocks::Cut;
use super::super::container::read::Container;
use super::super::error::TableError;
#[cfg(feature = "cli")]
use super::super::header::longest;
use super::super::header::{NOT_ALL, UNFIT, fit};
use crate::games::pitch::{Shape, positions};
use crate::games::rules::Rules;
use bincode::{Decode, Encode};
use std::collections::BTreeMap;

/// The most points of a pitch that has a table.
pub const MAX_POINTS: usize = 40;
/// log2 of the depth bytes in a block, at most.
const MAX_BLOCK_BITS: usize = 16;

/// What every table of a pitch says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules that are followed.
    pub rules: Rules,
    /// The size of the pitch.
    pub shape: Shape,
    /// Positions with Alfred to move that he wins.
    pub wins: u64,
    /// Positions with Alfred to move that he loses.
    pub losses: u64,
    /// Positions with Alfred to move that are draws.
    pub draws: u64,
    /// The longest win with Alfred to move, in plies; 0 if there is none.
    pub longest_win: u16,
    /// The longest loss with Alfred to move, in plies; 0 if there is none.
    pub longest_loss: u16,
    /// Bytes of the whole file.
    pub file_bytes: u64,
}

/// The metadata of a file: header and description.
#[derive(Encode, Decode)]
pub(super) struct Metadata {
    rows: u8,
    columns: u8,
    wins: u64,
    losses: u64,
    draws: u64,
    longest_win: u16,
    longest_loss: u16,
    description: Description,
}

/// What made the table, and what it says in short.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Description {
    /// Program and version.
    pub generator: String,
    /// The engine that found the values.
    pub engine: String,
    /// The point of each bit of a pattern; points are numbered row by row from the bottom.
    pub order: Vec<u16>,
    /// How many positions with Alfred to move are decided in 1, 2, 3 … plies.
    pub depths: Vec<u64>,
    /// A position won in the most plies, in notation; empty if none is won.
    pub longest_win: String,
}

/// log2 of the depth bytes in a block.
pub fn block_bits(shape: Shape) -> usize {
    (shape.points() - 1).min(MAX_BLOCK_BITS)
}

/// The interior points in the left half, the middle column included, row by row from the bottom: the balls that a
/// table stores, the mirror having the others.
pub fn stored_balls(shape: Shape) -> Vec<usize> {
    let half = shape.columns().div_ceil(2);
    let interior = shape.interior();
    interior.filter(|&ball| shape.column(ball) < half).collect()
}

/// The number of blocks.
pub fn blocks(shape: Shape) -> u64 {
    (stored_balls(shape).len() as u64) << (shape.points() - 1 - block_bits(shape))
}

/// How the depth bytes of a shape are cut into blocks.
pub fn cut(shape: Shape) -> Cut {
    Cut {
        bytes: blocks(shape) << block_bits(shape),
        frame_bytes: 1 << block_bits(shape),
    }
}

impl Metadata {
    /// What a file says that has so many positions of each depth byte.
    #[cfg(feature = "cli")]
    pub fn new(shape: Shape, counts: &[u64; 256], description: Description) -> Metadata {
        let [longest_win, longest_loss] = longest(&by_plies(&counts[1..]));
        Metadata {
            rows: shape.rows() as u8,
            columns: shape.columns() as u8,
            wins: counts.iter().skip(1).step_by(2).sum(),
            losses: counts.iter().skip(2).step_by(2).sum(),
            draws: counts[0],
            longest_win,
            longest_loss,
            description,
        }
    }

    /// Reads and checks what a file says.
    ///
    /// # Errors
    /// [`TableError::Foreign`], [`TableError::Corrupt`].
    pub fn read(container: &Container) -> Result<(Header, Description), TableError> {
        let metadata: Metadata = container.metadata(Kind::Pitch)?;
        let shape = Shape::new(metadata.rows.into(), metadata.columns.into())
            .filter(|shape| shape.points() <= MAX_POINTS)
            .ok_or_else(|| container.corrupt("no pitch of the stated size has a table"))?;
        let header = Header {
            rules: container.rules(),
            shape,
            wins: metadata.wins,
            losses: metadata.losses,
            draws: metadata.draws,
            longest_win: metadata.longest_win,
            longest_loss: metadata.longest_loss,
            file_bytes: container.bytes(),
        };
        check(&header, &metadata.description).map_err(|field| container.corrupt(field))?;
        Ok((header, metadata.description))
    }
}

/// The positions decided in 1, 2, 3 … plies by plies, without those of none.
fn by_plies(depths: &[u64]) -> BTreeMap<u16, u128> {
    let all = (1..).zip(depths.iter().map(|&count| count.into()));
    all.filter(|&(_, count)| count != 0).collect()
}

/// Whether the numbers go together.
fn check(header: &Header, description: &Description) -> Result<(), &'static str> {
    let decided = u128::from(header.wins) + u128::from(header.losses);
    if positions(header.shape) != Some(decided + u128::from(header.draws)) {
        return Err(NOT_ALL);
    }
    let (depths, longest) = (&description.depths, [header.longest_win, header.longest_loss]);
    let short = depths.len() <= 255 && depths.last() != Some(&0);
    if !short || !fit(&by_plies(depths), longest, decided.into()) {
        return Err(UNFIT);
    }
    let mut points: Vec<usize> = description.order.iter().map(|&point| point.into()).collect();
    points.sort_unstable();
    match points.into_iter().eq(0..header.shape.points()) {
        true => Ok(()),
        false => Err("the order of the points is not a permutation of them"),
    }
}
