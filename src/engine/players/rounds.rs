//! Play that ends where tables have no depths: by the rounds of their certificates.
//!
//! A `wdl` table says who wins, and play that only keeps the win might go round for ever. Its certificate is a sequence of sets
//! A₁ ⊆ A₂ ⊆ … with Left to move and R₁ ⊆ R₂ ⊆ … with Right to move, all won by Left, such that Left has, on a board whose
//! first set is A_k,
//!
//! * a jump to the right into R_(k−1) or off the strip, or
//! * a jump to the left into R_k, or a placement into R_k,
//!
//! and Right's jumps to the right lead from R_k into A_(k−1), the other turns into A_k (README, 'Why the proof proves'). A
//! player who always makes such a turn lets the triple (round, ball square, empty squares) fall with every turn of either
//! player, so the game ends, with a win.

use crate::games::strip::{After, Strip, Turn};
use crate::outcome::Side;
use crate::table::diagram::DiagramTable;

/// The first round whose set has a board that Left wins, counted from 1; `to_move` is the player to move, seen from
/// the winner's side as Left. `None` if Left does not win it, or the table has no certificate.
pub fn round(table: &DiagramTable, board: &Strip, to_move: Side) -> Option<usize> {
    let nodes = table.nodes();
    let has = |round: usize| {
        let root = table.roots()[2 * (round - 1) + to_move as usize];
        nodes.contains(root, board)
    };
    let rounds = table.rounds();
    if rounds == 0 || board.length() != table.header().length || !has(rounds) {
        return None;
    }
    let (mut without, mut with) = (0, rounds);
    while with - without > 1 {
        let middle = (without + with) / 2;
        if has(middle) {
            with = middle;
        } else {
            without = middle;
        }
    }
    Some(with)
}

/// The measure that falls along play: round, ball square, empty squares; all seen so that Left wins.
pub type Measure = (usize, usize, usize);

/// The measure of a position that the player to move wins.
pub fn measure(table: &DiagramTable, strip: &Strip) -> Option<Measure> {
    let left = strip.normalised();
    let empty = left.length() - 1 - left.stones().count_ones() as usize;
    Some((round(table, &left, Side::Left)?, left.ball(), empty))
}

/// A turn that wins and makes progress, for a player who wins; `None` if the table has no certificate, or does not hold what it
/// should.
pub fn winning_turn(table: &DiagramTable, strip: &Strip) -> Option<Turn> {
    let own = round(table, &strip.normalised(), Side::Left)?;
    let mut best: Option<((usize, usize), Turn)> = None;
    for turn in strip.turns() {
        let next = match strip.after(turn) {
            After::Over { winner, .. } if winner == strip.side() => return Some(turn),
            After::Over { .. } => continue,
            After::Position(next) => next,
        };
        // Seen by the winner as Left.
        let (before, after) = match strip.side() {
            Side::Left => (*strip, next),
            Side::Right => (strip.mirror(), next.mirror()),
        };
        let Some(found) = round(table, &after, Side::Right) else {
            continue;
        };
        let progress = if after.ball() > before.ball() {
            found < own
        } else {
            found <= own
        };
        // Of the turns into the same round those that bring the ball forward.
        let rank = (found, after.length() - after.ball());
        if progress && best.is_none_or(|(known, _)| rank < known) {
            best = Some((rank, turn));
        }
    }
    best.map(|(_, turn)| turn)
}

/// How long a position can be held that the player who just moved loses: the round in which the player to move wins it.
pub fn resistance(table: &DiagramTable, next: &Strip) -> usize {
    round(table, &next.normalised(), Side::Left).unwrap_or(usize::MAX)
}
