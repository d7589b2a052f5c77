//! The claims of an engine, checked: a `score mate` and the line against exact values.

use super::report::{Report, Score};
use phutbase_base::outcome::{Side, Verdict, Wdl};
use phutbase_rules::position::{Phutball, Standing};
use phutbase_solution::forward::HalfValues;
use phutbase_table::decide::search::{MAX_POSITIONS, Search};
use phutbase_table::{TableError, Tablebase};

/// Returns the value of a position by the tables, or of a strip by the rules for any length; `None`
/// if nothing decides it.
fn verdict(
    tables: &Tablebase,
    position: &Phutball,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Verdict>, TableError> {
    let known = tables.ask_boards(&position.boards(), |table| table.verdict(position));
    match (known, position) {
        (Err(TableError::Missing { .. }), Phutball::Strip(strip)) => {
            let decided = Search::new(tables, MAX_POSITIONS, stop).decide(strip, HalfValues::both(strip))?;
            Ok(decided.ok().map(|decision| decision.verdict))
        }
        (known, _) => known.map(Some),
    }
}

/// Describes the first false claim about a position of this value; `None` if there is none. Searches end
/// when `stop` returns true, and then decide nothing.
///
/// The line must be legal. A mate must be for the winner and not sooner than is possible, and each
/// turn of the winner in the line must keep the win.
pub fn false_claim(
    tables: &Tablebase,
    position: &Phutball,
    value: Verdict,
    report: &Report,
    stop: &dyn Fn() -> bool,
) -> Result<Option<String>, TableError> {
    let winner = match report.score {
        Some(Score::Mate(turns)) => {
            if let Some(fault) = false_mate(turns, value) {
                return Ok(Some(fault));
            }
            value.wdl.winner(position.side())
        }
        _ => None,
    };
    false_line(tables, position, &report.line, winner, stop)
}

fn false_mate(turns: i64, value: Verdict) -> Option<String> {
    let outcome = if turns > 0 { Wdl::Win } else { Wdl::Loss };
    let plies = turns.unsigned_abs().saturating_mul(2) - u64::from(turns > 0);
    let is_too_soon = value.depth.is_some_and(|depth| plies < depth.0.into());
    (value.wdl != outcome || is_too_soon)
        .then(|| format!("it claims 'score mate {turns}' where the position is a {value}"))
}

fn false_line(
    tables: &Tablebase,
    position: &Phutball,
    line: &[String],
    winner: Option<Side>,
    stop: &dyn Fn() -> bool,
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
                Standing::Open(next) => match verdict(tables, next, stop)? {
                    Some(value) => value.wdl.winner(next.side()),
                    None => winner,
                },
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
