//! The pitch engine: every position of a small pitch, bit-parallel, labelled by retrograde analysis.
//!
//! As the dense engine of the strip does ([`dense`](super::dense)), it keeps two sets of bits, *Alfred wins* with Alfred to
//! move and with Betty to move. Ply d adds to the one what can be forced into the other as it stands after ply
//! d − 1; what it adds is decided in exactly d plies, and what no ply adds is a draw. By turning the pitch round the two
//! sets hold every value.
//!
//! * [`layout`] — where positions stand;
//! * `mirror` — left and right swapped: half of the positions stand for the others;
//! * `hops` — jumps, compiled for blocks of 4,096 positions;
//! * `map`, `looked` — which blocks a ply has to look at;
//! * `share`, `traffic`, `parcels` — several processes at work: which has which chunks, and what they send each other;
//! * `ply` — one ply, stage by stage;
//! * `sweep` — one ply over a part of the positions: the heart;
//! * [`depths`] — in how many plies;
//! * [`checkpoint`] — the work in a file, to go on later.

pub mod checkpoint;
pub mod depths;
mod hops;
pub mod layout;
#[doc(hidden)]
pub mod looked;
mod map;
#[doc(hidden)]
pub mod mirror;
mod parcels;
mod ply;
#[doc(hidden)]
pub mod share;
mod sweep;
mod traffic;

use super::dense::block::{BLOCK_BITS, Block};
use super::ranks::{Elsewhere, Moved, Team};
use super::scratch::{NoRoom, Room};
use super::simd::Simd;
use crate::games::pitch::{Pitch, Shape};
use crate::games::rules::Rules;
use crate::outcome::{Side, Wdl};
use bytemuck::Zeroable;
use depths::Depths;
use hops::CompiledJumps;
use layout::{PitchLayout, Places};
use looked::Links;
use map::BlockMap;
use share::Share;
use std::path::PathBuf;
use std::sync::RwLock;
use traffic::{Holds, OnTheWay};

/// The most points of a pitch that the engine takes on; no memory holds the sets of a larger one.
pub const MAX_PITCH_POINTS: usize = crate::table::pitch::metadata::MAX_POINTS;

/// The most plies that a depth byte holds.
const MAX_PLIES: u8 = u8::MAX - 1;

/// Why a pitch could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum PitchSolveError {
    /// Out of the engine's range.
    #[error("a {shape} pitch has {} points: the engine solves pitches of up to {MAX_PITCH_POINTS}", shape.points())]
    TooLarge {
        /// The shape asked for.
        shape: Shape,
    },
    /// No room for sets and depths.
    #[error("a {shape} pitch: {source}")]
    Room {
        /// The shape asked for.
        shape: Shape,
        /// Why.
        source: NoRoom,
    },
    /// Another process cannot go on.
    #[error(transparent)]
    Elsewhere(#[from] Elsewhere),
    /// A game longer than a depth byte holds.
    #[error("a game of more than 254 plies on a {shape} pitch: depths do not fit in a byte")]
    TooDeep {
        /// The shape.
        shape: Shape,
    },
}

/// What is to be solved, and where the work is kept.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The size of the pitch.
    pub shape: Shape,
    /// Whose jumps go where.
    pub rules: Rules,
    /// Whether depths are wanted, or only who wins.
    pub with_depths: bool,
    /// Sets and depths are kept in files of this directory, not in memory.
    pub scratch: Option<PathBuf>,
    /// The processes that share the work.
    pub team: Team,
}

impl Setup {
    /// A shape under the ordinary rules in memory, with depths or only with who wins.
    pub fn in_memory(shape: Shape, with_depths: bool) -> Setup {
        Setup {
            shape,
            rules: Rules::Ordinary,
            with_depths,
            scratch: None,
            team: Team::alone(),
        }
    }

    /// Zeros where the work is kept.
    fn room<T: Zeroable>(&self, count: usize) -> Result<Room<T>, PitchSolveError> {
        Room::new(count, self.scratch.as_deref()).map_err(|source| PitchSolveError::Room {
            shape: self.shape,
            source,
        })
    }
}

/// What a shape takes of this process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Its part of the two sets, and of the one that jumps are worked out in.
    pub sets: u64,
    /// What says which blocks a ply has to look at; in memory always.
    pub maps: u64,
    /// Its part of the depths.
    pub depths: u64,
    /// The most that is on its way to and from other processes at a time; in memory always.
    pub buffer: u64,
    /// What it sends in a ply, at most.
    pub sent: u64,
    /// The two sets and the depths of all processes together.
    pub of_all: u64,
    /// The depths of all processes together.
    pub all_depths: u64,
}

impl Needs {
    /// What a shape takes, in one process, with depths.
    pub fn new(shape: Shape) -> Result<Needs, PitchSolveError> {
        Needs::of(&Setup::in_memory(shape, true))
    }

    /// What the work takes. All processes ask at the same time.
    pub fn of(setup: &Setup) -> Result<Needs, PitchSolveError> {
        let Frame {
            layout,
            stores,
            share,
            way,
            ..
        } = Frame::new(setup)?;
        let block = size_of::<Block>() as u64;
        let own = (0..layout.chunks()).filter(|&chunk| share.is_own(chunk));
        let blocks: usize = own
            .map(|chunk| 2 * stores.places.size(chunk) + stores.reach_size(chunk))
            .sum();
        let (depths, all_depths) = match setup.with_depths {
            true => (
                depths::bytes_needed(&layout, |chunk| share.is_own(chunk)),
                depths::bytes_needed(&layout, |_| true),
            ),
            false => (0, 0),
        };
        Ok(Needs {
            sets: blocks as u64 * block,
            // Two halves of maps are on their way at the end of a ply.
            maps: (MAPS + u64::from(setup.team.several().is_some())) * BlockMap::bytes(&layout),
            depths,
            buffer: way.at_once() as u64 * block,
            sent: way.sent as u64 * block,
            of_all: 2 * stores.places.total() * block + all_depths,
            all_depths,
        })
    }
}

/// What the work needs to know, before any store is there.
struct Frame {
    layout: PitchLayout,
    stores: Stores,
    jumps: [Vec<CompiledJumps>; 2],
    links: [Links; 2],
    share: Share,
    way: OnTheWay,
}

impl Frame {
    fn new(setup: &Setup) -> Result<Frame, PitchSolveError> {
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
        let way = OnTheWay::most(&layout, &links, &share, team);
        Ok(Frame {
            layout,
            stores,
            jumps,
            links,
            share,
            way,
        })
    }
}

/// The places of all stores.
#[doc(hidden)]
pub struct Stores {
    pub places: Places,
    /// The points and places of `reach`, when Alfred's goal is wanted, and when Betty's is.
    reach: [(Vec<usize>, Places); 2],
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
            let places = Places::new(layout, &balls);
            (balls, places)
        });
        Stores {
            places: Places::new(layout, &interior),
            reach,
        }
    }

    pub fn reach_size(&self, chunk: usize) -> usize {
        let [(_, alfred), (_, betty)] = &self.reach;
        alfred.size(chunk).max(betty.size(chunk))
    }
}

/// The work on one shape, ply by ply; of several processes this has its chunks.
pub struct PitchSolver {
    rules: Rules,
    layout: PitchLayout,
    stores: Stores,
    simd: Simd,
    /// The jumps when Alfred's goal is wanted, and when Betty's is.
    jumps: [Vec<CompiledJumps>; 2],
    /// Alfred wins: with Alfred to move, with Betty to move; by chunk.
    #[doc(hidden)]
    pub sets: [Vec<Room<Block>>; 2],
    /// From where a ball in flight reaches what is wanted; by chunk.
    reach: Vec<RwLock<Room<Block>>>,
    /// How jumps lead from block to block, by goal as `jumps`.
    #[doc(hidden)]
    pub links: [Links; 2],
    /// The blocks that the last ply added to.
    #[doc(hidden)]
    pub changed: BlockMap,
    /// The blocks of each set in which nothing is left to decide, as far as they were looked at.
    #[doc(hidden)]
    pub full: [BlockMap; 2],
    /// Up to this ply the maps do not hold what a ply needs: it looks at everything.
    #[doc(hidden)]
    pub all_until: usize,
    depths: Option<Depths>,
    counts: Vec<u64>,
    share: Share,
    team: Team,
    moved: Vec<Moved>,
    holds: Holds,
}

/// Maps that are there during a ply: two of what changes, two of what is full, and three of what is looked at.
const MAPS: u64 = 7;

/// The first ply of each side has no ply of its own before it.
const FIRST_PLIES: usize = 2;

impl PitchSolver {
    /// Begins a shape under the ordinary rules in memory, with depths or only with who wins.
    ///
    /// # Errors
    /// [`PitchSolveError::TooLarge`], [`PitchSolveError::Room`].
    pub fn new(shape: Shape, with_depths: bool) -> Result<PitchSolver, PitchSolveError> {
        PitchSolver::begin(&Setup::in_memory(shape, with_depths))
    }

    /// Begins a shape.
    ///
    /// # Errors
    /// [`PitchSolveError::TooLarge`], [`PitchSolveError::Room`].
    pub fn begin(setup: &Setup) -> Result<PitchSolver, PitchSolveError> {
        let Frame {
            layout,
            stores,
            jumps,
            links,
            share,
            way,
        } = Frame::new(setup)?;
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
        let depths = match setup.with_depths {
            true => Some(Depths::new(&layout, setup, |chunk| share.is_own(chunk))?),
            false => None,
        };
        let map = BlockMap::none(&layout);
        let holds = Holds::new(&way).map_err(|source| PitchSolveError::Room {
            shape: setup.shape,
            source,
        })?;
        Ok(PitchSolver {
            simd: Simd::best(),
            links,
            jumps,
            full: [map.clone(), map.clone()],
            changed: map,
            all_until: FIRST_PLIES,
            sets: [set()?, set()?],
            reach,
            depths,
            counts: Vec::new(),
            moved: Vec::new(),
            holds,
            team: setup.team.clone(),
            share,
            stores,
            rules: setup.rules,
            layout,
        })
    }

    /// Chooses the instruction set; the results do not depend on it.
    pub fn with_simd(self, simd: Simd) -> PitchSolver {
        PitchSolver { simd, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The shape of all stores.
    pub fn layout(&self) -> &PitchLayout {
        &self.layout
    }

    /// New positions in each ply so far, from ply 1: in odd plies with Alfred to move, in even plies with Betty.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// What this process has sent in each ply of this run.
    pub fn moved(&self) -> &[Moved] {
        &self.moved
    }

    /// Which process has a chunk.
    pub fn owner(&self, chunk: usize) -> usize {
        self.share.owner(chunk)
    }

    /// The processes that share the work.
    pub fn team(&self) -> &Team {
        &self.team
    }

    /// The depths, if they are kept.
    pub fn depths(&self) -> Option<&Depths> {
        self.depths.as_ref()
    }

    /// Does the next ply and returns how many positions it decided.
    ///
    /// # Errors
    /// [`PitchSolveError::TooDeep`] past 254 plies.
    pub fn step(&mut self) -> Result<u64, PitchSolveError> {
        let ply = (u8::try_from(self.counts.len() + 1)
            .ok()
            .filter(|&ply| ply <= MAX_PLIES))
        .ok_or(PitchSolveError::TooDeep {
            shape: self.layout.shape(),
        })?;
        let count = self.ply(ply);
        self.counts.push(count);
        Ok(count)
    }

    /// Does plies until one decides nothing.
    ///
    /// # Errors
    /// [`PitchSolveError::TooDeep`] past 254 plies.
    pub fn finish(&mut self) -> Result<(), PitchSolveError> {
        while self.step()? > 0 {}
        Ok(())
    }

    /// Who wins, for the player to move, as far as the plies done so far tell.
    ///
    /// # Panics
    /// If the position is of another shape, or another process has its chunk.
    pub fn wdl(&self, pitch: &Pitch) -> Wdl {
        assert_eq!(pitch.shape(), self.layout.shape(), "a pitch of another shape");
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
        let layout = &self.layout;
        let mut pattern = layout.pattern(pitch);
        let mut ball = pitch.ball();
        let places = &self.stores.places;
        let (chunk, place) = match places.locate(ball, pattern >> BLOCK_BITS) {
            Some(found) => found,
            None => {
                pattern = layout.mirror(pattern as u64) as usize;
                ball = layout.shape().mirrored(ball);
                (places.locate(ball, pattern >> BLOCK_BITS))
                    .expect("of a block and its mirror image one is kept")
            }
        };
        self.sets[pitch.side() as usize][chunk][place].0[pattern >> 6 & 63] >> (pattern & 63) & 1 == 1
    }
}
