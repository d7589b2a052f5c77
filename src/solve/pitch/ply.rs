//! One ply, stage by stage, each process on its own chunks.

use super::super::dense::block::{BLOCK_BITS, Block};
use super::super::ranks::{Moved, Naps};
use super::super::scratch::Room;
use super::super::simd::Simd;
use super::PitchSolver;
use super::depths::Depths;
use super::layout::Places;
use super::looked::{Before, Store};
use super::map::BlockMap;
use super::parcels::{Arrived, Source, Wanted};
use super::sweep::{ChunkSweep, Ply};
use super::traffic::{Freight, Holds, Plan, Traffic, agree_on_maps};
use crate::outcome::Side;
use rayon::{Scope, Yield};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock, RwLockReadGuard};

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
            decided: AtomicU64::new(0),
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
        let holds = &mut self.holds;
        // In a thread of the pool, which need not be woken then for each stage.
        let blocks = rayon::scope(|_| counting.all(works, holds));
        let count = counting.decided.into_inner();
        let before_maps = self.team.sent();
        let count = agree_on_maps(&self.team, layout, &self.share, count, [&mut gaining, full]);
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
    /// How many positions were decided.
    decided: AtomicU64,
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
    blocks: Room<Block>,
}

impl Counting<'_> {
    /// Does all chunks of this process: how many blocks others read of it.
    fn all(&self, mut works: Vec<Option<Work<'_>>>, holds: &mut Holds) -> u64 {
        let Traffic { share, team, .. } = self.traffic;
        let mut these = |stage: usize| -> Vec<Vec<Work<'_>>> {
            let mut take = |&chunk: &usize| works[chunk].take().expect("a chunk is done once");
            let batches = share.batches(stage, share.rank()).iter();
            batches
                .map(|batch| batch.iter().map(&mut take).collect())
                .collect()
        };
        if team.several().is_none() {
            (0..share.stages()).for_each(|stage| self.beside(these(stage), &[], |_| ()));
            return 0;
        }
        let mut given = 0;
        let mut plan = self.traffic.plan(0);
        let (room, out) = (holds.early.pop(), &mut holds.out);
        let mut coming = self.carry(&plan.early, room, out, &mut Naps::sleeper());
        for stage in 0..share.stages() {
            let Plan { early, late, waits } = plan;
            given += early.leaving() + late.leaving();
            let mut ready = these(stage);
            let waiting = ready.split_off(waits.unwrap_or(ready.len()));
            let early = self.cargo(early, coming);
            let room = holds.late.take();
            let blocks = self.beside(ready, &[&early], |pause| self.carry(&late, room, out, pause));
            let late = self.cargo(late, blocks);
            let room = holds.early.pop();
            (plan, coming) = self.beside(waiting, &[&early, &late], |pause| {
                let plan = self.traffic.plan(stage + 1);
                let coming = self.carry(&plan.early, room, out, pause);
                (plan, coming)
            });
            holds.early.push(early.blocks);
            holds.late = Some(late.blocks);
        }
        holds.early.push(coming);
        given as u64
    }

    /// Does some chunks, one batch after the other, with the blocks of others that they read, while this thread talks to other processes;
    /// when it has to wait for them it works too.
    fn beside<T: Send>(
        &self,
        batches: Vec<Vec<Work<'_>>>,
        arrived: &[&Cargo],
        talk: impl FnOnce(&mut dyn FnMut()) -> T + Send,
    ) -> T {
        let mut targets: Vec<Source<'_>> = self.target.iter().map(|blocks| Source::Here(blocks)).collect();
        for ((store, chunk), source) in self.sources(arrived) {
            if store == Store::Target {
                targets[chunk] = source;
            }
        }
        let line = Line {
            batches: Mutex::new(batches.into_iter()),
            left: AtomicUsize::new(0),
            one: &|work: Work<'_>| self.chunk(work, &targets, arrived),
        };
        rayon::scope(|scope| {
            line.go_on(scope);
            let mut naps = Naps::begin();
            talk(&mut || match rayon::yield_now() {
                Some(Yield::Executed) => naps = Naps::begin(),
                _ => std::thread::sleep(naps.next()),
            })
        })
    }

    /// Sends and receives: the room, with what has arrived in it.
    fn carry(
        &self,
        freight: &Freight,
        room: Option<Room<Block>>,
        out: &mut [Block],
        pause: &mut dyn FnMut(),
    ) -> Room<Block> {
        let mut room = room.expect("no more is on its way than there is room for");
        let pack = |wanted: &Wanted, into: &mut [Block]| self.pack(wanted, into);
        self.traffic.carry(freight, out, &mut room, pack, pause);
        room
    }

    fn places(&self, store: Store) -> &Places {
        match store {
            Store::Target => self.ply.places,
            Store::Reach => self.ply.reach_places,
        }
    }

    /// What has arrived in a room.
    fn cargo(&self, freight: Freight, blocks: Room<Block>) -> Cargo {
        let points = self.ply.layout.shape().points();
        let lists = freight.read.into_iter().map(|(_, wanted)| wanted);
        Cargo {
            places: Arrived::new(points, lists, |store| self.places(store)),
            blocks,
        }
    }

    /// Copies what another process wants.
    fn pack(&self, wanted: &Wanted, into: &mut [Block]) {
        let points = self.ply.layout.shape().points();
        wanted.pack(points, into, |store, chunk| {
            let blocks = match store {
                Store::Target => Chunk::Target(&self.target[chunk]),
                Store::Reach => Chunk::Reach(self.read(chunk)),
            };
            (blocks, self.places(store))
        });
    }

    fn read(&self, chunk: usize) -> RwLockReadGuard<'_, Room<Block>> {
        self.reach[chunk].read().expect("no sweep panics")
    }

    /// Every chunk of which blocks have arrived.
    fn sources<'a>(&self, arrived: &[&'a Cargo]) -> impl Iterator<Item = ((Store, usize), Source<'a>)> {
        let several = self.traffic.team.several();
        let all = arrived
            .iter()
            .flat_map(move |cargo| several.map(|several| cargo.places.sources(&cargo.blocks, several)));
        all.flatten()
    }

    /// Does a chunk, when those that it may read are done.
    fn chunk(&self, work: Work<'_>, target: &[Source<'_>], arrived: &[&Cargo]) {
        let layout = self.ply.layout;
        let looked = self.ply.looked;
        let chunk = work.chunk;
        if [&looked.blocks, &looked.needed]
            .iter()
            .all(|map| map.chunk(chunk).iter().all(|&bits| bits == 0))
        {
            return;
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
        // Those of its mirror image are decided too.
        self.decided
            .fetch_add(found * layout.weight(chunk), Ordering::Relaxed);
    }
}

/// Batches of chunks, to be done one after the other.
struct Line<'a, F> {
    batches: Mutex<std::vec::IntoIter<Vec<Work<'a>>>>,
    /// How many chunks of the batch that is being done are left.
    left: AtomicUsize,
    one: &'a F,
}

impl<'a, F: Fn(Work<'a>) + Sync> Line<'a, F> {
    /// Begins the next batch; whoever ends it comes here again.
    fn go_on<'s>(&'s self, scope: &Scope<'s>) {
        let mut batches = self.batches.lock().expect("no sweep panics");
        let Some(batch) = batches.find(|batch| !batch.is_empty()) else {
            return;
        };
        drop(batches);
        self.left.store(batch.len(), Ordering::Release);
        for work in batch {
            scope.spawn(move |scope| {
                (self.one)(work);
                if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                    self.go_on(scope);
                }
            });
        }
    }
}
