//! All values of one length, solved in memory: what claims are held against.

use crate::diagram::graph::TooLarge;
use crate::games::rules::Rules;
use crate::games::strip::Strip;
use crate::generate::plan::{Plan, PlanError, human_bytes, symbolic_limits};
use crate::outcome::{Depth, Side, Value};
use crate::solve::dense::block::Block;
use crate::solve::dense::layout::DenseLayout;
use crate::solve::dense::pool::{SetId, State};
use crate::solve::dense::{DenseError, DenseSolver};
use crate::solve::symbolic::{LevelSolver, Levels, SymbolicError, SymbolicLimits};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a claim could not be examined.
#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The engine refused the length, or memory.
    #[error(transparent)]
    Dense(#[from] DenseError),
    /// The plan for the length was refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The symbolic engine refused the length, or memory.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// A board of a size that is not examined so.
    #[error("{squares} squares: this is done on boards of 2 to {most} squares")]
    Squares {
        /// The size.
        squares: usize,
        /// The largest.
        most: usize,
    },
    /// A diagram outgrew its numbers.
    #[error(transparent)]
    Diagram(#[from] TooLarge),
    /// The observer asked to stop.
    #[error("interrupted at length {0}")]
    Interrupted(usize),
}

/// What long work is told and tells.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set by whoever wants the work to end.
    pub stop: &'a AtomicBool,
    /// Called with what is being done, now and then.
    pub say: &'a (dyn Fn(String) + Sync),
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
}

impl Watch<'_> {
    /// Goes on, unless it is time to stop.
    ///
    /// # Errors
    /// [`TheoryError::Interrupted`].
    pub fn check(&self, length: usize) -> Result<(), TheoryError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(TheoryError::Interrupted(length)),
            false => Ok(()),
        }
    }

    /// What the symbolic engine may use.
    pub fn limits(&self) -> SymbolicLimits {
        symbolic_limits(self.memory)
    }
}

/// A solver that has found who wins on the strips of one length, from those of a shorter one if they are there.
///
/// # Errors
/// [`TheoryError::Symbolic`] if the length is out of range or does not fit, [`TheoryError::Interrupted`].
pub fn solve_levels(
    length: usize,
    rules: Rules,
    shorter: Option<&Levels>,
    watch: Watch<'_>,
) -> Result<LevelSolver, TheoryError> {
    let threads = rayon::current_num_threads();
    let mut solver = LevelSolver::new(length, watch.limits(), threads)?.under(rules);
    let ended = solver.run_from(shorter, &mut |solver| {
        let live = solver.live();
        (watch.say)(format!(
            "{} squares, {}, {} nodes, {}",
            solver.length(),
            live.place(),
            live.nodes,
            human_bytes(live.bytes)
        ));
        match watch.check(length) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    if ended.is_break() {
        watch.check(length)?;
    }
    Ok(solver)
}

/// A watch that nobody looks at, with the memory that the system has.
pub fn unwatched() -> Watch<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Watch {
        stop: &NEVER,
        say: &|_| {},
        memory: None,
    }
}

/// Every value of one length, as two sets of positions: *Left wins*, with Left and with Right to move.
///
/// What is in neither, seen from both ends, is a draw. Blocks and patterns are those of
/// [`DenseLayout`]: pattern bit i is the square i of the board without the ball's square.
pub struct Planes {
    solver: DenseSolver,
}

impl Planes {
    /// Solves the strips of one length.
    ///
    /// # Errors
    /// [`TheoryError`] if it is out of range, does not fit, or is interrupted.
    pub fn strip(length: usize, watch: Watch<'_>) -> Result<Planes, TheoryError> {
        Plan::of_enumeration(length)?.check_memory(watch.memory)?;
        let mut solver = DenseSolver::new(length)?;
        while solver.counts().last() != Some(&0) {
            watch.check(length)?;
            solver.step()?;
            (watch.say)(format!("ply {}", solver.counts().len()));
        }
        Ok(Planes { solver })
    }

    /// The shape of both sets.
    pub fn layout(&self) -> &DenseLayout {
        self.solver.layout()
    }

    /// Positions with Left to move.
    pub fn positions(&self) -> u64 {
        (self.layout().balls() as u64) << self.layout().pattern_bits()
    }

    /// Positions with Left to move that Left wins.
    pub fn wins(&self) -> u64 {
        self.solver.counts().iter().step_by(2).sum()
    }

    /// Positions with Left to move that Left loses: by the mirror, those with Right to move that Left wins.
    pub fn losses(&self) -> u64 {
        self.solver.counts().iter().skip(1).step_by(2).sum()
    }

    /// The rest.
    pub fn draws(&self) -> u64 {
        self.positions() - self.wins() - self.losses()
    }

    /// Positions decided in each number of plies, from 1: wins in an odd number, losses in an even one.
    pub fn depths(&self) -> &[u64] {
        self.solver.counts()
    }

    /// The set of one block, by number: equal numbers, equal sets. Blocks with either player to move are numbered apart.
    pub fn set(&self, to_move: Side, ball: usize, high: usize) -> SetId {
        self.solver.pool(to_move).set_of(self.state(to_move, ball, high))
    }

    fn state(&self, to_move: Side, ball: usize, high: usize) -> State {
        self.solver.plane(to_move)[self.layout().place(ball, high)]
    }

    /// The patterns of one block from which Left wins.
    pub fn block(&self, to_move: Side, ball: usize, high: usize) -> &Block {
        self.members(to_move, self.set(to_move, ball, high))
    }

    /// The members of a set.
    pub fn members(&self, to_move: Side, set: SetId) -> &Block {
        self.solver.pool(to_move).set(set)
    }

    /// In how many plies Left wins; `None` if Left does not.
    pub fn depth(&self, to_move: Side, ball: usize, pattern: u64) -> Option<Depth> {
        let low_bits = self.layout().low_bits();
        let low = (pattern & ((1 << low_bits) - 1)) as usize;
        let state = self.state(to_move, ball, (pattern >> low_bits) as usize);
        match self.solver.pool(to_move).depth(state, low) {
            0 => None,
            plies => Some(Depth(plies.into())),
        }
    }

    /// The value of a strip for its player to move.
    ///
    /// # Panics
    /// If it is of another length.
    pub fn value(&self, strip: &Strip) -> Value {
        assert_eq!(
            strip.length(),
            self.layout().length(),
            "a strip of another length"
        );
        let depth = |strip: Strip| self.depth(strip.side(), strip.ball(), strip.pattern() as u64);
        let left = strip.normalised();
        // That Right wins is that Left wins in the mirror image, where Right is to move.
        match (depth(left), depth(left.mirror())) {
            (Some(plies), _) => Value::Win(plies),
            (None, Some(plies)) => Value::Loss(plies),
            (None, None) => Value::Draw,
        }
    }

    /// Whether Left wins.
    pub fn left_wins(&self, to_move: Side, ball: usize, pattern: u64) -> bool {
        let low_bits = self.layout().low_bits();
        let low = (pattern & ((1 << low_bits) - 1)) as usize;
        let block = self.block(to_move, ball, (pattern >> low_bits) as usize);
        block.0[low / 64] >> (low % 64) & 1 == 1
    }
}
