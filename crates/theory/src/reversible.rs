//! Turns that are not proper, and the answers that take them back (docs/PROOF.md, Theorem N).
//!
//! A stone of Right's *takes back* a turn of Left's if Left wins the board before the turn whenever he
//! wins the board after both, with either player to move. The claim: behind every left half some stone
//! takes back the turn whatever the right half is. The squares of the left half are the first ones of
//! the board, so the right halves with which Left wins are a part of the diagram, and one comparison
//! of two parts is exact for all right halves.

use super::claim::{Claim, Finding};
use super::error::TheoryError;
use hashbrown::HashMap;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Turn;
use phutbase_rules::{Boards, Rules};
use phutbase_sets::{Diagram, Join, Ref, Sets, TooLarge};
use phutbase_table::StripSets;
use serde::Serialize;

/// Most squares of a left half.
pub const MAX_SQUARES: usize = 16;

/// The claim that one stone takes back every turn that is not proper, by the squares of the left half.
pub struct Reversible<'a> {
    /// The won boards of the length on which turns are compared.
    pub sets: &'a StripSets,
    /// Lists at most this many turns that nothing takes back.
    pub limit: usize,
}

impl<'a> Claim for Reversible<'a> {
    fn check(&mut self, squares: usize, job: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let found = answered(self.sets, squares, self.limit, job)?;
        let [turns, exceptions] = [found.turns, found.exceptions].map(grouped);
        let examples = found.first.iter().map(|(known, turn)| format!("{known} {turn}"));
        let examples: Vec<String> = examples.collect();
        Ok(Finding {
            holds: found.exceptions == 0,
            words: format!("of {turns} turns that are not proper, {exceptions} that no stone takes back"),
            lines: examples.clone(),
            fields: object! {
                half_length: squares,
                /// The squares of the strips that were compared.
                length: self.sets.length(),
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
/// There must be 1 to [`MAX_SQUARES`] squares, and four more in the table.
pub fn answered(table: &StripSets, squares: usize, limit: usize, job: &Job) -> Result<Answered, TheoryError> {
    assert!((1..=MAX_SQUARES).contains(&squares) && squares + 4 <= table.length());
    job.expect(1 << squares, "left halves");
    let mut parts = Parts::of(table)?;
    let mut found = Answered::default();
    for stones in 0..1 << squares {
        job.advance(1)?;
        for (beginning, turn) in turns(squares, stones) {
            found.turns += 1;
            if !parts.some_stone_takes_back(beginning, turn)? {
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
fn turns(squares: usize, stones: u32) -> impl Iterator<Item = (Beginning, Turn)> {
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

/// The boards that Left wins, by their beginnings.
struct Parts {
    sets: Sets,
    /// Left to move, Right to move.
    won: [Ref; 2],
    /// For two parts, true if the first is in the second.
    known: HashMap<[Ref; 2], bool>,
}

impl Parts {
    fn of(table: &StripSets) -> Result<Parts, TooLarge> {
        let mut graph = table.workspace();
        let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
        let won = graph.copy(table, &roots)?;
        Ok(Parts {
            won: [won[0], won[1]],
            sets: Sets::new(graph),
            known: HashMap::new(),
        })
    }

    fn some_stone_takes_back(&mut self, before: Beginning, turn: Turn) -> Result<bool, TooLarge> {
        let after = before.after(turn).expect("a legal turn");
        let before = self.behind(before);
        // The answers nearest to the ball first.
        for square in (0..after.squares).rev() {
            let Some(answered) = after.with_stone(square) else {
                continue;
            };
            let answered = self.behind(answered);
            if self.within(answered[0], before[0])? && self.within(answered[1], before[1])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the part of both sets behind the first squares.
    fn behind(&self, beginning: Beginning) -> [Ref; 2] {
        let graph = self.sets.graph();
        self.won.map(|set| {
            (0..beginning.squares).fold(set, |set, square| {
                let has_stone = beginning.stones >> square & 1 == 1;
                let (empty, stone, ball) = if square <= beginning.ball {
                    graph.thirds(set)
                } else {
                    let (empty, stone) = graph.halves(set, square);
                    (empty, stone, Ref::BOTTOM)
                };
                match has_stone {
                    _ if square == beginning.ball => ball,
                    true => stone,
                    false => empty,
                }
            })
        })
    }

    fn within(&mut self, part: Ref, other: Ref) -> Result<bool, TooLarge> {
        if let Some(&known) = self.known.get(&[part, other]) {
            return Ok(known);
        }
        let holds = self.sets.join(Join::Minus, part, other)? == Ref::BOTTOM;
        self.known.insert([part, other], holds);
        Ok(holds)
    }
}
