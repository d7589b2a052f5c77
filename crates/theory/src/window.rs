//! The number of empty squares behind the ball that suffices, whatever is in front of it
//! (docs/PROOF.md, Windows).

use phutbase_base::outcome::Side;
use phutbase_diagram::{Graph, Join, Pattern, Ref, Sets, TooLarge};
use phutbase_table::{StripTable, TableError};

/// Returns the least number of empty squares left of the ball with which Left wins, whatever the
/// squares right of it hold, on strips of any length.
pub fn formula(right: usize, side: Side) -> usize {
    let fours = (right + 1) / 4;
    match side {
        Side::Left => (4 * fours).saturating_sub(1).max(1),
        Side::Right => 4 * fours + 3,
    }
}

/// Returns whether Left wins every board with `left` empty squares left of the ball and `right`
/// squares of any content right of it.
///
/// By Theorem 3 Left then also wins with any squares added on the left, so more empty squares
/// suffice too.
pub fn is_enough(table: &StripTable, left: usize, right: usize, side: Side) -> Result<bool, TableError> {
    let length = left + 1 + right;
    let sets = table.sets(length)?;
    let beyond = || -> Result<bool, TooLarge> {
        let text = format!("{}@{}", ".".repeat(left), "?".repeat(right));
        let pattern = Pattern::parse(&text, length).expect("a board of the length");
        let mut graph: Graph = sets.workspace();
        let won = graph.copy(&sets, &[sets.won_by_left(side)])?[0];
        let boards = pattern.set(&mut graph)?;
        let mut algebra = Sets::new(graph);
        Ok(algebra.join(Join::Minus, boards, won)? == Ref::BOTTOM)
    };
    beyond().map_err(|TooLarge| sets.unwieldy())
}
