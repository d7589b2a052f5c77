//! The generalized potential (Grossman & Nowakowski, *One-Dimensional Phutball*, §3) against the strip, and the analysis of
//! where it breaks down that the paper leaves to the reader.
//!
//! The proof of Theorem 1 rests on three facts about one turn (Lemma 2): from potential 0 a jump gains the lead; from a
//! positive potential a stone takes off 1; no other turn gains more. The strategy follows. So the prediction can be
//! wrong for two kinds of reasons, and each mismatch is one of four:
//!
//! * the prediction contradicts *itself*: a predicted win has no turn into a predicted loss ([`Cause::NoGain`], as if parts
//!   (i) or (ii) failed), or a predicted loss has a turn into a predicted loss of the opponent's that really wins
//!   ([`Cause::FarGain`], as if part (iii) failed);
//! * it agrees with itself and is wrong *elsewhere*: every turn that promises a win leads to a mismatch
//!   ([`Cause::FalseHope`]), or every turn that really wins does ([`Cause::HiddenWin`]).

use super::compare::{Mismatches, compare};
use super::exact::diagrams::Diagrams;
use super::exact::rows::{Role, Unranked};
use super::exact::trie::{Map, Tries};
use super::half::Half;
use super::potentials;
use super::values::AllValues;
use super::watch::{TheoryError, Watch};
use crate::games::strip::{After, Strip, Turn};
use crate::outcome::Side;
use std::collections::BTreeMap;

/// Left's and Right's generalized potential of a position.
pub fn potentials(strip: &Strip) -> (u8, u8) {
    let (pattern, ball) = (strip.pattern(), strip.ball());
    let right = Half::right_of(pattern, ball, strip.length() - 1);
    (
        potentials::generalized(right),
        potentials::generalized(Half::left_of(pattern, ball)),
    )
}

/// The winner that the generalized potential predicts: the lower potential, or the mover if they are equal.
pub fn predicted_winner(strip: &Strip) -> Side {
    potentials::winner(potentials(strip), strip.side())
}

/// The prediction as an automaton: what is known of a half board when part of it has been read from the goal line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Reading {
    /// The sum up to the group of empty squares that is being read.
    sum: u32,
    /// The squares of that group so far.
    group: u32,
    /// Whether the last square read holds a stone.
    stone: bool,
}

impl Reading {
    /// Reads one more square.
    pub fn read(self, stone: bool) -> Reading {
        match stone {
            false => Reading {
                group: self.group + 1,
                stone,
                ..self
            },
            true => Reading {
                sum: self.sum_after_group(self.group).saturating_sub(1),
                group: 0,
                stone,
            },
        }
    }

    /// The sum with a group of `group` squares, the outermost of which counts as a stone if the number is odd.
    fn sum_after_group(self, group: u32) -> u32 {
        match group % 2 {
            0 => self.sum + group,
            _ => self.sum.saturating_sub(1) + group - 1,
        }
    }

    /// The potential when everything has been read.
    pub fn potential(self) -> u32 {
        let (bsum, psum) = if self.stone {
            (self.sum.saturating_sub(1), self.sum)
        } else {
            // The ball's square makes the group larger by one. A group of two or more ends with an empty square.
            let bsum = self.sum_after_group(self.group + 1);
            (bsum, bsum.wrapping_sub(1))
        };
        bsum / 4 + u32::from(bsum != psum)
    }
}

/// Compares the prediction with every position of a length, and keeps the first `show` mismatches of each kind.
pub fn mismatches(values: &AllValues, show: usize, watch: Watch<'_>) -> Result<Mismatches, TheoryError> {
    compare(values, [&potentials::generalized; 2], show, watch)
}

/// Mismatches counted class by class, without a look at single positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Predicted a win, is a loss.
    pub false_wins: u128,
    /// Predicted a loss, is a win.
    pub false_losses: u128,
}

/// Counts the mismatches of a length from the ranks of its half boards (see [`exact::rows`](super::exact::rows)): positions
/// whose halves have the same ranks and the same potentials are counted together.
///
/// # Errors
/// [`Unranked`], if the half boards have none.
pub fn count_by_classes(diagrams: &Diagrams, tries: &mut Tries) -> Result<Counts, Unranked> {
    let length = diagrams.length();
    let mut counts = Counts::default();
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

/// Half boards with one potential and one rank.
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

/// The generalized potential of the half boards of one length.
pub fn potential_map(tries: &mut Tries, half_length: usize) -> Map {
    let read = |reading: Reading, stone| reading.read(stone);
    tries.from_automaton(half_length, Reading::default(), &read, &mut Reading::potential)
}

/// Which kind of turn it is, for Left.
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
    /// The kind of a turn of Left's from a ball square.
    pub fn of(turn: Turn, ball: usize) -> TurnKind {
        match turn {
            Turn::Place(square) if usize::from(square) > ball => TurnKind::OwnStone,
            Turn::Place(_) => TurnKind::OtherStone,
            Turn::Jump(square) if usize::from(square) > ball => TurnKind::Forward,
            Turn::Jump(_) => TurnKind::Backward,
            Turn::Off(Side::Right) => TurnKind::Forward,
            Turn::Off(Side::Left) => TurnKind::Backward,
        }
    }
}

/// Why the prediction is wrong about a position with Left to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Predicted a win, and no turn leads to a predicted loss of the opponent's; own potential 0 or more.
    NoGain {
        /// Whether the own potential is 0, so that it is a jump that is missing; else it is a stone.
        zero: bool,
    },
    /// Predicted a loss, and a turn of this kind wins and leads to a predicted loss of the opponent's.
    FarGain(TurnKind),
    /// Predicted a win: turns lead to predicted losses of the opponent's, and all of these are mismatches; the first
    /// such kind of turn.
    FalseHope(TurnKind),
    /// Predicted a loss: turns win, and all of them lead to mismatches; the first such kind of turn.
    HiddenWin(TurnKind),
}

/// What exact values and the prediction say of a turn of Left's.
struct Outlook {
    kind: TurnKind,
    wins: bool,
    promises: bool,
}

/// The outlook of every turn of a position with Left to move.
fn outlooks(values: &AllValues, strip: &Strip) -> Vec<Outlook> {
    let outlook = |turn: Turn| {
        let (wins, promises) = match strip.after(turn) {
            After::Over { winner, .. } => (winner == Side::Left, winner == Side::Left),
            After::Position(next) => (
                values.left_wins(Side::Right, next.ball(), next.pattern() as u64),
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

/// Why the prediction is wrong about a position with Left to move; `None` if it is right.
pub fn cause(values: &AllValues, strip: &Strip) -> Option<Cause> {
    let predicted = predicted_winner(strip) == Side::Left;
    let wins = values.left_wins(Side::Left, strip.ball(), strip.pattern() as u64);
    if predicted == wins {
        return None;
    }
    let turns = outlooks(values, strip);
    let first = |wanted: fn(&Outlook) -> bool| turns.iter().find(|turn| wanted(turn)).map(|turn| turn.kind);
    if predicted {
        let zero = potentials(strip).0 == 0;
        return Some(first(|turn| turn.promises).map_or(Cause::NoGain { zero }, Cause::FalseHope));
    }
    let both = first(|turn| turn.wins && turn.promises).map(Cause::FarGain);
    both.or_else(|| first(|turn| turn.wins).map(Cause::HiddenWin))
}

/// A cause; where the prediction contradicts itself, also how the own half begins and what the potentials are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// The cause.
    pub cause: Cause,
    /// The four squares next to the ball on the own side (fewer if there are not so many), and both potentials, the own
    /// first; `None` for mismatches that are wrong because others are.
    pub root: Option<(Half, (u8, u8))>,
}

impl Group {
    fn new(cause: Cause, strip: &Strip) -> Group {
        let root = match cause {
            Cause::FalseHope(_) | Cause::HiddenWin(_) => None,
            Cause::NoGain { .. } | Cause::FarGain(_) => {
                let own = Half::right_of(strip.pattern(), strip.ball(), strip.length() - 1);
                let near = own.length().min(4);
                Half::new(near, own.stones() & ((1 << near) - 1)).map(|start| (start, potentials(strip)))
            }
        };
        Group { cause, root }
    }
}

/// The mismatches of one group at one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseCount {
    /// How many.
    pub count: u64,
    /// The first by ball square and pattern.
    pub first: Strip,
}

/// All mismatches of a length by their cause.
///
/// It looks at every position by the rules: a matter of seconds up to 20 squares.
pub fn causes(values: &AllValues, watch: Watch<'_>) -> Result<BTreeMap<Group, CauseCount>, TheoryError> {
    let (length, bits) = (values.length(), values.length() - 1);
    let mut counts: BTreeMap<Group, CauseCount> = BTreeMap::new();
    for ball in 1..=length - 2 {
        watch.check(length)?;
        let strips =
            (0..1u128 << bits).filter_map(|pattern| Strip::from_pattern(length, ball, pattern, Side::Left));
        for strip in strips {
            if let Some(cause) = cause(values, &strip) {
                let entry = counts.entry(Group::new(cause, &strip)).or_insert(CauseCount {
                    count: 0,
                    first: strip,
                });
                entry.count += 1;
            }
        }
    }
    Ok(counts)
}
