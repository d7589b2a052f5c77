//! Every board and every turn of 3 to 18 squares against enumeration, which does not use the
//! solution, and boards that use every rule of the automaton against their own turns.

use crate::witness::WITNESS;
use phutbase_base::outcome::{Side, Wdl};
use phutbase_fixtures::values::Depths;
use phutbase_rules::strip::{After, AnyStrip, Halves, Strip, Turn};
use phutbase_solution::classes::{CLASSES, Class};
use phutbase_solution::{Turns, winner};
use phutbase_testing::boards::both_sides;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

#[test]
fn every_board_and_every_turn_of_3_to_18_squares() {
    let mut boards = 0;
    let mut turns = 0;
    for length in 3..=18 {
        let depths = Depths::of(length);
        let wins = |strip: &Strip| depths.value(strip).wdl() == Wdl::Win;
        let all: Vec<Strip> = both_sides(length).collect();
        let counted: usize = all.par_iter().map(|strip| check(strip, wins)).sum();
        boards += all.len();
        turns += counted;
    }
    assert_eq!((boards, turns), (7_864_328, 76_163_440));
}

/// Compares the winner of a board and of each turn with the values of enumeration. Returns the
/// number of turns.
fn check(strip: &Strip, wins: impl Fn(&Strip) -> bool) -> usize {
    let side = strip.side();
    let evaluated = Turns::of(strip);
    assert_eq!(winner(strip) == side, wins(strip), "{strip}");
    assert_eq!(evaluated.winner(), winner(strip), "{strip}");
    let expected = strip.turns().into_iter().map(|turn| {
        let is_won = match strip.after(turn) {
            After::Over { winner } => winner == side,
            After::Position(next) => !wins(&next),
        };
        (turn, is_won)
    });
    let list = evaluated.list();
    assert!(expected.eq(list.iter().copied()), "{strip}");
    check_choice(strip, &evaluated, &list);
    list.len()
}

/// Checks the counts and the winning turn against the list of turns.
fn check_choice<S: Halves + std::fmt::Display>(strip: &S, turns: &Turns<S>, list: &[(Turn, bool)]) {
    let winning = list.iter().filter(|(_, wins)| *wins).count();
    assert_eq!(turns.count(), [winning, list.len() - winning], "{strip}");
    assert_eq!(turns.winner() == strip.side(), winning > 0, "{strip}");
    match turns.winning_turn() {
        None => assert_eq!(winning, 0, "{strip}"),
        Some(turn) => {
            assert!(list.contains(&(turn, true)), "{strip}: {turn}");
            assert!(turn.is_proper(strip), "{strip}: {turn}");
        }
    }
}

/// Creates a board from its words, each read from the goal line.
fn board(left: &[bool], right: &[bool]) -> AnyStrip {
    let ball = left.len();
    let squares = left.iter().chain([&false]).chain(right.iter().rev()).copied();
    AnyStrip::new(squares, ball, Side::Left).unwrap()
}

/// The canonical word of each cell of the automaton and one letter more, against the least word of
/// each type with k raised until the lead is −1, 0 or 1, on either side.
pub fn rule_cover() -> Vec<AnyStrip> {
    let mut known = HashSet::from([Class::EMPTY]);
    let mut todo = vec![Class::EMPTY];
    while let Some(class) = todo.pop() {
        for stone in [false, true] {
            let next = CLASSES.step(class, stone).unwrap();
            if next.k <= 16 && known.insert(next) {
                todo.push(next);
            }
        }
    }
    let mut cells: BTreeMap<[u32; 4], Class> = BTreeMap::new();
    let mut least: BTreeMap<usize, Class> = BTreeMap::new();
    let mut ordered: Vec<Class> = known.into_iter().collect();
    ordered.sort_by_key(|&class| (class.k, WITNESS.potential(class), class));
    for class in ordered {
        cells.entry(WITNESS.cell(class)).or_insert(class);
        if class != Class::EMPTY {
            let kept = least.entry(WITNESS.kind(class)).or_insert(class);
            if WITNESS.potential(class) < WITNESS.potential(*kept) {
                *kept = class;
            }
        }
    }
    assert_eq!((cells.len(), least.len()), (2236, 17));
    let mut boards = Vec::new();
    for class in cells.into_values() {
        for stone in [false, true] {
            let mut word = class.canonical();
            word.push(stone);
            let potential = WITNESS.potential(CLASSES.step(class, stone).unwrap());
            for &other in least.values() {
                for lead in -1..=1 {
                    for (needed, is_left) in [(potential - lead, true), (potential + lead, false)] {
                        let more = needed - WITNESS.potential(other);
                        let Ok(more) = u32::try_from(more) else {
                            continue;
                        };
                        let raised = Class {
                            k: other.k + more,
                            ..other
                        }
                        .canonical();
                        let (left, right) = if is_left {
                            (&word, &raised)
                        } else {
                            (&raised, &word)
                        };
                        if !left.is_empty() && !right.is_empty() {
                            boards.push(board(left, right));
                        }
                    }
                }
            }
        }
    }
    boards
}

#[test]
fn boards_that_use_every_rule_agree_with_their_turns() {
    let boards = rule_cover();
    boards.par_iter().for_each(|strip| {
        let turns = Turns::of(strip);
        check_choice(strip, &turns, &turns.list());
    });
    let longest = boards.iter().map(Halves::length).max();
    assert_eq!((boards.len(), longest), (447_730, Some(202)));
}
