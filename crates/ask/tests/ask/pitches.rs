//! Queries about pitches, compared with every position of the game, one by one.

use phutbase_ask::queries::pitches::PitchQuery;
use phutbase_base::outcome::{Verdict, Wdl};
use phutbase_fixtures::prelude::*;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A position with Alfred to move: its index, value and number of chaps.
type Valued = (u64, Verdict, u16);

fn all(table: &PitchTable) -> Vec<Valued> {
    let game = table.game();
    let valued = |index| {
        let pitch = game.position(index);
        let value = table.value(&pitch).unwrap();
        (index, value.into(), pitch.chaps().len() as u16)
    };
    (0..game.positions()).map(valued).collect()
}

type Range = Option<RangeInclusive<u16>>;

/// Depths, stones and the most positions to list.
const LIMITS: [(Range, Range, usize); 5] = [
    (None, None, 0),
    (None, None, 5000),
    (Some(1..=1), None, 1),
    (Some(2..=5), Some(7..=9), 30),
    (None, Some(0..=3), 10_000_000),
];

/// Compares the first positions that a query lists, and a sample. Returns how many match.
fn check(
    table: &PitchTable,
    positions: &[Valued],
    value: Option<Wdl>,
    limits: &(Range, Range, usize),
) -> u64 {
    let (depth, stones, most) = limits;
    let within = |range: &Range, number: u16| range.as_ref().is_none_or(|range| range.contains(&number));
    let matches = |&&(_, found, chaps): &&Valued| {
        let plies = found.depth.map(|depth| depth.0);
        value.is_none_or(|value| found.wdl == value)
            && (depth.is_none() || plies.is_some_and(|plies| within(depth, plies)))
            && within(stones, chaps)
    };
    let expected: Vec<u64> = positions
        .iter()
        .filter(matches)
        .map(|position| position.0)
        .collect();
    let find = |seed| {
        let (depth, stones, most, side) = (depth.clone(), stones.clone(), *most, Side::Left);
        let query = PitchQuery {
            value,
            depth,
            stones,
            side,
            most,
            seed,
        };
        query.find(table, &Job::default()).unwrap()
    };
    let (first, sample) = (find(None), find(Some(7)));
    let question = format!("{} {value:?} {limits:?}", table.shape());
    assert_eq!(
        [first.count, sample.count],
        [expected.len() as u64; 2],
        "{question}"
    );
    assert!(
        first.listed == expected[..expected.len().min(*most)],
        "{question}"
    );
    let distinct: HashSet<u64> = sample.listed.iter().copied().collect();
    assert_eq!(distinct.len(), first.listed.len(), "{question}");
    assert!(distinct.is_subset(&expected.into_iter().collect()), "{question}");
    first.count
}

/// Pitches with an even and an odd number of columns, of one block for each ball and of more.
#[test]
fn every_query_finds_the_positions_that_match() {
    for (size, rules) in [
        ("3x2", Rules::Ordinary),
        ("5x3", Rules::Directional),
        ("6x3", Rules::Ordinary),
        ("3x6", Rules::Directional),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let table = PitchTable::open(&generate_pitch_in(rules, directory.path(), size)).unwrap();
        let positions = all(&table);
        let mut matched = 0;
        for value in [None, Some(Wdl::Win), Some(Wdl::Draw), Some(Wdl::Loss)] {
            for limits in &LIMITS {
                matched += check(&table, &positions, value, limits);
            }
        }
        // Of the first two limits both all positions, and the positions of each value, match.
        assert!(matched > 4 * positions.len() as u64, "{size}: {matched}");
    }
}
