//! The exact potential: two numbers per half strip that determine the winner of every position of
//! every computed length.
//!
//! The ball divides a strip into two half strips, each read from the ball to its goal line. There
//! are numbers κ(h) ≤ λ(h) for each half strip h, *the same on strips of all lengths*, such that
//!
//! ```text
//!     the mover wins  ⟺  κ(own half) ≤ λ(other half)      own half: towards the goal of the mover
//! ```
//!
//! With κ = λ this is a potential in the sense of Grossman & Nowakowski's Theorem 1
//! (*One-Dimensional Phutball*, § 2). The existence of such numbers is computed for each length, not proved for all. [`Relation`]
//! records which half strips beat which, and the numbers are the least solution of
//!
//! ```text
//!     κ(h) ≤ λ(g)   if h beats g           λ(g) < κ(h)   if it does not           κ(h) ≤ λ(h)
//! ```
//!
//! * [`trie`] — functions of half strips as minimal automata;
//! * [`rows`] — one length: the relation between half strips, and its chain property;
//! * [`diagrams`] — the same, computed from the diagrams of a table;
//! * [`relation`] — all lengths up to N together;
//! * [`constraints`] — least integer solutions;
//! * [`explain`] — the claim that the numbers exist.

pub mod constraints;
pub mod diagrams;
pub mod explain;
pub mod relation;
pub mod rows;
pub mod trie;

use constraints::{Constraint, least_solution};
use indexmap::IndexSet;
use phutbase_base::count::Count;
use phutbase_rules::half::Half;
use relation::Relation;
use serde::Serialize;
use trie::{Class, Map};

/// A statement about two half strips; part of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Duel {
    pub own: Half,
    pub other: Half,
    #[serde(rename = "mover_wins")]
    pub wins: bool,
}

impl std::fmt::Display for Duel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = if self.wins { "beats" } else { "does not beat" };
        write!(f, "{} {verb} {}", self.own, self.other)
    }
}

/// κ and λ of every half strip up to a length: the least numbers that explain all strips of lengths
/// 3 to N.
pub struct ExactPotential {
    relation: Relation,
    /// Indexed by length − 1.
    halves: Vec<Numbers>,
}

struct Numbers {
    /// The pair of each half strip, as an index into `pairs`.
    map: Map,
    pairs: Vec<(u32, u32)>,
}

impl Numbers {
    fn pair_class(&self, pair: u32, class: Class) -> PairClass {
        let (kappa, lambda) = self.pairs[pair as usize];
        let (size, smallest) = (Count(class.size), class.smallest);
        PairClass {
            kappa,
            lambda,
            size,
            smallest,
        }
    }
}

/// The half strips of one length with the same κ and λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PairClass {
    /// Threshold of the half as the mover's own.
    pub kappa: u32,
    /// Resistance of the half as the opponent's.
    pub lambda: u32,
    pub size: Count<u128>,
    /// The half strip with the least pattern.
    pub smallest: Half,
}

impl ExactPotential {
    /// Finds the least κ and λ for a relation.
    /// Fails with the relation and a cycle of duels that no numbers explain: a counterexample.
    pub fn new(mut relation: Relation) -> Result<ExactPotential, (Relation, Vec<Duel>)> {
        let system = System::new(&mut relation, false);
        match least_solution(system.nodes, &system.constraints) {
            Ok(values) => {
                let halves = system.numbers(&mut relation, &values);
                Ok(ExactPotential { relation, halves })
            }
            Err(cycle) => {
                let duels = system.duels(&relation, &cycle);
                Err((relation, duels))
            }
        }
    }

    pub fn max_half(&self) -> usize {
        self.halves.len()
    }

    fn into_relation(self) -> Relation {
        self.relation
    }

    /// Returns κ and λ of a half strip; `None` if it is longer than those computed.
    pub fn pair(&self, half: Half) -> Option<(u32, u32)> {
        let numbers = self.halves.get(half.length() - 1)?;
        Some(numbers.pairs[self.relation.tries.value(numbers.map, half) as usize])
    }

    pub fn largest(&self) -> u32 {
        let pairs = self.halves.iter().flat_map(|numbers| &numbers.pairs);
        pairs.map(|&(kappa, lambda)| kappa.max(lambda)).max().unwrap_or(0)
    }

    pub fn classes(&self, half_length: usize) -> Vec<PairClass> {
        let numbers = &self.halves[half_length - 1];
        let classes = self.relation.tries.classes(numbers.map).into_iter();
        let mut classes: Vec<PairClass> = classes
            .map(|class| numbers.pair_class(class.value, class))
            .collect();
        classes.sort_unstable();
        classes
    }

    /// Groups the half strips of one length by κ, λ and another number given as a map, in that
    /// order.
    pub fn against(
        &mut self,
        half_length: usize,
        other: &dyn Fn(&mut trie::Tries, usize) -> Map,
    ) -> Vec<(u32, PairClass)> {
        let numbers = &self.halves[half_length - 1];
        let tries = &mut self.relation.tries;
        let other = other(tries, half_length);
        let (map, cells) = tries.paired(numbers.map, other);
        let mut table: Vec<(u32, PairClass)> = (tries.classes(map).into_iter())
            .map(|class| {
                let (pair, other) = cells[class.value as usize];
                (other, numbers.pair_class(pair, class))
            })
            .collect();
        table.sort_unstable();
        table
    }

    /// Returns the numbers of states, by square, of the minimal automaton that reads half strips of
    /// one length from the goal line to the ball and computes κ and λ.
    pub fn states(&self, half_length: usize) -> Vec<usize> {
        self.relation.tries.states(self.halves[half_length - 1].map)
    }
}

/// Returns whether one number per half strip is enough, κ = λ: a potential in the sense of Theorem
/// 1.
/// Fails with a shortest cycle of duels that no such numbers explain.
pub fn one_number_suffices(relation: &mut Relation) -> Result<(), Vec<Duel>> {
    let system = System::new(relation, true);
    match least_solution(system.nodes, &system.constraints) {
        Ok(_) => Ok(()),
        Err(cycle) => Err(system.duels(relation, &cycle)),
    }
}

/// The unknowns and their constraints. An unknown is κ or λ, or their common value, of a *joint
/// class*: half strips of one length with the same own class and the same other class.
struct System {
    nodes: usize,
    constraints: Vec<Constraint>,
    joint: Vec<Joint>,
    /// The joint classes by length − 1 of the half strips: a map, and the range of its unknowns.
    maps: Vec<(Map, std::ops::Range<usize>)>,
}

struct Joint {
    length: usize,
    classes: (u32, u32),
    kappa: usize,
    lambda: usize,
}

impl System {
    fn new(relation: &mut Relation, one_number: bool) -> System {
        let (mut nodes, mut joint, mut maps) = (0, Vec::new(), Vec::new());
        for length in 1..=relation.max_length() - 2 {
            let (map, pairs) = relation.joint(length);
            maps.push((map, joint.len()..joint.len() + pairs.len()));
            for classes in pairs {
                let (kappa, lambda) = (nodes, nodes + usize::from(!one_number));
                nodes = lambda + 1;
                joint.push(Joint {
                    length,
                    classes,
                    kappa,
                    lambda,
                });
            }
        }
        let mut constraints = Vec::new();
        for own in &joint {
            if !one_number {
                constraints.push(Constraint::new(own.kappa, own.lambda, 0));
            }
            for other in &joint {
                let ends = ((own.length, own.classes.0), (other.length, other.classes.1));
                constraints.extend(relation.beats(ends.0, ends.1).map(|beats| {
                    if beats {
                        Constraint::new(own.kappa, other.lambda, 0)
                    } else {
                        Constraint::new(other.lambda, own.kappa, 1)
                    }
                }));
            }
        }
        System {
            nodes,
            constraints,
            joint,
            maps,
        }
    }

    fn numbers(&self, relation: &mut Relation, values: &[u32]) -> Vec<Numbers> {
        let of_length = |(map, range): &(Map, std::ops::Range<usize>)| {
            let mut pairs: IndexSet<(u32, u32)> = IndexSet::new();
            let joint = &self.joint[range.clone()];
            let map = relation.tries.relabelled(*map, &mut |class| {
                let joint = &joint[class as usize];
                let pair = (values[joint.kappa], values[joint.lambda]);
                pairs.insert_full(pair).0 as u32
            });
            let pairs = pairs.into_iter().collect();
            Numbers { map, pairs }
        };
        self.maps.iter().map(of_length).collect()
    }

    /// Converts a cycle of constraints to duels between the smallest half strips of the classes.
    fn duels(&self, relation: &Relation, cycle: &[Constraint]) -> Vec<Duel> {
        let smallest = |node: usize| {
            let is_of = |joint: &Joint| joint.kappa == node || joint.lambda == node;
            let place = self.joint.iter().position(is_of)?;
            let (map, range) = self.maps.iter().find(|(_, range)| range.contains(&place))?;
            let class = (place - range.start) as u32;
            let mut members = relation.tries.classes(*map).into_iter();
            (members.find(|member| member.value == class)).map(|member| member.smallest)
        };
        let duel = |constraint: &Constraint| {
            let (from, to) = (smallest(constraint.from)?, smallest(constraint.to)?);
            let wins = constraint.gap == 0;
            let (own, other) = if wins { (from, to) } else { (to, from) };
            Some(Duel { own, other, wins })
        };
        cycle.iter().filter_map(duel).collect()
    }
}
