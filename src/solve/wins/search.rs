//! Depth-first search for a winning way, always on towards the goal, that never looks at a board twice.

use super::{Answer, is_home};
use crate::games::pitch::{Direction, Flight, Landing, Pitch, Points};
use hashbrown::HashSet;

/// Boards between two looks at the clock.
const PATIENCE: usize = 256;

/// A board on the way, with the flights from it that are still to be tried, the best last.
struct Stage {
    chaps: Points,
    flights: Vec<Flight>,
}

/// Looks for a win through at most so many boards; `distance` says how far each point seems from the goal, [`u16::MAX`] where there is
/// surely no way.
pub fn search(pitch: &Pitch, distance: &[u16], boards: usize, stop: &dyn Fn() -> bool) -> Answer {
    let mut seen: HashSet<(u16, Points)> = HashSet::new();
    let mut stages = vec![stage(pitch, distance, pitch.ball(), *pitch.chaps())];
    let mut path: Vec<Flight> = Vec::new();
    while let Some(last) = stages.last_mut() {
        let Some(flight) = last.flights.pop() else {
            stages.pop();
            path.pop();
            continue;
        };
        let chaps = last.chaps.minus(&flight.over);
        path.push(flight);
        if is_home(pitch.shape(), &flight, pitch.side()) {
            return Answer::Wins(path);
        }
        match flight.to {
            Landing::Point(ball) if seen.insert((ball, chaps)) => {
                if seen.len() >= boards || (seen.len().is_multiple_of(PATIENCE) && stop()) {
                    return Answer::Unknown;
                }
                stages.push(stage(pitch, distance, ball.into(), chaps));
            }
            _ => {
                path.pop();
            }
        }
    }
    Answer::None
}

/// A board with its flights, the one that leads nearest to the goal last.
fn stage(pitch: &Pitch, distance: &[u16], ball: usize, chaps: Points) -> Stage {
    let shape = pitch.shape();
    let mut flights: Vec<Flight> = (Direction::ALL.into_iter())
        .filter_map(|direction| shape.flight(ball, &chaps, direction))
        .collect();
    let rest = |flight: &Flight| match flight.to {
        _ if is_home(shape, flight, pitch.side()) => 0,
        Landing::Point(to) => distance[usize::from(to)],
        Landing::Off(_) => u16::MAX,
    };
    flights.retain(|flight| rest(flight) < u16::MAX);
    // Of equals the one that removes fewer chaps: what is left may be needed.
    flights.sort_by_key(|flight| std::cmp::Reverse((rest(flight), flight.over.len())));
    Stage { chaps, flights }
}
