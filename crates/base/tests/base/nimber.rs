//! Values of impartial games.

use phutbase_base::nimber::{Nimber, mex};

#[test]
fn the_mex_is_the_least_missing_number() {
    let of = |numbers: &[u8]| mex(numbers.iter().map(|&number| Nimber(number)));
    assert_eq!(of(&[]), Some(Nimber(0)));
    assert_eq!(of(&[1, 2]), Some(Nimber(0)));
    assert_eq!(of(&[1, 0, 3, 0]), Some(Nimber(2)));
    assert_eq!(mex((0..=255).map(Nimber)), None);
}
