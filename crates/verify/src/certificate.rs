//! Checks a certificate with the rules alone. It shares with the search for threats only the geometry of
//! a pitch (`Shape`, `Direction`, `Points`) and the types of turns and certificates, and with certificates
//! from tables also the rules (`Pitch`).
//!
//! From the certificate's position on, the player of a strategy makes the chosen turns and the
//! opponent makes *every* turn. Each position that can arise for the player must be listed or be an
//! immediate win, and the game may end only in the player's goal. Then the player does not lose. If
//! a win is claimed, the ranks must decrease from one position of the player to the next, so play
//! terminates.

use hashbrown::{HashMap, HashSet};
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::certificate::{Certificate, CertifiedValue, Choice};
use phutbase_rules::pitch::{After, MAX_BOARDS, Pitch, TooManyJumps, Turn};
use rayon::prelude::*;
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CertificateFault(String);

impl From<TooManyJumps> for CertificateFault {
    fn from(error: TooManyJumps) -> CertificateFault {
        CertificateFault(error.to_string())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions in which a chosen turn was made, of both strategies.
    pub positions: u64,
    pub answers: u64,
}

/// Checks a certificate within work that follows from its size.
pub fn check(certificate: &Certificate) -> Result<Checked, CertificateFault> {
    let positions = certificate.strategies.iter().map(Vec::len).sum();
    check_within(certificate, most_boards_together(positions))
}

/// Checks a certificate. The jumps of all turns of a strategy may lead to at most `boards` boards.
pub fn check_within(certificate: &Certificate, boards: i64) -> Result<Checked, CertificateFault> {
    let players: &[Side] = match certificate.claim {
        CertifiedValue::Draw => &[Side::Left, Side::Right],
        CertifiedValue::Wins(Side::Left) => &[Side::Left],
        CertifiedValue::Wins(Side::Right) => &[Side::Right],
    };
    let mut checked = Checked::default();
    for &player in players {
        let strategy = Strategy::new(certificate, player, boards)?;
        let found = strategy.check(&certificate.position)?;
        checked.positions += found.positions;
        checked.answers += found.answers;
    }
    Ok(checked)
}

/// Limit on the boards reachable by the jumps of one turn, derived from the number of listed
/// positions. The largest known certificates need a few hundred boards.
fn most_boards(positions: usize) -> usize {
    positions.saturating_mul(1 << 9).clamp(1 << 15, MAX_BOARDS)
}

/// Limit on the boards reachable by the jumps of all turns together, so that the cost follows from
/// the certificate's size. Strategies on the official pitch need 350 for each listed position.
fn most_boards_together(positions: usize) -> i64 {
    (1 << 20) + (positions as i64).saturating_mul(1 << 13)
}

struct Strategy<'a> {
    player: Side,
    choices: HashMap<Pitch, &'a Choice>,
    ranked: bool,
    /// Limit on the boards reachable by the jumps of one turn.
    boards: usize,
    /// The boards that may still be visited; less than 0 if there were more.
    boards_left: AtomicI64,
}

/// The positions that can follow one of the player's positions.
#[derive(Default)]
struct Answers {
    /// Positions that the strategy lists. The others are immediate wins.
    listed: Vec<Pitch>,
    count: u64,
}

impl<'a> Strategy<'a> {
    fn new(certificate: &'a Certificate, player: Side, most: i64) -> Result<Strategy<'a>, CertificateFault> {
        let mut choices = HashMap::new();
        for choice in &certificate.strategies[player as usize] {
            if choices.insert(choice.position, choice).is_some() {
                return Err(CertificateFault(format!("'{}' is listed twice", choice.position)));
            }
        }
        Ok(Strategy {
            player,
            ranked: certificate.claim != CertifiedValue::Draw,
            boards: most_boards(choices.len()),
            boards_left: AtomicI64::new(most),
            choices,
        })
    }

    fn check(&self, root: &Pitch) -> Result<Checked, CertificateFault> {
        let mut met: HashSet<Pitch> = HashSet::new();
        let mut checked = Checked::default();
        let mut open = if root.side() != self.player {
            let answers = self.answers(root, root, None)?;
            checked.answers += answers.count;
            answers.listed
        } else if self.is_listed(root, root)? {
            vec![*root]
        } else {
            Vec::new()
        };
        open.retain(|position| met.insert(*position));
        while !open.is_empty() {
            let next: Vec<Answers> = open
                .par_iter()
                .map(|position| self.after(position))
                .collect::<Result<_, _>>()?;
            checked.positions += open.len() as u64;
            checked.answers += next.iter().map(|answers| answers.count).sum::<u64>();
            open = next
                .into_iter()
                .flat_map(|answers| answers.listed)
                .filter(|position| met.insert(*position))
                .collect();
        }
        Ok(checked)
    }

    /// Returns the positions that can follow a listed position; none if the player wins at once.
    fn after(&self, position: &Pitch) -> Result<Answers, CertificateFault> {
        let choice = self.choices[position];
        if !self.turns(position)?.contains(&choice.turn) {
            return Err(CertificateFault(format!(
                "the turn chosen in '{position}' is not legal"
            )));
        }
        match position.after(&choice.turn) {
            After::Position(next) => {
                let answers = self.answers(position, &next, Some(choice))?;
                self.check_ranks(choice, &answers.listed)?;
                Ok(answers)
            }
            After::Over { winner, .. } if winner == self.player => Ok(Answers::default()),
            After::Over { .. } => Err(CertificateFault(format!(
                "in '{position}' the chosen turn {} ends in the opponent's goal",
                position.turn_notation(&choice.turn)?
            ))),
        }
    }

    /// Returns all replies of the opponent to a position; `choice` led to it from `before`.
    fn answers(
        &self,
        before: &Pitch,
        position: &Pitch,
        choice: Option<&Choice>,
    ) -> Result<Answers, CertificateFault> {
        let mut answers = Answers::default();
        for turn in self.turns(position)? {
            answers.count += 1;
            match position.after(&turn) {
                After::Position(next) => {
                    if self.is_listed(before, &next)? {
                        answers.listed.push(next);
                    }
                }
                After::Over { winner, .. } if winner == self.player => {}
                After::Over { .. } => return Err(lost(position, choice, &turn)?),
            }
        }
        Ok(answers)
    }

    /// Returns whether the strategy lists a position that can arise; if not, the player must win
    /// there at once.
    fn is_listed(&self, before: &Pitch, position: &Pitch) -> Result<bool, CertificateFault> {
        if self.choices.contains_key(position) {
            return Ok(true);
        }
        let (wins, visited) = position.wins_within(self.boards);
        self.charge(visited)?;
        if wins {
            return Ok(false);
        }
        Err(CertificateFault(format!(
            "after '{before}' and the turn chosen there '{position}' can arise, but the strategy does not list it"
        )))
    }

    /// Lists the turns of a position.
    fn turns(&self, position: &Pitch) -> Result<Vec<Turn>, CertificateFault> {
        let turns = position.turns_up_to(self.boards)?;
        self.charge(turns.len())?;
        Ok(turns)
    }

    /// Counts visited boards against the limit.
    fn charge(&self, boards: usize) -> Result<(), CertificateFault> {
        if self.boards_left.fetch_sub(boards as i64, Ordering::Relaxed) >= boards as i64 {
            return Ok(());
        }
        Err(CertificateFault(format!(
            "the turns lead to more boards than {} listed positions warrant",
            self.choices.len()
        )))
    }

    fn check_ranks(&self, choice: &Choice, answers: &[Pitch]) -> Result<(), CertificateFault> {
        // An unlisted position is an immediate win, so it ranks below every listed one.
        let risen = answers
            .iter()
            .find(|next| self.choices[*next].rank >= choice.rank);
        match risen.filter(|_| self.ranked) {
            None => Ok(()),
            Some(next) => Err(CertificateFault(format!(
                "after '{}' the rank does not decrease: '{next}' can arise",
                choice.position
            ))),
        }
    }
}

/// Returns the fault that the opponent wins.
fn lost(position: &Pitch, choice: Option<&Choice>, turn: &Turn) -> Result<CertificateFault, TooManyJumps> {
    let answer = position.turn_notation(turn)?;
    Ok(CertificateFault(match choice {
        Some(choice) => format!(
            "in '{}' the chosen turn {} lets the opponent win with {answer}",
            choice.position,
            choice.position.turn_notation(&choice.turn)?
        ),
        None => format!("in '{position}' the opponent wins at once with {answer}"),
    }))
}
