//! Where a first draw would be (docs/PROOF.md, The first draw).
//!
//! Let n be the least length with a draw, P drawn with Left to move, and g and h its halves, read
//! from the goal lines. By Theorem T' neither half has a closed beginning that leaves a square, and
//! by Theorem F p(g) < V(h) and p(h) ≤ V(g). By Theorem 3 no window at either end decides P, and
//! Theorem 4 excludes boards that Left wins without the move. Each condition is a set of boards, so
//! the boards that satisfy all of them are counted exactly.

use super::claim::{Claim, Finding};
use super::error::TheoryError;
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_base::random::Uniform;
use phutbase_rules::strip::{After, AnyStrip, MAX_LENGTH, Strip, positions};
use phutbase_sets::halves::{HalfState, left_halves, right_halves, winners};
use phutbase_sets::{Diagram, Graph, Join, Members, Ref, Sets, TooLarge, View};
use phutbase_solution::directional::automaton::PotentialState;
use phutbase_solution::forward::{ForwardState, HalfValues};
use phutbase_table::decide::search::{MAX_POSITIONS, Search};
use phutbase_table::{StripSets, TableError, Tablebase};
use rayon::prelude::*;
use serde::Serialize;

/// The boards that could be a first draw, by length, and a sample of them.
pub struct FirstDraw<'a> {
    pub tables: &'a Tablebase,
    /// The won boards of the longest length of the tables.
    pub sets: &'a StripSets,
    /// Searches this many boards of the sample.
    pub trials: usize,
    pub seed: u64,
    /// Lists at most this many boards that are left.
    pub limit: usize,
}

impl<'a> Claim for FirstDraw<'a> {
    fn check(&mut self, length: usize, job: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let found = Candidates::new(length, self.sets, job)?;
        let all = positions(length);
        let (by_theorems, by_windows) = (found.by_theorems(), found.by_windows());
        let left = found.left().total().clone();
        let undecided = kept(&sample(&found, self.trials, self.seed), |board| {
            is_open(self.tables, &AnyStrip::from(board))
        })?;
        let by_theorem_n = kept(&undecided, |board| has_open_reversible_turn(self.tables, board))?;
        let examples = &by_theorem_n[..by_theorem_n.len().min(self.limit)];
        let words = format!(
            "of {} boards with Left to move, Theorems F and T' leave {}, windows of {} squares {} of them, and the tempo {}",
            grouped(&all),
            grouped(&by_theorems),
            self.sets.length(),
            grouped(&by_windows),
            grouped(&left),
        );
        let sampled = format!(
            "of {} of these at random, a search leaves {}, and Theorem N {}",
            self.trials,
            undecided.len(),
            by_theorem_n.len()
        );
        let lines = Some(sampled).filter(|_| left > BigUint::ZERO).into_iter();
        Ok(Finding {
            holds: true,
            words,
            lines: lines.chain(examples.iter().map(Strip::to_string)).collect(),
            fields: object! {
                positions: Count(all),
                /// Boards with Left to move without a closed beginning that Theorem F does not decide.
                by_theorems: Count(by_theorems),
                /// Those of them that no window of the longest table decides.
                by_windows: Count(by_windows),
                /// Those of them that the tempo does not exclude.
                left: Count(left),
                /// Random boards of these, and those that a search does not decide.
                trials: self.trials,
                seed: self.seed,
                undecided: undecided.len(),
                /// Those of the latter with a turn that is not proper to a position that a search does
                /// not decide. Some first draw has one, and its proper turns lose.
                by_theorem_n: by_theorem_n.len(),
                /// Boards that satisfy all conditions.
                examples: examples.to_vec(),
            },
        })
    }
}

/// Returns whether a turn that is not proper leads to a position that a search does not decide
/// (docs/PROOF.md, Corollary G3).
fn has_open_reversible_turn(tables: &Tablebase, board: &Strip) -> Result<bool, TableError> {
    let others = (board.turns().into_iter()).filter(|turn| !turn.is_proper(board));
    for turn in others {
        if let After::Position(next) = board.after(turn)
            && is_open(tables, &AnyStrip::from(&next))?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_open(tables: &Tablebase, strip: &AnyStrip) -> Result<bool, TableError> {
    let decided = Search::new(tables, MAX_POSITIONS, &|| false).decide(strip, HalfValues::both(strip))?;
    Ok(decided.is_err())
}

fn kept(
    boards: &[Strip],
    keeps: impl Fn(&Strip) -> Result<bool, TableError> + Send + Sync,
) -> Result<Vec<Strip>, TableError> {
    let kept: Result<Vec<bool>, TableError> = boards.par_iter().map(keeps).collect();
    let pairs = boards.iter().zip(kept?);
    Ok(pairs.filter(|(_, kept)| *kept).map(|(board, _)| *board).collect())
}

/// The boards of a length with Left to move that satisfy the conditions of Theorems F and T'.
pub struct Candidates {
    graph: Graph,
    /// The boards that Theorems F and T' leave, those of them that no window decides, and those of
    /// these that the tempo leaves.
    sets: [Ref; 3],
}

impl Candidates {
    /// Computes the sets of a length, given the winners of a shorter one without a draw. Reports
    /// four steps.
    ///
    /// # Errors
    /// More nodes than a graph can hold; the job was stopped.
    pub fn new(length: usize, table: &StripSets, job: &Job) -> Result<Candidates, TheoryError> {
        assert!(
            table.length() < length && length <= MAX_LENGTH,
            "a table of a shorter length"
        );
        job.expect(4, "conditions");
        let (graph, by_theorems) = by_theorems(length, job)?;
        job.step(1, "Theorems F and T'")?;
        let (graph, sets) = without(graph, [by_theorems; 2], |sets| lost_by_first_window(sets, table))?;
        job.step(2, "the window at the left end")?;
        let (graph, sets) = without(graph, sets, |sets| won_by_last_window(sets, table))?;
        job.step(3, "the window at the right end")?;
        let [by_theorems, by_windows] = sets;
        let sets = [by_theorems, by_windows, by_windows];
        let (graph, sets) = without(graph, sets, |sets| won_without_the_move(sets, table))?;
        job.step(4, "the tempo")?;
        Ok(Candidates { graph, sets })
    }

    /// Counts the boards that Theorems F and T' leave.
    pub fn by_theorems(&self) -> BigUint {
        self.members(0).total().clone()
    }

    /// Counts those of them that no window decides.
    pub fn by_windows(&self) -> BigUint {
        self.members(1).total().clone()
    }

    /// Returns the boards that satisfy all conditions.
    pub fn left(&self) -> Members<'_, Graph> {
        self.members(2)
    }

    fn members(&self, set: usize) -> Members<'_, Graph> {
        Members::new(&self.graph, self.sets[set])
    }
}

/// Removes boards from the last set. The new graph has the nodes of the sets only.
fn without<const N: usize>(
    graph: Graph,
    mut kept: [Ref; N],
    removed: impl FnOnce(&mut Sets) -> Result<Ref, TooLarge>,
) -> Result<(Graph, [Ref; N]), TooLarge> {
    let mut sets = Sets::new(graph);
    let removed = removed(&mut sets)?;
    kept[N - 1] = sets.join(Join::Minus, kept[N - 1], removed)?;
    let mut graph = Graph::new(sets.graph().length());
    let copied = graph.copy(sets.graph(), &kept)?;
    Ok((graph, copied.try_into().expect("as many as were copied")))
}

/// Returns the boards with the ball on one of the first squares, without the last of them, and with
/// these contents of the squares after the ball.
fn with_ball(graph: &mut Graph, squares: usize, after: Ref) -> Result<Ref, TooLarge> {
    let mut set = Ref::BOTTOM;
    for square in (0..squares - 1).rev() {
        let ball = if square > 0 { after } else { Ref::BOTTOM };
        set = graph.ternary(square, set, set, ball)?;
    }
    Ok(set)
}

/// Returns the boards of which Left wins the first squares, as many as the table has.
fn won_by_first_window(graph: &mut Graph, table: &StripSets, to_move: Side) -> Result<Ref, TooLarge> {
    Ok(graph.copy(table, &[table.won_by_left(to_move)])?[0])
}

/// Returns the boards of which Left, to move, does not win the first squares.
fn lost_by_first_window(sets: &mut Sets, table: &StripSets) -> Result<Ref, TooLarge> {
    let won = won_by_first_window(sets.graph_mut(), table, Side::Left)?;
    let any = with_ball(sets.graph_mut(), table.length(), Ref::TOP)?;
    sets.join(Join::Minus, any, won)
}

/// Returns the boards of which Left, to move, wins the last squares, as many as the table has.
fn won_by_last_window(sets: &mut Sets, table: &StripSets) -> Result<Ref, TooLarge> {
    let graph = sets.graph_mut();
    let shifted = Shifted {
        table,
        length: graph.length(),
    };
    let mut set = graph.copy(&shifted, &[table.won_by_left(Side::Left)])?[0];
    for square in (0..shifted.shift()).rev() {
        set = graph.ternary(square, set, set, Ref::BOTTOM)?;
    }
    Ok(set)
}

/// Returns the boards of which Left wins the first squares, as many as the table has, with Right to
/// move, though Right would win them if the board were a first draw: without its last square, and
/// without its last four empty squares (docs/PROOF.md).
fn won_without_the_move(sets: &mut Sets, table: &StripSets) -> Result<Ref, TooLarge> {
    let length = sets.graph().length();
    let cut = length - table.length();
    if cut > 4 {
        return Ok(Ref::BOTTOM);
    }
    let won = won_by_first_window(sets.graph_mut(), table, Side::Right)?;
    if cut == 1 {
        return Ok(won);
    }
    let mut empty_end = Ref::TOP;
    for square in (length - 4..length).rev() {
        empty_end = sets.graph_mut().binary(square, empty_end, Ref::BOTTOM)?;
    }
    // A square is between the ball and the empty ones.
    let boards = with_ball(sets.graph_mut(), length - 4, empty_end)?;
    sets.join(Join::And, won, boards)
}

/// Returns the boards of a length with Left to move that satisfy the conditions of Theorems F and
/// T'.
fn by_theorems(length: usize, job: &Job) -> Result<(Graph, Ref), TheoryError> {
    let (won, [won_by_left, _]) = winners::<PotentialState, ForwardState>(length, job)?;
    // The right half has a potential of at most the forward value of the left one.
    let (not_lost, [not_lost_by_left, _]) = winners::<ForwardState, PotentialState>(length, job)?;
    let mut graph = Graph::new(length);
    let [left_open, right_open] = [
        left_halves::<OpenState>(&mut graph, 0)?,
        right_halves::<OpenState>(&mut graph, 0)?,
    ];
    let won = graph.copy(&won, &[won_by_left])?[0];
    let not_lost = graph.copy(&not_lost, &[not_lost_by_left])?[0];
    let mut sets = Sets::new(graph);
    let mut set = sets.join(Join::And, left_open, right_open)?;
    set = sets.join(Join::And, set, not_lost)?;
    set = sets.join(Join::Minus, set, won)?;
    let mut graph = Graph::new(length);
    let set = graph.copy(sets.graph(), &[set])?[0];
    Ok((graph, set))
}

/// The state of the forward value, while no closed beginning was continued.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct OpenState(Option<ForwardState>);

impl HalfState for OpenState {
    const START: OpenState = OpenState(Some(ForwardState::START));

    fn step(self, stone: bool) -> OpenState {
        let open = self
            .0
            .filter(|&state| state == ForwardState::START || !state.is_closed());
        OpenState(open.map(|state| state.step(stone)))
    }

    fn number(self) -> i64 {
        i64::from(self.0.is_none())
    }
}

/// A table's sets as those of the last squares of longer strips.
struct Shifted<'a> {
    table: &'a StripSets,
    length: usize,
}

impl Shifted<'_> {
    fn shift(&self) -> usize {
        self.length - self.table.length()
    }
}

impl Diagram for Shifted<'_> {
    type Ref = u32;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, at: u32) -> View<u32> {
        match self.table.view(at) {
            View::Ternary(square, children) => View::Ternary(square + self.shift(), children),
            View::Binary(square, children) => View::Binary(square + self.shift(), children),
            leaf => leaf,
        }
    }
}

/// Returns random boards that satisfy all conditions, with repetition.
pub fn sample(candidates: &Candidates, boards: usize, seed: u64) -> Vec<Strip> {
    let (mut left, mut random) = (candidates.left(), Uniform::new(seed));
    let total = left.total().clone();
    if total == BigUint::ZERO {
        return Vec::new();
    }
    (0..boards)
        .map(|_| {
            let place = random.below(&total);
            left.nth(&place, Side::Left).expect("a place below the total")
        })
        .collect()
}
