//! Turns and their results.
//!
//! Different jump paths to the same board are one turn, so a [`Turn`] is identified by its result.
//! Jumps are found by breadth-first search over boards, so the [`Path`] kept for a jump is a
//! shortest one.

use super::{Direction, Pitch, Points, Shape, Step};
use hashbrown::HashSet;
use phutbase_base::game::Successor;
use phutbase_base::outcome::{Side, Wdl};

/// Limit of the boards that the search for the jumps of one turn visits. Chains of jumps over many
/// scattered chaps can lead to exponentially many boards. At the limit the search of one position
/// holds about 400 MB.
pub const MAX_BOARDS: usize = 1 << 20;
/// Number of boards visited between two calls of `stop`.
const STOP_INTERVAL: usize = 64;

/// End of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Landing {
    /// On a point, goal rows included.
    Point(u16),
    /// Beyond a goal line: the goal of this player.
    Off(Side),
}

/// Result of one or more jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The ball after the last jump.
    pub to: Landing,
    pub chaps: Points,
}

/// A turn of the pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A chap on this empty point.
    Place(u16),
    Jump(Jump),
}

/// One jump out of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    pub direction: Direction,
    pub to: Landing,
    /// The chaps jumped over, which are removed.
    pub over: Points,
}

/// A nonempty sequence of flights that makes up a jump.
pub type Path = Vec<Flight>;

/// The jumps of a position lead to more boards than the limit of the search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the jumps of '{position}' lead to more than {limit} boards, the limit of the search")]
pub struct TooManyJumps {
    pub position: String,
    /// The largest number of boards that the search visits.
    pub limit: usize,
}

/// The board after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Position(Pitch),
    /// The ball is on a goal row or beyond it.
    Over {
        shape: Shape,
        ball: Landing,
        chaps: Points,
        /// The player whose goal the ball reached.
        winner: Side,
    },
}

impl After {
    /// Returns the result for the player who made the turn.
    pub fn successor(&self, mover: Side) -> Successor<Pitch> {
        match *self {
            After::Position(pitch) => Successor::Position(pitch),
            After::Over { winner, .. } => Successor::Over(Wdl::won_by(winner, mover)),
        }
    }

    pub fn winner(&self) -> Option<Side> {
        match *self {
            After::Position(_) => None,
            After::Over { winner, .. } => Some(winner),
        }
    }
}

impl Shape {
    /// Returns the jump from a point in a direction, if possible: over a run of chaps to the first
    /// empty point beyond, or over a goal line.
    pub fn flight(&self, ball: usize, chaps: &Points, direction: Direction) -> Option<Flight> {
        let mut over = Points::EMPTY;
        let to = self.ray(ball, direction).find_map(|step| match step {
            Step::Point(point) if chaps.contains(point) => {
                over.insert(point);
                None
            }
            Step::Point(point) => Some(Landing::Point(point as u16)),
            Step::Goal(side) => Some(Landing::Off(side)),
            Step::Sideline => None,
        })?;
        // Landing or crossing a goal line needs a run of at least one chap.
        (!over.is_empty()).then_some(Flight { direction, to, over })
    }
}

struct Reached {
    jump: Jump,
    /// Previous node and the flight from there; `None` for the start.
    reached: Option<(usize, Flight)>,
}

/// All boards that the jumps of one turn reach, breadth first.
struct JumpSearch {
    nodes: Vec<Reached>,
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

    /// Visits boards until there are more than `limit` or `stop` returns true; also returns whether
    /// the search was complete.
    fn up_to(pitch: &Pitch, limit: usize, stop: &dyn Fn() -> bool) -> (JumpSearch, bool) {
        JumpSearch::until(pitch, limit, stop, |_| false)
    }

    /// Visits boards like [`up_to`](JumpSearch::up_to), but ends with a jump that is `enough`.
    fn until(
        pitch: &Pitch,
        limit: usize,
        stop: &dyn Fn() -> bool,
        mut enough: impl FnMut(&Jump) -> bool,
    ) -> (JumpSearch, bool) {
        let start = Jump {
            to: Landing::Point(pitch.ball),
            chaps: pitch.chaps,
        };
        let mut seen: HashSet<Jump> = HashSet::new();
        let mut nodes = vec![Reached {
            jump: start,
            reached: None,
        }];
        let mut next = 0;
        while next < nodes.len() {
            let Jump { to, chaps } = nodes[next].jump;
            if let Landing::Point(ball) = to {
                for flight in pitch.flights(ball.into(), &chaps) {
                    let jump = Jump {
                        to: flight.to,
                        chaps: chaps.minus(&flight.over),
                    };
                    // Every flight removes chaps, so the start is never reached again.
                    if seen.insert(jump) {
                        let reached = Some((next, flight));
                        nodes.push(Reached { jump, reached });
                        if enough(&jump) {
                            return (JumpSearch { nodes }, false);
                        }
                    }
                }
            }
            if nodes.len() > limit || (next % STOP_INTERVAL == STOP_INTERVAL - 1 && stop()) {
                return (JumpSearch { nodes }, false);
            }
            next += 1;
        }
        (JumpSearch { nodes }, true)
    }

    /// Iterates over the jumps, nearest first.
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
    /// Iterates over the directions in which the rules let the player to move jump.
    pub fn directions(&self) -> impl Iterator<Item = Direction> {
        let allowed = |&direction: &Direction| self.rules.allow(self.side, direction);
        Direction::ALL.into_iter().filter(allowed)
    }

    /// Iterates over the flights that the rules allow the player to move, with the ball and the
    /// chaps elsewhere than in this position.
    pub fn flights(&self, ball: usize, chaps: &Points) -> impl Iterator<Item = Flight> {
        (self.directions()).filter_map(move |direction| self.shape.flight(ball, chaps, direction))
    }

    /// Lists the legal turns: chaps by ascending point, then jumps, those of fewer flights first.
    /// No two lead to the same board.
    pub fn turns(&self) -> Result<Vec<Turn>, TooManyJumps> {
        self.turns_up_to(MAX_BOARDS)
    }

    /// Lists the legal turns within a given limit.
    pub fn turns_up_to(&self, limit: usize) -> Result<Vec<Turn>, TooManyJumps> {
        let search = JumpSearch::new(self, limit)?;
        let places = self.empty_points().map(|point| Turn::Place(point as u16));
        Ok(places
            .chain(search.jumps().map(|(_, jump)| Turn::Jump(jump)))
            .collect())
    }

    /// Iterates over the points where a chap may be placed, ascending.
    pub fn empty_points(&self) -> impl Iterator<Item = usize> {
        let taken = self.chaps.with(self.ball());
        (0..self.shape.points()).filter(move |&point| !taken.contains(point))
    }

    /// Lists every jump with a shortest path, nearest first.
    pub fn jumps(&self, limit: usize) -> Result<Vec<(Jump, Path)>, TooManyJumps> {
        Ok(JumpSearch::new(self, limit)?.with_paths().collect())
    }

    /// Iterates over the placements and these jumps, with their notation.
    pub fn in_notation(&self, jumps: &[(Jump, Path)]) -> impl Iterator<Item = (Turn, String)> {
        let jumps = (jumps.iter()).map(|(jump, path)| (Turn::Jump(*jump), self.path_notation(path)));
        let place = |point| (Turn::Place(point as u16), self.shape.point_name(point));
        self.empty_points().map(place).chain(jumps)
    }

    /// Lists the nearest jumps with shortest paths until there are more than `limit` boards or
    /// `stop` returns true; also returns whether the list is complete.
    pub fn jumps_up_to(&self, limit: usize, stop: &dyn Fn() -> bool) -> (Vec<(Jump, Path)>, bool) {
        let (search, all) = JumpSearch::up_to(self, limit, stop);
        let jumps: Vec<(Jump, Path)> = (search.with_paths().enumerate())
            .take_while(|(number, _)| number % STOP_INTERVAL < STOP_INTERVAL - 1 || !stop())
            .map(|(_, jump)| jump)
            .collect();
        let all = all && jumps.len() + 1 == search.nodes.len();
        (jumps, all)
    }

    /// Finds a shortest path to a jump; `None` if the jump is not legal here.
    pub fn path(&self, jump: &Jump) -> Result<Option<Path>, TooManyJumps> {
        let search = JumpSearch::new(self, MAX_BOARDS)?;
        let place = search.jumps().find(|(_, candidate)| candidate == jump);
        Ok(place.map(|(place, _)| search.path(place)))
    }

    /// Lists winning jumps of the player to move with shortest paths, at most `most` of them and
    /// within `limit` visited boards; also returns whether the list is complete.
    pub fn wins_in_one(&self, limit: usize, most: usize) -> (Vec<(Jump, Path)>, bool) {
        let mut wins = 0;
        let (search, all) = JumpSearch::until(self, limit, &|| false, |jump| {
            wins += usize::from(self.is_won_by(jump));
            wins > most
        });
        let listed = (search.jumps().filter(|(_, jump)| self.is_won_by(jump)).take(most))
            .map(|(place, jump)| (jump, search.path(place)))
            .collect();
        (listed, all)
    }

    /// Returns whether one of the boards that the player to move reaches first, at most `limit` of
    /// them, is won at once, and the number of boards visited.
    pub fn wins_within(&self, limit: usize) -> (bool, usize) {
        let mut wins = false;
        let (search, _) = JumpSearch::until(self, limit, &|| false, |jump| {
            wins = self.is_won_by(jump);
            wins
        });
        (wins, search.nodes.len())
    }

    fn is_won_by(&self, jump: &Jump) -> bool {
        self.after(&Turn::Jump(*jump)).winner() == Some(self.side)
    }

    /// Pairs a legal path with the jump that it makes.
    pub fn jump_by(&self, path: Path) -> (Jump, Path) {
        let to = path.last().expect("a path has a flight").to;
        let chaps = path
            .iter()
            .fold(self.chaps, |chaps, flight| chaps.minus(&flight.over));
        (Jump { to, chaps }, path)
    }

    /// Returns the board after a legal turn.
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
                winner: winner.expect("a ball outside the interior is in a goal"),
            },
        }
    }
}
