//! Diagrams outside a store: node lists that can be saved, sent to another thread, or transferred
//! to another length.

use super::store::{Halt, Id, Store};
use hashbrown::HashMap;
use phutbase_sets::{Diagram, View};

/// Number of leaves; nodes are numbered after them, in order.
const LEAVES: usize = 2;
/// Nodes that are created between two checks whether the work must stop.
const CHECKED_NODES: usize = 1 << 14;
/// Bytes of a node.
const NODE_BYTES: usize = 13;
/// The ball child of a binary node.
const NO_BALL: u32 = u32::MAX;

/// The square (1), empty, stone and ball (4 each, little-endian).
type Packed = [u8; NODE_BYTES];

/// The square, empty, stone, and ball for a ternary node.
type Node = (u8, u32, u32, Option<u32>);

fn pack((square, empty, stone, ball): Node) -> Packed {
    let mut bytes = [square; NODE_BYTES];
    let children = [empty, stone, ball.unwrap_or(NO_BALL)];
    bytes[1..].copy_from_slice(children.map(u32::to_le_bytes).as_flattened());
    bytes
}

fn unpack(&[square, a, b, c, d, e, f, g, h, i, j, k, l]: &Packed) -> Node {
    let [empty, stone, ball] = [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_le_bytes);
    (square, empty, stone, Some(ball).filter(|&ball| ball != NO_BALL))
}

/// Some diagrams; children precede their parents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portable {
    nodes: Vec<Packed>,
    roots: Vec<u32>,
}

/// A list of nodes that does not represent diagrams of the given length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl Portable {
    /// Copies the diagrams below some roots.
    pub fn of<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> Portable {
        let mut copy = Copier {
            diagram,
            nodes: Vec::new(),
            known: HashMap::new(),
        };
        let roots = roots.iter().map(|&root| copy.number(root)).collect();
        Portable {
            nodes: copy.nodes,
            roots,
        }
    }

    /// Encodes the nodes and the roots.
    pub fn to_bytes(&self) -> (&[u8], Vec<u8>) {
        let roots = self.roots.iter().flat_map(|root| root.to_le_bytes());
        (self.nodes.as_flattened(), roots.collect())
    }

    /// Decodes the output of [`to_bytes`](Portable::to_bytes), without
    /// [`check`](Portable::check)ing it.
    ///
    /// # Errors
    /// [`Malformed`] if the sizes do not fit.
    pub fn from_bytes(nodes: &[u8], roots: &[u8]) -> Result<Portable, Malformed> {
        let (nodes, no_node) = nodes.as_chunks::<NODE_BYTES>();
        let (roots, no_root) = roots.as_chunks::<4>();
        if !no_node.is_empty() || !no_root.is_empty() {
            return Err(Malformed);
        }
        Ok(Portable {
            nodes: nodes.to_vec(),
            roots: roots.iter().map(|&root| u32::from_le_bytes(root)).collect(),
        })
    }

    /// Checks that every node is valid on a strip of `length` squares.
    pub fn check(&self, length: usize) -> Result<(), Malformed> {
        let level = |number: u32| -> Option<(usize, bool)> {
            let place = (number as usize).checked_sub(LEAVES)?;
            let (level, _, _, ball) = unpack(&self.nodes[place]);
            Some((level.into(), ball.is_some()))
        };
        for (place, (square, empty, stone, ball)) in self.nodes.iter().map(unpack).enumerate() {
            let square = usize::from(square);
            let after = |child: u32| {
                (child as usize) < LEAVES + place
                    && level(child).is_none_or(|(below, ternary)| !ternary && below > square)
            };
            let before = |child: u32| {
                child == 0 || (child as usize) < LEAVES + place && level(child) == Some((square + 1, true))
            };
            let fits = match ball {
                Some(ball) => {
                    let goal = square == 0 || square + 1 == length;
                    before(empty) && before(stone) && after(ball) && !(goal && ball != 0)
                }
                None => after(empty) && after(stone),
            };
            if square >= length || !fits {
                return Err(Malformed);
            }
        }
        let is_set = |root: u32| {
            root == 0 || (root as usize) < LEAVES + self.nodes.len() && level(root) == Some((0, true))
        };
        if self.roots.iter().all(|&root| is_set(root)) {
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    /// Creates the nodes in a store, and returns the roots.
    pub fn make(&self, store: &Store) -> Result<Vec<Id>, Halt> {
        let mut made = Vec::with_capacity(LEAVES + self.nodes.len());
        made.extend([Id::BOTTOM, Id::TOP]);
        for (place, (square, empty, stone, ball)) in self.nodes.iter().map(unpack).enumerate() {
            if place.is_multiple_of(CHECKED_NODES) {
                store.job().set_done(place as u64);
                store.check_stop()?;
            }
            let child = |number: u32| made[number as usize];
            let (level, empty, stone) = (square.into(), child(empty), child(stone));
            made.push(match ball.map(child) {
                Some(ball) => store.ternary(level, empty, stone, ball)?,
                None => store.binary(level, empty, stone)?,
            });
        }
        Ok(self.roots.iter().map(|&root| made[root as usize]).collect())
    }
}

/// A copy in progress.
struct Copier<'a, D: Diagram> {
    diagram: &'a D,
    nodes: Vec<Packed>,
    known: HashMap<D::Ref, u32>,
}

impl<D: Diagram> Copier<'_, D> {
    fn number(&mut self, at: D::Ref) -> u32 {
        if let Some(&number) = self.known.get(&at) {
            return number;
        }
        let node = match self.diagram.view(at) {
            View::Bottom => return 0,
            View::Top => return 1,
            View::Ternary(level, [empty, stone, ball]) => {
                let (empty, stone) = (self.number(empty), self.number(stone));
                (level as u8, empty, stone, Some(self.number(ball)))
            }
            View::Binary(level, [empty, stone]) => {
                (level as u8, self.number(empty), self.number(stone), None)
            }
        };
        let number = match node {
            (_, 0, 0, Some(0)) => 0,
            _ => {
                self.nodes.push(pack(node));
                (LEAVES + self.nodes.len() - 1) as u32
            }
        };
        self.known.insert(at, number);
        number
    }
}
