//! Play that ends where tables have no depths: by the levels of forward play.
//!
//! A `wdl` table holds the levels A(k), R(k) of the boards that Left wins with at most k turns that are not forward
//! (docs/PROOF.md). On a board of A(k), and of no level below, Left has a forward turn that wins or leads into R(k), or another that
//! leads into R(k − 1); and Right has no turn out of R(k) but into A(k). A player who always makes such a turn wins: forward
//! play ends whatever the other does, and the others are at most k.

use super::DiagramTable;
use crate::games::strip::{After, Strip, Turn};
use crate::outcome::Side;
use std::cmp::Reverse;

/// The lowest level that has a board that Left wins with `to_move` to move. `None` if Left does not win it, and for a table with
/// depths, or of another length.
pub fn level(table: &DiagramTable, board: &Strip, to_move: Side) -> Option<usize> {
    if board.length() != table.header().length {
        return None;
    }
    let nodes = table.nodes();
    (0..table.levels()).find(|&level| nodes.contains(table.level(level)[to_move as usize], board))
}

/// A turn that wins and makes progress, for a player who wins; `None` for one who does not.
pub fn winning_turn(table: &DiagramTable, strip: &Strip) -> Option<Turn> {
    let own = level(table, &strip.normalised(), Side::Left)?;
    let mut best: Option<(_, Turn)> = None;
    for turn in strip.turns() {
        let next = match strip.after(turn) {
            After::Over { winner, .. } if winner == strip.side() => return Some(turn),
            After::Over { .. } => continue,
            After::Position(next) => next,
        };
        let (before, after) = seen_by(strip.side(), strip, &next);
        let Some(found) = level(table, &after, Side::Right) else {
            continue;
        };
        let touched = (before.stones() ^ after.stones()) & ((1 << before.ball()) - 1);
        let forward = touched == 0 && after.ball() >= before.ball();
        let makes_progress = if forward { found <= own } else { found < own };
        // Of several the one that needs the fewest turns that are not forward, brings the ball farthest, or places nearest to it.
        let rank = (
            found,
            Reverse(after.ball()),
            (before.stones() ^ after.stones()).trailing_zeros() as usize,
        );
        if makes_progress && best.is_none_or(|(known, _)| rank < known) {
            best = Some((rank, turn));
        }
    }
    best.map(|(_, turn)| turn)
}

/// How well a player who loses defends with a turn that leads to `next`: the larger, the more the winner still has to do.
pub fn resistance(table: &DiagramTable, next: &Strip) -> impl Ord + use<> {
    let winner = next.normalised();
    let level = level(table, &winner, Side::Left).unwrap_or(usize::MAX);
    (
        level,
        Reverse(winner.ball()),
        Reverse(winner.stones().count_ones()),
    )
}

/// Two boards as the player who just moved sees them, as Left.
fn seen_by(side: Side, before: &Strip, after: &Strip) -> (Strip, Strip) {
    match side {
        Side::Left => (*before, *after),
        Side::Right => (before.mirror(), after.mirror()),
    }
}
