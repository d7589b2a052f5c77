//! Strips of any length.

use super::notation::{read_board, write_board};
use super::turns::{ball_after, check_legal, for_each_jump, for_each_turn};
use super::{After, Halves, IllegalTurn, MAX_LENGTH, MIN_LENGTH, Strip, Turn, square_set};
use crate::{Rules, split_side};
use phutbase_base::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

/// The greatest accepted length.
pub const LONGEST: usize = 10_000_000;

/// A position on 3 to [`LONGEST`] squares. The ball is on an interior square.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AnyStrip {
    /// Bit i of word w is square 64 w + i. Bits past the end and the ball's are 0.
    stones: Box<[u64]>,
    length: u32,
    ball: u32,
    side: Side,
    rules: Rules,
}

impl Halves for AnyStrip {
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

impl AnyStrip {
    /// Returns the same board under these rules.
    pub fn under(self, rules: Rules) -> AnyStrip {
        AnyStrip { rules, ..self }
    }

    /// Creates a position of the ordinary game from its squares; true is a stone. `None` if the ball
    /// is not on an interior square without a stone, or there are too many squares.
    pub fn new(squares: impl Iterator<Item = bool>, ball: usize, side: Side) -> Option<AnyStrip> {
        let mut length = 0;
        let stones = words(squares.take(LONGEST + 1).inspect(|_| length += 1));
        let strip = AnyStrip {
            stones,
            length: length as u32,
            ball: ball as u32,
            side,
            rules: Rules::Ordinary,
        };
        let fits = (MIN_LENGTH..=LONGEST).contains(&length) && (1..=length - 2).contains(&ball);
        (fits && !strip.stone(ball)).then_some(strip)
    }

    /// Returns the position as tables and solvers hold it; `None` if it has more than
    /// [`MAX_LENGTH`] squares.
    pub fn to_strip(&self) -> Option<Strip> {
        let fits = self.length() <= MAX_LENGTH;
        let strip = || Strip::new(self.length(), self.ball(), square_set(&self.stones), self.side);
        Some(fits.then(strip)??.under(self.rules))
    }

    /// Calls `visit` for every legal turn, in the order of [`Strip::for_each_turn`].
    pub fn for_each_turn(&self, visit: impl FnMut(Turn)) {
        for_each_turn(self, visit);
    }

    /// Returns the jumps, in the order of [`for_each_turn`](AnyStrip::for_each_turn).
    pub fn jumps(&self) -> Vec<Turn> {
        let mut jumps = Vec::new();
        for_each_jump(self, &mut |turn| jumps.push(turn));
        jumps
    }

    /// Plays a legal turn.
    pub fn play(&self, turn: Turn) -> Result<After<AnyStrip>, IllegalTurn> {
        check_legal(self, turn)?;
        Ok(self.after(turn))
    }

    /// Returns the result of a turn that is known to be legal.
    pub fn after(&self, turn: Turn) -> After<AnyStrip> {
        let ball = match ball_after(self, turn) {
            Ok(ball) => ball,
            Err(winner) => return After::Over { winner },
        };
        After::Position(AnyStrip {
            stones: self.stones_after(turn),
            ball: ball as u32,
            side: self.side.opponent(),
            ..*self
        })
    }

    /// Writes the board after a turn that is known to be legal, with the letter of the next player.
    /// A ball off the strip is not drawn.
    pub fn notation_after(&self, turn: Turn) -> String {
        let ball = match turn {
            Turn::Place(_) => Some(self.ball()),
            Turn::Jump(square) => Some(square),
            Turn::Off(_) => None,
        };
        let stones = self.stones_after(turn);
        let mut text = String::with_capacity(self.length() + 2);
        let is_stone = |square: usize| stones[square / 64] >> (square % 64) & 1 == 1;
        write_board(&mut text, self.length(), ball, is_stone).expect("writing to a string cannot fail");
        text + letter(self.side.opponent())
    }

    /// Returns the stones after a turn, which adds one or removes those between the ball and its end.
    fn stones_after(&self, turn: Turn) -> Box<[u64]> {
        let mut stones = self.stones.clone();
        let end = match turn {
            Turn::Place(square) => {
                stones[square / 64] |= 1 << (square % 64);
                return stones;
            }
            Turn::Jump(square) => square,
            Turn::Off(Side::Left) => 0,
            Turn::Off(Side::Right) => self.length() - 1,
        };
        for square in self.ball().min(end)..=self.ball().max(end) {
            stones[square / 64] &= !(1 << (square % 64));
        }
        stones
    }
}

/// Packs squares into words; true is a stone.
fn words(squares: impl Iterator<Item = bool>) -> Box<[u64]> {
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

impl From<&Strip> for AnyStrip {
    fn from(strip: &Strip) -> AnyStrip {
        AnyStrip {
            stones: strip.words()[..strip.length().div_ceil(64)].into(),
            length: strip.length() as u32,
            ball: strip.ball() as u32,
            side: strip.side(),
            rules: strip.rules(),
        }
    }
}

impl FromStr for AnyStrip {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<AnyStrip, ParseError> {
        let (board, side) = split_side(text, ["L", "R"], "Left")?;
        let board = read_board(board, MIN_LENGTH..=LONGEST)?;
        Ok(AnyStrip {
            stones: board.stones.into(),
            length: board.length as u32,
            ball: board.ball as u32,
            side,
            rules: Rules::Ordinary,
        })
    }
}

impl fmt::Debug for AnyStrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{self}'{}", self.rules().remark())
    }
}

impl fmt::Display for AnyStrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.length(), Some(self.ball()), |square| self.stone(square))?;
        f.write_str(letter(self.side))
    }
}

/// Returns the letter of the player to move as notation ends: none for Left.
fn letter(side: Side) -> &'static str {
    if side == Side::Right { " R" } else { "" }
}
