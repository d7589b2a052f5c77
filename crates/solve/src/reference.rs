//! The reference solver: slow, simple retrograde analysis for any [`Game`] with an index.
//!
//! Ply by ply, it examines all turns of every position without a value:
//!
//! * *win in d*: some turn wins (d = 1), or leads to a loss in d − 1 for the opponent;
//! * *loss in d*: every turn has a losing value, and the longest takes d plies;
//! * *draw*: no ply decides the position, so both players can avoid losing forever.
//!
//! It stores no successors and exploits no order. Every other engine is tested against this one.

use phutbase_base::game::{Game, Successor};
use phutbase_base::outcome::{Depth, Value};

/// Returns the exact value of every position, by index.
///
/// Time is plies × positions × turns; memory is a few bytes per position.
pub fn solve<G: Game>(game: &G) -> Vec<Value> {
    let mut decided: Vec<Option<Value>> = vec![None; game.positions() as usize];
    for ply in 0.. {
        let news: Vec<(usize, Value)> = (0..decided.len())
            .filter(|&index| decided[index].is_none())
            .filter_map(|index| label(game, index as u64, Depth(ply), &decided).map(|value| (index, value)))
            .collect();
        // A label at ply d + 1 needs one at ply d, except for the plies 0 and 1.
        if news.is_empty() && ply >= 1 {
            break;
        }
        for (index, value) in news {
            decided[index] = Some(value);
        }
    }
    decided
        .into_iter()
        .map(|value| value.unwrap_or(Value::Draw))
        .collect()
}

/// Returns the value of a position decided in exactly `ply` plies, given all values of fewer plies.
fn label<G: Game>(game: &G, index: u64, ply: Depth, decided: &[Option<Value>]) -> Option<Value> {
    let mut wins = false;
    let mut all_lose = true;
    let mut longest = Depth(0);
    game.turns(
        &game.position(index),
        &mut |_, successor| match turn_value(game, &successor, decided) {
            Some(Value::Win(depth)) => {
                wins |= depth == ply;
                all_lose = false;
            }
            Some(Value::Loss(depth)) => longest = longest.max(depth),
            Some(Value::Draw) | None => all_lose = false,
        },
    );
    if wins {
        Some(Value::Win(ply))
    } else if all_lose && longest == ply {
        Some(Value::Loss(ply))
    } else {
        None
    }
}

/// Returns the value of a turn, or `None` while its successor has none.
fn turn_value<G: Game>(
    game: &G,
    successor: &Successor<G::Position>,
    decided: &[Option<Value>],
) -> Option<Value> {
    match successor {
        Successor::Position(next) => decided[game.index(next) as usize].map(Value::before),
        Successor::Over(outcome) => Some(Value::at_once(*outcome)),
    }
}
