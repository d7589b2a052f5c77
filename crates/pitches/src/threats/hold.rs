//! Strategies that never lose: finite sets of positions, closed under the player's chosen turn and
//! all replies.
//!
//! The search assumes that a position repeated on its own path is held. If the position then turns
//! out not to be held, all results that rest on the assumption are discarded.
//! `verify::certificate` checks the result and says what it shares with the search, so a bug in the
//! search cannot lead to a false claim.

use super::{Board, Geometry, Move, Reach, Threats};
use hashbrown::{DefaultHashBuilder, HashMap, HashSet};
use indexmap::IndexMap;
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::certificate::Choice;
use phutbase_rules::pitch::{Jump, Landing, Turn};

/// Turns of the player on one path of positions that are held but not won.
const MAX_TURNS: usize = 40;

#[derive(Clone, Copy, Debug)]
pub struct HoldLimits {
    pub reach: Reach,
    /// Allow placements that are no shots to hold a position.
    pub quiet_placements: bool,
    /// Replies to one turn that are held but not won.
    pub open_answers: usize,
    pub boards: usize,
}

impl HoldLimits {
    /// The limits of an effort from 1 to 3, each of which reaches further.
    pub fn of_effort(effort: u8) -> HoldLimits {
        let (shots, quiet, open_answers) = match effort {
            0 | 1 => (3, 1, 8),
            2 => (3, 2, 8),
            _ => (4, 4, 32),
        };
        HoldLimits {
            reach: Reach { shots, quiet },
            quiet_placements: effort > 2,
            open_answers,
            boards: 20_000_000,
        }
    }
}

pub struct Holder<'a> {
    threats: &'a mut Threats,
    player: Side,
    limits: HoldLimits,
    /// Turns for positions that are held according to current assumptions, in the order in which
    /// they were entered.
    held: IndexMap<Board, Option<Move>, DefaultHashBuilder>,
    /// Positions that are not held within this number of turns.
    failed: HashMap<Board, usize>,
}

impl<'a> Holder<'a> {
    /// Creates a search for a strategy with which `player` does not lose.
    pub fn new(threats: &'a mut Threats, player: Side, limits: HoldLimits) -> Holder<'a> {
        Holder {
            threats,
            player,
            limits,
            held: IndexMap::default(),
            failed: HashMap::new(),
        }
    }

    /// Finds a strategy that never loses, with a turn for every position in which the player may
    /// have to choose. `roots` are the positions that the player may have to face first, none with
    /// a winning jump. Returns `None` if none was found.
    pub fn strategy(&mut self, roots: &[Board]) -> Option<Vec<Choice>> {
        let held = roots.iter().all(|root| self.hold(root, MAX_TURNS));
        held.then(|| self.collect(roots))
    }

    fn hold(&mut self, board: &Board, turns: usize) -> bool {
        if self.wins_or_held(board) {
            return true;
        }
        let failed = self.failed.get(board).is_some_and(|&failed| failed >= turns);
        if failed || turns == 0 || self.threats.boards() > self.limits.boards {
            return false;
        }
        let mark = self.held.len();
        self.held.insert(*board, None);
        for next in self.candidates(board) {
            if self.holds_after(&next, turns - 1) {
                self.held.insert(*board, Some(next));
                return true;
            }
        }
        self.held.truncate(mark);
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

    /// Lists the turns to try: shots first, then jumps, then quiet placements.
    fn candidates(&self, board: &Board) -> Vec<Move> {
        let mut moves = self.threats.safe_moves(self.player, board);
        let geometry = self.threats.geometry();
        // A shot of the opponent leaves few safe turns, so all of them are tried.
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

    /// Returns whether every reply to a turn is won or held.
    fn holds_after(&mut self, next: &Move, turns: usize) -> bool {
        let shot = self.threats.geometry().shot(&next.after, self.player);
        let mut answers = self.threats.answers(self.player, &next.after, shot.as_deref());
        // Cheap tests first; only the remaining replies are searched for wins with quiet turns.
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

    /// Collects the chosen turns of all positions that can be reached.
    fn collect(&mut self, roots: &[Board]) -> Vec<Choice> {
        let mut strategy = Vec::new();
        let mut visited: HashSet<Board> = HashSet::new();
        let mut open: Vec<Board> = roots.to_vec();
        while let Some(board) = open.pop() {
            let at_once = self.threats.geometry().shot(&board, self.player).is_some();
            if at_once || !visited.insert(board) {
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

/// Converts a turn of a search to an entry of a certificate.
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
