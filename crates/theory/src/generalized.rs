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

use super::error::TheoryError;
use super::exact::diagrams::Diagrams;
use super::exact::rows::{Role, Unranked};
use super::exact::trie::{Map, Tries};
use super::values::AllValues;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::half::Half;
use phutbase_rules::potentials::{self, Reading, predicted_winner};
use phutbase_rules::strip::{After, Strip, Turn};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MismatchCounts {
    pub false_wins: u128,
    pub false_losses: u128,
}

/// Counts the mismatches of a length from the ranks of its half strips (see
/// [`exact::rows`](super::exact::rows)). Positions whose halves have the same ranks and potentials
/// are counted together.
pub fn count_by_classes(diagrams: &Diagrams, tries: &mut Tries) -> Result<MismatchCounts, Unranked> {
    let length = diagrams.length();
    let mut counts = MismatchCounts::default();
    for own_length in 1..=length - 2 {
        let own = ranked(diagrams, tries, Role::Own, own_length)?;
        let other = ranked(diagrams, tries, Role::Other, length - 1 - own_length)?;
        for a in &own {
            for b in &other {
                let (predicted, wins) = (a.potential <= b.potential, a.number <= b.number);
                match (predicted, wins) {
                    (true, false) => counts.false_wins += a.size * b.size,
                    (false, true) => counts.false_losses += a.size * b.size,
                    _ => {}
                }
            }
        }
    }
    Ok(counts)
}

/// Half strips with the same potential and rank.
struct Ranked {
    potential: u32,
    number: u64,
    size: u128,
}

fn ranked(
    diagrams: &Diagrams,
    tries: &mut Tries,
    role: Role,
    half_length: usize,
) -> Result<Vec<Ranked>, Unranked> {
    let ranks = diagrams.ranks(tries, role, half_length)?;
    let potentials = potential_map(tries, half_length);
    let (map, pairs) = tries.paired(potentials, ranks.map);
    let classes = tries.classes(map).into_iter().map(|class| {
        let (potential, rank) = pairs[class.value as usize];
        Ranked {
            potential,
            number: ranks.numbers[rank as usize],
            size: class.size,
        }
    });
    Ok(classes.collect())
}

pub fn potential_map(tries: &mut Tries, half_length: usize) -> Map {
    let read = |reading: Reading, stone| reading.read(stone);
    tries.from_automaton(half_length, Reading::default(), &read, &mut Reading::potential)
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
    pub root: Option<(Half, (u32, u32))>,
}

impl Group {
    fn new(cause: Cause, strip: &Strip) -> Group {
        let root = match cause {
            Cause::FalseHope(_) | Cause::HiddenWin(_) => None,
            Cause::NoGain { .. } | Cause::FarGain(_) => {
                let own = Half::right_of(strip.pattern(), strip.ball(), strip.length() - 1);
                let near = own.length().min(4);
                Half::new(near, own.stones() & ((1 << near) - 1))
                    .map(|start| (start, potentials::of_strip(strip)))
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
