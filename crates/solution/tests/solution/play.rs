//! Play by the winning turn ends, and the winner gets home.

use crate::boards::rule_cover;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{After, AnyStrip, Halves, Strip, Turn};
use phutbase_solution::{HalfState, Turns, winner};
use phutbase_testing::boards::{both_sides, random_numbers};
use rayon::prelude::*;
use std::collections::HashMap;

/// Returns the plies of the longest game from a position that Left wins, by his winning turns and any
/// replies. `known` holds `None` for positions whose games are being followed.
fn longest(strip: &Strip, known: &mut HashMap<Strip, Option<usize>>) -> usize {
    if let Some(&found) = known.get(strip) {
        return found.unwrap_or_else(|| panic!("'{strip}' repeats"));
    }
    known.insert(*strip, None);
    let turns = match strip.side() {
        Side::Left => vec![Turns::of(strip).winning_turn().unwrap()],
        Side::Right => strip.turns(),
    };
    let plies = turns.into_iter().map(|turn| match strip.after(turn) {
        After::Over { winner } => {
            assert_eq!(winner, Side::Left, "{strip}: {turn}");
            1
        }
        After::Position(next) => 1 + longest(&next, known),
    });
    let plies = plies.max().unwrap();
    known.insert(*strip, Some(plies));
    plies
}

#[test]
fn the_winner_gets_home_on_every_board_of_3_to_12_squares() {
    let longest_games = (3..=12).map(|length| {
        let mut known = HashMap::new();
        let won = both_sides(length).filter(|strip| winner(strip) == Side::Left);
        won.map(|strip| longest(&strip, &mut known)).max().unwrap()
    });
    // 19 plies on 12 squares are the longest game of best play, too.
    assert_eq!(
        longest_games.collect::<Vec<_>>(),
        [3, 3, 6, 9, 9, 12, 15, 16, 16, 19]
    );
}

/// The lead of a player on a board.
fn lead(strip: &AnyStrip, side: Side) -> i32 {
    let potential = |goal| HalfState::of(strip.towards(goal)).value().potential;
    potential(side.opponent()) - potential(side)
}

/// Plays a game that Left wins, and returns its plies.
fn game(mut strip: AnyStrip, seed: u64, is_stubborn: bool) -> usize {
    let mut numbers = random_numbers(seed);
    for ply in 1.. {
        let turn = match strip.side() {
            Side::Left => Turns::of(&strip).winning_turn().unwrap(),
            Side::Right => {
                let mut turns = Vec::new();
                strip.for_each_turn(|turn| turns.push(turn));
                let number = numbers.next().unwrap() as usize;
                if is_stubborn {
                    best_for_right(&strip, &turns)
                } else {
                    turns[number % turns.len()]
                }
            }
        };
        strip = match strip.after(turn) {
            After::Over { winner } => {
                assert_eq!(winner, Side::Left);
                return ply;
            }
            After::Position(next) => next,
        };
    }
    unreachable!("the game ends")
}

/// Returns the turn with the greatest lead of Right after it.
fn best_for_right(strip: &AnyStrip, turns: &[Turn]) -> Turn {
    let rated = turns.iter().map(|&turn| match strip.after(turn) {
        After::Over { .. } => (i32::MIN, turn),
        After::Position(next) => (lead(&next, Side::Right), turn),
    });
    rated.max_by_key(|&(lead, _)| lead).unwrap().1
}

/// Returns boards that Left wins: random words, more of them where the halves are worth alike.
fn won_boards(lengths: std::ops::RangeInclusive<usize>, count: usize) -> Vec<AnyStrip> {
    let mut numbers = random_numbers(7);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut number = |below: usize| numbers.next().unwrap() as usize % below;
        let length = lengths.start() + number(lengths.end() - lengths.start() + 1);
        let (ball, density) = (1 + number(length - 2), number(100));
        let squares: Vec<bool> = (0..length)
            .map(|square| square != ball && number(100) < density)
            .collect();
        let side = if number(2) == 0 { Side::Left } else { Side::Right };
        let strip = AnyStrip::new(squares.into_iter(), ball, side).unwrap();
        let is_close = lead(&strip, Side::Left).abs() <= 1;
        if winner(&strip) == Side::Left && (is_close || number(20) == 0) {
            boards.push(strip);
        }
    }
    boards
}

#[test]
fn the_winner_gets_home_on_long_boards() {
    play_out(won_boards(20..=400, 500), 20);
}

#[test]
#[ignore = "minutes"]
fn the_winner_gets_home_on_10000_long_boards() {
    play_out(won_boards(20..=400, 10_000), 1);
}

/// Plays all boards against random replies, and those of at most 100 squares against stubborn ones
/// too. Adds every 200 · `step`-th board of the rule cover.
fn play_out(boards: Vec<AnyStrip>, step: usize) {
    let covered = rule_cover().into_iter().step_by(200 * step);
    let covered = covered.filter(|strip| winner(strip) == Side::Left);
    let boards: Vec<AnyStrip> = boards.into_iter().chain(covered).collect();
    let plies: Vec<usize> = (boards.par_iter().enumerate())
        .map(|(seed, strip)| {
            let stubborn = (strip.length() <= 100).then(|| game(strip.clone(), seed as u64, true));
            game(strip.clone(), seed as u64, false).max(stubborn.unwrap_or(0))
        })
        .collect();
    println!(
        "{} games, the longest of {:?} plies",
        plies.len(),
        plies.iter().max()
    );
}

/// The stubborn turn against all turns of a board, after each of which both halves are read again.
#[test]
fn the_stubborn_turn_leaves_the_greatest_lead_on_every_board_of_3_to_11_squares() {
    let mut boards = 0;
    for strip in (3..=11).flat_map(both_sides) {
        let strip = AnyStrip::from(&strip);
        let mut turns = Vec::new();
        strip.for_each_turn(|turn| turns.push(turn));
        let after = |turn| match strip.after(turn) {
            After::Over { .. } => None,
            After::Position(next) => Some(lead(&next, strip.side())),
        };
        let stubborn = Turns::of(&strip).stubborn_turn();
        let greatest = turns.iter().filter_map(|&turn| after(turn)).max();
        assert_eq!(stubborn.and_then(after), greatest, "{strip}");
        assert!(stubborn.is_none_or(|turn| turns.contains(&turn)), "{strip}");
        boards += 1;
    }
    assert_eq!(
        boards,
        (3..=11).map(|length: u32| (length - 2) << length).sum::<u32>()
    );
}
