//! The distribution of chunks over processes, and the order in which they are swept.
//!
//! A *district* is the set of chunks with the same leading bits in their number. Each process
//! holds whole districts, so that it reads few blocks of others. A district, its mirror image and
//! the row flips of both have one owner, because the depths found in its chunks belong to these.
//! Districts of one level (number of bits set) do not depend on each other. Each level is therefore
//! distributed separately, the largest districts first, to the process that has room left and owns
//! most of the districts they read. Districts are as large as a balanced distribution allows.
//!
//! A process sweeps its chunks in *stages*, in step with the others. A stage has chunks of one
//! level; within a district chunks with fewer bits come first. All that a chunk reads of other
//! districts is therefore finished in earlier stages.

use phutbase_pitches::solver::Prepared;
use phutbase_pitches::solver::layout::PitchLayout;
use std::cmp::Reverse;

/// A stage ends once its chunks have this many blocks and every thread has a chunk.
const STAGE_BLOCKS: u64 = 1 << 14;
/// Largest share in percent of an even one: of all work, and of the sum over the levels of each
/// level's largest share. A process that finishes a level early waits for the others.
const MAX_IMBALANCE: [u64; 2] = [110, 130];

/// Chunks that may run concurrently.
type Batch = Vec<usize>;

/// Distribution of the chunks over processes and stages.
pub struct Share {
    pub rank: usize,
    pub count: usize,
    owners: Vec<usize>,
    stages: Vec<usize>,
    /// Kept chunks by stage and process.
    batches: Vec<Vec<Vec<Batch>>>,
}

impl Share {
    /// Distributes the chunks of a pitch over `count` processes with `threads` threads each, of which this
    /// one is number `rank`.
    pub fn of(prepared: &Prepared, (rank, count): (usize, usize), threads: usize) -> Share {
        let Prepared { layout, stores, .. } = prepared;
        let blocks = |chunk: usize| (stores.places.size(chunk) + stores.reach_size(chunk)) as u64;
        let districts = Districts::even(layout, &blocks, count);
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
                let cut = split_into_stages(&chunks, &blocks, threads);
                for (stage, these) in cut.into_iter().enumerate() {
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
            count,
            owners,
            stages,
            batches,
        }
    }

    pub fn owner(&self, chunk: usize) -> usize {
        self.owners[chunk]
    }

    pub fn is_own(&self, chunk: usize) -> bool {
        self.owners[chunk] == self.rank
    }

    pub fn stages(&self) -> usize {
        self.batches.len()
    }

    pub fn stage(&self, chunk: usize) -> usize {
        self.stages[chunk]
    }

    pub fn batches(&self, stage: usize, rank: usize) -> &[Batch] {
        &self.batches[stage][rank]
    }
}

struct Districts {
    bits: u32,
    /// Number of bits of a chunk's number inside its district.
    inner_bits: u32,
    owners: Vec<usize>,
    /// The largest share of all work, and the sum over the levels of each level's largest share.
    largest: [u64; 2],
}

impl Districts {
    /// Returns the largest districts with a balanced distribution; single chunks if there are none.
    fn even(layout: &PitchLayout, blocks: &impl Fn(usize) -> u64, count: usize) -> Districts {
        let kept = (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk));
        let all: u64 = kept.map(blocks).sum();
        let most = layout.chunks().trailing_zeros();
        let is_even = |districts: &Districts| {
            let mut shares = districts.largest.iter().zip(MAX_IMBALANCE);
            districts.bits == most
                || shares.all(|(&largest, imbalance)| 100 * largest * count as u64 <= imbalance * all)
        };
        (0..=most)
            .filter(|&bits| layout.splits_at(bits as usize))
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
            let most = all * MAX_IMBALANCE[0] / 100 / count as u64;
            for (size, group) in groups {
                // Number of the districts read that a process owns.
                let near = |rank: usize| {
                    let below = |&district: &usize| {
                        let bits = (0..bits).filter(move |bit| district >> bit & 1 == 1);
                        bits.filter(|bit| owners[district ^ 1 << bit] == rank).count()
                    };
                    group.iter().map(below).sum::<usize>()
                };
                let least = |&rank: &usize| (here[rank], total[rank], rank);
                let possible = (0..count).filter(|&rank| here[rank] + size <= most);
                let owner = possible.max_by_key(|rank| (near(*rank), Reverse(least(rank))));
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

/// Cuts chunks, sorted by their number of bits, into stages.
fn split_into_stages(chunks: &[usize], blocks: &impl Fn(usize) -> u64, threads: usize) -> Vec<Vec<Batch>> {
    let mut stages: Vec<Vec<Batch>> = Vec::new();
    let (mut size, mut number) = (0, 0);
    for &chunk in chunks {
        if stages.is_empty() || (size >= STAGE_BLOCKS && number >= threads) {
            stages.push(Vec::new());
            (size, number) = (0, 0);
        }
        let stage = stages.last_mut().expect("a stage was pushed above");
        match stage.last_mut() {
            Some(batch) if batch[0].count_ones() == chunk.count_ones() => batch.push(chunk),
            _ => stage.push(vec![chunk]),
        }
        size += blocks(chunk);
        number += 1;
    }
    stages
}
