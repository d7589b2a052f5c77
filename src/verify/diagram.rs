//! Checks a diagram table: that its sets follow from one another by the rules.
//!
//! **With depths.** Root d must be exactly root d − 2 together with the boards from which some turn of Left (odd d), or every turn of
//! Right (even d), leads into root d − 1; and one ply more must add nothing. By induction every board of root d is then won within
//! d plies and in no root before it within fewer; and from a board in no root Right can (Left must) always go to another such.
//!
//! **Without depths** the last two sets A (Left to move) and R (Right to move) must be *closed*: A is what some turn leads from into R,
//! R is what every turn leads from into A. That makes every board outside them one that Left does not win. That Left
//! does win those inside needs more, since play might go round in A and R for ever. A *certificate* shows that it does not: sets A₁, R₁,
//! A₂, R₂, … that end with A and R, such that
//!
//! ```text
//!     a board in A_k has a jump to the right into R_k−1, or a jump to the left or a placement into R_k
//!     a board in R_k has no jump to the right but into A_k−1, no jump to the left and no placement but into A_k
//! ```
//!
//! (A jump that ends the game well counts as 'into'; A₀ and R₀ are empty.) Give a board the least k whose set has it. Then, with Left playing
//! so, k never grows, and falls with every jump to the right; while k stays, every jump to the left brings the ball nearer to square 0,
//! and no jump to the right takes it back; and between jumps there are at most n − 1 placements. So play ends, and it ends well for Left,
//! because a board in A_k or R_k is never one where he has lost.

use super::Fault;
use super::turns::{Kind, Turns};
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::count;
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::{Members, Pattern};
use crate::diagram::turns::Which;
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::Metric;
use crate::table::diagram::DiagramTable;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps of the check, for a progress bar.
pub(super) fn steps(table: &DiagramTable) -> u64 {
    match table.header().metric {
        Metric::Dtw => table.roots().len() as u64 + 1,
        Metric::Wdl => table.rounds() as u64 + 1,
    }
}

/// Checks one table.
pub(super) fn check(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let fault = match table.header().metric {
        Metric::Dtw => check_plies(table, done)?,
        Metric::Wdl => match check_rounds(table, done)? {
            None => check_closed(table, done)?,
            fault => fault,
        },
    };
    match fault {
        None => check_counts(table),
        fault => Ok(fault),
    }
}

/// A few sets of a table in a graph of their own, to be worked on and forgotten.
fn bring(table: &DiagramTable, roots: &[u32]) -> Result<(Turns, Vec<Ref>), TooLarge> {
    let mut graph = Graph::new(table.header().length);
    let sets = graph.copy(&table.nodes(), roots)?;
    Ok((Turns::new(Sets::new(graph))?, sets))
}

fn check_plies(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let last = table.roots().len();
    for plies in 1..=last + 1 {
        let root = |plies: usize| table.won_within(plies);
        let before = plies.saturating_sub(2);
        let (mut turns, sets) = bring(table, &[root(plies), root(plies - 1), root(before)])?;
        let &[here, target, known] = &sets[..] else {
            return Ok(None);
        };
        let which = match plies % 2 {
            1 => Which::Some,
            _ => Which::Every,
        };
        let decided = turns.lead_by(which, &Kind::ALL, target)?;
        let expected = turns.sets().join(Join::Or, known, decided)?;
        if let Some(position) = difference(&mut turns, here, expected, to_move(plies))? {
            return Ok(Some(Fault::Sets {
                position,
                claim: format!(
                    "the boards won within {plies} plies do not follow from those won within fewer"
                ),
            }));
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(None)
}

fn to_move(plies: usize) -> Side {
    match plies % 2 {
        1 => Side::Left,
        _ => Side::Right,
    }
}

fn check_rounds(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let roots = table.roots();
    for round in 0..table.rounds() {
        let before = match round.checked_sub(1) {
            Some(before) => [roots[2 * before], roots[2 * before + 1]],
            None => [0, 0],
        };
        let (mut turns, sets) = bring(table, &[&before[..], &roots[2 * round..2 * round + 2]].concat())?;
        let &[a_before, r_before, a, r] = &sets[..] else {
            return Ok(None);
        };
        for (which, side, set, (earlier, same)) in [
            (Which::Some, Side::Left, a, (r_before, r)),
            (Which::Every, Side::Right, r, (a_before, a)),
        ] {
            let mut proved = turns.lead(which, Kind::JumpRight, earlier)?;
            for kind in [Kind::JumpLeft, Kind::Place] {
                let by_kind = turns.lead(which, kind, same)?;
                proved = turns.sets().join(which.how(), proved, by_kind)?;
            }
            let unproved = turns.sets().join(Join::Minus, set, proved)?;
            if let Some(position) = first(turns_graph(&mut turns), unproved, side) {
                return Ok(Some(Fault::Sets {
                    position,
                    claim: format!("round {} of the certificate has no reason for it", round + 1),
                }));
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(None)
}

/// Whether the sets of all boards that Left wins follow from each other.
fn check_closed(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let (mut turns, sets) = bring(table, &roots)?;
    let &[a, r] = &sets[..] else {
        return Ok(None);
    };
    for (which, side, set, target) in [(Which::Some, Side::Left, a, r), (Which::Every, Side::Right, r, a)] {
        let expected = turns.lead_by(which, &Kind::ALL, target)?;
        if let Some(position) = difference(&mut turns, set, expected, side)? {
            return Ok(Some(Fault::Sets {
                position,
                claim: "what the table says of it does not follow from the boards after its turns"
                    .to_string(),
            }));
        }
    }
    done.fetch_add(1, Ordering::Relaxed);
    Ok(None)
}

fn turns_graph(turns: &mut Turns) -> &Graph {
    turns.sets().graph()
}

/// The first board that is in one of two sets only.
fn difference(turns: &mut Turns, a: Ref, b: Ref, side: Side) -> Result<Option<String>, TooLarge> {
    for (a, b) in [(a, b), (b, a)] {
        let only = turns.sets().join(Join::Minus, a, b)?;
        if let Some(position) = first(turns_graph(turns), only, side) {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// The first member of a set, in notation.
fn first(graph: &Graph, set: Ref, side: Side) -> Option<String> {
    use crate::diagram::Diagram;
    if set == Ref::BOTTOM {
        return None;
    }
    let anything = Pattern::any(graph.length());
    let member = Members::new(graph, set, &anything).nth(&BigUint::ZERO, side);
    member.map(|strip| strip.to_string())
}

/// Holds the header and the description against the sets.
fn check_counts(table: &DiagramTable) -> Result<Option<Fault>, TooLarge> {
    let header = table.header();
    let nodes = table.nodes();
    let wins = count(&nodes, table.won_by_left(Side::Left));
    let losses = count(&nodes, table.won_by_left(Side::Right));
    let fault = |field: &str, stored: String, counted: String| {
        Ok(Some(Fault::Count {
            field: field.to_string(),
            stored,
            counted,
        }))
    };
    // That the three add up to all positions was checked when the table was opened.
    for (field, stored, counted) in [("wins", &header.wins, &wins), ("losses", &header.losses, &losses)] {
        if stored != counted {
            return fault(field, stored.to_string(), counted.to_string());
        }
    }
    if header.metric == Metric::Wdl {
        return Ok(None);
    }
    let mut depths = BTreeMap::new();
    for plies in 1..=table.roots().len() {
        let upto = |plies: usize| count(&nodes, table.won_within(plies));
        let before = plies.checked_sub(2).map_or(BigUint::ZERO, upto);
        let here = upto(plies) - before;
        if here != BigUint::ZERO {
            depths.insert(plies as u16, here);
        }
    }
    let stored: BTreeMap<u16, BigUint> = (table.description().depths.iter())
        .map(|(&plies, &count)| (plies, BigUint::from(count)))
        .collect();
    if stored != depths {
        return fault("positions by depth", format!("{stored:?}"), format!("{depths:?}"));
    }
    let longest = |parity| {
        depths
            .keys()
            .rev()
            .find(|&plies| plies % 2 == parity)
            .copied()
            .unwrap_or(0)
    };
    for (field, stored, counted) in [
        ("longest win", header.longest_win, longest(1)),
        ("longest loss", header.longest_loss, longest(0)),
    ] {
        if stored != counted {
            return fault(field, stored.to_string(), counted.to_string());
        }
    }
    let example = &table.description().longest_win;
    let plies = (example.parse::<Strip>().ok())
        .filter(|strip| strip.length() == header.length)
        .and_then(|strip| table.value(&strip).ok()?.depth());
    let expected = Some(header.longest_win).filter(|&plies| plies != 0);
    if plies.map(|plies| plies.0) != expected && !(expected.is_none() && example.is_empty()) {
        return fault(
            &format!("the longest win shown, '{example}'"),
            format!("{} plies", header.longest_win),
            plies.map_or("no win".to_string(), |plies| format!("{plies} plies")),
        );
    }
    Ok(None)
}
