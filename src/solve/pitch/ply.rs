//! One ply, stage by stage, each process on its own chunks.

use super::super::dense::block::{BLOCK_BITS, Block};
use super::super::ranks::Moved;
use super::super::scratch::Room;
use super::super::simd::Simd;
use super::PitchSolver;
use super::depths::Depths;
use super::looked::{Before, Store};
use super::map::BlockMap;
use super::parcels::{Arrived, Source, Wanted};
use super::sweep::{ChunkSweep, Ply};
use super::traffic::{Freight, Hold, Holds, Plan, Traffic, agree_on_maps};
use crate::outcome::Side;
use rayon::prelude::*;
use std::ops::Deref;
use std::sync::{RwLock, RwLockReadGuard, mpsc};

impl PitchSolver {
    pub(super) fn ply(&mut self, number: u8) -> u64 {
        let to_move = if number % 2 == 1 { Side::Left } else { Side::Right };
        let sent = self.team.sent();
        let [alfred, betty] = &mut self.sets;
        // With Alfred to move a turn into the other set is wanted; with Betty to move none out of it.
        let (known, target, complement) = match to_move {
            Side::Left => (alfred, betty, 0),
            Side::Right => (betty, alfred, u64::MAX),
        };
        let layout = &self.layout;
        let (reach_balls, reach_places) = &self.stores.reach[to_move as usize];
        let [alfred, betty] = &mut self.full;
        let (full, target_full) = match to_move {
            Side::Left => (alfred, betty),
            Side::Right => (betty, alfred),
        };
        let links = &self.links[to_move as usize];
        let before = Before {
            changed: (usize::from(number) > self.all_until).then_some(&self.changed),
            full,
            target_full,
            by_news: complement == 0,
        };
        let looked = links.look(layout, &before);
        let ply = Ply {
            layout,
            places: &self.stores.places,
            reach_places,
            reach_balls,
            jumps: &self.jumps[to_move as usize],
            mirror: layout.block_mirror(),
            complement,
            looked: &looked,
        };
        let counting = Counting {
            ply: &ply,
            simd: self.simd,
            depths: self.depths.as_ref(),
            to_move,
            number,
            target,
            reach: &self.reach,
            traffic: Traffic {
                layout,
                links,
                looked: &looked,
                share: &self.share,
                team: &self.team,
            },
        };
        let mut gaining = BlockMap::none(layout);
        let chunks = known
            .iter_mut()
            .zip(gaining.chunks_mut())
            .zip(full.chunks_mut())
            .enumerate();
        let works = chunks
            .map(|(chunk, ((known, gaining), full))| {
                Some(Work {
                    chunk,
                    known,
                    gaining,
                    full,
                })
            })
            .collect();
        let (count, blocks) = counting.all(works, &mut self.holds);
        let before_maps = self.team.sent();
        let count = agree_on_maps(&self.team, layout, count, [&mut gaining, full]);
        gaining.complete(layout);
        full.complete(layout);
        self.changed = gaining;
        let after = self.team.sent();
        self.moved.push(Moved {
            sent: after.since(sent),
            planned: blocks * size_of::<Block>() as u64 + after.since(before_maps).bytes,
        });
        count
    }
}

/// What a ply changes in a chunk.
struct Work<'a> {
    chunk: usize,
    known: &'a mut [Block],
    gaining: &'a mut [u64],
    full: &'a mut [u64],
}

/// A ply under way.
struct Counting<'a> {
    ply: &'a Ply<'a>,
    simd: Simd,
    depths: Option<&'a Depths>,
    to_move: Side,
    number: u8,
    /// The set that turns lead into.
    target: &'a [Room<Block>],
    reach: &'a [RwLock<Room<Block>>],
    traffic: Traffic<'a>,
}

/// A chunk of a store of this process, to be packed.
enum Chunk<'a> {
    Target(&'a [Block]),
    Reach(RwLockReadGuard<'a, Room<Block>>),
}

impl Deref for Chunk<'_> {
    type Target = [Block];

    fn deref(&self) -> &[Block] {
        match self {
            Chunk::Target(blocks) => blocks,
            Chunk::Reach(blocks) => blocks,
        }
    }
}

/// Blocks that have arrived.
struct Cargo {
    places: Arrived,
    blocks: Hold,
}

/// What a stage does: some batches while the last blocks that the others read are on their way, and the others then.
struct Job<'a> {
    ready: Vec<Vec<Work<'a>>>,
    waiting: Vec<Vec<Work<'a>>>,
    early: Cargo,
}

impl Counting<'_> {
    /// Does all chunks of this process: how many positions were decided in them, and how many blocks others read of it.
    fn all(&self, mut works: Vec<Option<Work<'_>>>, holds: &mut Holds) -> (u64, u64) {
        let Traffic { share, team, .. } = self.traffic;
        let points = self.ply.layout.shape().points();
        let mut these = |stage: usize| -> Vec<Vec<Work<'_>>> {
            let mut take = |&chunk: &usize| works[chunk].take().expect("a chunk is done once");
            let batches = share.batches(stage, share.rank()).iter();
            batches
                .map(|batch| batch.iter().map(&mut take).collect())
                .collect()
        };
        if team.several().is_none() {
            let stages = 0..share.stages();
            return (stages.map(|stage| self.batches(&mut these(stage), &[])).sum(), 0);
        }
        // One thread talks and the others work, until the last stage is done: to wake them for each would take as long as some stages.
        let (jobs, job) = mpsc::channel::<Job<'_>>();
        let (lates, late) = mpsc::channel::<Cargo>();
        let (results, result) = mpsc::channel();
        rayon::in_place_scope(|scope| {
            scope.spawn(move |_| {
                for Job {
                    mut ready,
                    mut waiting,
                    early,
                } in job
                {
                    let mut found = self.batches(&mut ready, &[&early]);
                    let late = late.recv().expect("what is late comes");
                    found += self.batches(&mut waiting, &[&early, &late]);
                    results
                        .send((found, early.blocks, late.blocks))
                        .expect("it is waited for");
                }
            });
            let (mut count, mut given) = (0, 0);
            let mut plan = self.traffic.plan(0);
            let mut coming = self.carry(&plan.early, holds.early.pop(), &mut holds.out);
            for stage in 0..share.stages() {
                let Plan { early, late, waits } = plan;
                given += early.leaving() + late.leaving();
                let mut ready = these(stage);
                let waiting = ready.split_off(waits.unwrap_or(ready.len()));
                let cargo = |freight: Freight, blocks| Cargo {
                    places: freight.unpack(points),
                    blocks,
                };
                let early = cargo(early, coming);
                jobs.send(Job {
                    ready,
                    waiting,
                    early,
                })
                .expect("it is waited for");
                let blocks = self.carry(&late, holds.late.take(), &mut holds.out);
                lates.send(cargo(late, blocks)).expect("it is waited for");
                plan = self.traffic.plan(stage + 1);
                coming = self.carry(&plan.early, holds.early.pop(), &mut holds.out);
                let (found, early, late) = result.recv().expect("no sweep panics");
                holds.early.push(early);
                holds.late = Some(late);
                count += found;
            }
            holds.early.push(coming);
            drop(jobs);
            (count, given as u64)
        })
    }

    /// Sends and receives, with room that was there before or new.
    fn carry(&self, freight: &Freight, room: Option<Hold>, out: &mut Hold) -> Hold {
        let mut blocks = room.unwrap_or_default();
        self.traffic
            .carry(freight, out, &mut blocks, |wanted, into| self.pack(wanted, into));
        blocks
    }

    /// Copies what another process wants.
    fn pack(&self, wanted: &Wanted, into: &mut [Block]) {
        let points = self.ply.layout.shape().points();
        wanted.pack(points, into, |store, chunk| match store {
            Store::Target => (Chunk::Target(&self.target[chunk]), self.ply.places),
            Store::Reach => (Chunk::Reach(self.read(chunk)), self.ply.reach_places),
        });
    }

    fn read(&self, chunk: usize) -> RwLockReadGuard<'_, Room<Block>> {
        self.reach[chunk].read().expect("no sweep panics")
    }

    /// Does some chunks, one batch after the other, with the blocks of others that they read.
    fn batches(&self, batches: &mut [Vec<Work<'_>>], arrived: &[&Cargo]) -> u64 {
        if batches.is_empty() {
            return 0;
        }
        let mut targets: Vec<Source<'_>> = self.target.iter().map(|blocks| Source::Here(blocks)).collect();
        for ((store, chunk), source) in self.sources(arrived) {
            if store == Store::Target {
                targets[chunk] = source;
            }
        }
        let one = |work: &mut Work<'_>| self.chunk(work, &targets, arrived);
        batches
            .iter_mut()
            .map(|batch| batch.par_iter_mut().map(one).sum::<u64>())
            .sum()
    }

    /// Every chunk of which blocks have arrived.
    fn sources<'a>(&self, arrived: &[&'a Cargo]) -> impl Iterator<Item = ((Store, usize), Source<'a>)> {
        let several = self.traffic.team.several();
        let all = arrived
            .iter()
            .flat_map(move |cargo| several.map(|several| cargo.places.sources(cargo.blocks.all(), several)));
        all.flatten()
    }

    /// Does a chunk, when those that it may read are done: how many positions it decided, those of its mirror image among them.
    fn chunk(&self, work: &mut Work<'_>, target: &[Source<'_>], arrived: &[&Cargo]) -> u64 {
        let layout = self.ply.layout;
        let looked = self.ply.looked;
        let chunk = work.chunk;
        if [&looked.blocks, &looked.needed]
            .iter()
            .all(|map| map.chunk(chunk).iter().all(|&bits| bits == 0))
        {
            return 0;
        }
        let is_part = |part: usize| part != chunk && part & !chunk == 0;
        let guards: Vec<_> = (0..layout.chunks())
            .map(|part| {
                let needed = layout.is_kept(part) && (is_part(part) || is_part(layout.mirror_chunk(part)));
                needed.then(|| self.read(part))
            })
            .collect();
        let mut earlier: Vec<Source<'_>> = (guards.iter())
            .map(|guard| guard.as_ref().map_or(Source::NONE, |blocks| Source::Here(blocks)))
            .collect();
        for ((store, chunk), source) in self.sources(arrived) {
            if store == Store::Reach {
                earlier[chunk] = source;
            }
        }
        let mut found = 0;
        self.simd.run(ChunkSweep {
            ply: self.ply,
            chunk,
            known: work.known,
            gaining: work.gaining,
            full: work.full,
            reach: &mut self.reach[chunk].write().expect("no sweep panics"),
            target,
            earlier: &earlier,
            jumped: &mut vec![Block::EMPTY; layout.shape().points()],
            report: |ball, high, new: &Block| {
                found += new.count(BLOCK_BITS);
                if let Some(depths) = self.depths {
                    depths.record(layout, self.to_move, ball, high, new, self.number);
                }
            },
        });
        found * layout.weight(chunk)
    }
}
