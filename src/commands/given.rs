//! Which options were given, and whether what was asked for uses them all: an option that changes nothing is refused.

use super::output::CommandError;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// What a verb uses in some combination of boards and options.
pub struct Uses {
    /// The combination, in words.
    what: String,
    /// The long names of the options.
    options: Vec<&'static str>,
}

impl Uses {
    /// The options that are used, by their long names.
    pub fn new(what: impl Into<String>, options: &[&'static str]) -> Uses {
        Uses {
            what: what.into(),
            options: options.to_vec(),
        }
    }

    /// These and some more.
    pub fn and(mut self, more: &[&'static str]) -> Uses {
        self.options.extend(more);
        self
    }
}

/// The long names of the options on the command line.
pub struct Given(Vec<String>);

impl Given {
    /// Gathers the options that stand on the command line, for whichever subcommand.
    pub fn gather(command: &clap::Command, matches: &ArgMatches) -> Given {
        let mut given = Vec::new();
        let (mut command, mut matches) = (command, matches);
        loop {
            let present = command.get_arguments().filter(|argument| {
                matches.try_contains_id(argument.get_id().as_str()).is_ok()
                    && matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
            });
            given.extend(present.filter_map(|argument| argument.get_long().map(str::to_string)));
            match matches.subcommand() {
                Some((name, below)) => {
                    command = command
                        .find_subcommand(name)
                        .expect("clap knows the subcommand it found");
                    matches = below;
                }
                None => break,
            }
        }
        given.sort();
        given.dedup();
        Given(given)
    }

    /// Refuses options that change nothing.
    pub fn refuse_unused(&self, uses: &Uses) -> Result<(), CommandError> {
        let Some(unused) = self
            .0
            .iter()
            .find(|given| !uses.options.contains(&given.as_str()))
        else {
            return Ok(());
        };
        let what = &uses.what;
        let options: Vec<String> = uses.options.iter().map(|name| format!("--{name}")).collect();
        Err(CommandError::Usage(match options.is_empty() {
            true => format!("--{unused} changes nothing in {what}, which takes no options"),
            false => format!(
                "--{unused} changes nothing in {what}, which takes {}",
                options.join(", ")
            ),
        }))
    }
}
