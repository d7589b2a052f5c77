//! One ply, stage by stage, each process on its own chunks.

use super::super::dense::block::{BLOCK_BITS, Block};
use super::super::scratch::Mapping;
use super::super::simd::Simd;
use super::depths::Depths;
use super::exchange::{ChunkSource, Received, Wanted};
use super::layout::BlockPlaces;
use super::map::BlockMap;
use super::sweep::{ChunkSweep, PlyInput};
use super::traffic::{Buffers, SendPlan, StagePlan, Traffic, agree_on_maps};
use super::work_list::{Store, WorkListInput};
use super::{PitchSolver, Prepared};
use crate::job::{Job, Stopped};
use crate::outcome::Side;
use crate::ranks::Backoff;
use rayon::{Scope, Yield};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock, RwLockReadGuard};

impl PitchSolver {
    pub(super) fn ply(&mut self, number: u8, job: &Job) -> Result<u64, Stopped> {
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
            share,
            ..
        } = &self.prepared;
        let (reach_balls, reach_places) = &stores.reach[to_move as usize];
        let links = &links[to_move as usize];
        let before = WorkListInput {
            changed: (usize::from(number) > self.full_scan_through).then_some(&self.changed),
            full,
            target_full,
            incremental: complement == 0,
        };
        let work_list = links.work_list(layout, &before);
        let ply = PlyInput {
            layout,
            places: &stores.places,
            reach_places,
            reach_balls,
            jumps: &jumps[to_move as usize],
            mirror: layout.block_mirror(),
            complement,
            work_list: &work_list,
        };
        let run = PlyRun {
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
                work_list: &work_list,
                share,
                team: &self.team,
            },
            decided: AtomicU64::new(0),
            job,
        };
        let mut gaining = BlockMap::none(layout);
        let chunks = known
            .iter_mut()
            .zip(gaining.chunks_mut())
            .zip(full.chunks_mut())
            .enumerate();
        let works = chunks
            .map(|(chunk, ((known, gaining), full))| {
                Some(ChunkWork {
                    chunk,
                    known,
                    gaining,
                    full,
                })
            })
            .collect();
        let buffers = &mut self.buffers;
        // One worker thread runs the whole loop, so no stage has to wake the pool.
        rayon::scope(|_| run.sweep_all(works, buffers));
        let count = run.decided.into_inner();
        if self.team.several().is_none() {
            job.check()?;
        }
        let count = agree_on_maps(&self.team, layout, share, count, [&mut gaining, full]);
        gaining.complete(layout);
        full.complete(layout);
        self.changed = gaining;
        Ok(count)
    }
}

struct ChunkWork<'a> {
    chunk: usize,
    known: &'a mut [Block],
    gaining: &'a mut [u64],
    full: &'a mut [u64],
}

struct PlyRun<'a> {
    ply: &'a PlyInput<'a>,
    simd: Simd,
    depths: Option<&'a Depths>,
    to_move: Side,
    number: u8,
    target: &'a [Mapping<Block>],
    reach: &'a [RwLock<Mapping<Block>>],
    traffic: Traffic<'a>,
    decided: AtomicU64,
    job: &'a Job,
}

impl PlyRun<'_> {
    fn sweep_all(&self, mut works: Vec<Option<ChunkWork<'_>>>, buffers: &mut Buffers) {
        let Traffic { share, team, .. } = self.traffic;
        let mut stage_work = |stage: usize| -> Vec<Vec<ChunkWork<'_>>> {
            let mut take = |&chunk: &usize| works[chunk].take().expect("a chunk is done once");
            let batches = share.batches(stage, share.rank).iter();
            batches
                .map(|batch| batch.iter().map(&mut take).collect())
                .collect()
        };
        if team.several().is_none() {
            (0..share.stages()).for_each(|stage| self.run_with_communication(stage_work(stage), &[], |_| ()));
            return;
        }
        let mut plan = self.traffic.plan(0);
        let (room, out) = (buffers.early.pop(), &mut buffers.out);
        let mut incoming = self.exchange(&plan.early, room, out, &mut Backoff::sleeper());
        for stage in 0..share.stages() {
            let StagePlan {
                early,
                late,
                first_waiting,
            } = plan;
            let mut ready = stage_work(stage);
            let waiting = ready.split_off(first_waiting.unwrap_or(ready.len()));
            let early = self.received(early, incoming);
            let room = buffers.late.take();
            let blocks =
                self.run_with_communication(ready, &[&early], |pause| self.exchange(&late, room, out, pause));
            let late = self.received(late, blocks);
            let room = buffers.early.pop();
            (plan, incoming) = self.run_with_communication(waiting, &[&early, &late], |pause| {
                let plan = self.traffic.plan(stage + 1);
                let incoming = self.exchange(&plan.early, room, out, pause);
                (plan, incoming)
            });
            buffers.early.push(early.blocks);
            buffers.late = Some(late.blocks);
        }
        buffers.early.push(incoming);
    }

    /// Sweeps batches in order, with the blocks received for them, while this thread communicates.
    /// When it would wait for a message it sweeps too.
    fn run_with_communication<T: Send>(
        &self,
        batches: Vec<Vec<ChunkWork<'_>>>,
        arrived: &[&Received],
        communicate: impl FnOnce(&mut dyn FnMut()) -> T + Send,
    ) -> T {
        let mut targets: Vec<_> = self
            .target
            .iter()
            .map(|blocks| ChunkSource::Here(blocks))
            .collect();
        self.add_received(Store::Target, arrived, &mut targets);
        let queue = BatchQueue {
            batches: Mutex::new(batches.into_iter()),
            left: AtomicUsize::new(0),
            sweep_chunk: &|work: ChunkWork<'_>| self.sweep_chunk(work, &targets, arrived),
        };
        rayon::scope(|scope| {
            queue.start_next(scope);
            let mut backoff = Backoff::start();
            communicate(&mut || match rayon::yield_now() {
                Some(Yield::Executed) => backoff = Backoff::start(),
                _ => std::thread::sleep(backoff.next()),
            })
        })
    }

    /// Sends and receives the blocks of a transfer; returns the buffer with the received ones.
    fn exchange(
        &self,
        transfer: &SendPlan,
        buffer: Option<Mapping<Block>>,
        mut out: &mut [Block],
        pause: &mut dyn FnMut(),
    ) -> Mapping<Block> {
        let mut buffer = buffer.expect("buffers are large enough for everything in flight");
        let mut sends: Vec<(usize, &[u64])> = Vec::new();
        for (to, wanted) in &transfer.outgoing {
            let (blocks, others) = out.split_at_mut(wanted.blocks());
            self.pack(wanted, blocks);
            sends.push((*to, bytemuck::cast_slice(blocks)));
            out = others;
        }
        let mut receives: Vec<(usize, &mut [u64])> = Vec::new();
        let mut room = &mut buffer[..];
        for (from, wanted) in &transfer.incoming {
            let (blocks, others) = room.split_at_mut(wanted.blocks());
            receives.push((*from, bytemuck::cast_slice_mut(blocks)));
            room = others;
        }
        if !sends.is_empty() || !receives.is_empty() {
            self.traffic.team.exchange_with(&sends, &mut receives, pause);
        }
        buffer
    }

    fn places(&self, store: Store) -> &BlockPlaces {
        match store {
            Store::Target => self.ply.places,
            Store::Reach => self.ply.reach_places,
        }
    }

    fn received(&self, transfer: SendPlan, blocks: Mapping<Block>) -> Received {
        let points = self.ply.layout.shape().points();
        let lists = transfer.incoming.into_values();
        Received::new(points, lists, |store| self.places(store), blocks)
    }

    /// Copies the blocks that another process reads.
    fn pack(&self, wanted: &Wanted, into: &mut [Block]) {
        let points = self.ply.layout.shape().points();
        wanted.pack(points, into, |store, chunk, ball, inner| {
            let place = self.places(store).place(ball, chunk, inner);
            match store {
                Store::Target => self.target[chunk][place],
                Store::Reach => self.read(chunk)[place],
            }
        });
    }

    fn read(&self, chunk: usize) -> RwLockReadGuard<'_, Mapping<Block>> {
        self.reach[chunk].read().expect("no sweep panics")
    }

    /// Enters the received blocks of a store into its sources by chunk.
    fn add_received<'a>(&self, store: Store, arrived: &[&'a Received], sources: &mut [ChunkSource<'a>]) {
        let Some(several) = self.traffic.team.several() else {
            return;
        };
        for (chunk, source) in arrived
            .iter()
            .flat_map(|received| received.sources(store, several))
        {
            sources[chunk] = source;
        }
    }

    fn sweep_chunk(&self, work: ChunkWork<'_>, target: &[ChunkSource<'_>], arrived: &[&Received]) {
        if self.traffic.team.several().is_none() && self.job.check().is_err() {
            return;
        }
        let layout = self.ply.layout;
        let work_list = self.ply.work_list;
        let chunk = work.chunk;
        let maps = [&work_list.blocks, &work_list.needed];
        if maps.iter().all(|map| map.is_empty_in(chunk)) {
            return;
        }
        let is_part = |part: usize| part != chunk && part & !chunk == 0;
        let guards: Vec<_> = (0..layout.chunks())
            .map(|part| {
                let needed = layout.is_kept(part) && (is_part(part) || is_part(layout.mirror_chunk(part)));
                needed.then(|| self.read(part))
            })
            .collect();
        let mut earlier: Vec<ChunkSource<'_>> = (guards.iter())
            .map(|blocks| ChunkSource::Here(blocks.as_ref().map_or(&[][..], |blocks| &blocks[..])))
            .collect();
        self.add_received(Store::Reach, arrived, &mut earlier);
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
        // The mirror images are decided too.
        self.decided
            .fetch_add(found * layout.weight(chunk), Ordering::Relaxed);
    }
}

/// Batches of chunks that run one after the other.
struct BatchQueue<'a, F> {
    batches: Mutex<std::vec::IntoIter<Vec<ChunkWork<'a>>>>,
    left: AtomicUsize,
    sweep_chunk: &'a F,
}

impl<'a, F: Fn(ChunkWork<'a>) + Sync> BatchQueue<'a, F> {
    /// Starts the next batch. The task that finishes a batch calls this again.
    fn start_next<'s>(&'s self, scope: &Scope<'s>) {
        let mut batches = self.batches.lock().expect("no sweep panics");
        let Some(batch) = batches.find(|batch| !batch.is_empty()) else {
            return;
        };
        drop(batches);
        self.left.store(batch.len(), Ordering::Release);
        for work in batch {
            scope.spawn(move |scope| {
                (self.sweep_chunk)(work);
                if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                    self.start_next(scope);
                }
            });
        }
    }
}
