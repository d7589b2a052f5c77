//! The guess for level 0: the winners of directional Phutball.
//!
//! A potential p of half strips decides the directional game (docs/PROOF.md, Theorem 5): with g to
//! the left of the ball and h to the right, both read from the goal line to the ball, Left to move
//! wins if p(h) ≤ p(g), and Right to move loses if p(h) < p(g). Whoever loses by p cannot win the
//! ordinary game with forward turns alone, so level 0 is a subset; on strips of 64 squares all but
//! one in two million of these boards are in it.

use crate::diagram::mirror::Mirrored;
use crate::diagram::{Diagram, Graph, Ref, TooLarge, View};
use crate::games::directional::automaton::PotentialState;
use crate::job::{Job, Stopped};
use hashbrown::HashMap;

/// Returns the boards of a length that Left wins in directional Phutball, with Left and with Right
/// to move.
pub fn directional_winners(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Stopped> {
    const SMALL: &str = "no length has more nodes than a graph can hold";
    let most = PotentialState::of(vec![false; length - 2]).potential();
    let mut winners = Winners {
        graph: Graph::new(length),
        at_most: Vec::new(),
        known: HashMap::new(),
    };
    for potential in 0..=most {
        job.check()?;
        let sets = winners.right_halves(potential).expect(SMALL);
        winners.at_most.push(sets);
    }
    let sets = winners.winners_from(0, PotentialState::HOME).expect(SMALL);
    Ok((winners.graph, sets))
}

struct Winners {
    graph: Graph,
    /// For each potential and ball square, the contents of the squares after the ball with at most
    /// this potential.
    at_most: Vec<Vec<Ref>>,
    known: HashMap<(usize, PotentialState), [Ref; 2]>,
}

impl Winners {
    /// Returns for each ball square the right halves with at most this potential.
    ///
    /// The automaton reads them from the far end, so they are mirror images of left halves.
    fn right_halves(&mut self, potential: i64) -> Result<Vec<Ref>, TooLarge> {
        let halves = LeftHalves {
            length: self.graph.length(),
            potential,
        };
        let start = At::BeforeBall(0, PotentialState::HOME);
        let image = Mirrored::new(&halves, At::Bottom, start, |_| Ok(()))?;
        let mut set = image.build([Ref::BOTTOM, Ref::TOP], |node| self.graph.make(node))?;
        let mut sets = Vec::with_capacity(self.graph.length());
        for _ in 0..self.graph.length() {
            let (empty, _, ball) = self.graph.thirds(set);
            sets.push(ball);
            set = empty;
        }
        Ok(sets)
    }

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
    potential: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Bottom,
    Top,
    /// A square, and the state of the automaton before it.
    BeforeBall(usize, PotentialState),
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
        let ball = if square > 0 && state.potential() <= self.potential {
            At::Top
        } else {
            At::Bottom
        };
        View::Ternary(square, [empty, stone, ball])
    }
}
