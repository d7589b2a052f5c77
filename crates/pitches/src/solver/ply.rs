//! One ply, chunk by chunk.

use super::depths::Depths;
use super::map::BlockMap;
use super::sweep::{ChunkBlocks, ChunkSweep, PlyInput};
use super::work_list::WorkListInput;
use super::{MAX_PLIES, PitchSolveError, PitchSolver, Prepared};
use crate::block::Block;
use crate::scratch::Mapping;
use crate::simd::Simd;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

/// A running ply.
pub struct Ply<'a> {
    pub input: PlyInput<'a>,
    /// The set that turns lead into, by chunk.
    pub target: &'a [Mapping<Block>],
    reach: &'a [RwLock<Mapping<Block>>],
    simd: Simd,
    depths: Option<&'a Depths>,
    to_move: Side,
    number: u8,
    decided: AtomicU64,
}

/// A chunk to sweep.
pub struct ChunkWork<'a> {
    pub chunk: usize,
    known: &'a mut [Block],
    gaining: &'a mut [u64],
    full: &'a mut [u64],
}

impl PitchSolver {
    /// Prepares the next ply, and passes it and the chunks with work to `sweep_all`. Returns the
    /// number of positions decided, and the blocks that gained.
    pub fn ply(
        &mut self,
        sweep_all: impl FnOnce(&Ply<'_>, Vec<ChunkWork<'_>>),
    ) -> Result<(u64, BlockMap), PitchSolveError> {
        let number = u8::try_from(self.counts.len() + 1).ok();
        let shape = self.layout().shape();
        let number =
            (number.filter(|&number| number <= MAX_PLIES)).ok_or(PitchSolveError::TooDeep { shape })?;
        let to_move = if number % 2 == 1 { Side::Left } else { Side::Right };
        let [alfred, betty] = &mut self.sets;
        // Alfred needs some turn into the other set; for Betty no turn may lead out of it.
        let [alfred_full, betty_full] = &mut self.full;
        let (known, full, target, target_full, complement) = match to_move {
            Side::Left => (alfred, alfred_full, betty, betty_full, 0),
            Side::Right => (betty, betty_full, alfred, alfred_full, u64::MAX),
        };
        let Prepared {
            layout,
            stores,
            jumps,
            links,
        } = &self.prepared;
        let (reach_balls, reach_places) = &stores.reach[to_move as usize];
        let before = WorkListInput {
            changed: (usize::from(number) > self.full_scan_through).then_some(&self.changed),
            full,
            target_full,
            incremental: complement == 0,
        };
        let work_list = links[to_move as usize].work_list(layout, &before);
        let ply = Ply {
            input: PlyInput {
                layout,
                places: &stores.places,
                reach_places,
                reach_balls,
                jumps: &jumps[to_move as usize],
                mirror: layout.block_mirror(),
                complement,
                work_list: &work_list,
            },
            target,
            reach: &self.reach,
            simd: self.simd,
            depths: self.depths.as_ref(),
            to_move,
            number,
            decided: AtomicU64::new(0),
        };
        let mut gaining = BlockMap::none(layout);
        let chunks = known.iter_mut().zip(gaining.chunks_mut()).zip(full.chunks_mut());
        let works = chunks
            .enumerate()
            .map(|(chunk, ((known, gaining), full))| ChunkWork {
                chunk,
                known,
                gaining,
                full,
            });
        let maps = [&work_list.blocks, &work_list.needed];
        let has_work = |work: &ChunkWork<'_>| maps.iter().any(|map| !map.is_empty_in(work.chunk));
        sweep_all(&ply, works.filter(has_work).collect());
        let count = ply.decided.into_inner();
        Ok((count, gaining))
    }

    /// Ends a ply that decided this many positions, in these blocks of kept chunks.
    pub fn end_ply(&mut self, count: u64, mut gaining: BlockMap, job: &Job) {
        let layout = &self.prepared.layout;
        gaining.complete(layout);
        self.full[self.counts.len() % 2].complete(layout);
        self.changed = gaining;
        self.counts.push(count);
        job.report(self.counts.iter().sum(), self.place());
    }
}

impl Ply<'_> {
    /// Sweeps chunks, those with fewer bits first. Once the job is stopped no other chunk begins.
    pub(super) fn sweep_all(&self, works: Vec<ChunkWork<'_>>, job: &Job) {
        let target: Vec<&[Block]> = self.target.iter().map(|blocks| &blocks[..]).collect();
        let mut by_bits: BTreeMap<u32, Vec<ChunkWork<'_>>> = BTreeMap::new();
        for work in works {
            by_bits.entry(work.chunk.count_ones()).or_default().push(work);
        }
        let sweep = |work: ChunkWork<'_>| {
            if job.check().is_ok() {
                let parts = self.parts(work.chunk);
                self.sweep(work, &target, &parts.iter().map(blocks).collect::<Vec<_>>());
            }
        };
        // One worker thread runs the loop, so the chunks of a number of bits need not wake the
        // pool.
        rayon::scope(|_| {
            for works in by_bits.into_values() {
                works.into_par_iter().with_max_len(1).for_each(sweep);
            }
        });
    }

    /// Locks `reach` of the chunks that sweeping one reads: the kept ones that are a subset of it,
    /// or have a mirror image that is.
    pub fn parts(&self, chunk: usize) -> Vec<Option<RwLockReadGuard<'_, Mapping<Block>>>> {
        let layout = self.input.layout;
        let is_part = |part: usize| part != chunk && part & !chunk == 0;
        (0..layout.chunks())
            .map(|part| {
                let read = layout.is_kept(part) && (is_part(part) || is_part(layout.mirror_chunk(part)));
                read.then(|| self.read(part))
            })
            .collect()
    }

    pub fn read(&self, chunk: usize) -> RwLockReadGuard<'_, Mapping<Block>> {
        self.reach[chunk].read().expect("no sweep panics")
    }

    /// Sweeps one chunk; `target` and `earlier` are the blocks of both stores, by chunk.
    pub fn sweep<S: ChunkBlocks>(&self, work: ChunkWork<'_>, target: &[S], earlier: &[S]) {
        let layout = self.input.layout;
        let mut found = 0;
        self.simd.run(ChunkSweep {
            ply: &self.input,
            chunk: work.chunk,
            known: work.known,
            gaining: work.gaining,
            full: work.full,
            reach: &mut self.reach[work.chunk].write().expect("no sweep panics"),
            target,
            earlier,
            jumped: &mut vec![Block::EMPTY; layout.shape().points()],
            report: |ball, high, new: &Block| {
                found += new.count();
                if let Some(depths) = self.depths {
                    depths.record(layout, self.to_move, ball, high, new, self.number);
                }
            },
        });
        // The mirror images are decided too.
        self.decided
            .fetch_add(found * layout.weight(work.chunk), Ordering::Relaxed);
    }
}

/// Returns the blocks behind a lock of [`Ply::parts`].
pub fn blocks<'g>(part: &'g Option<RwLockReadGuard<'_, Mapping<Block>>>) -> &'g [Block] {
    part.as_ref().map_or(&[], |blocks| &blocks[..])
}
