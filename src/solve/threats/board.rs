//! Boards for searching: rays of points looked up instead of worked out, shots with the points that may stop them.

use crate::games::pitch::{Direction, Pitch, Points, Shape, Step};
use crate::outcome::Side;
use hashbrown::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// The points in one direction, nearest first, and whose goal is behind the last, if any.
struct Ray {
    points: Vec<u16>,
    goal: Option<Side>,
}

/// The geometry of one shape.
pub struct Geometry {
    shape: Shape,
    rays: Vec<Vec<Ray>>,
    /// For each point the player who wins when a turn ends there.
    home: Vec<Option<Side>>,
    /// Whether a search through jumps was ever cut short.
    cut_short: AtomicBool,
}

/// Ball and chaps; whose turn it is goes beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The ball's point.
    pub ball: u16,
    /// The chaps.
    pub chaps: Points,
}

impl Board {
    /// The board of a position.
    pub fn of(pitch: &Pitch) -> Board {
        Board {
            ball: pitch.ball() as u16,
            chaps: *pitch.chaps(),
        }
    }

    /// The empty ones of some points, in their order: where a chap stands in the way of a ball that lands there.
    pub fn stops(&self, landings: &[u16]) -> Vec<u16> {
        let mut stops = landings.to_vec();
        stops.retain(|&point| self.is_empty(point));
        stops.sort_unstable();
        stops.dedup();
        stops
    }

    /// The same with a chap on an empty point.
    pub fn with_chap(&self, point: u16) -> Board {
        Board {
            ball: self.ball,
            chaps: self.chaps.with(point.into()),
        }
    }

    /// Whether a point is empty.
    pub fn is_empty(&self, point: u16) -> bool {
        point != self.ball && !self.chaps.contains(point.into())
    }
}

/// What the jumps of one turn lead to.
pub struct Landings {
    /// Boards with the ball in the interior, each once.
    pub boards: Vec<Board>,
    /// The points on which the ball lands on a way into Alfred's goal, and into Betty's, the last one included; `None` if
    /// there is no such way.
    pub shots: [Option<Vec<u16>>; 2],
    /// Whether this is all: a search that meets very many boards is cut short.
    pub complete: bool,
}

impl Geometry {
    /// The geometry of a shape.
    pub fn new(shape: Shape) -> Geometry {
        let ray = |from: usize, direction: Direction| {
            let mut points = Vec::new();
            let mut step = shape.step(from, direction);
            while let Step::Point(point) = step {
                points.push(point as u16);
                step = shape.step(point, direction);
            }
            let goal = match step {
                Step::Goal(side) => Some(side),
                _ => None,
            };
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

    /// The size of the pitch.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether some search through the jumps of one turn met so many boards that it was cut short: what follows from it
    /// need not be so.
    pub fn was_cut_short(&self) -> bool {
        self.cut_short.load(Ordering::Relaxed)
    }

    /// The position of a board.
    pub fn pitch(&self, board: &Board, side: Side) -> Option<Pitch> {
        Pitch::new(self.shape, board.ball.into(), board.chaps, side)
    }

    /// The empty points, ascending.
    pub fn empty_points<'a>(&self, board: &'a Board) -> impl Iterator<Item = u16> + use<'a> {
        (0..self.shape.points() as u16).filter(|&point| board.is_empty(point))
    }

    /// All that the jumps of one turn lead to.
    pub fn jumps(&self, board: &Board) -> Landings {
        self.jumps_up_to(board, MAX_MET)
    }

    /// What the jumps of one turn lead to, cut short when so many boards have been met.
    pub fn jumps_up_to(&self, board: &Board, most: usize) -> Landings {
        let mut search = Search::new(self, board, most, None);
        search.go(board);
        let interior = |board: &Board| self.home[usize::from(board.ball)].is_none();
        Landings {
            boards: search.met.split_off(1).into_iter().filter(interior).collect(),
            shots: search.shots,
            complete: search.complete,
        }
    }

    /// Whether the player would win at once if it were their turn; with the points on which the ball lands on the way.
    pub fn shot(&self, board: &Board, side: Side) -> Option<Vec<u16>> {
        let mut search = Search::new(self, board, MAX_MET, Some(side));
        search.go(board);
        search.shots[side as usize].take()
    }
}

/// A depth-first search through the jumps of one turn.
struct Search<'a> {
    geometry: &'a Geometry,
    met: Vec<Board>,
    /// The same, once they are more than a few.
    seen: HashSet<Board>,
    landings: Vec<u16>,
    shots: [Option<Vec<u16>>; 2],
    /// The search ends with a way into this player's goal.
    wanted: Option<Side>,
    /// The boards that it may meet, and whether that sufficed.
    most: usize,
    complete: bool,
}

/// More boards than any position worth a search has in one turn; the rest are given up, which can only make a search
/// that does not see them fail later, when its certificate is checked.
const MAX_MET: usize = 4096;
/// As many boards as are as quickly looked through as looked up.
const FEW: usize = 24;

impl<'a> Search<'a> {
    fn new(geometry: &'a Geometry, board: &Board, most: usize, wanted: Option<Side>) -> Search<'a> {
        Search {
            geometry,
            met: vec![*board],
            seen: HashSet::new(),
            landings: Vec::new(),
            shots: [None, None],
            wanted,
            most,
            complete: true,
        }
    }

    fn go(&mut self, board: &Board) {
        let geometry = self.geometry;
        for ray in &geometry.rays[usize::from(board.ball)] {
            let run = ray
                .points
                .iter()
                .take_while(|&&point| board.chaps.contains(point.into()))
                .count();
            if run == 0 {
                continue;
            }
            match (ray.points.get(run), ray.goal) {
                (Some(&landing), _) => self.land(board, &ray.points[..run], landing),
                (None, Some(side)) => self.home(side),
                (None, None) => {}
            }
            if self
                .wanted
                .is_some_and(|side| self.shots[side as usize].is_some())
            {
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
        if self.has_met(&next) {
            return;
        }
        if self.met.len() >= self.most {
            self.complete = false;
            self.geometry.cut_short.store(true, Ordering::Relaxed);
            return;
        }
        self.met.push(next);
        if !self.seen.is_empty() {
            self.seen.insert(next);
        }
        self.landings.push(landing);
        if let Some(side) = self.geometry.home[usize::from(landing)] {
            self.home(side);
        }
        self.go(&next);
        self.landings.pop();
    }

    fn has_met(&mut self, board: &Board) -> bool {
        if self.met.len() < FEW {
            return self.met.contains(board);
        }
        if self.seen.is_empty() {
            self.seen.extend(&self.met);
        }
        self.seen.contains(board)
    }

    fn home(&mut self, side: Side) {
        let shot = &mut self.shots[side as usize];
        // A way with fewer landings is harder to stop.
        if shot
            .as_ref()
            .is_none_or(|known| known.len() > self.landings.len())
        {
            *shot = Some(self.landings.clone());
        }
    }
}
