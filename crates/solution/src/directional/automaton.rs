//! The automaton that computes the potential of half strips (docs/PROOF.md; `proofs/Potential.v`
//! proves its properties).
//!
//! It reads the squares from the goal line to the ball. It has a finite control and two counters: k
//! counts groups of four empty squares, and i counts repetitions of `oo..`.

use Control::*;
use phutbase_rules::half::HalfAutomaton;

/// The controls. The letters are squares read, S for a stone and D for an empty square; the digit
/// is the number of empty squares modulo 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Control {
    E0, E1, E2, E3, S0, S2, Y2, SD0, SD2, SS0, SS2,
    SDD0, SDS2, SSD0, SSS0, SDDS0, SDSS2, SSDS0, SSSD0, SSSS0, SDDSS0, SDSSD2,
    SSDSS0, SSSSD0, SDDSSS0, SSDSSS0, SSSSDD0, SDDSSSS0, SSDSSSS0, SDDSSSSD0, SSDSSSSD0,
}

impl Control {
    /// Every control state.
    #[rustfmt::skip]
    pub const ALL: [Control; 31] = [
        E0, E1, E2, E3, S0, S2, Y2, SD0, SD2, SS0, SS2,
        SDD0, SDS2, SSD0, SSS0, SDDS0, SDSS2, SSDS0, SSSD0, SSSS0, SDDSS0, SDSSD2,
        SSDSS0, SSSSD0, SDDSSS0, SSDSSS0, SSSSDD0, SDDSSSS0, SSDSSSS0, SDDSSSSD0, SSDSSSSD0,
    ];
}

/// A state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PotentialState {
    /// The control state.
    pub control: Control,
    /// The counter of fours.
    pub k: i64,
    /// The counter of repetitions; at most `k`.
    pub i: i64,
}

impl PotentialState {
    /// The only state with potential 0, reached by a stone from the start.
    pub const HOME: PotentialState = PotentialState {
        control: E0,
        k: 0,
        i: 0,
    };

    /// Returns the state after the squares from the goal line to the ball.
    pub fn of(squares: impl IntoIterator<Item = bool>) -> PotentialState {
        squares
            .into_iter()
            .fold(PotentialState::HOME, PotentialState::step)
    }

    /// Returns the state after one more square, a stone or an empty one.
    #[inline]
    pub fn step(self, stone: bool) -> PotentialState {
        let PotentialState { control, k, i } = self;
        let change = &CHANGES[class_of(control, stone, k, i)];
        PotentialState {
            control: change.control,
            k: k + i64::from(change.k),
            i: (i & i64::from(change.kept)) + i64::from(change.added),
        }
    }

    /// Defines [`step`](PotentialState::step), case by case.
    #[rustfmt::skip]
    pub const fn defined_step(self, stone: bool) -> PotentialState {
        let PotentialState { control, k, i } = self;
        let (control, more, i) = match (control, stone) {
            (E0, false) if i == 0 => (E1, 0, 0),
            (E0, false) => (SD0, 0, 0),
            (E0, true) if i == 0 && k == 0 => (E0, 0, 0),
            (E0, true) if i == 0 => (S0, 0, 0),
            (E0, true) if k - i == 1 => (SDDS0, 0, 0),
            (E0, true) => (S0, 0, i),
            (E1, false) => (E2, 0, 0),
            (E1, true) if k == 0 => (E0, 0, 0),
            (E1, true) => (S0, 0, 0),
            (E2, false) => (E3, 0, 0),
            (E2, true) if k == 0 => (Y2, 0, 0),
            (E2, true) => (S2, 0, 0),
            (E3, false) => (E0, 1, 0),
            (E3, true) if k == 0 => (Y2, 0, 0),
            (E3, true) => (S2, 0, 0),
            (S0, false) if i == 0 && k == 1 => (E3, -1, 0),
            (S0, false) => (SD0, 0, 0),
            (S0, true) => (SS0, 0, i),
            (S2, false) => (SD2, 0, 0),
            (S2, true) if k == 1 => (SS0, 0, 0),
            (S2, true) => (SS2, 0, 0),
            (Y2, false) => (E1, 0, 0),
            (Y2, true) => (E0, 0, 0),
            (SD0, false) => (SDD0, 0, 0),
            (SD0, true) => (S2, -1, 0),
            (SD2, false) => (E2, 0, 0),
            (SD2, true) if k == 1 => (SSS0, 0, 0),
            (SD2, true) => (SDS2, 0, 0),
            (SS0, false) if i == 0 && k == 1 => (E3, -1, 0),
            (SS0, false) if i == 0 => (SSD0, 0, 0),
            (SS0, false) => (SSD0, 0, i),
            (SS0, true) => (SSS0, 0, i),
            (SS2, false) => (SD0, 0, 0),
            (SS2, true) => (SDS2, 0, 0),
            (SDD0, false) => (E1, 0, 0),
            (SDD0, true) => (SDDS0, 0, 0),
            (SDS2, false) => (SD0, 0, 0),
            (SDS2, true) => (SDSS2, 0, 0),
            (SSD0, false) => (E0, 0, i + 1),
            (SSD0, true) if i == 0 && k == 2 => (S0, -1, 0),
            (SSD0, true) if i == 0 => (SDDS0, -1, 0),
            (SSD0, true) => (SSDS0, 0, i),
            (SSS0, false) if i == 0 && k == 1 => (E3, -1, 0),
            (SSS0, false) if i == 0 => (E1, -1, 0),
            (SSS0, false) => (SSSD0, 0, i),
            (SSS0, true) if i == 0 && k == 2 => (SSSSDD0, -1, 0),
            (SSS0, true) if i == 0 => (SSSS0, 0, 0),
            (SSS0, true) => (E0, -1, i),
            (SDDS0, false) => (SD0, 0, 0),
            (SDDS0, true) => (SDDSS0, 0, 0),
            (SDSS2, false) => (SDSSD2, 0, 0),
            (SDSS2, true) => (S2, -1, 0),
            (SSDS0, false) => (SD0, -1, 0),
            (SSDS0, true) if k - i == 2 => (SS2, -1, 0),
            (SSDS0, true) => (SSDSS0, 0, i),
            (SSSD0, false) => (E2, -1, 0),
            (SSSD0, true) if k - i == 2 => (SDDS0, -1, 0),
            (SSSD0, true) => (S0, -1, i),
            (SSSS0, false) if k == 1 => (SSSSD0, 0, 0),
            (SSSS0, false) => (SD0, -1, 0),
            (SSSS0, true) if k == 1 => (Y2, -1, 0),
            (SSSS0, true) => (S0, -1, 0),
            (SDDSS0, false) => (SD0, 0, 0),
            (SDDSS0, true) => (SDDSSS0, 0, 0),
            (SDSSD2, false) => (SSSS0, 1, 0),
            (SDSSD2, true) if k == 2 => (SS0, -1, 0),
            (SDSSD2, true) => (SS2, -1, 0),
            (SSDSS0, false) => (SD0, -1, 0),
            (SSDSS0, true) => (SSDSSS0, 0, i),
            (SSSSD0, false) => (SSSSDD0, 0, 0),
            (SSSSD0, true) => (E0, -1, 0),
            (SDDSSS0, false) => (SSD0, 0, 0),
            (SDDSSS0, true) => (SDDSSSS0, 0, 0),
            (SSDSSS0, false) => (SSD0, -1, i),
            (SSDSSS0, true) => (SSDSSSS0, 0, i),
            (SSSSDD0, false) => (E3, -1, 0),
            (SSSSDD0, true) => (S0, 0, 0),
            (SDDSSSS0, false) => (SDDSSSSD0, 0, 0),
            (SDDSSSS0, true) if k == 2 => (S0, -1, 0),
            (SDDSSSS0, true) => (SDDS0, -1, 0),
            (SSDSSSS0, false) => (SSDSSSSD0, 0, i),
            (SSDSSSS0, true) => (SSDS0, -1, i),
            (SDDSSSSD0, false) => (E2, -1, 0),
            (SDDSSSSD0, true) if k == 2 => (SS0, -1, 0),
            (SDDSSSSD0, true) => (SDDSS0, -1, 0),
            (SSDSSSSD0, false) => (E2, -2, 0),
            (SSDSSSSD0, true) if k - i == 3 => (SS2, -2, 0),
            (SSDSSSSD0, true) => (SSDSS0, -1, i),
        };
        PotentialState { control, k: k + more, i }
    }

    /// Returns the potential of the word that was read.
    pub fn potential(self) -> i64 {
        let PotentialState { control, k, i } = self;
        k + match control {
            E0 if i == 0 && k > 0 => 1,
            E0 => 0,
            SSSS0 if k != 1 => -1,
            S0 | SS0 | SS2 | SDS2 | SSS0 | SDDS0 | SDSS2 | SSSD0 | SSSS0 => 0,
            SDDSS0 | SDDSSS0 | SSSSDD0 | SDDSSSS0 | SDDSSSSD0 => 0,
            E1 | E2 | S2 | SD0 | SD2 | SDD0 | SSD0 | SDSSD2 | SSSSD0 | Y2 => 1,
            E3 => 2,
            SSDS0 | SSDSS0 | SSDSSS0 | SSDSSSS0 | SSDSSSSD0 => -1,
        }
    }
}

impl HalfAutomaton for PotentialState {
    type Value = i64;

    const START: PotentialState = PotentialState::HOME;

    fn step(self, stone: bool) -> PotentialState {
        PotentialState::step(self, stone)
    }

    fn value(self) -> i64 {
        self.potential()
    }
}

/// The effect of a square on a state.
#[derive(Clone, Copy)]
struct Change {
    control: Control,
    /// Added to k.
    k: i8,
    /// −1, all ones, if i remains, 0 if it becomes 0.
    kept: i8,
    /// Added to i afterwards.
    added: i8,
}

/// The definition compares k − i with numbers below this one, and i with 0.
const CUT: i64 = 5;
const CLASSES: usize = 2 * (CUT as usize + 1);

/// Returns the index of the change of a state. States with the same index change alike.
#[inline]
const fn class_of(control: Control, stone: bool, k: i64, i: i64) -> usize {
    let lead = if k - i < CUT { k - i } else { CUT } as usize;
    (2 * control as usize + stone as usize) * CLASSES + (i > 0) as usize * (CLASSES / 2) + lead
}

/// The changes by index: a step without branches, which random squares would mispredict.
static CHANGES: [Change; 2 * Control::ALL.len() * CLASSES] = changes();

const fn changes() -> [Change; 2 * Control::ALL.len() * CLASSES] {
    let none = Change {
        control: E0,
        k: 0,
        kept: 0,
        added: 0,
    };
    let mut changes = [none; 2 * Control::ALL.len() * CLASSES];
    let mut at = 0;
    while at < changes.len() {
        let i = (at % CLASSES / (CLASSES / 2)) as i64;
        let state = PotentialState {
            control: Control::ALL[at / (2 * CLASSES)],
            k: i + (at % (CLASSES / 2)) as i64,
            i,
        };
        let next = state.defined_step(at / CLASSES % 2 == 1);
        let is_kept = i == 1 && next.i > 0;
        changes[at] = Change {
            control: next.control,
            k: (next.k - state.k) as i8,
            kept: -(is_kept as i8),
            added: next.i as i8 - is_kept as i8,
        };
        at += 1;
    }
    changes
}
