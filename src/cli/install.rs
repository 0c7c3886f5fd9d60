//! `agent-memory install`

use serde_json::json;

use super::Context;
use super::output::{DONE, GOOD};
use crate::error::Result;
use crate::ops::{install_git, uninstall_git};

/// Tell other programs about agent-memory
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which program
    #[arg(value_enum)]
    program: Program,
    /// Take it out again
    #[arg(long)]
    uninstall: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Program {
    /// Sections of memory files merge by themselves, in this repository
    Git,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let workspace = context.workspace()?;
    let output = context.output;
    let Program::Git = args.program;
    let changed = match args.uninstall {
        true => Vec::from_iter(uninstall_git(&workspace).then(|| "merge.agent-memory".to_owned())),
        false => install_git(&workspace)?,
    };
    if output.json {
        output.document(&json!({ "changed": changed }));
        return Ok(DONE);
    }
    let word = if args.uninstall { "unset" } else { "set" };
    changed.iter().for_each(|line| output.data(&format!("{GOOD}{word}{GOOD:#} {line}\n")));
    if changed.is_empty() {
        output.data("nothing to do\n");
    }
    Ok(DONE)
}
