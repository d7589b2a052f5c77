//! Least integer solutions of systems `value(to) ≥ value(from) + gap`, or a cycle that makes them
//! infeasible.

use std::collections::VecDeque;

/// One inequality: `value(to) ≥ value(from) + gap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constraint {
    pub from: usize,
    pub to: usize,
    /// 0 for *at least*, 1 for *more than*.
    pub gap: u8,
}

impl Constraint {
    pub fn new(from: usize, to: usize, gap: u8) -> Constraint {
        Constraint { from, to, gap }
    }
}

/// Returns the least values ≥ 0 of `nodes` unknowns.
/// Fails with a shortest cycle that has a positive gap: each constraint starts where the last ends.
pub fn least_solution(nodes: usize, constraints: &[Constraint]) -> Result<Vec<u32>, Vec<Constraint>> {
    let mut values = vec![0u32; nodes];
    loop {
        let mut changed = false;
        for constraint in constraints {
            let least = values[constraint.from] + u32::from(constraint.gap);
            if values[constraint.to] < least {
                // A path with more increments than nodes contains a cycle.
                if least as usize > nodes {
                    return Err(shortest_cycle(nodes, constraints));
                }
                values[constraint.to] = least;
                changed = true;
            }
        }
        if !changed {
            return Ok(values);
        }
    }
}

fn shortest_cycle(nodes: usize, constraints: &[Constraint]) -> Vec<Constraint> {
    let mut leaving: Vec<Vec<Constraint>> = vec![Vec::new(); nodes];
    for &constraint in constraints {
        leaving[constraint.from].push(constraint);
    }
    let strict = constraints.iter().filter(|constraint| constraint.gap > 0);
    let mut best: Vec<Constraint> = Vec::new();
    for &first in strict {
        if let Some(back) = path(&leaving, first.to, first.from)
            && (best.is_empty() || back.len() + 1 < best.len())
        {
            best = std::iter::once(first).chain(back).collect();
        }
    }
    best
}

/// Returns a shortest path of constraints between two unknowns.
fn path(leaving: &[Vec<Constraint>], from: usize, to: usize) -> Option<Vec<Constraint>> {
    let mut came_by: Vec<Option<Constraint>> = vec![None; leaving.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            let mut path: Vec<Constraint> = Vec::new();
            let mut at = to;
            while at != from {
                let last = came_by[at]?;
                path.push(last);
                at = last.from;
            }
            path.reverse();
            return Some(path);
        }
        for &constraint in &leaving[node] {
            if came_by[constraint.to].is_none() && constraint.to != from {
                came_by[constraint.to] = Some(constraint);
                queue.push_back(constraint.to);
            }
        }
    }
    None
}
