//! The claims of an engine, checked: a `score mate` and the line against exact values.

use super::report::{InfoScore, Report};
use phutbase_ask::sources::Sources;
use phutbase_base::outcome::{Side, Verdict, Wdl};
use phutbase_rules::position::{Phutball, Standing};
use phutbase_tables::TableError;

/// Describes the first false claim about a position of this value; `None` if there is none.
///
/// The line must be legal. Where the value is known, a mate must be for the winner and not sooner than
/// is possible, and each turn of the winner in the line must keep the win.
pub fn false_claim(
    sources: &Sources,
    position: &Phutball,
    value: Option<Verdict>,
    report: &Report,
) -> Result<Option<String>, TableError> {
    let winner = match (report.score, value) {
        (Some(InfoScore::Mate(turns)), Some(value)) => {
            if let Some(fault) = false_mate(turns, value) {
                return Ok(Some(fault));
            }
            value.wdl.winner(position.side())
        }
        _ => None,
    };
    false_line(sources, position, &report.line, winner)
}

fn false_mate(turns: i64, value: Verdict) -> Option<String> {
    let outcome = if turns > 0 { Wdl::Win } else { Wdl::Loss };
    let plies = turns.unsigned_abs().saturating_mul(2) - u64::from(turns > 0);
    let is_too_soon = value.depth.is_some_and(|depth| plies < depth.0.into());
    (value.wdl != outcome || is_too_soon)
        .then(|| format!("it claims 'score mate {turns}' where the position is a {value}"))
}

fn false_line(
    sources: &Sources,
    position: &Phutball,
    line: &[String],
    winner: Option<Side>,
) -> Result<Option<String>, TableError> {
    let mut standing = Standing::Open(position.clone());
    for (made, turn) in (1..).zip(line) {
        let words = line[..made].join(" ");
        let Standing::Open(position) = &standing else {
            return Ok(Some(format!(
                "its line '{words}' goes on after the end of the game"
            )));
        };
        let mover = position.side();
        let Ok(next) = position.play(turn) else {
            return Ok(Some(format!("its line '{words}' ends with an illegal turn")));
        };
        if winner == Some(mover) {
            let after = match &next {
                Standing::Won { winner, .. } => Some(*winner),
                Standing::Open(next) => sources.verdict(next)?.wdl.winner(next.side()),
            };
            if after != winner {
                return Ok(Some(format!(
                    "its line '{words}' gives up the win that it claims"
                )));
            }
        }
        standing = next;
    }
    Ok(None)
}
