//! The value of the move, tested on whole tables, level by level (docs/PROOF.md, Theorem Z).

use super::claim::{Law, Statement};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::{Sets, TooLarge};
use phutbase_table::{Metric, StripSets, TableError};

pub const LAW: Law = Law {
    statement: Statement {
        words: "Having the move never hurts: no board is lost with the move and won without it.",
        source: "Theorem Z, docs/PROOF.md",
    },
    holds: "having the move never hurts",
    exception: |table, length| {
        let found = move_hurts(&table.sets(length)?)?;
        Ok(found.map(|Exception { level, board, .. }| {
            format!("level {level}: Left loses '{board}' by having the move")
        }))
    },
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    pub statement: &'static str,
    /// The level; 0 without levels.
    pub level: usize,
    pub board: Strip,
}

/// Returns the first board that Left wins with Right to move but not with Left to move; `None` if
/// there is none. Tests each level, or without levels all boards that Left wins.
pub fn move_hurts(table: &StripSets) -> Result<Option<Exception>, TableError> {
    let levels = levels(table);
    let first = || -> Result<Option<Exception>, TooLarge> {
        for (level, roots) in levels.iter().enumerate() {
            let mut graph = table.workspace();
            let sets = graph.copy(table, roots)?;
            let mut algebra = Sets::new(graph);
            if let Some(board) = algebra.first_beyond(sets[1], sets[0], Side::Left)? {
                return Ok(Some(Exception {
                    statement: "having the move never hurts",
                    level,
                    board,
                }));
            }
        }
        Ok(None)
    };
    first().map_err(|TooLarge| table.unwieldy())
}

/// Returns the boards that Left wins with Left and with Right to move, by levels; of a table without
/// levels one level of all of them.
pub fn levels(table: &StripSets) -> Vec<[u32; 2]> {
    match table.metric() {
        Metric::Levels => (0..table.levels()).map(|level| table.level(level)).collect(),
        Metric::Dtw | Metric::Wdl => vec![[Side::Left, Side::Right].map(|side| table.won_by_left(side))],
    }
}
