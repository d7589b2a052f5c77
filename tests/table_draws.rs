//! Draws, which no table of the strip has so far: planted by hand in tables, they must be stored, found, counted and ranked.

mod table_support;

use phutbase::games::strip::{Strip, positions};
use phutbase::outcome::{Depth, Value, Wdl};
use phutbase::table::Metric;
use phutbase::table::directory::Tablebase;
use phutbase::table::writer::write;
use phutbase::theory::draws::{self, Draws};
use phutbase::verify;
use std::sync::atomic::AtomicU64;
use table_support::{Planes, both_sides, first_fault, strip, table};

/// Positions with Left to move that are made draws at n = 7, in the order of the index.
///
/// A board is a mutual draw if it is a draw with Right to move too, that is, if its mirror image is a draw with Left to
/// move. The second and the fourth are mirror images of each other, the third is its own, and the mirror image of
/// the first, `..o.o@.`, is not in the list.
const DRAWN: [&str; 4] = [".@o.o..", ".@...o.", "o..@..o", ".o...@."];
const MUTUAL: u128 = 3;

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
    let [dtw, wdl] = Metric::ALL.map(|metric| with_draws().table(metric));
    let all: Vec<Strip> = both_sides(7).collect();
    let values = dtw.values(&all).unwrap();
    let outcomes = wdl.wdls(&all).unwrap();
    for ((position, value), outcome) in all.iter().zip(values).zip(outcomes) {
        let expected = if is_drawn(position) {
            Value::Draw
        } else {
            good.value(position).unwrap()
        };
        assert_eq!(value, expected, "'{position}'");
        assert_eq!(outcome, expected.wdl(), "'{position}'");
        assert_eq!(dtw.value(position).unwrap(), expected, "'{position}'");
        assert_eq!(wdl.wdl(position).unwrap(), expected.wdl(), "'{position}'");
    }
    for table in [&dtw, &wdl] {
        let header = table.header();
        assert_eq!(header.draws, DRAWN.len() as u128);
        assert_eq!(Some(header.wins + header.losses + header.draws), positions(7));
    }
}

#[test]
fn draws_and_mutual_draws_are_counted_and_listed_in_order() {
    for metric in Metric::ALL {
        let table = with_draws().table(metric);
        for show in [0, 1, 3, 4, 10] {
            let expected = Draws {
                draws: DRAWN.len() as u128,
                mutual_draws: MUTUAL,
                examples: DRAWN.iter().take(show).map(|board| strip(board)).collect(),
            };
            assert_eq!(
                draws::count(&table, show).unwrap(),
                expected,
                "{metric}, {show} shown"
            );
        }
    }
}

#[test]
fn a_table_without_draws_has_none_and_one_without_wins_has_nothing_else() {
    assert_eq!(
        draws::count(&table(9, Metric::Dtw), 10).unwrap(),
        Draws::default()
    );
    let mut planes = Planes::of_reference(9);
    planes.depths.iter_mut().for_each(|plane| plane.fill(0));
    for metric in Metric::ALL {
        let table = planes.table(metric);
        assert_eq!((table.header().wins, table.header().longest_win), (0, 0));
        assert_eq!(table.description().longest_win, "");
        let found = draws::count(&table, 1).unwrap();
        assert_eq!(
            (Some(found.draws), Some(found.mutual_draws)),
            (positions(9), positions(9))
        );
    }
}

#[test]
fn draws_in_many_blocks_are_found_in_the_order_of_the_index() {
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
        let found = draws::count(&planes.table(metric), 3).unwrap();
        assert_eq!((found.draws, found.mutual_draws), (4, 2));
        assert_eq!(found.examples, [drawn[0], drawn[1], drawn[2]].map(strip));
    }
}

#[test]
fn a_drawing_turn_is_rated_below_the_wins_and_above_the_losses() {
    // @5 wins; o6 lost in 2, which put it among the last, until the board after it was made a draw.
    let position = strip("o@o.o..");
    let (drawing, after) = ("o6".parse().unwrap(), strip("o@o.o.o R"));
    let mut planes = Planes::of_reference(7);
    assert_eq!(
        planes.table(Metric::Dtw).value(&after).unwrap(),
        Value::Win(Depth(1))
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
        let found = verify::check(&planes.table(metric), &AtomicU64::new(0)).unwrap();
        assert_eq!(found, expected, "{metric}");
    }
}
