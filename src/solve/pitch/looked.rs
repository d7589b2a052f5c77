//! Which blocks a ply has to look at.
//!
//! A position is decided by a ply only if one of its turns leads to what the ply before decided: on the side to move nothing has happened
//! since its own last ply but that one. So of each set there is a map, one bit for a block, of what its last ply added to; and before a
//! ply the jumps between blocks, 64 blocks at a time, say
//!
//! * where `reach` may have gained: the block of T has changed, or a jump leads to a block where `reach` may have gained (*fresh*, in
//!   ascending order, as jumps lead to smaller patterns);
//! * which blocks are to be looked at: those that are fresh or that a placement takes to a changed block, unless all is decided there;
//! * of which blocks `reach` is needed for that (in descending order), as it is worked out anew in each ply.
//!
//! A ply that asks for *some* turn into T gains by new members of T alone: what is not fresh, or not changed, it takes for
//! empty. One that asks for *no* turn out of T reads all, but for blocks of which T has every position.

use super::super::dense::block::ZEROS;
use super::hops::{CompiledJumps, Target};
use super::layout::PitchLayout;
use super::map::{BlockMap, valid};

/// Jumps of one length from one point, as they lead from block to block.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: usize,
    to: usize,
    chunk_over: usize,
    chunk_clear: usize,
    word_over: usize,
    word_clear: usize,
    mask: u64,
    shift: u32,
}

impl Link {
    fn new(layout: &PitchLayout, from: usize, to: usize, over: usize, clear: usize) -> Link {
        let clear = clear | layout.high_bit(from);
        let inner_bits = layout.inner_bits();
        let parts = |bits: usize| {
            let (chunk, inner) = layout.parts(bits);
            (chunk, inner >> 6, inner & 63)
        };
        let (chunk_over, word_over, over) = parts(over);
        let (chunk_clear, word_clear, clear) = parts(clear);
        Link {
            from,
            to,
            chunk_over,
            chunk_clear,
            word_over,
            word_clear,
            mask: (0..1usize << inner_bits.min(6))
                .filter(|index| index & over == over && index & clear == 0)
                .fold(0, |mask, index| mask | 1 << index),
            shift: over as u32,
        }
    }

    /// Whether the jump leads from some of 64 blocks to some of the same.
    fn is_inside(&self) -> bool {
        self.chunk_over | self.word_over == 0
    }

    #[inline(always)]
    fn fits(&self, chunk: usize, word: usize) -> bool {
        chunk & self.chunk_over == self.chunk_over
            && word & self.word_over == self.word_over
            && (chunk & self.chunk_clear) | (word & self.word_clear) == 0
    }

    fn fits_chunk(&self, chunk: usize) -> bool {
        chunk & self.chunk_over == self.chunk_over && chunk & self.chunk_clear == 0
    }

    /// The blocks from which the jump leads into some.
    #[inline(always)]
    fn back(&self, bits: u64) -> u64 {
        bits << self.shift & self.mask
    }

    /// The blocks that the jump leads to from some.
    #[inline(always)]
    fn forth(&self, bits: u64) -> u64 {
        (bits & self.mask) >> self.shift
    }
}

/// All jumps towards one goal, as they lead from block to block.
pub struct Links {
    /// To other words of a map.
    outward: Vec<Link>,
    /// To the same word.
    inside: Vec<Link>,
    reach_balls: Vec<usize>,
}

/// What a ply looks at.
pub struct Looked<'a> {
    /// The kept blocks that may gain.
    pub blocks: BlockMap,
    /// The kept blocks of `reach` that are worked out.
    pub needed: BlockMap,
    /// The blocks of `reach` that are not taken for empty; `None` if none is.
    pub fresh: Option<BlockMap>,
    /// Blocks of T: those that changed, which alone lead to more; or, if not by news, those that are full, which lead nowhere. `None` if
    /// all are to be read.
    telling: Option<&'a BlockMap>,
    by_news: bool,
}

/// A store that a ply reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Store {
    /// T.
    Target,
    /// What jumps reach.
    Reach,
}

/// Blocks of a store with the ball on one point: those of a word in a chunk, kept or not.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub store: Store,
    pub chunk: usize,
    pub word: usize,
    pub ball: usize,
    pub bits: u64,
}

impl Looked<'_> {
    /// Whether a block of T tells anything.
    #[inline(always)]
    pub fn tells(&self, layout: &PitchLayout, ball: usize, high: usize) -> bool {
        (self.telling).is_none_or(|map| map.has(layout, ball, high) == self.by_news)
    }

    /// Whether a block of `reach` is not taken for empty.
    #[inline(always)]
    pub fn is_fresh(&self, layout: &PitchLayout, ball: usize, high: usize) -> bool {
        (self.fresh.as_ref()).is_none_or(|fresh| fresh.has(layout, ball, high))
    }

    /// Of 64 blocks of T those that tell something.
    fn telling(&self, at: usize) -> u64 {
        match self.telling {
            None => u64::MAX,
            Some(map) if self.by_news => map.words[at],
            Some(map) => !map.words[at],
        }
    }
}

/// What is known before a ply.
pub struct Before<'a, 'b> {
    /// Where T has changed since the last ply of the side to move; `None` for everywhere.
    pub changed: Option<&'a BlockMap>,
    /// Where every position of the side to move is decided.
    pub full: &'b BlockMap,
    /// Where T has every position.
    pub target_full: &'a BlockMap,
    /// Whether new members of T alone lead to more.
    pub by_news: bool,
}

impl Links {
    /// The jumps of a shape.
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

    /// What a ply has to look at.
    pub fn look<'a>(&self, layout: &PitchLayout, before: &Before<'a, '_>) -> Looked<'a> {
        let (fresh, mut blocks) = match before.changed {
            Some(changed) => {
                let fresh = self.fresh(layout, changed);
                let blocks = lookworthy(layout, changed, &fresh);
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
        let fresh = before.by_news.then_some(fresh);
        Looked {
            needed: self.needed(layout, &blocks, fresh.as_ref()),
            blocks,
            fresh,
            telling: if before.by_news {
                before.changed
            } else {
                Some(before.target_full)
            },
            by_news: before.by_news,
        }
    }

    /// What a chunk reads of others; `wanted` says of which.
    pub fn reads(
        &self,
        layout: &PitchLayout,
        looked: &Looked<'_>,
        chunk: usize,
        wanted: impl Fn(usize) -> bool,
        mut found: impl FnMut(Read),
    ) {
        let map = &looked.blocks;
        let any = |map: &BlockMap| map.chunk(chunk).iter().any(|&bits| bits != 0);
        let chunks = (0..layout.chunks().trailing_zeros()).map(|bit| chunk | 1 << bit);
        for to in chunks.filter(|&to| any(map) && to != chunk && wanted(to)) {
            for (word, ball) in
                (0..map.in_chunk).flat_map(|word| layout.shape().interior().map(move |ball| (word, ball)))
            {
                let bits = map.words[map.at(chunk, word) + ball] & looked.telling(map.at(to, word) + ball);
                // The ball's own point is no place for a chap.
                let bits = bits & valid(layout, ball, to, word);
                if bits != 0 {
                    found(Read {
                        store: Store::Target,
                        chunk: to,
                        word,
                        ball,
                        bits,
                    });
                }
            }
        }
        let needed = &looked.needed;
        if !any(needed) {
            return;
        }
        for link in self
            .outward
            .iter()
            .filter(|link| link.chunk_over != 0 && link.fits_chunk(chunk))
        {
            let to = chunk & !link.chunk_over;
            if !wanted(to) {
                continue;
            }
            for word in (0..needed.in_chunk).filter(|&word| link.fits(chunk, word)) {
                let (there, ball) = (word & !link.word_over, link.to);
                let fresh = looked
                    .fresh
                    .as_ref()
                    .map_or(u64::MAX, |fresh| fresh.words[fresh.at(to, there) + ball]);
                let bits = link.forth(needed.words[needed.at(chunk, word) + link.from]) & fresh;
                if bits != 0 {
                    found(Read {
                        store: Store::Reach,
                        chunk: to,
                        word: there,
                        ball,
                        bits,
                    });
                }
            }
        }
    }

    /// Where `reach` may have gained.
    fn fresh(&self, layout: &PitchLayout, changed: &BlockMap) -> BlockMap {
        let mut fresh = changed.clone();
        for chunk in 0..layout.chunks() {
            for word in 0..fresh.in_chunk {
                let at = fresh.at(chunk, word);
                for link in self.outward.iter().filter(|link| link.fits(chunk, word)) {
                    let there = fresh.at(chunk & !link.chunk_over, word & !link.word_over);
                    fresh.words[at + link.from] |= link.back(fresh.words[there + link.to]);
                }
                let words = &mut fresh.words[at..][..fresh.points];
                until_stable(&self.inside, chunk, word, |link| {
                    let gained = link.back(words[link.to]) & !words[link.from];
                    words[link.from] |= gained;
                    gained
                });
            }
        }
        fresh
    }

    /// Of which blocks `reach` is needed to look at some; where it is not fresh, if that is asked, it is not.
    fn needed(&self, layout: &PitchLayout, blocks: &BlockMap, fresh: Option<&BlockMap>) -> BlockMap {
        let mut needed = blocks.clone();
        let allowed = |at: usize| fresh.map_or(u64::MAX, |fresh| fresh.words[at]);
        for (at, word) in needed.words.iter_mut().enumerate() {
            *word &= allowed(at);
        }
        for chunk in (0..layout.chunks()).rev() {
            if !layout.is_kept(chunk) {
                // Its mirror image has the lower number.
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
                    let gained = link.forth(words[link.from]) & allowed(at + link.to) & !words[link.to];
                    words[link.to] |= gained;
                    gained
                });
                for link in self.outward.iter().filter(|link| link.fits(chunk, word)) {
                    let there = needed.at(chunk & !link.chunk_over, word & !link.word_over) + link.to;
                    needed.words[there] |= link.forth(needed.words[at + link.from]) & allowed(there);
                }
            }
        }
        needed
    }
}

/// Follows the jumps inside 64 blocks until none leads to more; `follow` returns what is gained.
#[inline(always)]
fn until_stable(links: &[Link], chunk: usize, word: usize, mut follow: impl FnMut(&Link) -> u64) {
    let fitting = || links.iter().filter(|link| link.fits(chunk, word));
    while fitting().fold(0, |gained, link| gained | follow(link)) != 0 {}
}

/// The blocks that may gain: fresh, or a placement leads to a changed one.
fn lookworthy(layout: &PitchLayout, changed: &BlockMap, fresh: &BlockMap) -> BlockMap {
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
