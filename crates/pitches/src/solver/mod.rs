//! The pitch engine: bit-parallel retrograde analysis of every position of a small pitch.
//!
//! Like the enumeration of strips, it keeps two bit sets, *Alfred wins* with Alfred to move and with
//! Betty to move. Ply d adds to one set the positions from which the
//! player can force the other set as of ply d − 1. The added positions are decided in exactly d
//! plies; positions that no ply adds are draws. Turning the pitch round gives Betty's wins.
//!
//! * [`layout`]: the place of every position in the stores;
//! * `mirror`: left and right columns swapped; only one of two mirror images is stored;
//! * `hops`: jumps, compiled for blocks of 4,096 positions;
//! * `map`, `work_list`: the blocks that a ply has to read and update;
//! * `ply`: one ply, chunk by chunk;
//! * `sweep`: one ply over one chunk, the inner loop;
//! * [`depths`]: the number of plies to a win;
//! * [`checkpoint`]: interrupted work in files.

pub mod checkpoint;
pub mod depths;
mod hops;
pub mod layout;
pub mod map;
pub mod mirror;
pub mod ply;
pub mod sweep;
pub mod work_list;

use crate::block::Block;
use crate::block::MAX_PLIES;
use crate::scratch::{Mapping, MappingError};
use crate::simd::Simd;
use bytemuck::Zeroable;
use depths::{Depths, Pieces};
use hops::CompiledJumps;
use layout::{BlockPlaces, PitchLayout};
use map::BlockMap;
use phutbase_base::fault;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::depths::{MAX_POINTS, PitchSource};
use phutbase_rules::{Rules, Shape};
use std::path::PathBuf;
use std::sync::RwLock;
use work_list::Links;

/// Largest number of points of a pitch that the engine solves; larger sets exceed any memory.
pub const MAX_PITCH_POINTS: usize = MAX_POINTS;

#[derive(Debug, thiserror::Error)]
pub enum PitchSolveError {
    #[error("a {shape} pitch has {} points; the engine supports up to {MAX_PITCH_POINTS}", shape.points())]
    TooLarge { shape: Shape },
    #[error("a {shape} pitch: {source}")]
    Mapping { shape: Shape, source: MappingError },
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A win takes more plies than a depth byte holds.
    #[error("{shape} pitch: a win takes more than 254 plies, the limit of a depth byte")]
    TooDeep { shape: Shape },
}

fault! { PitchSolveError {
    PitchSolveError::Stopped(error) => Of(error),
    _ => System,
} }

#[derive(Clone, Debug)]
pub struct Setup {
    pub shape: Shape,
    pub rules: Rules,
    pub with_depths: bool,
    /// Directory of the files that hold sets and depths; `None` for main memory.
    pub scratch: Option<PathBuf>,
}

impl Setup {
    /// Sets up a shape under the ordinary rules, in memory.
    pub fn in_memory(shape: Shape, with_depths: bool) -> Setup {
        Setup {
            shape,
            rules: Rules::Ordinary,
            with_depths,
            scratch: None,
        }
    }

    /// Allocates zeroed storage of these sizes, in memory or in the scratch directory.
    fn allocate<T: Zeroable>(
        &self,
        mut sizes: impl Iterator<Item = usize>,
    ) -> Result<Vec<Mapping<T>>, PitchSolveError> {
        let shape = self.shape;
        let mappings = sizes.try_fold(Vec::new(), |mut mappings, size| {
            mappings.push(Mapping::new(size, self.scratch.as_deref())?);
            Ok(mappings)
        });
        mappings.map_err(|source| PitchSolveError::Mapping { shape, source })
    }
}

/// Memory for the solution of a shape, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    pub sets: u64,
    pub reach: u64,
    pub depths: u64,
    /// Block maps; always in main memory.
    pub maps: u64,
}

impl Needs {
    pub fn of(setup: &Setup) -> Result<Needs, PitchSolveError> {
        let prepared = Prepared::new(setup)?;
        Ok(prepared.needs(&prepared.layout.all_chunks(), setup.with_depths))
    }

    /// Returns the part that may be kept in a scratch directory.
    pub fn stores(&self) -> u64 {
        self.saved() + self.reach
    }

    /// Returns the part that a checkpoint holds.
    pub fn saved(&self) -> u64 {
        self.sets + self.depths
    }
}

/// Layout and jumps, computed before any store is allocated.
pub struct Prepared {
    pub layout: PitchLayout,
    pub stores: Stores,
    /// The jumps by the goal aimed at: Alfred's, Betty's.
    jumps: [Vec<CompiledJumps>; 2],
    /// Jumps between blocks, indexed like `jumps`.
    pub links: [Links; 2],
}

impl Prepared {
    pub fn new(setup: &Setup) -> Result<Prepared, PitchSolveError> {
        let shape = setup.shape;
        if shape.points() > MAX_PITCH_POINTS {
            return Err(PitchSolveError::TooLarge { shape });
        }
        let layout = PitchLayout::new(shape);
        let stores = Stores::new(&layout);
        let jumps = [Side::Left, Side::Right].map(|home| hops::compile(&layout, setup.rules, home));
        let links = [0, 1].map(|home| Links::new(&layout, &jumps[home], &stores.reach[home].0));
        Ok(Prepared {
            layout,
            stores,
            jumps,
            links,
        })
    }

    /// Computes the memory for some chunks.
    pub fn needs(&self, chunks: &[usize], with_depths: bool) -> Needs {
        let pieces = Pieces::new(&self.layout);
        let mut needs = Needs {
            sets: 0,
            reach: 0,
            depths: 0,
            maps: MAPS * BlockMap::bytes(&self.layout),
        };
        for &chunk in chunks {
            needs.sets += (2 * self.stores.places.size(chunk) * size_of::<Block>()) as u64;
            needs.reach += (self.stores.reach_size(chunk) * size_of::<Block>()) as u64;
            needs.depths += u64::from(with_depths) * pieces.chunk_bytes(chunk) as u64;
        }
        needs
    }
}

pub struct Stores {
    pub places: BlockPlaces,
    /// Points and places of `reach`, by the goal aimed at: Alfred's, Betty's.
    reach: [(Vec<usize>, BlockPlaces); 2],
}

impl Stores {
    pub fn new(layout: &PitchLayout) -> Stores {
        let shape = layout.shape();
        let interior: Vec<usize> = shape.interior().collect();
        let reach = [Side::Left, Side::Right].map(|home| {
            let points = 0..shape.points();
            let balls: Vec<usize> = points
                .filter(|&point| shape.winner_on(point) != Some(home))
                .collect();
            let places = BlockPlaces::new(layout, &balls);
            (balls, places)
        });
        Stores {
            places: BlockPlaces::new(layout, &interior),
            reach,
        }
    }

    pub fn reach_size(&self, chunk: usize) -> usize {
        let [(_, alfred), (_, betty)] = &self.reach;
        alfred.size(chunk).max(betty.size(chunk))
    }
}

/// Solver of one shape, ply by ply.
pub struct PitchSolver {
    rules: Rules,
    pub prepared: Prepared,
    simd: Simd,
    /// The chunks with storage here, in ascending order.
    pub chunks: Vec<usize>,
    /// Alfred wins, with Alfred to move and with Betty to move; by chunk.
    pub sets: [Vec<Mapping<Block>>; 2],
    /// Patterns from which a ball in flight reaches the target; by chunk.
    reach: Vec<RwLock<Mapping<Block>>>,
    /// The blocks that gained members in the last ply.
    pub changed: BlockMap,
    /// Blocks of each set known to have no undecided position.
    pub full: [BlockMap; 2],
    /// Last ply that scans all blocks, because `changed` is not valid for it.
    pub full_scan_through: usize,
    depths: Option<Depths>,
    counts: Vec<u64>,
}

/// Block maps alive during a ply: two `changed`, two `full` and the three of the work list.
const MAPS: u64 = 7;

/// The first ply of each side has no earlier ply of its own to build on.
const FIRST_PLIES: usize = 2;

impl PitchSolver {
    /// Sets up a shape under the ordinary rules in memory.
    pub fn new(shape: Shape, with_depths: bool) -> Result<PitchSolver, PitchSolveError> {
        PitchSolver::begin(&Setup::in_memory(shape, with_depths))
    }

    pub fn begin(setup: &Setup) -> Result<PitchSolver, PitchSolveError> {
        let prepared = Prepared::new(setup)?;
        PitchSolver::holding(prepared.layout.all_chunks(), prepared, setup)
    }

    /// Allocates some chunks only, in ascending order; [`ply`](PitchSolver::ply) must not sweep
    /// others. The mirror images and row flips of a chunk must be among them, because the depths
    /// found in it belong to these.
    pub fn holding(
        chunks: Vec<usize>,
        prepared: Prepared,
        setup: &Setup,
    ) -> Result<PitchSolver, PitchSolveError> {
        let (layout, stores) = (&prepared.layout, &prepared.stores);
        let held = |chunk: &usize| usize::from(chunks.binary_search(chunk).is_ok());
        let sizes = |size: fn(&Stores, usize) -> usize| {
            (0..layout.chunks()).map(move |chunk| held(&chunk) * size(stores, chunk))
        };
        let set = || setup.allocate(sizes(|stores, chunk| stores.places.size(chunk)));
        let reach = setup.allocate(sizes(Stores::reach_size))?;
        let depths = (setup.with_depths)
            .then(|| Depths::new(layout, setup, |chunk| held(&chunk)))
            .transpose()?;
        let map = BlockMap::none(layout);
        Ok(PitchSolver {
            simd: Simd::best(),
            full: [map.clone(), map.clone()],
            changed: map,
            full_scan_through: FIRST_PLIES,
            sets: [set()?, set()?],
            reach: reach.into_iter().map(RwLock::new).collect(),
            depths,
            counts: Vec::new(),
            rules: setup.rules,
            chunks,
            prepared,
        })
    }

    /// Selects the instruction set; results do not depend on it.
    pub fn with_simd(self, simd: Simd) -> PitchSolver {
        PitchSolver { simd, ..self }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn layout(&self) -> &PitchLayout {
        &self.prepared.layout
    }

    /// Returns the new positions of each ply, from ply 1: odd plies with Alfred to move.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the name of the last ply.
    pub fn place(&self) -> String {
        format!("ply {}", self.counts.len())
    }

    pub fn depths(&self) -> Option<&Depths> {
        self.depths.as_ref()
    }

    /// Runs the next ply and returns the number of positions it decided. A stopped job ends within
    /// the ply, and the solver is then unusable.
    pub fn step(&mut self, job: &Job) -> Result<u64, PitchSolveError> {
        let (count, gaining) = self.ply(|ply, works| ply.sweep_all(works, job))?;
        job.check()?;
        self.end_ply(count, gaining, job);
        Ok(count)
    }

    /// Runs plies until one decides nothing.
    pub fn finish(&mut self) -> Result<(), PitchSolveError> {
        while self.step(&Job::default())? > 0 {}
        Ok(())
    }
}

impl PitchSource for PitchSolver {
    fn shape(&self) -> Shape {
        self.layout().shape()
    }

    fn rules(&self) -> Rules {
        PitchSolver::rules(self)
    }

    fn order(&self) -> &[usize] {
        &self.layout().order
    }

    fn copy(&self, start: u64, into: &mut [u8]) {
        let depths = self.depths();
        depths
            .expect("a table is made of a solver with depths")
            .copy(start, into);
    }
}
