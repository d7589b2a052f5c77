//! A relaxation: the points that the ball could reach if every removable chap could be present and
//! absent as needed.
//!
//! A chap is removable once some flight goes over it. Reachable points and removable chaps only
//! grow, so the iteration ends. The result includes every point on which the ball can really land,
//! and every flight that is possible.

use crate::games::pitch::{Direction, Pitch, Points, Step};
use crate::outcome::Side;

#[derive(Clone, Copy, Debug)]
pub struct Hop {
    pub from: u16,
    pub direction: Direction,
    /// Number of chaps jumped over.
    pub over: u16,
    /// Landing point; `None` beyond a goal line.
    pub to: Option<u16>,
    /// A turn that ends with it wins for the player to move.
    pub home: bool,
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
                for direction in Direction::ALL {
                    add_hops(pitch, from, direction, &before.1, &mut hops);
                }
            }
            for hop in &hops {
                over(pitch, hop).for_each(|point| removable.insert(point));
                hop.to.into_iter().for_each(|to| reached.insert(to.into()));
            }
            if (reached, removable) == before {
                break hops;
            }
        };
        let distance = distances(pitch, &hops);
        let leads_home =
            |hop: &Hop| hop.home || hop.to.is_some_and(|to| distance[usize::from(to)] < u16::MAX);
        let hops: Vec<Hop> = hops.into_iter().filter(leads_home).collect();
        (distance[pitch.ball()] < u16::MAX).then(|| Reach {
            removable: hops.iter().flat_map(|hop| over(pitch, hop)).collect(),
            hops,
            distance,
        })
    }
}

/// Iterates over the points that a flight goes over.
pub fn over(pitch: &Pitch, hop: &Hop) -> impl Iterator<Item = usize> + use<> {
    let (shape, direction) = (pitch.shape(), hop.direction);
    let mut at = usize::from(hop.from);
    (0..hop.over).map(move |_| {
        if let Step::Point(next) = shape.step(at, direction) {
            at = next;
        }
        at
    })
}

/// Adds the flights from a point in a direction, over runs of every length that the relaxation
/// allows.
fn add_hops(pitch: &Pitch, from: usize, direction: Direction, removable: &Points, hops: &mut Vec<Hop>) {
    let (shape, side) = (pitch.shape(), pitch.side());
    let (mut at, mut count) = (from, 0);
    loop {
        let hop = |to: Option<u16>, winner: Option<Side>| Hop {
            from: from as u16,
            direction,
            over: count,
            to,
            home: winner == Some(side),
        };
        match shape.step(at, direction) {
            Step::Goal(winner) if count > 0 => hops.push(hop(None, Some(winner))),
            Step::Point(next) => {
                let chap = pitch.chaps().contains(next);
                if count > 0 && (!chap || removable.contains(next)) {
                    hops.push(hop(Some(next as u16), shape.winner_on(next)));
                }
                if chap {
                    (at, count) = (next, count + 1);
                    continue;
                }
            }
            Step::Goal(_) | Step::Sideline => {}
        }
        return;
    }
}

/// Computes for each point the least number of flights to the goal.
fn distances(pitch: &Pitch, hops: &[Hop]) -> Vec<u16> {
    let mut distance = vec![u16::MAX; pitch.shape().points()];
    loop {
        let mut changed = false;
        for hop in hops {
            let rest = match (hop.home, hop.to) {
                (true, _) => 0,
                (false, Some(to)) => distance[usize::from(to)],
                (false, None) => u16::MAX,
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
