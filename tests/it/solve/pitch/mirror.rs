//! The mirror on patterns and on blocks.

use crate::common::random_numbers;
use phutbase::solve::dense::block::Block;
use phutbase::solve::pitch::mirror::Mirror;

/// Exchanges inside words, across, and of words; and bits that stay.
#[test]
fn blocks_are_mirrored_as_their_patterns_are() {
    for images in [
        [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9],
        [1, 0, 2, 4, 3, 6, 5, 7, 8, 11, 10, 9],
        [0, 1, 2, 3, 5, 4, 8, 7, 6, 9, 11, 10],
    ] {
        let mirror = Mirror::new(12, |bit| images[bit]);
        let mut numbers = random_numbers(1);
        let block = Block(std::array::from_fn(|_| numbers.next().unwrap()));
        let mut expected = Block::EMPTY;
        for member in block.members() {
            let image = (0..12).fold(0, |pattern, bit| pattern | (member >> bit & 1) << images[bit]);
            assert_eq!(mirror.of(member as u64), image as u64);
            expected.0[image >> 6] |= 1 << (image & 63);
        }
        assert!(mirror.inside_blocks().of(&block) == expected, "{images:?}");
    }
}
