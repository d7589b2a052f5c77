//! Finding certificates: a win if there is one, else a strategy for each player that never loses.
//!
//! Two searches: by threats ([`super::hold`]), which sees far and knows few turns, and by proof numbers
//! ([`super::proof`], [`super::closed`]), which knows all of them. On a small pitch the second comes first.

use super::closed::{Closed, winning_strategy};
use super::hold::{HoldLimits, Holder, choice};
use super::proof::{Attempt, NotFound, Prover};
use super::{Board, Geometry, Threats};
use crate::games::pitch::Pitch;
use crate::games::pitch::certificate::{Certificate, Choice, Claim};
use crate::outcome::Side;
use hashbrown::HashMap;

/// The most points of a pitch on which the search by proof numbers comes first.
pub const SMALL: usize = 36;

/// What a search for a certificate came to.
#[derive(Clone, Debug)]
pub struct Search {
    /// The certificate, or why none was found.
    pub certificate: Result<Certificate, NotFound>,
    /// Whether a strategy that never loses was found, for Alfred and Betty.
    pub held: [bool; 2],
    /// The boards that were looked at by threats, and the positions that were entered by proof numbers.
    pub boards: usize,
}

/// Searches for a certificate of a position, within limits.
///
/// What it finds has yet to be checked by [`verify::certificate`](crate::verify::certificate).
pub fn certify(pitch: &Pitch, limits: HoldLimits) -> Search {
    let mut searches = [by_threats, by_proofs];
    if pitch.shape().points() <= SMALL {
        searches.reverse();
    }
    let mut first = searches[0](pitch, &limits);
    if first.certificate.is_ok() {
        return first;
    }
    let mut second = searches[1](pitch, &limits);
    second.boards += first.boards;
    for player in 0..2 {
        second.held[player] |= first.held[player];
    }
    // Threats have no limit to speak of that would say more than the other search's.
    if second.certificate.is_err() && pitch.shape().points() <= SMALL {
        std::mem::swap(&mut second.certificate, &mut first.certificate);
    }
    second
}

fn drawn(position: Pitch, strategies: [Vec<Choice>; 2]) -> Certificate {
    Certificate {
        claim: Claim::Draw,
        position,
        strategies,
    }
}

/// A win with its strategy, as the result of a search.
fn won(position: &Pitch, player: Side, choices: Vec<Choice>, boards: usize) -> Search {
    let mut strategies = [Vec::new(), Vec::new()];
    strategies[player as usize] = choices;
    Search {
        certificate: Ok(Certificate {
            claim: Claim::Wins(player),
            position: *position,
            strategies,
        }),
        held: [player == Side::Left, player == Side::Right],
        boards,
    }
}

/// All that a player may have to face first and does not win at once; `None` if the opponent wins at once.
fn roots(threats: &Threats, pitch: &Pitch, player: Side) -> Option<Vec<Board>> {
    let board = Board::of(pitch);
    let shot = |side| threats.geometry().shot(&board, side).is_some();
    match pitch.side() == player {
        true if shot(player) => Some(Vec::new()),
        true => Some(vec![board]),
        false if shot(pitch.side()) => None,
        false => Some(threats.answers(player, &board, None)),
    }
}

/// The search by proof numbers: all turns.
fn by_proofs(pitch: &Pitch, limits: &HoldLimits) -> Search {
    let mut prover = Prover::new(Geometry::new(pitch.shape()), limits.proof);
    let mut held = [false; 2];
    let certificate = prove(&mut prover, pitch, limits, &mut held);
    Search {
        certificate,
        held,
        boards: prover.nodes() as usize,
    }
}

fn prove(
    prover: &mut Prover,
    pitch: &Pitch,
    limits: &HoldLimits,
    held: &mut [bool; 2],
) -> Result<Certificate, NotFound> {
    let (board, mover) = (Board::of(pitch), pitch.side());
    let search_won = |player, choices| won(pitch, player, choices, 0).certificate;
    let mut winner = None;
    if prover.threats.geometry().shot(&board, mover).is_some() {
        return search_won(mover, Vec::new());
    }
    for attacker in [mover, mover.opponent()] {
        // A quarter of the nodes for each leaves half of them for the sets of a draw.
        if let Attempt::Won(player) = prover.attempt(attacker, mover, &board, limits.proof.nodes / 4)? {
            winner = Some(player);
            break;
        }
    }
    if let Some(winner) = winner {
        held[winner as usize] = true;
        let roots = roots(&prover.threats, pitch, winner).ok_or(NotFound::Exhausted)?;
        return search_won(winner, winning_strategy(prover, winner, &roots)?);
    }
    let mut strategies = [Vec::new(), Vec::new()];
    for player in [Side::Left, Side::Right] {
        let roots = roots(&prover.threats, pitch, player).ok_or(NotFound::Exhausted)?;
        strategies[player as usize] = Closed::new(prover, player).strategy(&roots)?;
        held[player as usize] = true;
    }
    Ok(drawn(*pitch, strategies))
}

/// The search by threats.
fn by_threats(pitch: &Pitch, limits: &HoldLimits) -> Search {
    let mut boards = 0;
    for player in [pitch.side(), pitch.side().opponent()] {
        let mut threats = Threats::new(Geometry::new(pitch.shape()));
        let choices = win(&mut threats, pitch, player, limits);
        boards += threats.boards();
        if let Some(choices) = choices {
            return won(pitch, player, choices, boards);
        }
    }
    let strategies = [Side::Left, Side::Right].map(|player| {
        let mut threats = Threats::new(Geometry::new(pitch.shape()));
        let found = roots(&threats, pitch, player)
            .and_then(|roots| Holder::new(&mut threats, player, *limits).strategy(&roots));
        boards += threats.boards();
        found
    });
    let held = [strategies[0].is_some(), strategies[1].is_some()];
    let certificate = match strategies {
        [Some(alfred), Some(betty)] => Ok(drawn(*pitch, [alfred, betty])),
        _ => Err(NotFound::Exhausted),
    };
    Search {
        certificate,
        held,
        boards,
    }
}

/// The strategy of a win; `None` if none was found.
fn win(threats: &mut Threats, pitch: &Pitch, player: Side, limits: &HoldLimits) -> Option<Vec<Choice>> {
    let roots = roots(threats, pitch, player)?;
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
    limits: &'a HoldLimits,
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
        (self.choices).push(choice(self.threats.geometry(), self.player, board, &first, rank)?);
        Some(rank)
    }
}
