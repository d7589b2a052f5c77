//! The facts about the potential that the theorem uses, checked for half strips of every length at
//! once (docs/PROOF.md).
//!
//! The automaton compares k only with 0 … 3 if i = 0, and k − i only with 1 … 4 otherwise; it
//! changes k by −2 … 1, and i by one or to 0. Counters can therefore be truncated: an abstract
//! state with *six or more* represents all concrete states up to a bound, each of which is
//! followed. Finitely many abstract states are reachable, and they cover the states of all words.

use indexmap::IndexSet;
use phutbase_rules::directional::automaton::Control::{self, *};
use phutbase_rules::directional::automaton::PotentialState;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

/// Counters from here on form one class.
const CUT_K: i64 = 6;
const CUT_I: i64 = 4;
/// Differences of i from here on form one class.
const CUT_DIFFERENCE: i64 = 4;
/// Bound on the counters of concrete states.
const WIDEST: i64 = CUT_K + CUT_I + 14;
type Step<'a> = &'a dyn Fn(PotentialState, bool) -> PotentialState;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    pub states: usize,
    /// Pairs of abstract states that differ by one stone.
    pub pairs: usize,
    /// Abstract states inside a chain of stones that a jump clears.
    pub jumps: usize,
    /// Abstract states with the best landing so far.
    pub landings: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fact}: it fails at {state}")]
pub struct Refuted {
    pub fact: &'static str,
    pub state: String,
}

fn ensure(holds: bool, fact: &'static str, state: impl std::fmt::Debug) -> Result<(), Refuted> {
    if holds {
        Ok(())
    } else {
        Err(Refuted {
            fact,
            state: format!("{state:?}"),
        })
    }
}

/// Checks every fact for an automaton; it holds for [`PotentialState::step`].
pub fn check(step: Step<'_>) -> Result<Checked, Refuted> {
    let states: Vec<PotentialState> = states(WIDEST).collect();
    empty_squares(step, &states)?;
    let pairs = one_stone(step, &states)?;
    let jumps = one_jump(step, &states)?;
    some_stone_lowers(step)?;
    Ok(Checked {
        states: states.len(),
        pairs,
        jumps,
        landings: some_jump_gains(step)?,
    })
}

/// Returns whether some half strip may lead to a state. An overestimate is sound.
fn occurs(PotentialState { control, k, i }: PotentialState) -> bool {
    if i > 0 {
        let least = match control {
            E0 => 1,
            S0 | SS0 | SSD0 | SSS0 | SSDS0 | SSSD0 => 2,
            SSDSS0 | SSDSSS0 | SSDSSSS0 | SSDSSSSD0 => 3,
            _ => return false,
        };
        return k >= i + least;
    }
    match control {
        E0 | E1 | E2 | E3 => k >= 0,
        Y2 => k == 0,
        S0 | S2 | SD2 | SS0 | SSS0 => k >= 1,
        SSSS0 => k >= 1 && k != 2,
        SSSSD0 | SSSSDD0 => k == 1,
        SD0 | SS2 | SDD0 | SDS2 | SSD0 | SDDS0 | SDSS2 | SDDSS0 | SDSSD2 => k >= 2,
        SDDSSS0 | SDDSSSS0 | SDDSSSSD0 => k >= 2,
        SSDS0 | SSSD0 | SSDSS0 | SSDSSS0 | SSDSSSS0 | SSDSSSSD0 => false,
    }
}

fn states(widest: i64) -> impl Iterator<Item = PotentialState> {
    let counters =
        move |control| (0..=widest).flat_map(move |k| (0..=k).map(move |i| PotentialState { control, k, i }));
    Control::ALL
        .into_iter()
        .flat_map(counters)
        .filter(|&state| occurs(state))
}

/// A state with truncated counters: i, and k or, if i > 0, k − i.
type Class = (Control, i64, i64);

fn class(PotentialState { control, k, i }: PotentialState) -> Class {
    match i {
        0 => (control, 0, k.min(CUT_K)),
        i => (control, i.min(CUT_I), (k - i).min(CUT_K)),
    }
}

/// Returns the values represented by a truncated counter.
fn from_cut(value: i64, cut: i64, widest: i64) -> std::ops::RangeInclusive<i64> {
    value..=if value < cut { value } else { widest }
}

fn members((control, i, rest): Class) -> impl Iterator<Item = PotentialState> {
    from_cut(rest, CUT_K, WIDEST)
        .flat_map(move |rest| {
            let is = if i == 0 { 0..=0 } else { from_cut(i, CUT_I, WIDEST) };
            is.map(move |i| PotentialState {
                control,
                k: rest + i,
                i,
            })
        })
        .filter(|&state| occurs(state))
}

/// Calls `visit` with each item and each that it adds, once; returns their number.
fn visit_all<T: Copy + Eq + Hash>(
    first: impl IntoIterator<Item = T>,
    mut visit: impl FnMut(T, &mut dyn FnMut(T)) -> Result<(), Refuted>,
) -> Result<usize, Refuted> {
    let mut seen: IndexSet<T> = first.into_iter().collect();
    let mut next = 0;
    while let Some(&item) = seen.get_index(next) {
        next += 1;
        visit(item, &mut |more| _ = seen.insert(more))?;
    }
    Ok(seen.len())
}

/// (0) The states are closed under the steps; only one state has potential 0; the effect of empty
/// squares next to the ball; a player who can jump home has potential 0.
fn empty_squares(step: Step<'_>, states: &[PotentialState]) -> Result<(), Refuted> {
    let fact = "(0) the effect of empty squares";
    for &state in states {
        let p = state.potential();
        let closed = [false, true].into_iter().all(|stone| occurs(step(state, stone)));
        ensure(closed && (p == 0) == (state == PotentialState::HOME), fact, state)?;
        let after: Vec<PotentialState> =
            std::iter::successors(Some(state), |&state| Some(step(state, false)))
                .take(11)
                .collect();
        let raised = |m: usize| after[m].potential();
        let least = (1..=10).all(|m| raised(m) > (m as i64 + 1) / 4);
        let plain = after
            .iter()
            .take(7)
            .any(|state| state.control <= E3 && state.i == 0);
        let most = state == PotentialState::HOME || (1..=4).all(|m| raised(m) <= p + 1);
        ensure(least && plain && most, fact, state)?;
    }
    let home = PotentialState::HOME;
    let cleared = step(home, true) == home && step(step(home, false), true) == home;
    ensure(cleared, fact, home)?;
    let mut state = home;
    for m in 0..40 {
        let expected = if m == 0 { 0 } else { 1 + (m + 1) / 4 };
        let plain = state.control <= E3 && state.i == 0;
        ensure(plain && state.potential() == expected, fact, state)?;
        state = step(state, false);
    }
    Ok(())
}

/// Two states after words that differ by one stone: their classes, the difference of k, and that of
/// i if both have one.
type Pair = (Class, Class, i64, Option<i64>);

fn pair(one: PotentialState, other: PotentialState) -> Pair {
    let both = one.i > 0 && other.i > 0;
    let difference = both.then(|| (one.i - other.i).clamp(-CUT_DIFFERENCE, CUT_DIFFERENCE));
    (class(one), class(other), one.k - other.k, difference)
}

/// Iterates over the concrete pairs of an abstract pair.
fn pair_members((one, other, dk, di): Pair) -> impl Iterator<Item = (PotentialState, PotentialState)> {
    let (control, i, rest) = other;
    members(one).flat_map(move |first| {
        let k = first.k - dk;
        let second: Vec<i64> = match (i, di) {
            (0, _) => vec![0],
            (_, None) => from_cut(rest, CUT_K, 2 * WIDEST).map(|rest| k - rest).collect(),
            (_, Some(di)) if di.abs() < CUT_DIFFERENCE => vec![first.i - di],
            (_, Some(di)) => (0..2 * WIDEST)
                .map(|more| first.i - di - more * di.signum())
                .collect(),
        };
        let is_member = move |second: &PotentialState| {
            second.k >= 0
                && second.i >= 0
                && (second.i > 0) == (i > 0)
                && occurs(*second)
                && class(*second) == other
        };
        let second = second.into_iter().map(move |i| PotentialState { control, k, i });
        second.filter(is_member).map(move |second| (first, second))
    })
}

/// (1) Replacing an empty square by a stone changes the potential by at most one.
fn one_stone(step: Step<'_>, states: &[PotentialState]) -> Result<usize, Refuted> {
    let fact = "(1) a stone changes the potential by at most one";
    let first = states
        .iter()
        .map(|&state| pair(step(state, true), step(state, false)));
    visit_all(first, |item, add| {
        for (one, other) in pair_members(item) {
            let difference = one.potential() - other.potential();
            ensure(difference.abs() <= 1, fact, (one, other))?;
            for stone in [false, true] {
                add(pair(step(one, stone), step(other, stone)));
            }
        }
        Ok(())
    })
}

/// (2) A jump over m squares gains at most one more than m/4. Besides the class, the abstract state
/// has the gain so far, the number of squares so far modulo 4, and whether the last one was a
/// stone.
fn one_jump(step: Step<'_>, states: &[PotentialState]) -> Result<usize, Refuted> {
    let fact = "(2) a jump gains no more than one";
    let first = states.iter().map(|&state| {
        let after = step(state, false);
        let gain = state.potential() - after.potential();
        (class(after), gain.min(6), 1, false)
    });
    visit_all(first, |(class_now, gain, squares, last), add| {
        for state in members(class_now) {
            let p = state.potential();
            // This fact excludes jumps that leave potential 0 behind, and longer ones.
            if last && p == 0 {
                continue;
            }
            let least = match p {
                1 => i64::from(squares == 3),
                _ => i64::from(squares != 0) - 1,
            };
            ensure(!last || gain >= least, fact, (state, gain, squares))?;
            for stone in [false, true].into_iter().filter(|&stone| stone || last) {
                let after = step(state, stone);
                let gain = gain + p - after.potential() - i64::from(squares == 3);
                add((class(after), gain.min(6), (squares + 1) % 4, stone));
            }
        }
        Ok(())
    })
}

/// The state after a word; `None` for the empty word.
type Start = Option<PotentialState>;

fn after(step: Step<'_>, state: Start, stone: bool) -> PotentialState {
    step(state.unwrap_or(PotentialState::HOME), stone)
}

/// Counters from here on are shifted in (3a).
const SHIFT_K: i64 = 8;
const SHIFT_I: i64 = 4;
const SHIFT_REST: i64 = 6;
/// Bounds on the counters of the states that are followed, and of those for which the shifts are
/// checked, in (3a).
const FOLLOWED: i64 = 20;
const SHIFTED: i64 = 32;

/// Returns the states reached with one additional stone by every word that leads to `state`, after
/// one more square.
fn with_a_stone(
    step: Step<'_>,
    sets: &BTreeSet<PotentialState>,
    state: Start,
    stone: bool,
) -> BTreeSet<PotentialState> {
    let mut more: BTreeSet<PotentialState> = sets.iter().map(|&with| step(with, stone)).collect();
    if !stone {
        more.insert(after(step, state, true));
    }
    more
}

/// Returns the largest sets of states reachable with one additional stone for every word that leads
/// to a state.
fn reached_with_a_stone(step: Step<'_>) -> BTreeMap<Start, BTreeSet<PotentialState>> {
    let (mut reached, mut todo) = (BTreeSet::from([None]), vec![None]);
    let mut before: BTreeMap<Start, Vec<(Start, bool)>> = BTreeMap::new();
    while let Some(state) = todo.pop() {
        for stone in [false, true] {
            let next = Some(after(step, state, stone));
            before.entry(next).or_default().push((state, stone));
            if next.is_some_and(|next| next.k <= FOLLOWED) && reached.insert(next) {
                todo.push(next);
            }
        }
    }
    let mut sets = BTreeMap::from([(None, BTreeSet::new())]);
    loop {
        let mut changed = false;
        for &state in reached.iter().flatten() {
            let known = before[&Some(state)].iter();
            let common = known
                .filter_map(|&(from, stone)| Some(with_a_stone(step, sets.get(&from)?, from, stone)))
                .reduce(|one, other| &one & &other);
            if let Some(set) = common
                && sets.get(&Some(state)) != Some(&set)
            {
                sets.insert(Some(state), set);
                changed = true;
            }
        }
        if !changed {
            return sets;
        }
    }
}

/// (3a) If the potential is positive, some stone lowers it. The proof uses the sets of a few states
/// and their shifts, whose correctness is checked.
fn some_stone_lowers(step: Step<'_>) -> Result<(), Refuted> {
    let fact = "(3a) some stone lowers a potential above 0";
    let sets = reached_with_a_stone(step);
    let nothing = BTreeSet::new();
    let shifted = |state: Start| -> BTreeSet<PotentialState> {
        let Some(state) = state else {
            return BTreeSet::new();
        };
        let i = state.i.min(SHIFT_I);
        let k = if i == 0 {
            state.k.min(SHIFT_K)
        } else {
            i + (state.k - state.i).min(SHIFT_REST)
        };
        let near = PotentialState { k, i, ..state };
        let known = sets.get(&Some(near)).unwrap_or(&nothing);
        let shift = |with: &PotentialState| PotentialState {
            control: with.control,
            k: with.k + state.k - k,
            i: if with.i == 0 { 0 } else { with.i + state.i - i },
        };
        known.iter().map(shift).collect()
    };
    for state in std::iter::once(None).chain(states(SHIFTED).map(Some)) {
        let set = shifted(state);
        if let Some(state) = state {
            let near = set
                .iter()
                .all(|with| occurs(*with) && (state.k < 5 || with.k >= state.k - 2));
            let p = state.potential();
            let lowered = p == 0 || set.iter().any(|with| with.potential() < p);
            ensure(near && lowered, fact, state)?;
        }
        for stone in [false, true] {
            let claimed = shifted(Some(after(step, state, stone)));
            let proved = with_a_stone(step, &set, state, stone);
            ensure(claimed.is_subset(&proved), fact, state)?;
        }
    }
    Ok(())
}

/// The best landings of the jumps over the last squares read: by the number of these squares modulo
/// 4, the least potential of a landing, minus the potential here and the worth of the squares, which
/// is one for four. `None` if there is no landing.
///
/// Values are cut at 5 and −3, which only makes the fact harder: a landing above 5 is dropped, and one
/// below −3 is counted as −3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Landings([Option<i64>; 4]);

impl Landings {
    const NO_LANDING: Landings = Landings([None; 4]);

    /// Returns the landings after one more square, which changes the potential by `rise`.
    fn over_one_more(self, rise: i64) -> Landings {
        let mut next = Landings::NO_LANDING;
        for (squares, best) in self.0.into_iter().enumerate() {
            let worth = i64::from(squares == 3);
            next.0[(squares + 1) % 4] = best.map(|best| best - rise - worth);
        }
        next
    }

    /// Adds the landing on the square before the last one.
    fn with_nearest(mut self, value: i64) -> Landings {
        self.0[1] = Some(self.0[1].map_or(value, |best| best.min(value)));
        self
    }

    fn cut(self) -> Landings {
        Landings((self.0).map(|best| best.filter(|&best| best <= 5).map(|best| best.max(-3))))
    }

    /// Returns whether a jump gains the lead where the potential is 0.
    fn gain(self) -> bool {
        let mut landings = self.0.into_iter().enumerate();
        landings.any(|(squares, best)| best.is_some_and(|best| best <= i64::from(squares == 3)))
    }
}

/// (3b) If the potential is 0 and no jump goes home, some jump gains the lead. Besides the class,
/// the abstract state has the best landings, whether the last square was a stone, and whether a jump
/// goes home.
fn some_jump_gains(step: Step<'_>) -> Result<usize, Refuted> {
    let fact = "(3b) some jump gains the lead, or goes home, where the potential is 0";
    type Item = (Option<Class>, Landings, Option<bool>, bool);
    let first: Item = (None, Landings::NO_LANDING, None, true);
    visit_all([first], |(class_now, landings, last, home), add| {
        let here: Vec<Start> = match class_now {
            None => vec![None],
            Some(class) => members(class).map(Some).collect(),
        };
        for state in here {
            if last == Some(true) && state == Some(PotentialState::HOME) && !home {
                ensure(landings.gain(), fact, (state, landings))?;
            }
            let p = state.map_or(0, PotentialState::potential);
            for stone in [false, true] {
                let next = after(step, state, stone);
                let rise = next.potential() - p;
                let mut further = if stone || last == Some(true) {
                    landings.over_one_more(rise)
                } else {
                    Landings::NO_LANDING
                };
                if !stone && state.is_some() {
                    further = further.with_nearest(-rise);
                }
                let home = home && (stone || last != Some(false));
                add((Some(class(next)), further.cut(), Some(stone), home));
            }
        }
        Ok(())
    })
}
