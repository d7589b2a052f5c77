//! Search on packed strips: all turns, estimated by the generalized potentials.

use super::{Arena, Look};
use phutbase_base::outcome::Side;
use phutbase_rules::potentials;
use phutbase_rules::strip::{After, Halves, Strip, Turn};

pub type Node = Strip;

pub struct StripArena;

/// Value of a lead of 1 in potential, in hundredths.
const LEAD: i32 = 100;
/// Value of the right to move, in hundredths.
const TO_MOVE: i32 = 50;

impl Arena for StripArena {
    type Node = Strip;

    fn look(&self, node: &Strip, children: bool) -> Look<Strip> {
        let side = node.side();
        let mut look = Look {
            wins_at_once: wins_at_once(node, side),
            threatened: wins_at_once(node, side.opponent()),
            guess: lead(node, side) * LEAD + TO_MOVE,
            children: Vec::new(),
            complete: true,
        };
        if children && !look.wins_at_once {
            let turns = node.turns();
            // Jumps first, then stones near the ball.
            let (mut stones, jumps): (Vec<Turn>, Vec<Turn>) =
                turns.into_iter().partition(|turn| matches!(turn, Turn::Place(_)));
            stones.sort_by_key(|turn| match turn {
                Turn::Place(square) => square.abs_diff(node.ball()),
                _ => 0,
            });
            look.children = (jumps.into_iter().chain(stones))
                .filter_map(|turn| match node.after(turn) {
                    After::Position(next) => Some(next),
                    After::Over { .. } => None,
                })
                .collect();
        }
        look
    }

    fn turn(&self, from: &Strip, to: &Strip) -> Option<String> {
        let leads = |turn: &Turn| matches!(from.after(*turn), After::Position(next) if next == *to);
        from.turns().into_iter().find(leads).map(|turn| turn.to_string())
    }
}

/// Returns true if a player, if it were their turn, could win at once.
fn wins_at_once(node: &Strip, side: Side) -> bool {
    let mut wins = false;
    let last = node.length() - 1;
    node.for_each_turn(|turn| {
        wins |= match turn {
            Turn::Off(end) => end.opponent() == side,
            Turn::Jump(0) => side == Side::Right,
            Turn::Jump(square) => square == last && side == Side::Left,
            Turn::Place(_) => false,
        };
    });
    wins
}

/// Returns the lead in potential of a player.
pub fn lead(strip: &impl Halves, side: Side) -> i32 {
    let (left, right) = potentials::of_strip(strip);
    let lead = right as i32 - left as i32;
    if side == Side::Left { lead } else { -lead }
}
