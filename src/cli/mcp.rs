//! `agent-memory mcp`

use std::sync::Arc;

use super::call::{Context, Exit};
use super::environment;
use super::output::DONE;
use crate::error::{Error, ErrorKind};

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, context: &Context) -> Exit {
    let serve = context.serve.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "this program was built without the MCP server")
            .hint("build it with the feature `mcp`, which is on by default")
    })?;
    let (root, wait) = (context.root.clone(), context.wait);
    // The clock and the folder may change while the server runs.
    serve(Arc::new(move || environment::session_of_client(root.clone(), wait)))?;
    Ok(DONE)
}
