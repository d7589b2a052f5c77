//! The search for certificates: a win if there is one, otherwise a strategy for each player
//! that never loses.
//!
//! There are two searches. Threat-space search ([`super::hold`]) looks far ahead at few turns;
//! proof-number search ([`super::proof`], [`super::closed`]) considers all turns. On a small pitch
//! the latter runs first.

use super::closed::{ClosedSetSearch, winning_strategy};
use super::hold::{HoldLimits, Holder, choice};
use super::proof::{NotFound, Prover};
use super::{Board, Geometry, Threats};
use hashbrown::HashMap;
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::Pitch;
use phutbase_rules::pitch::certificate::{Certificate, Choice, Claim};

/// Most points of a pitch on which proof-number search runs first.
const SMALL: usize = 36;

#[derive(Clone, Debug)]
pub struct CertificateSearch {
    /// The certificate, or the reason why none was found.
    pub certificate: Result<Certificate, NotFound>,
    /// A strategy that never loses was found, for Alfred and for Betty.
    pub held: [bool; 2],
    /// Boards visited by threat-space search plus positions entered by proof-number search.
    pub boards: usize,
}

/// Searches for a certificate of a position, within limits.
///
/// The result must be checked with `verify::certificate`.
pub fn certify(pitch: &Pitch, limits: HoldLimits) -> CertificateSearch {
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
    // Threat-space search has no limit worth reporting: report that of proof-number search.
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

fn won(position: &Pitch, player: Side, choices: Vec<Choice>, boards: usize) -> CertificateSearch {
    let mut strategies = [Vec::new(), Vec::new()];
    strategies[player as usize] = choices;
    CertificateSearch {
        certificate: Ok(Certificate {
            claim: Claim::Wins(player),
            position: *position,
            strategies,
        }),
        held: [player == Side::Left, player == Side::Right],
        boards,
    }
}

/// Returns the boards that a player may have to face first and does not win at once; `None` if the
/// opponent wins at once.
fn roots(threats: &Threats, pitch: &Pitch, player: Side) -> Option<Vec<Board>> {
    let board = Board::of(pitch);
    let shot = |side| threats.geometry().shot(&board, side).is_some();
    if pitch.side() == player {
        Some(if shot(player) { Vec::new() } else { vec![board] })
    } else if shot(pitch.side()) {
        None
    } else {
        Some(threats.answers(player, &board, None))
    }
}

fn by_proofs(pitch: &Pitch, limits: &HoldLimits) -> CertificateSearch {
    let mut prover = Prover::new(Geometry::new(pitch.shape()), limits.proof);
    let mut held = [false; 2];
    let certificate = prove(&mut prover, pitch, limits, &mut held);
    CertificateSearch {
        certificate,
        held,
        boards: prover.nodes as usize,
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
    if prover.threats.geometry().shot(&board, mover).is_some() {
        return search_won(mover, Vec::new());
    }
    for attacker in [mover, mover.opponent()] {
        // A quarter of the nodes for each attacker leaves half of them for the strategies of a
        // draw.
        if let Some(winner) = prover.attempt(attacker, mover, &board, limits.proof.nodes / 4)? {
            held[winner as usize] = true;
            let roots = roots(&prover.threats, pitch, winner).ok_or(NotFound::Exhausted)?;
            return search_won(winner, winning_strategy(prover, winner, &roots)?);
        }
    }
    let mut strategies = [Vec::new(), Vec::new()];
    for player in [Side::Left, Side::Right] {
        let roots = roots(&prover.threats, pitch, player).ok_or(NotFound::Exhausted)?;
        strategies[player as usize] = ClosedSetSearch::new(prover, player).strategy(&roots)?;
        held[player as usize] = true;
    }
    Ok(drawn(*pitch, strategies))
}

fn by_threats(pitch: &Pitch, limits: &HoldLimits) -> CertificateSearch {
    let limited = || Threats::limited(Geometry::new(pitch.shape()), limits.boards, Box::new(|| false));
    let mut boards = 0;
    for player in [pitch.side(), pitch.side().opponent()] {
        let mut threats = limited();
        let choices = win(&mut threats, pitch, player, limits);
        boards += threats.boards();
        if let Some(choices) = choices {
            return won(pitch, player, choices, boards);
        }
    }
    let strategies = [Side::Left, Side::Right].map(|player| {
        let mut threats = limited();
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
    CertificateSearch {
        certificate,
        held,
        boards,
    }
}

fn win(threats: &mut Threats, pitch: &Pitch, player: Side, limits: &HoldLimits) -> Option<Vec<Choice>> {
    let roots = roots(threats, pitch, player)?;
    let mut won = WinningStrategy {
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

struct WinningStrategy<'a> {
    threats: &'a mut Threats,
    player: Side,
    limits: &'a HoldLimits,
    ranks: HashMap<Board, u32>,
    choices: Vec<Choice>,
}

impl WinningStrategy<'_> {
    /// Computes the rank of a position that the player to move wins: 0 with a winning jump.
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
