//! What the tests of tables share: making tables, and values from the reference solver.

use crate::common::container::{DenseMetadata, resealed};
use crate::common::random_numbers;
use num_bigint::BigUint;
use phutbase::diagram::graph::Graph;
use phutbase::game::Game;
use phutbase::games::rules::Rules;
use phutbase::games::strip::{After, Strip, StripGame, Turn};
use phutbase::generate::{Engine, Outcome, Request, TablesLock, generate};
use phutbase::outcome::{Side, Value};
use phutbase::solve::reference;
use phutbase::table::any::Table;
use phutbase::table::container::read::Container;
use phutbase::table::dense::DenseTable;
use phutbase::table::diagram::convert::from_dense;
use phutbase::table::diagram::write::Source;
use phutbase::table::diagram::{self, DiagramTable};
use phutbase::table::error::TableError;
use phutbase::table::writer::{DenseSource, write};
use phutbase::table::{Layout, Metric, low_bits, table_path};
use phutbase::verify::Fault;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Does what is requested.
pub fn make(request: &Request) -> Outcome {
    let lock = TablesLock::hold(&request.tables).unwrap();
    generate(request, &lock, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// What to ask for a diagram table.
pub fn diagram_request(length: usize, metric: Metric, engine: Engine, directory: &Path) -> Request {
    Request {
        engine,
        layout: Some(Layout::Diagram),
        tables: directory.to_path_buf(),
        ..Request::new(length, metric)
    }
}

/// Makes a table in a directory, as `phutbase generate` does, and returns its path.
pub fn generate_in(directory: &Path, length: usize, metric: Metric) -> PathBuf {
    make(&Request {
        tables: directory.to_path_buf(),
        ..Request::new(length, metric)
    });
    table_path(directory, Rules::Ordinary, length, metric)
}

/// Makes the diagram table of the directional game in a directory, and returns its path.
pub fn generate_directional_in(directory: &Path, length: usize, metric: Metric) -> PathBuf {
    make(&Request {
        rules: Rules::Directional,
        ..diagram_request(length, metric, Engine::Symbolic, directory)
    });
    table_path(directory, Rules::Directional, length, metric)
}

/// Makes a diagram table as `phutbase generate --engine symbolic` does, in a directory of its own inside another, and returns
/// its path.
pub fn generate_diagrams_in(directory: &Path, length: usize, metric: Metric) -> PathBuf {
    let tables = directory.join(format!("{length}-{metric}"));
    std::fs::create_dir_all(&tables).unwrap();
    make(&Request {
        ..diagram_request(length, metric, Engine::Symbolic, &tables)
    });
    table_path(&tables, Rules::Ordinary, length, metric)
}

/// The bytes of a generated table.
pub fn generated(length: usize, metric: Metric) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::read(generate_in(directory.path(), length, metric)).unwrap()
}

/// The name under which damaged bytes are opened.
pub const NAME: &str = "strip-99-damaged.phut";

/// Asserts that an error names the file and says what to do.
pub fn says_what_to_do(error: &TableError, file: &str) {
    let text = error.to_string();
    assert!(text.contains(file), "no file in: {text}");
    let way_out = [
        "delete it and generate it again",
        "use a newer phutbase, or delete the file and generate it again",
        "more than the system gives",
        "move it out of the tables directory",
    ];
    assert!(
        way_out.iter().any(|way_out| text.contains(way_out)),
        "no way out in: {text}"
    );
}

/// Bytes as the table file `tables/NAME`.
pub fn contained(bytes: Vec<u8>, name: &str) -> Result<Container, TableError> {
    Container::from_bytes(bytes, &Path::new("tables").join(name))
}

/// Opens bytes as the dense table `tables/NAME`.
pub fn open(bytes: Vec<u8>, name: &str) -> Result<DenseTable, TableError> {
    DenseTable::new(contained(bytes, name)?, 1 << 20)
}

/// Opens bytes as the diagram table `tables/NAME`.
pub fn open_diagrams(bytes: Vec<u8>, name: &str) -> Result<DiagramTable, TableError> {
    DiagramTable::new(&contained(bytes, name)?)
}

/// A generated table in memory.
pub fn table(length: usize, metric: Metric) -> DenseTable {
    open(generated(length, metric), "good.phut").unwrap()
}

/// Every position of a length, Left to move, in the order of the index.
pub fn positions(length: usize) -> impl Iterator<Item = Strip> {
    let game = StripGame::new(length).unwrap();
    (0..game.positions()).map(move |index| game.position(index))
}

/// Every position of a length with either player to move.
pub fn both_sides(length: usize) -> impl Iterator<Item = Strip> {
    positions(length).flat_map(|strip| [Side::Left, Side::Right].map(|side| strip.with_side(side)))
}

/// A position from notation.
pub fn strip(notation: &str) -> Strip {
    notation.parse().unwrap()
}

/// The two planes of a table, a byte for each position: what a [`DenseSource`] hands to the writer, made
/// without any engine of the crate.
#[derive(Clone)]
pub struct Planes {
    pub length: usize,
    /// Left to move, Right to move; each by `(ball − 1) · 2^(n−1) + pattern`.
    pub depths: [Vec<u8>; 2],
}

impl Planes {
    /// The values of the reference solver.
    pub fn of_reference(length: usize) -> Planes {
        let game = StripGame::new(length).unwrap();
        let values = reference::solve(&game);
        let plane = |side| {
            let depth = |strip: Strip| {
                let strip = strip.with_side(side);
                let value = values[game.index(&strip) as usize];
                match (value, side) {
                    (Value::Win(depth), Side::Left) | (Value::Loss(depth), Side::Right) => depth.0 as u8,
                    _ => 0,
                }
            };
            positions(length).map(depth).collect()
        };
        Planes {
            length,
            depths: [plane(Side::Left), plane(Side::Right)],
        }
    }

    /// The values of a `dtw` table.
    pub fn of_table(table: &DenseTable) -> Planes {
        let length = table.header().length;
        let plane = |side| {
            (1..=length - 2)
                .flat_map(|ball| (0..1 << (length - 1 - low_bits(length))).map(move |high| (ball, high)))
                .flat_map(|(ball, high)| table.block(side, ball, high).unwrap())
                .collect()
        };
        Planes {
            length,
            depths: [plane(Side::Left), plane(Side::Right)],
        }
    }

    /// In how many plies Left wins a board, for the player to move there; 0 if Left does not.
    pub fn left_wins(&mut self, strip: &Strip) -> &mut u8 {
        let at = (strip.ball() - 1) << (self.length - 1) | strip.pattern() as usize;
        &mut self.depths[strip.side() as usize][at]
    }

    /// Makes a position a draw.
    pub fn make_draw(&mut self, strip: &Strip) {
        let left = strip.normalised();
        *self.left_wins(&left) = 0;
        *self.left_wins(&left.mirror()) = 0;
    }

    /// The bytes of the table with these values.
    pub fn written(&self, metric: Metric) -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::read(write(self, metric, directory.path()).unwrap()).unwrap()
    }

    /// The table with these values.
    pub fn table(&self, metric: Metric) -> DenseTable {
        open(self.written(metric), "planted.phut").unwrap()
    }

    /// The same values as diagrams.
    pub fn diagrams(&self, metric: Metric) -> DiagramTable {
        open_diagrams(self.diagram_bytes(metric), "planted.phut").unwrap()
    }

    /// The bytes of the diagram table with these values.
    pub fn diagram_bytes(&self, metric: Metric) -> Vec<u8> {
        let (graph, roots) = from_dense(Graph::new(self.length()), self, metric).unwrap();
        let source = Source {
            rules: Rules::Ordinary,
            diagram: &graph,
            roots: &roots,
            metric,
        };
        let directory = tempfile::tempdir().unwrap();
        std::fs::read(diagram::write::write(&source, directory.path()).unwrap()).unwrap()
    }

    /// A table with these values in each layout.
    pub fn both_layouts(&self, metric: Metric) -> [Table; 2] {
        [self.table(metric).into(), self.diagrams(metric).into()]
    }

    fn high_bits(&self) -> usize {
        self.length - 1 - low_bits(self.length)
    }
}

impl DenseSource for Planes {
    fn length(&self) -> usize {
        self.length
    }

    fn rules(&self) -> Rules {
        Rules::Ordinary
    }

    /// The engine whose tables these must equal.
    fn engine(&self) -> &str {
        "dense"
    }

    fn key(&self, _: Side, ball: usize, high: u64) -> u32 {
        ((ball - 1) << self.high_bits()) as u32 | high as u32
    }

    fn depths(&self, to_move: Side, key: u32, bytes: &mut [u8; 4096]) {
        let size = 1 << low_bits(self.length);
        bytes[..size].copy_from_slice(&self.depths[to_move as usize][key as usize * size..][..size]);
    }
}

/// What `verify::check` must find wrong first with the values of some planes: worked out the slow way, from the turns of
/// each board in the order of places. Under `wdl` there are no plies; every count is 1.
pub fn first_fault(planes: &mut Planes, metric: Metric) -> Option<Fault> {
    let boards: Vec<Strip> = positions(planes.length).collect();
    for side in [Side::Left, Side::Right] {
        for position in boards.iter().map(|strip| strip.with_side(side)) {
            let fault = fault_at(planes, &position, metric);
            if fault.is_some() {
                return fault;
            }
        }
    }
    None
}

/// What is wrong with one position, held against the positions after its turns.
pub fn fault_at(planes: &mut Planes, position: &Strip, metric: Metric) -> Option<Fault> {
    fault_after(planes, position, metric, &position.turns())
}

/// What is wrong with one position, held against the positions after those turns that a level of forward play allows.
pub fn fault_on_level_0(planes: &mut Planes, position: &Strip) -> Option<Fault> {
    let mut turns = position.turns();
    if position.side() == Side::Left {
        turns.retain(|&turn| is_forward(position, turn));
    }
    fault_after(planes, position, Metric::Wdl, &turns)
}

/// Whether a turn of Left's touches only squares to the right of the ball.
fn is_forward(position: &Strip, turn: Turn) -> bool {
    match (turn, position.play(turn).unwrap()) {
        (Turn::Place(square), _) => usize::from(square) > position.ball(),
        (_, After::Position(next)) => next.ball() > position.ball(),
        (_, After::Over { winner, .. }) => winner == Side::Left,
    }
}

fn fault_after(planes: &mut Planes, position: &Strip, metric: Metric, turns: &[Turn]) -> Option<Fault> {
    let stored = stored_plies(planes, position, metric);
    let counts: Vec<Option<u16>> = (turns.iter())
        .map(|&turn| match position.play(turn).unwrap() {
            After::Position(next) => {
                let count = stored_plies(planes, &next, metric)?;
                Some(if metric == Metric::Dtw { count + 1 } else { 1 })
            }
            After::Over { winner, .. } => (winner == Side::Left).then_some(1),
        })
        .collect();
    let derived = match position.side() {
        Side::Left => counts.iter().flatten().min().copied(),
        Side::Right if counts.contains(&None) => None,
        Side::Right => counts.iter().flatten().max().copied(),
    };
    (stored != derived).then(|| Fault::Position {
        position: position.to_string(),
        stored,
        derived,
    })
}

fn stored_plies(planes: &mut Planes, strip: &Strip, metric: Metric) -> Option<u16> {
    let byte = *planes.left_wins(strip);
    (byte != 0).then_some(if metric == Metric::Dtw { byte.into() } else { 1 })
}

/// A dense table with the values of no strip: one block everywhere, or a trie of chance. In a few thousand bytes it claims all positions
/// of a length to be won.
pub fn claiming(length: usize, by_chance: bool) -> Vec<u8> {
    let mut numbers = random_numbers(3);
    resealed(&generated(13, Metric::Dtw), |parts| {
        let blocks = parts.metadata::<DenseMetadata>().payload;
        let places = (2 * (length as u64 - 2)) << (length - 13);
        let levels = (1..).find(|levels| 1u64 << (4 * levels) >= places).unwrap();
        let nodes = |level| if by_chance && level > 0 { 64 } else { 1u32 };
        let mut trie = vec![levels];
        trie.extend((0..levels).map(nodes));
        for level in 0..levels {
            let below = if level + 1 < levels {
                nodes(level + 1)
            } else {
                blocks
            };
            let mut child = || match by_chance {
                true => numbers.next().unwrap() as u32 % below,
                false => 0,
            };
            trie.extend((0..16 * nodes(level)).map(|_| child()));
        }
        *parts.section("trie") = trie.iter().flat_map(|number| number.to_le_bytes()).collect();
        let wins = phutbase::games::strip::positions(length).unwrap();
        parts.edit(|metadata: &mut DenseMetadata| {
            metadata.length = length as u16;
            metadata.wins = BigUint::from(wins).to_bytes_le();
            (metadata.losses, metadata.draws) = (vec![0], vec![0]);
            (metadata.longest_win, metadata.longest_loss) = (1, 0);
            metadata.depths = [(1, wins)].into();
        });
    })
}
