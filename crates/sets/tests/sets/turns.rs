//! Preimages under a small table of turns, against the rules board by board: stones on any square, and
//! jumps to the right.

use phutbase_sets::Symbol;
use phutbase_sets::algebra::Sets;
use phutbase_sets::turns::{Place, Quantifier, Second, Transitions, TurnAutomaton};
use phutbase_testing::prelude::*;
use phutbase_testing::turns::set_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Stone,
    JumpRight,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    Unplaced,
    UnplacedPastBall,
    BeforeJump,
    /// The ball was on the square before, or left it behind in flight.
    Leaving,
    /// The ball has flown over a stone on the square before.
    Flying,
    Done,
}

impl Transitions for State {
    type Kind = Kind;

    const DONE: State = State::Done;

    fn keeps_ball(kind: Kind) -> bool {
        kind == Kind::Stone
    }

    fn start(kind: Kind) -> State {
        match kind {
            Kind::Stone => State::Unplaced,
            Kind::JumpRight => State::BeforeJump,
        }
    }

    fn first_ball_to_come(self) -> bool {
        matches!(self, State::Unplaced | State::BeforeJump)
    }

    fn second_ball_to_come(self) -> bool {
        !matches!(self, State::UnplacedPastBall | State::Done)
    }

    fn steps(self, first: Symbol, place: Place) -> &'static [(Second, State)] {
        use State::{BeforeJump, Done, Flying, Leaving, Unplaced, UnplacedPastBall};
        match (self, first, place) {
            (Unplaced, Symbol::Empty, _) => &[(Second::Empty, Unplaced), (Second::Stone, Done)],
            (Unplaced, Symbol::Stone, _) => &[(Second::Stone, Unplaced)],
            (Unplaced, Symbol::Ball, _) => &[(Second::Ball, UnplacedPastBall)],
            (UnplacedPastBall, Symbol::Empty, _) => {
                &[(Second::Empty, UnplacedPastBall), (Second::Stone, Done)]
            }
            (UnplacedPastBall, Symbol::Stone, _) => &[(Second::Stone, UnplacedPastBall)],
            (BeforeJump, Symbol::Empty, _) => &[(Second::Empty, BeforeJump)],
            (BeforeJump, Symbol::Stone, _) => &[(Second::Stone, BeforeJump)],
            (BeforeJump, Symbol::Ball, _) => &[(Second::Empty, Leaving)],
            (Leaving | Flying, Symbol::Stone, _) => &[(Second::Empty, Flying)],
            (Flying, Symbol::Empty, Place::Last) => &[(Second::Won, Done)],
            (Flying, Symbol::Empty, _) => &[(Second::Empty, Leaving), (Second::Ball, Done)],
            _ => &[],
        }
    }

    fn wins_past_the_end(self) -> bool {
        self == State::Flying
    }
}

/// Returns, for each turn of a kind, whether it leads into the set or wins for Left: by a jump to the
/// right, unless the boards are mirror images.
fn turns_into(kind: Kind, board: &Strip, members: &HashSet<Strip>, is_mirrored: bool) -> Vec<bool> {
    let turns = board.turns().into_iter().filter(|turn| match kind {
        Kind::Stone => matches!(turn, Turn::Place(_)),
        Kind::JumpRight => {
            !matches!(turn, Turn::Place(_)) && turn.is_forward(board) == (board.side() == Side::Left)
        }
    });
    let leads = |turn| match board.play(turn).unwrap() {
        After::Position(next) => members.contains(&next.with_side(Side::Left)),
        After::Over { .. } => !is_mirrored,
    };
    turns.map(leads).collect()
}

#[test]
fn preimages_are_those_of_the_rules() {
    const LENGTH: usize = 8;
    let chosen = positions(LENGTH).zip(random_numbers(1));
    let chosen: Vec<Strip> = chosen
        .filter_map(|(board, number)| (number % 2 == 0).then_some(board))
        .collect();
    let members: HashSet<Strip> = chosen.iter().copied().collect();
    for (last, is_mirrored) in (1..LENGTH).flat_map(|last| [(last, false), (last, true)]) {
        let mut sets = Sets::new(Graph::new(LENGTH));
        let set = set_of(&mut sets, &chosen);
        let mut turns = TurnAutomaton::<State>::reading(sets, last, is_mirrored).unwrap();
        for kind in [Kind::Stone, Kind::JumpRight] {
            let some = turns.preimage(Quantifier::Exists, &[kind], set).unwrap();
            let every = turns.preimage(Quantifier::ForAll, &[kind], set).unwrap();
            for board in positions(LENGTH) {
                let into = turns_into(kind, &board, &members, is_mirrored);
                let is_first = board.ball() <= last;
                let found = [some, every].map(|set| contains(turns.graph(), set, &board));
                let expected = [into.contains(&true), !into.contains(&false)].map(|is_in| is_first && is_in);
                assert_eq!(found, expected, "{kind:?} {last} {is_mirrored} '{board}'");
            }
        }
    }
}
