//! Values of strips of any length in the ordinary game (docs/THEORY.md, Boards of any length).
//!
//! In this order:
//!
//! 1. a table with depths that holds the length;
//! 2. Theorem F: a forward value against a potential;
//! 3. Theorem T': the board without its closed ends, in a table;
//! 4. Theorem 3: a window of the longest table's length at one end;
//! 5. a bounded [`search`], in which each position is decided by 2 to 4.
//!
//! A board that none of them decides is [`Undecided`].

pub mod search;

use crate::{Metric, StripTable, TableError, Tablebase};
use phutbase_base::outcome::{Side, Verdict, Wdl, words};
use phutbase_rules::Strip;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_solution::forward::{ForwardWin, HalfValues};
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// A value, or the reason why there is none.
pub type Decided = Result<Decision, Undecided>;

/// Why a strip has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// No theorem and no table decides it, and it is too long for a search.
    Open,
    /// The search examined all the positions that it may.
    OutOfBudget,
    /// The search was stopped.
    OutOfTime,
}

words!(Undecided: Open = "open", OutOfBudget = "out of budget", OutOfTime = "out of time");

/// A value and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The value for the player to move.
    pub verdict: Verdict,
    /// The rule that gave it.
    pub reason: Reason,
    /// The least number of backward turns that the winner needs, if known.
    pub backward_turns: Option<usize>,
}

/// The rule that gave a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The board is in a table.
    Table,
    /// Theorem F.
    Forward(ForwardWin),
    /// Theorem T': the squares `first` to `last` are in a table.
    Cut {
        /// The first remaining square.
        first: usize,
        /// The last remaining square.
        last: usize,
    },
    /// Theorem 3: the winner of the squares `first` to `last` wins. They include the first or the
    /// last square that Theorem T' leaves.
    Window {
        /// The first square of the window.
        first: usize,
        /// The last square of the window.
        last: usize,
    },
    /// A search of this many plies, by the other rules.
    Search {
        /// Plies from the position to those that the other rules decide.
        plies: usize,
    },
}

impl Reason {
    /// Returns the name of the rule.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Table => "table",
            Reason::Forward(_) => "forward",
            Reason::Cut { .. } => "cut",
            Reason::Window { .. } => "window",
            Reason::Search { .. } => "search",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Table => f.write_str("table"),
            Reason::Forward(win) => win.fmt(f),
            Reason::Cut { first, last } => write!(f, "cut to {} squares; table", last - first + 1),
            Reason::Window { first, last } => write!(f, "window of squares {first} to {last}"),
            Reason::Search { plies: 1 } => f.write_str("search, 1 ply"),
            Reason::Search { plies } => write!(f, "search, {plies} plies"),
        }
    }
}

impl Decision {
    /// Creates the decision that a player wins.
    fn won(winner: Side, side: Side, reason: Reason) -> Decision {
        Decision {
            verdict: Wdl::won_by(winner, side).into(),
            reason,
            backward_turns: None,
        }
    }
}

/// Looks a strip up in a table with depths, if one holds its length.
fn by_depths(tables: &Tablebase, strip: &AnyStrip) -> Result<Option<Decision>, TableError> {
    with_longest(tables, true, |longest| {
        let length = strip.length();
        let Some(short) = strip.packed().filter(|_| length <= longest) else {
            return Ok(None);
        };
        let verdict = tables.ask_strips(length, Some(Metric::Dtw), |table| table.verdict(&short))?;
        Ok(Some(Decision {
            verdict,
            reason: Reason::Table,
            backward_turns: None,
        }))
    })
}

/// Asks a question for which the longest table is used. Repeats it with the next longest if that
/// table turns out to be damaged and its place was not named by the user.
fn with_longest<A>(
    tables: &Tablebase,
    depths: bool,
    question: impl Fn(usize) -> Result<Option<A>, TableError>,
) -> Result<Option<A>, TableError> {
    loop {
        let Some(longest) = tables.longest_strips(depths) else {
            return Ok(None);
        };
        match question(longest) {
            Err(_) if tables.longest_strips(depths) != Some(longest) => {}
            answer => return answer,
        }
    }
}

/// Decides a strip without depths and without a search. Of the backward turns only 0, by Theorem F,
/// are filled in: see [`with_backward_turns`].
pub fn by_rules(
    tables: &Tablebase,
    strip: &AnyStrip,
    values: [HalfValues; 2],
) -> Result<Option<Decision>, TableError> {
    let (side, end) = (strip.side(), strip.length() - 1);
    if let Some(win) = ForwardWin::new(side, values) {
        return Ok(Some(Decision {
            backward_turns: Some(0),
            ..Decision::won(win.winner, side, Reason::Forward(win))
        }));
    }
    with_longest(tables, false, |longest| {
        by_winners(tables, longest, strip, remaining(end, values))
    })
}

/// Decides a strip by the tables of winners, the longest of which has this length, given the first
/// and the last square that Theorem T' leaves.
fn by_winners(
    tables: &Tablebase,
    longest: usize,
    strip: &AnyStrip,
    [first, last]: [usize; 2],
) -> Result<Option<Decision>, TableError> {
    let (side, end) = (strip.side(), strip.length() - 1);
    if last - first < longest
        && let Some(short) = strip.window(first, last)
    {
        let reason = if (first, last) == (0, end) {
            Reason::Table
        } else {
            Reason::Cut { first, last }
        };
        return looked_up(tables, &short, reason).map(Some);
    }
    // Left wins with any squares in front of the last ones if he wins with none, and Right with any
    // squares behind the first ones.
    let windows = [
        (Side::Left, last + 1 - longest, last),
        (Side::Right, first, first + longest - 1),
    ];
    for (winner, first, last) in windows {
        let Some(window) = strip.window(first, last) else {
            continue;
        };
        let verdict = tables.ask_strips(longest, None, |table| table.verdict(&window))?;
        if verdict.wdl.winner(side) == Some(winner) {
            return Ok(Some(Decision::won(winner, side, Reason::Window { first, last })));
        }
    }
    Ok(None)
}

/// Returns the first and the last square that remain after Theorem T' has cut both ends.
fn remaining(end: usize, [left, right]: [HalfValues; 2]) -> [usize; 2] {
    [left.closed, end - right.closed]
}

/// Looks up the winner of a strip in a table of winners, or else in one with depths.
fn looked_up(tables: &Tablebase, strip: &Strip, reason: Reason) -> Result<Decision, TableError> {
    let wdl = |table: &StripTable| Ok(table.verdict(strip)?.wdl);
    let wdl = match tables.ask_strips(strip.length(), Some(Metric::Wdl), wdl) {
        Err(TableError::Missing { .. }) => tables.verdict(strip)?.wdl,
        found => found?,
    };
    Ok(Decision {
        verdict: wdl.into(),
        reason,
        backward_turns: None,
    })
}

/// Adds the backward turns that the winner needs, if a table decided and one has the levels.
pub fn with_backward_turns(
    tables: &Tablebase,
    strip: &AnyStrip,
    decision: Decision,
) -> Result<Decision, TableError> {
    let [first, last] = match decision.reason {
        Reason::Table => [0, strip.length() - 1],
        Reason::Cut { first, last } => [first, last],
        _ => return Ok(decision),
    };
    let Some(rest) = strip.window(first, last) else {
        return Ok(decision);
    };
    let winner = rest.normalised();
    let level = |table: &StripTable| match decision.verdict.wdl {
        Wdl::Win => table.level(&winner, Side::Left),
        Wdl::Loss => table.level(&winner.mirror(), Side::Right),
        Wdl::Draw => Ok(None),
    };
    let backward_turns = match tables.ask_strips(rest.length(), Some(Metric::Levels), level) {
        Err(TableError::Missing { .. }) => None,
        found => found?,
    };
    Ok(Decision {
        backward_turns,
        ..decision
    })
}

impl Serialize for Undecided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// The fields of a reason; the sentence is its `Display`.
impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("kind", self.kind())?;
        match self {
            Reason::Table => {}
            // The forward value of the half that the winner attacks, and the potential of the other.
            Reason::Forward(win) => {
                fields.serialize_entry("value", &win.forward)?;
                fields.serialize_entry("potential", &win.potential)?;
            }
            // The squares that remain, or the window.
            Reason::Cut { first, last } | Reason::Window { first, last } => {
                fields.serialize_entry("first", first)?;
                fields.serialize_entry("last", last)?;
            }
            Reason::Search { plies } => fields.serialize_entry("plies", plies)?,
        }
        fields.end()
    }
}
