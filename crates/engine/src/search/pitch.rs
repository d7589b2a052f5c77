//! Search on the pitch: jumps, placements near the ball, and the reach of one turn of jumps.

use super::tree;
use super::{Evaluation, Info};
use crate::limits::SearchLimits;
use crate::position::Turn;
use phutbase_base::outcome::{Depth, Side};
use phutbase_pitches::threats::{Board, Geometry, Landings, Threats};
use phutbase_rules::pitch::{Jump, Landing, Pitch, Shape};
use phutbase_rules::position::{Phutball, Standing};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    board: Board,
    side: Side,
}

impl Node {
    pub fn of(pitch: &Pitch) -> Node {
        Node {
            board: Board::of(pitch),
            side: pitch.side(),
        }
    }
}

/// The evaluation of a position for the player to move.
pub struct Look {
    /// True if a turn wins at once; the other fields are then meaningless.
    pub wins_at_once: bool,
    /// True if the opponent would win at once if it were their turn.
    pub threatened: bool,
    pub guess: i32,
    /// Positions after each turn, the most promising first, without those that lose at once.
    pub children: Vec<Node>,
    /// True if `children` has every turn that does not lose at once.
    pub complete: bool,
}

pub struct PitchArena {
    geometry: Geometry,
}

/// Boards of one turn's jumps after which the search assumes that there may be more.
const MAX_BOARDS: usize = 256;
/// The largest pitch on which chaps are placements everywhere, in points.
const MAX_POINTS_EVERYWHERE: usize = 64;
/// Maximum distance of placements from the ball on larger pitches.
const MAX_DISTANCE: usize = 3;
/// Value of a row, in hundredths, for the ball and for the reach of its jumps.
const ROW: i32 = 40;
const REACH: i32 = 60;
/// Value of the right to move, in hundredths.
const TO_MOVE: i32 = 30;
/// Depth of the threat search, in turns.
const MAX_SHOTS: u16 = 4;

impl PitchArena {
    pub fn new(shape: Shape) -> PitchArena {
        PitchArena {
            geometry: Geometry::new(shape),
        }
    }

    /// Estimates a position for the player to move; a win at once exceeds any estimate.
    pub fn value_of(&self, pitch: &Pitch) -> i32 {
        let look = self.look(&Node::of(pitch), false);
        if look.wins_at_once {
            tree::UNKNOWN
        } else {
            look.guess
        }
    }

    /// Compares how many rows the jumps of one turn gain up and down.
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

    /// Returns the points for placements, nearest first, and whether those are all that matter.
    fn places(&self, node: &Node, threat: Option<&[u16]>) -> (Vec<u16>, bool) {
        let board = &node.board;
        // Only a chap on a landing point can stop a threat.
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
        if shape.points() > MAX_POINTS_EVERYWHERE {
            places.retain(|&point| distance(point) <= MAX_DISTANCE);
        }
        places.sort_by_key(|&point| distance(point));
        let complete = places.len() == all;
        (places, complete)
    }

    /// Evaluates a position; `children` is set if the search continues below it.
    pub fn look(&self, node: &Node, children: bool) -> Look {
        let mut jumps = self.geometry.jumps_up_to(&node.board, MAX_BOARDS);
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
        // Jumps towards the own goal first.
        jumps.boards.sort_by_key(|board| {
            let row = shape.row(board.ball.into()) as isize;
            if node.side == Side::Left { -row } else { row }
        });
        let placements = places.into_iter().map(|point| node.board.with_chap(point));
        look.children = (jumps.boards.into_iter().chain(placements))
            .map(|board| Node {
                board,
                side: node.side.opponent(),
            })
            .collect();
        look
    }

    /// Returns the turn between two positions, in notation.
    pub fn turn(&self, from: &Node, to: &Node) -> Option<String> {
        if from.board.ball == to.board.ball {
            let placements = to.board.chaps.minus(&from.board.chaps).iter().next();
            return placements.map(|point| self.geometry.shape().point_name(point));
        }
        let pitch = self.geometry.pitch(&from.board, from.side)?;
        let (jumps, _) = pitch.jumps_up_to(MAX_BOARDS, &|| false);
        let leads = |jump: &Jump| jump.to == Landing::Point(to.board.ball) && jump.chaps == to.board.chaps;
        (jumps.iter().find(|(jump, _)| leads(jump))).map(|(_, path)| pitch.path_notation(path))
    }
}

/// Ranks a turn for move ordering: jumps by rows gained, then placements by distance.
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

/// Bytes of a board in the search for threats: an entry of a table that may be half empty.
const THREAT_BYTES: usize = 400;

/// Returns the first turn of a win by continuous shots. The player must have no win at once.
pub fn by_threats(
    pitch: &Pitch,
    turns: &[Turn],
    mebibytes: usize,
    limits: &SearchLimits,
    report: &mut dyn FnMut(&Info),
) -> Option<(usize, Evaluation)> {
    // Without a time limit there is no share of it for this search.
    if limits.deadline.is_none() || limits.nodes.is_some() || limits.depth.is_some() {
        return None;
    }
    let board = Board::of(pitch);
    let part = limits.quarter();
    let geometry = Geometry::new(pitch.shape());
    let mut threats = Threats::new(
        geometry,
        (mebibytes << 20) / THREAT_BYTES,
        Box::new(move || part.is_spent(0)),
    );
    let (first, shots) = threats.win(pitch.side(), &board, MAX_SHOTS)?;
    let place = turns.iter().position(|turn| match turn.after {
        Standing::Open(Phutball::Pitch(after)) => Board::of(&after) == first.after,
        _ => false,
    })?;
    let score = Evaluation::Win(Some(Depth(2 * shots + 1)));
    report(&Info {
        depth: u32::from(2 * shots + 1),
        score,
        nodes: threats.boards() as u64,
        time: limits.elapsed(),
        line: vec![turns[place].notation.clone()],
    });
    Some((place, score))
}
