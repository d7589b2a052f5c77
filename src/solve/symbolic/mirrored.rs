//! Mirror images of sets: diagrams that are read from the other end.
//!
//! At each boundary between two squares a diagram has a few *states*: its nodes there, or the
//! binary nodes that skip the square. A suffix, the contents of the squares to the right, matters
//! only by the subset of states that accept it. These subsets are the nodes of the mirror image.
//! They are found boundary by boundary from the right, 64 subsets at a time: a word for each state
//! holds the membership of 64 subsets, so the predecessors of all of them take one read per state.

use super::algebra::Algebra;
use super::closure::Pair;
use super::store::{Halt, Id};
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use std::ops::RangeInclusive;

/// A pair of sets as diagrams for both reading directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// Square 0 is the first square of the strip.
    pub from_left: Pair,
    /// Square 0 is the last square of the strip.
    pub from_right: Pair,
}

impl Readings {
    /// Returns a pair in both readings.
    pub fn of(algebra: &Algebra, from_left: Pair) -> Result<Readings, Halt> {
        let from_right = algebra.mirrored_pair(from_left)?;
        Ok(Readings {
            from_left,
            from_right,
        })
    }

    /// Returns the pair in one reading direction.
    pub fn reading(&self, from_right: bool) -> Pair {
        if from_right {
            self.from_right
        } else {
            self.from_left
        }
    }

    /// Returns the pair in one reading direction, to change it.
    pub fn reading_mut(&mut self, from_right: bool) -> &mut Pair {
        if from_right {
            &mut self.from_right
        } else {
            &mut self.from_left
        }
    }

    /// Copies the boards with the ball on some squares of one half of the strip to the other
    /// reading.
    pub fn copy(&mut self, algebra: &Algebra, squares: &RangeInclusive<usize>) -> Result<(), Halt> {
        let length = algebra.length();
        let (from_right, balls) = reading(length, squares);
        let seen_otherwise = mirrored_squares(length, &balls);
        let copy = |known: Id, other: Id| {
            let image = algebra.mirrored(algebra.only(known, &balls)?)?;
            algebra.replace(other, &seen_otherwise, image)
        };
        let (known, other) = (self.reading(from_right), self.reading_mut(!from_right));
        let (left, right) = algebra.both_forking(
            || copy(known.left_to_move, other.left_to_move),
            || copy(known.right_to_move, other.right_to_move),
        )?;
        *other = Pair::new(left, right);
        Ok(())
    }
}

/// Returns squares as numbered from the other end.
fn mirrored_squares(length: usize, squares: &RangeInclusive<usize>) -> RangeInclusive<usize> {
    length - 1 - squares.end()..=length - 1 - squares.start()
}

/// Returns whether boards with the ball on some squares are read from the right, which holds if
/// that end is nearer, with the squares numbered accordingly.
///
/// Before the ball every square has its own node, and a recursion meets many more pairs of nodes
/// than after it, so most of the time is spent before the ball.
pub fn reading(length: usize, balls: &RangeInclusive<usize>) -> (bool, RangeInclusive<usize>) {
    if balls.start() + balls.end() > length - 1 {
        (true, mirrored_squares(length, balls))
    } else {
        (false, balls.clone())
    }
}

/// The states of one kind at a boundary: the numbers of their successors at the next boundary.
/// State 0 rejects everything.
#[derive(Default)]
struct States {
    empty: Vec<u32>,
    stone: Vec<u32>,
    /// The successor after the ball; only for states before it.
    ball: Vec<u32>,
}

/// Numbers states in the order of discovery, after ⊥.
fn number(states: &mut IndexSet<Id, DefaultHashBuilder>, id: Id) -> u32 {
    states.insert(Id::BOTTOM);
    states.insert_full(id).0 as u32
}

/// Different sets of states at a boundary, as bits. Set 0 is empty.
struct Subsets {
    rows: IndexSet<Box<[u64]>, DefaultHashBuilder>,
    /// Number of words of a set.
    width: usize,
}

impl Subsets {
    fn new(states: usize) -> Subsets {
        let width = states.div_ceil(64).max(1);
        let rows = IndexSet::from_iter([vec![0; width].into()]);
        Subsets { rows, width }
    }

    /// Adds the set of predecessors of each set in `later`. Returns their numbers.
    fn add_predecessors(&mut self, next: &[u32], later: &Subsets) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(later.rows.len());
        let mut members = vec![0; 64 * later.width];
        let mut found = vec![0; 64 * self.width];
        for first in (0..later.rows.len()).step_by(64) {
            let rows = &later.rows[first..later.rows.len().min(first + 64)];
            for (word, members) in members.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                members.fill(0);
                (members.iter_mut().zip(rows)).for_each(|(members, row)| *members = row[word]);
                transpose(members);
            }
            for (word, next) in next.chunks(64).enumerate() {
                let mut block = [0; 64];
                (block.iter_mut().zip(next)).for_each(|(block, &next)| *block = members[next as usize]);
                transpose(&mut block);
                (block.iter().enumerate()).for_each(|(row, &bits)| found[row * self.width + word] = bits);
            }
            for row in found.chunks_exact(self.width).take(rows.len()) {
                let known = self.rows.get_index_of(row);
                let number = known.unwrap_or_else(|| self.rows.insert_full(row.into()).0);
                numbers.push(number as u32);
            }
        }
        numbers
    }
}

/// Swaps rows and columns of a matrix of bits.
fn transpose(rows: &mut [u64; 64]) {
    for step in [32, 16, 8, 4, 2, 1] {
        let low = u64::MAX / ((1 << step) + 1);
        for row in (0..64).filter(|row| row & step == 0) {
            let swapped = (rows[row] >> step ^ rows[row + step]) & low;
            rows[row] ^= swapped << step;
            rows[row + step] ^= swapped;
        }
    }
}

impl Algebra {
    /// Returns the mirror images of both sets.
    pub fn mirrored_pair(&self, pair: Pair) -> Result<Pair, Halt> {
        let (left, right) = self.both_forking(
            || self.mirrored(pair.left_to_move),
            || self.mirrored(pair.right_to_move),
        )?;
        Ok(Pair::new(left, right))
    }

    /// Returns the mirror image of a set.
    pub fn mirrored(&self, set: Id) -> Result<Id, Halt> {
        if set == Id::BOTTOM {
            return Ok(set);
        }
        let (mut before, mut after) = (IndexSet::default(), IndexSet::default());
        number(&mut before, set);
        number(&mut after, Id::BOTTOM);
        let mut states = Vec::new();
        for level in 0..self.length() {
            let (mut next_before, mut next_after) = (IndexSet::default(), IndexSet::default());
            let mut now = [States::default(), States::default()];
            for node in before.iter().map(|&id| self.store.node(id)) {
                now[0].empty.push(number(&mut next_before, node.empty));
                now[0].stone.push(number(&mut next_before, node.stone));
                now[0].ball.push(number(&mut next_after, node.ball));
            }
            for (empty, stone) in after.iter().map(|&id| self.store.halves(id, level)) {
                now[1].empty.push(number(&mut next_after, empty));
                now[1].stone.push(number(&mut next_after, stone));
            }
            states.push(now);
            (before, after) = (next_before, next_after);
        }
        // After the last square the only states are the leaves. `with_ball` has the subsets that
        // accept suffixes with the ball, which are subsets of the states before it.
        let (mut with_ball, mut without) = (Subsets::new(before.len()), Subsets::new(after.len()));
        without.rows.insert([1 << 1].into());
        let mut steps = Vec::new();
        for [before, after] in states.iter().rev() {
            self.store.check_stop()?;
            let mut earlier = (Subsets::new(before.empty.len()), Subsets::new(after.empty.len()));
            steps.push([
                earlier.1.add_predecessors(&after.empty, &without),
                earlier.1.add_predecessors(&after.stone, &without),
                earlier.0.add_predecessors(&before.ball, &without),
                earlier.0.add_predecessors(&before.empty, &with_ball),
                earlier.0.add_predecessors(&before.stone, &with_ball),
            ]);
            (with_ball, without) = earlier;
        }
        // Left of the first square, the state `set` is a complete board of the image.
        let (mut after, mut before) = (vec![Id::BOTTOM, Id::TOP], vec![Id::BOTTOM]);
        for (level, [empty, stone, ball, empty_after, stone_after]) in steps.iter().enumerate().rev() {
            let child = |ids: &[Id], number: u32| ids[number as usize];
            let ternary = |((&empty, &stone), &ball): ((&u32, &u32), &u32)| {
                let (empty, stone) = (child(&before, empty), child(&before, stone));
                self.store.ternary(level, empty, stone, child(&after, ball))
            };
            let binary = |(&empty, &stone): (&u32, &u32)| {
                (self.store).binary(level, child(&after, empty), child(&after, stone))
            };
            let ternaries = (empty.iter().zip(stone).zip(ball)).map(ternary);
            let ternaries = ternaries.collect::<Result<_, Halt>>()?;
            after = (empty_after.iter().zip(stone_after))
                .map(binary)
                .collect::<Result<_, Halt>>()?;
            before = ternaries;
        }
        Ok(before[1])
    }
}
