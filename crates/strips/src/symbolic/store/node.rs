//! Nodes and node numbers.

/// The number of a node; valid in one store until its next collection. By default the empty set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// The empty set.
    pub const BOTTOM: Id = Id(0);
    /// After the ball: every arrangement of the remaining squares.
    pub const TOP: Id = Id(1);
    /// The ball child of a binary node.
    pub(super) const ABSENT: Id = Id(u32::MAX);

    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

/// A square with its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub(super) level: u32,
    /// The child for an empty square.
    pub empty: Id,
    /// The child for a stone.
    pub stone: Id,
    /// The child for the ball; unused in a binary node.
    pub ball: Id,
}

impl Node {
    /// Returns the node's square.
    pub fn level(&self) -> usize {
        self.level as usize
    }

    /// Returns whether the node is ternary.
    pub fn is_ternary(&self) -> bool {
        self.ball != Id::ABSENT
    }

    /// Returns the children at a square that the node, with number `id`, may skip.
    #[inline]
    pub fn halves(&self, id: Id, level: usize) -> (Id, Id) {
        if self.level() == level {
            (self.empty, self.stone)
        } else {
            (id, id)
        }
    }

    /// Returns the node as two words.
    pub(super) fn words(&self) -> [u64; 2] {
        [pair(self.empty, self.stone), pair(Id(self.level), self.ball)]
    }

    pub(super) fn of([children, rest]: [u64; 2]) -> Node {
        let ((empty, stone), (level, ball)) = (unpair(children), unpair(rest));
        Node {
            level: level.0,
            empty,
            stone,
            ball,
        }
    }
}

/// Packs two numbers in a word.
pub(super) fn pair(first: Id, second: Id) -> u64 {
    u64::from(first.0) << 32 | u64::from(second.0)
}

/// Unpacks a word.
fn unpair(word: u64) -> (Id, Id) {
    (Id((word >> 32) as u32), Id(word as u32))
}
