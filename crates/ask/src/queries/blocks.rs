//! Reads every value of a pitch, in parallel, block by block of its table.

use phutbase_base::job::Job;
use phutbase_base::outcome::{Value, Verdict};
use phutbase_rules::pitch::Shape;
use phutbase_rules::pitch::depths::stored_balls;
use phutbase_tables::pitch::metadata::block_bits;
use phutbase_tables::{PitchTable, TableError};
use rayon::prelude::*;

/// Blocks that are read between two checks of the job.
const PART: u64 = 256;

/// Calls `of_block` with every block of a table, and `add` with the results, in order.
pub fn scan<T: Send>(
    table: &PitchTable,
    job: &Job,
    of_block: impl Fn(&Block) -> T + Sync,
    mut add: impl FnMut(T),
) -> Result<(), TableError> {
    let (blocks, bits) = (table.blocks(), block_bits(table.shape()));
    job.expect(blocks << bits, "stored positions");
    for first in (0..blocks).step_by(PART as usize) {
        job.set_done(first << bits);
        job.check()?;
        let read = |number| Ok::<_, TableError>(of_block(&Block::read(table, number)?));
        let part = (first..blocks.min(first + PART)).into_par_iter().map(read);
        part.collect::<Result<Vec<T>, _>>()?
            .into_iter()
            .for_each(&mut add);
    }
    Ok(())
}

/// A block: the values of positions with Alfred to move and the ball on one point. Each also stands
/// for its mirror image, unless the ball is in the middle column.
pub struct Block {
    depths: Vec<u8>,
    /// Chaps that all positions have.
    common_chaps: u16,
    /// The positions, and their mirror images if they are not stored.
    images: Vec<Image>,
}

/// The indices of a block's positions, or of their mirror images: `first`, and a sum of powers of two
/// for each byte of the position's number in the block.
struct Image {
    first: u64,
    bytes: [Vec<u64>; 2],
}

impl Block {
    fn read(table: &PitchTable, number: u64) -> Result<Block, TableError> {
        let (shape, points) = (table.shape(), table.shape().points());
        let bits = block_bits(shape);
        let first = number << bits;
        let ball = stored_balls(shape)[(first >> (points - 1)) as usize];
        let order = table.metadata().order.iter().map(|&point| usize::from(point));
        let chaps: Vec<usize> = order.filter(|&point| point != ball).collect();
        let common = (first & ((1 << (points - 1)) - 1)) >> bits;
        let image = |of: &dyn Fn(usize) -> usize| {
            let others: Vec<usize> = chaps.iter().map(|&point| of(point)).collect();
            Image::new(shape, of(ball), others.split_at(bits), common)
        };
        let mut images = vec![image(&|point| point)];
        if shape.mirrored(ball) != ball {
            images.push(image(&|point| shape.mirrored(point)));
        }
        Ok(Block {
            depths: table.block(number)?,
            common_chaps: common.count_ones() as u16,
            images,
        })
    }

    /// Returns the number of each stored position in the block, and its value.
    pub fn values(&self) -> impl Iterator<Item = (usize, Verdict)> {
        let values = self.depths.iter();
        values
            .map(|&depth| Value::from_depth_byte(depth).into())
            .enumerate()
    }

    /// Returns how many positions a stored one stands for.
    pub fn images(&self) -> u64 {
        self.images.len() as u64
    }

    /// Returns the number of chaps of a position.
    pub fn chaps(&self, position: usize) -> u16 {
        self.common_chaps + position.count_ones() as u16
    }

    /// Returns the indices of a position and of its mirror image, if it stands for one.
    pub fn indices(&self, position: usize) -> impl Iterator<Item = u64> {
        let [low, high] = [position & 0xff, position >> 8];
        (self.images.iter()).map(move |image| image.first | image.bytes[0][low] | image.bytes[1][high])
    }

    /// Returns a lower bound of all indices.
    pub fn least_index(&self) -> u64 {
        let firsts = self.images.iter().map(|image| image.first);
        firsts.min().expect("a block has its own positions")
    }
}

impl Image {
    /// Describes positions with a ball, chaps that the bits of their number say, lowest first, and
    /// chaps that the bits of `common` say.
    fn new(shape: Shape, ball: usize, (varying, others): (&[usize], &[usize]), common: u64) -> Image {
        let bit = |&point: &usize| 1u64 << (point - usize::from(point > ball));
        let sum = |points: &[usize], bits: u64| -> u64 {
            let chosen = points.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            chosen.map(|(_, point)| bit(point)).sum()
        };
        let (low, high) = varying.split_at(varying.len().min(8));
        let sums = |points: &[usize]| (0..1 << points.len()).map(|bits| sum(points, bits)).collect();
        Image {
            first: ((ball - shape.columns()) as u64) << (shape.points() - 1) | sum(others, common),
            bytes: [sums(low), sums(high)],
        }
    }
}
