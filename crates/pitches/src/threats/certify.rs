//! The search for certificates on pitches without a table: a win if there is one, otherwise a
//! strategy for each player that never loses ([`super::hold`]).

use super::hold::{HoldLimits, Holder, choice};
use super::{Board, Geometry, Threats};
use hashbrown::HashMap;
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::Pitch;
use phutbase_rules::pitch::certificate::{Certificate, CertifiedValue, Choice};

#[derive(Clone, Debug)]
pub struct CertificateSearch {
    /// The certificate, or the reason why none was found.
    pub certificate: Result<Certificate, NotFound>,
    /// A strategy that never loses was found, for Alfred and for Betty.
    pub held: [bool; 2],
    /// Boards that were visited.
    pub boards: usize,
}

/// Reason why a search found no certificate. It does not imply anything about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    #[error("the search reached its limit of {0} boards")]
    Boards(usize),
    #[error("the search is exhausted")]
    Exhausted,
}

/// Searches for a certificate of a position with the limits of each effort up to one.
///
/// The result must be checked with `verify::certificate`.
pub fn certify(pitch: &Pitch, effort: u8) -> CertificateSearch {
    let mut search = certify_within(pitch, HoldLimits::of_effort(1));
    for effort in 2..=effort {
        if search.certificate.is_ok() {
            break;
        }
        let before = search;
        search = certify_within(pitch, HoldLimits::of_effort(effort));
        search.boards += before.boards;
        for player in 0..2 {
            search.held[player] |= before.held[player];
        }
    }
    search
}

/// Searches for a certificate within limits.
pub fn certify_within(pitch: &Pitch, limits: HoldLimits) -> CertificateSearch {
    let limited = || Threats::new(Geometry::new(pitch.shape()), limits.boards, Box::new(|| false));
    let (mut boards, mut is_cut) = (0, false);
    let mut count = |threats: &Threats| {
        boards += threats.boards();
        is_cut |= threats.boards() > limits.boards;
    };
    for player in [pitch.side(), pitch.side().opponent()] {
        let mut threats = limited();
        let choices = win(&mut threats, pitch, player, &limits);
        count(&threats);
        if let Some(choices) = choices {
            return won(pitch, player, choices, boards);
        }
    }
    let strategies = [Side::Left, Side::Right].map(|player| {
        let mut threats = limited();
        let found = roots(&threats, pitch, player)
            .and_then(|roots| Holder::new(&mut threats, player, limits).strategy(&roots));
        count(&threats);
        found
    });
    let held = [strategies[0].is_some(), strategies[1].is_some()];
    let certificate = match strategies {
        [Some(alfred), Some(betty)] => Ok(Certificate {
            claim: CertifiedValue::Draw,
            position: *pitch,
            strategies: [alfred, betty],
        }),
        _ if is_cut => Err(NotFound::Boards(limits.boards)),
        _ => Err(NotFound::Exhausted),
    };
    CertificateSearch {
        certificate,
        held,
        boards,
    }
}

fn won(position: &Pitch, player: Side, choices: Vec<Choice>, boards: usize) -> CertificateSearch {
    let mut strategies = [Vec::new(), Vec::new()];
    strategies[player as usize] = choices;
    CertificateSearch {
        certificate: Ok(Certificate {
            claim: CertifiedValue::Wins(player),
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
