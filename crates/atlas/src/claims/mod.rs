//! The claims of the atlas, each with its verdict, the range of the check, and the command that
//! repeats it.

mod forward;
pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod strip;

use super::{ReportError, Row, Scope, pitches};
use phutbase_base::job::Job;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_tables::{NimberTable, Tablebase};
use phutbase_theory::claim::Statement;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Strip,
    Oddish,
    Pitch,
    Obstruction,
}

/// The subjects with their headings, in the order of the atlas.
pub const SUBJECTS: [(Subject, &str); 4] = [
    (Subject::Strip, "The strip"),
    (Subject::Oddish, "Oddish Phutball"),
    (Subject::Pitch, "The pitch"),
    (Subject::Obstruction, "Obstruction"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimStatus {
    Holds,
    Refuted,
    HoldsUpTo(usize),
}

impl ClaimStatus {
    fn of(holds: bool) -> ClaimStatus {
        if holds {
            ClaimStatus::Holds
        } else {
            ClaimStatus::Refuted
        }
    }

    /// Returns that a claim holds below the first length where it fails, if any.
    fn below(failing: Option<usize>) -> ClaimStatus {
        failing.map_or(ClaimStatus::Holds, |length| ClaimStatus::HoldsUpTo(length - 1))
    }

    /// Returns that a claim fails at a length, the shortest of `asked`; unasked shorter ones may
    /// fail.
    fn failing(length: usize, asked: &[usize]) -> ClaimStatus {
        if (MIN_LENGTH..length).all(|shorter| asked.contains(&shorter)) {
            ClaimStatus::HoldsUpTo(length - 1)
        } else {
            ClaimStatus::Refuted
        }
    }
}

impl std::fmt::Display for ClaimStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClaimStatus::Holds => f.write_str("holds"),
            ClaimStatus::Refuted => f.write_str("false"),
            ClaimStatus::HoldsUpTo(length) => write!(f, "false from {} squares on", length + 1),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRow {
    pub subject: Subject,
    pub statement: Statement,
    pub verdict: ClaimStatus,
    pub range: String,
    pub command: String,
    /// Example positions, with a remark each.
    pub examples: Vec<(String, String)>,
    /// A second proof, of the examples if there are any; may be empty.
    pub proof: String,
}

impl ClaimRow {
    fn new(
        subject: Subject,
        statement: Statement,
        verdict: ClaimStatus,
        range: String,
        command: impl Into<String>,
    ) -> ClaimRow {
        ClaimRow {
            subject,
            statement,
            verdict,
            range,
            command: command.into(),
            examples: Vec::new(),
            proof: String::new(),
        }
    }
}

/// Checks all claims.
pub(super) fn all(
    scope: Scope,
    rows: &[Row],
    tablebase: &Tablebase,
    pitches: &[pitches::PitchCounts],
    nimbers: &NimberTable,
    job: &Job,
) -> Result<Vec<ClaimRow>, ReportError> {
    let mut claims = strip::claims(rows, tablebase, job)?;
    job.note("forward play")?;
    claims.extend(forward::claim(rows, tablebase)?);
    claims.extend(oddish::claims(scope, job)?);
    job.note("certificates")?;
    claims.extend(pitch::claims(pitches)?);
    job.note("Obstruction")?;
    claims.extend(obstruction::claims(nimbers, job)?);
    Ok(claims)
}
