//! The nodes of a table, walked where they lie in its memory.
//!
//! A number is a leaf (0 is ⊥, 1 is ⊤), a ternary node (2 …), or a binary node (after the last ternary one). Nodes have a fixed
//! size, so a number leads straight to its bytes. [`Shape`]'s check looks at every node once; after that no walk can leave the
//! bytes or go round in a cycle.

use super::super::header::DiagramPayload;
use crate::diagram::{Diagram, View};
use crate::games::strip::{MAX_LENGTH, Strip};

/// Numbers of the leaves; nodes are numbered after them.
pub(super) const LEAVES: u32 = 2;

/// Bytes for numbers below `all`: at least two.
pub(super) fn width(all: u32) -> usize {
    match all {
        0..=0x1_0000 => 2,
        0x1_0001..=0x100_0000 => 3,
        _ => 4,
    }
}

/// Bytes for the numbers of so many nodes.
pub(super) fn checked_width(DiagramPayload { ternary, binary }: DiagramPayload) -> Result<usize, Fault> {
    (LEAVES.checked_add(ternary))
        .and_then(|all| all.checked_add(binary))
        .map(width)
        .ok_or("there are more nodes than numbers")
}

/// Where the nodes of a table lie, and how big they are.
#[derive(Clone, Debug)]
pub struct Shape {
    length: usize,
    ternary: u32,
    width: usize,
    squares: Squares,
}

/// What is wrong with nodes.
pub(super) type Fault = &'static str;

impl Shape {
    /// Checks the nodes and roots of a table; of nodes there are as many bytes as the payload says.
    pub(super) fn check(
        length: usize,
        payload: DiagramPayload,
        roots: &[u32],
        bytes: &[u8],
    ) -> Result<Shape, Fault> {
        let width = checked_width(payload)?;
        let mut shape = Shape {
            length,
            ternary: payload.ternary,
            width,
            squares: Squares {
                level: vec![UNKNOWN; payload.ternary as usize + FIRST],
            },
        };
        if !roots.iter().all(|&root| shape.squares.set(root, 0)) {
            return Err("a root is no ternary node");
        }
        match width {
            2 => shape.check_nodes::<2>(bytes)?,
            3 => shape.check_nodes::<3>(bytes)?,
            _ => shape.check_nodes::<4>(bytes)?,
        }
        Ok(shape)
    }

    fn check_nodes<const W: usize>(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let (ternary, binary) = bytes.split_at(self.binary_start());
        let mut below = Below::new(
            LEAVES + self.ternary,
            binary.chunks_exact(2 * W + 1).map(|node| node[0]),
        );
        // No way out inside the loops, so that one node does not wait for the one before it.
        let (mut placed, mut ordered) = (true, true);
        for (place, node) in ternary.chunks_exact(3 * W).enumerate() {
            let level = self.squares.level[place + FIRST];
            placed &= usize::from(level) <= self.length - 2;
            for child in [number::<W>(node, 0), number::<W>(node, W)] {
                placed &= self.squares.set(child, level.wrapping_add(1));
            }
            let ball = number::<W>(node, 2 * W);
            ordered &= below.takes(ball, level);
            placed &= ball == 0 || level > 0;
        }
        if !placed {
            return Err("a ternary node stands on no square or on two");
        }
        for node in binary.chunks_exact(2 * W + 1) {
            let (level, empty, stone) = (node[0], number::<W>(node, 1), number::<W>(node, 1 + W));
            placed &= (1..self.length).contains(&usize::from(level)) & (empty != stone);
            ordered &= below.takes(empty, level) & below.takes(stone, level);
        }
        match (placed, ordered, below.all_reached()) {
            (false, _, _) => Err("a binary node stands on no square or decides nothing"),
            (_, false, _) => Err(BELOW),
            (_, _, false) => Err("a binary node is below no root"),
            _ => Ok(()),
        }
    }

    /// The first byte of the binary nodes.
    fn binary_start(&self) -> usize {
        self.ternary as usize * 3 * self.width
    }
}

/// The squares of the ternary nodes; the file does not say them, because they follow from the parents'.
#[derive(Clone, Debug)]
struct Squares {
    /// ⊥ at 0, of no square, and the nodes from [`FIRST`].
    level: Vec<u8>,
}

/// The place of the first ternary node among the squares.
const FIRST: usize = 1;

impl Squares {
    /// Notes the square of a ternary node that a parent or a root leads to; whether it is one and stands nowhere else. ⊥ stands
    /// everywhere.
    #[inline]
    fn set(&mut self, number: u32, level: u8) -> bool {
        let place = number.saturating_sub(LEAVES - FIRST as u32);
        let Some(known) = self.level.get_mut(place as usize) else {
            return false;
        };
        let fits = (number == 0) | ((number != 1) & ((*known == UNKNOWN) | (*known == level)));
        *known = level;
        fits
    }
}

/// What is wrong with the child of a node.
const BELOW: Fault = "a node leads to no binary node to its right";

/// The leaves and the binary nodes, as those above them see them.
struct Below {
    /// The number of the first binary node.
    first: u32,
    /// A byte each, first the leaves': one less than the node's square, and [`REACHED`] once something leads to it. A leaf
    /// stands to the right of every square.
    places: Vec<u8>,
}

/// Something leads to this node.
const REACHED: u8 = 1 << 7;

/// The byte of a leaf: one less than a square past the longest strip.
const LEAF: u8 = MAX_LENGTH as u8 - 1;

impl Below {
    /// Binary nodes on these squares, from the number `first`.
    fn new(first: u32, squares: impl Iterator<Item = u8>) -> Below {
        let binary = squares.map(|square| square.saturating_sub(1).min(LEAF));
        Below {
            first,
            places: [LEAF | REACHED; LEAVES as usize]
                .into_iter()
                .chain(binary)
                .collect(),
        }
    }

    /// Notes that something on the square `above` leads to `child`; whether that is a leaf, or a binary node to its right.
    #[inline]
    fn takes(&mut self, child: u32, above: u8) -> bool {
        let place = match child < LEAVES {
            true => child,
            false => child.wrapping_sub(self.first).saturating_add(LEAVES),
        };
        let Some(place) = self.places.get_mut(place as usize) else {
            return false;
        };
        *place |= REACHED;
        *place & !REACHED >= above
    }

    /// Whether something leads to every node.
    fn all_reached(&self) -> bool {
        self.places.iter().all(|place| place & REACHED != 0)
    }
}

/// No square yet.
const UNKNOWN: u8 = u8::MAX;

/// The little-endian number of `W` bytes at a place.
#[inline]
fn number<const W: usize>(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; 4];
    number[..W].copy_from_slice(&bytes[at..at + W]);
    u32::from_le_bytes(number)
}

/// The nodes of a file, checked, with their bytes.
#[derive(Clone, Copy)]
pub struct Nodes<'a> {
    pub(super) shape: &'a Shape,
    pub(super) bytes: &'a [u8],
}

impl Nodes<'_> {
    /// Whether a board, whoever is to move on it, belongs to the set of a root.
    #[inline]
    pub fn contains(&self, root: u32, strip: &Strip) -> bool {
        match self.shape.width {
            2 => self.walk::<2>(root, strip),
            3 => self.walk::<3>(root, strip),
            _ => self.walk::<4>(root, strip),
        }
    }

    #[inline]
    fn walk<const W: usize>(&self, root: u32, strip: &Strip) -> bool {
        let (stones, ball) = (strip.stones(), strip.ball());
        let mut at = root;
        for square in 0..ball {
            if at == 0 {
                return false;
            }
            let stone = (stones >> square) as usize & 1;
            at = number::<W>(self.bytes, ((at - LEAVES) as usize * 3 + stone) * W);
        }
        if at == 0 {
            return false;
        }
        at = number::<W>(self.bytes, ((at - LEAVES) as usize * 3 + 2) * W);
        let (start, first) = (self.shape.binary_start(), LEAVES + self.shape.ternary);
        while at > 1 {
            let node = start + (at - first) as usize * (2 * W + 1);
            let stone = (stones >> self.bytes[node]) as usize & 1;
            at = number::<W>(self.bytes, node + 1 + stone * W);
        }
        at == 1
    }

    fn child(&self, at: usize) -> u32 {
        match self.shape.width {
            2 => number::<2>(self.bytes, at),
            3 => number::<3>(self.bytes, at),
            _ => number::<4>(self.bytes, at),
        }
    }
}

impl Diagram for Nodes<'_> {
    type Ref = u32;

    fn length(&self) -> usize {
        self.shape.length
    }

    fn view(&self, at: u32) -> View<u32> {
        let Shape { ternary, width, .. } = *self.shape;
        let Some(place) = at.checked_sub(LEAVES) else {
            return if at == 0 { View::Bottom } else { View::Top };
        };
        match place.checked_sub(ternary) {
            None => {
                let start = place as usize * 3 * width;
                View::Ternary {
                    level: self.shape.squares.level[place as usize + FIRST].into(),
                    empty: self.child(start),
                    stone: self.child(start + width),
                    ball: self.child(start + 2 * width),
                }
            }
            Some(place) => {
                let start = self.shape.binary_start() + place as usize * (2 * width + 1);
                View::Binary {
                    level: self.bytes[start].into(),
                    empty: self.child(start + 1),
                    stone: self.child(start + 1 + width),
                }
            }
        }
    }
}
