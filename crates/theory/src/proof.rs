//! Proofs of claimed wins: play against every reply, by the rules alone.
//!
//! A *strategy* proves that a player wins: one turn for each position of the winner, such that the
//! game ends with a win against every reply. Exact values may suggest the turns, but the proof does
//! not rely on them. It follows every reply, and fails if a game is lost, if a suggested turn is
//! illegal, or if play returns to a position on the current path, because the strategy might then
//! not terminate.

use super::error::TheoryError;
use hashbrown::HashMap;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{After, Strip, Turn};
use phutbase_tables::{Metric, Tablebase};
use std::hash::Hash;

/// Maximum number of positions in the proof of one counterexample.
pub const PROOF_LIMIT: usize = 20_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    pub positions: usize,
    pub plies: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProved {
    #[error("more than {0} positions")]
    TooLong(usize),
    #[error("{0}")]
    Refuted(String),
}

impl NotProved {
    pub(super) fn lost(strip: &Strip) -> NotProved {
        NotProved::Refuted(format!("the game is lost after '{strip}'"))
    }
}

/// Proves that `winner` wins a position, with the turns of a table with depths as suggestions.
pub fn prove_by_table(strip: &Strip, winner: Side, tables: &Tablebase) -> Result<Proof, TheoryError> {
    let best = |strip: &Strip| {
        let rated = tables.ask_strips(strip.length(), Some(Metric::Dtw), |table| {
            table.rated_turns(strip)
        });
        Some(rated.ok()?.first()?.turn)
    };
    prove(strip, winner, &best, PROOF_LIMIT)
        .map_err(|error| TheoryError::Wrong(format!("cannot prove that {winner} wins '{strip}': {error}")))
}

/// Proves that `winner` wins a position, or returns why the suggestions fail. Visits at most
/// `limit` positions.
pub fn prove(
    strip: &Strip,
    winner: Side,
    suggest: &dyn Fn(&Strip) -> Option<Turn>,
    limit: usize,
) -> Result<Proof, NotProved> {
    follow((*strip, ()), limit, |(strip, ())| {
        let turns = if strip.side() == winner {
            let turn = suggest(strip).filter(|turn| strip.play(*turn).is_ok());
            let none = || NotProved::Refuted(format!("no legal turn was suggested in '{strip}'"));
            vec![turn.ok_or_else(none)?]
        } else {
            strip.turns()
        };
        let after = |turn| match strip.after(turn) {
            After::Position(next) => Ok(Some((next, ()))),
            After::Over { winner: by, .. } if by == winner => Ok(None),
            After::Over { .. } => Err(NotProved::lost(strip)),
        };
        turns.into_iter().map(after).collect()
    })
}

/// Returns the number of states of a proof that fit into this many bytes.
pub fn states_within(bytes: u64) -> usize {
    type Known = (State<usize>, Option<u32>);
    // A map holds seven states in eight places of one byte more; while it grows, half as many besides.
    let places = bytes / (size_of::<Known>() as u64 + 1) * 2 / 3;
    let places = places.checked_ilog2().map_or(0, |log| 1_u64 << log);
    // A full map grows already where a state that it has is inserted again.
    usize::try_from((places / 8 * 7).saturating_sub(1)).unwrap_or(usize::MAX)
}

/// A position, with what else determines the strategy there.
type State<X> = (Strip, X);

/// A state on the current path.
struct Stage<X> {
    state: State<X>,
    open: Vec<Option<State<X>>>,
    /// Plies of the longest game so far.
    longest: u32,
}

/// Follows all play from a state, of at most `limit` states. `next` returns the states after the
/// strategy's turn or after every reply; `None` stands for a game that the strategy has won.
pub(super) fn follow<X: Copy + Eq + Hash>(
    start: State<X>,
    limit: usize,
    mut next: impl FnMut(&State<X>) -> Result<Vec<Option<State<X>>>, NotProved>,
) -> Result<Proof, NotProved> {
    // Plies of the longest game; `None` while the state is on the current path.
    let mut done: HashMap<State<X>, Option<u32>> = HashMap::new();
    // On the heap: a bad strategy may lead deeper than the stack allows.
    let mut path: Vec<Stage<X>> = Vec::new();
    let mut entered = Some(start);
    loop {
        if let Some(state) = entered.take() {
            if done.len() >= limit {
                return Err(NotProved::TooLong(limit));
            }
            done.insert(state, None);
            let open = next(&state)?;
            path.push(Stage {
                state,
                open,
                longest: 0,
            });
        }
        let stage = path.last_mut().expect("the path ends where the start is left");
        match stage.open.pop() {
            Some(None) => stage.longest = stage.longest.max(1),
            Some(Some(state)) => match done.get(&state) {
                Some(Some(plies)) => stage.longest = stage.longest.max(plies + 1),
                Some(None) => return Err(NotProved::Refuted(format!("play returns to '{}'", state.0))),
                None => entered = Some(state),
            },
            None => {
                let plies = stage.longest;
                done.insert(stage.state, Some(plies));
                path.pop();
                match path.last_mut() {
                    Some(before) => before.longest = before.longest.max(plies + 1),
                    None => {
                        let positions = done.len();
                        return Ok(Proof { positions, plies });
                    }
                }
            }
        }
    }
}
