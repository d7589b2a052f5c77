//! What processes send each other in a ply.
//!
//! What a stage reads of other processes is on its way while the stage before is worked on; only what that very stage finds out about jumps
//! must be waited for (*late*), and meanwhile what does not read it is done. A ply ends when all know which blocks it added to.

use super::super::dense::block::Block;
use super::super::ranks::Team;
use super::super::scratch::Room;
use super::layout::PitchLayout;
use super::looked::{Before, Links, Looked, Store};
use super::map::BlockMap;
use super::parcels::{Arrived, Wanted};
use super::share::Share;

/// Joins what each process knows of its own chunks; returns the sum of the counts.
pub fn agree_on_maps(team: &Team, layout: &PitchLayout, count: u64, mut maps: [&mut BlockMap; 2]) -> u64 {
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
    /// The most that there is room for at a time.
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
        let none = BlockMap::none(layout);
        let before = Before {
            changed: None,
            full: &none,
            target_full: &none,
            by_news: false,
        };
        // The most that a stage reads, early and late, that is given at once, and that is given in a ply.
        let (mut read, mut given, mut sent) = ([0; 2], 0, 0);
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
                for (freight, read) in [early, late].iter().zip(&mut read) {
                    *read = freight.arriving().max(*read);
                    given = freight.leaving().max(given);
                    here += freight.leaving();
                }
            }
            sent = sent.max(here);
        }
        // What a stage reads is there while what the next one reads is on its way.
        let [early, late] = read;
        OnTheWay {
            at_once: (2 * early + late + given) as u64,
            sent: sent as u64,
        }
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

    /// What is found where, when it has arrived.
    pub fn unpack(self, points: usize) -> Arrived {
        Arrived::new(points, self.read.into_iter().map(|(_, wanted)| wanted))
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

/// Room for blocks, which is there to be used again.
#[derive(Default)]
pub struct Hold(Option<Room<Block>>);

impl Hold {
    /// All blocks.
    pub fn all(&self) -> &[Block] {
        self.0.as_deref().unwrap_or(&[])
    }

    /// Room for so many blocks, with whatever was there before.
    fn room(&mut self, blocks: usize) -> &mut [Block] {
        if blocks > self.all().len() {
            // What was there is given back first.
            self.0 = None;
            self.0 = Some(Room::granted(blocks));
        }
        let room = self.0.as_deref_mut();
        room.map_or(&mut [], |room| &mut room[..blocks])
    }
}

/// Room for what is on its way in a ply.
#[derive(Default)]
pub struct Holds {
    /// For what comes before its stage: that of this one, and of the next.
    pub early: Vec<Hold>,
    /// For what comes in its stage.
    pub late: Option<Hold>,
    /// For what leaves.
    pub out: Hold,
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
        out: &mut Hold,
        room: &mut Hold,
        pack: impl Fn(&Wanted, &mut [Block]),
    ) {
        let mut into = room.room(freight.arriving());
        let mut rest = out.room(freight.leaving());
        let mut sends: Vec<(usize, &[u64])> = Vec::new();
        for (to, wanted) in &freight.given {
            let (blocks, others) = rest.split_at_mut(wanted.blocks());
            pack(wanted, blocks);
            sends.push((*to, bytemuck::cast_slice(blocks)));
            rest = others;
        }
        let mut receives: Vec<(usize, &mut [u64])> = Vec::new();
        for (from, wanted) in &freight.read {
            let (blocks, others) = into.split_at_mut(wanted.blocks());
            receives.push((*from, bytemuck::cast_slice_mut(blocks)));
            into = others;
        }
        if !sends.is_empty() || !receives.is_empty() {
            self.team.exchange(&sends, &mut receives);
        }
    }
}
