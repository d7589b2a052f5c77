//! Sets of the states of an automaton, numbered, and the sets of their predecessors.
//!
//! 64 sets are taken at a time: a word for each state holds its membership in all of them, so the
//! predecessors of all take one read per state.

use hashbrown::{DefaultHashBuilder, HashTable};
use rayon::prelude::*;
use std::hash::BuildHasher;

/// Words that are kept together.
pub(super) const GROUP: usize = 16;

/// Different sets of states, as bits. Set 0 is empty. Most groups of words are in many
/// sets, so each is kept once.
pub(super) struct Subsets {
    groups: Vec<[u64; GROUP]>,
    group_numbers: HashTable<u32>,
    /// The numbers of the groups of each set.
    rows: Vec<u32>,
    /// Number of groups of a set.
    width: usize,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Subsets {
    pub fn new(states: usize) -> Subsets {
        let width = states.div_ceil(64 * GROUP).max(1);
        let mut subsets = Subsets {
            groups: Vec::new(),
            group_numbers: HashTable::new(),
            rows: Vec::new(),
            width,
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        };
        subsets.number(&vec![[0; GROUP]; width]);
        subsets
    }

    /// Returns the number of a set, which is added if it is new.
    pub fn number(&mut self, row: &[[u64; GROUP]]) -> u32 {
        let Subsets {
            groups,
            group_numbers,
            rows,
            width,
            numbers,
            hasher,
        } = self;
        let begin = rows.len();
        rows.extend(row.iter().map(|group| {
            let entry = group_numbers.entry(
                hasher.hash_one(group),
                |&number| groups[number as usize] == *group,
                |&number| hasher.hash_one(groups[number as usize]),
            );
            let next = groups.len() as u32;
            let number = *entry.or_insert(next).get();
            if number == next {
                groups.push(*group);
            }
            number
        }));
        let known = |number: u32| &rows[number as usize * *width..][..*width];
        let next = (begin / *width) as u32;
        let entry = numbers.entry(
            hasher.hash_one(known(next)),
            |&number| known(number) == known(next),
            |&number| hasher.hash_one(known(number)),
        );
        let number = *entry.or_insert(next).get();
        if number != next {
            rows.truncate(begin);
        }
        number
    }

    /// Returns the 64-bit words that the sets take.
    pub fn words(&self) -> u64 {
        (self.rows.len() / 2 + GROUP * self.groups.len()) as u64
    }

    /// Adds the set of predecessors of each set in `later`: the states whose `next` is in it. Returns their
    /// numbers.
    pub fn add_predecessors(&mut self, next: &[u32], later: &Subsets) -> Vec<u32> {
        let batch = 64 * later.width;
        let mut numbers = Vec::with_capacity(later.rows.len() / later.width);
        // A few batches for each thread at a time, so that little memory is taken.
        for rows in later.rows.chunks(4 * rayon::current_num_threads() * batch) {
            let batches = rows.par_chunks(batch);
            let found = batches.map(|rows| predecessors(rows, later, next, self.width));
            for rows in found.collect::<Vec<_>>() {
                numbers.extend(rows.chunks_exact(self.width).map(|row| self.number(row)));
            }
        }
        numbers
    }
}

/// Returns the predecessors, `width` groups for each set, of up to 64 sets.
fn predecessors(rows: &[u32], later: &Subsets, next: &[u32], width: usize) -> Vec<[u64; GROUP]> {
    let rows = rows.chunks_exact(later.width);
    let mut members = vec![0; 64 * GROUP * later.width];
    for (word, members) in members.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let words = (rows.clone()).map(|row| later.groups[row[word / GROUP] as usize][word % GROUP]);
        (members.iter_mut().zip(words)).for_each(|(members, word)| *members = word);
        transpose(members);
    }
    let mut found = vec![[0; GROUP]; rows.len() * width];
    for (word, next) in next.chunks(64).enumerate() {
        let mut block = [0; 64];
        (block.iter_mut().zip(next)).for_each(|(block, &next)| *block = members[next as usize]);
        transpose(&mut block);
        (found.chunks_exact_mut(width).zip(block))
            .for_each(|(row, bits)| row[word / GROUP][word % GROUP] = bits);
    }
    found
}

/// Swaps rows and columns of a matrix of bits.
fn transpose(rows: &mut [u64; 64]) {
    for step in [32, 16, 8, 4, 2, 1] {
        let low = u64::MAX / ((1 << step) + 1);
        for rows in rows.chunks_exact_mut(2 * step) {
            let (upper, lower) = rows.split_at_mut(step);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let swapped = (*upper >> step ^ *lower) & low;
                *upper ^= swapped << step;
                *lower ^= swapped;
            }
        }
    }
}
