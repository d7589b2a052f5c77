//! What processes send each other in a ply.
//!
//! What a stage reads of other processes is on its way while the stage before is worked on; only what that very stage finds out about jumps
//! must be waited for (*late*), and meanwhile what does not read it is done. A ply ends when all know which blocks it added to.

use super::super::dense::block::Block;
use super::super::ranks::Team;
use super::super::scratch::{NoRoom, Room};
use super::layout::PitchLayout;
use super::looked::{Before, Links, Looked, Store};
use super::map::BlockMap;
use super::parcels::Wanted;
use super::share::Share;

/// Tells all processes what each knows of its own chunks; returns the sum of the counts.
pub fn agree_on_maps(
    team: &Team,
    layout: &PitchLayout,
    share: &Share,
    count: u64,
    mut maps: [&mut BlockMap; 2],
) -> u64 {
    if team.count() == 1 {
        return count;
    }
    let size = maps[0].words_in_chunk();
    let chunks: Vec<Vec<usize>> = (0..team.count())
        .map(|rank| {
            let kept = (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk));
            kept.filter(|&chunk| share.owner(chunk) == rank).collect()
        })
        .collect();
    let mut mine = vec![count];
    for map in &maps {
        let own = chunks[team.rank()].iter();
        own.for_each(|&chunk| mine.extend(map.chunk(chunk)));
    }
    let others = || (0..team.count()).filter(|&rank| rank != team.rank());
    let mut rooms: Vec<Vec<u64>> = others()
        .map(|rank| vec![0; 1 + 2 * size * chunks[rank].len()])
        .collect();
    let sends: Vec<(usize, &[u64])> = others().map(|rank| (rank, &mine[..])).collect();
    let rooms_of = others().zip(rooms.iter_mut().map(|room| &mut room[..]));
    team.exchange(&sends, &mut rooms_of.collect::<Vec<_>>());
    for (rank, room) in others().zip(&rooms) {
        let mut words = room[1..].chunks_exact(size);
        for map in maps.iter_mut() {
            for (&chunk, words) in chunks[rank].iter().zip(&mut words) {
                map.words[chunk * size..][..size].copy_from_slice(words);
            }
        }
    }
    count + rooms.iter().map(|room| room[0]).sum::<u64>()
}

/// Blocks that are sent and received if everything is looked at: the most of any stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnTheWay {
    /// What a stage reads that comes before it.
    early: usize,
    /// What a stage reads that comes while it is worked on.
    late: usize,
    /// What leaves at once.
    given: usize,
    /// What this process sends in a ply.
    pub sent: usize,
}

impl OnTheWay {
    /// What a process sends and receives at most.
    pub fn most(layout: &PitchLayout, links: &[Links; 2], share: &Share, team: &Team) -> OnTheWay {
        if team.several().is_none() {
            return OnTheWay::default();
        }
        let none = BlockMap::none(layout);
        let before = Before {
            changed: None,
            full: &none,
            target_full: &none,
            by_news: false,
        };
        let mut way = OnTheWay::default();
        for links in links {
            let looked = links.look(layout, &before);
            let traffic = Traffic {
                layout,
                links,
                looked: &looked,
                share,
                team,
            };
            let mut here = 0;
            for stage in 0..share.stages() {
                let Plan { early, late, .. } = traffic.plan(stage);
                way.early = way.early.max(early.arriving());
                way.late = way.late.max(late.arriving());
                way.given = way.given.max(early.leaving()).max(late.leaving());
                here += early.leaving() + late.leaving();
            }
            way.sent = way.sent.max(here);
        }
        way
    }

    /// What there is room for: what a stage reads is there while what the next one reads is on its way.
    pub fn at_once(&self) -> usize {
        2 * self.early + self.late + self.given
    }
}

/// What a process sends to others, and what it receives of them.
#[derive(Default)]
pub struct Freight {
    pub given: Vec<(usize, Wanted)>,
    pub read: Vec<(usize, Wanted)>,
}

impl Freight {
    /// How many blocks are sent.
    pub fn leaving(&self) -> usize {
        self.given.iter().map(|(_, wanted)| wanted.blocks()).sum()
    }

    /// How many blocks are received.
    pub fn arriving(&self) -> usize {
        self.read.iter().map(|(_, wanted)| wanted.blocks()).sum()
    }
}

/// What is sent and received for a stage.
#[derive(Default)]
pub struct Plan {
    /// While the stage before is worked on.
    pub early: Freight,
    /// When that is done.
    pub late: Freight,
    /// The first batch that reads what is late.
    pub waits: Option<usize>,
}

/// Room for what is on its way in a ply.
pub struct Holds {
    /// For what comes before its stage: that of this one, and of the next.
    pub early: Vec<Room<Block>>,
    /// For what comes in its stage.
    pub late: Option<Room<Block>>,
    /// For what leaves.
    pub out: Room<Block>,
}

impl Holds {
    /// As much as there can ever be; memory that is not used is not taken.
    pub fn new(way: &OnTheWay) -> Result<Holds, NoRoom> {
        let room = |blocks| Room::new(blocks, None);
        Ok(Holds {
            early: vec![room(way.early)?, room(way.early)?],
            late: Some(room(way.late)?),
            out: room(way.given)?,
        })
    }
}

/// What is known of who reads what.
pub struct Traffic<'a> {
    pub layout: &'a PitchLayout,
    pub links: &'a Links,
    pub looked: &'a Looked<'a>,
    pub share: &'a Share,
    pub team: &'a Team,
}

impl Traffic<'_> {
    /// What is sent and received for a stage.
    pub fn plan(&self, stage: usize) -> Plan {
        let mut plan = Plan::default();
        if stage == self.share.stages() {
            return plan;
        }
        let own = |chunk: usize| self.share.is_own(chunk);
        for reader in 0..self.team.count() {
            let reads_itself = reader == self.share.rank();
            let batches = self.share.batches(stage, reader).iter().enumerate();
            for (batch, &chunk) in batches.flat_map(|(at, batch)| batch.iter().map(move |chunk| (at, chunk)))
            {
                let wanted = |to: usize| own(to) != reads_itself;
                self.links.reads(self.layout, self.looked, chunk, wanted, |read| {
                    let late = read.store == Store::Reach && self.share.stage(read.chunk) + 1 == stage;
                    let freight = if late { &mut plan.late } else { &mut plan.early };
                    let (list, other) = match reads_itself {
                        true => (&mut freight.read, self.share.owner(read.chunk)),
                        false => (&mut freight.given, reader),
                    };
                    let at = (list.iter().position(|&(rank, _)| rank == other)).unwrap_or_else(|| {
                        list.push((other, Wanted::default()));
                        list.len() - 1
                    });
                    let (_, blocks) = &mut list[at];
                    blocks.add(self.layout, self.looked.blocks.words_in_chunk(), read);
                    if late && reads_itself {
                        plan.waits = Some(plan.waits.map_or(batch, |first| first.min(batch)));
                    }
                });
            }
        }
        plan
    }

    /// Sends and receives; `pack` copies what others want.
    pub fn carry(
        &self,
        freight: &Freight,
        mut out: &mut [Block],
        mut room: &mut [Block],
        pack: impl Fn(&Wanted, &mut [Block]),
        pause: &mut dyn FnMut(),
    ) {
        let mut sends: Vec<(usize, &[u64])> = Vec::new();
        for (to, wanted) in &freight.given {
            let (blocks, others) = out.split_at_mut(wanted.blocks());
            pack(wanted, blocks);
            sends.push((*to, bytemuck::cast_slice(blocks)));
            out = others;
        }
        let mut receives: Vec<(usize, &mut [u64])> = Vec::new();
        for (from, wanted) in &freight.read {
            let (blocks, others) = room.split_at_mut(wanted.blocks());
            receives.push((*from, bytemuck::cast_slice_mut(blocks)));
            room = others;
        }
        if !sends.is_empty() || !receives.is_empty() {
            self.team.exchange_with(&sends, &mut receives, pause);
        }
    }
}
