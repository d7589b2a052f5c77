//! Draws of strips, which no computed table has: planted in tables, they are counted and listed.

use phutbase_ask::queries::draws::{self, Draws};
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::DRAWN;
use phutbase_rules::strip::positions;

#[test]
fn draws_and_mutual_draws_are_counted_and_listed_in_order() {
    for metric in METRICS {
        let table = Planes::with_draws().table(metric);
        for show in [0, 1, 3, 4, 10] {
            // In notation order, '.' before 'o' before '@'.
            let listed = [3, 1, 0, 2].iter().take(show).map(|&place| strip(DRAWN[place]));
            let expected = Draws {
                draws: DRAWN.len().into(),
                mutual_draws: 3u8.into(),
                examples: listed.collect(),
            };
            let found = draws::count(&table, 7, show).unwrap();
            assert_eq!(found, expected, "{metric}, {show} shown");
        }
    }
}

#[test]
fn a_table_without_draws_has_none_and_one_without_wins_has_nothing_else() {
    let none = draws::count(&table(9, Metric::Dtw), 9, 10).unwrap();
    assert_eq!(none, Draws::default());
    let mut planes = Planes::of_reference(9);
    planes.depths.iter_mut().for_each(|plane| plane.fill(0));
    for metric in METRICS {
        let table = planes.table(metric);
        for length in 3..=9 {
            let summary = table.summary(length).unwrap();
            assert_eq!((summary.wins, summary.longest_win), (BigUint::ZERO, 0));
            assert_eq!(table.sets(length).unwrap().longest_win().unwrap(), None);
            let found = draws::count(&table, length, 1).unwrap();
            let all = positions(length);
            assert_eq!((&found.draws, &found.mutual_draws), (&all, &all));
        }
    }
}
