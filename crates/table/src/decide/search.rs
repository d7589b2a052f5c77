//! A bounded search: iterative deepening, in which every position is decided by the rules for
//! strips of any length or else searched one ply less deeply.

use super::{Decided, Decision, Reason, Undecided, by_depths, by_rules, remaining, with_backward_turns};
use crate::{TableError, Tablebase};
use phutbase_base::game::Listing;
use phutbase_base::outcome::{Depth, Value, Verdict, Wdl};
use phutbase_rules::strip::{After, AnyStrip, Halves, Turn};
use phutbase_solution::forward::HalfValues;
use std::cmp::Reverse;
use std::convert::Infallible;

/// Greatest length of a strip of which every turn is listed, and that is searched after its ends
/// are cut.
pub const MAX_LISTED: usize = 1000;

/// Number of stones that are listed on the longest strips.
const MIN_STONES: usize = 16;

/// The positions that a search examines unless it is given another number.
pub const MAX_POSITIONS: usize = 4_000;

/// A turn with its value for the player who makes it.
#[derive(Clone, Debug)]
pub struct SearchedTurn {
    /// The turn.
    pub turn: Turn,
    /// Its result.
    pub after: After<AnyStrip>,
    /// Its value; `None` if it is undecided.
    pub verdict: Option<Verdict>,
    /// The reason; `None` if it is undecided or ends the game.
    pub reason: Option<Reason>,
}

/// A strip's value and its turns.
pub struct Analysis {
    /// The value: that of the best turn, if the rules and the search do not give it.
    pub decided: Decided,
    /// The turns, best first.
    pub turns: Listing<SearchedTurn>,
}

/// The end of a search by its limits, or an error.
enum Stopped {
    Limit(Undecided),
    Table(TableError),
}

impl From<TableError> for Stopped {
    fn from(error: TableError) -> Stopped {
        Stopped::Table(error)
    }
}

/// The search for the answer to one question, with one budget for the value and the turns.
pub struct Search<'a> {
    tables: &'a Tablebase,
    stop: &'a dyn Fn() -> bool,
    /// Positions left to examine. The turns of the strip itself are not counted.
    left: usize,
}

impl<'a> Search<'a> {
    /// Begins a search that examines at most `positions` positions and ends when `stop` returns
    /// true, which is asked before each position.
    pub fn new(tables: &'a Tablebase, positions: usize, stop: &'a dyn Fn() -> bool) -> Search<'a> {
        Search {
            tables,
            stop,
            left: positions,
        }
    }

    /// Decides a strip of the ordinary game, given the values of its halves.
    pub fn decide(&mut self, strip: &AnyStrip, values: [HalfValues; 2]) -> Result<Decided, TableError> {
        let decision = match by_depths(self.tables, strip)? {
            None => by_rules(self.tables, strip, values)?,
            by_depths => by_depths,
        };
        match decision {
            None => self.deepening(strip, values),
            Some(decision) => with_backward_turns(self.tables, strip, decision).map(Ok),
        }
    }

    /// Decides a strip and rates its turns.
    pub fn analyse(&mut self, strip: &AnyStrip, values: [HalfValues; 2]) -> Result<Analysis, TableError> {
        let decided = self.decide(strip, values)?;
        let turns = self.rated_turns(strip, listed_turns(strip))?;
        let decided = decided.or_else(|open| by_turns(&turns).ok_or(open));
        Ok(Analysis { decided, turns })
    }

    /// Decides a strip that the rules leave open.
    fn deepening(&mut self, strip: &AnyStrip, values: [HalfValues; 2]) -> Result<Decided, TableError> {
        let [first, last] = remaining(strip.length() - 1, values);
        if last - first >= MAX_LISTED {
            return Ok(Err(Undecided::Open));
        }
        // The winner of the rest is the winner of the strip.
        let strip = AnyStrip::of(strip, first, last);
        let mut plies = 1;
        loop {
            match self.wdl(&strip, plies) {
                Ok(None) => plies += 1,
                Ok(Some(wdl)) => return Ok(Ok(found(wdl, plies))),
                Err(Stopped::Limit(limit)) => return Ok(Err(limit)),
                Err(Stopped::Table(error)) => return Err(error),
            }
        }
    }

    /// Returns the value of a strip that the rules leave open, searched to a depth.
    fn wdl(&mut self, strip: &AnyStrip, plies: usize) -> Result<Option<Wdl>, Stopped> {
        listed_turns(strip).value(|&turn| match strip.after(turn) {
            After::Over { winner } => Ok(Some(Wdl::won_by(winner, strip.side()))),
            After::Position(next) => Ok(self.below(&next, plies - 1)?.map(Wdl::flip)),
        })
    }

    /// Returns the value of a strip by the rules, or else searched to a depth.
    fn below(&mut self, strip: &AnyStrip, plies: usize) -> Result<Option<Wdl>, Stopped> {
        if (self.stop)() {
            return Err(Stopped::Limit(Undecided::OutOfTime));
        }
        let left = self.left.checked_sub(1);
        self.left = left.ok_or(Stopped::Limit(Undecided::OutOfBudget))?;
        match by_rules(self.tables, strip, HalfValues::both(strip))? {
            Some(decision) => Ok(Some(decision.verdict.wdl)),
            None if plies == 0 => Ok(None),
            None => self.wdl(strip, plies),
        }
    }

    /// Rates turns of a strip, best first: turns that win, in front the proper ones, so that play
    /// ends, and of these the forward ones, the fewest forward turns first; then undecided turns; then
    /// the others.
    pub fn rated_turns(
        &mut self,
        strip: &AnyStrip,
        listing: Listing<Turn>,
    ) -> Result<Listing<SearchedTurn>, TableError> {
        let mut turns = Vec::new();
        for &turn in listing.turns() {
            let after = strip.after(turn);
            let (verdict, decision) = match &after {
                After::Over { winner } => {
                    let outcome = Wdl::won_by(*winner, strip.side());
                    (Some(Value::at_once(outcome).into()), None)
                }
                After::Position(_) if (self.stop)() => (None, None),
                After::Position(next) => {
                    let decision = by_rules(self.tables, next, HalfValues::both(next))?;
                    (decision.map(|decision| decision.verdict.before()), decision)
                }
            };
            turns.push(SearchedTurn {
                turn,
                after,
                verdict,
                reason: decision.map(|decision| decision.reason),
            });
        }
        self.deepen(&mut turns)?;
        turns.sort_by_cached_key(|rated| {
            let forward_turns = match rated.reason {
                Some(Reason::Forward(win)) => win.forward,
                _ => i64::MAX,
            };
            let is_slow = (!rated.turn.is_proper(strip), !rated.turn.is_forward(strip));
            (preference(rated), is_slow, forward_turns)
        });
        Ok(listing.map(|_| turns))
    }

    /// Searches below the undecided turns, until all are decided or the limits are reached.
    fn deepen(&mut self, turns: &mut [SearchedTurn]) -> Result<(), TableError> {
        let mut plies = 0;
        while turns.iter().any(|rated| rated.verdict.is_none()) {
            plies += 1;
            for rated in turns.iter_mut().filter(|rated| rated.verdict.is_none()) {
                let After::Position(next) = &rated.after else {
                    continue;
                };
                match self.wdl(next, plies) {
                    Ok(None) => {}
                    Ok(Some(wdl)) => {
                        rated.verdict = Some(Verdict::from(wdl).before());
                        rated.reason = Some(Reason::Search { plies });
                    }
                    Err(Stopped::Limit(_)) => return Ok(()),
                    Err(Stopped::Table(error)) => return Err(error),
                }
            }
        }
        Ok(())
    }
}

/// Returns the decision of a search of this many plies.
fn found(wdl: Wdl, plies: usize) -> Decision {
    Decision {
        verdict: wdl.into(),
        reason: Reason::Search { plies },
        backward_turns: None,
    }
}

/// Returns the value of a strip by the values of its turns; `None` if they do not give one.
fn by_turns(turns: &Listing<SearchedTurn>) -> Option<Decision> {
    let wdl = |rated: &SearchedTurn| rated.verdict.map(|verdict| verdict.wdl);
    let Ok(value) = turns.value(|rated| Ok::<_, Infallible>(wdl(rated)));
    // The first turn that wins proves a win, and all turns together anything else.
    let proof = match value? {
        Wdl::Win => &turns.turns()[..1],
        Wdl::Draw | Wdl::Loss => turns.turns(),
    };
    let plies = |rated: &SearchedTurn| match rated.reason {
        Some(Reason::Search { plies }) => plies + 1,
        _ => 1,
    };
    Some(found(value?, proof.iter().map(plies).max()?))
}

/// Lists the turns, the most forcing first: jumps, then stones by their distance from the ball.
/// Of more than [`MAX_LISTED`] squares the list has only the stones near the ball, and fewer the
/// longer the strip is.
pub fn listed_turns(strip: &AnyStrip) -> Listing<Turn> {
    let (ball, last) = (strip.ball(), strip.length() - 1);
    let is_complete = strip.length() <= MAX_LISTED;
    let stones = if is_complete {
        MAX_LISTED
    } else {
        (MAX_LISTED * MAX_LISTED / strip.length()).clamp(MIN_STONES, MAX_LISTED)
    };
    let mut turns = strip.jumps();
    let at_distance = |distance: usize| {
        let right = Some(ball + distance).filter(|&square| square <= last);
        right.into_iter().chain(ball.checked_sub(distance))
    };
    let empty = (1..=ball.max(last - ball))
        .flat_map(at_distance)
        .filter(|&square| !strip.stone(square));
    turns.extend(empty.take(stones).map(Turn::Place));
    if is_complete {
        Listing::complete(turns)
    } else {
        Listing::partial(turns)
    }
}

/// Returns a turn's place among rated turns, the best first.
fn preference(rated: &SearchedTurn) -> (u8, Reverse<Option<Depth>>) {
    match rated.verdict.map(|verdict| (verdict.wdl, verdict.depth)) {
        Some((Wdl::Win, depth)) => (0, Reverse(depth)),
        None => (1, Reverse(None)),
        Some((Wdl::Draw, _)) => (2, Reverse(None)),
        // A turn that loses at once is the worst.
        Some((Wdl::Loss, None)) => (3, Reverse(None)),
        Some((Wdl::Loss, Some(_))) => (4, Reverse(None)),
    }
}
