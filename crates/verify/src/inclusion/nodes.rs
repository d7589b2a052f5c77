//! The nodes of a check, shared by all threads.
//!
//! A node has a child for each thing that its square may hold, and every walk takes one step per
//! square: no square is skipped but below a leaf. So a node needs no square of its own, and a set
//! has one node, no matter which thread makes it. Nodes are never forgotten: a check makes few.

use hashbrown::HashMap;
use phutbase_sets::{Diagram, Symbol, View};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// A set of the contents of the last squares: a leaf or a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set(pub(super) u32);

impl Set {
    pub const NONE: Set = Set(0);
    pub const ALL: Set = Set(1);
}

/// There is no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Number of leaves.
const LEAVES: u32 = 2;
/// Bytes for each node that there is room for: three children and two places of the index.
pub const NODE_BYTES: u64 = 20;

/// Nodes, and an index of them by their children.
pub struct Nodes {
    children: Vec<[AtomicU32; 3]>,
    /// Open addressing: the number of a node, or 0. At most half of the places are taken.
    index: Vec<AtomicU32>,
    next: AtomicU32,
}

impl Nodes {
    /// Returns room for some nodes.
    pub fn with_room(nodes: usize) -> Nodes {
        let nodes = nodes.next_power_of_two();
        Nodes {
            children: zeros(nodes),
            index: zeros(2 * nodes),
            next: AtomicU32::new(LEAVES),
        }
    }

    /// Returns the number of nodes that there is room for.
    pub fn room(&self) -> usize {
        self.children.len()
    }

    /// Doubles the room.
    pub fn grow(&mut self) {
        let room = 2 * self.room();
        let kept = self.len();
        self.next = AtomicU32::new(kept);
        self.children
            .par_extend((self.room()..room).into_par_iter().map(|_| Default::default()));
        self.index = zeros(2 * room);
        (LEAVES..kept).into_par_iter().for_each(|number| {
            let parts = self.children(Set(number));
            if parts == [Set::NONE; 3] {
                return;
            }
            let mut place = self.place(parts);
            while (self.index[place])
                .compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed)
                .is_err()
            {
                place = self.after(place);
            }
        });
    }

    /// Returns the number of leaves and nodes.
    fn len(&self) -> u32 {
        // Threads that found no room have counted on.
        (self.next.load(Ordering::Relaxed)).min(self.room() as u32)
    }

    /// Returns the part of a set with `symbol` on its first square.
    #[inline(always)]
    pub fn child(&self, set: Set, symbol: Symbol) -> Set {
        if set.0 < LEAVES {
            return set;
        }
        Set(self.children[set.0 as usize][symbol as usize].load(Ordering::Relaxed))
    }

    /// Returns the parts of a set by [`Symbol`].
    #[inline(always)]
    pub fn children(&self, set: Set) -> [Set; 3] {
        if set.0 < LEAVES {
            return [set; 3];
        }
        let children = &self.children[set.0 as usize];
        [0, 1, 2].map(|symbol| Set(children[symbol].load(Ordering::Relaxed)))
    }

    /// Returns the set with these parts, by [`Symbol`]. Past the ball there is no part with a ball:
    /// `ball` is false, and the third part is ⊥.
    #[inline]
    pub fn make(&self, ball: bool, parts: [Set; 3]) -> Result<Set, Full> {
        let [empty, stone, with_ball] = parts;
        if empty == stone && empty.0 < LEAVES && (!ball || with_ball == empty) {
            return Ok(empty);
        }
        let mut made = None;
        let mut place = self.place(parts);
        loop {
            let mut number = self.index[place].load(Ordering::Acquire);
            if number == 0 {
                let new = match made {
                    Some(new) => new,
                    None => self.write(parts)?,
                };
                made = Some(new);
                let taken = self.index[place].compare_exchange(0, new, Ordering::Release, Ordering::Acquire);
                match taken {
                    Ok(_) => return Ok(Set(new)),
                    // Another thread was faster, perhaps with the same node.
                    Err(other) => number = other,
                }
            }
            if self.children(Set(number)) == parts {
                // One that was made in vain is empty, which no node is.
                if let Some(new) = made {
                    let unused = self.children[new as usize].iter();
                    unused.for_each(|child| child.store(0, Ordering::Relaxed));
                }
                return Ok(Set(number));
            }
            place = self.after(place);
        }
    }

    /// Writes the children of a new node, which no thread knows yet.
    fn write(&self, parts: [Set; 3]) -> Result<u32, Full> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(node) = self.children.get(number as usize) else {
            self.next.store(self.room() as u32, Ordering::Relaxed);
            return Err(Full);
        };
        for (child, part) in node.iter().zip(parts) {
            child.store(part.0, Ordering::Relaxed);
        }
        Ok(number)
    }

    fn place(&self, parts: [Set; 3]) -> usize {
        let [a, b, c] = parts.map(|part| u64::from(part.0));
        mix(a << 32 | b, c) as usize & (self.index.len() - 1)
    }

    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.index.len() - 1)
    }

    /// Copies a set of the contents of the squares from `square` on.
    pub fn copy<D: Diagram>(
        &self,
        diagram: &D,
        square: usize,
        at: D::Ref,
        known: &mut HashMap<D::Ref, Set>,
    ) -> Result<Set, Full> {
        let (own, ball, children) = match diagram.view(at) {
            View::Bottom => return Ok(Set::NONE),
            View::Top => return Ok(Set::ALL),
            View::Ternary(own, children) => (own, true, children.map(Some)),
            View::Binary(own, [empty, stone]) => (own, false, [Some(empty), Some(stone), None]),
        };
        let mut copy = match known.get(&at) {
            Some(&copy) => copy,
            None => {
                let mut parts = [Set::NONE; 3];
                for (part, child) in parts.iter_mut().zip(children) {
                    if let Some(child) = child {
                        *part = self.copy(diagram, own + 1, child, known)?;
                    }
                }
                self.make(ball, parts)?
            }
        };
        known.insert(at, copy);
        // The squares that the diagram skips get nodes.
        for _ in square..own {
            copy = self.make(false, [copy, copy, Set::NONE])?;
        }
        Ok(copy)
    }
}

/// Returns this many zeros.
pub(super) fn zeros<T: Default + Send>(count: usize) -> Vec<T> {
    (0..count).into_par_iter().map(|_| T::default()).collect()
}

/// Mixes two words; the low bits are good ones.
#[inline(always)]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}
