//! GN Theorem 1 (Grossman & Nowakowski) for boards too large to enumerate: the prediction as sets
//! of boards, and a proof with sets that it is right.
//!
//! The potentials are counters, so the prediction is a comparison of the states of an automaton that
//! reads both halves, and has a small diagram.
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
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::job::Job;
use phutbase_rules::oddish::{MAX_SET_SQUARES, MIN_SQUARES};
use phutbase_rules::potentials::OddishSum;
use phutbase_sets::count::{count, size};
use phutbase_sets::turns::Quantifier;
use phutbase_sets::won::won_by;
use phutbase_sets::{Graph, Join, Ref, Sets, TooLarge};

/// Returns the predicted wins of Left on boards of one size, with Left and with Right to move. A board is a
/// strip with one cell more than squares, see [`turns`](super::turns).
pub fn predicted(squares: usize, job: &Job) -> Result<(Graph, [Ref; 2]), TheoryError> {
    if !(MIN_SQUARES..=MAX_SET_SQUARES).contains(&squares) {
        let most = MAX_SET_SQUARES;
        return Err(TheoryError::Squares { squares, most });
    }
    Ok(won_by::<OddishSum>(squares + 1, job)?)
}

pub fn check(squares: usize, job: &Job) -> Result<Theorem1, TheoryError> {
    let (graph, [a, r]) = predicted(squares, job)?;
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
