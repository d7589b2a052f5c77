//! The metadata of a table of a pitch; `docs/FORMAT.md` gives their layout.

#![allow(missing_docs)]

use bincode::{Decode, Encode};
use phutbase_base::outcome::Side;
use phutbase_files::FileError;
use phutbase_files::container::FileKind;
use phutbase_files::container::blocks::Cut;
use phutbase_files::container::read::Container;
use phutbase_rules::pitch::depths::{MAX_POINTS, stored_balls};
use phutbase_rules::pitch::{Pitch, Shape, positions};

/// log2 of the maximum number of depth bytes in a block.
const MAX_BLOCK_BITS: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PitchMetadata {
    pub rows: u8,
    pub columns: u8,
    /// Program and version that wrote the file.
    pub generator: String,
    /// The point of each bit of a pattern; points are numbered row by row from the bottom.
    pub order: Vec<u16>,
    /// Positions with Alfred to move that are draws.
    pub draws: u64,
    /// Positions with Alfred to move by plies to the end, from 1; the last number is positive.
    pub depths: Vec<u64>,
    /// A position won in the most plies, in notation; empty if none is won.
    pub longest_win: String,
}

/// log2 of the depth bytes in a block.
pub fn block_bits(shape: Shape) -> usize {
    (shape.points() - 1).min(MAX_BLOCK_BITS)
}

/// Returns the layout of a shape's depth bytes in blocks.
pub fn cut(shape: Shape) -> Cut {
    Cut {
        bytes: (stored_balls(shape).len() as u64) << (shape.points() - 1),
        frame_bytes: 1 << block_bits(shape),
    }
}

impl PitchMetadata {
    pub(crate) fn read(container: &Container) -> Result<(PitchMetadata, Shape), FileError> {
        let metadata: PitchMetadata = container.metadata(FileKind::Pitch)?;
        let shape = Shape::new(metadata.rows.into(), metadata.columns.into())
            .filter(|shape| shape.points() <= MAX_POINTS)
            .ok_or_else(|| container.corrupt("no pitch of the stated size has a table"))?;
        let counted = metadata
            .depths
            .iter()
            .try_fold(metadata.draws, |sum, &count| sum.checked_add(count));
        if counted.map(u128::from) != positions(shape) {
            return Err(container.corrupt("the counts do not add up to the positions"));
        }
        if metadata.depths.len() > 255 || metadata.depths.last() == Some(&0) {
            return Err(container.corrupt("the depths are out of range"));
        }
        let example = metadata.longest_win.parse::<Pitch>();
        let fits = |pitch: Pitch| (pitch.shape(), pitch.side()) == (shape, Side::Left);
        if !metadata.longest_win.is_empty() && !example.is_ok_and(fits) {
            return Err(
                container.corrupt("the longest win is not a position of this pitch with Alfred to move")
            );
        }
        let mut points: Vec<usize> = metadata.order.iter().map(|&point| point.into()).collect();
        points.sort_unstable();
        if points.into_iter().eq(0..shape.points()) {
            Ok((metadata, shape))
        } else {
            Err(container.corrupt("the order of the points is not a permutation of them"))
        }
    }
}
