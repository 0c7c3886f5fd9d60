//! `agent-memory init`

use super::Context;
use super::output::{DONE, GOOD};
use crate::error::Result;
use crate::ops::init;
use crate::text::count;

/// Make a store in this repository; what is there already stays as it is
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, context: &Context) -> Result<u8> {
    let initialised = init(&context.place)?;
    let output = context.output;
    if output.json {
        output.document(&initialised);
        return Ok(DONE);
    }
    for path in &initialised.renewed {
        output.data(&format!("{GOOD}renewed{GOOD:#} {}/{path}\n", initialised.store));
    }
    if initialised.created.is_empty() && !initialised.renewed.is_empty() {
        return Ok(DONE);
    }
    if initialised.created.is_empty() {
        output.data(&format!("{} is complete, nothing to do\n", initialised.store));
        return Ok(DONE);
    }
    let files = count(initialised.created.len(), "file");
    output.data(&format!("{GOOD}made{GOOD:#} {} with {files}\n", initialised.store));
    initialised.created.iter().for_each(|path| output.talk(&format!("  {path}")));
    output.talk("commit them, then let an agent run `agent-memory propose`");
    Ok(DONE)
}
