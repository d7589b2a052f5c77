//! Which process has which chunks, and in which order they are done.
//!
//! A *district* is all chunks whose numbers begin with the same bits; a process has whole districts, so that little of what it reads is of others.
//! A district, its mirror image, and both turned over, go together: what a process finds out in its chunks are depths of its chunks.
//! Districts of one level (so many bits in their number) wait for nothing of each other, so each level is shared out by itself, the largest
//! districts first, to whoever has room left in his share and most of what the district reads. Districts are as large as lets the shares be even.
//!
//! A process does its chunks in *stages*, which all of them go through at the same time. In a stage are chunks of one level, and of a district
//! those with fewer bits in their number come first: so all that a chunk reads of other districts is done in earlier stages.

use super::layout::PitchLayout;
use crate::solve::ranks::Team;
use std::cmp::Reverse;

/// A process does as many chunks in a stage as have so many blocks together, and at least one for each of its threads.
const STAGE_BLOCKS: u64 = 1 << 14;
/// The largest share may be so many hundredths of an even one: of all work, and of that of each level one after the other (as who has no more to
/// do in a level waits).
const UNEVEN: [u64; 2] = [110, 130];

/// Chunks that may be done at the same time.
type Batch = Vec<usize>;

/// How the chunks are shared out.
pub struct Share {
    rank: usize,
    /// For each chunk, kept or not, whose it is.
    owners: Vec<usize>,
    /// For each chunk, kept or not, its stage.
    stages: Vec<usize>,
    /// For each stage and process its kept chunks.
    batches: Vec<Vec<Vec<Batch>>>,
}

impl Share {
    /// Shares the chunks out to the processes of a team, with so many threads each. `blocks` is how much work a kept chunk is.
    pub fn new(layout: &PitchLayout, blocks: impl Fn(usize) -> u64, team: &Team, threads: usize) -> Share {
        let (rank, count) = (team.rank(), team.count());
        let districts = match team.several() {
            None => Districts::all_of_one(layout),
            Some(_) => Districts::even(layout, &blocks, count),
        };
        let chunks = 0..layout.chunks();
        let owners: Vec<usize> = chunks.clone().map(|chunk| districts.owner(chunk)).collect();
        let mut stages = vec![0; layout.chunks()];
        let mut batches: Vec<Vec<Vec<Batch>>> = Vec::new();
        for level in 0..=districts.bits {
            let begin = batches.len();
            for rank in 0..count {
                let is_of = |&chunk: &usize| {
                    layout.is_kept(chunk) && owners[chunk] == rank && districts.level(chunk) == level
                };
                let mut chunks: Vec<usize> = chunks.clone().filter(is_of).collect();
                chunks.sort_by_key(|chunk| chunk.count_ones());
                for (stage, these) in cut(&chunks, &blocks, threads, count == 1).into_iter().enumerate() {
                    if batches.len() == begin + stage {
                        batches.push(vec![Vec::new(); count]);
                    }
                    for chunk in these.iter().flatten().copied() {
                        stages[chunk] = begin + stage;
                        stages[layout.mirror_chunk(chunk)] = begin + stage;
                    }
                    batches[begin + stage][rank] = these;
                }
            }
        }
        Share {
            rank,
            owners,
            stages,
            batches,
        }
    }

    /// The number of this process.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Whose a chunk is.
    pub fn owner(&self, chunk: usize) -> usize {
        self.owners[chunk]
    }

    /// Whether a chunk is of this process.
    pub fn is_own(&self, chunk: usize) -> bool {
        self.owners[chunk] == self.rank
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.batches.len()
    }

    /// The stage in which a chunk is done.
    pub fn stage(&self, chunk: usize) -> usize {
        self.stages[chunk]
    }

    /// What a process does in a stage, one batch after the other.
    pub fn batches(&self, stage: usize, rank: usize) -> &[Batch] {
        &self.batches[stage][rank]
    }
}

/// Districts, and whose they are.
struct Districts {
    /// How many bits number them.
    bits: u32,
    /// The bits of a chunk's number in its district.
    inner_bits: u32,
    owners: Vec<usize>,
    /// The largest share of all work, and of that of each level one after the other.
    largest: [u64; 2],
}

impl Districts {
    /// One, of one process.
    fn all_of_one(layout: &PitchLayout) -> Districts {
        Districts {
            bits: 0,
            inner_bits: layout.chunks().trailing_zeros(),
            owners: vec![0],
            largest: [0; 2],
        }
    }

    /// The largest that let the shares be even; if none do, each chunk by itself.
    fn even(layout: &PitchLayout, blocks: &impl Fn(usize) -> u64, count: usize) -> Districts {
        let kept = (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk));
        let all: u64 = kept.map(blocks).sum();
        let most = layout.chunks().trailing_zeros();
        let is_even = |districts: &Districts| {
            let mut shares = districts.largest.iter().zip(UNEVEN);
            districts.bits == most
                || shares.all(|(&largest, uneven)| 100 * largest * count as u64 <= uneven * all)
        };
        (0..=most)
            .filter(|&bits| layout.parts_at(bits as usize))
            .map(|bits| Districts::of(layout, blocks, count, bits))
            .find(is_even)
            .expect("chunks have mirror images")
    }

    fn of(layout: &PitchLayout, blocks: &impl Fn(usize) -> u64, count: usize, bits: u32) -> Districts {
        let inner_bits = layout.chunks().trailing_zeros() - bits;
        let image = |district: usize, chunk: fn(&PitchLayout, usize) -> usize| {
            chunk(layout, district << inner_bits) >> inner_bits
        };
        let mut sizes = vec![0; 1 << bits];
        for chunk in (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk)) {
            sizes[chunk >> inner_bits] += blocks(chunk);
        }
        let mut owners = vec![usize::MAX; 1 << bits];
        let mut total = vec![0; count];
        let mut by_level = 0;
        for level in 0..=bits {
            let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
            for district in (0..1usize << bits).filter(|district| district.count_ones() == level) {
                let mirrored = image(district, PitchLayout::mirror_chunk);
                let turned = [district, mirrored].map(|district| image(district, PitchLayout::flip_chunk));
                let mut group = vec![district, mirrored, turned[0], turned[1]];
                group.sort();
                group.dedup();
                if group[0] == district {
                    groups.push((group.iter().map(|&district| sizes[district]).sum(), group));
                }
            }
            groups.sort_by_key(|&(size, _)| Reverse(size));
            let mut here = vec![0; count];
            let all: u64 = groups.iter().map(|&(size, _)| size).sum();
            let most = all * UNEVEN[0] / 100 / count as u64;
            for (size, group) in groups {
                // How many of the districts that it reads a process has.
                let near = |rank: usize| {
                    let below = |&district: &usize| {
                        let bits = (0..bits).filter(move |bit| district >> bit & 1 == 1);
                        bits.filter(|bit| owners[district ^ 1 << bit] == rank).count()
                    };
                    group.iter().map(below).sum::<usize>()
                };
                let least = |&rank: &usize| (here[rank], total[rank], rank);
                let room = (0..count).filter(|&rank| here[rank] + size <= most);
                let owner = room.max_by_key(|rank| (near(*rank), Reverse(least(rank))));
                let owner = owner.or_else(|| (0..count).min_by_key(least));
                let owner = owner.expect("there is a process");
                here[owner] += size;
                total[owner] += size;
                group.into_iter().for_each(|district| owners[district] = owner);
            }
            by_level += here.iter().max().copied().unwrap_or(0);
        }
        Districts {
            bits,
            inner_bits,
            owners,
            largest: [total.iter().max().copied().unwrap_or(0), by_level],
        }
    }

    fn owner(&self, chunk: usize) -> usize {
        self.owners[chunk >> self.inner_bits]
    }

    fn level(&self, chunk: usize) -> u32 {
        (chunk >> self.inner_bits).count_ones()
    }
}

/// Cuts chunks with ever more bits in their number into stages; all are one stage if there is nobody to exchange blocks with.
fn cut(chunks: &[usize], blocks: &impl Fn(usize) -> u64, threads: usize, at_once: bool) -> Vec<Vec<Batch>> {
    let mut stages: Vec<Vec<Batch>> = Vec::new();
    let (mut size, mut number) = (0, 0);
    for &chunk in chunks {
        if stages.is_empty() || (!at_once && size >= STAGE_BLOCKS && number >= threads) {
            stages.push(Vec::new());
            (size, number) = (0, 0);
        }
        let stage = stages.last_mut().expect("there is one by now");
        match stage.last_mut() {
            Some(batch) if batch[0].count_ones() == chunk.count_ones() => batch.push(chunk),
            _ => stage.push(vec![chunk]),
        }
        size += blocks(chunk);
        number += 1;
    }
    stages
}
