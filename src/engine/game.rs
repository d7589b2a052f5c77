//! A game against a player, with turns taken back.

use super::budget::{Budget, Go, Stop};
use super::players::{Choice, Kind, Players};
use super::position::{Standing, Turn};
use crate::games::position::Phutball;
use crate::outcome::ParseError;

/// A game with all its positions.
#[derive(Clone)]
pub struct Game {
    /// Where it stands, and where it stood before; never empty.
    met: Vec<Standing>,
}

/// Why a turn cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// Not a legal turn.
    #[error(transparent)]
    Turn(#[from] ParseError),
}

impl Game {
    /// A game that begins with a position.
    pub fn new(start: Phutball) -> Game {
        Game {
            met: vec![Standing::Open(start)],
        }
    }

    /// How the game stands.
    pub fn standing(&self) -> &Standing {
        &self.met[self.met.len() - 1]
    }

    /// How often the position on the board has come up.
    pub fn times(&self) -> usize {
        self.met
            .iter()
            .filter(|standing| *standing == self.standing())
            .count()
    }

    /// Makes a turn.
    ///
    /// # Errors
    /// [`PlayError`]; nothing is changed then.
    pub fn play(&mut self, turn: &str) -> Result<(), PlayError> {
        let position = self.standing().open().ok_or(PlayError::Over)?;
        let after = position.play(turn)?;
        self.met.push(after);
        Ok(())
    }

    /// Makes a turn that was chosen.
    pub fn make(&mut self, turn: Turn) {
        self.met.push(turn.after);
    }

    /// Takes back the last turn; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let made = self.met.len() > 1;
        if made {
            self.met.pop();
        }
        made
    }

    /// What a player would do here, within limits; `None` if the game is over.
    pub fn choice(&self, players: &Players, kind: Kind, go: &Go) -> Option<Choice> {
        let position = self.standing().open()?;
        let budget = Budget::new(go, position.side() as usize, Stop::default());
        players.choose(kind, position, &budget, &mut |_| {})
    }
}
