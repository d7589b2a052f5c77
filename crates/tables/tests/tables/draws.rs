//! Draws, which no computed table of the strip has: planted in tables, they must be stored and
//! ranked.

use phutbase_ask::queries::draws;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::DRAWN;
use phutbase_rules::strip::positions;
use std::cmp::Ordering;

/// Returns the value of a position of n = 7 after that change.
fn expected(position: &Strip) -> Value {
    if DRAWN.contains(&position.normalised().to_string().as_str()) {
        Value::Draw
    } else {
        reference_value(position)
    }
}

#[test]
fn planted_draws_are_read_back_and_nothing_else_changes() {
    let all: Vec<Strip> = both_sides(7).collect();
    for metric in METRICS {
        let table = Planes::with_draws().table(metric);
        for position in &all {
            let verdict = table.verdict(position).unwrap();
            assert_eq!(verdict.wdl, expected(position).wdl(), "'{position}'");
            if metric == Metric::Dtw {
                assert_eq!(verdict.depth, expected(position).depth(), "'{position}'");
            }
        }
        let summary = table.summary(7).unwrap();
        assert_eq!(summary.draws, BigUint::from(DRAWN.len()));
        assert_eq!(summary.positions(), positions(7));
        // Draws of shorter strips are those with stones on the last squares.
        assert_eq!(table.summary(6).unwrap().draws, 1u8.into());
        assert_eq!(draws::count(&table, 6, 9).unwrap().examples, [strip("o..@..")]);
        assert_eq!(table.summary(5).unwrap().draws, BigUint::ZERO);
    }
}

#[test]
fn a_drawing_turn_is_rated_below_the_wins_and_above_the_losses() {
    // @5 wins; o6 lost in 2, which ranked it among the last, until the board after it became a
    // draw.
    let position = strip("o@o.o..");
    let (drawing, after) = ("o6".parse().unwrap(), strip("o@o.o.o R"));
    let mut planes = Planes::of_reference(7);
    assert_eq!(reference_value(&after), Value::Win(Depth(1)));
    planes.make_draw(&after);
    let table = planes.table(Metric::Dtw);
    let rated = table.rated_turns(&position).unwrap();
    assert_eq!(rated.len(), position.turns().len());
    let draw = rated.iter().position(|turn| turn.turn == drawing).unwrap();
    for (rank, turn) in rated.iter().enumerate() {
        let expected = match rank.cmp(&draw) {
            Ordering::Less => Wdl::Win,
            Ordering::Equal => Wdl::Draw,
            Ordering::Greater => Wdl::Loss,
        };
        assert_eq!(turn.verdict.wdl, expected, "{}", turn.turn);
        assert_eq!(turn.verdict.depth.is_none(), rank == draw);
    }
    assert!(draw > 0 && draw + 1 < rated.len(), "wins and losses: {rated:?}");
    let verdict = table.verdict(&after).unwrap();
    assert_eq!(verdict, Value::Draw.into());
}
