//! Finding certificates: a win by threats if there is one, else a strategy for each player that never loses.

use super::hold::{Holder, Limits, Strategy, turn};
use super::{Board, Geometry, Threats};
use crate::certificate::{Certificate, Choice, Claim};
use crate::games::pitch::Pitch;
use crate::outcome::Side;
use hashbrown::HashMap;

/// What a search for a certificate came to.
#[derive(Clone, Debug)]
pub struct Search {
    /// The certificate, if one was found.
    pub certificate: Option<Certificate>,
    /// Whether a strategy that never loses was found, for Alfred and Betty.
    pub held: [bool; 2],
    /// The boards that were looked at.
    pub boards: usize,
}

/// Searches for a certificate of a position, within limits.
///
/// What it finds has yet to be checked by [`verify::certificate`](crate::verify::certificate).
pub fn certify(pitch: &Pitch, limits: Limits) -> Search {
    let mut boards = 0;
    for player in [pitch.side(), pitch.side().opponent()] {
        let mut threats = Threats::new(Geometry::new(pitch.shape()));
        let won = win(&mut threats, pitch, player, &limits);
        boards += threats.boards();
        if let Some(choices) = won {
            let mut strategies = [Vec::new(), Vec::new()];
            strategies[player as usize] = choices;
            let certificate = Some(Certificate {
                claim: Claim::Wins(player),
                position: *pitch,
                strategies,
            });
            let held = [player == Side::Left, player == Side::Right];
            return Search {
                certificate,
                held,
                boards,
            };
        }
    }
    let strategies = [Side::Left, Side::Right].map(|player| {
        let mut threats = Threats::new(Geometry::new(pitch.shape()));
        let found = Holder::new(&mut threats, player, limits).strategy(pitch);
        boards += threats.boards();
        found
    });
    let held = [strategies[0].is_some(), strategies[1].is_some()];
    let certificate = match strategies {
        [Some(alfred), Some(betty)] => Some(Certificate {
            claim: Claim::Draw,
            position: *pitch,
            strategies: [alfred, betty].map(unranked),
        }),
        _ => None,
    };
    Search {
        certificate,
        held,
        boards,
    }
}

fn unranked(strategy: Strategy) -> Vec<Choice> {
    let choices = strategy.into_iter();
    choices
        .map(|(position, turn)| Choice {
            position,
            turn,
            rank: 0,
        })
        .collect()
}

/// The strategy of a win; `None` if none was found.
fn win(threats: &mut Threats, pitch: &Pitch, player: Side, limits: &Limits) -> Option<Vec<Choice>> {
    let board = Board::of(pitch);
    let roots = match pitch.side() == player {
        true => vec![board],
        false if threats.geometry().shot(&board, pitch.side()).is_some() => return None,
        false => threats.answers(player, &board, None),
    };
    let mut won = Won {
        threats,
        player,
        limits,
        ranks: HashMap::new(),
        choices: Vec::new(),
    };
    for root in &roots {
        won.rank(root)?;
    }
    Some(won.choices)
}

/// A win being written down.
struct Won<'a> {
    threats: &'a mut Threats,
    player: Side,
    limits: &'a Limits,
    /// Ranks of positions that are done.
    ranks: HashMap<Board, u32>,
    choices: Vec<Choice>,
}

impl Won<'_> {
    /// The rank of a position that the player, to move, wins: 0 if at once.
    fn rank(&mut self, board: &Board) -> Option<u32> {
        if self.threats.geometry().shot(board, self.player).is_some() {
            return Some(0);
        }
        if let Some(&rank) = self.ranks.get(board) {
            return Some(rank);
        }
        let first = self.threats.quiet_win(self.player, board, self.limits.reach)?;
        let mut rank = 1;
        for answer in self.threats.answers(self.player, &first.after, None) {
            rank = rank.max(1 + self.rank(&answer)?);
        }
        self.ranks.insert(*board, rank);
        self.choices.push(Choice {
            position: self.threats.geometry().pitch(board, self.player)?,
            turn: turn(&first),
            rank,
        });
        Some(rank)
    }
}
