//! Boards for the threat search: precomputed rays of points, and shots with the points that can
//! stop them.

use hashbrown::HashSet;
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::{Direction, Pitch, Points, Shape, Step};
use std::sync::atomic::{AtomicBool, Ordering};

/// The points in one direction, nearest first, and the owner of the goal behind the last, if any.
struct Ray {
    points: Vec<u16>,
    goal: Option<Side>,
}

/// The rays of a shape, in all directions: threats are searched by the ordinary rules.
pub struct Geometry {
    shape: Shape,
    rays: Vec<Vec<Ray>>,
    /// For each point the winner of a turn that ends there.
    home: Vec<Option<Side>>,
    /// Some search through jumps reached its limit.
    cut_short: AtomicBool,
}

/// Ball and chaps. The player to move is kept separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub ball: u16,
    pub chaps: Points,
}

impl Board {
    pub fn of(pitch: &Pitch) -> Board {
        Board {
            ball: pitch.ball() as u16,
            chaps: *pitch.chaps(),
        }
    }

    /// Returns the empty points among `landings`, sorted: a chap there stops the ball from landing.
    pub fn stops(&self, landings: &[u16]) -> Vec<u16> {
        let mut stops = landings.to_vec();
        stops.retain(|&point| self.is_empty(point));
        stops.sort_unstable();
        stops.dedup();
        stops
    }

    pub fn with_chap(&self, point: u16) -> Board {
        Board {
            ball: self.ball,
            chaps: self.chaps.with(point.into()),
        }
    }

    pub fn is_empty(&self, point: u16) -> bool {
        point != self.ball && !self.chaps.contains(point.into())
    }
}

pub struct Landings {
    /// Boards with the ball in the interior, each once.
    pub boards: Vec<Board>,
    /// The landing points of a path into Alfred's goal and into Betty's, including the last; `None`
    /// if there is no such path.
    pub shots: [Option<Vec<u16>>; 2],
    /// The search visited all boards without reaching its limit.
    pub complete: bool,
}

impl Geometry {
    pub fn new(shape: Shape) -> Geometry {
        let ray = |from: usize, direction: Direction| {
            let (mut points, mut goal) = (Vec::new(), None);
            for step in shape.ray(from, direction) {
                match step {
                    Step::Point(point) => points.push(point as u16),
                    Step::Goal(side) => goal = Some(side),
                    Step::Sideline => {}
                }
            }
            Ray { points, goal }
        };
        Geometry {
            shape,
            rays: (0..shape.points())
                .map(|from| Direction::ALL.map(|direction| ray(from, direction)).into())
                .collect(),
            home: (0..shape.points()).map(|point| shape.winner_on(point)).collect(),
            cut_short: AtomicBool::new(false),
        }
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns whether some search through the jumps of one turn reached its limit. Negative
    /// results are then unreliable.
    pub fn was_cut_short(&self) -> bool {
        self.cut_short.load(Ordering::Relaxed)
    }

    /// Converts a board to a position; `None` if the ball is not in the interior.
    pub fn pitch(&self, board: &Board, side: Side) -> Option<Pitch> {
        Pitch::new(self.shape, board.ball.into(), board.chaps, side)
    }

    /// Iterates over the empty points in ascending order.
    pub fn empty_points<'a>(&self, board: &'a Board) -> impl Iterator<Item = u16> + use<'a> {
        (0..self.shape.points() as u16).filter(|&point| board.is_empty(point))
    }

    pub fn jumps(&self, board: &Board) -> Landings {
        self.jumps_up_to(board, MAX_VISITED)
    }

    /// Computes the results of the jumps of one turn, visiting at most `most` boards.
    pub fn jumps_up_to(&self, board: &Board, most: usize) -> Landings {
        let mut search = LandingSearch::new(self, board, most, None);
        search.run(board);
        let interior = |board: &Board| self.home[usize::from(board.ball)].is_none();
        Landings {
            boards: search.visited.split_off(1).into_iter().filter(interior).collect(),
            shots: search.shots,
            complete: search.complete,
        }
    }

    /// Returns the landing points of a winning jump that `side` could make now; `None` if there is
    /// none.
    pub fn shot(&self, board: &Board, side: Side) -> Option<Vec<u16>> {
        let mut search = LandingSearch::new(self, board, MAX_VISITED, Some(side));
        search.run(board);
        search.shots[side as usize].take()
    }
}

/// Depth-first search through the jumps of one turn.
struct LandingSearch<'a> {
    geometry: &'a Geometry,
    visited: Vec<Board>,
    /// The same boards, filled once there are more than [`LINEAR_SCAN`].
    seen: HashSet<Board>,
    landings: Vec<u16>,
    shots: [Option<Vec<u16>>; 2],
    /// The search ends with a path into this player's goal.
    wanted: Option<Side>,
    /// Largest number of boards to visit.
    most: usize,
    complete: bool,
}

/// Most boards visited in one turn, more than any position of practical interest needs. A search
/// that ignores the rest can at worst produce a certificate that fails its check.
const MAX_VISITED: usize = 4096;
/// Number of boards up to which scanning a list is as fast as hashing.
const LINEAR_SCAN: usize = 24;

impl<'a> LandingSearch<'a> {
    fn new(geometry: &'a Geometry, board: &Board, most: usize, wanted: Option<Side>) -> LandingSearch<'a> {
        LandingSearch {
            geometry,
            visited: vec![*board],
            seen: HashSet::new(),
            landings: Vec::new(),
            shots: [None, None],
            wanted,
            most,
            complete: true,
        }
    }

    fn run(&mut self, board: &Board) {
        let geometry = self.geometry;
        for ray in &geometry.rays[usize::from(board.ball)] {
            let is_chap = |point: &&u16| board.chaps.contains(usize::from(**point));
            let run = ray.points.iter().take_while(is_chap).count();
            if run == 0 {
                continue;
            }
            match (ray.points.get(run), ray.goal) {
                (Some(&landing), _) => self.land(board, &ray.points[..run], landing),
                (None, Some(side)) => self.home(side),
                (None, None) => {}
            }
            if (self.wanted).is_some_and(|side| self.shots[side as usize].is_some()) {
                return;
            }
        }
    }

    fn land(&mut self, board: &Board, run: &[u16], landing: u16) {
        let mut next = Board {
            ball: landing,
            chaps: board.chaps,
        };
        run.iter().for_each(|&point| next.chaps.remove(point.into()));
        if self.has_visited(&next) {
            return;
        }
        if self.visited.len() >= self.most {
            self.complete = false;
            self.geometry.cut_short.store(true, Ordering::Relaxed);
            return;
        }
        self.visited.push(next);
        if !self.seen.is_empty() {
            self.seen.insert(next);
        }
        self.landings.push(landing);
        if let Some(side) = self.geometry.home[usize::from(landing)] {
            self.home(side);
        }
        self.run(&next);
        self.landings.pop();
    }

    fn has_visited(&mut self, board: &Board) -> bool {
        if self.visited.len() < LINEAR_SCAN {
            return self.visited.contains(board);
        }
        if self.seen.is_empty() {
            self.seen.extend(&self.visited);
        }
        self.seen.contains(board)
    }

    fn home(&mut self, side: Side) {
        let shot = &mut self.shots[side as usize];
        // A path with fewer landings is harder to stop.
        if (shot.as_ref()).is_none_or(|known| known.len() > self.landings.len()) {
            *shot = Some(self.landings.clone());
        }
    }
}
