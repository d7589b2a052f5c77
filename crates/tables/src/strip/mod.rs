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
//! * `nodes` — numbers and bytes of the nodes, counts;
//! * [`metadata`] — counts of every length;
//! * `encode`, [`write`](mod@write) — making a file;
//! * [`sets`] — the nodes as diagrams of one length.

mod encode;
pub mod metadata;
mod nodes;
pub mod sets;
pub mod write;

use super::{Metric, SearchPath, Summary, TableError};
use metadata::{StripCounts, StripMetadata};
use nodes::{LEAVES, Node, Nodes};
use phutbase_base::outcome::{Depth, Side, Value, Verdict, Wdl};
use phutbase_files::container::blocks::{Blocks, SECTIONS};
use phutbase_files::container::read::Container;
use phutbase_rules::strip::{RatedStripTurn, Strip};
use phutbase_rules::{Boards, Rules};
use sets::StripSets;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open table, unpacked and checked. It can be shared between threads.
pub struct StripTable {
    path: PathBuf,
    file_bytes: u64,
    metadata: StripMetadata,
    roots: Vec<u32>,
    nodes: Arc<Nodes>,
}

impl StripTable {
    /// Opens a file, and reads and checks all of it.
    pub fn open(path: &Path) -> Result<StripTable, TableError> {
        StripTable::new(Container::open(path)?)
    }

    /// Opens a container.
    pub fn new(container: Container) -> Result<StripTable, TableError> {
        let [blocks, index] = SECTIONS;
        let [roots, blocks, index] = container.sections(["roots", blocks, index])?.clone();
        let numbers = container.section(&roots)?;
        let (numbers, rest) = numbers.as_chunks::<4>();
        let roots: Vec<u32> = numbers.iter().map(|&root| u32::from_le_bytes(root)).collect();
        let (metadata, squares) = StripMetadata::read(&container)?;
        if metadata.counts(metadata.length.into()).roots(metadata.metric) != roots.len() {
            return Err(container.corrupt("the number of roots is wrong").into());
        }
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
            path: blocks.container.path().to_path_buf(),
            file_bytes: blocks.container.file_bytes(),
            metadata,
            roots,
            nodes: Arc::new(Nodes::read(squares, &blocks)?),
        })
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
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
        let win = self.padded(&left);
        // Right wins a board if Left, with Right to move, wins its mirror image.
        let loss = || self.padded(&left.mirror());
        Ok(match self.metric() {
            Metric::Dtw => match self.first_with(1, counts.longest_win, &win) {
                Some(depth) => Value::Win(depth).into(),
                None => (self.first_with(2, counts.longest_loss, &loss()))
                    .map_or(Value::Draw, Value::Loss)
                    .into(),
            },
            Metric::Levels | Metric::Wdl => {
                if self.contains(self.won_by_left(Side::Left), &win) {
                    Wdl::Win.into()
                } else if self.contains(self.won_by_left(Side::Right), &loss()) {
                    Wdl::Loss.into()
                } else {
                    Wdl::Draw.into()
                }
            }
        })
    }

    /// Returns every turn of a position with its value, best first, ties in the order of
    /// generation. A turn that ends the game has the value of the rules, and so a depth.
    pub fn rated_turns(&self, strip: &Strip) -> Result<Vec<RatedStripTurn>, TableError> {
        strip.rated_turns(|next| self.verdict(next))
    }

    /// Returns the lowest level with a board that Left wins with `to_move` to move; `None` if Left
    /// does not win it or the table has no levels.
    pub fn level(&self, board: &Strip, to_move: Side) -> Result<Option<usize>, TableError> {
        let levels = usize::from(self.counts(board.length())?.levels);
        let board = self.padded(board);
        Ok((0..levels).find(|level| self.contains(2 * level + to_move as usize, &board)))
    }

    /// Returns the sets of the strips of a length.
    pub fn sets(&self, length: usize) -> Result<StripSets, TableError> {
        let roots = self.counts(length)?.roots(self.metric());
        Ok(StripSets::new(
            self,
            self.nodes.clone(),
            length,
            &self.roots[..roots],
        ))
    }

    /// Returns the index of the root with all boards that Left wins with `to_move` to move. The
    /// table must not have depths.
    fn won_by_left(&self, to_move: Side) -> usize {
        self.roots.len() - 2 + to_move as usize
    }

    fn padded(&self, board: &Strip) -> Strip {
        board.followed_by_stones(self.length())
    }

    /// True if the set of a root contains a board of the table's length, for either player to move.
    fn contains(&self, root: usize, board: &Strip) -> bool {
        let (words, ball) = (board.words(), board.ball());
        let child = |node: Node, square: usize| match words[square / 64] >> (square % 64) & 1 {
            0 => node.empty,
            _ => node.stone,
        };
        let mut at = self.roots[root];
        for square in 0..ball {
            if at == 0 {
                return false;
            }
            at = child(self.nodes.node(at), square);
        }
        if at == 0 {
            return false;
        }
        at = self.nodes.node(at).ball;
        while at >= LEAVES {
            let node = self.nodes.node(at);
            at = child(node, node.ball as usize);
        }
        at == 1
    }

    /// Returns the least of `first`, `first` + 2, …, `longest` whose set contains the board. The
    /// sets grow, so it bisects.
    fn first_with(&self, first: usize, longest: u16, board: &Strip) -> Option<Depth> {
        let sets = (usize::from(longest) + 2).saturating_sub(first) / 2;
        // Two thirds of all boards are wins: test the largest set first.
        if first == 1 && (sets == 0 || !self.contains(2 * sets - 2, board)) {
            return None;
        }
        let (mut without, mut with) = (0, sets);
        while without < with {
            // Most games are short, so bisect towards few plies.
            let middle = without + 3 * (with - without) / 8;
            if self.contains(first - 1 + 2 * middle, board) {
                with = middle
            } else {
                without = middle + 1
            }
        }
        (with < sets).then(|| Depth((first + 2 * with) as u16))
    }
}

/// True if the last ply or level adds nothing. Equal sets have equal roots.
fn last_repeats<R: PartialEq>(metric: Metric, roots: &[R]) -> bool {
    match (metric, roots) {
        (Metric::Dtw, [.., before, _, last]) => before == last,
        (Metric::Levels, [.., a, b, left, right]) => (a, b) == (left, right),
        _ => false,
    }
}
