//! GN Theorem 1 (Grossman & Nowakowski) for boards too large to enumerate: the prediction as sets
//! of boards, and a proof with sets that it is right.
//!
//! The potentials are counters, so the prediction has a small diagram. Reading from left to right,
//! the squares before the arrow come in the order in which `p_R` is summed: a state is the sum and
//! whether the last square changed it. At the arrow `p_R` is known, and the other half must have
//! `p_L` ≤ `p_R` (Left to move) or `p_L` ≤ `p_R` − 1. Its squares come in the opposite order, but a
//! bound c on the sum of the squares further out is a sufficient state:
//!
//! ```text
//!     sum ≤ c from a square on  ⟺  it is empty and the sum after it ≤ c − 1, or it holds a stone and that sum ≤ c + 1
//!     p_L ≤ t                   ⟺  the square next to the arrow is empty and the sum after it ≤ 2t − 2,
//!                                   or it holds a stone and that sum ≤ 2t
//! ```
//!
//! Let A be the predicted wins of Left with Left to move, and R those with Right to move. [`check`]
//! shows with sets, for one size:
//!
//! 1. from every board of A some turn of Left *to the right of the arrow*, a stone there or a move
//!    of the arrow to the right, wins or leads into R;
//! 2. from every board of R every turn of Right wins for Left or leads into A, so none wins for
//!    Right;
//! 3. A and R together have as many boards as there are positions with one player to move.
//!
//! (1) and (2) are the induction of the proof in \[GN\] (GN Lemma 2): Left does not lose with turns
//! to the right only. **Play ends** by the argument of \[GN\], which does not use potentials and
//! holds for all sizes; it is not checked with sets. Suppose that play is infinite, with Left
//! turning to the right of the arrow only. Let q be the rightmost square that changes infinitely
//! often, and consider play after the last change of any square to the right of q. Stones on q
//! appear and disappear, and the arrow takes them, so it passes q to the right infinitely often. If
//! Right moved it, Left is to move with the arrow to the right of q, and every turn of Left changes
//! a square to the right of q. If Left moved it, the square to the left of the arrow is empty.
//! Right then moves it to the right, which changes a square to the right of q, or places a stone,
//! and Left is to move again. Both are impossible. So Left wins on A and on R. By the mirror Right
//! wins, with Left to move, on the mirror images of the boards of R, and (3) leaves no others: the
//! theorem is right on every board, and there is no draw.

use super::Theorem1;
use super::turns::{OddishAutomaton, OddishTurnKind};
use crate::error::TheoryError;
use hashbrown::HashMap;
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::job::Job;
use phutbase_rules::oddish::{MAX_SET_SQUARES, MIN_SQUARES};
use phutbase_sets::count::{count, size};
use phutbase_sets::turns::Quantifier;
use phutbase_sets::{Diagram, Graph, Join, Ref, Sets, TooLarge};

/// The predicted wins of Left on boards of one size.
#[derive(Debug)]
pub struct Predicted {
    /// The nodes; a board is a strip with one cell more than squares, see [`turns`](super::turns).
    pub graph: Graph,
    /// Left wins, with Left and with Right to move.
    pub sets: [Ref; 2],
}

impl Predicted {
    /// Builds the sets.
    pub fn new(squares: usize) -> Result<Predicted, TheoryError> {
        if !(MIN_SQUARES..=MAX_SET_SQUARES).contains(&squares) {
            let most = MAX_SET_SQUARES;
            return Err(TheoryError::Squares { squares, most });
        }
        let mut builder = Builder {
            graph: Graph::new(squares + 1),
            lead: 0,
            before: HashMap::new(),
            after: HashMap::new(),
        };
        let left = builder.before(0, 0, true)?;
        builder.before.clear();
        builder.lead = 1;
        let right = builder.before(0, 0, true)?;
        Ok(Predicted {
            graph: builder.graph,
            sets: [left, right],
        })
    }
}

struct Builder {
    graph: Graph,
    /// Minimum of `p_R` − `p_L`.
    lead: usize,
    /// By cell, sum so far, and whether the last square left it unchanged.
    before: HashMap<(usize, usize, bool), Ref>,
    /// By cell and bound.
    after: HashMap<(usize, usize), Ref>,
}

impl Builder {
    /// Returns the boards from `cell` on with the arrow still ahead.
    fn before(&mut self, cell: usize, sum: usize, unchanged: bool) -> Result<Ref, TooLarge> {
        if cell + 1 == self.graph.length() {
            return Ok(Ref::BOTTOM); // No interior gap.
        }
        if let Some(&known) = self.before.get(&(cell, sum, unchanged)) {
            return Ok(known);
        }
        let empty = self.before(cell + 1, sum + 1, false)?;
        let stone = self.before(cell + 1, sum.saturating_sub(1), sum == 0)?;
        let potential = sum / 2 + usize::from(!unchanged);
        let arrow = match potential.checked_sub(self.lead) {
            Some(most) if cell > 0 => self.own_half(cell + 1, most)?,
            _ => Ref::BOTTOM,
        };
        let node = self.graph.ternary(cell, empty, stone, arrow)?;
        self.before.insert((cell, sum, unchanged), node);
        Ok(node)
    }

    /// Returns the half strips from `cell`, next to the arrow, with `p_L` ≤ `most`.
    fn own_half(&mut self, cell: usize, most: usize) -> Result<Ref, TooLarge> {
        let empty = match most {
            0 => Ref::BOTTOM,
            _ => self.sum_at_most(cell + 1, 2 * most - 2)?,
        };
        let stone = self.sum_at_most(cell + 1, 2 * most)?;
        self.graph.binary(cell, empty, stone)
    }

    /// Returns the squares from `cell` on whose sum, from the goal line inward, is at most `most`.
    fn sum_at_most(&mut self, cell: usize, most: usize) -> Result<Ref, TooLarge> {
        if most >= self.graph.length() - cell {
            return Ok(Ref::TOP);
        }
        if let Some(&known) = self.after.get(&(cell, most)) {
            return Ok(known);
        }
        let empty = match most.checked_sub(1) {
            Some(less) => self.sum_at_most(cell + 1, less)?,
            None => Ref::BOTTOM,
        };
        let stone = self.sum_at_most(cell + 1, most + 1)?;
        let node = self.graph.binary(cell, empty, stone)?;
        self.after.insert((cell, most), node);
        Ok(node)
    }
}

pub fn check(squares: usize, job: &Job) -> Result<Theorem1, TheoryError> {
    job.check()?;
    let Predicted { graph, sets: [a, r] } = Predicted::new(squares)?;
    let number = |boards: BigUint| {
        u128::try_from(boards).expect("boards of up to 120 squares have fewer than 2^128 positions")
    };
    // By the mirror Right wins as many with Left to move as Left with Right to move.
    let [wins, losses] = [a, r].map(|set| number(count(&graph, set)));
    let nodes = size(&graph, &[a, r]);
    let mut turns = OddishAutomaton::reading(Sets::new(graph), squares, false)?;
    let mut unproved = |set, quantifier, kinds: &[OddishTurnKind], target| {
        let proved = turns.preimage(quantifier, kinds, target)?;
        let rest = turns.sets().join(Join::Minus, set, proved)?;
        Ok::<_, TooLarge>(number(count(turns.sets().graph(), rest)))
    };
    // Boards of A without a turn to the right that wins or leads into R, and boards of R with a
    // turn that wins for Right or does not lead into A.
    let no_turn = unproved(a, Quantifier::Exists, &OddishTurnKind::FORWARD, r)?;
    job.check()?;
    let bad_turn = unproved(r, Quantifier::ForAll, &OddishTurnKind::ALL, a)?;
    let positions = (squares as u128 - 1) << squares;
    Ok(Theorem1 {
        squares,
        checked: "sets",
        positions: Count(positions),
        wins: Count(wins),
        losses: Count(losses),
        draws: Count(positions.saturating_sub(wins + losses)),
        longest: None,
        mismatches: Count(no_turn + bad_turn),
        nodes: Some(nodes),
    })
}
