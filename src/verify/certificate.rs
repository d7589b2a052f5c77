//! Checks a certificate with the rules alone; shares no code with the search that found it.
//!
//! From the certificate's position on, the player of a strategy makes the chosen turns and the opponent makes *every*
//! turn. Each position that comes up for the player must be listed, or be won at once; the game may end in the player's goal
//! only. Then the player does not lose. If a win is claimed, the ranks must fall from one position of the player to the
//! next, so that play ends.

use crate::games::pitch::certificate::{Certificate, Choice, Claim};
use crate::games::pitch::{After, MAX_BOARDS, Pitch, TooManyJumps, Turn};
use crate::outcome::Side;
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

/// Why a certificate proves nothing, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CertificateFault(String);

impl From<TooManyJumps> for CertificateFault {
    fn from(error: TooManyJumps) -> CertificateFault {
        CertificateFault(error.to_string())
    }
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions in which a chosen turn was made, of both strategies.
    pub positions: u64,
    /// Answers that were looked at.
    pub answers: u64,
}

/// Checks a certificate.
///
/// # Errors
/// [`CertificateFault`] with the position at fault.
pub fn check(certificate: &Certificate) -> Result<Checked, CertificateFault> {
    let players: &[Side] = match certificate.claim {
        Claim::Draw => &[Side::Left, Side::Right],
        Claim::Wins(Side::Left) => &[Side::Left],
        Claim::Wins(Side::Right) => &[Side::Right],
    };
    let mut checked = Checked::default();
    for &player in players {
        let strategy = Strategy::new(certificate, player)?;
        let found = strategy.check(&certificate.position)?;
        checked.positions += found.positions;
        checked.answers += found.answers;
    }
    Ok(checked)
}

/// The boards that the jumps of one turn may lead to, if the strategies list so many positions: what a certificate costs follows from its
/// size. The largest that were found so far need a few hundred boards.
fn most_boards(positions: usize) -> usize {
    positions.saturating_mul(1 << 9).clamp(1 << 15, MAX_BOARDS)
}

struct Strategy<'a> {
    player: Side,
    choices: HashMap<Pitch, &'a Choice>,
    ranked: bool,
    /// The most boards that the jumps of one turn may lead to.
    boards: usize,
}

/// What can follow one of the player's positions.
#[derive(Default)]
struct Answers {
    /// Those positions that the strategy lists. In the others the player wins at once.
    listed: Vec<Pitch>,
    /// All that are not over.
    count: u64,
}

impl<'a> Strategy<'a> {
    fn new(certificate: &'a Certificate, player: Side) -> Result<Strategy<'a>, CertificateFault> {
        let mut choices = HashMap::new();
        for choice in &certificate.strategies[player as usize] {
            if choices.insert(choice.position, choice).is_some() {
                return Err(CertificateFault(format!("'{}' is listed twice", choice.position)));
            }
        }
        Ok(Strategy {
            player,
            ranked: certificate.claim != Claim::Draw,
            boards: most_boards(choices.len()),
            choices,
        })
    }

    fn check(&self, root: &Pitch) -> Result<Checked, CertificateFault> {
        let mut met: HashSet<Pitch> = HashSet::new();
        let mut checked = Checked::default();
        let mut open = match root.side() == self.player {
            true if self.is_listed(root, root)? => vec![*root],
            true => Vec::new(),
            false => self.answers(root, root, None)?.listed,
        };
        open.retain(|position| met.insert(*position));
        while !open.is_empty() {
            let next: Vec<Answers> = open
                .par_iter()
                .map(|position| self.after(position))
                .collect::<Result<_, _>>()?;
            checked.positions += next.iter().filter(|answers| answers.count > 0).count() as u64;
            checked.answers += next.iter().map(|answers| answers.count).sum::<u64>();
            open = next
                .into_iter()
                .flat_map(|answers| answers.listed)
                .filter(|position| met.insert(*position))
                .collect();
        }
        Ok(checked)
    }

    /// What can follow one of the player's listed positions; nothing if the player wins at once.
    fn after(&self, position: &Pitch) -> Result<Answers, CertificateFault> {
        let choice = self.choices[position];
        if !position.turns_up_to(self.boards)?.contains(&choice.turn) {
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

    /// All that the opponent can make of a position; `choice` led to it from `before`.
    fn answers(
        &self,
        before: &Pitch,
        position: &Pitch,
        choice: Option<&Choice>,
    ) -> Result<Answers, CertificateFault> {
        let mut answers = Answers::default();
        for turn in position.turns_up_to(self.boards)? {
            match position.after(&turn) {
                After::Position(next) => {
                    answers.count += 1;
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

    /// Whether the strategy lists a position that can come up; if not, the player must win there at once.
    fn is_listed(&self, before: &Pitch, position: &Pitch) -> Result<bool, CertificateFault> {
        if self.choices.contains_key(position) {
            return Ok(true);
        }
        match position.wins_in_one(self.boards, 1).0.is_empty() {
            false => Ok(false),
            true => Err(CertificateFault(format!(
                "after '{before}' and the turn chosen there '{position}' can come up, and the strategy has no turn for it"
            ))),
        }
    }

    fn check_ranks(&self, choice: &Choice, answers: &[Pitch]) -> Result<(), CertificateFault> {
        // A position that is not listed is won at once: its rank is lower than any listed one's.
        let risen = answers
            .iter()
            .find(|next| self.choices[*next].rank >= choice.rank);
        match risen.filter(|_| self.ranked) {
            None => Ok(()),
            Some(next) => Err(CertificateFault(format!(
                "after '{}' the rank does not fall: '{next}' can come up",
                choice.position
            ))),
        }
    }
}

/// The fault of letting the opponent win.
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
