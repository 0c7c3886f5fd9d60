//! The door for programs: the memory service over HTTP.
//!
//! - `routes`: the table of routes; `call`: what a route gets and gives; `special`, `mcp`: other routes
//! - `access`, `admission`: who is let in; `answer`, `reply`: from a request to its answer
//! - `openapi`, `openapi_parts`: the table as a document
//! - `ltm`, `ltm_events`, `ltm_openapi`: long-term memories, their changes as events, the description of their routes
//! - `listen`, `bodied_stream`: connections, their limits, and the end
//! - `events`: what `/stream` tells; `stream_caller`: who listens; `trace`: a line for each answer

mod access;
mod admission;
mod answer;
mod bodied_stream;
mod call;
mod events;
mod http_service;
mod listen;
mod ltm;
mod ltm_events;
mod ltm_openapi;
mod mcp;
mod openapi;
mod openapi_parts;
mod reply;
mod routes;
mod special;
mod stream_caller;
mod trace;

use std::sync::Arc;

use tokio::runtime::Builder;

use crate::error::{Error, ErrorKind, Result};
use crate::longterm::verbs::LongtermHost;
use crate::server::background::Background;
use crate::server::repeated::{Repeated, SWEEP};
use crate::service::verbs::{ServerSettings, ServiceSession, ServiceSessions};
use access::CallerAccess;
use events::Events;
use http_service::HttpService;

/// Threads that wait for the database at most.
const WAITING: usize = 128;

/// Serves until the process is asked to end, then answers what has begun.
pub fn serve_http(settings: ServerSettings, longterm: LongtermHost) -> Result<()> {
    let could_not = |cause| Error::new(ErrorKind::Io, "could not start the server").because(cause);
    let mut builder = Builder::new_multi_thread();
    let builder = builder.worker_threads(2).max_blocking_threads(WAITING).enable_all();
    let runtime = builder.build().map_err(could_not)?;
    let access = CallerAccess::new(&settings);
    let background = Background::start(sessions(&settings));
    let events = Arc::new(Events::new());
    let listener = Arc::clone(&events);
    settings.store.listen(Box::new(move |event| listener.tell(event)));
    let longterm = Arc::new(longterm);
    let swept = Arc::clone(&longterm);
    // A failure is that of the database, and the next call tells it.
    let sweeps = Repeated::start(SWEEP, move || drop(swept.sweep()));
    let service = Arc::new(HttpService { settings, access, events, longterm });
    let served = runtime.block_on(listen::listen(&service));
    // A request that still waits for the database must not keep the process alive.
    runtime.shutdown_background();
    drop(sweeps);
    background.finish();
    served
}

/// Makes sessions for the work behind the answers, which is that of all tenants.
fn sessions(settings: &ServerSettings) -> ServiceSessions {
    let (store, tenant, now) = (Arc::clone(&settings.store), settings.default_tenant, settings.now);
    Arc::new(move || {
        let store = Arc::clone(&store);
        Ok(ServiceSession { store, tenant, actor: "background".to_owned(), now: now()? })
    })
}
