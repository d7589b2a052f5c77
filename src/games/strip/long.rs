//! Strips of any length.

use super::notation::{read_board, write_board};
use super::turns::{for_each_jump, for_each_turn};
use super::{Halves, MIN_LENGTH, Strip, Turn};
use crate::games::{Rules, split_side};
use crate::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

/// The greatest accepted length.
pub const LONGEST: usize = 10_000_000;

/// A position on 3 to [`LONGEST`] squares. The ball is on an interior square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LongStrip {
    /// Bit i of word w is square 64 w + i. Bits past the end and the ball's are 0.
    stones: Box<[u64]>,
    length: u32,
    ball: u32,
    side: Side,
    rules: Rules,
}

/// The board after a turn on a long strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterLong {
    /// Play goes on.
    Position(LongStrip),
    /// The ball is home.
    Over {
        /// The player whose goal the ball reached.
        winner: Side,
        /// The board in notation, without a side; a ball off the strip is not drawn.
        board: String,
    },
}

impl AfterLong {
    /// Returns the player whose goal the ball reached.
    pub fn winner(&self) -> Option<Side> {
        match self {
            AfterLong::Position(_) => None,
            AfterLong::Over { winner, .. } => Some(*winner),
        }
    }

    /// Writes the board with the letter of `next`, who would move next.
    pub fn notation(&self, next: Side) -> String {
        match self {
            AfterLong::Position(strip) => strip.to_string(),
            AfterLong::Over { board, .. } if next == Side::Right => format!("{board} R"),
            AfterLong::Over { board, .. } => board.clone(),
        }
    }
}

impl Halves for LongStrip {
    fn length(&self) -> usize {
        self.length as usize
    }

    fn ball(&self) -> usize {
        self.ball as usize
    }

    fn side(&self) -> Side {
        self.side
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    #[inline]
    fn stone(&self, square: usize) -> bool {
        self.stones[square / 64] >> (square % 64) & 1 == 1
    }
}

impl LongStrip {
    /// Returns the same board under these rules.
    pub fn under(self, rules: Rules) -> LongStrip {
        LongStrip { rules, ..self }
    }

    /// Creates a position of the ordinary game from its squares; true is a stone. `None` if the ball
    /// is not on an interior square without a stone, or there are too many squares.
    pub fn new(squares: impl Iterator<Item = bool>, ball: usize, side: Side) -> Option<LongStrip> {
        let mut length = 0;
        let stones = packed(squares.take(LONGEST + 1).inspect(|_| length += 1));
        let strip = LongStrip {
            stones,
            length: length as u32,
            ball: ball as u32,
            side,
            rules: Rules::Ordinary,
        };
        let fits = (MIN_LENGTH..=LONGEST).contains(&length) && (1..=length - 2).contains(&ball);
        (fits && !strip.stone(ball)).then_some(strip)
    }

    /// Creates the board of the squares from `first` to `last` of a strip.
    ///
    /// # Panics
    /// If the ball is not between the two squares.
    pub fn of(strip: &impl Halves, first: usize, last: usize) -> LongStrip {
        assert!(
            first < strip.ball() && strip.ball() < last && last < strip.length(),
            "the ball is between"
        );
        LongStrip {
            stones: packed((first..=last).map(|square| strip.stone(square))),
            length: (last - first + 1) as u32,
            ball: (strip.ball() - first) as u32,
            side: strip.side(),
            rules: strip.rules(),
        }
    }

    /// Calls `visit` for every legal turn, in the order of [`Strip::for_each_turn`].
    pub fn for_each_turn(&self, visit: impl FnMut(Turn<u32>)) {
        for_each_turn(self, visit);
    }

    /// Returns the jumps, in the order of [`for_each_turn`](LongStrip::for_each_turn).
    pub fn jumps(&self) -> Vec<Turn<u32>> {
        let mut jumps = Vec::new();
        for_each_jump(self, &mut |turn| jumps.push(turn));
        jumps
    }

    /// Plays a turn; `None` if it is not legal.
    pub fn play(&self, turn: Turn<u32>) -> Option<AfterLong> {
        let is_legal = match turn {
            Turn::Place(square) => {
                square < self.length && square != self.ball && !self.stone(square as usize)
            }
            Turn::Jump(_) | Turn::Off(_) => self.jumps().contains(&turn),
        };
        is_legal.then(|| self.after(turn))
    }

    /// Returns the board after a turn that is known to be legal.
    pub fn after(&self, turn: Turn<u32>) -> AfterLong {
        let mut next = self.clone();
        next.side = self.side.opponent();
        let (target, winner) = match turn {
            Turn::Place(square) => {
                next.stones[square as usize / 64] |= 1 << (square % 64);
                return AfterLong::Position(next);
            }
            Turn::Jump(square) if square == self.length - 1 => (Some(square), Some(Side::Left)),
            Turn::Jump(square) => (Some(square), (square == 0).then_some(Side::Right)),
            Turn::Off(end) => (None, Some(end.opponent())),
        };
        let end = match turn {
            Turn::Jump(square) => square,
            Turn::Off(Side::Left) => 0,
            Turn::Place(_) | Turn::Off(Side::Right) => self.length - 1,
        };
        for square in self.ball.min(end)..=self.ball.max(end) {
            next.stones[square as usize / 64] &= !(1 << (square % 64));
        }
        match (target, winner) {
            (Some(target), None) => AfterLong::Position(LongStrip { ball: target, ..next }),
            (target, winner) => {
                let mut board = String::with_capacity(self.length());
                let ball = target.map(|square| square as usize);
                write_board(&mut board, self.length(), ball, |square| next.stone(square))
                    .expect("writing to a string cannot fail");
                AfterLong::Over {
                    winner: winner.expect("a ball off the strip is home"),
                    board,
                }
            }
        }
    }
}

/// Packs squares into words; true is a stone.
fn packed(squares: impl Iterator<Item = bool>) -> Box<[u64]> {
    let mut words = Vec::with_capacity(squares.size_hint().0.div_ceil(64));
    for (square, stone) in squares.enumerate() {
        if square % 64 == 0 {
            words.push(0);
        }
        let last = words.len() - 1;
        words[last] |= u64::from(stone) << (square % 64);
    }
    words.into()
}

impl From<&Strip> for LongStrip {
    fn from(strip: &Strip) -> LongStrip {
        LongStrip::of(strip, 0, strip.length() - 1)
    }
}

impl FromStr for LongStrip {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<LongStrip, ParseError> {
        let (board, side) = split_side(text, ["L", "R"], "Left")?;
        let board = read_board(board, MIN_LENGTH..=LONGEST)?;
        Ok(LongStrip {
            stones: board.stones.into(),
            length: board.length as u32,
            ball: board.ball as u32,
            side,
            rules: Rules::Ordinary,
        })
    }
}

impl fmt::Display for LongStrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.length(), Some(self.ball()), |square| self.stone(square))?;
        f.write_str(if self.side == Side::Right { " R" } else { "" })
    }
}
