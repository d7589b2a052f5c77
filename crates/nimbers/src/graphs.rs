//! Nimbers of graphs: connected parts up to cheap equivalences, searched like regions of
//! rectangles.
//!
//! A part is a connected set of vertices without twins;
//! [`Region::without_twins`](super::region::Region::without_twins) has the proof for graphs. Its
//! key in the memo is the first of these that applies:
//!
//! 1. its nimber, for a path, which equals the row of the same length, and a cycle, where every
//!    mark leaves a path with three vertices fewer;
//! 2. its canonical form ([`canonical`]) for up to 16 vertices, shared by the parts of all graphs;
//! 3. the smallest image under the known symmetries of the board, with the number of the graph.

use super::NimberSolver;
use super::canonical;
use super::memo::{Knowledge, VertexKey};
use super::region::connected;
use super::search::{Arena, NimberSearch, Remainder};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::nimber::Nimber;
use phutbase_rules::obstruction::graph::Graph;
use phutbase_rules::obstruction::{Board, bits};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, OnceLock};

/// Number of graphs kept; results for the parts of older graphs are no longer found.
const MAX_GRAPHS: usize = 32;

/// Replaces the graph's number in keys that are canonical forms.
const BY_FORM: u32 = 0;
/// Replaces the graph's number in keys that are nimbers.
const BY_NIMBER: u32 = 1;
const FIRST: u32 = 2;
/// Flag in the number of a misère key, whose value is the winner.
pub(super) const MISERE: u32 = 1 << 31;

pub(super) struct KnownGraph {
    pub graph: Arc<Graph>,
    number: u32,
    symmetries: Vec<Vec<u8>>,
}

/// The most recently used graphs.
pub(super) struct Graphs {
    known: Mutex<(u32, Vec<Arc<KnownGraph>>)>,
    recent: PartCache,
}

/// Cache of parts by vertex set: the same sets recur often, and computing a canonical form
/// dominates the time.
struct PartCache {
    /// The number of places, a power of two.
    size: usize,
    /// Made for the first graph.
    places: OnceLock<Box<[Mutex<Option<CachedPart>>]>>,
}

/// The number of a graph and a set of its vertices, with their part.
type CachedPart = ((u32, u128), Vertices);

impl PartCache {
    /// Creates a cache of at most this many bytes, and at most 2^17 places.
    fn new(bytes: u64) -> PartCache {
        let places = bytes / size_of::<Mutex<Option<CachedPart>>>() as u64;
        PartCache {
            size: 1 << places.clamp(1, 1 << 17).ilog2(),
            places: OnceLock::new(),
        }
    }

    /// Returns the part of a vertex set of a graph, computed by `find` if it is not cached.
    fn part(&self, number: u32, vertices: u128, find: impl FnOnce() -> Vertices) -> Vertices {
        let places = (self.places).get_or_init(|| (0..self.size).map(|_| Mutex::new(None)).collect());
        let mixed = (vertices as u64 ^ ((vertices >> 64) as u64).rotate_left(29) ^ u64::from(number) << 40)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = &places[(mixed >> 47) as usize % self.size];
        let lock = || place.lock().expect("no thread panics while it holds a place");
        match *lock() {
            Some((key, part)) if key == (number, vertices) => return part,
            _ => {}
        }
        let part = find();
        *lock() = Some(((number, vertices), part));
        part
    }
}

impl Graphs {
    /// Creates a store of graphs, with at most this many bytes for their parts.
    pub fn new(bytes: u64) -> Graphs {
        Graphs {
            known: Mutex::default(),
            recent: PartCache::new(bytes),
        }
    }

    /// Returns the graph of a board, with the number used in keys.
    pub fn of(&self, board: &Board) -> Arc<KnownGraph> {
        let mut known = self
            .known
            .lock()
            .expect("no thread panics while it holds the graphs");
        let (count, graphs) = &mut *known;
        if let Some(place) = graphs.iter().position(|known| known.graph == *board.graph()) {
            let found = graphs.remove(place);
            graphs.push(found.clone());
            return found;
        }
        if graphs.len() == MAX_GRAPHS {
            graphs.remove(0);
        }
        let new = Arc::new(KnownGraph {
            graph: board.graph().clone(),
            number: FIRST + *count,
            symmetries: (board.grid()).map_or(Vec::new(), |grid| grid.symmetries(board.graph())),
        });
        // Numbers repeat after 2^31 − 2 graphs, more than a process meets in years.
        *count = (*count + 1) % (MISERE - FIRST);
        graphs.push(new.clone());
        new
    }
}

/// A connected set of vertices without twins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertices {
    /// Parts with equal keys have equal nimbers.
    key: VertexKey,
    vertices: u128,
}

impl PartialEq for Vertices {
    fn eq(&self, other: &Vertices) -> bool {
        self.key == other.key
    }
}

impl Eq for Vertices {}

impl PartialOrd for Vertices {
    fn partial_cmp(&self, other: &Vertices) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Vertices {
    fn cmp(&self, other: &Vertices) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl KnownGraph {
    /// Removes all but the first vertex of every class of twins.
    pub fn without_twins(&self, vertices: u128) -> u128 {
        let mut left = vertices;
        for one in bits(vertices) {
            let near = self.graph.near(one) & vertices;
            let later = near & !(u128::MAX >> (127 - one));
            for other in bits(later & left) {
                if self.graph.near(other) & vertices == near {
                    left &= !(1 << other);
                }
            }
        }
        left
    }

    /// Iterates over the connected components of a set, in the order of their first vertices.
    pub fn components(&self, vertices: u128) -> impl Iterator<Item = u128> {
        connected(vertices, |vertices| self.graph.with_neighbours(vertices))
    }

    fn form(&self, vertices: u128) -> Option<u128> {
        let count = vertices.count_ones() as usize;
        if count > canonical::MAX_VERTICES {
            return None;
        }
        // The rank of each vertex in the set.
        let mut places = [0u8; 128];
        for (place, vertex) in bits(vertices).enumerate() {
            places[vertex] = place as u8;
        }
        let mut near = [0u16; canonical::MAX_VERTICES];
        for (place, vertex) in bits(vertices).enumerate() {
            let others = self.graph.near(vertex) & vertices & !(1 << vertex);
            near[place] = bits(others).fold(0, |near, other| near | 1 << places[other]);
        }
        canonical::form(&near[..count])
    }

    /// Returns the key of a set of vertices, for misère play if `flag` is [`MISERE`] and 0
    /// otherwise: the form, or the smallest image with the number of the graph.
    pub fn key(&self, vertices: u128, flag: u32) -> VertexKey {
        match self.form(vertices) {
            Some(form) => key(form, BY_FORM | flag),
            None => key(self.least_image(vertices), self.number | flag),
        }
    }

    fn least_image(&self, vertices: u128) -> u128 {
        let image =
            |images: &Vec<u8>| bits(vertices).fold(0u128, |image, vertex| image | 1 << images[vertex]);
        self.symmetries.iter().map(image).fold(vertices, u128::min)
    }
}

fn key(vertices: u128, number: u32) -> VertexKey {
    let mut key = [0; 20];
    key[..16].copy_from_slice(&vertices.to_le_bytes());
    key[16..].copy_from_slice(&number.to_le_bytes());
    key
}

struct GraphArena<'a> {
    known: Arc<KnownGraph>,
    solver: &'a NimberSolver,
}

impl GraphArena<'_> {
    fn part(&self, vertices: u128) -> Vertices {
        let recent = &self.solver.graphs.recent;
        recent.part(self.known.number, vertices, || {
            let vertices = self.known.without_twins(vertices);
            let key = match self.closed_form(vertices) {
                Some(Nimber(nimber)) => key(nimber.into(), BY_NIMBER),
                None => self.known.key(vertices, 0),
            };
            Vertices { key, vertices }
        })
    }

    /// Returns the nimber of a path or a cycle, or 1 for a single vertex.
    fn closed_form(&self, vertices: u128) -> Option<Nimber> {
        let graph = &self.known.graph;
        let mut ends = 0;
        for vertex in bits(vertices) {
            match (graph.near(vertex) & vertices).count_ones() {
                1 => return Some(Nimber(1)),
                2 => ends += 1,
                3 => {}
                _ => return None,
            }
        }
        let (count, rows) = (vertices.count_ones() as usize, self.solver.rows());
        Some(match ends {
            0 => Nimber((rows.nimber(count.checked_sub(3)?) == Nimber::ZERO).into()),
            _ => rows.nimber(count),
        })
    }
}

impl Arena for GraphArena<'_> {
    type Part = Vertices;

    fn size(&self, part: &Vertices) -> u32 {
        part.vertices.count_ones()
    }

    fn known(&self, part: &Vertices) -> Knowledge {
        if part.key[16..] == BY_NIMBER.to_le_bytes() {
            Knowledge::exact(part.key[0])
        } else {
            self.solver.memo.get_vertices(&part.key)
        }
    }

    fn learn(&self, part: &Vertices, knowledge: Knowledge) {
        self.solver.memo.learn_vertices(&part.key, knowledge);
    }

    fn turns(&self, part: &Vertices) -> Vec<Remainder<Vertices>> {
        let turn = |vertex| {
            let left = part.vertices & !self.known.graph.near(vertex);
            let parts = self.known.components(left).map(|vertices| self.part(vertices));
            self.ordered(parts.collect())
        };
        bits(part.vertices).map(turn).collect()
    }
}

impl NimberSolver {
    fn arena(&self, board: &Board) -> GraphArena<'_> {
        GraphArena {
            known: self.graphs.of(board),
            solver: self,
        }
    }

    pub(super) fn vertices(&self, board: &Board, vertices: u128, job: &Job) -> Result<Nimber, Stopped> {
        let arena = &self.arena(board);
        let nimber = NimberSearch { arena, job }.nimber(&arena.part(vertices))?;
        Ok(Nimber(nimber))
    }

    /// Returns whether the free components of a board together have this nimber.
    pub(super) fn free_is_worth(&self, board: &Board, wanted: Nimber, job: &Job) -> Result<bool, Stopped> {
        let arena = &self.arena(board);
        let parts = arena.known.components(board.free());
        let parts = parts.map(|vertices| arena.part(vertices)).collect();
        NimberSearch { arena, job }.is_worth(&arena.ordered(parts), wanted.0)
    }

    pub(super) fn learn_vertices(&self, board: &Board, vertices: u128, nimber: Nimber) {
        let arena = self.arena(board);
        arena.learn(&arena.part(vertices), Knowledge::exact(nimber.0));
    }
}
