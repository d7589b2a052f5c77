//! Wins by continuous shots, found by threat-space search.
//!
//! In the terms of Sarkar, a *shot* is a winning jump that the player could make if it were their
//! turn; the opponent answers by jumping away (a *jot*) or by placing a chap in its way (a
//! *tackle*). A tackle must stand on a landing point on the way to the goal: a chap anywhere else
//! does not stop the ball. A shot therefore has few answers, and wins in which every turn is a shot
//! can be searched far ahead. Wins found are certain; a position without one may still be won by
//! quieter turns.

mod board;
pub mod certify;
pub mod hold;

pub use board::{Board, Geometry, Landings};

use hashbrown::HashMap;
use phutbase_base::outcome::Side;
use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub after: Board,
    /// The point of a chap that was placed; `None` for a jump.
    pub chap: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Consecutive shots before the winning jump.
    pub shots: u16,
    /// Turns before the shots that are no shots themselves.
    pub quiet: u16,
}

/// Results by player to move: a win, or a limit within which there is none.
type Known<T> = [HashMap<Board, Result<T, u16>>; 2];

/// A threat-space search with its transposition tables.
pub struct Threats {
    geometry: Geometry,
    /// Wins by shots: the first turn and the number of turns before the winning jump, or the number
    /// of shots within which there is no win.
    known: Known<(Move, u16)>,
    /// Wins with quiet turns: the first turn, or the number of quiet turns without a win.
    quiet: Known<Move>,
    /// For each point, how often a chap there was the quiet turn that won; orders the moves.
    helped: Vec<u32>,
    watch: Watch,
    most_boards: usize,
    /// The search finds nothing more.
    ended: Cell<bool>,
}

/// Returns true when a search must stop.
pub type Watch = Box<dyn Fn() -> bool + Send>;

impl Threats {
    /// Creates a search that finds nothing more once it has looked at this many boards, `watch`
    /// returns true, or a turn led to too many boards.
    pub fn new(geometry: Geometry, most_boards: usize, watch: Watch) -> Threats {
        Threats {
            watch,
            most_boards,
            ended: Cell::new(false),
            helped: vec![0; geometry.shape().points()],
            geometry,
            known: [HashMap::new(), HashMap::new()],
            quiet: [HashMap::new(), HashMap::new()],
        }
    }

    /// Returns whether the search must stop. Lists made after that may be incomplete and must not
    /// be stored.
    fn is_ended(&self) -> bool {
        self.ended.get() || {
            let has_ended = self.boards() > self.most_boards;
            self.ended
                .set(has_ended || self.geometry.was_cut_short() || (self.watch)());
            self.ended.get()
        }
    }

    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub fn boards(&self) -> usize {
        self.known.iter().map(HashMap::len).sum()
    }

    /// Finds a win by shots for `player`, who is to move and has no winning jump, with at most
    /// `turns` turns before it. Returns the first turn and the number of turns.
    pub fn win(&mut self, player: Side, board: &Board, turns: u16) -> Option<(Move, u16)> {
        // Shorter wins are cheaper to find and have smaller certificates.
        (1..=turns).find_map(|turns| self.win_within(player, board, turns))
    }

    fn win_within(&mut self, player: Side, board: &Board, turns: u16) -> Option<(Move, u16)> {
        match self.known[player as usize].get(board) {
            Some(&Ok((first, needed))) if needed <= turns => return Some((first, needed)),
            Some(&Err(failed)) if failed >= turns => return None,
            _ if turns == 0 || self.is_ended() => return None,
            _ => {}
        }
        let found = self.shots(player, board).into_iter().find(|(first, landings)| {
            self.answers(player, &first.after, Some(landings))
                .iter()
                .all(|answer| self.wins_against(player, answer, turns - 1))
        });
        if self.is_ended() {
            return None;
        }
        let found = found.map(|(first, _)| (first, turns));
        self.known[player as usize].insert(*board, found.ok_or(turns));
        found
    }

    /// Returns whether the player to move wins at once or within this number of shots.
    fn wins_against(&mut self, player: Side, board: &Board, turns: u16) -> bool {
        self.geometry.shot(board, player).is_some() || self.win_within(player, board, turns).is_some()
    }

    /// Finds the first turn of a win by quiet turns followed by shots, for a player who is to move
    /// and has no winning jump.
    pub fn quiet_win(&mut self, player: Side, board: &Board, reach: Reach) -> Option<Move> {
        if let Some((first, _)) = self.win(player, board, reach.shots) {
            return Some(first);
        }
        match self.quiet[player as usize].get(board) {
            Some(&Ok(first)) => return Some(first),
            Some(&Err(failed)) if failed >= reach.quiet => return None,
            _ if reach.quiet == 0 => return None,
            _ => {}
        }
        let mut moves = self.safe_moves(player, board);
        moves.sort_by_key(|next| {
            std::cmp::Reverse(next.chap.map_or(0, |point| self.helped[usize::from(point)]))
        });
        let less = Reach {
            quiet: reach.quiet - 1,
            ..reach
        };
        // A reply that refuted one turn is likely to refute the next.
        let mut refuted_by: Option<u16> = None;
        let found = moves.into_iter().find(|next| {
            let shot = self.geometry.shot(&next.after, player);
            let mut answers = self.answers(player, &next.after, shot.as_deref());
            if let Some(point) = refuted_by {
                let again = answers
                    .iter()
                    .position(|answer| answer.chaps.contains(point.into()));
                again.into_iter().for_each(|at| answers.swap(0, at));
            }
            answers.iter().all(|answer| {
                let wins = self.quiet_win(player, answer, less).is_some();
                if !wins {
                    let more = answer.chaps.minus(&next.after.chaps);
                    refuted_by = more.iter().next().map(|point| point as u16);
                }
                wins
            })
        });
        if self.is_ended() {
            return None;
        }
        if let Some(point) = found.and_then(|next| next.chap) {
            self.helped[usize::from(point)] += 1;
        }
        self.quiet[player as usize].insert(*board, found.ok_or(reach.quiet));
        found
    }

    /// Lists the turns after which the opponent has no winning jump: jumps first, then placements.
    /// If the opponent has a shot, only placements that stop it are considered.
    pub fn safe_moves(&self, player: Side, board: &Board) -> Vec<Move> {
        let opponent = player.opponent();
        let jumps = self.geometry.jumps(board);
        let places: Vec<u16> = match &jumps.shots[opponent as usize] {
            Some(landings) => board.stops(landings),
            None => self.geometry.empty_points(board).collect(),
        };
        let jumps = jumps.boards.into_iter().map(|after| Move { after, chap: None });
        let places = places.into_iter().map(|point| Move {
            after: board.with_chap(point),
            chap: Some(point),
        });
        let all = jumps.chain(places);
        all.take_while(|_| !self.is_ended())
            .filter(|next| self.geometry.shot(&next.after, opponent).is_none())
            .collect()
    }

    /// Lists the safe turns that make a shot, with its landing points.
    fn shots(&self, player: Side, board: &Board) -> Vec<(Move, Vec<u16>)> {
        let mut shots: Vec<(Move, Vec<u16>)> = (self.safe_moves(player, board).into_iter())
            .take_while(|_| !self.is_ended())
            .filter_map(|next| {
                self.geometry
                    .shot(&next.after, player)
                    .map(|landings| (next, landings))
            })
            .collect();
        // Shots with few landing points allow few tackles.
        shots.sort_by_key(|(_, landings)| landings.len());
        shots
    }

    /// Lists the boards that the player may have to face after a turn: all jumps of the opponent,
    /// and all placements, or only those that stop a shot with the given landing points. The
    /// opponent must have no winning jump. Boards with a winning jump for the player are left out.
    pub fn answers(&self, player: Side, board: &Board, landings: Option<&[u16]>) -> Vec<Board> {
        let mut answers = self.geometry.jumps(board).boards;
        match landings {
            Some(landings) => {
                let stops = board.stops(landings).into_iter();
                answers.extend(stops.map(|point| board.with_chap(point)));
            }
            None => {
                let places = self.geometry.empty_points(board);
                answers.extend(places.map(|point| board.with_chap(point)));
            }
        }
        answers.retain(|answer| self.is_ended() || self.geometry.shot(answer, player).is_none());
        answers
    }
}
