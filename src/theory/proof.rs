//! A claimed win played out against every reply, by the rules alone.
//!
//! A claim 'this player wins here' is proved by a *strategy*: one turn for each position of the winner's, such that
//! whatever the opponent does, the game ends and the winner has won. Exact values may suggest the turns; the proof does not
//! rest on them. It follows every reply, and fails if a game ends badly, if a suggested turn is against the rules, or
//! if play comes back to a position on its way: then the strategy might go round for ever.

use crate::games::strip::{After, Strip, Turn};
use crate::outcome::Side;
use std::collections::HashMap;

/// A proof that was found to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Different positions that the strategy and the replies lead to.
    pub positions: usize,
    /// The longest game in plies.
    pub plies: u32,
}

/// Why a claimed win is not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProved {
    /// No turn was suggested, or an illegal one.
    #[error("no legal turn was suggested in '{position}'")]
    NoTurn {
        /// The position.
        position: String,
    },
    /// The opponent wins.
    #[error("the game is lost after '{position}'")]
    Lost {
        /// The last position.
        position: String,
    },
    /// Play comes back to a position.
    #[error("play comes back to '{position}'")]
    Round {
        /// The position.
        position: String,
    },
    /// Too many positions.
    #[error("more than {limit} positions")]
    TooLong {
        /// The limit.
        limit: usize,
    },
}

/// The state of a proof in progress.
struct Prover<'a> {
    winner: Side,
    suggest: &'a dyn Fn(&Strip) -> Option<Turn>,
    limit: usize,
    /// Plies to the end of the longest game; `None` while the position is on the way.
    done: HashMap<Strip, Option<u32>>,
}

/// Proves that `winner` wins a position, or finds out where the suggestions fail; at most `limit` positions are visited.
///
/// # Errors
/// [`NotProved`].
pub fn prove(
    strip: &Strip,
    winner: Side,
    suggest: &dyn Fn(&Strip) -> Option<Turn>,
    limit: usize,
) -> Result<Proof, NotProved> {
    let mut prover = Prover {
        winner,
        suggest,
        limit,
        done: HashMap::new(),
    };
    let plies = prover.visit(strip)?;
    Ok(Proof {
        positions: prover.done.len(),
        plies,
    })
}

impl Prover<'_> {
    fn visit(&mut self, strip: &Strip) -> Result<u32, NotProved> {
        match self.done.get(strip) {
            Some(Some(plies)) => return Ok(*plies),
            Some(None) => {
                return Err(NotProved::Round {
                    position: strip.to_string(),
                });
            }
            None => {}
        }
        if self.done.len() >= self.limit {
            return Err(NotProved::TooLong { limit: self.limit });
        }
        self.done.insert(*strip, None);
        let turns = match strip.side() == self.winner {
            true => vec![self.suggested(strip)?],
            false => strip.turns(),
        };
        let mut longest = 0;
        for turn in turns {
            let plies = match strip.after(turn) {
                After::Position(next) => self.visit(&next)?,
                After::Over { winner, .. } if winner == self.winner => 0,
                After::Over { .. } => {
                    return Err(NotProved::Lost {
                        position: strip.to_string(),
                    });
                }
            };
            longest = longest.max(plies + 1);
        }
        self.done.insert(*strip, Some(longest));
        Ok(longest)
    }

    fn suggested(&self, strip: &Strip) -> Result<Turn, NotProved> {
        let turn = (self.suggest)(strip).filter(|turn| strip.play(*turn).is_ok());
        turn.ok_or_else(|| NotProved::NoTurn {
            position: strip.to_string(),
        })
    }
}

/// The turn that wins soonest by exact values, as a suggestion.
pub fn best_turn(planes: &super::planes::Planes, strip: &Strip) -> Option<Turn> {
    let value = |turn: &Turn| match strip.after(*turn) {
        After::Position(next) => planes.value(&next).before(),
        over @ After::Over { .. } => match over.successor(strip.side()) {
            crate::game::Successor::Over(outcome) => crate::outcome::Value::at_once(outcome),
            crate::game::Successor::Position(next) => planes.value(&next).before(),
        },
    };
    strip.turns().into_iter().max_by_key(value)
}

/// A proof that a position's only winning turns are jumps backward: that one of them wins, and that every other turn loses.
///
/// # Errors
/// [`NotProved`].
pub fn prove_backward_only(
    planes: &super::planes::Planes,
    strip: &Strip,
    limit: usize,
) -> Result<Proof, NotProved> {
    let (mover, opponent) = (strip.side(), strip.side().opponent());
    let suggest = |strip: &Strip| best_turn(planes, strip);
    let mut total = prove(strip, mover, &suggest, limit)?;
    for turn in strip.turns() {
        let backward = match (turn, mover) {
            (Turn::Jump(square), Side::Left) => usize::from(square) < strip.ball(),
            (Turn::Jump(square), Side::Right) => usize::from(square) > strip.ball(),
            _ => false,
        };
        if backward {
            continue;
        }
        match strip.after(turn) {
            After::Position(next) => {
                let proof = prove(&next, opponent, &suggest, limit)?;
                total.positions += proof.positions;
                total.plies = total.plies.max(proof.plies + 1);
            }
            After::Over { winner, .. } if winner == opponent => {}
            After::Over { .. } => {
                return Err(NotProved::Lost {
                    position: strip.to_string(),
                });
            }
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::planes::{Planes, unwatched};

    #[test]
    fn the_papers_examples_are_proved_and_their_opposites_are_not() {
        let planes = Planes::strip(11, unwatched()).unwrap();
        let suggest = |strip: &Strip| best_turn(&planes, strip);
        let (left_wins, right_wins): (Strip, Strip) =
            ("o@o.o.o....".parse().unwrap(), "o@o.ooo....".parse().unwrap());
        assert!(prove(&left_wins, Side::Left, &suggest, 100_000).is_ok());
        assert!(prove(&right_wins, Side::Right, &suggest, 100_000).is_ok());
        assert!(prove(&left_wins, Side::Right, &suggest, 100_000).is_err());
        assert_eq!(
            prove(&left_wins, Side::Left, &|_| None, 100_000),
            Err(NotProved::NoTurn {
                position: left_wins.to_string()
            })
        );
    }
}
