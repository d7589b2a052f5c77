//! The search beyond the tables: iterative deepening over an alpha-beta search with a memory ([`tree`]), which is the same for both
//! games; [`strip`] and [`pitch`] say what it has to know of them.
//!
//! What it calls a win or a loss in so many plies is one, also when it is broken off: a loss only if every turn was proved to lose.
//! Everything else is a guess: values of positions at the end of a
//! line, and on the pitch placements far from the ball that are left out. A position whose turns were not all looked at is
//! never called lost, so a win that rests on it is not claimed either.

pub mod pitch;
pub mod strip;
pub mod tree;

use super::budget::Budget;
use super::position::{Listing, Standing};
use crate::games::position::Phutball;
use crate::outcome::{Depth, Verdict, Wdl};
use std::fmt;
use std::hash::Hash;
use std::time::Duration;
use tree::{Memory, Tree};

/// What is known or guessed of a position or turn, by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Won, in at most so many plies if that is known.
    Win(Option<Depth>),
    /// Lost, likewise.
    Loss(Option<Depth>),
    /// A draw.
    Draw,
    /// A guess; positive is good.
    Guess(i32),
}

impl Score {
    /// The score of a value from tables.
    pub fn of_verdict(verdict: Verdict) -> Score {
        match verdict.wdl {
            Wdl::Win => Score::Win(verdict.depth),
            Wdl::Loss => Score::Loss(verdict.depth),
            Wdl::Draw => Score::Draw,
        }
    }
}

/// As `info` lines have it: `mate` counts turns of the player to move, negative if they lose; a win whose length is not known is `cp 30000`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Win(Some(depth)) => write!(f, "mate {}", depth.0.div_ceil(2)),
            Score::Loss(Some(depth)) => write!(f, "mate -{}", depth.0.div_ceil(2)),
            Score::Win(None) => write!(f, "cp 30000"),
            Score::Loss(None) => write!(f, "cp -30000"),
            Score::Draw => write!(f, "cp 0"),
            Score::Guess(value) => write!(f, "cp {value}"),
        }
    }
}

/// What a search says while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: u32,
    /// The score of the best turn.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// The best turn and what is expected to follow, in notation.
    pub line: Vec<String>,
}

impl Info {
    /// What there is to say of turns that were looked up.
    pub fn looked_up(line: Vec<String>, score: Score, budget: &Budget) -> Info {
        Info {
            depth: 1,
            score,
            nodes: 1,
            time: budget.elapsed(),
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

/// What a search has to know of a game.
pub trait Arena {
    /// A position, with the player to move.
    type Node: Copy + Eq + Hash;

    /// Looks at a position; `children` are wanted only if the search goes on below it.
    fn look(&self, node: &Self::Node, children: bool) -> Look<Self::Node>;

    /// The turn that leads from one position to another, in notation.
    fn turn(&self, from: &Self::Node, to: &Self::Node) -> Option<String>;
}

/// What is seen of a position, by the player to move.
pub struct Look<Node> {
    /// Whether a turn ends the game in the mover's favour; then nothing else matters.
    pub wins_at_once: bool,
    /// Whether the opponent would win at once if it were their turn.
    pub threatened: bool,
    /// A guess at the value.
    pub guess: i32,
    /// What the turns lead to, the most promising first; those that end the game against the mover are left out.
    pub children: Vec<Node>,
    /// Whether every turn that is not lost at once leads to one of the children.
    pub complete: bool,
}

/// Mebibytes that a search may remember, unless something else is said.
pub const DEFAULT_MEBIBYTES: usize = 16;

/// A search with its memory.
pub struct Searcher {
    strips: Memory<strip::Node>,
    pitches: Memory<pitch::Node>,
}

impl Searcher {
    /// A search that remembers nothing yet, and at most so many mebibytes.
    pub fn new(mebibytes: usize) -> Searcher {
        Searcher {
            strips: Memory::new(mebibytes),
            pitches: Memory::new(mebibytes),
        }
    }

    /// The place of the best of some turns of a position, and its score; `None` if there are none.
    pub fn choose(
        &mut self,
        position: &Phutball,
        listing: &Listing,
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<(usize, Score)> {
        let turns = &listing.turns;
        if let Some(place) = position.win_at_once(turns) {
            let score = Score::Win(Some(Depth(1)));
            report(&Info::looked_up(
                vec![turns[place].notation.clone()],
                score,
                budget,
            ));
            return Some((place, score));
        }
        match position {
            Phutball::Strip(_) => {
                let node = |standing: &Standing| match standing.open() {
                    Some(Phutball::Strip(strip)) => Some(*strip),
                    _ => None,
                };
                let tree = Tree::new(strip::StripArena, &mut self.strips, budget);
                let mut deepening = Deepening::new(tree, listing, &node, &|_| 0);
                deepening.mark()?;
                Some(deepening.deepen(report))
            }
            Phutball::Pitch(pitch) => {
                let node = |standing: &Standing| match standing.open() {
                    Some(Phutball::Pitch(pitch)) => Some(pitch::Node::of(pitch)),
                    _ => None,
                };
                let tree = Tree::new(pitch::PitchArena::new(pitch.shape()), &mut self.pitches, budget);
                let promise = |node: &pitch::Node| pitch::promise(pitch, node);
                let mut deepening = Deepening::new(tree, listing, &node, &promise);
                // There is a turn to make before anything takes long.
                deepening.mark()?;
                let by_threats = pitch::by_threats(pitch, turns, budget, report);
                Some(by_threats.unwrap_or_else(|| deepening.deepen(report)))
            }
        }
    }
}

/// A turn at the root.
struct Root<Node> {
    place: usize,
    node: Option<Node>,
    score: i32,
    /// Whether the turn is proved to lose: then the score is an upper bound.
    loses: bool,
}

impl<Node> Root<Node> {
    fn set(&mut self, score: i32) {
        self.score = score;
        self.loses = tree::is_proved(score) && score < 0;
    }
}

/// Plies beyond which no search goes.
const DEEPEST: u32 = 100;
/// Turns of a line that are told.
const TOLD: usize = 8;

/// A search one ply further each time, until the budget is spent or the value is known.
struct Deepening<'a, A: Arena> {
    tree: Tree<'a, A>,
    listing: &'a Listing,
    /// The best first, as far as is known.
    roots: Vec<Root<A::Node>>,
}

impl<'a, A: Arena> Deepening<'a, A> {
    /// The turns, those of more `promise` first.
    fn new(
        tree: Tree<'a, A>,
        listing: &'a Listing,
        node: &dyn Fn(&Standing) -> Option<A::Node>,
        promise: &dyn Fn(&A::Node) -> i32,
    ) -> Deepening<'a, A> {
        let roots = listing.turns.iter().enumerate().map(|(place, turn)| Root {
            place,
            node: node(&turn.after),
            score: 0,
            loses: false,
        });
        let mut roots: Vec<Root<A::Node>> = roots.collect();
        roots.sort_by_cached_key(|root| std::cmp::Reverse(root.node.as_ref().map(promise)));
        Deepening { tree, listing, roots }
    }

    /// Orders the turns by what they look like at once, as far as time allows; `None` if there are none.
    fn mark(&mut self) -> Option<()> {
        for root in &mut self.roots {
            match &root.node {
                Some(node) if !self.tree.budget().is_overdue() => root.set(self.tree.mark(node)),
                Some(_) => root.score = -tree::UNKNOWN,
                // Nobody wins at once here, so a turn that ends the game ends it badly.
                None => root.set(-tree::won_in(2)),
            }
        }
        self.roots.sort_by_key(|root| std::cmp::Reverse(root.score));
        self.roots.first().map(|_| ())
    }

    fn deepen(&mut self, report: &mut dyn FnMut(&Info)) -> (usize, Score) {
        let deepest = self.tree.budget().depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        for depth in 1..=deepest {
            let whole = self.one_depth(depth);
            let (best, score) = self.best();
            report(&Info {
                depth,
                score,
                nodes: self.tree.nodes(),
                time: self.tree.budget().elapsed(),
                line: self.line(best, depth),
            });
            if !whole || !matches!(score, Score::Guess(_)) || self.roots.len() == 1 {
                break;
            }
        }
        let (best, score) = self.best();
        (best.place, score)
    }

    /// Searches every turn that is not known to lose to a depth, and puts the best first; false if the budget was spent on the way.
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

    /// The best turn so far and what is proved of it: the first that is not known to lose, or the one that loses last.
    fn best(&self) -> (&Root<A::Node>, Score) {
        let open = self.roots.iter().find(|root| !root.loses);
        let last = self.roots.iter().max_by_key(|root| root.score);
        let best = open.or(last).expect("there is a turn");
        // Turns that were not even listed might save the game.
        let unsure = best.loses && !self.listing.complete;
        match unsure {
            true => (best, Score::Guess(-tree::UNKNOWN)),
            false => (best, tree::score(best.score)),
        }
    }

    fn line(&self, best: &Root<A::Node>, depth: u32) -> Vec<String> {
        let most = TOLD.min(depth as usize) - 1;
        let mut line = vec![self.listing.turns[best.place].notation.clone()];
        line.extend(best.node.iter().flat_map(|node| self.tree.line(node, most)));
        line
    }
}
