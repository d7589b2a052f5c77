//! The subcommands at work on pitches.

pub mod certify;
pub mod draws;
pub mod generate;
pub mod probe;
pub mod stats;
pub mod verify;

use super::output::CommandError;
use phutbase::generate::pitch::PitchGenerateError;

impl From<PitchGenerateError> for CommandError {
    fn from(error: PitchGenerateError) -> CommandError {
        match error {
            PitchGenerateError::TooLarge { .. } => CommandError::Usage(error.to_string()),
            error => CommandError::Failure(error.to_string()),
        }
    }
}
