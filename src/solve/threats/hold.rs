//! Strategies that never lose: finite sets of positions, closed under the player's chosen turn and every answer.
//!
//! The search takes it that a position which comes back on its own path is held; whatever rests on such an assumption
//! is forgotten when the position it was made for turns out not to be held. What it finds is checked by
//! [`verify::certificate`](crate::verify::certificate), which shares no code with it, so a mistake here cannot prove anything.

use super::proof::ProofLimits;
use super::{Board, Geometry, Move, Reach, Threats};
use crate::games::pitch::certificate::Choice;
use crate::games::pitch::{Jump, Landing, Turn};
use crate::outcome::Side;
use hashbrown::{HashMap, HashSet};

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct HoldLimits {
    /// What a win may take.
    pub reach: Reach,
    /// Whether a position may be held by placing a chap that is no shot.
    pub quiet_placements: bool,
    /// Turns of the player on one path of positions that are held and not won.
    pub turns: usize,
    /// Answers to one turn that may have to be held and not won.
    pub open_answers: usize,
    /// Boards that the search may look at.
    pub boards: usize,
    /// How far the proof-number search goes.
    pub proof: ProofLimits,
}

impl Default for HoldLimits {
    fn default() -> HoldLimits {
        HoldLimits {
            reach: Reach { shots: 3, quiet: 1 },
            quiet_placements: false,
            turns: 40,
            open_answers: 8,
            boards: 20_000_000,
            proof: ProofLimits {
                nodes: 2_000_000,
                entries: 4_000_000,
            },
        }
    }
}

/// The search for one player.
pub struct Holder<'a> {
    threats: &'a mut Threats,
    player: Side,
    limits: HoldLimits,
    /// Turns for positions that are held, as far as is known; in the order in which they were entered.
    held: HashMap<Board, Option<Move>>,
    order: Vec<Board>,
    /// Positions that are not held with so many turns left.
    failed: HashMap<Board, usize>,
}

impl<'a> Holder<'a> {
    /// A search for a player who is not to lose.
    pub fn new(threats: &'a mut Threats, player: Side, limits: HoldLimits) -> Holder<'a> {
        Holder {
            threats,
            player,
            limits,
            held: HashMap::new(),
            order: Vec::new(),
            failed: HashMap::new(),
        }
    }

    /// A strategy that never loses, a turn for every position in which the player may have to choose; `roots` are all that the player may
    /// have to face first and does not win at once. `None` if none was found.
    pub fn strategy(&mut self, roots: &[Board]) -> Option<Vec<Choice>> {
        let held = roots.iter().all(|root| self.hold(root, self.limits.turns));
        held.then(|| self.collect(roots))
    }

    /// Whether the player, to move, does not lose.
    fn hold(&mut self, board: &Board, turns: usize) -> bool {
        if self.wins_or_held(board) {
            return true;
        }
        let failed = self.failed.get(board).is_some_and(|&failed| failed >= turns);
        if failed || turns == 0 || self.threats.boards() > self.limits.boards {
            return false;
        }
        let mark = self.order.len();
        self.held.insert(*board, None);
        self.order.push(*board);
        for next in self.candidates(board) {
            if self.holds_after(&next, turns - 1) {
                self.held.insert(*board, Some(next));
                return true;
            }
        }
        for assumed in self.order.drain(mark..) {
            self.held.remove(&assumed);
        }
        self.failed.insert(*board, turns);
        false
    }

    fn wins_or_held(&mut self, board: &Board) -> bool {
        self.threats.geometry().shot(board, self.player).is_some()
            || self.held.contains_key(board)
            || self
                .threats
                .win(self.player, board, self.limits.reach.shots)
                .is_some()
    }

    /// Turns worth trying: shots first, then jumps, then quiet placements.
    fn candidates(&self, board: &Board) -> Vec<Move> {
        let mut moves = self.threats.safe_moves(self.player, board);
        let geometry = self.threats.geometry();
        // Against a shot there are few turns, and all of them are tried.
        let attacked = geometry.shot(board, self.player.opponent()).is_some();
        let quiet = attacked || self.limits.quiet_placements;
        moves
            .retain(|next| quiet || next.chap.is_none() || geometry.shot(&next.after, self.player).is_some());
        moves.sort_by_cached_key(|next| {
            let shot = geometry.shot(&next.after, self.player);
            (
                shot.is_none(),
                shot.map_or(0, |landings| landings.len()),
                next.chap.is_some(),
            )
        });
        moves
    }

    /// Whether every answer to a turn is won or held.
    fn holds_after(&mut self, next: &Move, turns: usize) -> bool {
        let shot = self.threats.geometry().shot(&next.after, self.player);
        let mut answers = self.threats.answers(self.player, &next.after, shot.as_deref());
        // First what is cheap to see; only what that leaves is searched for wins with quiet turns.
        answers.retain(|answer| !self.wins_or_held(answer));
        let mut open = Vec::new();
        for answer in answers {
            if self.threats.boards() > self.limits.boards || open.len() > self.limits.open_answers {
                return false;
            }
            let win = self.threats.quiet_win(self.player, &answer, self.limits.reach);
            if win.is_none() {
                open.push(answer);
            }
        }
        open.iter().all(|answer| self.hold(answer, turns))
    }

    /// The chosen turns of everything that can come up.
    fn collect(&mut self, roots: &[Board]) -> Vec<Choice> {
        let mut strategy = Vec::new();
        let mut met: HashSet<Board> = HashSet::new();
        let mut open: Vec<Board> = roots.to_vec();
        while let Some(board) = open.pop() {
            let at_once = self.threats.geometry().shot(&board, self.player).is_some();
            if at_once || !met.insert(board) {
                continue;
            }
            let held = self.held.get(&board).copied().flatten();
            let chosen = held.or_else(|| self.threats.quiet_win(self.player, &board, self.limits.reach));
            let Some(next) = chosen else { continue };
            open.extend(self.threats.answers(self.player, &next.after, None));
            strategy.extend(choice(self.threats.geometry(), self.player, &board, &next, 0));
        }
        strategy
    }
}

/// A turn of a search as a certificate has it.
pub(super) fn choice(
    geometry: &Geometry,
    player: Side,
    board: &Board,
    next: &Move,
    rank: u32,
) -> Option<Choice> {
    let turn = match next.chap {
        Some(point) => Turn::Place(point),
        None => Turn::Jump(Jump {
            to: Landing::Point(next.after.ball),
            chaps: next.after.chaps,
        }),
    };
    let position = geometry.pitch(board, player)?;
    Some(Choice { position, turn, rank })
}
