//! The pitch as the search sees it: jumps, placements near the ball, and how near to each goal one turn of jumps comes.

use super::tree;
use super::{Arena, Info, Look, Score};
use crate::engine::budget::Budget;
use crate::engine::position::{Standing, Turn};
use crate::games::pitch::{Jump, Landing, Pitch, Shape};
use crate::games::position::Phutball;
use crate::outcome::{Depth, Side};
use crate::solve::threats::{Board, Geometry, Landings, Threats};

/// A position of the pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    board: Board,
    side: Side,
}

impl Node {
    /// The node of a position.
    pub fn of(pitch: &Pitch) -> Node {
        Node {
            board: Board::of(pitch),
            side: pitch.side(),
        }
    }
}

/// Pitches of one shape.
pub struct PitchArena {
    geometry: Geometry,
}

/// Boards that the jumps of one turn may meet before the search takes it that there may be more.
const MOST_BOARDS: usize = 256;
/// The most points of a pitch on which chaps are placed everywhere.
const SMALL: usize = 64;
/// How far from the ball chaps are placed on larger ones.
const NEAR: usize = 3;
/// What it is worth, in hundredths, to have the ball a row nearer, and to be able to jump it a row nearer.
const ROW: i32 = 40;
const REACH: i32 = 60;
/// What it is worth to be the one to move.
const TO_MOVE: i32 = 30;
/// Turns of shots that the threat search looks for.
const MOST_SHOTS: u16 = 4;

impl PitchArena {
    /// Pitches of a shape.
    pub fn new(shape: Shape) -> PitchArena {
        PitchArena {
            geometry: Geometry::new(shape),
        }
    }

    /// A guess at the value of a position, by the player to move; a win at once is more than any guess.
    pub fn value_of(&self, pitch: &Pitch) -> i32 {
        let look = self.look(&Node::of(pitch), false);
        match look.wins_at_once {
            true => tree::UNKNOWN,
            false => look.guess,
        }
    }

    /// How many rows the jumps of one turn bring the ball up and down at best.
    fn guess(&self, node: &Node, jumps: &Landings) -> i32 {
        let shape = self.geometry.shape();
        let row = |ball: u16| shape.row(ball.into()) as i32;
        let ball = row(node.board.ball);
        let (mut top, mut bottom) = (ball, ball);
        for board in &jumps.boards {
            top = top.max(row(board.ball));
            bottom = bottom.min(row(board.ball));
        }
        let last = shape.rows() as i32 - 1;
        if jumps.shots[Side::Left as usize].is_some() {
            top = last + 1;
        }
        if jumps.shots[Side::Right as usize].is_some() {
            bottom = -1;
        }
        let value = ROW * (2 * ball - last) + REACH * (top + bottom - 2 * ball);
        let value = if node.side == Side::Left { value } else { -value };
        value + TO_MOVE
    }

    /// The points where a chap may be placed, nearest first, and whether those are all that matter.
    fn places(&self, node: &Node, threat: Option<&[u16]>) -> (Vec<u16>, bool) {
        let board = &node.board;
        // Only a chap where the ball lands can be in the way of a threat.
        if let Some(landings) = threat {
            return (board.stops(landings), true);
        }
        let shape = self.geometry.shape();
        let ball = usize::from(board.ball);
        let distance = |point: u16| {
            let point = usize::from(point);
            let rows = shape.row(point).abs_diff(shape.row(ball));
            rows.max(shape.column(point).abs_diff(shape.column(ball)))
        };
        let mut places: Vec<u16> = self.geometry.empty_points(board).collect();
        let all = places.len();
        if shape.points() > SMALL {
            places.retain(|&point| distance(point) <= NEAR);
        }
        places.sort_by_key(|&point| distance(point));
        let complete = places.len() == all;
        (places, complete)
    }
}

impl Arena for PitchArena {
    type Node = Node;

    fn look(&self, node: &Node, children: bool) -> Look<Node> {
        let mut jumps = self.geometry.jumps_up_to(&node.board, MOST_BOARDS);
        let [own, other] = [node.side, node.side.opponent()].map(|side| jumps.shots[side as usize].clone());
        let mut look = Look {
            wins_at_once: own.is_some(),
            threatened: other.is_some(),
            guess: self.guess(node, &jumps),
            children: Vec::new(),
            complete: jumps.complete,
        };
        if !children || look.wins_at_once {
            return look;
        }
        let (places, all) = self.places(node, other.as_deref());
        look.complete &= all;
        let shape = self.geometry.shape();
        // Jumps towards one's own goal first.
        jumps.boards.sort_by_key(|board| {
            let row = shape.row(board.ball.into()) as isize;
            if node.side == Side::Left { -row } else { row }
        });
        let placed = places.into_iter().map(|point| node.board.with_chap(point));
        look.children = (jumps.boards.into_iter().chain(placed))
            .map(|board| Node {
                board,
                side: node.side.opponent(),
            })
            .collect();
        look
    }

    fn turn(&self, from: &Node, to: &Node) -> Option<String> {
        if from.board.ball == to.board.ball {
            let placed = to.board.chaps.minus(&from.board.chaps).iter().next();
            return placed.map(|point| self.geometry.shape().point_name(point));
        }
        let pitch = self.geometry.pitch(&from.board, from.side)?;
        let (jumps, _) = pitch.jumps_up_to(MOST_BOARDS, &|| false);
        let leads = |jump: &Jump| jump.to == Landing::Point(to.board.ball) && jump.chaps == to.board.chaps;
        (jumps.iter().find(|(jump, _)| leads(jump))).map(|(_, path)| pitch.path_notation(path))
    }
}

/// How soon a turn is worth a look: jumps first, those that bring the ball forward most, then chaps by their distance from it.
pub fn promise(before: &Pitch, after: &Node) -> i32 {
    let shape = before.shape();
    let distance = |point: usize, step: fn(&Shape, usize) -> usize| {
        step(&shape, point) as i32 - step(&shape, before.ball()) as i32
    };
    let ball = usize::from(after.board.ball);
    if ball != before.ball() {
        let up = distance(ball, Shape::row);
        let forward = if before.side() == Side::Left { up } else { -up };
        return shape.rows() as i32 + forward;
    }
    let chap = after.board.chaps.minus(before.chaps()).iter().next();
    chap.map_or(0, |point| {
        -distance(point, Shape::row)
            .abs()
            .max(distance(point, Shape::column).abs())
    })
}

/// A win by continuous shots, if one is found in a part of the time: the place of its first turn. The player has no win at once.
pub fn by_threats(
    pitch: &Pitch,
    turns: &[Turn],
    budget: &Budget,
    report: &mut dyn FnMut(&Info),
) -> Option<(usize, Score)> {
    // Without a time limit there is not a part of it: the other search does alone.
    if !budget.is_timed() || budget.nodes.is_some() || budget.depth.is_some() {
        return None;
    }
    let board = Board::of(pitch);
    let part = budget.part(1, 4);
    let geometry = Geometry::new(pitch.shape());
    let mut threats = Threats::watched(geometry, Box::new(move || part.is_spent(0)));
    let (first, shots) = threats.win(pitch.side(), &board, MOST_SHOTS)?;
    if threats.geometry().was_cut_short() {
        return None;
    }
    let place = turns.iter().position(|turn| match turn.after {
        Standing::Open(Phutball::Pitch(after)) => Board::of(&after) == first.after,
        _ => false,
    })?;
    let score = Score::Win(Some(Depth(2 * shots + 1)));
    report(&Info {
        depth: u32::from(2 * shots + 1),
        score,
        nodes: threats.boards() as u64,
        time: budget.elapsed(),
        line: vec![turns[place].notation.clone()],
    });
    Some((place, score))
}
