//! Random numbers.

use phutbase_testing::prelude::*;

/// The numbers that Vigna's reference implementation of `SplitMix64` gives.
#[test]
fn numbers_of_a_seed_are_the_published_ones() {
    let expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ];
    let mut random = Uniform::new(1234567);
    assert_eq!(expected.map(|_| random.word()), expected);
}

#[test]
fn numbers_below_a_bound_of_two_words_reach_every_part() {
    let bound = BigUint::from(3u8) << 64;
    let mut random = Uniform::new(1);
    let mut met = [0; 3];
    for _ in 0..3_000 {
        let number = random.below(&bound);
        assert!(number < bound);
        met[usize::try_from(number >> 64).unwrap()] += 1;
    }
    assert!(met.iter().all(|&count| (800..1_200).contains(&count)), "{met:?}");
}
