//! Wins by continuous shots, found by threat-space search.
//!
//! In the words of Sarkar: a *shot* is a winning jump that the player would make if it were their turn; the opponent answers by
//! jumping away (a *jot*) or by placing a chap in its way (a *tackle*). A tackle must stand where the ball lands on
//! the way to the goal: a chap anywhere else leaves that way as it is. So a shot has few answers, and a win in
//! which every turn is a shot can be searched for far ahead. What is found is found for sure; what is not found may be
//! won all the same by quieter turns.

mod board;
pub mod certify;
pub mod closed;
pub mod hold;
pub mod proof;

pub use board::{Board, Geometry, Landings};

use crate::outcome::Side;
use hashbrown::HashMap;
use std::cell::Cell;

/// A turn in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The board after it.
    pub after: Board,
    /// The point of a chap that was placed; `None` for a jump.
    pub chap: Option<u16>,
}

/// What is known of a player to move on a board.
#[derive(Clone, Copy)]
enum Known {
    /// The turn that wins by shots, in so many further turns of the player before the last.
    Wins(Move, u16),
    /// No win with so many turns of shots.
    NotWithin(u16),
}

/// How far a search for a win goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Turns of shots before the winning jump, in a row.
    pub shots: u16,
    /// Turns that are no shots, before the shots begin.
    pub quiet: u16,
}

/// A threat-space search with its memory.
pub struct Threats {
    geometry: Geometry,
    known: [HashMap<Board, Known>; 2],
    /// Wins that take quiet turns: the first turn, or for how many quiet turns there is no win.
    quiet: [HashMap<Board, Result<Move, u16>>; 2],
    /// How often a chap on a point was the quiet turn that won.
    helped: Vec<u32>,
    /// Asked at every board whether to give up.
    watch: Watch,
    /// Whether it has said so.
    ended: Cell<bool>,
}

/// Says whether a search should give up.
pub type Watch = Box<dyn Fn() -> bool + Send>;

impl Threats {
    /// A search on one shape that knows nothing yet.
    pub fn new(geometry: Geometry) -> Threats {
        Threats::watched(geometry, Box::new(|| false))
    }

    /// The same, for a search that can be stopped: once `watch` has said true it finds nothing more.
    pub fn watched(geometry: Geometry, watch: Watch) -> Threats {
        Threats {
            watch,
            ended: Cell::new(false),
            helped: vec![0; geometry.shape().points()],
            geometry,
            known: [HashMap::new(), HashMap::new()],
            quiet: [HashMap::new(), HashMap::new()],
        }
    }

    /// Whether the search is to give up. What was listed since then may be incomplete, and nothing may rest on it.
    fn is_ended(&self) -> bool {
        self.ended.get() || {
            self.ended.set((self.watch)());
            self.ended.get()
        }
    }

    /// The geometry that it searches on.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The boards that it has looked at.
    pub fn boards(&self) -> usize {
        self.known.iter().map(HashMap::len).sum()
    }

    /// The first turn of a win by shots for `player`, who is to move and cannot win at once, with at most `turns` turns
    /// before the winning one; and how many it takes.
    pub fn win(&mut self, player: Side, board: &Board, turns: u16) -> Option<(Move, u16)> {
        // Shorter wins first: they are cheaper, and certificates of them smaller.
        (1..=turns).find_map(|turns| self.win_within(player, board, turns))
    }

    fn win_within(&mut self, player: Side, board: &Board, turns: u16) -> Option<(Move, u16)> {
        match self.known[player as usize].get(board) {
            Some(&Known::Wins(first, needed)) if needed <= turns => return Some((first, needed)),
            Some(&Known::NotWithin(failed)) if failed >= turns => return None,
            _ if turns == 0 || self.is_ended() => return None,
            _ => {}
        }
        let found = self.shots(player, board).into_iter().find(|(first, landings)| {
            self.answers(player, &first.after, Some(landings))
                .iter()
                .all(|answer| self.wins_against(player, answer, turns - 1))
        });
        let known = match found {
            _ if self.is_ended() => return None,
            Some((first, _)) => Known::Wins(first, turns),
            None => Known::NotWithin(turns),
        };
        self.known[player as usize].insert(*board, known);
        found.map(|(first, _)| (first, turns))
    }

    /// Whether the player, to move, wins at once or by so many shots.
    fn wins_against(&mut self, player: Side, board: &Board, turns: u16) -> bool {
        self.geometry.shot(board, player).is_some() || self.win_within(player, board, turns).is_some()
    }

    /// The first turn of a win by quiet turns and then shots, for a player who is to move and cannot win at once.
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
        // An answer that refuted one turn may well refute the next.
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
                    refuted_by = answer
                        .chaps
                        .minus(&next.after.chaps)
                        .iter()
                        .next()
                        .map(|point| point as u16);
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

    /// The turns that may be made without losing at once: all jumps, and placements, those only that
    /// stop the opponent's shot if there is one.
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

    /// The safe turns that make a shot, with the points on which the ball lands on the way.
    fn shots(&self, player: Side, board: &Board) -> Vec<(Move, Vec<u16>)> {
        let mut shots: Vec<(Move, Vec<u16>)> = (self.safe_moves(player, board).into_iter())
            .take_while(|_| !self.is_ended())
            .filter_map(|next| {
                self.geometry
                    .shot(&next.after, player)
                    .map(|landings| (next, landings))
            })
            .collect();
        // Shots with few landings leave few tackles.
        shots.sort_by_key(|(_, landings)| landings.len());
        shots
    }

    /// The boards that the player may have to face after a turn of theirs: all jumps of the opponent, and all placements, or
    /// those only that stand in the way of a shot. The opponent cannot win at once, so jumps that end the game end it
    /// well.
    pub fn answers(&self, player: Side, board: &Board, landings: Option<&[u16]>) -> Vec<Board> {
        let mut answers = self.geometry.jumps(board).boards;
        match landings {
            Some(landings) => {
                let stops = board.stops(landings).into_iter();
                answers.extend(stops.map(|point| board.with_chap(point)));
            }
            None => {
                let places = self
                    .geometry
                    .empty_points(board)
                    .map(|point| board.with_chap(point));
                answers.extend(places);
            }
        }
        // What the player answers by winning at once needs no thought.
        answers.retain(|answer| self.is_ended() || self.geometry.shot(answer, player).is_none());
        answers
    }
}
