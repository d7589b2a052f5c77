//! Sets of boards that an inequality between the potentials of their two halves defines.
//!
//! An automaton reads both halves from the goal line to the ball. The states of the left one are the
//! nodes before the ball; the right halves are mirror images of left ones.

use super::mirror::Mirrored;
use super::{Diagram, Graph, Ref, TooLarge, View};
use hashbrown::HashMap;
use phutbase_base::job::{Job, Stopped};
use phutbase_solution::directional::automaton::PotentialState;

/// Why a set was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbuilt {
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns the boards of a length whose right half has at most the potential of the left half, and
/// those where it has a smaller one: won by Left with Left and with Right to move in directional
/// Phutball.
///
/// # Errors
/// More nodes than a graph can hold; the job was stopped.
pub fn winners(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Unbuilt> {
    // No half of a length has a greater potential than the empty half.
    let most = PotentialState::of(std::iter::repeat_n(false, length - 2)).potential();
    let mut winners = Winners {
        graph: Graph::new(length),
        at_most: Vec::new(),
        known: HashMap::new(),
    };
    for number in 0..=most {
        job.check()?;
        let set = right_halves(&mut winners.graph, number)?;
        winners.at_most.push(by_ball(&winners.graph, set));
    }
    let sets = winners.winners_from(0, PotentialState::HOME)?;
    Ok((winners.graph, sets))
}

/// Returns the boards whose right half has at most a potential.
fn right_halves(graph: &mut Graph, number: i64) -> Result<Ref, TooLarge> {
    let halves = LeftHalves {
        length: graph.length(),
        number,
    };
    let image = Mirrored::new(&halves, At::Bottom, halves.root(), |_| Ok(()))?;
    image.build([Ref::BOTTOM, Ref::TOP], |node| graph.make(node))
}

/// Returns the contents of the squares after each ball square, in a set that does not depend on
/// those before it.
fn by_ball(graph: &Graph, mut set: Ref) -> Vec<Ref> {
    let mut after = Vec::with_capacity(graph.length());
    for _ in 0..graph.length() {
        let (empty, _, ball) = graph.thirds(set);
        after.push(ball);
        set = empty;
    }
    after
}

struct Winners {
    graph: Graph,
    /// For each number and ball square, the contents of the squares after the ball with at most
    /// this number.
    at_most: Vec<Vec<Ref>>,
    known: HashMap<(usize, PotentialState), [Ref; 2]>,
}

impl Winners {
    /// Returns the winners' boards from a square before the ball on, after a part of the left half
    /// that leads to this state.
    fn winners_from(&mut self, square: usize, state: PotentialState) -> Result<[Ref; 2], TooLarge> {
        if square + 1 == self.graph.length() {
            return Ok([Ref::BOTTOM; 2]);
        }
        if let Some(&known) = self.known.get(&(square, state)) {
            return Ok(known);
        }
        let empty = self.winners_from(square + 1, state.step(false))?;
        let stone = self.winners_from(square + 1, state.step(true))?;
        let mut sets = [Ref::BOTTOM; 2];
        for (side, set) in sets.iter_mut().enumerate() {
            let most = usize::try_from(state.potential() - side as i64);
            let ball = match most {
                Ok(most) if square > 0 => self.at_most[most][square],
                _ => Ref::BOTTOM,
            };
            *set = self.graph.ternary(square, empty[side], stone[side], ball)?;
        }
        self.known.insert((square, state), sets);
        Ok(sets)
    }
}

/// The boards whose left half has at most a potential, whatever the right half is.
struct LeftHalves {
    length: usize,
    number: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Bottom,
    Top,
    /// A square, and the state of the automaton before it.
    BeforeBall(usize, PotentialState),
}

impl LeftHalves {
    fn root(&self) -> At {
        At::BeforeBall(0, PotentialState::HOME)
    }
}

impl Diagram for LeftHalves {
    type Ref = At;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, at: At) -> View<At> {
        let (square, state) = match at {
            At::Bottom => return View::Bottom,
            At::Top => return View::Top,
            At::BeforeBall(square, state) => (square, state),
        };
        if square + 1 == self.length {
            return View::Ternary(square, [At::Bottom; 3]);
        }
        let [empty, stone] = [false, true].map(|stone| At::BeforeBall(square + 1, state.step(stone)));
        let ball = if square > 0 && state.potential() <= self.number {
            At::Top
        } else {
            At::Bottom
        };
        View::Ternary(square, [empty, stone, ball])
    }
}
