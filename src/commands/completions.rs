//! `phutbase completions` and `phutbase man`: the command line for shells and `man`.

use super::{Effect, Verb, grammar, without_json, without_tables};
use clap::Args;
use clap_complete::Shell;
use phutbase_terminal::{CommandError, GlobalOptions, stdout};
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase completions bash
  phutbase completions zsh
  phutbase completions fish")]
pub struct Arguments {
    /// Shell
    shell: Shell,
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase man
  phutbase man > phutbase.1
  phutbase man | man -l -")]
pub struct ManArguments {}

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        vec![without_json(common), without_tables(common)]
    }

    fn run(&self, _: &GlobalOptions) -> Result<(), CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut grammar(), "phutbase", &mut script);
        write(&script)
    }
}

impl Verb for ManArguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        vec![without_json(common), without_tables(common)]
    }

    fn run(&self, _: &GlobalOptions) -> Result<(), CommandError> {
        let mut command = grammar().disable_help_subcommand(true);
        command.build();
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut page)?;
        for subcommand in command.get_subcommands() {
            let name = format!("phutbase {}", subcommand.get_name());
            let man = clap_mangen::Man::new(subcommand.clone().bin_name(name.clone()));
            writeln!(page, ".SH \"{}\"", name.to_uppercase())?;
            man.render_description_section(&mut page)?;
            man.render_synopsis_section(&mut page)?;
            man.render_options_section(&mut page)?;
        }
        write(&page)
    }
}

fn write(text: &[u8]) -> Result<(), CommandError> {
    let mut out = stdout();
    out.write_all(text)?;
    Ok(out.flush()?)
}
