//! The metadata of a table of strips; `docs/FORMAT.md` gives their layout.

#![allow(missing_docs)]

use super::nodes::Squares;
use crate::{Metric, Summary};
use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use num_bigint::BigUint;
use phutbase_files::FileError;
use phutbase_files::container::FileKind;
use phutbase_files::container::read::Container;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH, positions};
use std::ops::RangeInclusive;

/// A natural number of any size, stored as little-endian bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Natural(pub BigUint);

impl Encode for Natural {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.0.to_bytes_le().encode(encoder)
    }
}

impl<C> Decode<C> for Natural {
    fn decode<D: Decoder<Context = C>>(decoder: &mut D) -> Result<Natural, DecodeError> {
        Ok(Natural(BigUint::from_bytes_le(&Vec::decode(decoder)?)))
    }
}

bincode::impl_borrow_decode!(Natural);

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StripMetadata {
    /// The kind of values.
    pub metric: Metric,
    pub length: u16,
    /// Program and version that wrote the file.
    pub generator: String,
    /// Binary nodes on each square.
    pub binary: Vec<u32>,
    /// Ternary nodes on each square.
    pub ternary: Vec<u32>,
    pub lengths: Vec<StripCounts>,
}

/// Counts of the positions of one length with Left to move; the draws are the rest.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StripCounts {
    /// Positions that Left wins.
    pub wins: Natural,
    /// Positions that Right wins.
    pub losses: Natural,
    /// Plies of the longest win; 0 if there is none, and without depths.
    pub longest_win: u16,
    /// Plies of the longest loss; 0 if there is none, and without depths.
    pub longest_loss: u16,
    /// Levels of forward play that differ; 0 under another metric.
    pub levels: u16,
}

impl StripCounts {
    fn draws(&self, length: usize) -> Option<BigUint> {
        let decided = &self.wins.0 + &self.losses.0;
        let all = positions(length);
        (decided <= all).then(|| all - decided)
    }

    pub fn summary(&self, length: usize) -> Summary {
        Summary {
            wins: self.wins.0.clone(),
            losses: self.losses.0.clone(),
            draws: self.draws(length).expect("checked when the table was opened"),
            longest_win: self.longest_win,
            longest_loss: self.longest_loss,
        }
    }

    /// Returns the number of distinct roots of this length, for both players together.
    pub fn roots(&self, metric: Metric) -> usize {
        match metric {
            Metric::Dtw => self.longest_win.max(self.longest_loss).into(),
            Metric::Levels => 2 * usize::from(self.levels),
            Metric::Wdl => 2,
        }
    }

    fn is_consistent(&self, metric: Metric, length: usize) -> bool {
        let plies = [self.longest_win, self.longest_loss];
        let fits = match metric {
            Metric::Levels => plies == [0, 0] && self.levels > 0,
            Metric::Wdl => plies == [0, 0] && self.levels == 0,
            Metric::Dtw => {
                // Turns into the longest game have one ply more.
                let in_range = plies[0] < u16::MAX;
                let of_parity = (plies[0] == 0 || plies[0] % 2 == 1) && plies[1].is_multiple_of(2);
                in_range && of_parity && self.levels == 0
            }
        };
        fits && self.draws(length).is_some()
    }
}

impl StripMetadata {
    pub(crate) fn read(container: &Container) -> Result<(StripMetadata, Squares), FileError> {
        let metadata: StripMetadata = container.metadata(FileKind::Strip)?;
        let length = usize::from(metadata.length);
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
            return Err(container.corrupt(format!("length {length} is out of range")));
        }
        let squares = Squares::new(
            length,
            &metadata.binary,
            &metadata.ternary,
            container.file_bytes(),
        )
        .ok_or_else(|| container.corrupt("the numbers of nodes are out of range"))?;
        let consistent = metadata.lengths.len() == metadata.lengths().count()
            && (metadata.lengths().zip(&metadata.lengths))
                .all(|(length, counts)| counts.is_consistent(metadata.metric, length))
            && (metadata.lengths).is_sorted_by_key(|counts| counts.roots(metadata.metric));
        if !consistent {
            return Err(container.corrupt("the counts of a length are inconsistent"));
        }
        Ok((metadata, squares))
    }

    pub fn lengths(&self) -> RangeInclusive<usize> {
        MIN_LENGTH..=self.length.into()
    }

    pub fn counts(&self, length: usize) -> &StripCounts {
        &self.lengths[length - MIN_LENGTH]
    }
}
