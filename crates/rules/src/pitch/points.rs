//! Sets of points: a bitboard for pitches up to 19 × 19.

use phutbase_base::bits::bits;
use std::fmt;

/// Words of a set: 6 · 64 bits for at most 361 points.
const WORDS: usize = 6;

/// A set of points, bit `i` for the point numbered `i` ([`Shape::point`](super::Shape::point)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Points([u64; WORDS]);

impl Points {
    pub const EMPTY: Points = Points([0; WORDS]);

    pub fn from_bits(bits: u64) -> Points {
        let mut points = Points::EMPTY;
        points.0[0] = bits;
        points
    }

    /// Returns the first 64 points as bits: the whole set if the pitch has at most 64 points.
    pub fn low_bits(&self) -> u64 {
        self.0[0]
    }

    #[inline]
    pub fn contains(&self, point: usize) -> bool {
        self.0[point / 64] >> (point % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, point: usize) {
        self.0[point / 64] |= 1 << (point % 64);
    }

    #[inline]
    pub fn remove(&mut self, point: usize) {
        self.0[point / 64] &= !(1 << (point % 64));
    }

    #[inline]
    pub fn with(mut self, point: usize) -> Points {
        self.insert(point);
        self
    }

    #[inline]
    pub fn minus(mut self, other: &Points) -> Points {
        for (word, away) in self.0.iter_mut().zip(other.0) {
            *word &= !away;
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Iterates over the points in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0;
        (words.into_iter().enumerate()).flat_map(|(place, word)| bits(word).map(move |bit| 64 * place + bit))
    }
}

impl FromIterator<usize> for Points {
    fn from_iter<I: IntoIterator<Item = usize>>(points: I) -> Points {
        let mut set = Points::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
