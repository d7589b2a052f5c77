//! The nodes of a table of strips: their numbers, and their encoding in frames.
//!
//! Numbers 0 and 1 are ⊥ and ⊤. Binary nodes follow, from the last square to the first, then
//! ternary nodes, also from the last square to the first. Children therefore have smaller numbers
//! than their parents, and a number determines its square. Each node can be checked by itself, and
//! a walk over checked nodes terminates whatever the file contains.
//!
//! Nodes of one kind on one square are sorted by their children (ball, empty, stone), which makes
//! the numbering unique. Neighbours have similar children, so a frame stores differences.

use ethnum::U256;
use num_bigint::BigUint;
use phutbase_base::count::big;
use phutbase_files::FileError;
use phutbase_files::container::blocks::{Blocks, Cut};

/// Number of leaves; inner nodes are numbered after them.
pub(super) const LEAVES: u32 = 2;
/// Nodes in a frame (a power of two).
pub(super) const FRAME_NODES: usize = 1 << 10;
/// Bytes of a node in an unpacked frame: three differences of four bytes.
const NODE_BYTES: usize = 12;
/// Limit on the number of nodes: a constant, plus a number per byte of the file, so that a small
/// file cannot claim much memory. Files from this program have at most two nodes per byte beyond
/// the first kilobyte.
const NODE_LIMIT: [u64; 2] = [1 << 16, 8];
/// Maximum number of nodes.
const MAX_NODES: u64 = 1 << 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// For a ternary node, the child for a square with the ball; for a binary node, its square.
    pub ball: u32,
    pub empty: u32,
    pub stone: u32,
}

impl Node {
    fn fields(self) -> [u32; 3] {
        [self.ball, self.empty, self.stone]
    }
}

/// The range of node numbers on each square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Squares {
    pub length: usize,
    /// One past the last binary node on each square. Square s holds the numbers from
    /// `binary_end[s + 1]` on.
    binary_end: Vec<u32>,
    /// One past the last ternary node on each square.
    ternary_end: Vec<u32>,
}

impl Squares {
    /// Creates the ranges from the numbers of nodes on each square. Returns `None` if there are too
    /// many for a file of `file_bytes`, or nodes on an invalid square.
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
        let [any, each] = NODE_LIMIT;
        let most = (any + each * file_bytes).min(MAX_NODES);
        (u64::from(next) <= most).then_some(Squares {
            length,
            binary_end,
            ternary_end,
        })
    }

    /// Returns the numbers of binary and ternary nodes on each square.
    pub fn counts(&self) -> (Vec<u32>, Vec<u32>) {
        let counts = |ends: &[u32]| ends.windows(2).map(|ends| ends[0] - ends[1]).collect();
        (counts(&self.binary_end), counts(&self.ternary_end))
    }

    pub fn nodes(&self) -> usize {
        (self.ternary_end[0] - LEAVES) as usize
    }

    /// Returns the layout of all nodes in frames.
    pub fn cut(&self) -> Cut {
        Cut {
            bytes: (self.nodes() * NODE_BYTES) as u64,
            frame_bytes: (FRAME_NODES * NODE_BYTES) as u64,
        }
    }

    pub fn is_ternary(&self, number: u32) -> bool {
        number >= self.binary_end[0]
    }

    pub fn square(&self, number: u32) -> usize {
        let ends = self.ends(self.is_ternary(number));
        ends.partition_point(|&end| end > number) - 1
    }

    fn ends(&self, ternary: bool) -> &[u32] {
        let [binary_end, ternary_end] = [&self.binary_end, &self.ternary_end];
        if ternary { ternary_end } else { binary_end }
    }

    /// Returns whether a number may be a root: ⊥, or a ternary node on the first square.
    pub fn may_be_root(&self, number: u32) -> bool {
        number == 0 || (self.ternary_end[1]..self.ternary_end[0]).contains(&number)
    }

    /// Returns whether a node on a square may have these children.
    fn fits(&self, ternary: bool, square: usize, node: Node) -> bool {
        // ⊥, ⊤ and the binary nodes further right have smaller numbers than the binary nodes on the
        // square.
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

    /// Decodes the nodes of a frame; `None` if one of them is invalid.
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
                end = self.ends(ternary)[square];
            }
            let [ball, empty, stone] = fields;
            let node = Node { ball, empty, stone };
            let sorted = starts_square || before < fields;
            if !sorted || !self.fits(ternary, square, node) {
                return None;
            }
            let ball = if ternary { ball } else { square as u32 };
            nodes.push(Node { ball, ..node });
            before = fields;
        }
        Some(nodes)
    }

    pub fn encode(&self, frame: usize, nodes: &[Node], raw: &mut [u8]) {
        let here = &nodes[frame * FRAME_NODES..][..raw.len() / NODE_BYTES];
        let mut before = [0u32; 3];
        for (place, (node, number)) in (here.iter().zip(LEAVES + (frame * FRAME_NODES) as u32..)).enumerate()
        {
            let mut fields = node.fields();
            if !self.is_ternary(number) {
                fields[0] = 0;
            }
            for (field, (now, before)) in fields.iter().zip(before).enumerate() {
                let bytes = folded(now.wrapping_sub(before)).to_le_bytes();
                for (byte, value) in bytes.into_iter().enumerate() {
                    raw[(4 * field + byte) * here.len() + place] = value;
                }
            }
            before = fields;
        }
    }
}

/// Zigzag-encodes a difference: small absolute values become small numbers.
fn folded(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32) >> 31) as u32
}

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
    /// Reads and checks all frames of a file.
    pub fn read(squares: Squares, blocks: &Blocks) -> Result<Nodes, FileError> {
        let mut nodes = Vec::with_capacity(squares.nodes());
        for frame in 0..blocks.frames() {
            let raw = blocks.unpack(frame)?;
            let decoded = squares.decode(frame, &raw);
            let invalid = || (blocks.container).corrupt(format!("invalid node in frame {frame}"));
            nodes.extend(decoded.ok_or_else(invalid)?);
        }
        blocks.check_section()?;
        Ok(Nodes { squares, nodes })
    }

    pub fn node(&self, number: u32) -> Node {
        self.nodes[(number - LEAVES) as usize]
    }

    /// Returns the bytes that [`count`](Nodes::count) allocates for binary nodes.
    pub fn count_bytes(&self) -> usize {
        self.squares.binary_end[0] as usize * size_of::<U256>()
    }

    /// Counts the members of each root among the boards of `length` squares: those with stones on
    /// all further squares.
    pub fn count(&self, roots: &[u32], length: usize) -> Vec<Total> {
        let Squares {
            binary_end,
            ternary_end,
            ..
        } = &self.squares;
        // The numbers of fillings of a binary node's square and those right of it.
        let mut binary = vec![U256::ZERO; binary_end[0] as usize];
        binary[1] = U256::ONE;
        let right_of = |binary: &[U256], number: u32, square: usize| {
            let own = match number {
                0 | 1 => length,
                number => (self.node(number).ball as usize).min(length),
            };
            binary[number as usize] << (own - (square + 1).min(length))
        };
        for number in LEAVES..binary_end[0] {
            let Node { ball, empty, stone } = self.node(number);
            let square = ball as usize;
            binary[number as usize] = if square < length {
                right_of(&binary, empty, square) + right_of(&binary, stone, square)
            } else {
                binary[stone as usize]
            };
        }
        // Ternary children are on the next square, so only two squares are in memory.
        let mut next: Vec<Total> = Vec::new();
        for square in (0..length - 1).rev() {
            let first = ternary_end[square + 2];
            let part = |number: u32| match number {
                0 => Total::default(),
                number if square + 2 < length => next[(number - first) as usize],
                _ => Total::default(),
            };
            next = (ternary_end[square + 1]..ternary_end[square])
                .map(|number| {
                    let Node { ball, empty, stone } = self.node(number);
                    let here = Total::from(right_of(&binary, ball, square));
                    here.plus(part(empty)).plus(part(stone))
                })
                .collect();
        }
        let first = ternary_end[1];
        (roots.iter())
            .map(|&root| match root {
                0 => Total::default(),
                root => next[(root - first) as usize],
            })
            .collect()
    }
}

/// A count of more than 256 bits: there are 253 · 2^254 boards of 255 squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    low: U256,
    high: u32,
}

impl Total {
    fn plus(self, other: Total) -> Total {
        let (low, carry) = self.low.overflowing_add(other.low);
        Total {
            low,
            high: self.high + other.high + u32::from(carry),
        }
    }
}

impl From<U256> for Total {
    fn from(low: U256) -> Total {
        Total { low, high: 0 }
    }
}

impl From<Total> for BigUint {
    fn from(count: Total) -> BigUint {
        (BigUint::from(count.high) << U256::BITS) + big(count.low)
    }
}
