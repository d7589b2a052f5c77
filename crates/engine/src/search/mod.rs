//! The search beyond the tables: iterative deepening over alpha-beta search with a memory
//! ([`tree`]) of pitches ([`pitch`]).
//!
//! Wins and losses are proved, also when the search is interrupted: a loss requires that every turn
//! was proved to lose. All else is an estimate: values at the horizon, and on the pitch positions
//! of which distant placements were omitted; those are never reported as lost.

pub mod pitch;
pub mod tree;

use super::limits::SearchLimits;
use super::position::{Turn, win_at_once};
use phutbase_base::game::Listing;
use phutbase_base::outcome::{Depth, Verdict, Wdl};
use phutbase_rules::Pitch;
use phutbase_rules::position::Phutball;
use pitch::{Node, PitchArena, by_threats, promise};
use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;
use tree::{Memory, Tree};

/// A proved or estimated value for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Won, in at most this many plies if known.
    Win(Option<Depth>),
    /// Lost, in at most this many plies if known.
    Loss(Option<Depth>),
    Draw,
    /// An estimate; positive is good.
    Guess(i32),
}

impl Evaluation {
    pub fn of_verdict(verdict: Verdict) -> Evaluation {
        match verdict.wdl {
            Wdl::Win => Evaluation::Win(verdict.depth),
            Wdl::Loss => Evaluation::Loss(verdict.depth),
            Wdl::Draw => Evaluation::Draw,
        }
    }
}

/// The format of `info` lines: `mate` counts turns of the player to move, negative if they lose;
/// a win of unknown length is `cp 30000`.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Win(Some(depth)) => write!(f, "mate {}", depth.0.div_ceil(2)),
            Evaluation::Loss(Some(depth)) => write!(f, "mate -{}", depth.0.div_ceil(2)),
            Evaluation::Win(None) => write!(f, "cp 30000"),
            Evaluation::Loss(None) => write!(f, "cp -30000"),
            Evaluation::Draw => write!(f, "cp 0"),
            Evaluation::Guess(value) => write!(f, "cp {value}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: u32,
    pub score: Evaluation,
    pub nodes: u64,
    pub time: Duration,
    /// The best turn and its expected continuation, in notation.
    pub line: Vec<String>,
}

impl Info {
    /// Creates the report of turns that were looked up.
    pub fn looked_up(line: Vec<String>, score: Evaluation, limits: &SearchLimits) -> Info {
        Info {
            depth: 1,
            score,
            nodes: 1,
            time: limits.elapsed(),
            line,
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "info depth {} score {} time {} nodes {} pv {}",
            self.depth,
            self.score,
            self.time.as_millis(),
            self.nodes,
            self.line.join(" ")
        )
    }
}

/// Default size of the search memory, in MiB.
pub const DEFAULT_MEBIBYTES: usize = 16;

/// The search with its memory, which is allocated when a pitch is first searched.
pub struct Searcher {
    mebibytes: usize,
    memory: Option<Memory>,
}

impl Searcher {
    /// Creates a search with an empty memory of at most this many MiB.
    pub fn new(mebibytes: usize) -> Searcher {
        Searcher {
            mebibytes,
            memory: None,
        }
    }

    /// Clears the memory and sets its size in MiB.
    pub fn forget(&mut self, mebibytes: usize) {
        if mebibytes != self.mebibytes {
            *self = Searcher::new(mebibytes);
        }
        self.memory.iter_mut().for_each(Memory::clear);
    }

    /// Returns the index of the best turn and its score; `None` if there are no turns.
    pub fn choose(
        &mut self,
        pitch: &Pitch,
        listing: &Listing<Turn>,
        limits: &SearchLimits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<(usize, Evaluation)> {
        let turns = listing.turns();
        if let Some(place) = win_at_once(turns, pitch.side()) {
            let score = Evaluation::Win(Some(Depth(1)));
            report(&Info::looked_up(
                vec![turns[place].notation.clone()],
                score,
                limits,
            ));
            return Some((place, score));
        }
        let memory = (self.memory).get_or_insert_with(|| Memory::new(self.mebibytes));
        let tree = Tree::new(PitchArena::new(pitch.shape()), memory, limits);
        let mut deepening = Deepening::new(tree, listing, pitch);
        // Find a turn to play before the slow part.
        deepening.mark()?;
        let shots = by_threats(pitch, turns, self.mebibytes, limits, report);
        Some(shots.unwrap_or_else(|| deepening.deepen(report)))
    }
}

struct Root {
    place: usize,
    node: Option<Node>,
    score: i32,
    /// True if the turn is proved to lose; the score is then an upper bound.
    loses: bool,
}

impl Root {
    fn set(&mut self, score: i32) {
        self.score = score;
        self.loses = tree::is_proved(score) && score < 0;
    }
}

const MAX_DEPTH: u32 = 100;
/// Maximum length of a reported line, in turns.
const MAX_LINE: usize = 8;

/// Iterative deepening until the limits are reached or the value is known.
struct Deepening<'a> {
    tree: Tree<'a>,
    listing: &'a Listing<Turn>,
    /// The best first, as far as is known.
    roots: Vec<Root>,
}

impl<'a> Deepening<'a> {
    /// Creates the search of a pitch; the most promising turns come first.
    fn new(tree: Tree<'a>, listing: &'a Listing<Turn>, pitch: &Pitch) -> Deepening<'a> {
        let node = |turn: &Turn| match turn.after.open() {
            Some(Phutball::Pitch(pitch)) => Some(Node::of(pitch)),
            _ => None,
        };
        let roots = listing.turns().iter().enumerate().map(|(place, turn)| Root {
            place,
            node: node(turn),
            score: 0,
            loses: false,
        });
        let mut roots: Vec<Root> = roots.collect();
        roots.sort_by_cached_key(|root| Reverse(root.node.as_ref().map(|node| promise(pitch, node))));
        Deepening { tree, listing, roots }
    }

    /// Orders the turns by static evaluation, as time allows; returns `None` if there are none.
    fn mark(&mut self) -> Option<()> {
        for root in &mut self.roots {
            match &root.node {
                Some(node) if !self.tree.limits.is_overdue() => root.set(self.tree.mark(node)),
                Some(_) => root.score = -tree::UNKNOWN,
                // No turn wins at once, so a turn that ends the game loses it.
                None => root.set(-tree::won_in(2)),
            }
        }
        self.roots.sort_by_key(|root| Reverse(root.score));
        self.roots.first().map(|_| ())
    }

    fn deepen(&mut self, report: &mut dyn FnMut(&Info)) -> (usize, Evaluation) {
        let deepest = self.tree.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let whole = self.one_depth(depth);
            let (best, score) = self.best();
            report(&Info {
                depth,
                score,
                nodes: self.tree.nodes,
                time: self.tree.limits.elapsed(),
                line: self.line(best, depth),
            });
            if !whole || !matches!(score, Evaluation::Guess(_)) || self.roots.len() == 1 {
                break;
            }
        }
        let (best, score) = self.best();
        (best.place, score)
    }

    /// Searches the turns not known to lose to a depth, best first; returns false if interrupted.
    fn one_depth(&mut self, depth: u32) -> bool {
        let mut alpha = -tree::INFINITE;
        self.tree.begin(depth);
        for place in 0..self.roots.len() {
            let root = &mut self.roots[place];
            let (Some(node), false) = (root.node, root.loses) else {
                continue;
            };
            let Some(value) = self.tree.below_root(&node, depth - 1, alpha) else {
                return false;
            };
            root.set(value);
            if value > alpha {
                alpha = value;
                self.roots[..=place].rotate_right(1);
            }
        }
        true
    }

    /// Returns the best turn: the first not known to lose, or the one that loses last.
    fn best(&self) -> (&Root, Evaluation) {
        let open = self.roots.iter().find(|root| !root.loses);
        let last = self.roots.iter().max_by_key(|root| root.score);
        let best = open.or(last).expect("there is a turn");
        // Turns outside the listing might save the game.
        let unsure = best.loses && !self.listing.is_complete();
        if unsure {
            (best, Evaluation::Guess(-tree::UNKNOWN))
        } else {
            (best, tree::score(best.score))
        }
    }

    fn line(&self, best: &Root, depth: u32) -> Vec<String> {
        let most = MAX_LINE.min(depth as usize) - 1;
        let proved = tree::is_proved(best.score);
        let mut line = vec![self.listing.turns()[best.place].notation.clone()];
        line.extend(
            best.node
                .iter()
                .flat_map(|node| self.tree.line(node, most, proved)),
        );
        line
    }
}
