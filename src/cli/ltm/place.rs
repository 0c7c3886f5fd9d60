//! Which database, and whose memories.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::call::Context;
use crate::cli::environment;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::verbs::{LongtermHost, LongtermSession, LongtermStore, sweep};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct LongtermPlace {
    /// Keep the data in this folder; the environment variable `AGENT_MEMORY_DATA` does the same
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Use the memories of this tenant
    #[arg(long, global = true, value_name = "NAME", default_value = "default")]
    tenant: String,
}

impl LongtermPlace {
    /// Opens the database for a command that writes, which erases what was deleted long ago.
    pub(super) fn session_to_write(&self, context: &Context) -> Result<LongtermSession> {
        let session = self.session(context)?;
        sweep(&session)?;
        Ok(session)
    }

    pub(super) fn session(&self, context: &Context) -> Result<LongtermSession> {
        let data = environment::data(self.data.clone())?;
        let store = LongtermStore::open(&data, environment::longterm_settings()?)?;
        let now = Timestamp::from(context.session.now);
        let tenant = store.tenant(&self.tenant, now)?;
        let operator = format!("operator:{}", environment::account().unwrap_or_default());
        Ok(LongtermSession { store: Arc::new(store), tenant, operator, now })
    }
}

/// Makes what a server opens long-term memories with; `operator` names the door in the log.
pub(in crate::cli) fn longterm_host(data: PathBuf, operator: &str) -> LongtermHost {
    LongtermHost::new(data, environment::longterm_settings, environment::timestamp, operator)
}
