//! The turns of the game as a machine that reads two boards side by side.
//!
//! A turn changes a few squares, and whether one board comes from another by a turn can be seen by reading both from left to
//! right, square by square, with a state that says what has been seen. [`State::steps`] is that machine: for a state and what
//! the board *before* the turn has on a square it lists what the board *after* it may have there, and the state then. It is the rules
//! of the strip, one line for each thing that can happen:
//!
//! ```text
//!     placing         the first board again, but for one empty square that gets a stone
//!     jump, right     … @ o o . …   the ball's square and the run become empty, the ball lands on the empty square, or
//!                     . . . @       leaves that empty too and jumps on if a stone follows
//!     jump, left      the same from the other end: where it lands comes first, where it began comes last
//! ```
//!
//! A ball that comes to or past the last square wins for Left, whatever the second board would be; one that comes to or past square 0
//! wins for Right, so that no second board is good for Left.
//!
//! [`Turns::lead`] runs the machine along a whole set of second boards at once, and gives the set of first boards. It shares nothing
//! with the recursions of the symbolic engine.

use crate::diagram::Diagram;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Ref, TooLarge};
use hashbrown::HashMap;

/// Which turns have to lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Which {
    /// One at least.
    Some,
    /// All.
    Every,
}

/// A kind of turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Place,
    JumpRight,
    JumpLeft,
}

impl Kind {
    fn start(self) -> State {
        match self {
            Kind::Place => State::Unplaced,
            Kind::JumpRight => State::BeforeJump,
            Kind::JumpLeft => State::BeforeLanding,
        }
    }
}

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Square {
    Empty,
    Stone,
    Ball,
}

/// What has been read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// No stone placed yet, the ball still to come.
    Unplaced,
    /// No stone placed yet, past the ball.
    UnplacedPastBall,
    /// Jump to the right: the ball still to come.
    BeforeJump,
    /// The ball has just left the square before, and must find a stone here.
    Leaving,
    /// The ball has flown over a stone on the square before.
    Flying,
    /// Jump to the left: nothing has changed so far.
    BeforeLanding,
    /// The ball was on the square before, after a jump that began to the right: here it flew over a stone.
    Landed,
    /// The ball flew over a stone on the square before.
    UnderFlight,
    /// The turn is complete: the rest of the two boards is the same.
    Done,
}

impl State {
    /// Whether the ball of the first board is still to come.
    fn first_ball_to_come(self) -> bool {
        use State::*;
        matches!(self, Unplaced | BeforeJump | BeforeLanding | Landed | UnderFlight)
    }

    /// Whether the ball of the second board is still to come.
    fn second_ball_to_come(self) -> bool {
        use State::*;
        matches!(self, Unplaced | BeforeJump | BeforeLanding | Leaving | Flying)
    }

    /// What the second board may have where the first has `square`, and the state after that.
    fn steps(self, square: Square) -> &'static [(Square, State)] {
        use Square::*;
        use State::*;
        match (self, square) {
            (Unplaced, Empty) => &[(Empty, Unplaced), (Stone, Done)],
            (Unplaced, Stone) => &[(Stone, Unplaced)],
            (Unplaced, Ball) => &[(Ball, UnplacedPastBall)],
            (UnplacedPastBall, Empty) => &[(Empty, UnplacedPastBall), (Stone, Done)],
            (UnplacedPastBall, Stone) => &[(Stone, UnplacedPastBall)],
            (BeforeJump, Empty) => &[(Empty, BeforeJump)],
            (BeforeJump, Stone) => &[(Stone, BeforeJump)],
            (BeforeJump, Ball) => &[(Empty, Leaving)],
            (Leaving, Stone) => &[(Empty, Flying)],
            (Flying, Stone) => &[(Empty, Flying)],
            (Flying, Empty) => &[(Ball, Done), (Empty, Leaving)],
            (BeforeLanding, Empty) => &[(Empty, BeforeLanding), (Ball, Landed)],
            (BeforeLanding, Stone) => &[(Stone, BeforeLanding)],
            (Landed, Stone) => &[(Empty, UnderFlight)],
            (UnderFlight, Stone) => &[(Empty, UnderFlight)],
            (UnderFlight, Empty) => &[(Empty, Landed)],
            (UnderFlight, Ball) => &[(Empty, Done)],
            _ => &[],
        }
    }
}

/// The machine on the sets of a graph, with the results it remembers.
pub(super) struct Turns {
    sets: Sets,
    known: HashMap<(Which, State, usize, Ref), Ref>,
    /// For each square, all boards whose ball is on it or to the right of it.
    boards: Vec<Ref>,
}

impl Turns {
    pub fn new(sets: Sets) -> Result<Turns, TooLarge> {
        let mut turns = Turns {
            boards: vec![Ref::BOTTOM; sets.graph().length() + 1],
            sets,
            known: HashMap::new(),
        };
        for square in (0..turns.length() - 1).rev() {
            let later = turns.boards[square + 1];
            let ball = turns.ball_may_stand(square);
            turns.boards[square] = (turns.sets.graph_mut()).ternary(square, later, later, ball)?;
        }
        Ok(turns)
    }

    pub fn sets(&mut self) -> &mut Sets {
        &mut self.sets
    }

    fn length(&self) -> usize {
        self.sets.graph().length()
    }

    /// ⊤ on inner squares.
    fn ball_may_stand(&self, square: usize) -> Ref {
        match (1..=self.length() - 2).contains(&square) {
            true => Ref::TOP,
            false => Ref::BOTTOM,
        }
    }

    /// The boards from which some, or every, turn of a kind wins for Left at once or leads into `set`.
    pub fn lead(&mut self, which: Which, kind: Kind, set: Ref) -> Result<Ref, TooLarge> {
        self.run(which, kind.start(), 0, set)
    }

    /// The first boards, from `square` on, for second boards from `square` on in `set`.
    fn run(&mut self, which: Which, state: State, square: usize, set: Ref) -> Result<Ref, TooLarge> {
        match state {
            State::Done => return Ok(set),
            // Past the strip's right end.
            State::Flying if square == self.length() => return Ok(Ref::TOP),
            _ if square == self.length() => return Ok(self.no_turn(which, state, square)),
            _ => {}
        }
        let key = (which, state, square, set);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let empty = self.on_square(which, state, square, Square::Empty, set)?;
        let stone = self.on_square(which, state, square, Square::Stone, set)?;
        let result = if state.first_ball_to_come() {
            let ball = match self.ball_may_stand(square) {
                Ref::BOTTOM => Ref::BOTTOM,
                _ => self.on_square(which, state, square, Square::Ball, set)?,
            };
            self.sets.graph_mut().ternary(square, empty, stone, ball)?
        } else {
            self.sets.graph_mut().binary(square, empty, stone)?
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// The same where the first board has `first` on `square`: the rest of it.
    fn on_square(
        &mut self,
        which: Which,
        state: State,
        square: usize,
        first: Square,
        set: Ref,
    ) -> Result<Ref, TooLarge> {
        let last = self.length() - 1;
        if state == State::Flying && square == last && first == Square::Empty {
            return Ok(Ref::TOP); // The ball lands on Left's goal.
        }
        let after = match first {
            Square::Ball => State::Done,
            _ => state,
        };
        let mut result = self.no_turn(which, after, square + 1);
        let how = match which {
            Which::Some => Join::Or,
            Which::Every => Join::And,
        };
        if (state, square, first) == (State::BeforeLanding, 0, Square::Stone) {
            // A jump over the stone on square 0 and off the strip: Right has won.
            let off = self.run(which, State::UnderFlight, 1, Ref::BOTTOM)?;
            result = self.sets.join(how, result, off)?;
        }
        for &(second, next) in state.steps(first) {
            let target = match (next, square) {
                (State::Landed, 0) if state == State::BeforeLanding => Ref::BOTTOM, // Right's goal.
                _ => self.part(state, square, second, set),
            };
            let further = self.run(which, next, square + 1, target)?;
            result = self.sets.join(how, result, further)?;
        }
        Ok(result)
    }

    /// What is left of `set` where the second board has `second` on `square`.
    fn part(&self, state: State, square: usize, second: Square, set: Ref) -> Ref {
        let graph = self.sets.graph();
        let (empty, stone, ball) = if state.second_ball_to_come() {
            graph.thirds(set)
        } else {
            let (empty, stone) = graph.halves(set, square);
            (empty, stone, Ref::BOTTOM)
        };
        match second {
            Square::Empty => empty,
            Square::Stone => stone,
            Square::Ball => ball,
        }
    }

    /// The boards from `square` on if there is no turn at all: none has one that leads anywhere; of all of them every one does.
    fn no_turn(&self, which: Which, state: State, square: usize) -> Ref {
        match which {
            Which::Some => Ref::BOTTOM,
            Which::Every if state.first_ball_to_come() => self.boards[square],
            Which::Every => Ref::TOP,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::count::contains;
    use crate::diagram::graph::Graph;
    use crate::game::Game;
    use crate::games::strip::{After, Strip, StripGame, Turn};
    use crate::outcome::Side;
    use proptest::prelude::*;

    fn kind_of(strip: &Strip, turn: Turn) -> Kind {
        match (turn, strip.after(turn)) {
            (Turn::Place(_), _) => Kind::Place,
            (_, After::Position(next)) if next.ball() < strip.ball() => Kind::JumpLeft,
            (_, After::Position(_)) => Kind::JumpRight,
            (
                _,
                After::Over {
                    winner: Side::Left, ..
                },
            ) => Kind::JumpRight,
            (
                _,
                After::Over {
                    winner: Side::Right, ..
                },
            ) => Kind::JumpLeft,
        }
    }

    /// A set given by a bit for each board.
    fn set_of(graph: &mut Graph, members: &[Strip]) -> Ref {
        let length = graph.length();
        let mut union = Ref::BOTTOM;
        let mut sets = Sets::new(std::mem::replace(graph, Graph::new(length)));
        for strip in members {
            let mut at = Ref::TOP;
            for square in (0..length).rev() {
                let stone = strip.stones() >> square & 1 == 1;
                let (on_empty, on_stone) = if stone {
                    (Ref::BOTTOM, at)
                } else {
                    (at, Ref::BOTTOM)
                };
                let graph = sets.graph_mut();
                at = match square.cmp(&strip.ball()) {
                    std::cmp::Ordering::Greater => graph.binary(square, on_empty, on_stone),
                    std::cmp::Ordering::Equal => graph.ternary(square, Ref::BOTTOM, Ref::BOTTOM, at),
                    std::cmp::Ordering::Less => graph.ternary(square, on_empty, on_stone, Ref::BOTTOM),
                }
                .unwrap();
            }
            union = sets.join(Join::Or, union, at).unwrap();
        }
        *graph = std::mem::replace(sets.graph_mut(), Graph::new(length));
        union
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Any set, every board, every kind of turn, against the rules as `games` has them.
        #[test]
        fn turns_are_those_of_the_rules(length in 3usize..=8, chosen in prop::collection::vec(any::<bool>(), 768)) {
            let game = StripGame::new(length).unwrap();
            let boards: Vec<Strip> = (0..game.positions()).map(|index| game.position(index)).collect();
            let members: Vec<Strip> = boards.iter().zip(chosen.iter().cycle())
                .filter(|&(_, &chosen)| chosen).map(|(&board, _)| board).collect();
            let mut graph = Graph::new(length);
            let set = set_of(&mut graph, &members);
            let mut turns = Turns::new(Sets::new(graph)).unwrap();
            for kind in [Kind::Place, Kind::JumpRight, Kind::JumpLeft] {
                let some = turns.lead(Which::Some, kind, set).unwrap();
                let every = turns.lead(Which::Every, kind, set).unwrap();
                for board in &boards {
                    let good = |turn: Turn| match board.after(turn) {
                        After::Position(next) => members.contains(&next.with_side(Side::Left)),
                        After::Over { winner, .. } => winner == Side::Left,
                    };
                    let of_kind: Vec<Turn> = board.turns().into_iter()
                        .filter(|&turn| kind_of(board, turn) == kind).collect();
                    let graph = turns.sets.graph();
                    prop_assert_eq!(contains(graph, some, board), of_kind.iter().any(|&turn| good(turn)), "some {:?} {}", kind, board);
                    prop_assert_eq!(contains(graph, every, board), of_kind.iter().all(|&turn| good(turn)), "every {:?} {}", kind, board);
                }
            }
        }
    }
}
