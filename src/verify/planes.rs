//! A table in memory, to be read position by position.

use crate::games::rules::Rules;
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::dense::DenseTable;
use crate::table::error::TableError;
use crate::table::{Metric, low_bits, place, places};
use rayon::prelude::*;

/// How many places of a table are unfolded to their block numbers: all or none.
pub(super) fn numbers_kept(table: &DenseTable) -> u64 {
    let header = table.header();
    let count = places(header.length);
    match 4 * count <= (1 << 26) + 64 * header.file_bytes {
        true => count,
        false => 0,
    }
}

/// Both planes of a table.
pub(super) struct Planes<'t> {
    table: &'t DenseTable,
    /// The block number at each place, if that takes no more than the file warrants; else the trie is asked, which takes half as long again.
    numbers: Vec<u32>,
    length: usize,
    low_bits: usize,
    metric: Metric,
    /// Depth bytes (1 for a member under `wdl`) of each different block.
    blocks: Vec<Vec<u8>>,
}

impl Planes<'_> {
    /// Reads each different block once.
    pub fn read(table: &DenseTable) -> Result<Planes<'_>, TableError> {
        let header = table.header();
        let numbers = 0..numbers_kept(table);
        Ok(Planes {
            table,
            numbers: numbers
                .into_par_iter()
                .map(|place| table.block_number_at(place))
                .collect(),
            length: header.length,
            low_bits: low_bits(header.length),
            metric: header.metric,
            blocks: table.different_blocks()?,
        })
    }

    /// The rules that the table follows.
    pub fn rules(&self) -> Rules {
        self.table.header().rules
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
        places(self.length) as usize
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
    pub fn same_members(&self, other: &Planes<'_>, place: usize) -> bool {
        let members = |planes: &Planes<'_>| -> Vec<bool> {
            let block = planes.block_at(place as u64);
            block[..1 << self.low_bits]
                .iter()
                .map(|&byte| byte != 0)
                .collect()
        };
        members(self) == members(other)
    }

    #[inline]
    fn block(&self, to_move: Side, ball: usize, high: u64) -> &[u8] {
        self.block_at(place(self.length, to_move, ball, high))
    }

    #[inline]
    fn block_at(&self, place: u64) -> &[u8] {
        let number = match self.numbers.get(place as usize) {
            Some(&number) => number,
            None => self.table.block_number_at(place),
        };
        &self.blocks[number as usize]
    }
}
