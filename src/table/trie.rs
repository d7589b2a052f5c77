//! Which block stands where: a 16-way trie over block places, with equal subtrees stored once.
//!
//! Blocks are numbered; the places of a table (both planes, all ball squares, all high patterns, see
//! [`super::place`]) are a sequence of those numbers, as repetitive as the blocks themselves. Cut into groups of 16, equal groups
//! are stored once and numbered; the sequence of group numbers is cut again, until one group is left, the root.
//! A look-up follows one number per level, four bits of the place at a time, in the mapped file as it is:
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

/// Where the nodes of a trie lie in its bytes.
#[derive(Clone, Debug)]
pub struct Trie {
    /// The byte at which each level begins and its number of nodes, root first.
    levels: Vec<(usize, u32)>,
}

impl Trie {
    /// Reads the front of a trie; `None` if it does not fit `bytes`.
    pub fn new(bytes: &[u8]) -> Option<Trie> {
        let count = read(bytes, 0)? as usize;
        if !(1..=MAX_LEVELS).contains(&count) {
            return None;
        }
        let mut start = 4 * (1 + count);
        let mut levels = Vec::with_capacity(count);
        for level in 0..count {
            let nodes = read(bytes, 4 * (1 + level))?;
            levels.push((start, nodes));
            start = start.checked_add((nodes as usize).checked_mul(NODE_BYTES)?)?;
        }
        (start == bytes.len()).then_some(Trie { levels })
    }

    /// The number at a place; `None` if the bytes do not lead there.
    #[inline]
    pub fn get(&self, bytes: &[u8], place: u64) -> Option<u32> {
        let depth = self.levels.len();
        if place >> (FAN_BITS * depth).min(63) != 0 {
            return None;
        }
        let mut node = 0;
        for (above, &(start, nodes)) in self.levels.iter().enumerate() {
            if node >= nodes {
                return None;
            }
            let child = place >> (FAN_BITS * (depth - 1 - above)) & (FAN as u64 - 1);
            node = read(bytes, start + node as usize * NODE_BYTES + child as usize * 4)?;
        }
        Some(node)
    }
}

/// The little-endian number at a byte.
#[inline]
fn read(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().expect("four bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_at_its_place() {
        for length in [1, 2, 15, 16, 17, 255, 256, 257, 4096, 5000] {
            let numbers: Vec<u32> = (0..length).map(|i| (i * i) % 7 + i / 300).collect();
            let mut builder = TrieBuilder::default();
            numbers.iter().for_each(|&number| builder.push(number));
            let bytes = builder.finish();
            let trie = Trie::new(&bytes).unwrap();
            for (place, &number) in numbers.iter().enumerate() {
                assert_eq!(
                    trie.get(&bytes, place as u64),
                    Some(number),
                    "{place} of {length}"
                );
            }
            assert_eq!(trie.get(&bytes, 1 << 40), None);
        }
    }

    #[test]
    fn equal_groups_are_stored_once() {
        let mut builder = TrieBuilder::default();
        (0..65_536).for_each(|_| builder.push(9));
        assert_eq!(builder.finish().len(), 4 * (1 + 4) + 4 * NODE_BYTES);
    }

    #[test]
    fn bytes_that_are_no_trie_are_refused() {
        assert!(Trie::new(&[]).is_none());
        assert!(Trie::new(&[0; 4]).is_none());
        assert!(Trie::new(&[255; 64]).is_none());
        let mut builder = TrieBuilder::default();
        (0..100).for_each(|number| builder.push(number));
        let bytes = builder.finish();
        assert!(Trie::new(&bytes[..bytes.len() - 1]).is_none());
    }
}
