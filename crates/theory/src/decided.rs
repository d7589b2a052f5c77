//! The shares of random boards that each rule for strips of any length decides.

use super::claim::{Claim, Finding};
use super::error::TheoryError;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_base::random::Uniform;
use phutbase_rules::strip::AnyStrip;
use phutbase_solution::forward::HalfValues;
use phutbase_table::decide::Reason;
use phutbase_table::decide::search::{MAX_POSITIONS, Search};
use phutbase_table::{TableError, Tablebase};
use rayon::prelude::*;
use serde::Serialize;

/// The rules that decide random boards, by length.
pub struct Shares<'a> {
    pub tables: &'a Tablebase,
    /// Decides this many boards.
    pub trials: usize,
    pub seed: u64,
}

impl<'a> Claim for Shares<'a> {
    fn check(&mut self, length: usize, _: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let (trials, seed) = (self.trials, self.seed);
        let found = decided(self.tables, length, trials, seed)?;
        let share = |boards: usize| 100.0 * boards as f64 / trials as f64;
        let words = format!(
            "decided {:.2} %: forward value {:.2} %, table {:.2} %, window {:.2} %, search {:.2} %",
            share(trials - found.undecided),
            share(found.forward),
            share(found.table),
            share(found.window),
            share(found.search)
        );
        let fields = object! {
            trials: trials,
            seed: seed,
            #[serde(flatten)]
            found: found,
        };
        Ok(Finding {
            holds: true,
            words,
            lines: Vec::new(),
            fields,
        })
    }
}

/// Numbers of boards by the rule that decides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
pub fn decided(tables: &Tablebase, length: usize, trials: usize, seed: u64) -> Result<Decided, TableError> {
    let mut random = Uniform::new(seed);
    let board = || random_board(length, &mut random);
    let boards: Vec<AnyStrip> = std::iter::repeat_with(board).take(trials).collect();
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

fn random_board(length: usize, random: &mut Uniform) -> AnyStrip {
    let side = [Side::Left, Side::Right][random.index(2)];
    let ball = 1 + random.index(length - 2);
    let words: Vec<u64> = (0..length.div_ceil(64)).map(|_| random.word()).collect();
    let squares = (0..length).map(|square| square != ball && words[square / 64] >> (square % 64) & 1 == 1);
    AnyStrip::new(squares, ball, side).expect("the ball is on an interior square")
}
