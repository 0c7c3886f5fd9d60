//! `agent-memory completions`

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::output::DONE;
use super::{Cli, Context, Exit};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Whose script it is
    shell: Shell,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "agent-memory", &mut script);
    let script = String::from_utf8(script).expect("scripts are made of our own texts");
    // clap_complete 4.6 gives the hyphen of the program two names in bash, so that no command is found
    // below the first (clap-rs/clap#6421).
    let script = script.replace("agent__subcmd__memory", "agent__memory");
    match context.output.json {
        true => context.output.document(&serde_json::json!({"script": script})),
        false => context.output.data(&script),
    }
    Ok(DONE)
}
