//! Turns with their values, and play to the end of the game, by a table of strips.

use super::{StripTable, forward};
use crate::game::Successor;
use crate::games::strip::{After, Strip, Turn};
use crate::outcome::{Value, Verdict, Wdl};
use crate::table::Rated;
use crate::table::error::TableError;
use std::cmp::Reverse;

/// Plies of the longest winning line that is shown; those of 128 squares have a few hundred.
const LONGEST_WINNING_LINE: usize = 1 << 12;

/// A turn of a strip with its value.
pub type RatedTurn = Rated<Turn, After>;

impl StripTable {
    /// Every turn of a position with its value, best first; equal values in the order of generation. Without depths a
    /// winner's first turn makes progress by forward play, and a loser's first turn is the one that resists longest by it.
    pub fn rated_turns(&self, strip: &Strip) -> Result<Vec<RatedTurn>, TableError> {
        let mut rated = Vec::new();
        for turn in strip.turns() {
            let after = strip.after(turn);
            let verdict = match after.successor(strip.side()) {
                Successor::Position(next) => self.verdict(&next)?.before(),
                // The rules rate a turn that ends the game: the same turn ends a longer strip's game a ply later.
                Successor::Over(outcome) => Value::at_once(outcome).into(),
            };
            rated.push(RatedTurn { turn, after, verdict });
        }
        rated.sort_by_key(|turn| Reverse(turn.verdict.preference()));
        if !self.has_depths() {
            forward::best_first(self, strip, &mut rated)?;
        }
        Ok(rated)
    }

    /// Play from a position with this value to the end of the game, or its first `most` turns. With depths it is best play, of equally
    /// good turns the first generated, and never longer than the position's depth, even by a wrong table. Without depths it is a *winning
    /// line*: the winner's turns keep the win by forward play, so that it ends, though not as soon as possible. Empty in a draw.
    pub fn best_line(
        &self,
        strip: &Strip,
        verdict: Verdict,
        most: usize,
    ) -> Result<Vec<RatedTurn>, TableError> {
        let longest = match (verdict.depth, verdict.wdl) {
            (Some(depth), _) => depth.0.into(),
            (None, Wdl::Win | Wdl::Loss) => LONGEST_WINNING_LINE,
            (None, Wdl::Draw) => 0,
        };
        let mut line = Vec::new();
        let mut next = Some(*strip);
        while let Some(strip) = next.filter(|_| line.len() < longest.min(most)) {
            let Some(best) = self.rated_turns(&strip)?.into_iter().next() else {
                break;
            };
            next = match best.after {
                After::Position(after) => Some(after),
                After::Over { .. } => None,
            };
            line.push(best);
        }
        Ok(line)
    }
}
