//! The forward value of half strips: its values, Theorems F and T' on every board of short strips,
//! and the turns that keep a win.

use phutbase_fixtures::prelude::*;
use phutbase_rules::strip::Halves as _;
use phutbase_solution::forward::{ForwardState, HalfValues, forward_winner};

/// Every half strip of up to 15 squares, against an independent program's values.
#[test]
fn values_and_closed_beginnings_are_those_of_another_program() {
    let mut halves = 0;
    let table = include_str!("../../../../tests/data/forward_values.tsv").lines();
    for line in table.filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [length, values, closed] = columns[..] else {
            panic!("three columns in '{line}'");
        };
        let length: usize = length.parse().unwrap();
        assert_eq!((values.len(), closed.len()), (1 << length, 1 << length));
        for (word, (value, closed)) in values.chars().zip(closed.chars()).enumerate() {
            let squares = (0..length).rev().map(|place| word >> place & 1 == 1);
            let found = HalfValues::of(squares);
            let expected = [value, closed].map(|digit| digit.to_digit(16).unwrap());
            assert_eq!(
                [found.forward as u32, found.closed as u32],
                expected,
                "{word:b} of {length}"
            );
            assert!(found.potential <= found.forward, "{word:b} of {length}");
            halves += 1;
        }
    }
    assert_eq!(halves, (1 << 16) - 2);
}

/// Theorem F on every board of 3 to 14 squares: the winner needs no backward turn.
#[test]
fn forward_values_below_the_potential_win_with_forward_turns() {
    for length in 3..=14 {
        let levels = levels(length, Rules::Ordinary);
        let mut decided = 0;
        for board in both_sides(length) {
            let Some(winner) = forward_winner(board.side(), HalfValues::both(&board)) else {
                continue;
            };
            // Needed counts the turns of Left.
            let for_left = if winner == Side::Left {
                board
            } else {
                board.mirror()
            };
            assert_eq!(needed(&levels, &for_left), Some(0), "'{board}': {winner}");
            decided += 1;
        }
        let all = (length - 2) << length;
        assert!(
            decided * 10 > all * 8,
            "{decided} of {all} boards of {length} squares"
        );
    }
}

/// Theorem T' on every board of 4 to 14 squares, both ends, every closed end: the same winner, and
/// the same number of backward turns of Left, for either player to move.
#[test]
fn closed_ends_change_neither_the_winner_nor_the_backward_turns() {
    let levels: Vec<Vec<_>> = (0..=14)
        .map(|length| {
            if length < 3 {
                Vec::new()
            } else {
                levels(length, Rules::Ordinary)
            }
        })
        .collect();
    let mut compared = [0; 2];
    for length in 4..=14 {
        for board in both_sides(length) {
            let turns = needed(&levels[length], &board);
            for (end, goal) in [Side::Right, Side::Left].into_iter().enumerate() {
                let mut state = ForwardState::START;
                for (read, stone) in board.towards(goal).enumerate() {
                    // What was read leaves this square.
                    if state.is_closed() && read > 0 {
                        let squares = if end == 0 {
                            (read, length - 1)
                        } else {
                            (0, length - 1 - read)
                        };
                        let cut = board.window(squares.0, squares.1).unwrap();
                        assert_eq!(turns, needed(&levels[cut.length()], &cut), "'{board}', '{cut}'");
                        compared[end] += 1;
                    }
                    state = state.step(stone);
                }
            }
        }
    }
    assert_eq!(compared[0], compared[1]);
    assert!(compared[0] > 300_000, "{compared:?}");
}

/// The value of Theorem W, the forward value's simpler bound: 1 + ⌊(r+1)/4⌋ for the r squares after
/// the longest beginning that ends in a stone and has no four empty squares in a row; if r = 0, the
/// potential.
fn window_value(half: &[bool]) -> i64 {
    let run = half
        .windows(4)
        .position(|four| four == [false; 4])
        .unwrap_or(half.len());
    let end = half[..run]
        .iter()
        .rposition(|&stone| stone)
        .map_or(0, |last| last + 1);
    match (half.len() - end) as i64 {
        0 => HalfValues::of(half.iter().copied()).potential,
        rest => 1 + (rest + 1) / 4,
    }
}

/// Theorem W follows from Theorem F: the forward value is at most its value. So does the window
/// formula: no half has a greater forward value than the empty half.
#[test]
fn forward_values_are_at_most_those_of_windows() {
    for length in 1..=16usize {
        let empty = HalfValues::of(std::iter::repeat_n(false, length));
        assert_eq!(
            (empty.forward, empty.potential),
            (1 + (length as i64 + 1) / 4, empty.forward)
        );
        for word in 0..1u32 << length {
            let half: Vec<bool> = (0..length).map(|place| word >> place & 1 == 1).collect();
            let values = HalfValues::of(half.iter().copied());
            assert!(values.forward <= window_value(&half), "{half:?}");
            assert!(values.forward <= empty.forward, "{half:?}");
        }
    }
}
