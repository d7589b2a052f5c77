//! What the dense engine found, handed over block by block to be written.

use crate::games::rules::Rules;
use crate::outcome::Side;
use crate::solve::dense::DenseSolver;
use crate::solve::dense::pool::State;
use crate::table::writer::DenseSource;

/// A finished solver as the source of a table.
pub(super) struct Solved<'a>(pub &'a DenseSolver);

impl DenseSource for Solved<'_> {
    fn length(&self) -> usize {
        self.0.layout().length()
    }

    fn rules(&self) -> Rules {
        self.0.rules()
    }

    fn engine(&self) -> &str {
        "dense"
    }

    fn key(&self, to_move: Side, ball: usize, high: u64) -> u32 {
        let place = self.0.layout().place(ball, high as usize);
        self.0.plane(to_move)[place].0
    }

    fn depths(&self, to_move: Side, key: u32, bytes: &mut [u8; 4096]) {
        self.0.pool(to_move).depths(State(key), bytes);
    }
}
