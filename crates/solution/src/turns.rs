//! Every turn of a board with the winner after it, and one winning turn, in a few passes.
//!
//! A stone changes one half. Along a half, the states that one more stone reaches are carried beside
//! the state itself, each with the squares that lead to it. They merge quickly: of more than fifteen
//! no word is known, though a bound is not proved; it concerns time only. A jump leaves a beginning of
//! one half, and adds empty squares to the other.

use crate::half::HalfState;
use crate::wins;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{Halves, Turn};

/// The turns of a board.
pub struct Turns<'a, S> {
    pub(crate) strip: &'a S,
    /// The half behind the ball and the one ahead of it, as the mover sees them.
    pub(crate) behind: Stones,
    pub(crate) ahead: Stones,
    /// The jump turns ahead and behind, nearest first.
    pub(crate) jumps: [Vec<Jump>; 2],
}

/// A half, and what one more stone makes of it.
pub(crate) struct Stones {
    /// From the goal line to the ball; true for a stone.
    pub(crate) word: Vec<bool>,
    pub(crate) half: HalfState,
    pub(crate) reached: Vec<Reached>,
    /// For each square the next one that reaches the same state.
    next: Vec<u32>,
}

/// A state that one more stone reaches.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) half: HalfState,
    /// True if the mover wins with this stone.
    pub(crate) wins: bool,
    /// The list of its squares.
    first: u32,
    pub(crate) last: u32,
    count: usize,
}

/// A jump turn.
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// The landing square, counted from the goal line; `None` beyond it.
    pub(crate) landing: Option<usize>,
    /// The half that it leaves, and the other half with the empty squares.
    pub(crate) left: HalfState,
    pub(crate) grown: HalfState,
    pub(crate) wins: bool,
}

/// The end of a list of squares.
const END: u32 = u32::MAX;

impl Stones {
    fn of(word: Vec<bool>) -> Stones {
        let mut stones = Stones {
            half: HalfState::EMPTY,
            reached: Vec::new(),
            next: vec![END; word.len()],
            word,
        };
        let mut old: Vec<Reached> = Vec::new();
        for square in 0..stones.word.len() {
            let stone = stones.word[square];
            std::mem::swap(&mut old, &mut stones.reached);
            stones.reached.clear();
            for &reached in &old {
                let half = reached.half.step(stone);
                stones.add(Reached { half, ..reached });
            }
            if !stone {
                let square = square as u32;
                stones.add(Reached {
                    half: stones.half.step(true),
                    wins: false,
                    first: square,
                    last: square,
                    count: 1,
                });
            }
            stones.half = stones.half.step(stone);
        }
        stones
    }

    /// Adds a state, or its squares to the same state.
    fn add(&mut self, new: Reached) {
        let Stones { reached, next, .. } = self;
        match reached.iter_mut().find(|old| old.half == new.half) {
            None => reached.push(new),
            Some(old) => {
                next[old.last as usize] = new.first;
                old.last = new.last;
                old.count += new.count;
            }
        }
    }

    /// Calls `visit` with every empty square, counted from the goal line, and the place of the
    /// state that its stone reaches.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize, usize)) {
        for (at, reached) in self.reached.iter().enumerate() {
            let mut square = reached.first;
            while square != END {
                visit(square as usize, at);
                square = self.next[square as usize];
            }
        }
    }

    /// Returns the jump turns into this half, nearest first, rated by whether the mover wins.
    fn jumps(&self, other: HalfState, wins: impl Fn(&Jump) -> bool) -> Vec<Jump> {
        let mut jumps = Vec::new();
        let (mut place, mut grown) = (self.word.len(), other);
        while place > 0 && self.word[place - 1] {
            let start = place;
            while place > 0 && self.word[place - 1] {
                place -= 1;
            }
            let landing = place.checked_sub(1);
            place = landing.unwrap_or(0);
            grown = grown.empty_squares(start - place);
            jumps.push(Jump {
                landing,
                left: HalfState::EMPTY,
                grown,
                wins: false,
            });
        }
        let (mut left, mut at) = (HalfState::EMPTY, 0);
        for jump in jumps.iter_mut().rev() {
            let landing = jump.landing.unwrap_or(0);
            left = self.word[at..landing]
                .iter()
                .fold(left, |half, &stone| half.step(stone));
            at = landing;
            jump.left = left;
            jump.wins = wins(jump);
        }
        jumps
    }
}

impl Jump {
    pub(crate) fn is_home(&self) -> bool {
        self.landing.unwrap_or(0) == 0
    }
}

impl<'a, S: Halves> Turns<'a, S> {
    /// Rates the turns of a board. Memory: six bytes a square.
    pub fn of(strip: &'a S) -> Turns<'a, S> {
        let side = strip.side();
        let half = |goal| Stones::of(strip.towards(goal).collect());
        let (mut behind, mut ahead) = (half(side.opponent()), half(side));
        let (g, h) = (behind.half, ahead.half);
        for reached in &mut ahead.reached {
            reached.wins = !wins(reached.half, g);
        }
        for reached in &mut behind.reached {
            reached.wins = !wins(h, reached.half);
        }
        let forward = ahead.jumps(g, |jump| jump.is_home() || !wins(jump.left, jump.grown));
        let backward = behind.jumps(h, |jump| !jump.is_home() && !wins(jump.grown, jump.left));
        Turns {
            strip,
            behind,
            ahead,
            jumps: [forward, backward],
        }
    }

    /// Returns the winner of the board.
    pub fn winner(&self) -> Side {
        let side = self.strip.side();
        if wins(self.behind.half, self.ahead.half) {
            side
        } else {
            side.opponent()
        }
    }

    /// Counts the turns after which the mover wins, and the others.
    pub fn count(&self) -> [usize; 2] {
        let mut counts = [0; 2];
        for reached in self.behind.reached.iter().chain(&self.ahead.reached) {
            counts[usize::from(!reached.wins)] += reached.count;
        }
        for jump in self.jumps.iter().flatten() {
            counts[usize::from(!jump.wins)] += 1;
        }
        counts
    }

    /// Returns every legal turn and whether the mover wins after it, in the order of
    /// [`AnyStrip::for_each_turn`](phutbase_rules::strip::AnyStrip::for_each_turn).
    pub fn list(&self) -> Vec<(Turn, bool)> {
        let side = self.strip.side();
        let mut stones = vec![None; self.strip.length()];
        for (goal, half) in [(side, &self.ahead), (side.opponent(), &self.behind)] {
            half.for_each(|place, at| {
                stones[self.strip.square_from(goal, place)] = Some(half.reached[at].wins);
            });
        }
        let stones = stones.into_iter().enumerate();
        let mut list: Vec<_> = stones
            .filter_map(|(square, wins)| Some((Turn::Place(square), wins?)))
            .collect();
        // To the right first.
        let goals = [side, side.opponent()];
        let mut directions = [0, 1].map(|at| (goals[at], &self.jumps[at]));
        directions.sort_by_key(|&(goal, _)| goal);
        for (goal, jumps) in directions {
            list.extend(
                jumps
                    .iter()
                    .map(|jump| (self.jump(goal, jump.landing), jump.wins)),
            );
        }
        list
    }

    /// Returns a jump turn towards a goal line.
    pub(crate) fn jump(&self, goal: Side, landing: Option<usize>) -> Turn {
        match landing {
            None => Turn::Off(goal.opponent()),
            Some(place) => Turn::Jump(self.strip.square_from(goal, place)),
        }
    }
}
