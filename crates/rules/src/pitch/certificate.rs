//! Certificates: strategies in a file, so that a claim about a position can be checked with the
//! rules alone.
//!
//! A *strategy* of a player lists positions with that player to move, each with a turn to make.
//! Positions with a winning jump for the player need not be listed. A strategy is sound if, from
//! the first position, its turns and all replies to them lead only to listed positions or such
//! wins, and never to the opponent's goal (`verify::certificate`
//! checks this). The player then does not lose; if each position has a rank that decreases with
//! every turn and reply, the player wins. A draw needs a strategy for each player.
//!
//! The file is text, in this order:
//!
//! ```text
//! phutbase certificate 1
//! claim draw                        or: alfred wins, betty wins
//! position 3/3/2o/1o1/3/@2/3 A
//! alfred 140                        a strategy of 140 positions; omitted if Alfred has none
//! a3 3/3/2o/1o1/3/@2/3 A            turn, position; preceded by the rank if a win is claimed
//! …
//! betty 150
//! …
//! ```

use super::{Pitch, TooManyJumps, Turn, side_name};
use phutbase_base::outcome::{ParseError, Side};
use std::fmt::Write;

/// The first line of every certificate.
pub const FIRST_LINE: &str = "phutbase certificate 1";

/// The claimed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertifiedValue {
    /// Neither player can force a win.
    Draw,
    Wins(Side),
}

/// One position of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The position, the strategy's player to move.
    pub position: Pitch,
    pub turn: Turn,
    /// Greater than the rank of every listed position reachable by this turn and one reply; 0 in a
    /// draw certificate.
    pub rank: u32,
}

/// A claim with its strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    pub claim: CertifiedValue,
    pub position: Pitch,
    /// Strategies of Alfred and Betty; only the winner's if a win is claimed.
    pub strategies: [Vec<Choice>; 2],
}

/// Returns a player's name in the file.
fn word(side: Side) -> String {
    side_name(side).to_lowercase()
}

impl Certificate {
    pub fn to_text(&self) -> Result<String, TooManyJumps> {
        let mut text = format!("{FIRST_LINE}\nclaim ");
        text += &match self.claim {
            CertifiedValue::Draw => "draw".to_string(),
            CertifiedValue::Wins(side) => format!("{} wins", word(side)),
        };
        text += &format!("\nposition {}\n", self.position);
        for side in [Side::Left, Side::Right] {
            if self.claim == CertifiedValue::Wins(side.opponent()) {
                continue;
            }
            let choices = &self.strategies[side as usize];
            let _ = writeln!(text, "{} {}", word(side), choices.len());
            for choice in choices {
                if self.claim != CertifiedValue::Draw {
                    let _ = write!(text, "{} ", choice.rank);
                }
                let turn = choice.position.turn_notation(&choice.turn)?;
                let _ = writeln!(text, "{turn} {}", choice.position);
            }
        }
        Ok(text)
    }

    /// Parses a certificate without checking whether it proves its claim.
    pub fn parse(text: &str) -> Result<Certificate, ParseError> {
        let mut lines = CertificateLines {
            rest: text.lines(),
            number: 0,
        };
        let first = lines.next("the first line of a certificate")?;
        if first != FIRST_LINE {
            return Err(lines.wrong(first, "'phutbase certificate 1'"));
        }
        let claim = lines.next("the claim")?;
        let claim = match claim.strip_prefix("claim ") {
            Some("draw") => CertifiedValue::Draw,
            Some("alfred wins") => CertifiedValue::Wins(Side::Left),
            Some("betty wins") => CertifiedValue::Wins(Side::Right),
            _ => return Err(lines.wrong(claim, "a claim: draw, alfred wins or betty wins")),
        };
        let position = lines.next("the position")?;
        let position = match position.strip_prefix("position ") {
            Some(position) => lines.position(position)?,
            None => return Err(lines.wrong(position, "'position' and a position")),
        };
        let mut strategies = [Vec::new(), Vec::new()];
        for side in [Side::Left, Side::Right] {
            if claim != CertifiedValue::Wins(side.opponent()) {
                strategies[side as usize] = lines.strategy(side, claim)?;
            }
        }
        match lines.rest.next() {
            None => Ok(Certificate {
                claim,
                position,
                strategies,
            }),
            Some(found) => {
                lines.number += 1;
                Err(lines.wrong(found, "the end of the certificate"))
            }
        }
    }
}

struct CertificateLines<'a> {
    rest: std::str::Lines<'a>,
    number: usize,
}

impl<'a> CertificateLines<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a str, ParseError> {
        self.number += 1;
        let end = || format!("the certificate ends before {expected}");
        self.rest.next().ok_or_else(|| ParseError(end()))
    }

    fn wrong(&self, found: &str, expected: &str) -> ParseError {
        ParseError(format!("line {}: '{found}' is not {expected}", self.number))
    }

    fn position(&self, text: &str) -> Result<Pitch, ParseError> {
        text.parse()
            .map_err(|error| ParseError(format!("line {}: {error}", self.number)))
    }

    fn strategy(&mut self, side: Side, claim: CertifiedValue) -> Result<Vec<Choice>, ParseError> {
        let line = self.next("a player and a number of positions")?;
        let count = (line.split_once(' '))
            .filter(|(player, _)| *player == word(side))
            .and_then(|(_, count)| count.parse::<usize>().ok())
            .ok_or_else(|| self.wrong(line, "a player and a number of positions"))?;
        (0..count).map(|_| self.choice(side, claim)).collect()
    }

    fn choice(&mut self, side: Side, claim: CertifiedValue) -> Result<Choice, ParseError> {
        const EXPECTED: &str = "a turn and a position of the player, after a number if a win is claimed";
        let line = self.next("a turn and a position")?;
        let mut rest = line;
        let mut rank = 0;
        if claim != CertifiedValue::Draw {
            let (number, after) = line.split_once(' ').ok_or_else(|| self.wrong(line, EXPECTED))?;
            rank = number.parse().map_err(|_| self.wrong(line, EXPECTED))?;
            rest = after;
        }
        let (turn, position) = rest.split_once(' ').ok_or_else(|| self.wrong(line, EXPECTED))?;
        let position = self.position(position)?;
        if position.side() != side {
            return Err(self.wrong(line, EXPECTED));
        }
        let turn = position
            .parse_turn(turn)
            .map_err(|error| ParseError(format!("line {}: in '{position}': {error}", self.number)))?;
        Ok(Choice { position, turn, rank })
    }
}
