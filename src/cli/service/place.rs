//! Which database, and whose memories.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::call::Context;
use crate::cli::environment;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::verbs::{DEFAULT_TENANT, ServiceSession, ServiceStore};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct ServicePlace {
    /// Keep the data of the service in this folder; the environment variable `AGENT_MEMORY_DATA` does the same
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Use the memories of this tenant
    #[arg(long, global = true, value_name = "NAME", default_value = DEFAULT_TENANT)]
    tenant: String,
}

impl ServicePlace {
    pub(super) fn session(&self, context: &Context) -> Result<ServiceSession> {
        let data = environment::data(self.data.clone())?;
        let store = ServiceStore::open(&data, environment::service_settings()?)?;
        let now = Timestamp::from(context.session.now);
        let tenant = store.tenant(&self.tenant, now)?;
        let actor = format!("cli:{}", environment::account().unwrap_or_default());
        Ok(ServiceSession { store: Arc::new(store), tenant, actor, now })
    }
}
