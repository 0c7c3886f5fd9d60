//! Which database, and whose memories.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::call::Context;
use crate::cli::environment;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::verbs::{LongtermSession, LongtermStore};

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
    pub(super) fn session(&self, context: &Context) -> Result<LongtermSession> {
        let data = environment::data(self.data.clone())?;
        let store = LongtermStore::open(&data, environment::longterm_settings()?)?;
        let now = Timestamp::from(context.session.now);
        let tenant = store.tenant(&self.tenant, now)?;
        let operator = format!("operator:{}", environment::account().unwrap_or_default());
        Ok(LongtermSession { store: Arc::new(store), tenant, operator, now })
    }
}
