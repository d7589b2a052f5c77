//! The relation between half strips for one length and ball square, and its chain property.
//!
//! Fix the ball. The half strip h to its right and the half strip g to its left form the position,
//! so *Left, to move, wins* is a relation between h (Left's own half) and g. The row of h is the
//! set of left halves that h beats; the column of g is the set of right halves that beat g.
//! [`Diagrams`](super::diagrams::Diagrams) has both.
//!
//! The rows form a *chain* if any two are nested; then so do the columns, and two numbers determine
//! the relation. Let a(h) be the number of own halves (of h's length) whose row is at least as
//! large as h's, and b(g) the size of g's column. Then
//!
//! ```text
//!     h beats g  ⟺  a(h) ≤ b(g)
//! ```
//!
//! because the column of g contains, with any half strip, all those with a row as large.

use super::trie::{Map, Tries};
use phutbase_rules::half::Half;
use std::cmp::Reverse;

/// Why half strips have no ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unranked {
    /// Half strips on each side of the ball beat each other crosswise, which no two numbers
    /// explain: a counterexample to the exact potential.
    #[error("the half strips are not an interval order (a Ferrers relation): {0}")]
    Crossing(String),
    /// There are draws, so a position that is not won need not be lost.
    #[error("there are draws at length {0}: the exact potential only describes wins and losses")]
    Draws(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The mover's own half, towards the goal attacked.
    Own,
    Other,
}

/// The numbers a or b of all half strips of one length against all of another.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The rank of each half strip: an index into `numbers`.
    pub map: Map,
    /// By rank: a, increasing, or b, decreasing; in both cases the best come first.
    pub numbers: Vec<u64>,
}

/// Returns the ranks of half strips whose rows (own halves) or columns (others) `map` identifies by
/// number. `beyond` returns the least half strip in one set but not in another.
pub(super) fn ranked(
    tries: &mut Tries,
    role: Role,
    map: Map,
    sizes: &[u64],
    mut beyond: impl FnMut(u32, u32) -> Option<Half>,
) -> Result<Ranks, Unranked> {
    let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
    order.sort_by_key(|&set| Reverse(sizes[set as usize]));
    for pair in order.windows(2) {
        let Some(of_smaller) = beyond(pair[1], pair[0]) else {
            continue;
        };
        let of_larger = beyond(pair[0], pair[1]).expect("a set that is no smaller has a member of its own");
        let classes = tries.classes(map);
        let [larger, smaller] = [pair[0], pair[1]].map(|set| {
            let class = classes.iter().find(|class| class.value == set);
            class.expect("every set is that of a half strip").smallest
        });
        let ([own, own_2], [other, other_2]) = match role {
            Role::Own => ([larger, smaller], [of_larger, of_smaller]),
            Role::Other => ([of_smaller, of_larger], [smaller, larger]),
        };
        return Err(Unranked::Crossing(format!(
            "{own} beats {other} and not {other_2}, {own_2} beats {other_2} and not {other}"
        )));
    }
    let mut rank_of = vec![0; order.len()];
    for (rank, &set) in order.iter().enumerate() {
        rank_of[set as usize] = rank as u32;
    }
    let map = tries.relabelled(map, &mut |set| rank_of[set as usize]);
    let mut no_smaller = 0;
    let numbers = match role {
        Role::Own => (tries.classes(map).iter())
            .map(|class| {
                no_smaller += class.size as u64;
                no_smaller
            })
            .collect(),
        Role::Other => order.iter().map(|&set| sizes[set as usize]).collect(),
    };
    Ok(Ranks { map, numbers })
}
