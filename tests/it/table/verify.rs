//! `verify` finds what is wrong with a table whose checksums are right: one value, one count, one difference.

use crate::common::container::{DenseMetadata, resealed};
use crate::table::support::{Planes, both_sides, first_fault, generated, open, strip, table};
use num_bigint::BigUint;
use phutbase::games::strip::Strip;
use phutbase::outcome::Side;
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::dense::DenseTable;
use phutbase::verify::{self, Fault};
use std::sync::atomic::{AtomicU64, Ordering};

fn check(table: DenseTable) -> Option<Fault> {
    verify::check(&table.into(), &AtomicU64::new(0)).unwrap()
}

#[test]
fn good_tables_pass() {
    for length in 3..=14 {
        let [dtw, wdl] = Metric::ALL.map(|metric| Table::from(table(length, metric)));
        for table in [&dtw, &wdl] {
            let done = AtomicU64::new(0);
            assert_eq!(verify::check(table, &done).unwrap(), None, "length {length}");
            assert_eq!(BigUint::from(done.into_inner()), table.positions() * 2u8);
        }
        assert_eq!(verify::compare(&dtw, &wdl).unwrap(), None, "length {length}");
    }
}

/// Every 17th board of n = 8, with either player to move: more than enough to meet wins and others of both planes.
fn some_positions() -> impl Iterator<Item = Strip> {
    both_sides(8).step_by(17)
}

/// Changes one byte of good planes and holds what `verify` finds first against the slow way.
fn plant(metric: Metric, change: impl Fn(u8) -> u8) -> usize {
    let good = Planes::of_reference(8);
    let mut planted = 0;
    for position in some_positions() {
        let mut planes = good.clone();
        let byte = planes.left_wins(&position);
        let changed = change(*byte);
        if changed == *byte {
            continue;
        }
        *byte = changed;
        planted += 1;
        let expected = first_fault(&mut planes, metric);
        assert!(expected.is_some(), "'{position}': planting {changed} is a fault");
        assert_eq!(check(planes.table(metric)), expected, "planted in '{position}'");
    }
    planted
}

#[test]
fn a_depth_that_is_off_by_two_is_found() {
    assert!(plant(Metric::Dtw, |depth| if depth == 0 { 0 } else { depth + 2 }) > 20);
    assert!(plant(Metric::Dtw, |depth| if depth < 3 { depth } else { depth - 2 }) > 20);
}

#[test]
fn a_win_or_a_loss_that_was_erased_is_found() {
    for metric in Metric::ALL {
        assert!(plant(metric, |_| 0) > 20);
    }
}

#[test]
fn a_win_stored_as_a_loss_and_a_loss_as_a_win_are_found() {
    let good = Planes::of_reference(8);
    for position in some_positions().filter(|position| position.side() == Side::Left) {
        let mut planes = good.clone();
        let win = std::mem::take(planes.left_wins(&position));
        let loss = std::mem::take(planes.left_wins(&position.mirror()));
        *planes.left_wins(&position) = if loss == 0 { 0 } else { loss - 1 };
        *planes.left_wins(&position.mirror()) = if win == 0 { 0 } else { win + 1 };
        for metric in Metric::ALL {
            let expected = first_fault(&mut planes, metric);
            assert!(expected.is_some(), "'{position}'");
            assert_eq!(check(planes.table(metric)), expected, "'{position}' turned round");
        }
    }
}

#[test]
fn the_first_position_at_fault_is_named() {
    // With Left to move a value rests on boards with Right to move, whose places come later: no other fault is before it.
    let position = strip(".@o.....");
    let mut planes = Planes::of_reference(8);
    *planes.left_wins(&position) += 2;
    let Some(fault @ Fault::Position { .. }) = check(planes.table(Metric::Dtw)) else {
        panic!("no fault")
    };
    let text = fault.to_string();
    let depth = *planes.left_wins(&position);
    assert!(text.contains(&format!("'{position}'")), "{text}");
    assert!(text.contains(&format!("Left wins in {depth}")), "{text}");
    assert!(text.contains(&format!("Left wins in {}", depth - 2)), "{text}");
}

#[test]
fn a_fault_in_a_far_block_of_a_longer_table_is_named() {
    let mut planes = Planes::of_table(&table(14, Metric::Dtw));
    let position = strip("..o..o....@.oo R").with_side(Side::Right);
    let byte = planes.left_wins(&position);
    assert_eq!(*byte % 2, 0);
    *byte = if *byte == 0 { 6 } else { 0 };
    let expected = first_fault(&mut planes, Metric::Dtw);
    assert!(expected.is_some());
    for metric in Metric::ALL {
        let found = check(planes.table(metric));
        assert_eq!(found, first_fault(&mut planes, metric), "{metric}");
    }
}

/// One of the counts of a table.
type Count = fn(&mut DenseMetadata) -> &mut Vec<u8>;

fn wins(metadata: &mut DenseMetadata) -> &mut Vec<u8> {
    &mut metadata.wins
}

fn losses(metadata: &mut DenseMetadata) -> &mut Vec<u8> {
    &mut metadata.losses
}

fn draws(metadata: &mut DenseMetadata) -> &mut Vec<u8> {
    &mut metadata.draws
}

/// The field that `verify` finds wrong in edited bytes.
fn wrong_field(bytes: Vec<u8>) -> String {
    match check(open(bytes, "edited.phut").unwrap()) {
        Some(Fault::Count {
            field,
            stored,
            counted,
        }) => {
            assert_ne!(stored, counted);
            field
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn counts_that_do_not_agree_with_the_values_are_found() {
    for metric in Metric::ALL {
        let good = generated(8, metric);
        let moved = |from: Count, to: Count| {
            resealed(&good, |parts| {
                parts.edit(|metadata: &mut DenseMetadata| {
                    from(metadata)[0] = from(metadata)[0].wrapping_sub(1);
                    to(metadata)[0] = to(metadata)[0].wrapping_add(1);
                })
            })
        };
        assert_eq!(wrong_field(moved(wins, losses)), "wins");
        assert_eq!(wrong_field(moved(losses, wins)), "wins");
        // Under dtw the depths must add up to wins and losses, which opening finds out.
        if metric == Metric::Wdl {
            assert_eq!(wrong_field(moved(wins, draws)), "wins");
            assert_eq!(wrong_field(moved(losses, draws)), "losses");
        }
    }
}

#[test]
fn depths_in_the_description_that_do_not_agree_are_found() {
    let good = generated(8, Metric::Dtw);
    // One position more of one depth and one less of another.
    for (less, more) in [(1, 2), (2, 3), (3, 1)] {
        let wrong = resealed(&good, |parts| {
            parts.edit(|metadata: &mut DenseMetadata| {
                *metadata.depths.get_mut(&less).unwrap() -= 1;
                *metadata.depths.get_mut(&more).unwrap() += 1;
            })
        });
        assert_eq!(wrong_field(wrong), "positions by depth");
    }
}

#[test]
fn tables_that_differ_are_told_apart() {
    for length in [8, 14] {
        let dtw = table(length, Metric::Dtw);
        let mut planes = Planes::of_table(&dtw);
        // Left jumps home over all of them.
        let stones = "o".repeat(length - 3);
        let byte = planes.left_wins(&strip(&format!("..@{stones}")));
        assert_eq!(std::mem::take(byte), 1);
        let [dense_dtw, diagram_dtw] = Planes::of_table(&dtw).both_layouts(Metric::Dtw);
        let [dense_wdl, diagram_wdl] = planes.both_layouts(Metric::Wdl);
        let first_of_block = match length {
            8 => "..@.....".to_string(),
            // The pattern's bit 12 is square 13, with the ball's square left out.
            _ => "..@..........o".to_string(),
        };
        let exactly = format!("..@{stones}");
        for (dtw, wdl, position) in [
            (&dense_dtw, &dense_wdl, &first_of_block),
            (&diagram_dtw, &dense_wdl, &exactly),
            (&dense_dtw, &diagram_wdl, &exactly),
            (&diagram_dtw, &diagram_wdl, &exactly),
        ] {
            let position = position.clone();
            let fault = verify::compare(dtw, wdl).unwrap();
            assert_eq!(fault, Some(Fault::Difference { position }));
        }
    }
}

#[test]
fn progress_is_told_while_a_check_runs() {
    let done = AtomicU64::new(5);
    let table = Table::from(table(13, Metric::Wdl));
    verify::check(&table, &done).unwrap();
    assert_eq!(
        BigUint::from(done.load(Ordering::Relaxed)),
        table.positions() * 2u8 + 5u8
    );
}
