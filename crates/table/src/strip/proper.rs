//! Play that ends without stored depths: a winner's turns are proper.
//!
//! Play in which a player makes proper turns only ends, whatever the opponent does (docs/PROOF.md,
//! Theorem N). So a player who always makes a proper turn to a position that he wins, wins; on every
//! strip that has been computed a winner has such a turn (Law N).

use phutbase_base::outcome::{Side, Wdl};
use phutbase_rules::strip::{After, RatedStripTurn, Strip};
use std::cmp::Reverse;

/// Orders rated turns that are sorted by value. A winner's first turn is proper; among those, it
/// touches only squares in front of the ball, leaves the ball far ahead, and the stone near it. A
/// loser's turns leave the winner much to do: a ball far from his goal line, few stones.
pub(super) fn best_first(strip: &Strip, rated: &mut [RatedStripTurn]) {
    match rated.first().map(|best| best.verdict.wdl) {
        Some(Wdl::Win) => {
            let winning = rated
                .iter()
                .take_while(|turn| turn.verdict.wdl == Wdl::Win)
                .enumerate();
            let best = winning.min_by_key(|(_, rated)| {
                let After::Position(next) = &rated.after else {
                    return None;
                };
                // The boards from the view of the player who moves, as Left.
                let [before, after] = [strip, next].map(|board| match strip.side() {
                    Side::Left => *board,
                    Side::Right => board.mirror(),
                });
                Some((
                    !rated.turn.is_proper(strip),
                    !rated.turn.is_forward(strip),
                    Reverse(after.ball()),
                    (before.stones() ^ after.stones()).trailing_zeros(),
                ))
            });
            let (place, _) = best.expect("the first turn wins");
            rated[..=place].rotate_right(1);
        }
        Some(Wdl::Loss) => rated.sort_by_cached_key(|turn| {
            let resistance = match &turn.after {
                After::Position(next) => {
                    let winner = next.normalised();
                    Some((Reverse(winner.ball()), Reverse(winner.stones().count_ones())))
                }
                After::Over { .. } => None,
            };
            Reverse(resistance)
        }),
        Some(Wdl::Draw) | None => {}
    }
}
