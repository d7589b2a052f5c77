//! The layout of positions: the order of points and the places of blocks.

use phutbase_pitches::block::BLOCK_BITS;
use phutbase_pitches::solver::layout::{BlockPlaces, PitchLayout};

#[test]
fn every_point_has_a_bit_and_flips_swap_neighbours() {
    for text in [
        "3x1", "4x3", "5x3", "3x5", "7x3", "6x4", "3x8", "4x7", "15x1", "5x5", "9x2", "3x9", "8x4", "4x10",
    ] {
        let layout = PitchLayout::new(text.parse().unwrap());
        let mut seen = layout.order.to_vec();
        seen.sort();
        assert!(seen.into_iter().eq(0..layout.shape().points()));
        for point in 0..layout.shape().points() {
            assert_eq!(layout.order[layout.bit(point)], point);
            let flipped = layout.flip(1 << layout.bit(point));
            assert_eq!(
                flipped,
                1 << layout.bit(layout.flipped(point)),
                "{text}, point {point}"
            );
            let mirrored = layout.shape().mirrored(point);
            assert_eq!(layout.mirror(1 << layout.bit(point)), 1 << layout.bit(mirrored));
            for bit in [BLOCK_BITS, BLOCK_BITS + layout.inner_bits()] {
                assert_eq!(
                    layout.bit(point) < bit,
                    layout.bit(mirrored) < bit,
                    "{text}, point {point}"
                );
            }
            assert_eq!(
                layout.high_bit(point) == 0,
                layout.high_bit(layout.flipped(point)) == 0
            );
        }
    }
}

#[test]
fn no_two_blocks_share_a_place() {
    for text in ["4x3", "5x3", "3x8", "6x4", "7x2", "3x7", "17x1"] {
        let layout = PitchLayout::new(text.parse().unwrap());
        let balls: Vec<usize> = layout.shape().interior().collect();
        let places = BlockPlaces::new(&layout, &balls);
        let mut seen = std::collections::HashSet::new();
        for &ball in &balls {
            let all = 0..1 << layout.high_bits();
            for high in all.filter(|high| high & layout.high_bit(ball) == 0) {
                let Some((chunk, place)) = places.locate(ball, high) else {
                    let mirrored = layout.mirror_high(high);
                    let ball = layout.shape().mirrored(ball);
                    assert!(places.locate(ball, mirrored).is_some(), "one of two is kept");
                    continue;
                };
                assert!(place < places.size(chunk) && seen.insert((chunk, place)));
            }
        }
        let sizes = (0..layout.chunks()).map(|chunk| places.size(chunk));
        assert_eq!(seen.len(), sizes.sum::<usize>());
    }
}
