//! Boards as a whole: a length or a pitch, and the numbers of their positions.

use crate::errors::notation;
use crate::read;
use phutbase_base::game::Game;
use phutbase_rules::Rules;
use phutbase_rules::boards::Boards;
use phutbase_rules::pitch::PitchGame;
use phutbase_rules::position::{Phutball, Position};
use phutbase_rules::strip::{Halves, StripGame};
use pyo3::prelude::*;

/// The number of a position among those of its board.
#[pyfunction]
pub fn index(position: &str) -> PyResult<u64> {
    match read(position, Rules::Ordinary)? {
        Position::Phutball(Phutball::Strip(strip)) => {
            let game = strip_game(strip.length())?;
            Ok(game.index(&strip.to_strip().expect("as short as the game's strips")))
        }
        Position::Phutball(Phutball::Pitch(pitch)) => {
            let game = PitchGame::new(pitch.shape())
                .ok_or_else(|| notation("a pitch of this size has too many positions for an index"))?;
            Ok(game.index(&pitch))
        }
        other => Err(notation(format!("positions of {} have no index", other.game()))),
    }
}

/// Returns the position with an index, with the first player to move.
#[pyfunction]
pub fn position(boards: &str, index: &Bound<'_, PyAny>) -> PyResult<String> {
    fn of<G: Game>(game: &G, index: &Bound<'_, PyAny>) -> PyResult<G::Position> {
        let positions = game.positions();
        match index.extract() {
            Ok(number) if number < positions => Ok(game.position(number)),
            _ => Err(notation(format!(
                "index {index} is out of range: 0 to {}",
                positions - 1
            ))),
        }
    }
    match boards_of(boards)? {
        One::Strip(length) => Ok(of(&strip_game(length)?, index)?.to_string()),
        One::Pitch(game) => Ok(of(&game, index)?.to_string()),
    }
}

fn strip_game(length: usize) -> PyResult<StripGame> {
    StripGame::new(length)
        .ok_or_else(|| notation(format!("{length} squares have too many positions for an index")))
}

/// A board that a table describes as a whole.
pub enum One {
    Strip(usize),
    Pitch(PitchGame),
}

impl One {
    /// Checks that a table under these rules may hold the board.
    pub fn ruled(self, rules: Rules) -> PyResult<One> {
        match (&self, rules) {
            (One::Strip(_), Rules::Directional) => Err(notation(
                "directional rules apply to pitches here; 'probe' values directional strips by a formula",
            )),
            _ => Ok(self),
        }
    }

    /// Returns the board as the tables name it.
    pub fn size(&self) -> Boards {
        match self {
            One::Strip(length) => Boards::strip(*length),
            One::Pitch(game) => Boards::Pitch(game.shape()),
        }
    }
}

/// Reads a length or a pitch.
pub fn boards_of(text: &str) -> PyResult<One> {
    match text.parse::<Boards>().map_err(notation)? {
        Boards::Strips(lengths) if lengths.start() == lengths.end() => Ok(One::Strip(*lengths.start())),
        Boards::Pitch(shape) => (PitchGame::new(shape).map(One::Pitch))
            .ok_or_else(|| notation(format!("a {shape} pitch has too many positions for an index"))),
        boards => Err(notation(format!(
            "'{boards}' is neither a length such as 12 nor a pitch such as '5x3'"
        ))),
    }
}
