//! Checkpoints: the work on one length in a file, between two plies.
//!
//! A long length takes days, and machines stop. [`DenseSolver::save`] writes everything that the next ply needs into one
//! [container](crate::table::container), and a solver resumed from it goes on as if nothing had happened.
//!
//! For each plane, Left to move first, there are four sections, all numbers little-endian:
//!
//! ```text
//!     sets       64 × u64 each
//!     states     before, set, ply: u32 each
//!     changed    a u64 for each block number
//!     blocks     the states of the blocks, a u32 each, slice by slice
//! ```
//!
//! What every pool begins with (the empty and the full set, the state 'nothing decided') is neither written nor
//! counted; what follows from a set (what placing a stone leads to) is computed again. The metadata say how long each section
//! must be, and nothing is allocated before it is found so long; no number is used as an index before it is known to
//! be in range.

use super::block::{AnyTurn, Block, EveryTurn, Quantifier};
use super::layout::DenseLayout;
use super::pool::{Life, Pool, SetId, State};
use super::{DenseError, DenseSolver, MAX_DENSE_LENGTH, MAX_PLIES, PlaneData};
use crate::games::strip::{MIN_LENGTH, positions};
use crate::table::container::read::{Container, SectionReader};
use crate::table::container::write::write_file;
use crate::table::container::{Kind, Section};
use crate::table::error::{ResumeError, TableError};
use bincode::{Decode, Encode};
use std::io::{self, Write};
use std::path::Path;

/// The sections of each plane.
const SECTIONS: [&str; 8] = [
    "sets, Left to move",
    "states, Left to move",
    "changed, Left to move",
    "blocks, Left to move",
    "sets, Right to move",
    "states, Right to move",
    "changed, Right to move",
    "blocks, Right to move",
];

/// What is said of the sections.
#[derive(Encode, Decode)]
struct Metadata {
    length: u16,
    /// Blocks in another order would be read as other positions.
    slice_bits: u8,
    /// New positions of each ply.
    counts: Vec<u64>,
    /// Sets and states of each plane beyond those of a new pool.
    pools: [(u32, u32); 2],
}

impl Metadata {
    /// The sizes of the sections of a plane.
    fn sizes(&self, layout: &DenseLayout, plane: usize) -> [u64; 4] {
        let (sets, states) = self.pools[plane];
        [
            u64::from(sets) * size_of::<Block>() as u64,
            u64::from(states) * 12,
            8 << layout.high_bits(),
            layout.plane_bytes(),
        ]
    }

    fn layout(&self, container: &Container) -> Result<DenseLayout, TableError> {
        let length = usize::from(self.length);
        let fits = (MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&length);
        container.demand(fits, || {
            format!("the length is {length}, which must be from {MIN_LENGTH} to {MAX_DENSE_LENGTH}")
        })?;
        let layout = DenseLayout::new(length);
        let (bits, wanted) = (usize::from(self.slice_bits), layout.slice_bits());
        container.demand(bits == wanted, || {
            format!("the number of slice bits is {bits}, which must be {wanted}")
        })?;
        let (plies, most) = (self.counts.len(), usize::from(MAX_PLIES));
        container.demand(plies <= most, || {
            format!("the number of plies is {plies}, which must be at most {most}")
        })?;
        // A position is in two planes; all plies together cannot decide more.
        let most = 2 * positions(length).expect("the longest dense strip has fewer than 2^64 positions");
        let total: u128 = self.counts.iter().map(|&count| u128::from(count)).sum();
        container.demand(total <= most, || {
            format!("the number of positions decided is {total}, which must be at most {most}")
        })?;
        Ok(layout)
    }
}

impl DenseSolver {
    /// Writes a checkpoint, in place of the one that `path` names if there is one; the disk must hold both.
    ///
    /// # Errors
    /// [`TableError::Io`]; what `path` named before is then still there.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        write_file(path, (Kind::DenseCheckpoint, self.rules), |out| {
            for (side, names) in self.sides.iter().zip(SECTIONS.chunks_exact(4)) {
                out.begin(names[0]);
                write_sets(&side.pool, out)?;
                out.begin(names[1]);
                write_states(&side.pool, out)?;
                out.begin(names[2]);
                (side.changed.iter()).try_for_each(|balls| out.write_all(&balls.to_le_bytes()))?;
                out.begin(names[3]);
                (side.states.iter()).try_for_each(|state| out.write_all(&state.0.to_le_bytes()))?;
            }
            Ok(Metadata {
                length: self.layout.length() as u16,
                slice_bits: self.layout.slice_bits() as u8,
                counts: self.counts.clone(),
                pools: [0, 1].map(|plane| {
                    let pool: &Pool = &self.sides[plane].pool;
                    let (sets, states) = (pool.sets() - Pool::FIRST_SETS, pool.states() - Pool::FIRST_STATES);
                    (sets as u32, states as u32)
                }),
            })
        })
    }

    /// Goes on from a checkpoint, in memory, or with the planes in files below a scratch directory. Length and rules are the
    /// checkpoint's: see [`DenseLayout::length`], [`rules`](DenseSolver::rules).
    ///
    /// # Errors
    /// [`ResumeError`] if the file is not a whole and undamaged checkpoint, or there is no room for the planes.
    pub fn resume(path: &Path, scratch: Option<&Path>) -> Result<DenseSolver, ResumeError<DenseError>> {
        let container = Container::open(path)?;
        let metadata: Metadata = container.metadata(Kind::DenseCheckpoint)?;
        let layout = metadata.layout(&container)?;
        let sections = container.sections(SECTIONS)?;
        let sizes = [metadata.sizes(&layout, 0), metadata.sizes(&layout, 1)].concat();
        for (section, size) in sections.iter().zip(sizes) {
            if section.bytes != size {
                return Err(container.wrong_length(section).into());
            }
        }
        let solver = DenseSolver::new(layout.length(), scratch).map_err(ResumeError::Engine)?;
        let mut solver = solver.under(container.rules());
        let (left, right) = sections.split_at(4);
        let file = File {
            container: &container,
            layout,
            plies: metadata.counts.len() as u32,
        };
        let [left_side, right_side] = &mut solver.sides;
        file.side::<EveryTurn>(left, left_side)?;
        file.side::<AnyTurn>(right, right_side)?;
        solver.counts = metadata.counts;
        Ok(solver)
    }
}

fn write_sets(pool: &Pool, out: &mut impl Write) -> io::Result<()> {
    let words = pool.all_sets()[Pool::FIRST_SETS..].iter().flat_map(|set| set.0);
    words
        .into_iter()
        .try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

fn write_states(pool: &Pool, out: &mut impl Write) -> io::Result<()> {
    let lives = pool.lives()[Pool::FIRST_STATES..].iter();
    let mut numbers = lives.flat_map(|life| [life.before.0, life.set.0, life.ply.into()]);
    numbers.try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

/// A checkpoint being read.
struct File<'c> {
    container: &'c Container,
    layout: DenseLayout,
    plies: u32,
}

impl File<'_> {
    /// Fills a new plane with what has been decided in it.
    fn side<Q: Quantifier>(&self, sections: &[Section], side: &mut PlaneData) -> Result<(), TableError> {
        let mut sets = self.container.reader(&sections[0]);
        for _ in 0..sections[0].bytes / size_of::<Block>() as u64 {
            self.set::<Q>(&mut sets, &mut side.pool)?;
        }
        sets.finish()?;
        let mut states = self.container.reader(&sections[1]);
        for _ in 0..sections[1].bytes / 12 {
            self.life(&mut states, &mut side.pool)?;
        }
        states.finish()?;
        let mut changed = self.container.reader(&sections[2]);
        let balls = ((1u64 << self.layout.balls()) - 1) << 1;
        for squares in &mut side.changed {
            *squares = u64::from_le_bytes(changed.take()?);
            self.container.demand(*squares & !balls == 0, || {
                format!("a set of changed ball squares is {squares:#x}, which must be within {balls:#x}")
            })?;
        }
        changed.finish()?;
        let mut blocks = self.container.reader(&sections[3]);
        let states = side.pool.states();
        for state in side.states.iter_mut() {
            *state = State(u32::from_le_bytes(blocks.take()?));
            self.container.demand((state.0 as usize) < states, || {
                format!(
                    "the state of a block is {}, which must be below {states}",
                    state.0
                )
            })?;
        }
        blocks.finish()
    }

    /// The next set of a pool.
    fn set<Q: Quantifier>(&self, reader: &mut SectionReader<'_>, pool: &mut Pool) -> Result<(), TableError> {
        let mut set = Block::EMPTY;
        for word in &mut set.0 {
            *word = u64::from_le_bytes(reader.take()?);
        }
        // A set with two numbers would be two sets to the engine, which compares numbers.
        let number = pool.sets();
        let same = pool.set_number::<Q>(&set).number();
        self.container.demand(same as usize == number, || {
            format!("a set is equal to set {same}, which must be new")
        })
    }

    /// The next state of a pool.
    fn life(&self, reader: &mut SectionReader<'_>, pool: &mut Pool) -> Result<(), TableError> {
        let mut number = || Ok::<_, TableError>(u32::from_le_bytes(reader.take()?));
        let (before, set, ply) = (number()?, number()?, number()?);
        let (states, sets) = (pool.states(), pool.sets());
        // Reading depths walks from a state to the one before: that it was made earlier makes the walk end.
        self.container.demand((before as usize) < states, || {
            format!("the state before a state is {before}, which must be below {states}")
        })?;
        self.container.demand((set as usize) < sets, || {
            format!("the set of a state is {set}, which must be below {sets}")
        })?;
        let earlier = u32::from(pool.lives()[before as usize].ply);
        let plies = self.plies;
        self.container.demand(earlier < ply && ply <= plies, || {
            format!("the ply of a state is {ply}, which must be above {earlier} and at most {plies}")
        })?;
        pool.restore(Life {
            before: State(before),
            ply: ply as u8,
            set: SetId::from_number(set),
        });
        Ok(())
    }
}
