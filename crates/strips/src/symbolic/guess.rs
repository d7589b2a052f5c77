//! The guess for level 0: the winners of directional Phutball.
//!
//! A potential p of half strips decides the directional game (docs/PROOF.md, Theorem 5): with g to
//! the left of the ball and h to the right, both read from the goal line to the ball, Left to move
//! wins if p(h) ≤ p(g), and Right to move loses if p(h) < p(g). Whoever loses by p cannot win the
//! ordinary game with forward turns alone, so level 0 is a subset; on strips of 64 squares all but
//! one in two million of these boards are in it.

use phutbase_base::job::{Job, Stopped};
use phutbase_sets::halves::{Unbuilt, winners};
use phutbase_sets::{Graph, Ref};

/// Returns the boards of a length that Left wins in directional Phutball, with Left and with Right
/// to move.
pub fn directional_winners(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Stopped> {
    winners(length, job).map_err(|unbuilt| match unbuilt {
        Unbuilt::Stopped(stopped) => stopped,
        Unbuilt::TooLarge(_) => unreachable!("no length has more nodes than a graph can hold"),
    })
}
