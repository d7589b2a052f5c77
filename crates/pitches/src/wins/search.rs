//! Depth-first search for a winning path, ordered by distance to the goal, without repeated boards.

use super::{WinSearch, is_home};
use hashbrown::HashSet;
use phutbase_rules::pitch::{Flight, Landing, Pitch, Points};

/// Number of boards visited between two calls of `stop`.
const STOP_INTERVAL: usize = 256;

/// Searches at most `boards` boards for a win. `distance` is a lower bound of the number of flights
/// from each point to the goal, [`u16::MAX`] if it is unreachable.
pub fn search(pitch: &Pitch, distance: &[u16], boards: usize, stop: &dyn Fn() -> bool) -> WinSearch {
    let mut seen: HashSet<(u16, Points)> = HashSet::new();
    // The boards on the path with their untried flights, the best last.
    let mut stages = vec![stage(pitch, distance, pitch.ball(), *pitch.chaps())];
    let mut path: Vec<Flight> = Vec::new();
    while let Some((chaps, flights)) = stages.last_mut() {
        let Some(flight) = flights.pop() else {
            stages.pop();
            path.pop();
            continue;
        };
        let chaps = chaps.minus(&flight.over);
        path.push(flight);
        if is_home(pitch.shape(), &flight, pitch.side()) {
            return WinSearch::Wins(path);
        }
        match flight.to {
            Landing::Point(ball) if seen.insert((ball, chaps)) => {
                if seen.len() >= boards || (seen.len().is_multiple_of(STOP_INTERVAL) && stop()) {
                    return WinSearch::Unknown;
                }
                stages.push(stage(pitch, distance, ball.into(), chaps));
            }
            _ => {
                path.pop();
            }
        }
    }
    WinSearch::None
}

/// Lists the flights of a board, the one that leads nearest to the goal last.
fn stage(pitch: &Pitch, distance: &[u16], ball: usize, chaps: Points) -> (Points, Vec<Flight>) {
    let shape = pitch.shape();
    let mut flights: Vec<Flight> = pitch.flights(ball, &chaps).collect();
    let rest = |flight: &Flight| match flight.to {
        _ if is_home(shape, flight, pitch.side()) => 0,
        Landing::Point(to) => distance[usize::from(to)],
        Landing::Off(_) => u16::MAX,
    };
    flights.retain(|flight| rest(flight) < u16::MAX);
    // Prefer removing fewer chaps: the others may be needed.
    flights.sort_by_key(|flight| std::cmp::Reverse((rest(flight), flight.over.len())));
    (chaps, flights)
}
