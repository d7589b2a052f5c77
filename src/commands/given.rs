//! Whether what is asked for makes use of every option that is given: one that changes nothing is refused.

use super::output::CommandError;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// What is asked for, if that is not just the verb, and which options, of the verb's own and the global ones, change nothing in it.
pub type Idle = (Option<&'static str>, &'static [&'static str]);

/// Refuses an option that was given, here or above, and changes nothing.
pub fn refuse_idle(
    mut command: &clap::Command,
    mut matches: &ArgMatches,
    (what, idle): Idle,
) -> Result<(), CommandError> {
    let mut verb = Vec::new();
    while let Some((name, below)) = matches.subcommand() {
        verb.push(name);
        command = (command.find_subcommand(name)).expect("clap knows the subcommand it found");
        matches = below;
    }
    let arguments = command
        .get_arguments()
        .filter(|argument| argument.get_id() != "help");
    let options: Vec<(&str, &str)> = arguments
        .filter_map(|argument| Some((argument.get_long()?, argument.get_id().as_str())))
        .collect();
    let is_given = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
    let given = (options.iter()).filter(|(long, id)| idle.contains(long) && is_given(id));
    let Some((unused, _)) = given.min() else {
        return Ok(());
    };
    let what = what.map_or(verb.join(" "), str::to_string);
    let used = (options.iter()).filter(|(long, _)| !idle.contains(long));
    let used: Vec<String> = used.map(|(long, _)| format!("--{long}")).collect();
    Err(CommandError::Usage(match used.is_empty() {
        true => format!("--{unused} changes nothing in {what}, which takes no options"),
        false => format!(
            "--{unused} changes nothing in {what}, which takes {}",
            used.join(", ")
        ),
    }))
}
