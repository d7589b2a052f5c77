//! Tables of strips: sets of boards as decision diagrams.
//!
//! A table of N squares holds every strip of n ≤ N squares: a board of n squares is looked up with
//! N − n stones behind its right end. For shorter lengths only the counts are stored.
//!
//! A file has a list of *roots*, each a set of boards of N squares that Left wins:
//!
//! * `dtw`: root d, from 1, has the boards that Left wins in at most d plies, with Left to move if
//!   d is odd, with Right to move if it is even. The sets of one player grow, so a depth is found
//!   by bisection;
//! * `wdl`: all boards that Left wins, with Left to move and with Right to move;
//! * `levels`: the *levels* of forward play (docs/PROOF.md), each a pair: the boards with Left to
//!   move, then those with Right to move. Levels grow; the last one has all boards that Left wins.
//!
//! Files:
//!
//! * `nodes` — numbers and bytes of the nodes, links for walks, counts;
//! * [`metadata`] — counts of every length;
//! * `encode`, [`write`](mod@write) — making a file;
//! * [`sets`] — all nodes in memory, as diagrams of one length;
//! * `whole` — a fully unpacked table, for frequent walks;
//! * `proper` — play that ends without depths.

mod encode;
pub mod metadata;
mod nodes;
mod proper;
pub mod sets;
mod whole;
pub mod write;

use super::{Metric, SearchPath, Summary, TableError};
use metadata::{StripCounts, StripMetadata};
use nodes::{FRAME_NODES, LEAVES, Links, Node, Nodes, Squares};
use phutbase_base::outcome::{Depth, Side, Value, Verdict, Wdl};
use phutbase_files::FileError;
use phutbase_files::container::blocks::{Blocks, SECTIONS};
use phutbase_files::container::cache::{FrameCache, Reader, Shelf};
use phutbase_files::container::read::Container;
use phutbase_rules::strip::{RatedStripTurn, Strip};
use phutbase_rules::{Boards, Rules};
use rayon::prelude::*;
use sets::StripSets;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use whole::Whole;

/// An open table. It can be shared between threads.
pub struct StripTable {
    metadata: StripMetadata,
    squares: Squares,
    roots: Vec<u32>,
    blocks: Blocks,
    frames: Shelf<Links>,
    /// Number of times that a frame was unpacked by itself; a frame counts again after its eviction.
    unpacked: AtomicUsize,
    /// All nodes, set once `unpacked` is large and if the cache has room for them.
    whole: OnceLock<Option<Whole>>,
    /// True from the moment at which a thread begins to make `whole`.
    is_unpacking: AtomicBool,
    /// All nodes, while they are in use elsewhere.
    all: Mutex<Weak<Nodes>>,
}

impl StripTable {
    /// Opens a file; nodes are read and checked when they are first walked.
    pub fn open(path: &Path, cache: &Arc<FrameCache>) -> Result<StripTable, TableError> {
        StripTable::new(Container::open(path)?, cache)
    }

    /// Opens a container.
    pub fn new(container: Container, cache: &Arc<FrameCache>) -> Result<StripTable, TableError> {
        let [blocks, index] = SECTIONS;
        let [roots, blocks, index] = container.sections(["roots", blocks, index])?.clone();
        let numbers = container.section(&roots)?;
        let (numbers, rest) = numbers.as_chunks::<4>();
        let roots: Vec<u32> = numbers.iter().map(|&root| u32::from_le_bytes(root)).collect();
        let (metadata, squares) = StripMetadata::read(&container, roots.len())?;
        if !rest.is_empty() || !roots.iter().all(|&root| squares.may_be_root(root)) {
            return Err(container
                .corrupt("a root is not a ternary node on the first square")
                .into());
        }
        if last_repeats(metadata.metric, &roots) {
            return Err(container.corrupt("the last root repeats the one before").into());
        }
        let blocks = Blocks::open(container, [&blocks, &index], squares.cut())?;
        Ok(StripTable {
            metadata,
            squares,
            roots,
            frames: Shelf::new(cache, blocks.frames(), FRAME_NODES * Links::BYTES),
            unpacked: AtomicUsize::new(0),
            whole: OnceLock::new(),
            is_unpacking: AtomicBool::new(false),
            blocks,
            all: Mutex::default(),
        })
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        self.blocks.container.path()
    }

    /// Returns the size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.blocks.container.file_bytes()
    }

    /// Returns the kind of values.
    pub fn metric(&self) -> Metric {
        self.metadata.metric
    }

    /// Returns whether the table has depths.
    pub fn has_depths(&self) -> bool {
        self.metric() == Metric::Dtw
    }

    /// Returns the greatest length that the table holds.
    pub fn length(&self) -> usize {
        self.metadata.length.into()
    }

    /// Returns the lengths that the table holds.
    pub fn lengths(&self) -> RangeInclusive<usize> {
        self.metadata.lengths()
    }

    /// Returns the metadata of the file.
    pub fn metadata(&self) -> &StripMetadata {
        &self.metadata
    }

    /// Counts of a length.
    pub fn summary(&self, length: usize) -> Result<Summary, TableError> {
        Ok(self.counts(length)?.summary(length))
    }

    fn counts(&self, length: usize) -> Result<&StripCounts, TableError> {
        let held = self.lengths().contains(&length);
        (held.then(|| self.metadata.counts(length))).ok_or_else(|| self.missing(length, Rules::Ordinary))
    }

    fn missing(&self, length: usize, rules: Rules) -> TableError {
        TableError::Missing {
            boards: Boards::strip(length),
            rules,
            depths: false,
            places: SearchPath::only(self.path()),
        }
    }

    /// Returns the value of a position, with its depth if the table has depths.
    ///
    /// # Errors
    /// [`TableError::Missing`] for a longer strip, or under other rules.
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        let counts = self.counts(strip.length())?;
        if strip.rules() != Rules::Ordinary {
            return Err(self.missing(strip.length(), strip.rules()));
        }
        let left = strip.normalised();
        let walk = self.walk();
        let win = self.padded(&left);
        // Right wins a board if Left, with Right to move, wins its mirror image.
        let loss = || self.padded(&left.mirror());
        Ok(match self.metric() {
            Metric::Dtw => match walk.first_with(1, counts.longest_win, &win)? {
                Some(depth) => Value::Win(depth).into(),
                None => (walk.first_with(2, counts.longest_loss, &loss())?)
                    .map_or(Value::Draw, Value::Loss)
                    .into(),
            },
            Metric::Levels | Metric::Wdl => {
                if walk.contains(self.won_by_left(Side::Left), &win)? {
                    Wdl::Win.into()
                } else if walk.contains(self.won_by_left(Side::Right), &loss())? {
                    Wdl::Loss.into()
                } else {
                    Wdl::Draw.into()
                }
            }
        })
    }

    /// [`verdict`](StripTable::verdict) of many positions, in their order, in parallel.
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        strips.par_iter().map(|strip| self.verdict(strip)).collect()
    }

    /// Returns every turn of a position with its value, best first, ties in the order of
    /// generation. Without depths, a winner's first turn is proper, so that he wins by repeating it. A
    /// loser's turns are in the order of a heuristic: the distance of the ball from the winner's goal
    /// line, the stones. A turn that ends the game has the value of the
    /// rules, and so a depth: on a longer strip the same turn ends the game a ply later.
    pub fn rated_turns(&self, strip: &Strip) -> Result<Vec<RatedStripTurn>, TableError> {
        let mut rated = strip.rated_turns(|next| self.verdict(next))?;
        if !self.has_depths() {
            proper::best_first(strip, &mut rated);
        }
        Ok(rated)
    }

    /// Returns the lowest level with a board that Left wins with `to_move` to move; `None` if Left
    /// does not win it or the table has no levels.
    pub fn level(&self, board: &Strip, to_move: Side) -> Result<Option<usize>, TableError> {
        let levels = usize::from(self.counts(board.length())?.levels);
        let (walk, board) = (self.walk(), self.padded(board));
        for level in 0..levels {
            if walk.contains(2 * level + to_move as usize, &board)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Loads all nodes, as the sets of the strips of a length.
    pub fn sets(&self, length: usize) -> Result<StripSets, TableError> {
        let roots = self.counts(length)?.roots(self.metric());
        Ok(StripSets::new(
            self,
            self.all_nodes()?,
            length,
            &self.roots[..roots],
        ))
    }

    /// Reads and checks every frame.
    pub fn check_frames(&self) -> Result<(), TableError> {
        Ok(self.blocks.check(|frame| self.unpack(frame))?)
    }

    fn all_nodes(&self) -> Result<Arc<Nodes>, TableError> {
        let known = || self.all.lock().expect("no panic while it is held");
        if let Some(nodes) = known().upgrade() {
            return Ok(nodes);
        }
        // Unlocked: while this thread waits for others it may run work that needs all nodes, too.
        let frames: Vec<Vec<Node>> = (0..self.blocks.frames())
            .into_par_iter()
            .map(|frame| self.unpack(frame))
            .collect::<Result<_, _>>()?;
        let nodes = Arc::new(Nodes {
            squares: self.squares.clone(),
            nodes: frames.concat(),
        });
        *known() = Arc::downgrade(&nodes);
        Ok(nodes)
    }

    fn unpack(&self, frame: usize) -> Result<Vec<Node>, FileError> {
        let raw = self.blocks.unpack(frame)?;
        let nodes = self.squares.decode(frame, &raw);
        nodes.ok_or_else(|| {
            self.blocks
                .container
                .corrupt(format!("invalid node in frame {frame}"))
        })
    }

    /// Returns the index of the root with all boards that Left wins with `to_move` to move. The
    /// table must not have depths.
    fn won_by_left(&self, to_move: Side) -> usize {
        self.roots.len() - 2 + to_move as usize
    }

    fn padded(&self, board: &Strip) -> Strip {
        board.followed_by_stones(self.length())
    }

    fn walk(&self) -> Walk<'_> {
        match self.whole() {
            Some(whole) => Walk::Whole(whole),
            None => Walk::Frames(self, self.frames.reader()),
        }
    }

    /// Returns all nodes if many frames were unpacked and there is room, which makes walks fastest.
    fn whole(&self) -> Option<&Whole> {
        if let Some(whole) = self.whole.get() {
            return whole.as_ref();
        }
        if self.unpacked.load(Ordering::Relaxed) < MANY_FRAMES.min(self.blocks.frames() / 2) {
            return None;
        }
        // One thread unpacks with the help of others, which must not wait for it: they read frames.
        if self.is_unpacking.swap(true, Ordering::Relaxed) {
            return None;
        }
        let whole = || {
            let bytes = self.squares.nodes() * Links::BYTES;
            if !self.frames.cache.set_apart(bytes) {
                return None;
            }
            match self.all_nodes() {
                Ok(nodes) => Some(Whole::new(&nodes, &self.roots)),
                // The walk that needs a damaged frame reports it.
                Err(_) => {
                    self.frames.cache.give_back(bytes);
                    None
                }
            }
        };
        let unpacked = whole();
        self.whole.get_or_init(|| unpacked).as_ref()
    }
}

/// Returns whether the last ply or level adds nothing. Equal sets have equal roots.
fn last_repeats<R: PartialEq>(metric: Metric, roots: &[R]) -> bool {
    match (metric, roots) {
        (Metric::Dtw, [.., before, _, last]) => before == last,
        (Metric::Levels, [.., a, b, left, right]) => (a, b) == (left, right),
        _ => false,
    }
}

/// A table is unpacked fully after this many frames were unpacked, or half as many as it has; one
/// position with all its turns unpacks fewer.
const MANY_FRAMES: usize = 512;

/// Access to the nodes of a table.
enum Walk<'t> {
    Frames(&'t StripTable, Reader<'t, Links>),
    Whole(&'t Whole),
}

impl Walk<'_> {
    /// Returns whether the set of a root contains a board of the table's length, for either player
    /// to move.
    #[inline]
    fn contains(&self, root: usize, board: &Strip) -> Result<bool, TableError> {
        // Roots and children were checked to be below the number of nodes.
        let place = |number: u32| (number - LEAVES) as usize;
        match self {
            Walk::Whole(whole) => {
                let (from, first) = whole.start(root, board);
                walk(from, first, board, |number| Ok((&whole.links, place(number))))
            }
            Walk::Frames(table, frames) => walk(table.roots[root], 0, board, |number| {
                let frame = place(number) / FRAME_NODES;
                let links = frames.get(frame, || {
                    table.unpacked.fetch_add(1, Ordering::Relaxed);
                    table.unpack(frame).map(|nodes| Links::new(&nodes))
                })?;
                Ok((links, place(number) % FRAME_NODES))
            }),
        }
    }

    /// Returns the least of `first`, `first` + 2, …, `longest` whose set contains the board. The
    /// sets grow, so it bisects.
    fn first_with(&self, first: usize, longest: u16, board: &Strip) -> Result<Option<Depth>, TableError> {
        let sets = (usize::from(longest) + 2).saturating_sub(first) / 2;
        // Two thirds of all boards are wins: test the largest set first.
        if first == 1 && (sets == 0 || !self.contains(2 * sets - 2, board)?) {
            return Ok(None);
        }
        let (mut without, mut with) = (0, sets);
        while without < with {
            // Most games are short, so bisect towards few plies.
            let middle = without + 3 * (with - without) / 8;
            if self.contains(first - 1 + 2 * middle, board)? {
                with = middle
            } else {
                without = middle + 1
            }
        }
        Ok((with < sets).then(|| Depth((first + 2 * with) as u16)))
    }
}

/// Returns whether a set contains a board, starting at node `from` on square `first`; `node` reads
/// a node by its number.
#[inline(always)]
fn walk<'l>(
    from: u32,
    first: usize,
    board: &Strip,
    node: impl Fn(u32) -> Result<(&'l Links, usize), TableError>,
) -> Result<bool, TableError> {
    let (words, ball) = (board.words(), board.ball());
    let stone = |square: usize| (words[square / 64] >> (square % 64)) as u32 & 1;
    let mut at = from;
    for square in first..ball {
        if at == 0 {
            return Ok(false);
        }
        let (links, place) = node(at)?;
        at = links.child(place, stone(square));
    }
    if at == 0 {
        return Ok(false);
    }
    let (links, place) = node(at)?;
    at = links.balls[place];
    while at >= LEAVES {
        let (links, place) = node(at)?;
        at = links.child(place, stone(links.square(place) as usize));
    }
    Ok(at == 1)
}
