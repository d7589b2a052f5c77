//! Operations on the sets of a checker.

use super::nodes::Set;
use super::turns::{Place, State};
use super::{Checker, Halt, Question, Rest, key};
use phutbase_base::outcome::Side;
use phutbase_sets::Symbol;

impl Checker {
    /// Returns all boards that are not in a set.
    pub fn complement(&mut self, set: Set) -> Result<Set, Halt> {
        self.without(self.board(), set)
    }

    /// Returns the boards of a set from which turns are looked at.
    pub fn within(&mut self, set: Set) -> Result<Set, Halt> {
        match self.last_ball + 1 == self.length {
            true => Ok(set),
            false => self.up_to_last_ball(self.board(), set),
        }
    }

    /// Returns the boards of one set that are not in another.
    pub fn difference(&mut self, set: Set, other: Set) -> Result<Set, Halt> {
        let board = self.board();
        let others = self.without(board, set)?;
        let joined = self.union(board, others, other)?;
        self.without(board, joined)
    }

    pub(super) fn union(&mut self, rest: Rest, a: Set, b: Set) -> Result<Set, Halt> {
        if a == Set::NONE || b == Set::ALL || a == b {
            return Ok(b);
        }
        if b == Set::NONE || a == Set::ALL {
            return Ok(a);
        }
        let key = key(
            Question::Union,
            rest,
            State::Done,
            Side::Left,
            [a.min(b), a.max(b)],
        );
        self.once(key, |checker| {
            let (a, b) = (checker.nodes.children(a), checker.nodes.children(b));
            checker.by_symbol(rest, |checker, symbol| {
                checker.union(rest.after(symbol), a[symbol as usize], b[symbol as usize])
            })
        })
    }

    fn up_to_last_ball(&mut self, rest: Rest, set: Set) -> Result<Set, Halt> {
        if set == Set::NONE || !rest.ball {
            return Ok(set);
        }
        if self.is_past_last_ball(rest) {
            return Ok(Set::NONE);
        }
        let key = key(Question::Within, rest, State::Done, Side::Left, [set; 2]);
        self.once(key, |checker| {
            let parts = checker.nodes.children(set);
            checker.by_symbol(rest, |checker, symbol| {
                checker.up_to_last_ball(rest.after(symbol), parts[symbol as usize])
            })
        })
    }

    fn without(&mut self, rest: Rest, set: Set) -> Result<Set, Halt> {
        if !rest.ball && set == Set::ALL || rest.squares == 0 && rest.ball {
            return Ok(Set::NONE);
        }
        if !rest.ball && set == Set::NONE {
            return Ok(Set::ALL);
        }
        let key = key(Question::Complement, rest, State::Done, Side::Left, [set; 2]);
        self.once(key, |checker| {
            let parts = checker.nodes.children(set);
            checker.by_symbol(rest, |checker, symbol| match (symbol, checker.place(rest)) {
                (Symbol::Ball, Place::First | Place::Last) => Ok(Set::NONE),
                _ => checker.without(rest.after(symbol), parts[symbol as usize]),
            })
        })
    }
}
