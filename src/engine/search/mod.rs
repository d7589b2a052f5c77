//! The search beyond the tables: iterative deepening over an alpha-beta search with a memory ([`tree`]), which is the same for both
//! games; [`strip`] and [`pitch`] say what it has to know of them.
//!
//! What it calls a win or a loss in so many plies is one. Everything else is a guess: values of positions at the end of a
//! line, and on the pitch placements far from the ball that are left out. A position whose turns were not all looked at is
//! never called lost, so a win that rests on it is not claimed either.

pub mod pitch;
pub mod strip;
pub mod tree;

use super::budget::Budget;
use super::position::{Standing, Turn};
use crate::games::position::Phutball;
use crate::outcome::{Depth, Side, Verdict, Wdl};
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
    /// The best turn, in notation.
    pub turn: String,
}

impl Info {
    /// What there is to say of a turn that was looked up.
    pub fn looked_up(turn: &Turn, score: Score, budget: &Budget) -> Info {
        Info {
            depth: 1,
            score,
            nodes: 1,
            time: budget.elapsed(),
            turn: turn.notation.clone(),
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
            self.turn
        )
    }
}

/// What a search has to know of a game.
pub trait Arena {
    /// A position, with the player to move.
    type Node: Copy + Eq + Hash;

    /// Looks at a position; `children` are wanted only if the search goes on below it.
    fn look(&self, node: &Self::Node, children: bool) -> Look<Self::Node>;
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
        turns: &[Turn],
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<(usize, Score)> {
        if let Some(place) = position.win_at_once(turns) {
            let score = Score::Win(Some(Depth(1)));
            report(&Info::looked_up(&turns[place], score, budget));
            return Some((place, score));
        }
        let mover = position.side();
        match position {
            Phutball::Strip(_) => {
                let node = |standing: &Standing| match standing.open() {
                    Some(Phutball::Strip(strip)) => Some(*strip),
                    _ => None,
                };
                let mut tree = Tree::new(strip::StripArena, &mut self.strips, budget);
                deepen(&mut tree, turns, &node, mover, report)
            }
            Phutball::Pitch(pitch) => {
                let node = |standing: &Standing| match standing.open() {
                    Some(Phutball::Pitch(pitch)) => Some(pitch::Node::of(pitch)),
                    _ => None,
                };
                if let Some(found) = pitch::by_threats(pitch, turns, budget, report) {
                    return Some(found);
                }
                let arena = pitch::PitchArena::new(pitch.shape());
                let mut tree = Tree::new(arena, &mut self.pitches, budget);
                let (place, score) = deepen(&mut tree, turns, &node, mover, report)?;
                // Turns that were not even listed might save the game.
                let unsure = matches!(score, Score::Loss(_)) && !position.lists_all_turns();
                Some((
                    place,
                    if unsure {
                        Score::Guess(-tree::UNKNOWN)
                    } else {
                        score
                    },
                ))
            }
        }
    }
}

/// A turn at the root.
struct Root<Node> {
    place: usize,
    node: Option<Node>,
    score: i32,
}

/// Plies beyond which no search goes.
const DEEPEST: u32 = 100;

/// Searches one ply further each time, until the budget is spent or the value is known.
fn deepen<A: Arena>(
    tree: &mut Tree<'_, A>,
    turns: &[Turn],
    node: &dyn Fn(&Standing) -> Option<A::Node>,
    mover: Side,
    report: &mut dyn FnMut(&Info),
) -> Option<(usize, Score)> {
    let mut roots: Vec<Root<A::Node>> = (turns.iter().enumerate())
        .map(|(place, turn)| Root {
            place,
            node: node(&turn.after),
            // Turns that end the game end it badly here, and come last.
            score: match turn.after.winner() {
                Some(winner) if winner == mover => tree::won_in(1),
                Some(_) => -tree::won_in(1),
                None => 0,
            },
        })
        .collect();
    roots.sort_by_key(|root| std::cmp::Reverse(root.score));
    let mut best = (roots.first()?.place, roots.first()?.score);
    let deepest = tree.budget().depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
    for depth in 1..=deepest {
        let whole = one_depth(tree, &mut roots, depth);
        // What was searched before the budget was spent counts too: the best turn so far comes first.
        best = (roots[0].place, roots[0].score);
        report(&Info {
            depth,
            score: tree::score(best.1),
            nodes: tree.nodes(),
            time: tree.budget().elapsed(),
            turn: turns[best.0].notation.clone(),
        });
        if !whole || tree::is_proved(best.1) || turns.len() == 1 {
            break;
        }
    }
    Some((best.0, tree::score(best.1)))
}

/// Searches every turn to a depth, and puts the best first; false if the budget was spent on the way.
fn one_depth<A: Arena>(tree: &mut Tree<'_, A>, roots: &mut [Root<A::Node>], depth: u32) -> bool {
    let mut alpha = -tree::INFINITE;
    tree.begin(depth);
    for place in 0..roots.len() {
        let Some(node) = roots[place].node else { continue };
        let Some(value) = tree.below_root(&node, depth - 1, alpha) else {
            return false;
        };
        roots[place].score = value;
        if value > alpha {
            alpha = value;
            roots[..=place].rotate_right(1);
        }
    }
    true
}
