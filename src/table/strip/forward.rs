//! Play that terminates without stored depths: it follows the levels of forward play.
//!
//! A `wdl` table holds the levels A(k), R(k) of the boards that Left wins with at most k turns that
//! are not forward (docs/PROOF.md). On a board of A(k), and of no level below, Left has a forward
//! turn that wins or leads into R(k), or another that leads into R(k − 1); and Right has no turn
//! out of R(k) except into A(k). A player who always makes such a turn wins: forward play ends
//! whatever the opponent does, and the other turns are at most k.

use super::StripTable;
use crate::games::strip::{After, RatedStripTurn, SquareSet, Strip, Turn};
use crate::outcome::{Side, Wdl};
use crate::table::error::TableError;
use std::cmp::Reverse;

/// Preference of a turn, lowest first: its level, how far the ball moves, where the stone is
/// placed.
type Preference = (usize, Reverse<usize>, usize);

/// Returns a winning turn that makes progress; `None` if the player does not win.
fn winning_turn(table: &StripTable, strip: &Strip) -> Result<Option<Turn>, TableError> {
    let Some(own) = table.level(&strip.normalised(), Side::Left)? else {
        return Ok(None);
    };
    let mut best: Option<(Preference, Turn)> = None;
    for turn in strip.turns() {
        let next = match strip.after(turn) {
            After::Over { winner, .. } if winner == strip.side() => return Ok(Some(turn)),
            After::Over { .. } => continue,
            After::Position(next) => next,
        };
        // The boards from the view of the player who just moved, as Left.
        let [before, after] = [*strip, next].map(|board| match strip.side() {
            Side::Left => board,
            Side::Right => board.mirror(),
        });
        let Some(found) = table.level(&after, Side::Right)? else {
            continue;
        };
        let behind = (SquareSet::ONE << before.ball()) - 1;
        let touched = (before.stones() ^ after.stones()) & behind;
        let forward = touched == 0 && after.ball() >= before.ball();
        let makes_progress = if forward { found <= own } else { found < own };
        // Prefer few backward turns, then a ball far ahead, then a stone near it.
        let rank = (
            found,
            Reverse(after.ball()),
            (before.stones() ^ after.stones()).trailing_zeros() as usize,
        );
        if makes_progress && best.is_none_or(|(known, _)| rank < known) {
            best = Some((rank, turn));
        }
    }
    Ok(best.map(|(_, turn)| turn))
}

/// Moves the chosen turn to the front of rated turns that are sorted by value.
pub(super) fn best_first(
    table: &StripTable,
    strip: &Strip,
    rated: &mut [RatedStripTurn],
) -> Result<(), TableError> {
    match rated.first().map(|best| best.verdict.wdl) {
        Some(Wdl::Win) => {
            let best = winning_turn(table, strip)?;
            if let Some(place) = rated.iter().position(|rated| Some(rated.turn) == best) {
                rated[..=place].rotate_right(1);
            }
        }
        Some(Wdl::Loss) => {
            let mut resisting = Vec::with_capacity(rated.len());
            for turn in rated.iter() {
                // Larger values leave the winner more to do.
                let resistance = match &turn.after {
                    After::Position(next) => {
                        let winner = next.normalised();
                        let level = table.level(&winner, Side::Left)?.unwrap_or(usize::MAX);
                        let stones = winner.stones().count_ones();
                        Some((level, Reverse(winner.ball()), Reverse(stones)))
                    }
                    After::Over { .. } => None,
                };
                resisting.push((Reverse(resistance), turn.clone()));
            }
            resisting.sort_by_key(|&(resistance, _)| resistance);
            for (place, (_, turn)) in rated.iter_mut().zip(resisting) {
                *place = turn;
            }
        }
        Some(Wdl::Draw) | None => {}
    }
    Ok(())
}
