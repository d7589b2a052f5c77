//! A relaxation: the points that the ball could reach if every removable chap could be present and
//! absent as needed.
//!
//! A chap is removable once some flight goes over it. Reachable points and removable chaps only
//! grow, so the iteration ends. The result includes every point on which the ball can really land,
//! and every flight that is possible.

use super::is_home;
use phutbase_rules::pitch::{Direction, Flight, Landing, Pitch, Points, Step};

#[derive(Clone, Copy, Debug)]
pub struct Hop {
    pub from: u16,
    pub flight: Flight,
    /// A turn that ends with it wins for the player to move.
    pub home: bool,
}

impl Hop {
    /// Returns the landing point; `None` beyond a goal line.
    pub fn to(&self) -> Option<usize> {
        match self.flight.to {
            Landing::Point(to) => Some(to.into()),
            Landing::Off(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Reach {
    pub hops: Vec<Hop>,
    pub removable: Points,
    /// For each point the least number of flights to the goal; `u16::MAX` if there is no path.
    pub distance: Vec<u16>,
}

impl Reach {
    /// Computes the flights of a position; `None` if the goal is out of reach, so that there is no
    /// win.
    pub fn of(pitch: &Pitch) -> Option<Reach> {
        let (mut reached, mut removable) = (Points::EMPTY.with(pitch.ball()), Points::EMPTY);
        let hops = loop {
            let before = (reached, removable);
            let mut hops = Vec::new();
            for from in before.0.iter() {
                for direction in pitch.directions() {
                    add_hops(pitch, from, direction, &before.1, &mut hops);
                }
            }
            for hop in &hops {
                hop.flight.over.iter().for_each(|point| removable.insert(point));
                hop.to().into_iter().for_each(|to| reached.insert(to));
            }
            if (reached, removable) == before {
                break hops;
            }
        };
        let distance = distances(pitch, &hops);
        let leads_home = |hop: &Hop| hop.home || hop.to().is_some_and(|to| distance[to] < u16::MAX);
        let hops: Vec<Hop> = hops.into_iter().filter(leads_home).collect();
        (distance[pitch.ball()] < u16::MAX).then(|| Reach {
            removable: hops.iter().flat_map(|hop| hop.flight.over.iter()).collect(),
            hops,
            distance,
        })
    }
}

/// Adds the flights from a point in a direction, over runs of every length that the relaxation
/// allows.
fn add_hops(pitch: &Pitch, from: usize, direction: Direction, removable: &Points, hops: &mut Vec<Hop>) {
    let shape = pitch.shape();
    let mut over = Points::EMPTY;
    for step in shape.ray(from, direction) {
        let mut push = |to: Landing| {
            let flight = Flight { direction, to, over };
            let home = is_home(shape, &flight, pitch.side());
            let from = from as u16;
            hops.push(Hop { from, flight, home });
        };
        match step {
            Step::Goal(winner) if !over.is_empty() => push(Landing::Off(winner)),
            Step::Point(next) => {
                let chap = pitch.chaps().contains(next);
                if !over.is_empty() && (!chap || removable.contains(next)) {
                    push(Landing::Point(next as u16));
                }
                if !chap {
                    return;
                }
                over.insert(next);
            }
            Step::Goal(_) | Step::Sideline => {}
        }
    }
}

/// Computes for each point the least number of flights to the goal.
fn distances(pitch: &Pitch, hops: &[Hop]) -> Vec<u16> {
    let mut distance = vec![u16::MAX; pitch.shape().points()];
    loop {
        let mut changed = false;
        for hop in hops {
            let rest = match hop.to() {
                _ if hop.home => 0,
                Some(to) => distance[to],
                None => u16::MAX,
            };
            let known = &mut distance[usize::from(hop.from)];
            if rest.saturating_add(1) < *known {
                *known = rest + 1;
                changed = true;
            }
        }
        if !changed {
            return distance;
        }
    }
}
