//! One length and one ball square: which half boards beat which, and whether they form a chain.
//!
//! Fix the ball. The half board h to its right and the half board g to its left make up the position, so *Left, to move,
//! wins* is a relation between h (Left's own half) and g. Its row for h is the set of left halves that h beats; its column
//! for g the set of right halves that beat g. Both are read off here for the half boards to the *right*, whose patterns
//! are the high bits:
//!
//! ```text
//!     Left to move:   row of h    = { g : h, mover's own half, beats g }
//!     Right to move:  column of h = { g : g, mover's own half, beats h }  =  complement of what the plane holds
//! ```
//!
//! The rows form a *chain* if of any two one contains the other; then so do the columns, and the relation is read off
//! two numbers. Let a(h) be the number of own halves (of h's length) whose row is no smaller than h's, and b(g) the size of
//! g's column. Then
//!
//! ```text
//!     h beats g  ⟺  a(h) ≤ b(g)
//! ```
//!
//! for the column of g holds, with any half board, all those with a row as large.

use super::trie::{Map, Tries};
use crate::outcome::Side;
use crate::solve::dense::block::Block;
use crate::solve::dense::pool::SetId;
use crate::theory::half::Half;
use crate::theory::planes::Planes;
use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use std::cmp::Reverse;

/// Two half boards on each side of the ball that beat each other crosswise: no two numbers can explain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Crossing {
    /// Two own halves, and two of the opponent's: `own[i]` beats `other[i]` and does not beat `other[1 − i]`.
    pub own: [Half; 2],
    /// The opponent's.
    pub other: [Half; 2],
}

/// Why half boards have no ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unranked {
    /// The relation is no chain: a counterexample to the exact potential.
    #[error("the half boards are not an interval order (a Ferrers relation): {0}")]
    Crossing(Box<Crossing>),
    /// There are draws, so that not to win is not to lose.
    #[error("there are draws at length {0}: the exact potential is about wins and losses")]
    Draws(usize),
}

/// In which role a half board is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The mover's own half, towards the goal attacked.
    Own,
    /// The opponent's.
    Other,
}

/// Exact values of one length, however they were found.
pub trait Source {
    /// The number of squares of the strip.
    fn length(&self) -> usize;

    /// The ranks of all half boards of a length, against those of the length that completes the strip.
    ///
    /// # Errors
    /// [`Unranked`].
    fn ranks(&mut self, tries: &mut Tries, role: Role, half_length: usize) -> Result<Ranks, Unranked>;
}

/// The numbers a or b of all half boards of one length against all of another.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The rank of each half board: an index into `numbers`.
    pub map: Map,
    /// By rank: a, growing, or b, falling; either way the best come first.
    pub numbers: Vec<u64>,
}

impl std::fmt::Display for Crossing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([own, own_2], [other, other_2]) = (self.own, self.other);
        write!(
            f,
            "{own} beats {other} and not {other_2}, {own_2} beats {other_2} and not {other}"
        )
    }
}

/// The different rows of a relation, by number, as sets of left halves.
struct Rows<'a> {
    planes: &'a Planes,
    to_move: Side,
    ball: usize,
    keys: IndexSet<Vec<u64>, DefaultHashBuilder>,
}

impl<'a> Rows<'a> {
    fn new(planes: &'a Planes, to_move: Side, ball: usize) -> Rows<'a> {
        Rows {
            planes,
            to_move,
            ball,
            keys: IndexSet::default(),
        }
    }

    fn number(&mut self, key: Vec<u64>) -> u32 {
        self.keys.insert_full(key).0 as u32
    }

    /// Gives each right half the number of its row.
    fn map(&mut self, tries: &mut Tries) -> Map {
        let layout = *self.planes.layout();
        let right = layout.pattern_bits() - self.ball;
        let root = if self.ball >= layout.low_bits() {
            let leaves: Vec<u32> = (0..1 << right).map(|half| self.far_row(half)).collect();
            tries.build_over(0, &leaves)
        } else {
            let inner = layout.low_bits() - self.ball;
            let mut known: HashMap<u32, u32> = HashMap::new();
            let nodes: Vec<u32> = (0..1usize << layout.high_bits())
                .map(|high| {
                    let set = self.planes.set(self.to_move, self.ball, high);
                    *known.entry(set.number()).or_insert_with(|| {
                        let block = *self.planes.members(self.to_move, set);
                        let leaves: Vec<u32> =
                            (0..1 << inner).map(|half| self.near_row(&block, half)).collect();
                        tries.build_over(0, &leaves)
                    })
                })
                .collect();
            tries.build_over(inner, &nodes)
        };
        tries.map(right, root)
    }

    /// The row of a right half whose left halves fill whole blocks: their sets by number.
    fn far_row(&mut self, half: usize) -> u32 {
        let bits = self.ball - self.planes.layout().low_bits();
        let blocks = (half << bits)..(half + 1) << bits;
        let sets = blocks.map(|high| self.planes.set(self.to_move, self.ball, high).number().into());
        let key = sets.collect();
        self.number(key)
    }

    /// The row of a right half within a block: its bits.
    fn near_row(&mut self, block: &Block, half: usize) -> u32 {
        let first = half << self.ball;
        let key = if self.ball >= 6 {
            block.0[first / 64..][..1 << (self.ball - 6)].to_vec()
        } else {
            vec![block.0[first / 64] >> (first % 64) & ((1 << (1 << self.ball)) - 1)]
        };
        self.number(key)
    }

    /// Whole blocks of bits, where keys are numbers of sets; otherwise the bits of the key.
    fn bits(&self, row: u32, place: usize) -> &[u64] {
        let key = &self.keys[row as usize];
        if self.ball >= self.planes.layout().low_bits() {
            let low_bits = self.planes.layout().low_bits();
            let block = self
                .planes
                .members(self.to_move, SetId::from_number(key[place] as u32));
            // A short block repeats itself; only its first part counts.
            &block.0[..1 << low_bits.saturating_sub(6)]
        } else {
            &key[place..=place]
        }
    }

    /// Within words of fewer than 64 positions, those that count.
    fn mask(&self) -> u64 {
        let bits = self.ball.min(self.planes.layout().low_bits());
        if bits >= 6 {
            u64::MAX
        } else {
            (1 << (1 << bits)) - 1
        }
    }

    /// The size of a row.
    fn size(&self, row: u32) -> u64 {
        let key = &self.keys[row as usize];
        let mask = self.mask();
        let words = (0..key.len()).flat_map(|place| self.bits(row, place));
        words.map(|word| u64::from((word & mask).count_ones())).sum()
    }

    /// The least member of row `a` that is not in row `b`, as a pattern of the left half.
    fn beyond(&self, a: u32, b: u32) -> Option<u64> {
        let (x, y) = (&self.keys[a as usize], &self.keys[b as usize]);
        let mask = self.mask();
        let words_each = self.bits(a, 0).len();
        for place in (0..x.len()).filter(|&place| x[place] != y[place]) {
            let words = self.bits(a, place).iter().zip(self.bits(b, place)).enumerate();
            for (word, (a, b)) in words {
                let more = a & !b & mask;
                if more != 0 {
                    return Some(
                        ((place * words_each + word) * 64) as u64 + u64::from(more.trailing_zeros()),
                    );
                }
            }
        }
        None
    }
}

impl Source for Planes {
    fn length(&self) -> usize {
        self.layout().length()
    }

    fn ranks(&mut self, tries: &mut Tries, role: Role, half_length: usize) -> Result<Ranks, Unranked> {
        if self.draws() > 0 {
            return Err(Unranked::Draws(self.layout().length()));
        }
        let ball = self.layout().pattern_bits() - half_length;
        // With Right to move the plane holds the complements of columns.
        let (to_move, complements) = match role {
            Role::Own => (Side::Left, false),
            Role::Other => (Side::Right, true),
        };
        let mut rows = Rows::new(self, to_move, ball);
        let map = rows.map(tries);
        let size = |row| match complements {
            false => rows.size(row),
            true => (1 << ball) - rows.size(row),
        };
        let sizes: Vec<u64> = (0..rows.keys.len() as u32).map(size).collect();
        ranked(tries, role, map, &sizes, |a, b| {
            let pattern = if complements {
                rows.beyond(b, a)
            } else {
                rows.beyond(a, b)
            };
            pattern.map(|pattern| Half::left_of(pattern.into(), ball))
        })
    }
}

/// The ranks of half boards from the rows (of own halves) or columns (of others) that `map` gives them by number: the sizes of these, and
/// the least half board that is in one and not in another.
pub(super) fn ranked(
    tries: &mut Tries,
    role: Role,
    map: Map,
    sizes: &[u64],
    mut beyond: impl FnMut(u32, u32) -> Option<Half>,
) -> Result<Ranks, Unranked> {
    let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
    order.sort_by_key(|&set| Reverse(sizes[set as usize]));
    for pair in order.windows(2) {
        let Some(of_smaller) = beyond(pair[1], pair[0]) else {
            continue;
        };
        let of_larger = beyond(pair[0], pair[1]).expect("a set that is no smaller has a member of its own");
        let classes = tries.classes(map);
        let [larger, smaller] = [pair[0], pair[1]].map(|set| {
            let class = classes.iter().find(|class| class.value == set);
            class.expect("every set is that of a half board").smallest
        });
        return Err(Unranked::Crossing(Box::new(match role {
            Role::Own => Crossing {
                own: [larger, smaller],
                other: [of_larger, of_smaller],
            },
            Role::Other => Crossing {
                own: [of_smaller, of_larger],
                other: [smaller, larger],
            },
        })));
    }
    let mut rank_of = vec![0; order.len()];
    for (rank, &set) in order.iter().enumerate() {
        rank_of[set as usize] = rank as u32;
    }
    let map = tries.relabelled(map, &mut |set| rank_of[set as usize]);
    let mut no_smaller = 0;
    let numbers = match role {
        Role::Own => (tries.classes(map).iter())
            .map(|class| {
                no_smaller += class.size as u64;
                no_smaller
            })
            .collect(),
        Role::Other => order.iter().map(|&set| sizes[set as usize]).collect(),
    };
    Ok(Ranks { map, numbers })
}
