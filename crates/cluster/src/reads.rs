//! The blocks that the sweep of a chunk reads of other chunks.

use phutbase_pitches::solver::layout::PitchLayout;
use phutbase_pitches::solver::map::valid;
use phutbase_pitches::solver::work_list::WorkList;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Store {
    Target,
    /// The patterns from which jumps reach T.
    Reach,
}

/// Blocks of a store with the ball on one point, in one word of a chunk, kept or not.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub store: Store,
    pub chunk: usize,
    pub word: usize,
    pub ball: usize,
    pub bits: u64,
}

/// Passes to `found` the blocks that a chunk reads of the other chunks chosen by `wanted`.
pub fn reads(
    layout: &PitchLayout,
    work_list: &WorkList<'_>,
    chunk: usize,
    wanted: impl Fn(usize) -> bool,
    mut found: impl FnMut(Read),
) {
    let map = &work_list.blocks;
    let chunks = (0..layout.chunks().trailing_zeros()).map(|bit| chunk | 1 << bit);
    for to in chunks.filter(|&to| !map.is_empty_in(chunk) && to != chunk && wanted(to)) {
        for (word, ball) in
            (0..map.in_chunk).flat_map(|word| layout.shape().interior().map(move |ball| (word, ball)))
        {
            let bits = map.words[map.at(chunk, word) + ball] & work_list.informative(map.at(to, word) + ball);
            // No chap can be placed on the ball's own point.
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
    let needed = &work_list.needed;
    if needed.is_empty_in(chunk) {
        return;
    }
    for link in work_list
        .links
        .outward
        .iter()
        .filter(|link| link.chunk_over != 0 && link.fits_chunk(chunk))
    {
        let to = chunk & !link.chunk_over;
        if !wanted(to) {
            continue;
        }
        for word in (0..needed.in_chunk).filter(|&word| link.fits(chunk, word)) {
            let (there, ball) = (word & !link.inside.over, link.to);
            let fresh = work_list
                .fresh
                .as_ref()
                .map_or(u64::MAX, |fresh| fresh.words[fresh.at(to, there) + ball]);
            let bits = link.image(needed.words[needed.at(chunk, word) + link.from]) & fresh;
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
