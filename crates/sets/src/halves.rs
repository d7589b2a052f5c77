//! Sets of boards that an inequality between their two halves defines.
//!
//! Automata read both halves from the goal line to the ball. The states of the left one are the
//! nodes before the ball; the right halves are mirror images of left ones.

use super::mirror::Mirrored;
use super::{Diagram, Graph, Ref, TooLarge, View};
use hashbrown::HashMap;
use phutbase_base::job::{Job, Stopped};
use phutbase_solution::directional::automaton::PotentialState;
use phutbase_solution::forward::ForwardState;
use std::hash::Hash;
use std::marker::PhantomData;

/// An automaton that reads a half strip from the goal line to the ball and gives it a number.
pub trait HalfState: Copy + Eq + Hash {
    /// The state before the first square.
    const START: Self;

    /// Returns the state after one more square, a stone or an empty one.
    fn step(self, stone: bool) -> Self;

    /// Returns the number of the half that was read. No half of a length has a greater one than the
    /// empty half.
    fn number(self) -> i64;
}

impl HalfState for PotentialState {
    const START: PotentialState = PotentialState::HOME;

    fn step(self, stone: bool) -> PotentialState {
        PotentialState::step(self, stone)
    }

    fn number(self) -> i64 {
        self.potential()
    }
}

impl HalfState for ForwardState {
    const START: ForwardState = ForwardState::START;

    fn step(self, stone: bool) -> ForwardState {
        ForwardState::step(self, stone)
    }

    fn number(self) -> i64 {
        self.value().into()
    }
}

/// Why a set was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbuilt {
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns the boards of a length whose right half has at most the number of the left half, and
/// those where it has a smaller number: won by Left with Left and with Right to move, if the numbers
/// decide.
///
/// # Errors
/// More nodes than a graph can hold; the job was stopped.
pub fn winners<L: HalfState, R: HalfState>(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Unbuilt> {
    let most = (2..length).fold(L::START, |state, _| state.step(false)).number();
    let mut winners = Winners {
        graph: Graph::new(length),
        at_most: Vec::new(),
        known: HashMap::new(),
    };
    for number in 0..=most {
        job.check()?;
        let set = right_halves::<R>(&mut winners.graph, number)?;
        winners.at_most.push(by_ball(&winners.graph, set));
    }
    let sets = winners.winners_from(0, L::START)?;
    Ok((winners.graph, sets))
}

/// Returns the boards whose left half has at most a number.
pub fn left_halves<R: HalfState>(graph: &mut Graph, number: i64) -> Result<Ref, TooLarge> {
    let halves = LeftHalves {
        length: graph.length(),
        number,
        automaton: PhantomData::<R>,
    };
    Ok(graph.copy(&halves, &[halves.root()])?[0])
}

/// Returns the boards whose right half has at most a number.
pub fn right_halves<R: HalfState>(graph: &mut Graph, number: i64) -> Result<Ref, TooLarge> {
    let halves = LeftHalves {
        length: graph.length(),
        number,
        automaton: PhantomData::<R>,
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

struct Winners<L> {
    graph: Graph,
    /// For each number and ball square, the contents of the squares after the ball with at most
    /// this number.
    at_most: Vec<Vec<Ref>>,
    known: HashMap<(usize, L), [Ref; 2]>,
}

impl<L: HalfState> Winners<L> {
    /// Returns the winners' boards from a square before the ball on, after a part of the left half
    /// that leads to this state.
    fn winners_from(&mut self, square: usize, state: L) -> Result<[Ref; 2], TooLarge> {
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
            let most = usize::try_from(state.number() - side as i64);
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

/// The boards whose left half has at most a number, whatever the right half is.
struct LeftHalves<R> {
    length: usize,
    number: i64,
    automaton: PhantomData<R>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At<R> {
    Bottom,
    Top,
    /// A square, and the state of the automaton before it.
    BeforeBall(usize, R),
}

impl<R: HalfState> LeftHalves<R> {
    fn root(&self) -> At<R> {
        At::BeforeBall(0, R::START)
    }
}

impl<R: HalfState> Diagram for LeftHalves<R> {
    type Ref = At<R>;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, at: At<R>) -> View<At<R>> {
        let (square, state) = match at {
            At::Bottom => return View::Bottom,
            At::Top => return View::Top,
            At::BeforeBall(square, state) => (square, state),
        };
        if square + 1 == self.length {
            return View::Ternary(square, [At::Bottom; 3]);
        }
        let [empty, stone] = [false, true].map(|stone| At::BeforeBall(square + 1, state.step(stone)));
        let ball = if square > 0 && state.number() <= self.number {
            At::Top
        } else {
            At::Bottom
        };
        View::Ternary(square, [empty, stone, ball])
    }
}
