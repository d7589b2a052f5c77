//! The relation between half strips on all lengths up to N together.
//!
//! For each pair of half lengths r + s + 1 ≤ N the relation is given by numbers a ≤ b
//! ([`rows`](super::rows)). Half strips of one length with the same a against every length s form
//! an *own class*; those with the same b form an *other class*. There are few classes, so the
//! computations use classes instead of half strips.

use super::diagrams::Diagrams;
use super::rows::{Ranks, Role, Unranked};
use super::trie::{Map, Tries};

#[derive(Clone, Debug)]
struct Classes {
    map: Map,
    /// For each class, its numbers against the lengths 1, 2, …: a as own half, b as the opponent's.
    numbers: Vec<Vec<u64>>,
}

/// The relation between half strips on strips of lengths 3 to N.
#[derive(Default)]
pub struct Relation {
    /// The nodes of all maps.
    pub tries: Tries,
    max_length: usize,
    /// Indexed by length − 1 of the half strip.
    own: Vec<Classes>,
    other: Vec<Classes>,
}

impl Relation {
    /// Returns the greatest length so far; 2 if there is none.
    pub fn max_length(&self) -> usize {
        self.max_length.max(2)
    }

    /// Adds the next length.
    /// After an error the relation is invalid.
    pub fn add(&mut self, diagrams: &Diagrams) -> Result<(), Unranked> {
        let length = diagrams.length();
        assert_eq!(length, self.max_length() + 1, "lengths come one after the other");
        for half in 1..=length - 2 {
            for (role, classes) in [(Role::Own, &mut self.own), (Role::Other, &mut self.other)] {
                let ranks = diagrams.ranks(&mut self.tries, role, half)?;
                if classes.len() < half {
                    let map = self.tries.constant(half, 0);
                    let numbers = vec![Vec::new()];
                    classes.push(Classes { map, numbers });
                }
                refine(&mut self.tries, &mut classes[half - 1], &ranks);
            }
        }
        self.max_length = length;
        Ok(())
    }

    /// Returns whether the half strips of an own class beat those of an other class, each given by
    /// length and class; `None` if they do not fit on a strip of the known lengths.
    pub fn beats(&self, own: (usize, u32), other: (usize, u32)) -> Option<bool> {
        if own.0 + other.0 + 1 > self.max_length() {
            return None;
        }
        let a = self.own[own.0 - 1].numbers[own.1 as usize][other.0 - 1];
        let b = self.other[other.0 - 1].numbers[other.1 as usize][own.0 - 1];
        Some(a <= b)
    }

    /// Returns a map to the pairs of own class and other class of half strips of a length.
    pub fn joint(&mut self, half_length: usize) -> (Map, Vec<(u32, u32)>) {
        let (own, other) = (self.own[half_length - 1].map, self.other[half_length - 1].map);
        self.tries.paired(own, other)
    }
}

/// Splits classes by the ranks of half strips against the next length.
fn refine(tries: &mut Tries, classes: &mut Classes, ranks: &Ranks) {
    let (map, pairs) = tries.paired(classes.map, ranks.map);
    let old = std::mem::take(&mut classes.numbers);
    classes.map = map;
    let with_more = |(class, rank): (u32, u32)| {
        let more = ranks.numbers[rank as usize];
        old[class as usize].iter().copied().chain([more]).collect()
    };
    classes.numbers = pairs.into_iter().map(with_more).collect();
}
