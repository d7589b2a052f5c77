//! `phutbase ugi`: an engine for programs that speak the Universal Game Interface.

use super::{Effect, Verb, without_json};
use clap::Args;
use clap::builder::PossibleValuesParser;
use phutbase_ask::sources::Sources;
use phutbase_engine::options::{DEFAULT_BOARDS, Options};
use phutbase_engine::players::PlayerKind;
use phutbase_engine::session::{SessionError, converse};
use phutbase_terminal::common::GlobalOptions;
use phutbase_terminal::output::CommandError;
use std::io;
use std::sync::Arc;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase ugi         the strip of 21 squares
  phutbase ugi 19x15   the pitch of 19 x 15 points
  phutbase ugi --player random --seed 7")]
pub struct Arguments {
    /// Set the boards of 'startpos', with a middle for the ball: 21, or 19x15 [option 'boards']
    #[arg(default_value = DEFAULT_BOARDS)]
    boards: String,
    /// Choose turns by: perfect (exact on strips; on pitches tables, and a search beyond), potential (the generalized
    /// potential, one turn ahead) or random [option 'player']
    #[arg(long, value_name = "PLAYER", default_value = "perfect", value_parser = PossibleValuesParser::new(PlayerKind::WORDS), hide_possible_values = true)]
    player: String,
    /// Set the seed of the random player [option 'seed']
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        vec![without_json(common)]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let mut options = Options::default();
        let seed = self.seed.to_string();
        for (name, value) in [
            ("boards", &self.boards),
            ("player", &self.player),
            ("seed", &seed),
        ] {
            (options.set(name, value)).map_err(CommandError::usage)?;
        }
        let sources = Arc::new(Sources::new(common.tables()?, 0));
        let (input, output) = (io::stdin().lock(), Box::new(io::stdout()));
        converse(input, output, sources, options).map_err(|error| match error {
            SessionError::Output(error) => error.into(),
            error => CommandError::system(error),
        })
    }
}
