//! The nodes of a table of strips: their numbers, their bytes in a frame, and walking them.
//!
//! Numbers 0 and 1 are ⊥ and ⊤. Binary nodes follow, from the last square to the first, then ternary nodes, again from the last square to
//! the first. So children have smaller numbers than their parents, a number alone tells its square, and every node can be checked without
//! looking at another one: a walk from a checked node ends, whatever a file says.
//!
//! Nodes of one kind on one square are sorted by their children (ball, empty, stone), which leaves no choice in numbering them. Neighbours
//! have similar children, so a frame stores differences, and walks of similar boards touch few frames.

use crate::diagram::{Diagram, View};
use crate::table::container::blocks::Cut;

/// Numbers of the leaves; nodes are numbered after them.
pub(super) const LEAVES: u32 = 2;
/// Nodes in a frame (a power of two).
pub(super) const FRAME_NODES: usize = 1 << 10;
/// Bytes of a node in an unpacked frame: three differences of four bytes.
const NODE_BYTES: usize = 12;
/// Nodes that any file may have, and those for each of its bytes: a small file may not claim much memory. The files that this program
/// writes have at most two nodes for each byte beyond the first kilobyte.
const MOST_NODES: [u64; 2] = [1 << 16, 8];

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Of a ternary node the child where the square holds the ball; of a binary node its square.
    pub ball: u32,
    /// The child where the square is empty.
    pub empty: u32,
    /// The child where the square holds a stone.
    pub stone: u32,
}

impl Node {
    fn fields(self) -> [u32; 3] {
        [self.ball, self.empty, self.stone]
    }
}

/// Bits of a node's number in [`Links`].
const NUMBER_BITS: u32 = 28;

/// Some nodes, as walks read them: eight bytes for most squares of a walk.
pub(super) struct Links {
    /// The child where the square is empty in the lowest [`NUMBER_BITS`], then the child where it holds a stone, then the square of a binary
    /// node.
    links: Box<[u64]>,
    /// The children where the square holds the ball.
    balls: Box<[u32]>,
}

impl Links {
    /// Bytes of a node.
    pub const BYTES: usize = 12;

    pub fn new(nodes: &[Node]) -> Links {
        let link = |node: &Node| {
            let [empty, stone, square] = [node.empty, node.stone, node.ball].map(u64::from);
            empty | stone << NUMBER_BITS | square << (2 * NUMBER_BITS)
        };
        Links {
            links: nodes.iter().map(link).collect(),
            balls: nodes.iter().map(|node| node.ball).collect(),
        }
    }

    /// The child of a node where its square holds a stone (1) or is empty (0).
    #[inline]
    pub fn child(&self, place: usize, stone: u32) -> u32 {
        let mask = (1 << NUMBER_BITS) - 1;
        (self.links[place] >> (NUMBER_BITS * stone) & mask) as u32
    }

    /// The child of a ternary node where its square holds the ball.
    #[inline]
    pub fn ball(&self, place: usize) -> u32 {
        self.balls[place]
    }

    /// The square of a binary node.
    #[inline]
    pub fn square(&self, place: usize) -> u32 {
        (self.links[place] >> (2 * NUMBER_BITS)) as u32
    }
}

/// Which numbers stand on which square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Squares {
    length: usize,
    /// One past the last binary node on each square. On square s stand the numbers from `binary_end[s + 1]` on.
    binary_end: Vec<u32>,
    /// The same of ternary nodes.
    ternary_end: Vec<u32>,
}

impl Squares {
    /// Numbers for so many binary and ternary nodes on each square, of a file of so many bytes; `None` if there are too many, or nodes where
    /// none can stand.
    pub fn new(length: usize, binary: &[u32], ternary: &[u32], file_bytes: u64) -> Option<Squares> {
        let misplaced = binary.first() != Some(&0) || ternary.last() != Some(&0);
        if binary.len() != length || ternary.len() != length || misplaced {
            return None;
        }
        let mut next = LEAVES;
        let mut ends = |counts: &[u32]| {
            let mut ends = vec![next; length + 1];
            for square in (0..length).rev() {
                next = next.checked_add(counts[square])?;
                ends[square] = next;
            }
            Some(ends)
        };
        let (binary_end, ternary_end) = (ends(binary)?, ends(ternary)?);
        let [any, each] = MOST_NODES;
        let most = (any + each * file_bytes).min(1 << NUMBER_BITS);
        (u64::from(next) <= most).then_some(Squares {
            length,
            binary_end,
            ternary_end,
        })
    }

    /// The numbers of binary and of ternary nodes on each square.
    #[cfg(feature = "cli")]
    pub fn counts(&self) -> (Vec<u32>, Vec<u32>) {
        let counts = |ends: &[u32]| ends.windows(2).map(|ends| ends[0] - ends[1]).collect();
        (counts(&self.binary_end), counts(&self.ternary_end))
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        (self.ternary_end[0] - LEAVES) as usize
    }

    /// How the bytes of all nodes are cut into frames.
    pub fn cut(&self) -> Cut {
        Cut {
            bytes: (self.nodes() * NODE_BYTES) as u64,
            frame_bytes: (FRAME_NODES * NODE_BYTES) as u64,
        }
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether a node is a ternary one.
    pub fn is_ternary(&self, number: u32) -> bool {
        number >= self.binary_end[0]
    }

    /// The square of a node.
    fn square(&self, number: u32) -> usize {
        let ends = match self.is_ternary(number) {
            true => &self.ternary_end,
            false => &self.binary_end,
        };
        ends.partition_point(|&end| end > number) - 1
    }

    /// Whether a number may be a root: ⊥, or a ternary node on the first square.
    pub fn may_be_root(&self, number: u32) -> bool {
        number == 0 || (self.ternary_end[1]..self.ternary_end[0]).contains(&number)
    }

    /// Whether a node on a square may have these children.
    fn fits(&self, ternary: bool, square: usize, node: Node) -> bool {
        // ⊥, ⊤ and the binary nodes further right have smaller numbers than the binary nodes on the square.
        let right_of_square = self.binary_end[square + 1];
        if !ternary {
            return node.ball == 0
                && node.empty != node.stone
                && node.empty.max(node.stone) < right_of_square;
        }
        let next = self.ternary_end.get(square + 2).copied().unwrap_or(0)..self.ternary_end[square + 1];
        [node.empty, node.stone]
            .iter()
            .all(|child| *child == 0 || next.contains(child))
            && node.ball < right_of_square
            && (node.ball == 0 || square > 0)
            && node.fields() != [0; 3]
    }

    /// Reads the nodes of a frame; `None` if one of them cannot stand where it stands.
    pub fn decode(&self, frame: usize, raw: &[u8]) -> Option<Vec<Node>> {
        let count = raw.len() / NODE_BYTES;
        let first = LEAVES + (frame * FRAME_NODES) as u32;
        let planes: Vec<&[u8]> = raw.chunks_exact(count).collect();
        let mut nodes = Vec::with_capacity(count);
        let (mut before, mut ternary, mut square) = ([0u32; 3], false, usize::MAX);
        let mut end = first;
        for (place, number) in (0..count).zip(first..) {
            let mut fields = before;
            for (field, planes) in fields.iter_mut().zip(planes.chunks_exact(4)) {
                let difference = u32::from_le_bytes([0, 1, 2, 3].map(|byte: usize| planes[byte][place]));
                *field = field.wrapping_add(unfolded(difference));
            }
            let starts_square = number >= end;
            if starts_square {
                (ternary, square) = (self.is_ternary(number), self.square(number));
                let ends = if ternary {
                    &self.ternary_end
                } else {
                    &self.binary_end
                };
                end = ends[square];
            }
            let [ball, empty, stone] = fields;
            let node = Node { ball, empty, stone };
            let sorted = starts_square || before < fields;
            if !sorted || !self.fits(ternary, square, node) {
                return None;
            }
            nodes.push(match ternary {
                true => node,
                false => Node {
                    ball: square as u32,
                    ..node
                },
            });
            before = fields;
        }
        Some(nodes)
    }

    /// The bytes of a frame, from all nodes.
    #[cfg(feature = "cli")]
    pub fn encode(&self, frame: usize, nodes: &[Node], raw: &mut [u8]) {
        let here = &nodes[frame * FRAME_NODES..][..raw.len() / NODE_BYTES];
        let mut before = [0u32; 3];
        for (place, (node, number)) in here
            .iter()
            .zip(LEAVES + (frame * FRAME_NODES) as u32..)
            .enumerate()
        {
            let mut fields = node.fields();
            if !self.is_ternary(number) {
                fields[0] = 0;
            }
            for (field, (now, before)) in fields.iter().zip(before).enumerate() {
                for (byte, value) in folded(now.wrapping_sub(before))
                    .to_le_bytes()
                    .into_iter()
                    .enumerate()
                {
                    raw[(4 * field + byte) * here.len() + place] = value;
                }
            }
            before = fields;
        }
    }
}

/// A difference as a number that is small if the difference is near 0.
#[cfg(feature = "cli")]
fn folded(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32) >> 31) as u32
}

/// The inverse of [`folded`].
fn unfolded(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// All nodes of a table in memory, checked.
#[derive(Debug)]
pub(super) struct Nodes {
    pub squares: Squares,
    /// By number, from [`LEAVES`] on.
    pub nodes: Vec<Node>,
}

impl Nodes {
    /// A node.
    pub fn node(&self, number: u32) -> Node {
        self.nodes[(number - LEAVES) as usize]
    }

    /// The members of each root among the boards of `length` squares: those whose further squares hold stones.
    pub fn count(&self, roots: &[u32], length: usize) -> Vec<BigCount> {
        let Squares {
            binary_end,
            ternary_end,
            ..
        } = &self.squares;
        // What may stand on the squares of a binary node and to its right.
        let mut binary = vec![0u128; binary_end[0] as usize];
        binary[1] = 1;
        let right_of = |binary: &[u128], number: u32, square: usize| {
            let own = match number {
                0 | 1 => length,
                number => (self.node(number).ball as usize).min(length),
            };
            binary[number as usize] << (own - (square + 1).min(length))
        };
        for number in LEAVES..binary_end[0] {
            let Node { ball, empty, stone } = self.node(number);
            let square = ball as usize;
            binary[number as usize] = match square < length {
                true => right_of(&binary, empty, square) + right_of(&binary, stone, square),
                false => binary[stone as usize],
            };
        }
        // Ternary children stand on the next square, so two squares are in memory at a time.
        let mut next: Vec<BigCount> = Vec::new();
        for square in (0..length - 1).rev() {
            let first = ternary_end[square + 2];
            let part = |number: u32| match number {
                0 => BigCount::default(),
                number if square + 2 < length => next[(number - first) as usize],
                _ => BigCount::default(),
            };
            next = (ternary_end[square + 1]..ternary_end[square])
                .map(|number| {
                    let Node { ball, empty, stone } = self.node(number);
                    let here = BigCount::from(right_of(&binary, ball, square));
                    here.plus(part(empty)).plus(part(stone))
                })
                .collect();
        }
        let first = ternary_end[1];
        (roots.iter())
            .map(|&root| match root {
                0 => BigCount::default(),
                root => next[(root - first) as usize],
            })
            .collect()
    }
}

/// A count past 128 bits: the boards of 128 squares are 126 · 2^127.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BigCount {
    low: u128,
    high: u32,
}

impl BigCount {
    fn plus(self, other: BigCount) -> BigCount {
        let (low, carry) = self.low.overflowing_add(other.low);
        BigCount {
            low,
            high: self.high + other.high + u32::from(carry),
        }
    }
}

impl From<u128> for BigCount {
    fn from(low: u128) -> BigCount {
        BigCount { low, high: 0 }
    }
}

impl From<BigCount> for num_bigint::BigUint {
    fn from(count: BigCount) -> num_bigint::BigUint {
        (num_bigint::BigUint::from(count.high) << 128) + count.low
    }
}

/// The nodes as the diagrams of the strips of some length up to the table's own.
#[derive(Clone, Copy)]
pub(super) struct Shortened<'n> {
    pub nodes: &'n Nodes,
    pub length: usize,
}

impl Diagram for Shortened<'_> {
    type Ref = u32;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, mut at: u32) -> View<u32> {
        let squares = &self.nodes.squares;
        loop {
            if at < LEAVES {
                return if at == 0 { View::Bottom } else { View::Top };
            }
            let Node { ball, empty, stone } = self.nodes.node(at);
            if !squares.is_ternary(at) {
                let level = ball as usize;
                if level < self.length {
                    return View::Binary { level, empty, stone };
                }
                // Past the end of the shorter strip stand stones.
                at = stone;
                continue;
            }
            let level = squares.square(at);
            // On the shorter strip the ball stands before the last square.
            let [empty, stone] = match level + 2 < self.length {
                true => [empty, stone],
                false => [0; 2],
            };
            return match level + 1 < self.length {
                true => View::Ternary {
                    level,
                    empty,
                    stone,
                    ball,
                },
                false => View::Bottom,
            };
        }
    }
}
