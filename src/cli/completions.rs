//! `agent-memory completions`

use clap_complete::{Shell, generate};

use super::call::{Context, Exit};
use super::output::DONE;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
pub(super) struct Script<'a> {
    script: &'a str,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let mut script = Vec::new();
    // `help` would list every command a second time: a third of the script.
    let mut program = (context.program)().disable_help_subcommand(true);
    generate(args.shell, &mut program, "agent-memory", &mut script);
    let script = String::from_utf8(script).expect("scripts are made of our own texts");
    // clap_complete 4.6 writes the hyphen of the name in two ways, so bash completes no subcommand
    // (clap-rs/clap#6421).
    let script = script.replace("agent__subcmd__memory", "agent__memory");
    context.output.answer(&Script { script: &script }, || script.clone());
    Ok(DONE)
}
