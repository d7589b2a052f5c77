//! Theorem 1 of Grossman & Nowakowski for boards that nobody can enumerate: the prediction as sets of boards, and a proof
//! by sets that it is right.
//!
//! The potentials are counters, so what the theorem predicts has a small diagram. Read from left to right, the squares
//! before the arrow are read in the order in which p_R is summed up: a state is the sum and whether the last square changed
//! it. At the arrow p_R is known, and the other half must have p_L ≤ p_R (Left to move) or p_L ≤ p_R − 1. Its squares come in
//! the opposite order; but the sum of the squares further out may be at most some c, and that bound is all that is left to be known:
//!
//! ```text
//!     sum ≤ c from a square on  ⟺  it is empty and the sum after it ≤ c − 1, or it holds a stone and that sum ≤ c + 1
//!     p_L ≤ t                   ⟺  the square next to the arrow is empty and the sum after it ≤ 2t − 2,
//!                                   or it holds a stone and that sum ≤ 2t
//! ```
//!
//! Let A be the predicted wins of Left's with Left to move, R those with Right to move. [`check`] shows by sets, for one size:
//!
//! 1. from every board of A some turn of Left's *to the right of the arrow*, a stone there or a move of the arrow to the right, wins
//!    or leads into R;
//! 2. from every board of R every turn of Right's wins for Left or leads into A; so none wins for Right;
//! 3. A and R have as many boards together as there are boards.
//!
//! (1) and (2) are the induction of the proof in \[GN\] (Lemma 2): Left, turning to the right only, does not lose. **Play ends**
//! then, by the argument of \[GN\], which is not about potentials and holds for all sizes; it is this, and not checked by sets. Suppose
//! play went on for ever, with Left turning to the right of the arrow only. Let q be the rightmost square that changes
//! infinitely often, and look at play after the last change of any square to the right of q. Stones come to q and go, and the arrow
//! takes them; so it passes q to the right again and again. If Right has moved it, it is Left's turn, with the arrow to the right of
//! q: whatever he does changes a square to the right of q. If Left has moved it, the square to the left of the arrow is empty. So Right
//! moves it to the right, which changes a square to the right of q, or places a stone; and then it is Left's turn again. Both are
//! impossible. So Left wins on A and on R. By the mirror Right wins, with Left to move, on the mirror images of the boards of R, and (3)
//! leaves no others: the theorem is right on every board, and there is no draw.

use super::turns::{Kind, Turns};
use crate::diagram::Diagram;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::{count, size};
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::turns::Which;
use crate::games::oddish::{MAX_SET_SQUARES, MIN_SQUARES};
use crate::theory::watch::{TheoryError, Watch};
use hashbrown::HashMap;
use num_bigint::BigUint;

/// The predicted wins of Left's on boards of one size.
#[derive(Debug)]
pub struct Predicted {
    /// The nodes; a board is a strip of one cell more than it has squares, see [`turns`](super::turns).
    pub graph: Graph,
    /// Left wins, with Left and with Right to move.
    pub sets: [Ref; 2],
}

impl Predicted {
    /// Makes the sets; `None` if the size is out of range.
    pub fn new(squares: usize) -> Result<Option<Predicted>, TooLarge> {
        if !(MIN_SQUARES..=MAX_SET_SQUARES).contains(&squares) {
            return Ok(None);
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
        Ok(Some(Predicted {
            graph: builder.graph,
            sets: [left, right],
        }))
    }
}

struct Builder {
    graph: Graph,
    /// By how much p_L must be below p_R at least.
    lead: usize,
    /// By cell, sum so far, whether the last square left it unchanged.
    before: HashMap<(usize, usize, bool), Ref>,
    /// By cell and bound.
    after: HashMap<(usize, usize), Ref>,
}

impl Builder {
    /// Boards from `cell` on with the arrow still to come.
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

    /// The half boards from `cell`, next to the arrow, on with p_L ≤ `most`.
    fn own_half(&mut self, cell: usize, most: usize) -> Result<Ref, TooLarge> {
        let empty = match most {
            0 => Ref::BOTTOM,
            _ => self.sum_at_most(cell + 1, 2 * most - 2)?,
        };
        let stone = self.sum_at_most(cell + 1, 2 * most)?;
        self.graph.binary(cell, empty, stone)
    }

    /// The squares from `cell` on whose sum, from the goal line inward, is at most `most`.
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

/// What was found about one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of squares.
    pub squares: usize,
    /// Positions with Left to move that the theorem gives to Left.
    pub wins: BigUint,
    /// Those that it gives to Right: as many as it gives to Left with Right to move, by the mirror.
    pub losses: BigUint,
    /// Nodes of the two sets as diagrams.
    pub nodes: usize,
    /// Boards of A without a turn to the right that wins or leads into R.
    pub no_turn: BigUint,
    /// Boards of R with a turn that wins for Right or does not lead into A.
    pub bad_turn: BigUint,
}

impl Checked {
    /// All boards.
    pub fn positions(&self) -> BigUint {
        BigUint::from(self.squares - 1) << self.squares
    }

    /// Whether Theorem 1 is proved for this size.
    pub fn holds(&self) -> bool {
        self.no_turn == BigUint::ZERO
            && self.bad_turn == BigUint::ZERO
            && &self.wins + &self.losses == self.positions()
    }
}

/// Checks Theorem 1 on one size by sets.
///
/// # Errors
/// [`TheoryError`] if the size is out of range, it is interrupted, or the diagrams grow past what can be numbered.
pub fn check(squares: usize, watch: Watch<'_>) -> Result<Checked, TheoryError> {
    watch.check(squares)?;
    let Some(Predicted { graph, sets: [a, r] }) = Predicted::new(squares)? else {
        return Err(TheoryError::Squares {
            squares,
            most: MAX_SET_SQUARES,
        });
    };
    let (wins, losses) = (count(&graph, a), count(&graph, r));
    let nodes = size(&graph, &[a, r]);
    let mut turns = Turns::new(Sets::new(graph))?;
    let mut unproved = |set, which, kinds: &[Kind], target| {
        let proved = turns.lead_by(which, kinds, target)?;
        let rest = turns.sets().join(Join::Minus, set, proved)?;
        Ok::<_, TooLarge>(count(turns.sets().graph(), rest))
    };
    let no_turn = unproved(a, Which::Some, &Kind::FORWARD, r)?;
    watch.check(squares)?;
    let bad_turn = unproved(r, Which::Every, &Kind::ALL, a)?;
    Ok(Checked {
        squares,
        wins,
        losses,
        nodes,
        no_turn,
        bad_turn,
    })
}
