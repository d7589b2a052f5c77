//! One ply, stage by stage, each process on its own chunks.

use super::exchange::{ChunkSource, Received, Wanted};
use super::ranks::Team;
use super::reads::Store;
use super::traffic::{Buffers, SendPlan, StagePlan, Traffic};
use phutbase_pitches::block::Block;
use phutbase_pitches::scratch::Mapping;
use phutbase_pitches::solver::layout::BlockPlaces;
use phutbase_pitches::solver::ply::{ChunkWork, Ply, blocks};
use rayon::prelude::*;
use std::collections::BTreeMap;

pub struct StagedPly<'a> {
    pub ply: &'a Ply<'a>,
    pub traffic: Traffic<'a>,
    pub team: &'a Team,
}

impl StagedPly<'_> {
    /// Sweeps the chunks of this process in all stages.
    pub fn sweep_all(&self, works: Vec<ChunkWork<'_>>, buffers: &mut Buffers) {
        let share = self.traffic.share;
        let mut works: BTreeMap<usize, ChunkWork<'_>> =
            works.into_iter().map(|work| (work.chunk, work)).collect();
        let mut take = |chunk: &usize| works.remove(chunk);
        let mut plan = self.traffic.plan(0);
        let (buffer, out) = (buffers.early.pop(), &mut buffers.out);
        let mut incoming = self.exchange(&plan.early, buffer, out);
        for stage in 0..share.stages() {
            let StagePlan {
                early,
                late,
                first_waiting,
            } = plan;
            let batches = share.batches(stage, share.rank).iter();
            let mut ready: Vec<Vec<ChunkWork<'_>>> = batches
                .map(|batch| batch.iter().filter_map(&mut take).collect())
                .collect();
            let waiting = ready.split_off(first_waiting.unwrap_or(ready.len()));
            let early = self.received(early, incoming);
            let buffer = buffers.late.take();
            let blocks = self.sweep_while(ready, &[&early], || self.exchange(&late, buffer, out));
            let late = self.received(late, blocks);
            let buffer = buffers.early.pop();
            (plan, incoming) = self.sweep_while(waiting, &[&early, &late], || {
                let plan = self.traffic.plan(stage + 1);
                let incoming = self.exchange(&plan.early, buffer, out);
                (plan, incoming)
            });
            buffers.early.push(early.blocks);
            buffers.late = Some(late.blocks);
        }
        buffers.early.push(incoming);
    }

    /// Sweeps batches in order, with the blocks received for them, while another thread
    /// communicates.
    fn sweep_while<T: Send>(
        &self,
        batches: Vec<Vec<ChunkWork<'_>>>,
        arrived: &[&Received],
        communicate: impl FnOnce() -> T + Send,
    ) -> T {
        let mut targets: Vec<_> = (self.ply.target.iter())
            .map(|blocks| ChunkSource::Here(blocks))
            .collect();
        add_received(Store::Target, arrived, &mut targets);
        std::thread::scope(|scope| {
            let communication = scope.spawn(communicate);
            for batch in batches {
                let works = batch.into_par_iter().with_max_len(1);
                works.for_each(|work| self.sweep_chunk(work, &targets, arrived));
            }
            communication.join().expect("no exchange panics")
        })
    }

    /// Sends and receives the blocks of a transfer; returns the buffer with the received ones.
    fn exchange(
        &self,
        transfer: &SendPlan,
        buffer: Option<Mapping<Block>>,
        mut out: &mut [Block],
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
        let mut rest = &mut buffer[..];
        for (from, wanted) in &transfer.incoming {
            let (blocks, others) = rest.split_at_mut(wanted.blocks());
            receives.push((*from, bytemuck::cast_slice_mut(blocks)));
            rest = others;
        }
        if !sends.is_empty() || !receives.is_empty() {
            self.team.exchange(&sends, &mut receives);
        }
        buffer
    }

    fn places(&self, store: Store) -> &BlockPlaces {
        match store {
            Store::Target => self.ply.input.places,
            Store::Reach => self.ply.input.reach_places,
        }
    }

    fn received(&self, transfer: SendPlan, blocks: Mapping<Block>) -> Received {
        let points = self.ply.input.layout.shape().points();
        let lists = transfer.incoming.into_values();
        Received::new(points, lists, |store| self.places(store), blocks)
    }

    /// Copies the blocks that another process reads.
    fn pack(&self, wanted: &Wanted, into: &mut [Block]) {
        let points = self.ply.input.layout.shape().points();
        wanted.pack(points, into, |store, chunk, ball, inner| {
            let place = self.places(store).place(ball, chunk, inner);
            match store {
                Store::Target => self.ply.target[chunk][place],
                Store::Reach => self.ply.read(chunk)[place],
            }
        });
    }

    /// Sweeps a chunk with `reach` of this process and the received blocks.
    fn sweep_chunk(&self, work: ChunkWork<'_>, target: &[ChunkSource<'_>], arrived: &[&Received]) {
        let parts = self.ply.parts(work.chunk);
        let mut earlier: Vec<_> = (parts.iter())
            .map(|part| ChunkSource::Here(blocks(part)))
            .collect();
        add_received(Store::Reach, arrived, &mut earlier);
        self.ply.sweep(work, target, &earlier);
    }
}

/// Enters the received blocks of a store into its sources by chunk.
fn add_received<'a>(store: Store, arrived: &[&'a Received], sources: &mut [ChunkSource<'a>]) {
    for (chunk, source) in arrived.iter().flat_map(|received| received.sources(store)) {
        sources[chunk] = source;
    }
}
