//! Alpha-beta search with a memory.
//!
//! Values are for the player to move. [`won_in`]`(n)` is a win in n plies from the root; estimates
//! are far below. The memory counts from the stored position, and keys are whole positions, so
//! there are no hash collisions.
//!
//! 'Won' and 'lost' are proved: won if a turn leads to a lost position, lost only if all turns were
//! visited and lead to won ones. Bounds are proofs too, and hold at any depth.

use super::Evaluation;
use super::pitch::{Look, Node, PitchArena};
use crate::limits::SearchLimits;
use hashbrown::HashMap;
use phutbase_base::outcome::Depth;
use phutbase_machine::allocator::fallible;

/// Greater than any value.
pub const INFINITE: i32 = 2_000_000;
const WON: i32 = 1_000_000;
const PROVED: i32 = 900_000;
/// The magnitude of the worst estimate of a position not proved lost.
pub const UNKNOWN: i32 = 20_000;
/// Maximum plies added to the depth by extensions.
const EXTENSIONS: u32 = 12;

pub fn won_in(plies: u32) -> i32 {
    WON - plies as i32
}

pub fn is_proved(value: i32) -> bool {
    value.abs() >= PROVED
}

pub fn score(value: i32) -> Evaluation {
    let depth = |value: i32| Some(Depth((WON - value).clamp(0, i32::from(u16::MAX)) as u16));
    match value {
        won if won >= PROVED => Evaluation::Win(depth(won)),
        lost if lost <= -PROVED => Evaluation::Loss(depth(-lost)),
        guess => Evaluation::Guess(guess),
    }
}

/// The relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    value: i32,
    depth: u32,
    bound: Bound,
    best: u16,
}

impl Entry {
    /// Returns true if the best turn wins, or all turns lose.
    fn is_proof(&self) -> bool {
        let is_outcome = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.value > 0,
            Bound::AtMost => self.value < 0,
        };
        is_outcome && is_proved(self.value)
    }
}

pub struct Memory {
    entries: HashMap<Node, Entry>,
    most: usize,
}

impl Memory {
    /// Creates an empty memory of at most this many MiB.
    pub fn new(mebibytes: usize) -> Memory {
        // A hash map has up to 16/7 as many slots as entries.
        let bytes = (size_of::<(Node, Entry)>() + 1) * 16 / 7;
        let mut most = (mebibytes << 20) / bytes;
        let mut entries = HashMap::new();
        // Allocated at once: growing a large map can exceed the time for a turn.
        while fallible(|| entries.try_reserve(most)).is_err() {
            most /= 2;
        }
        Memory { entries, most }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    fn insert(&mut self, node: Node, entry: Entry) {
        if self.entries.len() >= self.most {
            self.entries.clear();
        }
        self.entries.insert(node, entry);
    }
}

pub struct Tree<'a> {
    arena: PitchArena,
    memory: &'a mut Memory,
    pub limits: &'a SearchLimits,
    pub nodes: u64,
    /// Ply beyond which nothing is extended.
    last_ply: u32,
}

impl<'a> Tree<'a> {
    pub fn new(arena: PitchArena, memory: &'a mut Memory, limits: &'a SearchLimits) -> Tree<'a> {
        Tree {
            arena,
            memory,
            limits,
            nodes: 0,
            last_ply: 0,
        }
    }

    pub fn begin(&mut self, depth: u32) {
        self.last_ply = depth + EXTENSIONS.min(2 * depth);
    }

    /// Evaluates a child of the root for the root's player; proved if the opponent wins at once.
    pub fn mark(&mut self, node: &Node) -> i32 {
        self.nodes += 1;
        let look = self.arena.look(node, false);
        if look.wins_at_once {
            -won_in(2)
        } else {
            -look.guess
        }
    }

    /// Returns the value of a child of the root for the root's player if it is above `alpha`, else
    /// an upper bound up to `alpha`. Returns `None` if the limits are reached.
    pub fn below_root(&mut self, node: &Node, depth: u32, alpha: i32) -> Option<i32> {
        if alpha > -INFINITE {
            let value = -self.search(node, depth, 1, [-alpha - 1, -alpha])?;
            if value <= alpha {
                return Some(value);
            }
        }
        Some(-self.search(node, depth, 1, [-INFINITE, -alpha])?)
    }

    /// Returns the remembered best play from a position, at most `most` turns, in notation; after a
    /// proved turn as far as the memory proves it.
    pub fn line(&self, node: &Node, most: usize, proved: bool) -> Vec<String> {
        let mut line = Vec::new();
        let mut node = *node;
        while line.len() < most && !self.limits.is_spent(0) {
            let Some(entry) = self.memory.entries.get(&node) else {
                break;
            };
            if proved && !entry.is_proof() {
                break;
            }
            let look = self.arena.look(&node, true);
            let next = look.children.get(usize::from(entry.best));
            let turn = next.and_then(|next| Some((self.arena.turn(&node, next)?, *next)));
            let Some((turn, next)) = turn else { break };
            line.push(turn);
            node = next;
        }
        line
    }

    /// Returns the value of a position `ply` plies below the root, within a window.
    fn search(&mut self, node: &Node, depth: u32, ply: u32, window: [i32; 2]) -> Option<i32> {
        if self.limits.is_spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        let known = self.memory.entries.get(node).copied();
        if let Some(value) = known.and_then(|entry| usable(entry, depth, ply, window)) {
            return Some(value);
        }
        let (mut look, depth) = self.look(node, depth, ply);
        if let Some(value) = at_sight(&look, depth, ply) {
            return Some(value);
        }
        let first = known.map_or(0, |entry| usize::from(entry.best));
        let first = if first < look.children.len() { first } else { 0 };
        look.children[..=first].rotate_right(1);
        let (best, place) = self.best_child(&look, depth, ply, window)?;
        let bound = match best {
            best if best >= window[1] => Bound::AtLeast,
            best if best <= window[0] => Bound::AtMost,
            _ => Bound::Exact,
        };
        // The index before the rotation.
        let place = match place {
            0 => first,
            place if place <= first => place - 1,
            place => place,
        };
        self.memory.insert(
            *node,
            Entry {
                value: shifted(best, ply as i32),
                depth,
                bound,
                best: place as u16,
            },
        );
        Some(best)
    }

    /// Evaluates a position and returns the depth to continue with; threats are extended.
    fn look(&self, node: &Node, depth: u32, ply: u32) -> (Look, u32) {
        let look = self.arena.look(node, depth > 0);
        match (look.threatened && ply < self.last_ply, depth) {
            (false, _) => (look, depth),
            (true, 0) => (self.arena.look(node, true), 1),
            (true, _) => (look, depth + 1),
        }
    }

    /// Returns the value and index of the best turn, within the window.
    fn best_child(
        &mut self,
        look: &Look,
        depth: u32,
        ply: u32,
        [mut alpha, beta]: [i32; 2],
    ) -> Option<(i32, usize)> {
        let (mut best, mut best_place) = (-INFINITE, 0);
        for (place, child) in look.children.iter().enumerate() {
            let value = self.child(child, depth - 1, ply, [alpha, beta], place == 0)?;
            if value > best {
                (best, best_place) = (value, place);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // Without all turns a loss is not proved.
        let best = if look.complete { best } else { best.max(-UNKNOWN) };
        Some((best, best_place))
    }

    fn child(
        &mut self,
        child: &Node,
        depth: u32,
        ply: u32,
        [alpha, beta]: [i32; 2],
        first: bool,
    ) -> Option<i32> {
        if !first && beta - alpha > 1 {
            let value = -self.search(child, depth, ply + 1, [-alpha - 1, -alpha])?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        Some(-self.search(child, depth, ply + 1, [-beta, -alpha])?)
    }
}

/// Returns the value of a position whose turns need not be searched.
fn at_sight(look: &Look, depth: u32, ply: u32) -> Option<i32> {
    if look.wins_at_once {
        return Some(won_in(ply + 1));
    }
    if depth == 0 {
        return Some(look.guess);
    }
    // If the children are complete, every turn loses at once.
    (look.children.is_empty()).then_some(if look.complete { -won_in(ply + 2) } else { -UNKNOWN })
}

/// Moves a proof by some plies: a value relative to the root, `ply` plies above, becomes one relative
/// to a position with `ply`, and the reverse with `-ply`.
fn shifted(value: i32, ply: i32) -> i32 {
    match value {
        won if won >= PROVED => won + ply,
        lost if lost <= -PROVED => lost - ply,
        guess => guess,
    }
}

/// Returns a stored value if it decides the window; proofs apply at any depth.
fn usable(entry: Entry, depth: u32, ply: u32, [alpha, beta]: [i32; 2]) -> Option<i32> {
    let value = shifted(entry.value, -(ply as i32));
    // For example, an upper bound of 'won' proves nothing.
    let proves = match entry.bound {
        Bound::Exact => is_proved(value),
        Bound::AtLeast => value >= PROVED,
        Bound::AtMost => value <= -PROVED,
    };
    if entry.depth < depth && !proves {
        return None;
    }
    let answers = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= beta,
        Bound::AtMost => value <= alpha,
    };
    answers.then_some(value)
}
