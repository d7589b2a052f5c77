//! The statements that the atlas settles, each with its verdict, the range it was checked on, and the command that checks
//! it again.
//!
//! * [`strip`] — the strip: draws, potentials, tempting assertions;
//! * [`oddish`] — Oddish Phutball;
//! * [`pitch`], [`obstruction`] — the neighbours;
//! * [`reproof`] — positions that are shown, proved again.

mod forward;
pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod reproof;
pub mod strip;

use super::{ReportError, Row, Scope, pitches, step};
use crate::games::strip::MIN_LENGTH;
use crate::table::nimbers::NimberTable;
use crate::table::tablebase::Tablebase;
use crate::theory::watch::Watch;
pub(super) use strip::Examiner;

/// What a statement is about; the atlas shows them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One-dimensional Phutball.
    Strip,
    /// The exact potential of the strip.
    Potential,
    /// Oddish Phutball.
    Oddish,
    /// Two-dimensional Phutball.
    Pitch,
    /// Obstruction.
    Obstruction,
}

impl Subject {
    /// All of them.
    pub const ALL: [Subject; 5] = [
        Subject::Strip,
        Subject::Potential,
        Subject::Oddish,
        Subject::Pitch,
        Subject::Obstruction,
    ];

    /// A heading.
    pub fn title(self) -> &'static str {
        match self {
            Subject::Strip => "The strip",
            Subject::Potential => "The exact potential",
            Subject::Oddish => "Oddish Phutball",
            Subject::Pitch => "The pitch",
            Subject::Obstruction => "Obstruction",
        }
    }
}

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds on all that was checked.
    Holds,
    /// It is false.
    Refuted,
    /// It holds up to some length and fails then.
    HoldsUpTo(usize),
}

impl Verdict {
    fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Refuted }
    }

    /// That it holds below the first length where it fails, if there is one.
    fn below(failing: Option<usize>) -> Verdict {
        failing.map_or(Verdict::Holds, |length| Verdict::HoldsUpTo(length - 1))
    }

    /// That a length refutes it, the shortest of those that were `asked`. Shorter ones that were not may refute it too.
    fn failing(length: usize, asked: &[usize]) -> Verdict {
        match (MIN_LENGTH..length).all(|shorter| asked.contains(&shorter)) {
            true => Verdict::HoldsUpTo(length - 1),
            false => Verdict::Refuted,
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Holds => f.write_str("holds"),
            Verdict::Refuted => f.write_str("false"),
            Verdict::HoldsUpTo(length) => write!(f, "false from {} squares on", length + 1),
        }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What it is about.
    pub subject: Subject,
    /// The statement, in a sentence.
    pub statement: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What became of it.
    pub verdict: Verdict,
    /// What was checked.
    pub range: String,
    /// The command that does it again.
    pub command: String,
    /// Positions that show it, with a word on each.
    pub examples: Vec<(String, String)>,
    /// How the examples were proved again, besides the values that found them; empty if there are none.
    pub proof: String,
}

impl Claim {
    /// A claim without positions to show.
    fn new(
        subject: Subject,
        [statement, source]: [&'static str; 2],
        verdict: Verdict,
        range: String,
        command: impl Into<String>,
    ) -> Claim {
        Claim {
            subject,
            statement,
            source,
            verdict,
            range,
            command: command.into(),
            examples: Vec::new(),
            proof: String::new(),
        }
    }

    /// The same with positions that show it.
    fn shown_by(self, examples: Vec<(String, String)>) -> Claim {
        Claim { examples, ..self }
    }
}

impl Examiner {
    /// The statements with their verdicts.
    pub(super) fn finish(
        self,
        scope: Scope,
        rows: &[Row],
        tablebase: &Tablebase,
        pitches: &[pitches::Counts],
        nimbers: &NimberTable,
        watch: Watch<'_>,
    ) -> Result<Vec<Claim>, ReportError> {
        let mut claims = self.claims(rows)?;
        claims.extend(step("forward play", watch, |_| forward::claim(rows, tablebase))?);
        claims.extend(oddish::claims(scope, watch)?);
        claims.extend(step("certificates", watch, |_| pitch::claims(pitches))?);
        claims.extend(obstruction::claims(nimbers, watch)?);
        Ok(claims)
    }
}
