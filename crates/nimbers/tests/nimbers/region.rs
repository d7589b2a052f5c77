//! Regions: canonical forms, twins, components.

use phutbase_nimbers::region::{Region, connected};
use phutbase_rules::obstruction::{MAX_SQUARES, bits, with_neighbours};
use proptest::prelude::*;

/// Returns the squares as coordinates.
fn coordinates(columns: usize, squares: u128) -> impl Iterator<Item = (usize, usize)> {
    bits(squares).map(move |bit| (bit / columns, bit % columns))
}

/// Counts the classes of squares with equal closed neighbourhoods, from the definition.
fn classes_of_twins(columns: usize, squares: u128) -> usize {
    let mut neighbourhoods: Vec<u128> = bits(squares)
        .map(|bit| with_neighbours(columns, 1 << bit) & squares)
        .collect();
    neighbourhoods.sort_unstable();
    neighbourhoods.dedup();
    neighbourhoods.len()
}

/// Generates numbers of columns and rows, and a set of squares.
fn sets() -> impl Strategy<Value = (usize, usize, u128)> {
    (
        1usize..=12,
        1usize..=12,
        any::<u128>(),
        any::<u128>(),
        any::<bool>(),
    )
        .prop_filter("fits", |(columns, rows, ..)| columns * rows <= MAX_SQUARES)
        .prop_map(|(columns, rows, one, other, sparse)| {
            let squares = if sparse { one & other } else { one };
            (
                columns,
                rows,
                squares & u128::MAX >> (MAX_SQUARES - columns * rows),
            )
        })
}

proptest! {
    #[test]
    fn symmetric_images_have_one_canonical_form((columns, rows, squares) in sets()) {
        let canonical = Region::new(columns, squares).canonical();
        let image = |width: usize, map: &dyn Fn(usize, usize) -> (usize, usize)| {
            let moved = coordinates(columns, squares).map(|(row, column)| map(row, column));
            let set = moved.fold(0, |set, (row, column)| set | 1u128 << (row * width + column));
            Region::new(width, set).canonical()
        };
        prop_assert_eq!(image(columns, &|row, column| (rows - 1 - row, column)), canonical);
        prop_assert_eq!(image(columns, &|row, column| (row, columns - 1 - column)), canonical);
        prop_assert_eq!(image(rows, &|row, column| (column, row)), canonical);
    }

    #[test]
    fn one_of_each_class_of_twins_is_kept((columns, _rows, squares) in sets()) {
        let reduced = Region::new(columns, squares).without_twins();
        prop_assert_eq!(reduced.len() as usize, classes_of_twins(columns, squares));
        prop_assert_eq!(reduced.without_twins(), reduced);
    }

    #[test]
    fn components_are_apart_and_nothing_is_lost((columns, _rows, squares) in sets()) {
        let mut rest = squares;
        let mut sizes = 0;
        for one in connected(squares, |set| with_neighbours(columns, set)) {
            rest &= !one;
            prop_assert_eq!(with_neighbours(columns, one) & rest, 0);
            sizes += one.count_ones();
        }
        prop_assert_eq!(sizes, squares.count_ones());
    }
}
