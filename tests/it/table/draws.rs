//! Draws, which no table of the strip has so far: planted by hand in tables, they must be stored, found, counted and ranked.

use crate::table::support::{Planes, both_sides, first_fault, strip, table};
use num_bigint::BigUint;
use phutbase::games::strip::{Strip, positions};
use phutbase::outcome::{Depth, Value, Wdl};
use phutbase::table::Metric;
use phutbase::table::directory::Tablebase;
use phutbase::table::writer::write;
use phutbase::theory::draws::{self, Draws};
use phutbase::verify::{self, Fault};
use std::sync::atomic::AtomicU64;

/// Positions with Left to move that are made draws at n = 7, in the order of the index.
///
/// A board is a mutual draw if it is a draw with Right to move too, that is, if its mirror image is a draw with Left to
/// move. The second and the fourth are mirror images of each other, the third is its own, and the mirror image of
/// the first, `..o.o@.`, is not in the list.
const DRAWN: [&str; 4] = [".@o.o..", ".@...o.", "o..@..o", ".o...@."];
const MUTUAL: u8 = 3;

fn with_draws() -> Planes {
    let mut planes = Planes::of_reference(7);
    DRAWN.iter().for_each(|board| planes.make_draw(&strip(board)));
    planes
}

/// Whether a position of n = 7 was made a draw.
fn is_drawn(position: &Strip) -> bool {
    DRAWN.contains(&position.normalised().to_string().as_str())
}

#[test]
fn planted_draws_are_read_back_and_nothing_else_changes() {
    let good = table(7, Metric::Dtw);
    let all: Vec<Strip> = both_sides(7).collect();
    let expected = |position: &Strip| {
        if is_drawn(position) {
            Value::Draw
        } else {
            good.verdict(position).unwrap().value().unwrap()
        }
    };
    for metric in Metric::ALL {
        for table in with_draws().both_layouts(metric) {
            let verdicts = table.verdicts(&all).unwrap();
            for (position, verdict) in all.iter().zip(verdicts) {
                assert_eq!(verdict.wdl, expected(position).wdl(), "'{position}'");
                assert_eq!(table.verdict(position).unwrap(), verdict, "'{position}'");
                if metric == Metric::Dtw {
                    assert_eq!(verdict.depth, expected(position).depth(), "'{position}'");
                }
            }
            let header = table.header();
            assert_eq!(header.draws, BigUint::from(DRAWN.len()));
            assert_eq!(
                &header.wins + &header.losses + &header.draws,
                positions(7).unwrap().into()
            );
        }
    }
}

#[test]
fn draws_and_mutual_draws_are_counted_and_listed_in_order() {
    for metric in Metric::ALL {
        for table in with_draws().both_layouts(metric) {
            for show in [0, 1, 3, 4, 10] {
                // In the order of the notation, '.' before 'o' before '@'.
                let listed = [3, 1, 0, 2].iter().take(show).map(|&place| strip(DRAWN[place]));
                let expected = Draws {
                    draws: DRAWN.len().into(),
                    mutual_draws: MUTUAL.into(),
                    examples: listed.collect(),
                };
                assert_eq!(
                    draws::count(&table, show).unwrap(),
                    expected,
                    "{metric}, {show} shown"
                );
            }
        }
    }
}

#[test]
fn a_table_without_draws_has_none_and_one_without_wins_has_nothing_else() {
    assert_eq!(
        draws::count(&table(9, Metric::Dtw).into(), 10).unwrap(),
        Draws::default()
    );
    let mut planes = Planes::of_reference(9);
    planes.depths.iter_mut().for_each(|plane| plane.fill(0));
    for metric in Metric::ALL {
        for table in planes.both_layouts(metric) {
            assert_eq!(table.header().wins, BigUint::ZERO);
            assert_eq!(table.header().longest_win, 0);
            assert_eq!(table.description().longest_win, "");
            let found = draws::count(&table, 1).unwrap();
            let all = BigUint::from(positions(9).unwrap());
            assert_eq!((&found.draws, &found.mutual_draws), (&all, &all));
        }
    }
}

#[test]
fn draws_in_many_blocks_are_found_in_order() {
    // Ball on square 2 with the high patterns 0, 1, 2, and the mirror image of the second.
    let drawn = [
        "o.@............",
        "..@..o....o.oo.",
        "..@...........o",
        ".oo.o....o..@..",
    ];
    let mut planes = Planes::of_table(&table(15, Metric::Dtw));
    drawn.iter().for_each(|board| planes.make_draw(&strip(board)));
    for metric in Metric::ALL {
        for table in planes.both_layouts(metric) {
            let found = draws::count(&table, 3).unwrap();
            assert_eq!((found.draws, found.mutual_draws), (4u8.into(), 2u8.into()));
            assert_eq!(found.examples, [drawn[2], drawn[1], drawn[3]].map(strip));
        }
    }
}

#[test]
fn a_drawing_turn_is_rated_below_the_wins_and_above_the_losses() {
    // @5 wins; o6 lost in 2, which put it among the last, until the board after it was made a draw.
    let position = strip("o@o.o..");
    let (drawing, after) = ("o6".parse().unwrap(), strip("o@o.o.o R"));
    let mut planes = Planes::of_reference(7);
    assert_eq!(
        planes.table(Metric::Dtw).verdict(&after).unwrap(),
        Value::Win(Depth(1)).into()
    );
    planes.make_draw(&after);
    let directory = tempfile::tempdir().unwrap();
    write(&planes, Metric::Dtw, directory.path()).unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    let rated = tables.rated_turns(&position).unwrap();
    assert_eq!(rated.len(), position.turns().len());
    let draw = rated.iter().position(|turn| turn.turn == drawing).unwrap();
    for (rank, turn) in rated.iter().enumerate() {
        let expected = match rank.cmp(&draw) {
            std::cmp::Ordering::Less => Wdl::Win,
            std::cmp::Ordering::Equal => Wdl::Draw,
            std::cmp::Ordering::Greater => Wdl::Loss,
        };
        assert_eq!(turn.verdict.wdl, expected, "{}", turn.turn);
        assert_eq!(turn.verdict.depth.is_none(), rank == draw);
    }
    assert!(
        draw > 0 && draw + 1 < rated.len(),
        "there are wins and losses: {rated:?}"
    );
    assert_eq!(tables.verdict(&after).unwrap(), Value::Draw.into());
    assert!(
        tables.best_line(&after).unwrap().is_empty(),
        "there is no end to play for"
    );
}

#[test]
fn verify_does_not_believe_in_planted_draws() {
    for metric in Metric::ALL {
        let mut planes = with_draws();
        let expected = first_fault(&mut planes, metric);
        assert!(expected.is_some());
        let [dense, diagrams] = planes.both_layouts(metric);
        let found = verify::check(&dense, &AtomicU64::new(0)).unwrap();
        assert_eq!(found, expected, "{metric}");
        let found = verify::check(&diagrams, &AtomicU64::new(0)).unwrap();
        assert!(matches!(found, Some(Fault::Sets { .. })), "{metric}: {found:?}");
    }
}
