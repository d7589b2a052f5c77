//! Where a first draw would be (docs/PROOF.md, The first draw).
//!
//! Let n be the least length with a draw, P drawn with Left to move, and g and h its halves, read
//! from the goal lines. By Theorem T' neither half has a closed beginning that leaves a square, and
//! by Theorem F p(g) < V(h) and p(h) ≤ V(g). The boards that satisfy this are counted exactly. Random
//! ones show which share the windows of a table leave.

use crate::decide::search::SearchLimits;
use crate::decide::{by_rules, decide};
use crate::games::directional::automaton::PotentialState;
use crate::games::forward::{ForwardState, HalfValues};
use crate::games::strip::{Halves, LongStrip};
use crate::outcome::{Side, Wdl};
use crate::table::strip::find::Uniform;
use crate::table::{TableError, Tablebase};
use num_bigint::BigUint;
use std::collections::HashMap;

/// Returns whether a board with Left to move satisfies the conditions.
pub fn is_candidate(values: [HalfValues; 2]) -> bool {
    let [left, right] = values;
    left.closed == 0 && right.closed == 0 && left.potential < right.forward && right.potential <= left.forward
}

/// Numbers of half strips without a closed beginning, by potential and forward value.
type Counts = HashMap<(i64, i64), u128>;

/// Greatest length to count. Of the half strips of this length fewer than 2^128 have no closed
/// beginning.
pub const MAX_LENGTH: usize = 136;

/// Counts the boards with Left to move that satisfy the conditions.
pub fn count(length: usize) -> BigUint {
    assert!(
        (3..=MAX_LENGTH).contains(&length),
        "the counts of halves fit 128 bits"
    );
    let halves = halves(length - 2);
    (1..=length - 2)
        .map(|ball| pairs(&halves[ball - 1], &halves[length - ball - 2]))
        .sum()
}

/// Counts the half strips of 1 to `longest` squares.
fn halves(longest: usize) -> Vec<Counts> {
    let mut states = HashMap::from([((ForwardState::START, PotentialState::HOME), 1u128)]);
    (0..longest)
        .map(|read| {
            let mut next = HashMap::with_capacity(2 * states.len());
            for (&(forward, potential), &words) in &states {
                // A closed beginning must not be continued.
                if read > 0 && forward.is_closed() {
                    continue;
                }
                for stone in [false, true] {
                    *next
                        .entry((forward.step(stone), potential.step(stone)))
                        .or_insert(0) += words;
                }
            }
            states = next;
            let mut counts = Counts::new();
            for (&(forward, potential), &words) in &states {
                let value = i64::from(forward.value());
                *counts.entry((potential.potential(), value)).or_insert(0) += words;
            }
            counts
        })
        .collect()
}

fn pairs(left: &Counts, right: &Counts) -> BigUint {
    let mut boards = BigUint::ZERO;
    for (&(potential, forward), &words) in left {
        let fits = |&(&(other_potential, other_forward), _): &(&(i64, i64), &u128)| {
            potential < other_forward && other_potential <= forward
        };
        let matching: BigUint = right
            .iter()
            .filter(fits)
            .map(|(_, &words)| BigUint::from(words))
            .sum();
        boards += matching * words;
    }
    boards
}

/// The boards of a sample, by what the table and a search say about them.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// Boards that a window decides.
    pub by_windows: usize,
    /// Other boards that Left wins, by a window, with Right to move. In a first draw Right wins
    /// them.
    pub by_tempo: usize,
    /// Other boards that a search decides.
    pub by_search: usize,
    /// The boards left.
    pub left: Vec<LongStrip>,
}

/// Examines random boards that satisfy the conditions, with the windows of the longest table.
pub fn sample(tables: &Tablebase, length: usize, boards: usize, seed: u64) -> Result<Sampled, TableError> {
    let mut random = Bits::new(seed);
    let mut sampled = Sampled::default();
    for _ in 0..boards {
        let board = random.candidate(length);
        let values = HalfValues::both(&board);
        if by_rules(tables, &board, values)?.is_some() {
            sampled.by_windows += 1;
        } else if is_won_without_the_move(tables, &board)? {
            sampled.by_tempo += 1;
        } else if decide(tables, &board, values, SearchLimits::default())?.is_some() {
            sampled.by_search += 1;
        } else {
            sampled.left.push(board);
        }
    }
    Ok(sampled)
}

/// Returns whether Left wins the first squares, as many as the longest table has, with Right to
/// move, though Right would win them if the board were a first draw: without its last square, and
/// without its last four empty squares (docs/PROOF.md).
fn is_won_without_the_move(tables: &Tablebase, board: &LongStrip) -> Result<bool, TableError> {
    let Some(longest) = tables.longest_strips(false) else {
        return Ok(false);
    };
    let cut = board.length().saturating_sub(longest);
    let are_empty = (1..=4).all(|last| !board.stone(board.length() - last));
    let applies = cut == 1 || (cut <= 4 && are_empty && board.ball() + 5 < board.length());
    let Some(window) = board.window(0, longest - 1).filter(|_| applies && cut > 0) else {
        return Ok(false);
    };
    let verdict = tables.verdict(&window.with_side(Side::Right))?;
    Ok(verdict.wdl == Wdl::Loss)
}

/// Random bits, the same for the same seed.
pub struct Bits {
    uniform: Uniform,
    word: u64,
    left: u32,
}

impl Bits {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Bits {
        Bits {
            uniform: Uniform::new(seed),
            word: 0,
            left: 0,
        }
    }

    /// Returns the next bit.
    pub fn bit(&mut self) -> bool {
        if self.left == 0 {
            // Only the greatest word never occurs.
            let word = self.uniform.below(&BigUint::from(u64::MAX));
            self.word = u64::try_from(word).expect("less than the bound");
            self.left = 64;
        }
        self.left -= 1;
        self.word >> self.left & 1 == 1
    }

    /// Returns a number below a bound, by rejection.
    pub fn below(&mut self, bound: usize) -> usize {
        let bits = usize::BITS - (bound - 1).leading_zeros();
        loop {
            let number = (0..bits).fold(0, |number, _| number << 1 | usize::from(self.bit()));
            if number < bound {
                return number;
            }
        }
    }

    /// Returns a random board with this player to move: every square but the ball's is a stone with
    /// probability 1/2.
    pub fn board(&mut self, length: usize, side: Side) -> LongStrip {
        let ball = 1 + self.below(length - 2);
        let squares = (0..length).map(|square| self.bit() && square != ball);
        LongStrip::new(squares, ball, side).expect("the ball is on an interior square")
    }

    /// Returns a random board with Left to move that satisfies the conditions, by rejection.
    fn candidate(&mut self, length: usize) -> LongStrip {
        loop {
            let ball = 1 + self.below(length - 2);
            let Some(left) = self.open_half(ball) else {
                continue;
            };
            let Some(right) = self.open_half(length - 1 - ball) else {
                continue;
            };
            let squares = left.into_iter().chain([false]).chain(right.into_iter().rev());
            let board = LongStrip::new(squares, ball, Side::Left).expect("an interior square");
            if is_candidate(HalfValues::both(&board)) {
                return board;
            }
        }
    }

    /// Returns a random half, from the goal line on; `None` if it has a closed beginning.
    fn open_half(&mut self, length: usize) -> Option<Vec<bool>> {
        let (mut state, mut squares) = (ForwardState::START, Vec::new());
        for read in 0..length {
            if read > 0 && state.is_closed() {
                return None;
            }
            squares.push(self.bit());
            state = state.step(squares[read]);
        }
        Some(squares)
    }
}
