//! Single errors in the comparison of two values: each is refused by a board that uses a rule.

use crate::boards::rule_cover;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_solution::rule::{Kind, Value};
use phutbase_solution::{HalfState, winner};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The comparison, with numbers that can be changed.
#[derive(Clone)]
struct Comparison {
    /// By type, in eighths: for the player to move and for the other.
    corrections: [[i32; 14]; 2],
    /// The further cases: lead, type behind, type ahead.
    further: Vec<(i32, Kind, Kind)>,
}

impl Comparison {
    /// The comparison of the text.
    fn of_the_text() -> Comparison {
        use Kind::*;
        let behind = [I, K, L].into_iter().flat_map(|g| [(-1, g, H), (-1, g, J)]);
        Comparison {
            corrections: [Kind::ALL.map(Kind::to_move), Kind::ALL.map(Kind::not_to_move)],
            further: [(0, A, K), (0, A, L)].into_iter().chain(behind).collect(),
        }
    }

    /// Whether the player to move wins.
    fn wins(&self, (lead, g, h): (i32, Kind, Kind)) -> bool {
        let [x, y] = &self.corrections;
        8 * lead + x[g as usize] >= y[h as usize] || self.further.contains(&(lead, g, h))
    }
}

/// Returns a board for each lead and pair of types, with Left to move, among those that use every rule.
fn boards() -> BTreeMap<(i32, Kind, Kind), AnyStrip> {
    let all = rule_cover();
    let keys = all.par_iter().map(|strip| {
        let value = |goal| HalfState::of(strip.towards(goal)).value();
        let [g, h]: [Value; 2] = [Side::Right, Side::Left].map(value);
        (g.potential - h.potential, g.kind, h.kind)
    });
    let keys: Vec<_> = keys.collect();
    keys.into_iter().zip(all).collect()
}

#[test]
fn every_wrong_correction_and_further_case_is_refused() {
    let boards = boards();
    // All pairs of types at the leads where types decide, but k against l at lead −1.
    let at_lead = |lead| boards.keys().filter(move |key| key.0 == lead).count();
    assert_eq!([-1, 0].map(at_lead), [195, 196]);
    let refused = |wrong: &Comparison| {
        let mut boards = boards.iter();
        boards.any(|(&key, strip)| wrong.wins(key) != (winner(strip) == Side::Left))
    };
    let text = Comparison::of_the_text();
    assert!(!refused(&text));

    let mut corrections = 0;
    for player in 0..2 {
        for kind in Kind::ALL {
            for change in [-1, 1] {
                let mut wrong = text.clone();
                wrong.corrections[player][kind as usize] += change;
                assert!(refused(&wrong), "player {player}, {kind}, {change:+}");
                corrections += 1;
            }
        }
    }
    let mut cases = 0;
    for at in 0..text.further.len() {
        let (lead, g, h) = text.further[at];
        let mut dropped = text.clone();
        dropped.further.remove(at);
        let mut with = |case| {
            let mut wrong = dropped.clone();
            wrong.further.push(case);
            assert!(refused(&wrong), "{case:?} for {:?}", text.further[at]);
            cases += 1;
        };
        with((-1 - lead, g, h));
        with((lead, h, g));
        assert!(refused(&dropped), "without {:?}", text.further[at]);
        cases += 1;
    }
    assert_eq!((corrections, cases), (56, 24));
}

#[test]
fn every_case_that_is_added_is_refused() {
    let boards = boards();
    let text = Comparison::of_the_text();
    let mut added = 0;
    for &key in boards.keys().filter(|&&key| key.0 >= -1 && !text.wins(key)) {
        let mut wrong = text.clone();
        wrong.further.push(key);
        assert!(wrong.wins(key) && winner(&boards[&key]) == Side::Right, "{key:?}");
        added += 1;
    }
    assert_eq!(added, 187);
}
