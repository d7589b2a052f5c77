//! The pitch engine: bit-parallel retrograde analysis of every position of a small pitch.
//!
//! Like the strip's enumeration ([`dense`](super::dense)), it keeps two bit sets, *Alfred wins*
//! with Alfred to move and with Betty to move. Ply d adds to one set the positions from which the
//! player can force the other set as of ply d − 1. The added positions are decided in exactly d
//! plies; positions that no ply adds are draws. Turning the pitch round gives Betty's wins.
//!
//! * [`layout`]: the place of every position in the stores;
//! * `mirror`: left and right columns swapped; only one of two mirror images is stored;
//! * `hops`: jumps, compiled for blocks of 4,096 positions;
//! * `map`, `work_list`: the blocks that a ply has to read and update;
//! * `share`: the chunks of each process; `traffic`, `exchange`: the blocks that processes send;
//! * `ply`: one ply, stage by stage;
//! * `sweep`: one ply over one chunk, the inner loop;
//! * [`depths`]: the number of plies to a win;
//! * [`checkpoint`]: interrupted work in files.

pub mod checkpoint;
pub mod depths;
mod exchange;
mod hops;
pub mod layout;
mod map;
#[doc(hidden)]
pub mod mirror;
mod ply;
#[doc(hidden)]
pub mod share;
mod sweep;
mod traffic;
#[doc(hidden)]
pub mod work_list;

use super::dense::block::{BLOCK_BITS, Block};
use super::scratch::{Mapping, MappingError};
use super::simd::Simd;
use crate::games::{Pitch, Rules, Shape};
use crate::job::{Job, Stopped};
use crate::outcome::{Side, Wdl};
use crate::ranks::{RankError, Team};
use bytemuck::Zeroable;
use depths::Depths;
use hops::CompiledJumps;
use layout::{BlockPlaces, PitchLayout};
use map::BlockMap;
use share::Share;
use std::path::PathBuf;
use std::sync::RwLock;
use traffic::{Buffers, InFlight};
use work_list::Links;

/// Largest number of points of a pitch that the engine solves; larger sets exceed any memory.
pub const MAX_PITCH_POINTS: usize = crate::table::pitch::metadata::MAX_POINTS;

/// Largest depth that fits into a depth byte.
const MAX_PLIES: u8 = u8::MAX - 1;

#[derive(Debug, thiserror::Error)]
pub enum PitchSolveError {
    #[error("a {shape} pitch has {} points; the engine supports up to {MAX_PITCH_POINTS}", shape.points())]
    TooLarge { shape: Shape },
    #[error("a {shape} pitch: {source}")]
    Mapping { shape: Shape, source: MappingError },
    #[error(transparent)]
    OtherRank(#[from] RankError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A win takes more plies than a depth byte holds.
    #[error("{shape} pitch: a win takes more than 254 plies, the limit of a depth byte")]
    TooDeep { shape: Shape },
}

#[derive(Clone, Debug)]
pub struct Setup {
    pub shape: Shape,
    pub rules: Rules,
    pub with_depths: bool,
    /// Directory of the files that hold sets and depths; `None` for main memory.
    pub scratch: Option<PathBuf>,
    pub team: Team,
}

impl Setup {
    /// Sets up a shape under the ordinary rules, in memory and in one process.
    pub fn in_memory(shape: Shape, with_depths: bool) -> Setup {
        Setup {
            shape,
            rules: Rules::Ordinary,
            with_depths,
            scratch: None,
            team: Team::alone(),
        }
    }

    /// Allocates zeroed storage in memory or in the scratch directory.
    fn room<T: Zeroable>(&self, count: usize) -> Result<Mapping<T>, PitchSolveError> {
        Mapping::new(count, self.scratch.as_deref()).map_err(|source| PitchSolveError::Mapping {
            shape: self.shape,
            source,
        })
    }
}

/// Memory that a shape takes in this process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// This process's part of the two sets and of `reach`.
    pub sets: u64,
    /// Block maps; always in main memory.
    pub maps: u64,
    pub depths: u64,
    /// Largest amount in flight to and from other processes; always in main memory.
    pub buffer: u64,
    /// Upper bound of what this process sends in a ply.
    pub sent: u64,
    /// The two sets and the depths of all processes together.
    pub of_all: u64,
    pub all_depths: u64,
}

impl Needs {
    /// Computes the needs of a setup. Collective: all processes call it at the same time.
    pub fn of(setup: &Setup) -> Result<Needs, PitchSolveError> {
        let prepared = Prepared::new(setup)?;
        let (layout, stores, share) = (&prepared.layout, &prepared.stores, &prepared.share);
        let in_flight = &prepared.in_flight;
        let block = size_of::<Block>() as u64;
        let own = (0..layout.chunks()).filter(|&chunk| share.is_own(chunk));
        let blocks: usize = own
            .map(|chunk| 2 * stores.places.size(chunk) + stores.reach_size(chunk))
            .sum();
        let (depths, all_depths) = if setup.with_depths {
            (
                depths::bytes_needed(layout, |chunk| share.is_own(chunk)),
                depths::bytes_needed(layout, |_| true),
            )
        } else {
            (0, 0)
        };
        Ok(Needs {
            sets: blocks as u64 * block,
            // At the end of a ply a copy of two halves of maps is in flight.
            maps: (MAPS + u64::from(setup.team.several().is_some())) * BlockMap::bytes(layout),
            depths,
            buffer: in_flight.buffer_blocks() as u64 * block,
            sent: in_flight.sent as u64 * block,
            of_all: 2 * stores.places.total() * block + all_depths,
            all_depths,
        })
    }
}

/// Layout, jumps and division of the work, computed before any store is allocated.
#[doc(hidden)]
pub struct Prepared {
    layout: PitchLayout,
    stores: Stores,
    /// The jumps by the goal aimed at: Alfred's, Betty's.
    jumps: [Vec<CompiledJumps>; 2],
    /// Jumps between blocks, indexed like `jumps`.
    pub links: [Links; 2],
    share: Share,
    in_flight: InFlight,
}

impl Prepared {
    fn new(setup: &Setup) -> Result<Prepared, PitchSolveError> {
        let shape = setup.shape;
        if shape.points() > MAX_PITCH_POINTS {
            return Err(PitchSolveError::TooLarge { shape });
        }
        let layout = PitchLayout::new(shape);
        let stores = Stores::new(&layout);
        let jumps = [Side::Left, Side::Right].map(|home| hops::compile(&layout, setup.rules, home));
        let links = [0, 1].map(|home| Links::new(&layout, &jumps[home], &stores.reach[home].0));
        let team = &setup.team;
        let threads = team.greatest(rayon::current_num_threads() as u64) as usize;
        let work = |chunk: usize| (stores.places.size(chunk) + stores.reach_size(chunk)) as u64;
        let share = Share::new(&layout, work, team, threads);
        let in_flight = InFlight::most(&layout, &links, &share, team);
        Ok(Prepared {
            layout,
            stores,
            jumps,
            links,
            share,
            in_flight,
        })
    }
}

#[doc(hidden)]
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

/// Solver of one shape, ply by ply. Each of several processes holds its own chunks.
pub struct PitchSolver {
    rules: Rules,
    #[doc(hidden)]
    pub prepared: Prepared,
    simd: Simd,
    /// Alfred wins, with Alfred to move and with Betty to move; by chunk.
    #[doc(hidden)]
    pub sets: [Vec<Mapping<Block>>; 2],
    /// Patterns from which a ball in flight reaches the target; by chunk.
    reach: Vec<RwLock<Mapping<Block>>>,
    /// The blocks that gained members in the last ply.
    #[doc(hidden)]
    pub changed: BlockMap,
    /// Blocks of each set known to have no undecided position.
    #[doc(hidden)]
    pub full: [BlockMap; 2],
    /// Last ply that scans all blocks, because `changed` is not valid for it.
    #[doc(hidden)]
    pub full_scan_through: usize,
    depths: Option<Depths>,
    counts: Vec<u64>,
    team: Team,
    buffers: Buffers,
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
        let (layout, stores, share) = (&prepared.layout, &prepared.stores, &prepared.share);
        let own = |chunk: usize, size: usize| if share.is_own(chunk) { size } else { 0 };
        let set = || {
            let chunks = 0..layout.chunks();
            chunks
                .map(|chunk| setup.room(own(chunk, stores.places.size(chunk))))
                .collect::<Result<_, _>>()
        };
        let reach = (0..layout.chunks())
            .map(|chunk| setup.room(own(chunk, stores.reach_size(chunk))).map(RwLock::new))
            .collect::<Result<_, _>>()?;
        let depths = (setup.with_depths)
            .then(|| Depths::new(layout, setup, |chunk| share.is_own(chunk)))
            .transpose()?;
        let map = BlockMap::none(layout);
        let shape = setup.shape;
        Ok(PitchSolver {
            simd: Simd::best(),
            full: [map.clone(), map.clone()],
            changed: map,
            full_scan_through: FIRST_PLIES,
            sets: [set()?, set()?],
            reach,
            depths,
            counts: Vec::new(),
            buffers: Buffers::new(&prepared.in_flight)
                .map_err(|source| PitchSolveError::Mapping { shape, source })?,
            team: setup.team.clone(),
            rules: setup.rules,
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

    pub fn owner(&self, chunk: usize) -> usize {
        self.prepared.share.owner(chunk)
    }

    pub fn team(&self) -> &Team {
        &self.team
    }

    pub fn depths(&self) -> Option<&Depths> {
        self.depths.as_ref()
    }

    /// Runs the next ply and returns the number of positions it decided. One process stops within
    /// the ply, and the solver is then unusable; several stop after it.
    pub fn step(&mut self, job: &Job) -> Result<u64, PitchSolveError> {
        let ply = (u8::try_from(self.counts.len() + 1)
            .ok()
            .filter(|&ply| ply <= MAX_PLIES))
        .ok_or(PitchSolveError::TooDeep {
            shape: self.layout().shape(),
        })?;
        let count = self.ply(ply, job)?;
        self.counts.push(count);
        job.report(self.counts.iter().sum(), format!("ply {ply}"));
        Ok(count)
    }

    /// Runs plies until one decides nothing.
    pub fn finish(&mut self) -> Result<(), PitchSolveError> {
        while self.step(&Job::default())? > 0 {}
        Ok(())
    }

    /// Returns the value for the player to move, according to the plies done so far.
    pub fn wdl(&self, pitch: &Pitch) -> Wdl {
        assert_eq!(pitch.shape(), self.layout().shape(), "a pitch of another shape");
        let alfred = pitch.normalised();
        if self.alfred_wins(&alfred) {
            Wdl::Win
        } else if self.alfred_wins(&alfred.turned()) {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    fn alfred_wins(&self, pitch: &Pitch) -> bool {
        let layout = self.layout();
        let mut pattern = layout.pattern(pitch);
        let mut ball = pitch.ball();
        let places = &self.prepared.stores.places;
        let (chunk, place) = match places.locate(ball, pattern >> BLOCK_BITS) {
            Some(found) => found,
            None => {
                pattern = layout.mirror(pattern as u64) as usize;
                ball = layout.shape().mirrored(ball);
                (places.locate(ball, pattern >> BLOCK_BITS)).expect("a block or its mirror image is kept")
            }
        };
        self.sets[pitch.side() as usize][chunk][place].0[pattern >> 6 & 63] >> (pattern & 63) & 1 == 1
    }
}
