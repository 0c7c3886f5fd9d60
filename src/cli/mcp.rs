//! `agent-memory mcp`

use std::path::PathBuf;
use std::sync::Arc;

use super::call::{Context, Exit};
use super::environment;
use super::ltm::{longterm_host, read_context_file};
use super::output::DONE;
use super::user::person;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::verbs::LongtermMcp;
use crate::personal::verbs::{PersonalSession, PersonalSessions};
use crate::project::verbs::note_failure;
use crate::service::verbs::{
    DEFAULT_TENANT, McpSettings, ServiceLocation, ServiceSession, ServiceStore,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Offer the tools of personal memory too; `tools = true` under `[user]` in the person's own settings does the same
    #[arg(long)]
    user: bool,
    /// Offer the tools of the memory service instead of those of the project; no store is needed
    #[arg(long, conflicts_with = "user", group = "database")]
    service: bool,
    /// Offer the two tools of long-term memories instead of those of the project; no store is needed
    ///
    /// The host puts the context of a call into `_meta` of its parameters, as `agent-memory/context`.
    #[arg(long, conflicts_with = "user", group = "database")]
    ltm: bool,
    /// Read the context of calls that bring none from this file, for a host with one conversation
    #[arg(long, requires = "ltm", value_name = "FILE")]
    context: Option<PathBuf>,
    /// Serve the memories of this tenant [default: default]
    #[arg(long, requires = "database", value_name = "NAME")]
    tenant: Option<String>,
    /// Work on the server at this address in place of the data of this machine; its token is read from `AUTOMEM_API_KEY`,
    /// else from `AUTOMEM_API_TOKEN`
    #[arg(long, requires = "service", conflicts_with_all = ["tenant", "data"], value_name = "URL")]
    url: Option<String>,
    #[command(flatten)]
    person: person::Named,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let serve = context.serve.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "this program was built without the MCP server")
            .hint("build it with the feature `mcp`, which is on by default")
    })?;
    if args.service {
        let service = match &args.url {
            Some(address) => remote(address),
            None => local(args)?,
        };
        (serve.service)(McpSettings { service, recall_budget: environment::recall_budget() })?;
        return Ok(DONE);
    }
    if args.ltm {
        (serve.longterm)(longterm(args, context)?)?;
        return Ok(DONE);
    }
    let (root, wait) = (context.root.clone(), context.wait);
    let people = personal(args, context)?;
    // The clock and the folder may change while the server runs.
    let sessions = move || environment::session_of_client(root.clone(), wait);
    (serve.project)(Arc::new(sessions), people)
        .inspect_err(|error| note_failure(&context.session, "mcp", error))?;
    Ok(DONE)
}

/// The person is fixed as the server starts.
fn personal(args: &Args, context: &Context) -> Result<Option<PersonalSessions>> {
    if !args.user && !environment::own_settings()?.tools {
        return Ok(None);
    }
    let session = person::session(&args.person, context)?;
    Ok(Some(Arc::new(move || Ok(PersonalSession { now: environment::now()?, ..session.clone() }))))
}

/// Opens the database of the service; it stays open while the server runs.
fn local(args: &Args) -> Result<ServiceLocation> {
    let store = ServiceStore::open(&args.person.data()?, environment::service_settings()?)?;
    let now = environment::timestamp()?;
    let tenant = store.tenant(args.tenant.as_deref().unwrap_or(DEFAULT_TENANT), now)?;
    let session = ServiceSession { store: Arc::new(store), tenant, actor: "mcp".to_owned(), now };
    let sessions = move || Ok(ServiceSession { now: environment::timestamp()?, ..session.clone() });
    Ok(ServiceLocation::Local(Arc::new(sessions)))
}

/// Opens the database of long-term memories with the first call.
fn longterm(args: &Args, context: &Context) -> Result<LongtermMcp> {
    let tenant = args.tenant.as_deref().unwrap_or(DEFAULT_TENANT).to_owned();
    let said = args.context.as_deref().map(|file| read_context_file(file, context)).transpose()?;
    let host = longterm_host(args.person.data()?, "mcp");
    // What cannot be opened is told at the start.
    host.sweep()?;
    Ok(LongtermMcp { host, tenant, context: said.unwrap_or_default() })
}

fn remote(address: &str) -> ServiceLocation {
    let key = ["AUTOMEM_API_KEY", "AUTOMEM_API_TOKEN"].into_iter().find_map(environment::setting);
    ServiceLocation::Remote { address: address.to_owned(), key, now: environment::timestamp }
}
