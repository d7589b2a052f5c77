//! Which block stands where: a 16-way trie over block places, with equal subtrees stored once.
//!
//! Blocks are numbered; the places of a table (both planes, all ball squares, all high patterns, see
//! [`super::place`]) are a sequence of those numbers, as repetitive as the blocks themselves. Cut into groups of 16, equal groups
//! are stored once and numbered; the sequence of group numbers is cut again, until one group is left, the root.
//! A look-up follows one number per level, four bits of the place at a time, in the bytes as they are:
//!
//! ```text
//!     place  0110 1011 0011        root[0110] ──> node[1011] ──> leaf[0011] = block number
//! ```
//!
//! In the file: the number of levels, the node count of each level from the root down, then the nodes in that order,
//! each 16 little-endian 32-bit numbers. The last group of a level is filled up with zeros.

use hashbrown::HashMap;

/// Children of a node.
const FAN: usize = 16;
/// log2 of [`FAN`].
const FAN_BITS: usize = 4;
/// Bytes of a node in the file.
const NODE_BYTES: usize = FAN * 4;
/// More levels than any table needs.
const MAX_LEVELS: usize = 16;

/// Builds a trie from a sequence of numbers.
#[derive(Default)]
pub struct TrieBuilder {
    levels: Vec<Level>,
}

#[derive(Default)]
struct Level {
    nodes: Vec<[u32; FAN]>,
    numbers: HashMap<[u32; FAN], u32>,
    /// The group being filled.
    group: Vec<u32>,
    /// Groups closed so far.
    closed: u64,
}

impl Level {
    /// Closes the group under way and returns its number.
    fn close(&mut self) -> u32 {
        self.group.resize(FAN, 0);
        let node: [u32; FAN] = self.group[..].try_into().expect("a full group");
        self.group.clear();
        self.closed += 1;
        let Level { nodes, numbers, .. } = self;
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    }
}

impl TrieBuilder {
    /// Appends the number at the next place.
    pub fn push(&mut self, number: u32) {
        self.push_at(0, number);
    }

    fn push_at(&mut self, level: usize, number: u32) {
        if level == self.levels.len() {
            self.levels.push(Level::default());
        }
        self.levels[level].group.push(number);
        if self.levels[level].group.len() == FAN {
            let node = self.levels[level].close();
            self.push_at(level + 1, node);
        }
    }

    /// The bytes of the trie.
    pub fn finish(mut self) -> Vec<u8> {
        let mut level = 0;
        // A level with one group, open or closed, is the root; what lies above it was only begun.
        while level < self.levels.len() {
            let current = &mut self.levels[level];
            let open = !current.group.is_empty();
            if current.closed + u64::from(open) == 1 {
                if open {
                    current.close();
                }
                self.levels.truncate(level + 1);
                break;
            }
            if open {
                let node = current.close();
                self.push_at(level + 1, node);
            }
            level += 1;
        }
        let mut bytes = (self.levels.len() as u32).to_le_bytes().to_vec();
        for level in self.levels.iter().rev() {
            bytes.extend((level.nodes.len() as u32).to_le_bytes());
        }
        for node in self.levels.iter().rev().flat_map(|level| &level.nodes) {
            bytes.extend(node.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }
}

/// A trie, checked.
#[derive(Clone, Debug)]
pub struct Trie {
    bytes: Vec<u8>,
    /// The byte at which each level begins, root first.
    levels: Vec<usize>,
}

impl Trie {
    /// Reads and checks a trie of so many places whose numbers are below `numbers`; `None` if `bytes` are none.
    pub fn new(bytes: Vec<u8>, places: u64, numbers: u32) -> Option<Trie> {
        let count = read(&bytes, 0)? as usize;
        if !(1..=MAX_LEVELS).contains(&count) || count != levels_for(places) {
            return None;
        }
        let nodes: Vec<u32> = (1..=count)
            .map(|level| read(&bytes, 4 * level))
            .collect::<Option<_>>()?;
        let mut start = 4 * (1 + count);
        let mut levels = Vec::with_capacity(count);
        for (level, &there) in nodes.iter().enumerate() {
            let end = start.checked_add((there as usize).checked_mul(NODE_BYTES)?)?;
            let below = nodes.get(level + 1).copied().unwrap_or(numbers);
            let (children, _) = bytes.get(start..end)?.as_chunks::<4>();
            if there == 0 || !children.iter().all(|&child| u32::from_le_bytes(child) < below) {
                return None;
            }
            levels.push(start);
            start = end;
        }
        (start == bytes.len() && nodes[0] == 1).then_some(Trie { bytes, levels })
    }

    /// The number at a place, which must be one of the trie's.
    #[inline]
    pub fn get(&self, place: u64) -> u32 {
        let mut node = 0;
        let mut shift = FAN_BITS * self.levels.len();
        for &start in &self.levels {
            shift -= FAN_BITS;
            let child = place >> shift & (FAN as u64 - 1);
            let at = start + node as usize * NODE_BYTES + child as usize * 4;
            node = read(&self.bytes, at).expect("every node was checked");
        }
        node
    }
}

/// The least number of levels, from 1 on, that so many places need.
fn levels_for(places: u64) -> usize {
    let bits = (u64::BITS - places.saturating_sub(1).leading_zeros()) as usize;
    bits.div_ceil(FAN_BITS).max(1)
}

/// The little-endian number at a byte.
#[inline]
fn read(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().expect("four bytes")))
}
