//! Helpers for tests of tables: making tables, and tables of planted values.

use crate::common::levels::{is_forward, is_proper};
use crate::prelude::*;
use phutbase_diagram::Diagram;
use phutbase_table::container::cache::DEFAULT_BYTES;
use phutbase_table::container::read::Container;
use phutbase_table::strip::write::write;

/// Every metric.
pub const METRICS: [Metric; 3] = [Metric::Dtw, Metric::Levels, Metric::Wdl];

/// The name under which damaged bytes are opened.
pub const NAME: &str = "strip-99-damaged.phut";

/// Makes a requested table.
pub fn make(request: &Request<Strips>) -> Outcome {
    let lock = TablesLock::hold(&request.tables).unwrap();
    generate(request, Some(&lock), &Job::default()).unwrap().0
}

/// Returns a request for a table in a directory.
pub fn request(metric: Metric, length: usize, directory: &Path) -> Request<Strips> {
    Request::new(Strips { length, metric }, directory)
}

/// Makes a table in a directory, and returns its path.
pub fn generate_in(directory: &Path, length: usize, metric: Metric) -> PathBuf {
    let request = request(metric, length, directory);
    make(&request);
    request.path()
}

/// Makes the table of a pitch under some rules in a directory, and returns its path.
pub fn generate_pitch_in(rules: Rules, directory: &Path, size: &str) -> PathBuf {
    let setup = Setup {
        rules,
        ..Setup::in_memory(size.parse().unwrap(), true)
    };
    let request = Request::new(setup, directory);
    let lock = TablesLock::hold(directory).unwrap();
    generate(&request, Some(&lock), &Job::default()).unwrap();
    request.path()
}

/// Returns the bytes of a generated table.
pub fn generated(length: usize, metric: Metric) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::read(generate_in(directory.path(), length, metric)).unwrap()
}

/// Returns the bytes of the table with these sets.
pub fn bytes_of<D: Diagram>(diagram: &D, roots: &[D::Ref], metric: Metric) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::read(write(diagram, roots, metric, directory.path()).unwrap()).unwrap()
}

/// Returns the error of a failed operation; it must name the damaged file.
pub fn refused<T>(result: Result<T, TableError>, why: &str) -> String {
    let error = result.err().unwrap_or_else(|| panic!("{why}: not refused"));
    names(&error, NAME);
    error.to_string()
}

/// Asserts that an error names the file, in one line.
pub fn names(error: &TableError, file: &str) {
    let text = error.to_string();
    assert!(text.contains(file), "no file in: {text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

/// Opens bytes as the file `tables/NAME`.
pub fn contained(bytes: Vec<u8>, name: &str) -> Result<Container, TableError> {
    Container::from_bytes(bytes, &Path::new("tables").join(name))
}

/// Opens bytes as the table `tables/NAME`.
pub fn open(bytes: Vec<u8>, name: &str) -> Result<StripTable, TableError> {
    StripTable::new(contained(bytes, name)?, &FrameCache::new(DEFAULT_BYTES))
}

/// Returns a generated table in memory.
pub fn table(length: usize, metric: Metric) -> StripTable {
    open(generated(length, metric), "good.phut").unwrap()
}

/// Opens a shipped table.
pub fn shipped(name: &str) -> StripTable {
    StripTable::open(&Path::new("tables").join(name), &FrameCache::new(DEFAULT_BYTES)).unwrap()
}

/// Iterates over every position of a length under some rules, Left to move, in index order.
pub fn positions_under(rules: Rules, length: usize) -> impl Iterator<Item = Strip> {
    let game = StripGame::new(length).unwrap().under(rules);
    (0..game.positions()).map(move |index| game.position(index))
}

/// Iterates over every position of a length, Left to move, in index order.
pub fn positions(length: usize) -> impl Iterator<Item = Strip> {
    positions_under(Rules::Ordinary, length)
}

/// Returns every `step`-th position of a length, Left to move.
pub fn sample(length: usize, step: usize) -> Vec<Strip> {
    let game = StripGame::new(length).unwrap();
    let indices = (0..game.positions()).step_by(step);
    indices.map(|index| game.position(index)).collect()
}

/// Iterates over every position of a length under some rules, with either player to move.
pub fn both_sides_under(rules: Rules, length: usize) -> impl Iterator<Item = Strip> {
    let boards = positions_under(rules, length);
    boards.flat_map(|strip| [Side::Left, Side::Right].map(|side| strip.with_side(side)))
}

/// Iterates over every position of a length, with either player to move.
pub fn both_sides(length: usize) -> impl Iterator<Item = Strip> {
    both_sides_under(Rules::Ordinary, length)
}

/// Parses a position.
pub fn strip(notation: &str) -> Strip {
    notation.parse().unwrap()
}

/// Returns the table of 255 squares in which Left wins every board with Left to move, and none with
/// Right to move.
pub fn everything() -> Vec<u8> {
    let mut graph = Graph::new(255);
    let everything = (0..=253).rev().fold(Ref::BOTTOM, |below, square| {
        let ball = if square == 0 { Ref::BOTTOM } else { Ref::TOP };
        graph.ternary(square, below, below, ball).unwrap()
    });
    bytes_of(&graph, &[everything, Ref::BOTTOM], Metric::Wdl)
}

/// The plies in which Left wins each board of a length, as bytes: values of a table that need not
/// be correct.
#[derive(Clone)]
pub struct Planes {
    pub length: usize,
    /// Left to move, Right to move; each by `(ball − 1) · 2^(n−1) + pattern`. 0 if Left does not
    /// win.
    pub depths: [Vec<u8>; 2],
}

impl Planes {
    /// Returns the values of the reference solver.
    pub fn of_reference(length: usize) -> Planes {
        let depth = |strip: Strip| match (reference_value(&strip), strip.side()) {
            (Value::Win(depth), Side::Left) | (Value::Loss(depth), Side::Right) => depth.0 as u8,
            _ => 0,
        };
        let plane = |side| positions(length).map(move |strip| depth(strip.with_side(side)));
        Planes {
            length,
            depths: [plane(Side::Left).collect(), plane(Side::Right).collect()],
        }
    }

    /// Returns the plies in which Left wins a board, for its player to move; 0 if Left does not
    /// win.
    pub fn left_wins(&mut self, strip: &Strip) -> &mut u8 {
        let place = self.place(strip);
        &mut self.depths[strip.side() as usize][place]
    }

    /// Removes a win of Left on boards that Right would also win: the mirror image of a board that
    /// Left wins, on every length.
    pub fn take_from_opponent(&mut self, board: &Strip) {
        for length in board.ball() + 2..=self.length {
            let stones = board.stones() & ((1 << length) - 1);
            let shorter = Strip::new(length, board.ball(), stones, board.side()).unwrap();
            if shorter.followed_by_stones(self.length).stones() == board.stones() {
                *self.left_wins(&shorter.mirror().followed_by_stones(self.length)) = 0;
            }
        }
    }

    /// Makes a position a draw.
    pub fn make_draw(&mut self, strip: &Strip) {
        let left = strip.normalised();
        *self.left_wins(&left) = 0;
        *self.left_wins(&left.mirror()) = 0;
    }

    /// Returns the bytes of the table with these values, in one level.
    pub fn bytes(&self, metric: Metric) -> Vec<u8> {
        let longest = match metric {
            Metric::Dtw => *self.depths.iter().flatten().max().unwrap(),
            Metric::Levels | Metric::Wdl => 2,
        };
        let mut graph = Graph::new(self.length);
        let sets = (1..=longest).map(|plies| {
            let side = if plies % 2 == 1 { Side::Left } else { Side::Right };
            let most = if metric == Metric::Dtw { plies } else { u8::MAX };
            let is_won = |board: &Strip| (1..=most).contains(&self.plies_of(board, side));
            set_of(&mut graph, &is_won)
        });
        let roots: Vec<Ref> = sets.collect();
        bytes_of(&graph, &roots, metric)
    }

    fn plies_of(&self, board: &Strip, side: Side) -> u8 {
        self.depths[side as usize][self.place(board)]
    }

    fn place(&self, board: &Strip) -> usize {
        (board.ball() - 1) << (self.length - 1) | board.pattern().as_usize()
    }

    /// Returns the table with these values.
    pub fn table(&self, metric: Metric) -> StripTable {
        open(self.bytes(metric), "planted.phut").unwrap()
    }
}

/// Returns the set of the boards that satisfy `has`, by enumeration.
pub fn set_of(graph: &mut Graph, has: &dyn Fn(&Strip) -> bool) -> Ref {
    boards(graph, has, None, 0, 0)
}

/// Returns those with these stones before `square`, and the ball there or still ahead.
fn boards(
    graph: &mut Graph,
    has: &dyn Fn(&Strip) -> bool,
    ball: Option<usize>,
    square: usize,
    stones: u128,
) -> Ref {
    let length = graph.length();
    if square == length {
        let board = ball.and_then(|ball| Strip::new(length, ball, stones, Side::Left));
        return Ref::leaf(u8::from(board.is_some_and(|board| has(&board))));
    }
    let empty = boards(graph, has, ball, square + 1, stones);
    let stone = boards(graph, has, ball, square + 1, stones | 1 << square);
    if ball.is_some() {
        return graph.binary(square, empty, stone).unwrap();
    }
    let here = boards(graph, has, Some(square), square + 1, stones);
    graph.ternary(square, empty, stone, here).unwrap()
}

/// Returns whether the planted value of a position follows from those after its turns. A level 0
/// rests on forward turns of Left's only, a win without depths on proper ones.
pub fn follows(planes: &mut Planes, position: &Strip, metric: Metric) -> bool {
    let mut turns = position.turns();
    let is_won = *planes.left_wins(position) != 0;
    turns.retain(|&turn| match (metric, position.side()) {
        (Metric::Levels, Side::Left) => is_forward(position, turn),
        (Metric::Wdl, Side::Left) => !is_won || is_proper(position, turn),
        _ => true,
    });
    let mut plies = |strip: &Strip| {
        let byte = *planes.left_wins(strip);
        (byte != 0).then_some(if metric == Metric::Dtw { byte } else { 1 })
    };
    let stored = plies(position);
    let counts: Vec<Option<u8>> = (turns.iter())
        .map(|&turn| match position.play(turn).unwrap() {
            After::Position(next) => Some(match metric {
                Metric::Dtw => plies(&next)? + 1,
                Metric::Levels | Metric::Wdl => plies(&next)?,
            }),
            After::Over { winner, .. } => (winner == Side::Left).then_some(1),
        })
        .collect();
    let derived = match position.side() {
        Side::Left => counts.iter().flatten().min().copied(),
        Side::Right if counts.contains(&None) => None,
        Side::Right => counts.iter().flatten().max().copied(),
    };
    stored == derived
}

/// Plants one change at a time in correct values: with depths two plies more or fewer, and in every
/// metric an added or removed win. Passes the values, the metric in which the change is visible,
/// and the changed position to `visit`.
pub fn plant(length: usize, step: usize, mut visit: impl FnMut(Planes, Metric, Strip)) {
    let good = Planes::of_reference(length);
    for position in both_sides(length).step_by(step) {
        for change in [-2i16, 2, 255] {
            let mut planes = good.clone();
            let byte = planes.left_wins(&position);
            let was_won = *byte != 0;
            *byte = match change {
                255 if !was_won => 1 + position.side() as u8,
                255 => 0,
                _ if !was_won || i16::from(*byte) + change <= 0 => continue,
                _ => (i16::from(*byte) + change) as u8,
            };
            if !was_won {
                planes.take_from_opponent(&position);
            }
            if change == 255 {
                visit(planes.clone(), Metric::Levels, position);
                visit(planes.clone(), Metric::Wdl, position);
            }
            visit(planes, Metric::Dtw, position);
        }
    }
}

/// Returns a table with depths in a few thousand bytes that claims that all positions are won in
/// one ply: one set of all boards, or a set of random nodes.
pub fn claiming(length: usize, at_random: bool) -> Vec<u8> {
    let mut graph = Graph::new(length);
    let mut numbers = random_numbers(3);
    let mut pick = |from: &[Ref]| from[numbers.next().unwrap() as usize % from.len()];
    let on_square = if at_random { 16 } else { 1 };
    let leaves = &[Ref::TOP, Ref::BOTTOM][..1 + usize::from(at_random)];
    let (mut right, mut later) = (leaves.to_vec(), vec![Ref::BOTTOM]);
    for square in (0..length - 1).rev() {
        let ternary = |_| {
            let ball = if square == 0 { Ref::BOTTOM } else { pick(&right) };
            graph.ternary(square, pick(&later), pick(&later), ball).unwrap()
        };
        later = (0..on_square).map(ternary).collect();
        let binary = |_| graph.binary(square, pick(&right), pick(&right)).unwrap();
        right = (0..on_square).map(binary).collect();
        right.extend(leaves);
    }
    let random = bytes_of(&graph, &later[..1], Metric::Dtw);
    resealed(&random, |parts| {
        parts.edit(|metadata: &mut StripMetadata| {
            for (length, counts) in (3..).zip(&mut metadata.lengths) {
                (counts.wins, counts.losses) = (all_positions(length).to_bytes_le(), vec![0]);
                (counts.longest_win, counts.longest_loss) = (1, 0);
            }
        });
    })
}
