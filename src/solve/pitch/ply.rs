//! One ply: level by level, and where several processes share the work step by step, each on its own chunks.
//!
//! What a step reads of other processes is on its way while the step before is done; only what the first step of a level reads of
//! the level before must be waited for. A ply ends when all know which blocks it added to.

use super::super::dense::block::{BLOCK_BITS, Block};
use super::super::ranks::{Moved, Team};
use super::super::scratch::Room;
use super::super::simd::Simd;
use super::PitchSolver;
use super::depths::Depths;
use super::layout::PitchLayout;
use super::looked::{Before, BlockMap, Links, Looked, Store};
use super::parcels::{Arrived, Source, Wanted};
use super::share::Share;
use super::sweep::{ChunkSweep, Ply};
use crate::outcome::Side;
use bytemuck::Zeroable;
use rayon::prelude::*;
use std::ops::Deref;
use std::sync::{RwLock, RwLockReadGuard};

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
        let (count, blocks) = counting.all(works);
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

/// Joins what each process knows of its own chunks; returns the sum of the counts.
fn agree_on_maps(team: &Team, layout: &PitchLayout, count: u64, mut maps: [&mut BlockMap; 2]) -> u64 {
    if team.count() == 1 {
        return count;
    }
    let mut words = vec![count];
    let kept = |chunk: &usize| layout.is_kept(*chunk);
    for map in &maps {
        for chunk in (0..layout.chunks()).filter(kept) {
            words.extend(map.chunk(chunk));
        }
    }
    team.combine(&mut words, &|place, a, b| if place == 0 { a + b } else { a | b });
    let mut rest = &words[1..];
    for map in &mut maps {
        for (_, chunk) in map.chunks_mut().enumerate().filter(|(chunk, _)| kept(chunk)) {
            let (these, others) = rest.split_at(chunk.len());
            chunk.copy_from_slice(these);
            rest = others;
        }
    }
    words[0]
}

/// Blocks that are sent and received if everything is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnTheWay {
    /// The most that are on their way, and in the hands of a step, at a time.
    pub at_once: u64,
    /// What this process sends in a ply, at most.
    pub sent: u64,
}

impl OnTheWay {
    /// What a process sends and receives at most.
    pub fn most(layout: &PitchLayout, links: &[Links; 2], share: &Share, team: &Team) -> OnTheWay {
        if team.several().is_none() {
            return OnTheWay::default();
        }
        let count = team.count();
        let none = BlockMap::none(layout);
        let before = Before {
            changed: None,
            full: &none,
            target_full: &none,
            by_news: false,
        };
        let sides = links.each_ref().map(|links| {
            let looked = links.look(layout, &before);
            let traffic = Traffic {
                layout,
                links,
                looked: &looked,
                share,
                team: &Team::alone(),
            };
            (0..share.levels()).fold(OnTheWay::default(), |all, level| {
                let level = traffic.of_level(level, count);
                OnTheWay {
                    at_once: all.at_once.max(level.at_once),
                    sent: all.sent + level.sent,
                }
            })
        });
        OnTheWay {
            at_once: sides[0].at_once.max(sides[1].at_once),
            sent: sides[0].sent.max(sides[1].sent),
        }
    }
}

/// What a ply changes in a chunk.
struct Work<'a> {
    chunk: usize,
    known: &'a mut [Block],
    gaining: &'a mut [u64],
    full: &'a mut [u64],
}

/// What is known of who reads what.
struct Traffic<'a> {
    layout: &'a PitchLayout,
    links: &'a Links,
    looked: &'a Looked<'a>,
    share: &'a Share,
    team: &'a Team,
}

/// Blocks that a step needs, on their way.
struct Freight {
    sends: Vec<(usize, Vec<Block>)>,
    receives: Vec<(usize, Wanted)>,
}

impl Freight {
    /// Sends and receives.
    fn carry(self, team: &Team, points: usize) -> Vec<Arrived> {
        let Some(several) = team.several() else {
            return Vec::new();
        };
        let mut rooms: Vec<Vec<Block>> = (self.receives.iter())
            .map(|(_, wanted)| vec![Block::zeroed(); wanted.blocks()])
            .collect();
        let sends: Vec<(usize, &[u64])> = (self.sends.iter())
            .map(|(to, blocks)| (*to, bytemuck::cast_slice(blocks)))
            .collect();
        let mut receives: Vec<(usize, &mut [u64])> = (self.receives.iter().zip(&mut rooms))
            .map(|((from, _), room)| (*from, bytemuck::cast_slice_mut(room)))
            .collect();
        if !sends.is_empty() || !receives.is_empty() {
            team.exchange(&sends, &mut receives);
        }
        (self.receives.into_iter().zip(rooms))
            .map(|((_, wanted), blocks)| wanted.unpack(points, blocks, several))
            .collect()
    }
}

impl Traffic<'_> {
    fn of_level(&self, level: usize, count: usize) -> OnTheWay {
        let blocks = |lists: Vec<(usize, Wanted)>| {
            lists
                .iter()
                .map(|(_, wanted)| wanted.blocks() as u64)
                .sum::<u64>()
        };
        let (mut sent, mut before, mut at_once) = (0, 0, 0);
        for step in 0..self.share.steps(level) {
            let given = blocks(self.given(level, step, count));
            let both = given + blocks(self.read(level, step));
            // What a step reads is there while what the next one reads is on its way.
            at_once = at_once.max(before + both);
            (before, sent) = (both, sent + given);
        }
        OnTheWay { at_once, sent }
    }

    /// What the chunks of a step of this process read, by owner.
    fn read(&self, level: usize, step: usize) -> Vec<(usize, Wanted)> {
        let mut lists: Vec<(usize, Wanted)> = Vec::new();
        for &chunk in self.share.step(level, self.share.rank(), step) {
            let away = |to: usize| !self.share.is_own(to);
            self.links.reads(self.layout, self.looked, chunk, away, |read| {
                let owner = self.share.owner(read.chunk);
                let at = lists
                    .iter()
                    .position(|&(rank, _)| rank == owner)
                    .unwrap_or_else(|| {
                        lists.push((owner, Wanted::default()));
                        lists.len() - 1
                    });
                lists[at]
                    .1
                    .add(self.layout, self.looked.blocks.chunk(0).len(), read);
            });
        }
        lists
    }

    /// What the chunks of a step of the others read of this process, by reader.
    fn given(&self, level: usize, step: usize, count: usize) -> Vec<(usize, Wanted)> {
        let mut lists = Vec::new();
        for rank in (0..count).filter(|&rank| rank != self.share.rank()) {
            let mut wanted = Wanted::default();
            for &chunk in self.share.step(level, rank, step) {
                let own = |to: usize| self.share.is_own(to);
                self.links.reads(self.layout, self.looked, chunk, own, |read| {
                    wanted.add(self.layout, self.looked.blocks.chunk(0).len(), read);
                });
            }
            if wanted.blocks() > 0 {
                lists.push((rank, wanted));
            }
        }
        lists
    }
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

impl Counting<'_> {
    /// Does all chunks of this process: how many positions were decided in them, and how many blocks others read of it.
    fn all(&self, mut works: Vec<Option<Work<'_>>>) -> (u64, u64) {
        let Traffic { share, team, .. } = self.traffic;
        let points = self.ply.layout.shape().points();
        let mut these = |level: usize, step: usize| -> Vec<Work<'_>> {
            (share.step(level, share.rank(), step).iter())
                .map(|&chunk| works[chunk].take().expect("a chunk is done once"))
                .collect()
        };
        let mut count = 0;
        if team.several().is_none() {
            for level in 0..share.levels() {
                count += self.step(&mut these(level, 0), &[]);
            }
            return (count, 0);
        }
        let mut given = 0;
        for level in 0..share.levels() {
            let mut freight = |step: usize| {
                let freight = self.freight(level, step);
                given += freight
                    .sends
                    .iter()
                    .map(|(_, blocks)| blocks.len() as u64)
                    .sum::<u64>();
                freight
            };
            let mut arrived = freight(0).carry(team, points);
            for step in 0..share.steps(level) {
                let mut these = these(level, step);
                let next = freight(step + 1);
                let mut found = 0;
                arrived = rayon::in_place_scope(|scope| {
                    let (found, arrived) = (&mut found, &arrived);
                    scope.spawn(move |_| *found = self.step(&mut these, arrived));
                    next.carry(team, points)
                });
                count += found;
            }
        }
        (count, given)
    }

    fn freight(&self, level: usize, step: usize) -> Freight {
        let traffic = &self.traffic;
        let count = traffic.team.count();
        let pack = |wanted: &Wanted| {
            wanted.pack(traffic.layout.shape().points(), |store, chunk| match store {
                Store::Target => (Chunk::Target(&self.target[chunk]), self.ply.places),
                Store::Reach => (Chunk::Reach(self.read(chunk)), self.ply.reach_places),
            })
        };
        let given = traffic.given(level, step, count);
        Freight {
            sends: given.iter().map(|(rank, wanted)| (*rank, pack(wanted))).collect(),
            receives: traffic.read(level, step),
        }
    }

    fn read(&self, chunk: usize) -> RwLockReadGuard<'_, Room<Block>> {
        self.reach[chunk].read().expect("no sweep panics")
    }

    /// Does some chunks of a level, with the blocks of others that they read.
    fn step(&self, works: &mut [Work<'_>], arrived: &[Arrived]) -> u64 {
        let mut targets: Vec<Source<'_>> = self.target.iter().map(|blocks| Source::Here(blocks)).collect();
        for ((store, chunk), source) in arrived.iter().flat_map(Arrived::sources) {
            if store == Store::Target {
                targets[chunk] = source;
            }
        }
        works
            .par_iter_mut()
            .map(|work| self.chunk(work, &targets, arrived))
            .sum()
    }

    /// Does a chunk, when those that it may read are done: how many positions it decided, those of its mirror image among them.
    fn chunk(&self, work: &mut Work<'_>, target: &[Source<'_>], arrived: &[Arrived]) -> u64 {
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
        for ((store, chunk), source) in arrived.iter().flat_map(Arrived::sources) {
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

#[cfg(test)]
mod tests {
    use super::super::super::ranks::{Ranks, threads};
    use super::super::Setup;
    use super::*;

    fn begin(text: &str, team: Team) -> PitchSolver {
        let setup = Setup {
            team,
            ..Setup::in_memory(text.parse().unwrap(), true)
        };
        PitchSolver::begin(&setup).unwrap()
    }

    /// The bytes of all depths, of the chunks that a solver has.
    fn depths(solver: &PitchSolver) -> Vec<(usize, Vec<u8>)> {
        let depths = solver.depths.as_ref().unwrap();
        let chunks = (0..solver.layout.chunks()).filter(|&chunk| solver.share.is_own(chunk));
        let copy = |chunk| {
            let mut bytes = vec![0; depths.pieces().chunk_bytes(chunk)];
            depths.copy_chunk(chunk, 0, &mut bytes);
            (chunk, bytes)
        };
        chunks.map(copy).collect()
    }

    #[test]
    fn several_processes_find_the_same_bits() {
        for text in ["5x3", "7x3", "3x7", "4x5", "10x2", "19x1"] {
            let mut alone = begin(text, Team::alone());
            alone.finish().unwrap();
            let expected = depths(&alone);
            for count in [2, 3, 4, 7] {
                let found = threads::run(count, |team| {
                    let mut solver = begin(text, team);
                    solver.finish().unwrap();
                    assert_eq!(solver.counts, alone.counts, "{text}, {count} processes");
                    for (own, all) in solver.sets.iter().flatten().zip(alone.sets.iter().flatten()) {
                        assert!(own.is_empty() || own[..] == all[..], "{text}, {count} processes");
                    }
                    for moved in &solver.moved {
                        assert_eq!(moved.sent.bytes, moved.planned, "what is sent is what is planned");
                    }
                    depths(&solver)
                });
                let mut found: Vec<_> = found.into_iter().flatten().collect();
                found.sort();
                assert!(found == expected, "{text}, {count} processes");
            }
        }
    }

    /// The first of so many processes, the others of which are not there.
    #[derive(Debug)]
    struct First(usize);

    impl Ranks for First {
        fn rank(&self) -> usize {
            0
        }

        fn count(&self) -> usize {
            self.0
        }

        fn beside(&self) -> usize {
            1
        }

        fn exchange(&self, _: &[(usize, &[u64])], _: &mut [(usize, &mut [u64])]) {}
    }

    #[test]
    fn shares_of_memory_are_even_where_there_are_many_chunks() {
        for (text, count) in [
            ("8x3", 2),
            ("8x3", 4),
            ("7x4", 4),
            ("7x4", 8),
            ("6x6", 8),
            ("6x6", 64),
            ("6x6", 512),
            ("12x3", 512),
        ] {
            let layout = PitchLayout::new(text.parse().unwrap());
            let stores = super::super::Stores::new(&layout);
            let work = |chunk: usize| (stores.places.size(chunk) + stores.reach_size(chunk)) as u64;
            let share = Share::new(&layout, work, &Team::new(First(count)), 1);
            let mut sizes = vec![0; count];
            for chunk in (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk)) {
                sizes[share.owner(chunk)] += work(chunk);
            }
            let (most, all) = (sizes.iter().max().unwrap(), sizes.iter().sum::<u64>());
            assert!(
                most * count as u64 * 4 <= all * 5,
                "{text}, {count}: {most} of {all}"
            );
        }
    }
}
