//! Turns that are not proper, and the answers that take them back (docs/PROOF.md, Theorem N).
//!
//! A stone of Right's *takes back* a turn of Left's if Left wins the board before the turn whenever he
//! wins the board after both, with either player to move. The claim: behind every left half some stone
//! takes back the turn whatever the right half is. So the squares that are known are two words at the
//! left end, and the [law of replacement](super::replace) from the one to the other decides for every
//! length.

use super::claim::{Claim, Finding};
use super::error::TheoryError;
use super::outside::{Outside, Pairs};
use hashbrown::HashMap;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Turn;
use phutbase_rules::{Boards, Rules};
use phutbase_solution::HalfState;
use phutbase_solution::rule::Value;
use serde::Serialize;

/// Most squares of a left half.
pub const MAX_SQUARES: usize = 16;

/// The claim that one stone takes back every turn that is not proper, by the squares of the left half.
pub struct Reversible {
    /// Lists at most this many turns that nothing takes back.
    pub limit: usize,
}

impl Claim for Reversible {
    fn check(&mut self, squares: usize, job: &Job) -> Result<Finding<impl Serialize + use<>>, TheoryError> {
        let found = answered(squares, self.limit, job)?;
        let [turns, exceptions] = [found.turns, found.exceptions].map(grouped);
        let examples = found.first.iter().map(|(known, turn)| format!("{known} {turn}"));
        let examples: Vec<String> = examples.collect();
        Ok(Finding {
            holds: found.exceptions == 0,
            words: format!("of {turns} turns that are not proper, {exceptions} that no stone takes back"),
            lines: examples.clone(),
            fields: object! {
                half_length: squares,
                /// Turns that are not proper, one for each left half and square.
                turns: found.turns,
                /// Those that no stone of Right's takes back for all right halves.
                exceptions: found.exceptions,
                /// The first of them: the first squares of the board, and the turn.
                examples: examples,
            },
        })
    }

    fn unit(&self) -> [&'static str; 2] {
        ["", " squares behind the ball"]
    }

    fn boards(&self, _: usize) -> Option<(Boards, Rules)> {
        None
    }
}

/// The first squares of a board, with the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    pub squares: usize,
    pub ball: usize,
    /// Bit i is square i.
    pub stones: u32,
}

impl Beginning {
    /// Returns the beginning after a turn of Left's that is not proper; `None` if it is not legal.
    fn after(self, turn: Turn) -> Option<Beginning> {
        let Beginning { ball, stones, .. } = self;
        let has = |square: usize| stones >> square & 1 == 1;
        match turn {
            Turn::Place(square) => self.with_stone(square),
            Turn::Jump(to) => {
                let over = (ball + to) / 2;
                let legal = to.abs_diff(ball) == 2 && has(over) && !has(to);
                legal.then_some(Beginning {
                    ball: to,
                    stones: stones & !(1 << over),
                    ..self
                })
            }
            Turn::Off(_) => None,
        }
    }

    fn on_the_left(self) -> impl Iterator<Item = bool> {
        (0..self.ball).map(move |square| self.stones >> square & 1 == 1)
    }

    /// Returns the known squares on the right of the ball, read towards it.
    fn on_the_right(self) -> Vec<bool> {
        let squares = self.ball + 1..self.squares;
        squares
            .rev()
            .map(|square| self.stones >> square & 1 == 1)
            .collect()
    }

    fn with_stone(self, square: usize) -> Option<Beginning> {
        let is_empty = square != self.ball && self.stones >> square & 1 == 0;
        is_empty.then_some(Beginning {
            stones: self.stones | 1 << square,
            ..self
        })
    }
}

impl std::fmt::Display for Beginning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (0..self.squares).try_for_each(|square| {
            f.write_str(match self.stones >> square & 1 {
                _ if square == self.ball => "@",
                1 => "o",
                _ => ".",
            })
        })
    }
}

/// The turns that are not proper, with left halves of one length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    pub turns: u64,
    /// Those that no stone takes back.
    pub exceptions: u64,
    /// The first of them.
    pub first: Vec<(Beginning, Turn)>,
}

/// Looks for the stone that takes back each turn, with this many squares behind the ball; lists at
/// most `limit` turns without one. A stone that fills the left half is left out: Right has no answer
/// there. The job counts left halves.
///
/// # Panics
/// There must be 1 to [`MAX_SQUARES`] squares.
pub fn answered(squares: usize, limit: usize, job: &Job) -> Result<Answered, TheoryError> {
    assert!((1..=MAX_SQUARES).contains(&squares));
    job.expect(1 << squares, "left halves");
    let mut laws = Laws::default();
    let mut found = Answered::default();
    for stones in 0..1 << squares {
        job.advance(1)?;
        for (beginning, turn) in turns(squares, stones) {
            found.turns += 1;
            if laws.answers(beginning, turn).next().is_none() {
                found.exceptions += 1;
                if found.first.len() < limit {
                    found.first.push((beginning, turn));
                }
            }
        }
    }
    Ok(found)
}

/// Lists the turns that are not proper behind a left half, with the squares that they need.
pub fn turns(squares: usize, stones: u32) -> impl Iterator<Item = (Beginning, Turn)> {
    let half = Beginning {
        squares: squares + 1,
        ball: squares,
        stones,
    };
    // Over one stone to an empty square in front of the ball: two squares more.
    let further = Beginning {
        squares: squares + 3,
        stones: stones | 1 << (squares + 1),
        ..half
    };
    let stone = (0..squares).map(move |square| (half, Turn::Place(square)));
    let back = squares.checked_sub(2).filter(|&to| to > 0);
    let jumps = back.map(|to| (half, Turn::Jump(to)));
    let all = stone.chain(jumps).chain([(further, Turn::Jump(squares + 2))]);
    all.filter(move |&(beginning, turn)| {
        let fills = |after: Beginning| matches!(turn, Turn::Place(_)) && after.stones + 1 == 1 << squares;
        beginning.after(turn).is_some_and(|after| !fills(after))
    })
}

/// Most squares of a beginning on the right of the ball.
const MAX_AHEAD: usize = 2;

/// The laws of replacement between beginnings.
pub struct Laws {
    outside: Outside,
    /// By the known squares on the right of the ball, from the last one on, the pairs of all right halves.
    ahead: HashMap<[Vec<bool>; 2], Pairs>,
    /// By the values of the left halves and the squares on the right, true if the law holds.
    known: HashMap<([Value; 2], [Vec<bool>; 2]), bool>,
}

impl Default for Laws {
    fn default() -> Laws {
        Laws {
            outside: Outside::of_words(MAX_AHEAD),
            ahead: HashMap::new(),
            known: HashMap::new(),
        }
    }
}

impl Laws {
    /// Lists the stones among the known squares that take back a legal turn, those nearest to the ball first.
    pub fn answers(&mut self, before: Beginning, turn: Turn) -> impl Iterator<Item = usize> {
        let after = before.after(turn).expect("a legal turn");
        let squares = (0..after.squares).rev();
        squares.filter(move |&square| {
            let answered = after.with_stone(square);
            answered.is_some_and(|answered| self.keeps_wins(answered, before))
        })
    }

    /// True if Left wins with the second beginning whenever he wins with the first.
    fn keeps_wins(&mut self, first: Beginning, second: Beginning) -> bool {
        let both = [first, second];
        let values = both.map(|beginning| HalfState::of(beginning.on_the_left()).value());
        let ahead = both.map(Beginning::on_the_right);
        let known = self.known.entry((values, ahead));
        *known.or_insert_with_key(|(values, ahead)| {
            let mut behind = Pairs::default();
            behind.insert(*values, Vec::new);
            let outside = &self.outside;
            let ahead = (self.ahead.entry(ahead.clone()))
                .or_insert_with(|| outside.pairs(ahead.each_ref().map(Vec::as_slice)));
            let is_lost = |side| behind.lost(ahead, side).is_some();
            ![Side::Left, Side::Right].into_iter().any(is_lost)
        })
    }
}
