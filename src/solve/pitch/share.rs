//! Which process has which chunks, and in which order they are done.
//!
//! A chunk, its mirror image, and both turned over, go together: what a process finds out in its chunks are depths of its chunks. Chunks of
//! one level (so many bits in their number) are done at the same time, so each level is shared out by itself, the largest
//! chunks first, to whoever has least of the level so far.

use super::layout::PitchLayout;
use crate::solve::ranks::Team;

/// A process does as many chunks at a time as have so many blocks together, and at least one for each of its threads.
const STEP_BLOCKS: u64 = 1 << 14;

/// How the chunks are shared out.
pub struct Share {
    rank: usize,
    /// For each chunk, kept or not, whose it is.
    owners: Vec<usize>,
    /// For each level and process its kept chunks, step by step.
    steps: Vec<Vec<Vec<Vec<usize>>>>,
}

impl Share {
    /// Shares the chunks out to the processes of a team, with so many threads each. `blocks` is how much work a kept chunk is.
    pub fn new(layout: &PitchLayout, blocks: impl Fn(usize) -> u64, team: &Team, threads: usize) -> Share {
        let (rank, count) = (team.rank(), team.count());
        let owners = match team.several() {
            None => vec![0; layout.chunks()],
            Some(_) => owners(layout, &blocks, count),
        };
        let of = |level: usize, rank: usize| {
            let is_own = |&chunk: &usize| layout.is_kept(chunk) && owners[chunk] == rank;
            let chunks = (0..layout.chunks()).filter(|chunk| chunk.count_ones() as usize == level);
            cut(chunks.filter(is_own), &blocks, threads, count == 1)
        };
        let levels = 0..=layout.chunks().trailing_zeros() as usize;
        let steps = levels.map(|level| (0..count).map(|rank| of(level, rank)).collect());
        let steps = steps.collect();
        Share { rank, owners, steps }
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

    /// The number of levels.
    pub fn levels(&self) -> usize {
        self.steps.len()
    }

    /// The most steps that a process does in a level.
    pub fn steps(&self, level: usize) -> usize {
        self.steps[level].iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The chunks of a process in a step.
    pub fn step(&self, level: usize, rank: usize, step: usize) -> &[usize] {
        self.steps[level][rank].get(step).map_or(&[], Vec::as_slice)
    }
}

/// For each chunk one of so many processes.
fn owners(layout: &PitchLayout, blocks: &impl Fn(usize) -> u64, count: usize) -> Vec<usize> {
    let mut owners = vec![usize::MAX; layout.chunks()];
    let mut total = vec![0; count];
    for level in 0..=layout.chunks().trailing_zeros() {
        let mut groups: Vec<(u64, [usize; 2])> = Vec::new();
        for chunk in
            (0..layout.chunks()).filter(|&chunk| chunk.count_ones() == level && layout.is_kept(chunk))
        {
            let turned = layout.flip_chunk(chunk);
            let turned = turned.min(layout.mirror_chunk(turned));
            if chunk <= turned {
                let both = blocks(chunk) + if chunk < turned { blocks(turned) } else { 0 };
                groups.push((both, [chunk, turned]));
            }
        }
        groups.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
        let mut here = vec![0; count];
        for (size, group) in groups {
            let owner = (0..count).min_by_key(|&rank| (here[rank], total[rank], rank));
            let owner = owner.expect("there is a process");
            here[owner] += size;
            total[owner] += size;
            for chunk in group {
                owners[chunk] = owner;
                owners[layout.mirror_chunk(chunk)] = owner;
            }
        }
    }
    owners
}

/// Cuts the chunks of a process into steps; all at once if there is nobody to exchange blocks with.
fn cut(
    chunks: impl Iterator<Item = usize>,
    blocks: &impl Fn(usize) -> u64,
    threads: usize,
    at_once: bool,
) -> Vec<Vec<usize>> {
    let mut steps: Vec<Vec<usize>> = Vec::new();
    let mut size = 0;
    for chunk in chunks {
        let full = |step: &Vec<usize>| !at_once && size >= STEP_BLOCKS && step.len() >= threads;
        match steps.last_mut() {
            Some(step) if !full(step) => step.push(chunk),
            _ => {
                steps.push(vec![chunk]);
                size = 0;
            }
        }
        size += blocks(chunk);
    }
    steps
}
