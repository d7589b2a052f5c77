//! Nodes, and their numbers.

/// The number of a node. Numbers are valid in one store, until it collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(#[doc(hidden)] pub u32);

impl Id {
    /// No position.
    pub const BOTTOM: Id = Id(0);
    /// After the ball: every arrangement of what is left of the strip.
    pub const TOP: Id = Id(1);
    /// In a binary node, in place of the ball's child.
    pub(super) const ABSENT: Id = Id(u32::MAX);

    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

/// One node: its square and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub(super) level: u32,
    /// Where the square is empty.
    pub empty: Id,
    /// Where the square holds a stone.
    pub stone: Id,
    /// Where the square holds the ball; meaningless in a binary node.
    pub ball: Id,
}

impl Node {
    /// The node's square.
    pub fn level(&self) -> usize {
        self.level as usize
    }

    /// Whether the ball is still to come.
    pub fn is_ternary(&self) -> bool {
        self.ball != Id::ABSENT
    }

    /// The two halves at a square that the node, number `id`, may skip.
    #[inline]
    pub fn halves(&self, id: Id, level: usize) -> (Id, Id) {
        if self.level() == level {
            (self.empty, self.stone)
        } else {
            (id, id)
        }
    }

    /// The node in two words.
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

/// Two numbers in one word.
pub(super) fn pair(first: Id, second: Id) -> u64 {
    u64::from(first.0) << 32 | u64::from(second.0)
}

/// The two numbers of a word.
fn unpair(word: u64) -> (Id, Id) {
    (Id((word >> 32) as u32), Id(word as u32))
}
