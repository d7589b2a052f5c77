//! A game against a player, with undo.

use super::budget::{Budget, Go, Stop};
use super::players::{Choice, PlayerKind, Players};
use super::position::Turn;
use crate::games::position::{Phutball, Standing};
use crate::outcome::ParseError;

pub struct Game {
    /// Earlier standings and the current one, last; never empty.
    standings: Vec<Standing>,
}

impl Game {
    pub fn new(start: Phutball) -> Game {
        Game {
            standings: vec![Standing::Open(start)],
        }
    }

    pub fn standing(&self) -> &Standing {
        &self.standings[self.standings.len() - 1]
    }

    /// Returns true if the game is open and its position came up this many times.
    pub fn is_repeated(&self, times: usize) -> bool {
        let same = self
            .standings
            .iter()
            .filter(|earlier| *earlier == self.standing());
        self.standing().open().is_some() && same.count() >= times
    }

    /// Makes a turn.
    /// On errors the game is unchanged.
    pub fn play(&mut self, turn: &str) -> Result<(), ParseError> {
        let over = || ParseError("the game is over".to_string());
        let position = self.standing().open().ok_or_else(over)?;
        let after = position.play(turn)?;
        self.standings.push(after);
        Ok(())
    }

    pub fn make(&mut self, turn: Turn) {
        self.standings.push(turn.after);
    }

    /// Takes back the last turn; returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let made = self.standings.len() > 1;
        if made {
            self.standings.pop();
        }
        made
    }

    /// Returns a player's turn in the current position; `None` if the game is over.
    pub fn choice(&self, players: &Players, kind: PlayerKind, go: &Go) -> Option<Choice> {
        let position = self.standing().open()?;
        let budget = Budget::new(go, position.side() as usize, Stop::default());
        players.choose(kind, position, None, &budget, &mut |_| {})
    }
}
