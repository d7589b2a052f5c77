//! Texts and numbers for readers.

use phutbase_atlas::text::{label, runs};

#[test]
fn numbers_that_follow_each_other_are_a_run() {
    assert_eq!(runs(&[]), "");
    assert_eq!(runs(&[5]), "5");
    assert_eq!(runs(&[3, 4, 5, 6, 72]), "3 to 6 and 72");
    assert_eq!(runs(&[3, 4, 8, 10, 11, 12]), "3 and 4, 8 and 10 to 12");
}

#[test]
fn labels_are_short() {
    let labels = [0.0, 1e-10, 0.00001, 0.05, 2.1, 30.0, 10_000.0, 2_500_000.0].map(|value| label(&value));
    assert_eq!(
        labels,
        ["0", "10⁻¹⁰", "10⁻⁵", "0.05", "2.1", "30", "10 k", "2.5 M"]
    );
}
