//! Claims about forward play and the backward turns that are needed without it (docs/PROOF.md).

use super::super::text::runs;
use super::super::{ReportError, Row};
use super::{ClaimRow, ClaimStatus, Subject};
use phutbase_base::digits::grouped;
use phutbase_rules::strip::Strip;
use phutbase_tables::Metric;
use phutbase_tables::tablebase::Tablebase;
use phutbase_theory::forward::{FORWARD_PLAY, Needed, REPLAY_LIMIT, replay};

/// Maximum length of examples that are replayed: each takes millions of positions there.
const REPLAY_LENGTH: usize = 22;

/// Returns the claim about forward play from the levels of all lengths, if there are any.
pub(super) fn claim(rows: &[Row], tablebase: &Tablebase) -> Result<Option<ClaimRow>, ReportError> {
    let known: Vec<(usize, &Needed)> = (rows.iter())
        .filter_map(|row| Some((row.length, row.needed.as_ref()?)))
        .collect();
    let lengths: Vec<usize> = (rows.iter())
        .filter(|row| row.has_levels)
        .map(|row| row.length)
        .collect();
    let (false, Some(&last)) = (known.is_empty(), lengths.last()) else {
        return Ok(None);
    };
    let first: Vec<(usize, &Needed)> = (1..)
        .map_while(|turns| known.iter().find(|(_, needed)| needed.most() >= turns).copied())
        .collect();
    let verdict = first.first().map_or(ClaimStatus::Holds, |&(length, _)| {
        ClaimStatus::failing(length, &lengths)
    });
    let mut claim = ClaimRow::new(
        Subject::Strip,
        FORWARD_PLAY,
        verdict,
        format!("every position of lengths {}", runs(&lengths)),
        format!("phutbase theory forward 3..{last}"),
    );
    for (place, (length, needed)) in first.into_iter().enumerate() {
        let turns = place + 1;
        // Long boards are similar, so one is enough.
        let shown = if length <= REPLAY_LENGTH { usize::MAX } else { 1 };
        let boards: Vec<Strip> = needed.boards(turns).take(shown).collect();
        let needs = match turns {
            1 => "a turn backward".to_string(),
            _ => format!("{turns} turns backward"),
        };
        let count = grouped(needed.count(turns));
        let what = format!("Left needs {needs}; there are {count} such boards of {length} squares");
        if length <= REPLAY_LENGTH {
            claim.proof = replayed(length, turns, &boards, tablebase)?;
        }
        let boards = boards.into_iter().map(|strip| (strip.to_string(), what.clone()));
        claim.examples.extend(boards);
    }
    Ok(Some(claim))
}

/// Replays boards by the rules alone, through every reply, and describes the number of positions.
fn replayed(
    length: usize,
    turns: usize,
    boards: &[Strip],
    tablebase: &Tablebase,
) -> Result<String, ReportError> {
    let sets = tablebase.ask_strips(length, Some(Metric::Levels), |table| table.sets(length))?;
    let mut visited = Vec::new();
    for strip in boards {
        let positions = replay(&sets, sets.roots(), strip, turns, REPLAY_LIMIT);
        let positions = positions.map_err(|error| {
            let claim = format!("Left needs {turns} turns backward ({error})");
            ReportError::example(strip, &claim)
        })?;
        visited.push(grouped(positions));
    }
    Ok(format!(
        "those of {length} squares proved by the rules alone, each player's strategy played out against every reply: {} positions",
        visited.join(", ")
    ))
}
