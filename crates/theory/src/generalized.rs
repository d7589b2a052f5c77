//! Comparison of the generalized potential (Grossman & Nowakowski, *One-Dimensional Phutball*,
//! § 3) with exact values of the strip, and an analysis of its failures, which the paper leaves to
//! the reader.
//!
//! The proof of GN Theorem 1 uses three facts about one turn (GN Lemma 2): from potential 0 a jump
//! gains the lead; from a positive potential a stone subtracts 1; no other turn gains more. The
//! strategy follows. The prediction can therefore be wrong in two ways, and each mismatch has one
//! of four causes:
//!
//! * the prediction is *inconsistent*: a predicted win has no turn into a predicted loss
//!   ([`Cause::NoGain`], as if part (i) or (ii) failed), or a predicted loss has a turn into a
//!   predicted loss of the opponent that really wins ([`Cause::FarGain`], as if part (iii) failed);
//! * it is consistent here and wrong *elsewhere*: every turn to a predicted loss leads to a
//!   mismatch ([`Cause::FalseHope`]), or every turn that really wins does ([`Cause::HiddenWin`]).

use super::claim::{Claim, Finding, Statement};
use super::error::TheoryError;
use super::values::AllValues;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::half::HalfAutomaton;
use phutbase_rules::potentials::{self, Generalized, predicted_winner};
use phutbase_rules::strip::{After, Halves, Strip, Turn, positions};
use phutbase_solution::HalfState;
use phutbase_solution::count::words_by_value;
use phutbase_solution::rule::wins;
use phutbase_tables::Tablebase;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

pub const GENERALIZED: Statement = Statement {
    words: "The generalized potential predicts the winner.",
    source: "Grossman & Nowakowski §3, 'almost works'",
};

/// [`GENERALIZED`], on every position of a length, with the causes of its failures.
pub struct GeneralizedClaim<'a> {
    pub tables: &'a Tablebase,
    /// Explains the failures on strips of at most this many squares, by tables with depths.
    pub causes_length: usize,
    /// Lists at most this many examples of each kind.
    pub limit: usize,
}

impl<'a> Claim for GeneralizedClaim<'a> {
    fn check(&mut self, length: usize, job: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let counts = count(length, job)?;
        let explained = if length <= self.causes_length {
            Some(mismatches(
                &AllValues::ask(self.tables, length)?,
                self.limit,
                job,
            )?)
        } else {
            None
        };
        let all = positions(length);
        let MismatchCounts {
            false_wins,
            false_losses,
        } = counts;
        let wrong = false_wins + false_losses;
        let words = format!(
            "wrong on {} of {} positions ({} predicted wins are losses, {} predicted losses are wins)",
            grouped(wrong),
            grouped(&all),
            grouped(false_wins),
            grouped(false_losses),
        );
        let lines = explained.iter().flat_map(Mismatches::lines).collect();
        let (win_examples, loss_examples, causes) = explained.map_or_else(Default::default, |found| {
            let causes: Vec<_> = found.causes.into_iter().map(as_object).collect();
            (found.false_wins, found.false_losses, Some(causes))
        });
        Ok(Finding {
            holds: true,
            words,
            lines,
            fields: object! {
                positions: Count(all),
                mismatches: Count(wrong),
                predicted_win_is_loss: Count(false_wins),
                predicted_loss_is_win: Count(false_losses),
                /// The first examples by ball square and pattern.
                predicted_win_examples: win_examples,
                predicted_loss_examples: loss_examples,
                /// Null if not searched for.
                causes: causes,
            },
        })
    }
}

fn as_object((group, found): (Group, CauseCount)) -> impl Serialize {
    let (own_begins, potentials) = group.root.unzip();
    let own_begins = own_begins.map(|near: Near| near.to_string());
    object! {
        cause: group.cause.to_string(),
        /// The start of the mover's half and both potentials; null if inherited.
        own_begins: own_begins,
        potentials: potentials,
        count: Count(found.count),
        example: found.first,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MismatchCounts {
    pub false_wins: u128,
    pub false_losses: u128,
}

/// Greatest length whose mismatches are counted, in 128 bits.
pub const MAX_LENGTH: usize = 64;

/// Counts the mismatches of a length. Half strips with the same potential and the same value of the
/// solution are counted together.
///
/// # Panics
/// If the length is not from 3 to [`MAX_LENGTH`].
pub fn count(length: usize, job: &Job) -> Result<MismatchCounts, Stopped> {
    assert!((3..=MAX_LENGTH).contains(&length), "a length to count");
    let start = (Generalized::START, HalfState::START);
    let step = |(reading, half): (Generalized, HalfState), stone| (reading.step(stone), half.step(stone));
    let value = |(reading, half): (Generalized, HalfState)| (reading.value(), half.value());
    // By length, the numbers of half strips by potential and value.
    let halves = words_by_value(length - 2, start, step, value, job)?;
    let mut counts = MismatchCounts::default();
    for (own, other) in (1..=length - 2).map(|own| (&halves[own], &halves[length - 1 - own])) {
        for (&(own_potential, ahead), one) in own {
            for (&(potential, behind), other) in other {
                match (own_potential <= potential, wins(behind, ahead)) {
                    (true, false) => counts.false_wins += (one * other).as_u128(),
                    (false, true) => counts.false_losses += (one * other).as_u128(),
                    _ => {}
                }
            }
        }
    }
    Ok(counts)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TurnKind {
    /// A stone between the ball and the goal line attacked.
    OwnStone,
    /// A stone on the other side.
    OtherStone,
    /// A jump towards the goal line attacked.
    Forward,
    /// A jump towards one's own goal line.
    Backward,
}

impl TurnKind {
    pub fn of(turn: Turn, ball: usize) -> TurnKind {
        match turn {
            Turn::Place(square) if square > ball => TurnKind::OwnStone,
            Turn::Place(_) => TurnKind::OtherStone,
            Turn::Jump(square) if square > ball => TurnKind::Forward,
            Turn::Off(Side::Right) => TurnKind::Forward,
            Turn::Jump(_) | Turn::Off(Side::Left) => TurnKind::Backward,
        }
    }
}

/// Why the prediction is wrong for a position with Left to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Predicted as a win, but no turn leads to a predicted loss of the opponent.
    NoGain {
        /// True if the own potential is 0, so that a jump is missing; otherwise a stone is.
        zero: bool,
    },
    /// Predicted as a loss, but a turn of this kind wins and leads to a predicted loss of the
    /// opponent.
    FarGain(TurnKind),
    /// Predicted as a win, but all turns to predicted losses of the opponent lead to mismatches;
    /// the first such kind of turn.
    FalseHope(TurnKind),
    /// Predicted as a loss, but turns win, and all of them lead to mismatches; the first such kind
    /// of turn.
    HiddenWin(TurnKind),
}

impl Cause {
    pub fn is_of_predicted_win(self) -> bool {
        matches!(self, Cause::NoGain { .. } | Cause::FalseHope(_))
    }
}

impl Display for TurnKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TurnKind::OwnStone => "a stone on the own side",
            TurnKind::OtherStone => "a stone on the other side",
            TurnKind::Forward => "a jump forward",
            TurnKind::Backward => "a jump backward",
        })
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cause::NoGain { zero: true } => {
                f.write_str("predicted win: own potential 0, but no jump gains the lead")
            }
            Cause::NoGain { zero: false } => f.write_str("predicted win: no turn gains the lead"),
            Cause::FarGain(kind) => write!(f, "predicted loss: {kind} gains more than it should"),
            Cause::FalseHope(kind) => write!(f, "predicted win: inherited, {kind} leads to a mismatch"),
            Cause::HiddenWin(kind) => write!(f, "predicted loss: inherited, {kind} leads to a mismatch"),
        }
    }
}

/// The exact value and the prediction of a turn of Left.
struct Outlook {
    kind: TurnKind,
    wins: bool,
    promises: bool,
}

/// Returns the outlook of every turn of a position with Left to move.
fn outlooks(values: &AllValues, strip: &Strip) -> Vec<Outlook> {
    let outlook = |turn: Turn| {
        let (wins, promises) = match strip.after(turn) {
            After::Over { winner, .. } => (winner == Side::Left, winner == Side::Left),
            After::Position(next) => (
                values.left_wins(Side::Right, next.ball(), next.pattern().as_u64()),
                predicted_winner(&next) == Side::Left,
            ),
        };
        Outlook {
            kind: TurnKind::of(turn, strip.ball()),
            wins,
            promises,
        }
    };
    strip.turns().into_iter().map(outlook).collect()
}

/// Returns why the prediction is wrong for a position with Left to move; `None` if it is right.
pub fn cause(values: &AllValues, strip: &Strip) -> Option<Cause> {
    let predicted = predicted_winner(strip) == Side::Left;
    let wins = values.left_wins(Side::Left, strip.ball(), strip.pattern().as_u64());
    if predicted == wins {
        return None;
    }
    let turns = outlooks(values, strip);
    let first = |wanted: fn(&Outlook) -> bool| turns.iter().find(|turn| wanted(turn)).map(|turn| turn.kind);
    if predicted {
        let zero = potentials::of_strip(strip).0 == 0;
        return Some(first(|turn| turn.promises).map_or(Cause::NoGain { zero }, Cause::FalseHope));
    }
    let both = first(|turn| turn.wins && turn.promises).map(Cause::FarGain);
    both.or_else(|| first(|turn| turn.wins).map(Cause::HiddenWin))
}

/// A cause; for an inconsistency also the start of the own half and the potentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    pub cause: Cause,
    /// The (up to) four squares next to the ball on the own side, and both potentials, the own
    /// first; `None` for mismatches that follow from others.
    pub root: Option<(Near, (u32, u32))>,
}

/// The squares next to the ball on one side: their number, and a bit for each stone, the lowest next to the
/// ball. Displayed from the ball on: `@oo.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    squares: usize,
    stones: u8,
}

impl Near {
    fn right_of_ball(strip: &Strip) -> Near {
        let squares = (strip.length() - 1 - strip.ball()).min(4);
        let stone = |square: usize| u8::from(strip.stone(strip.ball() + 1 + square)) << square;
        let stones = (0..squares).map(stone).sum();
        Near { squares, stones }
    }
}

impl Display for Near {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        (0..self.squares)
            .try_for_each(|square| f.write_str(if self.stones >> square & 1 == 1 { "o" } else { "." }))
    }
}

impl Group {
    fn new(cause: Cause, strip: &Strip) -> Group {
        let root = match cause {
            Cause::FalseHope(_) | Cause::HiddenWin(_) => None,
            Cause::NoGain { .. } | Cause::FarGain(_) => {
                Some((Near::right_of_ball(strip), potentials::of_strip(strip)))
            }
        };
        Group { cause, root }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseCount {
    pub count: u64,
    /// The first one by ball square and pattern.
    pub first: Strip,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mismatches {
    pub causes: BTreeMap<Group, CauseCount>,
    /// The first predicted wins that are none, by ball square and pattern.
    pub false_wins: Vec<Strip>,
    pub false_losses: Vec<Strip>,
}

impl Mismatches {
    /// Describes the examples and the causes, a line each.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (predicted, boards) in [("win", &self.false_wins), ("loss", &self.false_losses)] {
            if !boards.is_empty() {
                let boards: Vec<String> = boards.iter().map(Strip::to_string).collect();
                lines.push(format!("predicted {predicted}: {}", boards.join("  ")));
            }
        }
        for (Group { cause, root }, found) in &self.causes {
            let root = root.map_or(String::new(), |(start, (own, other))| {
                format!("; own half {start}…, potentials {own} against {other}")
            });
            let count = grouped(found.count);
            lines.push(format!("{count:>8}  {cause}{root}; first {}", found.first));
        }
        lines
    }
}

/// Finds all mismatches of a length, and keeps the first `show` of each kind.
///
/// Visits every position: a matter of seconds up to 20 squares.
pub fn mismatches(values: &AllValues, show: usize, job: &Job) -> Result<Mismatches, TheoryError> {
    let (length, bits) = (values.length(), values.length() - 1);
    let mut found = Mismatches::default();
    for ball in 1..=length - 2 {
        job.note(format!("ball square {ball} of {}", length - 2))?;
        let strips =
            (0..1u64 << bits).filter_map(|pattern| Strip::from_pattern(length, ball, pattern, Side::Left));
        for first in strips {
            let Some(cause) = cause(values, &first) else {
                continue;
            };
            let unseen = CauseCount { count: 0, first };
            let group = found.causes.entry(Group::new(cause, &first));
            group.or_insert(unseen).count += 1;
            let examples = if cause.is_of_predicted_win() {
                &mut found.false_wins
            } else {
                &mut found.false_losses
            };
            if examples.len() < show {
                examples.push(first);
            }
        }
    }
    Ok(found)
}
