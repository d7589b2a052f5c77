//! Turns: generating them, and what they lead to.
//!
//! Different jump paths to the same board are one turn, so a [`Turn`] is known by what it leads to. Jumps are found by
//! breadth-first search over boards, so the [`Path`] that is kept for a jump is a shortest one.

use super::{Direction, Pitch, Points, Shape, Step};
use crate::game::Successor;
use crate::outcome::{Side, Wdl};
use hashbrown::HashSet;

/// The most boards that a search through the jumps of one turn meets before it gives up: chains of jumps over a scattered
/// multitude of chaps can lead to exponentially many.
pub const MAX_BOARDS: usize = 1 << 20;
/// Boards between two questions whether to stop.
const PATIENCE: usize = 64;

/// Where a jump ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Landing {
    /// On a point, goal rows included.
    Point(u16),
    /// Beyond a goal line: the goal of this player.
    Off(Side),
}

/// What one or more jumps lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// Where the ball is at the end.
    pub to: Landing,
    /// The chaps that are left.
    pub chaps: Points,
}

/// A turn of the pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A chap on this empty point.
    Place(u16),
    /// One or more jumps.
    Jump(Jump),
}

/// One jump out of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Its direction.
    pub direction: Direction,
    /// Where it ends.
    pub to: Landing,
    /// The chaps that it goes over, and that are removed.
    pub over: Points,
}

/// A way to make a jump: the flights, in their order; never empty.
pub type Path = Vec<Flight>;

/// The jumps of a position lead to more boards than a search may meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the jumps of '{position}' lead to more than {limit} boards: a search through all of them was given up"
)]
pub struct TooManyJumps {
    /// The position, in notation.
    pub position: String,
    /// The boards that the search might meet.
    pub limit: usize,
}

/// The board after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Play goes on.
    Position(Pitch),
    /// The ball is home, on a goal row or beyond.
    Over {
        /// The size of the pitch.
        shape: Shape,
        /// Where the ball is.
        ball: Landing,
        /// The chaps left.
        chaps: Points,
        /// The player whose goal the ball reached.
        winner: Side,
    },
}

impl After {
    /// The result for the player who made the turn.
    pub fn successor(&self, mover: Side) -> Successor<Pitch> {
        match *self {
            After::Position(pitch) => Successor::Position(pitch),
            After::Over { winner, .. } if winner == mover => Successor::Over(Wdl::Win),
            After::Over { .. } => Successor::Over(Wdl::Loss),
        }
    }

    /// The player who has won, if the game is over.
    pub fn winner(&self) -> Option<Side> {
        match *self {
            After::Position(_) => None,
            After::Over { winner, .. } => Some(winner),
        }
    }
}

impl Shape {
    /// The jump from a point in a direction, if there is one: over a run of chaps to the first empty point beyond, or over
    /// a goal line.
    pub fn flight(&self, ball: usize, chaps: &Points, direction: Direction) -> Option<Flight> {
        let mut over = Points::EMPTY;
        let mut at = ball;
        let to = loop {
            match self.step(at, direction) {
                Step::Point(next) if chaps.contains(next) => {
                    over.insert(next);
                    at = next;
                }
                Step::Point(next) => break Landing::Point(next as u16),
                Step::Goal(side) => break Landing::Off(side),
                Step::Sideline => return None,
            }
        };
        // A goal line may only be crossed, and a point only be landed on, with a run of at least one chap behind.
        (!over.is_empty()).then_some(Flight { direction, to, over })
    }
}

/// A board met on the way, and how it was reached.
struct Node {
    jump: Jump,
    /// The node before and the flight from there; `None` for the board that the turn began with.
    reached: Option<(usize, Flight)>,
}

/// All boards that the jumps of one turn lead to, found breadth first.
struct JumpSearch {
    nodes: Vec<Node>,
}

impl JumpSearch {
    fn new(pitch: &Pitch, limit: usize) -> Result<JumpSearch, TooManyJumps> {
        match JumpSearch::up_to(pitch, limit, &|| false) {
            (search, true) => Ok(search),
            (_, false) => Err(TooManyJumps {
                position: pitch.to_string(),
                limit,
            }),
        }
    }

    /// The boards met until there are more than `limit` or `stop` says so, and whether those are all.
    fn up_to(pitch: &Pitch, limit: usize, stop: &dyn Fn() -> bool) -> (JumpSearch, bool) {
        let start = Jump {
            to: Landing::Point(pitch.ball),
            chaps: pitch.chaps,
        };
        let mut seen: HashSet<Jump> = HashSet::new();
        let mut nodes = vec![Node {
            jump: start,
            reached: None,
        }];
        let mut next = 0;
        while next < nodes.len() {
            let Jump { to, chaps } = nodes[next].jump;
            if let Landing::Point(ball) = to {
                let allowed = |direction: &Direction| pitch.rules.allow(pitch.side, direction.towards());
                let flights = (Direction::ALL.into_iter().filter(allowed))
                    .filter_map(|direction| pitch.shape.flight(ball.into(), &chaps, direction));
                for flight in flights {
                    let jump = Jump {
                        to: flight.to,
                        chaps: chaps.minus(&flight.over),
                    };
                    // Chaps only get fewer, so the first board is not met again.
                    if seen.insert(jump) {
                        let reached = Some((next, flight));
                        nodes.push(Node { jump, reached });
                    }
                }
            }
            if nodes.len() > limit || (next % PATIENCE == PATIENCE - 1 && stop()) {
                return (JumpSearch { nodes }, false);
            }
            next += 1;
        }
        (JumpSearch { nodes }, true)
    }

    /// The jumps, nearest first.
    fn jumps(&self) -> impl Iterator<Item = (usize, Jump)> {
        let jumps = self.nodes.iter().enumerate().skip(1);
        jumps.map(|(place, node)| (place, node.jump))
    }

    fn with_paths(&self) -> impl Iterator<Item = (Jump, Path)> {
        self.jumps().map(|(place, jump)| (jump, self.path(place)))
    }

    fn path(&self, mut place: usize) -> Path {
        let mut path = Vec::new();
        while let Some((before, flight)) = self.nodes[place].reached {
            path.push(flight);
            place = before;
        }
        path.reverse();
        path
    }
}

impl Pitch {
    /// The legal turns: chaps by ascending point, then jumps, those of fewer flights first. No two lead to the
    /// same board.
    ///
    /// # Errors
    /// [`TooManyJumps`] past [`MAX_BOARDS`].
    pub fn turns(&self) -> Result<Vec<Turn>, TooManyJumps> {
        self.turns_up_to(MAX_BOARDS)
    }

    /// The same within a limit of one's own.
    ///
    /// # Errors
    /// [`TooManyJumps`] past `limit` boards.
    pub fn turns_up_to(&self, limit: usize) -> Result<Vec<Turn>, TooManyJumps> {
        let search = JumpSearch::new(self, limit)?;
        let places = self.empty_points().map(|point| Turn::Place(point as u16));
        Ok(places
            .chain(search.jumps().map(|(_, jump)| Turn::Jump(jump)))
            .collect())
    }

    /// The points where a chap may be placed, ascending.
    pub fn empty_points(&self) -> impl Iterator<Item = usize> {
        let taken = self.chaps.with(self.ball());
        (0..self.shape.points()).filter(move |&point| !taken.contains(point))
    }

    /// Every jump with a shortest path to it, nearest first.
    ///
    /// # Errors
    /// [`TooManyJumps`] past `limit` boards.
    pub fn jumps(&self, limit: usize) -> Result<Vec<(Jump, Path)>, TooManyJumps> {
        Ok(JumpSearch::new(self, limit)?.with_paths().collect())
    }

    /// The nearest jumps with a shortest path to each, until there are more than `limit` or `stop` says so; and whether those
    /// are all.
    pub fn jumps_up_to(&self, limit: usize, stop: &dyn Fn() -> bool) -> (Vec<(Jump, Path)>, bool) {
        let (search, all) = JumpSearch::up_to(self, limit, stop);
        let jumps: Vec<(Jump, Path)> = (search.with_paths().enumerate())
            .take_while(|(number, _)| number % PATIENCE < PATIENCE - 1 || !stop())
            .map(|(_, jump)| jump)
            .collect();
        let all = all && jumps.len() + 1 == search.nodes.len();
        (jumps, all)
    }

    /// A shortest path to a jump; `None` if the jump is not legal here.
    ///
    /// # Errors
    /// [`TooManyJumps`] past [`MAX_BOARDS`].
    pub fn path(&self, jump: &Jump) -> Result<Option<Path>, TooManyJumps> {
        let search = JumpSearch::new(self, MAX_BOARDS)?;
        let place = search.jumps().find(|(_, candidate)| candidate == jump);
        Ok(place.map(|(place, _)| search.path(place)))
    }

    /// The turns that win at once for the player to move, each with a shortest path, until there are more than `most` of them or
    /// `limit` boards have been met; and whether those are all. Only a jump can be one.
    pub fn wins_in_one(&self, limit: usize, most: usize) -> (Vec<(Jump, Path)>, bool) {
        let (search, all) = JumpSearch::up_to(self, limit, &|| false);
        let wins = |jump: &Jump| self.after(&Turn::Jump(*jump)).winner() == Some(self.side);
        let mut found = search.jumps().filter(|(_, jump)| wins(jump));
        let listed = (found.by_ref().take(most))
            .map(|(place, jump)| (jump, search.path(place)))
            .collect();
        (listed, all && found.next().is_none())
    }

    /// What a way that is known to be legal leads to, with the way.
    ///
    /// # Panics
    /// If it has no flight.
    pub fn jump_by(&self, path: Path) -> (Jump, Path) {
        let to = path.last().expect("a way has a flight").to;
        let chaps = path
            .iter()
            .fold(self.chaps, |chaps, flight| chaps.minus(&flight.over));
        (Jump { to, chaps }, path)
    }

    /// The board after a turn that is known to be legal.
    pub fn after(&self, turn: &Turn) -> After {
        match *turn {
            Turn::Place(point) => After::Position(Pitch {
                chaps: self.chaps.with(point.into()),
                side: self.side.opponent(),
                ..*self
            }),
            Turn::Jump(Jump { to, chaps }) => self.landed(to, chaps),
        }
    }

    fn landed(&self, to: Landing, chaps: Points) -> After {
        let winner = match to {
            Landing::Off(side) => Some(side),
            Landing::Point(point) => self.shape.winner_on(point.into()),
        };
        match (to, winner) {
            (Landing::Point(ball), None) => After::Position(Pitch {
                shape: self.shape,
                ball,
                side: self.side.opponent(),
                rules: self.rules,
                chaps,
            }),
            (ball, winner) => After::Over {
                shape: self.shape,
                ball,
                chaps,
                winner: winner.expect("a ball that is not in the interior is in somebody's goal"),
            },
        }
    }
}
