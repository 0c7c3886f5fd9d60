//! Which memories `agent-memory ltm list` and `export` print.

use std::path::PathBuf;

use super::input::{read_context, read_context_file};
use crate::cli::call::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::MemoryOwner;
use crate::longterm::verbs::MemoryFilter;

#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    /// Only those that this server shares
    #[arg(long, value_name = "ID", conflicts_with_all = ["person", "context"])]
    server: Option<String>,
    /// Only those of this person
    #[arg(long, value_name = "ID", conflicts_with = "context")]
    person: Option<String>,
    /// Only those that the context in this file gives: to an `owner` their own, to a `manager` those of the server
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// Only those for this character; 0 for what is true for all
    #[arg(long, value_name = "NUMBER")]
    lineage: Option<u64>,
}

impl FilterArgs {
    pub(super) fn filter(&self, context: &Context) -> Result<MemoryFilter> {
        let lineage = self.lineage;
        let Some(file) = &self.context else {
            let server = self.server.clone().map(MemoryOwner::Server);
            let owner = server.or_else(|| self.person.clone().map(MemoryOwner::Person));
            return Ok(MemoryFilter { owner, lineage });
        };
        let said = read_context(&read_context_file(file, context)?)?;
        let filter = MemoryFilter::of_actor(&said).ok_or_else(|| {
            let message = "the context is that of a model, which lists nothing";
            let hint = "name `owner` or `manager` as its `actor`, or use `ltm context`";
            Error::new(ErrorKind::Usage, message).hint(hint)
        })?;
        Ok(MemoryFilter { lineage, ..filter })
    }
}
