//! A table in memory, to be read position by position without looking anything up twice.

use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::dense::DenseTable;
use crate::table::error::TableError;
use crate::table::{Metric, low_bits, place};

/// Both planes of a table.
pub(super) struct Planes {
    length: usize,
    low_bits: usize,
    metric: Metric,
    /// The block number at each place.
    numbers: Vec<u32>,
    /// Depth bytes (1 for a member under `wdl`) of each different block.
    blocks: Vec<Vec<u8>>,
}

impl Planes {
    /// Reads the block numbers and each different block once.
    pub fn read(table: &DenseTable) -> Result<Planes, TableError> {
        let header = table.header();
        Ok(Planes {
            length: header.length,
            low_bits: low_bits(header.length),
            metric: header.metric,
            numbers: table.block_numbers()?,
            blocks: table.different_blocks()?,
        })
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The pattern bits inside a block.
    pub fn low_bits(&self) -> usize {
        self.low_bits
    }

    /// The number of blocks, both planes together.
    pub fn places(&self) -> usize {
        self.numbers.len()
    }

    /// Player to move, ball square and high pattern of the block at a place.
    pub fn at(&self, place: usize) -> (Side, usize, u64) {
        let high_bits = self.length - 1 - self.low_bits;
        let (row, high) = (place >> high_bits, place & ((1 << high_bits) - 1));
        let side = if row < self.length - 2 {
            Side::Left
        } else {
            Side::Right
        };
        (side, row % (self.length - 2) + 1, high as u64)
    }

    /// In how many plies Left wins the board, for the player to move there; `None` if Left does not. Under `wdl` every
    /// win counts as 1 ply.
    #[inline]
    pub fn plies(&self, strip: &Strip) -> Option<u16> {
        let pattern = strip.pattern() as u64;
        let block = self.block(strip.side(), strip.ball(), pattern >> self.low_bits);
        let byte = block[pattern as usize & ((1 << self.low_bits) - 1)];
        (byte != 0).then_some(byte.into())
    }

    /// The count one ply earlier; under `wdl` there is no counting.
    #[inline]
    pub fn one_more(&self, plies: u16) -> u16 {
        match self.metric {
            Metric::Dtw => plies + 1,
            Metric::Wdl => 1,
        }
    }

    /// Whether the block at a place has the same members in another table of this length.
    pub fn same_members(&self, other: &Planes, place: usize) -> bool {
        let members = |planes: &Planes| -> Vec<bool> {
            let block = &planes.blocks[planes.numbers[place] as usize];
            block[..1 << self.low_bits]
                .iter()
                .map(|&byte| byte != 0)
                .collect()
        };
        members(self) == members(other)
    }

    #[inline]
    fn block(&self, to_move: Side, ball: usize, high: u64) -> &[u8] {
        let number = self.numbers[place(self.length, to_move, ball, high) as usize];
        &self.blocks[number as usize]
    }
}
