//! A claimed win played out against every reply, by the rules alone.
//!
//! A claim 'this player wins here' is proved by a *strategy*: one turn for each position of the winner's, such that
//! whatever the opponent does, the game ends and the winner has won. Exact values may suggest the turns; the proof does not
//! rest on them. It follows every reply, and fails if a game ends badly, if a suggested turn is against the rules, or
//! if play comes back to a position on its way: then the strategy might go round for ever.

use crate::games::strip::{After, Strip, Turn};
use crate::outcome::Side;
use hashbrown::HashMap;

/// Positions that the proof of one counterexample may visit.
pub const PROOF_LIMIT: usize = 20_000_000;

/// A proof that was found to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Different positions that the strategy and the replies lead to.
    pub positions: usize,
    /// The longest game in plies.
    pub plies: u32,
}

/// Where the suggestions fail, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotProved(String);

fn lost(strip: &Strip) -> NotProved {
    NotProved(format!("the game is lost after '{strip}'"))
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
pub fn prove(
    strip: &Strip,
    winner: Side,
    suggest: &dyn Fn(&Strip) -> Option<Turn>,
    limit: usize,
) -> Result<Proof, NotProved> {
    let mut prover = Prover::new(winner, suggest, limit);
    let plies = prover.visit(strip)?;
    Ok(Proof {
        positions: prover.done.len(),
        plies,
    })
}

/// A position on the way.
struct Stage {
    strip: Strip,
    /// Turns still to be followed, the next one last.
    turns: Vec<Turn>,
    /// Plies of the longest game so far.
    longest: u32,
}

impl<'a> Prover<'a> {
    fn new(winner: Side, suggest: &'a dyn Fn(&Strip) -> Option<Turn>, limit: usize) -> Prover<'a> {
        Prover {
            winner,
            suggest,
            limit,
            done: HashMap::new(),
        }
    }

    /// Follows every reply from a position, and returns the plies of the longest game. The positions on the way are kept on the heap:
    /// bad suggestions may lead further than any stack is deep.
    fn visit(&mut self, strip: &Strip) -> Result<u32, NotProved> {
        if let Some(plies) = self.known(strip)? {
            return Ok(plies);
        }
        let mut way = vec![self.enter(strip)?];
        loop {
            let stage = way
                .last_mut()
                .expect("the way ends where the first position is left");
            let strip = stage.strip;
            let Some(turn) = stage.turns.pop() else {
                let longest = stage.longest;
                self.done.insert(strip, Some(longest));
                way.pop();
                match way.last_mut() {
                    Some(before) => before.longest = before.longest.max(longest + 1),
                    None => return Ok(longest),
                }
                continue;
            };
            match strip.after(turn) {
                After::Position(next) => match self.known(&next)? {
                    Some(plies) => stage.longest = stage.longest.max(plies + 1),
                    None => way.push(self.enter(&next)?),
                },
                After::Over { winner, .. } if winner == self.winner => {
                    stage.longest = stage.longest.max(1);
                }
                After::Over { .. } => return Err(lost(&strip)),
            }
        }
    }

    /// The plies of the longest game from a position that was left already; `None` if it is new.
    fn known(&self, strip: &Strip) -> Result<Option<u32>, NotProved> {
        match self.done.get(strip) {
            Some(Some(plies)) => Ok(Some(*plies)),
            Some(None) => Err(NotProved(format!("play comes back to '{strip}'"))),
            None => Ok(None),
        }
    }

    fn enter(&mut self, strip: &Strip) -> Result<Stage, NotProved> {
        if self.done.len() >= self.limit {
            return Err(NotProved(format!("more than {} positions", self.limit)));
        }
        self.done.insert(*strip, None);
        let mut turns = match strip.side() == self.winner {
            true => vec![self.suggested(strip)?],
            false => strip.turns(),
        };
        turns.reverse();
        Ok(Stage {
            strip: *strip,
            turns,
            longest: 0,
        })
    }

    fn suggested(&self, strip: &Strip) -> Result<Turn, NotProved> {
        let turn = (self.suggest)(strip).filter(|turn| strip.play(*turn).is_ok());
        turn.ok_or_else(|| NotProved(format!("no legal turn was suggested in '{strip}'")))
    }
}
