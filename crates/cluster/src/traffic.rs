//! The blocks and maps that processes send each other in a ply.
//!
//! Blocks for a stage travel while the stage before is swept. Only the `reach` blocks computed in
//! that stage are *late*: they travel during their own stage, while chunks that do not read them
//! are swept. At the end of a ply the processes exchange the maps of blocks that gained.

use super::exchange::Wanted;
use super::ranks::Team;
use super::reads::{Store, reads};
use super::share::Share;
use phutbase_pitches::block::Block;
use phutbase_pitches::scratch::{Mapping, MappingError};
use phutbase_pitches::solver::layout::PitchLayout;
use phutbase_pitches::solver::map::BlockMap;
use phutbase_pitches::solver::work_list::{Links, WorkList, WorkListInput};
use std::collections::BTreeMap;

/// Exchanges the maps of all processes' own chunks; returns the sum of the counts.
pub fn agree_on_maps(
    team: &Team,
    layout: &PitchLayout,
    share: &Share,
    count: u64,
    mut maps: [&mut BlockMap; 2],
) -> u64 {
    let size = maps[0].words_in_chunk();
    let chunks = |rank: usize| {
        let kept = (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk));
        kept.filter(move |&chunk| share.owner(chunk) == rank)
    };
    let mut mine = vec![count];
    for map in &maps {
        chunks(team.rank()).for_each(|chunk| mine.extend(map.chunk(chunk)));
    }
    let mut all = team.gather(mine).into_iter();
    let mut sum = 0;
    for rank in 0..team.count() {
        sum += all.next().expect("each process sends its count");
        for map in &mut maps {
            for chunk in chunks(rank) {
                let words = map.words[chunk * size..][..size].iter_mut();
                words.zip(&mut all).for_each(|(word, new)| *word = new);
            }
        }
    }
    sum
}

/// Upper bounds of the blocks in flight in any stage, reached if all blocks are on the work list.
#[derive(Clone, Copy, Debug, Default)]
pub struct InFlight {
    /// Received before the stage that reads them.
    early: usize,
    /// Received during the stage that reads them.
    late: usize,
    /// Sent in one exchange.
    outgoing: usize,
    /// Sent by this process in a ply.
    pub sent: usize,
}

impl InFlight {
    pub fn most(layout: &PitchLayout, links: &[Links; 2], share: &Share) -> InFlight {
        let none = BlockMap::none(layout);
        let before = WorkListInput {
            changed: None,
            full: &none,
            target_full: &none,
            incremental: false,
        };
        let mut in_flight = InFlight::default();
        for links in links {
            let work_list = links.work_list(layout, &before);
            let traffic = Traffic {
                layout,
                work_list: &work_list,
                share,
            };
            let mut here = 0;
            for stage in 0..share.stages() {
                let StagePlan { early, late, .. } = traffic.plan(stage);
                let outgoing = [blocks(&early.outgoing), blocks(&late.outgoing)];
                in_flight.early = in_flight.early.max(blocks(&early.incoming));
                in_flight.late = in_flight.late.max(blocks(&late.incoming));
                in_flight.outgoing = in_flight.outgoing.max(outgoing[0]).max(outgoing[1]);
                here += outgoing[0] + outgoing[1];
            }
            in_flight.sent = in_flight.sent.max(here);
        }
        in_flight
    }

    /// Counts the blocks of all buffers: a stage's blocks stay while the next stage's arrive.
    pub fn buffer_blocks(&self) -> usize {
        2 * self.early + self.late + self.outgoing
    }
}

/// Blocks that a process sends to others and receives from them, by the other process.
#[derive(Default)]
pub struct SendPlan {
    pub outgoing: BTreeMap<usize, Wanted>,
    pub incoming: BTreeMap<usize, Wanted>,
}

/// Counts the blocks of one direction of a plan.
fn blocks(transfers: &BTreeMap<usize, Wanted>) -> usize {
    transfers.values().map(Wanted::blocks).sum()
}

/// Transfers for a stage.
#[derive(Default)]
pub struct StagePlan {
    /// Takes place while the stage before is swept.
    pub early: SendPlan,
    /// Takes place after the stage before.
    pub late: SendPlan,
    /// The first batch that reads late blocks.
    pub first_waiting: Option<usize>,
}

pub struct Buffers {
    /// Blocks received early: those of the current stage and of the next.
    pub early: Vec<Mapping<Block>>,
    pub late: Option<Mapping<Block>>,
    pub out: Mapping<Block>,
}

impl Buffers {
    /// Allocates buffers for the largest transfers. Unused pages take no memory.
    pub fn new(in_flight: &InFlight) -> Result<Buffers, MappingError> {
        let allocated = |blocks| Mapping::new(blocks, None);
        Ok(Buffers {
            early: vec![allocated(in_flight.early)?, allocated(in_flight.early)?],
            late: Some(allocated(in_flight.late)?),
            out: allocated(in_flight.outgoing)?,
        })
    }
}

/// Inputs that determine which process reads which blocks.
pub struct Traffic<'a> {
    pub layout: &'a PitchLayout,
    pub work_list: &'a WorkList<'a>,
    pub share: &'a Share,
}

impl Traffic<'_> {
    pub fn plan(&self, stage: usize) -> StagePlan {
        let mut plan = StagePlan::default();
        if stage == self.share.stages() {
            return plan;
        }
        let own = |chunk: usize| self.share.is_own(chunk);
        for reader in 0..self.share.count {
            let reads_itself = reader == self.share.rank;
            let batches = self.share.batches(stage, reader).iter().enumerate();
            for (batch, &chunk) in batches.flat_map(|(at, batch)| batch.iter().map(move |chunk| (at, chunk)))
            {
                let wanted = |to: usize| own(to) != reads_itself;
                reads(self.layout, self.work_list, chunk, wanted, |read| {
                    let late = read.store == Store::Reach && self.share.stage(read.chunk) + 1 == stage;
                    let transfer = if late { &mut plan.late } else { &mut plan.early };
                    let (list, other) = if reads_itself {
                        (&mut transfer.incoming, self.share.owner(read.chunk))
                    } else {
                        (&mut transfer.outgoing, reader)
                    };
                    let words = self.work_list.blocks.words_in_chunk();
                    list.entry(other).or_default().add(self.layout, words, read);
                    if late && reads_itself {
                        plan.first_waiting = Some(plan.first_waiting.map_or(batch, |first| first.min(batch)));
                    }
                });
            }
        }
        plan
    }
}
