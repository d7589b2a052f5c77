//! Mirror images of sets: diagrams that are read from the other end.
//!
//! At each boundary between two squares a diagram has a few *states*: its nodes there, or the
//! binary nodes that skip the square. A suffix, the contents of the squares to the right, matters
//! only by the subset of states that accept it. These subsets are the nodes of the mirror image.
//! They are found boundary by boundary from the right, 64 subsets at a time: a word for each state
//! holds the membership of 64 subsets, so the predecessors of all of them take one read per state.

use super::graph::{Graph, Ref, TooLarge};
use super::{Diagram, View};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use rayon::prelude::*;
use std::hash::{BuildHasher, Hash};

/// Returns the mirror images of a set's members.
pub fn mirrored(graph: &mut Graph, set: Ref) -> Result<Ref, TooLarge> {
    let steps = graph.budget().steps();
    let mut left = steps;
    let charge = |words| {
        left = left.checked_sub(words).ok_or(TooLarge)?;
        Ok(())
    };
    let image = Mirrored::new(graph, Ref::BOTTOM, set, charge)?;
    graph.take_steps(steps - left)?;
    image.build([Ref::BOTTOM, Ref::TOP], |node| graph.make(node))
}

/// The nodes of a mirror image. A child is the number of a subset at the next boundary; subset 0 is
/// empty.
pub struct Mirrored {
    /// From the last square of the image to the first.
    levels: Vec<Level>,
}

/// The children of the nodes on one square of the image.
struct Level {
    empty: Vec<u32>,
    stone: Vec<u32>,
    ball: Vec<u32>,
    /// Those of binary nodes.
    empty_after: Vec<u32>,
    stone_after: Vec<u32>,
}

impl Mirrored {
    /// Reads a set of a diagram with this ⊥. `charge` is called at every boundary with the number
    /// of words that its subsets take, and may end the work.
    pub fn new<D: Diagram, E>(
        diagram: &D,
        bottom: D::Ref,
        set: D::Ref,
        mut charge: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Mirrored, E> {
        let states = states(diagram, bottom, set);
        let mut boundary = Boundary::last();
        let mut levels = Vec::new();
        for [before, after] in states.iter().rev() {
            charge(boundary.with_ball.words() + boundary.without_ball.words())?;
            let later = boundary;
            let (mut with, mut without) = (Subsets::new(before.empty.len()), Subsets::new(after.empty.len()));
            // The image is read from the other end: a suffix without the ball is read before the ball.
            levels.push(Level {
                empty: without.add_predecessors(&after.empty, &later.without_ball),
                stone: without.add_predecessors(&after.stone, &later.without_ball),
                ball: with.add_predecessors(&before.ball, &later.without_ball),
                empty_after: with.add_predecessors(&before.empty, &later.with_ball),
                stone_after: with.add_predecessors(&before.stone, &later.with_ball),
            });
            boundary = Boundary {
                with_ball: with,
                without_ball: without,
            };
        }
        levels.reverse();
        Ok(Mirrored { levels })
    }

    /// Makes the nodes from ⊥ and ⊤, children first, and returns the root.
    pub fn build<R: Copy, E>(
        &self,
        leaves: [R; 2],
        mut make: impl FnMut(View<R>) -> Result<R, E>,
    ) -> Result<R, E> {
        let (mut before, mut after) = (vec![leaves[0]], leaves.to_vec());
        for (level, nodes) in self.levels.iter().enumerate() {
            let square = self.levels.len() - 1 - level;
            let child = |ids: &[R], number: u32| ids[number as usize];
            let children = nodes.empty.iter().zip(&nodes.stone).zip(&nodes.ball);
            let ternary = children.map(|((&empty, &stone), &ball)| {
                let (empty, stone, ball) =
                    (child(&before, empty), child(&before, stone), child(&after, ball));
                make(View::Ternary(square, [empty, stone, ball]))
            });
            let ternary = ternary.collect::<Result<_, E>>()?;
            let children = nodes.empty_after.iter().zip(&nodes.stone_after);
            let binary = children.map(|(&empty, &stone)| {
                make(View::Binary(square, [child(&after, empty), child(&after, stone)]))
            });
            after = binary.collect::<Result<_, E>>()?;
            before = ternary;
        }
        // Before the first square of the image the subsets are {} and {⊤}.
        Ok(before[1])
    }
}

/// The subsets of states that accept the suffixes from a boundary on.
struct Boundary {
    /// Subsets of the states before the ball: suffixes with the ball.
    with_ball: Subsets,
    /// Subsets of the states after the ball: suffixes without it.
    without_ball: Subsets,
}

impl Boundary {
    /// After the last square the only states are the leaves, and ⊤, with number 1, accepts.
    fn last() -> Boundary {
        let mut without_ball = Subsets::new(2);
        let mut top = [0; GROUP];
        top[0] = 1 << 1;
        without_ball.number(&[top]);
        Boundary {
            with_ball: Subsets::new(1),
            without_ball,
        }
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

/// Different nodes, numbered in the order of discovery.
struct Numbering<R> {
    ids: Vec<R>,
    numbers: HashMap<R, u32>,
}

impl<R: Copy + Eq + Hash> Numbering<R> {
    fn of(first: R) -> Numbering<R> {
        Numbering {
            ids: vec![first],
            numbers: HashMap::from([(first, 0)]),
        }
    }

    fn number(&mut self, id: R) -> u32 {
        *self.numbers.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() as u32 - 1
        })
    }
}

/// Returns the states at each boundary, those before the ball and those after it.
fn states<D: Diagram>(diagram: &D, bottom: D::Ref, set: D::Ref) -> Vec<[States; 2]> {
    let (mut before, mut after) = (Numbering::of(bottom), Numbering::of(bottom));
    before.number(set);
    let mut states = Vec::new();
    for level in 0..diagram.length() {
        let (mut next_before, mut next_after) = (Numbering::of(bottom), Numbering::of(bottom));
        let mut now = [States::default(), States::default()];
        for &id in &before.ids {
            let [empty, stone, ball] = match diagram.view(id) {
                View::Ternary(_, children) => children,
                _ => [bottom; 3],
            };
            now[0].empty.push(next_before.number(empty));
            now[0].stone.push(next_before.number(stone));
            now[0].ball.push(next_after.number(ball));
        }
        for &id in &after.ids {
            let [empty, stone] = match diagram.view(id) {
                View::Binary(square, children) if square == level => children,
                _ => [id; 2],
            };
            now[1].empty.push(next_after.number(empty));
            now[1].stone.push(next_after.number(stone));
        }
        states.push(now);
        (before, after) = (next_before, next_after);
    }
    states
}

/// Words that are kept together.
const GROUP: usize = 16;

/// Different sets of states at a boundary, as bits. Set 0 is empty. Most groups of words are in many
/// sets, so each is kept once.
struct Subsets {
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
    fn new(states: usize) -> Subsets {
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
    fn number(&mut self, row: &[[u64; GROUP]]) -> u32 {
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
    fn words(&self) -> u64 {
        (self.rows.len() / 2 + GROUP * self.groups.len()) as u64
    }

    /// Adds the set of predecessors of each set in `later`. Returns their numbers.
    fn add_predecessors(&mut self, next: &[u32], later: &Subsets) -> Vec<u32> {
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
