//! The nodes of a file, walked where they lie.
//!
//! A number is a leaf (0 is ⊥, 1 is ⊤), a ternary node (2 …), or a binary node (after the last ternary one). Nodes have a fixed
//! size, so a number leads straight to its bytes. [`Shape`]'s check looks at every node once; after that no walk can leave the
//! bytes or go round in a circle.

use super::encode::LEAVES;
use crate::diagram::{Diagram, View};
use crate::games::strip::Strip;

/// Where the nodes of a file lie, and how big they are.
#[derive(Clone, Debug)]
pub struct Shape {
    length: usize,
    ternary: u32,
    binary: u32,
    width: usize,
    /// The square of each ternary node; the file does not say it, because it follows from the parents'.
    levels: Vec<u8>,
}

/// What is wrong with nodes.
type Fault = &'static str;

impl Shape {
    /// Checks the nodes and roots of a file.
    pub(super) fn check(
        length: usize,
        (ternary, binary, width): (u32, u32, u32),
        roots: &[u32],
        bytes: &[u8],
    ) -> Result<Shape, Fault> {
        let all = u64::from(LEAVES) + u64::from(ternary) + u64::from(binary);
        if !(2..=4).contains(&width) || all > 1 << (8 * width) {
            return Err("the width of the node numbers is wrong");
        }
        let width = width as usize;
        let size = u128::from(ternary) * (3 * width) as u128 + u128::from(binary) * (2 * width + 1) as u128;
        if size != bytes.len() as u128 {
            return Err("the nodes do not fill their section");
        }
        let mut shape = Shape {
            length,
            ternary,
            binary,
            width,
            levels: vec![UNKNOWN; ternary as usize],
        };
        for &root in roots {
            if root != 0 {
                shape.set_level(root, 0)?;
            }
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
        let mut below = Below {
            first: LEAVES + self.ternary,
            levels: binary.chunks_exact(2 * W + 1).map(|node| node[0]).collect(),
            reached: vec![false; self.binary as usize],
        };
        for (place, node) in ternary.chunks_exact(3 * W).enumerate() {
            let level = self.levels[place];
            if level == UNKNOWN || usize::from(level) > self.length - 2 {
                return Err("a ternary node stands on no square");
            }
            for child in [number::<W>(node, 0), number::<W>(node, W)] {
                if child != 0 {
                    self.set_level(child, level + 1)?;
                }
            }
            let ball = number::<W>(node, 2 * W);
            below.check(ball, level)?;
            if ball != 0 && level == 0 {
                return Err("a ball stands on square 0");
            }
        }
        for node in binary.chunks_exact(2 * W + 1) {
            let (level, empty, stone) = (node[0], number::<W>(node, 1), number::<W>(node, 1 + W));
            if usize::from(level) >= self.length || empty == stone {
                return Err("a binary node stands on no square or decides nothing");
            }
            below.check(empty, level)?;
            below.check(stone, level)?;
        }
        match below.reached.contains(&false) {
            true => Err("a binary node is below no root"),
            false => Ok(()),
        }
    }

    /// Notes the square of a ternary node that a parent or a root leads to.
    fn set_level(&mut self, number: u32, level: u8) -> Result<(), Fault> {
        let known = (number.checked_sub(LEAVES))
            .and_then(|place| self.levels.get_mut(place as usize))
            .ok_or("a node leads to no ternary node")?;
        if *known != UNKNOWN && *known != level {
            return Err("a ternary node stands on two squares");
        }
        *known = level;
        Ok(())
    }

    /// The first byte of the binary nodes.
    fn binary_start(&self) -> usize {
        self.ternary as usize * 3 * self.width
    }

    /// The nodes of each kind: ternary, binary.
    pub fn nodes(&self) -> (u32, u32) {
        (self.ternary, self.binary)
    }
}

/// The binary nodes, as those above them see them.
struct Below {
    /// The number of the first one.
    first: u32,
    /// Their squares.
    levels: Vec<u8>,
    /// Whether something leads to each.
    reached: Vec<bool>,
}

impl Below {
    /// Checks that a child is a leaf, or a binary node to the right of the square that leads to it; notes that something does.
    #[inline]
    fn check(&mut self, child: u32, above: u8) -> Result<(), Fault> {
        if child <= 1 {
            return Ok(());
        }
        let place = child.wrapping_sub(self.first) as usize;
        let level = self.levels.get(place).ok_or("a node leads to no binary node")?;
        self.reached[place] = true;
        (*level > above)
            .then_some(())
            .ok_or("a binary node leads to the left")
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
                    level: self.shape.levels[place as usize].into(),
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
