//! Strips of any length: decisions against the values of longer tables, the order of the rules, and
//! bad input.

use phutbase_base::game::Listing;
use phutbase_fixtures::prelude::*;
use phutbase_rules::strip::Halves as _;
use phutbase_solution::forward::HalfValues;
use phutbase_table::decide::search::{Analysis, MAX_POSITIONS, Search, SearchedTurn, listed_turns};
use phutbase_table::decide::{Decided, Decision, Reason, Undecided, by_rules};

fn decided(tables: &Tablebase, strip: &AnyStrip, positions: usize, stop: &dyn Fn() -> bool) -> Decided {
    let mut search = Search::new(tables, positions, stop);
    search.decide(strip, HalfValues::both(strip)).unwrap()
}

fn decision(tables: &Tablebase, strip: &AnyStrip) -> Option<Decision> {
    decided(tables, strip, MAX_POSITIONS, &|| false).ok()
}

/// The parts of which half of the random boards are made.
const PARTS: [&str; 9] = [
    "....", "oo.", "o.oo", "..o", "ooo", ".", "o", "........", "oo..oo.",
];

/// Random boards of a length: half of them square by square, half made of parts.
fn random_boards(length: usize, count: usize, seed: u64) -> impl Iterator<Item = Strip> {
    let mut random = random_numbers(seed).map(|number| number as usize);
    let mut next = move |bound: usize| random.next().unwrap() % bound;
    (0..count).map(move |number| {
        let mut text = String::new();
        while text.len() < length {
            text += if number % 2 == 0 {
                [".", "o"][next(2)]
            } else {
                PARTS[next(PARTS.len())]
            };
        }
        let ball = 1 + next(length - 2);
        text.replace_range(length.., "");
        text.replace_range(ball..=ball, "@");
        strip(&format!("{text} {}", ["L", "R"][next(2)]))
    })
}

/// Compares decisions by a short table with the values of a long one. Returns the numbers of
/// decisions by kind: forward value, table, window, search, none.
fn compared(short: &Tablebase, long: &StripTable, boards: Vec<Strip>) -> [usize; 5] {
    let kinds = boards.par_iter().map(|board| {
        let decision = decision(short, &board.into());
        let Some(Decision {
            verdict,
            reason,
            backward_turns,
        }) = decision
        else {
            return 4;
        };
        assert_eq!(
            verdict.wdl,
            long.verdict(board).unwrap().wdl,
            "'{board}': {reason}"
        );
        if let (Some(turns), Metric::Levels) = (backward_turns, long.metric()) {
            let winner = board.normalised();
            let level = match verdict.wdl {
                Wdl::Win => long.level(&winner, Side::Left),
                _ => long.level(&winner.mirror(), Side::Right),
            };
            assert_eq!(level.unwrap(), Some(turns), "'{board}': {reason}");
        }
        match reason {
            Reason::Forward(_) => 0,
            Reason::Table | Reason::Cut { .. } => 1,
            Reason::Window { .. } => 2,
            Reason::Search { .. } => 3,
        }
    });
    let mut counts = [0; 5];
    kinds
        .collect::<Vec<usize>>()
        .into_iter()
        .for_each(|kind| counts[kind] += 1);
    counts
}

#[test]
fn decisions_agree_with_the_values_of_longer_tables() {
    let (_directory, short) = only(&generated(24, Metric::Wdl), 24);
    let long = shipped("strip-36-dtw.phut");
    for length in 25..=28 {
        let boards = random_boards(length, 20_000, length as u64).collect();
        let counts = compared(&short, &long, boards);
        assert!(counts[..3].iter().all(|&count| count > 0), "{length}: {counts:?}");
    }
    let bytes = std::fs::read(repository("tables/strip-64-wdl.phut")).unwrap();
    let (_directory, short) = only(&bytes, 64);
    let long = shipped("strip-144-wdl.phut");
    let boards = (65..=128)
        .flat_map(|length| random_boards(length, 1600, length as u64))
        .collect();
    let counts = compared(&short, &long, boards);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    assert!(counts[4] < 5_000, "{counts:?}");
}

/// A search agrees with the reference solver, without tables, and rates every turn.
#[test]
fn searches_and_rated_turns_agree_with_the_reference_solver() {
    let none = Tablebase::empty();
    let mut searched = 0;
    for length in 3..=10 {
        for board in both_sides(length) {
            let expected = reference_value(&board).wdl();
            if let Some(Decision { verdict, reason, .. }) = decision(&none, &(&board).into()) {
                assert_eq!(verdict.wdl, expected, "'{board}': {reason}");
                searched += usize::from(matches!(reason, Reason::Search { .. }));
            }
        }
    }
    assert!(searched > 100, "{searched}");
    for board in both_sides(7) {
        let long = AnyStrip::from(&board);
        let turns = Search::new(&none, MAX_POSITIONS, &|| false)
            .rated_turns(&long, listed_turns(&long))
            .unwrap();
        assert_eq!(turns.turns().len(), board.turns().len(), "'{board}'");
        for rated in turns.turns() {
            let turn: Turn = rated.turn.to_string().parse().unwrap();
            let expected = match board.play(turn).unwrap().successor(board.side()) {
                Successor::Position(next) => reference_value(&next).before().wdl(),
                Successor::Over(outcome) => outcome,
            };
            let found = rated.verdict.map(|verdict| verdict.wdl);
            assert!(found.is_none_or(|found| found == expected), "'{board}': {turn}");
        }
    }
}

/// Without tables and with a small budget, each answer is undecided for the right reason, and its
/// value is that of the best turn: none is undecided beside a winning turn.
#[test]
fn undecided_answers_say_why_and_have_no_winning_turn() {
    let (none, table) = (Tablebase::empty(), shipped("strip-64-wdl.phut"));
    let mut seen = [0; 4];
    for board in random_boards(40, 400, 3) {
        let (board, expected) = (AnyStrip::from(&board), table.verdict(&board).unwrap().wdl);
        for positions in [0, 5, 50] {
            let mut search = Search::new(&none, positions, &|| false);
            let Analysis { decided, turns } = search.analyse(&board, HalfValues::both(&board)).unwrap();
            let wins =
                (turns.turns().iter()).any(|turn| turn.verdict.is_some_and(|found| found.wdl == Wdl::Win));
            match decided {
                Ok(decision) => {
                    assert_eq!(decision.verdict.wdl, expected, "'{board}': {}", decision.reason);
                    seen[usize::from(matches!(decision.reason, Reason::Search { .. }))] += 1;
                    assert!(!wins || expected == Wdl::Win, "'{board}'");
                }
                Err(why) => {
                    assert_eq!((why, wins), (Undecided::OutOfBudget, false), "'{board}'");
                    seen[2] += 1;
                }
            }
        }
        if let Err(why) = decided(&none, &board, MAX_POSITIONS, &|| true) {
            assert_eq!(why, Undecided::OutOfTime);
            seen[3] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    let mut random = random_numbers(5).map(|number| number as usize);
    let reasons: Vec<Option<Undecided>> = (0..300)
        .map(|_| {
            let board = open_board(2_000, &mut random);
            decided(&none, &board, MAX_POSITIONS, &|| false).err()
        })
        .collect();
    assert!(reasons.contains(&Some(Undecided::Open)), "{reasons:?}");
    assert!(!reasons.contains(&Some(Undecided::OutOfTime)), "{reasons:?}");
}

/// Returns a board of more than 1,000 squares with random ones near the ball. Rows of empty squares
/// close no end.
fn open_board(length: usize, random: &mut impl Iterator<Item = usize>) -> AnyStrip {
    let ball = length / 2;
    let mut stone =
        |at: usize| at != ball && at.abs_diff(ball) < 12 && random.next().unwrap().is_multiple_of(2);
    let squares: Vec<bool> = (0..length).map(&mut stone).collect();
    AnyStrip::new(squares.into_iter(), ball, Side::Left).unwrap()
}

/// The turns of more than 1,000 squares are not all listed, so a search proves no turn to win. A turn
/// that wins by the other rules is refuted by no reply, listed or not.
#[test]
fn a_win_on_a_long_strip_is_refuted_by_no_reply() {
    let bytes = std::fs::read(repository("tables/strip-64-wdl.phut")).unwrap();
    let (_directory, tables) = only(&bytes, 64);
    let mut random = random_numbers(15).map(|number| number as usize);
    let mut checked = 0;
    for length in (1_001..1_500).step_by(10) {
        let board = open_board(length, &mut random);
        let mut search = Search::new(&tables, 500, &|| false);
        let turns = search.rated_turns(&board, listed_turns(&board)).unwrap();
        assert!(!turns.is_complete());
        let wins = |turn: &&SearchedTurn| turn.verdict.is_some_and(|verdict| verdict.wdl == Wdl::Win);
        for turn in turns.turns().iter().filter(wins).take(2) {
            let After::Position(next) = &turn.after else {
                continue;
            };
            assert!(
                !matches!(turn.reason, Some(Reason::Search { .. })),
                "'{board}': {}",
                turn.turn
            );
            checked += 1;
            next.for_each_turn(|reply| {
                let refutes = match next.after(reply) {
                    After::Over { winner } => winner != board.side(),
                    After::Position(after) => by_rules(&tables, &after, HalfValues::both(&after))
                        .unwrap()
                        .is_some_and(|decision| decision.verdict.wdl != Wdl::Win),
                };
                assert!(!refutes, "'{board}': {}, {reply}", turn.turn);
            });
        }
    }
    assert!(checked > 20, "{checked}");
}

/// Only the list of all turns proves a loss or a draw.
#[test]
fn a_part_of_the_turns_proves_a_win_only() {
    let value = |listing: Listing<Option<Wdl>>| listing.value(|&value| Ok::<_, ()>(value)).unwrap();
    for (turns, expected) in [
        (vec![Some(Wdl::Loss), Some(Wdl::Win), None], [Some(Wdl::Win); 2]),
        (vec![Some(Wdl::Loss), None], [None; 2]),
        (vec![Some(Wdl::Draw), Some(Wdl::Loss)], [Some(Wdl::Draw), None]),
        (vec![Some(Wdl::Loss)], [Some(Wdl::Loss), None]),
    ] {
        let found = [Listing::complete(turns.clone()), Listing::partial(turns)].map(value);
        assert_eq!(found, expected);
    }
}

/// Plays the first turn of each list until the game ends, and returns the plies.
fn plies_by_first_turns(tables: &Tablebase, mut board: AnyStrip) -> usize {
    for plies in 1.. {
        let mut search = Search::new(tables, 0, &|| false);
        let turns = search.rated_turns(&board, listed_turns(&board)).unwrap();
        match &turns.turns()[0].after {
            After::Position(next) => board = next.clone(),
            After::Over { .. } => return plies,
        }
    }
    unreachable!()
}

/// Of turns that win without a known depth the one that leaves the fewest forward turns comes first.
#[test]
fn first_turns_win_without_detours() {
    let bytes = std::fs::read(repository("tables/strip-64-wdl.phut")).unwrap();
    let (_directory, tables) = only(&bytes, 64);
    let mut random = random_numbers(12).map(|number| number as usize);
    let mut plies = Vec::new();
    for density in [0, 2, 3, 5] {
        let ball = 100 + random.next().unwrap() % 56;
        let squares: Vec<bool> = (0..256)
            .map(|at| at != ball && density > 0 && random.next().unwrap() % density == 0)
            .collect();
        let board = AnyStrip::new(squares.into_iter(), ball, Side::Left).unwrap();
        plies.push(plies_by_first_turns(&tables, board));
    }
    assert!(plies.iter().all(|&plies| plies < 256), "{plies:?}");
}
