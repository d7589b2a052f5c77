//! The work list: the blocks that a ply has to read and update.
//!
//! A ply decides a position only if one of its turns leads to a position that the ply before
//! decided: everything older was already used by the last ply with the same side to move. Each
//! ply therefore records which blocks it added to, one bit for a block. Before the next ply, the
//! jumps between blocks, 64 blocks at a time, give
//!
//! * *fresh* blocks, in which `reach` may have gained: T has changed there, or a jump leads to a
//!   fresh block (in ascending order, because jumps lead to smaller patterns);
//! * the blocks to update: fresh, or one placement away from a changed block, and not fully
//!   decided;
//! * the blocks in which these updates need `reach` (in descending order), because every ply
//!   computes `reach` again.
//!
//! A ply that asks for *some* turn into T gains by new members of T alone and treats blocks that
//! are not fresh or not changed as empty. A ply that asks for *no* turn out of T reads all blocks
//! except those with every position in T.

use super::hops::{CompiledJumps, Target, WordJump};
use super::layout::PitchLayout;
use super::map::{BlockMap, valid};
use phutbase_base::bits::ZEROS;

/// Jumps of one length from one point, as a relation between blocks.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub chunk_over: usize,
    chunk_clear: usize,
    /// The action on the blocks of a chunk.
    pub inside: WordJump,
}

impl Link {
    fn new(layout: &PitchLayout, from: usize, to: usize, over: usize, clear: usize) -> Link {
        let (chunk_over, over) = layout.parts(over);
        let (chunk_clear, clear) = layout.parts(clear | layout.high_bit(from));
        Link {
            from,
            to,
            chunk_over,
            chunk_clear,
            inside: WordJump::new(over, clear, layout.inner_bits().min(6)),
        }
    }

    /// Returns whether the jump stays within 64 blocks that share a word.
    fn is_inside(&self) -> bool {
        self.chunk_over | self.inside.over == 0
    }

    #[inline(always)]
    pub fn fits(&self, chunk: usize, word: usize) -> bool {
        self.fits_chunk(chunk) && self.inside.fits(word)
    }

    #[inline(always)]
    pub fn fits_chunk(&self, chunk: usize) -> bool {
        chunk & self.chunk_over == self.chunk_over && chunk & self.chunk_clear == 0
    }

    /// Returns the blocks from which the jump leads into `bits`.
    #[inline(always)]
    fn preimage(&self, bits: u64) -> u64 {
        bits << self.inside.shift & self.inside.mask
    }

    /// Returns the blocks to which the jump leads from `bits`.
    #[inline(always)]
    pub fn image(&self, bits: u64) -> u64 {
        (bits & self.inside.mask) >> self.inside.shift
    }
}

/// All jumps towards one goal, as a relation between blocks.
pub struct Links {
    /// Jumps to other words of a map.
    pub outward: Vec<Link>,
    inside: Vec<Link>,
    reach_balls: Vec<usize>,
}

/// Blocks that a ply reads and updates.
pub struct WorkList<'a> {
    pub links: &'a Links,
    pub blocks: BlockMap,
    /// The kept blocks in which `reach` is computed.
    pub needed: BlockMap,
    /// The blocks in which `reach` may have gained, the others counting as empty; `None` for all.
    pub fresh: Option<BlockMap>,
    /// Incremental: the changed blocks of T, the only informative ones. Otherwise: the full blocks
    /// of T, the only uninformative ones. `None` if all blocks are informative.
    informative: Option<&'a BlockMap>,
    incremental: bool,
}

impl WorkList<'_> {
    /// Returns whether a block of T can add to the result.
    #[inline(always)]
    pub fn is_informative(&self, layout: &PitchLayout, ball: usize, high: usize) -> bool {
        (self.informative).is_none_or(|map| map.has(layout, ball, high) == self.incremental)
    }

    /// Returns whether `reach` may have gained in a block.
    #[inline(always)]
    pub fn is_fresh(&self, layout: &PitchLayout, ball: usize, high: usize) -> bool {
        (self.fresh.as_ref()).is_none_or(|fresh| fresh.has(layout, ball, high))
    }

    /// Returns the informative blocks among 64 of T.
    pub fn informative(&self, at: usize) -> u64 {
        match self.informative {
            None => u64::MAX,
            Some(map) if self.incremental => map.words[at],
            Some(map) => !map.words[at],
        }
    }
}

pub struct WorkListInput<'a, 'b> {
    /// Blocks of T changed since the last ply with the same side to move; `None` for all.
    pub changed: Option<&'a BlockMap>,
    /// Blocks in which every position of the side to move is decided.
    pub full: &'b BlockMap,
    /// Blocks in which T has every position.
    pub target_full: &'a BlockMap,
    /// The ply asks for some turn into T, so that only new members of T lead to more.
    pub incremental: bool,
}

impl Links {
    pub fn new(layout: &PitchLayout, jumps: &[CompiledJumps], reach_balls: &[usize]) -> Links {
        let mut links = Vec::new();
        for &from in reach_balls {
            let hops = jumps[from].outward.iter().flatten().chain(&jumps[from].inside);
            links.extend(hops.filter_map(|hop| match hop.target {
                Target::Ball(to) => Some(Link::new(layout, from, to, hop.over, hop.clear)),
                Target::Home => None,
            }));
        }
        let (inside, outward) = links.into_iter().partition(Link::is_inside);
        Links {
            outward,
            inside,
            reach_balls: reach_balls.to_vec(),
        }
    }

    pub fn work_list<'a>(&'a self, layout: &PitchLayout, before: &WorkListInput<'a, '_>) -> WorkList<'a> {
        let (fresh, mut blocks) = match before.changed {
            Some(changed) => {
                let fresh = self.fresh(layout, changed);
                let blocks = may_gain(layout, changed, &fresh);
                (fresh, blocks)
            }
            None => {
                let interior: Vec<usize> = layout.shape().interior().collect();
                let every = BlockMap::every(layout, &interior);
                (BlockMap::every(layout, &self.reach_balls), every)
            }
        };
        for (chunk, words) in blocks.chunks_mut().enumerate() {
            let full = before.full.chunk(chunk);
            let kept = u64::from(layout.is_kept(chunk)).wrapping_neg();
            words
                .iter_mut()
                .zip(full)
                .for_each(|(word, full)| *word &= kept & !full);
        }
        let fresh = before.incremental.then_some(fresh);
        WorkList {
            links: self,
            needed: self.needed(layout, &blocks, fresh.as_ref()),
            blocks,
            fresh,
            informative: if before.incremental {
                before.changed
            } else {
                Some(before.target_full)
            },
            incremental: before.incremental,
        }
    }

    /// Returns the blocks in which `reach` may have gained.
    fn fresh(&self, layout: &PitchLayout, changed: &BlockMap) -> BlockMap {
        let mut fresh = changed.clone();
        for chunk in 0..layout.chunks() {
            for word in 0..fresh.in_chunk {
                let at = fresh.at(chunk, word);
                for link in self.outward.iter().filter(|link| link.fits(chunk, word)) {
                    let there = fresh.at(chunk & !link.chunk_over, word & !link.inside.over);
                    fresh.words[at + link.from] |= link.preimage(fresh.words[there + link.to]);
                }
                let words = &mut fresh.words[at..][..fresh.points];
                until_stable(&self.inside, chunk, word, |link| {
                    let gained = link.preimage(words[link.to]) & !words[link.from];
                    words[link.from] |= gained;
                    gained
                });
            }
        }
        fresh
    }

    /// Returns the blocks in which `reach` is needed to update `blocks`, limited to `fresh` if
    /// given.
    fn needed(&self, layout: &PitchLayout, blocks: &BlockMap, fresh: Option<&BlockMap>) -> BlockMap {
        let mut needed = blocks.clone();
        let allowed = |at: usize| fresh.map_or(u64::MAX, |fresh| fresh.words[at]);
        for (at, word) in needed.words.iter_mut().enumerate() {
            *word &= allowed(at);
        }
        for chunk in (0..layout.chunks()).rev() {
            if !layout.is_kept(chunk) {
                // The mirror image has a lower number, so it is still to come.
                needed.add_mirrored(layout, chunk, layout.mirror_chunk(chunk));
                let size = needed.in_chunk * needed.points;
                needed.words[chunk * size..][..size].fill(0);
                continue;
            }
            for word in (0..needed.in_chunk).rev() {
                let at = needed.at(chunk, word);
                let words = &mut needed.words[at..][..needed.points];
                if words.iter().all(|&bits| bits == 0) {
                    continue;
                }
                until_stable(&self.inside, chunk, word, |link| {
                    let gained = link.image(words[link.from]) & allowed(at + link.to) & !words[link.to];
                    words[link.to] |= gained;
                    gained
                });
                for link in self.outward.iter().filter(|link| link.fits(chunk, word)) {
                    let there = needed.at(chunk & !link.chunk_over, word & !link.inside.over) + link.to;
                    needed.words[there] |= link.image(needed.words[at + link.from]) & allowed(there);
                }
            }
        }
        needed
    }
}

/// Follows the jumps inside a word until none gains; `follow` returns the gained blocks.
#[inline(always)]
fn until_stable(links: &[Link], chunk: usize, word: usize, mut follow: impl FnMut(&Link) -> u64) {
    let fitting = || links.iter().filter(|link| link.fits(chunk, word));
    while fitting().fold(0, |gained, link| gained | follow(link)) != 0 {}
}

/// Returns the blocks that may gain: fresh, or one placement away from a changed block.
fn may_gain(layout: &PitchLayout, changed: &BlockMap, fresh: &BlockMap) -> BlockMap {
    let mut found = BlockMap::none(layout);
    let interior: Vec<usize> = layout.shape().interior().collect();
    let inner_bits = layout.inner_bits();
    for chunk in (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk)) {
        for word in 0..found.in_chunk {
            let at = found.at(chunk, word);
            for &ball in &interior {
                let mut bits = fresh.words[at + ball];
                for (bit, zeros) in ZEROS.iter().enumerate().take(inner_bits) {
                    bits |= changed.words[at + ball] >> (1 << bit) & zeros;
                }
                for bit in inner_bits.min(6)..layout.high_bits() {
                    let (to_chunk, to_inner) = layout.parts(1 << bit);
                    if chunk & to_chunk == 0 && word & to_inner >> 6 == 0 {
                        bits |= changed.words[changed.at(chunk | to_chunk, word | to_inner >> 6) + ball];
                    }
                }
                found.words[at + ball] = bits & valid(layout, ball, chunk, word);
            }
        }
    }
    found
}
