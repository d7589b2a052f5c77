//! The shares of random boards that each rule for strips of any length decides.

use phutbase_base::outcome::Side;
use phutbase_base::random::Uniform;
use phutbase_rules::forward::HalfValues;
use phutbase_rules::strip::AnyStrip;
use phutbase_table::decide::Reason;
use phutbase_table::decide::search::{MAX_POSITIONS, Search};
use phutbase_table::{TableError, Tablebase};
use rayon::prelude::*;

/// Numbers of boards by the rule that decides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// By Theorem F.
    pub forward: usize,
    /// By a table, after closed ends were cut off.
    pub table: usize,
    /// By a window.
    pub window: usize,
    /// By a search.
    pub search: usize,
    /// By nothing.
    pub undecided: usize,
}

/// Decides random boards of a length: every square but the ball's is a stone with probability 1/2,
/// the ball's square and the player to move are uniform.
pub fn decided(tables: &Tablebase, length: usize, boards: usize, seed: u64) -> Result<Decided, TableError> {
    let mut bits = Bits::new(seed);
    let random = || {
        let side = if bits.bit() { Side::Left } else { Side::Right };
        bits.board(length, side)
    };
    let boards: Vec<AnyStrip> = std::iter::repeat_with(random).take(boards).collect();
    let decisions: Result<Vec<_>, TableError> = (boards.par_iter())
        .map(|board| Search::new(tables, MAX_POSITIONS, &|| false).decide(board, HalfValues::both(board)))
        .collect();
    let mut decided = Decided::default();
    for decision in decisions? {
        *match decision.map(|decision| decision.reason) {
            Ok(Reason::Forward(_)) => &mut decided.forward,
            Ok(Reason::Table | Reason::Cut { .. }) => &mut decided.table,
            Ok(Reason::Window { .. }) => &mut decided.window,
            Ok(Reason::Search { .. }) => &mut decided.search,
            Err(_) => &mut decided.undecided,
        } += 1;
    }
    Ok(decided)
}

/// Random bits, the same for the same seed.
struct Bits {
    uniform: Uniform,
    word: u64,
    left: u32,
}

impl Bits {
    /// Starts a sequence.
    fn new(seed: u64) -> Bits {
        Bits {
            uniform: Uniform::new(seed),
            word: 0,
            left: 0,
        }
    }

    /// Returns the next bit.
    fn bit(&mut self) -> bool {
        if self.left == 0 {
            (self.word, self.left) = (self.uniform.word(), 64);
        }
        self.left -= 1;
        self.word >> self.left & 1 == 1
    }

    /// Returns a number below a bound, by rejection.
    fn below(&mut self, bound: usize) -> usize {
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
    fn board(&mut self, length: usize, side: Side) -> AnyStrip {
        let ball = 1 + self.below(length - 2);
        let squares = (0..length).map(|square| self.bit() && square != ball);
        AnyStrip::new(squares, ball, side).expect("the ball is on an interior square")
    }
}
