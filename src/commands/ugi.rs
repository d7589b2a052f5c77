//! `phutbase ugi`: an engine for programs that speak the Universal Game Interface.

use super::Common;
use super::output::CommandError;
use clap::{Args, ValueEnum};
use phutbase::engine::options::{DEFAULT_COLUMNS, DEFAULT_LENGTH, DEFAULT_ROWS, Options};
use phutbase::engine::players::Kind;
use phutbase::engine::session::converse;
use phutbase::table::directory::Tablebase;
use std::io;
use std::sync::Arc;

#[derive(Args)]
pub struct Arguments {
    /// Who chooses the turns [option 'player']
    #[arg(long, value_enum, default_value_t = PlayerName::Perfect)]
    player: PlayerName,
    /// The game of 'startpos' [option 'game']
    #[arg(long, value_enum, default_value_t = GameName::Strip)]
    game: GameName,
    /// Squares of 'startpos' on the strip, odd [option 'length']
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LENGTH)]
    length: usize,
    /// Rows of 'startpos' on the pitch, odd [option 'rows']
    #[arg(long, value_name = "R", default_value_t = DEFAULT_ROWS)]
    rows: usize,
    /// Columns of 'startpos' on the pitch, odd [option 'columns']
    #[arg(long, value_name = "C", default_value_t = DEFAULT_COLUMNS)]
    columns: usize,
    /// Seed of the random player [option 'seed']
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// A player, as the command line names it.
#[derive(Clone, Copy, ValueEnum)]
pub enum PlayerName {
    /// The tables, and a search where they do not reach
    Perfect,
    /// The generalized potential, one turn ahead
    Potential,
    /// Any turn
    Random,
}

impl From<PlayerName> for Kind {
    fn from(name: PlayerName) -> Kind {
        match name {
            PlayerName::Perfect => Kind::Perfect,
            PlayerName::Potential => Kind::Potential,
            PlayerName::Random => Kind::Random,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum GameName {
    /// One dimension
    Strip,
    /// Two dimensions
    Pitch,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let mut options = Options::default();
    let game = match arguments.game {
        GameName::Strip => "strip",
        GameName::Pitch => "pitch",
    };
    let player = match arguments.player {
        PlayerName::Perfect => "perfect",
        PlayerName::Potential => "potential",
        PlayerName::Random => "random",
    };
    for (name, value) in [
        ("game", game.to_string()),
        ("player", player.to_string()),
        ("length", arguments.length.to_string()),
        ("rows", arguments.rows.to_string()),
        ("columns", arguments.columns.to_string()),
        ("seed", arguments.seed.to_string()),
    ] {
        (options.set(name, &value)).map_err(|error| CommandError::Usage(error.to_string()))?;
    }
    let tables = Arc::new(Tablebase::open(&common.tables)?);
    Ok(converse(
        io::stdin().lock(),
        Box::new(io::stdout()),
        tables,
        options,
    )?)
}
